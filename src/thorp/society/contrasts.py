"""Differences between two ways to live: pairs of lives, figure by figure, tested against chance."""

from collections.abc import Sequence
from typing import Final

import msgspec

from thorp.society.statistics import ALPHA, PairedDifference, holm, mean, paired_difference, rounded

NO_DIFFERENCE: Final = "no difference is shown"


class FigureDifference(msgspec.Struct, frozen=True, kw_only=True):
    """The difference between two conditions in one figure."""

    key: str
    base: float
    """The mean of what is compared with."""
    other: float
    difference: PairedDifference
    p_adjusted: float | None
    """By Holm's correction, over everything of its kind that the plan looks at."""
    verdict: str
    """`higher`, `lower` or `no difference is shown`."""
    text: str
    """The verdict in a sentence."""


class Contrast(msgspec.Struct, frozen=True, kw_only=True):
    """A comparison of two things: a condition with the first one, or a perturbation with none."""

    name: str
    against: str
    figures: list[FigureDifference]


class Pairs(msgspec.Struct, frozen=True):
    """The pairs of one contrast: by figure, the values on both sides."""

    name: str
    against: str
    base: dict[str, list[float]]
    other: dict[str, list[float]]


def judge(contrasts: Sequence[Pairs], keys: Sequence[str]) -> list[Contrast]:
    """The differences of these contrasts, each judged as one of all that are looked at."""
    differences = {
        (number, key): paired_difference(each.base[key], each.other[key])
        for number, each in enumerate(contrasts)
        for key in keys
        if each.base[key]
    }
    tested = {place: each.p for place, each in differences.items() if each.p is not None}
    adjusted = dict(zip(tested, holm(list(tested.values())), strict=True))
    return [
        Contrast(
            name=each.name,
            against=each.against,
            figures=[
                _judged(key, each, differences[number, key], adjusted.get((number, key)))
                for key in keys
                if (number, key) in differences
            ],
        )
        for number, each in enumerate(contrasts)
    ]


def _judged(
    key: str, pairs: Pairs, difference: PairedDifference, p_adjusted: float | None
) -> FigureDifference:
    is_shown = p_adjusted is not None and p_adjusted < ALPHA
    direction = "higher" if difference.mean > 0 else "lower"
    verdict = direction if is_shown else NO_DIFFERENCE
    return FigureDifference(
        key=key,
        base=rounded(mean(pairs.base[key])),
        other=rounded(mean(pairs.other[key])),
        difference=difference,
        p_adjusted=p_adjusted,
        verdict=verdict,
        text=_sentence(verdict, difference, p_adjusted),
    )


def _sentence(verdict: str, difference: PairedDifference, p_adjusted: float | None) -> str:
    """The verdict, and what else a reader should know of it."""
    if verdict != NO_DIFFERENCE:
        return verdict
    if p_adjusted is None:
        return f"{verdict}: there is a single pair"
    if difference.mean == 0 and difference.low == 0 and difference.high == 0:
        return f"{verdict}: it is the same in every pair"
    if difference.p is not None and difference.p < ALPHA:
        return f"{verdict}: alone it would be, among all that were looked at it may be chance"
    return verdict
