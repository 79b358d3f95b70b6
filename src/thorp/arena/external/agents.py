"""Opens the agent of a seat: a bot, a process, an HTTP server or a model. See `docs/agents.md`.

A process is kept after a time-out: a late reply is recognised by its turn and dropped, and the next
turn is a new chance. Once it has ended, or has used up the match's time, every further turn fails
at once.
"""

import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from thorp.arena.contract import Agent, AgentConfig, AgentContext, MatchTask, Seat, SimpleAgent
from thorp.arena.external import protocol
from thorp.arena.external import spec as specs
from thorp.arena.external.agent_process import AgentProcess
from thorp.arena.external.model_agents import (
    Loading,
    chooser_of,
    load_silently,
    model_agent,
    opened_client,
)
from thorp.arena.external.protocol import AgentFailure, RunnerMessages, TimeBudget, read_message
from thorp.arena.external.spec import CommandSpec, FileSpec, ModelSpec, RemoteSpec, SocketSpec
from thorp.arena.registry import make_agent
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.models.http_post import OK, PostError, post
from thorp.models.recording import Recording


class ProcessAgent:
    """An agent in a process of its own: any command, or a Python class in
    `thorp.arena.external.host`."""

    def __init__(self, id: str, process: AgentProcess, task: MatchTask) -> None:
        self.id = id
        self.pid = process.pid
        self._process = process
        self._messages = RunnerMessages(task)
        self._time = TimeBudget(task.limits, "action")

    @property
    def diagnostics(self) -> str:
        """The end of the agent's standard error, for people. It never gets into a log."""
        return self._process.stderr.decode("utf-8", "replace")

    def init(self, config: AgentConfig) -> None:
        self._process.send(self._messages.init(config))
        try:
            answer = self._process.receive(time.monotonic() + protocol.START_SECONDS)
        except TimeoutError:
            raise AgentFailure(f"not ready within {protocol.START_SECONDS:g} s") from None
        protocol.check_ready(read_message(answer))

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        try:
            with self._time.turn() as deadline:
                self._process.send(protocol.act_message(observation, ctx))
                while True:
                    message = read_message(self._process.receive(deadline))
                    if not protocol.is_late(message, ctx.turn):
                        return protocol.take_action(message, ctx.turn)
        finally:
            if self._time.used_up:
                self._process.kill()


def _command(spec: CommandSpec | FileSpec, scenario: str) -> Sequence[str]:
    """The command line of an agent's process. Refuses a file or command that does not exist."""
    if isinstance(spec, FileSpec):
        path = Path(spec.path)
        if not path.is_file():
            raise InvalidError(f"there is no file {spec.path!r}; check the path", code="agent_file")
        # -P keeps the working directory off the path, where a json.py would shadow the real one.
        host = [sys.executable, "-P", "-m", "thorp.arena.external.host"]
        return [*host, str(path.resolve()), spec.class_name]
    if shutil.which(spec.command[0]) is None:
        raise InvalidError(
            f"no command {spec.command[0]!r} can be run here; check its name or path",
            code="agent_command",
        )
    if isinstance(spec, SocketSpec):
        return [
            sys.executable,
            "-P",
            "-m",
            "thorp.server.sockets.match_seat",
            scenario,
            *spec.command,
        ]
    return spec.command


def _await_loaded(process: AgentProcess, spec: FileSpec | SocketSpec) -> None:
    """Read the host's first line, which says whether the agent can play."""
    try:
        message = read_message(process.receive(time.monotonic() + protocol.START_SECONDS))
        if message.get("type") == "loaded":
            return
        reason = str(message.get("message"))
    except TimeoutError:
        reason = f"it did not load within {protocol.START_SECONDS:g} s"
    except AgentFailure as failure:
        said = process.stderr.decode("utf-8", "replace").split("\n")
        last_words = next(
            (line.strip() for line in reversed(said) if line.strip()), "no word from it"
        )
        reason = f"it did not load: {failure}; {last_words}"
    name = (
        f"{spec.path}:{spec.class_name}" if isinstance(spec, FileSpec) else f"ws:{spec.command[0]}"
    )
    raise InvalidError(f"cannot play {name}: {reason}", code="agent_class")


class RemoteAgent:
    """An agent behind an HTTP address: each message is one POST, its answer the reply."""

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
            answer = self._post(self._messages.init(config), protocol.START_SECONDS)
        except TimeoutError:
            raise AgentFailure(f"not ready within {protocol.START_SECONDS:g} s") from None
        protocol.check_ready({"type": "ready", **answer})

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        body = self._messages.self_contained_act(self._config, observation, ctx)
        with self._time.turn() as deadline:
            answer = self._post(body, deadline - time.monotonic())
        # The answer to a POST is an action unless it says otherwise.
        return protocol.take_action({"type": "action", **answer}, ctx.turn)

    def _post(self, body: bytes, seconds: float) -> dict[str, Json]:
        try:
            answer = post(self._url, body, seconds=seconds)
        except PostError as failure:
            raise AgentFailure(str(failure)) from None
        if answer.status != OK:
            self.diagnostics = answer.body.decode("utf-8", "replace")
            raise AgentFailure(f"HTTP {answer.status}")
        return read_message(answer.body)


class UnopenedAgent(SimpleAgent):
    """Takes the seat of an agent that cannot be opened any more, and fails in `init`."""

    def init(self, config: AgentConfig) -> None:
        raise RuntimeError("the agent could not be opened")

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        raise AssertionError("a seat whose init failed is never asked")


@contextmanager
def open_agent(
    seat: Seat, task: MatchTask, replies: Recording | None, loading: Loading = load_silently
) -> Iterator[Agent]:
    """Open the agent of a seat; leaving the `with` block closes it. An agent that cannot play is
    refused here, before the match.

    Without `replies` a model is called and nothing is recorded; with a new recording its replies
    are added to it; with one read from a file its replies come from there.
    """
    spec = specs.parse_spec(seat.spec)
    if isinstance(spec, specs.BotSpec):
        yield make_agent(task.scenario, spec.kind, seat.id)
        return
    protocol.check_limits(task.limits)
    if isinstance(spec, RemoteSpec):
        yield RemoteAgent(seat.id, spec, task)
    elif isinstance(spec, ModelSpec):
        recording = Recording() if replies is None else replies
        chooser_of(spec, task)  # refused before anything is started
        if recording.replaying:
            yield model_agent(seat, spec, task, recording, None)
        else:
            with opened_client(spec, task, loading) as client:
                yield model_agent(seat, spec, task, recording, client)
    else:
        process = AgentProcess(_command(spec, task.scenario), task.limits.memory_mib)
        try:
            if isinstance(spec, FileSpec | SocketSpec):
                _await_loaded(process, spec)
            yield ProcessAgent(seat.id, process, task)
        finally:
            process.stop()
