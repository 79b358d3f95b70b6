"""Says why an agent did what it did at a tick: what it knew, and its job if it is a scripted
villager.

It is found out by `thorp agent trace NAME --why`, in a process of its own at low priority, one at a
time: the world does not wait for it. The answer for a tick never changes, so the last ones are
kept. What somebody saw, heard and remembers is its own: only an operator and the holder of its own
token are told.
"""

import asyncio
import re
from collections import OrderedDict
from pathlib import Path
from typing import Any, Final

import msgspec
from aiohttp import web

from thorp.observer.annals import Decision
from thorp.server.access.principals import Principals
from thorp.server.access.requests import Refused, document_response, query_number
from thorp.server.access.tokens import Permission
from thorp.server.http.stage import Stage
from thorp.server.processes.background import run_in_background
from thorp.village.reasons import Reasons

MAX_SECONDS: Final = 120.0  # Ten days of a village take half of it on a free core.
MAX_WAITING: Final = 4  # Each waiting request holds a connection.
KEPT: Final = 32  # Answers, of some 20 kB each.

_ID: Final = re.compile(r"A[0-9]{1,9}\Z", re.ASCII)


class AgentReasons(Reasons, kw_only=True):
    """Why somebody did what it did: with what its city's council weighed, and its model's replies
    where they were recorded."""

    replies: list[dict[str, Any]] | None
    """None if no recording was named, as a server never does."""
    council: list[Decision]


class AgentReasonRoutes:
    """The handler of the route that says why an agent did what it did."""

    def __init__(self, data: Path, stage: Stage, principals: Principals) -> None:
        self._data = data
        self._stage = stage
        self._principals = principals
        self._one_at_a_time = asyncio.Lock()
        self._waiting = 0
        self._kept: OrderedDict[tuple[str, int], dict[str, Any]] = OrderedDict()

    async def why(self, request: web.Request) -> web.Response:
        """What an agent knew after a tick, the last one by default, and what it weighed where that
        was recorded: for an operator, and with the agent's own token."""
        agent = request.match_info["agent"]
        self._check_reader(request, agent)
        if _ID.match(agent) is None:
            raise Refused(400, "invalid_agent", "an agent has an id, as in A3")
        now = self._stage.require_live().service.world.tick
        at = query_number(request, "at", least=1)
        tick = max(1, now - 1) if at is None else at
        if tick > now:
            raise Refused(400, "range", f"at is a tick from 1 to {now}")
        return document_response(await self._find_out(agent, tick))

    def _check_reader(self, request: web.Request, agent: str) -> None:
        """Refuse whoever is neither an operator nor that agent; whether it exists is not said."""
        principal = self._principals.principal_of(request)
        if not principal.role.may(Permission.GOVERN) and principal.person != agent:
            raise Refused(
                403,
                "private",
                "what somebody saw and remembers is its own; ask as an operator, or with its token",
            )

    async def _find_out(self, agent: str, tick: int) -> dict[str, Any]:
        """Have a process find it out, unless its answer is kept; and keep it."""
        kept = self._kept.get((agent, tick))
        if kept is not None:
            return kept
        if self._waiting >= MAX_WAITING:
            raise Refused(503, "busy", "others are being asked about; ask again in a minute")
        self._waiting += 1
        try:
            async with self._one_at_a_time, asyncio.timeout(MAX_SECONDS):
                kept = self._kept.get((agent, tick)) or await self._ask_process(agent, tick)
        except TimeoutError:
            why = (
                f"it took longer than {MAX_SECONDS:.0f} s; `thorp agent trace --why` may take more"
            )
            raise Refused(503, "slow", why) from None
        finally:
            self._waiting -= 1
        self._kept[agent, tick] = kept
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return kept

    async def _ask_process(self, agent: str, tick: int) -> dict[str, Any]:
        ended = await run_in_background(
            *("agent", "trace", agent, "--why", "--at", str(tick)),
            *("--data", str(self._data), "--json", "--quiet"),
        )
        if not ended.is_done:
            message = ended.problem.rpartition("/world: ")[2]
            status = 404 if message.startswith("nobody is called") else 409
            raise Refused(status, "trace", message or "it could not be found out")
        reasons: dict[str, Any] = msgspec.json.decode(ended.output)
        return reasons
