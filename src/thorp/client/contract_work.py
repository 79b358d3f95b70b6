"""A contract's whole life: walk to its terminal, read it there, accept it, do it, hand it in.

What a contract asks for is read at its terminal, whatever somebody said of it before. If it pays
less than was promised it is not accepted, and neither is one whose goods the agent does not carry:
a contract that is accepted and not kept costs reputation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from thorp.client.actions import SELF, hand_in, look_into, move_to, take_on, transfer
from thorp.client.building import build
from thorp.client.hearsay import Goods, Job, goods_of
from thorp.client.names import require_name
from thorp.protocol import codes
from thorp.protocol.obs import Position
from thorp.protocol.outcome import Outcome

if TYPE_CHECKING:
    from thorp.client.agent import Agent

HAND_REACH: Final = 3
"""How far hands reach that open a terminal, counted along the axes. The world does not say it."""
WALK_TICKS: Final = 1_500
"""Through a town and around its walls, also when tired."""
SETTLE_TICKS: Final = 10
"""A contract is settled in the tick in which the last of its goods arrives."""
_BLOCK_ID: Final = re.compile(r"[A-Z_]+@(-?\d{1,9}),(-?\d{1,9}),(-?\d{1,9})", re.ASCII)


def position_of(block_id: str) -> Position | None:
    """Where a block is that is named by its id: `CHEST@4,20,-9`."""
    match = _BLOCK_ID.fullmatch(block_id)
    return None if match is None else (int(match[1]), int(match[2]), int(match[3]))


async def fulfil(agent: Agent, job: Job | str) -> Outcome:
    """Do a job that was told, or that a terminal showed; the outcome of the step that decided."""
    if isinstance(job, str):
        jobs = {each.contract: each for each in agent.jobs}
        job = jobs[require_name("contract", job, jobs)]
    outcome = await _fulfil(agent, job)
    if outcome or outcome.code in (codes.CONFLICT, codes.INVALID_TARGET):
        agent.hearsay.drop(job.contract)
    return outcome


async def _fulfil(agent: Agent, job: Job) -> Outcome:
    arrived = await _go_to_terminal(agent, job.terminal)
    if not arrived:
        return arrived
    opened = await agent.do(look_into(job.terminal))
    if not opened:
        return opened
    contract = _listed(agent, job)
    if contract is None:
        message = f"{job.terminal} lists no contract {job.contract}"
        return Outcome(ok=False, code=codes.INVALID_TARGET, message=message)
    objection = _objection(agent, job, contract)
    if objection is not None:
        return objection
    if contract["state"] == "OPEN":
        accepted = await agent.do(take_on(job.terminal, job.contract))
        if not accepted:
            return accepted
    if contract["kind"] == "BUILD":
        x, y, z = contract["anchor"]
        name = str(contract["blueprint_id"])
        rotation = int(contract.get("rotation", 0))
        built = await build(agent, name, at=(x, y, z), rotation=rotation, within=0)
        if not built:
            return built
    else:
        delivered = await _deliver(agent, job.terminal, _still_due(contract))
        if not delivered:
            return delivered
    return await _settle(agent, job)


async def _go_to_terminal(agent: Agent, terminal: str) -> Outcome:
    place = position_of(terminal)
    if place is None:
        message = f"{terminal!r} is not the id of a terminal"
        return Outcome(ok=False, code=codes.INVALID_TARGET, message=message)
    walked = await agent.do(move_to(place), ticks=WALK_TICKS)
    distance = sum(abs(here - there) for here, there in zip(agent.position, place, strict=True))
    return Outcome(ok=True) if distance <= HAND_REACH else walked


def _listed(agent: Agent, job: Job) -> dict[str, Any] | None:
    contracts = agent.news.opened.get(job.terminal, {}).get("contracts", [])
    return next((each for each in contracts if each["contract_id"] == job.contract), None)


def _objection(agent: Agent, job: Job, contract: dict[str, Any]) -> Outcome | None:
    """Why not to do it, seen from the terminal; None if nothing speaks against it."""
    is_ours = contract["state"] == "ACCEPTED" and contract.get("acceptor") == agent.id
    if contract["state"] != "OPEN" and not is_ours:
        return Outcome(ok=False, code=codes.CONFLICT, message="contract is not open")
    reward = goods_of(contract.get("reward"))
    if any(reward.get(item, 0) < count for item, count in job.get.items()):
        message = f"it pays {_in_words(reward)} and not {_in_words(job.get)}, as was promised"
        return Outcome(ok=False, code=codes.CONFLICT, message=message)
    carried = agent.inventory
    due = {} if contract["kind"] == "BUILD" else _still_due(contract)
    missing = {item: count - carried.get(item, 0) for item, count in due.items()}
    missing = {item: count for item, count in missing.items() if count > 0}
    if missing:
        message = f"you lack {_in_words(missing)} for {job.contract}"
        return Outcome(ok=False, code=codes.NO_RESOURCE, message=message)
    return None


def _still_due(contract: dict[str, Any]) -> Goods:
    """What is asked for and was not delivered yet."""
    delivered = goods_of(contract.get("delivered"))
    due = {
        item: count - delivered.get(item, 0)
        for item, count in goods_of(contract.get("requirements")).items()
    }
    return {item: count for item, count in due.items() if count > 0}


async def _deliver(agent: Agent, terminal: str, goods: Goods) -> Outcome:
    outcome = Outcome(ok=True)
    for item, count in goods.items():
        outcome = await agent.do(transfer(SELF, terminal, item, count))
        if not outcome:
            break
    return outcome


async def _settle(agent: Agent, job: Job) -> Outcome:
    """Wait until the contract is settled by itself; if it is not, hand it in."""
    for _ in range(SETTLE_TICKS):
        event = agent.news.contracts.get(job.contract, {})
        if event.get("state") == "COMPLETED":
            return Outcome(ok=True, message="completed", event=event, deed="SUBMIT_CONTRACT")
        await agent.next_tick()
    await _go_to_terminal(agent, job.terminal)
    return await agent.do(hand_in(job.terminal, job.contract))


def _in_words(goods: Goods) -> str:
    return ", ".join(f"{count} {item}" for item, count in goods.items()) or "nothing"
