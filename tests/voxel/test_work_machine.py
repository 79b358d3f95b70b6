"""Any work, in any order, through ACTs and whole ticks: nothing is made or lost but by rule."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from tests.voxel.flat import STAND, SURFACE, events, put_agent
from tests.voxel.working import a_world, change_of, check_bodies, check_books, put
from thorp.protocol import actions
from thorp.protocol.act import Act
from thorp.protocol.codes import CODES
from thorp.simulator.totals import count_everything
from thorp.voxel import tick
from thorp.voxel.inputs import Acted, AnyInput
from thorp.voxel.state.agent import Work
from thorp.voxel.state.ground import Position
from thorp.voxel.state.unsaved import BlockChange
from thorp.voxel.state.world import Container, World, block_id, manhattan
from thorp.voxel.systems import items
from thorp.voxel.systems.placement import heading_of
from thorp.voxel.systems.work import WORK

CHEST, FURNACE, BENCH = (2, STAND, 0), (-1, STAND, 1), (0, STAND, -2)
KIT = {
    "PLANK": 60, "STONE": 30, "COAL": 12, "LOG": 6, "SAND": 5, "GRAVEL": 3, "CHEST": 2, "CONVEYOR": 6,
    "SWITCH": 2, "SENSOR": 2, "WIRE": 6, "SIGN": 1, "TORCH": 2, "WATER": 2, "IRON_ORE": 4, "RAW_MEAT": 2,
    "SEEDS": 2, "SAPLING": 1, "CRAFTING_BENCH": 1, "FURNACE": 1, "IRON_SHOVEL": 1, "STICK": 1,
}  # fmt: skip

WHO = st.integers(1, 2)
PICK = st.sampled_from(range(997))
CELLS = st.tuples(st.integers(-3, 5), st.integers(SURFACE - 1, STAND + 3), st.integers(-3, 4))
NAMES = st.sampled_from(
    ["SELF", block_id("CHEST", CHEST), block_id("FURNACE", FURNACE), "CHEST@9,9,9", "?"]
)
ITEMS = st.sampled_from([*KIT, "NO_SUCH"])
BLOCKS = st.sampled_from([*KIT, *["CONVEYOR"] * 6, *["CHEST", "SAND", "SWITCH", "PLANK"] * 2])
RECIPES = st.sampled_from(["plank_from_log", "torch", "furnace", "brick", "sign", "glass"])
PLANS = st.sampled_from(
    ["road_segment", "road_turn", "hut_small", "workshop_pad", "stone_wall_segment"]
)


class Labour(RuleBasedStateMachine):
    """Two agents in one corner of a flat world, with a chest, a furnace and a bench.

    Most rules pick something that can be done; `wild` asks for anything.
    """

    @initialize(pace=st.sampled_from([0, 2]))
    def begin(self, pace: int) -> None:
        self.world = a_world(blueprint_ticks_per_block=pace)
        put(self.world, CHEST, "CHEST")
        put(self.world, FURNACE, "FURNACE")
        put(self.world, BENCH, "CRAFTING_BENCH")
        self.world.containers[CHEST].stock = {"PLANK": 30, "COAL": 5}
        self.world.containers.touch(CHEST)
        put_agent(self.world, 0, 0, **KIT)
        put_agent(self.world, 1, 1, **KIT)

    @rule(who=WHO, pick=PICK)
    def mine(self, who: int, pick: int) -> None:
        full = [cell for cell in self.around(who, 2) if self.world.ground.block(*cell)]
        self.act(who, actions.Mine(block_pos=full[pick % len(full)]), ticks=4)

    @rule(who=WHO, pick=PICK, item=BLOCKS, yaw=st.sampled_from([0, 90, 180, 270]))
    def place(self, who: int, pick: int, item: str, yaw: int) -> None:
        self.world.agents[who].yaw = yaw
        free = [cell for cell in self.around(who, 3) if not self.world.ground.block(*cell)]
        if free:
            self.act(who, actions.Place(block_pos=free[pick % len(free)], item_id=item))

    @rule(who=WHO, pick=PICK, yaw=st.sampled_from([0, 90, 180, 270]))
    def feed(self, who: int, pick: int, yaw: int) -> None:
        """A belt that leads away from a container."""
        stores = [container.position for container in self.world.containers] or [CHEST]
        x, y, z = stores[pick % len(stores)]
        dx, dz = heading_of(yaw)
        self.world.agents[who].yaw = yaw
        self.act(who, actions.Place(block_pos=(x + dx, y, z + dz), item_id="CONVEYOR"))

    @rule(who=WHO, pick=PICK, item=ITEMS)
    def drop(self, who: int, pick: int, item: str) -> None:
        agent = self.world.agents[who]
        cells = [belt.position for belt in self.world.conveyors] + self.around(who, 1)
        if agent.have(item):
            agent.give(item, -1)
            items.drop(self.world, cells[pick % len(cells)], item, 1)

    @rule(who=WHO, pick=PICK)
    def gather(self, who: int, pick: int) -> None:
        lying = [entity.id for entity in self.world.items] or ["IT000009"]
        self.act(who, actions.Gather(target_id=lying[pick % len(lying)]))

    @rule(who=WHO, pick=PICK, inwards=st.booleans(), item=ITEMS, count=st.integers(1, 3))
    def store(self, who: int, pick: int, inwards: bool, item: str, count: int) -> None:
        stores = list(self.world.containers)
        container = stores[pick % len(stores)] if stores else Container("CHEST", CHEST)
        ways = {"src_container": "SELF", "dst_container": container.id}
        if not inwards:
            ways = {"src_container": container.id, "dst_container": "SELF"}
            stock = sorted(container.stock)
            item = stock[pick % len(stock)] if stock else item
        self.act(who, actions.Transfer(item_id=item, count=count, **ways))

    @rule(who=WHO, recipe=RECIPES, n=st.integers(0, 2))
    def craft(self, who: int, recipe: str, n: int) -> None:
        self.act(who, actions.Craft(recipe_id=recipe, count=n), ticks=6)

    @rule(
        who=WHO,
        item=st.sampled_from(["IRON_ORE", "SAND", "RAW_MEAT", "PLANK"]),
        n=st.integers(1, 2),
    )
    def smelt(self, who: int, item: str, n: int) -> None:
        self.act(who, actions.Smelt(item_id=item, count=n), ticks=8)

    @rule(who=WHO, plan=PLANS, cell=CELLS, rotation=st.integers(-1, 3), ticks=st.integers(1, 9))
    def build(self, who: int, plan: str, cell: Position, rotation: int, ticks: int) -> None:
        self.act(
            who,
            actions.BuildBlueprint(blueprint_id=plan, anchor=cell, rotation=rotation),
            ticks=ticks,
        )

    @rule(who=WHO, pick=PICK)
    def look(self, who: int, pick: int) -> None:
        things = [*self.world.containers, *self.world.signs]
        if things:
            thing = things[pick % len(things)]
            name = thing.id if isinstance(thing, Container) else block_id("SIGN", thing.position)
            self.act(who, actions.Open(target_id=name))

    @rule(who=WHO, pick=PICK)
    def toggle(self, who: int, pick: int) -> None:
        switches = [switch.position for switch in self.world.switches] or [CHEST]
        name = block_id("SWITCH", switches[pick % len(switches)])
        self.run(
            [Acted(who, Act(tick=self.world.tick, instants=[actions.ToggleSwitch(target_id=name)]))]
        )

    @rule(who=WHO, cell=CELLS, item=ITEMS, source=NAMES, into=NAMES, count=st.integers(-1, 99))
    def wild(self, who: int, cell: Position, item: str, source: str, into: str, count: int) -> None:
        self.act(who, actions.Place(block_pos=cell, item_id=item))
        self.act(who, actions.Open(target_id=source))
        self.act(
            who,
            actions.Transfer(src_container=source, dst_container=into, item_id=item, count=count),
        )
        self.act(who, actions.Mine(block_pos=cell))

    @rule(who=WHO, x=st.integers(-1, 1), z=st.integers(-1, 1))
    def walk(self, who: int, x: int, z: int) -> None:
        self.act(who, actions.MoveTo(target=(x, STAND, z), tolerance=1), ticks=3)

    @rule(who=WHO)
    def cancel(self, who: int) -> None:
        work = self.world.agents[who].work
        self.run([Acted(who, Act(tick=self.world.tick, cancel=[work.id if work else "T0"]))])

    @rule(ticks=st.integers(1, 12))
    def wait(self, ticks: int) -> None:
        for _ in range(ticks):
            self.run([])

    def around(self, who: int, reach: int) -> list[Position]:
        x, y, z = self.world.agents[who].position
        span = range(-reach, reach + 1)
        cells = [(x + dx, y + dy, z + dz) for dx in span for dy in span for dz in span]
        return [
            cell
            for cell in cells
            if manhattan((x, y, z), cell) <= reach and self.world.ground.inside(*cell)
        ]

    def act(self, who: int, task: actions.AnyTask, ticks: int = 1) -> None:
        """Ask for a task, which must be answered once, and live through some ticks of it."""
        busy = self.world.agents[who].work is not None
        before = len(events(self.world.agents[who], "ACTION_RESULT"))
        self.run([Acted(who, Act(tick=self.world.tick, tasks=[task]))])
        results = events(self.world.agents[who], "ACTION_RESULT")[before:]
        assert len(results) == 1
        if busy and not isinstance(task, actions.MoveTo):
            assert results[0]["code"] == "E_CONFLICT"
        assert results[0]["ok"] or results[0]["code"] in CODES
        for _ in range(ticks - 1):
            self.run([])

    def run(self, inputs: list[Any]) -> None:
        """One tick. The sum of all items changes by what the audit and the finished units account
        for."""
        world = self.world
        before = count_everything(world)
        made = {agent.work.id: agent.work.made for agent in world.agents if agent.work}
        tasks = [(agent, agent.work) for agent in world.agents if agent.work]
        tick.step(world, inputs)
        begun = [
            (agent, agent.work)
            for agent in world.agents
            if agent.work and agent.work.id not in made
        ]
        expected = Counter(before)
        for entry in world.scratch.block_changes:
            expected.update(
                _worth(
                    world, entry, [work for agent, work in tasks + begun if agent.id == entry.actor]
                )
            )
        for _, work in tasks + begun:
            expected.update(_crafted(world, work, work.made - made.get(work.id, 0)))
        assert change_of(before, count_everything(world)) == change_of(before, expected)

    @invariant()
    def nobody_is_in_a_solid_and_the_books_are_right(self) -> None:
        check_bodies(self.world)
        check_books(self.world)


def _worth(world: World, entry: BlockChange, tasks: list[Work]) -> Counter[str]:
    """What a change of a block gives or costs whoever made it."""
    blocks, places = world.catalogs.blocks, world.catalogs.places
    if entry.reason == "MINE":
        return Counter({stack.item: stack.count for stack in world.catalogs.drops[entry.before]})
    if entry.reason == "PLACE":
        return Counter({item: -1 for item, block in places.items() if block == entry.after})
    if entry.reason == "BUILD_BLUEPRINT":
        first_of_a_hut = any(
            isinstance(work.request, actions.BuildBlueprint)
            and work.request.blueprint_id == "hut_small"
            and work.request.anchor == entry.position
            for work in tasks
        )
        return Counter({blocks[entry.after].id: -9 if first_of_a_hut else -1})
    assert entry.reason in ("FALL", "GROW")
    return Counter()


def _crafted(world: World, work: Work, units: int) -> Counter[str]:
    """What so many finished units have turned into what."""
    match work.request:
        case actions.Craft(recipe_id=str(recipe_id)):
            recipe = world.catalogs.recipes[recipe_id]
        case actions.Smelt(item_id=str(item_id)):
            recipe = world.catalogs.smelting[item_id]
        case _:
            return Counter()
    change: Counter[str] = Counter()
    for stack in recipe.outputs:
        change[stack.item] += units * stack.count
    for stack in recipe.inputs:
        change[stack.item] -= units * stack.count
    return change


def test_there_is_a_rule_for_every_kind_of_work() -> None:
    assert set(WORK) == set(get_args(actions.WorkTask))


def test_how_a_task_ends_is_told_to_its_agent_alone() -> None:
    world = a_world()
    agent, other = put_agent(world, PLANK=1), put_agent(world, 4, 4)
    wishes: list[actions.AnyTask] = [
        actions.Place(id="k", block_pos=(0, SURFACE, 1), item_id="PLANK")
    ]
    tick.step(world, [Acted(agent.number, Act(tick=0, tasks=wishes))])
    assert events(agent) == [
        {"t": 1, "type": "ACTION_RESULT", "ref": "k", "ok": True, "task_id": "T000001"},
        {
            "t": 1,
            "type": "TASK_FAIL",
            "task_id": "T000001",
            "kind": "PLACE",
            "code": "E_BLOCKED",
            "message": "space occupied",
            "hint": f"GRASS is in the way at 0 {SURFACE} 1",
        },
    ]
    assert all(event.own for event in agent.event_log.since(0))
    assert not events(other)


def scripted_digest() -> str:
    """The digest of a world in which five agents work at random for a while."""
    world, draw = a_world(), Random(5)
    for number in range(5):
        put_agent(world, 3 * number, 0, **KIT)
    for _ in range(120):
        inputs: list[AnyInput] = []
        for agent in world.agents:
            cell = (
                agent.x + draw.randint(-2, 2),
                STAND + draw.randint(-1, 2),
                agent.z + draw.randint(-2, 2),
            )
            item = draw.choice(sorted(agent.inventory))
            wishes: list[actions.SoundTask] = [
                actions.Place(block_pos=cell, item_id=item),
                actions.Mine(block_pos=cell),
                actions.BuildBlueprint(
                    blueprint_id="road_turn", anchor=cell, rotation=draw.randint(0, 3)
                ),
            ]
            wish = draw.choice(wishes)
            inputs.append(Acted(agent.number, Act(tick=world.tick, tasks=[wish])))
        tick.step(world, inputs)
    return world.digest()


def test_the_seed_of_hashes_does_not_matter() -> None:
    code = "from tests.voxel.test_work_machine import scripted_digest; print(scripted_digest())"
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            check=True,
            capture_output=True,
            text=True,
            timeout=120,
        ).stdout
        for seed in ("1", "2")
    }
    assert digests == {scripted_digest() + "\n"}


STATES: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}


def test_any_work_keeps_the_books() -> None:
    run_state_machine_as_test(
        Labour, settings=settings(max_examples=40, stateful_step_count=40, **STATES)
    )


@pytest.mark.long
def test_a_lot_of_work_keeps_the_books() -> None:
    run_state_machine_as_test(
        Labour, settings=settings(max_examples=2000, stateful_step_count=100, **STATES)
    )
