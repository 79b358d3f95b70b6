"""Challenges the table: a new agent plays, step by step, what tells most about where it belongs.

A step is one small tournament: at a game of duels, mirrored, against one bot of the table; at a
game by score, over the deals that others have played. What a duel would tell is its information,
p (1 - p), which is largest against an equal, and less with everything that the two have played at
that game. Steps are chosen by the ratings after the steps before, and each is a directory that
`thorp league add` takes like any other. A challenge that was cut off goes on where it stopped.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from thorp.arena.contract import Limits, Seat
from thorp.arena.external.spec import BotSpec, FileSpec, parse_spec
from thorp.arena.league.batch import outcomes_in, read_evidence
from thorp.arena.league.directory import League
from thorp.arena.league.identity import make_identity
from thorp.arena.league.rerun import code_digest
from thorp.arena.league.suite import Game
from thorp.arena.league.table import Entrant, Table, count_results, entrants_of, table_of
from thorp.arena.rating import Result
from thorp.arena.rating.arithmetic import logistic
from thorp.arena.rating.bradley_terry import AVERAGE, POINTS
from thorp.arena.registry import agent_kinds, make_scenario
from thorp.arena.tournament.plan import Plan, make_plan
from thorp.arena.tournament.run import run_tournament
from thorp.arena.tournament.schedule import match_seed
from thorp.kernel.errors import InvalidError
from thorp.kernel.identity import seed_from
from thorp.store import Disk
from thorp.workers import WorkerPool

DEALS_A_STEP: Final = 5  # Enough for an interval to mean something, few enough to choose anew.
MAX_STEPS: Final = 1_000
EVEN: Final = (
    0.25  # The information of a duel between equals: what deals that are missing may tell.
)


class Step(NamedTuple):
    """What is played next: a game, the id and the kind of the opponent (None at a game by score),
    in how many deals, and how much that tells."""

    game: Game
    opponent: str | None
    kind: str | None
    deals: int
    tells: float


class Challenge:
    """A challenge of a league's table by one agent, in a directory of its own."""

    def __init__(
        self, disk: Disk, league: League, agent: Seat, path: Path, limits: Limits | None = None
    ) -> None:
        """Refuses an agent that plays none of the suite's games."""
        self._disk = disk
        self._league = league
        self._agent = agent
        self._path = path
        self._limits = limits or Limits()
        self._places = {batch.tip: league.folder(batch) for batch in league.batches}
        self._batches = list(league.batches)
        self._games = [game for game in league.suite.games if _plays(agent, game)]
        if not self._games:
            raise InvalidError(
                f"{agent.spec} plays no game of {league.suite.name}; name a bot, a file or a model",
                code="agent",
            )
        spec = parse_spec(agent.spec)
        code = code_digest(spec) if isinstance(spec, FileSpec) else None
        self.identity = make_identity(agent.spec, code, self._limits).digest
        self.folders: list[Path] = []
        self._played: Counter[tuple[str, str | None]] = Counter()

    def play(
        self,
        steps: int,
        make_pool: Callable[[], WorkerPool],
        on_step: Callable[[int, Step], object],
    ) -> None:
        """Play up to this many steps; those that are there already are not played again."""
        if not 1 <= steps <= MAX_STEPS:
            raise InvalidError(f"a challenge has 1 to {MAX_STEPS} steps, not {steps}", code="steps")
        for number in range(1, steps + 1):
            step = self.next_step()
            if step is None:
                return
            on_step(number, step)
            folder = self._path / f"step-{number:03d}-{step.game.name}"
            run_tournament(self._plan(number, step), folder, make_pool(), self._disk)
            batch = read_evidence(self._disk, folder, self._league.suite).batch
            self._places[batch.tip] = folder
            self._batches.append(batch)
            self.folders.append(folder)
            self._played[step.game.name, step.kind] += 1

    def table(self) -> Table:
        """The table with the challenger's matches in it."""
        return self._table(*self._standing())

    def next_step(self) -> Step | None:
        """The step that tells most; None if there is nothing to play."""
        steps = list(self._possible_steps())
        if not steps:
            return None
        return max(steps, key=lambda step: (step.tells, step.game.name, step.opponent or ""))

    def _table(self, entrants: dict[str, Entrant], results: list[Result]) -> Table:
        suite = self._league.suite
        return table_of(suite, suite.games, entrants, results, self._batches, whole=True)

    def _standing(self) -> tuple[dict[str, Entrant], list[Result]]:
        entrants = entrants_of(self._batches, frozenset())
        outcomes = (
            (batch, outcomes_in(self._disk, self._places[batch.tip], batch))
            for batch in sorted(self._batches, key=lambda batch: batch.tip)
        )
        return entrants, list(count_results(outcomes))

    def _possible_steps(self) -> Iterator[Step]:
        entrants, results = self._standing()
        ratings = {row.identity: row.rating for row in self._table(entrants, results).agents}
        own = ratings.get(self.identity, AVERAGE)
        met = _meetings(results, self.identity)
        for game in self._games:
            if game.kind == "scores":
                yield from self._steps_by_score(game, results)
                continue
            kinds = agent_kinds(game.scenario)
            for identity, entrant in entrants.items():
                kind = entrant.ran.get("bot")
                if identity == self.identity or kind not in kinds:
                    continue
                chance = _chance(own - ratings.get(identity, AVERAGE))
                steps = self._played[game.name, kind]
                played = steps + met[game.name, identity] / (2 * DEALS_A_STEP)
                tells = chance * (1 - chance) / (1 + played)
                yield Step(
                    game=game,
                    opponent=entrant.id,
                    kind=kind,
                    deals=DEALS_A_STEP,
                    tells=tells,
                )

    def _steps_by_score(self, game: Game, results: list[Result]) -> Iterator[Step]:
        """A step with all deals that others have played, since a missing deal counts as the worst
        score."""
        order = {str(match_seed(game.seed, f"r{n}")): n for n in range(1, game.deals + 1)}
        own = {
            result.deal
            for result in results
            if result.game == game.name and self.identity in result.agents
        }
        others = [order[result.deal] for result in results if result.game == game.name]
        deals = max(others, default=0)
        # Once: results that do not count are not better the second time.
        if len(own) < deals and (game.name, None) not in self._played:
            yield Step(game=game, opponent=None, kind=None, deals=deals, tells=EVEN)

    def _plan(self, number: int, step: Step) -> Plan:
        game = step.game
        by_score = game.kind == "scores"
        return make_plan(
            game.scenario,
            [self._agent, *self._company(step)],
            seed=game.seed if by_score else seed_from("challenge", self.identity, number),
            rounds=step.deals,
            max_turns=game.max_turns,
            parameters=game.parameters,
            limits=self._limits,
            mirrored=not by_score,
        )

    def _company(self, step: Step) -> list[Seat]:
        """Who else is needed: the opponent, and bots for the seats that are left."""
        game = step.game
        fewest, _ = getattr(make_scenario(game.scenario, game.parameters), "seats", (1, None))
        # Where all at a table share one score, one more agent than seats must be entered.
        needed = fewest - 1 if fewest == 1 or game.kind == "duels" else fewest
        company = [Seat(f"{step.kind}-0", step.kind)] if step.kind is not None else []
        kinds = agent_kinds(game.scenario)
        for place, kind in enumerate(islice(cycle(kinds), max(0, needed - len(company))), start=1):
            company.append(Seat(f"{kind}-{place}", kind))
        return company


def _plays(agent: Seat, game: Game) -> bool:
    spec = parse_spec(agent.spec)
    return not isinstance(spec, BotSpec) or spec.kind in agent_kinds(game.scenario)


def _meetings(results: list[Result], identity: str) -> Counter[tuple[str, str]]:
    """How often an agent has met each other at each game."""
    met: Counter[tuple[str, str]] = Counter()
    for result in results:
        if identity in result.agents:
            met.update((result.game, other) for other in result.agents if other != identity)
    return met


def _chance(difference: float) -> float:
    """The probability of winning a duel at this difference of ratings."""
    return float(logistic(np.array([difference / POINTS]))[0])
