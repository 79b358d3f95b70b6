"""Options that several commands share, each written once.

`--set NAME=VALUE` options: the value is JSON if it reads as JSON, else the text itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import msgspec
import typer

from thorp.arena.task import Limits
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError

DEFAULTS = Limits()
SEED_LIMIT = 2**53
DAY_SECONDS = 86_400
MEMORY_MIB_LIMIT = 1 << 20

ScenarioName = Annotated[str, typer.Argument(help="A scenario; `thorp match list` names them.")]
Agents = Annotated[list[str], typer.Option("--agent", metavar="[ID=]SPEC", help="A seat; repeat for each.")]
Seed = Annotated[
    int, typer.Option(min=-SEED_LIMIT, max=SEED_LIMIT, help="Everything random follows from it.")
]
MaxTurns = Annotated[int, typer.Option(min=1, max=SEED_LIMIT, help="A match ends after this many turns.")]
Parameters = Annotated[
    list[str], typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the scenario.")
]
TurnSeconds = Annotated[float, typer.Option(min=0.001, max=DAY_SECONDS, help="Time for one action.")]
MatchSeconds = Annotated[
    float, typer.Option(min=0.001, max=DAY_SECONDS, help="Time for all actions of a match.")
]
MemoryMib = Annotated[int, typer.Option(min=16, max=MEMORY_MIB_LIMIT, help="Memory of an agent's process.")]
ModelCalls = Annotated[int, typer.Option(min=0, help="Calls a model may make in a match.")]
ModelTokens = Annotated[int, typer.Option(min=0, help="Tokens a model may use in a match.")]
AsJson = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Secret = Annotated[
    str | None,
    typer.Option(
        metavar="HEX|none",
        help="Of a sealed scenario: 64 digits to repeat a match, none to draw from the seed; else a new one.",
    ),
]
ExactTip = Annotated[
    str | None,
    typer.Option("--tip", metavar="HASH", help="It must be the one with this tip, kept elsewhere."),
]
TipOption = Annotated[
    str | None, typer.Option("--tip", metavar="HASH", help="A tip noted earlier; it must lie on the chain.")
]


def print_unchecked(self_check: str | None) -> None:
    """Say so if the database could not be made to check itself."""
    if self_check is None:
        print("the database did not check itself: PostgreSQL can with `CREATE EXTENSION amcheck`")


def parse_parameters(texts: Sequence[str]) -> dict[str, Json]:
    """The parameters that `--set` options name. Refuses a malformed or repeated one."""
    parameters: dict[str, Json] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not name or not equals:
            raise InvalidError(f"--set takes NAME=VALUE, not {text!r}", code="parameter")
        if name in parameters:
            raise InvalidError(f"--set {name} is given twice; give it once", code="parameter")
        try:
            parameters[name] = msgspec.json.decode(value)
        except (msgspec.DecodeError, ValueError, RecursionError):
            parameters[name] = value
    return parameters
