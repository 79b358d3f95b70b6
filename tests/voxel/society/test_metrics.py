"""Statistics of a society, in windows, without fractions."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from tests.voxel.flat import put_agent
from tests.voxel.society.civic import a_society
from thorp.voxel.society import scores
from thorp.voxel.society.scores import BUCKET_TICKS, WINDOW_TICKS, Metrics


def test_an_empty_world_has_no_figures() -> None:
    world = a_society()
    scores.count_deed(world, "trades")
    assert scores.measure(world) == Metrics(0, 0, 0, 0, 0)


def test_ten_trades_of_two_agents_are_full_and_denials_raise_conflict() -> None:
    world = a_society()
    put_agent(world), put_agent(world, 1)
    for _ in range(10):
        scores.count_deed(world, "trades")
    assert scores.measure(world).trade == 1000
    assert scores.measure(world).conflict == 0
    for _ in range(144):
        scores.count_deed(world, "denials")
    assert scores.measure(world).conflict == 100
    for _ in range(100):
        scores.count_deed(world, "trades")
    assert scores.measure(world).trade == 1000


def test_each_kind_has_its_figure() -> None:
    world = a_society()
    put_agent(world)
    for kind, times in (("trades", 1), ("denials", 72), ("explored", 6), ("built", 2)):
        for _ in range(times):
            scores.count_deed(world, kind)  # type: ignore[arg-type]
    assert scores.measure(world) == Metrics(200, 100, 300, 400, 0)


def test_what_is_too_old_no_longer_counts() -> None:
    world = a_society()
    put_agent(world)
    world.tick = 10
    scores.count_deed(world, "trades")
    world.tick = WINDOW_TICKS - 1
    assert scores.total(world, "trades") == 1
    world.tick = WINDOW_TICKS
    assert scores.total(world, "trades") == 0
    scores.count_deed(world, "trades")
    assert len(world.director.buckets) == 1, "old buckets go"


@given(st.lists(st.integers(0, 3 * WINDOW_TICKS), max_size=60).map(sorted))
def test_windows_hold_what_happened_in_them(ticks: list[int]) -> None:
    world = a_society()
    for world.tick in ticks:
        scores.count_deed(world, "built")
        assert len(world.director.buckets) <= WINDOW_TICKS // BUCKET_TICKS + 1
    since = world.tick - WINDOW_TICKS
    recent = [tick for tick in ticks if tick - tick % BUCKET_TICKS > since]
    assert scores.total(world, "built") == len(recent)


@given(st.lists(st.integers(0, 10_000), min_size=1, max_size=30))
def test_gini_is_the_mean_difference_over_twice_the_mean(values: list[int]) -> None:
    differences = sum(abs(one - other) for one in values for other in values)
    whole = 2 * len(values) * sum(values)
    expected = Fraction(1000 * differences, whole) if whole else Fraction(0)
    assert scores.gini(values) == int(expected)
    assert 0 <= scores.gini(values) < 1000


def test_wealth_is_what_agents_carry() -> None:
    world = a_society()
    put_agent(world, CRYSTAL_SHARD=1), put_agent(world, 1)
    assert scores.measure(world).inequality == 500
    put_agent(world, 2, PLANK=50), put_agent(world, 3, STONE=100)
    assert scores.measure(world).inequality == 250
