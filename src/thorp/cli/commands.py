"""How commands are declared: options by their help texts, alone or in groups; and how they read and
print.

A group is a NamedTuple whose fields are options. A command of `Commands` takes it as one parameter,
and gets the options of the group instead. A `bool` is a flag, without its opposite unless it is
given a name:

    app = Commands(help="…")

    @app.command() def run(scenario: ScenarioName, rules: MatchOptions, dry: Annotated[bool,
    option("Only say it.")]): ...
"""

import inspect
import sys
from collections.abc import Callable
from copy import copy
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec
import typer
from typer.models import OptionInfo

from thorp.kernel.canonical import insertion_bytes

Command = TypeVar("Command", bound=Callable[..., None])


def option(help: str, metavar: str | None = None, *, name: str | None = None, **more: Any) -> Any:
    """An option: its help text, what stands for its value, and its name if it is not its
    parameter's."""
    return typer.Option(*([name] if name else []), metavar=metavar, help=help, **more)


def argument(help: str, metavar: str | None = None, **more: Any) -> Any:
    """An argument of a command, by its help text."""
    return typer.Argument(metavar=metavar, help=help, **more)


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
            super(Commands, self).command(name, **settings)(ungrouped(command))
            return command

        return register


def ungrouped(command: Callable[..., None]) -> Callable[..., None]:
    """The same command with the options of its groups as parameters, in place of the groups."""
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
    """A parameter of a command; of a flag without a name typer would make an opposite, too."""
    kind, *about = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    if kind is bool and isinstance(about[0], OptionInfo) and about[0].default is ...:
        flag = copy(about[0])
        flag.default = f"--{name.replace('_', '-')}"  # where typer looks for a name
        hint = Annotated[bool, flag]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint)


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


def unchecked(self_check: str | None) -> list[str]:
    """The line that says so if the database could not be made to check itself."""
    line = "the database did not check itself: PostgreSQL can with `CREATE EXTENSION amcheck`"
    return [line] if self_check is None else []


def read_input(file: Path, limit: int) -> bytes:
    """What is in a file, or on standard input if it is `-`; of what is too long, one byte too
    many."""
    if str(file) == "-":
        return sys.stdin.buffer.read(limit + 1)
    with file.open("rb") as source:
        return source.read(limit + 1)
