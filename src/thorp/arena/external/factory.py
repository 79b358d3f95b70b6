"""Every seat's agent is opened here, used inside the `with`, and gone after it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from thorp.arena.contract import Agent
from thorp.arena.external.limits import check_limits
from thorp.arena.external.model import ModelAgent
from thorp.arena.external.process import open_command, open_file
from thorp.arena.external.remote import RemoteAgent
from thorp.arena.external.spec import BotSpec, CommandSpec, FileSpec, RemoteSpec, parse_spec
from thorp.arena.registry import make_agent
from thorp.arena.task import MatchTask, Seat
from thorp.models.recording import Recording


@contextmanager
def open_agent(seat: Seat, task: MatchTask, replies: Recording | None) -> Iterator[Agent]:
    """The agent of a seat. Raises InvalidError, before anything is played, for one that cannot play.

    Without `replies` a model is called and nothing kept; with a new recording its replies are added to it;
    with one read from a file they come from there.
    """
    spec = parse_spec(seat.spec)
    if isinstance(spec, BotSpec):
        yield make_agent(task.scenario, spec.kind, seat.id)
        return
    check_limits(task.limits)
    if isinstance(spec, FileSpec):
        with open_file(seat.id, spec, task) as agent:
            yield agent
    elif isinstance(spec, CommandSpec):
        with open_command(seat.id, spec, task) as agent:
            yield agent
    elif isinstance(spec, RemoteSpec):
        yield RemoteAgent(seat.id, spec, task)
    else:
        yield ModelAgent(seat.id, spec, task, replies)
