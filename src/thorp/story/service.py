"""An open story: `Ledger` connects beats to a database.

A beat whose writer calls nobody runs inside one transaction of the store's writer thread. A beat
whose writer calls out is decided outside of any transaction, since a model may take a minute, and
stored in a short one, which fails if another beat was stored meanwhile.

Three things keep these apart. The `ReadersWriterLock` lets no other beat of this process in while a
slow one is being decided, so it is not decided in vain. The comparison of the last link in
`store_beat` finds a beat of another process; then the slow beat is decided again. And the store
lets one transaction write at a time. Nothing is cached between beats, so a failed commit cannot
leave wrong state in memory.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
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
from thorp.story.branch_beat import found_branch
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
from thorp.story.fork_point import Branch
from thorp.story.ids import IdGenerator
from thorp.story.inverted_index import BLOCK_ENTRIES
from thorp.story.invocation import answer, find_replay, read_or_refuse
from thorp.story.lookup import FoundEntry, find_entry
from thorp.story.readers_writer_lock import ReadersWriterLock
from thorp.story.registry import make_writer, writer_or_absent
from thorp.story.request import JSON, StoryRequest, read_request
from thorp.story.schema import find_branches, find_world
from thorp.story.seeds import commit_seed, read_seed
from thorp.story.storage import Head, Origin
from thorp.story.tables import SnapshotReads, Tables, index_full_blocks, requests_before
from thorp.story.time_zones import DAY_SECONDS, MachineZones
from thorp.story.why import EntryOrigin, explain_entry
from thorp.story.writer.moment import Spender, Writer

T = TypeVar("T")

MOVED_ATTEMPTS: Final = 3
"""How often a slow beat is decided if other processes keep storing beats first."""
_UNLOCKED: Final = nullcontext()  # For a story whose writers are all quick.


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
        database, which is closed with it. A missing ledger is created.

        An existing ledger keeps the configuration it was created with; another one is refused.
        `writer` is a name or a writer; `writers` are further ones, by the names that `config.parts`
        uses. If one of these is not installed, its beats fail, and nothing else does. `secret` is
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
            self._ids = database.read(self._read_ids)
            own = writer if isinstance(writer, Writer) else make_writer(writer, self.config)
            self._default_writer = AssignedWriter(own, None)
            # Whoever gives a configuration must have its writers; an existing story can be opened
            # without them.
            make_named = writer_or_absent if config is None else make_writer
            self._assigned_writers = {
                invoker: AssignedWriter(
                    (writers or {}).get(part.writer) or make_named(part.writer, self.config),
                    part.view,
                )
                for invoker, part in self.config.parts.items()
            }
            self._has_slow_writer = any(each.calls_out for each in self._all_writers())
            spent = database.read(
                lambda connection: Tables(connection, self.config).spent(self._today())
            )
            for each in self._all_writers():
                if isinstance(each, Spender):
                    each.recall(*spent)
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
        """Answer an envelope with an HTTP status, and a projection or an error. See `respond`."""
        answered = self.respond(envelope)
        body: dict[str, Json] = json.loads(answered.body)
        return answered.status, body

    def respond(
        self, envelope: bytes | str | Mapping[str, Json], content_type: str = JSON
    ) -> Answer:
        """Answer an envelope, with the exact text of the body. The same request again gives the
        same text.

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

    def _answer(self, request: StoryRequest) -> Answer:
        wall_us = int(self._wall() * 1_000_000) if self.config.time.mode == "coupled" else None
        assigned = self._assigned_writers.get(
            request.envelope.invoker.invoker_id, self._default_writer
        )

        def answer_at_once(context: BeatContext) -> Answer:
            return answer(context, request, assigned, wall_us)

        if request.envelope.mode.kind == "NO_OP":
            return self._transact(answer_at_once)[0]  # it changes nothing, so it takes no lock
        if assigned.writer.calls_out:
            with self._lock.exclusive():
                answered, seq = self._answer_outside_transaction(request, assigned, wall_us)
        else:
            with self._lock.shared() if self._has_slow_writer else _UNLOCKED:
                answered, seq = self._transact(answer_at_once)
        self._announce(answered, seq)
        return answered

    def _answer_outside_transaction(
        self, request: StoryRequest, assigned: AssignedWriter, wall_us: int | None
    ) -> tuple[Answer, int]:
        """Decide a beat outside of any transaction, then store it. If another process stored a beat
        first, decide again."""
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
        """Store a beat that was decided outside of a transaction, unless its request was answered
        meanwhile."""

        def store(context: BeatContext) -> Answer:
            return find_replay(context, decided.request) or store_beat(context, decided)

        return self._transact(store, paid=decided)

    def _transact(
        self, work: Callable[[BeatContext], Answer], paid: DecidedBeat | None = None
    ) -> tuple[Answer, int]:
        """Run `work` in one transaction; return its answer, and the `seq` of the last entry then.
        What a model was paid for `paid` is counted in the same transaction."""

        def run(connection: Connection) -> tuple[Answer, int]:
            context = self._context(connection)
            answered = work(context)
            if paid is not None and not answered.replayed:
                Tables(connection, self.config).count_spending(self._today(), *paid.session.spent)
            return answered, context.ledger.head().seq

        try:
            return self._database.submit(run).result()
        except ConnectionLost as lost:
            # It is not known whether the commit was made. Running again is safe: a stored answer is
            # found by its request id, and otherwise nothing was stored.
            try:
                return self._database.submit(run).result()
            except ConnectionLost:
                raise lost from None

    # For the keeper.

    def seed(self, seed: Mapping[str, Json]) -> tuple[int, dict[str, Json]]:
        """Commit a seed: an entry, and the records that the pocket gets from it. Refuses with a
        ContractError."""
        checked = read_seed(seed, self.config)
        with self._lock.shared():
            answered, seq = self._transact(lambda context: commit_seed(context, checked))
        self._announce(answered, seq)
        body: dict[str, Json] = json.loads(answered.body)
        return answered.status, body

    # For readers. Reading changes nothing.

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
        """The cursor before a reader's last `count` entries; None if the reader sees no others."""
        return self._look(lambda context: context.projector.behind(reader, count))

    def sealed_request(self, name: str) -> str:
        """A request id that begins with this name, and that only this ledger can make."""
        return self._ids.request(name)

    def last_sealed(self, prefix: str) -> str | None:
        """The name in the last sealed request id that begins with this prefix; None if there is
        none."""

        return next((name for _, name in self.sealed_backwards(prefix)), None)

    def sealed_backwards(self, prefix: str) -> Iterator[tuple[int, str]]:
        """The beats whose sealed request ids begin with this prefix, from the last one back, each
        with the name in the id."""
        before = self.head().beat + 1
        while requests := self._database.read(partial(requests_before, beat=before)):
            for beat, request_id in requests:
                if request_id.startswith(prefix) and self._ids.is_sealed(request_id, beat):
                    yield beat, request_id.rpartition(":")[0]
            before = requests[-1][0]

    def origins(self, entry_ids: Sequence[str]) -> dict[str, Origin]:
        """The request that wrote each of these entries."""
        rows = self._database.read(
            lambda connection: Tables(connection, self.config).origins(entry_ids)
        )
        return {
            entry_id: Origin(request, self._ids.is_sealed(request, beat), place, envelope)
            for entry_id, beat, request, place, envelope in rows
        }

    def explain(self, reader: str | None, wanted: str) -> tuple[FoundEntry, EntryOrigin]:
        """Where an entry comes from, named by its id or by a sentence of it, as a reader may know
        it. What the reader may not see is refused as unknown."""

        def look(connection: Connection) -> tuple[FoundEntry, EntryOrigin]:
            entry = find_entry(connection, self.config, reader, wanted)
            return entry, explain_entry(connection, self.config, self._ids, reader, entry.row)

        return self._database.read(look)

    def admitted(self, identities: Iterable[str]) -> set[str]:
        """The identities among these that an entry may list: existing ones, and those that may
        register."""
        own = (self.config.identity.operator_id, self.config.identity.system_actor)
        candidates = dict.fromkeys(identities)
        return self._look(
            lambda context: {
                each for each in candidates if each in own or context.ledger.is_somebody(each)
            }
        )

    def tip(self) -> tuple[int, str]:
        """The number of beats, and the last link of their chain, which stands for all of them."""
        head = self.head()
        return head.beat, head.link.hex()

    def head(self) -> Head:
        """The end of the ledger: beats, entries, clock and the last link."""
        return self._look(lambda context: context.ledger.head())

    def verify(self, tip: str | None = None) -> Verified:
        """Check every row that the chain covers, and every table that follows from those rows; name
        the first difference.

        Before that the database checks itself. A `tip` that was noted earlier must lie on the
        chain.
        """
        noted = read_tip(tip)
        check = self._database.check()
        if check.problem is not None:
            return Verified(beats=0, entries=0, tip="", difference=check.problem)
        verdict = self._database.read(
            lambda connection: verify_ledger(connection, self.config, self._ids, noted)
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
        """Queue the input of another ledger's beat; `writer` says what its writer said then, and
        `opens_anew` if it used no stored window. For `thorp.story.rebuild`."""
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

    def replay_branch(self, branch: Branch) -> None:
        """Found a branch here as another ledger has it. For `thorp.story.rebuild`."""
        self._database.submit(
            lambda connection: found_branch(connection, self.config, branch.secret, branch.text)
        ).result()
        self._ids = self._database.read(self._read_ids)

    def _read_ids(self, connection: Connection) -> IdGenerator:
        secret = find_world(connection).secret
        return IdGenerator(self.config, secret, find_branches(connection))

    def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work`, which only reads, on one unchanging state of the tables."""
        return self._database.read(work)

    def _look(self, work: Callable[[BeatContext], T]) -> T:
        return self._database.read(lambda connection: work(self._context(connection)))

    def _context(self, connection: Connection) -> BeatContext:
        return build_context(connection, self.config, self._ids, self._zones)

    def _announce(self, answered: Answer, seq: int) -> None:
        """Call the watchers of new beats, and have full blocks indexed."""
        if answered.replayed:
            return
        if self._watchers:
            with self._watching:
                watchers = list(self._watchers)
            for callback in watchers:
                callback()
        self._index_blocks(seq)

    def _index_blocks(self, seq: int) -> None:
        """Queue the indexing of full blocks, a few in each transaction, so that beats in the queue
        need not wait long. `_indexing` is held while one is queued, so there is only one."""
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
        except ThorpError:  # the queue is full, or the database closes: a later beat tries again
            self._indexing.release()
        else:
            work.add_done_callback(done)


open_ledger: Final = Ledger  # Opens a story, or creates it; the name that programs use.
