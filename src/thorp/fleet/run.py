"""Runs a fleet into a directory: `results.jsonl` has a row for each job, in the order of the plan.

A row has the job's number, kind and seeds, and its `result`, or an `error`. The next run repeats
only jobs that failed.

A job runs in any worker, on any machine, and depends on nothing but its data. The engine that it
needs is imported when the first job of its kind is run: a worker that plays matches needs no world.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final

import msgspec

from thorp.fleet.plan import (
    VERSION,
    EnvJobs,
    Fleet,
    Job,
    MatchJobs,
    TournamentJobs,
    VillageJobs,
    WorldJobs,
)
from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import DamagedError, IllegalError, InvalidError, LimitError, ThorpError
from thorp.kernel.identity import seed_from
from thorp.kernel.rng import Mulberry32
from thorp.store import Disk
from thorp.store.record import MAX_RECORD_BYTES
from thorp.workers import Batcher, RunDirectory, RunKind, RunProgress, WorkerPool, run_recorded
from thorp.workers.dispatch import MAX_TRIES

if TYPE_CHECKING:
    from thorp.env import World

DECISION_TICKS: Final = 5
"""Agents of a `world` decide once a second."""
BUSY_TICKS: Final = 50
"""The most ticks of a step of an `env`, while every agent is busy."""

FLEET = RunKind("fleet", "fleet_version", VERSION)


class JobDone(msgspec.Struct, frozen=True):
    """The row of a job, as a line of canonical JSON; and why it failed, if it did."""

    number: int
    line: bytes
    error: str | None


def run_job(job: Job) -> JobDone:
    """Run a job. One that fails has a row that says so."""
    try:
        line = canonical_bytes({**job.head, "result": _RUN[job.kind](job.table, job.seeds)})
        if len(line) > MAX_RECORD_BYTES:
            raise LimitError(
                f"its result has {len(line)} bytes, where {MAX_RECORD_BYTES} are the most"
            )
        return JobDone(job.number, line, None)
    except ThorpError as refusal:
        return failed_job(job, refusal.code, str(refusal))
    except Exception as failure:
        # The text of an exception may hold a memory address, and rows must be the same on every
        # machine.
        return failed_job(job, "failed", type(failure).__name__, f": {failure}")


def failed_job(job: Job, code: str, message: str, more: str = "") -> JobDone:
    """The row of a job that failed. `more` is shown to people, and not part of the row."""
    line = canonical_bytes({**job.head, "error": {"code": code, "message": message}})
    return JobDone(job.number, line, message + more)


def _village(table: VillageJobs, seeds: tuple[int, ...]) -> Json:
    from thorp.bridges.voxel_town import new_city_world
    from thorp.village import founding, measure
    from thorp.voxel import read_tuning

    lines: list[Json] = []
    measure.live(
        new_city_world(seeds[0], tuning=read_tuning(founding.RULES)), table.days, show=lines.append
    )
    return {"lines": lines}


def _world(table: WorldJobs, seeds: tuple[int, ...]) -> Json:
    from thorp.env import World

    pace = DECISION_TICKS
    world = World(seeds[0], table.agents, table.tuning, busy_ticks=pace, least_ticks=pace)
    return _run_steps(world, -(-table.ticks // pace), table.policy)


def _env(table: EnvJobs, seeds: tuple[int, ...]) -> Json:
    from thorp.env import World

    begin = partial(
        World, agents=table.agents, tuning=table.tuning, arrays=True, busy_ticks=BUSY_TICKS
    )
    return {"episodes": [_run_steps(begin(seed), table.steps, table.policy) for seed in seeds]}


def _run_steps(world: World, steps: int, policy: str) -> dict[str, Any]:
    """Let the agents of a world act for some steps. Returns the result of the job."""
    choose = _policy(policy, world)
    seen = world.reset()
    points = 0.0
    downed = 0
    for _ in range(steps):
        seen = world.step(
            {} if choose is None else {id: choose(id, obs) for id, obs in seen.items()}
        )
        points += sum(world.rewards.values())
        downed += sum(info["downed"] for info in world.infos.values())
    counts: Counter[str] = Counter()
    for info in world.infos.values():
        counts.update(info["achievements"])
    last = {"seed": world.seed, "tick": world.tick, "digest": world.digest()}
    return {**last, "points": points, "downed": downed, "achievements": dict(+counts)}


def _policy(name: str, world: World) -> Callable[[str, Mapping[str, Any]], Any] | None:
    """The function with which the agents of a world decide: as the bots of voxel matches do, each
    with its own stream of draws. None if they only wait."""
    from thorp.arena.contract import AgentConfig, AgentContext
    from thorp.bridges.voxel_bots import RandomSurvivor, ScriptedSurvivor
    from thorp.language.answers import read_answer
    from thorp.language.text import Describer
    from thorp.voxel import default_catalogs

    if name == "idle":
        return None
    palette = [block.id for block in default_catalogs().blocks]
    minds: dict[str, tuple[RandomSurvivor | ScriptedSurvivor, AgentContext, Describer]] = {}
    for id in world.agent_ids:
        seed = seed_from("fleet", world.seed, id)
        mind = RandomSurvivor(id) if name == "random" else ScriptedSurvivor(id)
        mind.init(AgentConfig(id, seed))
        minds[id] = mind, AgentContext(Mulberry32(seed).random, 0, id), Describer(palette)

    def choose(id: str, obs: Mapping[str, Any]) -> Any:
        mind, context, describer = minds[id]
        text = describer.describe(dict(obs)) if name == "scripted" else ""
        act = mind.act({**obs, "text": text, "possible": world.possible(id)}, context)
        try:
            return act if isinstance(act, int) else read_answer(act, describer)
        except InvalidError:
            return 0  # wait: nothing is in reach, which a match would count as an invalid action

    return choose


def _match(table: MatchJobs, seeds: tuple[int, ...]) -> Json:
    from thorp.arena.service import play
    from thorp.arena.tournament.outcome import make_outcome

    task = table.task(*seeds)
    outcome = make_outcome(task, play(task), {})
    if outcome.scores is None:
        raise IllegalError(f"the match was aborted: {outcome.error}", code="aborted")
    outcome_line = msgspec.json.decode(outcome.line())
    kept = {
        name: outcome_line[name]
        for name in ("reason", "turns", "valid", "invalid", "errors", "log")
    }
    return {**kept, "scores": dict(zip(outcome_line["seats"], outcome_line["scores"], strict=True))}


def _tournament(table: TournamentJobs, seeds: tuple[int, ...]) -> Json:
    from thorp.arena.tournament import FinishedTournament
    from thorp.arena.tournament.run import play_match

    plan = table.plan(*seeds)
    outcomes = [play_match(task, logs=False).outcome for task in plan.tasks(plan.schedule())]
    return msgspec.json.decode(FinishedTournament(plan, outcomes).to_bytes())


_RUN: Final[Mapping[str, Callable[[Any, tuple[int, ...]], Json]]] = {
    "village": _village,
    "world": _world,
    "env": _env,
    "match": _match,
    "tournament": _tournament,
}


def figures(kind: str, result: Mapping[str, Any]) -> dict[str, float]:
    """The figures of a result whose means a fleet's table shows."""
    if kind == "village":
        last = result["lines"][-1]
        trades = sum(day["trades"] for day in result["lines"])
        return {
            "buildings": last["buildings"]["standing"],
            "trades": trades,
            "idle by day": last["idle_day"],
        }
    if kind == "tournament":
        return {f"{row['id']} first": float(row["rank"] == 1) for row in result["standings"]}
    if kind == "match":
        return dict(result["scores"])
    worlds = result["episodes"] if kind == "env" else [result]
    return {
        name: sum(world[name] for world in worlds) / len(worlds) for name in ("points", "downed")
    }


class FleetProgress(RunProgress):
    """How far a fleet has come: the rows that are there, and the jobs that have failed."""

    def __init__(self, groups: Sequence[Sequence[Job]], lines: Mapping[int, bytes]) -> None:
        super().__init__(sum(map(len, groups)), len(lines))
        self.groups = groups
        self.lines = dict(lines)
        self.failed: set[int] = set()

    def add(self, done: JobDone, job: Job) -> None:
        """Count a job that is done, and note it for people if it failed."""
        self.lines[done.number] = done.line
        self.done += 1
        if done.error is not None:
            self.failed.add(done.number)
            self.notes.append(
                f"job {job.number} ({job.kind}, seed {job.seeds[0]}) failed: {done.error}"
            )


class TableSummary(msgspec.Struct, frozen=True):
    """The jobs of one table of the plan, and the means of their figures."""

    kind: str
    jobs: int
    failed: int
    means: dict[str, float]

    @property
    def means_text(self) -> str:
        """The means in one line: `points 12.5, downed 0`."""
        return ", ".join(f"{name} {mean:.4g}" for name, mean in self.means.items())


class FinishedFleet(msgspec.Struct, frozen=True):
    """How many jobs of a fleet ran and failed, with the means of each table."""

    jobs: int
    failed: int
    tables: list[TableSummary]


def run_fleet(
    fleet: Fleet,
    path: Path,
    pool: WorkerPool,
    disk: Disk,
    *,
    force: bool = False,
    on_progress: Callable[[FleetProgress], None] = lambda _progress: None,
) -> FinishedFleet:
    """Run the jobs that are left, and finish the directory. Rows depend only on the plan.

    Raises Interrupted on SIGINT and SIGTERM (in the main thread), else a ThorpError; in either case
    the same call goes on where it stopped.
    """
    manifest = fleet.manifest()
    if force:
        FLEET.move_aside(disk, path)
    FLEET.check_directory(disk, path, manifest)
    groups = fleet.jobs()
    jobs = {job.number: job for group in groups for job in group}
    with closing(RunDirectory(disk, path, manifest)) as directory:
        progress = FleetProgress(groups, _finished_rows(directory.lines(), jobs))
        left = [[job for job in group if job.number not in progress.lines] for group in groups]

        def record(done: list[JobDone]) -> None:
            directory.append([job_done.line for job_done in done])
            for job_done in done:
                progress.add(job_done, jobs[job_done.number])

        def finish() -> FinishedFleet:
            directory.write_finished(b"".join(progress.lines[number] + b"\n" for number in jobs))
            return summarize(progress)

        return run_recorded(
            pool,
            Batcher(run_job, [(iter(group), len(group)) for group in left]),
            progress,
            record=record,
            finish=finish,
            on_progress=on_progress,
            give_up=lambda job: failed_job(job, "worker", f"its workers died, {MAX_TRIES} times"),
        )


def _finished_rows(lines: Sequence[bytes], jobs: Mapping[int, Job]) -> dict[int, bytes]:
    """The rows of jobs that did not fail. If a job has several, the last one counts."""
    rows: dict[int, bytes] = {}
    for line in lines:
        with suppress(msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            row = msgspec.json.decode(line, type=dict[str, Any])
            job = jobs.get(row.get("job", 0))
            if job is not None and "result" in row and {**row, **job.head} == row:
                rows[job.number] = line
    return rows


def summarize(progress: FleetProgress) -> FinishedFleet:
    """The result of a fleet whose jobs are all done."""
    tables = [_summary(group, progress) for group in progress.groups]
    return FinishedFleet(progress.total, len(progress.failed), tables)


def _summary(group: Sequence[Job], progress: FleetProgress) -> TableSummary:
    """The means over the jobs of one table that did not fail."""
    done = [job for job in group if job.number not in progress.failed]
    try:
        rows = [
            figures(job.kind, msgspec.json.decode(progress.lines[job.number])["result"])
            for job in done
        ]
        means = {name: fmean(row[name] for row in rows) for name in (rows[0] if rows else ())}
    except (LookupError, TypeError, AttributeError):
        raise DamagedError("a result is not as it was written; start over with --force") from None
    return TableSummary(group[0].kind, len(group), len(group) - len(done), means)
