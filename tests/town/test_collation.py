"""The order of ids: the rules for ASCII, some truths about other scripts, and the two ways
agreeing."""

from __future__ import annotations

import random
import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.town.collation import ascii_ranks, ascii_sort_key, code_units, collated, root
from thorp.town.collation.decomposition import combining_class, decompose

RISING_ASCII = [
    *"\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789",
    *(
        letter
        for pair in zip("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", strict=True)
        for letter in pair
    ),
]
IGNORED_ASCII = [chr(code) for code in (*range(0x09), *range(0x0E, 0x20), 0x7F)]


def test_ascii_characters_in_order() -> None:
    shuffled = random.Random(1).sample(RISING_ASCII, len(RISING_ASCII))
    assert collated(shuffled, shuffled) == RISING_ASCII
    assert sorted(shuffled, key=root.sort_key) == RISING_ASCII
    assert len(RISING_ASCII) + len(IGNORED_ASCII) == 128


@pytest.mark.parametrize("ignored", IGNORED_ASCII)
def test_ignored_ascii(ignored: str) -> None:
    assert ascii_sort_key(f"a{ignored}b") == ascii_sort_key("ab")
    assert root.sort_key(f"a{ignored}b") == root.sort_key("ab")


@given(st.lists(st.text(st.characters(max_codepoint=127), max_size=6), unique=True, max_size=12))
def test_ascii_rules_and_the_table_agree(texts: list[str]) -> None:
    by_table = sorted(texts, key=lambda text: (root.sort_key(text), code_units(text)))
    assert collated(texts, texts) == by_table


@given(
    *[st.lists(st.text(st.characters(max_codepoint=127), max_size=6), unique=True, max_size=6)] * 2
)
def test_ranks_of_two_lists_made_together_order_each_as_its_own_do(
    one: list[str], other: list[str]
) -> None:
    together = ascii_ranks(one + other)
    if together is not None:
        assert collated(one, one, ranks=together[: len(one)]) == collated(one, one)
        assert collated(other, other, ranks=together[len(one) :]) == collated(other, other)
    else:
        assert not one + other or any("\0" in text for text in one + other)


@given(
    st.lists(
        st.text(st.characters(codec=None, exclude_categories=()), max_size=5),
        unique=True,
        max_size=8,
    )
)
def test_the_order_never_depends_on_the_order_that_came_in(texts: list[str]) -> None:
    assert collated(texts, texts) == collated(texts[::-1], texts[::-1])


def test_equal_ids_are_refused() -> None:
    for texts in (["a", "a"], ["é", "b", "é"], ["\0", "\0"]):
        with pytest.raises(ValueError, match="two equal ids"):
            collated(texts, texts)
    assert collated([], []) == []
    assert collated(["one"], [""]) == ["one"]


RISING = [
    ["sq-10", "sq-2", "sq-2a", "SQ-2b"],
    ["cote", "coté", "côte", "côté"],
    ["résumé", "Résumé", "résumés"],
    ["-", "\U0001f600", "1", "ä", "z", "α", "я", "א", "ا", "क", "ก", "가", "あ", "一"],
    ["は", "ハ", "ば", "ぱ", "はは"],
    ["一", "丁", "丂", "七", "\U00020000", "㐀"],
    ["가", "각", "갂", "나"],
    ["ก", "กา", "เก", "แก", "ขา"],
    ["l", "L", "l·", "la", "m"],
    ["ss", "SS", "ß", "st"],
]


@pytest.mark.parametrize("texts", RISING, ids=lambda texts: texts[0])
def test_some_truths(texts: list[str]) -> None:
    shuffled = random.Random(2).sample(texts, len(texts))
    assert collated(shuffled, shuffled) == texts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("é", "e\u0301"),
        ("가", "\u1100\u1161"),
        ("1", "\u0661"),
        ("ab", "a\u00adb"),
        ("\u212b", "Å"),
        ("\uf900", "\u8c48"),
    ],
)
def test_what_collates_as_equal(one: str, other: str) -> None:
    assert root.sort_key(one) == root.sort_key(other)
    assert collated([one, other], [one, other]) == sorted([one, other], key=code_units)


def test_marks_are_taken_in_canonical_order() -> None:
    assert (
        root.sort_key("a\u0323\u0307")
        == root.sort_key("a\u0307\u0323")
        == root.sort_key("\u1ea1\u0307")
    )
    assert root.sort_key("a\u0301\u0300") != root.sort_key("a\u0300\u0301")


def test_a_contraction_may_be_completed_past_other_marks() -> None:
    """U+0438 and U+0306 are one letter, with a mark of another class between them or without."""
    assert root.sort_key("и\u0323\u0306") == root.sort_key("й\u0323")
    assert root.sort_key("и\u0301\u0306")[0] == root.sort_key("и")[0]


def test_decomposition_knows_what_is_newer_than_this_python() -> None:
    assert decompose("\U000105c9") == ["\U000105d2", "\u0307"]
    assert decompose("a\u1acf\u0323") == ["a", "\u0323", "\u1acf"]
    assert decompose("a\u1add\u0307b\u0323") == ["a", "\u1add", "\u0307", "b", "\u0323"]
    assert combining_class("\u1aeb") == 234
    assert all(
        unicodedata.combining(mark) in (0, combining_class(mark)) for mark in "\u1acf\u1add\u1aeb"
    )


def test_the_table_is_not_loaded_for_ascii() -> None:
    probe = """
from thorp.town import snapshot_hash
from thorp.town.collation.root import load
snapshot = {"schemaVersion": "snapshot.v1", "day": 0, "townId": "町", "mission": None, "sideQuests": [],
    "pressure": {"threat": 0, "scarcity": 0, "hope": 0, "dread": 0}, "latestNetherEvent": None,
    "projects": [{"id": id, "name": "é", "progress": 0, "status": "active"} for id in ("b", "a", "B")]}
snapshot_hash(snapshot)
assert not load.cache_info().currsize
snapshot["projects"][0]["id"] = "é"
snapshot_hash(snapshot)
assert load.cache_info().currsize
"""
    subprocess.run([sys.executable, "-c", probe], check=True, timeout=60)
