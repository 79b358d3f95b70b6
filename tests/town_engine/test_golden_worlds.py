"""The worlds that releases left behind: this one opens them, verifies them, and goes on."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.town_engine.golden_world import EXPECTED, GOLDEN, OURS, described, govern, write_golden
from tests.town_engine.rules import NEXT, rules
from thorp.town.embedded import tuning
from thorp.town.service import EmbeddedTown

WORLDS = sorted(GOLDEN.glob("town-*"))


def opened(golden: Path, tmp_path: Path) -> tuple[EmbeddedTown, dict[str, Any]]:
    home = tmp_path / "world"
    shutil.copytree(golden, home)
    return EmbeddedTown(home, create=False), json.loads((home / EXPECTED).read_text("utf-8"))


@pytest.mark.parametrize("golden", WORLDS, ids=lambda path: path.name)
def test_it_is_whole_and_goes_on(golden: Path, tmp_path: Path) -> None:
    world, expected = opened(golden, tmp_path)
    with world:
        found, begins = world.verify(), expected["begins"]
        assert found.difference is None
        assert (found.records, found.tip, found.day) == (
            begins["records"],
            begins["tip"],
            begins["day"],
        )
        ours = expected["rules"] == tuning.RULES_VERSION
        assert [epoch.replayed for epoch in found.epochs] == [ours]
        assert not ours or described(world) == begins
        govern(world, days=2)
        assert not ours or described(world) == expected["goes on"]
        found = world.verify()
        assert found.difference is None
        assert found.epochs[-1].rules == tuning.RULES_VERSION


@pytest.mark.parametrize("golden", WORLDS, ids=lambda path: path.name)
def test_it_goes_on_under_the_next_rules(golden: Path, tmp_path: Path) -> None:
    with rules():
        world, expected = opened(golden, tmp_path)
        with world:
            assert world.verify().difference is None
            govern(world, days=2)
            assert world.town("Alder Ford").day == expected["begins"]["day"] + 2
            found = world.verify()
            assert found.difference is None
            assert [epoch.rules for epoch in found.epochs] == [expected["rules"], NEXT]


def test_this_release_leaves_one_and_writes_it_the_same_again(tmp_path: Path) -> None:
    assert OURS in WORLDS, "python -m tests.town_engine.golden_world writes it"
    write_golden(tmp_path / "again")
    assert (tmp_path / "again" / EXPECTED).read_text("utf-8") == (OURS / EXPECTED).read_text(
        "utf-8"
    )
