"""Options that several commands share, each written once."""

import os
import sys
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from thorp.arena.contract import USUAL_MAX_TURNS, Limits
from thorp.cli.commands import NO_TEXTS, argument, option
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError

DEFAULT_DATA = "thorp-data"
DEFAULTS = Limits()
SEED_LIMIT = 2**53
SEEDS: Any = {"min": -SEED_LIMIT, "max": SEED_LIMIT}
SECONDS: Any = {"min": 0.001, "max": 86_400}  # Bounds of a time limit: at most a day.
MEMORY_MIB_LIMIT = 1 << 20

AsJson = Annotated[bool, option("Answer in JSON.", name="--json")]
Quiet = Annotated[bool, option("Show no progress.")]
DataOption = Annotated[
    Path | None, option("The data directory; else $THORP_DATA, else ./thorp-data.", "DIR")
]
ExactTip = Annotated[str | None, option("Accept only what has this tip, noted earlier.", "HASH")]
TipOption = Annotated[str | None, option("A tip noted earlier; it must be on the chain.", "HASH")]
ScenarioName = Annotated[str, argument("A scenario; `thorp match list` names them.")]
Agents = Annotated[list[str], option("A seat; repeat for each.", "[ID=]SPEC", name="--agent")]


class MatchOptions(NamedTuple):
    """The rules and limits under which matches are played."""

    seed: Annotated[int, option("All randomness follows from it.", **SEEDS)] = 42
    max_turns: Annotated[int, option("A match has at most N turns.", min=1, max=SEED_LIMIT)] = (
        USUAL_MAX_TURNS
    )
    parameter: Annotated[
        list[str],
        option("A parameter of the scenario; JSON, else text.", "NAME=VALUE", name="--set"),
    ] = NO_TEXTS
    secret: Annotated[
        str | None,
        option(
            "Sealed scenarios: 64 digits repeat a match, none draws from the seed; else new.",
            "HEX|none",
        ),
    ] = None
    turn_seconds: Annotated[float, option("Time limit of one action.", **SECONDS)] = (
        DEFAULTS.turn_seconds
    )
    match_seconds: Annotated[float, option("Time limit of all actions of an agent.", **SECONDS)] = (
        DEFAULTS.match_seconds
    )
    memory_mib: Annotated[
        int, option("Memory limit of an agent's process.", min=16, max=MEMORY_MIB_LIMIT)
    ] = DEFAULTS.memory_mib
    model_calls: Annotated[int, option("Calls a model may make in a match.", min=0)] = (
        DEFAULTS.model_calls
    )
    model_tokens: Annotated[int, option("Tokens a model may use in a match.", min=0)] = (
        DEFAULTS.model_tokens
    )

    @property
    def limits(self) -> Limits:
        """What one agent may use in a match."""
        return Limits(
            turn_seconds=self.turn_seconds,
            match_seconds=self.match_seconds,
            memory_mib=self.memory_mib,
            model_calls=self.model_calls,
            model_tokens=self.model_tokens,
        )

    def parameters(self) -> dict[str, Json]:
        """The parameters that `--set` options name. Refuses a malformed or repeated one."""
        parameters: dict[str, Json] = {}
        for text in self.parameter:
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


class RunOptions(NamedTuple):
    """Where many tasks are run, on how many processes, and whether they start over."""

    workers: Annotated[
        int | None,
        option("Worker processes; by default one a core. Does not change the result.", min=1),
    ] = None
    on: Annotated[
        Literal["processes", "ray"],
        option("Where to run: processes of this machine, or a Ray cluster."),
    ] = "processes"
    force: Annotated[bool, option("Move an existing DIR aside to DIR.old-N and start over.")] = (
        False
    )

    def say_how_to_go_on(self, stopped: object) -> None:
        """Say on standard error that finished tasks are kept, and how to continue."""
        how = "the same command without --force" if self.force else "the same command again"
        print(f"thorp: {stopped}; they are kept: run {how} to go on", file=sys.stderr)


def database_option(help: str) -> Any:
    """Declare the option for a database's URL, which may also come from the environment."""
    return option(help, "URL", envvar="THORP_DATABASE", show_envvar=False)


def data_directory(data: Path | None) -> Path:
    """The directory that --data names, or the default one."""
    return data or Path(os.environ.get("THORP_DATA") or DEFAULT_DATA)


def world_directory(data: Path | None) -> Path:
    """The directory of the voxel world in the data directory."""
    return data_directory(data) / "world"
