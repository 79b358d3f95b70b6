"""A conformance suite for an agent's side of the protocol, in whatever language it is written.

The cases are data: `session_cases.json` beside this file. A case is a list of steps, each an object
with one member:

    welcome    a WELCOME came: `agent_id`, and `clock` if the world is in lockstep
    obs        an OBS came: its `tick`, and its `events` and the ids of its `tasks` where there are
               some
    lost       the connection broke
    end        nothing comes any more, and why
    do         the agent wants one thing done: `action`, perhaps `ticks` and `retries`, and the
               `key` under which the case speaks of it
    act        the agent sends several at once: `actions` by key, `cancel`
    abandon    the agent gives a request up, by key
    frames     the ACTs that are to be sent by now, each as `tick`, types of its actions, and
               `cancel`
    states     the states of requests by key: "sent", "running", or how it was settled: "ok", or a
               code
    phase      the phase of the connection
    owes_move  whether a world in lockstep waits for this agent

`SessionSuite` runs them against a Python session: inherit it, and give `make_session(name)`.
Nothing here imports pytest, which collects any class whose name starts with `Test`.
"""

import base64
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

import msgspec

from thorp.protocol.handshake import Catalog, Welcome
from thorp.protocol.obs import Obs
from thorp.protocol.outcome import GONE, Outcome
from thorp.protocol.session import AgentSession, Request

Case = dict[str, Any]

CASES: Final[list[Case]] = msgspec.json.decode(
    (files("thorp.protocol") / "session_cases.json").read_bytes()
)
"""Every case: its `name`, and its `steps`."""

_RADIUS: Final = 1
_AIR: Final = base64.b64encode(bytes((0, (2 * _RADIUS + 1) ** 3))).decode()
_decode: Final = msgspec.json.Decoder(Welcome | Catalog | Obs).decode


class SessionSuite:
    """Runs the cases. Inherit, and give `make_session(name)`."""

    def make_session(self, name: str) -> AgentSession:
        """A new session, whose ids begin with `name`."""
        raise NotImplementedError("a SessionSuite needs make_session(name)")

    def test_every_case(self) -> None:
        """Every case of the table holds."""
        for case in CASES:
            try:
                CaseRun(self.make_session("case")).run(case["steps"])
            except AssertionError as problem:
                raise AssertionError(f"{case['name']}: {problem}") from None


class CaseRun:
    """One case on its way: the session, and its requests by the keys of the case."""

    def __init__(self, session: AgentSession) -> None:
        self._session = session
        self._requests: dict[str, Request] = {}

    def run(self, steps: list[dict[str, Any]]) -> None:
        """Take every step; raises AssertionError where the session does not do as the case says."""
        for number, step in enumerate(steps, 1):
            ((kind, details),) = step.items()
            try:
                getattr(self, f"_{kind}")(details)
            except AssertionError as problem:
                raise AssertionError(f"step {number}, {kind}: {problem}") from None

    # What comes in

    def _welcome(self, details: Mapping[str, Any]) -> None:
        self._session.receive(_decode(msgspec.json.encode(_welcome(**details))))

    def _obs(self, details: Mapping[str, Any]) -> None:
        events = [self._with_refs(event) for event in details.get("events", ())]
        obs = _obs(
            self._session.agent_id or "A1", details["tick"], events, details.get("tasks", [])
        )
        self._session.receive(_decode(msgspec.json.encode(obs)))

    def _lost(self, details: Any) -> None:
        self._session.connection_lost()

    def _end(self, details: str) -> None:
        self._session.end(details)

    def _with_refs(self, event: dict[str, Any]) -> dict[str, Any]:
        """An event whose `key` says which request it answers."""
        event = dict(event)
        key = event.pop("key", None)
        if key is not None:
            event["ref"] = self._requests[key].ref
        return event

    # What the agent wants

    def _do(self, details: Mapping[str, Any]) -> None:
        options = {name: details[name] for name in ("ticks", "retries") if name in details}
        self._requests[details["key"]] = self._session.do(details["action"], **options)

    def _act(self, details: Mapping[str, Any]) -> None:
        requests = {
            key: self._session.request(action) for key, action in details.get("actions", {}).items()
        }
        self._requests.update(requests)
        cancel = [self._requests[key].task_id for key in details.get("cancel", ())]
        self._session.act([*requests.values()], cancel=cancel)

    def _abandon(self, key: str) -> None:
        self._session.abandon(self._requests[key], Outcome(ok=False, code=GONE))

    # What the case expects

    def _frames(self, expected: list[dict[str, Any]]) -> None:
        frames = [_summary(frame) for frame in self._session.take_frames()]
        wanted = [{"types": [], "cancel": [], **frame} for frame in expected]
        assert frames == wanted, f"expected the frames {wanted}, got {frames}"

    def _states(self, expected: Mapping[str, str]) -> None:
        states = {key: _state(self._requests[key]) for key in expected}
        assert states == expected, f"expected {expected}, got {states}"

    def _phase(self, expected: str) -> None:
        phase = self._session.phase.value
        assert phase == expected, f"expected {expected}, got {phase}"

    def _owes_move(self, expected: bool) -> None:
        assert self._session.owes_move is expected, f"expected {expected}"


def _state(request: Request) -> str:
    if request.outcome is None:
        return request.state.value
    return "ok" if request.outcome.ok else request.outcome.code


def _summary(frame: Mapping[str, Any]) -> dict[str, Any]:
    actions = [*frame.get("instants", ()), *frame.get("tasks", ())]
    types = [action["type"] for action in actions]
    return {"tick": frame["tick"], "types": types, "cancel": frame.get("cancel", [])}


def _welcome(agent_id: str, clock: str | None = None) -> dict[str, Any]:
    palette = {"digest": "", "count": 1}
    params: dict[str, Any] = {
        "tick_rate_hz": 5,
        "chunk_size": [16, 16, 64],
        "height": 64,
        "obs_radius": _RADIUS,
        "day_ticks": 6000,
        "seed": 1,
    }
    if clock is not None:
        params["clock"] = clock
    return {
        "type": "WELCOME",
        "agent_id": agent_id,
        "resume_token": f"token of {agent_id}",
        "world_params": params,
        "catalogs": {
            "block_palette": palette,
            "item_palette": palette,
            "recipes_digest": "",
            "blueprints_digest": "",
            "law_templates_digest": "",
            "events_digest": "",
        },
    }


def _obs(
    agent_id: str, tick: int, events: list[dict[str, Any]], tasks: list[str]
) -> dict[str, Any]:
    """The smallest OBS that can be read."""
    place = [0, 0, 0]
    reputation = dict.fromkeys(("trade", "build", "social", "law"), 0)
    allowed = dict.fromkeys(("can_build", "can_break", "can_damage", "can_trade"), True)
    body = {"pos": place, "yaw": 0, "hp": 20, "hunger": 20, "stamina": 1, "status": []}
    running = [
        {"task_id": task_id, "kind": "MINE", "progress": 0, "target": place} for task_id in tasks
    ]
    return {
        "type": "OBS",
        "tick": tick,
        "agent_id": agent_id,
        "world": {"time_of_day": 0.5, "weather": "CLEAR", "season_day": 1, "biome": "PLAINS"},
        "self": {**body, "reputation": reputation},
        "inventory": [],
        "equipment": {"main_hand": "NONE", "armor": ["NONE"] * 4},
        "local_rules": {"role": "WILD", "permissions": allowed, "tax": {"market": 0}},
        "voxels": {"center": place, "radius": _RADIUS, "encoding": "RLE", "data": _AIR},
        "entities": [],
        "events": [{"t": tick, **event} for event in events],
        "tasks": running,
    }
