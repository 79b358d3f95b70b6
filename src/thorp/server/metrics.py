"""The numbers of a server, as Prometheus reads them and as JSON. First those that older dashboards know.

`TickMeter` keeps wall and CPU time of the last few minutes tick by tick, so that quantiles are true ones. The
phases of a tick:

    freeze     the inputs that arrived become a list
    step       the core computes, while the journal writes in its thread
    observe    frames are composed for every reader
    journal    we wait until the tick is durable
    hold       and, after a late tick, until half a tick has passed since the last sends
    send       frames go out
    digest     of the new state, for the next tick's record
"""

from __future__ import annotations

import logging
import re
import resource
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from time import perf_counter, process_time, thread_time
from typing import TYPE_CHECKING, Final

from thorp.server import society_metrics
from thorp.server.agents import WORLD_ID
from thorp.server.prometheus import Sample, metric
from thorp.story import Answer

if TYPE_CHECKING:
    from thorp.server.app import Live
    from thorp.server.supervision import Supervised


HERE: Final = {"world": WORLD_ID}


def render(live: Live | None, writing: WriterMeter) -> str:
    """The lines of `/metrics`."""
    lines = [*_process(), *writing.lines()]
    if live is not None:
        society = society_metrics.as_text(live.service.world, HERE)
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
            "viewers": len(live.spectators),
            "loaded_chunks": world.ground.loaded,
            "queue_depths": live.agents.queue_depths,
            "step_ms": round(live.loop.meter.last_ms, 3),
            "late_ticks": live.loop.clock.late,
            "skipped_ticks": live.loop.clock.skipped,
            "weather": world.weather,
            "weather_until_tick": world.weather_until,
            **society_metrics.window_as_json(world),
        },
        "society": society_metrics.as_json(world),
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
    yield from metric("thorp_viewers", "gauge", "Spectators.", [(here, len(live.spectators))])
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


PHASES: Final = ("freeze", "step", "observe", "journal", "hold", "send", "digest")
WAITING: Final = ("journal", "hold")
# Ten minutes at five ticks a second.
REMEMBERED_TICKS: Final = 3_000
QUANTILES: Final = (0.5, 0.9, 0.99, 1.0)

Samples = deque[float]

_log = logging.getLogger(__name__)
# Codes of writers that are not ours may be anything, and a label of /metrics may not.
_CODE: Final = re.compile(r"[a-z0-9_]{1,40}\Z")


class TickMeter:
    """Times the phases of each tick, in wall time and in this thread's CPU time."""

    def __init__(self) -> None:
        self.wall = {name: Samples(maxlen=REMEMBERED_TICKS) for name in (*PHASES, "all")}
        self.cpu = {name: Samples(maxlen=REMEMBERED_TICKS) for name in (*PHASES, "all")}
        self._began = self._mark = self._cpu_mark = self._cpu = 0.0

    def begin(self) -> None:
        self._began = self._mark = perf_counter()
        self._cpu_mark = thread_time()
        self._cpu = 0.0

    def phase(self, name: str) -> float:
        """End the named phase; return its seconds. CPU time of waiting phases belongs to other tasks."""
        now, cpu = perf_counter(), thread_time()
        spent = 0.0 if name in WAITING else cpu - self._cpu_mark
        seconds = now - self._mark
        self.wall[name].append(seconds)
        self.cpu[name].append(spent)
        self._cpu += spent
        self._mark, self._cpu_mark = now, cpu
        return seconds

    def end(self) -> None:
        self.wall["all"].append(self._mark - self._began)
        self.cpu["all"].append(self._cpu)

    def forget(self) -> None:
        """Forget all samples."""
        for samples in (*self.wall.values(), *self.cpu.values()):
            samples.clear()

    @property
    def last_ms(self) -> float:
        return self.wall["all"][-1] * 1000 if self.wall["all"] else 0.0


class WriterMeter:
    """Counts beats by their outcome, and logs why a writer failed."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()

    def take(self, answer: Answer) -> None:
        if answer.outcome is not None:
            self.outcomes[answer.outcome.partition(" ")[0]] += 1
        if answer.trouble is not None:
            code, message = answer.trouble.code, answer.trouble.message
            self.failures[code if _CODE.match(code) else "other"] += 1
            _log.warning("the story's writer failed: %s: %s", code, ascii(message))
        elif answer.outcome is not None and answer.outcome.startswith("REJECTED"):
            _log.warning("what the story's writer proposed was not accepted: %s", answer.outcome)

    def lines(self) -> Iterator[str]:
        """The lines of `/metrics`."""
        kinds = (
            (
                "thorp_story_beats_total",
                "Beats by what became of them.",
                "outcome",
                self.outcomes,
            ),
            ("thorp_story_writer_failures_total", "Beats whose writer failed.", "code", self.failures),
        )
        for name, help_text, label, counts in kinds:
            yield from metric(name, "counter", help_text, [({label: key}, n) for key, n in counts.items()])


def quantile(samples: Iterable[float], q: float) -> float:
    """The smallest sample that at least this share of the samples does not exceed; 0 without samples."""
    ordered = sorted(samples)
    if not ordered:
        return 0.0
    return ordered[min(len(ordered) - 1, max(0, -(-len(ordered) * round(q * 1000) // 1000) - 1))]
