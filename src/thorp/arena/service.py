"""Matches and files: plays a match that is given as data, saves it with its manifest, verifies a saved one.

Beside a log `final.jsonl` stand `final.manifest.json` and, where there is something to keep,
`final.observations.txt` (what the log has as digests, each content behind its digest) and
`final.replies.jsonl` (what models answered, so that the match can be played again without them).
"""

from __future__ import annotations

from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO

import msgspec

from thorp.arena.contract import Agent, MatchConfig, MatchResult
from thorp.arena.events import LogReader, parse_start
from thorp.arena.manifest import Manifest, first_changed_block, make_manifest, read_manifest
from thorp.arena.outside import Replies, open_agent
from thorp.arena.registry import is_built_in, make_agent, make_scenario, scenario_with_name
from thorp.arena.runner import run_match
from thorp.arena.scenarios.seating import take_seats
from thorp.arena.task import MatchTask
from thorp.arena.verify import Difference, config_of, find_difference
from thorp.kernel.errors import IllegalError, InvalidError, ThorpError
from thorp.kernel.identity import digest
from thorp.store import Disk, write_atomic
from thorp.store.disk import file_exists

MANIFEST_BYTES_LIMIT = 16 << 20
"""A manifest is a page of text; its largest part, the command lines of the seats, cannot be this long."""


class Verification(msgspec.Struct, frozen=True):
    """What a verification found. `basis` says what the log was judged by: its manifest, or defaults."""

    difference: Difference | None
    basis: str
    scenario: str
    lines: int
    replayed_bots: tuple[str, ...]


def play(task: MatchTask, replies: Replies | None = None) -> MatchResult:
    """Play the match a task describes. With `replies`, model seats read what they answered before."""
    return play_with_diagnostics(task, replies)[0]


def play_with_diagnostics(task: MatchTask, replies: Replies | None) -> tuple[MatchResult, dict[str, str]]:
    """Play, and also return what agents from outside said on the side (an error stream's end), by id."""
    scenario = make_scenario(task.scenario, task.parameters)
    take_seats(task.scenario, [seat.id for seat in task.seats], getattr(scenario, "seats", (1, None)))
    with ExitStack() as stack:
        agents = [stack.enter_context(open_agent(seat, task, replies)) for seat in task.seats]
        result = run_match(scenario, agents, MatchConfig(task.seed, task.max_turns, task.match_id))
        return result, {agent.id: getattr(agent, "diagnostics", "") for agent in agents}


def beside(log: Path, kind: str) -> Path:
    """The path of a file that belongs to a log."""
    return log.with_name(f"{log.name.removesuffix('.jsonl')}.{kind}")


def refuse_occupied(log: Path, *, replace: bool) -> None:
    """Refuse a path that a match cannot be saved to, before the match is played."""
    if log.is_dir() or not log.parent.is_dir():
        raise IllegalError(f"{log}: not a file in a folder that exists; give another path", code="path")
    for path in (log, beside(log, "manifest.json")):
        if path.exists() and not replace:
            raise file_exists(path)


def save_match(
    disk: Disk, log: Path, task: MatchTask, result: MatchResult, replies: bytes | None, *, replace: bool
) -> None:
    """Write a match and all that belongs to it. If any of it fails, none of it is left behind."""
    observations = observations_file(result) if result.contents else None
    manifest = make_manifest(task, result, observations, replies).to_bytes()
    files = {
        beside(log, "observations.txt"): observations,
        beside(log, "replies.jsonl"): replies,
        beside(log, "manifest.json"): manifest,
        log: result.jsonl,
    }
    written: list[Path] = []
    try:
        for path, data in files.items():
            if data is not None:
                write_atomic(disk, path, data, replace=replace)
                written.append(path)
    except ThorpError:
        for path in written:
            with suppress(ThorpError):
                disk.remove(path)
        raise


def verify_file(log: Path) -> Verification:
    """Judge a saved match again, by its manifest if it has one, else with the scenario's defaults."""
    with _open(log) as file:
        reader = LogReader(file)
        manifest_path = beside(log, "manifest.json")
        if manifest_path.exists():
            manifest = read_manifest(_read_bounded(manifest_path))
            return _verify_by_manifest(log, reader, manifest)
        start = parse_start(reader.peek())
        scenario = scenario_with_name(start["scenarioName"])
        config = config_of(start, reader.peek(1))
        difference = find_difference(reader, make_scenario(scenario, {}), start["agentIds"], config)
        return Verification(difference, "defaults", scenario, reader.line, ())


def _verify_by_manifest(log: Path, reader: LogReader, manifest: Manifest) -> Verification:
    task = manifest.task
    bots: dict[str, Agent] = {
        seat.id: make_agent(task.scenario, seat.spec, seat.id)
        for seat in task.seats
        if is_built_in(task.scenario, seat.spec)
    }
    difference = find_difference(
        reader,
        make_scenario(task.scenario, task.parameters),
        [seat.id for seat in task.seats],
        MatchConfig(task.seed, task.max_turns, task.match_id),
        bots,
    )
    lines = reader.line
    difference = _unnoticed_change(log, manifest, difference) or _changed_observation(log)
    return Verification(difference, "manifest", task.scenario, lines, tuple(bots))


def _unnoticed_change(log: Path, manifest: Manifest, found: Difference | None) -> Difference | None:
    """A change before the difference that was found, which no rule of the game noticed, if there is one."""
    with _open(log) as file:
        line = first_changed_block(manifest, iter(LogReader(file).take, None))
    if line is None or (found is not None and found.line <= line + manifest.log.block_lines - 1):
        return found
    last = line + manifest.log.block_lines - 1
    where = "the line is" if last == line else f"lines {line} to {last} are"
    return Difference("changed", line, f"{where} not what the manifest was made for")


def _changed_observation(log: Path) -> Difference | None:
    """The first content in the observations file that is not what its digest says."""
    path = beside(log, "observations.txt")
    if not path.exists():
        return None
    with _open(path) as file:
        reader = LogReader(file)
        while (line := reader.take()) is not None:
            name, _, content = line.removesuffix(b"\n").partition(b" ")
            if name.decode("ascii", "replace") != digest(content):
                return Difference(
                    "observation", reader.line, f"{path.name}: the content is not what its digest says"
                )
    return None


def observations_file(result: MatchResult) -> bytes:
    """The contents that the log has as digests, one a line behind its digest."""
    return b"".join(b"%b %b\n" % (name.encode(), content) for name, content in result.contents.items())


def _open(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except OSError as problem:
        raise IllegalError(f"{path}: {problem.strerror}; check the path", code="unreadable") from None


def _read_bounded(path: Path) -> bytes:
    with _open(path) as file:
        data = file.read(MANIFEST_BYTES_LIMIT + 1)
    if len(data) > MANIFEST_BYTES_LIMIT:
        raise InvalidError(
            f"{path}: larger than {MANIFEST_BYTES_LIMIT} bytes; not a manifest", code="manifest"
        )
    return data
