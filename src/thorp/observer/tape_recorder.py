"""Records what spectators could have seen of a world, tick by tick, as segments of a tape.

A segment has the ticks `250 n` to `250 n + 249` and needs no other one. It holds, for every body,
each value as a list of changes: when, counted from the change before, and by how much. So a page
finds the state of any tick without going through those before it. Besides it has the public events,
every changed block, the records of the society, and marks: the events that matter, each with a
sentence. What an open book tells is apart.

A record is there whole when a segment begins, and again in every tick in which it changed. Which
ones to compare is known from the tables of the world, which note their changes for the digest.

Recording is a pure function of the ticks of a segment. A segment that was recorded live and one
that was made from the journal have the same content. So what agents tell of themselves is kept
within a segment only.
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

from thorp.bridges.chronicle.drafts import DRAFTERS, WorldDescriber
from thorp.bridges.chronicle.sentences import KINDS, Notice, clause
from thorp.observer import inspection
from thorp.observer.spectator_frames import MAX_HAPPENINGS, SelfDescriptions, shown_task
from thorp.voxel.achievements import ACHIEVEMENTS
from thorp.voxel.inputs import Acted, AnyInput, Attach
from thorp.voxel.state.agent import Agent, Movement, Work
from thorp.voxel.state.ground import ChunkKey
from thorp.voxel.state.table import Table
from thorp.voxel.state.world import World
from thorp.voxel.systems import movement, work

VERSION: Final = 4
"""Of a segment's form. Segments of another one are thrown away and made again from the journal."""
SEGMENT_TICKS: Final = 250
# How finely events are counted: 40 numbers a segment.
BINS: Final = 10
BIN_TICKS: Final = SEGMENT_TICKS // BINS
# Of one segment, the weightiest. A day of 24 segments may have a thousand.
MAX_MARKS: Final = 40
MAX_TEXT_CHARS: Final = 160
# Of one segment, so that no board full of long posts fills the disk; a village of 24 needs a tenth.
MAX_RECORD_BYTES: Final = 256 * 1024

SORTS: Final = ("society", "people", "talk", "work")
# Events that are no matter for the chronicle, and how much they weigh beside its own.
_OTHERS: Final = {
    "POST": ("talk", 28),
    "CHAT": ("talk", 6),
    "UNLOCKED": ("people", 20),
    "LEAVE": ("people", 8),
}
# What a law made somebody pay, by its template.
TOLLS: Final = {
    "MARKET_TAX": "TRADE",
    "FINE_BREAK_PER_BLOCK": "PAID_FINE",
    "ACCESS_PASS_CORE": "PAID_TICKET",
}
_PEOPLE: Final = {"arrival", "death", "rescue", "built"}
# What a page can show, by its id: agents, contracts, laws, land, organisations.
_REF: Final = re.compile(r"(A|C|LAW|LAND_A|ORG)[0-9_]+\Z", re.ASCII)

_NUMBERS: Final = ("x", "y", "z", "yaw", "hp", "hunger", "stamina", "attached")
_numbers = attrgetter(*_NUMBERS)
_encode = msgspec.json.encode
_encode_record = msgspec.json.Encoder(order="deterministic").encode
_BITS: Final = {one.id: 1 << i for i, one in enumerate(ACHIEVEMENTS)}

# One changed block: the tick, its place in the chunk's cells, and the blocks before and after.
CHANGE: Final = np.dtype([("tick", "<u4"), ("cell", "<u2"), ("before", "u1"), ("after", "u1")])
Changes = NDArray[np.void]
Square = tuple[int, int, int, int]
"""Where it is, in squares; how many blocks were taken away, and how many were put."""


class Records:
    """Records of several kinds by their keys: in which tick of a segment each was what."""

    def __init__(self) -> None:
        self.changes: list[tuple[int, dict[str, dict[str, msgspec.Raw]]]] = []
        self._known: dict[tuple[str, str], bytes] = {}
        self._left = MAX_RECORD_BYTES

    def note(self, offset: int, kind: str, key: str, record: Any) -> None:
        """Take in how a record is now; None if it is gone. Without room it is left out, and that is
        told."""
        text = _encode_record(record)
        if self._known.get((kind, key), b"null") == text:
            return
        self._left -= len(key) + len(text)
        if self._left < 0:
            if ("cut", "") in self._known:
                return
            kind = "cut"
            key = ""
            text = b"true"
        self._known[kind, key] = text
        if not self.changes or self.changes[-1][0] != offset:
            self.changes.append((offset, {}))
        self.changes[-1][1].setdefault(kind, {})[key] = msgspec.Raw(text)

    def frozen(self) -> Records:
        copy = Records()
        copy.changes = list(self.changes)
        return copy


def _building(_: World, one: Any) -> Any:
    return {
        "blueprint_id": one.blueprint_id,
        "builder": one.builder,
        "low": one.low,
        "high": one.high,
    }


_Kinds = dict[str, tuple[str, str, Callable[[World, Any], Any]]]
"""By kind of record: the table, what a row's key is called, and how the row is shown."""
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
    """Something that matters: a point in the time lane."""

    tick: int
    kind: str
    sort: str
    weight: int
    text: str
    refs: list[str]
    number: int = 0
    """Which of the public events of its tick it is, from 1: with the tick, its address."""


class _Body:
    """What was last seen of an agent, and every change in a segment: when, and to what."""

    __slots__ = ("agent", "heard", "last", "move", "org", "rows", "slow", "times", "told", "work")

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self.last: tuple[int, ...] = ()
        self.times = array("i")
        self.rows = array("i")
        """All of them one after the other: among 500 agents tuples of a segment would take 30
        MB."""
        self.move: Movement | None = None
        self.work: Work | None = None
        self.org = ""
        self.slow: bytes | None = None
        """The digest of its seldom changing fields when they were last looked at."""
        self.heard = agent.event_log.next
        self.told: dict[str, tuple[list[int], list[Any]]] = {}

    def tell(self, name: str, offset: int, value: Any) -> None:
        """Take in something that is no number."""
        times, values = self.told.setdefault(name, ([], []))
        times.append(offset)
        values.append(value)

    def see_presence(self, offset: int, *, is_there: bool) -> None:
        """Take in whether the body can be seen: it may be removed, or hidden while its owner is
        away."""
        was_there = "gone" not in self.told or not self.told["gone"][1][-1]
        if is_there != was_there:
            self.tell("gone", offset, int(not is_there))

    def frozen(self) -> _Body:
        body = _Body(self.agent)
        body.times = self.times[:]
        body.rows = self.rows[:]
        body.told = {
            name: (list(times), list(values)) for name, (times, values) in self.told.items()
        }
        return body

    def document(self) -> dict[str, Any]:
        """As a page reads it: for each value its changes, counted from the one before."""
        times = np.array(self.times)
        rows = np.array(self.rows).reshape(-1, len(_NUMBERS))
        is_new = np.ones(rows.shape, bool)
        np.not_equal(rows[1:], rows[:-1], out=is_new[1:])
        tracks = {
            name: (_steps(times[changes].tolist()), _steps(column[changes].tolist()))
            for name, column, changes in zip(_NUMBERS, rows.T, is_new.T, strict=True)
        }
        told = {name: (_steps(at), values) for name, (at, values) in self.told.items()}
        return {"id": self.agent.id, "name": self.agent.name, **tracks, **told}


def _steps(values: list[int]) -> list[int]:
    """The first value, then by how much each differs from the one before."""
    return list(map(sub, values, [0, *values]))


class Segment(NamedTuple):
    """The content of one segment. The lists of one that is not closed still grow."""

    n: int
    document: dict[str, Any]
    marks: list[Mark]
    counts: NDArray[np.uint16]
    """Events by bin and sort."""
    changes: dict[ChunkKey, list[tuple[int, int, int, int]]]
    bodies: dict[int, _Body]
    """By the number of the agent."""
    society: Records
    private: Records
    tolls: list[tuple[int, dict[str, Any]]]
    """Events in which a law of a land made somebody pay."""

    def frozen(self) -> Segment:
        """The same as it is now, for a thread that reads while this one grows."""
        document = {
            name: list(held) if type(held) is list else held for name, held in self.document.items()
        }
        changes = {key: list(each) for key, each in self.changes.items()}
        bodies = {number: body.frozen() for number, body in self.bodies.items()}
        records = self.society.frozen(), self.private.frozen()
        marks = list(self.marks)
        tolls = list(self.tolls)
        return Segment(
            self.n, document, marks, self.counts.copy(), changes, bodies, *records, tolls
        )

    def squares(self) -> list[Square]:
        """How many blocks were taken away and put in each square of 8 by 8 cells."""
        counts: dict[tuple[int, int], list[int]] = {}
        for (cx, cz), changes in self.changes.items():
            for _, cell, _, after in changes:
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
        """What only an open book tells, in the same way."""
        whole = {"tape": VERSION, "n": self.n, "private": self.private.changes}
        return gzip.compress(_encode(whole), level, mtime=0)


class Recorder:
    """Looks at a world after every tick."""

    def __init__(self) -> None:
        self.open: Segment | None = None
        self._next = -1
        self._awake: dict[int, Agent] = {}
        self._told = SelfDescriptions()
        self._weather = ""
        self._season = 0

    def look(self, world: World, inputs: Sequence[AnyInput]) -> Segment | None:
        """Take in a tick; the segment that it ends, if all of that was seen."""
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
        complete = offset == SEGMENT_TICKS - 1 and segment.document["first"] == max(
            1, n * SEGMENT_TICKS
        )
        return segment if complete else None

    def _begin(self, world: World, n: int) -> Segment:
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
        )
        _begin_records(segment, world, world.tick - n * SEGMENT_TICKS)
        self._awake = {agent.number: agent for agent in world.agents if not agent.hidden}
        self._told = SelfDescriptions()
        self._weather = ""
        self._season = world.season
        return segment

    def _see_bodies(self, segment: Segment, world: World, offset: int) -> None:
        """Everyone who is awake, and those who were a tick ago: nothing happens to a sleeper."""
        bodies = segment.bodies
        awake = {agent.number: agent for agent in world.agents.awake}
        fell_asleep = [agent for number, agent in self._awake.items() if number not in awake]
        for agent in (*fell_asleep, *awake.values()):
            body = bodies.get(agent.number)
            if body is None:
                body = bodies[agent.number] = _Body(agent)
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

    def _see_tasks(self, world: World, body: _Body, offset: int) -> None:
        agent = body.agent
        if agent.move is not body.move:
            body.move = moving = agent.move
            shown = (
                None
                if moving is None
                else shown_task(moving.request, *movement.status(world, agent))
            )
            body.tell("move", offset, shown)
        if agent.work is not body.work:
            body.work = working = agent.work
            shown = (
                None if working is None else shown_task(working.request, *work.status(world, agent))
            )
            body.tell("work", offset, shown)
        if agent.org != body.org:
            body.org = agent.org
            body.tell("org", offset, agent.org)

    def _hear_bodies(
        self, segment: Segment, world: World, inputs: Sequence[AnyInput], offset: int
    ) -> None:
        """What agents tell of themselves."""
        self._told.take(world, inputs)
        spoke = [entry.agent for entry in inputs if isinstance(entry, Acted) and entry.act.intent]
        spoke += [entry.agent for entry in inputs if isinstance(entry, Attach)]
        for number in dict.fromkeys((*spoke, *world.scratch.joined)):
            said = self._told.of(number)
            body = segment.bodies.get(number)
            if body is not None:
                for name, text in (("intent", said.intent), ("title", said.title)):
                    if text and (name not in body.told or body.told[name][1][-1] != text):
                        body.tell(name, offset, text)

    def _see_sky(self, segment: Segment, world: World, offset: int) -> None:
        if world.weather != self._weather:
            self._weather = world.weather
            segment.document["weather"].append([offset, world.weather])
        if world.season != self._season:
            self._season = world.season
            segment.document["seasons"].append([world.tick, world.season])


def _see_events(segment: Segment, world: World, offset: int) -> None:
    happened = world.scratch.public_events[:MAX_HAPPENINGS]
    if not happened:
        return
    segment.document["events"].append([offset, [msgspec.Raw(_encode(one)) for one in happened]])
    describer = WorldDescriber(world)
    for number, one in enumerate(happened, 1):
        if one["kind"] in TOLLS.values() and "land_id" in one:
            segment.tolls.append((world.tick, one))
        mark = _mark(describer, one)
        if mark is not None:
            mark.number = number
            segment.counts[offset // BIN_TICKS, SORTS.index(mark.sort)] += 1
            segment.marks.append(mark)
    if len(segment.marks) > MAX_MARKS:
        weighty = sorted(segment.marks, key=lambda mark: -mark.weight)[:MAX_MARKS]
        segment.marks[:] = sorted(weighty, key=lambda mark: mark.tick)


def _see_blocks(segment: Segment, world: World, offset: int) -> None:
    for actor, reason, (x, y, z), before, after in world.scratch.block_changes:
        segment.document["blocks"].append((offset, x, y, z, before, after, actor, reason))
        cell = y << 8 | (z & 15) << 4 | x & 15
        segment.changes.setdefault((x >> 4, z >> 4), []).append((world.tick, cell, before, after))
        segment.counts[offset // BIN_TICKS, 3] += actor[:1] == "A"


def _begin_records(segment: Segment, world: World, offset: int) -> None:
    """Take in everything, as a segment begins."""
    for records, kinds in ((segment.society, _SOCIETY), (segment.private, _PRIVATE)):
        for kind, (table, key, shown) in kinds.items():
            rows = (
                inspection.NEWEST[kind](world)
                if kind in inspection.NEWEST
                else getattr(world, table)
            )
            for row in rows:
                records.note(offset, kind, _text(getattr(row, key)), shown(world, row))
    segment.society.note(offset, "event", "", inspection.shown_event(world))


def _see_records(segment: Segment, world: World, offset: int) -> None:
    """Take in what changed in a tick."""
    for records, kinds in ((segment.society, _SOCIETY), (segment.private, _PRIVATE)):
        for kind, (name, _, shown) in kinds.items():
            table: Table[Any, Any] = getattr(world, name)
            keys = table.changed()
            if kind == "laws" and (world.claims.changed() or world.orgs.changed()):
                keys = [law.id for law in inspection.newest_laws(world)]  # who may vote has changed
            for key in keys:
                row = table.get(key)
                records.note(offset, kind, _text(key), None if row is None else shown(world, row))
    segment.society.note(offset, "event", "", inspection.shown_event(world))


def _see_body_records(segment: Segment, agent: Agent, offset: int) -> None:
    """Take in what somebody carries, how they stand with others, and what they achieved: a bit
    each."""
    segment.private.note(offset, "pockets", agent.id, agent.inventory)
    segment.society.note(offset, "standings", agent.id, agent.reputation)
    segment.society.note(
        offset, "achieved", agent.id, sum(_BITS.get(one, 0) for one in agent.achievements)
    )


def _hear_refusals(segment: Segment, agent: Agent, since: int, offset: int) -> None:
    """Take in what was refused to somebody since an event of theirs, and where that was."""
    for event in agent.event_log.since(since):
        if b'"code"' in event.text and (deed := inspection.refusal(event)) is not None:
            segment.private.note(
                offset, "refused", f"{agent.id} {event.number}", [deed, agent.position]
            )


def _text(key: Any) -> str:
    return key if isinstance(key, str) else ",".join(map(str, key))


def _cut_at_a_word(text: str, most: int) -> str:
    """A text of at most so many characters; a longer one ends between two words, and shows that it
    does."""
    if len(text) <= most:
        return text
    kept = text[:most]
    whole_words = kept.rpartition(" ")[0].rstrip(" ,;:")
    return f"{whole_words or kept[:-1]}…"


def _mark(describer: WorldDescriber, one: dict[str, Any]) -> Mark | None:
    """The mark of a public event; None if it is not worth one."""
    kind = str(one["kind"])
    tick = describer.world.tick
    ids = [value for value in one.values() if isinstance(value, str) and _REF.match(value)]
    refs = list(dict.fromkeys(ids))
    if kind in _OTHERS:
        sort, weight = _OTHERS[kind]
        agent = describer.world.agent_by_id(
            str(one.get("agent") or one.get("actor") or one.get("from"))
        )
        name = str(one.get("name", "")) if agent is None else agent.name
        said = "left"
        if sort == "talk":
            words = str(one.get("text") or one.get("title"))
            said = f"“{_cut_at_a_word(words, MAX_TEXT_CHARS - len(name) - len(' “”'))}”"
        elif "achievement" in one:
            said = f"achieved {str(one['achievement']).replace('_', ' ')} for the first time"
        return Mark(
            tick=tick, kind=kind.lower(), sort=sort, weight=weight, text=f"{name} {said}", refs=refs
        )
    draft = DRAFTERS[kind](describer, one) if kind in DRAFTERS else None
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
