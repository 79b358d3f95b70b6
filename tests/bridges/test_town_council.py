"""The town council: a town governed in a match, by its own rules, scored and verifiable."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.arena.stubs import Answering, always
from thorp.arena import Agent, MatchConfig, MatchResult, run_match
from thorp.arena.contract import MatchTask, Seat
from thorp.arena.registry import agent_kinds, make_agent, scenario_names
from thorp.arena.service import play, save_match, sidecar_path, verify_file
from thorp.arena.testing import AgentSuite, ScenarioSuite, check_hash_seeds
from thorp.bridges.council_bots import IdleGovernor, RandomGovernor, RankedGovernor, SimpleGovernor
from thorp.bridges.town_council import OFFICES, TownCouncil
from thorp.kernel.errors import InvalidError
from thorp.store import RealDisk

TALK = {"type": "TOWNSFOLK_TALK", "args": {"talkType": "morale-boost"}}


class TestScenario(ScenarioSuite):
    def make_scenario(self) -> TownCouncil:
        return TownCouncil(days=5)


class TestRankedGovernor(AgentSuite):
    def make_agent(self, id: str) -> Agent:
        return RankedGovernor(id)

    def make_scenario(self) -> TownCouncil:
        return TownCouncil(days=5)


def govern(*makers: Callable[[str], Agent], days: int = 60, seed: int = 5) -> MatchResult:
    seats = [make(f"seat-{number}") for number, make in enumerate(makers)]
    result = run_match(TownCouncil(days), seats, MatchConfig(seed, days + 1))
    assert (result.error, result.reason, result.turns) == (None, "completed", days)
    return result


def verdicts(result: MatchResult) -> list[dict[str, Any]]:
    return [event for event in result.events if event["type"] == "ActionAdjudicated"]


@pytest.mark.parametrize("seed", range(5))
def test_a_council_that_thinks_beats_one_that_rests(seed: int) -> None:
    thinking = govern(RankedGovernor, RankedGovernor, RankedGovernor, seed=seed)
    resting = govern(IdleGovernor, IdleGovernor, IdleGovernor, seed=seed)
    assert thinking.scores["seat-0"] > resting.scores["seat-0"]
    assert len(set(thinking.scores.values())) == 1


@pytest.mark.parametrize("bot", [RankedGovernor, SimpleGovernor, RandomGovernor, IdleGovernor])
def test_every_bot_governs_for_a_season(bot: Callable[[str], Agent]) -> None:
    executed = [verdict["valid"] for verdict in verdicts(govern(bot, bot, bot))]
    assert sum(executed) > len(executed) / 4


def test_seats_are_offices_and_see_what_the_one_before_did() -> None:
    result = govern(RankedGovernor, IdleGovernor, IdleGovernor, days=1)
    seen = [
        event["observation"] for event in result.events if event["type"] == "ObservationEmitted"
    ]
    assert [view["role"] for view in seen] == list(OFFICES)
    assert seen[0]["snapshot"]["mission"] is None
    assert seen[1]["snapshot"]["mission"] is not None


REFUSED = [
    None,
    "talk",
    {},
    {"type": "TOWNSFOLK_TALK"},
    {**TALK, "priority": 1},
    {"type": "PROJECT_ADVANCE", "args": {"projectId": "wall-1"}},
    {"type": "TOWNSFOLK_TALK", "args": {"talkType": "shouting"}},
    {"type": "TOWNSFOLK_TALK", "args": {"talkType": 7}},
    {"type": "TOWNSFOLK_TALK", "args": {"focus": "dread"}},
    {"type": "MAYOR_ACCEPT_MISSION", "args": {"missionId": "nowhere"}},
    {"type": ["TOWNSFOLK_TALK"], "args": {}},
]


@pytest.mark.parametrize("action", REFUSED, ids=repr)
def test_what_the_mayor_may_not_do_changes_nothing(action: Any) -> None:
    result = run_match(TownCouncil(2), [always("mayor", action)], MatchConfig(5, 1))
    idle = run_match(TownCouncil(2), [Answering("mayor", lambda *_: 1 / 0)], MatchConfig(5, 1))
    (verdict,) = verdicts(result)
    assert verdict["valid"] is False
    assert verdict["feedback"]["detail"]
    pressures = [
        [event["summary"]["pressure"] for event in match.events if event["type"] == "StateUpdated"]
        for match in (result, idle)
    ]
    assert pressures[0] == pressures[1]


def test_the_town_judges_by_its_own_rules() -> None:
    """A second mission while one is under way is a well-formed proposal that the world rejects."""

    def greedy(observation: Any, _ctx: Any) -> Any:
        quests = observation["snapshot"]["sideQuests"]
        return {"type": "MAYOR_ACCEPT_MISSION", "args": {"missionId": quests[0]["id"]}}

    result = run_match(TownCouncil(2), [Answering("mayor", greedy)], MatchConfig(5, 2))
    first, second = verdicts(result)
    assert first["feedback"]["reasonCode"] == "EXECUTED"
    assert second["feedback"] == {
        "status": "rejected",
        "reasonCode": "PRECONDITION_FAILED",
        "failures": ["Mission is already active"],
    }


def test_too_many_governors_are_refused() -> None:
    result = run_match(TownCouncil(), [always(str(n), TALK) for n in range(4)], MatchConfig(1, 1))
    assert result.reason == "error"
    with pytest.raises(InvalidError):
        TownCouncil(days=0)


def test_it_is_found_by_name_and_verifies(tmp_path: Path) -> None:
    assert "town-council" in scenario_names()
    assert agent_kinds("town-council") == ["idle", "random", "ranked", "simple"]
    assert make_agent("town-council", "ranked", "a").id == "a"
    seats = tuple(Seat(f"{kind}-1", kind) for kind in ("ranked", "random", "simple"))
    task = MatchTask("town-council", seats, seed=7, max_turns=20, parameters={"days": 10})
    path = tmp_path / "council.jsonl"
    save_match(RealDisk(), path, task, play(task), None, replace=False)
    assert verify_file(path).difference is None
    path.write_bytes(path.read_bytes().replace(b'"population":4', b'"population":5', 1))
    assert verify_file(path).difference is not None
    assert sidecar_path(path, "manifest.json").exists()


def test_bytes_do_not_depend_on_the_hash_seed() -> None:
    bots = [
        "thorp.bridges.council_bots:RankedGovernor",
        "thorp.bridges.council_bots:RandomGovernor",
    ]
    check_hash_seeds(
        "thorp.bridges.town_council:TownCouncil", bots, parameters={"days": 8}, matches=1
    )
