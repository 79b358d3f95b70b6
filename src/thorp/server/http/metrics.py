"""Metrics of the server, as text for Prometheus and as JSON."""

import resource
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import takewhile
from time import process_time
from typing import Final, get_args

from thorp import village
from thorp.server.http.live_world import LiveWorld
from thorp.server.http.prometheus import Row, Sample, metric
from thorp.server.http.writer_meter import WriterMeter
from thorp.server.live.tick_meter import TickMeter, quantile
from thorp.server.sockets.resume_token import WORLD_ID
from thorp.voxel import Agent, World
from thorp.voxel.lookups import event_zones
from thorp.voxel.society import scores
from thorp.voxel.society.orgs import KINDS
from thorp.voxel.state.records import ContractState, LawStatus

HERE: Final = {"world": WORLD_ID}
ALIVE_TICKS: Final = 600
"""Two minutes: nobody in the village waits longer than that without eating, walking or working."""
QUANTILES: Final = (0.5, 0.9, 0.99, 1.0)
# How many of those who had the most fun are named.
TOP: Final = 10
# The names that the protocol's first servers gave these counts, in text and in JSON.
WINDOW: Final[dict[scores.DeedKind, tuple[str, str]]] = {
    "trades": ("trades", "Trades"),
    "denials": ("denied", "Denied"),
    "explored": ("chunks_discovered", "ChunksDiscovered"),
    "built": ("blueprints_complete", "BlueprintsComplete"),
}


def render(live: LiveWorld | None, writing: WriterMeter) -> str:
    """The lines of `/metrics`."""
    rows = [*_of_process(), *writing.rows()]
    if live is not None:
        rows += [*_of_world(live), *_of_helpers(live), *_of_ticks(live.loop.meter)]
        rows += _of_society(live.service.world)
    return "".join(line + "\n" for row in rows for line in metric(*row))


def state(live: LiveWorld) -> dict[str, object]:
    """The body of `/admin/v1/state`."""
    world = live.service.world
    return {
        "world_id": WORLD_ID,
        "tick": world.tick,
        "metrics": {
            "tick": world.tick,
            "agents": len(world.agents),
            "clients": len(live.agents),
            "viewers": len(live.spectators),
            "loaded_chunks": world.ground.loaded,
            "queue_depths": live.agents.queue_depths,
            "step_ms": round(live.loop.meter.last_ms, 3),
            "late_ticks": live.loop.clock.late,
            "skipped_ticks": live.loop.clock.skipped,
            "weather": world.weather,
            "weather_until_tick": world.weather_until,
            **_director_state(world),
        },
        "society": _society_state(world),
    }


def _of_process() -> Iterator[Row]:
    peak_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    yield (
        "process_cpu_seconds_total",
        "counter",
        "CPU time of this process.",
        [({}, process_time())],
    )
    yield (
        "process_max_resident_memory_bytes",
        "gauge",
        "Peak memory of this process.",
        [({}, peak_bytes)],
    )


def _of_world(live: LiveWorld) -> Iterator[Row]:
    world = live.service.world
    loop = live.loop
    gauges: tuple[tuple[str, str, float], ...] = (
        ("voxelcraft_world_tick", "The last tick that was executed.", world.tick),
        ("voxelcraft_world_agents", "Bodies in the world.", len(world.agents)),
        ("voxelcraft_world_clients", "Agents that are connected.", len(live.agents)),
        ("voxelcraft_world_loaded_chunks", "Chunks in use.", world.ground.loaded),
        ("voxelcraft_world_step_ms", "Duration of the last tick.", round(loop.meter.last_ms, 3)),
        ("thorp_viewers", "Spectators.", len(live.spectators)),
    )
    late = "Ticks behind their slot; in lockstep, moves that were not made in time."
    slow = "Ticks whose sync kept everyone waiting for half a second or more."
    defects = "Actions whose rule failed inside, answered with E_INTERNAL."
    counters = (
        ("thorp_dropped_frames_total", "OBS that slow readers lost.", live.agents.dropped_frames),
        ("thorp_late_ticks_total", late, loop.clock.late),
        ("thorp_skipped_ticks_total", "Slots without a tick.", loop.clock.skipped),
        ("thorp_slow_syncs_total", slow, loop.slow_syncs),
        ("thorp_failed_actions_total", defects, loop.failed_actions),
    )
    for kind, rows in (("gauge", gauges), ("counter", counters)):
        for name, help_text, value in rows:
            yield name, kind, help_text, [(HERE, value)]
    depths = live.agents.queue_depths.items()
    waiting: list[Sample] = [({**HERE, "queue": queue}, depth) for queue, depth in depths]
    yield "voxelcraft_world_queue_depth", "gauge", "What waits for the next tick.", waiting


def _of_helpers(live: LiveWorld) -> Iterator[Row]:
    named = [({**HERE, "process": helper.name}, helper) for helper in live.helpers]
    up: list[Sample] = [(labels, int(helper.trouble is None)) for labels, helper in named]
    restarts: list[Sample] = [(labels, helper.restarts) for labels, helper in named]
    yield "thorp_process_up", "gauge", "Whether bots, villagers or a leader are there.", up
    yield (
        "thorp_process_restarts_total",
        "counter",
        "How often they were restarted, or lost.",
        restarts,
    )
    spent: list[Sample] = [
        ({**HERE, "process": name}, cpu) for name, cpu in live.agents.cpu_seconds.items()
    ]
    yield (
        "thorp_process_cpu_seconds_total",
        "counter",
        "CPU time of the processes that send.",
        spent,
    )
    if live.has_village:
        help_text = f"Villagers who acted in the last {ALIVE_TICKS} ticks."
        yield (
            "thorp_village_alive",
            "gauge",
            help_text,
            [(HERE, villagers_alive(live.service.world))],
        )


def villagers_alive(world: World) -> int:
    """How many villagers are connected and have done something lately."""
    bodies = [world.agents[number] for number in village.bodies(world).values()]
    since = world.tick - ALIVE_TICKS
    return sum(agent.attached and _acted_since(agent, since) for agent in bodies)


def villagers_text(world: World) -> str:
    """How many villagers are alive, and how many are just coming back, in words."""
    bodies = [world.agents[number] for number in village.bodies(world).values()]
    arriving = sum(
        not each.attached and each.left_tick > world.tick - ALIVE_TICKS for each in bodies
    )
    return f"{villagers_alive(world)} villagers alive" + (
        f", {arriving} arriving" if arriving else ""
    )


def _acted_since(agent: Agent, tick: int) -> bool:
    """Whether an action of an agent was answered after a tick."""
    recent = takewhile(lambda event: event.tick > tick, reversed(agent.event_log.events))
    return any(event.own for event in recent)


def _of_ticks(meter: TickMeter) -> Iterator[Row]:
    for suffix, kind, spans in (("ms", "wall", meter.wall), ("cpu_ms", "CPU", meter.cpu)):
        quantiles: list[Sample] = [
            ({**HERE, "phase": name, "quantile": str(q)}, quantile(samples, q) * 1000)
            for name, samples in spans.items()
            for q in QUANTILES
        ]
        yield (
            f"thorp_tick_{suffix}",
            "gauge",
            f"Milliseconds of {kind} time in the last ticks.",
            quantiles,
        )


def director_metrics(world: World) -> dict[str, float]:
    """The measures by which the director chooses events, each from 0 to 1."""
    now = scores.measure(world)
    figures = {
        "trade": now.trade,
        "conflict": now.conflict,
        "exploration": now.exploration,
        "inequality": now.inequality,
        "public_infra": now.infrastructure,
    }
    return {name: figure / scores.FULL for name, figure in figures.items()}


def escrow(world: World) -> dict[str, Counter[str]]:
    """The goods that terminals keep for contracts that are not closed, and for people who have not
    fetched what they are owed."""
    kept: dict[str, Counter[str]] = {
        name: Counter() for name in ("reward", "deposit", "delivered", "owed")
    }
    for contract in world.contracts:
        if contract.state in ("OPEN", "ACCEPTED"):
            kept["reward"].update(contract.reward)
        if contract.state == "ACCEPTED":
            kept["deposit"].update(contract.deposit)
            kept["delivered"].update(contract.delivered)
    for container in world.containers:
        for goods in container.owed.values():
            kept["owed"].update(goods)
    return kept


def treasuries(world: World) -> Counter[str]:
    """The goods in the treasuries of all organisations together, by item."""
    return sum((Counter(org.treasury) for org in world.orgs), Counter())


def _counts(names: Iterable[object], counted: Iterable[object]) -> dict[str, int]:
    """How often each name occurs in `counted`; 0 for a name that does not."""
    counts = Counter(counted)
    return {str(name): counts[name] for name in names}


def totals(world: World) -> dict[str, dict[str, int]]:
    """Counts lands by the stage of their upkeep, organisations by kind, laws and contracts by
    state, structures by blueprint, and adds up everybody's fun by dimension. Takes milliseconds in
    a full world."""
    return {
        "claims": _counts((0, 1, 2), (claim.stage for claim in world.claims)),
        "orgs": _counts(KINDS, (org.kind for org in world.orgs)),
        "laws": _counts(get_args(LawStatus), (law.status for law in world.laws)),
        "contracts": _counts(
            get_args(ContractState), (contract.state for contract in world.contracts)
        ),
        "structures": dict(
            sorted(Counter(structure.blueprint_id for structure in world.structures).items())
        ),
        "fun": {
            name: sum(agent.fun.get(name, 0) for agent in world.agents)
            for name in scores.DIMENSIONS
        },
    }


def most_fun(world: World) -> list[dict[str, object]]:
    """The agents who have had the most fun, with their points."""
    totals = [(-sum(agent.fun.values()), agent.number) for agent in world.agents if agent.fun]
    best = [(-total, world.agents[number]) for total, number in sorted(totals)[:TOP]]
    return [{"agent_id": agent.id, "name": agent.name, "total": total} for total, agent in best]


def _society_state(world: World) -> dict[str, object]:
    """The member `society` of `/admin/v1/state`."""
    by = totals(world)
    goods = _sorted(treasuries(world))
    return {
        "claims": {"total": len(world.claims), "by_stage": by["claims"]},
        "orgs": {"total": len(world.orgs), "by_kind": by["orgs"], "treasuries": goods},
        "laws": {"total": len(world.laws), "by_status": by["laws"]},
        "contracts": {"total": len(world.contracts), "by_state": by["contracts"]},
        "escrow": {name: _sorted(goods) for name, goods in escrow(world).items()},
        "open_trades": len(world.trades),
        "boards": len(world.notices),
        "posts": sum(len(notices.posts) for notices in world.notices),
        "structures": len(world.structures),
        "season": world.season,
        "fun": {"by_dimension": by["fun"], "most": most_fun(world)},
    }


def _director_state(world: World) -> dict[str, object]:
    """The members of `metrics` in `/admin/v1/state` about the director and its event."""
    event = world.director.event
    about = event_zones.observation_fields(world)
    return {
        "stats_window_ticks": scores.WINDOW_TICKS,
        "stats_window": {name: scores.total(world, kind) for kind, (_, name) in WINDOW.items()},
        "director_metrics": director_metrics(world),
        "active_event_id": "" if event is None else event.id,
        "active_event_start_tick": 0 if event is None else event.start_tick,
        "active_event_ends_tick": about.get("active_event_ends_tick", 0),
        "active_event_center": about.get("active_event_center"),
        "active_event_radius": about.get("active_event_radius", 0),
    }


def _sorted(goods: Counter[str]) -> dict[str, int]:
    return {item: goods[item] for item in sorted(goods) if goods[item]}


def _of_society(world: World) -> Iterator[Row]:
    def by(label: str, values: Mapping[str, float]) -> list[Sample]:
        return [({**HERE, label: name}, value) for name, value in values.items()]

    window = {name: scores.total(world, kind) for kind, (name, _) in WINDOW.items()}
    kept = {name: goods.total() for name, goods in escrow(world).items()}
    all_of = totals(world)
    event = world.director.event
    happening = {} if event is None else {event.id: 1}
    gauges: tuple[tuple[str, str, list[Sample]], ...] = (
        (
            "voxelcraft_director_metric",
            "What the director goes by.",
            by("metric", director_metrics(world)),
        ),
        ("voxelcraft_stats_window", "What happened in the window.", by("metric", window)),
        ("voxelcraft_stats_window_ticks", "How long that is.", [(HERE, scores.WINDOW_TICKS)]),
        ("thorp_event", "1 for the event that is going on.", by("event", happening)),
        ("thorp_claims", "Lands, by the stage of their upkeep.", by("stage", all_of["claims"])),
        ("thorp_orgs", "Organisations.", by("kind", all_of["orgs"])),
        ("thorp_treasury_items", "Things in treasuries.", [(HERE, treasuries(world).total())]),
        ("thorp_laws", "Laws.", by("status", all_of["laws"])),
        ("thorp_contracts", "Contracts.", by("state", all_of["contracts"])),
        ("thorp_escrow_items", "Things that terminals keep for contracts.", by("why", kept)),
        ("thorp_open_trades", "Offers that wait for an answer.", [(HERE, len(world.trades))]),
        ("thorp_structures", "Structures that are known.", by("blueprint", all_of["structures"])),
        ("thorp_fun", "Points of all agents in this season.", by("dimension", all_of["fun"])),
        ("thorp_season", "The season.", [(HERE, world.season)]),
    )
    for name, help_text, samples in gauges:
        yield name, "gauge", help_text, samples
