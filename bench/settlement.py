"""A settled world to measure: agents on claimed land, cities, laws, contracts, belts, boards, an
event.

What agents can ask for they have asked for in ACTs; goods, blocks and posts came by the functions
that rules use for them. All of it follows from the number of agents, so two runs measure the same
world.

Half of the agents, `LANDS` at most, own a land each; the others live there as tenants. Every fourth
land was given to a city.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any, Final

import msgspec
from voxel_tick import settle, walking

from thorp.protocol import actions
from thorp.protocol.act import Act
from thorp.protocol.actions import Stack
from thorp.voxel import Acted, Agent, AnyInput, Join, Position, World
from thorp.voxel.society import boards, events
from thorp.voxel.state.world import block_id
from thorp.voxel.systems.blocks import Heading, change_block

LANDS: Final = 200
RADIUS: Final = 11
TERMINALS: Final = 100
CONTRACTS_AT_A_TERMINAL: Final = 7
LAWS: Final = 50
PLANTS: Final = 30
BOARDS: Final = 40
POSTS_ON_A_BOARD: Final = 5
BOARDS_EVERYWHERE: Final = 8
EVENT: Final = "FLOOD_WARNING"
EVENT_TRIES: Final = 50

STOCK: Final = {
    "BATTERY": 1, "CRYSTAL_SHARD": 1, "COAL": 400, "IRON_INGOT": 20, "PLANK": 200, "STONE": 200,
}  # fmt: skip
# From a home, in x and z. A glade is level and bare for six cells around it.
TOTEM: Final = (1, 1)
TERMINAL: Final = (0, -2)
BOARD: Final = (-2, -1)
ROAD: Final = (2, -6)
TENANTS: Final = ((2, -2), (-2, 2), (3, 0), (-3, 0), (2, 2), (-1, -3), (1, -3))

LAWS_IN_TURN: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    ("MARKET_TAX", {"market_tax": 0.1}),
    ("CURFEW_NO_BUILD", {"start_time": 0.8, "end_time": 0.2}),
    ("FINE_BREAK_PER_BLOCK", {"fine_item": "COAL", "fine_per_block": 1}),
    ("ACCESS_PASS_CORE", {"ticket_item": "COAL", "ticket_cost": 1}),
)


def token(number: int) -> str:
    """The resume token of an agent, by which a client gets its body."""
    return f"settler-{number}"


class Settlement:
    """Settles a new world, tick by tick."""

    def __init__(self, world: World, tick: Callable[[Sequence[AnyInput]], object]) -> None:
        self.world = world
        self._tick = tick

    def settle(self, agents: int) -> None:
        """Let so many agents join, and settle."""
        hashes = [sha256(token(number).encode()).hexdigest() for number in range(1, agents + 1)]
        self._tick([Join(f"settler {number}", hashed) for number, hashed in enumerate(hashes, 1)])
        settle(self.world)
        everyone = list(self.world.agents)
        for agent in everyone:
            for item, count in STOCK.items():
                agent.give(item, count)
        owners = everyone[: min(LANDS, agents // 2)]
        tenants = [everyone[number :: len(owners)][1:] for number in range(len(owners))]
        self._claim(owners)
        for owner, own in zip(owners, tenants, strict=True):
            for tenant, (dx, dz) in zip(own, TENANTS, strict=False):
                self.world.relocate(tenant, (owner.x + dx, owner.y, owner.z + dz))
        self._found_cities(owners, tenants)
        self._contract(owners[:TERMINALS], tenants)
        self._pass_laws(owners[:LAWS], tenants)
        for owner in owners[:PLANTS]:
            self._build_plant(owner.position)
        self._post(owners[:BOARDS])
        self._spread_upkeep()
        self._hold_event()
        self._tick([])

    def _ask(self, wishes: Iterable[tuple[Agent, Sequence[Any]]]) -> list[list[dict[str, Any]]]:
        """Let agents ask for things in one tick. All must be granted; returns the results."""
        asked = list(wishes)
        cursors = [agent.event_log.next for agent, _ in asked]
        acts: list[AnyInput] = []
        for agent, wanted in asked:
            tasks = [wish for wish in wanted if isinstance(wish, actions.ClaimLand)]
            instants = [wish for wish in wanted if not isinstance(wish, actions.ClaimLand)]
            acts.append(
                Acted(agent.number, Act(tick=self.world.tick, instants=instants, tasks=tasks))
            )
        self._tick(acts)
        answers = []
        for (agent, wanted), cursor in zip(asked, cursors, strict=True):
            told = [msgspec.json.decode(event.text) for event in agent.event_log.since(cursor)]
            results = [event for event in told if event["type"] == "ACTION_RESULT"]
            if len(results) != len(wanted) or not all(result["ok"] for result in results):
                raise AssertionError(f"{agent.id} asked for {wanted}, and got {results}")
            answers.append(results)
        return answers

    def _put(self, position: Position, kind: str, heading: Heading = (1, 0)) -> None:
        number = self.world.catalogs.block_number
        change_block(
            self.world, position, number[kind], actor="BENCH", reason="BENCH", heading=heading
        )

    def _claim(self, owners: Sequence[Agent]) -> None:
        self._ask(
            [
                (one, [actions.ClaimLand(anchor=_beside(one, TOTEM), radius=RADIUS)])
                for one in owners
            ]
        )
        allowed = {"allow_trade": True}
        asked = [
            actions.SetPermissions(land_id=claim.id, policy=allowed) for claim in self.world.claims
        ]
        by_id = {one.id: one for one in owners}
        self._ask(
            [
                (by_id[claim.owner], [wish])
                for claim, wish in zip(self.world.claims, asked, strict=True)
            ]
        )

    def _found_cities(self, owners: Sequence[Agent], tenants: Sequence[Sequence[Agent]]) -> None:
        """Every fourth owner founds a city and gives it the land; its tenants and the next owner
        join."""
        land_of = {claim.owner: claim.id for claim in self.world.claims}
        mayors = owners[::4]
        named = [
            actions.CreateOrg(org_kind="CITY", org_name=f"Town {mayor.number}") for mayor in mayors
        ]
        answers = self._ask([(mayor, [wish]) for mayor, wish in zip(mayors, named, strict=True)])
        cities = [results[0]["org_id"] for results in answers]
        joining = [
            (agent, [actions.JoinOrg(org_id=city)])
            for number, city in enumerate(cities)
            for agent in (*tenants[4 * number], *owners[4 * number + 1 : 4 * number + 2])
        ]
        self._ask(joining)
        gifts = []
        for mayor, city in zip(mayors, cities, strict=True):
            deposits = [
                actions.OrgDeposit(org_id=city, item_id=item, count=20)
                for item in ("COAL", "IRON_INGOT")
            ]
            gifts.append(
                (mayor, [*deposits, actions.DeedLand(land_id=land_of[mayor.id], new_owner=city)])
            )
        self._ask(gifts)

    def _contract(self, owners: Sequence[Agent], tenants: Sequence[Sequence[Agent]]) -> None:
        """A terminal each; everyone posts some contracts, and one of them, to build, is
        accepted."""
        for owner in owners:
            self._put(_beside(owner, TERMINAL), "CONTRACT_TERMINAL")
        posts = []
        for number, owner in enumerate(owners):
            terminal = block_id("CONTRACT_TERMINAL", _beside(owner, TERMINAL))
            terms: dict[str, Any] = {"terminal_id": terminal, "reward": [Stack("COAL", 2)]}
            bring: dict[str, Any] = {
                "contract_kind": "GATHER",
                "requirements": [Stack("STONE", 3)],
                "deposit": [Stack("PLANK", 1)],
            }
            road: dict[str, Any] = {
                "contract_kind": "BUILD",
                "blueprint_id": "road_segment",
                "anchor": _beside(owner, ROAD),
            }
            wanted = [actions.PostContract(**terms, **road, rotation=0)]
            # One a terminal ends while it is measured, each in a tick of its own.
            wanted += [actions.PostContract(**terms, **bring, duration_ticks=60 + 2 * number)]
            wanted += [actions.PostContract(**terms, **bring)] * (CONTRACTS_AT_A_TERMINAL - 2)
            posts.append((owner, wanted))
        answers = self._ask(posts)
        acceptors = [own[0] for own in tenants[: len(owners)]]
        acceptances = []
        for owner, acceptor, results in zip(owners, acceptors, answers, strict=True):
            named = {"terminal_id": block_id("CONTRACT_TERMINAL", _beside(owner, TERMINAL))}
            wish = actions.AcceptContract(**named, contract_id=results[0]["contract_id"])
            acceptances.append((acceptor, [wish]))
        self._ask(acceptances)

    def _pass_laws(self, owners: Sequence[Agent], tenants: Sequence[Sequence[Agent]]) -> None:
        """A law for each land. Their notice is cut short; half of them are decided, half are in
        vote."""
        land_of = {claim.anchor: claim.id for claim in self.world.claims}
        wishes = []
        for number, owner in enumerate(owners):
            template, params = LAWS_IN_TURN[number % len(LAWS_IN_TURN)]
            land_id = land_of[_beside(owner, TOTEM)]
            wishes.append(
                (
                    owner,
                    [
                        actions.ProposeLaw(
                            land_id=land_id, template_id=template, params=dict(params)
                        )
                    ],
                )
            )
        proposed = [results[0]["law_id"] for results in self._ask(wishes)]
        decided = proposed[: len(proposed) // 2]
        for law in self.world.laws:
            law.notice_ends_tick = self.world.tick + 1
            if law.id in decided:
                law.vote_ends_tick = self.world.tick + 2
            self.world.laws.touch(law.id)
        self.world.derived.index = None
        self._tick([])
        voters = [
            (owner, [actions.Vote(law_id=law_id, choice="YES")])
            for owner, law_id in zip(owners, proposed, strict=True)
        ]
        self._ask(voters)

    def _build_plant(self, home: Position) -> None:
        """Two chests, and belts that carry coal round and round between them.

         sw     s       > belts   # chests   s sensors   w wires   t a switch that is on
        s#>>>>>>>#s
         ^ swtws vw
         ^<<<<<<<<
        """
        x, y, z = home[0], home[1], home[2] + 3
        for side in (-4, 4):
            self._put((x + side, y, z), "CHEST")
            chest = self.world.containers[x + side, y, z]
            chest.stock = {"COAL": 30}
            self.world.containers.touch(chest.position)
        for dx in range(-3, 4):
            self._put((x + dx, y, z), "CONVEYOR", (1, 0))
            self._put((x + dx, y, z + 2), "CONVEYOR", (-1, 0))
        for (dx, dz), heading in {
            (4, 1): (0, 1),
            (4, 2): (-1, 0),
            (-4, 2): (0, -1),
            (-4, 1): (0, -1),
        }.items():
            self._put((x + dx, y, z + dz), "CONVEYOR", heading)
        for dx, dz in ((-4, -1), (4, -1), (-5, 0), (5, 0), (-2, 1), (2, 1)):
            self._put((x + dx, y, z + dz), "SENSOR")
        for dx, dz in ((-3, -1), (-1, 1), (1, 1), (5, 1)):
            self._put((x + dx, y, z + dz), "WIRE")
        self._put((x, y, z + 1), "SWITCH")
        switch = self.world.switches[x, y, z + 1]
        switch.on = True
        self.world.switches.touch(switch.position)

    def _post(self, owners: Sequence[Agent]) -> None:
        standing = [block_id(boards.BLOCK, _beside(owner, BOARD)) for owner in owners]
        for owner in owners:
            self._put(_beside(owner, BOARD), boards.BLOCK)
        for name in (*standing, *(f"news {number}" for number in range(BOARDS_EVERYWHERE))):
            for number in range(POSTS_ON_A_BOARD):
                boards.publish(
                    self.world,
                    name,
                    owners[0].id,
                    f"Notice {number}",
                    "Coal for planks, at my terminal. " * 4,
                )

    def _hold_event(self) -> None:
        """Let an event begin that is felt in its zone, as soon as there is a place for it."""
        if self.world.director.event is not None:
            events.end(self.world, self.world.director.event)
        for _ in range(EVENT_TRIES):
            if events.begin(self.world, EVENT, self.world.tick + 6_000):
                return
            self._tick([])
        raise AssertionError(f"no place for {EVENT}")

    def _spread_upkeep(self) -> None:
        """One land after the other is to be paid for, tick by tick."""
        for number, claim in enumerate(self.world.claims):
            claim.due_tick = self.world.tick + 10 + number
            self.world.claims.touch(claim.id)
        self.world.derived.index = None


def _beside(agent: Agent, offset: tuple[int, int]) -> Position:
    return agent.x + offset[0], agent.y, agent.z + offset[1]


class Townsfolk:
    """What settlers want while they are measured: to walk and work, and now and then to deal with
    others."""

    def __init__(self, seed: int = 1) -> None:
        self._random = Random(seed)

    def wishes(self, world: World) -> list[AnyInput]:
        acts: list[AnyInput] = [*walking(world, working=True)]
        draw = self._random
        addressed = {trade.addressee: trade.id for trade in world.trades}
        for agent in world.agents:
            if agent.have("STONE") < 50:
                agent.give("STONE", 100)
            if draw.random() < 0.05:
                acts.append(Acted(agent.number, self._deal(world, agent, addressed.get(agent.id))))
        return acts

    def _deal(self, world: World, agent: Agent, trade_id: str | None) -> Act:
        draw = self._random
        if trade_id is not None:
            return Act(tick=world.tick, instants=[actions.AcceptTrade(id="d", trade_id=trade_id)])
        others = f"A{draw.randint(1, len(world.agents))}"
        terminals = [
            one for one in world.containers.near(agent.x, agent.z, 3) if one.kind != "CHEST"
        ]
        terminal = terminals[0].id if terminals else "CONTRACT_TERMINAL@0,0,0"
        instants: Sequence[Any] = (
            actions.OfferTrade(id="d", to=others, offer=[("COAL", 1)], request=[("PLANK", 1)]),
            actions.Vote(id="d", law_id=f"LAW{draw.randint(1, LAWS):06d}", choice="NO"),
            actions.SearchBoard(id="d", board_id="news 1", text="coal"),
            actions.PostBoard(id="d", board_id="news 2", title="Hello", body="To whom it may "
                                                                             "concern."),
            actions.OrgDeposit(id="d", org_id=agent.org, item_id="COAL", count=1),
            actions.PostContract(
                id="d", terminal_id=terminal, contract_kind="GATHER", duration_ticks=100,
                requirements=[Stack("COAL", 1)], reward=[Stack("PLANK", 1)],
            ),
            actions.ClaimOwed(id="d", terminal_id=terminal),
            actions.Say(id="d", text="Good morning.", channel="CITY" if agent.org else "LOCAL"),
        )  # fmt: skip
        return Act(tick=world.tick, instants=[draw.choice(instants)])
