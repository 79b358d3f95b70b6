"""What it is to break a promise, and the checks that several promises share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ContractError
from thorp.town.result import ECHOED, validate_result
from thorp.town.world import TownWorld


class BrokenPromise(AssertionError):
    """A world breaks a promise of the contract; the text says how."""


def require(holds: bool, message: str) -> None:
    """Raise BrokenPromise unless the promise holds."""
    if not holds:
        raise BrokenPromise(message)


def executed(world: TownWorld, handoff: dict[str, Json]) -> dict[str, Json]:
    """The result of a handoff that has to be executed."""
    return answered(world, handoff, "executed", "EXECUTED")


def answered(world: TownWorld, handoff: dict[str, Json], status: str, *codes: str) -> dict[str, Json]:
    """The result of a handoff, which must be valid, be about it, and have this status and reason code."""
    result = world.execute(handoff)
    try:
        validate_result(result)
    except ContractError as refusal:
        raise BrokenPromise(f"the result is no execution-result.v1: {refusal}") from refusal
    for name in ECHOED:
        require(result[name] == handoff[name], f"the result's {name} is not the handoff's")
    told = f"{result['status']} {result['reasonCode']}"
    require(result["status"] == status, f"expected {status}, got {told}")
    require(not codes or result["reasonCode"] in codes, f"expected {' or '.join(codes)}, got {told}")
    return result


@contextmanager
def unchanged(world: TownWorld, town_id: str) -> Iterator[None]:
    """What happens inside must not change the town."""
    before = world.snapshot(town_id)
    yield
    require(world.snapshot(town_id) == before, "the town has changed, and nothing was executed")
