"""Verifies a finished tournament: tables follow from results, results from logs, and logs from the
rules.

`docs/tournaments.md` says what this proves. Without logs it proves less: that the results fit the
schedule, and that the tables follow from them. Differences come in the order manifest, schedule,
logs, tables; at most `MAX_DIFFERENCES` of them.
"""

import io
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from pathlib import Path

import msgspec

from thorp import __version__
from thorp.arena.contract import MatchResult, MatchTask
from thorp.arena.events import LogReader, parse_event
from thorp.arena.service import LOG, REPLIES, find_task_difference, replayed_agents
from thorp.arena.service import Verification as MatchVerification
from thorp.arena.tournament.outcome import Outcome, make_outcome
from thorp.arena.tournament.plan import STANDINGS_VERSION, read_plan
from thorp.arena.tournament.report import FinishedTournament
from thorp.arena.tournament.run import LOGS, REPORT, STANDINGS, TOURNAMENT, read_results
from thorp.kernel.canonical import Json
from thorp.kernel.errors import DamagedError, InvalidError
from thorp.kernel.identity import digest
from thorp.store import Disk, read_whole
from thorp.workers.directory import run_tip

OLD_RATINGS = "openskill"
"""In the manifests of standings of the first format: the package that made their ratings."""
ENDED_WITH = ("scores", "turns", "reason")
"""What the last event of a log says."""
MAX_DIFFERENCES = 20  # A screenful: one damaged plan can make every match differ.


class Verification(msgspec.Struct, frozen=True):
    """The result. `logs` counts the logs whose matches were played again; `tip` is the digest that
    covers manifest and results, None if they could not be read."""

    matches: int
    logs: int
    differences: list[str]
    tip: str | None


def verify_tournament(disk: Disk, path: Path, tip: str | None = None) -> Verification:
    """Verify a finished tournament, and that its tip is `tip` if given. Refuses a directory that
    holds no tournament, or one of another version."""
    try:
        manifest = TOURNAMENT.read_manifest(disk, path)
        plan = read_plan(manifest)
        _check_versions(path, manifest)
        schedule = plan.schedule()
        outcomes = read_results(disk, path, plan.ids)
    except DamagedError as damage:
        return Verification(0, 0, [str(damage)], None)
    actual_tip = run_tip(disk, path)
    if tip is not None and tip != actual_tip:
        difference = f"{path}: the tip is {actual_tip}, not {tip}"
        return Verification(len(schedule), 0, [difference], actual_tip)
    finished = FinishedTournament(plan, outcomes)
    compare_tables = _old_table_differences if OLD_RATINGS in manifest else _table_differences
    differences = chain(
        _match_differences(disk, path, plan.tasks(schedule), finished),
        compare_tables(disk, path, finished),
    )
    logs = len(schedule) if plan.logs else 0
    return Verification(len(schedule), logs, list(islice(differences, MAX_DIFFERENCES)), actual_tip)


def verify_log(disk: Disk, log: Path) -> MatchVerification:
    """Play one match of a tournament again from its plan, and compare it with its log."""
    path = log.parent.parent
    key = log.name.removesuffix(f".{LOG}")
    plan = read_plan(TOURNAMENT.read_manifest(disk, path))
    [task] = plan.tasks(fixture for fixture in plan.schedule() if fixture.key == key)
    replies = log.with_name(f"{key}.{REPLIES}")
    agents = replayed_agents(task, read_whole(disk, replies) if disk.exists(replies) else b"")
    reader = LogReader(io.BytesIO(read_whole(disk, log)))
    difference = find_task_difference(reader, task, agents)
    return MatchVerification(
        difference=difference,
        basis="manifest",
        scenario=task.scenario,
        lines=reader.line,
        replayed_bots=tuple(agents),
    )


def _check_versions(path: Path, manifest: Mapping[str, Json]) -> None:
    """Refuse a tournament of another version of Thorp, whose results may differ, and standings of a
    format that this version does not know."""
    if manifest.get("thorp") != __version__:
        raise InvalidError(
            f"{path} was made with thorp {manifest.get('thorp')}, this is {__version__}; prove it "
            "with that",
            code="version",
        )
    if OLD_RATINGS not in manifest and manifest.get("standings") != STANDINGS_VERSION:
        raise InvalidError(
            f"{path} has standings of format {manifest.get('standings')}, this reads "
            f"{STANDINGS_VERSION} and 1; prove it with the thorp that made it",
            code="version",
        )


def _match_differences(
    disk: Disk, path: Path, tasks: Iterator[MatchTask], finished: FinishedTournament
) -> Iterator[str]:
    outcomes = iter(finished.outcomes)
    for task in tasks:
        outcome = next(outcomes, None)
        seats = tuple(seat.id for seat in task.seats)
        if outcome is None or (outcome.key, outcome.seed, outcome.seats) != (
            task.match_id,
            task.seed,
            seats,
        ):
            yield f"results.jsonl: the result of {task.match_id} is not in its place"
            return
        if finished.plan.logs:
            yield from _log_differences(disk, path / LOGS / f"{outcome.key}.{LOG}", task, outcome)
    if next(outcomes, None) is not None:
        yield "results.jsonl: there are more results than matches"


def _table_differences(disk: Disk, path: Path, finished: FinishedTournament) -> Iterator[str]:
    for name, expected in ((STANDINGS, finished.to_bytes()), (REPORT, finished.report())):
        if not disk.exists(path / name) or read_whole(disk, path / name) != expected:
            yield f"{name}: does not follow from the results"


def _old_table_differences(disk: Disk, path: Path, finished: FinishedTournament) -> Iterator[str]:
    """As `_table_differences`, for standings of the first format: their ratings are taken as they
    stand. The report shows the same figures and is not judged."""
    file = path / STANDINGS
    if not disk.exists(file) or not finished.is_followed_by(read_whole(disk, file)):
        yield f"{STANDINGS}: does not follow from the results"


def _log_differences(disk: Disk, log: Path, task: MatchTask, outcome: Outcome) -> Iterator[str]:
    """Yield the difference, if any, between an outcome, its files, and the match played again."""
    files: dict[str, bytes] = {}
    for kind, expected in {LOG: outcome.log, **outcome.beside}.items():
        file = log.with_name(f"{outcome.key}.{kind}")
        if not disk.exists(file):
            yield f"{file.name}: missing"
            return
        files[kind] = read_whole(disk, file)
        if kind != LOG and digest(files[kind]) != expected:
            yield f"{file.name}: is not the file that the result was made with"
            return
    data = files[LOG]
    agents = replayed_agents(task, files.get(REPLIES, b""))
    difference = find_task_difference(LogReader(io.BytesIO(data)), task, agents)
    if difference is not None:
        yield f"{log.name}:{difference.line}: {difference.code}: {difference.message}"
    elif digest(data) != outcome.log:
        yield f"{log.name}: is not the log that the result was made from"
    elif recount(task, data, outcome) != outcome:
        yield f"results.jsonl: the result of {outcome.key} is not what its log says"


def recount(task: MatchTask, log: bytes, outcome: Outcome) -> Outcome | None:
    """Compute an outcome from its log; None if the log does not end as a match does. A log records
    neither the error of an aborted match nor the digests of the files beside it: these are taken
    from `outcome`."""
    end = parse_event(log[log.rfind(b"\n", 0, -1) + 1 :])
    if end is None or not end.keys() >= {*ENDED_WITH}:
        return None
    ended = {name: end[name] for name in ENDED_WITH}
    key = outcome.key
    error = outcome.error
    result = MatchResult(match_id=key, seed=task.seed, jsonl=log, error=error, contents={}, **ended)
    return msgspec.structs.replace(make_outcome(task, result, {}), beside=outcome.beside)
