"""Reads what is brought to a league, a match or a tournament, and proves it before it counts.

Nothing here writes. What does not verify is refused in one line; what verifies becomes a `Batch`,
with an account of each seat: who it was, what is known of it, and what it cost.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec

from thorp import __version__
from thorp.arena import registry, service
from thorp.arena.contract import MatchResult, MatchTask
from thorp.arena.events import parse_event
from thorp.arena.league.accounts import CallCounts, SeatAccount, seat_accounts
from thorp.arena.league.rerun import rerun_agents
from thorp.arena.league.suite import Game, Suite
from thorp.arena.manifest import Manifest, read_manifest
from thorp.arena.service import LOG, MANIFEST, OBSERVATIONS, REPLIES, sidecar_path
from thorp.arena.tournament.outcome import Outcome, make_outcome
from thorp.arena.tournament.plan import Plan, read_plan
from thorp.arena.tournament.run import LOGS, REPORT, STANDINGS, TOURNAMENT, read_results
from thorp.arena.tournament.verify import verify_tournament
from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import InvalidError, UnknownError
from thorp.kernel.identity import digest
from thorp.store import Disk, read_whole
from thorp.workers.directory import MANIFEST as TOURNAMENT_MANIFEST
from thorp.workers.directory import RESULTS

STATUSES: Final[tuple[str, ...]] = ("self-reported", "recorded", "reproduced", "re-run by another")
"""From the weakest proof to the strongest."""

MATCH_NAME: Final = "match"  # How the files of a single match are called in a league.


class Batch(msgspec.Struct, frozen=True, kw_only=True):
    """A proved match or tournament, as the league's chain records it. `tip` covers everything that
    was brought, `plan` everything that was given before the first move. A single match has its
    outcome here; a tournament has them in its directory."""

    kind: Literal["batch"] = "batch"
    form: Literal["match", "tournament"]
    tip: str
    plan: str
    game: str
    thorp: str
    matches: int
    seats: tuple[SeatAccount, ...]
    outcome: Outcome | None = None


class Evidence(msgspec.Struct, frozen=True):
    """A batch, and the files to keep of it: where each lies and the name it gets."""

    batch: Batch
    files: dict[str, Path]


def read_evidence(disk: Disk, path: Path, suite: Suite, *, reproduce: bool = False) -> Evidence:
    """Prove the match or tournament at a path. With `reproduce` its agents are run again, too,
    where their code is here, and must do the same."""
    if disk.exists(path / TOURNAMENT_MANIFEST):
        return _tournament(disk, path, suite, reproduce=reproduce)
    if path.is_dir():
        path = path / f"{MATCH_NAME}.{LOG}"
        if not path.is_file():
            raise UnknownError(
                f"{path.parent} holds no tournament; give its directory, or the log of a match",
                code="no_results",
            )
    return _match(disk, path, suite, reproduce=reproduce)


def _tournament(disk: Disk, path: Path, suite: Suite, *, reproduce: bool) -> Evidence:
    manifest = TOURNAMENT.read_manifest(disk, path)
    plan = read_plan(manifest)
    if not disk.exists(path / RESULTS):
        raise InvalidError(
            f"{path} is not finished; run the command that began it again, then add it",
            code="not_finished",
        )
    game = _game_of(suite, path, plan.scenario, plan.parameters, plan.max_turns)
    _check_deals(suite, game, path, (task.seed for task in plan.tasks(plan.schedule())))
    verification = verify_tournament(disk, path)
    if verification.differences:
        raise _unproved(path, verification.differences[0])
    assert verification.tip is not None, "a tournament without differences has its tip"
    outcomes = read_results(disk, path, plan.ids)
    calls = CallCounts()
    if plan.logs:
        for outcome in outcomes:
            if REPLIES in outcome.beside:
                calls.add(read_whole(disk, path / LOGS / f"{outcome.key}.{REPLIES}"))
    code = {entrant["id"]: entrant.get("sha256") for entrant in manifest["entrants"]}
    rerun: frozenset[str] = frozenset()
    if reproduce and plan.logs:
        tasks = plan.tasks(plan.schedule())
        recordings = [path / LOGS / f"{outcome.key}.{REPLIES}" for outcome in outcomes]
        played = zip(tasks, outcomes, recordings, strict=True)
        rerun = rerun_agents(path, plan.entrants, code, played)
    batch = Batch(
        form="tournament",
        tip=verification.tip,
        plan=digest(read_whole(disk, path / TOURNAMENT_MANIFEST)),
        game=game.name,
        thorp=__version__,
        matches=len(outcomes),
        seats=seat_accounts(plan, code, outcomes, calls, rerun),
    )
    return Evidence(batch, _tournament_files(path, plan, outcomes))


def _tournament_files(path: Path, plan: Plan, outcomes: Iterable[Outcome]) -> dict[str, Path]:
    names = [TOURNAMENT_MANIFEST, RESULTS, STANDINGS, REPORT]
    files = {name: path / name for name in names if (path / name).is_file()}
    if plan.logs:
        for outcome in outcomes:
            for kind in (LOG, *outcome.beside):
                name = f"{outcome.key}.{kind}"
                files[f"{LOGS}/{name}"] = path / LOGS / name
    return files


def _read_match_manifest(disk: Disk, log: Path) -> tuple[Manifest, bytes]:
    """The manifest beside a log, and its bytes. Refused if there is none, or another release's."""
    manifest_path = sidecar_path(log, MANIFEST)
    if not log.is_file():
        raise UnknownError(f"{log}: no such file; check the path", code="no_results")
    if not manifest_path.is_file():
        raise InvalidError(
            f"{log}: its manifest {manifest_path.name} is not beside it, without which nobody "
            "knows who played",
            code="no_manifest",
        )
    content = read_whole(disk, manifest_path, most=service.MANIFEST_BYTES_LIMIT)
    manifest = read_manifest(content, manifest_path)
    if manifest.thorp != __version__:
        raise InvalidError(
            f"{log} was played by thorp {manifest.thorp}, this is {__version__}; add it with that",
            code="version",
        )
    return manifest, content


def _demand_proof(log: Path) -> None:
    """Refuse a log that does not verify, or that ends before its match did."""
    verification = service.verify_file(log)
    difference = verification.difference
    if difference is not None:
        raise _unproved(log, f"line {difference.line}: {difference.message}")
    if verification.interrupted:
        raise InvalidError(
            f"{log}: the match was interrupted and proves nothing", code="interrupted"
        )


def _match(disk: Disk, log: Path, suite: Suite, *, reproduce: bool) -> Evidence:
    """What a single match proves."""
    manifest, manifest_data = _read_match_manifest(disk, log)
    task = manifest.task
    parameters = registry.scenario_parameters(task.scenario, task.parameters)
    game = _game_of(suite, log, task.scenario, parameters, task.max_turns)
    _check_deals(suite, game, log, [task.seed])
    _demand_proof(log)
    outcome = _outcome_of_log(task, read_whole(disk, log))
    replies = sidecar_path(log, REPLIES)
    calls = CallCounts()
    if manifest.replies is not None:
        calls.add(read_whole(disk, replies))
    code: dict[str, str | None] = {}
    rerun: frozenset[str] = frozenset()
    if reproduce:
        rerun = rerun_agents(log, task.seats, code, [(task, outcome, replies)])
    plan = Plan(
        scenario=task.scenario,
        parameters=parameters,
        entrants=task.seats,
        seed=task.seed,
        rounds=1,
        table=len(task.seats),
        max_turns=task.max_turns,
        limits=task.limits,
        logs=True,
    )
    batch = Batch(
        form="match",
        tip=digest(manifest_data),
        plan=digest(canonical_bytes(msgspec.json.decode(msgspec.json.encode(task)))),
        game=game.name,
        thorp=__version__,
        matches=1,
        seats=seat_accounts(plan, code, [outcome], calls, rerun, level=task.level),
        outcome=outcome,
    )
    files = {f"{MATCH_NAME}.{LOG}": log}
    for kind in (MANIFEST, OBSERVATIONS, REPLIES):
        if sidecar_path(log, kind).is_file():
            files[f"{MATCH_NAME}.{kind}"] = sidecar_path(log, kind)
    return Evidence(batch, files)


def _outcome_of_log(task: MatchTask, log: bytes) -> Outcome:
    end = parse_event(log[log.rindex(b"\n", 0, -1) + 1 :])
    start = parse_event(log[: log.index(b"\n") + 1])
    assert end is not None, "a log that verifies ends as a match does"
    assert start is not None, "and begins as one"
    result = MatchResult(
        match_id=start["matchId"],
        seed=task.seed,
        scores=end["scores"],
        turns=end["turns"],
        reason=end["reason"],
        jsonl=log,
        error=end["reason"] if end["reason"] == "error" else None,
        contents={},
    )
    return make_outcome(task, result, {})


def _unproved(path: Path, why: str) -> InvalidError:
    return InvalidError(f"{path} does not verify: {why}", code="unproved")


def _game_of(
    suite: Suite, path: Path, scenario: str, parameters: dict[str, Json], max_turns: int
) -> Game:
    try:
        return suite.game_of(scenario, parameters, max_turns)
    except InvalidError as refusal:
        raise InvalidError(f"{path}: {refusal}", code=refusal.code) from None


def _check_deals(suite: Suite, game: Game, path: Path, seeds: Iterable[int]) -> None:
    """Refuse deals of a game by score that are not the suite's: everybody plays the same."""
    if game.kind == "scores" and not {*seeds} <= game.seeds():
        raise InvalidError(
            f"{path}: {suite.name} has {game.deals} deals of {game.name}; play a tournament with "
            f"--seed {game.seed} and at most --rounds {game.deals}",
            code="other_suite",
        )


def outcomes_in(disk: Disk, folder: Path, batch: Batch) -> Iterator[Outcome]:
    """The outcomes of a batch that a league keeps in this folder, whose tip is checked again."""
    if batch.outcome is not None:
        yield batch.outcome
        return
    manifest = read_whole(disk, folder / TOURNAMENT_MANIFEST)
    results = read_whole(disk, folder / RESULTS)
    if digest(manifest + results) != batch.tip:
        raise _unproved(folder, "its files are not those that were added")
    decode = msgspec.json.Decoder(Outcome).decode
    for line in results.split(b"\n")[:-1]:
        yield decode(line)
