"""Serves the story of a data directory over HTTP: invocations, pages for every reader, and the
keeper's routes.

Only the principal of a request decides as whom it reads: an operator reads as the operator, an
agent as the person that its token names, everyone else what is PUBLIC. Only the keeper may name
another reader, because the keeper has the database anyway. Reading creates nothing. Databases and
writers are waited for in threads, never in the loop that ticks.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from aiohttp import web

from thorp.kernel.canonical import Json, insertion_bytes
from thorp.kernel.errors import ThorpError, UnavailableError
from thorp.server.access.principals import PRINCIPALS
from thorp.server.access.requests import (
    PRIVATE,
    Refused,
    document_response,
    query_number,
    read_body,
    read_document_body,
)
from thorp.server.http.event_streams import (
    HEARTBEAT,
    SLOW_SECONDS,
    EventStream,
    event,
    wait_for_news,
)
from thorp.server.http.story_stream import Subscriber, dated_page, greeting_for, reader_of
from thorp.server.http.verification import VERIFIER
from thorp.server.http.writer_meter import WriterMeter
from thorp.server.live.listeners import Listeners
from thorp.story import Answer, Ledger, StoryConfig, describe_branches, open_ledger, read_config
from thorp.story.audit_trail import BEATS_LIMIT, DEFAULT_BEATS, describe_beat, list_beats
from thorp.story.error_answers import error_answer
from thorp.story.export import export_lines, reader_named
from thorp.story.invocation import check_first
from thorp.story.knowledge import UnknownReader
from thorp.story.request import BodyTooLarge
from thorp.story.writer.moment import Writer

# Concurrent beats share one sync; more threads would only wait for it.
MAX_BEATS_AT_ONCE: Final = 32
# Each holds a body of at most 1 MiB. Above this the answer is 503 at once.
MAX_BEATS_WAITING: Final = 128
# As many as the database has readers. They have their own threads, so that none of them waits for a
# slow writer.
MAX_READS_AT_ONCE: Final = 4
# An entry may be as long as a body; one page of them is what a listener can cost.
ENTRIES_PER_EVENT: Final = 100
# How often to look for beats that another process stored.
ELSEWHERE_SECONDS: Final = 1.0
# Bundles of an export that are read and sent at a time; a line is as long as one beat.
BUNDLES_PER_WRITE: Final = 50

_log = logging.getLogger(__name__)
# More entries than a page ever has.
MAX_ENTRIES: Final = 999_999_999

T = TypeVar("T")


class Stories:
    """The ledger of a directory, opened when it is first needed and created by the first
    invocation."""

    def __init__(
        self,
        where: str | Path,
        writer: str | Writer = "offline",
        config: StoryConfig | None = None,
        writers: Mapping[str, Writer] | None = None,
        *,
        open_book: bool = False,
    ) -> None:
        """`where` is a directory, or the URL of a database; `config` is that of a story yet to be
        created. For `writers` see `open_ledger`. With an `open_book` an agent that the story has
        told nothing in private reads what everybody reads."""
        self.listeners = Listeners()
        self.writer_meter = WriterMeter()
        self._where = where
        self._writer = writer
        self._founding = config or StoryConfig()
        self._writers = writers
        self._open_book = open_book
        self.opened: Ledger | None = None
        """The ledger, once it has been needed."""
        self._opening = asyncio.Lock()
        """Held while the ledger is opened, so that it is opened once."""
        self._watching = ExitStack()
        self._beats = ThreadPoolExecutor(MAX_BEATS_AT_ONCE, "thorp beat")
        self._readers = ThreadPoolExecutor(MAX_READS_AT_ONCE, "thorp look")
        self._waiting = 0
        self._polling: asyncio.Task[None] | None = None

    async def invoke(self, request: web.Request) -> web.Response:
        """Continue the story by one beat. The status and the bytes of the answer are the ledger's
        own."""
        if self._waiting >= MAX_BEATS_WAITING:
            return _answered(error_answer(UnavailableError("too many beats are waiting")))
        self._count_running(1)
        try:
            body = await read_body(request)
            content_type = request.headers.get("Content-Type", "")
            if self.opened is None:
                refused = await self._refused(body, content_type)
                if refused is not None:
                    return _answered(refused)
            ledger = await self.open(create=True)
            loop = asyncio.get_running_loop()
            given = await loop.run_in_executor(self._beats, ledger.respond, body, content_type)
            self.writer_meter.take(given)
            return _answered(given)
        except web.HTTPRequestEntityTooLarge:
            return _answered(error_answer(BodyTooLarge("the body is too large")))
        except ThorpError as problem:
            refusal = error_answer(problem)
            if refusal.status == 500:
                _log.exception("the story cannot be used")
            return _answered(refusal)
        finally:
            self._count_running(-1)

    def _count_running(self, change: int) -> None:
        """Count beats that are running, and tell the listeners."""
        self._waiting += change
        self.listeners.wake()

    async def stream(self, request: web.Request) -> web.Response:
        """A page of the story, and what the reader has at hand, as the holder of the token sees
        them."""
        cursor = _cursor(request)
        limit = _number(request, "limit")
        last = _number(request, "last")
        ledger = await self._require()
        reader = reader_of(request.app[PRINCIPALS].principal_of(request), ledger.config)
        page = await self._page(ledger, reader, cursor, limit, last)
        return web.Response(
            body=msgspec.json.encode(page), headers=PRIVATE, content_type="application/json"
        )

    async def events(self, request: web.Request) -> web.StreamResponse:
        """The story after a cursor, and then new entries as they come, as server-sent events."""
        principals = request.app[PRINCIPALS]
        subscriber = Subscriber(
            principals.principal_of(request), _cursor(request), _number(request, "last")
        )
        stream = EventStream(request)
        with self.listeners.seat():
            if self._polling is None or self._polling.done():
                self._polling = asyncio.create_task(self._poll())
            # Before the response begins, while the request can still be refused.
            news = self.listeners.news
            message = await self._news(subscriber)
            await stream.response.prepare(request)
            going = request.method == "GET"
            while going:
                if message:
                    going = await stream.send(message)
                elif not await wait_for_news(news):
                    going = await stream.send(HEARTBEAT)
                if (
                    self.listeners.closed
                    or principals.principal_of(request) != subscriber.principal
                ):
                    break
                try:
                    news = self.listeners.news
                    message = await self._news(subscriber)
                except Refused:
                    break
        return stream.response

    async def close(self) -> None:
        """Disconnect everyone, and close the ledger if it was opened."""
        self.listeners.close()
        if self._polling is not None:
            self._polling.cancel()
        self._watching.close()
        if self.opened is not None:
            await asyncio.to_thread(self.opened.close)
        for threads in (self._beats, self._readers):
            threads.shutdown(wait=False, cancel_futures=True)

    async def look_for(self, request: web.Request, look: Callable[[Ledger, str | None], T]) -> T:
        """What a look at the story finds, in the view of whoever sent a request."""
        ledger = await self._require()
        reader = reader_of(request.app[PRINCIPALS].principal_of(request), ledger.config)
        try:
            return await self.read(lambda: look(ledger, reader))
        except UnknownReader as problem:
            if not self._open_book:
                raise Refused(403, problem.code, problem.message) from None
        return await self.read(lambda: look(ledger, None))

    async def _require(self) -> Ledger:
        """The ledger. Refused with 404 if there is none yet."""
        ledger = await self._find()
        if ledger is None:
            raise Refused(
                404, "no_story", "nothing was told here yet; the first invocation begins a story"
            )
        return ledger

    async def _find(self) -> Ledger | None:
        """The ledger, or None if there is none yet."""
        try:
            return await self.open()
        except ThorpError as problem:
            if problem.code == "no_story":
                return None
            _log.exception("the story cannot be opened")
            raise Refused(503, "no_story", "the story cannot be opened; the log says why") from None

    async def _refused(self, body: bytes, content_type: str) -> Answer | None:
        """The refusal of an invocation that cannot begin a story: it must not create one."""
        try:
            await self.open()
        except ThorpError as problem:
            if problem.code != "no_story":
                raise
            return await self.read(lambda: check_first(body, content_type, self._founding))
        return None

    async def create(self, config: StoryConfig | None = None) -> Ledger:
        """The ledger, created with a configuration if there is none. Refuses another
        configuration."""
        if config is not None:
            await self.read(lambda: open_ledger(self._where, config, writers=self._writers).close())
        return await self.open(create=True)

    async def read(self, work: Callable[[], T]) -> T:
        """The result of work that only reads, in one of the reader threads."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    async def open(self, *, create: bool = False) -> Ledger:
        """The ledger, created if that is wanted; else refused as `no_story` if there is none."""
        async with self._opening:
            if self.opened is None:
                self.opened = await self.read(lambda: self._open_or_create(create=create))
                self._watching.enter_context(self.opened.watched(self.listeners.wake_from_thread))
            return self.opened

    def _open_or_create(self, *, create: bool) -> Ledger:
        """Open the existing ledger with its own configuration, or create it with ours."""
        try:
            return open_ledger(
                self._where, writer=self._writer, writers=self._writers, create=False
            )
        except ThorpError as problem:
            if problem.code != "no_story" or not create:
                raise
        return open_ledger(self._where, self._founding, self._writer, writers=self._writers)

    async def _page(
        self,
        ledger: Ledger,
        reader: str | None,
        cursor: str | None,
        limit: int | None,
        last: int | None,
    ) -> dict[str, Json]:
        """A page for a reader; without a cursor, `last` entries from the end."""

        def look(reader: str | None) -> dict[str, Json]:
            start = ledger.behind(reader, last) if cursor is None and last is not None else cursor
            return dated_page(ledger, ledger.page(reader, start, limit))

        try:
            try:
                return await self.read(lambda: look(reader))
            except UnknownReader:
                if not self._open_book:
                    raise
                return await self.read(lambda: look(None))
        except UnknownReader as problem:
            raise Refused(403, problem.code, problem.message) from None
        except ThorpError:
            _log.exception("the story cannot be read")
            raise Refused(503, "unreadable", "the story cannot be read; the log says why") from None

    async def _news(self, subscriber: Subscriber) -> bytes:
        """The events that a subscriber has not been sent yet; a page at most."""
        ledger = await self._find()
        config = StoryConfig() if ledger is None else ledger.config
        reader = reader_of(subscriber.principal, config)
        greeting = event(
            "reader", greeting_for(reader, subscriber.principal, config, self._waiting)
        )
        if ledger is None:
            return subscriber.took(greeting, None)
        page = await self._page(
            ledger, reader, subscriber.cursor, ENTRIES_PER_EVENT, subscriber.last
        )
        return subscriber.took(greeting, page)

    async def _poll(self) -> None:
        """Wake listeners for beats of other processes, while anyone listens."""
        seen = None
        while self.listeners.count:
            await asyncio.sleep(ELSEWHERE_SECONDS)
            try:
                ledger = await self._find()
                beat = None if ledger is None else (await self.read(ledger.head)).beat
            except (Refused, ThorpError):
                continue  # each subscriber reads for itself, and gets the refusal
            if beat != seen:
                seen = beat
                self.listeners.wake()

    # The routes of the keeper

    async def about(self, request: web.Request) -> web.Response:
        """The configuration that the story was created with."""
        ledger = await self.open()
        return document_response({"config": msgspec.to_builtins(ledger.config)})

    async def create_configured(self, request: web.Request) -> web.Response:
        """Create the story with a configuration. If it exists, it must have the same."""
        ledger = await self.create(read_config(await read_document_body(request)))
        return document_response({"config": msgspec.to_builtins(ledger.config)})

    async def page(self, request: web.Request) -> web.Response:
        """A page of the story and what the reader has at hand, for any reader that is named."""
        limit = query_number(request, "limit")
        cursor = request.query.get("cursor")
        ledger = await self.open()
        reader = reader_named(request.query.get("as"), ledger.config)
        page = await self.read(lambda: dated_page(ledger, ledger.page(reader, cursor, limit)))
        return document_response(page)

    async def seed(self, request: web.Request) -> web.Response:
        """Commit a seed. The first creates the story."""
        document = await read_document_body(request)
        ledger = await self.create()
        _, body = await asyncio.to_thread(ledger.seed, document)
        return document_response(body)

    async def verify(self, request: web.Request) -> web.Response:
        """Check every row against the chain, and optionally replay the story from its inputs."""
        await self.open()
        verification = "story-again" if "again" in request.query else "story"
        return document_response(
            await request.app[VERIFIER].verify(verification, request.query.get("tip"))
        )

    async def audit(self, request: web.Request) -> web.Response:
        """The last beats and how their writers fared; or one beat, with what its writer said and
        asked, what was decided and why, and what was written."""
        last = query_number(request, "last", least=1, most=BEATS_LIMIT) or DEFAULT_BEATS
        number = query_number(request, "beat", least=1)
        troubled = "troubled" in request.query
        ledger = await self.open()
        if number is not None:
            return document_response(await self.read(lambda: describe_beat(ledger, number)))
        beats = await self.read(lambda: list_beats(ledger, last, troubled=troubled))
        return document_response({"beats": beats})

    async def branches(self, request: web.Request) -> web.Response:
        """Where this story left others, the oldest first: what it shares with each, and the fork
        of the world."""
        ledger = await self.open()
        branches = await self.read(lambda: describe_branches(ledger))
        return document_response({"branches": branches})

    async def export(self, request: web.Request) -> web.StreamResponse:
        """The story as JSON lines, as one reader sees it or whole."""
        ledger = await self.open()
        lines = export_lines(ledger, request.query.get("as"), everything="all" in request.query)
        piece = await self._piece(lines)  # before the response begins, while it can be refused
        headers = {"Content-Type": "application/jsonl", "Cache-Control": "no-store"}
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        try:
            while piece:
                async with asyncio.timeout(SLOW_SECONDS):
                    await response.write(piece)
                piece = await self._piece(lines)
        except (TimeoutError, ThorpError) as problem:
            # Too late to refuse, and half an export must not look complete: cut the connection.
            _log.warning("an export was broken off: %s", str(problem) or "the client does not read")
            if request.transport is not None:
                request.transport.abort()
        return response

    async def _piece(self, lines: Iterator[dict[str, Json]]) -> bytes:
        """The next lines of an export, read in a thread; empty at its end."""
        some = islice(lines, BUNDLES_PER_WRITE)
        return await self.read(lambda: b"".join(insertion_bytes(line) + b"\n" for line in some))


def _cursor(request: web.Request) -> str | None:
    """Where a reader was: its last event id, else the cursor of its query."""
    return request.headers.get("Last-Event-ID") or request.query.get("cursor") or None


def _number(request: web.Request, name: str) -> int | None:
    return query_number(request, name, least=1, most=MAX_ENTRIES)


def _answered(answer: Answer) -> web.Response:
    """The ledger's answer as a response."""
    marks = {"Idempotent-Replayed": answer.replayed, "Idempotent-Mismatch": answer.mismatch}
    report = answer.report
    report_headers = {} if report is None else report.headers()
    headers = {
        **PRIVATE,
        **report_headers,
        **{name: "true" for name, is_set in marks.items() if is_set},
    }
    body = answer.body.encode()
    media = "application/json"
    return web.Response(body=body, status=answer.status, headers=headers, content_type=media)
