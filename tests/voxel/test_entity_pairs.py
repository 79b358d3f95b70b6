"""Which places lie near which others: what is looked up in squares, and what one by one would
tell."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.voxel.observation import entity_view
from thorp.voxel.state.ground import Position

FAR = 2**24
POSITIONS = st.lists(
    st.tuples(st.integers(-70, 70), st.integers(0, 63), st.integers(-70, 70))
    | st.tuples(st.sampled_from([-FAR, FAR]), st.just(3), st.sampled_from([-FAR, 0, FAR])),
    min_size=1,
    max_size=30,
)


@given(POSITIONS, POSITIONS, st.sampled_from([16, 17, 32]), st.sampled_from([1, 5, 2**15]))
def test_every_pair_within_reach_is_found_once(
    here: list[Position], there: list[Position], reach: int, at_once: int
) -> None:
    found: list[tuple[int, int]] = []
    rows: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entity_view, "PAIRS_AT_ONCE", at_once)
        for some, who, what in entity_view.pairs(
            entity_view.places(here), entity_view.places(there), reach
        ):
            rows += range(some.start, some.stop)
            found += zip((who + some.start).tolist(), what.tolist(), strict=True)
    assert rows == list(range(len(here))), "each place has all its pairs in one go, and goes once"
    assert len(set(found)) == len(found)
    wanted = {
        (a, b)
        for a, (x, _, z) in enumerate(here)
        for b, (other_x, _, other_z) in enumerate(there)
        if max(abs(other_x - x), abs(other_z - z)) <= reach
    }
    assert wanted <= set(found)


def test_no_more_is_computed_at_once_than_need_be() -> None:
    crowd = entity_view.places([(n % 16, n // 256, n // 16 % 16) for n in range(1_000)])
    goes = [len(who) for _, who, _ in entity_view.pairs(crowd, crowd, 16)]
    assert sum(goes) == 1_000_000
    assert max(goes) <= entity_view.PAIRS_AT_ONCE + 1_000


def test_what_is_far_away_costs_nothing() -> None:
    scattered = entity_view.places([(1_000 * n, 20, 0) for n in range(1_000)])
    (only,) = entity_view.pairs(scattered, scattered, 16)
    assert np.array_equal(only.here, only.there)
    assert len(only.here) == 1_000
