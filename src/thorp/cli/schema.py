"""`thorp schema`: prints the JSON Schema of a contract or a message, by name."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

from thorp.cli.commands import argument, option
from thorp.kernel.errors import InvalidError
from thorp.protocol.schemas import NAMES, message_schema
from thorp.story import SCHEMAS as STORY_SCHEMAS
from thorp.town import SCHEMAS

EVERY: Final[dict[str, Callable[[], Any]]] = {
    **SCHEMAS,
    **STORY_SCHEMAS,
    **{name: partial(message_schema, name) for name in NAMES},
}


def schema(
    name: Annotated[
        str | None, argument("A contract or a message; without it, all are named.")
    ] = None,
    write: Annotated[
        Path | None, option("Write the messages' schemas into this directory instead.")
    ] = None,
) -> None:
    """Print the JSON Schema of a contract or a message, or name those that have one."""
    if write is not None:
        for message in NAMES:
            (write / f"{message}.schema.json").write_text(_text(message) + "\n", "utf-8")
    elif name is None:
        print("\n".join(EVERY))
    elif name in EVERY:
        print(_text(name))
    else:
        raise InvalidError(
            f"no schema {name!r}; there are: {', '.join(EVERY)}", code="unknown_schema"
        )


def _text(name: str) -> str:
    return json.dumps(EVERY[name](), indent=2, ensure_ascii=False)
