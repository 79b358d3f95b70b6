"""Audits a finished run: that its rows are the suite's, and that its results follow from its logs.

    audit_run(disk, path, plan, outcomes)                 rows, digests and final scores
    audit_run(disk, path, plan, outcomes, replay=True)    every action judged again, too

A run is made where its agent plays, so whoever reports it could have edited the results, played
other rows, or left out those that went badly. Anything else is refused in one line with a code; a
report has only rows that passed. Fresh rows must follow from the secret that was committed to. The
rows left out must be those that the oracle fails, if the oracle is here.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec

from thorp.arena import service
from thorp.arena.service import LOG, MANIFEST
from thorp.arena.tournament.outcome import Outcome
from thorp.arena.tournament.run import LOGS
from thorp.arena.tournament.verify import recount
from thorp.kernel.errors import ConflictError, DamagedError, InvalidError, ThorpError
from thorp.kernel.identity import digest
from thorp.store import Disk, read_whole
from thorp.tasks.fresh import check_commitment, fresh_seeds, judge, read_secret
from thorp.tasks.plan import Revealed, RowPlace, RunPlan, place_of
from thorp.tasks.proof import Oracles
from thorp.tasks.record import RowName
from thorp.tasks.suite import Suite


def audit_rows(suite: Suite, path: Path, plan: RunPlan, revealed: Revealed | None) -> None:
    """Refuse rows that are not the suite's own, or do not follow from the revealed secret. Those of
    another suite cannot be judged here."""
    if plan.suite_digest != suite.digest:
        return
    if not plan.commitment:
        for place in plan.rows:
            row = suite.rows.get(place.id)
            if row is None or place_of(row) != place:
                raise ConflictError(
                    f"{path}: {place.id!r:.80} is not the row that {suite.name} has", code="rows"
                )
        return
    if revealed is None:
        raise InvalidError(
            f"{path}: its secret was never revealed; run the same command again with --secret HEX",
            code="secret",
        )
    secret = read_secret(revealed.secret)
    check_commitment(secret, plan.commitment)
    counts = Counter(RowName.read(place.id).task for place in plan.rows)
    expected = [
        (name, seed)
        for name, count in counts.items()
        for seed in fresh_seeds(suite, suite.task(name), secret, count)
    ]
    played = [(RowName.read(place.id).task, place.seed) for place in plan.rows]
    if sorted(played) != sorted(expected):
        raise ConflictError(
            f"{path}: its rows do not follow from the secret that was revealed", code="rows"
        )
    if not {*revealed.failed} <= {place.id for place in plan.rows}:
        raise ConflictError(f"{path}: it drops rows that were not played", code="rows")


def audit_logs(
    disk: Disk, path: Path, plan: RunPlan, outcomes: Sequence[Outcome], *, replay: bool = False
) -> None:
    """Refuse results that are not those of the logs beside them; with `replay` each log is proven
    by its actions."""
    for place, outcome in zip(plan.rows, outcomes, strict=True):
        _audit_files(disk, path / LOGS, outcome)
        log = path / LOGS / f"{place.id}.{LOG}"
        if replay:
            _replay(log, plan, place)
        if not _says(plan, place, read_whole(disk, log), outcome):
            raise ConflictError(
                f"{path}: the result of {place.id} is not what its log says", code="unproved"
            )


def audit_dropped(
    suite: Suite, path: Path, plan: RunPlan, revealed: Revealed, oracles: Oracles
) -> None:
    """Refuse fresh rows that were left out although the oracle solves them, and those that count
    although it fails."""
    tasks = [(suite.task(place.task), place.seed, place.split) for place in plan.rows]
    rows = [suite.open(f"{task.id}-{seed}").row(split) for task, seed, split in tasks]
    failed = judge(suite, rows, oracles).failed
    if {*failed} != {*revealed.failed}:
        raise ConflictError(
            f"{path}: of its rows the oracle fails {', '.join(failed) or 'none'}, and left out are "
            f"{', '.join(revealed.failed) or 'none'}",
            code="oracle",
        )


def _audit_files(disk: Disk, logs: Path, outcome: Outcome) -> None:
    for kind, expected in {LOG: outcome.log, **outcome.beside}.items():
        file = logs / f"{outcome.key}.{kind}"
        if not disk.exists(file):
            raise InvalidError(f"{file}: missing; a score without its log is none", code="logs")
        if digest(read_whole(disk, file)) != expected:
            raise DamagedError(f"{file}: not the file that the result was made with", code="logs")
    if MANIFEST not in outcome.beside:
        raise InvalidError(f"{logs / outcome.key}.{MANIFEST}: missing", code="logs")


def _replay(log: Path, plan: RunPlan, place: RowPlace) -> None:
    if service.read_task(log) != plan.match(place):
        raise ConflictError(f"{log}: its manifest is of another match", code="unproved")
    try:
        difference = service.verify_file(log).difference
    except ThorpError as refusal:
        raise InvalidError(f"{log}: {refusal}", code="unproved") from None
    if difference is not None:
        raise ConflictError(
            f"{log} does not verify: line {difference.line}: {difference.message}", code="unproved"
        )


def _says(plan: RunPlan, place: RowPlace, log: bytes, outcome: Outcome) -> bool:
    """Whether a log ends as a result says."""
    task = plan.match(place)
    try:
        said = recount(task, log, outcome)
    except (KeyError, TypeError, msgspec.MsgspecError):
        return False  # a log of somebody else, or none at all
    return said == outcome
