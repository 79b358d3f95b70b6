"""The world that each release leaves behind, and the program that writes it.

    python -m tests.town_engine.golden_world

writes `tests/golden/town-VERSION` anew: a data directory as this release makes it, and in
`expected.json` what it holds and where it goes from there. Directories of earlier releases stay as
they are.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

from tests.town_engine.worlds import handoff_for
from thorp import __version__
from thorp.town import snapshot_hash
from thorp.town.embedded.council import Council
from thorp.town.orders import (
    AddProject,
    AddQuest,
    CompleteMission,
    DrawEvent,
    FailMission,
    RetainReceipts,
    SetPressure,
)
from thorp.town.service import DATABASE_FILE, EmbeddedTown

GOLDEN = Path(__file__).parents[1] / "golden"
OURS = GOLDEN / f"town-{__version__}"
EXPECTED = "expected.json"
SEED = 2026
TOWNS = ("Alder Ford", 'Old "Mill" 🏰')


def write_world(home: Path) -> None:
    """A world in which everything has happened that can be told to happen."""
    with EmbeddedTown(home, seed=SEED) as world:
        for town_id in TOWNS:
            world.create_town(town_id)
        govern(world, days=2)
        first, second = TOWNS
        world.execute_order(
            AddQuest(first, "Find the miller's 🐈", id="q 1", complexity=2, reward=30)
        )
        world.execute_order(AddProject(second, "Mühle", kind="hall"))
        world.execute_order(SetPressure(first, "threat", 735))
        world.execute_order(DrawEvent(second))
        world.execute_order(CompleteMission(first))
        world.execute_order(FailMission(second))
        accepted = handoff_for(world.snapshot(first), "MAYOR_ACCEPT_MISSION", "q 1")
        assert world.execute(accepted)["status"] == "executed"
        world.execute_order(RetainReceipts(2))
        govern(world, days=2)
    with sqlite3.connect(home / DATABASE_FILE) as database:
        database.execute("VACUUM")
    database.close()


def govern(world: EmbeddedTown, days: int) -> None:
    councils = [Council(town_id) for town_id in TOWNS]
    for council in councils:
        council.recall(world.proposals(council.town_id))
    for _ in range(days):
        for council in councils:
            list(council.sit(world))
        world.advance_day()


def described(world: EmbeddedTown) -> dict[str, Any]:
    """What can be said of a world without its bytes."""
    records, tip = world.tip()
    return {
        "day": world.world().day,
        "records": records,
        "tip": tip,
        "snapshots": {town_id: snapshot_hash(world.snapshot(town_id)) for town_id in TOWNS},
    }


def write_golden(home: Path) -> None:
    """The directory, and beside it what is to be expected of it."""
    write_world(home)
    copy = home / "copy"
    shutil.copytree(home, copy)
    with EmbeddedTown(copy) as world:
        expected = {"rules": world.world().rules, "begins": described(world)}
        govern(world, days=2)
        expected["goes on"] = described(world)
    shutil.rmtree(copy)
    (home / EXPECTED).write_text(json.dumps(expected, indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    shutil.rmtree(OURS, ignore_errors=True)
    write_golden(OURS)
    print(f"{OURS}: {sum(file.stat().st_size for file in OURS.iterdir())} bytes")
