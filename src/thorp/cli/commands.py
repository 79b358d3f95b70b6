"""Declares commands and their options, alone or in groups; reads input and prints answers for them.

A group is a NamedTuple whose fields are options. A command of `Commands` takes the group as one
parameter, and the command line gets every option of the group. A `bool` is a flag; it has an
opposite only if its name says so (`--logs/--no-logs`).

    app = Commands(help="…")

    @app.command()
    def run(
        scenario: ScenarioName,
        rules: MatchOptions,
        dry: Annotated[bool, option("Only say what would happen.")] = False,
    ) -> None: ...
"""

import inspect
import sys
from collections.abc import Callable, Iterable
from copy import copy
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar, get_args, get_origin, get_type_hints

import msgspec
import typer
from typer.core import TyperGroup
from typer.models import OptionInfo

from thorp.kernel.canonical import insertion_bytes

Command = TypeVar("Command", bound=Callable[..., None])


# No help names a larger bound: nobody comes near it, and the number says nothing to a reader.
LARGEST_SHOWN: Final = 2**53 - 2

NO_TEXTS: Final[list[str]] = []
"""The default of an option that may be repeated. The command line wants a list; none is changed."""


def option(
    help: str,
    metavar: str | None = None,
    *,
    name: str | None = None,
    min: float | None = None,
    max: float | None = None,
    **more: Any,
) -> Any:
    """Declare an option: its help text, the placeholder for its value, its name if that is not the
    parameter's, and the bounds of a number. Further settings are typer's."""
    names = [name] if name else []
    words = help + _bounds_in_words(min, max)
    return typer.Option(
        *names, metavar=metavar, help=words, callback=_bound_check(min, max), **more
    )


def argument(
    help: str,
    metavar: str | None = None,
    *,
    min: float | None = None,
    max: float | None = None,
    **more: Any,
) -> Any:
    """Declare an argument: its help text, the placeholder for its value, and the bounds of a
    number."""
    words = help + _bounds_in_words(min, max)
    return typer.Argument(metavar=metavar, help=words, callback=_bound_check(min, max), **more)


def _bound_check(least: float | None, most: float | None) -> Callable[[Any], Any] | None:
    """Refuses a number beyond its bounds; None if it has none."""
    if least is None and most is None:
        return None

    def check(value: Any) -> Any:
        if value is None:
            return None
        # Comparisons that NaN fails, too.
        if least is not None and not value >= least:
            raise typer.BadParameter(f"{value} is too small; it takes {least} or more.")
        if most is not None and not value <= most:
            raise typer.BadParameter(f"{value} is too large; it takes {most} or less.")
        return value

    return check


def _bounds_in_words(least: float | None, most: float | None) -> str:
    """The bounds of an option for its help text, without those that are obvious or that nobody
    reaches."""
    if most is None or most > LARGEST_SHOWN:
        return "" if least is None or least <= 0 else f" ({least} or more)"
    return f" ({most} or less)" if least is None else f" ({least} to {most})"


class CommandGroup(TyperGroup):
    """A group of commands whose help shows the whole description of each, and not its beginning."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        self.write_commands(formatter, "Commands", self.commands)

    def write_commands(self, formatter: Any, heading: str, names: Iterable[str]) -> None:
        """List some of the commands under a heading, all in columns of the same width."""
        width = max(map(len, self.commands))
        with formatter.section(heading):
            formatter.write_dl(
                [(name.ljust(width), _description(self.commands[name])) for name in names]
            )


def _description(command: Any) -> str:
    """The first paragraph of a command's help, on one line."""
    return " ".join(str(command.help or "").strip().partition("\n\n")[0].split())


class Commands(typer.Typer):
    """A group of commands under one name. Its commands may take groups of options."""

    def __init__(self, cls: type[CommandGroup] = CommandGroup, **settings: Any) -> None:
        super().__init__(
            cls=cls,
            no_args_is_help=True,
            rich_markup_mode=None,
            pretty_exceptions_enable=False,
            context_settings={"help_option_names": ["-h", "--help"]},
            **settings,
        )
        # With a callback, a group of a single command still needs that command's name.
        self.callback(cls=cls)(lambda: None)

    def command(self, name: str | None = None, **settings: Any) -> Callable[[Command], Command]:
        def register(command: Command) -> Command:
            super(Commands, self).command(name, **settings)(ungrouped(command))
            return command

        return register


def ungrouped(command: Callable[..., None]) -> Callable[..., None]:
    """The same command with the options of its groups as parameters, in place of the groups.

    Typer reads a command's signature, so the wrapper has one of its own: first what the command
    takes itself, then the fields of each group. When it is called it builds the groups again.
    """
    hints = get_type_hints(command, include_extras=True)
    parameters: list[inspect.Parameter] = []
    groups: dict[str, Any] = {}
    for name, parameter in inspect.signature(command).parameters.items():
        if isinstance(hints[name], type) and issubclass(hints[name], tuple):
            groups[name] = hints[name]
        else:
            parameters.append(_parameter(name, hints[name], parameter.default))
    for group in groups.values():
        fields = get_type_hints(group, include_extras=True)
        parameters += [
            _parameter(name, fields[name], value) for name, value in group._field_defaults.items()
        ]

    @wraps(command)
    def run(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(*(given.pop(field) for field in group._fields))
        command(**given)

    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def _parameter(name: str, hint: Any, default: Any) -> inspect.Parameter:
    """A parameter of a command. A flag gets a name here: without one, typer adds `--no-…` to it."""
    kind, *about = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    if kind is bool and isinstance(about[0], OptionInfo) and about[0].default is ...:
        flag = copy(about[0])
        flag.default = f"--{name.replace('_', '-')}"  # where typer looks for a name
        hint = Annotated[bool, flag]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)


def print_json(value: object) -> None:
    """Print a value as one line of JSON in UTF-8, whatever the terminal's encoding."""
    sys.stdout.flush()
    sys.stdout.buffer.write(insertion_bytes(msgspec.to_builtins(value)) + b"\n")
    sys.stdout.buffer.flush()


def print_answer(as_json: bool, value: object, *lines: str) -> None:
    """Print a value as JSON, or lines that say the same to people."""
    if as_json:
        print_json(value)
    else:
        for line in lines:
            print(line)


def self_check_lines(self_check: str | None) -> list[str]:
    """A line for people if the database could not check itself; `self_check` names the check."""
    line = "the database did not check itself: PostgreSQL can with `CREATE EXTENSION amcheck`"
    return [line] if self_check is None else []


def read_input(file: Path, limit: int) -> bytes:
    """Read a file, or standard input if it is `-`. At most one byte more than the limit is read,
    enough for the caller to refuse input that is too long."""
    if str(file) == "-":
        return sys.stdin.buffer.read(limit + 1)
    with file.open("rb") as source:
        return source.read(limit + 1)
