"""What a counterfactual found: the change against the control, and both against chance.

A pair for each draw seed says how far worlds go apart by chance. With the world's own draws alone
there is one pair, which shows what happened there, and nothing about chance.
"""

from collections.abc import Sequence
from statistics import stdev
from typing import Final

import msgspec

from thorp.society.contrasts import Contrast, Pairs, judge
from thorp.society.counterfactual import Arm, Counterfactual
from thorp.society.figures import BY_KEY, FIGURES, Figure, value_of
from thorp.society.statistics import rounded
from thorp.village.bounds import figure

VERSION: Final = 1
CONTROL: Final = "control"


class ArmCourse(msgspec.Struct, frozen=True, kw_only=True):
    """One arm, by day."""

    name: str
    is_changed: bool
    is_noise: bool
    """Whether it draws from another seed than the original."""
    days: list[dict[str, float]]
    """Each with its number, as `day`."""


class WhatIf(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a question."""

    v: int = VERSION
    at_tick: int
    days: int
    change: str
    figures: list[Figure]
    arms: list[ArmCourse]
    contrast: Contrast
    noise: dict[str, float]
    """The standard deviation of a figure among controls that differ in their draws alone; without
    noise arms there is none."""


def noise_seeds(count: int) -> tuple[int | None, ...]:
    """The world's own draws, and those of this many noise arms, the same ones every time."""
    return (None, *range(1, count + 1))


def what_if(answer: Counterfactual) -> WhatIf:
    """What follows from the pairs of a question."""
    keys = list(BY_KEY)
    controls = {key: [value_of(key, pair.control.lines) for pair in answer.pairs] for key in keys}
    changed = {key: [value_of(key, pair.changed.lines) for pair in answer.pairs] for key in keys}
    (contrast,) = judge([Pairs("changed", CONTROL, controls, changed)], keys)
    has_noise = len(answer.pairs) > 1
    return WhatIf(
        at_tick=answer.question.at_tick,
        days=answer.question.days,
        change=answer.change,
        figures=list(FIGURES),
        arms=[
            _course(arm, is_changed=is_changed)
            for pair in answer.pairs
            for is_changed, arm in enumerate((pair.control, pair.changed))
        ],
        contrast=contrast,
        noise={key: rounded(stdev(controls[key])) for key in keys} if has_noise else {},
    )


def _course(arm: Arm, *, is_changed: int) -> ArmCourse:
    return ArmCourse(
        name=arm.name,
        is_changed=bool(is_changed),
        is_noise=arm.draw_seed is not None,
        days=[
            {"day": line["day"], **{key: figure(line, key) or 0.0 for key in BY_KEY}}
            for line in arm.lines
        ],
    )


def facts(found: WhatIf) -> list[str]:
    """What was asked and how it was answered, in sentences."""
    pairs = len(found.arms) // 2
    lines = [
        f"A world was forked at tick {found.at_tick:,}. One thing was changed: {found.change}. The "
        "control is the same fork unchanged.",
        f"{pairs} pairs, which differ in their draws alone, say how far chance goes.",
    ]
    if pairs == 1:
        lines[1] = "It is a single pair: what is otherwise in it may be chance; ask with --noise."
    return lines


def series_names() -> Sequence[str]:
    """The kinds of arms, in the order of their colours."""
    return (CONTROL, "changed", "control with other draws", "changed with other draws")
