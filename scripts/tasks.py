"""Builds a suite of tasks from its templates: `python scripts/tasks.py suites/tasks-1`.

Templates are TOML files, one a family; oracles stand beside them. Every task is played at the seeds
of each split, and rows that cannot be proven are dropped and counted. What was measured is kept in
`proofs.jsonl` beside the oracles; the package gets `tasks.jsonl` and `rows.jsonl`. A row that was
proven already, of an unchanged task, is taken over: `--afresh` measures everything again.
"""

import argparse
import tomllib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from thorp.kernel.canonical import canonical_bytes
from thorp.tasks.episode import Episode
from thorp.tasks.proof import Oracles, Proof, prove
from thorp.tasks.record import Row, Split, Task
from thorp.tasks.suite import ROWS_FILE, TASKS_FILE

ROOT: Final = Path(__file__).parent.parent
PACKAGE: Final = ROOT / "src" / "thorp" / "tasks" / "suites"
PROOFS_FILE: Final = "proofs.jsonl"
# The first seed of each split, and how many rows it has. Seeds that fail are replaced by later ones.
SEEDS: Final[dict[Split, tuple[int, int]]] = {
    "train": (1_000, 8),
    "dev": (2_000, 3),
    "test": (3_000, 5),
}
# One family is kept for tests, so that what was learned elsewhere is tested on something new.
TEST_ONLY: Final = "remember"
# A task at which so many seeds in a row fail is wrong, or its oracle is.
MAX_TRIES: Final = 3


class Result(msgspec.Struct, frozen=True):
    """A row with its proof, or why it was dropped."""

    row: Row
    proof: Proof
    problems: list[str]


def read_templates(folder: Path, families: list[str]) -> list[Task]:
    """The tasks of a folder, sorted by family and difficulty."""
    tasks = []
    for path in sorted(folder.glob("*.toml")):
        if families and path.stem not in families:
            continue
        for fields in tomllib.loads(path.read_text("utf-8"))["task"]:
            fields["prompt"] = fields["prompt"].strip()
            task = msgspec.convert({"family": path.stem, **fields}, Task).sealed()
            task.check()
            tasks.append(task)
    return tasks


def candidates(task: Task) -> Iterator[tuple[Split, int]]:
    """The seeds at which a task is tried, several for each row that is wanted."""
    for split, (first, count) in SEEDS.items():
        if task.family == TEST_ONLY and split != "test":
            continue
        for seed in range(first, first + MAX_TRIES * count):
            yield split, seed


def measure(folder: Path, task: Task, place: tuple[Split, int]) -> Result:
    """Prove one row."""
    split, seed = place
    proof = prove(task, seed, Oracles(folder), split)
    row = Episode(task, seed).row(split)
    return Result(row, proof, proof.problems(task.difficulty))


def build_task(folder: Path, task: Task, pool: ProcessPoolExecutor) -> list[Result]:
    """As many sound rows of a task as its splits want."""
    rows: list[Result] = []
    sound: Counter[str] = Counter()
    work = partial(measure, folder, task)
    for split, (first, count) in SEEDS.items():
        places = [place for place in candidates(task) if place[0] == split]
        while places and sound[split] < count:
            batch = places[: count - sound[split]]
            places = places[len(batch) :]
            for result in pool.map(work, batch):
                rows.append(result)
                sound[split] += not result.problems
        assert not sound[split] or sound[split] <= count, first
    return rows


def read_kept(folder: Path, tasks: list[Task]) -> dict[str, Proof]:
    """Proofs of tasks that have not changed since."""
    path = folder / PROOFS_FILE
    if not path.exists():
        return {}
    decode = msgspec.json.Decoder(Proof).decode
    proofs = [decode(line) for line in path.read_bytes().splitlines()]
    known = {task.id: task for task in tasks}
    return {proof.id: proof for proof in proofs if proof.id.rpartition("-")[0] in known}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--family", action="append", default=[], help="only this one; repeatable")
    parser.add_argument("--out", type=Path, help="where the records go instead of the package")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    tasks = read_templates(given.folder, given.family)
    out: Path = given.out or PACKAGE / given.folder.name
    out.mkdir(parents=True, exist_ok=True)
    results: list[Result] = []
    with ProcessPoolExecutor(given.processes) as pool:
        for task in tasks:
            built = build_task(given.folder, task, pool)
            results += built
            dropped = [result for result in built if result.problems]
            kept = len(built) - len(dropped)
            print(f"{task.name}: {kept} rows, {len(dropped)} seeds dropped", flush=True)
            for result in dropped:
                print(f"  {result.row.id}: {'; '.join(result.problems)}")
    sound = [result for result in results if not result.problems]
    (out / TASKS_FILE).write_bytes(b"".join(task.line for task in tasks))
    (out / ROWS_FILE).write_bytes(b"".join(result.row.line for result in sound))
    proofs = [canonical_bytes(msgspec.to_builtins(result.proof)) + b"\n" for result in sound]
    (given.folder if given.out is None else out).joinpath(PROOFS_FILE).write_bytes(b"".join(proofs))


if __name__ == "__main__":
    main()
