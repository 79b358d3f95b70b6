"""A command that fails, wherever it fails, leaves nothing behind but a receipt."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from tests.bridges.voxel_town.settled import (
    FIRST,
    a_settled_world,
    hand,
    snapshot_of,
    town_of,
    wait,
)
from tests.voxel.flat import events
from thorp.bridges.voxel_town import commands, records
from thorp.town import validate_result
from thorp.town.testing import handoff_for
from thorp.voxel.lookups.indexes import index_of
from thorp.voxel.state.world import World

COMMANDS = {
    "MAYOR_ACCEPT_MISSION": "C000001",
    "PROJECT_ADVANCE": "W000001",
    "SALVAGE_PLAN": "scarcity",
    "TOWNSFOLK_TALK": "morale-boost",
}
# Where a defect could be: the commands, and the rules of the world that they use.
SUSPECTS = (
    "bridges/voxel_town/",
    "voxel/society/",
    "voxel/lookups/indexes.py",
    "voxel/state/world.py",
    "voxel/state/agent.py",
)


class Broken(Exception):
    """What a defect would raise."""


def a_hungry_world() -> World:
    world = a_settled_world()
    world.agents[2].hunger = 5
    world.orgs[FIRST].treasury["BREAD"] = 2
    wait(world, 2)
    return world


class Saboteur:
    """Raises in the nth line that a command executes, and says whether there was one."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.lines = 0

    def apply(self, execute: Callable[..., None]) -> Callable[..., None]:
        def sabotaged(*arguments: Any) -> None:
            sys.settrace(self._trace)
            try:
                execute(*arguments)
            finally:
                sys.settrace(None)

        return sabotaged

    def _trace(self, frame: FrameType, event: str, _: Any) -> Any:
        name = frame.f_code.co_filename
        if not any(part in name for part in SUSPECTS):
            return None
        if event == "line":
            self.lines += 1
            if self.lines == self.line:
                raise Broken(f"line {frame.f_lineno} of {name.rpartition('/')[2]}")
        return self._trace


def fail_at(action: str, line: int) -> tuple[World, dict[str, Any]] | None:
    """A world in which a command has failed in a line; None if the command has not so many."""
    world = a_hungry_world()
    handoff = handoff_for(snapshot_of(world), action, COMMANDS[action])
    saboteur = Saboteur(line)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(commands, "execute", saboteur.apply(commands.execute))
        result = hand(world, handoff)
    return (world, result) if saboteur.lines >= line else None


def untouched() -> World:
    """The world as it would be without any command."""
    world = a_hungry_world()
    wait(world)
    return world


def same_but_for_the_receipt(world: World, result: dict[str, Any]) -> None:
    """Everything is as if nobody had asked, but for the row of the receipt and the count of
    commands."""
    other = untouched()
    key = result["idempotencyKey"]
    receipt = records.find(world, key)
    assert receipt is not None
    assert receipt.result_id == result["resultId"]
    town = town_of(world)
    assert town.commands == 1
    kept_rows = [
        row for row in world.rows if row.key != f"receipt/{key}" and not row.key.endswith("/state")
    ]
    assert kept_rows == [row for row in other.rows if not row.key.endswith("/state")]
    town.commands = 0
    assert town == town_of(other)
    for table in ("orgs", "containers", "contracts", "notices", "claims", "boards", "items"):
        assert list(getattr(world, table)) == list(getattr(other, table)), table
    for agent in world.agents:
        twin = other.agents[agent.number]
        assert (agent.inventory, list(agent.inventory)) == (twin.inventory, list(twin.inventory))
        assert (agent.event_log.next, agent.event_log.head, events(agent)) == (
            twin.event_log.next,
            twin.event_log.head,
            events(twin),
        )
    assert world.counters == other.counters
    assert [one["kind"] for one in world.scratch.public_events] == ["TOWN_RESULT"]
    assert index_of(world).stirred == index_of(other).stirred
    kept, world.derived.index = index_of(world), None
    made, world.derived.index = index_of(world), kept
    for name in ("contracts", "contracts_at", "contracts_of", "land", "upkeep"):
        assert getattr(kept, name) == getattr(made, name), name


@pytest.mark.parametrize("action", COMMANDS)
def test_wherever_a_command_fails_it_is_undone(action: str) -> None:
    line, places = 1, set()
    while (failed := fail_at(action, line)) is not None:
        world, result = failed
        validate_result(result)
        assert (result["status"], result["reasonCode"]) == ("failed", "APPLY_FAILED")
        assert (result["accepted"], result["executed"]) == (True, False)
        (failure,) = result["evaluation"]["preconditions"]["failures"]
        places.add(failure["detail"])
        same_but_for_the_receipt(world, result)
        line += 1 + line // 12
    assert len(places) > 12, "it was cut in many places"


def test_a_failed_command_has_used_its_key_and_the_world_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = a_hungry_world()
    handoff = handoff_for(snapshot_of(world))
    with monkeypatch.context() as patch:

        def fail(*_: Any) -> None:
            raise Broken("a defect")

        patch.setattr(commands, "execute", fail)
        first = hand(world, handoff)
    assert first["evaluation"]["preconditions"]["failures"] == [
        {"kind": "apply_failed", "detail": "Broken: a defect"}
    ]
    assert "worldState" not in first
    again = hand(world, handoff)
    assert (again["status"], again["evaluation"]["duplicateCheck"]["duplicateOf"]) == (
        "duplicate",
        first["resultId"],
    )
    fresh = handoff_for(snapshot_of(world), actor="another")
    assert hand(world, fresh)["status"] == "executed"


def test_sealing_that_fails_is_undone_too(monkeypatch: pytest.MonkeyPatch) -> None:
    world = a_hungry_world()
    handoff = handoff_for(snapshot_of(world), "SALVAGE_PLAN", "scarcity")

    def fail(*_: Any) -> None:
        raise Broken("no snapshot")

    with monkeypatch.context() as patch:
        patch.setattr("thorp.bridges.voxel_town.city_effects.seal", fail)
        result = hand(world, handoff)
    same_but_for_the_receipt(world, result)


def test_what_the_tick_had_called_for_before_is_still_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A command fails in the very tick in which somebody brings what a contract wants."""
    world = a_hungry_world()
    index_of(world).stirred[(3, 23, 0)] = None
    handoff = handoff_for(snapshot_of(world))

    def fail(*_: Any) -> None:
        assert index_of(world).stirred == {}
        index_of(world).stirred[(103, 23, 0)] = None
        raise Broken("a defect")

    monkeypatch.setattr(commands, "execute", fail)
    assert hand(world, handoff)["status"] == "failed"
    assert index_of(world).stirred == {}, "as it was when the command began"
