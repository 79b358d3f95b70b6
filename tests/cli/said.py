"""What a command says, run in this process because there are many: code, output, and what it
refuses."""

from __future__ import annotations

from typing import NamedTuple

import typer
from typer.testing import CliRunner

from thorp.cli.main import commands
from thorp.kernel.errors import ThorpError

THORP = commands()


class Said(NamedTuple):
    code: int
    out: bytes
    refusal: str | None


def said(*arguments: str, app: typer.Typer = THORP, stdin: bytes = b"") -> Said:
    done = CliRunner().invoke(app, list(arguments), input=stdin)
    problem = done.exception
    if isinstance(problem, ThorpError):
        return Said(2, done.stdout_bytes, str(problem))
    if problem is not None and not isinstance(problem, SystemExit):
        raise problem
    return Said(done.exit_code, done.stdout_bytes, None)
