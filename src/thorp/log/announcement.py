"""Leaves and announcements.

A leaf is a small JSON document that names a published file by its whole SHA-256 digest, never by
its text. An announcement puts the matches of an event into the log before the first move, so that
nobody can show only the best of them.

`docs/proof.md` lists the kinds of leaves. The event of an opening is a commitment to the plan with
its seed and secret, SHA-256(canonical plan || nonce); the last leaf of an event has the nonce. The
nonce is derived from the log's key and the plan. So a resumed event announces the same leaves
again, which keep their numbers, and nobody else can guess the plan's seed from the commitment.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Final, NamedTuple

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import ThorpError, UnknownError
from thorp.kernel.strict_json import read_document
from thorp.log.directory import MAX_ADDED, Log
from thorp.log.merkle import leaf_hash
from thorp.log.note import NoteError, encode_base64
from thorp.log.signer import Signer

FORMAT: Final = "thorp.leaf"
VERSION: Final = 1
MATCH_SUFFIX: Final = ".jsonl"
MANIFEST_SUFFIX: Final = ".manifest.json"
# The files that may lie beside a match: the name in its leaf, and the end of the file's name.
SIDECARS: Final = {
    "manifest": MANIFEST_SUFFIX,
    "observations": ".observations.txt",
    "replies": ".replies.jsonl",
}


def make_leaf(kind: str, members: dict[str, Json]) -> bytes:
    """A leaf of a kind, as the log holds it."""
    return canonical_bytes({"format": FORMAT, "kind": kind, "version": VERSION, **members})


def file_leaf(path: Path) -> bytes:
    """The leaf of a file: of kind `match` if its manifest lies beside it, else of kind `file`."""
    members = _digest(path)
    stem = path.name.removesuffix(MATCH_SUFFIX)
    if not path.name.endswith(MATCH_SUFFIX) or not path.with_name(stem + MANIFEST_SUFFIX).exists():
        return make_leaf("file", members)
    for name, suffix in SIDECARS.items():
        sidecar = path.with_name(stem + suffix)
        if sidecar.exists():
            members[name] = _digest(sidecar)
    return make_leaf("match", members)


def _digest(path: Path) -> dict[str, Json]:
    if not path.is_file():
        raise UnknownError(f"{path}: no such file; check the path", code="no_file")
    with path.open("rb") as file:
        return {"sha256": file_digest(file, "sha256").hexdigest(), "bytes": file.tell()}


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
        self._nonce = sha256(
            signers[0].sign(f"nonce\n{sha256(self._text).hexdigest()}\n").data
        ).digest()
        self.event = sha256(self._text + self._nonce).hexdigest()

    def open(self, fixtures: Iterable[Fixture], code: Mapping[str, str | None]) -> None:
        """Publish the opening of every fixture. `code` has the SHA-256 of the programs that play,
        by seat."""
        plan = {name: self._plan.get(name) for name in ("scenario", "parameters")}
        leaves = []
        for fixture in fixtures:
            seats = [{"id": seat, "sha256": code.get(seat)} for seat in fixture.seats]
            members = {"event": self.event, "fixture": fixture.key, "seats": seats, **plan}
            leaves.append(make_leaf("opening", members))
        self._publish(leaves)

    def close_match(self, fixture: str, file: Path) -> None:
        """Publish a match, and the fixture that it was."""
        match = file_leaf(file)
        came = {"fixture": fixture, "leaf": encode_base64(leaf_hash(match))}
        self._publish([match, make_leaf("closing", {**self._opened(), **came})])

    def close_tournament(self, *, tip: str, standings: bytes, logs: Mapping[str, str]) -> None:
        """Publish a tournament; `logs` has the SHA-256 of each fixture's log.

        Its tip covers the plan, every outcome, and the digests of all logs.
        """
        closings = [
            make_leaf("closing", {"event": self.event, "fixture": fixture, "sha256": log})
            for fixture, log in logs.items()
        ]
        members = {
            **self._opened(),
            "tip": tip,
            "standings": sha256(standings).hexdigest(),
            "matches": len(closings),
            "closings": sha256(b"".join(map(leaf_hash, closings))).hexdigest(),
        }
        self._publish([*closings, make_leaf("tournament", members)])

    def _opened(self) -> dict[str, Json]:
        """The members by which anybody with the plan can check the commitment."""
        return {"event": self.event, "nonce": self._nonce.hex()}

    def _publish(self, leaves: Sequence[bytes]) -> None:
        for at in range(0, len(leaves), MAX_ADDED):
            self._log.add(leaves[at : at + MAX_ADDED])
        self._log.checkpoint(self._signers)


class Promises(NamedTuple):
    """How many fixtures a log has announced; by event, those without a result, and those with
    several."""

    announced: int
    missing: dict[str, list[str]]
    repeated: dict[str, list[str]]


def promises(entries: Iterable[bytes]) -> Promises:
    """Compare the openings of a log with its closings. Matches without an opening do not count."""
    came: dict[str, dict[str, int]] = {}
    for entry in entries:
        match members_of(entry):
            case {"kind": "opening", "event": str(event), "fixture": str(fixture)}:
                came.setdefault(event, {}).setdefault(fixture, 0)
            case {"kind": "closing", "event": str(event), "fixture": str(fixture)}:
                if fixture in came.get(event, {}):
                    came[event][fixture] += 1

    def having(times: Callable[[int], bool]) -> dict[str, list[str]]:
        chosen = {
            event: [key for key, count in keys.items() if times(count)]
            for event, keys in came.items()
        }
        return {event: keys for event, keys in chosen.items() if keys}

    return Promises(sum(map(len, came.values())), having(lambda n: n == 0), having(lambda n: n > 1))


def closes(leaf: bytes, match: bytes) -> bool:
    """Whether a leaf is the closing of the match whose own leaf is `match`."""
    members = members_of(leaf)
    return members.get("kind") == "closing" and members.get("leaf") == encode_base64(
        leaf_hash(match)
    )


def check_plan(plan: Mapping[str, Json], leaf: bytes) -> str | None:
    """The event that a leaf closes; None if it closes none. Refuses a plan that is not the one that
    was announced."""
    match members_of(leaf):
        case {"event": str(event), "nonce": str(nonce)}:
            with suppress(ValueError):
                if sha256(canonical_bytes(plan) + bytes.fromhex(nonce)).hexdigest() == event:
                    return event
            raise NoteError("the plan is not the one that was announced before the first move")
    return None


def members_of(entry: bytes) -> dict[str, Json]:
    """The members of one of our leaves; empty for anything else, which other tools may have
    added."""
    try:
        members = read_document(entry)
    except ThorpError:
        members = None
    return members if isinstance(members, dict) else {}
