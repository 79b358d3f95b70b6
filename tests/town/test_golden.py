"""Records printed by the original, reproduced: hashes, proposals, handoffs, results and
refusals."""

from __future__ import annotations

import json
import subprocess
from collections import defaultdict
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.town.samples import refusals
from thorp.town import (
    build_handoff,
    build_result,
    inspect_decision,
    proposal_to_command,
    propose,
    snapshot_hash,
    validate_handoff,
    validate_profile,
    validate_proposal,
    validate_result,
    validate_snapshot,
)

Record = dict[str, Any]
GOLDEN = Path(__file__).parent.parent / "golden" / "cognition.jsonl"
NODE_PEER = Path(__file__).parents[2] / "bench" / "propose.mjs"
# Not splitlines(): some strings hold raw U+2028.
RECORDS: list[Record] = [json.loads(line) for line in GOLDEN.read_text("utf-8").split("\n") if line]
VALID = [record for record in RECORDS if record["kind"] == "valid"]
INVALID = [record for record in RECORDS if record["kind"] == "invalid"]

STAGES: dict[str, Callable[[Record], object]] = {
    "propose": lambda given: propose(given["snapshot"], given["profile"], given.get("memory")),
    "command": lambda given: proposal_to_command(given["proposal"]),
    "handoff": lambda given: build_handoff(given["proposal"], given.get("command")),
    "handoff-check": lambda given: validate_handoff(given["handoff"]),
    "result": lambda given: build_result(given["handoff"], given["outcome"]),
    "result-check": lambda given: validate_result(given["result"]),
}

# What the original refuses with one sentence a stage, ours names: every expected code and path.
REFUSALS: dict[str, list[tuple[str, str]]] = {
    "snapshot is a number": [("type", "$.snapshot")],
    "day is an object": [("type", "$.snapshot.day")],
    "mission with an unknown key": [("unknown_key", "$.snapshot.mission.giver")],
    "null quest after a good one": [("type", "$.snapshot.sideQuests[1]")],
    "quest without id": [("missing", "$.snapshot.sideQuests[0].id")],
    "project with an unknown key": [("unknown_key", "$.snapshot.projects[0].stage")],
    "profile traits missing": [("missing", "$.profile.traits")],
    "proposal with negative priority": [("range", "$.priority")],
    "schemaVersion wrong": [("enum", "$.schemaVersion")],
    "rejected but executed": [("status", "$.outcome.accepted"), ("status", "$.outcome.executed")],
}


def named(records: list[Record]) -> Any:
    return pytest.mark.parametrize("record", records, ids=lambda record: record["id"])


def test_the_sample_is_complete() -> None:
    assert (len(VALID), len(INVALID)) == (30, 10)
    assert {record["note"] for record in INVALID} == set(REFUSALS)


@named(VALID)
def test_snapshot_hash(record: Record) -> None:
    snapshot, expected = record["input"]["snapshot"], record["expect"]
    validate_snapshot(snapshot)
    validate_profile(record["input"]["profile"])
    assert snapshot_hash(snapshot) == expected["snapshotHash"]
    assert sha256(expected["snapshotPreimage"].encode()).hexdigest() == expected["snapshotHash"]


@named(VALID)
def test_ranked_decision(record: Record) -> None:
    given, expected = record["input"], record["expect"]["ranked"]
    proposal = propose(given["snapshot"], given["profile"], given.get("memory"))
    assert proposal == expected["proposal"]
    assert list(proposal) == list(expected["proposal"])
    validate_proposal(proposal)
    assert proposal_to_command(proposal) == expected["command"]
    inspection = inspect_decision(given["snapshot"], given["profile"], given.get("memory"))
    assert inspection["candidates"] == expected["candidates"]
    assert inspection["selectedProposal"] == proposal
    assert inspection["command"] == expected["command"]


@named(VALID)
def test_simple_decision(record: Record) -> None:
    given, expected = record["input"], record["expect"]["simple"]
    proposal = propose(given["snapshot"], given["profile"], given.get("memory"), policy="simple")
    assert proposal == expected["proposal"]
    assert proposal_to_command(proposal) == expected["command"]
    assert build_handoff(proposal)["handoffId"] == expected["handoffId"]


@named(VALID)
def test_handoff_and_results(record: Record) -> None:
    expected = record["expect"]["ranked"]["handoff"]
    proposal = record["expect"]["ranked"]["proposal"]
    handoff = build_handoff(proposal)
    assert handoff == build_handoff(proposal, expected["command"]) == expected
    assert list(handoff) == list(expected)
    validate_handoff(handoff)
    for case in record["expect"]["results"]:
        result = build_result(handoff, case["outcome"])
        assert result == case["result"]
        assert list(result) == list(case["result"])
        validate_result(result)


def test_the_same_content_in_another_order_has_the_same_ids() -> None:
    groups = defaultdict(list)
    for record in VALID:
        if record["topic"] == "reorder":
            given = record["input"]
            groups[record["group"]].append(
                propose(given["snapshot"], given["profile"], given.get("memory"))
            )
    assert groups
    for proposals in groups.values():
        assert len(proposals) > 1
        assert all(proposal == proposals[0] for proposal in proposals)


@named(INVALID)
def test_refusal(record: Record) -> None:
    assert refusals(lambda: STAGES[record["stage"]](record["input"])) == REFUSALS[record["note"]]


@pytest.mark.real("node")
def test_the_implementation_we_compare_with_makes_the_golden_proposals() -> None:
    """What `bench/propose.py` measures beside ours does the same work. It knows no memory."""
    records = [record for record in VALID if "memory" not in record["input"]]
    orders = [
        {"propose": [each["input"]["snapshot"], each["input"]["profile"]]} for each in records
    ]
    done = subprocess.run(
        ["node", NODE_PEER],
        input="\n".join(map(json.dumps, orders)).encode(),
        capture_output=True,
        timeout=60,
        check=True,
    )
    proposals = [json.loads(line) for line in done.stdout.split(b"\n") if line]
    assert proposals == [record["expect"]["ranked"]["proposal"] for record in records]
    assert len(proposals) > 20
