"""Days of minds in villages as questions and answers, each village in a process of its own.

A village lives its first days; on the third morning minds come in. What a mind is asked, and which
options it has, is decided by the rules of `thorp.village.minds`, as where it is served.
"""

import multiprocessing
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Final, NamedTuple

from expert import VillageExpert

from thorp.bridges.voxel_town import new_city_world
from thorp.mind import Menu, Option
from thorp.village.founding import RULES, VILLAGE_DAYS
from thorp.village.headless import run
from thorp.village.headless_minds import HeadlessMinds, MindFigures
from thorp.village.measure import TOKENS
from thorp.village.minds import NAMES, Mind, Question, Reply
from thorp.voxel import AnyInput, World, step
from thorp.voxel.achievements import TECH
from thorp.voxel.tuning import read_tuning

GATHER_SECONDS: Final = 0.005
"""How long questions are gathered, so that a model reads some of them as one batch."""


class Asked(NamedTuple):
    """A question of a mind in a village, and what the teacher would answer."""

    seed: int
    prompt: str
    letters: str
    expert: str


class DayLived(NamedTuple):
    """How a mind had fared by the end of a day."""

    seed: int
    name: str
    day: int
    unlocked: tuple[str, ...]
    idle_day: float
    starving: int
    decisions: int
    refused: int


Policy = Callable[[list[Asked]], list[str]]
"""Answers questions that were asked at about the same time, one letter each."""


class _Offered:
    """The part of a menu that a question is about."""

    def __init__(self, menu: Menu, letters: str) -> None:
        self.options = tuple(option for option in menu.options if option.letter in letters)

    def named(self, name: str) -> Option | None:
        return next((option for option in self.options if option.name == name), None)


def play_villages(
    seeds: Sequence[int],
    policy: Policy,
    *,
    processes: int,
    days: int = 3,
    count: int = 1,
    heard: Callable[[list[Asked], list[str]], None] | None = None,
    seconds: float = float("inf"),
) -> list[DayLived]:
    """Let `count` minds live in a village of each seed by one policy. `heard` is called with all
    that is asked and answered. Villages that still live after so many seconds are broken off."""
    waiting = list(seeds)
    living: dict[Connection, BaseProcess] = {}
    lived: list[DayLived] = []
    began = time.monotonic()
    try:
        while waiting or living:
            if time.monotonic() - began > seconds:
                break
            while waiting and len(living) < processes:
                near, process = _found(waiting.pop(0), days, count)
                living[near] = process
            asked = []
            for pipe, said in _gathered(living):
                if isinstance(said, Asked):
                    asked.append((pipe, said))
                elif isinstance(said, DayLived):
                    lived.append(said)
                else:
                    living.pop(pipe).join()
            if not asked:
                continue
            questions = [question for _, question in asked]
            letters = policy(questions)
            if heard is not None:
                heard(questions, letters)
            for (pipe, _), letter in zip(asked, letters, strict=True):
                pipe.send(letter)
    finally:
        for process in living.values():
            process.terminate()
    return sorted(lived)


def _gathered(living: dict[Connection, BaseProcess]) -> list[tuple[Connection, object]]:
    """What villages say next; None from one that has ended. Each waits for its answer, so nothing
    is said twice."""
    wait(list(living))
    time.sleep(GATHER_SECONDS)
    said: list[tuple[Connection, object]] = []
    for pipe in list(living):
        if pipe.poll():
            try:
                said.append((pipe, pipe.recv()))
            except EOFError:
                said.append((pipe, None))
    return said


def _found(seed: int, days: int, count: int) -> tuple[Connection, BaseProcess]:
    """A village in a process of its own, which asks through the pipe."""
    context = multiprocessing.get_context("spawn")
    near, far = context.Pipe()
    process = context.Process(target=_live, args=(seed, days, count, far), daemon=True)
    process.start()
    far.close()
    return near, process


def _live(seed: int, days: int, count: int, pipe: Connection) -> None:
    world = new_city_world(seed, tuning=read_tuning(RULES))
    day = world.tuning.day_ticks
    experts = {name: VillageExpert() for name in NAMES}
    minds: HeadlessMinds

    def choose(question: Question) -> Reply:
        mind = next(each for each in minds.minds if each.question is question)
        pipe.send(_asked(seed, mind, question, experts[mind.name]))
        return Reply(letter=pipe.recv())

    minds = HeadlessMinds(world, count, choose)

    def tick(inputs: Sequence[AnyInput]) -> None:
        entries = [*inputs, *minds.inputs]
        step(world, entries)
        minds.look(entries)
        if world.tick % day == 0:
            for figures in minds.figures():
                pipe.send(_day_lived(world, seed, figures))

    run(world, tick, TOKENS, to_tick=(int(VILLAGE_DAYS) + 1 + days) * day)


def _asked(seed: int, mind: Mind, question: Question, expert: VillageExpert) -> Asked:
    menu = mind.menu
    assert menu is not None, "who asks has a menu"
    offered = _Offered(menu, question.letters)
    wish = expert.choose(mind.sight, mind.notes, offered)
    return Asked(seed, question.prompt, question.letters, wish.letter)


def _day_lived(world: World, seed: int, figures: MindFigures) -> DayLived:
    agent = next(each for each in world.agents if each.name == figures.name)
    return DayLived(
        seed=seed,
        name=figures.name,
        day=world.tick // world.tuning.day_ticks,
        unlocked=tuple(each for each in TECH if agent.achievements.get(each)),
        idle_day=figures.idle_day,
        starving=figures.starving,
        decisions=figures.decisions,
        refused=figures.refused,
    )
