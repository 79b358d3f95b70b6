"""Announcements: what will be played is in the log before the first move, so nobody can show only the best.

    opening      one leaf a fixture: scenario, parameters, seats with the digests of their code, and the
                 event: a commitment to the plan with its seed and secret, SHA-256(canonical plan || nonce)
    closing,     the event again and its nonce, so that the plan can be held against the commitment,
    tournament   and what came of it

The nonce follows from the log's key and the plan: whoever resumes announces the same leaves again, which keep
their numbers, and nobody else can guess the plan's seed from the commitment.
"""

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.merkle import leaf_hash
from thorp.kernel.note import NoteError, encode_base64
from thorp.kernel.strict_json import read_document
from thorp.log.directory import Log
from thorp.log.leaf import file_leaf, make_leaf
from thorp.log.signer import Signer


class Fixture(NamedTuple):
    """One match that will be played: its key, and the ids of its seats."""

    key: str
    seats: tuple[str, ...]


class Announcement:
    """A plan that is announced in a log, and closed there when it has been played."""

    def __init__(self, log: Log, signers: Sequence[Signer], plan: Mapping[str, Json]) -> None:
        self._log = log
        self._signers = signers
        self._text = canonical_bytes(plan)
        self._plan = plan
        self._nonce = sha256(signers[0].sign(f"nonce\n{sha256(self._text).hexdigest()}\n").data).digest()
        self.event = sha256(self._text + self._nonce).hexdigest()

    def open(self, fixtures: Iterable[Fixture], code: Mapping[str, str | None]) -> None:
        """Publish the opening of every fixture; `code` has the SHA-256 of a seat's program, if it has one."""
        self._log.add([self._opening(fixture, code) for fixture in fixtures])
        self._log.checkpoint(self._signers)

    def _opening(self, fixture: Fixture, code: Mapping[str, str | None]) -> bytes:
        seats = [{"id": seat, "sha256": code.get(seat)} for seat in fixture.seats]
        members = {name: self._plan.get(name) for name in ("scenario", "parameters")}
        return make_leaf("opening", {"event": self.event, "fixture": fixture.key, "seats": seats, **members})

    def close_match(self, file: Path) -> None:
        """Publish a match, and which announcement it fulfils."""
        match = file_leaf(file)
        played = encode_base64(leaf_hash(match))
        self._publish(match, make_leaf("closing", {**self._opened(), "leaf": played}))

    def close_tournament(self, *, tip: str, standings: bytes, matches: int) -> None:
        """Publish a tournament. Its tip covers the plan, every outcome, and the digests of all logs."""
        members = {
            **self._opened(),
            "tip": tip,
            "standings": sha256(standings).hexdigest(),
            "matches": matches,
        }
        self._publish(make_leaf("tournament", members))

    def _opened(self) -> dict[str, Json]:
        return {"event": self.event, "nonce": self._nonce.hex()}

    def _publish(self, *leaves: bytes) -> None:
        self._log.add(leaves)
        self._log.checkpoint(self._signers)


class Promises(NamedTuple):
    """What a log announced: how many fixtures, and those that never came, by event."""

    announced: int
    missing: dict[str, list[str]]


def promises(entries: Iterable[bytes]) -> Promises:
    """Hold the openings of a log against its closings."""
    openings: dict[str, list[str]] = {}
    closed: set[str] = set()
    for entry in entries:
        leaf = _members(entry)
        match leaf:
            case {"kind": "opening", "event": str(event), "fixture": str(fixture)}:
                openings.setdefault(event, []).append(fixture)
            case {"kind": "closing" | "tournament", "event": str(event)}:
                closed.add(event)
    announced = sum(map(len, openings.values()))
    return Promises(announced, {event: keys for event, keys in openings.items() if event not in closed})


def check_plan(plan: Mapping[str, Json], leaf: bytes) -> None:
    """Refuse a plan that is not the one whose announcement a closing leaf names."""
    members = _members(leaf)
    nonce = members.get("nonce")
    if isinstance(nonce, str) and "event" in members:
        try:
            event = sha256(canonical_bytes(plan) + bytes.fromhex(nonce)).hexdigest()
        except ValueError:
            event = ""
        if event != members["event"]:
            raise NoteError("the plan is not the one that was announced before the first move")


def _members(entry: bytes) -> dict[str, Json]:
    found = read_document(entry)
    return found if isinstance(found, dict) else {}
