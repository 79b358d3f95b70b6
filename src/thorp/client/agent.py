"""An agent in a world: what it sees and what it does, over asyncio and `thorp.protocol.session`.

A task of the event loop reads every observation as it comes, so that what was asked is settled and
the newest observation kept. Looking at the agent (`position`, `inventory`, `block`) never waits;
`observe` and `do` do. In lockstep, waiting without having acted on the newest observation is a
pass: the world waits for a move.

What takes many actions (`seek`, `site_for`, `build`, `fulfil`) is written with nothing but these,
each in a module of its own.
"""

import asyncio
import secrets
from asyncio import Future
from collections import deque
from collections.abc import AsyncIterator, Callable, Container, Iterator, Sequence
from contextlib import suppress
from typing import Any, Final

import msgspec

from thorp.client import building, contract_work, exploration
from thorp.client.connection import AnyMessage, Broken, Connection
from thorp.client.errors import ClientError, Gibberish, Unreachable
from thorp.client.hearsay import Goods, Hearsay, Job, Plot, jobs_at
from thorp.client.names import require_name
from thorp.client.people import People, Person
from thorp.client.token_file import TokenFile
from thorp.client.trace import Trace, Writable
from thorp.protocol import Obs, VoxelError, Welcome
from thorp.protocol.block_view import BlockView
from thorp.protocol.handshake import Retire
from thorp.protocol.news import News
from thorp.protocol.obs import Entity, Event, Position
from thorp.protocol.outcome import Outcome
from thorp.protocol.session import (
    Action,
    AgentSession,
    Phase,
    Request,
    RequestState,
    SessionEvent,
    Settled,
    Welcomed,
)

MAX_KEPT_EVENTS: Final = 1_000
"""Most events kept until somebody takes them; a world keeps no more for an agent either."""
SEARCHED_CELLS: Final = 64
"""How far to walk by default for something that is not in sight."""
RETIRE_SECONDS: Final = 2.0
"""How long to wait until the body is gone: some ticks of a slow world."""
ANSWERS: Final = ("ACCEPT_TRADE", "DECLINE_TRADE")
"""Actions that answer somebody else's offer."""
_UNTRACED: Final = ("type", "protocol_version", "agent_id")
"""Fields of an ACT that a trace leaves out: they are the same in every line."""
_RETIRE: Final = msgspec.json.encode(Retire())


class Agent:
    """An agent in a world. Made by `thorp.client.connect`."""

    def __init__(
        self,
        line: Connection,
        trace: Writable | None = None,
        *,
        name: str = "",
        token_file: TokenFile | None = None,
    ) -> None:
        self.name = name
        """What it is called, as it said when it joined."""
        self.news = News()
        """What others offer, propose and promise, from the events so far."""
        self.hearsay = Hearsay()
        """What others told it in the `data` of their words."""
        self.unread = False
        """Whether `observe` would return at once."""
        self.over: ClientError | None = None
        """Why the connection cannot be used any more, if so."""
        self._line = line
        self._token_file = token_file
        self._people = People()
        self._unawaited: deque[Event] = deque(maxlen=MAX_KEPT_EVENTS)
        """Events that `wait_for` has not returned, the oldest first."""
        self._trace = Trace(trace)
        self._session = AgentSession(name=secrets.token_hex(3))
        self._futures: dict[Request, Future[Outcome]] = {}
        self._changed = asyncio.Condition()

    # What it sees

    @property
    def id(self) -> str:
        """The id of the body; empty before the world has given one."""
        return self._session.agent_id

    @property
    def token(self) -> str:
        """With it, a later `connect` gets the same body back. It changes with every connection."""
        return self._session.resume_token

    @property
    def sight(self) -> int:
        """How far it sees in each direction, in cells: a cube around its feet."""
        if self._session.welcome is None:
            return self.blocks.radius
        return self._session.welcome.world_params.obs_radius

    @property
    def reach(self) -> int:
        """How far it can mine, in steps along the axes from its feet."""
        return exploration.REACH

    @property
    def welcome(self) -> Welcome | None:
        """What the world said when it let us in."""
        return self._session.welcome

    @property
    def catalogs(self) -> dict[str, Any]:
        """What the world is made of, by name: `recipes`, `blueprints`, `item_palette`, `tuning`,
        ..."""
        return self._session.catalogs

    @property
    def intent(self) -> str:
        """Why it does what it does, in a sentence for those who watch. The next ACT carries it."""
        return self._session.intent

    @intent.setter
    def intent(self, sentence: str) -> None:
        self._session.intent = sentence

    @property
    def obs(self) -> Obs:
        """The newest observation."""
        if self._session.obs is None:
            raise self.over or Unreachable("no observation has come yet")
        return self._session.obs

    @property
    def tick(self) -> int:
        """The tick of the newest observation."""
        return self.obs.tick

    @property
    def position(self) -> Position:
        """Where the body stands: x, y and z of its feet."""
        return self.obs.body.pos

    @property
    def inventory(self) -> dict[str, int]:
        """What it carries: counts by item."""
        return {stack.item: stack.count for stack in self.obs.inventory}

    @property
    def entities(self) -> list[Entity]:
        """Who and what is in sight beside blocks."""
        return self.obs.entities

    @property
    def blocks(self) -> BlockView:
        """The cube of blocks around it."""
        return self._session.blocks

    @property
    def jobs(self) -> list[Job]:
        """Contracts that are open to it: those it was told of, then those it has read at
        terminals."""
        jobs = dict(self.hearsay.jobs)
        for terminal, opened in self.news.opened.items():
            for job in jobs_at(terminal, opened, self.id):
                jobs.setdefault(job.contract, job)
        now = self.tick
        return [
            job
            for job in jobs.values()
            if (job.deadline_tick is None or job.deadline_tick > now)
            and self.news.contracts.get(job.contract, {}).get("state", "OPEN") == "OPEN"
        ]

    @property
    def plot(self) -> Plot | None:
        """Where it may build, as somebody whispered to it."""
        return self.hearsay.plot

    def person(self, who: str) -> Person | None:
        """Somebody by name or id, and where it was last seen; None if nothing is known of it."""
        return self._people.find(who)

    def cost(self, blueprint: str) -> Goods:
        """The items that a blueprint takes, and how many of each."""
        return building.cost(self, blueprint)

    def lacks(self, blueprint: str) -> Goods:
        """What a blueprint takes beyond what it carries; nothing if it can pay for it."""
        return building.lacking(self, blueprint)

    def block(self, x: int, y: int, z: int) -> str | None:
        """The block in a cell, or None if it is out of sight."""
        return self._session.blocks.block((x, y, z))

    def find(self, *names: str, avoid: Container[Position] = ()) -> Position | None:
        """Where the nearest block of these names is, within the agent's sight."""
        return self._session.blocks.find(*names, avoid=avoid)

    def find_all(self, *names: str) -> Iterator[Position]:
        """Where blocks of these names are, the nearest first."""
        return self._session.blocks.find_all(*names)

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

    async def wait_for(
        self, kind: str, /, *, within: int | None = None, **fields: Any
    ) -> Event | None:
        """The first event of a kind with these fields, each a value or a function that judges it.

        An earlier event counts unless it was returned before, so nothing is missed between two
        calls. Returns None if there is none `within` that many ticks.
        """
        last_tick = None if within is None else self.tick + within

        def is_over() -> bool:
            return last_tick is not None and self.tick >= last_tick

        def is_here() -> bool:
            return self._unawaited_event(kind, fields) is not None

        await self._wait_for(lambda: is_here() or is_over() or bool(self.over))
        event = self._unawaited_event(kind, fields)
        if event is not None:
            self._unawaited.remove(event)
        elif self.over is not None:
            raise self.over
        return event

    def _unawaited_event(self, kind: str, fields: dict[str, Any]) -> Event | None:
        return next((event for event in self._unawaited if _matches(event, kind, fields)), None)

    async def next_tick(self) -> None:
        """Wait for a newer observation, without taking it from `observe`."""
        await self.pause(1)

    async def pause(self, ticks: int) -> None:
        """Wait for a number of ticks."""
        until = self.tick + ticks
        await self._wait_for(lambda: self.tick >= until or bool(self.over))
        if self.over is not None:
            raise self.over

    # What it does

    async def act(
        self,
        instants: Sequence[Action] = (),
        tasks: Sequence[Action] = (),
        cancel: Sequence[str] = (),
    ) -> list[Future[Outcome]]:
        """Send one ACT, for the newest observation. The futures are those of the instants, then the
        tasks.

        An empty ACT is a pass, for which a world in lockstep waits. Nobody has to await the
        futures.
        """
        await self._wait_until_live()
        requests = [self._session.request(action, is_task=False) for action in instants]
        requests += [self._session.request(action, is_task=True) for action in tasks]
        self._session.act(requests, cancel=cancel)
        futures = [self._future(request) for request in requests]
        await self._flush()
        return futures

    async def do(self, action: Action, *, ticks: int | None = None) -> Outcome:
        """Do one thing and wait until it is done, refused or has failed.

        A task is cancelled after `ticks` ticks. An action that reaches the world too late is sent
        again.
        """
        await self._wait_until_live()
        request = self._session.do(action, ticks=ticks)
        future = self._future(request)
        await self._flush()
        await self._wait_for(lambda: future.done() or bool(self.over))
        if self.over is not None:
            raise self.over
        return future.result()

    async def begin(self, action: Action) -> Outcome:
        """Ask for one thing and wait for the world's first answer: done, refused, or taken on as a
        task.

        A task goes on as `task_id`, and its end comes as an event. What comes too late is sent
        again.
        """
        await self._wait_until_live()
        request = self._session.do(action)
        await self._flush()
        await self._wait_for(lambda: request.state is not RequestState.SENT or bool(self.over))
        if self.over is not None:
            raise self.over
        answer = request.outcome or request.answer
        assert answer is not None, "a request that runs or is settled was answered"
        return answer

    async def seek(
        self, *names: str, within: int = SEARCHED_CELLS, ticks: int | None = None
    ) -> Position | None:
        """Walk and look until a block with one of these names is in sight and can be reached from
        beside it.

        Returns its position; None if there is none `within` that many cells, or none was found in
        `ticks` ticks.
        """
        for name in names:
            require_name("block", name, self.blocks.palette)
        return await exploration.seek(self, *names, within=within, ticks=ticks)

    async def site_for(self, blueprint: str, *, within: int = SEARCHED_CELLS) -> Position | None:
        """An anchor at which a blueprint fits and may be built, on its own plot if it has one."""
        return await building.site_for(self, blueprint, within=within)

    async def build(
        self,
        blueprint: str,
        at: Position | None = None,
        *,
        rotation: int = 0,
        within: int = SEARCHED_CELLS,
    ) -> Outcome:
        """Go to a place and build there; without a place, where `site_for` finds one. A refusal
        says what is missing."""
        return await building.build(self, blueprint, at=at, rotation=rotation, within=within)

    async def fulfil(self, job: Job | str) -> Outcome:
        """Do a job from beginning to end: one of `jobs`, or its contract's id.

        It goes to the terminal, reads the contract, accepts it, delivers what it asks for from the
        inventory or builds it, and waits until it is settled. If something is missing, it says so
        before it accepts.
        """
        return await contract_work.fulfil(self, job)

    async def retire(self) -> bool:
        """Give the body up for good, and the connection with it.

        False if the world keeps it, because it owns land or has other ties; then the owner has just
        left.
        """
        if await self._line.send(_RETIRE):
            with suppress(TimeoutError):
                async with asyncio.timeout(RETIRE_SECONDS), self._changed:
                    await self._changed.wait_for(lambda: self.over)
        is_gone = self.over is not None and str(self.over).endswith("retired")
        if is_gone and self._token_file is not None:
            self._token_file.forget()
        return is_gone

    def _future(self, request: Request) -> Future[Outcome]:
        future: Future[Outcome] = asyncio.get_running_loop().create_future()
        self._futures[request] = future
        return future

    async def _flush(self) -> None:
        """Send the ACTs that the session has ready."""
        for frame in self._session.take_frames():
            if "instants" in frame:  # a pass has none, and is not worth a line
                fields = {name: frame[name] for name in frame if name not in _UNTRACED}
                self._trace.line("act", **fields)
                self._note_answers(frame["instants"])
            await self._line.send(msgspec.json.encode(frame))

    def _note_answers(self, instants: list[dict[str, Any]]) -> None:
        """Let the news expect the end of offers that we answer."""
        for action in instants:
            if action.get("type") in ANSWERS:
                self.news.answered(str(action["id"]), str(action.get("trade_id") or ""))

    async def _wait_until_live(self) -> None:
        await self._wait_for(lambda: self._session.phase is Phase.LIVE or bool(self.over))
        if self.over is not None:
            raise self.over

    async def _wait_for(self, is_so: Callable[[], bool]) -> None:
        """Wait until something is so, looking again after every message."""
        async with self._changed:
            while not is_so():
                if self._session.owes_move:
                    self._session.pass_turn()
                    await self._flush()
                await self._changed.wait()

    # What it hears

    async def live(self) -> None:
        """Read what the world sends, until the connection is over. `connect` runs this."""
        try:
            async for message in self._line.messages():
                self._take(message)
                await self._flush()
                async with self._changed:
                    self._changed.notify_all()
        except ClientError as problem:
            self.over = problem
        except VoxelError as problem:
            self.over = Gibberish(f"the server sent voxels that cannot be read: {problem}")
        finally:
            self.over = self.over or Unreachable("the connection was closed")
            self._tell(self._session.end(str(self.over)))
            async with self._changed:
                self._changed.notify_all()

    async def ready(self) -> None:
        """Wait for the first observation."""
        await self._wait_for(lambda: bool(self._session.obs or self.over))
        if self._session.obs is None and self.over is not None:
            raise self.over

    def _take(self, message: AnyMessage | Broken) -> None:
        match message:
            case Broken():
                self._session.connection_lost()
                self._trace.link("broken", self.id)
            case Obs():
                self._take_obs(message)
            case Welcome():
                self._tell(self._session.receive(message))
                if self._token_file is not None:  # before an ACT ends the token of before
                    self._token_file.keep(self.token)
                self._trace.link("connected", self.id)
            case _:
                self._tell(self._session.receive(message))

    def _take_obs(self, obs: Obs) -> None:
        before = self._session.obs
        for event in obs.events:
            self.news.take(event)
            self.hearsay.take(event)
            self._people.take(event)
        self._tell(self._session.receive(obs))
        if self._session.obs is not obs:
            return  # it was sent twice, or too early
        self._people.look(obs)
        self._unawaited += obs.events
        self._trace.obs(obs)
        if self.unread and before is not None:
            obs.events = [*before.events, *obs.events][-MAX_KEPT_EVENTS:]
        self.unread = True

    def _tell(self, events: list[SessionEvent]) -> None:
        """Settle what was asked, and forget the news of another body."""
        for event in events:
            match event:
                case Settled(request=request):
                    self._settle(request)
                case Welcomed(is_another=True):
                    self.news.forget()
                    self.hearsay.forget()
                    self._people.forget()
                    self._unawaited.clear()

    def _settle(self, request: Request) -> None:
        # A cancel has no future, and its owner may have stopped waiting.
        future = self._futures.pop(request, None)
        if future is not None and not future.done() and request.outcome is not None:
            future.set_result(request.outcome)


def _matches(event: Event, kind: str, fields: dict[str, Any]) -> bool:
    """Whether an event is of a kind and has these fields."""
    if event.get("type") != kind:
        return False
    for name, wanted in fields.items():
        if name not in event:
            return False
        is_so = wanted(event[name]) if callable(wanted) else event[name] == wanted
        if not is_so:
            return False
    return True
