"""`thorp schema`: the JSON Schema of a contract, by name."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from thorp.kernel.errors import InvalidError
from thorp.town import SCHEMAS


def schema(
    name: Annotated[str | None, typer.Argument(help="A contract; without it, all are named.")] = None,
) -> None:
    """Print the JSON Schema of a contract, or name the contracts that have one."""
    if name is None:
        print("\n".join(SCHEMAS))
        return
    if name not in SCHEMAS:
        raise InvalidError(f"no schema {name!r}; there are: {', '.join(SCHEMAS)}", code="unknown_schema")
    print(json.dumps(SCHEMAS[name](), indent=2, ensure_ascii=False))
