"""Names that a program writes: a wrong one is refused with the one that was probably meant."""

from collections.abc import Iterable
from typing import Final

from thorp.client.errors import UnknownName
from thorp.protocol.near_names import nearest, quote_name

LISTED: Final = 12
"""Right names that an error lists when none is near."""


def require_name(kind: str, name: str, names: Iterable[str]) -> str:
    """The name, if it is one of these; else raise an UnknownName that helps."""
    known = tuple(names)
    if name in known:
        return name
    raise UnknownName(f"no {kind} {quote_name(name)}; {_advice(name, known)}")


def _advice(name: str, known: tuple[str, ...]) -> str:
    near = nearest(name, known)
    if near:
        return f"did you mean {near}?"
    if not known:
        return "none is known here"
    more = ", …" if len(known) > LISTED else ""
    return f"it is one of {', '.join(sorted(known)[:LISTED])}{more}"
