"""The example agents: four doors, one way to play, one log."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.arena.external.matches import play_match

EXAMPLES = Path(__file__).parents[3] / "examples" / "agents"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, str(EXAMPLES / "server.py"), "0"], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    with process.stdout:
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.kill()
            process.wait()


def test_every_door_gives_the_same_log(server: str) -> None:
    specs = [
        f"{EXAMPLES}/halver.py:Halver",
        f"cmd:{shlex.quote(sys.executable)} {EXAMPLES}/jsonlines.py",
        f"cmd:sh {EXAMPLES}/halver.sh",
        server,
        server,
    ]
    logs = [play_match(spec, "random", max_turns=20, maximum=1000) for spec in specs]
    assert logs[0].scores == {"seat-1": 100, "seat-2": 0}
    assert {log.jsonl for log in logs} == {logs[0].jsonl}
