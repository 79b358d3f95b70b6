"""The report: well-formed, self-contained, harmless whatever ids hold, and the same bytes every time."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.arena.tournament.small import outcome, small_plan
from thorp.arena.task import Seat
from thorp.arena.tournament import Outcome
from thorp.arena.tournament.report import (
    MAX_CROSS_ENTRANTS,
    MAX_LISTED_MATCHES,
    FinishedTournament,
    make_report,
)
from thorp.arena.tournament.standings import Tally, make_standings
from thorp.kernel.text import make_label

VOID = {"meta", "br", "line", "circle"}
TABLE = {"table", "thead", "tbody", "tr", "th", "td"}
TEXT = {"h1", "h2", "p", "span", "b", "strong", "code", "a", "dl", "dt", "dd"}
FRAME = {"html", "head", "meta", "title", "style", "body", "main", "header", "section", "div", "footer"}
ALLOWED = {*FRAME, *TEXT, *TABLE, "details", "summary", "svg", "line", "circle"}
HOSTILE = [
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "a&b",
    "</style></title>",
    "\x1b[2J\u202e",
]


class Page(HTMLParser):
    """Reads a page strictly: every element closed in order, nothing that is not expected."""

    def __init__(self, page: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.text: list[str] = []
        self.links: list[str] = []
        self.feed(page.decode("utf-8"))
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED, tag
        for name, value in attributes:
            assert not name.startswith("on")
            assert name != "src"
            if name == "href":
                self.links.append(value or "")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        assert tag in VOID

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text.append(data)


def report(ids: list[str], outcomes: list[Outcome], **changes: Any) -> bytes:
    plan = small_plan(entrants=tuple(Seat(id, "random") for id in ids), **changes)
    return FinishedTournament(plan, outcomes).report()


def game(key: str, *scores: tuple[str, float | None], **changes: Any) -> Outcome:
    return outcome(key, *scores, **{"valid": (3,) * len(scores), **changes})


def test_what_a_person_finds_in_it() -> None:
    games = [
        game("r01-m0001-ann-vs-bo", ("ann", 5), ("bo", 2), invalid=(0, 3), errors=(0, 2)),
        game("r01-m0002-ann-vs-cy", ("ann", 1), ("cy", 1)),
        game("r01-m0003-bo-vs-cy", ("bo", None), ("cy", None)),
    ]
    page = Page(report(["ann", "bo", "cy"], games, parameters={"maximum": 50}))
    text = " ".join(" ".join(page.text).split())
    assert "number-guess tournament 3 agents · 2 rounds · 3 matches · seed 42" in text
    for part in ("Standings", "Cross table", "Aborted matches: 1", "What was played", "Matches"):
        assert part in text
    assert "33.3 % 18.2 %" in text  # of what bo did was invalid, and failed
    assert "with maximum 50" in text
    assert "error: ValueError" in text
    assert page.links == [f"logs/{one.key}.jsonl" for one in games]


def test_nothing_is_fetched_and_nothing_runs() -> None:
    page = report(["ann", "bo"], [game("r01-m0001-ann-vs-bo", ("ann", 1), ("bo", 0))])
    assert b"<script" not in page
    assert b"default-src 'none'" in page
    assert not re.search(rb"https?:|//|url\(|@import", page)


@pytest.mark.parametrize("id", HOSTILE)
def test_a_hostile_id_is_only_text(id: str) -> None:
    page = report([id, "bo"], [game("r01-m0001-x", (id, 1), ("bo", 0), invalid=(1, 0))])
    assert make_label(id) in "\n".join(Page(page).text)
    assert b"<script" not in page
    assert b"\x1b" not in page


@given(st.lists(st.text(min_size=1, max_size=100), min_size=2, max_size=4, unique=True), st.data())
def test_any_ids_and_scores_make_a_well_formed_page(ids: list[str], data: st.DataObject) -> None:
    """Also unpaired surrogates, which a plan refuses but a report must survive."""
    scores = st.none() | st.integers(-5, 5) | st.floats(-1e12, 1e12)
    games = [
        game(f"r01-m000{n}-x", *((id, data.draw(scores)) for id in data.draw(st.permutations(ids))))
        for n in range(3)
    ]
    tally = Tally(ids, games)
    plan = small_plan()
    page = make_report(plan, make_standings(tally, 1), tally, games)
    Page(page)
    assert page == make_report(plan, make_standings(tally, 1), tally, games)


def test_unsafe_characters_are_replaced_and_long_labels_cut() -> None:
    assert make_label("a\ud800b\x00\x9b") == "a\ufffdb\ufffd\ufffd"
    assert make_label("x" * 60) == "x" * 47 + "…"


def test_long_tournaments_are_cut_and_say_so() -> None:
    ids = [f"agent-{n:03}" for n in range(MAX_CROSS_ENTRANTS + 1)]
    games = [game(f"r{n}", (ids[0], 1), (ids[1], 0)) for n in range(MAX_LISTED_MATCHES + 1)]
    text = " ".join(Page(report(ids, games)).text)
    assert f"Left out, with {MAX_CROSS_ENTRANTS + 1} columns" in text
    assert f"The first {MAX_LISTED_MATCHES} of {MAX_LISTED_MATCHES + 1}" in text


def test_without_logs_nothing_is_linked() -> None:
    games = [game("r01-m0001-ann-vs-bo", ("ann", 1), ("bo", 0))]
    assert Page(report(["ann", "bo"], games, logs=False)).links == []


def test_bars_share_one_scale() -> None:
    games = [game(f"r{n:02}", ("ann", 1), ("bo", 0)) for n in range(20)]
    page = report(["ann", "bo"], games).decode()
    dots = [float(x) for x in re.findall(r'<circle class="dot" cx="([0-9.]+)"', page)]
    assert len(dots) == 2
    assert dots[0] > dots[1]
    assert all(6 <= dot <= 144 for dot in dots)
