"""The agent of README and tutorial, exactly as it stands there: from the gate to a hut of its own.

It lives in a village in process, whose ticks wait for it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.client.in_process import Hub, in_process
from tests.test_docs import blocks
from tests.village.lives import FOUNDED_TICKS, SEEDS, TOKENS, Founded, live, packed
from thorp.bridges.voxel_town import new_city_world
from thorp.village.headless import settle
from thorp.voxel.persistence.snapshot import restore
from thorp.voxel.state.world import World
from thorp.voxel.systems import blueprints
from thorp.voxel.tick import step

ROOT = Path(__file__).parents[2]
SAWYER = blocks(ROOT / "docs" / "tutorial.md")[0]
MOST_TICKS = 1_800
DAY_TICKS = 6_000
MORE_SEEDS = (7, 99, 2024, 3, 5, 6, 8, 11)
LINES = r"""I am Sawyer, (A\d+), and wake at \(-?\d+, \d+, -?\d+\)\.
Welcome to Thorp(?:, Sawyer)?\. Bring .*\.
(?:Somebody was faster\.
.*, there is a job for you\. .*
)*That is done\. I have \{.*\}
Well done, Sawyer! You are invited: .*
Becoming a citizen: done: ok
Your plot is ready, Sawyer: it lies behind the sign at (-?\d+ \d+ -?\d+), .*
Building my hut: done
Look at it: (http://127\.0\.0\.1:8080/\?see=@(-?\d+,\d+,-?\d+))
"""
AGAIN = r"""I am Sawyer, (A\d+), and wake at \(-?\d+, \d+, -?\d+\)\.
My hut is (http://127\.0\.0\.1:8080/\?see=@-?\d+,\d+,-?\d+)
"""


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has run the program before."""
    monkeypatch.setenv("THORP_STATE", str(tmp_path / "state"))


def village_hub(world: World) -> Hub:
    """The village goes on in a world, and lets agents in."""
    people = settle(world, lambda inputs: step(world, inputs), TOKENS)
    return Hub(
        world,
        tick=lambda inputs: people.step(lambda own: step(world, [*own, *inputs])),
        most_ticks=MOST_TICKS,
    )


def run_program(hub: Hub) -> None:
    """Run the program of the tutorial until it ends."""
    with in_process(hub):
        exec(compile(SAWYER, "sawyer.py", "exec"), {"__name__": "__main__"})


def check(world: World, out: str) -> None:
    """Everything that it says is so in the world."""
    told = re.fullmatch(LINES, out)
    assert told is not None, out
    agent_id, sign, _, place = told.groups()
    agent = world.agent_by_id(agent_id)
    assert agent is not None
    (city,) = [org for org in world.orgs if org.kind == "CITY"]
    assert agent.id in city.members
    x, y, z = map(int, sign.split())
    assert world.signs[x, y, z].text == "Sawyer's plot."
    anchor_x, anchor_y, anchor_z = map(int, place.split(","))
    hut = blueprints.plan_of(world, "hut_small", (anchor_x, anchor_y, anchor_z), 0)
    assert blueprints.blocks_standing(world, hut) == len(hut)
    assert blueprints.is_stable(world, hut)
    assert x - 3 <= anchor_x <= x + 1, "on its own plot"
    assert z <= anchor_z <= z + 4


def test_the_program_is_the_same_wherever_it_stands() -> None:
    assert SAWYER in blocks(ROOT / "README.md")
    assert (ROOT / "examples" / "bots" / "sawyer.py").read_text("utf-8") == SAWYER
    assert len(SAWYER.splitlines()) < 50


@pytest.mark.parametrize("seed", SEEDS)
def test_it_becomes_a_citizen_and_builds_its_hut(
    founded: Founded, capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    """The next run of it is the same body, which remembers."""
    world = founded(seed)
    live(world, 100)
    hub = village_hub(world)
    run_program(hub)
    out = capsys.readouterr().out
    check(world, out)
    run_program(hub)
    again = re.fullmatch(AGAIN, capsys.readouterr().out)
    assert again is not None
    assert again[1] in out
    assert again[2] in out


@pytest.mark.parametrize("hour", [0.87])
def test_it_does_so_at_night_too(
    founded: Founded, capsys: pytest.CaptureFixture[str], hour: float
) -> None:
    world = founded(42)
    live(world, (int(hour * DAY_TICKS) - world.tick) % DAY_TICKS)
    run_program(village_hub(world))
    check(world, capsys.readouterr().out)


@pytest.mark.long
@pytest.mark.parametrize("seed", [*SEEDS, *MORE_SEEDS])
def test_it_does_so_on_any_seed_and_day(
    founded: Founded, capsys: pytest.CaptureFixture[str], seed: int
) -> None:
    """On the third day at four hours, on the tenth and on the fortieth."""
    world = founded(seed, FOUNDED_TICKS)
    days = [2.3, 2.6, 2.87, 3.05, 9.4, 39.4]
    for day in days:
        live(world, int(day * DAY_TICKS) - world.tick)
        copy = restore(packed(world), new_city_world)
        run_program(village_hub(copy))
        check(copy, capsys.readouterr().out)
