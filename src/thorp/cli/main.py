"""The commands `thorp` and `god`, and the one place where an error becomes a line and an exit code.

0    done                       1    looked, and found something wrong
2    refused; nothing changed   130  stopped by Ctrl-C
"""

import os
import signal
import sys
from importlib import import_module
from io import TextIOWrapper
from time import monotonic
from typing import Annotated, Any, Final

import typer
from typer.exceptions import TyperException
from typer.main import get_command

from thorp import __version__
from thorp.cli.commands import CommandGroup, Commands
from thorp.kernel.errors import InvalidError, ThorpError, kind_of
from thorp.kernel.text import make_label, printable

SAME_END_SECONDS: Final = (
    1.0  # A second signal this soon is part of the first: process groups often get two.
)

SECTIONS: Final = {
    "Start here": ("up", "bots", "mcp", "model"),
    "Worlds and who lives in them": ("world", "agent", "village", "society", "follow", "token"),
    "Matches and learning": ("match", "tournament", "league", "task", "openenv", "fleet"),
    "Towns and stories": ("town", "story"),
    "Proof": ("log", "witness", "simulate"),
    "This machine": ("doctor", "config", "schema"),
}
"""Every command, under the headings of `thorp --help`."""
COMMANDS: Final = (
    *("schema", "up", "follow", "bots", "mcp", "openenv", "doctor", "witness"),
    "simulate",
)
"""Those that are commands themselves, and not groups of commands."""
GROUPS: Final = tuple(name for names in SECTIONS.values() for name in names if name not in COMMANDS)
# What a value should have been, by the beginning of the validator's name for the mistake.
EXPECTED: Final = {
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "finite": "a finite number",
}
MODULES: Final = {
    "follow": "up",
    "openenv": "mcp",
    "witness": "log",
}  # Commands in modules of other names.


EXAMPLES: Final = """\
Examples:
  thorp up --village                     a village, on http://127.0.0.1:8080
  thorp bots --count 5                   five bots that live in it
  thorp agent trace A3                   what an agent saw, did and was told
  thorp world fork --at 3000 --into DIR  the same world, on from tick 3000
  thorp match run number-guess --agent random --agent me=bot.py:Bot

thorp COMMAND --help says more of each."""


class Overview(CommandGroup):
    """`thorp --help`: the commands under their headings, then the options, then examples."""

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        super().format_help_text(ctx, formatter)
        for heading, names in SECTIONS.items():
            self.write_commands(formatter, heading, names)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Nothing more: the headings have listed them all."""

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        formatter.write_paragraph()
        formatter.write(f"{EXAMPLES}\n")


def commands(called: str | None = None) -> Commands:
    """`thorp` with the one command that is called, since importing all takes long; all if it is
    unknown."""
    is_known = called in GROUPS or called in COMMANDS
    app = Commands(
        name="thorp",
        cls=CommandGroup if is_known else Overview,
        help="A deterministic world for AI agents: agents propose, the world decides, the log "
        "remembers.",
    )
    app.callback(cls=CommandGroup if is_known else Overview)(_options)
    for name in GROUPS:
        if name == called or not is_known:
            app.add_typer(import_module(f"thorp.cli.{name}").app, name=name)
    for name in COMMANDS:
        if name == called or not is_known:
            module = import_module(f"thorp.cli.{MODULES.get(name, name)}")
            app.command()(getattr(module, name))
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"thorp {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None: ...


def main() -> None:
    """The `thorp` command."""
    _run(commands(next(iter(sys.argv[1:]), None)), "thorp")


def god() -> None:
    """The `god` command: what the keeper of a town does."""
    from thorp.cli.god import app

    _run(app, "god")


def _run(commands: typer.Typer, name: str) -> None:
    """Run a command. Everything that goes wrong on purpose is one line on standard error."""
    ended_by: list[int] = []
    ending_since = float("-inf")

    def end(number: int, _frame: object) -> None:
        """Leave as an interrupted command does, ending the processes it started."""
        nonlocal ending_since
        if monotonic() - ending_since > SAME_END_SECONDS:
            ended_by.append(number)
            ending_since = monotonic()
            raise KeyboardInterrupt

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    _mend_streams()
    try:
        _check_arguments()
        arguments = sys.argv[1:] or ["--help"]  # asking for nothing is not a mistake
        code = get_command(commands).main(arguments, prog_name=name, standalone_mode=False)
        sys.stdout.flush()
    except TyperException as wrong:
        code = _misused(name, _in_our_words(wrong))
    except ThorpError as refusal:
        _refuse(name, str(refusal))
        code = kind_of(refusal).exit_code
    except KeyboardInterrupt:
        code = 130
    except RecursionError:
        code = _refuse(name, "something in the input nests too deeply")
    except SystemExit as leaving:  # the library's own way out when the reader of a pipe went away
        code = 0 if type(sys.stdout).__name__ == "PacifyFlushWrapper" else leaving.code
    except BrokenPipeError:
        code = 0  # the reader of our output has gone away, as `head` does
    except OSError as problem:
        code = _refuse(name, f"{problem.filename or 'standard output'}: {problem.strerror}")
    _flush_or_forget()
    if ended_by:
        code = 128 + ended_by[0]
    sys.exit(code if isinstance(code, int) else 0)


def _mend_streams() -> None:
    """Let a closed stream discard what is printed, and one that cannot write a character its
    escape."""
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:
            setattr(sys, stream, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
    for text in (sys.stdout, sys.stderr):
        if isinstance(text, TextIOWrapper):
            text.reconfigure(errors="backslashreplace")


def _check_arguments() -> None:
    """Refuse arguments that are not text: nothing made of them could be written."""
    for argument in sys.argv[1:]:
        if not argument.isascii() and argument != argument.encode("utf-8", "replace").decode(
            "utf-8"
        ):
            raise InvalidError(f"the argument {argument!a} is not valid UTF-8", code="argument")


def _flush_or_forget() -> None:
    """A failed write has been reported already; keep the interpreter from trying and reporting it
    again."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _in_our_words(wrong: TyperException) -> str:
    """What was wrong with the arguments. The library words an unreadable value as its validator
    does, which means nothing to somebody who types a command."""
    message = wrong.format_message()
    problems: list[Any] = getattr(wrong.__cause__, "errors", list)()
    if len(problems) != 1:
        return message
    head, colon, explanation = message.partition(": ")
    kind = str(problems[0]["type"])
    value = make_label(str(problems[0]["input"]))
    expected = next((words for start, words in EXPECTED.items() if kind.startswith(start)), "")
    if expected:
        return f"{head}{colon}{value!r} is not {expected}."
    return f"{head}{colon}{explanation.removeprefix('Value error, ').rstrip('.')}."


def _misused(name: str, message: str) -> int:
    if message.startswith("Usage:"):  # a command without arguments: the message is its whole help
        print(message, file=sys.stderr)
        return 2
    stop = "" if message.endswith((".", "?")) else "."
    return _refuse(name, f"{message}{stop} Try --help.")


def _refuse(name: str, message: str) -> int:
    line = " ".join(printable(message).split())
    print(f"{name}: {line}", file=sys.stderr)
    return 2
