"""The ground: a cache of what the seeds give, and a keeper of what was changed."""

from __future__ import annotations

import zlib
from collections import OrderedDict

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from thorp.kernel.errors import DamagedError
from thorp.voxel.state.ground import (
    CAPACITY_CHUNKS,
    CHUNK_CELLS,
    HEIGHT,
    MAX_CAPACITY_CHUNKS,
    Ground,
    capacity_for,
)

LIMIT = 40
CAPACITY = 6


class Striped:
    """A land that counts how often it is made."""

    def __init__(self) -> None:
        self.made: list[tuple[int, int]] = []

    def chunk(self, cx: int, cz: int) -> bytes:
        self.made.append((cx, cz))
        return bytes(
            [(cx * 7 + cz * 3 + layer) % 100 for layer in range(HEIGHT) for _ in range(256)]
        )

    def biome(self, x: int, z: int) -> str:
        return "DESERT"

    def of_season(self, season: int) -> Striped:
        return self


def striped(x: int, y: int, z: int) -> int:
    return ((x >> 4) * 7 + (z >> 4) * 3 + y) % 100


def ground(capacity: int = CAPACITY) -> Ground:
    return Ground(Striped(), LIMIT, capacity)


def renewed(used: Ground) -> Ground:
    """The same ground, made from what was exported."""
    fresh = ground()
    fresh.restore(used.export())
    return fresh


def test_reading_a_cell_makes_its_chunk_once() -> None:
    land = Striped()
    used = Ground(land, LIMIT)
    assert [used.block(-1, y, 17) for y in (0, 5, 63)] == [striped(-1, y, 17) for y in (0, 5, 63)]
    assert land.made == [(-1, 1)]
    assert used.cells[used.base(-1, 1) + (5 << 8 | 1 << 4 | 15)] == striped(-1, 5, 17)
    assert used.array[used.base(-1, 1) + (5 << 8 | 1 << 4 | 15)] == striped(-1, 5, 17)
    assert used.column(-1, 17) == bytes(striped(-1, y, 17) for y in range(HEIGHT))
    assert land.made == [(-1, 1)]
    assert used.biome(3, 4) == "DESERT"


def test_outside_there_is_air_and_nothing_is_made() -> None:
    land = Striped()
    used = Ground(land, LIMIT)
    for position in ((0, -1, 0), (0, HEIGHT, 0), (48, 5, 0), (0, 5, -49), (10**9, 5, -(10**9))):
        assert used.block(*position) == 0
        assert not used.inside(*position)
    assert used.look(3, 0) == used.look(-4, 0) == bytes(CHUNK_CELLS)
    assert used.base(3, 0) == used.base(0, -4) == 0
    assert land.made == []
    assert used.loaded == 0


@pytest.mark.parametrize("x", [LIMIT, -LIMIT])
def test_inside_ends_exactly_at_the_boundary(x: int) -> None:
    used = ground()
    assert used.inside(x, 0, x)
    assert used.inside(x, HEIGHT - 1, x)
    assert not used.inside(x + (1 if x > 0 else -1), 0, 0)
    used.put(x, 5, x, 9)
    assert used.block(x, 5, x) == 9


@pytest.mark.parametrize(
    "position", [(LIMIT + 1, 5, 0), (0, 5, -LIMIT - 1), (0, -1, 0), (0, HEIGHT, 0)]
)
def test_nothing_can_be_put_outside(position: tuple[int, int, int]) -> None:
    used = ground()
    with pytest.raises(AssertionError, match="outside"):
        used.put(*position, 1)
    assert used.changed == []


def test_a_change_is_seen_noted_and_hashed() -> None:
    used = ground()
    before = used.digest()
    used.put(3, 4, 5, 77)
    assert used.block(3, 4, 5) == 77
    assert used.changed == [(0, 0)]
    assert used.versions == {(0, 0): 1}
    assert used.digest() != before


def test_putting_what_is_there_already_is_no_change() -> None:
    used = ground()
    before = used.digest()
    used.put(3, 4, 5, striped(3, 4, 5))
    assert (used.versions, used.changed) == ({}, [])
    assert used.digest() == before


def test_looking_never_changes_the_digest() -> None:
    used = ground()
    used.put(0, 1, 0, 99)
    before = used.digest()
    for x in range(-LIMIT, LIMIT, 7):
        used.block(x, 9, -x)
        used.look(x >> 4, 0)
    used.keep(())
    assert used.digest() == before


def test_the_digest_tells_positions_and_chunks_apart() -> None:
    digests = set()
    for position in ((0, 1, 0), (1, 1, 0), (0, 2, 0), (16, 1, 0), (0, 1, 16)):
        used = ground()
        used.put(*position, 99)
        digests.add(used.digest())
    assert len(digests) == 5


def test_a_spectator_brings_nothing_into_use() -> None:
    land = Striped()
    used = Ground(land, LIMIT, CAPACITY)
    assert used.look(0, 0) == land.chunk(0, 0)
    assert used.loaded == 0
    assert not used.in_use(0, 0)
    used.put(1, 1, 1, 98)
    assert used.look(0, 0)[1 << 8 | 1 << 4 | 1] == 98
    used.keep(())
    assert used.look(0, 0)[1 << 8 | 1 << 4 | 1] == 98
    assert used.loaded == 0


def test_a_full_buffer_lets_the_oldest_go_and_says_so() -> None:
    used = ground()
    for cx in range(-3, 2):
        used.base(cx, 0)
    assert (used.loaded, used.evictions) == (CAPACITY - 1, 0)
    used.base(2, 0)
    assert used.evictions > 0
    assert used.loaded == CAPACITY - 1
    assert not used.in_use(-3, 0)
    assert used.in_use(2, 0)


def test_changes_outlive_eviction_and_change_again_after_it() -> None:
    used = ground()
    used.put(0, 1, 0, 99)
    used.keep(())
    assert used.loaded == 0
    assert used.block(0, 1, 0) == 99
    used.put(0, 1, 0, 98)
    used.keep(())
    assert used.block(0, 1, 0) == 98
    assert used.digest() == renewed(used).digest()


def test_the_empty_chunk_stays_empty() -> None:
    used = ground(capacity=3)
    for cx in range(-3, 3):
        for cz in range(-3, 3):
            used.base(cx, cz)
            if used.inside(cx * 16, 1, cz * 16):
                used.put(cx * 16, 1, cz * 16, 99)
    assert not any(used.cells[:CHUNK_CELLS])


def test_restored_ground_equals_the_one_it_was_exported_from() -> None:
    used = ground()
    for x in range(-LIMIT, LIMIT, 5):
        used.put(x, 7, -x, 101)
    used.keep(())
    used.put(1, 1, 1, 102)  # some packed, one not
    fresh = renewed(used)
    assert fresh.digest() == used.digest()
    assert fresh.changed == used.changed == sorted(used.changed)
    assert [fresh.look(*key) for key in used.changed] == [used.look(*key) for key in used.changed]
    assert fresh.export() == [(cx, cz, fresh._packed[cx, cz]) for cx, cz in fresh.changed]


def test_restoring_replaces_what_was_in_use() -> None:
    used, other = ground(), ground()
    used.put(0, 1, 0, 99)
    other.base(0, 0)
    other.put(0, 2, 0, 50)
    other.restore(used.export())
    assert (other.block(0, 1, 0), other.block(0, 2, 0)) == (99, striped(0, 2, 0))
    assert other.digest() == used.digest()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no chunk",
        zlib.compress(bytes(CHUNK_CELLS - 1)),
        zlib.compress(bytes(CHUNK_CELLS + 1)),
        zlib.compress(bytes(100 * CHUNK_CELLS)),
        zlib.compress(bytes(CHUNK_CELLS))[:-5],
    ],
)
def test_a_damaged_chunk_is_refused(data: bytes) -> None:
    with pytest.raises(DamagedError):
        ground().restore([(0, 0, data)])


cells = st.tuples(
    st.integers(-LIMIT, LIMIT), st.integers(0, HEIGHT - 1), st.integers(-LIMIT, LIMIT)
)


class GroundMachine(RuleBasedStateMachine):
    """Any order of changing, looking, letting go and restoring, beside a plain dictionary."""

    def __init__(self) -> None:
        super().__init__()
        self.ground = ground()
        self.model: dict[tuple[int, int, int], int] = OrderedDict()

    @rule(cell=cells, block=st.integers(0, 127))
    def put(self, cell: tuple[int, int, int], block: int) -> None:
        if self.model.get(cell, striped(*cell)) != block:
            self.model[cell] = block
        self.ground.put(*cell, block)

    @rule(cell=cells)
    def read(self, cell: tuple[int, int, int]) -> None:
        assert self.ground.block(*cell) == self.model.get(cell, striped(*cell))

    @rule(kept=st.sets(st.tuples(st.integers(-3, 2), st.integers(-3, 2))))
    def keep(self, kept: set[tuple[int, int]]) -> None:
        self.ground.keep(kept)
        assert self.ground.loaded <= len(kept)

    @rule()
    def restart(self) -> None:
        digest = self.ground.digest()
        self.ground = renewed(self.ground)
        assert self.ground.digest() == digest

    @rule()
    def compare_with_one_from_nothing(self) -> None:
        fresh = ground(capacity=40)
        for cell, block in self.model.items():
            fresh.put(*cell, block)
        for cx, cz in self.ground.changed:  # changed and changed back counts as changed
            if (cx, cz) not in fresh.changed:
                fresh.put(cx * 16 + 8, 0, cz * 16 + 8, 127)
                fresh.put(cx * 16 + 8, 0, cz * 16 + 8, striped(cx * 16, 0, cz * 16))
        assert self.ground.digest() == fresh.digest()
        for cell, block in self.model.items():
            assert self.ground.look(cell[0] >> 4, cell[2] >> 4)[index(*cell)] == block

    def teardown(self) -> None:
        self.compare_with_one_from_nothing()


def index(x: int, y: int, z: int) -> int:
    return y << 8 | (z & 15) << 4 | x & 15


TestGroundMachine = GroundMachine.TestCase
TestGroundMachine.settings = settings(max_examples=25, stateful_step_count=25)


def test_all_that_scattered_agents_see_fits_up_to_a_bound() -> None:
    assert capacity_for(1) == CAPACITY_CHUNKS
    for agents in (1_000, 5_000, 10_000):
        assert capacity_for(agents) > 9 * agents, (
            "else each tick makes chunks anew that the last one let go"
        )
    assert capacity_for(10**6) == MAX_CAPACITY_CHUNKS


def test_a_full_buffer_is_used_to_the_last_chunk_before_anything_goes() -> None:
    used = ground(capacity=9)
    bases = [used.base(cx, cz) for cx in range(-2, 2) for cz in (0, 1)]
    assert sorted(bases) == list(range(CHUNK_CELLS, 9 * CHUNK_CELLS, CHUNK_CELLS))
    assert used.evictions == 0
    used.base(2, 0)
    assert used.evictions == 2
