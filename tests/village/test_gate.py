"""The village is worth watching on any ground: what `gate.json` asks of every day."""

from pathlib import Path
from typing import Any

import pytest

from tests.village.lives import SEEDS, Founded
from thorp.bridges.voxel_town import new_city_world
from thorp.village.bounds import Bounds, broken, read_bounds
from thorp.village.founding import RULES
from thorp.village.measure import live
from thorp.voxel.load import default_catalogs
from thorp.voxel.tuning import read_tuning


@pytest.fixture(scope="module")
def gate() -> Bounds:
    return read_bounds((Path(__file__).parent / "gate.json").read_bytes(), default_catalogs().items)


@pytest.mark.parametrize("seed", SEEDS)
def test_ten_days_are_lively(founded: Founded, gate: Bounds, seed: int) -> None:
    """The first two days were lived by other processes, which is nothing that anybody notices."""
    lines: list[dict[str, Any]] = []
    live(founded(seed), 8, show=lines.append)
    assert [line["day"] for line in lines] == [*range(3, 11)]
    assert broken(gate, lines[1:]) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", [1337, 7, 42, 99, 3, 11])
def test_forty_days_are_lively(gate: Bounds, seed: int) -> None:
    lines: list[dict[str, Any]] = []
    live(new_city_world(seed, tuning=read_tuning(RULES)), 40, show=lines.append)
    assert lines[-1]["day"] == 40
    assert broken(gate, lines) == []
