"""Group commit: many works, one transaction, one sync.

    begin
      savepoint, work, release        for each work; if it fails, back to its savepoint
    commit                            one sync for all of them
    outcomes                          only now does anyone hear anything

A work that fails takes back its own doing and no one else's. Later works of the group see what
earlier ones did, and that is safe because their answers wait for the same commit.

When the disk fails, or the commit does, there are no outcomes: the error belongs to every member of
the group. What the database holds then is all of the group or nothing of it; the caller learns which
by looking, after opening again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from thorp.kernel.errors import DamagedError, ThorpError
from thorp.store.disk import DiskError
from thorp.store.session import Connection, Session

Work = Callable[[Connection], Any]

# After these nothing that the database says can be relied on until it is opened again.
FATAL: Final = (DiskError, DamagedError)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a work returned, or what it raised."""

    value: Any
    error: Exception | None


def commit_group(session: Session, works: Sequence[Work]) -> list[Outcome]:
    """Run the works in one transaction and commit it; return their outcomes, or raise for all of them."""
    try:
        session.begin()
        outcomes = [_run(session, work) for work in works]
        session.commit()
    except BaseException:
        with contextlib.suppress(ThorpError):
            session.rollback()
        raise
    return outcomes


def _run(session: Session, work: Work) -> Outcome:
    session.savepoint()
    try:
        value, failure = work(session), None
    except Exception as error:
        value, failure = None, error
    if isinstance(session.doomed, FATAL):
        raise session.doomed
    if failure is None and session.doomed is None:
        session.release()
        return Outcome(value, None)
    failure = failure or session.doomed
    session.undo()
    return Outcome(None, failure)
