"""Matches whose logs are known to the byte, and the way to record them anew after a change that is
meant:

python -m tests.arena.scenarios.golden
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from thorp.arena import MatchConfig, MatchResult, run_match
from thorp.arena.registry import make_agent, make_scenario

FILE = Path(__file__).with_name("golden.json")


def play(record: dict[str, Any]) -> MatchResult:
    """The match that a record describes."""
    seats = enumerate(record["agents"])
    return run_match(
        make_scenario(record["scenario"], record["parameters"]),
        [make_agent(record["scenario"], kind, f"{kind}-{seat}") for seat, kind in seats],
        MatchConfig(record["seed"], record["maxTurns"]),
    )


def outcome(result: MatchResult) -> dict[str, Any]:
    """What is recorded of a match."""
    return {
        "reason": result.reason,
        "turns": result.turns,
        "scores": result.scores,
        "bytes": len(result.jsonl),
        "sha256": hashlib.sha256(result.jsonl).hexdigest(),
    }


def main() -> None:
    records = json.loads(FILE.read_text("utf-8"))
    for record in records:
        record["expect"] = outcome(play(record))
    FILE.write_text(json.dumps(records, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
