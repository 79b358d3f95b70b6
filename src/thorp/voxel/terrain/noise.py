"""Smooth noise in integers: the same to the last bit on every machine.

An octave hashes the points of a lattice and blends between them with the curve 3t² - 2t³. A field
is a sum of octaves. Fields are computed for a chunk and MARGIN cells around it at once. The weights
of a column depend only on where its chunk lies between lattice points, so they are computed once,
as small matrices, and blending is two matrix products.
"""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

from thorp.voxel.state.ground import CHUNK

Ints = NDArray[np.int64]
Hashes = NDArray[np.uint64]

MARGIN: Final = 2
WINDOW: Final = CHUNK + 2 * MARGIN
ONE: Final = 1024  # The most that a field of amplitude 1 can be.

_LATTICE_POINTS: Final = 4  # A window touches at most three lattice cells.
_WEIGHT_BITS: Final = 10
_VALUE_BITS: Final = 15


def mix(values: Hashes) -> Hashes:
    """The finaliser of SplitMix64, in place. Arrays wrap around at 2⁶⁴ by themselves."""
    values += np.uint64(0x9E3779B97F4A7C15)
    values ^= values >> np.uint64(30)
    values *= np.uint64(0xBF58476D1CE4E5B9)
    values ^= values >> np.uint64(27)
    values *= np.uint64(0x94D049BB133111EB)
    values ^= values >> np.uint64(31)
    return values


def hash_columns(seed: Hashes, x: Ints, z: Ints) -> Hashes:
    """One hash for each pair of coordinates; `seed`, `x` and `z` are broadcast together."""
    x_part = x.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    z_part = z.astype(np.uint64) * np.uint64(0xBF58476D1CE4E5B9)
    return mix(seed ^ x_part ^ z_part)


def below(hashes: Hashes, bound: int) -> Ints:
    """A number in [0, bound) from each hash; `bound` is less than 2³²."""
    return ((hashes >> np.uint64(32)) * np.uint64(bound) >> np.uint64(32)).astype(np.int64)


def seed_for(seed: int, purpose: str) -> Hashes:
    """A word of 64 bits for one purpose of a seed. Nothing about it follows from the words for
    other purposes."""
    digest = blake2b(f"{seed}:{purpose}".encode(), digest_size=8).digest()
    return np.frombuffer(digest, "<u8").astype(np.uint64)


class Noise:
    """One or more fields, each a list of octaves (period, amplitude). Periods are powers of two,
    at least 16."""

    def __init__(self, seed: Hashes, fields: Sequence[Sequence[tuple[int, int]]]) -> None:
        octaves = [octave for field in fields for octave in field]
        periods = [period for period, _ in octaves]
        self._starts = np.cumsum([0, *map(len, fields[:-1])])
        self._octaves = np.arange(len(octaves))
        self._seeds = hash_columns(seed, self._octaves, self._octaves).reshape(-1, 1, 1)
        self._amplitudes = np.array([[[amplitude]] for _, amplitude in octaves], np.int64)
        self._shifts = np.array([period.bit_length() - 1 for period in periods], np.int64)
        self._phase_masks = np.array([period // CHUNK - 1 for period in periods], np.int64)
        most_phases = max(periods) // CHUNK
        self._weights = np.array(
            [[_weights(p, phase) for phase in range(most_phases)] for p in periods]
        )

    def window(self, cx: int, cz: int) -> Ints:
        """All fields over a chunk and its margin, as [field, z, x], in units of 1/ONE."""
        x_points = (CHUNK * cx - MARGIN >> self._shifts)[:, None] + np.arange(_LATTICE_POINTS)
        z_points = (CHUNK * cz - MARGIN >> self._shifts)[:, None] + np.arange(_LATTICE_POINTS)
        hashes = hash_columns(self._seeds, x_points[:, None, :], z_points[:, :, None])
        values = (hashes >> np.uint64(63 - _VALUE_BITS)).astype(np.int64) - (1 << _VALUE_BITS)
        x_weights = self._weights[self._octaves, cx & self._phase_masks]
        z_weights = self._weights[self._octaves, cz & self._phase_masks]
        blended = z_weights @ (values * self._amplitudes) @ x_weights.transpose(0, 2, 1)
        summed: Ints = np.add.reduceat(blended, self._starts, axis=0)
        return summed >> (_VALUE_BITS + 2 * _WEIGHT_BITS - (ONE.bit_length() - 1))


def _weights(period: int, phase: int) -> list[list[int]]:
    """How much each lattice point counts for each column of a window, in units of
    1 / 2 ** _WEIGHT_BITS."""
    first_cell = (phase * CHUNK - MARGIN) // period
    rows = []
    for column in range(phase * CHUNK - MARGIN, phase * CHUNK + CHUNK + MARGIN):
        cell, t = divmod(column, period)
        far = ((3 * period - 2 * t) * t * t << _WEIGHT_BITS) // period**3
        row = [0] * _LATTICE_POINTS
        row[cell - first_cell : cell - first_cell + 2] = (1 << _WEIGHT_BITS) - far, far
        rows.append(row)
    return rows
