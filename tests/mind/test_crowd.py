"""A thousand minds, recorded on a card, live again without one: `suites/minds-1/crowd.json.gz`."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RECORDING = ROOT / "suites/minds-1/crowd.json.gz"
WORLDS = 250
LEAST_TICKS = 600
LEAST_DECISIONS = 20_000


def replay(recording: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "crowd.py", "replay", str(recording), *options]
    return subprocess.run(
        command, cwd=ROOT / "examples/train", capture_output=True, text=True, check=False
    )


def test_the_recording_holds_a_thousand_minds_and_enough_of_their_decisions() -> None:
    head, *worlds = map(json.loads, gzip.decompress(RECORDING.read_bytes()).splitlines())
    assert len({world["seed"] for world in worlds}) == WORLDS
    assert {len(world["achieved"]) for world in worlds} == {4}
    assert min(world["tick"] for world in worlds) >= LEAST_TICKS
    decisions = sum(len(letters) for world in worlds for letters in world["steps"])
    assert decisions == head["decisions"] >= LEAST_DECISIONS


def test_worlds_of_it_end_in_the_same_digest() -> None:
    done = replay(RECORDING, "--worlds", "3", "--processes", "1")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("3 of 3 worlds end in the same digest")


def test_a_letter_that_was_changed_is_noticed(tmp_path: Path) -> None:
    head, world, *_ = gzip.decompress(RECORDING.read_bytes()).splitlines()
    row = json.loads(world)
    row["steps"][0] = "a" + row["steps"][0][1:]  # waits
    changed = tmp_path / "changed.json.gz"
    changed.write_bytes(gzip.compress(head + b"\n" + json.dumps(row).encode() + b"\n"))
    done = replay(changed, "--processes", "1")
    assert done.returncode == 1
    assert "1 of 1" not in done.stdout


@pytest.mark.long
def test_all_of_its_worlds_end_in_the_same_digests() -> None:
    done = replay(RECORDING, "--processes", "2")
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith(f"{WORLDS} of {WORLDS} worlds end in the same digest")
