"""Runs a tournament from its plan to its finished directory, over as many interruptions as it takes.

    look at the directory and the entrants, refusing before anything is written
    → open the directory, learn what is done already → play the rest, keeping each batch as it comes
    → sort the outcomes by the schedule → standings, ratings, report

Batches come back in any order and are kept in that order; nothing is computed from it. What is shown on the
way is for the eye only. Standings, ratings and report are functions of the manifest and of the outcomes in
schedule order.

A look at every entrant before the first match: can it play at all, and which code is it?

Opening an agent refuses what cannot work (no such bot, no such file, no such command), so one look at each
keeps a tournament from failing at its hundredth match. The digest of a `file.py:Class` agent's file goes into
the manifest: a tournament that is resumed with other code would be two tournaments.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from thorp.arena.external import open_agent
from thorp.arena.external.spec import FileSpec, parse_spec
from thorp.arena.sealed import SECRET_BYTES
from thorp.arena.tournament.batch import BatchPlayed, Dealer, Played
from thorp.arena.tournament.directory import (
    Folder,
    check_folder,
    kept_secret,
    read_manifest,
    read_results,
    set_aside,
)
from thorp.arena.tournament.finished import Finished, make_table
from thorp.arena.tournament.outcome import Outcome
from thorp.arena.tournament.plan import Plan, read_plan
from thorp.arena.tournament.schedule import Fixture
from thorp.arena.tournament.score_table import ScoreStanding
from thorp.arena.tournament.signals import Interrupted, Interruption
from thorp.arena.tournament.standings import Standing
from thorp.arena.tournament.tally import Tally
from thorp.arena.tournament.workers import Crew
from thorp.kernel.errors import IllegalError, InvalidError, ThorpError
from thorp.kernel.identity import digest
from thorp.store import Disk


class Progress:
    """How far a tournament is, for whoever watches: `resumed` of the `done` matches were not played now."""

    def __init__(self, plan: Plan, total: int, known: Sequence[Outcome]) -> None:
        self.plan = plan
        self.total = total
        self.resumed = len(known)
        self.tally = Tally(plan.ids, known)
        self._outcomes = list(known)
        self.last: Outcome | None = None
        self.failures: list[str] = []
        """Why matches were aborted, each with its key."""

    @property
    def done(self) -> int:
        return self.tally.matches

    def standings(self) -> list[Standing] | list[ScoreStanding]:
        """The table as it stands; without ratings, which need the schedule's order."""
        return make_table(self.plan, self.tally, self._outcomes, rated=False)

    def add(self, match: Played) -> None:
        self.tally.add(match.outcome)
        self._outcomes.append(match.outcome)
        self.last = match.outcome
        if match.outcome.scores is None:
            self.failures.append(f"{match.outcome.key}: {match.error or match.outcome.error}")


Watch = Callable[[Progress], None]


def run_tournament(
    plan: Plan,
    path: Path,
    crew: Crew,
    disk: Disk,
    *,
    force: bool = False,
    watch: Watch = lambda _progress: None,
) -> Finished:
    """Play what is left to play, and finish the directory. The result depends on the plan alone, and for a
    sealed scenario on its secret: one that the plan leaves open is that of the directory, or a new one.

    Raises Interrupted on SIGINT and SIGTERM (in the main thread), ThorpErrors on everything else that may
    happen; in either case the same call goes on from what is done.
    """
    if plan.secret is None:
        kept = None if force else kept_secret(disk, path)
        plan = msgspec.structs.replace(plan, secret=kept or os.urandom(SECRET_BYTES).hex())
    manifest = plan.manifest(survey_entrants(plan))
    if force:
        set_aside(disk, path)
    check_folder(disk, path, manifest)
    schedule = plan.schedule()
    with Interruption() as interruption, closing(Folder(disk, path, manifest, logs=plan.logs)) as folder:
        outcomes = folder.outcomes(schedule)
        progress = Progress(plan, len(schedule), list(outcomes.values()))
        watch(progress)
        left = [fixture for fixture in schedule if fixture.key not in outcomes]
        try:
            with closing(_play(plan, left, crew)) as batches:
                for played in batches:
                    with interruption.held():
                        folder.keep(played)
                        for match in played:
                            outcomes[match.outcome.key] = match.outcome
                            progress.add(match)
                    watch(progress)
            finished = Finished(plan, [outcomes[fixture.key] for fixture in schedule])
            folder.finish(finished)
        except KeyboardInterrupt:
            raise Interrupted(progress.done, progress.total) from None
    return finished


def load_tournament(disk: Disk, path: Path) -> Finished:
    """A finished tournament, computed again from the results in its directory."""
    plan = read_plan(read_manifest(disk, path))
    return Finished(plan, read_results(disk, path, plan.ids))


def _play(plan: Plan, left: Sequence[Fixture], crew: Crew) -> Generator[list[Played], None, None]:
    """The matches, played, a batch at a time in the order they come back."""
    if not left:
        return
    dealer = Dealer(plan.tasks(left), len(left), plan.logs)
    done: BatchPlayed | None = None
    under_way = 0
    with crew:
        while True:
            while under_way < crew.hands and (batch := dealer.deal(crew.hands)) is not None:
                crew.start(batch)
                under_way += 1
            # Only now, so that no hand is idle while this batch is written down.
            if done is not None:
                yield done.played
                if done.failure is not None:
                    raise IllegalError(
                        f"{done.failure}; mend that and run the same command again", code="setup"
                    )
            if not under_way:
                return
            done = crew.finish()
            under_way -= 1
            dealer.learn(done)


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
