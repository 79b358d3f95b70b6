"""An episode as a model with tools plays it: a first message, then calls and their answers.

Harnesses differ in how they offer tools, not in what a call does. A refused call raises, with a
sentence that says what to send instead; the turn has passed all the same.
"""

from collections.abc import Mapping
from typing import Final

from thorp.kernel.canonical import Json
from thorp.kernel.errors import IllegalError, InvalidError
from thorp.language.tools import Tool
from thorp.tasks.episode import Episode
from thorp.tasks.tools import as_action, tools_of

RULES: Final = (
    "Only what you reach counts, not what you say about it. Call one tool a turn; a call that is "
    "refused costs its turn, too."
)


class ToolPlay:
    """One run of a task, by calls of tools."""

    def __init__(self, episode: Episode) -> None:
        self.episode = episode

    @property
    def tools(self) -> list[Tool]:
        """The tools of the task."""
        return tools_of(self.episode.task)

    @property
    def message(self) -> str:
        """What a model is told first: the task, the rules, and what is seen."""
        return f"{self.episode.prompt}\n{RULES}\n\n{self._seen()}"

    @property
    def is_over(self) -> bool:
        """Whether the episode has ended."""
        return self.episode.is_over

    @property
    def score(self) -> float:
        """The score, from 0 to 1."""
        return self.episode.score

    def call(self, name: str, arguments: Mapping[str, Json]) -> str:
        """Play a turn; return what is seen after it. Refuses a call that the world refuses, and any
        after the end."""
        episode = self.episode
        if episode.is_over:
            raise IllegalError("the task is over: stop calling tools", code="ended")
        given = {field: value for field, value in arguments.items() if value is not None}
        verdict = episode.act(as_action({**given, "action": name}))
        if not verdict.valid:
            raise InvalidError(f"{verdict.problem}. {self._time()}", code="refused")
        return self._seen()

    @property
    def seen(self) -> str:
        """The newest observation in words, with the task: for models that remember few turns."""
        return str(self.episode.observe()["text"])

    def _seen(self) -> str:
        return f"{self._time()}\n{self.episode.engine.observe()['text']}"

    def _time(self) -> str:
        episode = self.episode
        if episode.is_over:
            return f"The task is over, with a score of {episode.score:.3f}: stop calling tools."
        return f"Turns left: {episode.task.max_turns - episode.turn}."
