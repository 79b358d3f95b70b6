"""The keeper's routes of a story: create it, seed it, read it as anybody, export and verify it.

Elsewhere a request reads as its own principal. Here the keeper names the reader, because the keeper has the
database too; so these routes are for admins.
"""

import asyncio
import logging
from collections.abc import Iterator
from itertools import islice
from typing import Final

import msgspec
from aiohttp import web

from thorp.kernel.canonical import Json, insertion_bytes
from thorp.kernel.errors import ThorpError
from thorp.server.event_streams import SLOW_SECONDS
from thorp.server.requests import document_response, query_number, read_document_body
from thorp.server.stories import Stories
from thorp.server.verification import Verifier
from thorp.story import read_config
from thorp.story.export import export_lines, reader_named

# Bundles that are read and sent at a time; a line is as long as one beat.
BUNDLES_PER_WRITE: Final = 50

_log = logging.getLogger(__name__)


class StoryKeeper:
    """The handlers of these routes."""

    def __init__(self, stories: Stories, verifier: Verifier) -> None:
        self._stories = stories
        self._verifier = verifier

    async def about(self, request: web.Request) -> web.Response:
        """The configuration that the story was created with."""
        ledger = await self._stories.existing()
        return document_response({"config": msgspec.to_builtins(ledger.config)})

    async def create(self, request: web.Request) -> web.Response:
        """Create the story with a configuration. If it exists, it must have the same."""
        ledger = await self._stories.create(read_config(await read_document_body(request)))
        return document_response({"config": msgspec.to_builtins(ledger.config)})

    async def page(self, request: web.Request) -> web.Response:
        """A page of the story and what the reader has at hand, read as anybody."""
        limit, cursor = query_number(request, "limit"), request.query.get("cursor")
        ledger = await self._stories.existing()
        reader = reader_named(request.query.get("as"), ledger.config)
        return document_response(await self._stories.read(lambda: ledger.page(reader, cursor, limit)))

    async def seed(self, request: web.Request) -> web.Response:
        """Commit a seed. The first creates the story."""
        document = await read_document_body(request)
        ledger = await self._stories.create()
        _, body = await asyncio.to_thread(ledger.seed, document)
        return document_response(body)

    async def verify(self, request: web.Request) -> web.Response:
        """Check every row against the chain, and optionally replay the story from its inputs."""
        await self._stories.existing()
        what = "story-again" if "again" in request.query else "story"
        return document_response(await self._verifier.verify(what, request.query.get("tip")))

    async def export(self, request: web.Request) -> web.StreamResponse:
        """The story as JSON lines, as one reader sees it or whole."""
        ledger = await self._stories.existing()
        lines = export_lines(ledger, request.query.get("as"), everything="all" in request.query)
        piece = await self._piece(lines)  # refused while it still can be
        response = web.StreamResponse(
            headers={"Content-Type": "application/jsonl", "Cache-Control": "no-store"}
        )
        await response.prepare(request)
        try:
            while piece:
                async with asyncio.timeout(SLOW_SECONDS):
                    await response.write(piece)
                piece = await self._piece(lines)
        except (
            TimeoutError,
            ThorpError,
        ) as problem:  # too late to refuse; half an export must not pass for one
            _log.warning("an export was broken off: %s", problem or "the client does not read")
            if request.transport is not None:
                request.transport.abort()
        return response

    async def _piece(self, lines: Iterator[dict[str, Json]]) -> bytes:
        def read() -> bytes:
            return b"".join(insertion_bytes(line) + b"\n" for line in islice(lines, BUNDLES_PER_WRITE))

        return await self._stories.read(read)
