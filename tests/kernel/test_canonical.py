"""Both writers: what they write, what they refuse and where, and that the fast path never shows."""

from __future__ import annotations

import enum
import json
import math
import uuid
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
import rfc8785
from hypothesis import example, given, settings
from hypothesis import strategies as st

from thorp.kernel import canonical
from thorp.kernel.canonical import (
    DEPTH_LIMIT,
    canonical_bytes,
    canonical_text,
    insertion_bytes,
    insertion_copy,
    insertion_text,
    is_index_key,
)
from thorp.kernel.errors import InvalidError, LimitError, ThorpError

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.sampled_from(
        ["", "0", "10", "x1.0,", "3e5", '"', "\\", "\x00\x1f\x7f", "\u2028", "\ue000", "😀"]
    )
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=25
)


@given(VALUES)
@example({"\ue000": 1, "😀": 2})
@example([1.0, -0.0, 1e16, 1e21, 1e-7, 0.1])
@example(-1.5e30)
@example(["a0e1", 0.25, "x:1e5,2e6"])
@settings(max_examples=400)
def test_canonical_text_equals_the_rfc8785_oracle(value: Any) -> None:
    assert canonical_bytes(value) == rfc8785.dumps(value)


@given(VALUES)
@settings(max_examples=400)
def test_the_fast_path_never_shows(value: Any) -> None:
    assert canonical_text(value) == canonical._canonical.write(value)
    assert insertion_text(value) == canonical._inserted.write(value)


@given(VALUES)
@settings(max_examples=200)
def test_frozen_copy_is_equal_and_shares_nothing(value: Any) -> None:
    text, copy = insertion_copy(value)
    assert copy == value
    assert insertion_bytes(copy) == text
    if isinstance(value, (dict, list)):
        assert copy is not value


def test_index_like_keys_come_first_in_numeric_order() -> None:
    value = {
        "z": 0,
        "10": 1,
        "01": 2,
        "2": 3,
        "-1": 4,
        "": 5,
        "4294967294": 6,
        "4294967295": 7,
        "1.5": 8,
    }
    keys = list(json.loads(insertion_text(value)))
    assert keys == ["2", "10", "4294967294", "z", "01", "-1", "", "4294967295", "1.5"]
    assert list(insertion_copy(value)[1]) == keys


@pytest.mark.parametrize("key", ["٣", "1\n", "00", "1e3", " 1", "+1"])
def test_other_spellings_are_no_index(key: str) -> None:
    assert not is_index_key(key)


def test_strings_escape_only_what_javascript_escapes() -> None:
    raw = '"\\\b\t\n\f\r\x00\x1f\x7f/é\u2028😀\ud800x'
    escaped = '"\\"\\\\\\b\\t\\n\\f\\r\\u0000\\u001f\x7f/é\u2028😀\\ud800x"'
    assert canonical_text(raw) == insertion_text(raw) == escaped


def test_surrogates_that_make_a_pair_are_one_character() -> None:
    assert canonical_text("\ud83d\ude00") == '"😀"'
    with pytest.raises(InvalidError) as refusal:
        canonical_text([{"\ud83d\ude00": 1, "😀": 2}])
    assert refusal.value.code == "duplicate_key"


def test_a_lone_surrogate_reads_back() -> None:
    assert insertion_copy({"a\udc00": ["\ud83d"]}) == (
        b'{"a\\udc00":["\\ud83d"]}',
        {"a\udc00": ["\ud83d"]},
    )


def test_numbers_that_have_no_text() -> None:
    assert insertion_text([math.nan, math.inf, -math.inf, 10**400]) == "[null,null,null,null]"
    for number in (math.nan, math.inf, 10**400):
        with pytest.raises(InvalidError) as refusal:
            canonical_text({"a": [0, number]})
        assert (refusal.value.code, refusal.value.path) == ("non_finite", "$.a[1]")


def test_integers_beyond_doubles_are_rounded_and_read_back_rounded() -> None:
    text, copy = insertion_copy([2**53 + 1, 2**60])
    assert text == b"[9007199254740992,1152921504606847000]"
    assert copy == [2**53, float(2**60)]


def test_tuples_are_lists() -> None:
    assert canonical_text((1, (2.0,))) == "[1,[2]]"
    assert insertion_copy((1, 2)) == (b"[1,2]", [1, 2])


def test_subclasses_write_as_what_they_are() -> None:
    class Colour(enum.StrEnum):
        RED = "red"

    class Level(enum.IntEnum):
        LOW = 1

    assert canonical_text([Colour.RED, Level.LOW]) == '["red",1]'


class Plain(enum.Enum):
    A = 1


NOT_JSON = [
    {1, 2},
    b"bytes",
    bytearray(b"x"),
    Decimal(1),
    datetime(2026, 1, 1, tzinfo=UTC),
    uuid.UUID(int=5),
    Plain.A,
    object(),
    len,
    1j,
]


@pytest.mark.parametrize("value", NOT_JSON, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("write", [canonical_bytes, insertion_bytes])
def test_what_is_not_json_is_refused_with_its_path(write: Any, value: object) -> None:
    for document, path in ((value, "$"), ({"a b": [0, value]}, '$["a b"][1]')):
        with pytest.raises(InvalidError) as refusal:
            write(document)
        assert (refusal.value.code, refusal.value.path) == ("not_json", path)


@pytest.mark.parametrize("key", [1, None, True, 1.5, b"k", ("a",)])
@pytest.mark.parametrize("write", [canonical_bytes, insertion_bytes])
def test_keys_that_are_not_strings_are_refused(write: Any, key: object) -> None:
    with pytest.raises(InvalidError) as refusal:
        write({"in": {key: 1}})
    assert (refusal.value.code, refusal.value.path) == ("key_type", "$.in")


@pytest.mark.parametrize("leaf", [1, 1.0], ids=["fast", "exact"])
@pytest.mark.parametrize("write", [canonical_bytes, insertion_bytes])
def test_depth_has_one_limit_on_both_paths(write: Any, leaf: float) -> None:
    value: Any = leaf
    for _ in range(DEPTH_LIMIT):
        value = [value]
    assert write(value) == b"[" * DEPTH_LIMIT + b"1" + b"]" * DEPTH_LIMIT
    with pytest.raises(LimitError):
        write([value])


def test_a_cycle_is_refused() -> None:
    cycle: dict[str, Any] = {}
    cycle["me"] = cycle
    with pytest.raises(ThorpError):
        insertion_text(cycle)


def test_many_containers_are_not_depth() -> None:
    assert canonical_text([{}] * 5000).count("{}") == 5000
