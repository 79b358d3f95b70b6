"""The actions of simulated agents on each other: every action of society, often with wrong counts
and names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from thorp.simulator.chance import Chance, Make, Wish
from thorp.voxel import Agent, World
from thorp.voxel.lookups import land as lands
from thorp.voxel.state.world import manhattan

LAW_PARAMS: dict[str, Callable[[Chance], Wish]] = {
    "MARKET_TAX": lambda c: {"market_tax": c.random.choice([0.25, 0.1, 0, -1, 7, "x", 1e300])},
    "CURFEW_NO_BUILD": lambda c: {
        "start_time": c.random.choice([0, 0.5, -3]),
        "end_time": c.random.random(),
    },
    "FINE_BREAK_PER_BLOCK": lambda c: {"fine_item": c.item(), "fine_per_block": c.count()},
    "ACCESS_PASS_CORE": lambda c: {"ticket_item": c.item(), "ticket_cost": c.count()},
}


def pairs(crowd: Chance) -> list[list[Any]]:
    """Items with counts, as trades list them."""
    return [[crowd.item(), crowd.count()] for _ in range(crowd.random.choice((1, 1, 1, 2, 0)))]


def stacks(crowd: Chance) -> list[Wish]:
    """Items with counts, as contracts list them."""
    return [{"item": item, "count": count} for item, count in pairs(crowd)]


def land(crowd: Chance, world: World, agent: Agent) -> str:
    """A land, mostly of its own."""
    own = [claim.id for claim in world.claims if claim.owner in (agent.id, agent.org)]
    return likely(crowd, own, crowd.any_id(world.claims, "LAND_A1_001"))


def offering_land(crowd: Chance, world: World, agent: Agent) -> str:
    """A land, mostly one that has offered something to the agent, or of which it is a member."""
    offering = [
        claim.id
        for claim in world.claims
        if agent.id in claim.members
        or any(
            offer is not None and offer.addressee == agent.id
            for offer in (*claim.offered, claim.deed)
        )
    ]
    return likely(crowd, offering, crowd.any_id(world.claims, "LAND_A1_001"))


def org(crowd: Chance, world: World, agent: Agent) -> str:
    """An organisation, mostly its own."""
    return likely(crowd, [agent.org] if agent.org else [], crowd.any_id(world.orgs, "ORG000001"))


def trade(crowd: Chance, world: World, agent: Agent) -> str:
    """A trade, mostly one that it has offered or been offered."""
    own = [trade.id for trade in world.trades if agent.id in (trade.offerer, trade.addressee)]
    return likely(crowd, own, crowd.any_id(world.trades, "TR000001"))


def terminal(crowd: Chance, world: World, agent: Agent) -> str:
    """A terminal, mostly one within reach."""
    near = [
        container
        for container in world.containers.near(agent.x, agent.z, 3)
        if container.kind == "CONTRACT_TERMINAL"
    ]
    at_hand = [
        container.id for container in near if manhattan(container.position, agent.position) <= 3
    ]
    return likely(crowd, at_hand, "CONTRACT_TERMINAL@0,23,0")


def contract(crowd: Chance, world: World, agent: Agent) -> str:
    """A contract, mostly a live one whose terminal is near."""
    near = [
        contract.id
        for contract in world.contracts
        if contract.is_live
        and abs(contract.terminal[0] - agent.x) + abs(contract.terminal[2] - agent.z) <= 3
    ]
    return likely(crowd, near, crowd.any_id(world.contracts, "C000001"))


def law(crowd: Chance, world: World, agent: Agent) -> str:
    """A law, mostly one that it may vote on."""
    in_vote = [
        law.id
        for law in world.laws
        if law.status == "VOTING" and lands.is_member(world.claims[law.land_id], agent)
    ]
    return likely(crowd, in_vote, crowd.any_id(world.laws, "LAW000001"))


def fellow(crowd: Chance, world: World, agent: Agent) -> str:
    """An agent, mostly a member of its organisation."""
    own = world.orgs.get(agent.org)
    return likely(crowd, sorted(own.members) if own is not None else [], crowd.somebody())


def likely(crowd: Chance, names: Sequence[str], otherwise: str) -> str:
    """Mostly one of these names, if there are any; now and then, or if there are none,
    `otherwise`."""
    return crowd.random.choice(names) if names and crowd.random.random() < 0.8 else otherwise


def propose(crowd: Chance, world: World, agent: Agent) -> Wish:
    """A wish for a law, with parameters that often make no sense."""
    template = crowd.random.choice([*LAW_PARAMS, "MARKET_TAX", "NO_LAW"])
    params = LAW_PARAMS[template](crowd) if template in LAW_PARAMS else {}
    return {
        "type": "PROPOSE_LAW",
        "land_id": land(crowd, world, agent),
        "template_id": template,
        "params": params,
    }


def post_contract(crowd: Chance, world: World, agent: Agent) -> Wish:
    """A wish to post a contract of any kind, mostly with a deadline soon."""
    draw = crowd.random
    ends: Wish = draw.choice(
        [
            {},
            {"duration_ticks": draw.choice([1, 5, 20])},
            {"deadline_tick": world.tick + draw.randint(-3, 20)},
        ]
    )
    wish = {
        "type": "POST_CONTRACT",
        "terminal_id": terminal(crowd, world, agent),
        "reward": stacks(crowd),
        **ends,
    }
    if draw.random() < 0.5:
        wish["deposit"] = stacks(crowd)
    if draw.random() < 0.3:
        place = {
            "blueprint_id": "road_segment",
            "anchor": crowd.near(agent, 3),
            "rotation": draw.randint(-1, 2),
        }
        return {**wish, "contract_kind": "BUILD", **place}
    return {
        **wish,
        "contract_kind": draw.choice(["GATHER", "deliver", "SING"]),
        "requirements": stacks(crowd),
    }


def offer(crowd: Chance, world: World, agent: Agent) -> Wish:
    """A wish to trade with somebody."""
    return {
        "type": "OFFER_TRADE",
        "to": crowd.somebody(),
        "offer": pairs(crowd),
        "request": pairs(crowd),
    }


def board(crowd: Chance, world: World, agent: Agent) -> str:
    """The id of a board near the agent, of a global board, or of something that is not a board."""
    return crowd.random.choice(
        [crowd.thing(world.boards, agent, "BULLETIN_BOARD"), "news", "", "CHEST@0,23,0"]
    )


def remove_post(crowd: Chance, world: World) -> Wish:
    """A wish to take down any post on any board."""
    posts = [(notices.board_id, post.id) for notices in world.notices for post in notices.posts]
    board_id, post_id = crowd.random.choice(posts or [("news", "P000001")])
    return {"type": "REMOVE_POST", "board_id": board_id, "post_id": post_id}


def channel(crowd: Chance) -> str:
    """A channel to speak on, which may not exist."""
    return crowd.random.choice(["CITY", "MARKET", "NOWHERE"])


DEALINGS: list[Make] = [
    lambda c, w, a: {
        "type": "SET_PERMISSIONS",
        "land_id": land(c, w, a),
        "policy": {
            "allow_trade": c.random.random() < 0.9,
            c.random.choice(["allow_build", "allow_all"]): c.random.choice([True, 1]),
        },
    },
    lambda c, w, a: {
        "type": c.random.choice(["ADD_MEMBER", "REMOVE_MEMBER"]),
        "member_id": c.somebody(),
        "land_id": land(c, w, a),
    },
    lambda c, w, a: {
        "type": "DEED_LAND",
        "land_id": land(c, w, a),
        "new_owner": c.random.choice([c.somebody(), c.any_id(w.orgs, "ORG000001"), a.org]),
    },
    lambda c, w, a: {
        "type": c.random.choice(["ACCEPT_LAND", "ACCEPT_LAND", "LEAVE_LAND"]),
        "land_id": offering_land(c, w, a),
        "role": c.random.choice([None, "MEMBER", "OWNER", "KING"]),
    },
    lambda c, w, a: {
        "type": "UPGRADE_CLAIM",
        "land_id": land(c, w, a),
        "radius": c.random.choice([64, 64, 128, c.count()]),
    },
    lambda c, w, a: {
        "type": "CREATE_ORG",
        "org_kind": c.random.choice(["CITY", "guild", "BAND"]),
        "org_name": f"Thorpe {c.random.randrange(9)}",
    },
    lambda c, w, a: {"type": "JOIN_ORG", "org_id": c.any_id(w.orgs, "ORG000001")},
    lambda c, w, a: {"type": "LEAVE_ORG"},
    lambda c, w, a: {
        "type": "ORG_DEPOSIT",
        "org_id": org(c, w, a),
        "item_id": c.item(),
        "count": c.count(),
    },
    lambda c, w, a: {
        "type": "ORG_WITHDRAW",
        "org_id": org(c, w, a),
        "item_id": c.item(),
        "count": c.count(),
    },
    lambda c, w, a: {
        "type": "SET_ORG_OPEN",
        "org_id": org(c, w, a),
        "open": c.random.choice([True, False, None]),
    },
    lambda c, w, a: {"type": "INVITE_ORG", "org_id": org(c, w, a), "member_id": c.somebody()},
    lambda c, w, a: {
        "type": "SET_ORG_ROLE",
        "org_id": org(c, w, a),
        "member_id": fellow(c, w, a),
        "role": c.random.choice(["LEADER", "OFFICER", "member", "NONE", "KING"]),
    },
    propose,
    lambda c, w, a: {
        "type": "VOTE",
        "law_id": law(c, w, a),
        "choice": c.random.choice(["YES", "no", "ABSTAIN", "MAYBE"]),
    },
    offer,
    offer,
    lambda c, w, a: {"type": "ACCEPT_TRADE", "trade_id": trade(c, w, a)},
    lambda c, w, a: {"type": "ACCEPT_TRADE", "trade_id": trade(c, w, a)},
    lambda c, w, a: {"type": "DECLINE_TRADE", "trade_id": trade(c, w, a)},
    lambda c, w, a: {"type": "CANCEL_TRADE", "trade_id": trade(c, w, a)},
    post_contract,
    post_contract,
    lambda c, w, a: {
        "type": "ACCEPT_CONTRACT",
        "terminal_id": terminal(c, w, a),
        "contract_id": contract(c, w, a),
    },
    lambda c, w, a: {
        "type": "ACCEPT_CONTRACT",
        "terminal_id": terminal(c, w, a),
        "contract_id": contract(c, w, a),
    },
    lambda c, w, a: {
        "type": "SUBMIT_CONTRACT",
        "terminal_id": terminal(c, w, a),
        "contract_id": contract(c, w, a),
    },
    lambda c, w, a: {
        "type": "CANCEL_CONTRACT",
        "terminal_id": terminal(c, w, a),
        "contract_id": contract(c, w, a),
    },
    lambda c, w, a: {"type": "CLAIM_OWED", "terminal_id": terminal(c, w, a)},
    lambda c, w, a: {
        "type": "POST_BOARD",
        "board_id": board(c, w, a),
        "title": "Wanted",
        "body": "Coal ☀",
    },
    lambda c, w, a: remove_post(c, w),
    lambda c, w, a: {
        "type": "SEARCH_BOARD",
        "board_id": board(c, w, a),
        "text": "coal",
        "limit": c.count(),
    },
    lambda c, w, a: {"type": "SAY", "channel": channel(c), "text": "who trades?"},
]
