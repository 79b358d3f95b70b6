"""What one job does. It runs in any worker, on any machine, and depends on nothing but the job.

What a job is about is imported when the first of its kind is run: a worker that plays matches needs no world.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec

from thorp.bridges.fleet.plan import EnvJobs, Job, MatchJobs, TournamentJobs, VillageJobs, WorldJobs
from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import IllegalError, InvalidError, LimitError, ThorpError
from thorp.kernel.identity import seed_from
from thorp.kernel.rng import Mulberry32
from thorp.store.record import MAX_RECORD_BYTES

if TYPE_CHECKING:
    from thorp.env import World

DECISION_TICKS: Final = 5
"""Agents of a `world` decide once a second."""
BUSY_TICKS: Final = 50
"""The most ticks of a step of an `env`, while every agent is busy."""

Choose = Callable[[str, Any], Any]
"""What an agent does, from its id and what it sees."""


class JobDone(msgspec.Struct, frozen=True):
    """The row of a job, as a line of canonical JSON; and why it failed, if it did."""

    number: int
    line: bytes
    error: str | None


def run_job(job: Job) -> JobDone:
    """Run a job. One that fails has a row that says so."""
    try:
        line = canonical_bytes({**job.head, "result": _RUN[type(job.table)](job)})
        if len(line) > MAX_RECORD_BYTES:
            raise LimitError(f"its result has {len(line)} bytes, where {MAX_RECORD_BYTES} are the most")
        return JobDone(job.number, line, None)
    except ThorpError as refusal:
        return failed_job(job, refusal.code, str(refusal))
    except Exception as failure:
        # The text of an exception may hold a memory address, and rows are the same on every machine.
        return failed_job(job, "failed", type(failure).__name__, str(failure))


def failed_job(job: Job, code: str, message: str, more: str = "") -> JobDone:
    """The row of a job that failed; `more` is only told."""
    line = canonical_bytes({**job.head, "error": {"code": code, "message": message}})
    return JobDone(job.number, line, f"{message}: {more}" if more else message)


def _village(job: Job) -> Json:
    from thorp.bridges.village import measure
    from thorp.bridges.village.founding import RULES
    from thorp.bridges.voxel_town import found
    from thorp.voxel.tuning import read_tuning

    assert isinstance(job.table, VillageJobs)
    lines: list[Json] = []
    measure.live(found(job.seeds[0], tuning=read_tuning(RULES)), job.table.days, show=lines.append)
    return {"lines": lines}


def _world(job: Job) -> Json:
    from thorp.env import World

    table = job.table
    assert isinstance(table, WorldJobs)
    (seed,) = job.seeds
    world = World(seed, table.agents, table.tuning, busy_ticks=DECISION_TICKS, least_ticks=DECISION_TICKS)
    return _live(world, -(-table.ticks // DECISION_TICKS), _policy(table.policy, world))


def _env(job: Job) -> Json:
    from thorp.env import World

    table = job.table
    assert isinstance(table, EnvJobs)
    episodes = []
    for seed in job.seeds:
        world = World(seed, table.agents, table.tuning, arrays=True, busy_ticks=BUSY_TICKS)
        draws = Mulberry32(seed_from("fleet", seed))

        def choose(_: str, seen: Any, draws: Mulberry32 = draws) -> int:
            possible = seen["action_mask"].nonzero()[0]
            return int(possible[int(draws.random() * len(possible))])

        episodes.append(_live(world, table.steps, choose if table.policy == "random" else None))
    return {"episodes": episodes, "points": sum(one["points"] for one in episodes)}


def _live(world: World, steps: int, choose: Choose | None) -> dict[str, Any]:
    """Let the agents of a world live for some steps; what came of it."""
    seen = world.reset()
    points = 0.0
    downed = 0
    for _ in range(steps):
        seen = world.step({} if choose is None else {id: choose(id, obs) for id, obs in seen.items()})
        points += sum(world.rewards.values())
        downed += sum(info["downed"] for info in world.infos.values())
    counts: Counter[str] = Counter()
    for info in world.infos.values():
        counts.update(info["achievements"])
    return {
        "seed": world.seed,
        "tick": world.tick,
        "digest": world.digest(),
        "points": points,
        "downed": downed,
        "achievements": dict(+counts),
    }


def _policy(name: str, world: World) -> Choose | None:
    """How the agents of a world decide: as the bots of voxel matches do, each with its own draws."""
    from thorp.adapters.program import read_answer
    from thorp.adapters.text import Describer
    from thorp.arena.contract import AgentConfig, AgentContext
    from thorp.bridges.voxel_bots import RandomSurvivor, ScriptedSurvivor
    from thorp.voxel.load import default_catalogs

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
            return 0  # nothing in reach, which a match counts as an invalid action; it waits

    return choose


def _match(job: Job) -> Json:
    from thorp.arena.service import play
    from thorp.arena.tournament.outcome import make_outcome

    assert isinstance(job.table, MatchJobs)
    task = job.table.task(*job.seeds)
    result = play(task)
    outcome = make_outcome(task, result, {})
    if outcome.scores is None:
        raise IllegalError(f"the match was aborted: {outcome.error}", code="aborted")
    return {
        "scores": dict(zip(outcome.seats, outcome.scores, strict=True)),
        **{name: list(getattr(outcome, name)) for name in ("valid", "invalid", "errors")},
        **{name: getattr(outcome, name) for name in ("reason", "turns", "log")},
    }


def _tournament(job: Job) -> Json:
    from thorp.arena.tournament import FinishedTournament
    from thorp.arena.tournament.played import play_match

    assert isinstance(job.table, TournamentJobs)
    plan = job.table.plan(*job.seeds)
    outcomes = [play_match(task, logs=False).outcome for task in plan.tasks(plan.schedule())]
    finished: Json = msgspec.json.decode(FinishedTournament(plan, outcomes).to_bytes())
    return finished


_RUN: Final[Mapping[type, Callable[[Job], Json]]] = {
    VillageJobs: _village,
    WorldJobs: _world,
    EnvJobs: _env,
    MatchJobs: _match,
    TournamentJobs: _tournament,
}


def figures(kind: str, result: Mapping[str, Any]) -> dict[str, float]:
    """What the table of a fleet has the means of, by the kind of job."""
    if kind == "village":
        last, days = result["lines"][-1], result["lines"]
        return {
            "buildings": last["buildings"]["standing"],
            "trades": sum(day["trades"] for day in days),
            "idle by day": last["idle_day"],
        }
    if kind == "tournament":
        return {f"{row['id']} first": float(row["rank"] == 1) for row in result["standings"]}
    if kind == "match":
        return dict(result["scores"])
    if kind == "env":
        return {"points an episode": result["points"] / len(result["episodes"])}
    return {"points": result["points"], "downed": result["downed"]}
