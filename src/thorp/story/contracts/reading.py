"""How a document becomes a contract's type: strictly, with a code, a path and a sentence when it does not.

The types are the shape; each contract adds the rules that no type can say. The schema is made from the types.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeVar

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ROOT, ContractError, Violation

T = TypeVar("T", bound=msgspec.Struct)
SCHEMA_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
HALF_CHARACTER: Final = "a text or a key holds half of a surrogate pair"
_PLACE = re.compile(r"(.*) - at `(.*)`\Z", re.DOTALL)


def read_shape(kind: type[T], value: object) -> T:
    """The document as its type, or a ContractError of code `shape`."""
    try:
        return msgspec.convert(value, kind)
    except UnicodeError:
        raise refusal("text", ROOT, HALF_CHARACTER) from None
    except msgspec.ValidationError as error:
        found = _PLACE.match(str(error))
        message, path = (found[1], found[2]) if found else (str(error), ROOT)
        raise refusal("shape", path, message) from None


def refusal(code: str, path: str, message: str) -> ContractError:
    """The error for one broken rule."""
    return ContractError([Violation(code, path, message)])


def demand(fits: bool, code: str, path: str, message: str) -> None:
    """Refuse unless a rule is kept."""
    if not fits:
        raise refusal(code, path, message)


def schema_of(name: str, kind: type[msgspec.Struct]) -> Callable[[], dict[str, Json]]:
    """What makes a contract's JSON Schema."""

    def schema() -> dict[str, Json]:
        return {"$schema": SCHEMA_DIALECT, "title": name, **msgspec.json.schema(kind)}

    return schema
