"""Games of `voxel-survival` as questions and answers, played in many processes at once.

A game asks only where there is a choice: while its agent is busy it goes on by itself. A policy
answers all games of a round together, so a model reads them as one batch.
"""

import math
import multiprocessing
import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from multiprocessing.connection import Connection
from typing import Any, Final, NamedTuple

from expert import Expert

from thorp.arena.contract import AgentConfig, AgentContext
from thorp.bridges.voxel_bots import ScriptedSurvivor
from thorp.bridges.voxel_match import VoxelSurvival
from thorp.mind import Menu, Notes, Sight, describe
from thorp.village.match import VoxelVillage

SCENARIOS: Final[dict[str, type[VoxelSurvival] | type[VoxelVillage]]] = {
    "voxel-survival": VoxelSurvival,
    "voxel-village": VoxelVillage,
}


class Setting(NamedTuple):
    """Which scenario is played, and for how many ticks."""

    scenario: str = "voxel-survival"
    ticks: int = 6_000


SURVIVAL: Final = Setting()


class Limits(NamedTuple):
    """When games are broken off: after so many rounds, or so many seconds."""

    rounds: float = math.inf
    seconds: float = math.inf


UNLIMITED: Final = Limits()


class Question(NamedTuple):
    """What a mind is asked in one moment of one game."""

    game: int
    prompt: str
    letters: str
    expert: str  # The letter of what the teacher would do.


class Result(NamedTuple):
    """How a game ended, or how it stood when it was broken off."""

    seed: int
    points: int
    decisions: int
    achieved: tuple[str, ...]
    is_over: bool = True
    turns: int = 0  # Those with one option are no decisions.


class Game:
    """One game, from one question to the next."""

    def __init__(self, seed: int, setting: Setting = SURVIVAL) -> None:
        self.seed = seed
        self.decisions = 0
        self.turns = 0
        self._scenario = SCENARIOS[setting.scenario](setting.ticks)
        self._world = self._scenario._world(seed)
        ((self._body, obs),) = self._world.reset().items()
        self._ends_tick = self._world.tick + setting.ticks
        self._sight = Sight(self._world.block_palette)
        self.notes = Notes()
        self._expert = Expert()
        self._see(obs)

    def fork(self) -> "Game":
        """A copy that goes on from here, independently of this one."""
        return deepcopy(self)

    @property
    def is_over(self) -> bool:
        """Whether its time is up."""
        return self._world.tick >= self._ends_tick

    @property
    def points(self) -> int:
        """What it has scored so far."""
        return self._scenario._score(self._counts)

    @property
    def _counts(self) -> dict[str, int]:
        counts: dict[str, int] = self._world.infos[self._body]["achievements"]
        return counts

    @property
    def result(self) -> Result:
        """How it stands."""
        achieved = tuple(sorted(name for name, count in self._counts.items() if count))
        return Result(self.seed, self.points, self.decisions, achieved, self.is_over, self.turns)

    def ask(self, number: int = 0) -> Question:
        """The question of this moment."""
        expert = self._expert.choose(self._sight, self.notes, self._menu)
        prompt = describe(self._sight, self.notes, self._menu)
        return Question(number, prompt, self.notes.offered(self._menu), expert.letter)

    def answer(self, letter: str) -> None:
        """Take an option, and go on until there is a choice again or the game is over."""
        self.decisions += 1
        self._take(letter)
        while not self.is_over and len(letters := self.notes.offered(self._menu)) == 1:
            self._take(letters)

    def _take(self, letter: str) -> None:
        self.turns += 1
        option = self._menu.option(letter)
        self.notes.took(option, self._menu)
        obs = self._world.step({self._body: self._menu.act(option)})[self._body]
        self._see(obs)

    def _see(self, obs: dict[str, Any]) -> None:
        self._sight.take(obs)
        self.notes.take(self._sight)
        self._menu = Menu(self._sight)


def play_scripted(seed: int, setting: Setting = SURVIVAL) -> Result:
    """A game of the bot that comes with the scenario, as a match would play it."""
    scenario = SCENARIOS[setting.scenario](setting.ticks)
    bot = ScriptedSurvivor("bot")
    bot.init(AgentConfig("bot", seed))
    state = scenario.init(seed, ["bot"])
    source = random.Random(seed)
    turn = 0
    while not scenario.is_terminal(state):
        turn += 1
        context = AgentContext(rng=source.random, turn=turn, agent_id="bot")
        scenario.adjudicate(state, "bot", bot.act(scenario.observe(state, "bot"), context))
        scenario.end_turn(state)
    achieved = tuple(sorted(name for name, count in state.counts.items() if count))
    return Result(seed, int(scenario.score(state)["bot"]), turn, achieved, turns=turn)


def random_letter(question: Question, source: random.Random) -> str:
    """The choice of an agent that draws among the same options."""
    return source.choice(question.letters)


class Branching(NamedTuple):
    """How games fork: each goes on alone for some decisions, then in so many ways at once, for as
    many decisions as are told, or to its end."""

    alone: Sequence[int]  # Decisions before the fork, for each game.
    ways: int
    decisions: int  # After the fork, in each way.


class Branch(NamedTuple):
    """What one way of a game that forked has brought."""

    game: int
    way: int
    points: int  # Scored after the fork.


Policy = Callable[[list[Question]], list[str]]
"""Answers the questions of a round, one letter each."""


Serving = Callable[[Connection, list[tuple[int, int]], Any], None]
"""Plays the games that it is dealt, for the process at the other end of a connection."""


class Round(NamedTuple):
    """What a policy hears of a set of games between two answers."""

    questions: list[Question]
    results: list[Any]


@contextmanager
def tables(processes: int) -> Iterator["Tables"]:
    """Processes that play games; they end with the block."""
    context = multiprocessing.get_context("spawn")
    pairs = [context.Pipe() for _ in range(processes)]
    workers = [context.Process(target=_serve, args=(far,), daemon=True) for _, far in pairs]
    for worker in workers:
        worker.start()
    try:
        yield Tables([near for near, _ in pairs])
    finally:
        for worker in workers:
            worker.terminate()


class Tables:
    """Games that are played at the same time, dealt out to processes."""

    def __init__(self, pipes: Sequence[Connection]) -> None:
        self._pipes = pipes

    def play(
        self,
        seeds: Sequence[int],
        policy: Policy,
        heard: Callable[[list[Question], list[str]], None] | None = None,
        setting: Setting = SURVIVAL,
        limits: Limits = UNLIMITED,
    ) -> list[Result]:
        """Play a game of each seed by a policy; `heard` is called with every round. What is not over
        at the limits is broken off, and counts as it stands."""
        dealt = [(number, seed) for number, seed in enumerate(seeds)]
        return sorted(self._play((_play_out, dealt, setting), policy, heard, limits))

    def branch(
        self,
        seeds: Sequence[int],
        branching: Branching,
        policy: Policy,
        heard: Callable[[list[Question], list[str]], None] | None = None,
    ) -> list[Branch]:
        """Play a game of each seed to a turn, fork it there, and play each way on from that one
        state. The questions of way w of game g have the number `g * ways + w`; those before the fork
        have -1."""
        dealt = [(number, seed) for number, seed in enumerate(seeds)]
        return sorted(self._play((_play_branches, dealt, branching), policy, heard, UNLIMITED))

    def _play(
        self,
        task: tuple[Serving, list[tuple[int, int]], Any],
        policy: Policy,
        heard: Callable[[list[Question], list[str]], None] | None,
        limits: Limits,
    ) -> list[Any]:
        """Deal out a task's games; answer their questions until all are over or broken off."""
        served, dealt, setting = task
        active = []
        for place, pipe in enumerate(self._pipes):
            share = dealt[place :: len(self._pipes)]
            if share:
                pipe.send((served, share, setting))
                active.append(pipe)
        results: list[Any] = []
        until = time.monotonic() + limits.seconds
        played = 0
        while active:
            rounds: list[Round] = [pipe.recv() for pipe in active]
            results += [result for each in rounds for result in each.results]
            active = [pipe for pipe, each in zip(active, rounds, strict=True) if each.questions]
            waiting = [each.questions for each in rounds if each.questions]
            if played == limits.rounds or time.monotonic() > until:
                for pipe in active:
                    pipe.send(None)
                    results += pipe.recv().results
                break
            played += 1
            questions = [question for each in waiting for question in each]
            letters = policy(questions) if questions else []
            if heard is not None:
                heard(questions, letters)
            answers = iter(letters)
            for pipe, asked in zip(active, waiting, strict=True):
                pipe.send([next(answers) for _ in asked])
        return results


def _serve(pipe: Connection) -> None:
    """Play games for the process at the other end, set by set. A round without questions is the
    last of its set."""
    while True:
        served, dealt, setting = pipe.recv()
        served(pipe, dealt, setting)


def _play_out(pipe: Connection, dealt: list[tuple[int, int]], setting: Setting) -> None:
    games = {number: Game(seed, setting) for number, seed in dealt}
    while games:
        over = [number for number, game in games.items() if game.is_over]
        ended = [games.pop(number).result for number in over]
        pipe.send(Round([game.ask(number) for number, game in games.items()], ended))
        if games:
            letters = pipe.recv()
            if letters is None:
                pipe.send(Round([], [game.result for game in games.values()]))
                return
            for game, letter in zip(games.values(), letters, strict=True):
                game.answer(letter)


def _play_branches(pipe: Connection, dealt: list[tuple[int, int]], branching: Branching) -> None:
    games = [(number, Game(seed)) for number, seed in dealt]
    while True:
        alone = [
            game
            for number, game in games
            if game.decisions < branching.alone[number] and not game.is_over
        ]
        if not alone:
            break
        pipe.send(Round([game.ask(-1) for game in alone], []))
        for game, letter in zip(alone, pipe.recv(), strict=True):
            game.answer(letter)
    ways = [
        (number, way, game.fork() if way else game)
        for number, game in games
        for way in reversed(range(branching.ways))
    ]
    before = {number: (game.points, game.decisions) for number, game in games}
    while True:
        going = [
            (number * branching.ways + way, game)
            for number, way, game in ways
            if game.decisions - before[number][1] < branching.decisions and not game.is_over
        ]
        if not going:
            break
        pipe.send(Round([game.ask(name) for name, game in going], []))
        for (_, game), letter in zip(going, pipe.recv(), strict=True):
            game.answer(letter)
    ended = [Branch(number, way, game.points - before[number][0]) for number, way, game in ways]
    pipe.send(Round([], ended))
