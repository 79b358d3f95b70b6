"""The directory of a run on disk: its manifest, its journal and its results, and how it is resumed.

    manifest.json     all inputs, versions, and its own digest; written first
    results.journal   a record for each finished task; removed when the run is finished
    results.jsonl     every result in the plan's order; written last, so it marks a finished run

While a run goes on, its journal is the truth. A finished directory does not depend on the order of
completion, the number of workers or the number of interruptions: files that do are removed at the
end.
"""

import contextlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ConflictError, DamagedError, InvalidError, ThorpError
from thorp.kernel.identity import digest
from thorp.kernel.manifest import manifest_bytes, manifest_content
from thorp.store import Disk, Journal, read_whole, write_atomic

MANIFEST = "manifest.json"
JOURNAL = "results.journal"
RESULTS = "results.jsonl"

_TORN = r"(\.torn-\d+-[0-9a-f]+)?"
MAX_SHOWN = 3  # How many differences between two manifests an error message names.
MAX_MOVED_ASIDE = 1000  # The most `.old-N` directories beside a run's.


class RunDirectory:
    """An open directory, locked until it is closed."""

    def __init__(
        self, disk: Disk, path: Path, manifest: Mapping[str, Json], below: Sequence[str] = ()
    ) -> None:
        """Make the directory and those `below` it, or resume one that `check_directory` has not
        refused."""
        self._disk = disk
        self.path = path
        data = manifest_bytes(manifest)
        disk.make_directories(path)
        # The manifest comes first: a directory without one is not ours.
        if not disk.exists(path / MANIFEST):
            write_atomic(disk, path / MANIFEST, data)
        for name in below:
            disk.make_directories(path / name)
        self._journal = _open_journal(disk, path, {"manifest": digest(data)})

    def lines(self) -> list[bytes]:
        """The results so far: those of a finished run, then those in the journal. If a task has
        several, the last one counts."""
        path = self.path / RESULTS
        finished = read_whole(self._disk, path).split(b"\n")[:-1] if self._disk.exists(path) else []
        return [*finished, *self._journal.read()]

    def append(self, lines: Sequence[bytes]) -> None:
        """Record results durably."""
        self._journal.append(lines)

    def write_finished(self, results: bytes, others: Mapping[str, bytes] = {}) -> None:
        """Write the files of a finished run, the results last, and remove temporary ones."""
        files = {**others, RESULTS: results}
        for name, data in files.items():
            write_atomic(self._disk, self.path / name, data, replace=True)
        ours = "|".join(map(re.escape, (MANIFEST, JOURNAL, *files)))
        temporary = re.compile(rf"{re.escape(JOURNAL)}{_TORN}|\.({ours}){_TORN}\.\d+\.tmp")
        for name in self._disk.list(self.path):
            if temporary.fullmatch(name):
                self._disk.remove(self.path / name)
        self._disk.sync_directory(self.path)

    def close(self) -> None:
        """Let go of the directory."""
        self._journal.close()


class RunKind(NamedTuple):
    """A kind of run: its name in messages, and the name and number of its manifest's version."""

    noun: str
    version_name: str
    version: int

    def check_directory(self, disk: Disk, path: Path, manifest: Mapping[str, Json]) -> None:
        """Refuse a path that holds something else, or another run; the message says how they
        differ."""
        if not disk.exists(path):
            return
        names = _names(disk, path)
        if MANIFEST in names:
            try:
                there = self.read_manifest(disk, path)
            except DamagedError as damage:
                raise DamagedError(f"{damage}; start over with --force", code=damage.code) from None
            if differences := _differences(there, manifest):
                raise ConflictError(
                    f"{path} holds another {self.noun} ({differences}); give another --out, or "
                    "--force to move it aside",
                    code=f"other_{self.noun}",
                )
        elif any(not name.startswith(f".{MANIFEST}.") for name in names):
            raise ConflictError(
                f"{path} exists and holds no {self.noun}; give another --out", code="exists"
            )

    def move_aside(self, disk: Disk, path: Path) -> Path | None:
        """Rename a directory to the first free `NAME.old-N` and return that path; None if there is
        no directory. Refuses one that does not hold a run, that a run has locked, or that is the
        working directory."""
        if not disk.exists(path) or not (names := _names(disk, path)):
            return None
        if MANIFEST not in names:
            raise ConflictError(
                f"{path} holds no {self.noun} and stays; give another --out", code="exists"
            )
        path = Path(os.path.abspath(path))
        if path == Path.cwd() or path in Path.cwd().parents:
            raise ConflictError(
                f"{path} is the folder you are in; give another --out", code="exists"
            )
        with contextlib.ExitStack() as held:
            if JOURNAL in names:
                journal = held.enter_context(contextlib.closing(disk.open(path / JOURNAL)))
                journal.lock()
            for number in range(1, MAX_MOVED_ASIDE + 1):
                target = path.with_name(f"{path.name}.old-{number}")
                if not disk.exists(target):
                    disk.replace(path, target)
                    disk.sync_directory(path.parent)
                    return target
        raise ConflictError(
            f"{path}.old-1 to .old-{MAX_MOVED_ASIDE} all exist; delete some", code="exists"
        )

    def read_manifest(self, disk: Disk, path: Path) -> dict[str, Json]:
        """Read the manifest in a directory. Refuses a directory that holds none."""
        if not disk.exists(path / MANIFEST):
            raise InvalidError(
                f"{path} holds no {self.noun}; give the directory of one", code=f"no_{self.noun}"
            )
        data = read_whole(disk, path / MANIFEST)
        return manifest_content(data, path / MANIFEST, (self.version_name, self.version))


def _names(disk: Disk, path: Path) -> Sequence[str]:
    try:
        return disk.list(path)
    except ThorpError:
        raise ConflictError(
            f"{path} is not a readable directory; give another --out", code="exists"
        ) from None


def run_tip(disk: Disk, path: Path) -> str:
    """Return a finished run's tip: the SHA-256 of its manifest and results, concatenated."""
    return digest(read_whole(disk, path / MANIFEST) + read_whole(disk, path / RESULTS))


def _open_journal(disk: Disk, path: Path, header: dict[str, object]) -> Journal:
    """Open the journal of a run, or make it. Refuses one that belongs to another manifest."""
    try:
        journal = Journal.open(disk, path / JOURNAL, header=header)
    except DamagedError as damage:
        raise DamagedError(f"{damage}, or start over with --force", code=damage.code) from damage
    if journal.recovery.header != header:
        journal.close()
        raise DamagedError(
            f"{path / JOURNAL} was written for another manifest; start over with --force",
            code="manifest",
        )
    return journal


def _differences(there: Mapping[str, Json], here: Mapping[str, Json]) -> str:
    """Describe how two manifests differ; empty if they are equal."""
    old = _flat(there)
    new = _flat(here)
    differences = [
        f"{name} is {_value_text(old.get(name))} there and {_value_text(new.get(name))} here"
        for name in sorted({*old, *new}, key=lambda name: (name != "format", name))
        if old.get(name) != new.get(name)
    ]
    more = f"; and {len(differences) - MAX_SHOWN} more" if len(differences) > MAX_SHOWN else ""
    return "; ".join(differences[:MAX_SHOWN]) + more


def _flat(manifest: Mapping[str, Json]) -> dict[str, Json]:
    """Flatten a manifest, so that every setting and every entrant has its own name."""
    flat: dict[str, Json] = {}
    for name, value in manifest.items():
        if name == "entrants" and isinstance(value, list):
            for entrant in (each for each in value if isinstance(each, dict)):
                flat[f"agent {entrant.get('id')}"] = entrant.get("spec")
                flat[f"the file of agent {entrant.get('id')}"] = entrant.get("sha256")
        elif isinstance(value, dict):
            flat.update(value)
        else:
            flat[name] = value
    return flat


def _value_text(value: Json) -> str:
    """A setting in short, for a message."""
    if isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        return f"a list of {len(value)}"
    text = "absent" if value is None else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else f"{text[:39]}…"
