"""Puts the handlers of a server together, each built complete and given what it needs."""

from pathlib import Path

from aiohttp import web

from thorp.server.access.principals import Principals
from thorp.server.http.agent_reasons import AgentReasonRoutes
from thorp.server.http.films import Films
from thorp.server.http.matches import Matches
from thorp.server.http.mcp import Mcp
from thorp.server.http.observer_routes import ObserverRoutes
from thorp.server.http.probes import Probes
from thorp.server.http.public_log import public_file
from thorp.server.http.runs import RunRoutes
from thorp.server.http.stage import Stage
from thorp.server.http.stories import Stories
from thorp.server.http.towns import Towns
from thorp.server.http.verification import Verifier
from thorp.server.http.what_if import WhatIf
from thorp.server.http.why import WhyRoutes
from thorp.server.http.world_routes import WorldRoutes


class Server:
    """The handlers of a data directory, and what they share."""

    def __init__(
        self,
        data: Path,
        principals: Principals,
        *,
        stage: Stage | None = None,
        stories: Stories | None = None,
        database: str | None = None,
        open_book: bool = False,
        beside: Path | None = None,
    ) -> None:
        """Towns and story are in the directory too, unless the URL of a database is given.
        `stories` is used instead of the story there; for `open_book` see `ObserverRoutes`. The run
        in `beside`, another data directory, is shown too."""
        self.data = data
        self.principals = principals
        self.stage = stage or Stage()
        self.towns = Towns(self.stage, data, database)
        self.stories = stories or Stories(database or data)
        self.why = WhyRoutes(self.stories, data)
        self.matches = Matches(data)
        self.verifier = Verifier(database or data)
        self.mcp = Mcp(principals)
        self.probes = Probes(self.stage, self.stories.writer_meter)
        self.world = WorldRoutes(self.stage, principals)
        self.films = Films(data, self.stage)
        self.observer = ObserverRoutes(self.stage, principals, open_book=open_book)
        self.agent_reasons = AgentReasonRoutes(data, self.stage, principals)
        self.runs = RunRoutes(
            data, self.stage, principals, self.matches, beside=beside, open_book=open_book
        )
        self.what_if = WhatIf(data, self.stage, self.runs)

    async def log_file(self, request: web.Request) -> web.Response:
        """A file of the transparency log: its key, its checkpoint, or a tile."""
        return await public_file(request, self.data)

    async def disconnect(self) -> None:
        """Disconnect everyone who listens, so that the server can end."""
        self.stories.listeners.close()
        self.matches.listeners.close()
        await self.mcp.close()
        await self.matches.worlds.close()
        await self.what_if.close()
        await self.runs.close()

    async def close(self) -> None:
        """Close the towns and the story, if they were opened."""
        await self.towns.close()
        await self.stories.close()
