"""Checks that a match has the same log under every hash seed.

Python orders sets of strings by a secret that is new in every process, unless PYTHONHASHSEED fixes it. Code
that iterates over a set, or sorts by hash, plays one match in one process and another in the next. That shows
only if the match is played in several processes.
"""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pkgutil import resolve_name

from thorp.arena.contract import MatchConfig
from thorp.arena.runner import run_match
from thorp.arena.testing.trial import BrokenRule, require_same_log
from thorp.kernel.canonical import Json

_RULE = "same-bytes-under-every-hash-seed"
_PROGRAM = "from thorp.arena.testing.hash_seeds import main; main()"


def check_hash_seeds(
    scenario: str,
    agents: Sequence[str],
    *,
    parameters: Mapping[str, Json] | None = None,
    matches: int = 3,
    seed: int = 0,
    max_turns: int = 50,
    hash_seeds: Sequence[str] = ("0", "1", "random"),
) -> None:
    """Play the same matches in one process per hash seed; raise BrokenRule unless all logs are the same.

    `scenario` and `agents` are import paths like "package.module:Factory". A scenario is built with
    `parameters` as keywords, an agent with its id.
    """
    task = json.dumps([scenario, list(agents), dict(parameters or {}), matches, seed, max_turns])
    logs = [_logs_under(hash_seed, task) for hash_seed in hash_seeds]
    try:
        for hash_seed, log in zip(hash_seeds[1:], logs[1:], strict=True):
            require_same_log(logs[0], log, f"between PYTHONHASHSEED={hash_seeds[0]} and {hash_seed}")
    except BrokenRule as broken:
        broken.rule = _RULE
        raise


def main() -> None:
    """Run in the other process: read a task from standard input, write the logs to standard output."""
    scenario, agents, parameters, matches, seed, max_turns = json.load(sys.stdin)
    for n in range(matches):
        seated = [resolve_name(path)(f"{path.partition(':')[2]}-{seat}") for seat, path in enumerate(agents)]
        match = run_match(resolve_name(scenario)(**parameters), seated, MatchConfig(seed + n, max_turns))
        sys.stdout.buffer.write(match.jsonl)


def _logs_under(hash_seed: str, task: str) -> bytes:
    # The process gets our search path, so that it finds modules which only the test can see.
    path = os.pathsep.join(entry or os.getcwd() for entry in sys.path)
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        input=task.encode(),
        capture_output=True,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path},
        check=False,
    )
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        raise BrokenRule(f"the match could not be played in a process of its own:\n{said}", _RULE)
    return done.stdout
