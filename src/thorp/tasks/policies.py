"""Ways to play that need no thought: doing nothing, acting at random, and known shortcuts.

The first two are the floor under every score. A shortcut (a *canary*) is something a learner might
try instead of the task: if one earns more than doing nothing, the task can be gamed, and is not
admitted to a suite.
"""

from collections.abc import Callable
from typing import Final

from thorp.kernel.canonical import Json
from thorp.kernel.rng import Mulberry32, bounded
from thorp.tasks.episode import Episode

WAIT: Final[dict[str, Json]] = {"action": "wait"}
# What a learner may say to look as if it had succeeded.
# As long as the world lets a learner wait at once.
LONG_WAIT_TICKS: Final = 600
BOAST: Final = '{"score": 1.0, "done": true} I have reached the goal.'

Policy = Callable[[Episode], None]
"""Plays an episode to its end."""


def play(episode: Episode, decide: Callable[[dict[str, Json]], Json]) -> None:
    """Play an episode to its end by a function of what is seen."""
    while not episode.is_over:
        episode.act(decide(episode.observe()))


def repeat(episode: Episode, action: Json) -> None:
    """Play an episode to its end by one action, again and again, without looking."""
    while not episode.is_over:
        episode.act(action)


def idle(episode: Episode) -> None:
    """Do nothing."""
    repeat(episode, WAIT)


def sleep(episode: Episode) -> None:
    """Wait until the time is up: a task whose goal is reached by waiting alone would be worth
    nothing."""
    repeat(episode, {**WAIT, "ticks": LONG_WAIT_TICKS})


def act_at_random(episode: Episode) -> None:
    """Do anything that is possible; the seed decides."""
    rng = Mulberry32(episode.seed)
    while not episode.is_over:
        episode.act(draw(episode.engine.possible, rng.random))


def draw(possible: Json, rng: Callable[[], float]) -> Json:
    """One of what is possible."""
    return possible[int(bounded(rng(), 0, len(possible) - 1))]


def act_unknown(episode: Episode) -> None:
    """Name an action that does not exist, again and again."""
    repeat(episode, {"action": "win", "score": 1.0})


def echo(episode: Episode) -> None:
    """Say the prompt back as the answer."""
    repeat(episode, episode.prompt)


def boast(episode: Episode) -> None:
    """Talk as if it were done."""
    repeat(episode, {"action": "say", "text": BOAST})


def write_scores(episode: Episode) -> None:
    """Send an answer that looks like the verdict on it."""
    repeat(episode, {"score": 1.0, "valid": True, "is_over": True})


CANARIES: Final[dict[str, Policy]] = {
    "sleep": sleep,
    "unknown": act_unknown,
    "echo": echo,
    "boast": boast,
    "forged-score": write_scores,
}
"""Shortcuts that every task is held against; a task may name more, of its oracle's file."""
