"""Options, notes and prompts: what follows from observations as the wire has them is what the world
itself would say."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import pytest

from thorp.bridges.voxel_match import LEAST_TURN_TICKS, VoxelSurvival
from thorp.env import World
from thorp.env.choices import COMPASS, default_choices
from thorp.kernel.errors import InvalidError, UnknownError
from thorp.language.answers import read_answer
from thorp.language.tools import read_call
from thorp.mind import LETTERS, RULES, Menu, Notes, Sight, describe
from thorp.mind.options import SOUGHT
from thorp.mind.prompt import MAX_MARKS, MAX_NEAR, _marks
from thorp.voxel import default_catalogs
from thorp.voxel.achievements import ACHIEVEMENTS

STATES = 1_000
BUSY_TICKS = 50
PALETTE = [block.id for block in default_catalogs().blocks]
TECH = {each.id for each in ACHIEVEMENTS if each.group == "tech"}
# A model that chooses at random hardly gets a pocket: these states have one from the beginning.
RICH = {
    "starter_items": {
        "BERRIES": 3, "LOG": 20, "PLANK": 30, "STICK": 10, "STONE": 30, "COAL": 9,
        "IRON_ORE": 4, "COPPER_ORE": 4, "CRAFTING_BENCH": 1, "FURNACE": 1, "SEEDS": 3,
    }
}  # fmt: skip
NOT_NOTED = {"place_stone"}
"""What `block_…` puts down is not said by the option's name, and the shipped adapter was tuned with
notes that pass over it; `place_stone` by its own name is noted."""
STATE_MARKS = 24
"""The line with hour, height, food, health and heading, and the names of the lines that are cut."""


class Moment(NamedTuple):
    """One state of a game that is played by chance among the options."""

    world: World
    body: str
    sight: Sight
    notes: Notes
    menu: Menu


def wired(obs: dict[str, Any]) -> Any:
    """An observation as it is after its way over the wire."""
    return msgspec.json.decode(msgspec.json.encode(obs))


def moments(seed: int, tuning: dict[str, Any], most: int) -> Iterator[Moment]:
    """A game that is played at random."""
    source = random.Random(seed)
    world = World(seed, 1, tuning, busy_ticks=BUSY_TICKS, least_ticks=LEAST_TURN_TICKS)
    ((body, obs),) = world.reset().items()
    sight = Sight(PALETTE)
    notes = Notes()
    for _ in range(most):
        sight.take(wired(obs))
        notes.take(sight)
        menu = Menu(sight)
        yield Moment(world, body, sight, notes, menu)
        option = source.choice(menu.options)
        notes.took(option, menu)
        obs = world.step({body: menu.act(option)})[body]


def mines_nearest(sight: Sight, kind: str) -> bool:
    try:
        read_call("mine_nearest", {"block": kind}, sight)
    except InvalidError:
        return False
    return True


def test_options_over_the_wire_are_those_that_the_world_has() -> None:
    names = default_choices().names
    compared = busy = crowded = 0
    for seed in range(1, 11):
        tuning = RICH if seed % 2 else dict(VoxelSurvival.tuning)
        for moment in moments(seed, tuning, STATES // 10):
            world, body, sight, notes, menu = moment
            assert len(set(menu.letters)) == len(menu) <= len(LETTERS)
            offered = {option.name for option in menu.options}
            if sight.is_busy:
                busy += 1
                assert offered == {"wait"}
                continue
            compared += 1
            possible = {names[number] for number in world.possible(body)}
            further = {f"walk_{side}" for side in COMPASS}
            further |= {
                f"mine_nearest_{kind.lower()}" for kind in SOUGHT if mines_nearest(sight, kind)
            }
            if len(possible | further) > len(LETTERS):
                crowded += 1
                assert len(menu) == len(LETTERS)
                assert offered <= possible | further
            else:
                assert offered == possible | further
            achieved = {name for name, count in world.infos[body]["achievements"].items() if count}
            assert (achieved & TECH) - notes.achieved <= NOT_NOTED
            assert notes.achieved <= achieved
            told = describe(sight, notes, menu)
            assert _marks(told) <= MAX_MARKS + STATE_MARKS, told
            assert told.count(",") < MAX_NEAR
            assert told.isascii()
    assert compared > STATES / 2
    assert busy
    assert crowded < STATES / 10


def test_every_option_is_part_of_an_act() -> None:
    for moment in moments(3, RICH, 12):
        for option in moment.menu.options:
            part = moment.menu.act(option)
            assert bool(part) == (option.name != "wait")
            read = read_answer(wired(part), moment.sight)
            assert {name: sent for name, sent in read.items() if sent} == wired(part)


def test_letters_that_are_fixed_never_change() -> None:
    seen: dict[str, set[str]] = {}
    for moment in moments(5, RICH, 60):
        for option in moment.menu.options:
            if option.is_fixed:
                seen.setdefault(option.name, set()).add(option.letter)
    assert len(seen) > 20
    assert all(len(letters) == 1 for letters in seen.values())


def test_a_letter_that_is_not_offered_is_refused() -> None:
    (moment,) = moments(1, RICH, 1)
    spare = next(letter for letter in LETTERS if letter not in moment.menu.letters)
    for letter in (spare, "", "ab", "1"):
        with pytest.raises(UnknownError, match="no option has the letter"):
            moment.menu.option(letter)


def test_a_sight_refuses_what_is_no_observation() -> None:
    with pytest.raises(InvalidError, match="no OBS"):
        Sight(PALETTE).take({"tick": "soon"})


def test_the_same_game_is_told_in_the_same_words() -> None:
    """The prefix cache and recordings need it: no set's order may show."""
    told = [
        [describe(each.sight, each.notes, each.menu) for each in moments(4, RICH, 25)]
        for _ in range(2)
    ]
    assert told[0] == told[1]
    assert RULES.isascii()
