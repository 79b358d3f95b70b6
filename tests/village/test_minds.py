"""Minds among the villagers: the rules around the model, what is written down of a decision, and
that nobody else's life hangs on them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.cli.command import run as run_command
from tests.village.lives import TOKENS, Founded
from thorp import village
from thorp.bridges.voxel_town import new_city_world
from thorp.protocol.act import read_act
from thorp.protocol.obs import Obs
from thorp.village import measure
from thorp.village.founding import RULES
from thorp.village.headless_minds import Choose, HeadlessMinds, at_random
from thorp.village.minds import (
    DECISION_TICKS,
    HUNGRY_BELOW,
    MEMORY,
    NAMES,
    ROAM_CELLS,
    TITLE,
    Mind,
    Question,
    Reply,
    bodies,
)
from thorp.village.needs import FOODS
from thorp.voxel import Acted, AnyInput, Join, World, default_catalogs, read_tuning, step
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.session import Session

DAY_TICKS = 6_000
CATALOGS = msgspec.to_builtins(default_catalogs().lists())


def new_world(seed: int = 7) -> World:
    return new_city_world(seed, tuning=read_tuning(RULES))


def live(
    world: World, ticks: int, choose: Choose, count: int = 1
) -> tuple[HeadlessMinds, list[AnyInput]]:
    """Minds without a village around them, and all that they asked the world for."""
    minds = HeadlessMinds(world, count, choose, from_tick=0)
    done: list[AnyInput] = []
    for _ in range(ticks):
        inputs = [*minds.inputs]
        step(world, inputs)
        minds.look(inputs)
        done += inputs
    return minds, done


def always(letter: str) -> Choose:
    """Choose the option of this letter whenever it is there, else the last one."""

    def choose(question: Question) -> Reply:
        return Reply(letter=letter if letter in question.letters else question.letters[-1])

    return choose


def acts(inputs: Sequence[AnyInput]) -> list[Any]:
    return [
        action
        for entry in inputs
        if isinstance(entry, Acted)
        for action in (*entry.act.instants, *entry.act.tasks)
    ]


class Watched:
    """A mind in a world, one observation at a time, so that a test can change what it sees."""

    def __init__(self, world: World) -> None:
        minds, _ = live(world, 8, always("a"))
        (number,) = bodies(world).values()
        assert minds.minds[0].name == NAMES[0]
        self.world = world
        self.body = world.agents[number]
        self.mind = Mind(NAMES[0], CATALOGS)
        self._session = Session(number, cursor=self.body.seen)

    def obs(self) -> Obs:
        compose(self.world, [self._session])
        frame = self._session.take()
        assert frame is not None
        return msgspec.json.decode(frame, type=Obs)

    def wake(self) -> None:
        """Let it recall who it is."""
        while self.mind.question is None:
            self.see(self.obs())
        self.mind.give_up(0)

    def see(self, obs: Obs) -> None:
        """Let it see, and the world do what it asks for."""
        inputs = [
            Acted(self.body.number, read_act(msgspec.json.encode(act)), self.world.tick)
            for act in self.mind.take(obs)
        ]
        step(self.world, inputs)

    def offered(self, obs: Obs) -> set[str]:
        """The names of the options of its next question about such a moment."""
        mind = Mind(NAMES[0], CATALOGS)
        mind.__dict__.update(self.mind.__dict__)
        mind.take(obs)
        assert mind.question is not None
        menu = mind.menu
        assert menu is not None
        return {menu.option(letter).name for letter in mind.question.letters}


@pytest.fixture
def watched() -> Watched:
    one = Watched(new_world())
    one.wake()
    for _ in range(DECISION_TICKS):
        step(one.world, [])
    return one


# A life


def test_a_mind_lives_by_the_protocol_and_is_told_as_what_it_is() -> None:
    world = new_world()
    minds, done = live(world, 1_500, at_random(1), count=2)
    assert bodies(world) == {NAMES[0]: 1, NAMES[1]: 2}
    assert [entry.title for entry in done if isinstance(entry, Join)] == [TITLE, TITLE]
    rows = minds.figures()
    assert [row.name for row in rows] == list(NAMES)
    for row, mind in zip(rows, minds.minds, strict=True):
        assert row.decisions > 30
        assert row.decisions <= 1_500 / DECISION_TICKS + 1
        assert mind.asked <= mind.decided + 1
        assert row.unlocked > 0
        assert row.starving == 0
    thoughts = {entry.act.intent for entry in done if isinstance(entry, Acted)} - {""}
    assert any("options" not in thought or thought.startswith("I ") for thought in thoughts)


def test_the_same_answers_make_the_same_world() -> None:
    digests = []
    for _ in range(2):
        world = new_world()
        live(world, 600, at_random(5), count=2)
        digests.append(world.digest())
    assert digests[0] == digests[1]
    other = new_world()
    live(other, 600, at_random(6), count=2)
    assert other.digest() != digests[0]


def test_a_mind_comes_back_into_its_body_and_knows_what_it_has_achieved() -> None:
    world = new_world()
    first, _ = live(world, 900, at_random(1))
    achieved = set(world.agents[1].memory[MEMORY].value.split())
    assert achieved
    second, _ = live(world, 60, at_random(2))
    assert bodies(world) == {NAMES[0]: 1}
    assert len(world.agents) == 1
    assert achieved <= second.minds[0].notes.achieved
    assert first.minds[0] is not second.minds[0]


def test_a_choice_that_is_never_answered_stops_nobody_and_the_mind_still_eats() -> None:
    """The model says letters that are no option: the body stands, and lives."""
    world = new_world()
    live(world, 30, lambda question: Reply(letter="!"))
    world.agents[1].hunger = HUNGRY_BELOW - 1
    _, done = live(world, 200, lambda question: Reply(letter="!"))
    kinds = {type(action).__name__ for action in acts(done)}
    assert kinds == {"LoadMemory", "SaveMemory", "Eat"}
    assert world.agents[1].hunger > HUNGRY_BELOW


# The rules around the model


def test_nothing_is_dug_or_built_where_the_land_forbids_it(watched: Watched) -> None:
    obs = watched.obs()
    free = watched.offered(obs)
    assert any(name.startswith("mine_") for name in free)
    assert any(name.startswith(("place_", "block_")) for name in free)
    permissions = msgspec.structs.replace(
        obs.local_rules.permissions, can_break=False, can_build=False
    )
    rules = msgspec.structs.replace(obs.local_rules, permissions=permissions)
    kept = watched.offered(msgspec.structs.replace(obs, local_rules=rules))
    assert not [name for name in kept if name.startswith(("place_", "block_"))]
    assert not [name for name in kept if "mine_" in name and "nearest" not in name]
    assert kept < free
    assert {"wait", "walk_north"} <= kept


def test_no_walk_leads_far_away_and_every_walk_back_is_offered(watched: Watched) -> None:
    x, y, z = watched.obs().body.pos
    watched.mind._home = (x - ROAM_CELLS, y, z)
    at_the_edge = watched.offered(watched.obs())
    assert "walk_east" not in at_the_edge
    assert {"walk_west", "walk_north", "walk_south"} <= at_the_edge
    watched.mind._home = (x - 10 * ROAM_CELLS, y, z)
    assert "walk_west" in watched.offered(watched.obs())


def test_what_was_refused_here_is_not_offered_again_until_something_is_another(
    watched: Watched,
) -> None:
    obs = watched.obs()
    watched.see(obs)
    question = watched.mind.question
    assert question is not None
    menu = watched.mind.menu
    assert menu is not None
    chosen = menu.named("walk_north")
    assert chosen is not None
    watched.mind.answer(Reply(letter=chosen.letter))
    watched.mind._outcome = "E_BLOCKED no way"
    watched.mind._queue.clear()
    watched.mind._request = None
    watched.mind._end_decision()
    for _ in range(DECISION_TICKS):
        step(watched.world, [])
    assert "walk_north" not in watched.offered(watched.obs())
    watched.body.give("DIRT", 1)
    assert "walk_north" in watched.offered(watched.obs())


def test_whoever_is_hungry_without_food_picks_berries_that_are_in_sight(watched: Watched) -> None:
    x, y, z = watched.body.position
    bush = watched.world.catalogs.block_number["BERRY_BUSH"]
    watched.world.ground.put(x + 1, y, z, bush)
    watched.body.give("BERRIES", -watched.body.have("BERRIES"))
    watched.body.hunger = 4
    assert watched.mind.take(watched.obs())
    (decision, *_) = watched.mind.take_log()
    assert (decision.chose, decision.by) == ("mine_nearest_berry_bush", "rule")


@pytest.mark.parametrize("pocket", [{"STONE": 30}, {"SEEDS": 1}])
def test_a_hungry_mind_gets_a_meal_out_of_the_store(
    founded: Founded, pocket: dict[str, int]
) -> None:
    """It pays if it can, and begs if it cannot; the storekeeper has heard of no minds."""
    world = founded(1337)
    minds = HeadlessMinds(world, 1, lambda question: Reply(letter="!"), from_tick=0)
    began = world.tick

    def tick(inputs: Sequence[AnyInput]) -> None:
        every = [*inputs, *minds.inputs]
        step(world, every)
        minds.look(every)
        if world.tick == began + 100:
            starve(world, pocket)

    village.run(world, tick, TOKENS, to_tick=began + 1_000)
    (number,) = bodies(world).values()
    assert "trade_goods" in world.agents[number].achievements
    assert world.agents[number].hunger > HUNGRY_BELOW - FOODS["BERRIES"]
    assert minds.minds[0].decided == 0


def starve(world: World, pocket: dict[str, int]) -> None:
    """Leave the mind hungry, with this in its pocket and nothing else."""
    (number,) = bodies(world).values()
    body = world.agents[number]
    for item, held in [*body.inventory.items()]:
        body.give(item, -held)
    for item, held in pocket.items():
        body.give(item, held)
    body.hunger = 8


# What is written down


def test_a_decision_says_what_was_read_chosen_and_weighed(watched: Watched) -> None:
    watched.see(watched.obs())
    question = watched.mind.question
    assert question is not None
    first = question.letters[0]
    second = question.letters[1]
    watched.mind.answer(Reply(letter=second, probabilities={second: 0.7, first: 0.3}, seconds=0.5))
    (decision, *_) = watched.mind.take_log()
    assert decision.read == question.prompt
    assert [each.letter for each in decision.weighed[:2]] == [second, first]
    assert [each.probability for each in decision.weighed[:2]] == [0.7, 0.3]
    assert {each.letter for each in decision.weighed} == set(question.letters)
    assert decision.weighed[2].probability is None
    assert decision.chose == decision.weighed[0].name
    assert (decision.by, decision.seconds) == ("model", 0.5)
    assert watched.mind.take_log() == []
    assert f"of {len(question.letters)} options, 70 % sure" in watched.mind.session.intent


# The command


def test_a_village_without_minds_is_as_it_was(founded: Founded) -> None:
    """The same days, by the same digests: with no mind, and with minds that were not asked for."""
    lines: list[dict[str, Any]] = []
    measure.live(founded(42), 1, show=lines.append)
    none: list[dict[str, Any]] = []
    world = founded(42)
    measure.live(world, 1, show=none.append, minds=HeadlessMinds(world, 0, at_random(1)))
    assert none[0].pop("minds") == []
    assert none == lines


def test_minds_are_measured_beside_the_villagers(founded: Founded) -> None:
    lines: list[dict[str, Any]] = []
    world = founded(1337)
    minds = HeadlessMinds(world, 2, at_random(1337), from_tick=0)
    measure.live(world, 1, show=lines.append, minds=minds)
    (line,) = lines
    assert line["people"] == 24
    assert [row.name for row in line["minds"]] == list(NAMES)
    for row in line["minds"]:
        assert row.starving == 0
        assert row.idle_day < 0.5
        assert row.unlocked > 0


@pytest.mark.parametrize("decides", ["model", "random:3", ""])
def test_an_unknown_decider_is_refused_in_one_line(decides: str) -> None:
    done = run_command("thorp", "village", "live", "--minds", "1", "--decides", decides)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"--decides takes local, local:PATH or random" in done.stderr


def test_without_the_model_minds_are_refused_with_the_command_that_fetches_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THORP_MODELS", str(tmp_path))
    done = run_command("thorp", "village", "live", "--minds", "1")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"`thorp model get smollm2`" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
