"""Advances the world's clock; no other code changes it.

    declared?  the clock is set to exactly that time
    paused?    the clock stands
    else       one step: a fixed one, or the wall clock's advance times the rate

A pause flag takes effect after a declaration and before the step. No text moves the clock, and
passing time causes nothing. In the mode `coupled` the clock follows the wall clock: its reading is
an input that the beat records. While the clock is paused the reading moves on, so that the pause is
not made up for later.
"""

import msgspec

from thorp.kernel.errors import InvalidError
from thorp.story.config import StoryConfig
from thorp.story.contracts.invocation_envelope import (
    EnvelopeError,
    InvocationEnvelope,
    Zones,
    declared_instant,
)
from thorp.story.instants import LAST, SECOND_US, in_calendar, instant_text, parse_instant


class Clock(msgspec.Struct, frozen=True):
    """The world's time, whether it is paused, and the last reading of the wall clock."""

    instant: int
    paused: bool = False
    wall_us: int | None = None


class BackwardTime(InvalidError):
    """The declared time is before the present, in a story whose time only goes forward."""

    code = "backward_time"


def first_clock(config: StoryConfig) -> Clock:
    """The clock of a new world."""
    return Clock(parse_instant(config.time.epoch))


def advance(
    clock: Clock,
    envelope: InvocationEnvelope,
    config: StoryConfig,
    zones: Zones,
    wall_us: int | None,
) -> Clock:
    """The clock of the next beat."""
    paused = clock.paused if envelope.pause_time is None else envelope.pause_time
    declared = envelope.declared_world_time
    if declared is not None:
        zone = envelope.timezone or config.time.default_timezone
        instant = declared_instant(declared, zone, zones)
        if instant < clock.instant and config.time.backward_declaration == "reject":
            raise BackwardTime("this story goes forward only")
        return Clock(instant, paused, wall_us)
    step = 0
    if not paused and config.time.mode == "fixed":
        step = config.time.beat_step_seconds * SECOND_US
    elif not paused and wall_us is not None and clock.wall_us is not None:
        step = max(wall_us - clock.wall_us, 0) * config.time.rate_percent // 100
    return Clock(in_calendar(min(clock.instant + step, LAST)), paused, wall_us)


def declaration_text(instant: int) -> str:
    """The neutral sentence that puts a declared time on the record."""
    return f"The time is declared to be {instant_text(instant)}."


def demand_same_time(envelope: InvocationEnvelope, clock: Clock) -> None:
    """Refuse an envelope that would set or pause the clock, which a NO_OP may not."""
    if envelope.declared_world_time is not None:
        raise EnvelopeError([("Invalid declared_world_time", "$.declared_overrides")])
    if envelope.pause_time not in (None, clock.paused):
        raise EnvelopeError([("Invalid pause_time", "$.declared_overrides")])
