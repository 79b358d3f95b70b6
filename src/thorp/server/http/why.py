"""Answers why a story has an entry: from the ledger, the notes of its chronicle and, if a proof is
wanted, the log beside it.

A proof leads from the entry's row over the record and the link of its beat to the tip in a leaf of
the log, and from that leaf to the signed checkpoint. Each step is checked here, with the log's own
key; whoever has that key from elsewhere checks the last step again with the proof file.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
from aiohttp import web

from thorp.bridges.chronicle.why import Why, explain
from thorp.kernel.errors import DamagedError, UnknownError
from thorp.log import verify_proof
from thorp.log.directory import PUBLIC, VKEY, prove
from thorp.log.note import encode_base64, read_vkey
from thorp.log.search import PublishedLeaf, newest_leaves
from thorp.log.tlog import write_proof
from thorp.log.trust import Trust
from thorp.server.access.requests import Refused, document_response, query_number
from thorp.server.http.public_log import LOG
from thorp.server.http.stories import Stories
from thorp.store import Connection, RealDisk, read_whole
from thorp.story import Ledger
from thorp.story.export import reader_named
from thorp.story.inclusion import check_chain, check_recorded, link_of
from thorp.story.tables import Tables

STORY: Final = "story"  # The kind of leaf.

_Look = Callable[[Ledger, str | None], "ProvedWhy"]


class EntryProof(msgspec.Struct, kw_only=True):
    """Where an entry is in the ledger, and the signed checkpoint under which it was published."""

    beat: int | None
    """The beat that wrote it, for the operator."""
    entry_digest: str | None
    """The digest of its row in the record of that beat, for the operator."""
    leaf: int
    """The number of the leaf that has the tip of the ledger some beats later."""
    beats: int
    tip: str
    origin: str
    size: int
    root: str
    signed_by: list[str]
    file: str
    """The proof of the leaf, as `thorp log verify` reads it."""


class ProvedWhy(Why, kw_only=True):
    """Why a story has an entry, and the proof of it if one was asked for."""

    proof: EntryProof | None


class WhyRoutes:
    """The handlers of the routes that say why a story has an entry."""

    def __init__(self, stories: Stories, data: Path) -> None:
        """`data` is the directory with the log, if there is one."""
        self._stories = stories
        self._data = data
        self._proving = asyncio.Lock()

    async def why(self, request: web.Request) -> web.Response:
        """Why the story has an entry: the events that each of its sentences was made from, who may
        know it since when, and what its writer was given; as the holder of the token may know
        it."""
        return await self._answer(request, lambda look: self._stories.look_for(request, look))

    async def why_as(self, request: web.Request) -> web.Response:
        """The same for any reader that is named."""
        ledger = await self._stories.open()
        reader = reader_named(request.query.get("as"), ledger.config)
        return await self._answer(
            request, lambda look: self._stories.read(lambda: look(ledger, reader))
        )

    async def _answer(
        self, request: web.Request, ask: Callable[[_Look], Awaitable[ProvedWhy]]
    ) -> web.Response:
        wanted = request.query.get("entry", "")
        number = query_number(request, "sentence", least=1)
        if "proof" not in request.query:
            why = await ask(lambda ledger, reader: answer_why(ledger, reader, wanted, number))
            return document_response(msgspec.to_builtins(why))
        if self._proving.locked():  # it may read all of a long log
            raise Refused(503, "busy", "something is being proved already; try again later")
        async with self._proving:
            data = self._data
            why = await ask(
                lambda ledger, reader: answer_why(ledger, reader, wanted, number, log_of=data)
            )
            return document_response(msgspec.to_builtins(why))


def answer_why(
    ledger: Ledger,
    reader: str | None,
    wanted: str,
    number: int | None = None,
    *,
    log_of: Path | None = None,
) -> ProvedWhy:
    """Why a story has an entry, as a reader may know it; with a proof from the log of a data
    directory if one is named."""
    why = explain(ledger, reader, wanted, number)
    proof = None
    if log_of is not None:
        try:
            proof = _prove(ledger, reader, why.entry_id, log_of / LOG / PUBLIC)
        except DamagedError:
            if reader == ledger.config.identity.operator_id:
                raise
            # What is wrong names beats and rows, which only the operator may count.
            raise DamagedError(
                "this entry is not proved: ledger and log do not agree; ask whoever keeps the story"
            ) from None
    return ProvedWhy(**{name: getattr(why, name) for name in Why.__struct_fields__}, proof=proof)


def _prove(ledger: Ledger, reader: str | None, entry_id: str, public: Path) -> EntryProof:
    """Prove that an entry is under the published checkpoint. Refuses as `not_logged` if it is not
    published yet, and as damaged if the ledger is not the one that was published."""
    disk = RealDisk()
    seq = ledger.read(lambda connection: _seq_of(connection, ledger, entry_id))
    recorded = ledger.read(lambda connection: check_recorded(connection, seq))
    leaf = _covering_leaf(ledger, public, recorded.beat)
    tip = leaf.members["tip"]
    beats = leaf.members["beats"]
    ledger.read(lambda connection: check_chain(connection, recorded.beat, beats, tip))
    proof = prove(disk, public, leaf.number)
    file = write_proof(proof)
    keys = [read_vkey(line) for line in _text(public / VKEY).splitlines() if line]
    proven = verify_proof(file, proof.extra or b"", Trust(tuple(keys)))
    is_operator = reader == ledger.config.identity.operator_id
    return EntryProof(
        beat=recorded.beat if is_operator else None,
        entry_digest=recorded.digest if is_operator else None,
        leaf=leaf.number,
        beats=beats,
        tip=tip,
        origin=proven.checkpoint.origin,
        size=proven.checkpoint.size,
        root=encode_base64(proven.checkpoint.root),
        signed_by=[str(each.key) for each in proven.verified],
        file=file.decode(),
    )


def _seq_of(connection: Connection, ledger: Ledger, entry_id: str) -> int:
    [row] = Tables(connection, ledger.config).entries_named([entry_id])
    return row.seq


def _covering_leaf(ledger: Ledger, public: Path, beat: int) -> PublishedLeaf:
    """The first leaf whose tip covers a beat. Leaves of another story in the same log are passed
    over, unless there is no other."""
    covering = None
    foreign = None
    for leaf in newest_leaves(RealDisk(), public, STORY):
        beats = leaf.members.get("beats")
        if type(beats) is not int or type(leaf.members.get("tip")) is not str:
            continue
        is_own = ledger.read(partial(link_of, beat=beats)) == leaf.members["tip"]
        if is_own and beats < beat:
            break
        if is_own:
            covering = leaf
        elif beats >= beat:
            foreign = leaf
    if covering is not None:
        return covering
    if foreign is not None:
        raise DamagedError(
            f"leaf {foreign.index} of the log has another tip after beat "
            f"{foreign.members['beats']} than this story: it was rewritten, or is another story"
        )
    raise UnknownError(
        "this entry is not under a published leaf yet: `thorp up --log` adds one every ten beats",
        code="not_logged",
    )


def _text(path: Path) -> str:
    return read_whole(RealDisk(), path).decode()
