"""The true model in the village: it lives, is busy, and finds more than chance does among the same
options; and the village is as lively as without. With the base model that `thorp model get smollm2`
fetches: hours of one core."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.errors import ThorpError
from thorp.models.embedded import find_model
from thorp.village.bounds import broken, read_bounds
from thorp.village.founding import RULES
from thorp.village.headless_minds import Choose, HeadlessMinds, MindFigures, at_random
from thorp.village.measure import live
from thorp.village.mind_model import serve_mind_model
from thorp.voxel.load import default_catalogs
from thorp.voxel.tuning import read_tuning

pytestmark = [pytest.mark.long, pytest.mark.real("mind")]

SEEDS = (1337, 7, 42)
DAYS = 6
"""The third morning, when minds come, and three days more."""
GATE = Path(__file__).parent / "gate.json"


@pytest.fixture(scope="module", autouse=True)
def _weights() -> None:
    try:
        find_model()
    except ThorpError as problem:
        pytest.skip(str(problem))


def lives(seed: int, count: int, choose: Choose) -> tuple[list[dict[str, Any]], list[MindFigures]]:
    """The figures of a village with minds, and those of each mind on each day."""
    world = new_city_world(seed, tuning=read_tuning(RULES))
    lines: list[dict[str, Any]] = []
    live(world, DAYS, show=lines.append, minds=HeadlessMinds(world, count, choose))
    return lines, [figures for line in lines for figures in line["minds"]]


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("seed", SEEDS)
def test_minds_live_three_days_and_the_village_is_as_lively(seed: int, count: int) -> None:
    with serve_mind_model() as model:
        lines, days = lives(seed, count, model.choose)
    _, by_chance = lives(seed, count, at_random(seed))
    for figures in days:
        assert figures.starving == 0, figures
        assert figures.idle_day < 0.5, figures
    for chosen, drawn in zip(days[-count:], by_chance[-count:], strict=True):
        assert chosen.unlocked > drawn.unlocked, (chosen, drawn)
    bounds = read_bounds(GATE.read_bytes(), default_catalogs().items)
    assert broken(bounds, lines) == []
