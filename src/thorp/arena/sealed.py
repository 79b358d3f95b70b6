"""Sealed matches: hidden values come from a secret that is committed to before play and revealed at
the end.

`docs/arena.md` says why, which attacks that prevents, and how draws, commitment and secrets are
computed.
"""

import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import InvalidError

SECRET_BYTES = 32
T = TypeVar("T")
_MIRRORED = re.compile(r"(r[0-9]{2,}-d[0-9]{4,})-[a-h](?:-|\Z)")
"""The beginning of the id of a match of a mirrored tournament: its deal, and its seating."""


def mirrored_key(deal: str, seating: int) -> str:
    """The beginning of the key of one seating of a deal."""
    return f"{deal}-{'abcdefgh'[seating]}"


def deal_of(match_id: str) -> str:
    """The name of a match's deal: that of all seatings of a mirrored fixture, else its own id."""
    mirrored = _MIRRORED.match(match_id)
    return match_id if mirrored is None else mirrored[1]


class SealedDraws:
    """Draws the hidden values of a sealed scenario."""

    def __init__(self, secret: bytes, match_id: str) -> None:
        self._secret = secret
        self._match_id = deal_of(match_id)

    def below(self, n: int, purpose: str, index: int) -> int:
        """Draw an integer from 0 to n - 1, fixed by purpose and index; its bias is about 2^-448."""
        if n < 1:
            raise InvalidError(f"nothing can be drawn below {n}", code="draw")
        message = canonical_bytes([self._match_id, purpose, index])
        drawn = blake2b(message, key=self._secret, person=b"thorp.sealed.1").digest()
        return int.from_bytes(drawn, "big") % n


def commit(secret: bytes, task: Json) -> str:
    """Commit to a secret and to the match that is played with it."""
    return blake2b(
        secret + canonical_bytes(task), digest_size=32, person=b"thorp.commit.1"
    ).hexdigest()


def match_secret(secret: bytes, key: str) -> bytes:
    """Derive a match's secret from the tournament's, so that revealing it reveals no other."""
    return blake2b(key.encode("utf-8"), key=secret, digest_size=SECRET_BYTES).digest()


def parse_secret(text: str) -> bytes:
    """Parse a secret. Refuses a wrong length, and text that is not hexadecimal."""
    try:
        secret = bytes.fromhex(text)
    except ValueError:
        secret = b""
    if len(secret) != SECRET_BYTES or len(text) != 2 * SECRET_BYTES:
        raise InvalidError(f"a secret has {2 * SECRET_BYTES} hexadecimal digits", code="secret")
    return secret


def check_secret(scenario: object, name: str, secret: bytes) -> None:
    """Refuse a secret for a scenario that would not use it, and one of a wrong length."""
    if not getattr(scenario, "sealed", False):
        raise InvalidError(f"{name} is not a sealed scenario and takes no secret", code="secret")
    if len(secret) != SECRET_BYTES:
        raise InvalidError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}", code="secret")


def open_draws(seed: int) -> SealedDraws:
    """The draws of a sealed scenario that is played without a secret: they follow from its seed."""
    return SealedDraws(b"open:%d" % seed, "")


def shuffled(cards: Sequence[T], draws: SealedDraws, purpose: str, first: int = 0) -> list[T]:
    """The cards in an order drawn evenly from all orders; `first` keeps several shuffles apart."""
    order = list(cards)
    for place in range(len(order) - 1, 0, -1):
        other = draws.below(place + 1, purpose, first + place)
        order[place], order[other] = order[other], order[place]
    return order
