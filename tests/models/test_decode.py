"""JSON from strangers: strict where programs talk, tolerant where models do, and never another
error."""

from __future__ import annotations

import contextlib
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.models.decode import SEARCH_LIMIT, DecodeError, decode_json, find_object

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(), VALUES, max_size=4)


@given(VALUES)
def test_decodes_what_json_writes(value: object) -> None:
    assert decode_json(json.dumps(value).encode()) == value


@given(st.binary(max_size=200))
def test_any_bytes_give_a_value_or_a_decode_error(data: bytes) -> None:
    with contextlib.suppress(DecodeError):
        decode_json(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b'{"a":1} 2',
        b"NaN",
        b"-Infinity",
        b"\xff",
        b'"\x01"',
        b"\xef\xbb\xbf1",
        b"{'a':1}",
        b"01",
    ],
)
def test_refuses(data: bytes) -> None:
    with pytest.raises(DecodeError):
        decode_json(data)


def test_too_deep_is_its_own_code() -> None:
    with pytest.raises(DecodeError) as caught:
        decode_json(b"[" * 100_000)
    assert caught.value.code == "depth"


def test_numbers_are_doubles_beyond_what_a_double_counts() -> None:
    assert decode_json(b"9" * 5000) == float("inf")
    assert decode_json(b"12345678901234567890") == float("12345678901234567890")
    assert type(decode_json(b"123456789012345")) is int


@given(st.text(max_size=300))
def test_any_text_gives_an_object_or_a_decode_error(text: str) -> None:
    with contextlib.suppress(DecodeError):
        assert isinstance(find_object(text), dict)


@given(OBJECTS)
def test_finds_an_object_however_it_is_wrapped(value: dict[str, object]) -> None:
    text = json.dumps(value)
    assert find_object(text) == value
    assert find_object(f"  {text}\n") == value
    assert find_object(f"Sure!\n```json\n{text}\n```\nGood luck.") == value
    assert find_object(f"```\n{text}\n```") == value
    assert find_object(f"I choose {text}. Bye }}") == value
    assert find_object(f"<think>{{'no'}} or {{}}</think>{text}") == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a":"}{"} {"b":2}', {"a": "}{"}),
        ('see {x: {"guess": 5}}', {"guess": 5}),
        ('```python\nprint(1)\n```\n```json\n{"a":1}\n```', {"a": 1}),
        ('[1,2] {"a":1}', {"a": 1}),
        ('maybe {"a":0}\n</think>\n\n{"a":1}', {"a": 1}),
    ],
)
def test_the_first_one_that_parses(text: str, expected: object) -> None:
    assert find_object(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no",
        "[1]",
        "7",
        '"{"',
        "{",
        '{"a":NaN}',
        "{'a': 1}",
        "<think>{}</think>",
        "{}\n</think>\n",
    ],
)
def test_finds_nothing(text: str) -> None:
    with pytest.raises(DecodeError):
        find_object(text)


def test_the_search_is_bounded() -> None:
    with pytest.raises(DecodeError):
        find_object(" " * SEARCH_LIMIT + '{"a":1}')
    started = time.monotonic()
    for hostile in (
        '{"a":' * SEARCH_LIMIT,
        '{"' + "x" * SEARCH_LIMIT,
        "```\n" * SEARCH_LIMIT,
        "{" * SEARCH_LIMIT,
    ):
        with pytest.raises(DecodeError):
            find_object(hostile)
    assert time.monotonic() - started < 20
