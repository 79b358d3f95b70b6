"""Bounds for the figures of a village: what a file of `--require` may ask, and which of it is
broken."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any, Final, Literal, get_args

import msgspec

from thorp.kernel.errors import InvalidError
from thorp.protocol import actions
from thorp.voxel.state.records import LawStatus

Line = Mapping[str, Any]
"""The figures of one day."""
CAUSES: Final = ("BANDIT", "COLD", "DROWNING", "FALL", "STARVATION")
"""What hurt last before somebody fell."""
_KNOWN: Final = (
    *("people", "idle_day", "idle_night", "idle_worst.1", "aimless", "quiet_minutes"),
    *("trades", "partners", "votes", "tax"),
    *("worth_pointing_at", "longest_lull", "distinct_thoughts", "same_thought"),
    *("buildings.standing", "buildings.today", "buildings.kinds"),
    *("contracts.posted", "contracts.completed", "contracts.failed"),
    *("orders.posted", "orders.done", "orders.wait_median", "orders.refused"),
    *("upkeep.paid", "upkeep.missed", "upkeep.stage", "downed", "starving", "laws"),
    *("wealth.mean", "wealth.median", "wealth.richest_tenth", "wealth.common", "gini"),
    *("formula", "told"),
)
"""Those that every village has. A key that names an object stands for the sum of its numbers."""


class Bound(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a figure must keep to: on every day, or its mean or sum over days."""

    min: float | None = None
    max: float | None = None
    days: tuple[int, int] | None = None
    """The first and the last; without them all that are measured."""
    of: Literal["every", "mean", "sum"] = "every"


Bounds = dict[str, list[Bound]]


def read_bounds(text: bytes, items: Iterable[str]) -> Bounds:
    """Bounds by the keys of figures, with dots. Refuses unknown keys by name. `items` may be in
    stock."""
    try:
        given = msgspec.json.decode(text, type=dict[str, Bound | list[Bound]])
    except msgspec.DecodeError as problem:
        raise InvalidError(f"bounds: {problem}", code="bounds") from None
    keys = _known_keys(items)
    for key in given:
        if key not in keys:
            why = f"bounds: there is no figure {key!r}; known are {', '.join(_KNOWN)}"
            raise InvalidError(why, code="bounds")
    return {
        key: several if isinstance(several, list) else [several] for key, several in given.items()
    }


def _known_keys(items: Iterable[str]) -> set[str]:
    tasks = [task_type.__struct_config__.tag for task_type in get_args(actions.SoundTask)]
    return {
        *_KNOWN,
        *(f"downed.{cause}" for cause in CAUSES),
        *(f"laws.{status}" for status in get_args(LawStatus)),
        *(f"doing.{task}" for task in tasks),
        *(f"stock.{item}.{place}" for item in items for place in (0, 1)),
    }


def figure(line: Line, key: str) -> float | None:
    """A figure by its key. What did not occur is 0; what cannot be said is None."""
    value: Any = line
    for part in key.split("."):
        value = (
            value[int(part)] if isinstance(value, list) and value else value and value.get(part, 0)
        )
    if isinstance(value, dict):
        return float(sum(value.values()))
    if isinstance(value, list):
        return float(len(value))
    return None if value is None else float(value)


def broken(bounds: Bounds, lines: Sequence[Line]) -> list[str]:
    """What the figures of some days do not keep to, each in a sentence."""
    return [
        said
        for key, several in bounds.items()
        for bound in several
        for said in _broken(key, bound, [line for line in lines if _covers(bound, line)])
    ]


def _covers(bound: Bound, line: Line) -> bool:
    return bound.days is None or bound.days[0] <= line["day"] <= bound.days[1]


def _broken(key: str, bound: Bound, lines: Sequence[Line]) -> Iterable[str]:
    figures = [(line["day"], value) for line in lines if (value := figure(line, key)) is not None]
    if bound.of == "every":
        judged = [(f"{key} on day {day}", value) for day, value in figures]
    elif figures:
        values = [value for _, value in figures]
        taken = fmean(values) if bound.of == "mean" else sum(values)
        judged = [(f"the {bound.of} of {key} on days {figures[0][0]} to {figures[-1][0]}", taken)]
    else:
        judged = []
    for name, value in judged:
        if bound.max is not None and value > bound.max:
            yield f"{name} is {value:.3g}, above {bound.max:g}"
        if bound.min is not None and value < bound.min:
            yield f"{name} is {value:.3g}, below {bound.min:g}"
