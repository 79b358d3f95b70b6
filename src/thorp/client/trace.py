"""A record of what an agent saw, did and was told, as lines of JSON; `docs/agent-kit.md` shows them."""

from typing import Any, Protocol

import msgspec

from thorp.client.outcome import ADVICE
from thorp.protocol.obs import Event, Obs

_ENDINGS = ("ACTION_RESULT", "TASK_DONE", "TASK_FAIL")
_TOLD = ("ref", "task_id", "kind", "ok", "code", "message")


class Writable(Protocol):
    """An open text file, or anything that can be written to like one."""

    def write(self, text: str, /) -> object: ...


class Trace:
    def __init__(self, out: Writable | None) -> None:
        self._out = out
        self._agent = ""

    def obs(self, obs: Obs) -> None:
        if self._out is None:
            return
        body = obs.body
        self._line(
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
                self._result(obs.tick, event)

    def act(self, **fields: object) -> None:
        self._line("act", **fields)

    def link(self, what: str, agent_id: str) -> None:
        self._agent = agent_id
        self._line("link", what=what)

    def _result(self, tick: int, event: Event) -> None:
        told: dict[str, Any] = {name: event[name] for name in _TOLD if name in event}
        told.setdefault("ok", event["type"] == "TASK_DONE")
        if not told["ok"]:
            told["why"] = ADVICE.get(told.get("code", ""), "")
        self._line("result", tick=tick, **told)

    def _line(self, at: str, **fields: object) -> None:
        if self._out is not None:
            self._out.write(msgspec.json.encode({"at": at, "agent": self._agent, **fields}).decode() + "\n")
