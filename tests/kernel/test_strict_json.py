"""JSON from outside: what the one strict reader reads, what it refuses, and how a refusal looks."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.kernel.errors import InvalidError, LimitError, ThorpError, error_document
from thorp.kernel.strict_json import (
    DOCUMENT_BYTES_LIMIT,
    DOCUMENT_DEPTH_LIMIT,
    StrictJson,
    is_storable,
    nests_deeper,
    read_document,
)
from thorp.town import validate_handoff

REFUSED = {
    "nothing": (b"", "not_json"),
    "two values": (b"{} {}", "not_json"),
    "not UTF-8": (b'"\xff"', "not_json"),
    "NaN": (b"[NaN]", "not_json"),
    "infinity": (b"-Infinity", "not_json"),
    "a trailing comma": (b"[1,]", "not_json"),
    "a control character": (b'"\n"', "not_json"),
    "a number of many digits": (b"1" * 5000, "not_json"),
    "one key twice": (b'{"a":1,"b":{"c":1,"c":2}}', "duplicate_key"),
    "one key twice, spelled differently": (b'{"a":1,"\\u0061":2}', "duplicate_key"),
    "too long": (b'"' + b"x" * DOCUMENT_BYTES_LIMIT + b'"', "too_long"),
    "too deep": (b"[" * 65 + b"]" * 65, "depth"),
    "closed more often than opened": (b"]" * 100, "not_json"),
    "much too deep": (b"[" * 100_000, "depth"),
    "much too deep objects": (b'{"a":' * 100_000, "depth"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case: str) -> None:
    data, code = REFUSED[case]
    with pytest.raises((InvalidError, LimitError)) as refusal:
        read_document(data)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    "value",
    [
        None,
        1.5,
        "[[[[" * 100,
        {"a": '\\"[{', "b": [1, {"c": "🐈"}]},
        json.loads("[" * 64 + "]" * 64),
    ],
)
def test_read(value: object) -> None:
    for data in (json.dumps(value).encode(), json.dumps(value, ensure_ascii=False).encode()):
        assert read_document(data) == value
    assert DOCUMENT_DEPTH_LIMIT == 64


NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.just(2**64)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(),
    lambda inside: st.lists(inside) | st.dictionaries(st.text(), inside),
    max_leaves=12,
)
RAW_NUMBERS = (
    "-0",
    "-0.0",
    "1e5",
    "1E5",
    "0.10",
    "1e400",
    "18446744073709551616",
    "9007199254740993.0",
)


@given(
    JSON, st.sampled_from([(",", ":"), (", ", ": ")]), st.booleans(), st.sampled_from(RAW_NUMBERS)
)
def test_a_compact_text_is_read_as_any_other(
    value: object, between: tuple[str, str], ascii_: bool, number: str
) -> None:
    text = json.dumps([value], separators=between, ensure_ascii=ascii_)
    text = text[:-1] + f",{number}]"
    try:
        data = text.encode()
    except UnicodeEncodeError:
        data = text.encode("utf-8", "surrogatepass")
        with pytest.raises(InvalidError):
            read_document(data)
        return
    assert repr(read_document(data)) == repr(json.loads(text))


def test_the_longest_line_is_read() -> None:
    text = "x" * (DOCUMENT_BYTES_LIMIT - 2)
    assert read_document(b'"' + text.encode() + b'"') == text


def test_an_error_in_its_place() -> None:
    with pytest.raises(ThorpError) as refusal:
        validate_handoff({"schemaVersion": 1})
    document = error_document(refusal.value)["error"]
    assert (document["code"], document["path"]) == ("enum", "$.schemaVersion")
    assert len(document["violations"]) > 5
    assert set(document["violations"][0]) == {"code", "path", "message"}
    assert error_document(InvalidError("no", code="x"))["error"] == {
        "code": "x",
        "path": "$",
        "violations": [{"code": "x", "path": "$", "message": "no"}],
        "kind": "invalid",
    }


def test_depth_counts_brackets_outside_strings_only() -> None:
    text = b'{"a":[1,{"b":"]]]\\"[[["}]}'
    assert nests_deeper(text, 2)
    assert not nests_deeper(text, 3)
    assert not nests_deeper(b"1", 0)
    assert nests_deeper(b"[" * 5 + b'"[[[', 4)


def test_a_hostile_text_costs_one_pass() -> None:
    """Escaped quotes that never close a string: each of them might begin one that goes to the
    end."""
    assert not nests_deeper(b'\\"' * (DOCUMENT_BYTES_LIMIT // 2), 0)
    with pytest.raises(InvalidError):
        read_document(b"[]" * 100 + b'\\"' * (DOCUMENT_BYTES_LIMIT // 2 - 100))
    text = b'{"a":' + b'"\\' * 100_000
    with pytest.raises(InvalidError):
        read_document(text)


def test_what_a_door_may_choose() -> None:
    doubles = StrictJson(bytes_limit=100, depth_limit=3, ecmascript=True)
    assert doubles.read(b"12345678901234567890") == float("12345678901234567890")
    assert type(doubles.read(b"123456789012345")) is int
    lenient = StrictJson(bytes_limit=100, depth_limit=3, unique_keys=False)
    assert lenient.read(b'{"a":1,"a":2}') == {"a": 2}
    assert lenient.read_at('say {"a":1} twice', 4) == ({"a": 1}, 11)
    assert read_document("[1]") == [1]


@pytest.mark.parametrize(
    ("data", "path"),
    [(b'"\\u0000"', "$"), (b'{"a":["\\ud83d"]}', "$.a[0]"), (b'{"b":{"\\udc00":1}}', "$.b")],
)
def test_text_that_no_store_can_keep(data: bytes, path: str) -> None:
    assert read_document(data) is not None
    with pytest.raises(InvalidError) as refusal:
        StrictJson(bytes_limit=100, depth_limit=3, storable=True).read(data)
    assert (refusal.value.code, refusal.value.path) == ("text", path)
    assert is_storable("🐈 ok\n")
