"""Agents that live outside the runner's process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from thorp.arena.contract import Agent
from thorp.arena.registry import make_agent
from thorp.arena.task import MatchTask, Seat


class Replies:
    """Placeholder until the model adapter lands."""


@contextmanager
def open_agent(seat: Seat, task: MatchTask, replies: Replies | None) -> Iterator[Agent]:
    yield make_agent(task.scenario, seat.spec, seat.id)
