"""Records what spectators could have seen of a world, tick by tick, as segments of a tape.

A segment has the ticks `250 n` to `250 n + 249`, and can be read without any other. For every body
it holds each value as a list of changes: the ticks since the change before, and the difference to
the value before. Differences are shorter than values, and a page finds the value at any tick by
adding them up. It also holds the public events, every changed block, the records of the society,
and marks: the events that matter, each with a sentence. What only an open book shows is packed
apart.

A record is there whole when a segment begins, and again in every tick in which it changed. The
tables of the world note their changed rows for the digest, so only those are compared.

Recording is a pure function of the ticks of a segment: a segment that was recorded live and one
that was made from the journal have the same content. So what agents say about themselves is
forgotten when a segment ends.
"""

from __future__ import annotations

import gzip
import re
from array import array
from collections.abc import Callable, Sequence
from operator import attrgetter, sub
from typing import Any, Final, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from thorp.bridges.chronicle.draft import WorldDescriber
from thorp.bridges.chronicle.drafts import DRAFTERS
from thorp.bridges.chronicle.sentences import KINDS, Notice, clause
from thorp.observer import inspection
from thorp.observer.society_curves import Sampler, SocietySample
from thorp.observer.spectator_frames import MAX_HAPPENINGS, SelfDescriptions, shown_task
from thorp.observer.words import ACHIEVED
from thorp.voxel import Acted, Agent, AnyInput, Attach, World
from thorp.voxel.achievements import ACHIEVEMENTS
from thorp.voxel.state.agent import Movement, Work
from thorp.voxel.state.ground import ChunkKey
from thorp.voxel.state.table import Table
from thorp.voxel.systems import movement, work

VERSION: Final = 4
"""The format of segments. Segments of another format are removed, and made again from the
journal."""
SEGMENT_TICKS: Final = 250
# How finely events are counted: 40 numbers a segment.
BINS: Final = 10
BIN_TICKS: Final = SEGMENT_TICKS // BINS
# Marks of one segment: the weightiest are kept. A day of 24 segments may have a thousand.
MAX_MARKS: Final = 40
MAX_TEXT_CHARS: Final = 160
# Records of one segment, so that boards full of long posts cannot fill the disk; a village of 24
# needs a tenth of this.
MAX_RECORD_BYTES: Final = 256 * 1024

SORTS: Final = ("society", "people", "talk", "work")
# Events that the chronicle leaves out: their sort, and their weight among those of the chronicle.
_OTHERS: Final = {
    "POST": ("talk", 28),
    "CHAT": ("talk", 6),
    "UNLOCKED": ("people", 20),
    "LEAVE": ("people", 8),
}
# By the template of a law: the kind of event in which somebody pays because of it.
TOLLS: Final = {
    "MARKET_TAX": "TRADE",
    "FINE_BREAK_PER_BLOCK": "PAID_FINE",
    "ACCESS_PASS_CORE": "PAID_TICKET",
}
_PEOPLE: Final = {"arrival", "death", "rescue", "built"}
# The ids of things that a page can show: agents, contracts, laws, land, organisations.
_REF: Final = re.compile(r"(A|C|LAW|LAND_A|ORG)[0-9_]+\Z", re.ASCII)

_NUMBERS: Final = ("x", "y", "z", "yaw", "hp", "hunger", "stamina", "attached")
_numbers = attrgetter(*_NUMBERS)
_encode = msgspec.json.encode
_encode_record = msgspec.json.Encoder(order="deterministic").encode
_BITS: Final = {achievement.id: 1 << i for i, achievement in enumerate(ACHIEVEMENTS)}

# One changed block in eight bytes: the tick, the number of the cell in its chunk, and the blocks
# before and after. Arrays of these are stored as they are, and searched without decoding them.
CHANGE: Final = np.dtype([("tick", "<u4"), ("cell", "<u2"), ("before", "u1"), ("after", "u1")])
Changes = NDArray[np.void]
Square = tuple[int, int, int, int]
"""Its position, counted in squares; how many blocks were taken away there, and how many put."""


class Records:
    """The changes of records in the ticks of a segment, by kind and key."""

    def __init__(self) -> None:
        self.changes: list[tuple[int, dict[str, dict[str, msgspec.Raw]]]] = []
        """For each tick with changes, its offset in the segment, and the new records."""
        self._texts: dict[tuple[str, str], bytes] = {}
        """The last text of every record, to find out whether it changed."""
        self._left = MAX_RECORD_BYTES

    def note(self, offset: int, kind: str, key: str, record: Any) -> None:
        """Take in how a record is now; None if it is gone. If there is no room left, the segment
        says so once (`cut`), and the record is left out."""
        text = _encode_record(record)
        if self._texts.get((kind, key), b"null") == text:
            return
        self._left -= len(key) + len(text)
        if self._left < 0:
            if ("cut", "") in self._texts:
                return
            kind = "cut"
            key = ""
            text = b"true"
        self._texts[kind, key] = text
        if not self.changes or self.changes[-1][0] != offset:
            self.changes.append((offset, {}))
        self.changes[-1][1].setdefault(kind, {})[key] = msgspec.Raw(text)

    def copy(self) -> Records:
        """The changes so far, for a thread that packs them; nothing can be added to the copy."""
        copy = Records()
        copy.changes = list(self.changes)
        return copy


def _building(_: World, structure: Any) -> Any:
    """What spectators are shown of a structure."""
    return {
        "blueprint_id": structure.blueprint_id,
        "builder": structure.builder,
        "low": structure.low,
        "high": structure.high,
    }


_Kinds = dict[str, tuple[str, str, Callable[[World, Any], Any]]]
"""By kind of record: the table, the name of a row's key, and the function that makes the shown form
of a row."""
_SOCIETY: Final[_Kinds] = {
    "lands": ("claims", "id", inspection.shown_land),
    "organisations": ("orgs", "id", inspection.shown_organisation),
    "laws": ("laws", "id", inspection.shown_law),
    "contracts": ("contracts", "id", lambda _, contract: inspection.shown_contract(contract)),
    "structures": ("structures", "id", _building),
    "boards": ("notices", "board_id", lambda _, notices: inspection.shown_posts(notices.posts)),
    "signs": ("signs", "position", lambda _, sign: sign.text),
}
_PRIVATE: Final[_Kinds] = {
    "chests": ("containers", "position", lambda _, container: container.stock)
}
TABLES: Final = tuple(table for table, _, _ in (*_SOCIETY.values(), *_PRIVATE.values()))


class Mark(msgspec.Struct):
    """An event that matters: a point in the time lane."""

    tick: int
    kind: str
    sort: str
    weight: int
    text: str
    refs: list[str]
    number: int = 0
    """Its number among the public events of its tick, from 1. Tick and number are its address."""


class _BodyTrack:
    """What was last seen of an agent, and its changes in a segment."""

    __slots__ = (
        "agent",
        "changes",
        "heard",
        "last",
        "move",
        "org",
        "rows",
        "slow",
        "times",
        "work",
    )

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.last: tuple[int, ...] = ()
        self.times = array("i")
        """The ticks in which any of its numbers changed."""
        self.rows = array("i")
        """Its numbers in each of those ticks, one row after the other. As tuples, the rows of 500
        agents would take 30 MB."""
        self.move: Movement | None = None
        self.work: Work | None = None
        self.org = ""
        self.slow: bytes | None = None
        """The digest of its seldom changing fields when they were last looked at."""
        self.heard = agent.event_log.next
        """Its events below this number were searched for refusals."""
        self.changes: dict[str, tuple[list[int], list[Any]]] = {}
        """By the name of a value that is not a number: when it changed, and to what."""

    def tell(self, name: str, offset: int, value: Any) -> None:
        """Note a new value that is not a number."""
        times, values = self.changes.setdefault(name, ([], []))
        times.append(offset)
        values.append(value)

    def see_presence(self, offset: int, *, is_there: bool) -> None:
        """Note whether the body can be seen: it may have been removed, or be hidden while its owner
        is away."""
        was_there = "gone" not in self.changes or not self.changes["gone"][1][-1]
        if is_there != was_there:
            self.tell("gone", offset, int(not is_there))

    def copy(self) -> _BodyTrack:
        """Its changes so far, for a thread that packs them."""
        body = _BodyTrack(self.agent)
        body.times = self.times[:]
        body.rows = self.rows[:]
        body.changes = {
            name: (list(times), list(values)) for name, (times, values) in self.changes.items()
        }
        return body

    def document(self) -> dict[str, Any]:
        """As a page reads it: for each value the steps of its ticks and of the value itself."""
        times = np.array(self.times)
        rows = np.array(self.rows).reshape(-1, len(_NUMBERS))
        # A row has all numbers whenever one of them changes. Of each column only the rows in which
        # it differs from the row before are kept; the first row always is.
        is_new = np.ones(rows.shape, bool)
        np.not_equal(rows[1:], rows[:-1], out=is_new[1:])
        tracks = {
            name: (_steps(times[changes].tolist()), _steps(column[changes].tolist()))
            for name, column, changes in zip(_NUMBERS, rows.T, is_new.T, strict=True)
        }
        changes = {name: (_steps(at), values) for name, (at, values) in self.changes.items()}
        return {"id": self.agent.id, "name": self.agent.name, **tracks, **changes}


def _steps(values: list[int]) -> list[int]:
    """The first value, then by how much each differs from the one before."""
    return list(map(sub, values, [0, *values]))


class Segment(NamedTuple):
    """The content of one segment. While it is open its lists grow."""

    n: int
    document: dict[str, Any]
    marks: list[Mark]
    counts: NDArray[np.uint16]
    """Events by bin and sort."""
    changes: dict[ChunkKey, list[tuple[int, int, int, int]]]
    bodies: dict[int, _BodyTrack]
    """By the number of the agent."""
    society: Records
    private: Records
    tolls: list[tuple[int, dict[str, Any]]]
    """Events in which a law of a land made somebody pay."""
    samples: list[SocietySample]
    """The society, twice in a segment."""

    def copy(self) -> Segment:
        """The segment as it is now, for a thread that reads it while this one grows."""
        document = {
            name: list(held) if type(held) is list else held for name, held in self.document.items()
        }
        return Segment(
            n=self.n,
            document=document,
            marks=list(self.marks),
            counts=self.counts.copy(),
            changes={key: list(each) for key, each in self.changes.items()},
            bodies={number: body.copy() for number, body in self.bodies.items()},
            society=self.society.copy(),
            private=self.private.copy(),
            tolls=list(self.tolls),
            samples=list(self.samples),
        )

    def squares(self) -> list[Square]:
        """How many blocks were taken away and put in each square of 8 by 8 cells."""
        counts: dict[tuple[int, int], list[int]] = {}
        for (cx, cz), changes in self.changes.items():
            for _, cell, _, after in changes:
                # A chunk is two by two squares: bit 3 of x and of z within the chunk says which.
                at = cx << 1 | cell >> 3 & 1, cz << 1 | cell >> 7 & 1
                counts.setdefault(at, [0, 0])[after != 0] += 1
        return [(x, z, mined, placed) for (x, z), (mined, placed) in sorted(counts.items())]

    def packed(self, level: int = 6) -> bytes:
        """The bytes of a segment: JSON, compressed by gzip, which adds length and checksum."""
        agents = [body.document() for body in self.bodies.values()]
        society = self.society.changes
        return gzip.compress(
            _encode({**self.document, "agents": agents, "society": society}), level, mtime=0
        )

    def packed_private(self, level: int = 6) -> bytes:
        """The bytes of the part that only an open book shows."""
        whole = {"tape": VERSION, "n": self.n, "private": self.private.changes}
        return gzip.compress(_encode(whole), level, mtime=0)


class Recorder:
    """Records a world as segments: it looks at it after every tick."""

    def __init__(self) -> None:
        self.open: Segment | None = None
        """The segment that grows."""
        self._next = -1
        """The tick that continues it; after any other, a new segment begins."""
        self._awake: dict[int, Agent] = {}
        self._descriptions = SelfDescriptions()
        self._sampler = Sampler()
        self._weather = ""
        self._season = 0

    def look(self, world: World, inputs: Sequence[AnyInput]) -> Segment | None:
        """Record a tick. Returns the segment that it ends, if all of its ticks were recorded."""
        tick = world.tick
        n, offset = divmod(tick, SEGMENT_TICKS)
        if self.open is None or tick != self._next or offset == 0:
            self.open = self._begin(world, n)
        segment = self.open
        self._next = tick + 1
        segment.document["last"] = tick
        self._see_bodies(segment, world, offset)
        self._hear_bodies(segment, world, inputs, offset)
        self._see_sky(segment, world, offset)
        _see_events(segment, world, offset)
        _see_blocks(segment, world, offset)
        _see_records(segment, world, offset)
        sample = self._sampler.look(world)
        if sample is not None:
            segment.samples.append(sample)
        complete = offset == SEGMENT_TICKS - 1 and segment.document["first"] == max(
            1, n * SEGMENT_TICKS
        )
        return segment if complete else None

    def _begin(self, world: World, n: int) -> Segment:
        """A new segment, which begins with the present tick, and forgets everything before."""
        document: dict[str, Any] = {
            "tape": VERSION,
            "n": n,
            "first": world.tick,
            "last": world.tick,
            "day_ticks": world.tuning.day_ticks,
            **{name: [] for name in ("weather", "events", "blocks", "seasons")},
        }
        counts = np.zeros((BINS, len(SORTS)), np.uint16)
        segment = Segment(
            n=n,
            document=document,
            marks=[],
            counts=counts,
            changes={},
            bodies={},
            society=Records(),
            private=Records(),
            tolls=[],
            samples=[],
        )
        _begin_records(segment, world, world.tick - n * SEGMENT_TICKS)
        self._awake = {agent.number: agent for agent in world.agents if not agent.hidden}
        self._descriptions = SelfDescriptions()
        self._sampler = Sampler()
        self._weather = ""
        self._season = world.season
        return segment

    def _see_bodies(self, segment: Segment, world: World, offset: int) -> None:
        """Record everyone who is awake, and those who were a tick ago: nothing happens to a
        sleeper."""
        bodies = segment.bodies
        awake = {agent.number: agent for agent in world.agents.awake}
        fell_asleep = [agent for number, agent in self._awake.items() if number not in awake]
        for agent in (*fell_asleep, *awake.values()):
            body = bodies.get(agent.number)
            if body is None:
                body = bodies[agent.number] = _BodyTrack(agent)
            body.see_presence(offset, is_there=agent.number in world.agents and not agent.hidden)
            now = _numbers(agent)
            if now != body.last:
                body.last = now
                body.times.append(offset)
                body.rows.extend(now)
            if agent.move is not body.move or agent.work is not body.work or agent.org != body.org:
                self._see_tasks(world, body, offset)
            if agent.slow_digest != body.slow or not body.slow:
                body.slow = agent.slow_digest
                _see_body_records(segment, agent, offset)
            if agent.event_log.next != body.heard:
                _hear_refusals(segment, agent, body.heard, offset)
                body.heard = agent.event_log.next
        self._awake = awake

    def _see_tasks(self, world: World, body: _BodyTrack, offset: int) -> None:
        """Record what an agent began or ended doing, and its organisation."""
        agent = body.agent
        if agent.move is not body.move:
            body.move = moving = agent.move
            view = (
                None
                if moving is None
                else shown_task(moving.request, *movement.status(world, agent))
            )
            body.tell("move", offset, view)
        if agent.work is not body.work:
            body.work = working = agent.work
            view = (
                None if working is None else shown_task(working.request, *work.status(world, agent))
            )
            body.tell("work", offset, view)
        if agent.org != body.org:
            body.org = agent.org
            body.tell("org", offset, agent.org)

    def _hear_bodies(
        self, segment: Segment, world: World, inputs: Sequence[AnyInput], offset: int
    ) -> None:
        """Record what agents say about themselves."""
        self._descriptions.take(world, inputs)
        spoke = [entry.agent for entry in inputs if isinstance(entry, Acted) and entry.act.intent]
        spoke += [entry.agent for entry in inputs if isinstance(entry, Attach)]
        for number in dict.fromkeys((*spoke, *world.scratch.joined)):
            said = self._descriptions.of(number)
            body = segment.bodies.get(number)
            if body is not None:
                for name, text in (("intent", said.intent), ("title", said.title)):
                    if text and (name not in body.changes or body.changes[name][1][-1] != text):
                        body.tell(name, offset, text)

    def _see_sky(self, segment: Segment, world: World, offset: int) -> None:
        """Record weather and season."""
        if world.weather != self._weather:
            self._weather = world.weather
            segment.document["weather"].append([offset, world.weather])
        if world.season != self._season:
            self._season = world.season
            segment.document["seasons"].append([world.tick, world.season])


def _see_events(segment: Segment, world: World, offset: int) -> None:
    """Record the public events of a tick, with marks for those that matter."""
    happened = world.scratch.public_events[:MAX_HAPPENINGS]
    if not happened:
        return
    segment.document["events"].append(
        [offset, [msgspec.Raw(_encode(happening)) for happening in happened]]
    )
    describer = WorldDescriber(world)
    for number, happening in enumerate(happened, 1):
        if happening["kind"] in TOLLS.values() and "land_id" in happening:
            segment.tolls.append((world.tick, happening))
        mark = _mark(describer, happening)
        if mark is not None:
            mark.number = number
            segment.counts[offset // BIN_TICKS, SORTS.index(mark.sort)] += 1
            segment.marks.append(mark)
    if len(segment.marks) > MAX_MARKS:
        weighty = sorted(segment.marks, key=lambda mark: -mark.weight)[:MAX_MARKS]
        segment.marks[:] = sorted(weighty, key=lambda mark: mark.tick)


def _see_blocks(segment: Segment, world: World, offset: int) -> None:
    """Record the blocks that a tick changed: for pages with who did it, and packed by chunk for the
    ground of a tick."""
    for actor, reason, (x, y, z), before, after in world.scratch.block_changes:
        segment.document["blocks"].append((offset, x, y, z, before, after, actor, reason))
        # The order of a chunk's cells: layer by layer, in each row by row.
        cell = y << 8 | (z & 15) << 4 | x & 15
        segment.changes.setdefault((x >> 4, z >> 4), []).append((world.tick, cell, before, after))
        segment.counts[offset // BIN_TICKS, 3] += actor[:1] == "A"


def _begin_records(segment: Segment, world: World, offset: int) -> None:
    """Record all records, whole: a segment begins."""
    for records, kinds in ((segment.society, _SOCIETY), (segment.private, _PRIVATE)):
        for kind, (table, key, view_of) in kinds.items():
            rows = (
                inspection.NEWEST[kind](world)
                if kind in inspection.NEWEST
                else getattr(world, table)
            )
            for row in rows:
                records.note(offset, kind, _text(getattr(row, key)), view_of(world, row))
    segment.society.note(offset, "event", "", inspection.shown_event(world))


def _see_records(segment: Segment, world: World, offset: int) -> None:
    """Record the records that a tick changed."""
    for records, kinds in ((segment.society, _SOCIETY), (segment.private, _PRIVATE)):
        for kind, (name, _, view_of) in kinds.items():
            table: Table[Any, Any] = getattr(world, name)
            keys = table.changed()
            if kind == "laws" and (world.claims.changed() or world.orgs.changed()):
                # The number of those who may vote may have changed, which every law shows.
                keys = [law.id for law in inspection.newest_laws(world)]
            for key in keys:
                row = table.get(key)
                records.note(offset, kind, _text(key), None if row is None else view_of(world, row))
    segment.society.note(offset, "event", "", inspection.shown_event(world))


def _see_body_records(segment: Segment, agent: Agent, offset: int) -> None:
    """Record what an agent carries, its reputation, and what it has achieved, a bit for each
    achievement."""
    segment.private.note(offset, "pockets", agent.id, agent.inventory)
    segment.society.note(offset, "standings", agent.id, agent.reputation)
    segment.society.note(
        offset,
        "achieved",
        agent.id,
        sum(_BITS.get(achievement, 0) for achievement in agent.achievements),
    )


def _hear_refusals(segment: Segment, agent: Agent, since: int, offset: int) -> None:
    """Record the refusals among an agent's events since a number, and where it stood."""
    for event in agent.event_log.since(since):
        if b'"code"' in event.text and (deed := inspection.refusal(event)) is not None:
            segment.private.note(
                offset, "refused", f"{agent.id} {event.number}", [deed, agent.position]
            )


def _text(key: Any) -> str:
    """The key of a row as text; a position as `x,y,z`."""
    return key if isinstance(key, str) else ",".join(map(str, key))


def _cut_at_a_word(text: str, most: int) -> str:
    """A text of at most `most` characters. A longer one is cut between two words, and ends with an
    ellipsis."""
    if len(text) <= most:
        return text
    kept = text[:most]
    whole_words = kept.rpartition(" ")[0].rstrip(" ,;:")
    return f"{whole_words or kept[:-1]}…"


def _mark(describer: WorldDescriber, happening: dict[str, Any]) -> Mark | None:
    """The mark of a public event; None if it is not worth one."""
    kind = str(happening["kind"])
    tick = describer.world.tick
    ids = [value for value in happening.values() if isinstance(value, str) and _REF.match(value)]
    refs = list(dict.fromkeys(ids))
    if kind in _OTHERS:
        sort, weight = _OTHERS[kind]
        agent = describer.world.agent_by_id(
            str(happening.get("agent") or happening.get("actor") or happening.get("from"))
        )
        name = str(happening.get("name", "")) if agent is None else agent.name
        said = "left"
        if sort == "talk":
            words = str(happening.get("text") or happening.get("title"))
            said = f"“{_cut_at_a_word(words, MAX_TEXT_CHARS - len(name) - len(' “”'))}”"
        elif "achievement" in happening:
            said = f"{ACHIEVED[str(happening['achievement'])]} for the first time"
        return Mark(
            tick=tick, kind=kind.lower(), sort=sort, weight=weight, text=f"{name} {said}", refs=refs
        )
    draft = DRAFTERS[kind](describer, happening) if kind in DRAFTERS else None
    if draft is None:
        return None
    notice = Notice(
        tick=tick,
        day=0,
        hour=0,
        kind=draft.kind,
        who=draft.who,
        where=draft.where,
        witnesses=(),
        about=draft.about,
        alike=draft.alike,
    )
    sort = "people" if draft.kind in _PEOPLE else "society"
    text = _cut_at_a_word(clause((notice,), 0).sentence, MAX_TEXT_CHARS)
    return Mark(
        tick=tick, kind=draft.kind, sort=sort, weight=KINDS[draft.kind].weight, text=text, refs=refs
    )
