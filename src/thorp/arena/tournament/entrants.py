"""A look at every entrant before the first match: can it play at all, and which code is it?

Opening an agent refuses what cannot work (no such bot, no such file, no such command), so one look at each
keeps a tournament from failing at its hundredth match. The digest of a `file.py:Class` agent's file goes into
the manifest: a tournament that is resumed with other code would be two tournaments.
"""

from __future__ import annotations

from pathlib import Path

from thorp.arena.outside import open_agent
from thorp.arena.outside.spec import FileSpec, parse_spec
from thorp.arena.tournament.plan import Plan
from thorp.arena.tournament.schedule import Fixture
from thorp.kernel.errors import IllegalError, InvalidError, ThorpError
from thorp.kernel.identity import digest


def survey_entrants(plan: Plan) -> dict[str, str]:
    """Open and close every entrant once, and return the digests of files by id. Refuses who cannot play."""
    code: dict[str, str] = {}
    seen: set[str] = set()
    for entrant in plan.entrants:
        spec = parse_spec(entrant.spec)
        if entrant.spec not in seen:
            seen.add(entrant.spec)
            (task,) = plan.tasks([Fixture("look", 1, (entrant.id,))])
            try:
                with open_agent(entrant, task, None):
                    pass
            except ThorpError as refusal:
                raise InvalidError(f"{entrant.id}: {refusal}", code=refusal.code) from None
        if isinstance(spec, FileSpec):
            code[entrant.id] = _file_digest(Path(spec.path))
    return code


def _file_digest(path: Path) -> str:
    try:
        return digest(path.read_bytes())
    except OSError as problem:
        raise IllegalError(f"{path}: {problem.strerror}; check the path", code="unreadable") from None
