"""Content ids, derived seeds and the hash chain."""

from __future__ import annotations

import hashlib

from hypothesis import given
from hypothesis import strategies as st

from thorp.kernel.chain import GENESIS, link
from thorp.kernel.identity import content_id, seed_from


def test_an_id_follows_from_content_not_from_spelling() -> None:
    assert content_id("p_", {"b": 1.0, "a": 2}) == content_id("p_", {"a": 2, "b": 1})
    assert content_id("p_", [1]) == "p_" + hashlib.sha256(b"[1]").hexdigest()
    assert content_id("p_", [1]) != content_id("p_", [2])


def test_seeds_from_names_are_fixed() -> None:
    assert seed_from(42, "r1") == int.from_bytes(hashlib.sha256(b'[42,"r1"]').digest()[:4], "big")
    assert seed_from(4, "2r1") != seed_from(42, "r1")


RECORDS = st.lists(st.binary(max_size=8), min_size=1, max_size=6)


def tip_of(records: list[bytes]) -> bytes:
    last = GENESIS
    for record in records:
        last = link(last, record)
    return last


@given(RECORDS, st.data())
def test_no_record_can_be_changed_dropped_or_added(
    records: list[bytes], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(records) - 1))
    before, record, after = records[:at], records[at], records[at + 1 :]
    for other in ([record + b"!"], [], [record, b"more"]):
        assert tip_of([*before, *other, *after]) != tip_of(records)
