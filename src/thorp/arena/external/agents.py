"""Opens the agent of a seat: a bot, a process, an HTTP server or a model.

A process is kept after a time-out: a late reply is recognised by its turn and dropped, and the next turn is a
new chance. Once it has ended, or has used up the match's time, every further turn fails at once. An HTTP
server gets one POST for `init` and one for each turn, each complete in itself.
"""

import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from thorp.arena.contract import Agent, AgentConfig, AgentContext, MatchTask, Seat
from thorp.arena.external import limits
from thorp.arena.external.agent_process import AgentProcess
from thorp.arena.external.limits import TimeBudget, check_limits
from thorp.arena.external.model import ModelAgent
from thorp.arena.external.protocol import (
    AgentFailure,
    RunnerMessages,
    act_message,
    check_ready,
    is_late,
    read_message,
    take_action,
)
from thorp.arena.external.spec import BotSpec, CommandSpec, FileSpec, RemoteSpec, SocketSpec, parse_spec
from thorp.arena.registry import make_agent
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.models.http_post import OK, PostError, post
from thorp.models.recording import Recording


class ProcessAgent:
    """An agent in a process of its own: any command, or a Python class in `thorp.arena.external.host`."""

    def __init__(self, id: str, process: AgentProcess, task: MatchTask) -> None:
        self.id = id
        self._process = process
        self._messages = RunnerMessages(task)
        self._time = TimeBudget(task.limits, "action")

    @property
    def diagnostics(self) -> str:
        """The end of the agent's standard error, for people. It never gets into a log."""
        return self._process.stderr.decode("utf-8", "replace")

    @property
    def pid(self) -> int:
        return self._process.pid

    def init(self, config: AgentConfig) -> None:
        self._process.send(self._messages.init(config))
        try:
            answer = self._process.receive(time.monotonic() + limits.START_SECONDS)
        except TimeoutError:
            raise AgentFailure(f"not ready within {limits.START_SECONDS:g} s") from None
        check_ready(read_message(answer))

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        try:
            with self._time.turn() as deadline:
                self._process.send(act_message(ctx.turn, observation))
                return self._answer(ctx.turn, deadline)
        finally:
            if self._time.used_up:
                self._process.kill()

    def _answer(self, turn: int, deadline: float) -> Json:
        while True:
            message = read_message(self._process.receive(deadline))
            if not is_late(message, turn):
                return take_action(message, turn)


@contextmanager
def open_process(id: str, spec: CommandSpec | FileSpec, task: MatchTask) -> Iterator[ProcessAgent]:
    """Start a command, or a class in a file, as an agent. Refuses what does not exist or does not load."""
    process = AgentProcess(_command(spec, task.scenario), task.limits.memory_mib)
    try:
        if isinstance(spec, FileSpec | SocketSpec):
            _await_loaded(process, spec)
        yield ProcessAgent(id, process, task)
    finally:
        process.stop()


def _command(spec: CommandSpec | FileSpec, scenario: str) -> Sequence[str]:
    if isinstance(spec, FileSpec):
        path = Path(spec.path)
        if not path.is_file():
            raise InvalidError(f"there is no file {spec.path!r}; check the path", code="agent_file")
        # -P keeps the working directory off the path: a json.py in it would shadow the real one.
        host = [sys.executable, "-P", "-m", "thorp.arena.external.host"]
        return [*host, str(path.resolve()), spec.class_name]
    if shutil.which(spec.command[0]) is None:
        raise InvalidError(
            f"no command {spec.command[0]!r} can be run here; check its name or path", code="agent_command"
        )
    if isinstance(spec, SocketSpec):
        return [sys.executable, "-P", "-m", "thorp.server.match_seat", scenario, *spec.command]
    return spec.command


def _await_loaded(process: AgentProcess, spec: FileSpec | SocketSpec) -> None:
    """Read the host's first line, which says whether the agent can play."""
    try:
        message = read_message(process.receive(time.monotonic() + limits.START_SECONDS))
        if message.get("type") == "loaded":
            return
        reason = str(message.get("message"))
    except TimeoutError:
        reason = f"it did not load within {limits.START_SECONDS:g} s"
    except AgentFailure as failure:
        said = process.stderr.decode("utf-8", "replace").split("\n")
        last_words = next((line.strip() for line in reversed(said) if line.strip()), "no word from it")
        reason = f"it did not load: {failure}; {last_words}"
    name = f"{spec.path}:{spec.class_name}" if isinstance(spec, FileSpec) else f"ws:{spec.command[0]}"
    raise InvalidError(f"cannot play {name}: {reason}", code="agent_class")


class RemoteAgent:
    def __init__(self, id: str, spec: RemoteSpec, task: MatchTask) -> None:
        self.id = id
        self.diagnostics = ""
        self._url = spec.url
        self._messages = RunnerMessages(task)
        self._time = TimeBudget(task.limits, "reply")
        self._config = AgentConfig(id, 0)

    def init(self, config: AgentConfig) -> None:
        self._config = config
        try:
            answer = self._post(self._messages.init(config), limits.START_SECONDS)
        except TimeoutError:
            raise AgentFailure(f"not ready within {limits.START_SECONDS:g} s") from None
        check_ready({"type": "ready", **answer})

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        body = self._messages.self_contained_act(self._config, ctx.turn, observation)
        with self._time.turn() as deadline:
            answer = self._post(body, deadline - time.monotonic())
        # The answer to a POST is an action unless it says otherwise.
        return take_action({"type": "action", **answer}, ctx.turn)

    def _post(self, body: bytes, seconds: float) -> dict[str, Json]:
        try:
            answer = post(self._url, body, seconds=seconds)
        except PostError as failure:
            raise AgentFailure(str(failure)) from None
        if answer.status != OK:
            self.diagnostics = answer.body.decode("utf-8", "replace")
            raise AgentFailure(f"HTTP {answer.status}")
        return read_message(answer.body)


@contextmanager
def open_agent(seat: Seat, task: MatchTask, replies: Recording | None) -> Iterator[Agent]:
    """Open the agent of a seat; leaving the `with` closes it. Refuses, before play, one that cannot play.

    Without `replies` a model is called and nothing is recorded; with a new recording its replies are added to
    it; with one read from a file its replies come from there.
    """
    spec = parse_spec(seat.spec)
    if isinstance(spec, BotSpec):
        yield make_agent(task.scenario, spec.kind, seat.id)
        return
    check_limits(task.limits)
    if isinstance(spec, (FileSpec, CommandSpec)):
        with open_process(seat.id, spec, task) as agent:
            yield agent
    elif isinstance(spec, RemoteSpec):
        yield RemoteAgent(seat.id, spec, task)
    else:
        yield ModelAgent(seat.id, spec, task, replies)
