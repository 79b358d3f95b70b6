"""Logs and generator sequences recorded from the original runner, reproduced to the byte."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.arena.golden_agents import build
from thorp.arena import MatchConfig, run_match
from thorp.arena.scenarios import NumberGuess
from thorp.kernel.numbers import number_text
from thorp.kernel.rng import Mulberry32

GOLDEN = Path(__file__).parent.parent / "golden" / "match.jsonl"
NODE_RUNNER = Path(__file__).parents[2] / "bench" / "matches.mjs"
# Not splitlines(): some strings hold raw U+2028.
RECORDS = [json.loads(line) for line in GOLDEN.read_text("utf-8").split("\n") if line]
MATCHES = [record for record in RECORDS if record["kind"] == "match"]
SEQUENCES = [record for record in RECORDS if record["kind"] == "prng"]


def test_the_sample_is_complete() -> None:
    assert (len(MATCHES), len(SEQUENCES)) == (12, 10)


@pytest.mark.parametrize("record", MATCHES, ids=lambda record: record["id"])
def test_match_log_is_byte_identical(record: dict[str, Any]) -> None:
    config, expect = record["config"], record["expect"]
    bounds = config.get("range", {"min": 1, "max": 100})
    result = run_match(
        NumberGuess(minimum=bounds["min"], maximum=bounds["max"]),
        [build(spec) for spec in config["agents"]],
        MatchConfig(
            seed=config["seed"], max_turns=config["maxTurns"], match_id=config.get("matchId")
        ),
    )
    assert result.jsonl.decode("utf-8") == record["jsonl"]
    assert hashlib.sha256(result.jsonl).hexdigest() == expect["sha256"]
    assert (len(result.jsonl), len(result.events)) == (expect["bytes"], expect["events"])
    assert (result.match_id, result.turns, result.reason) == (
        expect["matchId"],
        expect["turns"],
        expect["reason"],
    )
    assert result.scores == expect["scores"]


@pytest.mark.parametrize("record", SEQUENCES, ids=lambda record: record["id"])
def test_generator_sequence(record: dict[str, Any]) -> None:
    integers, fractions = Mulberry32(record["seed"]), Mulberry32(record["seed"])
    assert [integers.uint32() for _ in range(16)] == record["u32"]
    assert [number_text(fractions.random()) for _ in range(16)] == record["shortest"]


@pytest.mark.real("node")
@pytest.mark.parametrize("copies", [True, False], ids=["copies", "shared"])
def test_the_runner_we_compare_with_writes_the_golden_logs(copies: bool) -> None:
    orders = [{"match": record["config"], "copies": copies} for record in MATCHES]
    done = subprocess.run(
        ["node", NODE_RUNNER],
        input="\n".join(map(json.dumps, orders)).encode(),
        capture_output=True,
        timeout=60,
        check=True,
    )
    logs = [json.loads(line) for line in done.stdout.splitlines()]
    assert logs == [record["jsonl"] for record in MATCHES]


EDGES: list[dict[str, Any]] = [
    {"seed": 16, "maxTurns": 6, "agents": [{"id": "twin", "kind": "random"}] * 3},
    {"seed": 2**53, "maxTurns": 4},
    {"seed": 2**53 + 1, "maxTurns": 4},
    {"seed": 2**63, "maxTurns": 4},
    {"seed": -(2**64) - 5, "maxTurns": 4},
    {"seed": 1e300, "maxTurns": 4},
    {"seed": float("nan"), "maxTurns": 4},
    {"seed": 3, "maxTurns": float("nan")},
    {"seed": 3, "maxTurns": float("inf"), "agents": [{"id": "b", "kind": "baseline"}]},
]
"""Edges of the original: equal ids, seeds that a double rounds, and NaN and infinity, written as
null."""


@pytest.mark.real("node")
@pytest.mark.parametrize("edge", EDGES, ids=repr)
def test_the_edges_of_the_original_are_kept_to_the_byte(edge: dict[str, Any]) -> None:
    usual = [{"id": "r", "kind": "random"}, {"id": "b", "kind": "baseline"}]
    config = {"agents": usual, **edge}
    # JSON holds neither NaN nor infinity, so those numbers travel as text.
    order = json.dumps({"match": config, "copies": True})
    for name in ("NaN", "Infinity"):
        order = order.replace(f": {name}", f': "{name}"')
    done = subprocess.run(
        ["node", NODE_RUNNER], input=order.encode(), capture_output=True, timeout=60, check=True
    )
    result = run_match(
        NumberGuess(),
        [build(spec) for spec in config["agents"]],
        MatchConfig(seed=config["seed"], max_turns=config["maxTurns"]),
    )
    assert result.jsonl.decode() == json.loads(done.stdout)
