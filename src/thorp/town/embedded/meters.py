"""How a meter gives way: a push does less the nearer the end it pushes towards.

A push of 120 on hope at 400 (per mille) adds 120 × 600/1000 = 72; at 900 it adds 12. So repeated pushes come
close to an end and never rest on it. A push always moves a meter that can still move.
"""

from __future__ import annotations

from typing import Literal

from thorp.town.embedded import tuning
from thorp.town.embedded.town import FULL, Meters, Town

Meter = Literal["threat", "scarcity", "hope", "dread"]
METERS: tuple[Meter, ...] = ("threat", "scarcity", "hope", "dread")


def pushed(level: int, push: int) -> int:
    """The level after a push, which may be negative."""
    if push > 0:
        moved = max(1, push * (FULL - level) // FULL)
        return min(FULL, level + moved)
    if push < 0:
        moved = max(1, -push * level // FULL)
        return max(0, level - moved)
    return level


def push_meter(meters: Meters, name: str, push: int) -> None:
    setattr(meters, name, pushed(getattr(meters, name), push))


def relieve(meters: Meters, name: str, push: int) -> None:
    """Push a meter the way people like: hope up, the others down."""
    push_meter(meters, name, push if name == "hope" else -push)


def drifted(level: int, rest: int, days: int) -> int:
    """One part in `days` of the way to where the meter rests, at least a step until it is there."""
    gap = rest - level
    if gap == 0:
        return level
    step = abs(gap) // days or 1
    return level + step if gap > 0 else level - step


def clamped(level: int) -> int:
    return 0 if level < 0 else min(level, FULL)


def store(town: Town, stock: str, amount: int) -> None:
    """Put a stock in or take it out; what does not fit is lost, and nothing is taken that is not there."""
    level = getattr(town.stocks, stock) + amount
    setattr(town.stocks, stock, max(0, min(level, tuning.STORE_LIMIT)))
