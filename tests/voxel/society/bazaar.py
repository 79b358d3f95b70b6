"""A crowded square where everybody deals with everybody, and what must be true of all goods all the
while.

Six agents, some of whom are a city with a treasury and a land that taxes, deal at two terminals,
one on that land and one in the wild. A belt feeds the wild one. `Dealer` draws what they want from
one seed; most of it can be done. `Books.check` explains every change of every item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from tests.voxel.flat import STAND, put_agent
from tests.voxel.society.civic import a_land, a_society, an_org
from tests.voxel.working import change_of, drained, put
from thorp.protocol import actions
from thorp.protocol.act import MAX_ACTIONS, Act
from thorp.protocol.actions import FAR, Instant, Stack, Task
from thorp.protocol.codes import CODES
from thorp.simulator.totals import count_everything
from thorp.simulator.witness import check_escrow
from thorp.voxel.inputs import Acted, AnyInput
from thorp.voxel.lookups.indexes import index_of
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.unsaved import BlockChange
from thorp.voxel.state.world import World
from thorp.voxel.tick import step
from thorp.voxel.tuning import RateLimits

SIZE = 6
TERMINALS = ((0, STAND, 3), (20, STAND, 3))
CHESTS = ((1, STAND, 3), (17, STAND, 3))
SITES = ((2, STAND, 0), (22, STAND, 0), (22, STAND + 1, 0))
GOODS = ("PLANK", "COAL", "STONE", "CRYSTAL_SHARD")
COUNTS = (1, 1, 2, 3, 5, 0, -1, 40, FAR)
LOOSE = RateLimits(offer_trade_max=10**6, post_board_max=10**6, say_max=10**6)


def a_bazaar() -> World:
    world = a_society(trade_expiry_ticks=12, rate_limits=LOOSE)
    stock = dict.fromkeys(GOODS, 60)
    people = [put_agent(world, 20 * (number % 2), number // 2, **stock) for number in range(SIZE)]
    claim = a_land(world, people[0], 0, -3)
    org = an_org(world, people[0], people[2])
    claim.owner, claim.market_tax = org.id, 100_000
    claim.flags["allow_trade"] = True
    world.claims.touch(claim.id)
    for place in TERMINALS:
        put(world, place, "CONTRACT_TERMINAL")
    for place in CHESTS:
        put(world, place, "CHEST")
        world.containers[place].stock = dict.fromkeys(GOODS, 50)
        world.containers.touch(place)
    for x in (18, 19):
        put(world, (x, STAND, 3), "CONVEYOR", (1, 0))
    return world


class Dealer:
    """Draws what everyone asks for in a tick."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def inputs(self, world: World, actions_each: int = MAX_ACTIONS) -> list[Acted]:
        return [self.act(world, agent, actions_each) for agent in world.agents]

    def act(self, world: World, agent: Agent, size: int) -> Acted:
        draw = self.random
        instants: list[Any] = [self.instant(world, agent) for _ in range(size - 1)]
        tasks: list[Any] = [] if agent.work else [draw.choice(TASKS)(self, world, agent)]
        return Acted(agent.number, Act(tick=world.tick, instants=instants, tasks=tasks))

    def instant(self, world: World, agent: Agent) -> Instant:
        return self.random.choices(INSTANTS, WEIGHTS)[0](self, world, agent)

    def some(self, names: Sequence[str], otherwise: str) -> str:
        return self.random.choice(names) if names and self.random.random() < 0.95 else otherwise

    def item(self) -> str:
        return self.random.choice(GOODS)

    def count(self) -> int:
        return self.random.choice(COUNTS)

    def pairs(self) -> list[tuple[str, float]]:
        draw = self.random
        return [(self.item(), self.count()) for _ in range(draw.choice((1, 1, 1, 2)))]

    def stacks(self) -> list[Stack]:
        return [Stack(item, int(count)) for item, count in self.pairs()]

    def who(self) -> str:
        return f"A{self.random.randint(1, SIZE + 1)}"

    def trade(self, world: World, agent: Agent) -> str:
        """Mostly one that is for this agent."""
        mine = [trade.id for trade in world.trades if trade.addressee == agent.id]
        return self.some(mine or [trade.id for trade in world.trades], "TR000000")

    def terminal(self, agent: Agent) -> str:
        near = (
            TERMINALS[agent.x // 20]
            if self.random.random() < 0.95
            else self.random.choice(TERMINALS)
        )
        return f"CONTRACT_TERMINAL@{near[0]},{near[1]},{near[2]}"

    def contract(self, world: World, agent: Agent) -> str:
        here = [one.id for one in world.contracts if one.terminal[0] == agent.x and one.is_live]
        return self.some(here, "C000000")

    def store(self, world: World, agent: Agent) -> str:
        near = world.containers.near(agent.x, agent.z, 2)
        return self.some([one.id for one in near], "CHEST@0,0,0")


Make = Callable[[Dealer, World, Agent], Any]


def _post(dealer: Dealer, world: World, agent: Agent) -> Instant:
    draw = dealer.random
    build = draw.random() < 0.3
    return actions.PostContract(
        terminal_id=dealer.terminal(agent),
        contract_kind="BUILD" if build else draw.choice(["GATHER", "DELIVER", "SING"]),
        requirements=None if build else dealer.stacks(),
        reward=dealer.stacks(),
        deposit=dealer.stacks() if draw.random() < 0.5 else None,
        duration_ticks=draw.choice([1, 3, 8, 20, -1]),
        blueprint_id=draw.choice(["road_segment", "road_segment", None]) if build else None,
        anchor=draw.choice(SITES),
        rotation=draw.choice([0, 0, 90]),
    )


_CHOICES: list[tuple[int, Make]] = [
    (5, lambda d, w, a: actions.OfferTrade(to=d.who(), offer=d.pairs(), request=d.pairs())),
    (5, lambda d, w, a: actions.AcceptTrade(trade_id=d.trade(w, a))),
    (1, lambda d, w, a: actions.DeclineTrade(trade_id=d.trade(w, a))),
    (1, lambda d, w, a: actions.CancelTrade(trade_id=d.trade(w, a))),
    (3, _post),
    (4, lambda d, w, a: actions.AcceptContract(terminal_id=d.terminal(a), contract_id=d.contract(w, a))),
    (3, lambda d, w, a: actions.SubmitContract(terminal_id=d.terminal(a), contract_id=d.contract(w, a))),
    (1, lambda d, w, a: actions.ClaimOwed(terminal_id=d.terminal(a))),
    (1, lambda d, w, a: actions.OrgDeposit(org_id="ORG000001", item_id=d.item(), count=d.count())),
    (1, lambda d, w, a: actions.OrgWithdraw(org_id="ORG000001", item_id=d.item(), count=d.count())),
]  # fmt: skip
WEIGHTS = [weight for weight, _ in _CHOICES]
INSTANTS = [make for _, make in _CHOICES]


def _move(source: Callable[..., str], target: Callable[..., str]) -> Make:
    return lambda d, w, a: actions.Transfer(
        src_container=source(d, w, a),
        dst_container=target(d, w, a),
        item_id=d.item(),
        count=d.count(),
    )


def _self(dealer: Dealer, world: World, agent: Agent) -> str:
    return "SELF"


TASKS: list[Make] = [
    *[_move(_self, lambda d, w, a: d.terminal(a))] * 4,
    *[_move(Dealer.store, _self)] * 2,
    _move(Dealer.store, Dealer.store),
    lambda d, w, a: actions.BuildBlueprint(
        blueprint_id="road_segment", anchor=d.random.choice(SITES)
    ),
    lambda d, w, a: actions.Open(target_id=d.terminal(a)),
    lambda d, w, a: actions.Mine(block_pos=TERMINALS[a.x // 20]),
    lambda d, w, a: actions.Mine(block_pos=(a.x + 2, STAND, a.z)),
    lambda d, w, a: actions.Place(block_pos=TERMINALS[a.x // 20], item_id="CONTRACT_TERMINAL"),
]


class Books:
    """Looks at a world tick by tick."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.asked = self.granted = 0
        self.completed = self.failed = self.traded = 0

    def live(self, inputs: Sequence[AnyInput]) -> None:
        """One tick. Whatever was asked for, each item is where it was, or where a rule has put
        it."""
        world = self.world
        before = count_everything(world)
        cursors = {agent.number: agent.event_log.next for agent in world.agents}
        step(world, inputs)
        explained = Counter(before)
        for row in world.scratch.block_changes:
            explained.update(_worth(world, row))
        assert change_of(before, count_everything(world)) == change_of(before, explained)
        check_escrow(world)
        self._check_answers([entry for entry in inputs if isinstance(entry, Acted)], cursors)
        for one in world.scratch.public_events:
            self.traded += one["kind"] == "TRADE"
            self.completed += one.get("state") == "COMPLETED"
            self.failed += one.get("state") == "FAILED"

    def _check_answers(self, inputs: list[Acted], cursors: dict[int, int]) -> None:
        """Every action has one answer."""
        for entry in inputs:
            agent = self.world.agents[entry.agent]
            new = [
                msgspec.json.decode(event.text)
                for event in agent.event_log.since(cursors[entry.agent])
            ]
            told = [one for one in new if one["type"] == "ACTION_RESULT"]
            wishes: list[Instant | Task] = [*entry.act.instants, *entry.act.tasks]
            assert len(told) == len(wishes)
            for one in told:
                assert one["ok"] or one["code"] in CODES
                self.granted += bool(one["ok"])
            self.asked += len(wishes)

    def check_index(self) -> None:
        """What is kept up step by step equals what is made from nothing."""
        kept, self.world.derived.index = index_of(self.world), None
        made, self.world.derived.index = index_of(self.world), kept
        for name in ("offers", "offers_by", "contracts", "contracts_at", "contracts_of", "stirred"):
            assert getattr(kept, name) == getattr(made, name), name

    def check_digest(self) -> None:
        """So does the digest."""
        fresh = drained(self.world)
        fresh.director, fresh.season = self.world.director, self.world.season
        assert fresh.digest() == self.world.digest()


def _worth(world: World, row: BlockChange) -> Counter[str]:
    """What a change of a block gave or cost whoever made it."""
    if row.reason == "MINE":
        return Counter({stack.item: stack.count for stack in world.catalogs.drops[row.before]})
    assert row.reason in ("PLACE", "BUILD_BLUEPRINT"), row
    return Counter({world.catalogs.blocks[row.after].id: -1})
