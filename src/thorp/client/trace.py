"""A record of what an agent saw, did and was told, as lines of JSON; `docs/agent-kit.md` shows
them."""

from typing import Any, Final, Protocol

import msgspec

from thorp.protocol.obs import Event, Obs
from thorp.protocol.outcome import ADVICE

_ENDINGS: Final = ("ACTION_RESULT", "TASK_DONE", "TASK_FAIL")
_RESULT_FIELDS: Final = ("ref", "task_id", "kind", "ok", "code", "message", "hint")


class Writable(Protocol):
    """An open text file, or anything that can be written to like one."""

    def write(self, text: str, /) -> object: ...


class Trace:
    """Writes the lines, or nothing if nobody wants them."""

    def __init__(self, out: Writable | None) -> None:
        self._out = out
        self._agent = ""

    def obs(self, obs: Obs) -> None:
        """An observation: the body, its tasks, the types of its events, and how actions ended."""
        if self._out is None:
            return
        body = obs.body
        self.line(
            "obs",
            tick=obs.tick,
            pos=body.pos,
            hp=body.hp,
            hunger=body.hunger,
            stamina=body.stamina,
            tasks=[f"{task.kind} {task.progress:.0%}" for task in obs.tasks],
            events=[event.get("type") for event in obs.events],
        )
        for event in obs.events:
            if event.get("type") in _ENDINGS:
                self.line("result", tick=obs.tick, **_result(event))

    def link(self, what: str, agent_id: str) -> None:
        """The connection was made, or broke."""
        self._agent = agent_id
        self.line("link", what=what)

    def line(self, at: str, **fields: object) -> None:
        """One line of the record."""
        if self._out is not None:
            record = {"at": at, "agent": self._agent, **fields}
            self._out.write(msgspec.json.encode(record).decode() + "\n")


def _result(event: Event) -> dict[str, Any]:
    result: dict[str, Any] = {name: event[name] for name in _RESULT_FIELDS if name in event}
    result.setdefault("ok", event["type"] == "TASK_DONE")
    if not result["ok"]:
        result["why"] = ADVICE.get(result.get("code", ""), "")
    return result
