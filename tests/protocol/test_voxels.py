"""Cubes: golden texts, a round trip, and everything that is no cube."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.protocol.samples import CELLS, RADIUS, cube, rle, varint
from thorp.protocol.obs import VoxelError, VoxelOp, apply_delta, cell_count, cell_index, decode_rle


def text(*numbers: int) -> str:
    return base64.b64encode(b"".join(map(varint, numbers))).decode()


def test_the_texts_of_the_protocol() -> None:
    """The vectors that other clients are tested with."""
    assert rle([1, 1, 1, 2, 2, 3, *[7] * 50, 9, 10, 10, 10]) == "AQMCAgMBBzIJAQoD"
    assert rle([0, 0, 0, 5, 5, 29, *[1] * 300]) == "AAMFAh0BAawC"
    assert decode_rle("ABs=", 1) == bytes(27)


@given(
    st.lists(st.integers(0, 255), min_size=CELLS, max_size=CELLS)
    | st.integers(0, 3).map(lambda b: [b] * CELLS)
)
def test_what_was_encoded_is_decoded(cells: list[int]) -> None:
    assert decode_rle(rle(cells), RADIUS) == bytes(cells)


def test_the_order_of_cells() -> None:
    cells = bytes(cube({(1, 0, 0): 1, (0, 0, 1): 2, (0, 1, 0): 3, (-2, -2, -2): 4, (2, 2, 2): 5}))
    assert [cells[cell_index(offset, RADIUS)] for offset in ((1, 0, 0), (0, 0, 1), (0, 1, 0))] == [
        1,
        2,
        3,
    ]
    assert (cells[0], cells[-1]) == (4, 5)
    assert cells.index(1) < cells.index(2) < cells.index(3)


def test_changes_are_applied_by_offset() -> None:
    before = bytes(CELLS)
    after = apply_delta(before, RADIUS, [VoxelOp(d=(1, -2, 0), b=21), VoxelOp(d=(0, 0, 0), b=3)])
    assert after == bytes(cube({(1, -2, 0): 21, (0, 0, 0): 3}))
    assert before == bytes(CELLS)


@pytest.mark.parametrize(
    "data",
    [
        "", "AQ", "A===", "!!!!", "é", text(1), text(1, 26), text(1, 28), text(1, 0, 1, 27), text(256, 27),
        text(1, 27, 1), text(1, 27, 1, 1), text(1, 2**60), base64.b64encode(b"\x01\x80").decode(),
        base64.b64encode(b"\xff" * 50).decode(), " ABs=",
    ],
)  # fmt: skip
def test_what_is_no_cube(data: str) -> None:
    with pytest.raises(VoxelError):
        decode_rle(data, 1)


@pytest.mark.parametrize(
    ("offset", "block"), [((3, 0, 0), 1), ((0, -3, 0), 1), ((0, 0, 0), 256), ((0, 0, 0), -1)]
)
def test_what_is_no_change(offset: tuple[int, int, int], block: int) -> None:
    with pytest.raises(VoxelError):
        apply_delta(bytes(CELLS), RADIUS, [VoxelOp(d=offset, b=block)])


def test_a_cube_has_its_size() -> None:
    assert cell_count(7) == 3375
    for radius in (0, -1, 33):
        with pytest.raises(VoxelError):
            cell_count(radius)
    with pytest.raises(VoxelError):
        apply_delta(b"", RADIUS, [])


@given(st.text(max_size=60), st.binary(max_size=60))
def test_whatever_comes_nothing_else_goes_wrong(words: str, noise: bytes) -> None:
    for data in (words, base64.b64encode(noise).decode()):
        try:
            assert len(decode_rle(data, 1)) == 27
        except VoxelError:
            continue
