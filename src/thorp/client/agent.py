"""An agent in a world: what it sees, and what it does.

A task of the event loop reads every observation as it comes. It settles what was asked and keeps the newest
observation; looking at the agent (`position`, `inventory`, `block`) never waits, `observe` and `do` do. In
lockstep, waiting without having acted on the newest observation is a pass: the world waits for a move.
"""

import asyncio
import secrets
from asyncio import Future
from collections.abc import AsyncIterator, Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Protocol, cast, get_args

import msgspec

from thorp.client.connection import AnyMessage, Broken, ClientError, Connection, Gibberish, Unreachable
from thorp.client.outcome import ADVICE, GAVE_UP, Outcome, Pending
from thorp.client.view import BlockView, News
from thorp.kernel.errors import LimitError
from thorp.protocol import MAX_ACTIONS, PROTOCOL_VERSION, Catalog, Obs, VoxelError, Welcome, codes
from thorp.protocol.actions import Instant, SoundTask, Task
from thorp.protocol.handshake import LOCKSTEP, Retire
from thorp.protocol.obs import Entity, Position

STALE_RETRIES: Final = 2  # How often `do` sends an action that came too late again, for the newest OBS.
MAX_KEPT_EVENTS: Final = 1_000  # Events of observations that nobody took in time; worlds keep no more either.

RETIRE_SECONDS: Final = 2.0  # Some ticks of a slow world.
_RETIRE: Final = msgspec.json.encode(Retire())

TASK_TYPES: Final = tuple(kind.__struct_config__.tag for kind in get_args(SoundTask))
"""Every other action is an instant."""

ANSWERS: Final = ("ACCEPT_TRADE", "DECLINE_TRADE")  # What answers an offer of somebody else.

AnyAction = Instant | Task | Mapping[str, Any]
"""An action: one of `thorp.client.actions`, or an object as the protocol writes it."""


class Agent:
    """Made by `thorp.client.connect`."""

    def __init__(self, line: Connection, trace: "Writable | None" = None) -> None:
        self.id = ""
        self.token = ""
        """With it, a later `connect` gets the same body back. It changes with every connection."""
        self.welcome: Welcome | None = None
        self.catalogs: dict[str, Any] = {}
        """What the world is made of, by name: `recipes`, `blueprints`, `item_palette`, `tuning`, ..."""
        self.news = News()
        """What others offer, propose and promise, as far as we were told."""
        self._line = line
        self._trace = Trace(trace)
        self._pending = Pending()
        self._sight = BlockView()
        self._obs: Obs | None = None
        self._last_tick = -1
        self._moved_tick = -1  # The newest observation that was answered with an ACT.
        self.unread = False
        """Whether `observe` would return at once."""
        self._changed = asyncio.Condition()
        self.over: ClientError | None = None
        """Why the connection cannot be used any more, if so."""
        self.intent = ""
        """Why it does what it does, in a sentence for those who watch. The next ACT tells it."""
        self._told_intent = ""
        self._live = self._lockstep = False
        self._name = secrets.token_hex(3)
        self._asked = 0

    # What it sees

    @property
    def obs(self) -> Obs:
        """The newest observation."""
        if self._obs is None:
            raise self.over or Unreachable("no observation has come yet")
        return self._obs

    @property
    def tick(self) -> int:
        return self.obs.tick

    @property
    def position(self) -> Position:
        return self.obs.body.pos

    @property
    def inventory(self) -> dict[str, int]:
        return {stack.item: stack.count for stack in self.obs.inventory}

    @property
    def entities(self) -> list[Entity]:
        return self.obs.entities

    def block(self, x: int, y: int, z: int) -> str | None:
        """The block in a cell, or None if it is out of sight."""
        return self._sight.block((x, y, z))

    def find(self, *names: str, avoid: Container[Position] = ()) -> Position | None:
        """Where the nearest block of these names is, as far as the agent sees."""
        return self._sight.find(*names, avoid=avoid)

    def find_all(self, *names: str) -> Iterator[Position]:
        """Where blocks of these names are, the nearest first."""
        return self._sight.find_all(*names)

    async def observe(self) -> Obs:
        """The newest observation that was not taken yet; waits for the next one if need be.

        Its events include those of observations that came meanwhile and were passed over.
        """
        await self._wait_for(lambda: self.unread or bool(self.over))
        if not self.unread and self.over is not None:
            raise self.over
        self.unread = False
        return self.obs

    async def __aiter__(self) -> AsyncIterator[Obs]:
        """Observations, until the connection is over."""
        with suppress(ClientError):
            while True:
                yield await self.observe()

    # What it does

    async def act(
        self, instants: Sequence[AnyAction] = (), tasks: Sequence[AnyAction] = (), cancel: Sequence[str] = ()
    ) -> list[Future[Outcome]]:
        """Send one ACT, for the newest observation. The futures are those of the instants, then the tasks.

        An empty ACT is a pass, for which a world in lockstep waits. Nobody has to await the futures.
        """
        if len(instants) + len(tasks) + len(cancel) > MAX_ACTIONS:
            raise LimitError(f"an ACT holds at most {MAX_ACTIONS} actions and cancels")
        await self._wait_for(lambda: self._live or bool(self.over))
        if self.over is not None:
            raise self.over
        named_instants, named_tasks = [*map(self._named, instants)], [*map(self._named, tasks)]
        named = [*named_instants, *named_tasks]
        deeds = {**dict.fromkeys(cancel, ""), **{str(action["id"]): _type(action) for action in named}}
        outcomes = self._pending.ask(deeds, self.tick)
        for action in named:
            if _type(action) in ANSWERS:
                self.news.answered(str(action["id"]), str(action.get("trade_id") or ""))
        what: dict[str, Any] = {
            "tick": self.tick, "instants": named_instants, "tasks": named_tasks, "cancel": [*cancel],
        }  # fmt: skip
        if self.intent != self._told_intent:
            what["intent"] = self._told_intent = self.intent
        self._trace.line("act", **what)
        await self._send(what)
        return [outcomes[str(action["id"])] for action in named]

    async def _send(self, what: dict[str, Any]) -> None:
        self._moved_tick = what["tick"]
        head = {"type": "ACT", "protocol_version": PROTOCOL_VERSION, "agent_id": self.id}
        await self._line.send(msgspec.json.encode(head | what))

    async def _wait_for(self, is_so: Callable[[], bool]) -> None:
        """Wait until something is so, looking again after every message."""
        async with self._changed:
            while not is_so():
                if self._lockstep and self._live and self._moved_tick < self.tick:
                    await self._send({"tick": self.tick})
                await self._changed.wait()

    async def retire(self) -> bool:
        """Give the body up for good, and the connection with it. False if the world keeps it, because it owns
        land or has other ties; then the owner has just left."""
        if await self._line.send(_RETIRE):
            with suppress(TimeoutError):
                async with asyncio.timeout(RETIRE_SECONDS), self._changed:
                    await self._changed.wait_for(lambda: self.over)
        return self.over is not None and str(self.over).endswith("retired")

    async def do(self, action: AnyAction, *, ticks: int | None = None) -> Outcome:
        """Do one thing and wait until it is done, refused or has failed.

        A task is cancelled after `ticks` ticks. An action that reaches the world too late is sent again.
        """
        for _ in range(STALE_RETRIES + 1):
            outcome = await self._do_once(action, ticks)
            if outcome.code != codes.STALE:
                break
        return outcome

    async def _do_once(self, action: AnyAction, ticks: int | None) -> Outcome:
        is_task = _type(action) in TASK_TYPES
        (future,) = await (self.act(tasks=[action]) if is_task else self.act(instants=[action]))
        deadline = None if ticks is None else self.tick + ticks
        await self._wait_for(
            lambda: future.done() or bool(self.over) or (deadline is not None and self.tick >= deadline)
        )
        if self.over is not None:
            raise self.over
        if future.done():
            return future.result()
        task_id = self._pending.task_of(future)
        if task_id:
            await self.act(cancel=[task_id])
        return Outcome(False, GAVE_UP, f"not done after {ticks} ticks", task_id)

    def _named(self, action: AnyAction) -> dict[str, Any]:
        """The action as the protocol writes it, with an id under which its result will come."""
        ref = action.get("id") if isinstance(action, Mapping) else action.id
        if not ref:
            self._asked += 1
            ref = f"{self._name}-{self._asked}"
        if isinstance(action, Mapping):
            return {**action, "id": ref}
        return cast(dict[str, Any], msgspec.to_builtins(msgspec.structs.replace(action, id=ref)))

    # What it hears

    async def live(self) -> None:
        """Read what the world sends, until the connection is over. `connect` runs this."""
        try:
            async for message in self._line.messages():
                self._take(message)
                async with self._changed:
                    self._changed.notify_all()
        except ClientError as problem:
            self.over = problem
        except VoxelError as problem:
            self.over = Gibberish(f"the server sent voxels that cannot be read: {problem}")
        finally:
            self.over = self.over or Unreachable("the connection was closed")
            self._live = False
            self._pending.forget(str(self.over))
            async with self._changed:
                self._changed.notify_all()

    async def ready(self) -> None:
        """Wait for the first observation."""
        await self._wait_for(lambda: bool(self._obs or self.over))
        if self._obs is None and self.over is not None:
            raise self.over

    def _take(self, message: AnyMessage | Broken) -> None:
        match message:
            case Welcome():
                self._take_welcome(message)
            case Catalog():
                self._take_catalog(message)
            case Obs():
                self._take_obs(message)
            case Broken():
                self._live = False
                self._trace.link("broken", self.id)

    def _take_welcome(self, welcome: Welcome) -> None:
        if self.id not in ("", welcome.agent_id):
            self._pending.forget(f"the world gave us another body, {welcome.agent_id}")
            self.news.forget()
        self.welcome, self.id, self.token = welcome, welcome.agent_id, welcome.resume_token
        self._last_tick = self._moved_tick = -1
        self._lockstep = welcome.world_params.clock == LOCKSTEP
        self._sight.forget()
        self._trace.link("connected", self.id)

    def _take_catalog(self, catalog: Catalog) -> None:
        parts = self.catalogs.get(catalog.name)
        if catalog.part > 1 and isinstance(parts, list) and isinstance(catalog.data, list):
            catalog.data = parts + catalog.data
        self.catalogs[catalog.name] = catalog.data
        if catalog.name == "block_palette" and isinstance(catalog.data, list):
            self._sight.palette = [str(name) for name in catalog.data]

    def _take_obs(self, obs: Obs) -> None:
        for event in obs.events:
            self.news.take(event)
            self._pending.take(event)
        if self.welcome is None or obs.tick <= self._last_tick:
            return  # sent twice, or too early
        self._last_tick = obs.tick
        self._trace.obs(obs)
        self._pending.observed(obs)
        self._sight.take(obs.voxels)
        if self.unread and self._obs is not None:
            obs.events = [*self._obs.events, *obs.events][-MAX_KEPT_EVENTS:]
        self._obs = obs
        self.unread = self._live = True


def _type(action: AnyAction) -> str:
    return str(action.get("type") or "" if isinstance(action, Mapping) else action.__struct_config__.tag)


# A record of what an agent saw, did and was told, as lines of JSON; `docs/agent-kit.md` shows them

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
                told: dict[str, Any] = {name: event[name] for name in _TOLD if name in event}
                told.setdefault("ok", event["type"] == "TASK_DONE")
                if not told["ok"]:
                    told["why"] = ADVICE.get(told.get("code", ""), "")
                self.line("result", tick=obs.tick, **told)

    def link(self, what: str, agent_id: str) -> None:
        self._agent = agent_id
        self.line("link", what=what)

    def line(self, at: str, **fields: object) -> None:
        if self._out is not None:
            self._out.write(msgspec.json.encode({"at": at, "agent": self._agent, **fields}).decode() + "\n")
