"""The report: self-contained, harmless whatever ids hold, and the same bytes every time. How it
looks in a browser: tests/server/test_matches.py."""

from __future__ import annotations

import base64
import json
import re
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.arena.tournament.small import outcome, small_plan
from thorp.arena.contract import Seat
from thorp.arena.tournament import Outcome
from thorp.arena.tournament.report import MAX_CROSS_ENTRANTS, MAX_LISTED_MATCHES, FinishedTournament
from thorp.kernel.text import make_label

HOSTILE = [
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "a&b",
    "</style></title>",
    "\x1b[2J\u202e",
]
PAGE = re.compile(
    rb"<!doctype html>\n<html lang=\"en\">\n<head>[^<>]*(?:<meta "
    rb"[^<>]*>\n)+<title>[^<>]*</title>\n</head>\n"
    rb'<body>\n<div id="page"></div>\n<script type="application/json" '
    rb'id="report">([^<]*)</script>\n'
    rb"<script>(.*)</script>\n</body>\n</html>\n\Z",
    re.DOTALL,
)


def report(ids: list[str], outcomes: list[Outcome], **changes: Any) -> bytes:
    plan = small_plan(entrants=tuple(Seat(id, "random") for id in ids), **changes)
    return FinishedTournament(plan, outcomes).report()


def held(page: bytes) -> dict[str, Any]:
    """What the page holds for its script. Refuses a page with any other markup."""
    found = PAGE.match(page)
    assert found is not None
    assert b"</script" not in found[2]
    document: dict[str, Any] = json.loads(found[1])
    return document


def game(key: str, *scores: tuple[str, float | None], **changes: Any) -> Outcome:
    return outcome(key, *scores, **{"valid": (3,) * len(scores), **changes})


def test_nothing_is_fetched_and_only_its_own_script_runs() -> None:
    page = report(["ann", "bo"], [game("r01-m0001-ann-vs-bo", ("ann", 1), ("bo", 0))])
    found = PAGE.match(page)
    assert found is not None
    policy = b"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%b'; "
    assert policy % base64.b64encode(sha256(found[2]).digest()) in page


@pytest.mark.parametrize("id", HOSTILE)
def test_a_hostile_id_is_only_text(id: str) -> None:
    page = report([id, "bo"], [game("r01-m0001-x", (id, 1), ("bo", 0), invalid=(1, 0))])
    assert [row["id"] for row in held(page)["standings"]] == [id, "bo"]
    assert b"\x1b" not in page


@given(st.lists(st.text(min_size=1, max_size=100), min_size=2, max_size=4, unique=True), st.data())
def test_any_ids_and_scores_make_a_sound_page(ids: list[str], data: st.DataObject) -> None:
    """Also unpaired surrogates, which a plan refuses but a report must survive."""
    scores = st.none() | st.integers(-5, 5) | st.floats(-1e12, 1e12)
    games = [
        game(f"r01-m000{n}-x", *((id, data.draw(scores)) for id in data.draw(st.permutations(ids))))
        for n in range(3)
    ]
    page = report(ids, games)
    assert len(held(page)["given"]) == 7 + len(ids)
    assert page == report(ids, games)


def test_unsafe_characters_are_replaced_and_long_labels_cut() -> None:
    assert make_label("a\ud800b\x00\x9b") == "a\ufffdb\ufffd\ufffd"
    assert make_label("x" * 60) == "x" * 47 + "…"


def test_long_tournaments_are_cut_and_say_so() -> None:
    ids = [f"agent-{n:03}" for n in range(MAX_CROSS_ENTRANTS + 1)]
    games = [game(f"r{n}", (ids[0], 1), (ids[1], 0)) for n in range(MAX_LISTED_MATCHES + 1)]
    document = held(report(ids, games))
    assert document["cross"] is None
    assert len(document["outcomes"]) == document["played"] == MAX_LISTED_MATCHES
    assert document["total"] == MAX_LISTED_MATCHES + 1
