"""What an agent in a match of the voxel world may answer now, for whoever asks a model.

An observation says which crafts are possible under `possible`, and shows the rest: blocks, goods,
people and trades. Nothing here is part of the match: a log is the same whether a model was guided
or not.
"""

from collections.abc import Sequence
from typing import Any, Final

from thorp.env.choices import default_choices
from thorp.kernel.canonical import Json
from thorp.language.possibilities import Moment, Possibilities
from thorp.language.text import Describer
from thorp.language.tools import Tool

CRAFT: Final = "craft_"
SMELT: Final = "smelt_"


class AnswerGuide:
    """Follows the observations of one seat. Give it each one, in order."""

    def __init__(self, tools: Sequence[Tool]) -> None:
        self._tools = tuple(tools)
        self._describer: Describer | None = None
        self._moment = Moment(self._tools, Possibilities())

    def take(self, observation: Any) -> None:
        """Take in the next observation."""
        if self._describer is None:
            self._describer = Describer(observation["palette"])
        self._describer.take(observation)
        names = [default_choices().names[number] for number in observation["possible"]]
        now = self._describer.possibilities(())._replace(
            recipes=tuple(name.removeprefix(CRAFT) for name in names if name.startswith(CRAFT)),
            smeltable=tuple(
                name.removeprefix(SMELT).upper() for name in names if name.startswith(SMELT)
            ),
        )
        self._moment = Moment(self._tools, now)

    def schema(self) -> dict[str, Json]:
        """The JSON schema of an answer to the newest observation."""
        return self._moment.action_schema()

    def instead_of(self, action: Json) -> str:
        """What could be answered instead of an action that was refused; empty if it says
        nothing."""
        named = action if isinstance(action, dict) else {}
        name = named.get("action")
        return self._moment.instead_of(name if isinstance(name, str) else "", named)
