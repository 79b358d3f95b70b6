"""What was built, who uses it, and what that brings its builder."""

from __future__ import annotations

from math import log, sqrt

import pytest

from tests.voxel.flat import STAND
from tests.voxel.flat import events as events_of
from tests.voxel.society.civic import a_society, ask, move, newcomer, outcome, wait
from tests.voxel.working import check_books
from thorp.protocol import actions
from thorp.voxel.lookups.indexes import index_of
from thorp.voxel.society import structures
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import Structure
from thorp.voxel.state.world import World

WAIT = 40
ANCHOR = (4, STAND, 4)
KIT = {"PLANK": 200, "CRAFTING_BENCH": 9, "FURNACE": 9, "TORCH": 9, "STONE": 200}


def build(
    world: World,
    agent: Agent,
    blueprint_id: str = "road_segment",
    anchor: tuple[int, int, int] = ANCHOR,
) -> Structure:
    (new,) = built(world, agent, blueprint_id, anchor)
    return new


def built(
    world: World,
    agent: Agent,
    blueprint_id: str = "road_segment",
    anchor: tuple[int, int, int] = ANCHOR,
    rotation: int = 0,
) -> list[Structure]:
    """What is known since then."""
    before = {one.id for one in world.structures}
    wish = actions.BuildBlueprint(blueprint_id=blueprint_id, anchor=anchor, rotation=rotation)
    assert outcome(world, agent, wish) == "ok"
    return [one for one in world.structures if one.id not in before]


def creations(agent: Agent) -> list[object]:
    return [one["delta"] for one in events_of(agent, "FUN") if one["dim"] == "CREATION"]


def influences(agent: Agent) -> list[object]:
    return [one["delta"] for one in events_of(agent, "FUN") if one["dim"] == "INFLUENCE"]


def until_due(world: World, structure: Structure) -> None:
    wait(world, structure.due_tick - world.tick)


def a_site(**tuning: int) -> World:
    return a_society(structure_survival_ticks=WAIT, **tuning)


def test_what_lasts_is_a_creation_when_it_is_due_and_not_before() -> None:
    world = a_site()
    agent = newcomer(world, **KIT)
    structure = build(world, agent)
    assert structure.due_tick == world.tick + WAIT - (world.tick - structure.completed_tick)
    wait(world, structure.due_tick - world.tick - 1)
    assert creations(agent) == []
    wait(world)
    assert creations(agent) == [9]
    assert structure.awarded
    wait(world, 3 * WAIT)
    assert creations(agent) == [9]


@pytest.mark.parametrize(
    ("blueprint_id", "height", "points"),
    [
        ("road_segment", 0, 9),
        ("road_segment", 5, 6),
        ("stone_wall_segment", 0, 9),
        ("hut_small", 0, 9),
        ("workshop_pad", 0, 15),
    ],
)
def test_what_structures_are_worth(blueprint_id: str, height: int, points: int) -> None:
    world = a_site()
    agent = newcomer(world, **KIT)
    structure = build(world, agent, blueprint_id, (4, STAND + height, 4))
    until_due(world, structure)
    assert creations(agent) == [points]


def test_what_was_damaged_is_forgotten() -> None:
    world = a_site()
    agent = newcomer(world, **KIT)
    structure = build(world, agent)
    world.ground.put(*ANCHOR, 0)
    until_due(world, structure)
    assert creations(agent) == []
    assert list(world.structures) == []


def test_the_second_one_in_a_window_is_worth_less() -> None:
    world = a_site()
    agent = newcomer(world, **KIT)
    build(world, agent)
    last = build(world, agent, anchor=(4, STAND, 8))
    until_due(world, last)
    assert creations(agent) == [9, 6]


# What is new


def test_the_same_cells_turned_round_are_nothing_new() -> None:
    world = a_site()
    agent = newcomer(world, **KIT)
    first = build(world, agent)
    world.ground.put(4, STAND, 5, 0)
    assert built(world, agent, anchor=(4, STAND, 8), rotation=2) == []
    until_due(world, first)
    assert creations(agent) == [9]


@pytest.mark.parametrize("by", range(-6, 7))
@pytest.mark.parametrize("x", [4, 15])
def test_a_structure_is_new_if_half_of_it_is(by: int, x: int) -> None:
    """The known one is in one chunk, the other one may begin in the next."""
    world = a_site()
    agent, other = newcomer(world, x - 2, 15, **KIT), newcomer(world, x + 2, 17, **KIT)
    build(world, agent, anchor=(x, STAND, 16))
    world.ground.put(x, STAND, 18, 0)
    again = built(world, other, anchor=(x, STAND, 16 + by))
    shared = max(0, 5 - abs(by))
    assert bool(again) is (shared <= 2)


def test_half_of_it_is_not_more_than_half() -> None:
    world = a_site()
    agent = newcomer(world, **KIT)
    build(world, agent, "stone_wall_segment")
    assert built(world, agent, "stone_wall_segment", (4, STAND + 1, 4))
    assert not built(world, agent, "stone_wall_segment", (4, STAND + 1, 5))


def test_structures_beside_and_upon_each_other_are_all_new() -> None:
    world = a_site()
    agent = newcomer(world, **KIT)
    for place in (ANCHOR, (5, STAND, 4), (3, STAND, 4), (4, STAND + 1, 4), (4, STAND, 9)):
        assert build(world, agent, anchor=place).anchor == place
    build(world, agent, "hut_small", (6, STAND, 6))


def test_boxes_may_overlap_where_no_cell_does() -> None:
    world = a_site()
    agent = newcomer(world, **KIT)
    cells = [(4, STAND, 4), (4, STAND, 12)]
    assert structures.register(
        world, agent, blueprint_id="road_segment", anchor=ANCHOR, rotation=0, cells=cells
    )
    inside = [(4, STAND, z) for z in (9, 10, 11)]
    assert structures.register(
        world, agent, blueprint_id="road_segment", anchor=(4, STAND, 9), rotation=0, cells=inside
    )


def test_several_known_ones_add_up_whoever_built_them() -> None:
    world = a_site()
    one, other, third = (newcomer(world, 0, z, **KIT) for z in (4, 6, 8))
    build(world, one)
    build(world, other, anchor=(4, STAND, 10))
    assert built(world, third, anchor=(4, STAND, 7)) == [], "two cells of each"
    assert len(world.structures) == 2


def test_a_road_that_creeps_counts_only_where_it_gets_ahead() -> None:
    world = a_site(fun_decay_window_ticks=1)
    agent = newcomer(world, **KIT)
    new = [bool(built(world, agent, anchor=(4, STAND, 4 + step))) for step in range(7)]
    assert new == [True, False, False, True, False, False, True]


def test_what_was_begun_before_is_new_when_it_is_finished() -> None:
    world = a_site()
    agent = newcomer(world, **KIT)
    plank = world.catalogs.block_number["PLANK"]
    for z in (4, 5, 6, 7):
        world.ground.put(4, STAND, z, plank)
    assert built(world, agent)


def test_what_was_forgotten_may_be_built_again() -> None:
    world = a_site()
    agent = newcomer(world, **KIT)
    first = build(world, agent)
    world.ground.put(*ANCHOR, 0)
    assert built(world, agent, anchor=(4, STAND, 3)) == [], "it is not forgotten yet"
    world.ground.put(*ANCHOR, 0)
    until_due(world, first)
    assert not world.structures
    assert built(world, agent)


def test_what_is_nothing_new_makes_nobody_forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structures, "MAX_STRUCTURES", 1)
    world = a_site()
    agent = newcomer(world, **KIT)
    first = build(world, agent)
    assert built(world, agent, anchor=(4, STAND, 5)) == []
    assert list(world.structures) == [first]


# Use


@pytest.mark.parametrize(
    ("place", "used"),
    [
        ((4, STAND + 1, 4), True),
        ((4, STAND, 4), True),
        ((4, STAND + 2, 4), False),
        ((3, STAND, 4), False),
        ((4, STAND - 1, 4), False),
    ],
)
def test_one_uses_what_one_is_in_or_on(place: tuple[int, int, int], used: bool) -> None:
    world = a_site()
    builder, guest = newcomer(world, **KIT), newcomer(world, 20)
    structure = build(world, builder)
    world.relocate(guest, place)
    structures.record_use(world, guest)
    assert (guest.id in structure.users) is used


def test_walking_over_a_road_uses_it() -> None:
    world = a_site()
    builder, guest = newcomer(world, **KIT), newcomer(world, 4, 0)
    structure = build(world, builder, anchor=(4, STAND, 2))
    ask(world, guest, move((4, STAND, 12)))
    wait(world, 15)
    assert list(structure.users) == [guest.id]
    ask(world, builder, move((4, STAND, 12)))
    wait(world, 15)
    assert list(structure.users) == [guest.id], "its builder is no user"


def test_users_make_a_creation_worth_more_up_to_a_limit() -> None:
    world = a_site()
    builder = newcomer(world, **KIT)
    structure = build(world, builder)
    base = structures.points_for(world, structure)
    for number in range(1, 9):
        guest = newcomer(world, *ANCHOR[::2])
        world.relocate(guest, (4, STAND + 1, 4))
        structures.record_use(world, guest)
        assert structures.points_for(world, structure) == base + min(10, 2 * number)


def test_a_day_of_use_is_influence_and_then_another_day_is_needed() -> None:
    world = a_site(day_ticks=100)
    builder, guest = newcomer(world, **KIT), newcomer(world, 20)
    structure = build(world, builder)
    world.relocate(guest, (4, STAND + 1, 4))
    structures.record_use(world, guest)
    world.relocate(guest, (20, STAND, 0))
    wait(world, 100 - world.tick)
    assert influences(builder) == []
    wait(world, 1)
    assert influences(builder) == [3], "A1 has its turn one tick after midnight"
    wait(world, 100)
    assert influences(builder) == [3], "nobody was there since"
    assert structure.users == {}


def test_who_just_stays_there_uses_it_every_day() -> None:
    world = a_site(day_ticks=100, fun_decay_window_ticks=1)
    builder, guest = newcomer(world, **KIT), newcomer(world, 20)
    build(world, builder)
    world.relocate(guest, (4, STAND + 1, 4))
    structures.record_use(world, guest)
    wait(world, 301 - world.tick)
    assert influences(builder) == [3, 3, 3]


@pytest.mark.parametrize("turns", [1, 3, 1000])
def test_every_builder_is_thanked_once_a_day(turns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However few or many ticks it is spread over, also if a day has fewer."""
    monkeypatch.setattr(structures, "INFLUENCE_TICKS", turns)
    world = a_society(structure_survival_ticks=1_000, day_ticks=100)
    people = [newcomer(world, 6 * number, **KIT) for number in range(5)]
    thanked: list[str] = []
    monkeypatch.setattr(
        structures, "_award_influence", lambda world, structure: thanked.append(structure.builder)
    )
    for number, builder in enumerate(people):
        cells = [(6 * number, STAND, 0)]
        structures.register(
            world, builder, blueprint_id="hut_small", anchor=cells[0], rotation=0, cells=cells
        )
    for structure in world.structures:
        structure.users = {"A9": 1}
    wait(world, 100 - 1 - world.tick)
    assert not thanked, "the first day is not over"
    wait(world, 100)
    assert sorted(thanked) == [one.id for one in people]


def test_what_does_not_stand_has_no_influence() -> None:
    world = a_site(day_ticks=100)
    builder, guest = newcomer(world, **KIT), newcomer(world, 20)
    structure = build(world, builder)
    world.relocate(guest, (4, STAND + 1, 4))
    structures.record_use(world, guest)
    world.ground.put(*ANCHOR, 0)
    wait(world, 101 - world.tick)
    assert influences(builder) == []
    assert structure.id not in world.structures


def test_a_use_is_noted_seldom_and_by_few() -> None:
    world = a_site()
    builder = newcomer(world, **KIT)
    structure = build(world, builder)
    crowd = [newcomer(world, 4, 4) for _ in range(structures.MAX_USERS + 5)]
    for guest in crowd:
        structures.record_use(world, guest)
    assert len(structure.users) == structures.MAX_USERS
    first = structure.users[crowd[0].id]
    world.tick += world.tuning.day_ticks // structures.NOTES_A_DAY - 1
    structures.record_use(world, crowd[0])
    assert structure.users[crowd[0].id] == first
    world.tick += 1
    structures.record_use(world, crowd[0])
    assert structure.users[crowd[0].id] == world.tick
    world.tick += world.tuning.day_ticks
    structures.record_use(world, crowd[-1])
    assert list(structure.users) == [crowd[-1].id], "who was not there for a day makes room"


def test_a_builder_is_known_for_so_many() -> None:
    world = a_site()
    builder = newcomer(world, **KIT)
    for number in range(structures.MAX_STRUCTURES + 3):
        cells = [(number * 4, STAND, 50)]
        assert structures.register(
            world, builder, blueprint_id="road_segment", anchor=cells[0], rotation=0, cells=cells
        )
        world.tick += 1
    assert len(world.structures) == structures.MAX_STRUCTURES
    assert "road_segment@0,23,50/0" not in world.structures
    newest = max(world.structures, key=lambda one: one.completed_tick)
    oldest = min(world.structures, key=lambda one: one.completed_tick)
    newest.awarded = True
    structures.register(
        world,
        builder,
        blueprint_id="road_segment",
        anchor=(0, STAND, 60),
        rotation=0,
        cells=[(0, STAND, 60)],
    )
    assert oldest.id in world.structures, "one that had its award goes first"
    assert newest.id not in world.structures


def test_the_index_is_what_would_be_made_from_nothing() -> None:
    world = a_site()
    builder = newcomer(world, **KIT)
    first = build(world, builder, "hut_small", (14, STAND, 14))
    until_due(world, first)
    build(world, builder)
    kept, made = index_of(world), index_of(check_books(world))
    assert kept.structures.keys() == made.structures.keys()
    assert kept.structures_of == made.structures_of
    assert kept.structures_due == made.structures_due
    for structure in list(world.structures):
        structures.forget(world, structure)
    assert (kept.structures, kept.structures_of, kept.structures_due) == ({}, {}, {})


# Numbers


@pytest.mark.parametrize("kinds", range(1, 129))
def test_variety_is_twice_the_logarithm(kinds: int) -> None:
    assert structures.variety(kinds) == round(2 * log(1 + kinds))


@pytest.mark.parametrize("users", range(41))
def test_influence_is_thrice_the_root(users: int) -> None:
    assert structures.influence(users) == round(min(15, 3 * sqrt(users)))
