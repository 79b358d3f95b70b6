"""Tables: in key order, found by place, and with digests that miss no change."""

from __future__ import annotations

from operator import attrgetter

import msgspec
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from thorp.voxel.state.table import Placed, Scattered, Table


class Thing(msgspec.Struct):
    number: int
    position: tuple[int, int, int] = (0, 0, 0)
    word: str = ""


def table(*things: Thing) -> Table[int, Thing]:
    made: Table[int, Thing] = Table(attrgetter("number"))
    for thing in things:
        made.put(thing)
    return made


def placed(*things: Thing) -> Placed[int, Thing]:
    made: Placed[int, Thing] = Placed(attrgetter("number"))
    for thing in things:
        made.put(thing)
    return made


def scattered(*things: Thing) -> Scattered[int, Thing]:
    made: Scattered[int, Thing] = Scattered(attrgetter("number"))
    for thing in things:
        made.put(thing)
    return made


def numbers(things: list[Thing]) -> list[int]:
    return [thing.number for thing in things]


def test_things_come_in_key_order_whatever_the_order_they_came_in() -> None:
    made = table(Thing(5), Thing(-1), Thing(3))
    assert numbers(list(made)) == [-1, 3, 5]
    assert len(made) == 3
    assert 3 in made
    assert 4 not in made
    assert made[5].number == 5
    assert made.get(4) is None


def test_a_key_holds_one_thing() -> None:
    made = table(Thing(1, word="old"), Thing(1, word="new"))
    assert [thing.word for thing in made] == ["new"]


def test_removing_gives_the_thing_back_once() -> None:
    made = table(Thing(1), Thing(2))
    assert made.remove(1).number == 1
    assert numbers(list(made)) == [2]
    with pytest.raises(KeyError):
        made.remove(1)
    assert numbers(list(made)) == [2]


def test_a_walk_is_not_disturbed_by_what_it_changes() -> None:
    made = table(Thing(1), Thing(2), Thing(3))
    seen = []
    for thing in made:
        seen.append(thing.number)
        if thing.number == 2:
            made.remove(2)
            made.put(Thing(7))
    assert seen == [1, 2, 3]
    assert numbers(list(made)) == [1, 3, 7]


def test_the_digest_depends_on_content_alone() -> None:
    assert table(Thing(1), Thing(2)).digest() == table(Thing(2), Thing(1)).digest()
    emptied = table(Thing(1))
    emptied.digest()
    emptied.remove(1)
    assert emptied.digest() == table().digest() != table(Thing(1)).digest()


def test_a_change_in_place_counts_when_it_is_told() -> None:
    made = table(Thing(1), Thing(2))
    before = made.digest()
    made[1].word = "changed"
    assert made.digest() == before
    made.touch(1)
    assert made.digest() == table(Thing(1, word="changed"), Thing(2)).digest() != before
    made[2].word = "too"
    made.touch_all()
    assert made.digest() == table(Thing(1, word="changed"), Thing(2, word="too")).digest()


def test_touching_what_is_gone_does_no_harm() -> None:
    made = table(Thing(1), Thing(2))
    made.remove(1)
    made.touch(1)
    assert made.digest() == table(Thing(2)).digest()


def test_things_are_found_by_chunk_cell_and_neighbourhood() -> None:
    made = scattered(
        Thing(3, (1, 5, 1)), Thing(1, (15, 5, 15)), Thing(2, (16, 5, 0)), Thing(4, (-1, 5, -1))
    )
    assert numbers(made.in_chunk(0, 0)) == [1, 3]
    assert numbers(made.in_chunk(1, 0)) == [2]
    assert numbers(made.in_chunk(5, 5)) == []
    assert numbers(made.at((1, 5, 1))) == [3]
    assert numbers(made.at((1, 6, 1))) == []
    assert sorted(numbers(made.near(8, 8, 8))) == [1, 2, 3]
    assert sorted(numbers(made.near(0, 0, 1))) == [1, 3, 4]


def test_a_thing_that_moved_is_found_where_it_is() -> None:
    made = scattered(Thing(1, (0, 0, 0)), Thing(2, (1, 0, 0)))
    before = made.digest()
    for to in ((5, 0, 0), (40, 0, -3)):
        old = made[1].position
        made[1].position = to
        made.moved(1, old)
        assert numbers(made.at(to)) == [1]
        assert numbers(made.at(old)) == []
    assert numbers(made.in_chunk(0, 0)) == [2]
    assert made.digest() != before


def test_replacing_moves_too() -> None:
    made = placed(Thing(1, (0, 0, 0)))
    made.put(Thing(1, (100, 0, 0)))
    assert made.in_chunk(0, 0) == []
    assert numbers(made.in_chunk(6, 0)) == [1]
    made.remove(1)
    assert made.near(0, 0, 200) == []


KEYS = st.integers(0, 12)
CELLS = st.tuples(st.integers(-20, 20), st.integers(0, 3), st.integers(-20, 20))


class TableMachine(RuleBasedStateMachine):
    """Any order of operations beside a plain dictionary; the digest is compared with one from
    nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.table = placed()
        self.model: dict[int, Thing] = {}

    @rule(key=KEYS, cell=CELLS)
    def put(self, key: int, cell: tuple[int, int, int]) -> None:
        self.model[key] = self.table.put(Thing(key, cell))

    @precondition(lambda self: self.model)
    @rule(pick=st.integers(0, 100))
    def remove(self, pick: int) -> None:
        key = sorted(self.model)[pick % len(self.model)]
        assert self.table.remove(key) is self.model.pop(key)

    @precondition(lambda self: self.model)
    @rule(pick=st.integers(0, 100), cell=CELLS)
    def move(self, pick: int, cell: tuple[int, int, int]) -> None:
        thing = self.model[sorted(self.model)[pick % len(self.model)]]
        before, thing.position = thing.position, cell
        self.table.moved(thing.number, before)

    @precondition(lambda self: self.model)
    @rule(pick=st.integers(0, 100), word=st.text(max_size=3))
    def change(self, pick: int, word: str) -> None:
        thing = self.model[sorted(self.model)[pick % len(self.model)]]
        thing.word = word
        self.table.touch(thing.number)

    @rule()
    def hash(self) -> None:
        self.table.digest()

    @invariant()
    def equals_the_model(self) -> None:
        assert numbers(list(self.table)) == sorted(self.model)
        fresh = placed(*self.model.values())
        assert self.table.digest() == fresh.digest()
        for cx in range(-2, 2):
            for cz in range(-2, 2):
                inside = [
                    key
                    for key, thing in sorted(self.model.items())
                    if (thing.position[0] >> 4, thing.position[2] >> 4) == (cx, cz)
                ]
                assert numbers(self.table.in_chunk(cx, cz)) == inside


class ScatteredMachine(TableMachine):
    """The same for things that are also found by their cell."""

    def __init__(self) -> None:
        super().__init__()
        self.scattered = self.table = scattered()

    @invariant()
    def knows_every_cell(self) -> None:
        cells: dict[tuple[int, int, int], list[int]] = {}
        for key, thing in sorted(self.model.items()):
            cells.setdefault(thing.position, []).append(key)
        assert {cell: numbers(self.scattered.at(cell)) for cell in cells} == cells
        assert all(self.scattered.any_at(cell) for cell in cells)
        assert len(self.scattered._cells) == len(cells), "an empty cell is forgotten"

    @rule()
    def clear(self) -> None:
        self.scattered.clear()
        self.model.clear()


MACHINE = settings(max_examples=40, stateful_step_count=25)
TestTableMachine = TableMachine.TestCase
TestTableMachine.settings = MACHINE
TestScatteredMachine = ScatteredMachine.TestCase
TestScatteredMachine.settings = MACHINE
