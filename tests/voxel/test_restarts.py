"""What a restart keeps, seen as an agent sees it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.voxel.flat import STAND, events, flat_world, put_agent
from thorp.protocol.act import Act
from thorp.protocol.actions import Place, Say, SetSign, ToggleSwitch
from thorp.simulator.inline import open_flat
from thorp.store import RealDisk
from thorp.voxel import WorldService
from thorp.voxel.catalog import Catalogs
from thorp.voxel.inputs import Acted, Join
from thorp.voxel.tick import step
from thorp.voxel.tuning import read_tuning


def act(service: WorldService, instants: Sequence[Any] = (), tasks: Sequence[Any] = ()) -> None:
    service.tick([Acted(1, Act(tick=service.world.tick, instants=instants, tasks=tasks))]).result()


def test_a_sixth_saying_is_refused_after_a_restart_too(tmp_path: Path) -> None:
    with open_flat(RealDisk(), tmp_path) as service:
        service.tick([Join("mole", "00")]).result()
        for number in range(5):
            act(service, [Say(id=f"s{number}", text="hey")])
    with open_flat(RealDisk(), tmp_path) as service:
        act(service, [Say(id="sixth", text="hey")])
        refused = events(service.world.agents[1], "ACTION_RESULT")[-1]
        assert (refused["ref"], refused["code"]) == ("sixth", "E_RATE_LIMIT")
        assert refused["cooldown_until_tick"] == 52


def test_signs_switches_and_belts_are_as_they_were(tmp_path: Path) -> None:
    kit = read_tuning(
        {"starter_items": {"SIGN": 1, "SWITCH": 1, "CONVEYOR": 1}, "world_events": False}
    )
    with open_flat(RealDisk(), tmp_path, tuning=kit) as service:
        service.tick([Join("mole", "00")]).result()
        x, y, z = service.world.agents[1].position
        for at, item in enumerate(("SIGN", "SWITCH", "CONVEYOR")):
            act(service, tasks=[Place(id="p", block_pos=(x + 1, y + at, z + 1), item_id=item)])
        act(service, [SetSign(id="w", target_id=f"SIGN@{x + 1},{y},{z + 1}", text="mind the belt")])
        act(service, [ToggleSwitch(id="t", target_id=f"SWITCH@{x + 1},{y + 1},{z + 1}")])
        digest = service.digest()
    with open_flat(RealDisk(), tmp_path) as service:
        world = service.world
        assert service.digest() == digest
        assert [sign.text for sign in world.signs] == ["mind the belt"]
        assert [switch.on for switch in world.switches] == [True]
        assert [(belt.dx, belt.dz) for belt in world.conveyors] == [(0, 1)]


def test_several_deaths_in_one_tick_give_the_same_things_everywhere(catalogs: Catalogs) -> None:
    worlds = [flat_world(catalogs), flat_world(catalogs)]
    for world in worlds:
        for number in range(3):
            put_agent(world, 20 * number, 0, STAND, PLANK=10, COAL=10).hp = 0
        step(world, [])
    assert [[thing.id for thing in world.items] for world in worlds] == [
        [f"IT{number:06d}" for number in range(1, 7)]
    ] * 2
    assert worlds[0].digest() == worlds[1].digest()


def test_the_starter_kit_that_was_chosen_stays(tmp_path: Path) -> None:
    tuning = read_tuning({"starter_items": {"BREAD": 3}})
    with open_flat(RealDisk(), tmp_path, tuning=tuning) as service:
        service.tick([Join("mole", "00")]).result()
    with open_flat(RealDisk(), tmp_path) as service:
        service.tick([Join("vole", "00")]).result()
        assert service.world.agents[2].inventory == {"BREAD": 3}
