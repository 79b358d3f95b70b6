"""Reads frames that could not be decoded in one pass, field by field, so that the answer can name
the mistake.

A frame is a JSON object in UTF-8. `outline` cuts it into the texts of its fields without looking
into them; `read` reads one of them. A field that nobody asks for is never read, and `null` counts
as absent.

Text that a journal or a database could not keep is refused in fields that are used: U+0000, and
half a surrogate pair (`"\\ud83d"`, left over when a program cuts a text in the middle of a
character).

This is not a second `kernel.strict_json`: its limits and checks come from there. A valid ACT is
decoded into its types at once, because a server reads thousands a second, and reading strictly into
dicts costs twenty times as much. In an invalid one a field that nobody uses must not matter,
whatever it holds, and the answer quotes the text of the frame; so its pieces are read one by one,
as text, and not the document as a whole.
"""

import re
from functools import cache
from typing import Annotated, Any, Final, get_args

import msgspec
from msgspec import Meta, Raw

from thorp.kernel.errors import InvalidError
from thorp.kernel.strict_json import (
    DOCUMENT_BYTES_LIMIT,
    DOCUMENT_DEPTH_LIMIT,
    is_storable,
    nests_deeper,
    refuse_unstorable,
)

PROTOCOL_VERSION: Final = "0.9"
# The largest ACT that makes sense fills a memory of 64 KiB; the rest is for clients that pad.
MAX_FRAME_BYTES: Final = DOCUMENT_BYTES_LIMIT
# Refusals go into the journal and events, so they quote only the beginning.
MAX_QUOTED_BYTES: Final = 40
# Looking for half pairs costs more than reading, so it is only done in frames short enough to be
# meant seriously.
MAX_MENDED_BYTES: Final = 2**16

Outline = dict[str, Raw]

# One of the three ends matches wherever the repetition stops, so it is never tried again from an
# earlier place. It is not possessive, because Python 3.11.2 repeats alternatives wrongly then.
_UP_TO_HALF_A_PAIR: Final = re.compile(
    rb"""( (?: [^\\]++
             | \\[^u]
             | \\u(?![dD][89a-fA-F])
             | \\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}  # a whole pair
           )* )
         (?: (?P<half>\\u[dD][89a-fA-F][0-9a-fA-F]{2}) | (?P<broken>\\) | \Z )""",
    re.VERBOSE | re.DOTALL,
)
_UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_decode_outline: Final = msgspec.json.Decoder(Outline).decode


class FieldError(InvalidError):
    """A field that cannot be read. The message names it, says what was expected and what came."""

    code = "bad_field"


def is_plain(frame: bytes) -> bool:
    """Whether every text in the frame can certainly be stored as it is: a cheap check of the
    bytes."""
    return (
        len(frame) <= MAX_FRAME_BYTES
        and not nests_deeper(frame, DOCUMENT_DEPTH_LIMIT)
        and b"\\u0000" not in frame
        and (frame.isascii() or _is_utf8(frame))
    )


def outline(frame: bytes) -> Outline:
    """The fields of a frame, unread. Half a surrogate pair in them has become U+0000."""
    if len(frame) > MAX_FRAME_BYTES:
        raise FieldError(f"frame: expected at most {MAX_FRAME_BYTES} bytes, got {len(frame)}")
    if not _is_utf8(frame):
        raise FieldError("frame: expected UTF-8")
    try:
        return _decode_outline(frame)
    except RecursionError:
        raise FieldError("frame: nests too deeply") from None
    except msgspec.DecodeError as problem:
        if b"\\" in frame and len(frame) <= MAX_MENDED_BYTES:
            mended = _UP_TO_HALF_A_PAIR.sub(_mend, frame)
            if mended != frame:
                return outline(mended)
        why = str(problem)
        why = why[:1].lower() + why[1:]
        raise FieldError(f"frame: expected a JSON object, got {quoted(frame)} ({why})") from None


def read(text: Raw | None, form: Any, path: str) -> Any:
    """A piece of a frame as `form`, a type with a description; None if it is absent."""
    value = _decode(text, form, path)
    problem = "" if value is None or isinstance(value, int | float) else _why_not_kept(value)
    if problem:
        raise FieldError(f"{path}: expected {problem}")
    return value


def _why_not_kept(value: Any) -> str:
    """What a value would have to be so that a journal can keep it; empty if it can."""
    text = "text without U+0000 and without half surrogate pairs"
    depth = f"at most {DOCUMENT_DEPTH_LIMIT} levels"
    if isinstance(value, str):
        return "" if is_storable(value) else text
    try:
        kept = msgspec.json.encode(value)
        if nests_deeper(kept, DOCUMENT_DEPTH_LIMIT):
            return depth
        refuse_unstorable(msgspec.json.decode(kept))
    except RecursionError:
        return depth
    except InvalidError:
        return text
    return ""


def items(text: Raw | None, path: str) -> list[Raw]:
    """The items of a list, unread; none if it is absent."""
    return _decode(text, Annotated[list[Raw], Meta(description="an array")], path) or []


def members(text: Raw | None, path: str) -> Outline:
    """The fields of an object, unread; none if it is absent."""
    return _decode(text, Annotated[Outline, Meta(description="an object")], path) or {}


def quoted(text: bytes, max_bytes: int = MAX_QUOTED_BYTES) -> str:
    """The beginning of a JSON text, for a message."""
    start = clip(text[: 4 * max_bytes].decode("utf-8", "ignore"), max_bytes).replace("\0", "")
    return f"{start}…" if len(text) > max_bytes else start or "nothing"


def description(form: Any) -> str:
    """What a form expects, in the words of its `Meta`."""
    for part in (form, *get_args(form)):
        for meta in getattr(part, "__metadata__", ()):
            if meta.description is not None:
                return str(meta.description)
    raise AssertionError(f"{form} has no description")


def clip(text: str, max_bytes: int) -> str:
    """The longest beginning of a text that has at most `max_bytes` bytes in UTF-8."""
    if len(text) * 4 <= max_bytes:
        return text
    return text.encode()[:max_bytes].decode(errors="ignore")


@cache
def _decoder(form: Any) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(form | None)


def _mend(match: re.Match[bytes]) -> bytes:
    return match[1] + (rb"\u0000" if match["half"] else match["broken"] or b"")


def _decode(text: Raw | None, form: Any, path: str) -> Any:
    if text is None:
        return None
    try:
        return _decoder(form).decode(text)
    except _UNREADABLE:
        raise FieldError(
            f"{path}: expected {description(form)}, got {quoted(bytes(text))}"
        ) from None


def _is_utf8(frame: bytes) -> bool:
    try:
        frame.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
