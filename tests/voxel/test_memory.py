"""Private notes: kept, found by prefix, forgotten in time, and never more than allowed."""

from __future__ import annotations

import pytest

from tests.voxel.flat import put_agent
from thorp.protocol.actions import LoadMemory, SaveMemory
from thorp.voxel.refusal import Refusal
from thorp.voxel.state.agent import Memo
from thorp.voxel.state.unsaved import TickScratch
from thorp.voxel.state.world import World
from thorp.voxel.systems import memory
from thorp.voxel.systems.memory import DEFAULT_LIMIT, MAX_NOTES, MEMORY_BYTES, USES_PER_TICK
from thorp.voxel.tick import step


def test_notes_come_back_by_prefix_in_order_of_their_keys(world: World) -> None:
    agent = put_agent(world)
    for key in ("plan/2", "plan/1", "other"):
        assert memory.save(world, agent, SaveMemory(key=key, value=key.upper())) == {}
    assert memory.load(world, agent, LoadMemory(prefix="plan/")) == {"message": "loaded 2 keys"}
    assert world.scratch.loaded_memory == {
        agent.number: [("plan/1", "PLAN/1"), ("plan/2", "PLAN/2")]
    }


def test_what_several_loads_of_a_tick_find_is_shown_together(world: World) -> None:
    agent = put_agent(world)
    for key in ("a/1", "b/1", "c/1"):
        memory.save(world, agent, SaveMemory(key=key, value=key))
    memory.load(world, agent, LoadMemory(prefix="b/"))
    memory.load(world, agent, LoadMemory(prefix="a/"))
    memory.load(world, agent, LoadMemory(prefix="z/"))
    assert [key for key, _ in world.scratch.loaded_memory[agent.number]] == ["a/1", "b/1"]


def test_nothing_found_shows_nothing(world: World) -> None:
    agent = put_agent(world)
    assert memory.load(world, agent, LoadMemory()) == {"message": "loaded 0 keys"}
    assert world.scratch.loaded_memory == {}


def test_a_note_lives_as_long_as_it_was_given(world: World) -> None:
    agent = put_agent(world)
    memory.save(world, agent, SaveMemory(key="short", value="x", ttl_ticks=10))
    memory.save(world, agent, SaveMemory(key="long", value="x", ttl_ticks=0))
    world.tick = 9
    memory.load(world, agent, LoadMemory())
    assert [key for key, _ in world.scratch.loaded_memory[agent.number]] == ["long", "short"]
    world.tick = 10
    world.scratch = TickScratch()
    memory.load(world, agent, LoadMemory())
    assert [key for key, _ in world.scratch.loaded_memory[agent.number]] == ["long"]
    assert list(agent.memory) == ["long"]


@pytest.mark.parametrize(
    ("limit", "found"),
    [(3, 3), (0, DEFAULT_LIMIT), (-1, DEFAULT_LIMIT), (257, DEFAULT_LIMIT), (256, 80)],
)
def test_how_many_are_found(world: World, limit: int, found: int) -> None:
    agent = put_agent(world)
    for number in range(80):
        world.scratch = TickScratch()
        memory.save(world, agent, SaveMemory(key=f"{number:03d}", value=""))
    assert memory.load(world, agent, LoadMemory(limit=limit)) == {"message": f"loaded {found} keys"}


def test_the_budget_counts_bytes_and_a_note_may_be_written_anew(world: World) -> None:
    agent = put_agent(world)
    memory.save(world, agent, SaveMemory(key="a", value="é" * ((MEMORY_BYTES - 2) // 2)))
    with pytest.raises(Refusal) as refused:
        memory.save(world, agent, SaveMemory(key="b", value="xx"))
    assert (refused.value.code, refused.value.message) == (
        "E_NO_RESOURCE",
        "memory budget exceeded",
    )
    memory.save(world, agent, SaveMemory(key="a", value="short"))
    memory.save(world, agent, SaveMemory(key="b", value="xx"))


def test_expired_notes_make_room(world: World) -> None:
    agent = put_agent(world)
    memory.save(world, agent, SaveMemory(key="a", value="x" * (MEMORY_BYTES - 1), ttl_ticks=5))
    world.tick = 5
    memory.save(world, agent, SaveMemory(key="b", value="x" * 100))


def test_the_number_of_notes_is_bounded(world: World) -> None:
    agent = put_agent(world)
    for number in range(MAX_NOTES):
        agent.memory[str(number)] = Memo("", None)
    with pytest.raises(Refusal, match="at most"):
        memory.save(world, agent, SaveMemory(key="one more"))


def test_a_tick_has_room_for_so_many_uses(world: World) -> None:
    agent = put_agent(world)
    for _ in range(USES_PER_TICK):
        memory.load(world, agent, LoadMemory())
    with pytest.raises(Refusal) as refused:
        memory.save(world, agent, SaveMemory(key="a", value="b"))
    assert (refused.value.code, refused.value.extra["cooldown_ticks"]) == ("E_RATE_LIMIT", 1)
    step(world, [])
    memory.save(world, agent, SaveMemory(key="a", value="b"))


def test_a_note_needs_a_key(world: World) -> None:
    with pytest.raises(Refusal, match="missing key"):
        memory.save(world, put_agent(world), SaveMemory(value="x"))


def test_notes_are_part_of_the_state(world: World) -> None:
    agent = put_agent(world)
    before = world.digest()
    memory.save(world, agent, SaveMemory(key="a", value="b"))
    assert world.digest() != before
