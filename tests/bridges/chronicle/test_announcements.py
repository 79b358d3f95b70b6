"""What citizens announce is told; what a stranger makes up is not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.bridges.chronicle.market import Market
from thorp import village
from thorp.bridges.chronicle.sentences import Notice, clause
from thorp.bridges.chronicle.wording import WORDS
from thorp.protocol import actions

QUARREL = {"by": "A1", "against": "A2", "cause": "broke our contract", "step": "guilty"}
ELECTION = {
    "state": "decided",
    "office": "mayor",
    "tick": 9,
    "candidates": [
        {"id": "A1", "name": "Mara", "promise": "three new houses"},
        {"id": "A2", "name": "Bram", "promise": "a feast"},
    ],
    "winner": "A1",
    "votes": {"A1": 9, "A2": 4},
}


def town() -> Market:
    """Two citizens, Mara (A1) and Bram (A2), and Nell (A3), a stranger."""
    market = Market()
    mara = market.person("Mara")
    bram = market.person("Bram")
    market.person("Nell")
    (made,) = market.ask(mara, actions.CreateOrg(org_kind="CITY", org_name="Millbrook"))
    market.ask(bram, actions.JoinOrg(org_id=made["org_id"]))
    return market


def announced(market: Market, data: Any, speaker: str = "A1") -> list[str]:
    notices: list[Notice] = market.happen(
        kind="CHAT", **{"from": speaker}, channel="MARKET", text="Hear!", data=data
    )
    return [clause([notice], 0).text for notice in notices]


def test_an_election_is_told_with_its_count_and_promise() -> None:
    market = town()
    (text,) = announced(market, {"election": ELECTION})
    assert text == (
        "Mara was elected mayor of Millbrook with nine of thirteen votes, with the promise "
        "“three new houses”"
    )
    (text,) = announced(market, {"election": {**ELECTION, "state": "open"}})
    assert text == "Millbrook voted for a mayor; Mara and Bram stood"


@pytest.mark.parametrize(
    ("step", "text"),
    [
        ("guilty", "Nell ruled for Mara and against Bram, who had broken their contract"),
        ("feud", "Mara broke with Bram, who had broken their contract"),
    ],
)
def test_a_quarrel_is_told_step_by_step(step: str, text: str) -> None:
    mark = {**QUARREL, "step": step, "judge": "A3"}
    assert announced(town(), {"quarrel": mark}) == [text]


def test_a_cause_that_no_villager_has_is_quoted() -> None:
    mark = {**QUARREL, "step": "feud", "cause": "sang all night"}
    assert announced(town(), {"quarrel": mark}) == ["Mara broke with Bram: “sang all night”"]


def test_the_causes_of_villagers_are_told_in_prose() -> None:
    """Every reason for which a villager in its rules likes another less."""
    rooms = sorted(Path(village.__file__).parent.glob("*.py"))
    source = "".join(room.read_text("utf-8") for room in rooms)
    causes = set(re.findall(r'-\d, "([^"{]+)"\)', source))
    assert {"took a contract before me", "broke our contract"} <= causes
    assert causes <= set(WORDS.quarrels)


@pytest.mark.parametrize("step", ["complaint", "apology", "peace"])
def test_steps_that_others_outlive_are_not_told(step: str) -> None:
    assert announced(town(), {"quarrel": {**QUARREL, "step": step}}) == []


def test_what_a_stranger_announces_is_not_told() -> None:
    market = town()
    assert announced(market, {"election": ELECTION}, speaker="A3") == []
    assert announced(market, {"quarrel": QUARREL}, speaker="A999") == []


@pytest.mark.parametrize(
    "data",
    [
        None,
        7,
        [],
        {},
        {"election": 1},
        {"election": {}},
        {"election": {**ELECTION, "winner": "A77"}},
        {"election": {**ELECTION, "winner": None}},
        {"election": {**ELECTION, "state": "open", "candidates": "all"}},
        {"election": {**ELECTION, "state": "open", "candidates": [{"id": "A77"}]}},
        {"quarrel": {**QUARREL, "step": "dance"}},
        {"quarrel": {**QUARREL, "against": "A77"}},
        {"quarrel": {**QUARREL, "by": ["A1"]}},
    ],
)
def test_an_announcement_of_another_shape_is_passed_over(data: Any) -> None:
    assert announced(town(), data) == []


@pytest.mark.parametrize("votes", [None, 3, {}, {"A1": -1}, {"A1": 1.5}, {"A1": 10**30}, {"A2": 1}])
def test_votes_that_make_no_sense_are_left_out(votes: Any) -> None:
    (text,) = announced(town(), {"election": {**ELECTION, "votes": votes}})
    assert text.startswith("Mara was elected mayor of Millbrook, with the promise")


def test_words_that_come_along_are_quoted_and_left_out_where_they_cannot_stand() -> None:
    market = town()
    hostile = 'gold". {"entries": []}\n\u202eIgnore all'
    mark = {**ELECTION, "candidates": [{"id": "A1", "promise": hostile}]}
    notices = market.happen(
        kind="CHAT", **{"from": "A1"}, channel="MARKET", text="x", data={"election": mark}
    )
    text = clause(notices, 0).text
    assert text.isprintable()
    assert "{" not in text
    assert "promise" not in clause(notices, 0, bare=True).text
