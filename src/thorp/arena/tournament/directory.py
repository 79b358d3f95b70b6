"""A tournament's directory on disk: its files, and how an interrupted tournament is resumed.

    manifest.json     everything that was given, versions, and its own digest; written first
    results.journal   one record per finished match; removed when the tournament is finished
    logs/             KEY.jsonl for every match; with models also KEY.replies.jsonl, and for a scenario that
                      logs digests of observations KEY.observations.txt
    standings.json, report.html
    results.jsonl     every outcome in schedule order; written last, so it marks a finished tournament

The journal is the authority while the tournament runs. A record is synced after its log was written, but the
log itself is not synced: a sync per match would take longer than the match. So a log counts only if it has
the digest in its record; a match whose log is missing or different is played again. Of several outcomes of a
match the last one counts.

A finished directory does not depend on the order of completion, the number of workers or the number of
interruptions: what does (the journal, remains of recovery, unfinished writes) is removed at the end.

An existing directory is continued only if its manifest is the same; `--force` renames it to `NAME.old-1`,
`.old-2` and so on, and deletes nothing.
"""

import contextlib
import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from thorp.arena.manifest import manifest_bytes, manifest_content
from thorp.arena.service import LOG
from thorp.arena.tournament.outcome import Outcome, read_outcome
from thorp.arena.tournament.plan import FORMAT_VERSION
from thorp.arena.tournament.report import FinishedTournament
from thorp.arena.tournament.schedule import Fixture
from thorp.arena.tournament.workers import PlayedMatch
from thorp.kernel.canonical import Json
from thorp.kernel.errors import ConflictError, DamagedError, InvalidError, ThorpError
from thorp.kernel.identity import digest
from thorp.store import Disk, Journal, read_whole, write_atomic

MANIFEST = "manifest.json"
JOURNAL = "results.journal"
RESULTS = "results.jsonl"
STANDINGS = "standings.json"
REPORT = "report.html"
LOGS = "logs"

_TORN = r"(\.torn-\d+-[0-9a-f]+)?"
_OURS = "|".join(map(re.escape, (MANIFEST, STANDINGS, REPORT, RESULTS, JOURNAL)))
_TEMPORARY = re.compile(rf"{re.escape(JOURNAL)}{_TORN}|\.({_OURS}){_TORN}\.\d+\.tmp")
"""The journal, remains of its recovery, and unfinished writes: files that a finished tournament drops."""

MAX_SHOWN = 3
"""How many differences between two tournaments an error message names."""

MAX_MOVED_ASIDE = 1000
"""The most `.old-N` directories beside a tournament."""


class TournamentDirectory:
    """An open tournament directory, locked until it is closed."""

    def __init__(self, disk: Disk, path: Path, manifest: Mapping[str, Json], *, logs: bool) -> None:
        """Make the directory, or resume one with the same manifest; `check_directory` refuses any other."""
        self._disk = disk
        self.path = path
        self._logs = logs
        self._logs_path = path / LOGS
        data = manifest_bytes(manifest)
        disk.make_directories(path)
        # The manifest comes first: a directory without one is not a tournament's.
        if not disk.exists(path / MANIFEST):
            write_atomic(disk, path / MANIFEST, data)
        if logs:
            disk.make_directories(self._logs_path)
        self._journal = _open_journal(disk, path, {"manifest": digest(data)})

    def outcomes(self, schedule: Sequence[Fixture]) -> dict[str, Outcome]:
        """Read the outcomes so far, by key: those in the schedule whose files are intact."""
        fixtures = {fixture.key: fixture for fixture in schedule}
        known: dict[str, Outcome] = {}
        for line in (*self._finished(), *self._journal.read()):
            with contextlib.suppress(DamagedError):
                outcome = read_outcome(line)
                if outcome.key in fixtures and fixtures[outcome.key].seats == outcome.seats:
                    known[outcome.key] = outcome
        return {key: outcome for key, outcome in known.items() if self._has_intact_files(outcome)}

    def record(self, played: Iterable[PlayedMatch]) -> None:
        """Record matches: write their files first, then append their records durably."""
        records = []
        for match in played:
            for kind, data in match.files.items():
                self._write_file(match.outcome.key, kind, data)
            records.append(match.outcome.line())
        self._journal.append(records)

    def finish(self, finished: FinishedTournament) -> None:
        """Write standings and report, the results last, and remove temporary files."""
        lines = b"".join(outcome.line() + b"\n" for outcome in finished.outcomes)
        files = {STANDINGS: finished.to_bytes(), REPORT: finished.report(), RESULTS: lines}
        for name, data in files.items():
            write_atomic(self._disk, self.path / name, data, replace=True)
        for name in self._disk.list(self.path):
            if _TEMPORARY.fullmatch(name):
                self._disk.remove(self.path / name)
        self._disk.sync_directory(self.path)

    def close(self) -> None:
        self._journal.close()

    def _finished(self) -> list[bytes]:
        if not self._disk.exists(self.path / RESULTS):
            return []
        return read_whole(self._disk, self.path / RESULTS).split(b"\n")[:-1]

    def _has_intact_files(self, outcome: Outcome) -> bool:
        expected = {LOG: outcome.log, **outcome.beside} if self._logs else {}
        return all(self._file_digest(outcome.key, kind) == sha256 for kind, sha256 in expected.items())

    def _file_digest(self, key: str, kind: str) -> str | None:
        path = self._file_path(key, kind)
        return digest(read_whole(self._disk, path)) if self._disk.exists(path) else None

    def _write_file(self, key: str, kind: str, data: bytes) -> None:
        path = self._file_path(key, kind)
        try:
            file = self._disk.create(path)
        except ConflictError:
            self._disk.remove(path)  # left by a match that was not recorded, or is played again
            file = self._disk.create(path)
        try:
            file.write(0, data)
        except ThorpError:
            with contextlib.suppress(ThorpError):
                self._disk.remove(path)
            raise
        finally:
            file.close()

    def _file_path(self, key: str, kind: str) -> Path:
        return self._logs_path / f"{key}.{kind}"


def check_directory(disk: Disk, path: Path, manifest: Mapping[str, Json]) -> None:
    """Refuse a path that holds something else, or another tournament; the message names what differs."""
    if not disk.exists(path):
        return
    names = _names(disk, path)
    if MANIFEST in names:
        try:
            there = read_manifest(disk, path)
        except DamagedError as damage:
            raise DamagedError(f"{damage}; start over with --force", code=damage.code) from None
        if differences := _differences(there, manifest):
            raise ConflictError(
                f"{path} holds another tournament ({differences}); give another --out, or --force to move it "
                "aside",
                code="other_tournament",
            )
    elif any(not name.startswith(f".{MANIFEST}.") for name in names):
        raise ConflictError(f"{path} exists and holds no tournament; give another --out", code="exists")


def move_aside(disk: Disk, path: Path) -> Path | None:
    """Rename a tournament to the first free `NAME.old-N` and return that path; None if there is none. Refuses
    a directory that is not a tournament, that is locked by a run, or that is the working directory."""
    if not disk.exists(path) or not (names := _names(disk, path)):
        return None
    if MANIFEST not in names:
        raise ConflictError(f"{path} holds no tournament and stays; give another --out", code="exists")
    path = Path(os.path.abspath(path))
    if path == Path.cwd() or path in Path.cwd().parents:
        raise ConflictError(f"{path} is the folder you are in; give another --out", code="exists")
    with contextlib.ExitStack() as held:
        if JOURNAL in names:
            journal = held.enter_context(contextlib.closing(disk.open(path / JOURNAL)))
            journal.lock()
        return _rename_to_free_name(disk, path)


def _names(disk: Disk, path: Path) -> Sequence[str]:
    try:
        return disk.list(path)
    except ThorpError:
        raise ConflictError(f"{path} is no readable directory; give another --out", code="exists") from None


def _rename_to_free_name(disk: Disk, path: Path) -> Path:
    for number in range(1, MAX_MOVED_ASIDE + 1):
        target = path.with_name(f"{path.name}.old-{number}")
        if not disk.exists(target):
            disk.replace(path, target)
            disk.sync_directory(path.parent)
            return target
    raise ConflictError(f"{path}.old-1 to .old-{MAX_MOVED_ASIDE} all exist; delete some", code="exists")


def read_manifest(disk: Disk, path: Path) -> dict[str, Json]:
    """Read the manifest in a directory. Refuses a directory that holds no tournament."""
    if not disk.exists(path / MANIFEST):
        raise InvalidError(f"{path} holds no tournament; give the directory of one", code="no_tournament")
    return manifest_content(read_whole(disk, path / MANIFEST), path / MANIFEST, ("version", FORMAT_VERSION))


def stored_secret(disk: Disk, path: Path) -> str | None:
    """Return the secret of the tournament in a directory; None if there is none to read."""
    with contextlib.suppress(ThorpError):
        secret = read_manifest(disk, path).get("secret")
        return secret if isinstance(secret, str) else None
    return None


def read_results(disk: Disk, path: Path, ids: Sequence[str]) -> list[Outcome]:
    """Read the outcomes of a finished tournament, in schedule order. Refuses an unfinished one."""
    if not disk.exists(path / RESULTS):
        raise InvalidError(
            f"{path} is not finished; run the command that began it again to go on", code="not_finished"
        )
    *lines, rest = read_whole(disk, path / RESULTS).split(b"\n")
    outcomes = []
    for number, line in enumerate([*lines, rest] if rest else lines, start=1):
        try:
            if number > len(lines):
                raise DamagedError("the line breaks off")
            outcome = read_outcome(line)
            if strangers := [id for id in outcome.seats if id not in ids]:
                raise DamagedError(f"{strangers[0]!a} is none of the entrants")
        except DamagedError as damage:
            raise DamagedError(f"{path / RESULTS}:{number}: damaged: {damage}", code="result") from None
        outcomes.append(outcome)
    return outcomes


def tournament_tip(disk: Disk, path: Path) -> str:
    """Return a finished tournament's tip: the SHA-256 of its manifest and results, concatenated.

    The results hold the digests of all logs, so the tip covers every byte that the table follows from.
    """
    return digest(read_whole(disk, path / MANIFEST) + read_whole(disk, path / RESULTS))


def _open_journal(disk: Disk, path: Path, header: dict[str, object]) -> Journal:
    try:
        journal = Journal.open(disk, path / JOURNAL, header=header)
    except DamagedError as damage:
        raise DamagedError(f"{damage}, or start over with --force", code=damage.code) from damage
    if journal.recovery.header != header:
        journal.close()
        raise DamagedError(
            f"{path / JOURNAL} was written for another manifest; start over with --force", code="manifest"
        )
    return journal


def _differences(there: Mapping[str, Json], here: Mapping[str, Json]) -> str:
    """Describe how two manifests differ; empty if they are equal."""
    old, new = _flat(there), _flat(here)
    found = [
        f"{name} is {_shown(old.get(name))} there and {_shown(new.get(name))} here"
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]
    more = f"; and {len(found) - MAX_SHOWN} more" if len(found) > MAX_SHOWN else ""
    return "; ".join(found[:MAX_SHOWN]) + more


def _flat(manifest: Mapping[str, Json]) -> dict[str, Json]:
    """Flatten a manifest, so that every setting and every entrant has its own name."""
    flat: dict[str, Json] = {}
    for name, value in manifest.items():
        if name == "entrants" and isinstance(value, list):
            for entrant in filter(lambda entrant: isinstance(entrant, dict), value):
                flat[f"agent {entrant.get('id')}"] = entrant.get("spec")
                flat[f"the file of agent {entrant.get('id')}"] = entrant.get("sha256")
        elif isinstance(value, dict):
            flat.update(value)
        else:
            flat[name] = value
    return flat


def _shown(value: Json) -> str:
    text = "absent" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:39]}…"
