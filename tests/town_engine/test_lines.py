"""Documents from outside: what is read, what is refused, and how a refusal looks in a batch."""

from __future__ import annotations

import json

import pytest

from thorp.kernel.errors import InvalidError, LimitError, ThorpError
from thorp.town import validate_handoff
from thorp.town.embedded.lines import DEPTH_LIMIT, LINE_BYTES_LIMIT, error_document, read_document

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
    "too long": (b'"' + b"x" * LINE_BYTES_LIMIT + b'"', "too_long"),
    "too deep": (b"[" * 65 + b"]" * 65, "depth"),
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
    [None, 1.5, "[[[[" * 100, {"a": '\\"[{', "b": [1, {"c": "🐈"}]}, json.loads("[" * 64 + "]" * 64)],
)
def test_read(value: object) -> None:
    for data in (json.dumps(value).encode(), json.dumps(value, ensure_ascii=False).encode()):
        assert read_document(data) == value
    assert DEPTH_LIMIT == 64


def test_the_longest_line_is_read() -> None:
    text = "x" * (LINE_BYTES_LIMIT - 2)
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
    }
