"""Checks a suite: every row follows from its task and its seed, and its proof still holds.

    checked = check_suite(Path("suites/tasks-1"), sample_rows(default_suite()), make_worker_pool())
    for finding in checked.findings: ...

For each row the kept solution is replayed, the oracle plays anew, and everything else that the
proof says is measured again, in a process of a pool. With a directory the check can be interrupted,
and goes on where it stopped.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from thorp import __version__
from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import ThorpError, UnknownError
from thorp.store import Disk
from thorp.tasks.episode import Episode
from thorp.tasks.proof import PROOFS_FILE, Oracles, Proof, prove, read_proofs, replayed
from thorp.tasks.record import Row
from thorp.tasks.suite import Suite, default_suite, read_suite
from thorp.tasks.templates import read_templates
from thorp.workers import Batcher, RunDirectory, RunKind, RunProgress, WorkerPool, run_recorded

CHECK: Final = RunKind("check", "check_version", 1)


class CheckJob(msgspec.Struct, frozen=True):
    """A row to check, as another process finds it."""

    row: str
    folder: str
    suite: str | None
    """The folder of the frozen suite; None for the one that comes with Thorp."""


class RowFinding(msgspec.Struct, frozen=True):
    """The result of checking one row; a row without problems is sound."""

    row: str
    digest: str
    problems: list[str]


class CheckProgress(RunProgress):
    """How far a check has come."""

    noun = "rows"

    def __init__(self, total: int, known: Mapping[str, RowFinding]) -> None:
        super().__init__(total, len(known))
        self.findings = dict(known)


class Checked(msgspec.Struct, frozen=True):
    """The result of a check. `tasks` are problems of the suite as a whole."""

    findings: list[RowFinding]
    tasks: list[str]

    @property
    def problems(self) -> list[str]:
        """Everything that is wrong, a line each."""
        rows = [
            f"{finding.row}: {'; '.join(finding.problems)}"
            for finding in self.findings
            if finding.problems
        ]
        return [*self.tasks, *rows]


def sample_rows(suite: Suite) -> list[str]:
    """A row of each task: that of its last seed."""
    return list({row.task: row.id for row in suite.rows.values()}.values())


def check_suite(
    folder: Path,
    rows: Sequence[str],
    pool: WorkerPool,
    *,
    frozen: Path | None = None,
    directory: tuple[Disk, Path] | None = None,
    on_progress: Callable[[CheckProgress], None] = lambda _progress: None,
) -> Checked:
    """Check rows of a suite against its templates, oracles and proofs in a folder.

    `frozen` is the folder of the suite, if it is not the one that comes with Thorp. With a
    `directory` the same call goes on where it stopped.
    """
    suite = default_suite() if frozen is None else read_suite(frozen)
    chosen = [_row_of(suite, row) for row in rows]
    problems = compare_templates(suite, folder)
    with ExitStack() as stack:
        opened = None
        if directory is not None:
            manifest = _manifest(suite, folder, rows)
            CHECK.check_directory(*directory, manifest)
            opened = stack.enter_context(closing(RunDirectory(*directory, manifest)))
        lines = [] if opened is None else opened.lines()
        progress = CheckProgress(len(chosen), _known_findings(lines, chosen))
        place = None if frozen is None else str(frozen)
        missing = [row for row in chosen if row.id not in progress.findings]
        jobs = [CheckJob(row.id, str(folder), place) for row in missing]

        def record(done: list[RowFinding]) -> None:
            if opened is not None:
                opened.append([_line(finding) for finding in done])
            for finding in done:
                progress.findings[finding.row] = finding
                progress.done += 1

        def finish() -> Checked:
            findings = [progress.findings[row.id] for row in chosen]
            if opened is not None:
                opened.write_finished(b"".join(_line(finding) + b"\n" for finding in findings))
            return Checked(findings, problems)

        return run_recorded(
            pool,
            Batcher(check_row, [(iter(jobs), len(jobs))]),
            progress,
            record=record,
            finish=finish,
            on_progress=on_progress,
        )


def compare_templates(suite: Suite, folder: Path) -> list[str]:
    """How a suite differs from its templates."""
    templates = {task.id: task for task in read_templates(folder)}
    lost = [f"{task}: it has no template" for task in suite.tasks if task not in templates]
    new = [f"{task}: it is not frozen" for task in templates if task not in suite.tasks]
    changed = [
        f"{task.name}: the template has changed; raise its version, and freeze it again"
        for task in suite.tasks.values()
        if task.id in templates and templates[task.id].digest != task.digest
    ]
    return [*lost, *new, *changed]


def check_row(job: CheckJob) -> RowFinding:
    """Prove one row again. What is wrong is part of the result, and stops no other row."""
    suite = _suite(job.suite)
    row = _row_of(suite, job.row)
    try:
        problems = _problems(suite, row, Path(job.folder))
    except ThorpError as refusal:
        problems = [str(refusal)]
    return RowFinding(row.id, row.digest, problems)


def _problems(suite: Suite, row: Row, folder: Path) -> list[str]:
    task = suite.task(row.task_name)
    kept = _proofs(folder).get(row.id)
    if Episode(task, row.seed).row(row.split) != row:
        return ["the task makes another row of this seed"]
    if kept is None:
        return [f"it has no proof in {PROOFS_FILE}"]
    if kept.task != task.digest:
        return ["its proof is of another version of the task"]
    problems = []
    if replayed(task, kept) != kept.solution.digest:
        problems.append("the solution that is kept leads elsewhere")
    proven = prove(task, row.seed, _oracles(folder))
    problems += proven.problems(row.difficulty)
    if proven != kept:
        problems.append("it was measured otherwise; freeze it again")
    return problems


@cache
def _suite(place: str | None) -> Suite:
    return default_suite() if place is None else read_suite(Path(place))


@cache
def _oracles(folder: Path) -> Oracles:
    return Oracles(folder)


@cache
def _proofs(folder: Path) -> Mapping[str, Proof]:
    return read_proofs(folder)


def _row_of(suite: Suite, id: str) -> Row:
    row = suite.rows.get(id)
    if row is None:
        raise UnknownError(f"{suite.name} has no row {id!r:.60}", code="rows")
    return row


def _manifest(suite: Suite, folder: Path, rows: Sequence[str]) -> dict[str, Json]:
    """The inputs of a check: the same ones give the same findings."""
    sources = {
        path.name: sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.iterdir())
        if path.is_file()
    }
    return {
        "format": "thorp.check",
        "check_version": CHECK.version,
        "thorp": __version__,
        "suite": suite.digest,
        "sources": sources,
        "rows": sha256(canonical_bytes(list(rows))).hexdigest(),
    }


def _known_findings(lines: Sequence[bytes], rows: Sequence[Row]) -> dict[str, RowFinding]:
    """Findings of an earlier call for rows without problems, which are not checked again."""
    digests = {row.id: row.digest for row in rows}
    findings = (msgspec.json.decode(line, type=RowFinding) for line in lines)
    return {
        finding.row: finding
        for finding in findings
        if not finding.problems and digests.get(finding.row) == finding.digest
    }


def _line(finding: RowFinding) -> bytes:
    return canonical_bytes(msgspec.to_builtins(finding))
