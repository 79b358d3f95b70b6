"""The numbers of a server, as Prometheus reads them and as JSON. First those that older dashboards know."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from time import process_time
from typing import TYPE_CHECKING, Final

from thorp.server import census
from thorp.server.agents import WORLD_ID
from thorp.server.meters import QUANTILES, Sample, WritingMeter, metric, quantile

if TYPE_CHECKING:
    from thorp.server.app import Live
    from thorp.server.supervision import Supervised


HERE: Final = {"world": WORLD_ID}


def render(live: Live | None, writing: WritingMeter) -> str:
    """The text of `/metrics`."""
    lines = [*_process(), *writing.lines()]
    if live is not None:
        society = census.as_text(live.service.world, HERE)
        lines += [*_world(live), *society, *_helpers(live), *_ticks(live)]
    return "\n".join(lines) + "\n"


def state(live: Live) -> dict[str, object]:
    """The body of `/admin/v1/state`."""
    world = live.service.world
    return {
        "world_id": WORLD_ID,
        "tick": world.tick,
        "metrics": {
            "tick": world.tick,
            "agents": len(world.agents),
            "clients": len(live.agents),
            "viewers": len(live.observers),
            "loaded_chunks": world.ground.loaded,
            "queue_depths": live.agents.queue_depths,
            "step_ms": round(live.loop.meter.last_ms, 3),
            "late_ticks": live.loop.clock.late,
            "skipped_ticks": live.loop.clock.skipped,
            "weather": world.weather,
            "weather_until_tick": world.weather_until,
            **census.window_as_json(world),
        },
        "society": census.as_json(world),
    }


def _process() -> Iterator[str]:
    yield from metric(
        "process_cpu_seconds_total", "counter", "CPU time of this process.", [({}, process_time())]
    )
    yield from metric(
        "process_max_resident_memory_bytes",
        "gauge",
        "The most memory this process had.",
        [({}, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)],
    )


def _world(live: Live) -> Iterator[str]:
    world, here = live.service.world, HERE
    gauges = (
        ("tick", "The last tick that was executed.", world.tick),
        ("agents", "Bodies in the world.", len(world.agents)),
        ("clients", "Agents that are connected.", len(live.agents)),
        ("loaded_chunks", "Chunks in use.", world.ground.loaded),
        ("step_ms", "What the last tick took.", round(live.loop.meter.last_ms, 3)),
    )
    for name, help_text, value in gauges:
        yield from metric(f"voxelcraft_world_{name}", "gauge", help_text, [(here, value)])
    depths: list[Sample] = [({**here, "queue": name}, n) for name, n in live.agents.queue_depths.items()]
    yield from metric("voxelcraft_world_queue_depth", "gauge", "What waits for the next tick.", depths)
    yield from metric("thorp_viewers", "gauge", "Spectators.", [(here, len(live.observers))])
    yield from metric(
        "thorp_dropped_frames_total",
        "counter",
        "OBS that slow readers lost.",
        [(here, live.agents.dropped_frames)],
    )


def _helpers(live: Live) -> Iterator[str]:
    named: list[tuple[dict[str, str], Supervised]] = [
        ({**HERE, "process": helper.name}, helper) for helper in live.helpers
    ]
    up: list[Sample] = [(labels, int(helper.trouble is None)) for labels, helper in named]
    restarts: list[Sample] = [(labels, helper.restarts) for labels, helper in named]
    yield from metric("thorp_process_up", "gauge", "Whether bots or villagers are running.", up)
    yield from metric("thorp_process_restarts_total", "counter", "How often they were restarted.", restarts)


def _ticks(live: Live) -> Iterator[str]:
    here = HERE
    meter, clock = live.loop.meter, live.loop.clock
    late = "Ticks behind their slot; in lockstep, moves that were not made in time."
    yield from metric("thorp_late_ticks_total", "counter", late, [(here, clock.late)])
    yield from metric(
        "thorp_skipped_ticks_total", "counter", "Slots without a tick.", [(here, clock.skipped)]
    )
    slow = "Ticks whose sync kept everyone waiting for half a second or more."
    yield from metric("thorp_slow_syncs_total", "counter", slow, [(here, live.loop.slow_syncs)])
    defects = "Actions whose rule failed inside, answered with E_INTERNAL."
    yield from metric("thorp_failed_actions_total", "counter", defects, [(here, live.loop.failed_actions)])
    kinds = {"ms": ("of the clock", meter.wall), "cpu_ms": ("of CPU time", meter.cpu)}
    for suffix, (kind, spans) in kinds.items():
        quantiles: list[Sample] = [
            ({**here, "phase": name, "quantile": str(q)}, quantile(samples, q) * 1000)
            for name, samples in spans.items()
            for q in QUANTILES
        ]
        yield from metric(
            f"thorp_tick_{suffix}", "gauge", f"Milliseconds {kind} in the last ticks.", quantiles
        )
