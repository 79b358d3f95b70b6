"""Reads what is brought to a league, a match or a tournament, and proves it before it counts.

Nothing here writes. What does not verify is refused in one line; what verifies becomes a `Batch`,
with an account of each seat: who it was, what is known of it, and what it cost.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

import msgspec

from thorp import __version__
from thorp.arena import registry, service
from thorp.arena.contract import Level, MatchResult, MatchTask, Seat
from thorp.arena.events import parse_event
from thorp.arena.external import Replies
from thorp.arena.external.spec import BotSpec, FileSpec, ModelSpec, parse_spec
from thorp.arena.league.identity import Identity, make_identity
from thorp.arena.league.suite import Game, Suite
from thorp.arena.manifest import Manifest, read_manifest
from thorp.arena.service import LOG, MANIFEST, OBSERVATIONS, REPLIES, sidecar_path
from thorp.arena.tournament.outcome import Outcome, make_outcome
from thorp.arena.tournament.plan import Plan, read_plan
from thorp.arena.tournament.run import LOGS, REPORT, STANDINGS, TOURNAMENT, read_results
from thorp.arena.tournament.verify import verify_tournament
from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import InvalidError, ThorpError, UnknownError
from thorp.kernel.identity import digest
from thorp.store import Disk, read_whole
from thorp.workers.directory import MANIFEST as TOURNAMENT_MANIFEST
from thorp.workers.directory import RESULTS

Status = Literal["self-reported", "recorded", "reproduced"]
STATUSES: Final[tuple[str, ...]] = ("self-reported", "recorded", "reproduced", "re-run by another")
"""From what is known least to what is known best."""

LEAST_PARSE_RATE: Final = 0.8  # Of a model's replies that hold an action.
MOST_FALLBACK: Final = 0.2  # Of an agent's turns without an action that counts.
MOST_PROVIDER_ERRORS: Final = 0.1  # Of a model's calls without a reply.
MATCH_NAME: Final = "match"  # How the files of a single match are called in a league.


class SeatAccount(msgspec.Struct, frozen=True, kw_only=True):
    """One seat's part in a batch: who sat there, what is known of it, how its turns went, and what
    its calls cost. `gate` says why its results do not count, if they do not."""

    seat: str
    identity: Identity
    status: Status
    valid: int
    invalid: int
    errors: int
    calls: int
    failed_calls: int
    tokens_in: int
    tokens_out: int
    gate: str | None


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


# A tournament


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
    calls = _Calls()
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
        rerun = _rerun(path, plan.entrants, code, played)
    batch = Batch(
        form="tournament",
        tip=verification.tip,
        plan=digest(read_whole(disk, path / TOURNAMENT_MANIFEST)),
        game=game.name,
        thorp=__version__,
        matches=len(outcomes),
        seats=_accounts(plan, code, outcomes, calls, rerun),
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


# A match


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
    calls = _Calls()
    if manifest.replies is not None:
        calls.add(read_whole(disk, replies))
    code: dict[str, str | None] = {}
    rerun: frozenset[str] = frozenset()
    if reproduce:
        rerun = _rerun(log, task.seats, code, [(task, outcome, replies)])
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
        seats=_accounts(plan, code, [outcome], calls, rerun, level=task.level),
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


# What both have in common


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


class _Calls:
    """What the recorded replies of models say about their calls, by seat."""

    def __init__(self) -> None:
        self.made: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()
        self.tokens_in: Counter[str] = Counter()
        self.tokens_out: Counter[str] = Counter()

    def add(self, recording: bytes) -> None:
        """Count the calls of a recording, which the match's verification has read already."""
        for line in recording.split(b"\n")[1:-1]:
            call: dict[str, Json] = msgspec.json.decode(line)
            seat = call["caller"]
            self.made[seat] += 1
            reply = call.get("reply")
            if reply is None:
                self.failed[seat] += 1
                continue
            self.tokens_in[seat] += reply["tokensIn"]
            self.tokens_out[seat] += reply["tokensOut"]


def _accounts(
    plan: Plan,
    code: Mapping[str, str | None],
    outcomes: Sequence[Outcome],
    calls: _Calls,
    rerun: frozenset[str],
    *,
    level: Level | msgspec.UnsetType = msgspec.UNSET,
) -> tuple[SeatAccount, ...]:
    turns: dict[str, list[int]] = {entrant.id: [0, 0, 0] for entrant in plan.entrants}
    for outcome in outcomes:
        for place, id in enumerate(outcome.seats):
            counts = (outcome.valid[place], outcome.invalid[place], outcome.errors[place])
            turns[id] = [old + new for old, new in zip(turns[id], counts, strict=True)]
    accounts = []
    for entrant in plan.entrants:
        id = entrant.id
        valid, invalid, errors = turns[id]
        account = SeatAccount(
            seat=id,
            identity=make_identity(entrant.spec, code.get(id), plan.limits, level),
            status=_status(plan, entrant, rerun),
            valid=valid,
            invalid=invalid,
            errors=errors,
            calls=calls.made[id],
            failed_calls=calls.failed[id],
            tokens_in=calls.tokens_in[id],
            tokens_out=calls.tokens_out[id],
            gate=None,
        )
        accounts.append(msgspec.structs.replace(account, gate=_gate(account)))
    return tuple(accounts)


def _status(plan: Plan, entrant: Seat, rerun: frozenset[str]) -> Status:
    if not plan.logs:
        return "self-reported"
    if entrant.id in rerun or registry.is_built_in(plan.scenario, entrant.spec):
        return "reproduced"
    return "recorded" if isinstance(parse_spec(entrant.spec), ModelSpec) else "self-reported"


def _gate(account: SeatAccount) -> str | None:
    """Why a seat's results do not count: its harness failed too often to tell how the agent plays.
    Bots are always as they are."""
    if account.identity.ran["kind"] == "bot":
        return None
    replies = account.calls - account.failed_calls
    unread = min(replies, max(0, account.errors - account.failed_calls))
    asked = account.valid + account.invalid + account.errors
    fallback = account.invalid + account.errors
    if account.calls and account.failed_calls > MOST_PROVIDER_ERRORS * account.calls:
        share = account.failed_calls / account.calls
        return f"provider errors {share:.0%} of calls, more than {MOST_PROVIDER_ERRORS:.0%}"
    if replies and replies - unread < LEAST_PARSE_RATE * replies:
        share = (replies - unread) / replies
        return f"{share:.0%} of replies held an action, less than {LEAST_PARSE_RATE:.0%}"
    if asked and fallback > MOST_FALLBACK * asked:
        return f"fallback in {fallback / asked:.0%} of turns, more than {MOST_FALLBACK:.0%}"
    return None


def _rerun(
    path: Path,
    entrants: Sequence[Seat],
    code: Mapping[str, str | None],
    played: Iterable[tuple[MatchTask, Outcome, Path]],
) -> frozenset[str]:
    """Run the agents of all matches again, if the code of every seat is here; return the seats that
    did the same to the byte. Models answer from the recording of each match, and are none of those.
    Refuses agents that did something else."""
    for entrant in entrants:
        spec = parse_spec(entrant.spec)
        if isinstance(spec, BotSpec | ModelSpec):
            continue
        if not isinstance(spec, FileSpec) or not Path(spec.path).is_file():
            return frozenset()
        if code_digest(spec) != code.get(entrant.id):
            return frozenset()
    for task, outcome, recording in played:
        replies = service.read_replies(recording) if recording.is_file() else Replies()
        replies.replaying = True
        try:
            again = digest(service.play(task, replies, tolerant=True).jsonl)
        except ThorpError as refusal:
            raise InvalidError(f"{path}: {outcome.key}: {refusal}", code=refusal.code) from None
        if again != outcome.log:
            raise InvalidError(
                f"{path} is not reproduced: run again here, {outcome.key} went otherwise",
                code="not_reproduced",
            )
    return frozenset(
        entrant.id for entrant in entrants if not isinstance(parse_spec(entrant.spec), ModelSpec)
    )


def code_digest(spec: FileSpec) -> str:
    """The SHA-256 of an agent's file as it is now."""
    with service.open_log(Path(spec.path)) as file:
        return digest(file.read())


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
