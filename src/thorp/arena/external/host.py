"""Runs a `file.py:Class` agent in a process of its own: `python -m thorp.arena.external.host FILE
CLASS`.

It answers `loaded` or `refused`, and then speaks the line protocol like any command. The class sees
what it would see in the runner's process, and its actions are copied by the same code. Standard
input and output belong to the protocol and are moved out of the agent's reach: what it prints goes
to standard error.
"""

import inspect
import os
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

from thorp.arena.action import copy_action
from thorp.arena.contract import Agent, AgentConfig, AgentContext
from thorp.arena.external.protocol import PROTOCOL
from thorp.arena.runner import failure_text
from thorp.kernel.canonical import Json, insertion_bytes, read_text
from thorp.kernel.errors import InvalidError
from thorp.kernel.rng import Mulberry32

MODULE_NAME = "thorp_agent_file"  # The module name of the agent's file; it shadows no other module.

_FAILURES = (Exception, SystemExit)


class HostedConfig(AgentConfig, frozen=True, kw_only=True):
    """What a hosted agent learns before the match; it includes the scenario and its parameters."""

    scenario: str
    parameters: dict[str, Json]
    max_turns: int


class Host:
    """Answers the runner's messages for one agent."""

    def __init__(self, agent_class: Callable[..., Agent], write: Callable[[bytes], object]) -> None:
        self._agent_class = agent_class
        self._write = write

    def serve(self, lines: Iterable[bytes]) -> None:
        """Answer until `end`, or until the runner is gone."""
        for line in lines:
            message = read_text(line)
            if message["type"] == "end":
                return
            turn = message.get("turn", 0)
            try:
                reply = (
                    self._init(message) if message["type"] == "init" else self._act(turn, message)
                )
            except _FAILURES as failure:
                traceback.print_exc()
                # A MemoryError, which the memory limit causes here, has no text of its own.
                text = failure_text(failure) or (
                    "out of memory" if isinstance(failure, MemoryError) else ""
                )
                reply = insertion_bytes({"type": "error", "turn": turn, "message": text})
            self._write(reply)

    def _init(self, message: dict[str, Json]) -> bytes:
        names = ("seed", "scenario", "parameters", "commitment")
        settings: dict[str, Any] = {name: message.get(name) for name in names}
        config = HostedConfig(
            agent_id=message["agentId"], max_turns=message["maxTurns"], **settings
        )
        self._id = config.agent_id
        self._rng = Mulberry32(config.seed).random
        arguments = (self._id,) if takes_id(self._agent_class) else ()
        self._agent = self._agent_class(*arguments)
        self._agent.init(config)
        return insertion_bytes({"type": "ready", "protocol": PROTOCOL})

    def _act(self, turn: int, message: dict[str, Json]) -> bytes:
        context = AgentContext(self._rng, turn, self._id, message.get("feedback"))
        action = self._agent.act(message["observation"], context)
        text, _ = copy_action(action)
        return b'{"type":"action","turn":%d,"action":%b}' % (turn, text)


def load_class(path: str, name: str) -> Callable[..., Agent]:
    """Load the class from a file. Refuses one that is not an agent; what the file itself raises
    passes through."""
    # As `python FILE` does, so that the file can import others beside it.
    sys.path.insert(0, str(Path(path).parent))
    module = ModuleType(MODULE_NAME)
    module.__file__ = path
    sys.modules[MODULE_NAME] = module
    exec(compile(Path(path).read_bytes(), path, "exec"), module.__dict__)
    agent_class: Any = getattr(module, name, None)
    if not isinstance(agent_class, type):
        raise InvalidError(f"there is no class {name} in it")
    for method in ("init", "act"):
        if not callable(getattr(agent_class, method, None)):
            raise InvalidError(f"the class has no method {method}")
    takes_id(agent_class)
    return agent_class


def takes_id(agent_class: Callable[..., Agent]) -> bool:
    """Whether the class takes the agent's id, or no argument. Refuses one that needs more."""
    signature = inspect.signature(agent_class)
    for arguments in (("id",), ()):
        with suppress(TypeError):
            signature.bind(*arguments)
            return bool(arguments)
    raise InvalidError("the class must be built with the agent's id alone, or with nothing")


def main() -> None:
    """Load an agent's class from a file, and answer the runner's messages until they end."""
    path, name = sys.argv[1:]
    lines, replies = _take_channel()

    def write(reply: bytes) -> None:
        replies.write(reply + b"\n")
        replies.flush()

    try:
        agent_class = load_class(path, name)
    except _FAILURES as failure:
        why = (
            str(failure)
            if isinstance(failure, InvalidError)
            else f"{type(failure).__name__}: {failure}"
        )
        write(insertion_bytes({"type": "refused", "message": why}))
        sys.exit(1)
    write(insertion_bytes({"type": "loaded"}))
    Host(agent_class, write).serve(lines)


def _take_channel() -> tuple[BinaryIO, BinaryIO]:
    """Move the protocol away from descriptors 0 and 1, which the agent's code may use."""
    lines = os.fdopen(os.dup(0), "rb")
    replies = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return lines, replies


if __name__ == "__main__":
    main()
