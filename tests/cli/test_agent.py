"""`thorp agent trace`: what an agent saw, did and was told, from the journal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import refused, thorp
from tests.voxel.inline import Inline
from thorp.bridges.voxel_town import found
from thorp.protocol.act import Act
from thorp.protocol.actions import Mine, Say
from thorp.store import RealDisk
from thorp.voxel.inputs import Acted, AnyInput, Detach, Join, Malformed
from thorp.voxel.service import WorldService

TOO_FAR = Mine(id="dig", block_pos=(3000, 20, 3000))
LIFE: list[list[AnyInput]] = [
    [Join("mole", "00"), Join("vole", "00")],
    [Acted(1, Act(tick=1, instants=[Say(id="hi", text="good\nday")], tasks=[TOO_FAR], cancel=["T9"]))],
    [Malformed(1, "tick: expected an integer")],
    [],
    [Detach(1)],
]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("trace") / "data"
    with WorldService.open(
        RealDisk(), data / "world", seed=4, draw_seed=5, threads=Inline, found=found
    ) as service:
        for inputs in LIFE:
            service.tick(inputs).result()
    return data


def test_a_life_can_be_read(data: Path) -> None:
    shown = thorp("agent", "trace", "A1", "--data", data).stdout.decode().splitlines()
    heads = [line.split(" at ")[0] for line in shown if line.startswith("tick")]
    assert heads == ["tick 1", "tick 2", "tick 3", "tick 5"]
    rest = [line.strip() for line in shown if not line.startswith("tick")]
    assert rest[0] == "joined"
    assert "sent MINE (dig) block_pos=(3000, 20, 3000)" in rest
    assert "T9: refused, E_INVALID_TARGET: task not found" in rest
    assert "MINE: refused, E_INVALID_TARGET: too far kind=MINE task_id=T000001" in rest
    assert "sent what could not be read: tick: expected an integer" in rest
    assert rest[-1] == "detached"


def test_every_tick_is_a_line_of_json(data: Path) -> None:
    lines = [
        json.loads(line)
        for line in thorp("agent", "trace", "A1", "--data", data, "--jsonl").stdout.splitlines()
    ]
    assert [line["tick"] for line in lines] == [1, 2, 3, 4, 5]
    assert lines[1]["acts"][0]["tasks"] == [{"id": "dig", "type": "MINE", "block_pos": [3000, 20, 3000]}]
    assert [event["type"] for event in lines[1]["events"]][-1] == "TASK_FAIL"
    assert lines[3]["observation"]["self"]["hp"] == 20


def test_a_part_of_it(data: Path) -> None:
    shown = thorp("agent", "trace", "A2", "--data", data, "--since", "2", "--until", "3", "--all").stdout
    assert [line.split(b" at ")[0] for line in shown.splitlines() if line.startswith(b"tick")] == [
        b"tick 2",
        b"tick 3",
    ]


def test_nobody_of_that_name(data: Path) -> None:
    assert "no agent A7" in refused(thorp("agent", "trace", "A7", "--data", data))


def test_no_world_there(tmp_path: Path) -> None:
    refused(thorp("agent", "trace", "A1", "--data", tmp_path))
