"""What the page tells of the past of a society: decisions of councils, and what treasuries were
worth.

They are seen as they happen, from the first day of a village on, and written down beside the world,
so that the next server knows them. The file is a cache: without it these pictures are lost, and
nothing else.
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
from thorp.protocol.frame import clip
from thorp.store import RealDisk
from thorp.town import inspect_decision
from thorp.town.embedded.council import Governor
from thorp.town.profile import ROLES, built_in_profile
from thorp.voxel.inputs import AnyInput
from thorp.voxel.lookups.goods import worth
from thorp.voxel.state.world import World

FILE: Final = "annals.jsonl"
DECISIONS_KEPT: Final = 400
DECISIONS_SHOWN: Final = 20
POINTS_KEPT: Final = 500
# The oldest organisations, if there are very many.
ORGS_KEPT: Final = 100
# Of the file, at its end: ten times what is kept of it. It is written anew at every start.
MAX_READ_BYTES: Final = 16 * 2**20
# A hundred points a day; fewer when there are too many.
SAMPLE_TICKS: Final = 60
WEIGHED_SHOWN: Final = 8
TEXT_BYTES: Final = 300

_log = logging.getLogger(__name__)


class Weighed(msgspec.Struct):
    """An action that a governor weighed, and whether it was chosen."""

    type: str
    target: str
    priority: float
    selected: bool


class Decision(msgspec.Struct, kw_only=True):
    """What a governor saw, why it ordered what it did, and what came of it."""

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
    """The meters of the town; empty if it had looked at another day."""
    weighed: list[Weighed]
    """All candidates of a governor that decides as the built-in ones do; of others this is not
    known."""
    status: str
    reason_code: str
    detail: str
    """What stood in the way, and what would help."""
    contract: str


class Sample(msgspec.Struct):
    """What each treasury was worth at a tick."""

    tick: int
    treasuries: dict[str, int]


_encode = msgspec.json.Encoder().encode


class Annals:
    """What the world itself does not keep: governors' decisions and samples of treasuries, for the
    page."""

    def __init__(self, world: World | None = None, path: Path | None = None) -> None:
        self._path = None if path is None else path / FILE
        self._decisions: deque[Decision] = deque(maxlen=DECISIONS_KEPT)
        self._samples: list[Sample] = []
        self._governors: dict[tuple[str, str], Governor] = {}
        if world is not None:
            self._load(world.tick)

    def decisions(self, town: str, before: int | None) -> list[Decision]:
        """The newest decisions about a town, the newest first."""
        all_of_them = list(self._decisions)  # another thread adds to them
        matches = [
            decision
            for decision in all_of_them
            if decision.town == town and (before is None or decision.tick < before)
        ]
        return matches[: -DECISIONS_SHOWN - 1 : -1]

    def treasury(self, org: str) -> list[tuple[int, int]]:
        """What an organisation's treasury was worth, by tick."""
        return [
            (sample.tick, sample.treasuries[org])
            for sample in self._samples
            if org in sample.treasuries
        ]

    def look(self, world: World, _: Sequence[AnyInput], durable: Future[None]) -> None:
        """Keep what a tick brought, once it is durable."""
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
        if sealed_results or sample is not None:
            durable.add_done_callback(lambda done: self._keep(done, tick, sealed_results, sample))

    def _keep(
        self,
        done: Future[None],
        tick: int,
        texts: Sequence[tuple[str, str, str]],
        sample: Sample | None,
    ) -> None:
        """Keep what a tick brought, if it is durable. Runs in the thread that made it so."""
        if done.exception() is not None:
            return
        kept: list[Decision | Sample] = [] if sample is None else [sample]
        for handoff, answer, seal in texts:
            try:
                decision = self._decision(
                    tick, read_text(handoff.encode()), read_text(answer.encode()), seal
                )
            except (ThorpError, KeyError):
                _log.exception("a decision is not told")
                continue
            if decision.status != "duplicate":
                kept.append(decision)
        self._take(kept)
        self._write(kept, "ab")

    def _decision(self, tick: int, handoff: Any, result: Any, seal: str) -> Decision:
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
        """What the built-in governor weighed, if it decides the same, seeing the same."""
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
                    Weighed(one["type"], one["targetId"], one["priority"], one["selected"])
                    for one in inspected["candidates"][:WEIGHED_SHOWN]
                ]
        return []

    def _take(self, kept: Sequence[Decision | Sample]) -> None:
        for record in kept:
            if isinstance(record, Decision):
                self._decisions.append(record)
            else:
                self._samples.append(record)
        if len(self._samples) > POINTS_KEPT:
            self._samples = self._samples[::2]

    def _write(self, kept: Sequence[Decision | Sample], mode: str) -> None:
        if self._path is None or not (kept or mode == "wb"):
            return
        with suppress(OSError), self._path.open(mode) as file:  # it is only a cache
            file.write(b"".join(_encode(record) + b"\n" for record in kept))

    def _read(self) -> bytes:
        """What earlier servers wrote, of a long file the end. What cannot be read is left alone."""
        if self._path is None:
            return b""
        try:
            with closing(RealDisk().open(self._path)) as file:
                return file.read(max(0, file.size() - MAX_READ_BYTES), MAX_READ_BYTES)
        except ThorpError as problem:
            if problem.code != "missing" or self._path.is_symlink():
                _log.warning("the society's past is not kept: %s", problem)
                self._path = None
            return b""

    def _load(self, until: int) -> None:
        """Read what earlier servers wrote, but nothing that this world has not lived. Writes it
        anew."""
        content = self._read()
        if not content:
            return
        for line in content.splitlines():
            with suppress(msgspec.MsgspecError):
                kind: type[Decision | Sample] = Decision if b'"command":' in line else Sample
                one = msgspec.json.decode(line, type=kind)
                if one.tick <= until:
                    self._take([one])
        kept: list[Decision | Sample] = [*self._decisions, *self._samples]
        self._write(sorted(kept, key=lambda one: one.tick), "wb")
