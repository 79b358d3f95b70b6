"""One run of a task: its engine, its actions, and the score so far.

    episode = Episode(task, seed)
    while not episode.is_over:
        episode.act({"action": "mine_nearest", "block": "LOG"})
    print(episode.score)

The score is the best so far, so going away from the goal costs nothing. If something happens that
the task forbids, the score is 0 and the run is over. Matches, OpenEnv, Gymnasium, Inspect and
trainers all play the same episodes.
"""

from fractions import Fraction
from hashlib import sha256
from typing import NamedTuple

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import IllegalError, InvalidError
from thorp.tasks.engine import Engine, make_engine
from thorp.tasks.goal import Goal, leaves, resolve, score
from thorp.tasks.numbers import PARAM, draw_numbers, fill
from thorp.tasks.record import Row, Split, Task, goals_of, row_id


class Verdict(NamedTuple):
    """The result of an action: whether it was taken, and if not, why."""

    valid: bool
    problem: str = ""


class Episode:
    """A run of one task at one seed, by one learner."""

    def __init__(self, task: Task, seed: int) -> None:
        self.task = task
        self.seed = seed
        self.turn = 0
        self.acts: list[Json] = []
        """Every action so far, refused ones too."""
        self.is_lost = False
        """Whether something has happened that the task forbids."""
        params = dict(task.params)
        self._numbers = draw_numbers(params.pop(PARAM, {}), seed)
        self._engine: Engine = make_engine(task.engine, fill(params, self._numbers), seed)
        self._submitted = False
        self._problem = ""
        row = self._resolve("test")
        self.prompt = row.prompt
        self._goal: Goal
        self._never: tuple[Goal, ...]
        self._goal, self._never = goals_of(row)
        self._best = score(self._goal, self._engine.measure)
        self.reward = 0.0
        """What the last turn earned. All rewards of a run add up to its score."""
        self._paid = Fraction(0)

    def row(self, split: Split) -> Row:
        """The record of this run's beginning, as a row of a split."""
        return self._resolve(split).sealed()

    def _resolve(self, split: Split) -> Row:
        task = self.task
        anchors = self._engine.anchors
        places = {name: "{}, {}, {}".format(*place) for name, place in anchors.items()}
        return Row(
            id=row_id(task.id, self.seed),
            task=task.id,
            version=task.version,
            family=task.family,
            difficulty=task.difficulty,
            seed=self.seed,
            split=split,
            prompt=task.prompt.format_map({**places, **self._engine.words, **self._numbers}),
            goal=resolve(fill(task.goal, self._numbers), anchors),
            never=tuple(
                resolve(fill(tree, self._numbers), anchors, "$.never") for tree in task.never
            ),
            max_turns=task.max_turns,
            max_ticks=task.max_ticks,
        )

    @property
    def engine(self) -> Engine:
        """The world behind it: for oracles and tests; no learner sees it."""
        return self._engine

    # Playing

    def observe(self) -> dict[str, Json]:
        """What the learner sees: the engine's observation, and where the run stands."""
        task: dict[str, Json] = {
            "id": row_id(self.task.id, self.seed),
            "goal": self.prompt,
            "turn": self.turn,
            "turns_left": self.task.max_turns - self.turn,
            "state": self.digest(),
        }
        seen = self._engine.observe()
        # Models are shown the text alone, and remember few turns: each says what is to be done.
        seen["text"] = (
            f"Your task: {self.prompt}\nTurns left: {task['turns_left']}.\n{seen['text']}"
        )
        return {**seen, "task": task}

    def act(self, action: Json) -> Verdict:
        """Play one turn with this action."""
        verdict = self.submit(action)
        self.end_turn()
        return verdict

    def submit(self, action: Json) -> Verdict:
        """Take an action for this turn, which `end_turn` ends. Refuses a second one, and any after
        the end."""
        if self.is_over:
            raise IllegalError("the task is over: nothing that is done now counts", code="ended")
        if self._submitted:
            raise IllegalError("this turn has its action already", code="turn")
        self._submitted = True
        self.acts.append(action)
        try:
            self._engine.submit(action)
        except InvalidError as problem:
            self._problem = problem.message
            return Verdict(False, problem.message)
        return Verdict(True)

    def end_turn(self) -> None:
        """Let the turn pass, and measure the goal. A turn without an action is spent idle."""
        if not self._submitted:
            self.acts.append(None)
        self._submitted = False
        problem = self._problem
        self._problem = ""
        self._engine.advance(problem)
        self.turn += 1
        if any(score(goal, self._engine.measure) == 1 for goal in self._never):
            self.is_lost = True
        elif not self.is_lost:
            self._best = max(self._best, score(self._goal, self._engine.measure))
        self._pay()

    def _pay(self) -> None:
        """Reward the turn with the growth of the score. If the task can take it back, everything is
        paid at the end instead, so that no reward is negative."""
        earned = Fraction(0)
        if self.task.reward == "progress" or self.is_over:
            earned = self.exact_score - self._paid
        self._paid += earned
        self.reward = float(earned)

    @property
    def exact_score(self) -> Fraction:
        """The score as a fraction."""
        return Fraction(0) if self.is_lost else self._best

    @property
    def score(self) -> float:
        """The score, from 0 to 1."""
        return float(self.exact_score)

    @property
    def is_over(self) -> bool:
        """Whether the run has ended: the goal is reached or lost, or time is up."""
        return (
            self.is_lost
            or self._best == 1
            or self.turn >= self.task.max_turns
            or self._engine.ticks >= self.task.max_ticks
        )

    # Identity

    def digest(self) -> str:
        """The digest of the exact state: engine, turn and score. Equal acts lead to equal
        digests."""
        state = [self._engine.digest(), self.turn, str(self._best), self.is_lost]
        return sha256(canonical_bytes(state)).hexdigest()

    def node(self) -> str:
        """A coarser key than the digest: the same for states that are the same for credit, whatever
        was refused on the way and however long it took."""
        progress = [str(score(leaf, self._engine.measure)) for leaf in leaves(self._goal)]
        return sha256(canonical_bytes([self._engine.node(), progress, self.is_lost])).hexdigest()

    def clone(self) -> "Episode":
        """A copy that goes on exactly as this one would, and independently of it."""
        copy = object.__new__(Episode)
        copy.__dict__.update(self.__dict__)
        copy.acts = list(self.acts)
        copy._engine = self._engine.clone()
        return copy
