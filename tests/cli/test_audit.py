"""`thorp world audit` and `thorp world rollback` as an operator runs them, on a village of one
morning."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.cli.command import thorp
from thorp import village
from thorp.bridges.voxel_town import new_city_world
from thorp.cli import main
from thorp.kernel.errors import ThorpError
from thorp.simulator.inline import Inline
from thorp.store import RealDisk
from thorp.voxel import WorldService
from thorp.voxel.new_world import derived_draw_seed

SEED = 1337
MORNING = 1_800
CHEST = "-2,27,1"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory in which a village has begun."""
    data = tmp_path_factory.mktemp("audit") / "data"
    options: Any = {"seed": SEED, "draw_seed": derived_draw_seed(SEED), "threads": Inline}
    with WorldService.open(
        RealDisk(), data / "world", make_world=new_city_world, **options
    ) as service:
        tokens = {name: f"token of {name}" for name in village.ROSTER}
        village.run(
            service.world, lambda inputs: service.tick(inputs).result(), tokens, to_tick=MORNING
        )
    return data


def world(*arguments: str | Path) -> str:
    """What a command prints."""
    done = CliRunner().invoke(
        main.commands(), ["world", *map(str, arguments)], catch_exceptions=False
    )
    assert done.exit_code == 0, done.output
    return done.stdout


def audit(data: Path, *options: str) -> list[dict[str, Any]]:
    lines = world("audit", "--data", data, "--json", *options).splitlines()
    return [json.loads(line) for line in lines]


def test_every_kind_of_change_is_there(kept: Path) -> None:
    changes = audit(kept)
    kinds = Counter(change["what"] for change in changes)
    assert {"block", "container", "sign", "org", "trade", "board"} <= set(kinds)
    assert [change["tick"] for change in changes] == sorted(change["tick"] for change in changes)
    (sign,) = [change for change in changes if (change["what"], change["actor"]) == ("sign", "A1")]
    assert (sign["reason"], sign["before"]) == ("SET_SIGN", "")
    assert sign["after"].startswith("Thorp.")
    gifts = [
        change
        for change in changes
        if change["what"] == "container" and change["reason"] == "TRANSFER"
    ]
    assert any(change["more"]["moved"].get("PLANK", 0) > 0 for change in gifts)


def test_filters_go_together(kept: Path) -> None:
    whole = audit(kept)
    mine = audit(kept, "--actor", "A1")
    acted = [one for one in whole if "A1" in one["actor"].split(",")]
    assert mine == [
        one for one in whole if one in acted or "A1" in (one.get("more") or {}).values()
    ]
    near = audit(kept, "--near", f"{CHEST},0")
    assert {tuple(one["pos"]) for one in near} == {(-2, 27, 1)}
    assert {one["what"] for one in near} == {"block", "container"}
    assert audit(kept, "--near", f"{CHEST},0", "--actor", "A1") == [
        one for one in near if one in acted
    ]
    late = audit(kept, "--since", "100", "--until", "120")
    assert late == [one for one in whole if 100 <= one["tick"] <= 120]


def test_it_can_be_read(kept: Path) -> None:
    done = thorp("world", "audit", "--data", kept, "--near", CHEST, "--quiet")
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert "PLANK +" in text
    assert "AIR -> CHEST" in text
    assert f"{CHEST} " in text


def test_a_rollback_says_first_what_it_would_do_and_then_does_it(
    kept: Path, tmp_path: Path
) -> None:
    data = Path(shutil.copytree(kept, tmp_path / "data"))
    options = ("--box", "-7,26,-7:7,33,7", "--since", "30", "--data", data, "--json")
    would = json.loads(world("rollback", *options, "--dry-run"))
    assert f"sound: {MORNING}" in world("verify", "--data", data), "nothing was written"
    done = json.loads(world("rollback", *options))
    assert done == would
    assert done["cells"] > 5, "forge, board and streets are gone"
    assert done["tick"] == MORNING + 1
    verdict = json.loads(world("verify", "--data", data, "--json"))
    assert (verdict["ok"], verdict["digest"]) == (True, done["digest"])
    (again,) = [
        one for one in audit(data, "--since", str(MORNING + 1)) if one["what"] == "rollback"
    ]
    assert again["actor"] == "OPERATOR"
    readable = world("rollback", *options[:-1], "--dry-run")
    assert "cells would be as they were before tick 30" in readable


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("audit", "--near", "1,2,x"), "--near"),
        (("audit", "--since", "9999"), "last tick"),
        (("rollback", "--box", "1,2,3", "--since", "1"), "two corners"),
        (("rollback", "--box", "1,2,3:4,5", "--since", "1"), "--box"),
        (("rollback", "--box", "0,0,0:99,63,99", "--since", "1"), "at most"),
        (("rollback", "--box", "0,-5,0:1,1,1", "--since", "1"), "heights"),
    ],
)
def test_what_makes_no_sense_is_refused(kept: Path, options: tuple[str, ...], said: str) -> None:
    with pytest.raises(ThorpError) as no:
        world(*options, "--data", kept)
    assert said in str(no.value)
