"""Freezes a suite of tasks: `python scripts/tasks.py suites/tasks-1`.

Templates are TOML files, one a family; oracles stand beside them. Every task is played at the seeds
of each split, and seeds at which it cannot be proven are dropped and counted. What was measured is
kept in `proofs.jsonl` beside the oracles, what was dropped in `dropped.jsonl`; the package gets
`tasks.jsonl`, `rows.jsonl` and `suite.json`. A seed that was measured already, of an unchanged task,
is taken over: `--afresh` measures everything again.
"""

import argparse
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from thorp.kernel.canonical import canonical_bytes
from thorp.tasks.episode import Episode
from thorp.tasks.proof import PROOFS_FILE, Oracles, Proof, prove, replayed
from thorp.tasks.record import Row, Split, Task, row_id, suite_digest
from thorp.tasks.suite import ABOUT_FILE, NAME, ROWS_FILE, TASKS_FILE, VERSION, About
from thorp.tasks.templates import read_templates

ROOT: Final = Path(__file__).parent.parent
PACKAGE: Final = ROOT / "src" / "thorp" / "tasks" / "suites"
DROPPED_FILE: Final = "dropped.jsonl"
# The first seed of each split, and how many rows it has. Seeds that fail are replaced by later ones.
SEEDS: Final[dict[Split, tuple[int, int]]] = {
    "train": (1_000, 6),
    "dev": (2_000, 2),
    "test": (3_000, 4),
}
# One family is kept for tests, so that what was learned elsewhere is tested on something new. A
# ledger is the one place that shares no rule and no action with the others.
TEST_ONLY: Final = "remember"
# A task of which so many seeds for each row fail is wrong, or its oracle is.
MAX_TRIES: Final = 3


R = TypeVar("R", bound=msgspec.Struct)


class Dropped(msgspec.Struct, frozen=True):
    """A seed at which a task could not be proven."""

    id: str
    task: str
    problems: list[str]


class Frozen:
    """What was measured so far of a suite."""

    def __init__(self, folder: Path, afresh: bool) -> None:
        self._folder = folder
        self.proofs: dict[str, Proof] = {}
        self.dropped: dict[str, Dropped] = {}
        if not afresh:
            self.proofs = {proof.id: proof for proof in _read(folder / PROOFS_FILE, Proof)}
            self.dropped = {each.id: each for each in _read(folder / DROPPED_FILE, Dropped)}

    def known(self, task: Task, seed: int) -> bool | None:
        """Whether a row is sound, if this task was measured at this seed already."""
        key = row_id(task.id, seed)
        proof = self.proofs.get(key)
        if proof is not None and proof.task == task.digest:
            return True
        dropped = self.dropped.get(key)
        if dropped is not None and dropped.task == task.digest:
            return False
        return None

    def take(self, task: Task, proof: Proof) -> bool:
        """Keep what was measured, if it holds in this process too; return whether it is sound."""
        problems = proof.problems(task.difficulty)
        if replayed(task, proof) != proof.solution.digest:
            problems.append("the oracle's actions lead elsewhere in another process")
        self.proofs.pop(proof.id, None)
        self.dropped.pop(proof.id, None)
        if problems:
            self.dropped[proof.id] = Dropped(proof.id, task.digest, problems)
        else:
            self.proofs[proof.id] = proof
        return not problems

    def write(self, tasks: list[Task]) -> None:
        """Write what is of these tasks as they are now."""
        digests = {task.digest for task in tasks}
        proofs = [proof for proof in self.proofs.values() if proof.task in digests]
        dropped = [each for each in self.dropped.values() if each.task in digests]
        _write(self._folder / PROOFS_FILE, proofs)
        _write(self._folder / DROPPED_FILE, dropped)


def _read(path: Path, kind: type[R]) -> list[R]:
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [msgspec.json.decode(line, type=kind) for line in lines]


def _write(path: Path, records: list[Proof] | list[Dropped]) -> None:
    ordered = sorted(records, key=lambda record: record.id)
    lines = [canonical_bytes(msgspec.to_builtins(record)) + b"\n" for record in ordered]
    path.write_bytes(b"".join(lines))


def measure(folder: Path, task: Task, seed: int) -> Proof:
    """Prove one row."""
    return prove(task, seed, Oracles(folder))


def sound_seeds(
    task: Task, split: Split, folder: Path, frozen: Frozen, pool: ProcessPoolExecutor
) -> list[int]:
    """The first seeds of a split at which a task is proven, as many as the split wants."""
    first, count = SEEDS[split]
    if task.family == TEST_ONLY and split != "test":
        return []
    sound: list[int] = []
    untried = list(range(first, first + MAX_TRIES * count))
    while untried and len(sound) < count:
        batch = untried[: count - len(sound)]
        del untried[: len(batch)]
        open_seeds = [seed for seed in batch if frozen.known(task, seed) is None]
        jobs = [pool.submit(measure, folder, task, seed) for seed in open_seeds]
        for job in jobs:
            frozen.take(task, job.result())
        sound += [seed for seed in batch if frozen.known(task, seed)]
    return sound


def freeze_task(task: Task, folder: Path, frozen: Frozen, pool: ProcessPoolExecutor) -> list[Row]:
    """The rows of a task."""
    rows = []
    for split in SEEDS:
        for seed in sound_seeds(task, split, folder, frozen, pool):
            rows.append(Episode(task, seed).row(split))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--afresh", action="store_true", help="measure what was measured already")
    parser.add_argument("--out", type=Path, help="where the suite goes instead of the package")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    folder: Path = given.folder
    tasks = read_templates(folder)
    out: Path = given.out or PACKAGE / folder.name
    out.mkdir(parents=True, exist_ok=True)
    frozen = Frozen(folder, given.afresh)
    rows: list[Row] = []
    with ProcessPoolExecutor(given.processes) as pool:
        for task in tasks:
            own = freeze_task(task, folder, frozen, pool)
            rows += own
            # What was measured is kept, even if a later task fails.
            frozen.write(tasks)
            counts = Counter(row.split for row in own)
            kept = ", ".join(f"{counts[split]} {split}" for split in SEEDS)
            dropped = [each for each in frozen.dropped.values() if each.task == task.digest]
            print(f"{task.name}: {kept}; {len(dropped)} seeds dropped", flush=True)
            for each in dropped:
                print(f"  {each.id}: {'; '.join(each.problems)}", flush=True)
    (out / TASKS_FILE).write_bytes(b"".join(task.line for task in tasks))
    (out / ROWS_FILE).write_bytes(b"".join(row.line for row in rows))
    about = About(name=NAME, version=VERSION, digest=suite_digest([*tasks, *rows]))
    (out / ABOUT_FILE).write_bytes(canonical_bytes(msgspec.to_builtins(about)) + b"\n")
    print(f"{NAME}, version {VERSION}: {len(tasks)} tasks, {len(rows)} rows, {about.digest}")


if __name__ == "__main__":
    main()
