"""`run_minds`, which `thorp up --minds` uses: the minds of a village over sockets, in one event
loop, and the model that chooses for them.

What each mind decides is written to standard output, a line of JSON each, for the server that has
started this process. A model that is gone ends the process; the server starts another, a few times.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

import aiohttp
import msgspec

from thorp.client.connection import Connection, hello
from thorp.client.errors import ClientError
from thorp.client.http import AS_IT_IS
from thorp.kernel.errors import UnavailableError
from thorp.models import ModelError
from thorp.protocol import Catalog, Obs, Welcome
from thorp.protocol.handshake import LOCKSTEP
from thorp.protocol.session import empty_act
from thorp.village.minds import TITLE, Act, Mind, MindReport, Question, Reply

PATIENCE_SECONDS: Final = 60.0
"""How long a mind tries to reach a server that went away."""
LOOK_SECONDS: Final = 2.0
"""How often it is checked that the model is there, also while nobody asks it."""
IDLE_TICKS: Final = 25
"""How long a mind waits after a question without an answer; twice as long each time."""
MAX_IDLE_DOUBLINGS: Final = 5

Say = Callable[[str], None]


class Model(Protocol):
    """What chooses for minds."""

    @property
    def name(self) -> str: ...

    def trouble(self) -> str | None:
        """Why it is gone, if it is."""

    async def choose_async(self, question: Question) -> Reply:
        """Answer a question, or raise ModelError."""


async def run_minds(
    url: str,
    tokens: Mapping[str, str],
    model: Model,
    *,
    access_token: str | None,
    report: Callable[[bytes], object],
    say: Say,
) -> None:
    """Let the minds with these resume tokens live, until their connections are over. Raises
    UnavailableError when the model is gone."""
    gone: BaseException | None = None
    async with aiohttp.ClientSession(headers=AS_IT_IS, auto_decompress=False) as http:
        try:
            async with asyncio.TaskGroup() as group:
                watching = group.create_task(_watch(model))
                turns = asyncio.Semaphore(1)  # It computes one answer after another.
                lives = [
                    group.create_task(
                        _Life(name, model, turns, report, say).live(
                            _connect(http, url, name, token, access_token)
                        )
                    )
                    for name, token in tokens.items()
                ]
                await asyncio.wait(lives)
                watching.cancel()
        except* UnavailableError as told:
            gone = told.exceptions[0]
    if gone is not None:
        raise gone


def _connect(
    http: aiohttp.ClientSession, url: str, name: str, token: str, access_token: str | None
) -> Connection:
    greeting = hello(name, token, delta_voxels=False, max_queue=0, title=TITLE)
    return Connection(
        http, url, greeting, access_token=access_token, patience_seconds=PATIENCE_SECONDS
    )


async def _watch(model: Model) -> None:
    """End everything when the model is gone."""
    while (trouble := model.trouble()) is None:
        await asyncio.sleep(LOOK_SECONDS)
    raise UnavailableError(trouble, code="model_gone")


class _Life:
    """One mind, its connection, and the question that it has asked."""

    def __init__(
        self,
        name: str,
        model: Model,
        turns: asyncio.Semaphore,
        report: Callable[[bytes], object],
        say: Say,
    ) -> None:
        self._name = name
        self._model = model
        self._turns = turns
        self._report = report
        self._say = say
        self._catalogs: dict[str, Any] = {}
        self._mind: Mind | None = None
        self._agent_id = ""
        self._lockstep = False
        self._asking: asyncio.Task[Reply | None] | None = None
        self._failures = 0

    async def live(self, line: Connection) -> None:
        """Live until the connection is over. What goes wrong with one mind is told, and ends no
        other."""
        try:
            async for message in line.messages():
                for act in self._take(message):
                    await line.send(msgspec.json.encode(act))
        except ClientError as problem:
            self._say(f"{self._name}: {problem}")
        except Exception as problem:  # the other one lives on
            self._say(f"{self._name} has gone: {problem!r}")
        finally:
            if self._asking is not None:
                self._asking.cancel()
            await line.close()

    def _take(self, message: object) -> list[Act]:
        """The ACTs with which a message is answered."""
        match message:
            case Catalog(part=1):
                self._catalogs[message.name] = message.data
            case Catalog():
                self._catalogs[message.name] += message.data
            case Welcome():
                self._lockstep = message.world_params.clock == LOCKSTEP
                self._begin_anew(message.agent_id)
            case Obs():
                acts = self._look(message)
                if self._lockstep and not acts:
                    return [empty_act(message.agent_id, message.tick)]
                return acts
        return []

    def _begin_anew(self, agent_id: str) -> None:
        """Forget a body that the world has taken away: another one is another life."""
        if self._agent_id not in ("", agent_id):
            self._mind = None
        self._agent_id = agent_id

    def _look(self, obs: Obs) -> list[Act]:
        """Let the mind see, and ask what it wants to know; the world goes on meanwhile."""
        mind = self._mind
        if mind is None:
            mind = self._mind = Mind(self._name, self._catalogs)
        acts = mind.take(obs)
        asking = self._asking
        if asking is not None and asking.done():
            self._asking = None
            if mind.question is not None and not asking.cancelled():
                acts += self._answered(mind, asking.result())
        elif asking is None and mind.question is not None:
            self._asking = asyncio.create_task(self._ask(mind.question))
        for decision in mind.take_log():
            report = MindReport(agent=obs.agent_id, decision=decision)
            self._report(msgspec.json.encode(report) + b"\n")
        return acts

    def _answered(self, mind: Mind, reply: Reply | None) -> list[Act]:
        if reply is not None:
            self._failures = 0
            return mind.answer(reply)
        doublings = min(self._failures, MAX_IDLE_DOUBLINGS)
        self._failures += 1
        mind.give_up(IDLE_TICKS << doublings)
        return []

    async def _ask(self, question: Question) -> Reply | None:
        """The model's answer; None if it gave none, which is said the first time."""
        async with self._turns:
            try:
                return await self._model.choose_async(question)
            except ModelError as failure:
                if not self._failures and failure.code != "gone":
                    self._say(f"{self._name}: the model gave no answer: {failure}")
                return None
