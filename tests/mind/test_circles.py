"""Options that lead around are told as tried, then not offered: a bench that is put down and taken
up again is no progress, although the pocket has changed twice."""

from __future__ import annotations

from typing import Any

from tests.mind.test_options import PALETTE, RICH, wired
from thorp.bridges.voxel_chooser import VoxelChooser
from thorp.bridges.voxel_match import LEAST_TURN_TICKS
from thorp.env import World
from thorp.mind.circles import OFTEN, RECALLED, Circles, State
from thorp.protocol.obs import Position

HERE: Position = (0, 5, 0)
THERE: Position = (1, 5, 0)
PLACE = "place_crafting_bench"
TAKE_UP = "mine_feet_north"
WOOD = {"PLANK": 4, "STICK": 2}
BENCH = {**WOOD, "CRAFTING_BENCH": 1}


def state(pocket: dict[str, int], position: Position = HERE) -> State:
    return State.of(position, pocket)


def place_in_vain(circles: Circles, position: Position = HERE) -> None:
    circles.note(PLACE, state(BENCH, position), state(WOOD, position))
    circles.note(TAKE_UP, state(WOOD, position), state(BENCH, position))


def test_a_bench_that_was_placed_in_vain_stays_in_the_pocket() -> None:
    circles = Circles()
    assert circles.led_around(state(BENCH)) == ()
    place_in_vain(circles)
    for position in (HERE, THERE):
        assert PLACE in circles.led_around(state(BENCH, position))
        assert PLACE in circles.in_vain(state(BENCH, position))
    more = {**BENCH, "DIRT": 9}  # At a bench it is of no use.
    assert PLACE in circles.in_vain(state(more))


def test_until_something_can_be_made_at_it() -> None:
    circles = Circles()
    place_in_vain(circles)
    stones = {**BENCH, "STONE": 3}  # With two sticks, that is a pickaxe.
    assert PLACE not in circles.led_around(state(stones))
    place_in_vain(circles)
    assert PLACE not in circles.in_vain(state(stones))


def test_a_bench_at_which_something_was_made_was_of_use() -> None:
    circles = Circles()
    circles.note(PLACE, state(BENCH), state(WOOD))
    made = {"PLANK": 1, "WOOD_PICKAXE": 1}
    circles.note("craft_wood_pickaxe", state(WOOD), state(made))
    after = {**made, "CRAFTING_BENCH": 1}
    circles.note(TAKE_UP, state(made), state(after))
    assert circles.led_around(state(after)) == ()
    assert circles.in_vain(state(after)) == frozenset()


def test_a_state_that_comes_again_is_no_progress() -> None:
    """Dirt that is put down and dug up again."""
    circles = Circles()
    full = {"DIRT": 1}
    for count in range(1, OFTEN + 1):
        circles.note("block_east", state(full), state({}))
        circles.note("mine_low_east", state({}), state(full))
        assert circles.led_around(state(full)) == ("block_east",)
        assert circles.led_around(state({})) == ("mine_low_east",)
        assert circles.led_around(state(full, THERE)) == ()
        assert (circles.in_vain(state(full)) == {"block_east"}) == (count == OFTEN)


def test_what_was_long_ago_is_forgotten() -> None:
    circles = Circles()
    for _ in range(OFTEN):
        circles.note("block_east", state({"DIRT": 1}), state({}))
    for height in range(RECALLED):
        assert circles.led_around(state({"DIRT": 1})) == ("block_east",)
        circles.note("mine_down", state({}, (9, height, 9)), state({}, (9, height - 1, 9)))
    assert circles.led_around(state({"DIRT": 1})) == ()


def test_leaves_that_give_nothing_are_no_circle() -> None:
    """The same place and pocket after mining: the next leaf may have a sapling."""
    circles = Circles()
    for _ in range(9):
        circles.note("mine_nearest_leaves", state({}), state({}))
    assert circles.in_vain(state({})) == frozenset()


def follow(chooser: VoxelChooser, wishes: list[str], turns: int) -> list[str]:
    """Play by the first wish that is offered each turn; what was taken."""
    world = World(11, 1, RICH, busy_ticks=50, least_ticks=LEAST_TURN_TICKS)
    ((body, obs),) = world.reset().items()
    taken: list[str] = []
    for _ in range(turns):
        chooser.take({**wired(obs), "palette": PALETTE} if not taken else wired(obs))
        options = {option.name: option for option in chooser._now()[1].options}
        offered = [name for name, option in options.items() if option.letter in chooser.letters]
        name = next((name for name in wishes if name in offered), "wait")
        assert chooser.letters
        taken.append(name)
        act: Any = chooser.choose(options[name].letter)
        obs = world.step({body: act})[body]
    return taken


def test_a_mind_that_loves_its_bench_puts_it_down_once() -> None:
    """With the true world: where it went on for a hundred turns before."""
    mining = [
        f"mine_{level}_{side}"
        for side in ("north", "east", "south", "west")
        for level in ("feet", "head")
    ]
    taken = follow(VoxelChooser(), [PLACE, *mining, "walk_north"], 40)
    assert 1 <= taken.count(PLACE) <= OFTEN
    assert len(taken) == 40


def test_what_leads_around_is_told_before_it_is_left_out() -> None:
    chooser = VoxelChooser()
    world = World(11, 1, RICH, busy_ticks=50, least_ticks=LEAST_TURN_TICKS)
    ((body, obs),) = world.reset().items()
    chooser.take({**wired(obs), "palette": PALETTE})
    menu = chooser._now()[1]
    option = menu.named(PLACE)
    assert option is not None
    assert option.letter in chooser.letters
    obs = world.step({body: chooser.choose(option.letter)})[body]
    chooser.take(wired(obs))
    back = next(
        each
        for each in chooser._now()[1].options
        if each.name.startswith(("mine_feet", "mine_head", "mine_low"))
        and _digs_bench(each.name, obs)
    )
    obs = world.step({body: chooser.choose(back.letter)})[body]
    chooser.take(wired(obs))
    tried = next(line for line in chooser.prompt().splitlines() if line.startswith("tried: "))
    again = chooser._now()[1].named(PLACE)
    assert again is not None, "it is legal still"
    assert again.letter in tried.split()
    assert again.letter not in chooser.letters


def _digs_bench(name: str, obs: dict[str, Any]) -> bool:
    from thorp.mind import Sight

    sight = Sight(PALETTE)
    sight.take(wired(obs))
    (bench,) = list(sight.find_all("CRAFTING_BENCH"))[:1]
    x, y, z = sight.position
    sides = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
    level, side = name.split("_")[1:]
    dx, dz = sides[side]
    return bench == (x + dx, y + {"low": -1, "feet": 0, "head": 1}[level], z + dz)
