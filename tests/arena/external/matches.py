"""Matches of number guess between agents from outside, and what is left of their processes."""

from __future__ import annotations

import os
import shlex
import sys
import time
from pathlib import Path
from typing import Any

from thorp.arena import MatchResult
from thorp.arena.contract import Limits, MatchTask, Seat
from thorp.arena.external import Replies
from thorp.arena.service import play

PLAYERS = Path(__file__).parent / "players"
PLAYER = PLAYERS / "player.py"
HOSTED = PLAYERS / "hosted.py"

PATIENT = Limits(turn_seconds=30, match_seconds=60)
"""For agents that answer: a busy machine must not turn them into ones that do not."""


def player(behaviour: str) -> str:
    """The spec of a command that behaves so."""
    return f"cmd:{shlex.quote(sys.executable)} {shlex.quote(str(PLAYER))} {behaviour}"


def hosted(class_name: str) -> str:
    """The spec of a class in hosted.py."""
    return f"{HOSTED}:{class_name}"


def task_of(
    *specs: str, max_turns: int = 3, limits: Limits = PATIENT, maximum: int = 10**6
) -> MatchTask:
    seats = tuple(Seat(f"seat-{number}", spec) for number, spec in enumerate(specs, start=1))
    return MatchTask(
        "number-guess",
        seats,
        seed=5,
        max_turns=max_turns,
        parameters={"maximum": maximum},
        limits=limits,
    )


def play_match(
    *specs: str,
    max_turns: int = 3,
    limits: Limits = PATIENT,
    maximum: int = 10**6,
    replies: Replies | None = None,
) -> MatchResult:
    task = task_of(*specs, max_turns=max_turns, limits=limits, maximum=maximum)
    result = play(task, replies)
    assert result.events[-1]["type"] == "MatchEnded"
    assert result.reason in ("completed", "maxTurnsReached")
    return result


def outcomes(result: MatchResult, agent_id: str = "seat-1") -> list[Any]:
    """What came of each of a seat's turns: the action, or the text of the error."""
    kinds = {"ActionSubmitted": "action", "AgentError": "message"}
    return [
        event[kinds[event["type"]]]
        for event in result.events
        if event["type"] in kinds and event["agentId"] == agent_id
    ]


def is_gone(pid: int) -> bool:
    """Whether a process has ended, within a few seconds. One that only waits for init to reap it
    has."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
            if state == "Z" and not is_child(pid):
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.05)
    return False


def is_child(pid: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    return f"PPid:\t{os.getpid()}\n" in status
