"""One agent's side of the protocol, as a machine without I/O: messages in, events and ACTs out.

Sockets, clocks and waiting belong to the shell around it. A shell reads frames, decodes each once,
and gives it to `AgentSession.receive`, which returns what that means for the agent. It sends
whatever `take_frames` returns. `thorp.client` is a shell over asyncio and WebSocket; the villagers
of the demo are driven in process by another. Together with `docs/protocol.md` this file is enough
to write an agent's side in another language, and `thorp.protocol.testing.SessionSuite` says whether
it is right.

## The connection

    phase      input      next       what it means
    GREETING   WELCOME    WELCOMED   the world gave us a body, or gave our body back
    WELCOMED   OBS        LIVE       we see: from now on an ACT may be sent
    LIVE       OBS        LIVE       a newer observation; an older one or a repeated one is ignored
    any        CATALOG    the same   what the world is made of, in parts
    any        LOST       BROKEN     the connection broke; nothing is given up yet
    BROKEN     WELCOME    WELCOMED   the answers we missed come again as events, unless we are
                                     somebody else
    any        END        OVER       nothing comes any more: every request that is open is lost

Before the first WELCOME and while BROKEN an OBS changes nothing but the requests its events are
about.

## A request

A request is one action on its way through the world. The ACTION_RESULT names it by the id under
which it was sent (`ref`), TASK_DONE and TASK_FAIL by the task that the result announced.

    state      input                                     next
    NEW        it goes out in an ACT                     SENT
    SENT       result, ok, without a task                SETTLED, done
    SENT       result, ok, with a task_id                RUNNING
    SENT       result, refused                           SETTLED, refused
    SENT       refusal of the whole ACT (`ref` is ACT)   SETTLED, refused
    SENT       ... which came too late, tries left       SENT again, for the newest observation
    SENT       PATIENCE_OBS observations, no answer      SETTLED, LOST
    RUNNING    TASK_DONE, TASK_FAIL                      SETTLED, done or failed
    RUNNING    the result of cancelling it               SETTLED, GONE
    RUNNING    GRACE_OBS observations without the task   SETTLED, GONE
    RUNNING    its last tick                             SETTLED, GAVE_UP, and the task is cancelled
    SENT       its last tick                             SETTLED, GAVE_UP
    either     END, or a WELCOME with another body       SETTLED, LOST
    either     the agent abandons it                     SETTLED, as the agent says

The refusal of a whole ACT does not say which one. ACTs are answered in the order in which they were
sent, so it is the oldest without an answer and, if it came too late, the oldest that can be that
late.
"""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, Final, cast, get_args

import msgspec

from thorp.kernel.errors import IllegalError, LimitError
from thorp.protocol import codes
from thorp.protocol.act import MAX_ACTIONS
from thorp.protocol.actions import Instant, SoundTask, Task
from thorp.protocol.block_view import BlockView
from thorp.protocol.frame import PROTOCOL_VERSION
from thorp.protocol.handshake import LOCKSTEP, Catalog, Welcome
from thorp.protocol.obs import Event, Obs
from thorp.protocol.outcome import GAVE_UP, GONE, LOST, Outcome, outcome_of

STALE_RETRIES: Final = 2
"""How often an action that came too late is sent again, for the newest observation."""
WHOLE_ACT: Final = "ACT"
"""The `ref` of a result that refuses a whole ACT."""
WINDOW_TICKS: Final = 2
"""An ACT is accepted until this many ticks after the observation that it answers."""
PATIENCE_OBS: Final = 25
"""An answer comes in the observation of its tick; this many later, none will come."""
GRACE_OBS: Final = 5
"""Observations that a slow reader may have missed since a vanished task was answered."""

TASK_TYPES: Final = frozenset(kind.__struct_config__.tag for kind in get_args(SoundTask))
"""Actions that take time. Every other action is an instant."""

Action = Instant | Task | Mapping[str, Any]
"""An action: one of the protocol's types, or an object as the protocol writes it."""
Message = Welcome | Catalog | Obs
"""What the world sends to an agent."""
Act = dict[str, Any]
"""An ACT as the protocol writes it; a shell encodes and sends it."""


def type_of(action: Action) -> str:
    """The type of an action, as the protocol writes it."""
    if isinstance(action, Mapping):
        return str(action.get("type") or "")
    return str(action.__struct_config__.tag)


def id_of(action: Action) -> str:
    """The id that the agent gave an action; empty if it gave none."""
    ref = action.get("id") if isinstance(action, Mapping) else action.id
    return str(ref or "")


def empty_act(agent_id: str, tick: int) -> Act:
    """An ACT that does nothing: a pass, where a world in lockstep waits for one."""
    return {
        "type": "ACT",
        "protocol_version": PROTOCOL_VERSION,
        "agent_id": agent_id,
        "tick": tick,
    }


class Phase(Enum):
    """How far a connection has come; the table at the head of this module."""

    GREETING = "greeting"
    WELCOMED = "welcomed"
    LIVE = "live"
    BROKEN = "broken"
    OVER = "over"


class RequestState(Enum):
    """How far a request has come; the table at the head of this module."""

    NEW = "new"
    SENT = "sent"
    RUNNING = "running"
    SETTLED = "settled"


@dataclass(eq=False, slots=True)
class Request:
    """One action that was asked of the world, until its outcome is known."""

    action: dict[str, Any]
    """As it is sent, with its id."""
    deed: str
    """The type of the action; empty for a cancel."""
    ref: str
    """The id under which it was sent last."""
    is_task: bool = False
    """Whether it goes among the tasks of an ACT, or among its instants."""
    has_own_id: bool = True
    """Whether the agent chose the id. One that we chose is new each time it is sent."""
    state: RequestState = RequestState.NEW
    answer: Outcome | None = None
    """The world's first answer: done, refused, or taken on as a task."""
    outcome: Outcome | None = None
    """How it ended, once it is SETTLED."""
    task_id: str = ""
    """The task that does it, once it is RUNNING."""
    retries: int = 0
    """How often it may be sent again if it came too late."""
    ticks: int | None = None
    """How long it may take, counted from each time it is sent; None for as long as it takes."""
    last_tick: int | None = None
    unseen: int = 0
    """Observations in a row that did not list its task."""


@dataclass(eq=False, slots=True)
class _SentAct:
    """An ACT on its way, and its requests that have no answer yet, by id."""

    tick: int
    waiting: dict[str, Request]
    is_answered: bool = False
    age: int = 0


# What `receive` returns.


@dataclass(frozen=True, slots=True)
class Welcomed:
    """We have a body. `is_another` if it is not the one we had before."""

    agent_id: str
    is_another: bool


@dataclass(frozen=True, slots=True)
class Observed:
    """A newer observation came. One that is repeated or older brings its events and nothing
    else."""

    obs: Obs


@dataclass(frozen=True, slots=True)
class Started:
    """The world took a task on: the request is RUNNING."""

    request: Request


@dataclass(frozen=True, slots=True)
class Settled:
    """A request has its outcome."""

    request: Request


SessionEvent = Welcomed | Observed | Started | Settled


@dataclass(eq=False)
class AgentSession:
    """The machine. `name` begins the ids of its actions; two sessions of one body need different
    ones."""

    name: str
    phase: Phase = Phase.GREETING
    agent_id: str = ""
    resume_token: str = ""
    welcome: Welcome | None = None
    catalogs: dict[str, Any] = field(default_factory=dict)
    """What the world is made of, by name: `recipes`, `blueprints`, `item_palette`, `tuning`, ..."""
    blocks: BlockView = field(default_factory=BlockView)
    """The blocks around the body, decoded when somebody looks."""
    obs: Obs | None = None
    """The newest observation, if one has come."""
    intent: str = ""
    """Why the agent does what it does, in a sentence for those who watch. The next ACT carries
    it."""

    def __post_init__(self) -> None:
        self._newest_tick = -1
        self._moved_tick = -1
        """The newest observation that was answered with an ACT."""
        self._sent_intent = ""
        self._asked = 0
        self._acts: deque[_SentAct] = deque()
        self._running: dict[str, Request] = {}
        self._late: list[Request] = []
        """Requests that came too late, to be sent again for the next observation."""
        self._timed: list[Request] = []
        """Open requests that have a last tick."""
        self._frames: list[Act] = []
        self._events: list[SessionEvent] = []

    # What it sees

    @property
    def tick(self) -> int:
        """The tick of the newest observation."""
        if self.obs is None:
            raise IllegalError("no observation has come yet", code="not_live")
        return self.obs.tick

    @property
    def owes_move(self) -> bool:
        """Whether a world in lockstep waits for us: we have not answered the newest observation."""
        return self._is_lockstep and self.phase is Phase.LIVE and self._moved_tick < self.tick

    @property
    def _is_lockstep(self) -> bool:
        return self.welcome is not None and self.welcome.world_params.clock == LOCKSTEP

    # What comes in

    def begin(self, agent_id: str, catalogs: Mapping[str, Any]) -> None:
        """Start in process, where nobody greets: with a body, and what the world is made of."""
        self.phase = Phase.WELCOMED
        self.agent_id = agent_id
        self.catalogs = dict(catalogs)
        self.blocks.palette = catalogs["block_palette"]

    def receive(self, message: Message) -> list[SessionEvent]:
        """Take a message of the world; return what it means, in order."""
        if self.phase is Phase.OVER:
            raise IllegalError("the session is over; nothing more can come", code="session_over")
        match message:
            case Obs():
                self._take_obs(message)
            case Catalog():
                self._take_catalog(message)
            case Welcome():
                self._take_welcome(message)
        return self._take_events()

    def connection_lost(self) -> None:
        """The connection broke. The next message is a WELCOME, over a new one."""
        if self.phase is not Phase.OVER:
            self.phase = Phase.BROKEN

    def end(self, reason: str) -> list[SessionEvent]:
        """Nothing comes any more: every open request is LOST."""
        self.phase = Phase.OVER
        self._frames.clear()
        self._lose_all(reason)
        return self._take_events()

    def _take_welcome(self, welcome: Welcome) -> None:
        is_another = self.agent_id not in ("", welcome.agent_id)
        if is_another:
            self._lose_all(f"the world gave us another body, {welcome.agent_id}")
        self.phase = Phase.WELCOMED
        self.welcome = welcome
        self.agent_id = welcome.agent_id
        self.resume_token = welcome.resume_token
        self._newest_tick = -1
        self._moved_tick = -1
        self.blocks.forget()
        self._events.append(Welcomed(agent_id=self.agent_id, is_another=is_another))

    def _take_catalog(self, catalog: Catalog) -> None:
        parts = self.catalogs.get(catalog.name)
        if catalog.part > 1 and isinstance(parts, list) and isinstance(catalog.data, list):
            self.catalogs[catalog.name] = parts + catalog.data
        else:
            self.catalogs[catalog.name] = catalog.data
        if catalog.name == "block_palette" and isinstance(catalog.data, list):
            self.blocks.palette = [str(name) for name in self.catalogs[catalog.name]]

    def _take_obs(self, obs: Obs) -> None:
        for event in obs.events:
            self._take_event(event)
        is_expected = self.phase in (Phase.WELCOMED, Phase.LIVE)
        if not is_expected or obs.tick <= self._newest_tick:
            return
        self._newest_tick = obs.tick
        self.phase = Phase.LIVE
        self.obs = obs
        self.blocks.take(obs.voxels)
        self._events.append(Observed(obs))
        if self._acts:
            self._lose_unanswered()
        if self._running:
            self._end_vanished(obs)
        if self._timed:
            self._end_overdue()
        for request in self._late:
            self._send_again(request)
        self._late.clear()

    def _take_event(self, event: Event) -> None:
        """Match an event with the request that it is about, if any."""
        kind = event.get("type")
        if kind == "ACTION_RESULT":
            self._take_result(event)
        elif kind in ("TASK_DONE", "TASK_FAIL"):
            request = self._running.get(str(event.get("task_id")))
            if request is not None:
                self._settle(request, outcome_of(event, request.deed))

    def _take_result(self, event: Event) -> None:
        ref = str(event.get("ref"))
        if ref == WHOLE_ACT and event.get("ok") is not True:
            self._refuse_act(event)
            return
        if event.get("ok") is True and ref in self._running:  # it was cancelled
            message = str(event.get("message", ""))
            self._settle(
                self._running[ref], Outcome(ok=False, code=GONE, message=message, task_id=ref)
            )
        for act in self._acts:
            request = act.waiting.pop(ref, None)
            if request is not None:
                act.is_answered = True
                self._answer(request, outcome_of(event, request.deed))
                return

    def _refuse_act(self, event: Event) -> None:
        """Give the refusal to the oldest ACT without an answer that it can be about."""
        now = event.get("t")
        is_stale = event.get("code") == codes.STALE
        for act in self._acts:
            can_be_late = not isinstance(now, int) or act.tick + WINDOW_TICKS < now
            if not act.is_answered and (can_be_late or not is_stale):
                act.is_answered = True
                requests = [*act.waiting.values()]
                act.waiting.clear()
                for request in requests:
                    self._answer(request, outcome_of(event))
                return

    def _answer(self, request: Request, outcome: Outcome) -> None:
        """The first answer to a request: settled, running, or to be sent again."""
        request.answer = outcome
        if outcome.ok and outcome.task_id:
            request.state = RequestState.RUNNING
            request.task_id = outcome.task_id
            self._running[outcome.task_id] = request
            self._events.append(Started(request))
        elif outcome.code == codes.STALE and request.retries > 0:
            request.retries -= 1
            self._late.append(request)
        else:
            self._settle(request, outcome)

    def _settle(self, request: Request, outcome: Outcome) -> None:
        request.state = RequestState.SETTLED
        request.outcome = outcome
        self._running.pop(request.task_id, None)
        if request.last_tick is not None:
            self._timed.remove(request)
        self._events.append(Settled(request))

    def _lose_unanswered(self) -> None:
        """Give up on ACTs that should have been answered by now."""
        for act in self._acts:
            act.age += 1
        while self._acts and (self._acts[0].age > PATIENCE_OBS or not self._acts[0].waiting):
            for request in self._acts.popleft().waiting.values():
                self._settle(request, Outcome(ok=False, code=LOST, message="no answer came"))

    def _end_vanished(self, obs: Obs) -> None:
        """Give up on tasks that the world does not list any more, and said nothing about."""
        listed = {task.task_id for task in obs.tasks}
        for task_id, request in [*self._running.items()]:
            request.unseen = 0 if task_id in listed else request.unseen + 1
            if request.unseen > GRACE_OBS:
                self._settle(
                    request,
                    Outcome(ok=False, code=GONE, message="the task is gone", task_id=task_id),
                )

    def _end_overdue(self) -> None:
        """Give up on requests that take longer than the agent wants to wait."""
        for request in [*self._timed]:
            if request.last_tick is None or self.tick < request.last_tick:
                continue
            message = f"not done after {request.ticks} ticks"
            self._forget(request)
            self._settle(
                request, Outcome(ok=False, code=GAVE_UP, message=message, task_id=request.task_id)
            )
            if request.task_id:
                self.act(cancel=[request.task_id])

    def _forget(self, request: Request) -> None:
        """Whatever the world still says about it is about nothing."""
        for act in self._acts:
            act.waiting.pop(request.ref, None)
        if request in self._late:
            self._late.remove(request)

    def _lose_all(self, reason: str) -> None:
        """Nothing that was asked will be answered."""
        while self._acts:
            for request in self._acts.popleft().waiting.values():
                self._settle(request, Outcome(ok=False, code=LOST, message=reason))
        for request in (*self._late, *self._running.values()):
            self._settle(
                request, Outcome(ok=False, code=LOST, message=reason, task_id=request.task_id)
            )
        self._late.clear()

    def _take_events(self) -> list[SessionEvent]:
        events = self._events
        self._events = []
        return events

    # What goes out

    def request(self, action: Action, *, is_task: bool | None = None) -> Request:
        """Make a request of an action, to be sent with `act`. It gets an id, unless it has one."""
        ref = id_of(action)
        named = self._named(action, ref or self._new_id())
        deed = type_of(named)
        return Request(
            action=named,
            deed=deed,
            ref=str(named["id"]),
            is_task=deed in TASK_TYPES if is_task is None else is_task,
            has_own_id=bool(ref),
        )

    def act(
        self,
        requests: Sequence[Request] = (),
        *,
        unanswered: Sequence[Mapping[str, Any]] = (),
        cancel: Sequence[str] = (),
    ) -> None:
        """Answer the newest observation with one ACT.

        `unanswered` are instants without an id, in whose results nobody is interested. An ACT
        without anything is a pass, for which a world in lockstep waits.
        """
        if len(requests) + len(unanswered) + len(cancel) > MAX_ACTIONS:
            raise LimitError(f"an ACT holds at most {MAX_ACTIONS} actions and cancels")
        frame = self._head()
        instants = [request.action for request in requests if not request.is_task]
        frame["instants"] = [*instants, *unanswered]
        frame["tasks"] = [request.action for request in requests if request.is_task]
        frame["cancel"] = [*cancel]
        if self.intent != self._sent_intent:
            self._sent_intent = self.intent
            frame["intent"] = self.intent
        cancels = [Request(action={}, deed="", ref=task_id) for task_id in cancel]
        self._expect_answers([*cancels, *requests])
        self._moved_tick = self.tick
        self._frames.append(frame)

    def do(
        self, action: Action, *, ticks: int | None = None, retries: int = STALE_RETRIES
    ) -> Request:
        """Send one action, and again if it comes too late; cancel its task after `ticks` ticks."""
        request = self.request(action)
        request.retries = retries
        request.ticks = ticks
        self._set_last_tick(request)
        self.act([request])
        return request

    def abandon(self, request: Request, outcome: Outcome) -> None:
        """Settle a request by a decision of the agent's own; what the world says of it is
        ignored."""
        if request.state is not RequestState.SETTLED:
            self._forget(request)
            self._settle(request, outcome)

    def pass_turn(self) -> None:
        """Send an empty ACT: the world need not wait for us in this tick."""
        self._frames.append(self._head())
        self._moved_tick = self.tick

    def take_frames(self) -> list[Act]:
        """The ACTs to be sent, in order."""
        frames = self._frames
        self._frames = []
        return frames

    def _expect_answers(self, requests: list[Request]) -> None:
        for request in requests:
            request.state = RequestState.SENT
        if requests:
            waiting = {request.ref: request for request in requests}
            self._acts.append(_SentAct(tick=self.tick, waiting=waiting))

    def _send_again(self, request: Request) -> None:
        """Send a request that came too late, for the newest observation."""
        if not request.has_own_id:
            request.ref = self._new_id()
            request.action = self._named(request.action, request.ref)
        self._set_last_tick(request)
        self.act([request])

    def _set_last_tick(self, request: Request) -> None:
        """Give a request its time, counted from now."""
        if request.ticks is not None:
            if request.last_tick is None:
                self._timed.append(request)
            request.last_tick = self.tick + request.ticks

    def _new_id(self) -> str:
        self._asked += 1
        return f"{self.name}-{self._asked}"

    def _named(self, action: Action, ref: str) -> dict[str, Any]:
        """The action as the protocol writes it, with an id under which its result will come."""
        if isinstance(action, Mapping):
            return {**action, "id": ref}
        return cast(dict[str, Any], msgspec.to_builtins(msgspec.structs.replace(action, id=ref)))

    def _head(self) -> Act:
        if self.phase is not Phase.LIVE:
            raise IllegalError("no ACT can be sent before the first observation", code="not_live")
        return empty_act(self.agent_id, self.tick)
