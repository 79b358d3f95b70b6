"""Tasks about a town: three acts a day, and predicates that idling does not fulfil."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tasks.sources import proofs, suite
from thorp.kernel.errors import InvalidError
from thorp.tasks import Episode
from thorp.tasks.policies import WAIT, idle
from thorp.tasks.town_engine import ACTS_A_DAY, TownEngine

TALK = {"type": "TOWNSFOLK_TALK", "args": {"talkType": "morale-boost"}}


def opened(row: str) -> tuple[Episode, TownEngine]:
    episode = suite().open(row)
    assert isinstance(episode.engine, TownEngine)
    return episode, episode.engine


def test_a_day_has_three_acts_or_ends_earlier() -> None:
    episode, engine = opened("govern-hope-3000")
    for _ in range(ACTS_A_DAY):
        assert engine.ticks == 0
        episode.act(TALK)
    assert engine.ticks == 1
    episode.act({"action": "end_day"})
    assert engine.ticks == 2
    assert engine.observe()["acts_left_today"] == ACTS_A_DAY


def test_what_was_reached_before_the_last_day_does_not_count() -> None:
    episode, engine = opened("govern-hope-3000")
    for _ in range(8 * ACTS_A_DAY):
        episode.act(TALK)
    assert engine.town.meters.hope > 740
    assert episode.score == 0
    for _ in range(2 * ACTS_A_DAY):
        episode.act(TALK)
    assert (episode.score, episode.is_over) == (1, True)


@pytest.mark.parametrize(
    "action",
    [
        {"type": "PROJECT_ADVANCE", "args": {"projectId": "moon-1"}},
        {"type": "PROJECT_ADVANCE", "args": {}},
        {"type": "MAYOR_ACCEPT_MISSION", "args": {"missionId": 7}},
        {"type": "WIN", "args": {}},
        {"type": ["TOWNSFOLK_TALK"], "args": {}},
        {"action": "win"},
        {"type": "\ud800", "args": {}},
        {"action": "\ud800"},
        "talk",
        None,
        3,
    ],
)
def test_what_the_town_does_not_execute_is_refused_and_costs_an_act(action: Any) -> None:
    episode, engine = opened("govern-works-3000")
    before = engine.town
    verdict = episode.act(action)
    assert not verdict.valid
    assert verdict.problem
    assert "\n" not in verdict.problem
    assert engine.town == before
    assert engine.observe()["acts_left_today"] == ACTS_A_DAY - 1
    assert "refused" in engine.observe()["text"]


def test_three_refused_acts_lose_what_forbids_them() -> None:
    episode, _ = opened("govern-works-3000")
    for _ in range(3):
        assert not episode.is_over
        episode.act({"type": "PROJECT_ADVANCE", "args": {"projectId": "moon-1"}})
    assert (episode.is_lost, episode.score) == (True, 0)


def test_everything_that_is_possible_is_executed() -> None:
    _, engine = opened("govern-calm-3000")
    for action in engine.possible:
        copy = engine.clone()
        copy.submit(action)
        copy.advance("")


def test_a_copy_of_a_town_goes_on_alike_and_apart() -> None:
    episode, _ = opened("govern-calm-3000")
    acts = proofs()["govern-calm-3000"].solution.acts
    for act in acts[:7]:
        episode.act(act)
    copy = episode.clone()
    idle(copy)
    for act in acts[7:]:
        episode.act(act)
    assert episode.digest() == proofs()["govern-calm-3000"].solution.digest
    assert copy.score == 0


def test_a_neglected_town_is_worse_off() -> None:
    worse = 0
    for row in suite().select("govern-neglected", split="test"):
        neglected = suite().open(row.id).engine
        young = suite().open(row.id.replace("neglected", "calm")).engine
        assert isinstance(neglected, TownEngine)
        assert isinstance(young, TownEngine)
        worse += neglected.town.meters.threat > young.town.meters.threat
        assert neglected.ticks == 0
    assert worse == 4


def test_waiting_passes_the_days() -> None:
    episode, engine = opened("govern-wall-3000")
    while not episode.is_over:
        episode.act(WAIT)
    assert engine.ticks == episode.task.max_ticks
    assert episode.score == 0


def test_parameters_that_cannot_be_read_are_refused() -> None:
    with pytest.raises(InvalidError) as refused:
        TownEngine({"days_before": -1}, 1)
    assert refused.value.code == "params"
