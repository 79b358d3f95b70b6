"""Contracts at a terminal: work for a reward that waits in escrow. See `docs/society-trade.md`.

    POST      an agent or a treasury pays the reward into the terminal              OPEN
    back      somebody adds a bonus, and is refunded whenever the poster is
    ACCEPT    the acceptor pays a deposit, the more the less it is trusted          ACCEPTED
    settle    what was asked for is there, noticed by itself or by SUBMIT: reward,
              bonus and deposit go to the acceptor, the goods to the poster         COMPLETED
    deadline  the reward goes back to the poster, with the deposit of an acceptor
              who has failed                                                        FAILED
    paid      another contract was paid for the same work: everyone is refunded     FAILED

A contract is checked only when something changes at its terminal or its site, or at its deadline.
"""

from collections import Counter
from typing import Any, Final

from thorp.protocol import codes
from thorp.protocol.actions import (
    AcceptContract,
    CancelContract,
    ClaimOwed,
    PostContract,
    SubmitContract,
)
from thorp.voxel.lookups import goods, land, permissions, terminals
from thorp.voxel.lookups.indexes import forget_row, index_of, note_row
from thorp.voxel.refusal import Refusal, given, known, refuse_if
from thorp.voxel.society import deeds, escrow, scores, worksites
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import Contract, ContractKind, ContractState
from thorp.voxel.state.world import Container, World, block_id, manhattan
from thorp.voxel.systems import blueprints
from thorp.voxel.systems.containers import HAND_REACH, available, find_container, within_reach
from thorp.voxel.systems.placement import require_inside

TERMINAL: Final = "CONTRACT_TERMINAL"
KINDS: Final[tuple[ContractKind, ...]] = ("GATHER", "DELIVER", "BUILD")
# How many contracts that are not closed one agent may have, as poster and acceptor together.
MAX_CONTRACTS: Final = 16
# How many contracts one visitor, and all visitors together, may have open at a terminal: strangers
# must not fill the terminal of a town.
MAX_OF_POSTER: Final = 12
MAX_OF_VISITORS: Final = 24
# How many closed contracts of a terminal are kept, so that they can be looked up.
CLOSED_KEPT: Final = 16

# By the trade reputation that an acceptor has at least: the factor of its deposit.
DEPOSITS: Final = ((500, 1), (300, 2), (0, 3))

# The hint for an acceptor who submits a contract that its last TRANSFER has already completed.
ALREADY_KEPT: Final = {"hint": "already kept"}

FAILED_TRADE: Final = -12
FAILED_LAW: Final = -8


def post(world: World, agent: Agent, wish: PostContract) -> dict[str, object]:
    """Post a contract at a terminal within reach."""
    terminal = find_container(world, given(wish.terminal_id, "terminal_id"))
    if terminal is None or terminal.kind != TERMINAL:
        raise Refusal(codes.INVALID_TARGET, "terminal not found")
    within_reach(agent, terminal.position)
    return {"contract_id": open_contract(world, agent.id, terminal, wish).id}


def open_contract(world: World, poster: str, terminal: Container, wish: PostContract) -> Contract:
    """Post a contract for an agent or an organisation, which pays for it."""
    kind = next((kind for kind in KINDS if kind == (wish.contract_kind or "").upper()), None)
    if kind is None:
        raise Refusal(codes.BAD_REQUEST, f"bad contract_kind; one of {', '.join(KINDS)}")
    reward = goods.from_stacks(world, wish.reward, "reward")
    deposit = goods.from_stacks(world, wish.deposit, "deposit") if wish.deposit else {}
    if kind == "BUILD":
        asked = _site(world, wish)
    else:
        asked = {"requirements": goods.from_stacks(world, wish.requirements, "requirements")}
    # A terminal cannot be removed while it keeps something, so every contract must end, within a
    # season at the latest.
    deadline = wish.deadline_tick or world.tick + (wish.duration_ticks or world.tuning.day_ticks)
    longest = world.tuning.season_length_ticks
    if not world.tick < deadline <= world.tick + longest:
        raise Refusal(codes.BAD_REQUEST, f"deadline must be 1 to {longest} ticks from now")
    _require_room(world, poster)
    displaced = _require_room_at(world, poster, terminal)
    goods.require(world, poster, reward, "missing reward")
    if displaced is not None:
        _end(world, displaced, terminal, deposit_to=displaced.poster)
    world.counters.contract += 1
    contract = Contract(
        id=f"C{world.counters.contract:06d}",
        kind=kind,
        state="OPEN",
        poster=poster,
        terminal=terminal.position,
        reward=reward,
        deposit=deposit,
        created_tick=world.tick,
        deadline_tick=deadline,
        **asked,
    )
    escrow.lock(world, poster, terminal, reward)
    world.contracts.put(contract)
    note_row(world, contract)
    escrow.notify(world, contract)
    return contract


def add_bonus(world: World, backer: str, contract: Contract, bonus: dict[str, int]) -> None:
    """Add to the reward of a contract that nobody has accepted. It has one backer at most."""
    refuse_if(contract.state != "OPEN", codes.CONFLICT, "contract is not open")
    refuse_if(contract.backer not in ("", backer), codes.CONFLICT, "another backs it already")
    goods.require(world, backer, bonus, "missing bonus")
    escrow.lock(world, backer, world.containers[contract.terminal], bonus)
    contract.backer = backer
    goods.adjust(contract.bonus, bonus)
    world.contracts.touch(contract.id)
    world.publish("BACKED", contract_id=contract.id, pos=contract.terminal, actor=backer)


def accept(world: World, agent: Agent, wish: AcceptContract) -> dict[str, object]:
    """Take on an open contract, and pay its deposit."""
    contract = _contract(world, wish.terminal_id, wish.contract_id)
    refuse_if(contract.state != "OPEN", codes.CONFLICT, "contract is not open")
    terminal = _terminal_of(world, agent, contract, wish.terminal_id)
    refuse_if(contract.poster == agent.id, codes.NO_PERMISSION, "own contract")
    _require_room(world, agent.id)
    stands = (
        _require_work(world, worksites.plan(world, contract)) if contract.kind == "BUILD" else 0
    )
    times = next(times for least, times in DEPOSITS if agent.reputation["trade"] >= least)
    deposit = {item: times * count for item, count in contract.deposit.items()}
    goods.require(world, agent.id, deposit, "missing deposit")
    escrow.lock(world, agent.id, terminal, deposit)
    contract.state = "ACCEPTED"
    contract.acceptor = agent.id
    contract.deposit = deposit
    contract.standing = stands
    world.contracts.touch(contract.id)
    note_row(world, contract)
    worksites.watch(world, contract)
    index_of(world).stirred[terminal.position] = None
    escrow.notify(world, contract)
    return {"message": "accepted"}


def submit(world: World, agent: Agent, wish: SubmitContract) -> dict[str, object]:
    """Complete a contract that is fulfilled. From afar, the acceptor's own goods are delivered
    where that is allowed."""
    contract = _contract(world, wish.terminal_id, wish.contract_id)
    if contract.state != "ACCEPTED" or contract.acceptor != agent.id:
        is_kept = contract.state == "COMPLETED" and contract.acceptor == agent.id
        raise Refusal(codes.NO_PERMISSION, "not acceptor", **(ALREADY_KEPT if is_kept else {}))
    if _may_hand_over(world, agent, contract):
        terminal = _terminal_of(world, None, contract, wish.terminal_id)
        lacking = _lacking(contract)
        escrow.lock(world, agent.id, terminal, lacking)
        goods.adjust(contract.delivered, lacking)
    else:
        terminal = _terminal_of(world, agent, contract, wish.terminal_id)
    refuse_if(not _is_fulfilled(world, contract, terminal), codes.BLOCKED, "requirements not met")
    _complete(world, contract, terminal, owed=True)
    world.note_fixture(agent.id, "SUBMIT_CONTRACT", terminal.position)
    return {"message": "completed"}


def _may_hand_over(world: World, agent: Agent, contract: Contract) -> bool:
    """Whether an acceptor may deliver although the terminal is out of reach: it carries everything
    that is lacking, and is a visitor on the terminal's land or at its border. So no land can keep
    goods out."""
    claim = land.at(world, contract.terminal[0], contract.terminal[2])
    if contract.kind == "BUILD" or claim is None or land.is_member(claim, agent):
        return False
    if manhattan(agent.position, contract.terminal) <= HAND_REACH:
        return False
    near = claim.radius + HAND_REACH
    at_border = abs(agent.x - claim.anchor[0]) <= near and abs(agent.z - claim.anchor[2]) <= near
    return at_border and _carries_what_lacks(contract, agent)


def cancel(world: World, agent: Agent, wish: CancelContract) -> dict[str, object]:
    """Take back a contract that nobody has accepted. Its poster may do so, and admins of the
    terminal's land."""
    contract = _contract(world, wish.terminal_id, wish.contract_id)
    terminal = _terminal_of(world, agent, contract, wish.terminal_id)
    claim = land.at(world, terminal.position[0], terminal.position[2])
    if contract.poster != agent.id and (claim is None or not land.is_admin(world, claim, agent)):
        raise Refusal(codes.NO_PERMISSION, "neither your contract nor your land")
    refuse_if(contract.state != "OPEN", codes.CONFLICT, "contract is not open")
    _end(world, contract, terminal, deposit_to=contract.poster)
    return {"message": "canceled"}


def claim_owed(world: World, agent: Agent, wish: ClaimOwed) -> dict[str, object]:
    """Take the goods that a container, of any kind, keeps for the agent."""
    container = known(
        find_container(world, given(wish.terminal_id, "terminal_id")), "container not found"
    )
    within_reach(agent, container.position)
    if agent.id not in container.owed:
        return {"message": "nothing owed"}
    for item, count in sorted(container.owed.pop(agent.id).items()):
        agent.give(item, count)
    world.containers.touch(container.position)
    world.note_fixture(agent.id, "CLAIM_OWED", container.position)
    return {"message": "claimed"}


def step(world: World) -> None:
    """Pay contracts that are fulfilled and end overdue ones, in order of their ids. Those whose
    acceptor has just placed a block come first, so that nobody is paid for another's work."""
    worksites.note_hindrances(world)
    index = index_of(world)
    overdue = index.contracts.pop(world.tick, {})
    called = {**overdue, **worksites.contracts_with_changes(world)}
    for position in index.stirred:
        called.update(index.contracts_at.get(position, {}))
    contracts = [world.contracts[name] for name in sorted(called) if name in world.contracts]
    contracts.sort(key=lambda contract: not worksites.is_built_by_acceptor(world, contract))
    for contract in contracts:
        if not contract.is_live:
            continue
        terminal = world.containers[contract.terminal]
        if world.tick > contract.deadline_tick:
            _fail(world, contract, terminal)
        elif contract.state == "ACCEPTED" and _is_fulfilled(world, contract, terminal):
            _complete(world, contract, terminal)


def forget_stirred(world: World) -> None:
    """Forget which stocks have changed in this tick. Goods that an extension puts into a terminal
    after the contracts were checked count with the next change there, as they do in a restored
    world, which has no such notes."""
    index_of(world).stirred.clear()


# What was asked for


def _site(world: World, wish: PostContract) -> dict[str, Any]:
    blueprint_id = given(wish.blueprint_id, "blueprint_id")
    anchor = given(wish.anchor, "anchor")
    rotation = blueprints.turns_of(wish.rotation)
    plan = blueprints.plan_of(world, blueprint_id, anchor, rotation)
    for cell in plan:
        require_inside(world, cell)
    _require_work(world, plan)
    return {
        "requirements": {},
        "blueprint_id": blueprint_id,
        "anchor": anchor,
        "rotation": rotation,
    }


def _require_work(world: World, plan: blueprints.Plan) -> int:
    """How many blocks of a plan stand already; refused if all do, because then there is nothing to
    be paid for."""
    stands = blueprints.blocks_standing(world, plan)
    refuse_if(stands == len(plan), codes.CONFLICT, "already built")
    return stands


def _require_room(world: World, party: str) -> None:
    if len(index_of(world).contracts_of.get(party, ())) >= MAX_CONTRACTS:
        raise Refusal(codes.CONFLICT, f"at most {MAX_CONTRACTS} contracts at a time")


def _require_room_at(world: World, poster: str, terminal: Container) -> Contract | None:
    """Refuse a contract for which a terminal has no room; return the one that must end to make room
    for it, if any."""
    claim = land.at(world, terminal.position[0], terminal.position[2])
    at_home = {} if claim is None else {**land.members(world, claim), claim.owner: None}
    open_here = [
        contract for contract in terminals.contracts_at(world, terminal) if contract.state == "OPEN"
    ]
    of_visitors = [
        contract
        for contract in open_here
        if contract.poster not in at_home and contract.poster not in world.orgs
    ]
    if poster not in at_home and poster not in world.orgs:
        if sum(contract.poster == poster for contract in of_visitors) >= MAX_OF_POSTER:
            raise Refusal(
                codes.CONFLICT, f"you have {MAX_OF_POSTER} contracts at this terminal already"
            )
        if claim is not None and len(of_visitors) >= MAX_OF_VISITORS:
            return _displaced(poster, of_visitors, MAX_OF_VISITORS)
    if len(open_here) < terminals.MAX_AT_TERMINAL:
        return None
    of_agents = [contract for contract in open_here if contract.poster not in world.orgs]
    return _displaced(poster, of_agents, terminals.MAX_AT_TERMINAL)


def _displaced(poster: str, contracts: list[Contract], most: int) -> Contract | None:
    """The newest contract of the posters who have the most; refused if the poster would have as
    many with one more."""
    held = Counter(contract.poster for contract in contracts)
    largest = max(held.values(), default=0)
    refuse_if(
        held[poster] + 1 >= largest, codes.CONFLICT, f"this terminal has {most} contracts already"
    )
    of_largest = [contract for contract in contracts if held[contract.poster] == largest]
    return max(of_largest, key=lambda contract: contract.id)


def _contract(world: World, terminal_id: str | None, contract_id: str | None) -> Contract:
    if not terminal_id or not contract_id:
        raise Refusal(codes.BAD_REQUEST, "missing terminal_id/contract_id")
    return known(world.contracts.get(contract_id), "contract not found")


def _terminal_of(
    world: World, agent: Agent | None, contract: Contract, terminal_id: str | None
) -> Container:
    """The terminal of a contract. Refused if `terminal_id` names another, if the agent cannot reach
    it, and after the deadline."""
    refuse_if(
        terminal_id != block_id(TERMINAL, contract.terminal),
        codes.INVALID_TARGET,
        "terminal mismatch",
    )
    if agent is not None:
        within_reach(agent, contract.terminal)
    refuse_if(world.tick > contract.deadline_tick, codes.CONFLICT, "past deadline")
    return world.containers[contract.terminal]


# How it ends


def _is_fulfilled(world: World, contract: Contract, terminal: Container) -> bool:
    if contract.kind == "BUILD":
        plan = worksites.plan(world, contract)
        return blueprints.blocks_standing(world, plan) == len(plan) and blueprints.is_stable(
            world, plan
        )
    lacking = _lacking(contract)
    if not lacking:
        return True
    acceptor = world.agent_by_id(contract.acceptor)
    if acceptor is None or not permissions.may_take(world, acceptor, terminal):
        return False
    return all(available(terminal, item) >= count for item, count in lacking.items())


def _complete(world: World, contract: Contract, terminal: Container, *, owed: bool = False) -> None:
    escrow.unlock(world, terminal, contract)
    escrow.pay(world, terminal, contract.poster, contract.requirements, owed=owed)
    for due in (contract.reward, contract.bonus, contract.deposit):
        escrow.pay(world, terminal, contract.acceptor, due)
    _close(world, contract, "COMPLETED")
    is_repair = contract.kind == "BUILD" and 2 * contract.standing > len(
        worksites.plan(world, contract)
    )
    # A repair of what mostly stood already earns no fun and no reputation, nor does one's own
    # contract.
    if contract.poster != contract.acceptor and not is_repair:
        deeds.completed(world, contract)
    if contract.kind == "BUILD":
        _settle_overlapping(world, contract)


def _settle_overlapping(world: World, paid: Contract) -> None:
    """End other contracts whose work stands now. In those that are not complete, the blocks they
    share with the paid one do not count as their acceptors' work."""
    for other, shared in worksites.overlapping_contracts(world, paid):
        plan = worksites.plan(world, other)
        if blueprints.blocks_standing(world, plan) == len(plan):
            _end(world, other, world.containers[other.terminal], deposit_to=other.acceptor)
        else:
            other.standing = min(other.standing + shared, len(plan))
            world.contracts.touch(other.id)


def _fail(world: World, contract: Contract, terminal: Container) -> None:
    """End an overdue contract. An acceptor who was kept out is not to blame."""
    acceptor = world.agent_by_id(contract.acceptor)
    if acceptor is not None and _is_kept_out(world, contract, terminal, acceptor):
        _end(world, contract, terminal, deposit_to=contract.acceptor)
        return
    if acceptor is not None:
        scores.change_reputation(acceptor, "trade", FAILED_TRADE)
        scores.change_reputation(acceptor, "law", FAILED_LAW)
    _end(world, contract, terminal, deposit_to=contract.poster)


def _is_kept_out(world: World, contract: Contract, terminal: Container, acceptor: Agent) -> bool:
    """Whether an acceptor was kept from its work: from the site by anybody, from the terminal by a
    land. The way to the land's border may be closed too, so an acceptor who carries everything that
    is lacking is believed: it would gain more by delivering."""
    if contract.kind == "BUILD":
        return contract.hindered or worksites.is_obstructed(world, contract, acceptor)
    return _carries_what_lacks(contract, acceptor) and not permissions.may_take(
        world, acceptor, terminal
    )


def _carries_what_lacks(contract: Contract, acceptor: Agent) -> bool:
    return all(acceptor.have(item) >= count for item, count in _lacking(contract).items())


def _lacking(contract: Contract) -> dict[str, int]:
    lacking = dict(contract.requirements)
    goods.adjust(lacking, contract.delivered, -1)
    return lacking


def _end(world: World, contract: Contract, terminal: Container, *, deposit_to: str) -> None:
    escrow.unlock(world, terminal, contract)
    escrow.refund(world, terminal, contract)
    if contract.state == "ACCEPTED":
        escrow.pay(world, terminal, deposit_to, contract.deposit)
        escrow.pay(world, terminal, contract.acceptor, contract.delivered)
    _close(world, contract, "FAILED", blameless=deposit_to == contract.acceptor)


def _close(
    world: World, contract: Contract, state: ContractState, *, blameless: bool = False
) -> None:
    forget_row(world, contract)
    worksites.unwatch(world, contract)
    contract.state = state
    contract.closed_tick = world.tick
    note_row(world, contract)
    world.contracts.touch(contract.id)
    escrow.notify(world, contract, blameless=blameless)
    here = terminals.contracts_at(world, world.containers[contract.terminal])
    closed = sorted((other.closed_tick, other.id) for other in here if not other.is_live)
    for _, old in closed[:-CLOSED_KEPT]:
        forget_row(world, world.contracts.remove(old))
