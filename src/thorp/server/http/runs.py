"""Shows other runs beside the server's own world: the one of `thorp up --beside`, and the pairs of
*what if*.

Each is served as the own world's past is, by the same views, below a path of its own. So a page
takes its answers from there for its second side, and nothing private crosses that would not cross
from the own world.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec
from aiohttp import web

from thorp.kernel.errors import ConflictError
from thorp.kernel.identity import digest
from thorp.observer.kept_run import KeptRun, describe_run, require_playable
from thorp.server.access.principals import Principals
from thorp.server.access.requests import Refused, json_response
from thorp.server.access.tokens import Permission
from thorp.server.http.comparisons import Compared, Comparisons
from thorp.server.http.kept_run import OpenRun, Run, RunState
from thorp.server.http.matches import Matches
from thorp.server.http.openapi import Parameter
from thorp.server.http.stage import Stage
from thorp.store import RealDisk

FOLDER: Final = "beside"
BESIDE: Final = "beside"
MATCH: Final = "match:"
"""What the name of a match begins with where a run is named."""
OWN: Final = "own"
"""The name of the server's own world where a run is named."""
WORLD: Final = "world"

PAIR: Final = (
    Parameter("here", str, "The first run: `own`, the id of another, or `match:` and one's id."),
    Parameter("there", str, "The second run."),
)

FindRun = Callable[[str], tuple[Path, Path] | None]
"""The directories of a run: that of its world, and that of what is kept of it."""


class Runs(msgspec.Struct):
    """The runs that can be looked at."""

    runs: list[RunState]


def check_beside(data: Path, beside: Path) -> None:
    """Refuse what cannot be shown beside the world of a data directory: itself, what is no world,
    and what another release must execute."""
    if data.resolve() == beside.resolve():
        why = "this is the directory that is served itself; name another to see beside it"
        raise ConflictError(f"{beside}: {why}", code="same")
    require_playable(RealDisk(), beside / WORLD)


class RunRoutes:
    """The handlers of the routes for other runs."""

    def __init__(
        self,
        data: Path,
        stage: Stage,
        principals: Principals,
        matches: Matches,
        *,
        beside: Path | None = None,
        open_book: bool = False,
    ) -> None:
        self._data = data
        self._stage = stage
        self._principals = principals
        self._matches = matches
        self._open_book = open_book
        self._runs: dict[str, Run] = {}
        self._comparisons = Comparisons()
        self._own: KeptRun | None = None
        self._beside = beside
        self.find_pair: FindRun = lambda name: None
        """Finds the runs of *what if*, which only operators see."""

    async def listing(self, request: web.Request) -> web.Response:
        """The runs that can be looked at beside the own world, and how far each is."""
        names = [BESIDE] if self._beside is not None else []
        runs = [self._run(request, name).state() for name in names]
        return json_response(Runs(runs))

    async def about(self, request: web.Request) -> web.Response:
        """How far one run is. Who asks has it made."""
        return json_response(self._named(request).state())

    async def bootstrap(self, request: web.Request) -> web.Response:
        """What a page has to know before it shows a run."""
        return json_response((await self._opened(request)).bootstrap)

    async def society(self, request: web.Request) -> web.Response:
        """What the people of a run had agreed on after its last tick."""
        opened = await self._opened(request)
        society = opened.society(open_book=self._opens_book_to(request))
        return json_response(society, compress=True)

    async def tape(self, request: web.Request) -> web.Response:
        """Which ticks of a run can be looked at."""
        return await (await self._opened(request)).view.state(request)

    async def segment(self, request: web.Request) -> web.StreamResponse:
        """One segment of the tape of a run."""
        return await (await self._opened(request)).view.segment(request)

    async def private_segment(self, request: web.Request) -> web.StreamResponse:
        """What people carried, what lay in chests and what was refused in a segment of a run: with
        an open book, or for an operator."""
        if not self._opens_book_to(request):
            why = "pockets, chests and refusals are private here; ask as an operator"
            raise Refused(403, "closed_book", why)
        return await (await self._opened(request)).view.segment(request, private=True)

    async def marks(self, request: web.Request) -> web.Response:
        """What happened in a range of ticks of a run."""
        return await (await self._opened(request)).view.marks(request)

    async def activity(self, request: web.Request) -> web.Response:
        """Where blocks were taken away and put in a run."""
        return await (await self._opened(request)).view.activity(request)

    async def ground(self, request: web.Request) -> web.Response:
        """The ground of a run after a tick."""
        return await (await self._opened(request)).view.ground(request)

    async def buildings(self, request: web.Request) -> web.Response:
        """Every building of a run that is known: who built it, for whom, and whether it stands."""
        opened = await self._opened(request)
        return json_response(opened.buildings.shown(opened.tape.world), compress=True)

    async def changes(self, request: web.Request) -> web.Response:
        """The newest changes of a cell up to a tick of a run."""
        return await (await self._opened(request)).view.changes(request)

    async def rising(self, request: web.Request) -> web.Response:
        """In which ticks a building of a run was put up."""
        opened = await self._opened(request)
        building = opened.buildings.get(request.query.get("building", ""))
        if building is None:
            raise Refused(404, "unknown_building", "there is no building of that id")
        return await opened.view.rising(building)

    async def effects(self, request: web.Request) -> web.Response:
        """What a law of a run has yielded up to a tick."""
        return await (await self._opened(request)).view.effects(request)

    async def comparison(self, request: web.Request) -> web.Response:
        """Where two runs part, and what differs from there on in sentences, and both societies
        as curves."""
        names = [request.query.get(side, "") for side in ("here", "there")]
        if names[0] == names[1]:
            raise Refused(400, "same", "give here and there: two runs that are not the same")
        here, there = [await self._compared(request, name) for name in names]
        # In a match nothing is private any more.
        are_matches = here.world is None and there.world is None
        answer = await self._comparisons.compare(
            here, there, open_book=are_matches or self._opens_book_to(request)
        )
        return json_response(answer, compress=True)

    async def forget(self, *names: str) -> None:
        """Close runs that are about to be removed."""
        for name in names:
            run = self._runs.pop(name, None)
            if run is not None:
                await run.close()

    async def close(self) -> None:
        """Stop what is being made, and close what is open."""
        await self.forget(*list(self._runs))

    async def _compared(self, request: web.Request, name: str) -> Compared:
        if name.startswith(MATCH):
            return await self._compared_match(name)
        if name != OWN:
            run = self._run(request, name)
            opened = await run.opened()
            return Compared(id=name, about=opened.about, world=run.world, view=opened.view)
        view = self._stage.require_tape()
        world = self._data / WORLD
        if self._own is None:
            self._own = describe_run(RealDisk(), world)
        return Compared(id=OWN, about=self._own, world=world, view=view)

    async def _compared_match(self, name: str) -> Compared:
        """The world of a match, which has no journal. It must have been asked for before."""
        match = name.removeprefix(MATCH)
        worlds = self._matches.worlds
        log = self._matches.ended_log(match)
        view = await worlds.view(log)
        state, seed, unverified = await worlds.about(log)
        about = KeptRun(
            name=match,
            seed=seed,
            first_tick=1,
            last_tick=view.tick,
            tip=state,
            history=[],
        )
        return Compared(id=name, about=about, world=None, view=view, unverified=unverified)

    def _opens_book_to(self, request: web.Request) -> bool:
        return self._open_book or self._is_operator(request)

    def _is_operator(self, request: web.Request) -> bool:
        return self._principals.role_of(request).may(Permission.GOVERN)

    async def _opened(self, request: web.Request) -> OpenRun:
        return await self._named(request).opened()

    def _named(self, request: web.Request) -> Run:
        return self._run(request, request.match_info["run"])

    def _run(self, request: web.Request, name: str) -> Run:
        """A run, which is being made from now on at the latest. What only operators may see does
        not exist for others."""
        found = self._find(name)
        if found is None or (name != BESIDE and not self._is_operator(request)):
            raise Refused(404, "unknown_run", "there is no such run here")
        run = self._runs.get(name)
        if run is None:
            run = self._runs[name] = Run(name, *found)
        run.begin()
        return run

    def _find(self, name: str) -> tuple[Path, Path] | None:
        if name != BESIDE:
            return self.find_pair(name)
        if self._beside is None:
            return None
        place = digest(str(self._beside.resolve()).encode())[:32]
        return self._beside / WORLD, self._data / FOLDER / place
