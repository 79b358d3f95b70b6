"""Crowds behind a bad network, and what must be true after every tick whatever they do."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from tests.voxel.flat import STAND
from tests.voxel.working import put
from thorp.kernel.errors import DamagedError
from thorp.protocol.act import read_act
from thorp.protocol.actions import ClaimLand, SocietyInstant
from thorp.simulator.chance import Make
from thorp.simulator.crowd import RICH, Crowd
from thorp.simulator.flat_world import create_flat_world
from thorp.simulator.wishes import INSTANTS, TASKS
from thorp.simulator.witness import Witness, check_bodies, check_digest
from thorp.voxel.inputs import Acted, AnyInput, Attach, Detach, Join
from thorp.voxel.new_world import create_world
from thorp.voxel.persistence.record import decode_ticks, encode_tick
from thorp.voxel.persistence.snapshot import WorldMaker
from thorp.voxel.state.agent import Memo
from thorp.voxel.tick import step

ROOT = Path(__file__).parent.parent.parent
# A square of people who stand side by side.
SIDE = 5
TERMINALS = ((1, STAND, -1), (3, STAND, -1), (2, STAND, SIDE))


def simulate(
    seed: int, size: int, ticks: int, *, make: WorldMaker = create_flat_world, every: int = 1
) -> str:
    """Play one seed and return the digest; every so many ticks it is computed from nothing too."""
    world, crowd = make(seed, seed + 1, RICH), Crowd(seed, size)
    witness = Witness(world, make)
    for tick in range(ticks):
        inputs = crowd.inputs(world)
        step(world, inputs)
        witness.see(world, inputs, from_nothing=tick % every == 0)
    return world.digest()


def crowd_a_square(
    seed: int, size: int, ticks: int, *, every: int = 10
) -> Counter[tuple[str, str]]:
    """A crowd in one place, where everyone can reach everything. How often each deed got each
    answer."""
    world, crowd = (
        create_flat_world(seed, seed + 1, RICH),
        Crowd(seed, size, busy=0.9, faults=0.02, most=7),
    )
    for place in TERMINALS:
        put(world, place, "CONTRACT_TERMINAL")
    witness = Witness(world, create_flat_world)
    answers: Counter[tuple[str, str]] = Counter()
    for tick in range(ticks):
        inputs = crowd.inputs(world)
        cursors = {agent.number: agent.event_log.next for agent in world.agents}
        step(world, inputs)
        witness.see(world, inputs, from_nothing=tick % every == 0)
        for agent in world.agents if tick % 10 == 0 else ():
            world.relocate(agent, (agent.number % SIDE, STAND, agent.number // SIDE % SIDE))
        deeds = {
            (entry.agent, wish.id): str(type(wish).__struct_config__.tag)
            for entry in inputs
            if isinstance(entry, Acted)
            for wish in (*entry.act.instants, *entry.act.tasks)
        }
        for agent in world.agents:
            for event in agent.event_log.since(cursors.get(agent.number, 0)):
                told = msgspec.json.decode(event.text)
                if told["type"] == "ACTION_RESULT":
                    deed = deeds.get((agent.number, told["ref"]), "")
                    answers[deed, "ok" if told["ok"] else told["code"]] += 1
    return answers


SOCIETY = {kind.__struct_config__.tag for kind in (*get_args(SocietyInstant), ClaimLand)}


def test_a_crowd_in_one_place_does_everything_that_society_knows() -> None:
    lives = [crowd_a_square(seed, 16, 160) for seed in (1, 4)]
    lives += [
        crowd_a_square(seed, 1, 200) for seed in range(4)
    ]  # without neighbours a claim can grow
    answers = sum(lives, Counter[tuple[str, str]]())
    granted = {deed for deed, answer in answers if answer == "ok"}
    assert granted >= SOCIETY - {"SUBMIT_CONTRACT"}, (
        "what can be submitted is mostly settled already"
    )
    refused = {deed for deed, answer in answers if answer != "ok"}
    assert refused >= SOCIETY - {"CLAIM_OWED"}, "everything is also asked for in vain"
    hostile = {deed for deed, answer in answers if answer == "E_BAD_REQUEST"}
    assert hostile >= {
        "ORG_DEPOSIT",
        "ORG_WITHDRAW",
        "OFFER_TRADE",
        "POST_CONTRACT",
        "PROPOSE_LAW",
        "VOTE",
    }
    assert sum(answers.values()) > 10_000


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10))
def test_long_lives_in_one_place(seed: int) -> None:
    answers = crowd_a_square(100 + seed, 60, 2_000, every=200)
    assert sum(answers.values()) > 150_000


@settings(max_examples=25)
@given(st.integers(0, 10**9), st.integers(1, 12))
def test_small_crowds(seed: int, size: int) -> None:
    simulate(seed, size, 40)


def test_hundreds_of_agents() -> None:
    simulate(2, 250, 60, every=15)


def test_generated_land() -> None:
    simulate(3, 30, 60, make=create_world, every=15)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_long_lives_of_many(seed: int) -> None:
    simulate(seed, 200, 1_500, make=create_world, every=100)


@pytest.mark.parametrize("seed", range(3))
def test_eventful_times(seed: int) -> None:
    """One event after another, each cut short, in the middle of a crowd."""
    tuning = msgspec.structs.replace(
        RICH, day_ticks=24, director_every_ticks=1, structure_survival_ticks=9
    )
    world, crowd = create_flat_world(seed, seed + 1, tuning), Crowd(seed, 12)
    world.tick = world.director.next_day = 24 * 7
    witness = Witness(world, create_flat_world)
    seen = set()
    for number in range(150):
        event = world.director.event
        if event is not None:
            seen.add(event.id)
            if number % 6 == 0:
                event.ends_tick = world.tick + 1
            if number % 6 == 1 and event.center is not None and world.agents:
                x, y, z = event.center
                world.relocate(next(iter(world.agents)), (x - 1, y + 1, z))
        inputs = crowd.inputs(world)
        step(world, inputs)
        witness.see(world, inputs, from_nothing=number % 5 == 0)
    assert len(seen) > 8


def test_one_seed_is_one_world() -> None:
    assert simulate(4, 8, 40) == simulate(4, 8, 40)
    assert simulate(4, 8, 40) != simulate(5, 8, 40)


def test_no_hash_seed_changes_anything() -> None:
    """The same crowd in processes whose dictionaries and sets are seeded otherwise."""
    script = "from tests.voxel.test_simulation import simulate; print(simulate(6, 8, 30))"
    digests = {
        subprocess.run(
            [sys.executable, "-c", script],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            timeout=120,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(digests) == 1


def test_the_crowd_does_what_it_is_for() -> None:
    """Much is done, much is refused, and the network does all of its damage."""
    world, crowd = create_flat_world(1, 2, RICH), Crowd(7, 20, busy=0.9, faults=0.2)
    kinds: dict[str, int] = {}
    for _ in range(120):
        inputs = crowd.inputs(world)
        for entry in inputs:
            kinds[type(entry).__name__] = kinds.get(type(entry).__name__, 0) + 1
        step(world, inputs)
    assert set(kinds) == {"Join", "Attach", "Detach", "Acted", "Malformed"}
    told = [
        msgspec.json.decode(event.text)
        for agent in world.agents
        for event in agent.event_log.since(0)
    ]
    done = {event["kind"] for event in told if event["type"] == "TASK_DONE"}
    assert done >= {"MOVE_TO", "MINE", "PLACE", "CRAFT", "BUILD_BLUEPRINT"}
    refused = {
        event["code"] for event in told if event.get("ok") is False or event["type"] == "TASK_FAIL"
    }
    assert refused >= {
        "E_STALE",
        "E_BAD_REQUEST",
        "E_CONFLICT",
        "E_BLOCKED",
        "E_INVALID_TARGET",
        "E_NO_RESOURCE",
    }


def test_inputs_are_the_same_after_the_journal() -> None:
    """What is replayed is what was executed."""
    world, crowd = create_flat_world(1, 2, RICH), Crowd(8, 10, faults=0.2)
    for tick in range(1, 40):
        inputs = crowd.inputs(world)
        [record] = decode_ticks(encode_tick(tick, "d", inputs))
        assert record.inputs == inputs
        step(world, inputs)


class Play(RuleBasedStateMachine):
    """Any actions in any order, two agents, a tick whenever: the invariants hold, and a failure
    shrinks."""

    def __init__(self) -> None:
        super().__init__()
        self.world = create_flat_world(3, 4, RICH)
        self.witness = Witness(self.world, create_flat_world)
        self.crowd = Crowd(0, 2)
        self.waiting: list[AnyInput] = [Join("Ada", "00" * 32), Join("Ben", "11" * 32)]
        self.tick()

    @rule(
        number=st.integers(1, 2),
        make=st.sampled_from(TASKS),
        draw=st.randoms(use_true_random=False),
    )
    def ask(self, number: int, make: Make, draw: Random) -> None:
        self._act(number, "tasks", make, draw)

    @rule(
        number=st.integers(1, 2),
        make=st.sampled_from(INSTANTS),
        draw=st.randoms(use_true_random=False),
    )
    def do(self, number: int, make: Make, draw: Random) -> None:
        self._act(number, "instants", make, draw)

    @rule(number=st.integers(1, 2), away=st.booleans())
    def leave_or_come_back(self, number: int, away: bool) -> None:
        self.waiting.append(Detach(number) if away else Attach(number, "22" * 32))

    @rule()
    def tick(self) -> None:
        step(self.world, self.waiting)
        self.witness.see(self.world, self.waiting)
        self.waiting = []

    @rule(ticks=st.integers(5, 15))
    def wait(self, ticks: int) -> None:
        for _ in range(ticks):
            self.tick()

    def _act(self, number: int, kind: str, make: Make, draw: Random) -> None:
        self.crowd.random = draw
        agent = self.world.agents.get(number)
        if agent is None:
            return  # it left without ever having acted, so its body is gone
        wish = make(self.crowd, self.world, agent)
        act = {"type": "ACT", "protocol_version": "0.9", "tick": self.world.tick, kind: [wish]}
        self.waiting.append(Acted(number, read_act(msgspec.json.encode(act))))


TestPlay = Play.TestCase
TestPlay.settings = settings(max_examples=30, stateful_step_count=40)


# The witness can see.


def after_a_tick(change: str) -> None:
    """Let a witness look at a tick after which something was changed by no rule."""
    world, crowd = create_flat_world(1, 2, RICH), Crowd(9, 4)
    witness = Witness(world, create_flat_world)
    inputs: list[AnyInput] = []
    for _ in range(8):
        inputs = crowd.inputs(world)
        step(world, inputs)
        witness.see(world, inputs)
    step(world, [])
    agent = next(iter(world.agents))
    if change == "item":
        agent.give("PLANK", 1)
    elif change == "wall":
        world.ground.put(agent.x, agent.y + 1, agent.z, world.catalogs.block_number["STONE"])
    elif change == "bounds":
        world.relocate(agent, (9_999, 23, 0))
    elif change == "untold":
        agent.memory["secret"] = Memo("x", None)
    witness.see(world, [])


@pytest.mark.parametrize("change", ["item", "wall", "bounds"])
def test_the_witness_notices(change: str) -> None:
    with pytest.raises(AssertionError):
        after_a_tick(change)
    after_a_tick("nothing")


def test_the_witness_notices_a_change_that_the_digest_was_not_told_of() -> None:
    with pytest.raises(DamagedError, match="does not have the digest"):
        after_a_tick("untold")


def test_checks_pass_on_a_world_nobody_entered() -> None:
    world = create_flat_world(1, 2, RICH)
    check_bodies(world)
    check_digest(world, create_flat_world)
