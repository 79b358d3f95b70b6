"""A league on disk: an append-only chain of what was proved, and the files of each batch.

    DIR/league.jsonl       a journal (thorp.store): its header names the suite, and each record is a
                           batch; every line carries the hash of the one before
    DIR/batches/TIP/       the files of a batch as they were brought, so that anybody can prove it
                           again: `thorp tournament verify DIR/batches/TIP`

Files are written first, under a temporary name, and get their name together; then the records of
everything that was brought are appended as one batch of the journal, all or none. So whatever cuts
this off, a record without its files cannot come about, and files without a record count for nobody.
"""

from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final, Literal

import msgspec

from thorp.arena.league.batch import Batch, Evidence, read_evidence
from thorp.arena.league.suite import Suite, read_suite
from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.chain import not_on_chain, read_tip
from thorp.kernel.errors import ConflictError, DamagedError, InvalidError, UnknownError
from thorp.store import Disk, Journal, hold, inspect_journal, read_journal, read_whole
from thorp.store.scan import Chain

CHAIN: Final = "league.jsonl"
BATCHES: Final = "batches"
LOCK: Final = "lock"
FORMAT: Final = "thorp.league"
VERSION: Final = 1
_BEING_WRITTEN: Final = ".new"
MAX_ADDED: Final = 10_000  # Batches that are brought at once; their records are held in memory.


class Endorsement(msgspec.Struct, frozen=True, kw_only=True):
    """The signed note of somebody else who ran a batch again with the same result, and the key's
    name."""

    kind: Literal["rerun"] = "rerun"
    tip: str
    by: str
    note: str


class League:
    """A league, read as it is; `add` appends to it."""

    def __init__(self, disk: Disk, path: Path) -> None:
        """Read a league. Refuses a directory without one, and a chain that is damaged or cut."""
        self._disk = disk
        self.path = path
        self._chain = path / CHAIN
        if not disk.exists(self._chain):
            raise UnknownError(
                f"{path} holds no league; `thorp league add` begins one", code="no_league"
            )
        chain = inspect_journal(disk, self._chain)
        if chain.torn is not None:
            raise DamagedError(
                f"{self._chain} is cut off in record {chain.torn.from_record}; "
                "`thorp league add` sets the rest aside and goes on from there",
                code="cut",
            )
        self.suite = _suite_of(self._chain, chain.header)
        self.tip = chain.tip
        self.batches: list[Batch] = []
        self.endorsements: list[Endorsement] = []
        for line in read_journal(disk, self._chain):
            record = _read_record(self._chain, line)
            if isinstance(record, Endorsement):
                self.endorsements.append(record)
            else:
                self.batches.append(record)

    def folder(self, batch: Batch) -> Path:
        """Where the files of a batch lie."""
        return self.path / BATCHES / batch.tip

    def check_tip(self, noted: str | None) -> None:
        """Refuse a chain without a tip that was noted earlier: it was cut or rewritten."""
        wanted = read_tip(noted)
        if wanted is None or wanted == self.tip:
            return
        chain = Chain()
        for line in read_whole(self._disk, self._chain).splitlines(keepends=True):
            if chain.accept(line) is None:
                break
            if chain.tip.decode() == wanted:
                return
        raise DamagedError(f"{self._chain}: {not_on_chain(wanted)}", code="cut")


def add_to_league(
    disk: Disk,
    path: Path,
    sources: Sequence[Path],
    suite: Suite,
    *,
    reproduce: bool = False,
) -> list[Batch]:
    """Prove matches and tournaments and add them to a league, all or none; return those that are
    new. The league is begun with `suite` if there is none."""
    if not sources:
        raise InvalidError("nothing to add; give directories or logs", code="nothing")
    if len(sources) > MAX_ADDED:
        raise InvalidError(f"at most {MAX_ADDED} can be added at once", code="sources")
    league = _existing(disk, path)
    if league is not None:
        suite = league.suite
    batches = [] if league is None else league.batches
    added: list[Evidence] = []
    for source in sources:
        if not source.exists():
            raise UnknownError(f"{source}: no such file or directory", code="no_results")
        evidence = read_evidence(disk, source, suite, reproduce=reproduce)
        if _is_new(source, evidence.batch, [*batches, *(each.batch for each in added)]):
            added.append(evidence)
    _write(disk, path, suite, added)
    return [each.batch for each in added]


def merge_leagues(disk: Disk, path: Path, others: Sequence[Path], suite: Suite) -> list[Batch]:
    """Add everything of other leagues that is not there yet, each batch proved again. Refuses a
    league of another suite, and one that contradicts this one."""
    league = _existing(disk, path)
    if league is not None:
        suite = league.suite
    sources: list[Path] = []
    endorsements: list[Endorsement] = []
    for other_path in others:
        other = League(disk, other_path)
        if league is None and not sources:
            suite = other.suite
        if other.suite.digest != suite.digest:
            raise ConflictError(
                f"{other_path} is a league of {other.suite.name} {other.suite.version} "
                f"({other.suite.digest[:12]}), not of {suite.name} {suite.version} "
                f"({suite.digest[:12]})",
                code="other_suite",
            )
        sources += [other.folder(batch) for batch in other.batches]
        endorsements += other.endorsements
    added = add_to_league(disk, path, sources, suite) if sources else []
    if endorsements:
        endorse(disk, path, endorsements)
    return added


def endorse(disk: Disk, path: Path, endorsements: Iterable[Endorsement]) -> int:
    """Record signed words of others who ran batches again; those of unknown batches are refused.
    Returns how many are new."""
    league = League(disk, path)
    tips = {batch.tip for batch in league.batches}
    new = []
    for each in endorsements:
        if each.tip not in tips:
            raise UnknownError(
                f"{path} has no batch {each.tip[:16]}…, which {each.by} ran again", code="no_batch"
            )
        if each not in league.endorsements and each not in new:
            new.append(each)
    if new:
        with closing(hold(disk, path / LOCK)), closing(Journal.open(disk, path / CHAIN)) as journal:
            journal.append([msgspec.json.encode(each) for each in new])
    return len(new)


def _is_new(source: Path, batch: Batch, known: Iterable[Batch]) -> bool:
    """Whether a batch is not there yet. Refuses another outcome of what was played already: one
    would choose the better."""
    for other in known:
        if other.tip == batch.tip:
            return False
        if other.plan == batch.plan:
            raise ConflictError(
                f"{source} contradicts batch {other.tip[:16]}…: the same plan with other results; "
                "a plan counts once",
                code="contradiction",
            )
    return True


def _existing(disk: Disk, path: Path) -> League | None:
    """The league at a path, recovered if its last addition was cut off; None if there is none."""
    if not disk.exists(path / CHAIN):
        if disk.exists(path) and any(name != LOCK for name in disk.list(path)):
            raise ConflictError(
                f"{path} exists and holds no league; give another --league", code="exists"
            )
        return None
    Journal.open(disk, path / CHAIN).close()
    return League(disk, path)


def _write(disk: Disk, path: Path, suite: Suite, evidence: Sequence[Evidence]) -> None:
    disk.make_directories(path / BATCHES)
    with closing(hold(disk, path / LOCK)):
        for each in evidence:
            _keep_files(disk, path / BATCHES, each)
        header = {"kind": FORMAT, "league": VERSION, "suite": _document(suite)}
        with closing(Journal.open(disk, path / CHAIN, header=header)) as journal:
            journal.append([_record(each.batch) for each in evidence])


def _keep_files(disk: Disk, folder: Path, evidence: Evidence) -> None:
    """Copy the files of a batch. A directory that is there already was left by an addition that was
    cut off, and is kept: its name is the digest of its content."""
    place = folder / evidence.batch.tip
    if disk.exists(place):
        return
    made = folder / f"{_BEING_WRITTEN}-{evidence.batch.tip}"
    disk.make_directories(made)
    for name, source in sorted(evidence.files.items()):
        disk.make_directories((made / name).parent)
        if disk.exists(made / name):
            disk.remove(made / name)  # of an earlier attempt
        with closing(disk.create(made / name)) as file:
            file.write(0, read_whole(disk, source))
    disk.replace(made, place)
    disk.sync_directory(folder)


def _record(batch: Batch) -> bytes:
    return canonical_bytes(msgspec.json.decode(msgspec.json.encode(batch)))


def _document(suite: Suite) -> Json:
    return msgspec.json.decode(msgspec.json.encode(suite))


def _suite_of(chain: Path, header: object) -> Suite:
    if not isinstance(header, dict) or header.get("kind") != FORMAT:
        raise InvalidError(f"{chain} is no league's chain", code="no_league")
    if header.get("league") != VERSION:
        raise InvalidError(
            f"{chain} has version {header.get('league')}, this reads {VERSION}", code="version"
        )
    return read_suite(canonical_bytes(header.get("suite")), chain)


def _read_record(chain: Path, line: bytes) -> Batch | Endorsement:
    try:
        if msgspec.json.decode(line, type=dict[str, Json]).get("kind") == "rerun":
            return msgspec.json.decode(line, type=Endorsement)
        return msgspec.json.decode(line, type=Batch)
    except msgspec.MsgspecError as problem:
        raise DamagedError(f"{chain}: not a league's record: {problem}", code="record") from None
