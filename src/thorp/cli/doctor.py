"""`thorp doctor`: is everything there that Thorp needs, and is what it keeps sound?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
import typer

from thorp.cli.checks import CHECKS, Place, Trouble
from thorp.cli.god import plain, print_json
from thorp.cli.options import AsJson
from thorp.cli.up import DataOption, data_directory
from thorp.kernel.errors import ThorpError


class Finding(msgspec.Struct, frozen=True):
    check: str
    verdict: str
    found: str
    advice: str | None = None


def doctor(
    data: DataOption = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port that a server shall have.")] = 8080,
    as_json: AsJson = False,
) -> None:
    """Check this machine and a data directory, also while a server runs. Exit code 1 if something fails.

    Example: thorp doctor --data thorp-data
    """
    findings = []
    for finding in examine(Place(data_directory(data), port)):
        findings.append(finding)
        if not as_json:
            print(f"{finding.verdict:<5} {finding.check:<11} {plain(finding.found)}", flush=True)
            if finding.advice:
                print(f"{'':<17} {plain(finding.advice)}")
    if as_json:
        print_json([msgspec.to_builtins(finding) for finding in findings])
    if any(finding.verdict == "fail" for finding in findings):
        raise typer.Exit(1)


def examine(place: Place) -> Iterator[Finding]:
    """Every check in turn. One that cannot be made has failed."""
    for name, check in CHECKS.items():
        try:
            yield Finding(name, "ok", check(place))
        except Trouble as trouble:
            yield Finding(name, trouble.verdict, trouble.found, trouble.advice)
        except ThorpError as problem:
            yield Finding(name, "fail", str(problem), "mend this, then look again")
        except OSError as problem:
            yield Finding(
                name, "fail", f"{problem.filename}: {problem.strerror}", "mend this, then look again"
            )
