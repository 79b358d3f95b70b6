"""Paired differences against values from tables and textbooks."""

from __future__ import annotations

import pytest

from thorp.kernel.rng import Mulberry32
from thorp.society.contrasts import NO_DIFFERENCE, Contrast, Pairs, judge
from thorp.society.statistics import holm, paired_difference, t_quantile, two_sided_p

SLEEP = (
    [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
    [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
)
"""Hours of sleep that ten patients gained by two drugs, from Student's paper of 1908."""


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.30265), (4, 2.77645), (9, 2.26216), (29, 2.04523), (1000, 1.96234)],
)
def test_quantiles_are_those_of_the_tables(freedom: int, quantile: float) -> None:
    assert t_quantile(0.975, freedom) == pytest.approx(quantile, rel=1e-5)
    assert two_sided_p(quantile, freedom) == pytest.approx(0.05, rel=1e-4)


def test_students_sleep_is_the_textbooks_paired_test() -> None:
    found = paired_difference(*SLEEP)
    assert found.pairs == 10
    assert found.mean == 1.58
    assert (found.low, found.high) == pytest.approx((0.7001142, 2.4598858), abs=1e-5)
    assert found.p == pytest.approx(0.002833, abs=1e-6)
    assert found.spread == pytest.approx(1.229995, rel=1e-5)
    assert found.effect == pytest.approx(1.58 / 1.229995, rel=1e-5)


def test_the_other_way_round_everything_has_the_other_sign() -> None:
    there, back = paired_difference(*SLEEP), paired_difference(*reversed(SLEEP))
    assert there.low is not None
    assert there.effect is not None
    assert (back.mean, back.high, back.p) == (-there.mean, -there.low, there.p)
    assert back.effect == -there.effect


def test_differences_that_do_not_vary_are_tested_by_their_signs() -> None:
    same = paired_difference([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    assert (same.mean, same.low, same.high, same.effect, same.p) == (0.0, 0.0, 0.0, None, 1.0)
    higher = paired_difference([0.1, 0.2, 0.3], [0.2, 0.3, 0.4])
    assert (higher.mean, higher.low, higher.spread, higher.p) == (0.1, 0.1, 0.0, 0.25)
    assert higher.effect is None


def test_what_only_the_arithmetic_leaves_is_no_difference() -> None:
    found = paired_difference([0.1 + 0.2, 0.3, 1.1 + 2.2], [0.3, 0.1 + 0.2, 3.3])
    assert (found.mean, found.p) == (0.0, 1.0)


def test_a_single_pair_says_nothing_about_chance() -> None:
    found = paired_difference([1.0], [2.0])
    assert (found.mean, found.low, found.effect, found.p) == (1.0, None, None, None)


def test_holm_is_that_of_other_programs() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == [0.03, 0.06, 0.06, 0.02]
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert holm([]) == []


def drawn(contrasts: dict[str, float], pairs: int = 30) -> list[Contrast]:
    """Noise with a spread of 1 in twenty figures, of which the first is moved by so much."""
    keys = [f"figure {number}" for number in range(20)]
    made = []
    for name, effect in contrasts.items():
        rng = Mulberry32(7)

        def values(shift: float, draw: Mulberry32 = rng) -> list[float]:
            return [sum(draw.random() for _ in range(12)) + shift for _ in range(pairs)]

        base = {key: values(0.0) for key in keys}
        other = {key: values(effect if key == keys[0] else 0.0) for key in keys}
        made.append(Pairs(name, "base", base, other))
    return judge(made, keys)


def test_a_planted_effect_is_found_and_nothing_else() -> None:
    (contrast,) = drawn({"moved": 1.5})
    verdicts = {each.key: each.verdict for each in contrast.figures}
    assert verdicts.pop("figure 0") == "higher"
    assert set(verdicts.values()) == {NO_DIFFERENCE}
    (back,) = drawn({"moved": -1.5})
    assert back.figures[0].verdict == "lower"


def test_without_an_effect_no_difference_is_shown_though_one_of_twenty_alone_would_be() -> None:
    (contrast,) = drawn({"nothing": 0.0})
    assert {each.verdict for each in contrast.figures} == {NO_DIFFERENCE}
    ps = [each.difference.p or 0.0 for each in contrast.figures]
    for each, p in zip(contrast.figures, ps, strict=True):
        assert each.p_adjusted is not None
        assert each.p_adjusted >= p
        assert ("alone it would be" in each.text) == (p < 0.05)


def test_more_contrasts_are_judged_more_strictly() -> None:
    (alone,) = drawn({"moved": 1.5})
    together = drawn({"moved": 1.5, "a": 0.0, "b": 0.0})
    first, again = alone.figures[0], together[0].figures[0]
    assert first.difference == again.difference
    assert (first.p_adjusted or 0) < (again.p_adjusted or 0)
