"""A region that is put back: everything that can be paid for, nothing minted, nothing lost."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.voxel.flat import STAND, SURFACE, events, put_agent
from tests.voxel.society.civic import act
from tests.voxel.working import a_world, block_name, put
from thorp.kernel.errors import IllegalError, InvalidError, LimitError
from thorp.protocol import actions
from thorp.protocol.act import Act
from thorp.protocol.actions import Instant, Task
from thorp.simulator.flat_world import create_flat_world
from thorp.simulator.inline import open_flat
from thorp.store import RealDisk
from thorp.voxel.inputs import Acted, AnyInput, FormerCell, Join, Restore
from thorp.voxel.persistence.audit import Change, audit
from thorp.voxel.persistence.verify import verify
from thorp.voxel.rollback import Box, Changed, Former, look, order, report, rollback
from thorp.voxel.state.records import Contract
from thorp.voxel.state.world import Container, World
from thorp.voxel.systems import region_restore
from thorp.voxel.systems.containers import add
from thorp.voxel.tick import step

BOX = Box.between((-3, SURFACE - 1, -3), (3, STAND + 2, 3))
CHEST = (2, STAND, 0)
SIGN = (0, STAND, 2)
GOODS = {"STONE": 9, "PLANK": 9, "CHEST": 2, "SIGN": 2, "COAL": 5}


def wealth(world: World) -> Counter[str]:
    """All goods there are, and what the blocks of the region are made of."""
    goods: Counter[str] = Counter()
    for agent in world.agents:
        goods.update(agent.inventory)
    for box in world.containers:
        goods.update(box.stock)
        for owed in box.owed.values():
            goods.update(owed)
    for item in world.items:
        goods[item.item] += item.count
    for org in world.orgs:
        goods.update(org.treasury)
    for cell in BOX.cells():
        goods.update(region_restore.worth(world, block_name(world, cell)))
    return +goods


class Yard:
    """A chest and a sign on a lawn, and three who do as they like."""

    def __init__(self) -> None:
        self.world = a_world()
        self.agents = [put_agent(self.world, x, z, **GOODS) for x, z in ((0, 0), (1, 1), (-1, -1))]
        put(self.world, CHEST, "CHEST")
        put(self.world, SIGN, "SIGN")
        add(self.world, self.world.containers[CHEST], "COAL", 7)
        self.world.signs[SIGN].text = "mind the lawn"
        self.former: Former = look(self.world, BOX)
        self.changed: Changed = {}

    def do(self, who: int, *wishes: Instant | Task, ticks: int = 11) -> None:
        agent = self.agents[who]
        inputs: list[AnyInput] = [act(agent, self.world, *wishes)]
        for _ in range(ticks):
            step(self.world, inputs)
            for entry in self.world.scratch.block_changes:
                self.changed.setdefault(("block", entry.position), []).append(entry.actor)
            inputs = []
            if agent.work is None:
                break
        for wish in wishes:
            if isinstance(wish, actions.Transfer):
                self.changed.setdefault(("container", CHEST), []).append(agent.id)

    def roll_back(self) -> dict[str, object]:
        step(self.world, [order(self.world, self.former, self.changed)])
        (told,) = [one for one in self.world.scratch.public_events if one["kind"] == "ROLLBACK"]
        return told


def mine(x: int, y: int, z: int) -> actions.Mine:
    return actions.Mine(block_pos=(x, y, z))


def take(count: int) -> actions.Transfer:
    name = f"CHEST@{CHEST[0]},{CHEST[1]},{CHEST[2]}"
    return actions.Transfer(src_container=name, dst_container="SELF", item_id="COAL", count=count)


def bring(item: str, count: int) -> actions.Transfer:
    name = f"CHEST@{CHEST[0]},{CHEST[1]},{CHEST[2]}"
    return actions.Transfer(src_container="SELF", dst_container=name, item_id=item, count=count)


def test_a_thief_gives_back_and_a_builder_gets_back() -> None:
    yard = Yard()
    world, (ann, bob, _) = yard.world, yard.agents
    yard.do(0, take(7))
    yard.do(1, actions.Place(block_pos=(1, STAND, -1), item_id="PLANK"))
    yard.do(1, mine(1, SURFACE, 2))
    yard.do(1, bring("STONE", 2))
    before = wealth(world)
    told = yard.roll_back()
    assert told["left"] == []
    assert told["taken"] == {ann.id: {"COAL": 7}, bob.id: {"GRASS": 1}}
    assert told["given"] == {bob.id: {"PLANK": 1, "STONE": 2}}
    assert world.containers[CHEST].stock == {"COAL": 7}
    assert (ann.have("COAL"), bob.have("PLANK"), bob.have("STONE")) == (5, 9, 9)
    assert look(world, BOX) == yard.former
    assert wealth(world) == before


def test_what_is_gone_for_good_stays_gone_and_is_named() -> None:
    yard = Yard()
    ann = yard.agents[0]
    yard.do(0, take(7))
    yard.do(0, mine(1, SURFACE, 0))
    ann.give("COAL", -11)  # burnt
    ann.give("GRASS", -1)
    before = wealth(yard.world)
    told = yard.roll_back()
    assert told["left"] == [
        {"pos": (1, SURFACE, 0), "block": "GRASS", "why": "nobody has GRASS x1"},
        {"pos": CHEST, "item": "COAL", "count": 6, "why": "nobody has it"},
    ]
    assert yard.world.containers[CHEST].stock == {"COAL": 1}, "as much as there is"
    assert wealth(yard.world) == before


def test_a_broken_chest_comes_back_with_what_was_in_it_and_a_sign_with_its_text() -> None:
    yard = Yard()
    world, ann = yard.world, yard.agents[0]
    yard.do(0, mine(*CHEST), ticks=20)
    yard.do(0, mine(*SIGN), ticks=20)
    assert CHEST not in world.containers
    before = wealth(world)
    told = yard.roll_back()
    assert told["taken"] == {ann.id: {"CHEST": 1, "SIGN": 1, "COAL": 7}}
    assert world.containers[CHEST].stock == {"COAL": 7}
    assert (world.signs[SIGN].text, world.signs[SIGN].updated_by) == ("mind the lawn", "OPERATOR")
    assert wealth(world) == before


def test_goods_of_somebody_who_is_gone_lie_where_they_were() -> None:
    yard = Yard()
    yard.do(1, actions.Place(block_pos=(1, STAND, -1), item_id="PLANK"))
    yard.changed["block", (1, STAND, -1)] = ["A77"]
    before = wealth(yard.world)
    assert yard.roll_back()["given"] == {"": {"PLANK": 1}}
    (item,) = yard.world.items
    assert (item.item, item.count) == ("PLANK", 1)
    assert wealth(yard.world) == before


def test_land_and_escrow_are_left_alone() -> None:
    yard = Yard()
    world = yard.world
    totem, terminal = (-2, STAND, 2), (-2, STAND, -2)
    put(world, totem, "CLAIM_TOTEM")
    put(world, terminal, "CONTRACT_TERMINAL")
    box: Container = world.containers[terminal]
    add(world, box, "COAL", 3)
    box.reserved["COAL"] = 3
    contract = Contract(
        "C000001", "GATHER", "OPEN", "A1", terminal, {"STONE": 1}, {"COAL": 3}, {}, 0, 10**6
    )
    world.contracts.put(contract)
    world.derived.index = None
    told = yard.roll_back()
    assert told["left"] == [
        {"pos": terminal, "block": "AIR", "why": "it keeps goods for a contract"},
        {"pos": totem, "block": "AIR", "why": "land is not rolled back"},
    ]
    assert world.containers[terminal].stock == {"COAL": 3}


def test_a_body_in_the_way_is_put_aside() -> None:
    yard = Yard()
    ann = yard.agents[0]
    step(yard.world, [Restore([FormerCell(ann.position, "STONE")], [], [], [ann.number])])
    assert block_name(yard.world, (0, STAND, 0)) == "STONE"
    assert ann.position != (0, STAND, 0)


CELLS = [(x, y, z) for x in (-1, 0, 1) for z in (-1, 0, 1) for y in (SURFACE, STAND)]
WISHES = st.one_of(
    st.builds(lambda cell: mine(*cell), st.sampled_from([*CELLS, CHEST, SIGN])),
    st.builds(
        lambda cell, item: actions.Place(block_pos=cell, item_id=item),
        st.sampled_from([*CELLS, CHEST, SIGN]),
        st.sampled_from(["STONE", "PLANK", "CHEST", "SIGN"]),
    ),
    st.builds(take, st.integers(1, 7)),
    st.builds(bring, st.sampled_from(sorted(GOODS)), st.integers(1, 4)),
)


@settings(max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 2), WISHES), max_size=12),
    st.lists(st.integers(0, 2), max_size=3),
)
def test_nothing_is_minted_and_nothing_lost(deeds: list[tuple[int, Task]], poor: list[int]) -> None:
    yard = Yard()
    for who, wish in deeds:
        yard.do(who, wish)
    for who in poor:  # who has used things up
        for item in list(yard.agents[who].inventory):
            yard.agents[who].give(item, -yard.agents[who].have(item))
    before = wealth(yard.world)
    told = yard.roll_back()
    assert wealth(yard.world) == before
    left = told["left"]
    assert isinstance(left, list)
    if not left:
        now = look(yard.world, BOX)
        assert (now.blocks, now.stocks, now.signs) == yard.former[:3]
    assert yard.world.digest() == _from_nothing(yard.world)


def _from_nothing(world: World) -> str:
    for table in world.tables().values():
        table.touch_all()
    return world.digest()


# In a directory

DISK = RealDisk()


def _live(path: Path) -> list[str]:
    """One agent digs a little; the digests after each tick, from 0 on."""
    with open_flat(DISK, path) as service:
        digests = [service.digest()]
        wishes: list[Task] = []
        for number in range(40):
            inputs: list[AnyInput] = [Join("Ann", "00" * 32)] if not number else []
            if number in (2, 20):
                x, y, z = service.world.agents[1].position
                depth = 1 if number == 2 else 2
                wishes = [actions.Mine(block_pos=(x, y - depth, z))]
                inputs.append(Acted(1, Act(tick=service.world.tick, tasks=wishes)))  # type: ignore[arg-type]
            service.tick(inputs).result()
            digests.append(service.digest())
        assert len(events(service.world.agents[1], "TASK_DONE")) == 2
    return digests


def _whole(path: Path) -> Box:
    with open_flat(DISK, path) as service:
        x, y, z = service.world.agents[1].position
    return Box.between((x - 2, y - 2, z - 2), (x + 2, y + 3, z + 2))


def test_a_rollback_is_an_input_like_any_other(tmp_path: Path) -> None:
    _live(tmp_path)
    box = _whole(tmp_path)
    told = rollback(DISK, tmp_path, box, 1, dry_run=True, make_world=create_flat_world)
    assert verify(DISK, tmp_path, make_world=create_flat_world).last_good_tick == 40, (
        "a dry run writes nothing"
    )
    done = rollback(DISK, tmp_path, box, 1, make_world=create_flat_world)
    assert done == told
    assert (done.cells, done.left, done.taken) == (2, [], {"A1": {"GRASS": 1, "DIRT": 1}})
    verdict = verify(DISK, tmp_path, make_world=create_flat_world)
    assert verdict.ok
    assert (verdict.last_good_tick, verdict.digest) == (41, done.digest)


def test_a_rollback_of_the_later_half_leaves_the_earlier(tmp_path: Path) -> None:
    _live(tmp_path)
    done = rollback(DISK, tmp_path, _whole(tmp_path), 19, make_world=create_flat_world)
    assert done.taken == {"A1": {"DIRT": 1}}


def test_audit_tells_who_and_why(tmp_path: Path) -> None:
    _live(tmp_path)
    changes: list[Change] = []
    audit(DISK, tmp_path, changes.append, make_world=create_flat_world)
    mined = [change for change in changes if change.reason == "MINE"]
    assert [(change.actor, change.what, change.before, change.after) for change in mined] == [
        ("A1", "block", "GRASS", "AIR"),
        ("A1", "block", "DIRT", "AIR"),
    ]
    later: list[Change] = []
    audit(
        DISK,
        tmp_path,
        later.append,
        since=mined[1].tick,
        until=mined[1].tick,
        make_world=create_flat_world,
    )
    assert later == mined[1:]
    position = mined[0].pos
    assert position is not None
    assert mined[0].is_near((position[0] + 3, position[1], position[2]), 3)
    assert not mined[0].is_near((position[0] + 4, position[1], position[2]), 3)
    assert mined[0].concerns("A1")
    assert not mined[0].concerns("A10")


@pytest.mark.parametrize(
    ("since", "corners", "refusal"),
    [
        (0, ((0, 1, 0), (1, 2, 1)), InvalidError),
        (99, ((0, 1, 0), (1, 2, 1)), IllegalError),
        (1, ((0, -1, 0), (1, 2, 1)), InvalidError),
        (1, ((0, 1, 0), (1, 64, 1)), InvalidError),
        (1, ((0, 0, 0), (99, 63, 99)), LimitError),
    ],
)
def test_what_is_refused_changes_nothing(
    tmp_path: Path,
    since: int,
    corners: tuple[tuple[int, int, int], tuple[int, int, int]],
    refusal: type[Exception],
) -> None:
    digests = _live(tmp_path)
    with pytest.raises(refusal):
        rollback(DISK, tmp_path, Box.between(*corners), since, make_world=create_flat_world)
    assert verify(DISK, tmp_path, make_world=create_flat_world).digest == digests[-1]


def test_there_must_be_a_world(tmp_path: Path) -> None:
    with pytest.raises(IllegalError, match="no world"):
        rollback(
            DISK,
            tmp_path / "none",
            Box.between((0, 1, 0), (1, 2, 1)),
            1,
            make_world=create_flat_world,
        )
    assert not (tmp_path / "none").exists()


def test_a_report_is_of_the_last_tick(tmp_path: Path) -> None:
    yard = Yard()
    told = yard.roll_back()
    done = report(yard.world, 1)
    assert (done.tick, done.cells, done.since) == (yard.world.tick, told["cells"], 1)
