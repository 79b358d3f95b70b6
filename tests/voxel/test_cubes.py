"""Cubes: gathered, packed and compared as a plain reading of the wire format says."""

from __future__ import annotations

from base64 import b64decode

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from thorp.voxel.lookups.cubes import MAX_OPS, Cubes, delta_ops, gather, rle_texts
from thorp.voxel.state.ground import CHUNK_CELLS, Ground, Position

LIMIT = 70


class Noisy:
    """A land in which neighbouring cells seldom are alike."""

    def chunk(self, cx: int, cz: int) -> bytes:
        return bytes(
            (cell * 7 + cx * 31 + cz * 57 + (cell >> 6)) % 128 for cell in range(CHUNK_CELLS)
        )

    def biome(self, x: int, z: int) -> str:
        return "PLAINS"

    def of_season(self, season: int) -> Noisy:
        return self


class Bounded(Noisy):
    """The same, with nothing outside the boundary."""

    def chunk(self, cx: int, cz: int) -> bytes:
        blocks = bytearray(super().chunk(cx, cz))
        for cell in range(CHUNK_CELLS):
            x, z = cx * 16 + (cell & 15), cz * 16 + (cell >> 4 & 15)
            if max(abs(x), abs(z)) > LIMIT:
                blocks[cell] = 0
        return bytes(blocks)


@pytest.fixture(scope="module")
def ground() -> Ground:
    return Ground(Bounded(), LIMIT, capacity=128)


def naive_cube(ground: Ground, centre: Position, radius: int) -> bytes:
    x, y, z = centre
    span = range(-radius, radius + 1)
    return bytes(ground.block(x + dx, y + dy, z + dz) for dy in span for dz in span for dx in span)


def naive_rle(cube: bytes) -> bytes:
    packed = bytearray()
    start = 0
    while start < len(cube):
        end = start
        while end < len(cube) and cube[end] == cube[start]:
            end += 1
        packed += varint(cube[start]) + varint(end - start)
        start = end
    return bytes(packed)


def varint(value: int) -> bytes:
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def as_cubes(*rows: list[int]) -> Cubes:
    return np.array(rows, np.uint8)


coordinates = st.integers(-LIMIT - 40, LIMIT + 40)
positions = st.tuples(coordinates, st.integers(-12, 76), coordinates)


@given(centres=st.lists(positions, max_size=5), radius=st.sampled_from([1, 2, 7, 9]))
@settings(max_examples=40)
def test_gathered_cubes_are_what_one_cell_after_the_other_gives(
    ground: Ground, centres: list[Position], radius: int
) -> None:
    cubes = gather(ground, centres, radius)
    assert cubes.shape == (len(centres), (2 * radius + 1) ** 3)
    assert cubes.dtype == np.uint8
    assert [row.tobytes() for row in cubes] == [
        naive_cube(ground, centre, radius) for centre in centres
    ]


def test_a_cube_of_the_largest_radius_spans_many_chunks(ground: Ground) -> None:
    (cube,) = gather(ground, [(-11, 30, 25)], 32)
    assert cube.tobytes() == naive_cube(ground, (-11, 30, 25), 32)


def test_a_cube_far_outside_the_world_is_air(ground: Ground) -> None:
    loaded = ground.loaded
    assert not gather(ground, [(10**9, 20, -(10**9)), (0, 10**6, 0), (0, -(10**6), 0)], 7).any()
    assert ground.loaded <= loaded + 4


def test_gathering_looks_at_the_needed_chunks_only() -> None:
    ground = Ground(Noisy(), LIMIT)
    gather(ground, [(7, 20, 7)], 7)
    assert ground.loaded == 1
    gather(ground, [(8, 20, 8)], 7)
    assert ground.loaded == 1
    gather(ground, [(9, 20, 8)], 7)
    assert ground.loaded == 2


def test_gathering_sees_changes_and_outlives_evictions() -> None:
    """A buffer far too small for all agents: chunks come and go while cubes are gathered."""
    ground = Ground(Noisy(), LIMIT, capacity=6)
    centres = [(x, 20, z) for x in range(-60, 61, 12) for z in range(-60, 61, 40)]
    for x, y, z in centres:
        ground.put(x, y, z, 5)
    before = ground.evictions
    cubes = gather(ground, centres, 7)
    assert ground.evictions > before
    assert (cubes[:, cubes.shape[1] // 2] == 5).all()
    assert [row.tobytes() for row in cubes] == [naive_cube(ground, centre, 7) for centre in centres]


# RLE


@pytest.mark.parametrize(
    ("blocks", "text"),
    [
        ([1, 1, 1, 2, 2, 3, *[7] * 50, 9, 10, 10, 10], b"AQMCAgMBBzIJAQoD"),
        ([0] * 27, b"ABs="),
        ([0, 0, 0, 5, 5, 29, *[1] * 300], b"AAMFAh0BAawC"),
    ],
)
def test_golden_vectors(blocks: list[int], text: bytes) -> None:
    assert rle_texts(as_cubes(blocks)) == [text]
    assert rle_texts(as_cubes(blocks, blocks)) == [text, text]


@given(
    arrays.arrays(
        np.uint8,
        st.tuples(st.integers(1, 6), st.sampled_from([1, 27, 343])),
        elements=st.sampled_from([0, 1, 2, 127]),
        fill=st.sampled_from([0, 25]),
    )
)
def test_packed_cubes_are_what_a_plain_packer_gives(cubes: Cubes) -> None:
    assert [b64decode(text) for text in rle_texts(cubes)] == [
        naive_rle(row.tobytes()) for row in cubes
    ]


@pytest.mark.parametrize("length", [1, 127, 128, 16383, 16384, 65**3])
def test_runs_of_any_length_have_varints_of_their_size(length: int) -> None:
    uniform = np.full((2, length), 25, np.uint8)
    expected = naive_rle(uniform[0].tobytes())
    assert [b64decode(text) for text in rle_texts(uniform)] == [expected, expected]
    mixed = np.concatenate([uniform, np.zeros((2, 1), np.uint8), uniform], axis=1)
    assert b64decode(rle_texts(mixed)[0]) == expected + varint(0) + varint(1) + expected


def test_no_run_crosses_from_one_cube_to_the_next() -> None:
    same = as_cubes([3] * 27, [3] * 27, [4] * 27)
    assert rle_texts(same) == [b"Axs=", b"Axs=", b"BBs="]


def test_nobody_to_look_is_nothing_to_send() -> None:
    assert gather(Ground(Noisy(), LIMIT), [], 7).shape == (0, 3375)
    assert rle_texts(np.empty((0, 3375), np.uint8)) == []


# DELTA


def changed(cube: Cubes, *cells: int) -> Cubes:
    other = cube.copy()
    other[list(cells)] ^= 1
    return other


def test_the_ops_of_one_placed_plank() -> None:
    before = np.zeros(3375, np.uint8)
    after = before.copy()
    after[((3 + 7) * 15 + 7) * 15 + 1 + 7] = 21
    assert delta_ops(before, after, 7) == b'[{"d":[1,3,0],"b":21}]'


def test_ops_come_in_the_order_of_cells() -> None:
    before = np.zeros(27, np.uint8)
    assert delta_ops(before, changed(before, 26, 0), 1) == (
        b'[{"d":[-1,-1,-1],"b":1},{"d":[1,1,1],"b":1}]'
    )


@given(st.data(), st.sampled_from([1, 2, 3]))
def test_applied_ops_make_the_new_cube_of_the_old_one(data: st.DataObject, radius: int) -> None:
    cells = (2 * radius + 1) ** 3
    cube = arrays.arrays(np.uint8, cells, elements=st.integers(0, 127))
    before = data.draw(cube)
    differing = data.draw(st.dictionaries(st.integers(0, cells - 1), st.integers(0, 127)))
    after = before.copy()
    for cell, block in differing.items():
        after[cell] = block
    count = int((before != after).sum())
    ops = delta_ops(before, after, radius)
    assert (ops is not None) == (0 < count < min(cells // 2, MAX_OPS + 1))
    if ops is not None:
        width = 2 * radius + 1
        for op in msgspec.json.decode(ops):
            dx, dy, dz = op["d"]
            before[((dy + radius) * width + dz + radius) * width + dx + radius] = op["b"]
        assert (before == after).all()
        assert len(msgspec.json.decode(ops)) == count


def test_when_the_whole_cube_must_be_sent() -> None:
    small, large = np.zeros(27, np.uint8), np.zeros(3375, np.uint8)
    assert delta_ops(large, large.copy(), 7) is None
    assert delta_ops(small, changed(small, *range(12)), 1) is not None
    assert delta_ops(small, changed(small, *range(13)), 1) is None
    assert delta_ops(large, changed(large, *range(MAX_OPS)), 7) is not None
    assert delta_ops(large, changed(large, *range(MAX_OPS + 1)), 7) is None


def test_looking_changes_nothing(ground: Ground) -> None:
    before = ground.digest(), ground.changed.copy()
    cubes = gather(ground, [(0, 20, 0)], 7)
    kept = cubes.copy()
    rle_texts(cubes)
    delta_ops(cubes[0], changed(cubes[0], 5), 7)
    assert (cubes == kept).all()
    assert (ground.digest(), ground.changed) == before
