"""The proof of a row: that it can be solved, and that only solving it pays.

    oracle     a scripted solution reaches 1.0, and its actions lead to the same digest again
    floor      doing nothing earns at most 0.1
    canaries   shortcuts earn no more than doing nothing
    again      an act that earned something earns at most 0.1 more by repeating it only
    random     acting at random earns less than half, from difficulty 2 on

A row that fails is dropped, and counted. Oracles are Python files beside the templates of a suite,
never inside the package: `FAMILY.py` has a function for each task, by the task's id with
underscores, which plays an episode to its end, and may look at all of it.
"""

import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Final

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError, UnknownError
from thorp.tasks.episode import Episode
from thorp.tasks.policies import CANARIES, Policy, act_at_random, idle, repeat
from thorp.tasks.record import Task, row_id
from thorp.tasks.start import Start, start_of

PROOFS_FILE: Final = "proofs.jsonl"
MAX_FLOOR: Final = Fraction(1, 10)
# Digging on may find a second ore; doing one thing for ever must not be a way to play.
MAX_GAIN: Final = Fraction(1, 10)
MAX_RANDOM: Final = Fraction(1, 2)
RANDOM_FROM_DIFFICULTY: Final = 2


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    """What was measured of one row. Scores are fractions, as text."""

    id: str
    task: str
    """The digest of the task that was measured."""
    solution: Start
    turns: int
    oracle: str
    floor: str
    random: str
    canaries: dict[str, str]
    again: str
    """What was gained by repeating the oracle's first act that earned something."""

    def problems(self, difficulty: int) -> list[str]:
        """Why the row cannot stand, if it cannot."""
        problems = []
        if Fraction(self.oracle) != 1:
            problems.append(f"the oracle scores {self.oracle}")
        if Fraction(self.floor) > MAX_FLOOR:
            problems.append(f"doing nothing scores {self.floor}")
        if difficulty >= RANDOM_FROM_DIFFICULTY and Fraction(self.random) >= MAX_RANDOM:
            problems.append(f"acting at random scores {self.random}")
        for name, value in self.canaries.items():
            if Fraction(value) > Fraction(self.floor):
                problems.append(f"the canary {name} scores {value}")
        if Fraction(self.again) > MAX_GAIN:
            problems.append(f"repeating one act earns {self.again} more")
        return problems


def read_proofs(folder: Path) -> dict[str, Proof]:
    """What was measured when a suite was frozen, by the ids of its rows."""
    path = folder / PROOFS_FILE
    if not path.is_file():
        raise UnknownError(f"{path}: no proofs here; freeze the suite first", code="proofs")
    decode = msgspec.json.Decoder(Proof).decode
    try:
        proofs = [decode(line) for line in path.read_bytes().splitlines()]
    except msgspec.DecodeError as problem:
        raise InvalidError(f"{path}: {problem}", code="proofs") from None
    return {proof.id: proof for proof in proofs}


class Oracles:
    """The solutions of a suite, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._modules: dict[str, ModuleType] = {}

    def solver(self, task: Task) -> Policy:
        """The oracle of a task."""
        module = self._module(task.family)
        solver: Policy | None = getattr(module, task.id.replace("-", "_"), None)
        if solver is None:
            raise UnknownError(
                f"{self._folder / task.family}.py has no oracle for {task.id}: define "
                f"{task.id.replace('-', '_')}(episode)",
                code="oracle",
            )
        return solver

    def canaries(self, task: Task) -> Mapping[str, Policy]:
        """The shortcuts that a task is held against: those of all tasks, and its own."""
        own: Mapping[str, Policy] = getattr(self._module(task.family), "CANARIES", {})
        missing = [name for name in task.canaries if name not in own]
        if missing:
            raise UnknownError(
                f"{self._folder / task.family}.py has no canary {missing[0]!r}", code="oracle"
            )
        return {**CANARIES, **{name: own[name] for name in task.canaries}}

    def _module(self, family: str) -> ModuleType:
        if family not in self._modules:
            self._modules[family] = _load(self._folder / f"{family}.py")
        return self._modules[family]


def _load(path: Path) -> ModuleType:
    if not path.is_file():
        raise UnknownError(
            f"{path}: no oracles here; they come with the sources, in suites/", code="oracle"
        )
    # Files of one folder share code by importing each other.
    folder = str(path.parent)
    if folder not in sys.path:
        sys.path.append(folder)
    spec = spec_from_file_location(f"thorp_oracles_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise InvalidError(f"{path}: no Python file", code="oracle")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def prove(task: Task, seed: int, oracles: Oracles) -> Proof:
    """Measure a row: solve it, do nothing in it, act at random, try every shortcut."""
    solved = played(task, seed, oracles.solver(task))
    floor = played(task, seed, idle)
    random = played(task, seed, act_at_random)
    canaries = {
        name: str(played(task, seed, policy).exact_score)
        for name, policy in oracles.canaries(task).items()
    }
    return Proof(
        id=row_id(task.id, seed),
        task=task.digest,
        solution=start_of(solved),
        turns=solved.turn,
        oracle=str(solved.exact_score),
        floor=str(floor.exact_score),
        random=str(random.exact_score),
        canaries=canaries,
        again=str(gain_of_repeating(task, seed, solved.acts)),
    )


def gain_of_repeating(task: Task, seed: int, acts: Sequence[Json]) -> Fraction:
    """What repeating the first act that earns something earns on top of it."""
    episode = Episode(task, seed)
    begun = episode.exact_score
    for act in acts:
        episode.act(act)
        if episode.exact_score > begun:
            earned = episode.exact_score
            repeat(episode, act)
            return episode.exact_score - earned
    return Fraction(0)


def replayed(task: Task, proof: Proof) -> str:
    """The digest to which the oracle's actions lead."""
    _, _, seed = proof.id.rpartition("-")
    episode = Episode(task, int(seed))
    for action in proof.solution.acts:
        episode.act(action)
    return episode.digest()


def played(task: Task, seed: int, policy: Policy) -> Episode:
    """An episode that a policy has played."""
    episode = Episode(task, seed)
    policy(episode)
    return episode
