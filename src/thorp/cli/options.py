"""Options that several commands share, each written once, alone or in groups; and how commands print.

A group is a NamedTuple whose fields are options. A command of `Commands` takes it as one parameter, and gets
the options of the group instead:

    app = Commands(help="…")

    @app.command()
    def run(scenario: ScenarioName, rules: MatchOptions, quiet: Quiet = False) -> None: ...
"""

import inspect
import os
import sys
from collections.abc import Callable
from enum import StrEnum
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar, get_type_hints

import msgspec
import typer

from thorp.arena.contract import Limits
from thorp.kernel.canonical import Json, insertion_bytes
from thorp.kernel.errors import InvalidError

DEFAULT_DATA = "thorp-data"
DEFAULTS = Limits()
SEED_LIMIT = 2**53
DAY_SECONDS = 86_400
MEMORY_MIB_LIMIT = 1 << 20

AsJson = Annotated[bool, typer.Option("--json", help="Answer in JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Show no progress.")]
DataOption = Annotated[
    Path | None,
    typer.Option("--data", metavar="DIR", help="The data directory; else $THORP_DATA, else ./thorp-data."),
]
ExactTip = Annotated[
    str | None, typer.Option("--tip", metavar="HASH", help="Accept only what has this tip, noted earlier.")
]
TipOption = Annotated[
    str | None, typer.Option("--tip", metavar="HASH", help="A tip noted earlier; it must be on the chain.")
]
ScenarioName = Annotated[str, typer.Argument(help="A scenario; `thorp match list` names them.")]
Agents = Annotated[list[str], typer.Option("--agent", metavar="[ID=]SPEC", help="A seat; repeat for each.")]


class MatchOptions(NamedTuple):
    """How matches are played."""

    seed: Annotated[
        int, typer.Option(min=-SEED_LIMIT, max=SEED_LIMIT, help="All randomness follows from it.")
    ] = 42
    max_turns: Annotated[int, typer.Option(min=1, max=SEED_LIMIT, help="A match has at most N turns.")] = 1000
    parameter: Annotated[
        list[str],
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the scenario; JSON, else text."),
    ] = []  # noqa: RUF012
    secret: Annotated[
        str | None,
        typer.Option(
            metavar="HEX|none",
            help="For a sealed scenario: 64 digits to repeat a match, none to draw from the seed; else a new "
            "one.",
        ),
    ] = None
    turn_seconds: Annotated[
        float, typer.Option(min=0.001, max=DAY_SECONDS, help="Time limit of one action.")
    ] = DEFAULTS.turn_seconds
    match_seconds: Annotated[
        float, typer.Option(min=0.001, max=DAY_SECONDS, help="Time limit of all actions of an agent.")
    ] = DEFAULTS.match_seconds
    memory_mib: Annotated[
        int, typer.Option(min=16, max=MEMORY_MIB_LIMIT, help="Memory limit of an agent's process.")
    ] = DEFAULTS.memory_mib
    model_calls: Annotated[int, typer.Option(min=0, help="Calls a model may make in a match.")] = (
        DEFAULTS.model_calls
    )
    model_tokens: Annotated[int, typer.Option(min=0, help="Tokens a model may use in a match.")] = (
        DEFAULTS.model_tokens
    )

    @property
    def limits(self) -> Limits:
        return Limits(
            self.turn_seconds, self.match_seconds, self.memory_mib, self.model_calls, self.model_tokens
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


class On(StrEnum):
    """Where tasks are run."""

    processes = "processes"
    ray = "ray"


class RunOptions(NamedTuple):
    """Where many tasks are run, and over what."""

    workers: Annotated[
        int | None,
        typer.Option(min=1, help="Worker processes; by default one a core. Does not change the result."),
    ] = None
    on: Annotated[On, typer.Option(help="Where to run: processes of this machine, or a Ray cluster.")] = (
        On.processes
    )
    force: Annotated[
        bool, typer.Option("--force", help="Move an existing DIR aside to DIR.old-N and start over.")
    ] = False

    def say_how_to_go_on(self, stopped: object) -> None:
        """Tell on standard error that an interrupted run is kept."""
        how = "the same command without --force" if self.force else "the same command again"
        print(f"thorp: {stopped}; they are kept: run {how} to go on", file=sys.stderr)


def data_directory(data: Path | None) -> Path:
    """The directory that --data names, or the default one."""
    return data or Path(os.environ.get("THORP_DATA") or DEFAULT_DATA)


def world_directory(data: Path | None) -> Path:
    """The directory of the voxel world in the data directory."""
    return data_directory(data) / "world"


Command = TypeVar("Command", bound=Callable[..., None])


class Commands(typer.Typer):
    """Commands below one name, which may take groups of options."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(
            no_args_is_help=True,
            rich_markup_mode=None,
            pretty_exceptions_enable=False,
            context_settings={"help_option_names": ["-h", "--help"]},
            **settings,
        )
        self.callback()(lambda: None)  # so that one command below a name is still called by its own

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Command], Command]:
        def register(command: Command) -> Command:
            super(Commands, self).command(name, **settings)(grouped(command))
            return command

        return register


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The same command with the options of its groups as parameters, in place of the groups."""
    hints = get_type_hints(command, include_extras=True)
    parameters: list[inspect.Parameter] = []
    groups: dict[str, Any] = {}
    for name, parameter in inspect.signature(command).parameters.items():
        if isinstance(hints[name], type) and issubclass(hints[name], tuple):
            groups[name] = hints[name]
        else:
            parameters.append(parameter.replace(kind=_KEYWORD, annotation=hints[name]))
    if not groups:
        return command
    for group in groups.values():
        parameters += _parameters_of(group)

    @wraps(command)
    def run(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(*(given.pop(field) for field in group._fields))
        command(**given)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


_KEYWORD = inspect.Parameter.KEYWORD_ONLY


def _parameters_of(group: Any) -> list[inspect.Parameter]:
    """A parameter for each option of a group; all of them have defaults."""
    hints = get_type_hints(group, include_extras=True)
    return [
        inspect.Parameter(name, _KEYWORD, default=default, annotation=hints[name])
        for name, default in group._field_defaults.items()
    ]


def print_json(value: object) -> None:
    """One line of JSON in UTF-8, whatever the terminal's encoding."""
    sys.stdout.flush()
    sys.stdout.buffer.write(insertion_bytes(msgspec.to_builtins(value)) + b"\n")
    sys.stdout.buffer.flush()


def print_answer(as_json: bool, value: object, *lines: str) -> None:
    """The value as JSON, or lines that say the same to people."""
    if as_json:
        print_json(value)
    else:
        for line in lines:
            print(line)


def print_unchecked(self_check: str | None) -> None:
    """Say so if the database could not be made to check itself."""
    if self_check is None:
        print("the database did not check itself: PostgreSQL can with `CREATE EXTENSION amcheck`")
