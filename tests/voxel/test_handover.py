"""A world that is only told what changed shows to the byte what the world shows that executes."""

from __future__ import annotations

import msgspec
import pytest

from tests.voxel.test_simulation import TERMINALS
from tests.voxel.working import put
from thorp.simulator.crowd import RICH, Crowd
from thorp.simulator.flat_world import create_flat_world
from thorp.voxel.new_world import create_world
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.handover import SEEN_TABLES, ChangeLog, apply, apply_motion, motion_of
from thorp.voxel.observation.session import Session
from thorp.voxel.persistence.snapshot import WorldMaker
from thorp.voxel.state.agent import EventLog
from thorp.voxel.state.world import World
from thorp.voxel.systems.items import drop
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning

SIZE = 24
SEASONS = msgspec.structs.replace(RICH, seasons=True, season_length_ticks=60)


class Told:
    """A world that is told of every other agent of another one, and a reader of each in both."""

    def __init__(self, world: World, make: WorldMaker) -> None:
        self.world = world
        world.digest()
        self._changes = ChangeLog(world)
        self.copy = make(world.seed - world.season + 1, world.draw_seed, world.tuning)
        apply(self.copy, self._changes.everything(), ())
        self._readers: dict[int, tuple[Session, Session]] = {}
        self._told: dict[int, int] = {}

    def see(self) -> int:
        """After a tick: show it in both worlds, and compare. Returns how many have read it."""
        self.world.digest()
        changes, changed = self._changes.take()
        apply(self.copy, changes, self._readers)
        self.copy.scratch.loaded_memory = self.world.scratch.loaded_memory
        for agent in changed:
            if agent.number in self._readers:
                for event in agent.event_log.since(self._told[agent.number]):
                    self.copy.agents[agent.number].event_log.receive(event)
                self._told[agent.number] = agent.event_log.next
            elif agent.number % 2:
                self._join(agent.number)
        both = [pair for number, pair in self._readers.items() if number in self.world.agents]
        compose(self.world, [one for one, _ in both])
        compose(self.copy, [other for _, other in both])
        for one, other in both:
            assert one.take() == other.take()
        return len(both)

    def _join(self, number: int) -> None:
        agent, copy = self.world.agents[number], self.copy.agents[number]
        apply_motion(copy, motion_of(agent))
        copy.event_log = EventLog(
            agent.event_log.events.copy(), agent.event_log.next, b"", agent.event_log.size
        )
        self._readers[number] = (
            Session(number, delta=number % 3 > 0),
            Session(number, delta=number % 3 > 0),
        )
        self._told[number] = agent.event_log.next


@pytest.mark.parametrize(
    ("seed", "make", "tuning"), [(3, create_flat_world, RICH), (4, create_world, SEASONS)]
)
def test_what_is_shown_of_a_handed_on_world_is_the_same_to_the_byte(
    seed: int, make: WorldMaker, tuning: Tuning
) -> None:
    world, crowd = make(seed, seed + 1, tuning), Crowd(seed, SIZE, busy=0.9, faults=0.02, most=5)
    if make is create_flat_world:
        for place in TERMINALS:
            put(world, place, "CONTRACT_TERMINAL")
    for _ in range(20):
        step(world, crowd.inputs(world))
    told = Told(world, make)
    read, seen = 0, set()
    for tick in range(90):
        if tick % 5 == 0:  # a crowd seldom drops anything
            drop(world, next(iter(world.agents)).position, "COAL", 1)
        step(world, crowd.inputs(world))
        read += told.see()
        seen |= {name for name in SEEN_TABLES if len(told.copy.tables()[name])}
    assert read > 500
    assert world.season == (2 if tuning is SEASONS else 1)
    assert seen >= set(SEEN_TABLES) - {"switches"}
