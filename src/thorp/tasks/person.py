"""Lets a person play rows at a terminal, as a match like any other: the log proves the score.

A person's actions are recorded, not computed, so a log is proven by judging them again. Nothing can
prove that it was a person: that is the word of those who report the row.
"""

from collections.abc import Iterable
from typing import Final, TextIO

import msgspec

from thorp.arena import service
from thorp.arena.contract import AgentContext, MatchTask, SimpleAgent
from thorp.arena.registry import make_scenario
from thorp.arena.runner import run_match
from thorp.arena.tournament.run import PlayedMatch
from thorp.kernel.canonical import Json
from thorp.kernel.text import printable
from thorp.tasks.runs import played_row
from thorp.tasks.scenario import briefing
from thorp.tasks.suite import default_suite

HELP: Final = (
    "Type an action and its fields, such as: mine_nearest block=LOG. Or JSON. An empty line waits; "
    "quit ends it."
)


class PersonAgent(SimpleAgent):
    """An agent that is a person at a terminal."""

    def __init__(self, id: str, lines: Iterable[str], screen: TextIO, briefing: str = "") -> None:
        super().__init__(id)
        self._briefing = briefing
        self._lines = iter(lines)
        self._screen = screen

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        if ctx.turn == 1:
            self._say(f"{self._briefing}\n{HELP}")
        self._say(f"\n{observation['text']}\n> ", end="")
        line = next(self._lines, "quit").strip()
        if line == "quit":
            raise KeyboardInterrupt
        return read_line(line)

    def _say(self, text: str, end: str = "\n") -> None:
        print("\n".join(map(printable, text.split("\n"))), file=self._screen, end=end, flush=True)


def read_line(line: str) -> Json:
    """The action that a typed line stands for: JSON, or a name with fields. What it means is for
    the task to judge."""
    if not line:
        return {"action": "wait"}
    if line.startswith("{"):
        return _value(line)
    name, *fields = line.split()
    action: dict[str, Json] = {"action": name}
    for position, field in enumerate(fields):
        key, equals, value = field.partition("=")
        if not equals:
            # The rest is text: `say Good morning`.
            action["text"] = " ".join(fields[position:])
            break
        action[key] = _value(value)
    return action


def _value(text: str) -> Json:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return text


def match_briefing(match: MatchTask) -> str:
    """The rules and actions of a row, as a model is told them."""
    return briefing(default_suite().task(str(match.parameters["task"])))


class PersonPlays:
    """Plays rows one after another, each to its end. Whoever types `quit` stops: the row that is
    not finished counts as not begun."""

    def __init__(self, lines: Iterable[str], screen: TextIO, rows: int) -> None:
        self._lines = iter(lines)
        self._screen = screen
        self._rows = rows
        self._row = 0

    def __call__(self, match: MatchTask) -> PlayedMatch:
        """Play a row."""
        self._row += 1
        self._say(f"\n{match.match_id}, {self._row} of {self._rows}")
        (seat,) = match.seats
        scenario = make_scenario(match.scenario, match.parameters)
        person = PersonAgent(seat.id, self._lines, self._screen, match_briefing(match))
        result = run_match(scenario, [person], service.match_config(match))
        self._say(f"\n{match.match_id}: {result.scores.get(seat.id, 0.0):.3f}")
        return played_row(match, result)

    def _say(self, text: str) -> None:
        print(text, file=self._screen, flush=True)
