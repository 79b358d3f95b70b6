"""Content ids, derived seeds and the hash chain."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.kernel.chain import GENESIS, first_break, head, link
from thorp.kernel.identity import content_id, digest, is_content_id, seed_from


def test_an_id_follows_from_content_not_from_spelling() -> None:
    assert content_id("p_", {"b": 1.0, "a": 2}) == content_id("p_", {"a": 2, "b": 1})
    assert content_id("p_", [1]) == "p_" + hashlib.sha256(b"[1]").hexdigest()
    assert content_id("p_", [1]) != content_id("p_", [2])


@pytest.mark.parametrize("text", ["p_", "p_" + "A" * 64, "p_" + "a" * 63, "p_" + "a" * 65, "q_" + "a" * 64])
def test_malformed_ids(text: str) -> None:
    assert is_content_id("p_", "p_" + digest(b""))
    assert not is_content_id("p_", text)


def test_seeds_from_names_are_fixed() -> None:
    assert seed_from(42, "r1") == int.from_bytes(hashlib.sha256(b'[42,"r1"]').digest()[:4], "big")
    assert seed_from(4, "2r1") != seed_from(42, "r1")


RECORDS = st.lists(st.binary(max_size=8), min_size=1, max_size=6)


@given(RECORDS)
def test_chain_accepts_what_was_linked(records: list[bytes]) -> None:
    links, last = [], GENESIS
    for record in records:
        last = link(last, record)
        links.append(last)
    assert head(records) == last
    assert first_break(records, links) is None


@given(RECORDS, st.data())
def test_chain_names_the_first_changed_record(records: list[bytes], data: st.DataObject) -> None:
    links = [head(records[: index + 1]) for index in range(len(records))]
    at = data.draw(st.integers(0, len(records) - 1))
    changed = [*records[:at], records[at] + b"!", *records[at + 1 :]]
    assert first_break(changed, links) == at


def test_chain_of_another_length_is_not_compared() -> None:
    with pytest.raises(ValueError):
        first_break([b"a"], [])
