"""An open story: `Ledger` connects beats to a database.

A beat whose writer calls nobody runs inside one transaction of the store's writer thread. A beat
whose writer calls out is decided outside of any transaction and stored in a short one, which fails
if another beat was stored meanwhile. Nothing is cached between beats, so a failed commit cannot
leave wrong state in memory.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.chain import read_tip
from thorp.kernel.closing import Closing, closed_on_error
from thorp.kernel.errors import InvalidError, StaleError, ThorpError
from thorp.store import Connection, ConnectionLost, Database, open_database_in
from thorp.story.answer import Answer
from thorp.story.audit import Verified, verify_ledger
from thorp.story.beat import AssignedWriter, BeatContext, DecidedBeat, decide_beat, store_beat
from thorp.story.config import StoryConfig
from thorp.story.contracts.invocation_envelope import Zones
from thorp.story.creation import (
    DATABASE_FILE,
    build_context,
    check_zone,
    checked_config,
    open_world,
)
from thorp.story.error_answers import error_answer
from thorp.story.ids import IdGenerator
from thorp.story.inverted_index import BLOCK_ENTRIES
from thorp.story.invocation import answer, find_replay, read_or_refuse
from thorp.story.registry import make_writer, writer_or_absent
from thorp.story.request import JSON, Request, read_request
from thorp.story.seeds import commit_seed, read_seed
from thorp.story.storage import Head, Origin
from thorp.story.tables import SnapshotReads, Tables, index_full_blocks
from thorp.story.time_zones import DAY_SECONDS, MachineZones
from thorp.story.writer.moment import Spender, Writer

T = TypeVar("T")

MOVED_ATTEMPTS: Final = 3
"""Times that a slow beat is decided, if other processes store beats first."""


class ReadersWriterLock:
    """Many quick beats share it, a beat with a slow writer holds it alone.

    Quick beats run in the store's single writer thread and share a commit. A slow beat thinks
    outside of any transaction, and meanwhile no other beat of this process may be stored. A waiting
    exclusive holder goes before shared ones that come later.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._readers = 0
        self._writing = False
        self._writers_waiting = 0

    @contextmanager
    def shared(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: not self._writing and not self._writers_waiting)
            self._readers += 1
        try:
            yield
        finally:
            with self._changed:
                self._readers -= 1
                if not self._readers:
                    self._changed.notify_all()

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        with self._changed:
            self._writers_waiting += 1
            self._changed.wait_for(lambda: not self._writing and not self._readers)
            self._writers_waiting -= 1
            self._writing = True
        try:
            yield
        finally:
            with self._changed:
                self._writing = False
                self._changed.notify_all()


class Ledger(Closing):
    """An open story. All methods may be called from any thread."""

    def __init__(
        self,
        where: str | Path | Database,
        config: StoryConfig | None = None,
        writer: str | Writer = "offline",
        *,
        writers: Mapping[str, Writer] | None = None,
        secret: int | None = None,
        create: bool = True,
        zones: Zones | None = None,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """Open the ledger in a directory, at a `sqlite:///…` or `postgresql://…` URL, or in an open
        database, which is closed with it; a new one if it has none yet.

        An existing ledger keeps the configuration it was created with; another one is refused.
        `writer` is a name or a writer; `writers` are further ones, by the names that `config.parts`
        uses. One of these that is not installed makes its beats fail, and nothing else. `secret` is
        for rebuilding.
        """
        absent = "there is no story here; `thorp story beat` starts one"
        database = open_database_in(
            where, DATABASE_FILE, create=create, absent=absent, code="no_story"
        )
        self._database = database
        self._zones = zones or MachineZones()
        self._wall = wall
        self._lock = ReadersWriterLock()
        self._watching = threading.Lock()
        self._watchers: list[Callable[[], None]] = []
        self._indexing = threading.Lock()
        self._indexed_blocks = 0
        with closed_on_error(database):
            if config is not None:
                check_zone(config, self._zones)
            world, self._dialect = open_world(database, config, secret, create=create)
            self.config = checked_config(world, config, self._zones)
            self._ids = IdGenerator(self.config, world.secret)
            own = writer if isinstance(writer, Writer) else make_writer(writer, self.config)
            self._default_writer = AssignedWriter(own, None)
            # Who founds a story, or wants a certain one, must have its writers; who opens it may do
            # without.
            named = writer_or_absent if config is None else make_writer
            self._assigned_writers = {
                invoker: AssignedWriter(
                    (writers or {}).get(part.writer) or named(part.writer, self.config), part.view
                )
                for invoker, part in self.config.parts.items()
            }
            self._has_slow_writer = any(each.calls_out for each in self._all_writers())
            spent = database.read(
                lambda connection: Tables(connection, self.config).spent(self._today())
            )
            for each in self._all_writers():
                if isinstance(each, Spender):
                    each.recall(*spent)  # what was already spent today
            self._index_blocks(self.head().seq)

    def close(self) -> None:
        """Finish what is under way, and close the database. Closing twice is allowed."""
        self._database.close()

    def _all_writers(self) -> list[Writer]:
        return [
            assigned.writer for assigned in (self._default_writer, *self._assigned_writers.values())
        ]

    def _today(self) -> int:
        return int(self._wall() // DAY_SECONDS)

    # The only way in.

    def invoke(self, envelope: bytes | str | Mapping[str, Json]) -> tuple[int, dict[str, Json]]:
        """Answer an envelope: a status as of HTTP, and a projection or an error. See `respond`."""
        answered = self.respond(envelope)
        body: dict[str, Json] = json.loads(answered.body)
        return answered.status, body

    def respond(
        self, envelope: bytes | str | Mapping[str, Json], content_type: str = JSON
    ) -> Answer:
        """The same with the exact text of the body. The same request again gives the same text.

        The answer is durable before it is returned; a refused envelope has changed nothing.
        """
        request = read_or_refuse(envelope, content_type, self.config, self._zones)
        if isinstance(request, Answer):
            return request
        try:
            return self._answer(request)
        except ThorpError as error:
            if error.code == "closed":
                raise
            return error_answer(error)

    def _answer(self, request: Request) -> Answer:
        wall_us = int(self._wall() * 1_000_000) if self.config.time.mode == "coupled" else None
        assigned = self._assigned_writers.get(
            request.envelope.invoker.invoker_id, self._default_writer
        )

        def answer_at_once(context: BeatContext) -> Answer:
            return answer(context, request, assigned, wall_us)

        if request.envelope.mode.kind == "NO_OP":
            return self._transact(answer_at_once)[0]  # it moves nothing, so it waits for nobody
        if assigned.writer.calls_out:
            with self._lock.exclusive():
                answered, seq = self._answer_outside_transaction(request, assigned, wall_us)
        else:
            with self._lock.shared() if self._has_slow_writer else nullcontext():
                answered, seq = self._transact(answer_at_once)
        self._announce(answered, seq)
        return answered

    def _answer_outside_transaction(
        self, request: Request, assigned: AssignedWriter, wall_us: int | None
    ) -> tuple[Answer, int]:
        """Decide outside of any transaction, then store; again if another process stored a beat
        first."""
        for _ in range(MOVED_ATTEMPTS):
            context = self._context(SnapshotReads(self._database, self._dialect))
            replay = find_replay(context, request)
            if replay is not None:
                return replay, 0
            decided = decide_beat(context, request, assigned, wall_us)
            with suppress(StaleError):
                return self._store_decided(decided)
        raise StaleError("other processes keep moving this world", code="moved")

    def _store_decided(self, decided: DecidedBeat) -> tuple[Answer, int]:
        """Store a beat that was decided outside of the transaction, unless its request was answered
        meanwhile."""

        def store(context: BeatContext) -> Answer:
            return find_replay(context, decided.request) or store_beat(context, decided)

        return self._transact(store, paid=decided)

    def _transact(
        self, work: Callable[[BeatContext], Answer], paid: DecidedBeat | None = None
    ) -> tuple[Answer, int]:
        """Do some work in one transaction; return its answer, and the `seq` of the last entry after
        it."""

        def run(connection: Connection) -> tuple[Answer, int]:
            context = self._context(connection)
            answered = work(context)
            if paid is not None and not answered.replayed:
                Tables(connection, self.config).count_spending(self._today(), *paid.session.spent)
            return answered, context.ledger.head().seq

        try:
            return self._database.submit(run).result()
        except ConnectionLost as lost:
            # Whatever was kept is found by its request id; whatever was not is done now.
            try:
                return self._database.submit(run).result()
            except ConnectionLost:
                raise lost from None

    # What a keeper does.

    def seed(self, seed: Mapping[str, Json]) -> tuple[int, dict[str, Json]]:
        """Commit a seed: an entry, and what the pocket shows of it. Refuses with a
        ContractError."""
        checked = read_seed(seed, self.config)
        with self._lock.shared():
            answered, seq = self._transact(lambda context: commit_seed(context, checked))
        self._announce(answered, seq)
        body: dict[str, Json] = json.loads(answered.body)
        return answered.status, body

    # What a reader does. Looking changes nothing.

    def page(
        self, reader: str | None = None, cursor: str | None = None, limit: int | None = None
    ) -> dict[str, Json]:
        """A page of the stream after a cursor, and the pocket, as the operator, a person, or None
        (the public) sees them. Refuses an unknown reader."""
        if limit is not None and (type(limit) is not int or limit < 1):
            raise InvalidError("the limit is a whole number from 1 on", code="range")
        size = self.config.stream.page_size if limit is None else limit
        return self._look(lambda context: context.projector.page(reader, cursor, size))

    def behind(self, reader: str | None, count: int) -> str | None:
        """The cursor before a reader's last `count` entries; None if the reader has no more than
        those."""
        return self._look(lambda context: context.projector.behind(reader, count))

    def sealed_request(self, name: str) -> str:
        """A request id with this name that only a holder of the ledger's secret can make."""
        return self._ids.request(name)

    def last_sealed(self, prefix: str) -> str | None:
        """The name of the last beat whose request has a sealed id that begins like this."""

        def wanted(request_id: str) -> bool:
            return request_id.startswith(prefix) and self._is_sealed(request_id)

        last = self._database.read(
            lambda connection: Tables(connection, self.config).last_request(wanted)
        )
        return None if last is None else last.rpartition(":")[0]

    def _is_sealed(self, request_id: str) -> bool:
        return request_id == self._ids.request(request_id.rpartition(":")[0])

    def origins(self, entry_ids: Sequence[str]) -> dict[str, Origin]:
        """The request that wrote each of these entries."""
        rows = self._database.read(
            lambda connection: Tables(connection, self.config).origins(entry_ids)
        )
        return {
            entry_id: Origin(request, self._is_sealed(request), place, envelope)
            for entry_id, request, place, envelope in rows
        }

    def admitted(self, identities: Iterable[str]) -> set[str]:
        """The identities among these that an entry may list: known ones, and those that may
        register."""
        own = (self.config.identity.operator_id, self.config.identity.system_actor)
        named = dict.fromkeys(identities)
        return self._look(
            lambda context: {
                each for each in named if each in own or context.ledger.is_somebody(each)
            }
        )

    def tip(self) -> tuple[int, str]:
        """How many beats there were, and the last link of their chain, which stands for all of
        them."""
        head = self.head()
        return head.beat, head.link.hex()

    def head(self) -> Head:
        """Where the ledger stands: beats, entries, clock and the last link."""
        return self._look(lambda context: context.ledger.head())

    def verify(self, tip: str | None = None) -> Verified:
        """Check every row that the chain covers, and what follows from them; name the first that
        differs.

        Before that the database checks itself. A `tip` that was noted earlier must lie on the
        chain.
        """
        noted = read_tip(tip)
        check = self._database.check()
        if check.problem is not None:
            return Verified(beats=0, entries=0, tip="", difference=check.problem)
        verdict = self._database.read(
            lambda connection: verify_ledger(connection, self.config, noted)
        )
        return msgspec.structs.replace(verdict, self_check=check.name)

    @contextmanager
    def watched(self, callback: Callable[[], None]) -> Iterator[None]:
        """Call back after each beat that this process stores, in the thread that stored it."""
        with self._watching:
            self._watchers.append(callback)
        try:
            yield
        finally:
            with self._watching:
                self._watchers.remove(callback)

    def replay_beat(
        self, kind: str, text: str, writer: Writer, wall_us: int | None, *, opens_anew: bool = False
    ) -> Future[Answer]:
        """Queue an input of another ledger's beat, with what its writer said then, and whether it
        found no window that could be used. For `thorp.story.rebuild`."""
        value = json.loads(text)
        if kind == "SEED":
            seed = read_seed(value, self.config)
            return self._database.submit(
                lambda connection: commit_seed(self._context(connection), seed)
            )
        request = read_request(value, self.config, self._zones)
        part = self.config.parts.get(request.envelope.invoker.invoker_id)
        assigned = AssignedWriter(writer, part.view if part else None)

        def run(connection: Connection) -> Answer:
            context = self._context(connection)
            if opens_anew:
                context.ledger.ignore_stored_window()
            return answer(context, request, assigned, wall_us)

        return self._database.submit(run)

    def read(self, work: Callable[[Connection], T]) -> T:
        """Run a work that only reads, on one unchanging appended state of the tables."""
        return self._database.read(work)

    def _look(self, work: Callable[[BeatContext], T]) -> T:
        return self._database.read(lambda connection: work(self._context(connection)))

    def _context(self, connection: Connection) -> BeatContext:
        return build_context(connection, self.config, self._ids, self._zones)

    def _announce(self, answered: Answer, seq: int) -> None:
        """Call the watchers of new beats, and index full blocks."""
        if answered.replayed:
            return
        with self._watching:
            watchers = list(self._watchers)
        for callback in watchers:
            callback()
        self._index_blocks(seq)

    def _index_blocks(self, seq: int) -> None:
        """Queue the indexing of full blocks, one transaction at a time, after the beats that
        wait."""
        if seq // BLOCK_ENTRIES <= self._indexed_blocks or not self._indexing.acquire(
            blocking=False
        ):
            return

        def done(work: Future[int]) -> None:
            failed = work.cancelled() or work.exception() is not None
            self._indexed_blocks = self._indexed_blocks if failed else work.result()
            self._indexing.release()
            if not failed:
                self._index_blocks(seq)

        try:
            work = self._database.submit(
                lambda connection: index_full_blocks(connection, self.config)
            )
        except ThorpError:  # a full queue, or a database that closes: a later beat tries again
            self._indexing.release()
        else:
            work.add_done_callback(done)


open_ledger: Final = Ledger  # Opens a story, or creates it; the name that programs use.
