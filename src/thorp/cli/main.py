"""The commands `thorp` and `god`, and the one place where an error becomes a line and an exit code.

0    done                       1    looked, and found something wrong
2    refused; nothing changed   130  stopped by Ctrl-C
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Annotated

import typer
from typer.exceptions import TyperException
from typer.main import get_command

from thorp import __version__
from thorp.cli import god as god_commands
from thorp.cli import match, tournament, town
from thorp.cli.schema import schema
from thorp.kernel.errors import ThorpError

app = typer.Typer(
    name="thorp",
    help="A deterministic world for AI agents: agents propose, the world decides, the log remembers.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(match.app, name="match")
app.add_typer(tournament.app, name="tournament")
app.add_typer(town.app, name="town")
app.command()(schema)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"thorp {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None: ...


def main() -> None:
    """The `thorp` command."""
    _run(app, "thorp")


def god() -> None:
    """The `god` command: what the keeper of a town does."""
    _run(god_commands.app, "god")


def _run(commands: typer.Typer, name: str) -> None:
    """Run a command. Everything that goes wrong on purpose is one line on standard error."""
    # So that a terminated command leaves as an interrupted one does, ending the processes it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        code = get_command(commands).main(prog_name=name, standalone_mode=False)
        sys.stdout.flush()
    except TyperException as wrong:
        code = _refuse(name, f"{' '.join(wrong.format_message().split())} Try --help.")
    except ThorpError as refusal:
        code = _refuse(name, str(refusal))
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        code = 0  # whoever read us went away, as `head` does
    except OSError as problem:
        code = _refuse(name, f"{problem.filename or 'standard output'}: {problem.strerror}")
    _flush_or_forget()
    sys.exit(code if isinstance(code, int) else 0)


def _flush_or_forget() -> None:
    """What could not be written has been told already; the interpreter must not try, and tell, again."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _refuse(name: str, message: str) -> int:
    print(f"{name}: {' '.join(message.split())}", file=sys.stderr)
    return 2
