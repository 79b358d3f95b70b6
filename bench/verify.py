"""Verifying a log of a million events: CPU seconds, and how much memory it takes.

`python bench/verify.py` plays a match of 125,000 turns between two agents that always guess wrong.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from calibration import REFERENCE_MS, calibration_ms, cpu_seconds

from thorp.arena import AgentConfig, AgentContext, MatchConfig
from thorp.arena.runner import Match
from thorp.arena.scenarios import NumberGuess
from thorp.arena.service import verify_file

TURNS = 125_000


class Wrong:
    def __init__(self, id: str) -> None:
        self.id = id

    def init(self, config: AgentConfig) -> None: ...

    def act(self, observation: Any, ctx: AgentContext) -> Any:
        return {"guess": 0}


def verify(path: Path) -> None:
    slowness = calibration_ms() / REFERENCE_MS
    seconds = cpu_seconds(lambda: verify_file(path))
    memory_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"verify: {seconds:.2f} CPU s (calibrated {seconds / slowness:.2f}; bar: 6)")
    print(f"memory: {memory_mib:.0f} MiB at most")


def main() -> None:
    if len(sys.argv) > 1:
        verify(Path(sys.argv[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.jsonl"
        with path.open("wb") as log:
            Match(
                NumberGuess(), [Wrong("ada"), Wrong("bo")], MatchConfig(1, TURNS), log.write
            ).play()
        events = TURNS * 8 + 2
        print(f"{events:,} events, {path.stat().st_size / 1e6:.0f} MB")
        # In a process of its own, so that its memory is not that of the match.
        subprocess.run([sys.executable, __file__, str(path)], check=True)


if __name__ == "__main__":
    main()
