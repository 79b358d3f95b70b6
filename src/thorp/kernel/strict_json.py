"""The one strict reader of JSON that comes from outside: requests, files, models, agents.

    read_document(b'{"a": [1, 2]}')                         one document of the usual bounds
    StrictJson(bytes_limit=100, depth_limit=5).read(b"[]")   a caller with bounds of its own

It refuses, each with a code:

    too_long        more bytes than the caller takes
    depth           lists and objects nested deeper than the caller takes
    not_json        not UTF-8, not JSON, NaN or an infinity, more digits than Python converts
    duplicate_key   one key twice in one object, which two readers could read in two ways
    text            with `storable`: U+0000 or half a surrogate pair, which no store can keep

A caller whose contract has other names for these translates the code; it does not judge again.
"""

import json
import re
from itertools import accumulate
from typing import Any, Final, NoReturn

import msgspec

from thorp.kernel.errors import ROOT, InvalidError, LimitError, item, member
from thorp.kernel.numbers import whole

# Possessive quantifiers do not backtrack, and an unfinished string extends to the end of the text:
# a hostile text costs one pass.
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)
_NOT_BRACKETS: Final = bytes(byte for byte in range(256) if byte not in b"[]{}")
_TO_SQUARE: Final = bytes.maketrans(b"{}", b"[]")
_STEP: Final = {ord("["): 1, ord("]"): -1}
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_EXACT_DIGITS: Final = 15

DOCUMENT_BYTES_LIMIT: Final = 1 << 20  # Bytes of one document: a request body, a line of a batch.
DOCUMENT_DEPTH_LIMIT: Final = 64  # Levels of one document; no contract has more than a dozen.


class StrictJson:
    """A reader with the limits of one border. `storable` refuses text that no store can keep;
    `ecmascript` reads numbers as JavaScript holds them, as doubles."""

    def __init__(
        self,
        *,
        bytes_limit: int,
        depth_limit: int,
        storable: bool = False,
        ecmascript: bool = False,
        unique_keys: bool = True,
    ) -> None:
        self.bytes_limit = bytes_limit
        self.depth_limit = depth_limit
        self._storable = storable
        self._exact = unique_keys and not ecmascript
        self._decoder = json.JSONDecoder(
            object_pairs_hook=_unique if unique_keys else None,
            parse_int=_read_double if ecmascript else None,
            parse_constant=_refuse_constant,
        )

    def read(self, data: bytes | str) -> Any:
        """The value of one JSON text, given as UTF-8 or as characters. Refuses with InvalidError or
        LimitError."""
        encoded = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        if len(encoded) > self.bytes_limit:
            raise LimitError(f"longer than {self.bytes_limit} bytes", code="too_long")
        if nests_deeper(encoded, self.depth_limit):
            raise LimitError(f"nested deeper than {self.depth_limit} levels", code="depth")
        value = _read_compact(encoded) if self._exact else None
        try:
            if value is None:
                value = self._decoder.decode(
                    data if isinstance(data, str) else data.decode("utf-8")
                )
        except (ValueError, RecursionError) as error:
            raise InvalidError(f"not JSON: {error}", code="not_json") from None
        if self._storable:
            refuse_unstorable(value)
        return value

    def read_at(self, text: str, start: int) -> tuple[Any, int]:
        """The value that begins at a position of a text, and the position where it ends, or an
        InvalidError. The caller has limited the text."""
        try:
            return self._decoder.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            raise InvalidError(f"not JSON: {error}", code="not_json") from None


def _read_compact(text: bytes) -> Any:
    """The value of a text, if msgspec would write the value as exactly this text; else None. That
    shows in one fast comparison that no key is there twice and every number is exact."""
    if b'": ' in text:
        return None  # with spaces, as Python's own writer puts them, so the comparison would fail
    try:
        value = msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return None
    return value if msgspec.json.encode(value) == text else None


def nests_deeper(text: bytes, levels: int) -> bool:
    """Whether lists and objects of a JSON text nest deeper than `levels`."""
    if text.count(b"[") + text.count(b"{") <= levels:
        return False
    brackets = _STRING.sub(b"", text).translate(_TO_SQUARE, _NOT_BRACKETS)
    rest = brackets
    for _ in range(levels):
        if not rest:
            return False
        rest = rest.replace(b"[]", b"")  # removes the innermost level
    # What is left is too deep, or not balanced and so not JSON.
    return rest != b"" and max(accumulate(map(_STEP.__getitem__, brackets))) > levels


def is_storable(text: str) -> bool:
    """Whether every store can keep a text: no U+0000 and no half of a surrogate pair."""
    return "\0" not in text if text.isascii() else _UNSTORABLE.search(text) is None


def refuse_unstorable(value: Any, path: str = ROOT) -> None:
    """Refuse a value that holds a text which no store can keep."""
    if isinstance(value, str):
        if not is_storable(value):
            raise InvalidError(
                "a text holds U+0000 or half a surrogate pair", code="text", path=path
            )
    elif isinstance(value, dict):
        for key, content in value.items():
            refuse_unstorable(key, path)
            refuse_unstorable(content, member(path, key))
    elif isinstance(value, list):
        for index, content in enumerate(value):
            refuse_unstorable(content, item(path, index))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The members of an object. Refuses one that has a key twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise InvalidError(
                    f"the key {key!r} stands twice in one object", code="duplicate_key"
                )
            seen.add(key)
    return members


def _read_double(text: str) -> float:
    # Python refuses to convert very long strings of digits, and a double holds only 15 of them.
    return int(text) if len(text) <= _EXACT_DIGITS else whole(float(text))


def _refuse_constant(name: str) -> NoReturn:
    raise InvalidError(f"{name} is not a JSON number", code="not_json")


read_document = StrictJson(bytes_limit=DOCUMENT_BYTES_LIMIT, depth_limit=DOCUMENT_DEPTH_LIMIT).read
"""The value of one document of the usual size, with exact numbers."""
