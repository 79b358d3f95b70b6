"""Seeded randomness: a stream for matches, and keyed draws for worlds.

`Mulberry32` is the generator of the match contract: a 32-bit counter with a mixing function. Order
of draws is part of a match's meaning, so there is one stream per agent and one per purpose.

A world has no such order to rely on, since agents come and go. So each of its draws is a pure
function of its purpose: `KeyedDraws(seed).below(6, tick=40, subject="A7", purpose="loot")`. A draw
can be repeated alone, in any order, and adding one does not change the others.

Nothing here depends on a library's generator, whose streams are promised for one version only.
"""

from hashlib import blake2b
from operator import mul
from struct import Struct

from thorp.kernel.errors import InvalidError
from thorp.kernel.numbers import as_double, floor, to_uint32, whole

_RANGE = 2**32
_HALF_RANGE = 2**31
# Bounds between which the sums and differences below are exact in doubles, with room to spare.
_EXACT = 2**51
_LEAST_EXACT = -(2**51)

# For `dozen`: one integer of 768 bits holds twelve lanes of 64 bits, the first draw in the lowest.
# A lane has its 32-bit number in the lower half; the upper half has room for a carry or a product.
# Python works on such an integer in a few calls of C, where twelve small ones would take dozens.
_ONES = sum(1 << 64 * lane for lane in range(12))  # 1 in each lane: times n, it is n in each.
_SIXTY_ONES = 61 * _ONES
_LOW_HALVES = 0xFFFFFFFF * _ONES  # The mask that takes every lane modulo 2**32.
# By how much the counter has grown at each of the twelve draws.
_STEPS = sum((0x6D2B79F5 * (lane + 1) & 0xFFFFFFFF) << 64 * lane for lane in range(12))
_pack = Struct("<12Q").pack
_unpack = Struct("<12Q").unpack
_from_bytes = int.from_bytes


class Mulberry32:
    """One stream of 32-bit draws: a counter that is mixed anew for each draw."""

    __slots__ = ("_state",)

    def __init__(self, seed: float) -> None:
        if type(seed) is int and _LEAST_EXACT <= seed <= _EXACT:
            self._state = seed & 0xFFFFFFFF
        else:
            self._state = to_uint32(seed)

    def uint32(self) -> int:
        """The next draw as an integer in [0, 2^32)."""
        self._state = state = (self._state + 0x6D2B79F5) & 0xFFFFFFFF
        mixed = (state ^ state >> 15) * (state | 1) & 0xFFFFFFFF
        mixed = (mixed + (mixed ^ mixed >> 7) * (mixed | 61) & 0xFFFFFFFF) ^ mixed
        return mixed ^ mixed >> 14

    def random(self) -> float:
        """The next draw as a double in [0, 1).

        The mixing is written out again here, because a call of `uint32` would cost a tenth more.
        """
        self._state = state = (self._state + 0x6D2B79F5) & 0xFFFFFFFF
        mixed = (state ^ state >> 15) * (state | 1) & 0xFFFFFFFF
        mixed = (mixed + (mixed ^ mixed >> 7) * (mixed | 61) & 0xFFFFFFFF) ^ mixed
        return (mixed ^ mixed >> 14) / _RANGE

    def dozen(self) -> int:
        """The next twelve draws in one integer, 64 bits each, the first in the lowest.

        The same as twelve calls of `uint32`, in two thirds of the time. A draw's counter does not
        depend on the draw before, so additions, shifts and masks work on all twelve lanes at once.
        A shift moves bits of a lane into the upper half of the one below, where the mask removes
        them. Only products would overflow into the next lane; those are computed lane by lane, and
        fill 64 bits at most.
        """
        states = self._state * _ONES + _STEPS & _LOW_HALVES
        self._state = states >> 704  # the twelfth lane begins at bit 11 * 64
        # First mixing of `uint32`: (state ^ state >> 15) * (state | 1).
        left = (states ^ states >> 15) & _LOW_HALVES
        right = states | _ONES
        factors = map(
            mul, _unpack(left.to_bytes(96, "little")), _unpack(right.to_bytes(96, "little"))
        )
        mixed = _from_bytes(_pack(*factors), "little") & _LOW_HALVES
        # Second mixing: (mixed + (mixed ^ mixed >> 7) * (mixed | 61)) ^ mixed.
        left = (mixed ^ mixed >> 7) & _LOW_HALVES
        right = mixed | _SIXTY_ONES
        factors = map(
            mul, _unpack(left.to_bytes(96, "little")), _unpack(right.to_bytes(96, "little"))
        )
        mixed ^= _from_bytes(_pack(*factors), "little") + mixed & _LOW_HALVES
        return (mixed ^ mixed >> 14) & _LOW_HALVES

    def child_seed(self) -> int:
        """A seed for another stream: the next draw read as a signed 32-bit integer."""
        drawn = self.uint32()
        return drawn - _RANGE if drawn >= _HALF_RANGE else drawn

    def integer(self, low: float, high: float) -> float:
        """An integer in [low, high], by the contract's double arithmetic."""
        return bounded(self.random(), low, high)


def bounded(fraction: float, low: float, high: float) -> float:
    """The integer in [low, high] to which a draw in [0, 1) leads, in double arithmetic."""
    if type(low) is int and type(high) is int and _LEAST_EXACT <= low <= high <= _EXACT:
        # The same result without conversions: here doubles hold these integers exactly.
        return low + int(fraction * (high - low + 1))
    start = as_double(low)
    return whole(start + floor(fraction * (as_double(high) - start + 1.0)))


class KeyedDraws:
    """Draws that are a function of (seed, tick, subject, purpose, index) and of nothing else."""

    __slots__ = ("_key",)

    def __init__(self, seed: int) -> None:
        self._key = blake2b(str(seed).encode(), digest_size=32, person=b"thorp.draws.v1").digest()

    def uint64(self, *, tick: int, subject: str, purpose: str, index: int = 0) -> int:
        """64 random bits. `subject` and `purpose` are free text. The length of the purpose is part
        of the message, so no two tuples have the same one."""
        message = f"{tick},{index},{len(purpose)},{purpose},{subject}".encode(
            "utf-8", "surrogatepass"
        )
        return int.from_bytes(blake2b(message, digest_size=8, key=self._key).digest(), "big")

    def below(self, bound: int, *, tick: int, subject: str, purpose: str, index: int = 0) -> int:
        """An integer in [0, bound), its bias below 2^-32."""
        if not 0 < bound <= _RANGE:
            raise InvalidError(f"bound must be in 1..{_RANGE}, not {bound}", code="bound")
        drawn = self.uint64(tick=tick, subject=subject, purpose=purpose, index=index)
        return drawn * bound >> 64
