"""Tasks among residents: what they do of themselves, and what changes their minds."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tasks.sources import suite
from thorp.kernel.errors import InvalidError
from thorp.tasks import Episode
from thorp.tasks.residents import CITY_ID, Neighbour, ResidentParams, SocietyParams
from thorp.tasks.world_engine import ME, WorldEngine


def opened(row: str) -> tuple[Episode, WorldEngine]:
    episode = suite().open(row)
    assert isinstance(episode.engine, WorldEngine)
    return episode, episode.engine


def test_a_city_stands_before_the_first_turn() -> None:
    _, engine = opened("society-opposition-3000")
    (city,) = engine.world.orgs
    assert (city.id, city.name, city.open) == (CITY_ID, "Thorpham", True)
    assert sorted(city.members) == ["A2", "A3", "A4"]
    (land,) = engine.world.claims
    assert (land.id, land.owner) == (engine.words["city_land"], CITY_ID)
    assert engine.ticks == 0


def test_nobody_joins_a_closed_city_uninvited() -> None:
    episode, engine = opened("society-gate-3000")
    episode.act({"action": "join_org", "org_id": CITY_ID})
    episode.act({"action": "wait", "ticks": 20})
    assert engine.body.org != CITY_ID
    assert episode.score == 0


def test_a_law_fails_against_the_votes_of_those_who_were_not_won() -> None:
    episode, engine = opened("society-opposition-3000")
    episode.act({"action": "join_org", "org_id": CITY_ID})
    land = engine.words["city_land"]
    law = {"land_id": land, "template_id": "MARKET_TAX", "market_tax": 0.1}
    episode.act({"action": "propose_law", **law})
    while not episode.is_over and next(iter(engine.world.laws)).status != "VOTING":
        episode.act({"action": "wait", "ticks": 20})
    episode.act({"action": "vote", "law_id": "LAW000001", "choice": "YES"})
    while next(iter(engine.world.laws)).status == "VOTING":
        episode.act({"action": "wait", "ticks": 20})
    assert next(iter(engine.world.laws)).status == "REJECTED"
    assert episode.score == 0


def test_a_law_that_says_something_else_does_not_count() -> None:
    episode, engine = opened("society-law-3000")
    episode.act({"action": "join_org", "org_id": CITY_ID})
    land = engine.words["city_land"]
    law = {"land_id": land, "template_id": "MARKET_TAX", "market_tax": 0.05}
    episode.act({"action": "propose_law", **law})
    while not episode.is_over:
        episode.act({"action": "wait", "ticks": 20})
        if next(iter(engine.world.laws)).status == "ACTIVE":
            break
    assert next(iter(engine.world.laws)).status == "ACTIVE"
    assert episode.score == 0.25, "membership alone"


def resident(**params: Any) -> Neighbour:
    person = ResidentParams(**params)
    other = ResidentParams()
    return Neighbour(person, SocietyParams(residents=(other, person)), "A3", (0, 20, 0))


def law(status: str) -> dict[str, Any]:
    return {"type": "LAW", "law_id": "LAW000001", "status": status}


def votes(someone: Neighbour, *events: dict[str, Any]) -> list[Any]:
    instants = someone.decide(list(events))["instants"]
    return [instant["choice"] for instant in instants if instant["type"] == "VOTE"]


def test_a_gift_changes_a_vote_that_was_cast_already() -> None:
    someone = resident(votes="NO", won_by={"BREAD": 2})
    assert votes(someone, law("NOTICE")) == []
    assert votes(someone, law("VOTING")) == ["NO"]
    assert votes(someone) == [], "it votes once"
    offer = {"type": "TRADE_OFFER", "trade_id": "TR1", "from": ME}
    trade = {**offer, "offer": [["BREAD", 2]], "request": [["DIRT", 1]]}
    assert votes(someone, trade) == [], "an offer is no gift"
    assert votes(someone, {"type": "TRADE_DONE", "trade_id": "TR1", "with": ME}) == ["YES"]
    assert votes(someone, law("ACTIVE")) == []


def test_a_declined_offer_wins_nobody() -> None:
    someone = resident(votes="NO", won_by={"BREAD": 2})
    offer = {"type": "TRADE_OFFER", "trade_id": "TR1", "from": ME}
    someone.decide([{**offer, "offer": [["BREAD", 2]], "request": [["DIRT", 9]]}])
    assert votes(someone, law("VOTING")) == ["NO"]


def test_residents_accept_what_they_are_invited_to() -> None:
    someone = resident()
    invited = {"type": "ORG_INVITE", "org_id": "ORG000007", "from": ME}
    land = {"type": "LAND_OFFER", "land_id": "LAND_A1_001", "from": ME}
    types = [instant["type"] for instant in someone.decide([invited, land])["instants"]]
    assert types == ["JOIN_ORG", "ACCEPT_LAND"]


def test_a_copy_of_a_society_goes_on_alike() -> None:
    episode, _ = opened("society-neighbours-3000")
    x, y, z = episode.engine.anchors["site"]
    episode.act({"action": "claim_land", "x": x, "y": y, "z": z, "radius": 6})
    copy = episode.clone()
    for run in (episode, copy):
        run.act({"action": "add_member", "land_id": "LAND_A1_001", "member_id": "A2"})
        run.act({"action": "wait", "ticks": 10})
    assert copy.digest() == episode.digest()
    assert copy.score == episode.score == 0.625


def test_parameters_that_cannot_be_read_are_refused() -> None:
    with pytest.raises(InvalidError) as refused:
        WorldEngine({"society": {"residents": []}}, 1)
    assert refused.value.code == "params"
