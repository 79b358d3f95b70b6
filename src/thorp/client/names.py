"""Names that a program writes: a wrong one is refused with the one that was probably meant."""

from collections.abc import Iterable
from typing import Final

from thorp.client.errors import UnknownName
from thorp.protocol.near_names import nearest, quote_name

LISTED: Final = 12
"""Right names that an error lists when none is near."""


def require_name(kind: str, name: str, names: Iterable[str]) -> str:
    """The name, if it is one of these; else raise an UnknownName that helps."""
    right = tuple(names)
    if name in right:
        return name
    raise UnknownName(f"no {kind} {quote_name(name)}; {_advice(name, right)}")


def _advice(name: str, right: tuple[str, ...]) -> str:
    """How to find the right name: the nearest one, or else the first of them."""
    near = nearest(name, right)
    if near:
        return f"did you mean {near}?"
    if not right:
        return "none is known here"
    more = ", …" if len(right) > LISTED else ""
    return f"it is one of {', '.join(sorted(right)[:LISTED])}{more}"
