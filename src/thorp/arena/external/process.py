"""Agents that are processes: any command, and a Python class hosted by `thorp.arena.external.host`.

After a time-out the process is kept: its late reply is recognised by its turn and dropped, and the next
turn is a new chance. When it has ended, or used up the match's allowance, every further turn fails at once.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from thorp.arena.contract import AgentConfig, AgentContext
from thorp.arena.external import limits
from thorp.arena.external.child import Child
from thorp.arena.external.limits import ThinkingTime
from thorp.arena.external.protocol import (
    AgentFailure,
    Introduction,
    act_message,
    check_ready,
    is_late,
    read_message,
    take_action,
)
from thorp.arena.external.spec import CommandSpec, FileSpec
from thorp.arena.task import MatchTask
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError


class ProcessAgent:
    """An agent at the other end of two pipes."""

    def __init__(self, id: str, child: Child, task: MatchTask) -> None:
        self.id = id
        self._child = child
        self._introduction = Introduction(task)
        self._time = ThinkingTime(task.limits, "action")

    @property
    def diagnostics(self) -> str:
        """The last of what the agent wrote to standard error; for a person, never for a log."""
        return self._child.stderr.decode("utf-8", "replace")

    @property
    def pid(self) -> int:
        return self._child.pid

    def init(self, config: AgentConfig) -> None:
        self._child.send(self._introduction.init(config))
        try:
            answer = self._child.receive(time.monotonic() + limits.START_SECONDS)
        except TimeoutError:
            raise AgentFailure(f"not ready within {limits.START_SECONDS:g} s") from None
        check_ready(read_message(answer))

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        try:
            with self._time.turn() as deadline:
                self._child.send(act_message(ctx.turn, observation))
                return self._answer(ctx.turn, deadline)
        finally:
            if self._time.used_up:
                self._child.kill()

    def _answer(self, turn: int, deadline: float) -> Json:
        while True:
            message = read_message(self._child.receive(deadline))
            if not is_late(message, turn):
                return take_action(message, turn)


@contextmanager
def open_command(id: str, spec: CommandSpec, task: MatchTask) -> Iterator[ProcessAgent]:
    """An agent that is a command. Refuses one that is not there."""
    if shutil.which(spec.command[0]) is None:
        raise InvalidError(
            f"no command {spec.command[0]!r} can be run here; check its name or path", code="agent_command"
        )
    with _started(spec.command, task) as child:
        yield ProcessAgent(id, child, task)


@contextmanager
def open_file(id: str, spec: FileSpec, task: MatchTask) -> Iterator[ProcessAgent]:
    """An agent that is a class in a file. Refuses a file or class that is not there or does not load."""
    path = Path(spec.path)
    if not path.is_file():
        raise InvalidError(f"there is no file {spec.path!r}; check the path", code="agent_file")
    # -P keeps the working directory off the path: a json.py in it would stand in for the real one.
    host = [sys.executable, "-P", "-m", "thorp.arena.external.host"]
    with _started([*host, str(path.resolve()), spec.class_name], task) as child:
        _await_loaded(child, spec)
        yield ProcessAgent(id, child, task)


@contextmanager
def _started(command: Sequence[str], task: MatchTask) -> Iterator[Child]:
    child = Child(command, task.limits.memory_mib)
    try:
        yield child
    finally:
        child.stop()


def _await_loaded(child: Child, spec: FileSpec) -> None:
    """Take the host's first line, which says whether there is a class to play with."""
    try:
        message = read_message(child.receive(time.monotonic() + limits.START_SECONDS))
        if message.get("type") == "loaded":
            return
        reason = str(message.get("message"))
    except TimeoutError:
        reason = f"it did not load within {limits.START_SECONDS:g} s"
    except AgentFailure as failure:
        said = child.stderr.decode("utf-8", "replace").split("\n")
        last_words = next((line.strip() for line in reversed(said) if line.strip()), "no word from it")
        reason = f"it did not load: {failure}; {last_words}"
    raise InvalidError(f"cannot play {spec.path}:{spec.class_name}: {reason}", code="agent_class")
