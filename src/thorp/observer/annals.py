"""Keeps what the page shows of a society's past and the world does not keep: the decisions of
councils, what treasuries were worth, who built what, who lives where, who stood for office, and
what people did for a living.

They are noted as they happen, from the first day of a village on, in a file beside the world, so
that the next server has them. The file is a cache: if it is lost, the page has less to show, and
nothing else changes.
"""

import logging
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from thorp.bridges.voxel_town.records import EXTENSION
from thorp.kernel.canonical import read_text
from thorp.kernel.errors import ThorpError
from thorp.observer import buildings, elections
from thorp.observer.buildings import Building, BuildingRegister, Home
from thorp.observer.dealings import DealingsBook, DealingsRecord
from thorp.observer.elections import ELECTIONS_KEPT, Election
from thorp.protocol.frame import clip
from thorp.store import RealDisk
from thorp.town import inspect_decision
from thorp.town.embedded.council import Governor
from thorp.town.profile import ROLES, built_in_profile
from thorp.voxel import AnyInput, World
from thorp.voxel.lookups.goods import worth

FILE: Final = "annals.jsonl"
DECISIONS_KEPT: Final = 400
DECISIONS_SHOWN: Final = 20
POINTS_KEPT: Final = 500
# Organisations that are sampled; if there are more, the oldest of them.
ORGS_KEPT: Final = 100
# How much of the end of the file is read: ten times what is kept of it. The file is written anew at
# every start.
MAX_READ_BYTES: Final = 16 * 2**20
# A hundred points a day. When there are too many of them, every other one is dropped.
SAMPLE_TICKS: Final = 60
WEIGHED_SHOWN: Final = 8
TEXT_BYTES: Final = 300

_log = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode


class Weighed(msgspec.Struct):
    """An action that a governor weighed, and whether it was chosen."""

    type: str
    target: str
    priority: float
    selected: bool


class Decision(msgspec.Struct, kw_only=True):
    """What a governor saw, why it ordered what it did, and how that ended."""

    tick: int
    town: str
    actor: str
    type: str
    target: str
    command: str
    priority: float
    reason: str
    """In the governor's own words."""
    saw: dict[str, float]
    """The meters of the town; empty if the governor had looked at another day."""
    weighed: list[Weighed]
    """The candidates, if the governor decided as a built-in one does; empty if not, since then
    nobody knows what it weighed."""
    status: str
    reason_code: str
    detail: str
    """What stood in the way, and what would help."""
    contract: str


class Sample(msgspec.Struct):
    """What each treasury was worth at a tick."""

    tick: int
    treasuries: dict[str, int]


Record = Decision | Sample | Building | Home | DealingsRecord | Election
# What only the lines of a kind have, in the order in which it is looked for.
_KINDS: Final[tuple[tuple[bytes, type[Record]], ...]] = (
    (b'"command":', Decision),
    (b'"treasuries":', Sample),
    (b'"blueprint_id":', Building),
    (b'"resident":', Home),
    (b'"dealings":', DealingsRecord),
    (b'"election_state":', Election),
)


class Annals:
    """What the world itself does not keep, for the page: governors' decisions, samples of
    treasuries, buildings and their residents, and dealings."""

    def __init__(self, world: World | None = None, path: Path | None = None) -> None:
        self._path = None if path is None else path / FILE
        self._decisions: deque[Decision] = deque(maxlen=DECISIONS_KEPT)
        self._samples: list[Sample] = []
        self._governors: dict[tuple[str, str], Governor] = {}
        self._elections: deque[Election] = deque(maxlen=ELECTIONS_KEPT)
        self.buildings = BuildingRegister()
        self.dealings = DealingsBook()
        if world is not None:
            self._load(world.tick)
            self.buildings.seed(world)

    @property
    def noted(self) -> tuple[list[Decision], list[Sample], list[Election]]:
        """All decisions, samples of treasuries and elections that are kept, the oldest first."""
        return list(self._decisions), list(self._samples), list(self._elections)

    def decisions(self, town: str, before: int | None) -> list[Decision]:
        """The newest decisions about a town, the newest first."""
        all_of_them = list(self._decisions)  # another thread adds to them
        matches = [
            decision
            for decision in all_of_them
            if decision.town == town and (before is None or decision.tick < before)
        ]
        return matches[: -DECISIONS_SHOWN - 1 : -1]

    def elections(self) -> list[Election]:
        """What was said of elections, the newest first."""
        return list(self._elections)[::-1]

    def treasury(self, org: str) -> list[tuple[int, int]]:
        """What an organisation's treasury was worth, by tick."""
        return [
            (sample.tick, sample.treasuries[org])
            for sample in self._samples
            if org in sample.treasuries
        ]

    def look(self, world: World, _: Sequence[AnyInput], durable: Future[None]) -> None:
        """Note the decisions of a tick, and a sample if one is due, once the tick is durable."""
        scratch = world.scratch
        tick = world.tick
        asked = zip(scratch.requests, scratch.answers, strict=False)
        towns = [
            (request.text, answer) for request, answer in asked if request.extension == EXTENSION
        ]
        sealed_results = [(*each, seal) for each, seal in zip(towns, scratch.seals, strict=False)]
        sample = None
        if tick % SAMPLE_TICKS == 0 and len(world.orgs):
            sample = Sample(
                tick, {org.id: worth(org.treasury) for org in islice(world.orgs, ORGS_KEPT)}
            )
        self.dealings.look(world)
        records: list[Record] = [*buildings.news(world), *elections.news(world)]
        if sample is not None:
            records.append(sample)
        dealings = self.dealings.changes(tick) if tick % SAMPLE_TICKS == 0 else None
        if dealings is not None:
            records.append(dealings)
        if sealed_results or records:
            durable.add_done_callback(lambda done: self._keep(done, tick, sealed_results, records))

    def _keep(
        self,
        done: Future[None],
        tick: int,
        texts: Sequence[tuple[str, str, str]],
        records: Sequence[Record],
    ) -> None:
        """Keep the decisions and the sample of a tick, if that became durable. Runs in the thread
        of the journal's writer."""
        if done.exception() is not None:
            return
        kept = list(records)
        for handoff, answer, seal in texts:
            try:
                decision = self._decision(
                    tick, read_text(handoff.encode()), read_text(answer.encode()), seal
                )
            except (ThorpError, KeyError):
                _log.exception("a decision is not shown")
                continue
            if decision.status != "duplicate":
                kept.append(decision)
        # Dealings are counted as they happen; a copy of them is older than what is known.
        self._take([record for record in kept if not isinstance(record, DealingsRecord)])
        self._write(kept, "ab")

    def _decision(self, tick: int, handoff: Any, result: Any, seal: str) -> Decision:
        """What the page shows of a handoff. `seal` is the snapshot that its town had then."""
        proposal = handoff["proposal"]
        failures = result["evaluation"]["preconditions"]["failures"]
        fresh = result["evaluation"]["staleCheck"].get("passed", False)
        snapshot = read_text(seal.encode()) if seal and fresh else None
        return Decision(
            tick=tick,
            town=proposal["townId"],
            actor=clip(proposal["actorId"], TEXT_BYTES),
            type=proposal["type"],
            target=clip(str(next(iter(proposal["args"].values()), "")), TEXT_BYTES),
            command=clip(handoff["command"], TEXT_BYTES),
            priority=proposal["priority"],
            reason=clip(proposal["reason"], TEXT_BYTES),
            saw={} if snapshot is None else snapshot["pressure"],
            weighed=[] if snapshot is None else self._weighed(snapshot, proposal),
            status=result["status"],
            reason_code=result["reasonCode"],
            detail=clip("; ".join(each["detail"] for each in failures), TEXT_BYTES),
            contract=(result.get("worldState") or {}).get("contractId") or "",
        )

    def _weighed(self, snapshot: Any, proposal: Any) -> list[Weighed]:
        """The candidates of the built-in governor of this role, if it proposes the same from the
        same snapshot: then it was that governor, or one that decides alike."""
        role = proposal["actorId"].partition("-")[0]
        if role not in ROLES:
            return []
        profile = built_in_profile(role, proposal["townId"])
        governor = self._governors.setdefault((proposal["townId"], role), Governor(profile))
        for memory in (governor.memory, {}):
            inspected = inspect_decision(snapshot, profile, memory)
            if inspected["selectedProposal"]["proposalId"] == proposal["proposalId"]:
                governor.remember(proposal)
                return [
                    Weighed(
                        candidate["type"],
                        candidate["targetId"],
                        candidate["priority"],
                        candidate["selected"],
                    )
                    for candidate in inspected["candidates"][:WEIGHED_SHOWN]
                ]
        return []

    def _take(self, kept: Sequence[Record]) -> None:
        for record in kept:
            match record:
                case Decision():
                    self._decisions.append(record)
                case Sample():
                    self._samples.append(record)
                case Election():
                    self._elections.append(record)
                case DealingsRecord():
                    self.dealings.take(record.dealings)
                case _:
                    self.buildings.take(record)
        if len(self._samples) > POINTS_KEPT:
            self._samples = self._samples[::2]

    def _write(self, kept: Sequence[Record], mode: str) -> None:
        if self._path is None or not (kept or mode == "wb"):
            return
        with suppress(OSError), self._path.open(mode) as file:  # it is only a cache
            file.write(b"".join(_encode(record) + b"\n" for record in kept))

    def _read(self) -> bytes:
        """What earlier servers wrote; of a long file, the end. A file that cannot be read is left
        alone, and nothing is written over it."""
        if self._path is None:
            return b""
        try:
            return _read_end(self._path)
        except ThorpError as problem:
            if problem.code != "missing" or self._path.is_symlink():
                _log.warning("the society's past is not kept: %s", problem)
                self._path = None
            return b""

    def _load(self, until: int) -> None:
        """Read what earlier servers wrote, except for ticks after the last one of this world, which
        was set back. The file is then written anew with that."""
        content = self._read()
        if not content:
            return
        for line in content.splitlines():
            with suppress(msgspec.MsgspecError):
                record = _read_line(line)
                if record is not None and record.tick <= until:
                    self._take([record])
        kept: list[Record] = [*self._decisions, *self._samples, *self._elections]
        kept += self.buildings.records()
        dealings = self.dealings.record(until)
        if dealings.dealings:
            kept.append(dealings)
        self._write(sorted(kept, key=lambda record: record.tick), "wb")


def kept_buildings(path: Path, until: int) -> BuildingRegister:
    """The buildings and homes that were noted beside a world up to a tick; none if there are no
    annals to read. Writes nothing."""
    register = BuildingRegister()
    with suppress(ThorpError):
        for line in _read_end(path / FILE).splitlines():
            with suppress(msgspec.MsgspecError):
                record = _read_line(line)
                if isinstance(record, Building | Home) and record.tick <= until:
                    register.take(record)
    return register


def kept_decisions(path: Path, town: str, until: int) -> list[Decision]:
    """The newest decisions of a town that were noted beside a world up to a tick, the newest first;
    none if there are no annals to read. Writes nothing."""
    decisions: deque[Decision] = deque(maxlen=DECISIONS_SHOWN)
    with suppress(ThorpError):
        for line in _read_end(path / FILE).splitlines():
            with suppress(msgspec.MsgspecError):
                record = _read_line(line)
                if isinstance(record, Decision) and record.town == town and record.tick <= until:
                    decisions.append(record)
    return list(decisions)[::-1]


def _read_end(path: Path) -> bytes:
    """The end of a file of annals, as far as it is read."""
    with closing(RealDisk().open(path)) as file:
        return file.read(max(0, file.size() - MAX_READ_BYTES), MAX_READ_BYTES)


def _read_line(line: bytes) -> Record | None:
    """The record of a line; None if no kind looks like it."""
    for mark, kind in _KINDS:
        if mark in line:
            return msgspec.json.decode(line, type=kind)
    return None
