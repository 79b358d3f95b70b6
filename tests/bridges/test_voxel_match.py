"""Matches in the voxel world: scored by achievements, verified like any match, alone and in the
village."""

from functools import partial
from io import BytesIO
from typing import Any

import pytest

from thorp.arena import AgentContext, MatchConfig, run_match
from thorp.arena.contract import SimpleAgent
from thorp.arena.events import LogReader, parse_start
from thorp.arena.registry import make_scenario, scenario_parameters
from thorp.arena.testing import check_agent, check_scenario
from thorp.arena.verify import config_from_log, find_difference
from thorp.bridges.voxel_bots import IdleSurvivor, RandomSurvivor, ScriptedSurvivor
from thorp.bridges.voxel_match import CHOICES, VoxelMatch, VoxelSurvival
from thorp.kernel.canonical import Json
from thorp.kernel.errors import IllegalError, InvalidError
from thorp.language.text import MAX_BYTES
from thorp.village.match import VillageWorld, VoxelVillage

SHORT = partial(VoxelSurvival, ticks=60)


class Answering(SimpleAgent):
    """Gives these answers, one a turn, and keeps what it saw."""

    def __init__(self, id: str, *answers: Json) -> None:
        super().__init__(id)
        self._answers = list(answers)
        self.seen: list[Any] = []

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        self.seen.append(observation)
        return self._answers.pop(0) if self._answers else None


def test_both_scenarios_and_their_bots_keep_the_contract() -> None:
    check_scenario(SHORT, agents=[RandomSurvivor], ends_within=20, matches=2)
    check_agent(ScriptedSurvivor, scenario_factory=SHORT, matches=2, always_valid=False)


def test_who_knows_the_tech_tree_gets_further_than_chance() -> None:
    scenario, config = VoxelSurvival(ticks=2_000), MatchConfig(seed=3, max_turns=2_000)
    scores = {
        bot: run_match(scenario, [bot("wren")], config).scores["wren"]
        for bot in (IdleSurvivor, RandomSurvivor, ScriptedSurvivor)
    }
    assert scores[IdleSurvivor] == 0
    assert scores[ScriptedSurvivor] > 2 * max(1, scores[RandomSurvivor])


def test_the_text_says_why_an_answer_was_refused_and_says_it_once() -> None:
    wren = Answering("wren", {"action": "mine_nearest", "block": "CRYSTAL_ORE"}, 10_000, {})
    run_match(SHORT(), [wren], MatchConfig(seed=3, max_turns=4))
    first, second, third, last = (observation["text"].split("\n")[1] for observation in wren.seen)
    assert "refused" not in first + last
    told = (
        "your last action was refused: mine_nearest: no such block that you can reach is in sight"
    )
    assert second.startswith(told)
    assert third.startswith(
        "your last action was refused: 10000 is none of what is possible now: ["
    )
    assert all(len(observation["text"].encode()) <= MAX_BYTES for observation in wren.seen)


def is_true(log: bytes, scenario: VoxelMatch) -> bool:
    reader = LogReader(BytesIO(log))
    start = parse_start(reader.peek())
    config = config_from_log(start, reader.peek(1))
    return find_difference(reader, scenario, start["agentIds"], config) is None


def test_a_match_is_verified_by_playing_it_again() -> None:
    log = run_match(SHORT(), [ScriptedSurvivor("wren")], MatchConfig(seed=3, max_turns=99)).jsonl
    forged = log.replace(b'"collect_wood":', b'"collect_iron":')
    assert forged != log
    assert is_true(log, SHORT())
    assert not is_true(forged, SHORT())


def test_an_agent_sees_the_wire_and_text_and_answers_in_every_way() -> None:
    wren = Answering(
        "wren",
        CHOICES.index("move_south"),
        {"action": "move_to", "x": 0, "y": 0},
        {"action": "say", "text": "Good morning."},
        {"tasks": [{"id": "t", "type": "MINE", "block_pos": [0, 0, 0]}]},
        CHOICES.index("craft_iron_pickaxe"),
        "prose",
    )
    result = run_match(SHORT(), [wren], MatchConfig(seed=3, max_turns=8))
    judged = [event for event in result.events if event["type"] == "ActionAdjudicated"]
    assert [event["valid"] for event in judged] == [
        True,
        False,
        True,
        True,
        False,
        False,
        True,
        True,
    ]
    assert "z" in judged[1]["feedback"]["error"]
    assert "none of what is possible now" in judged[4]["feedback"]["error"]
    first, second = wren.seen[:2]
    assert first["type"] == "OBS"
    assert first["inventory"] == []
    assert first["text"].startswith("NEWS")
    assert "STONE" in first["palette"]
    assert 0 in first["possible"]
    assert first["ticks_left"] == 60
    assert second["self"]["pos"] != first["self"]["pos"]
    assert 5 <= second["tick"] - first["tick"] <= 50
    assert [event for event in wren.seen[4]["events"] if event.get("ref") == "t"], (
        "it was asked for"
    )


def test_an_agent_lives_among_villagers_and_is_scored_with_what_they_gained() -> None:
    """The same match gives the same bytes, villagers included."""
    scenario = VoxelVillage(ticks=200, settled_days=0)
    config = MatchConfig(seed=3, max_turns=100)
    first, again = (run_match(scenario, [RandomSurvivor("wren")], config) for _ in range(2))
    assert first.jsonl == again.jsonl
    world = VillageWorld(3, settled_days=0, busy_ticks=5)
    assert list(world.reset()) == ["A25"]
    assert len(world._world.agents) == 25
    with pytest.raises(IllegalError, match="cannot be copied"):
        world.clone()
    counts = dict.fromkeys(world.infos["A25"]["achievements"], 0)
    assert scenario._score(counts | {"trade_goods": 2, "keep_contract": 1}) == 3 + 5 + 3
    assert scenario._score(counts | {"trade_goods": 99}) == 3 + 20


def test_parameters_are_checked() -> None:
    for wrong in ({"ticks": 0}, {"busy_ticks": 1}, {"ticks": "day"}):
        with pytest.raises(InvalidError):
            VoxelSurvival(**wrong)  # type: ignore[arg-type]
    with pytest.raises(InvalidError):
        VoxelVillage(settled_days=-1)


def test_a_world_that_is_given_takes_the_place_of_the_drawn_one_and_is_no_usual_parameter() -> None:
    assert "world" not in scenario_parameters("voxel-survival", {})
    usual = [VoxelSurvival(600).init(seed, ["me"]).obs for seed in (7, 8)]
    given = [VoxelSurvival(600, world=7).init(seed, ["me"]).obs for seed in (7, 8)]
    assert given == [usual[0], usual[0]]
    assert usual[0] != usual[1]
    for wrong in (-1, "seven", 2**60):
        with pytest.raises(InvalidError, match="world must be a whole number"):
            make_scenario("voxel-survival", {"world": wrong})
