"""Reads the plan of a long run from a file, and prints all mistakes in it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

import typer

from thorp.kernel.errors import ContractError
from thorp.kernel.text import one_line
from thorp.store import RealDisk, read_whole

MAX_VIOLATIONS: Final = 20
"""Mistakes of a plan that are printed."""

Plan = TypeVar("Plan")


def read_plan_file(plan: Path, read: Callable[[bytes], Plan]) -> Plan:
    """The plan in a file. One with mistakes ends the command with 2, after a line for each."""
    from thorp.fleet.plan import MAX_PLAN_BYTES

    try:
        return read(read_whole(RealDisk(), plan, most=MAX_PLAN_BYTES))
    except ContractError as refusal:
        wrong = refusal.violations
        for violation in wrong[:MAX_VIOLATIONS]:
            print(
                f"thorp: {plan}: {violation.path}: {one_line(violation.message)} "
                f"({violation.code})",
                file=sys.stderr,
            )
        if len(wrong) > MAX_VIOLATIONS:
            print(f"thorp: {plan}: and {len(wrong) - MAX_VIOLATIONS} more", file=sys.stderr)
        raise typer.Exit(2) from None
