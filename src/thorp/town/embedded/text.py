"""The canonical text of a handoff, and a copy of it that shares nothing with it.

The fast way is msgspec's own text with sorted keys. It is canonical for every handoff that `soundness`
vouches for: those have no members but the contract's, whose names are ASCII, and no number that JavaScript
would write otherwise. Whatever is unusual goes the contract's and the kernel's way.
"""

from __future__ import annotations

import msgspec

from thorp.kernel.canonical import Json, canonical_bytes, read_text
from thorp.town.embedded.soundness import is_sound
from thorp.town.handoff import validate_handoff

_encode = msgspec.json.Encoder(order="deterministic").encode
_decode = msgspec.json.Decoder().decode
_NOT_FAST = (TypeError, ValueError, RecursionError, OverflowError, msgspec.MsgspecError)


def checked_handoff(handoff: object) -> tuple[str, Json]:
    """The canonical text of a handoff, and the handoff read back from it. Refuses an invalid one."""
    try:
        text = _encode(handoff)
        copy = _decode(text)
        # Equal, so nothing was coerced on the way: msgspec writes sets, dates and NaN as other JSON.
        if copy == handoff and is_sound(copy):
            return text.decode(), copy
    except _NOT_FAST:
        pass
    validate_handoff(handoff)
    exact = canonical_bytes(handoff)
    return exact.decode(), read_text(exact)
