"""The chronicle of the demo village: what must be in it, how it reads, and that it is always the
same."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.bridges.chronicle.test_publisher import Chronicled
from tests.bridges.chronicle.village_life import pages_of_the_village
from thorp import village
from thorp.bridges.chronicle.publisher import Page

TWO_DAYS = 12_000
MUST_BE_TOLD = (
    r"Odile founded the city of Thorp|the city of Thorp was founded",
    r"Marten founded the guild Reed and Rush|Marten called a guild into being",
    r"Odile (claimed land|set up a totem)",
    r"to Thorp\b",
    r"(proposed|asked Thorp for) the law “A tenth",
    r"(came into force for Thorp|Thorp adopted the law)",
    r"[Vv]oting on .* began for Thorp|Thorp began to vote",
    r"ordered the town to (take|go|gather|cheer|talk)|Thorp set out to|council of Thorp (met|sat)",
    r"cottage|brick house|well",
    r"stone wall",
    r"[Tt]he floor of a workshop",
    r"[Aa] market week began",
    r"[Tt]he market week was over",
    r"traded|dealt|trades|trade",
    r"for Odile\b|Odile had ordered|Odile paid|with Odile|Odile got",
    r"joined (Thorp|Reed and Rush)|(Thorp|Reed and Rush) (grew by|took)",
)

REPOSITORY = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def pages() -> list[Page]:
    return pages_of_the_village(TWO_DAYS)


@pytest.fixture(scope="module")
def chronicled(pages: list[Page], tmp_path_factory: pytest.TempPathFactory) -> Chronicled:  # type: ignore[misc]
    with Chronicled(tmp_path_factory.mktemp("village")) as chronicled:
        for page in pages:
            chronicled.telling.tell(page)
        yield chronicled


def test_there_is_one_page_for_each_quarter_of_a_day(pages: list[Page]) -> None:
    assert [page.ticks for page in pages] == [
        (1, 1499), *((first, first + 1499) for first in range(1500, TWO_DAYS, 1500)),
    ]  # fmt: skip


def test_the_operator_reads_what_must_be_in_it(chronicled: Chronicled) -> None:
    text = " ".join(chronicled.texts())
    assert [what for what in MUST_BE_TOLD if not re.search(what, text)] == []


def test_everybody_reads_of_land_laws_and_governors_and_of_nothing_else(
    chronicled: Chronicled,
) -> None:
    public = chronicled.texts(None)
    assert len(public) >= 3
    text = " ".join(public)
    assert re.search("claimed", text)
    assert re.search("law", text)
    for private in ("hut", "trades were", "market week", "founded", "joined"):
        assert private not in text


def test_villagers_read_what_they_saw(chronicled: Chronicled) -> None:
    """The smith saw the plaza and never the guild's first morning; who mined saw next to
    nothing."""
    names = dict(zip(village.ROSTER, (f"A{number}" for number in range(1, 99)), strict=False))
    seen = {name: " ".join(chronicled.texts(one)) for name, one in names.items()}
    assert re.search("guild into being|founded the guild", seen["Marten"])
    assert not re.search("guild into being|founded the guild", seen["Bram"])
    assert "the city of Thorp" in seen["Odile"]
    assert len({*seen.values()}) > 10, "nearly everybody has a story of their own"


def test_it_reads_as_a_chronicle(chronicled: Chronicled) -> None:
    texts = chronicled.texts()
    assert 15 <= len(texts) <= 60
    days = re.compile(r"the (first|second) day")
    for text in texts:
        assert len(days.findall(text)) == 1, text
        assert text.endswith(".")
        assert text.isprintable()
        assert not re.search(
            r"\b(A\d+|ORG\d+|LAND_|[A-Z]+_[A-Z]+)\b|[{}\[\]_@]|\d{4}|  | [.,;:]", text
        ), text
        for sentence in text.rstrip(".").split(". "):
            assert sentence[0].isupper(), sentence
    first_words = Counter(" ".join(text.split()[:3]) for text in texts)
    assert first_words.most_common(1)[0][1] <= len(texts) // 3, "they do not all begin alike"
    assert Counter(texts).most_common(1)[0][1] == 1


def test_the_ledger_took_all_of_it(chronicled: Chronicled, pages: list[Page]) -> None:
    outcomes = chronicled.outcomes()
    assert len(outcomes) == len(pages)
    assert {*outcomes} <= {"ACCEPTED", "NO_WRITE"}
    assert outcomes.count("ACCEPTED") >= 6
    assert chronicled.ledger.verify().difference is None


def told_in_a_process(hash_seed: str, ticks: int, day_ticks: int) -> bytes:
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.bridges.chronicle.publisher_child",
            str(ticks),
            str(day_ticks),
        ],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        check=True,
        timeout=300,
    )
    return done.stdout


@pytest.mark.parametrize(
    ("ticks", "day_ticks"), [(240, 240), pytest.param(TWO_DAYS, 6_000, marks=pytest.mark.long)]
)
def test_the_same_seed_gives_the_same_text_in_every_process(ticks: int, day_ticks: int) -> None:
    first, second = (told_in_a_process(seed, ticks, day_ticks) for seed in ("1", "4711"))
    assert first == second
    assert b"the city of Thorp" in first
