"""Writes JSON values as text, exactly as the contracts' JavaScript originals write them.

    canonical_text   keys by UTF-16 code unit (RFC 8785): the text that is hashed
    insertion_text   JavaScript's own order: keys that look like array indexes first, ascending,
                     then the rest as they were inserted: the text of the match log

Strings escape only the quote, the backslash, characters below U+0020 and unpaired surrogates.
Numbers are the ECMAScript text of a double. The canonical writer refuses NaN and the infinities,
the other writes `null`.

**The fast path.** msgspec writes most values with the same bytes, 10 to 20 times faster. Its text
is taken on two conditions. JavaScript would have written every byte the same: there is no integral
float, exponent or integer beyond 2^53, and no key that may be an index. A decoder that accepts only
the commonest values shows that at no cost; for other values `_differs` looks at the bytes. And
reading the text back gives a value equal to the original, so nothing was coerced. `insertion_copy`
returns that value with the text, so the match runner can give an agent exactly what the log says.
"""

import json
import math
import re
from collections.abc import Callable
from typing import Annotated, Any, TypeAlias

import msgspec

from thorp.kernel.errors import ROOT, InvalidError, LimitError, item, member
from thorp.kernel.numbers import SAFE_INTEGER, as_double, number_text
from thorp.kernel.strict_json import nests_deeper

# A JSON value. `Any`, because a recursive alias would put a cast before every use.
Json: TypeAlias = Any

# Deepest nesting written. It leaves two thirds of Python's default stack to the caller.
DEPTH_LIMIT = 300
# The largest array index of JavaScript; the key one above it is an ordinary one.
INDEX_LIMIT = 2**32 - 2

_encode_inserted = msgspec.json.Encoder().encode
_encode_sorted = msgspec.json.Encoder(order="deterministic").encode
_decode = msgspec.json.Decoder().decode

# The type of the commonest values: no floats, and at most six levels of lists and objects.
_PLAIN_LEVELS = 6
_Integer = Annotated[int, msgspec.Meta(ge=-SAFE_INTEGER, le=SAFE_INTEGER)]
_Plain: Any = None | bool | str | _Integer
for _ in range(_PLAIN_LEVELS):
    _Plain = None | bool | str | _Integer | list[_Plain] | dict[str, _Plain]
_decode_plain = msgspec.json.Decoder(_Plain).decode
_NOT_FAST = (TypeError, ValueError, RecursionError, OverflowError, msgspec.MsgspecError)

_DIGITS_TO_ZERO = bytes.maketrans(b"123456789", b"000000000")
_COMMA = ord(",")  # searching bytes for a number is several times faster than for bytes
_UNSAFE_RUN = b"0" * 16
_UNSAFE_INTEGER = re.compile(rb"(?<![0-9.])[0-9]{16}")
_INDEX_KEY = re.compile(rb'"(?:0|[1-9][0-9]{0,9})":')
_INDEX_TEXT = re.compile(r"(?:0|[1-9][0-9]{0,9})\Z", re.ASCII)
_ASTRAL = re.compile(rb"[\xf0-\xf4]")
_LONE = re.compile("[\ud800-\udfff]")

_CONSTANTS = {None: "null", True: "true", False: "false"}


def canonical_text(value: object) -> str:
    """The one text of a JSON value that is hashed. Refuses what is not JSON, naming its path."""
    return canonical_bytes(value).decode("utf-8")


def canonical_bytes(value: object) -> bytes:
    """`canonical_text` as UTF-8."""
    try:
        text = _encode_sorted(value)
        # By UTF-16 unit an astral character sorts before U+E000; by code point it sorts after.
        if (text.isascii() or not _ASTRAL.search(text)) and _read_back(text) == value:
            return text
    except _NOT_FAST:
        pass  # the exact writer says whether the value is wrong or only unusual
    return _canonical.write(value).encode("utf-8")


def insertion_text(value: object) -> str:
    """The text that JavaScript's JSON writer gives for a value. Refuses what is not JSON, naming
    its path."""
    return insertion_copy(value)[0].decode("utf-8")


def insertion_bytes(value: object) -> bytes:
    """`insertion_text` as UTF-8."""
    return insertion_copy(value)[0]


def insertion_copy(value: object) -> tuple[bytes, Json]:
    """The insertion-order text of a value, and a copy that was read back from the text: it shares
    nothing with the value, and cannot change with it."""
    try:
        text = _encode_inserted(value)
        # Without a comma no object has two keys, so there is no order to get wrong. Otherwise no
        # string may begin with a digit, since it could be a key that JavaScript puts first.
        if _COMMA not in text or text.translate(_DIGITS_TO_ZERO).find(b'"0') < 0:
            copy = _decode_plain(text)
            if copy == value:
                return text, copy
    except _NOT_FAST:
        pass
    return _copy_unusual(value)


def is_plain(value: object) -> bool:
    """Whether `plain_bytes` writes this value correctly, and reading its text gives an equal value.

    That holds for text, whole numbers up to 2^53, booleans and null, in at most six levels of lists
    and dicts, if no text and no key starts with a digit.
    """
    try:
        text = _encode_inserted(value)
        return _decode_plain(text) == value and text.translate(_DIGITS_TO_ZERO).find(b'"0') < 0
    except _NOT_FAST:
        return False


plain_bytes = _encode_inserted  # `insertion_bytes` for a value that is plain, which is not checked.


def read_text(text: bytes) -> Json:
    """The value of a text that one of these writers wrote, with numbers as JavaScript would hold
    them."""
    if b"\\ud" not in text and _UNSAFE_RUN not in text.translate(_DIGITS_TO_ZERO):
        return _decode(text)
    return json.loads(text, parse_int=_read_integer)


def is_index_key(key: str) -> bool:
    """Whether JavaScript lists this object key among the array indexes."""
    return _INDEX_TEXT.match(key) is not None and int(key) <= INDEX_LIMIT


def _read_integer(text: str) -> float:
    value = int(text)
    return value if -SAFE_INTEGER <= value <= SAFE_INTEGER else as_double(value)


def _copy_unusual(value: object) -> tuple[bytes, Json]:
    """`insertion_copy` for a value that is not of the commonest kind: by a closer look at msgspec's
    text, or else by the exact writer."""
    try:
        text = _encode_inserted(value)
        has_index_key = (
            b'"0' in text.translate(_DIGITS_TO_ZERO) and _INDEX_KEY.search(text) is not None
        )
        if not _differs(text) and not has_index_key:
            copy = _decode(text)
            if copy == value:
                return text, copy
    except _NOT_FAST:
        pass  # the exact writer says whether the value is wrong or only unusual
    exact = _inserted.write(value).encode("utf-8")
    return exact, read_text(exact)


def _read_back(text: bytes) -> Json:
    """The value of a text, if the exact writer would write every byte of it the same, key order
    aside; else an error."""
    try:
        return _decode_plain(text)
    except msgspec.ValidationError:
        if _differs(text):
            raise
        return _decode(text)


def _differs(text: bytes) -> bool:
    """Whether the exact writer might write this text differently, key order aside. It may say yes
    when that is not so, but never no when it is."""
    # Without an escape, every second piece between quotes is a string. Left are numbers and
    # brackets.
    bare = text if b"\\" in text else b'"'.join(text.split(b'"')[::2])
    zeroed = bare.translate(_DIGITS_TO_ZERO)
    if b"0e" in zeroed:
        return True
    if b".0" in bare and (
        b".0," in bare or b".0}" in bare or b".0]" in bare or bare.endswith(b".0")
    ):
        return True
    if _UNSAFE_RUN in zeroed and _UNSAFE_INTEGER.search(bare):
        return True
    return nests_deeper(text, DEPTH_LIMIT)


def _javascript_order(members: dict[str, object]) -> list[str]:
    """The keys of an object in the order in which JavaScript lists them."""
    indexes = sorted((key for key in members if is_index_key(key)), key=int)
    return indexes + [key for key in members if not is_index_key(key)] if indexes else list(members)


def _refuse_non_finite(value: float, path: str) -> str:
    raise InvalidError(
        f"{value} is not a JSON number; send a finite one", code="non_finite", path=path
    )


class _ExactWriter:
    """Writes every JSON value, slowly and exactly. It also decides what is refused, and why."""

    def __init__(
        self,
        order: Callable[[dict[str, object]], list[str]],
        non_finite: Callable[[float, str], str],
    ) -> None:
        self._order = order
        self._non_finite = non_finite

    def write(self, value: object, path: str = ROOT, depth: int = 0) -> str:
        """The text of a value at a path of the whole."""
        if isinstance(value, str):
            return _string_text(value)
        if value is None or value is True or value is False:
            return _CONSTANTS[value]
        if isinstance(value, (int, float)):
            double = as_double(value)
            return number_text(value) if math.isfinite(double) else self._non_finite(double, path)
        if depth == DEPTH_LIMIT:
            raise LimitError(f"nested deeper than {DEPTH_LIMIT} levels, or a cycle", code="depth")
        # Loops, not comprehensions: one stack frame a level is what lets DEPTH_LIMIT be reached.
        texts = []
        if isinstance(value, (list, tuple)):
            for index, content in enumerate(value):
                texts.append(self.write(content, item(path, index), depth + 1))
            return f"[{','.join(texts)}]"
        if isinstance(value, dict):
            members = _members(value, path)
            for key in self._order(members):
                texts.append(
                    f"{_string_text(key)}:{self.write(members[key], member(path, key), depth + 1)}"
                )
            return f"{{{','.join(texts)}}}"
        raise InvalidError(
            f"a {type(value).__name__} is not a JSON value", code="not_json", path=path
        )


def _members(value: dict[object, object], path: str) -> dict[str, object]:
    """The members of an object, with keys as JavaScript would hold them."""
    members: dict[str, object] = {}
    for key, content in value.items():
        if not isinstance(key, str):
            raise InvalidError(f"key {key!r} is not a string", code="key_type", path=path)
        joined = _join_surrogates(key)
        if joined in members:
            raise InvalidError(
                "two spellings of one key", code="duplicate_key", path=member(path, key)
            )
        members[joined] = content
    return members


_canonical = _ExactWriter(
    lambda members: sorted(members, key=lambda key: key.encode("utf-16-be", "surrogatepass")),
    _refuse_non_finite,
)
_inserted = _ExactWriter(_javascript_order, lambda _value, _path: "null")


def _string_text(value: str) -> str:
    try:
        return _encode_inserted(str.__str__(value)).decode("utf-8")
    except UnicodeEncodeError:
        joined = _join_surrogates(value)
        return _LONE.sub(
            lambda lone: f"\\u{ord(lone[0]):04x}", json.dumps(joined, ensure_ascii=False)
        )


def _join_surrogates(value: str) -> str:
    """The string that JavaScript would hold: two surrogates that make a pair are one character."""
    if not _LONE.search(value):
        return str.__str__(value)
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
