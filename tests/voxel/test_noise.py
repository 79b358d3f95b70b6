"""Integer noise: right against a plain implementation, smooth, and the same everywhere."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from thorp.voxel.terrain.noise import (
    MARGIN,
    ONE,
    WINDOW,
    Noise,
    below,
    hash_columns,
    mix,
    seed_for,
)

MASK = 2**64 - 1
FIELDS = (((256, 7), (64, 4)), ((16, 3),), ((32, 1), (128, 2), (16, 1)))


def plain_mix(value: int) -> int:
    value = (value + 0x9E3779B97F4A7C15) & MASK
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & MASK
    value = (value ^ value >> 27) * 0x94D049BB133111EB & MASK
    return value ^ value >> 31


def plain_hash(seed: int, x: int, z: int) -> int:
    return plain_mix(seed ^ (x * 0x9E3779B97F4A7C15 & MASK) ^ (z * 0xBF58476D1CE4E5B9 & MASK))


def plain_octave(seed: int, period: int, amplitude: int, x: int, z: int) -> int:
    """One octave at one column, blended by hand; not yet divided by 2³⁵."""

    def weight(t: int) -> int:
        return (3 * period - 2 * t) * t * t * 1024 // period**3

    cell_x, far_x = x // period, weight(x % period)
    cell_z, far_z = z // period, weight(z % period)
    total = 0
    for dz, part_z in ((0, 1024 - far_z), (1, far_z)):
        for dx, part_x in ((0, 1024 - far_x), (1, far_x)):
            value = (plain_hash(seed, cell_x + dx, cell_z + dz) >> 48) - 32768
            total += value * amplitude * part_x * part_z
    return total


@given(
    seed=st.integers(0, MASK),
    cx=st.integers(-70_000, 70_000),
    cz=st.integers(-70_000, 70_000),
    place=st.tuples(st.integers(0, WINDOW - 1), st.integers(0, WINDOW - 1)),
)
@settings(max_examples=60)
def test_a_window_holds_what_a_plain_reading_of_the_definition_gives(
    seed: int, cx: int, cz: int, place: tuple[int, int]
) -> None:
    word = np.array([seed], np.uint64)
    window = Noise(word, FIELDS).window(cx, cz)
    z, x = cz * 16 - MARGIN + place[0], cx * 16 - MARGIN + place[1]
    number = 0
    for field, octaves in enumerate(FIELDS):
        total = 0
        for period, amplitude in octaves:
            total += plain_octave(plain_hash(seed, number, number), period, amplitude, x, z)
            number += 1
        assert window[field][place] == total >> 25


def test_windows_of_neighbours_agree_where_they_overlap() -> None:
    noise = Noise(seed_for(5, "test"), FIELDS)
    for cx, cz in ((0, 0), (-1, 3), (15, -16)):
        here = noise.window(cx, cz)
        assert (here[:, :, 16:] == noise.window(cx + 1, cz)[:, :, : 2 * MARGIN]).all()
        assert (here[:, 16:, :] == noise.window(cx, cz + 1)[:, : 2 * MARGIN, :]).all()


def test_noise_is_smooth_and_keeps_within_its_amplitude() -> None:
    noise = Noise(seed_for(5, "test"), (((64, 4),),))
    fields = np.concatenate([noise.window(cx, 3)[0, :, MARGIN:-MARGIN] for cx in range(64)], axis=1)
    assert abs(fields).max() <= 4 * ONE
    assert abs(fields).max() > 2 * ONE
    steepest = 4 * 2 * ONE * 3 / 2 / 64
    assert abs(np.diff(fields, axis=1)).max() <= steepest + 1


def test_the_hash_is_that_of_the_known_vectors() -> None:
    """SplitMix64 as published: the first outputs for seed 1234567."""
    state = np.array([1234567 + n * 0x9E3779B97F4A7C15 & MASK for n in range(3)], np.uint64)
    assert mix(state).tolist() == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@given(seed=st.integers(0, MASK), x=st.integers(-(2**31), 2**31), z=st.integers(-(2**31), 2**31))
def test_hashes_wrap_around_as_64_bit_words_do(seed: int, x: int, z: int) -> None:
    found = hash_columns(np.array([seed], np.uint64), np.array([x]), np.array([z]))
    assert found.tolist() == [plain_hash(seed, x, z)]


@given(hashes=st.lists(st.integers(0, MASK), min_size=1), bound=st.integers(1, 2**32 - 1))
def test_drawn_numbers_are_below_their_bound(hashes: list[int], bound: int) -> None:
    drawn = below(np.array(hashes, np.uint64), bound).tolist()
    assert drawn == [(value >> 32) * bound >> 32 for value in hashes]
    assert max(drawn) < bound


def test_seeds_of_any_size_give_words_of_their_own() -> None:
    words = [seed_for(seed, "a").tolist() for seed in (0, 1, -1, 2**64, 2**64 + 1, 10**40)]
    words += [seed_for(0, "b").tolist()]
    assert len({word[0] for word in words}) == len(words)
