"""The simulator: a crowd of scripted agents behind a bad network, and what must be true whatever they do.

Everything follows from one seed: who joins and leaves, what each wants, and what the network does to the
frames (drops, doubles, delays or garbles them). So one seed is one failure, again and again.

`Crowd.inputs` gives the inputs of the next tick; `Witness.see` looks at the world after it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from tests.voxel.dealings import DEALINGS, HOSTILE_COUNTS, LIKELY_COUNTS, Make, Wish
from tests.voxel.society.bazaar import check_escrow
from tests.voxel.totals import count_everything
from thorp.protocol import actions
from thorp.protocol.act import ActError, read_act
from thorp.voxel.act_dispatch import LATE_TICKS
from thorp.voxel.inputs import Acted, AnyInput, Attach, Detach, Join, Malformed
from thorp.voxel.persistence.record import RULES, Terms
from thorp.voxel.persistence.snapshot import Found, encode_state, pack, restore
from thorp.voxel.society.claims import PRICE, price_units
from thorp.voxel.society.deeds import MINING
from thorp.voxel.state.agent import MAX_HP, MAX_REPUTATION, MAX_STAMINA, Agent, Work
from thorp.voxel.state.world import World
from thorp.voxel.systems.items import EXPIRY_EVERY
from thorp.voxel.tuning import RateLimits, Tuning

# A little of everything that does something, so that short lives see every rule.
RICH = Tuning(
    starter_items={
        "PLANK": 40, "COAL": 20, "STONE": 30, "BERRIES": 10, "CHEST": 3, "SIGN": 2, "CONVEYOR": 4, "LOG": 6,
        "SWITCH": 2, "SENSOR": 2, "WIRE": 6, "FURNACE": 1, "CRAFTING_BENCH": 1, "SAND": 6, "GRAVEL": 4,
        "SEEDS": 4, "SAPLING": 2, "TORCH": 3, "BULLETIN_BOARD": 1, "IRON_ORE": 4, "STONE_PICKAXE": 1,
        "BATTERY": 8, "CRYSTAL_SHARD": 8, "CONTRACT_TERMINAL": 1, "IRON_INGOT": 3,
    },
    day_ticks=60,
    law_notice_ticks=4,
    law_vote_ticks=6,
    trade_expiry_ticks=30,
    rate_limits=RateLimits(offer_trade_max=20, post_board_max=5),
    path_expansions_per_tick=400,
    path_expansions_per_search=120,
    guest_ticks=60,
)  # fmt: skip


class Crowd:
    """Agents that want all sorts of things, most of them possible."""

    def __init__(
        self, seed: int, size: int, *, busy: float = 0.5, faults: float = 0.1, most: int = 2
    ) -> None:
        self.random: Random = Random(seed)
        self.size = size
        self.most = most
        """The most instants, and tasks, in an ACT."""
        self.busy = busy
        """How likely an agent sends an ACT in a tick."""
        self.faults = faults
        """How likely each kind of fault befalls a frame."""
        self._wishes = 0
        self._delayed: list[tuple[int, int, bytes]] = []

    def inputs(self, world: World) -> list[AnyInput]:
        """What reaches the world before its next tick."""
        inputs = self._comings_and_goings(world)
        due = [late for late in self._delayed if late[0] <= world.tick]
        self._delayed = [late for late in self._delayed if late[0] > world.tick]
        for _, number, frame in due:
            inputs += _delivered(number, frame)
        for agent in world.agents:
            if agent.attached and self.random.random() < self.busy:
                for frame in self._sent(world, agent):
                    inputs += _delivered(agent.number, frame)
        return inputs

    def _comings_and_goings(self, world: World) -> list[AnyInput]:
        draw = self.random
        inputs: list[AnyInput] = []
        if len(world.agents) < self.size:
            wanted = 1 + draw.randrange(self.size - len(world.agents))
            inputs += [Join(f"someone {draw.randrange(99)}", draw.randbytes(32).hex()) for _ in range(wanted)]
        for agent in world.agents:
            if draw.random() < 0.02:
                token = draw.randbytes(32).hex()
                inputs.append(Detach(agent.number) if agent.attached else Attach(agent.number, token))
        return inputs

    def _sent(self, world: World, agent: Agent) -> list[bytes]:
        """The frames of one ACT, after what the network did to them."""
        draw = self.random
        frame = json.dumps(self._act(world, agent)).encode()
        if draw.random() < self.faults:
            return []
        if draw.random() < self.faults:
            self._delayed.append((world.tick + draw.randrange(1, 5), agent.number, frame))
            return []
        if draw.random() < self.faults:
            at = draw.randrange(len(frame))
            frame = frame[:at] + draw.randbytes(draw.randrange(3)) + frame[at + draw.randrange(3) :]
        return [frame, frame] if draw.random() < self.faults else [frame]

    def _act(self, world: World, agent: Agent) -> Wish:
        draw = self.random
        act: Wish = {"type": "ACT", "protocol_version": "0.9", "agent_id": agent.id, "tick": world.tick}
        act["instants"] = [
            self._named(draw.choice(INSTANTS)(self, world, agent)) for _ in range(draw.randint(0, self.most))
        ]
        act["tasks"] = [
            self._named(draw.choice(TASKS)(self, world, agent)) for _ in range(draw.randint(0, self.most))
        ]
        running = [task.id for task in (agent.move, agent.work) if task is not None]
        act["cancel"] = [task for task in [*running, "T000000"] if draw.random() < 0.05]
        return act

    def _named(self, wish: Wish) -> Wish:
        self._wishes += 1
        return {**wish, "id": f"w{self._wishes}"}

    # What one may want. Everything is drawn; much of it is possible.

    def near(self, agent: Agent, reach: int) -> list[int]:
        draw = self.random
        return [at + draw.randint(-reach, reach) for at in agent.position]

    def carried(self, agent: Agent) -> str:
        return self.random.choice(sorted(agent.inventory) or ["PLANK"])

    def thing(self, table: Any, agent: Agent, kind: str | None = None) -> str:
        """The id of a thing that stands near, if one does."""
        near = table.near(agent.x, agent.z, 8)
        if not near:
            return f"{kind or 'CHEST'}@0,23,0"
        found = self.random.choice(near)
        name = found.id if kind is None else f"{kind}@{','.join(map(str, found.position))}"
        return str(name)

    def known(self, table: Any, default: str) -> str:
        """The id of anything in a table, if there is something."""
        return str(self.random.choice([one.id for one in table] or [default]))

    def somebody(self) -> str:
        return f"A{self.random.randint(0, self.size + 1)}"

    def item(self) -> str:
        return self.random.choice(("PLANK", "COAL", "STONE", "BERRIES", "CRYSTAL_SHARD", "NO_SUCH_THING"))

    def count(self) -> Any:
        """Mostly one that can be meant."""
        return self.random.choice(LIKELY_COUNTS if self.random.random() < 0.8 else HOSTILE_COUNTS)


def _delivered(number: int, frame: bytes) -> list[AnyInput]:
    """What the border makes of a frame."""
    try:
        return [Acted(number, read_act(frame))]
    except ActError as problem:
        return [Malformed(number, problem.message)]


INSTANTS: list[Make] = [
    lambda c, w, a: {"type": "SAY", "channel": "LOCAL", "text": f"hello {c.random.randrange(9)} ☀"},
    lambda c, w, a: {"type": "WHISPER", "to": f"A{c.random.randint(1, c.size)}", "text": "psst"},
    lambda c, w, a: {"type": "EAT", "item_id": c.random.choice(["BERRIES", "BREAD", "STONE"]), "count": 1},
    lambda c, w, a: {"type": "SAVE_MEMORY", "key": f"k{c.random.randrange(5)}", "value": "v",
                     "ttl_ticks": c.random.choice([0, 7])},
    lambda c, w, a: {"type": "LOAD_MEMORY", "prefix": "k", "limit": 3},
    lambda c, w, a: {"type": "SET_SIGN", "target_id": c.thing(w.signs, a, "SIGN"), "text": "this way"},
    lambda c, w, a: {"type": "TOGGLE_SWITCH", "target_id": c.thing(w.switches, a, "SWITCH")},
    lambda c, w, a: {"type": c.random.choice(["DANCE", "", 7]), "text": None},
    *[lambda c, w, a: c.random.choice(DEALINGS)(c, w, a)] * 8,
]  # fmt: skip

TASKS: list[Make] = [
    lambda c, w, a: {"type": "MOVE_TO", "target": c.near(a, 9), "tolerance": c.random.choice([1, 1.5, -2])},
    lambda c, w, a: {"type": "MOVE_TO", "target": c.near(a, 30), "tolerance": 1.2},
    lambda c, w, a: {"type": "FOLLOW", "target_id": f"A{c.random.randint(1, c.size)}", "distance": 2.0},
    lambda c, w, a: {"type": "STOP"},
    lambda c, w, a: {"type": "MINE", "block_pos": c.near(a, 1)},
    lambda c, w, a: {"type": "MINE", "block_pos": [a.x, a.y - 1, a.z]},
    lambda c, w, a: {"type": "PLACE", "block_pos": c.near(a, 2), "item_id": c.carried(a)},
    lambda c, w, a: {"type": "PLACE", "block_pos": c.near(a, 2), "item_id": c.carried(a)},
    lambda c, w, a: {"type": "GATHER", "target_id": c.thing(w.items, a)},
    lambda c, w, a: {"type": "OPEN", "target_id": c.thing(w.containers, a)},
    lambda c, w, a: {"type": "TRANSFER", "src_container": "SELF", "dst_container": c.thing(w.containers, a),
                     "item_id": c.carried(a), "count": c.random.randint(0, 3)},
    lambda c, w, a: {"type": "TRANSFER", "src_container": c.thing(w.containers, a), "dst_container": "SELF",
                     "item_id": "PLANK", "count": 1},
    lambda c, w, a: {"type": "CRAFT", "recipe_id": c.random.choice(sorted(w.catalogs.recipes)),
                     "count": c.random.randint(1, 2)},
    lambda c, w, a: {"type": "CRAFT", "recipe_id": "stick_from_plank", "count": 1},
    lambda c, w, a: {"type": "SMELT", "item_id": c.random.choice(["IRON_ORE", "SAND"]), "count": 1},
    lambda c, w, a: {"type": "BUILD_BLUEPRINT", "anchor": c.near(a, 4),
                     "blueprint_id": c.random.choice(sorted(w.catalogs.blueprints)),
                     "rotation": c.random.choice([0, 1, 90, -3])},
    lambda c, w, a: {"type": "MINE", "block_pos": [2**31, 0, 0]},
    lambda c, w, a: {"type": "CLAIM_LAND", "anchor": c.near(a, 2), "radius": c.random.randint(0, 4)},
]  # fmt: skip


class Witness:
    """What must be true after every tick."""

    def __init__(self, world: World, found: Found) -> None:
        self._found = found
        self._remember(world)

    def see(self, world: World, inputs: Sequence[AnyInput], *, from_nothing: bool = True) -> None:
        """Look at the world after the next tick, whose inputs these were."""
        check_bodies(world)
        check_tasks(world)
        check_block_state(world)
        check_escrow(world)
        check_society(world)
        self._check_items(world, inputs)
        if from_nothing:
            check_digest(world, self._found)
        self._remember(world)

    def _remember(self, world: World) -> None:
        self._total = count_everything(world)
        self._carried = {agent.number: dict(agent.inventory) for agent in world.agents}
        self._cursors = {agent.number: agent.ring.next for agent in world.agents}
        self._lying = list(world.items)
        self._radii = {claim.id: claim.radius for claim in world.claims}
        self._due = {claim.id: claim.due_tick for claim in world.claims}
        self._work: dict[int, tuple[Work, int]] = {
            agent.number: (agent.work, agent.work.made) for agent in world.agents if agent.work is not None
        }

    def _check_items(self, world: World, inputs: Sequence[AnyInput]) -> None:
        """Every item that came or went did so by a rule."""
        sure: Counter[str] = Counter()
        gain: Counter[str] = Counter()
        loss: Counter[str] = Counter()
        for number in world.scratch.joined:
            sure.update(world.tuning.starter_items if number else {})
        for number, carried in self._carried.items():
            if number not in world.agents:
                sure.subtract(carried)
        for agent in world.agents:
            said = [
                entry
                for entry in inputs
                if isinstance(entry, Acted | Malformed) and entry.agent == agent.number
            ]
            self._explain_meals(world, agent, said, sure)
            self._explain_work(world, agent, sure)
        _explain_blocks(world, sure, gain, loss)
        self._explain_lands(world, sure, loss)
        if world.tick % EXPIRY_EVERY == 0:
            loss.update(
                Counter(
                    {entity.item: entity.count for entity in self._lying if entity.expires_tick <= world.tick}
                )
            )
        now = count_everything(world)
        for item in sorted({*now, *self._total, *sure}):
            left = now[item] - self._total[item] - sure[item]
            assert -loss[item] <= left <= gain[item], f"tick {world.tick}: {left:+d} {item} by no rule"

    def _explain_meals(
        self, world: World, agent: Agent, said: list[Acted | Malformed], sure: Counter[str]
    ) -> None:
        """Each action has one result, in order; so it is known which meals were eaten."""
        asked: list[object] = []
        for entry in said:
            act = entry.act if isinstance(entry, Acted) else None
            if act is None or not world.tick - LATE_TICKS <= act.tick <= world.tick:
                asked.append("refused whole")
            else:
                asked += [*act.cancel, *act.instants, *act.tasks]
        told = [json.loads(event.text) for event in agent.ring.since(self._cursors.get(agent.number, 0))]
        results = [event for event in told if event["type"] == "ACTION_RESULT"]
        for wish, result in zip(asked, results, strict=True):
            if isinstance(wish, actions.Eat) and result["ok"]:
                sure[wish.item_id or ""] -= wish.count or 1

    def _explain_lands(self, world: World, sure: Counter[str], loss: Counter[str]) -> None:
        """Upkeep that fell due in this tick and was paid, and claims that were enlarged."""
        cost = world.tuning.claim_maintenance_cost
        for land_id, due in self._due.items():
            claim = world.claims.get(land_id)
            if due == world.tick and claim is None:  # it has ended since; who knows whether it was paid for
                loss.update(cost)
            elif due == world.tick and claim is not None and claim.stage == 0:
                sure.subtract(cost)
        radii = dict(self._radii)
        for one in world.scratch.public_events:
            if one["kind"] == "CLAIM_LAND":
                radii[str(one["land_id"])] = int(str(one["radius"]))
            elif one["kind"] == "UPGRADE_CLAIM":
                land_id, radius = str(one["land_id"]), int(str(one["radius"]))
                sure.subtract(dict.fromkeys(PRICE, price_units(radius) - price_units(radii[land_id])))
                radii[land_id] = radius

    def _explain_work(self, world: World, agent: Agent, sure: Counter[str]) -> None:
        begun, made = self._work.get(agent.number, (None, 0))
        if begun is not None:
            _explain_units(world, begun, begun.made - made, sure)
        if agent.work is not None and agent.work is not begun:
            _explain_units(world, agent.work, agent.work.made, sure)


def _explain_units(world: World, work: Work, units: int, sure: Counter[str]) -> None:
    if isinstance(work.request, actions.Craft):
        recipe = world.catalogs.recipes[work.request.recipe_id or ""]
    elif isinstance(work.request, actions.Smelt):
        recipe = world.catalogs.smelting[work.request.item_id or ""]
    else:
        return
    for stack in recipe.inputs:
        sure[stack.item] -= units * stack.count
    for stack in recipe.outputs:
        sure[stack.item] += units * stack.count


def _explain_blocks(world: World, sure: Counter[str], gain: Counter[str], loss: Counter[str]) -> None:
    catalogs = world.catalogs
    item_of = {block: item for item, block in catalogs.places.items()}
    for row in world.scratch.block_changes:
        if row.reason == "MINE":
            always = catalogs.blocks[row.before].drop_permille == 1000
            for stack in catalogs.drops[row.before]:
                (sure if always else gain)[stack.item] += stack.count
                gain[stack.item] += _is_ore_event(world)
        elif row.reason in ("PLACE", "BUILD_BLUEPRINT"):
            sure[item_of[row.after]] -= 1
            if row.reason == "BUILD_BLUEPRINT":
                loss["PLANK"] += 8  # what a hut costs beyond its blocks, paid with its first one
        elif row.reason == "CLAIM_LAND":
            sure.subtract({"BATTERY": 1, "CRYSTAL_SHARD": 1})
        elif row.reason.startswith("EVENT:"):
            if catalogs.blocks[row.after].id == "CHEST":
                sure.update(catalogs.events[row.reason.removeprefix("EVENT:")].params["loot"])
        else:
            assert row.reason in ("FALL", "GROW"), row


def _is_ore_event(world: World) -> bool:
    """Whether ore may yield one more. An event that ends in a tick still counted in it."""
    return any(one.id in MINING for one in (world.director.event,) if one is not None) or any(
        one["kind"] == "WORLD_EVENT" and one["event_id"] in MINING for one in world.scratch.public_events
    )


def check_bodies(world: World) -> None:
    """Bodies are in bounds and in nothing solid; what they carry and feel is in range."""
    solid, ground = world.catalogs.solid, world.ground
    for agent in world.agents:
        assert ground.inside(agent.x, agent.y, agent.z), agent
        assert not solid[ground.block(agent.x, agent.y, agent.z)], f"{agent.id} has its feet in a block"
        assert not solid[ground.block(agent.x, agent.y + 1, agent.z)], f"{agent.id} has its head in a block"
        assert 0 < agent.hp <= MAX_HP
        assert 0 <= agent.stamina <= MAX_STAMINA
        assert all(count > 0 for count in agent.inventory.values())
        assert agent in world.agents.in_chunk(agent.x >> 4, agent.z >> 4)


def check_tasks(world: World) -> None:
    """One movement and one work task an agent, each of its kind, and no task twice."""
    tasks = [task for agent in world.agents for task in (agent.move, agent.work) if task is not None]
    assert len({task.id for task in tasks}) == len(tasks)
    for agent in world.agents:
        assert agent.move is None or isinstance(agent.move.request, actions.MoveTo | actions.Follow)
        assert agent.work is None or not isinstance(agent.work.request, actions.MoveTo | actions.Follow)


def check_block_state(world: World) -> None:
    """What is bound to a block stands where that block is."""
    number, block = world.catalogs.block_number, world.ground.block
    for container in world.containers:
        assert block(*container.position) == number[container.kind]
        assert all(count > 0 for count in container.stock.values())
    for kind, table in (
        ("BULLETIN_BOARD", world.boards),
        ("SIGN", world.signs),
        ("CONVEYOR", world.conveyors),
        ("SWITCH", world.switches),
        ("SENSOR", world.sensors),
    ):
        for thing in table:  # type: ignore[attr-defined]
            assert block(*thing.position) == number[kind]
    for row in world.growth:
        assert block(*row.position) == row.block
        assert row.tick > world.tick
    for entity in world.items:
        assert entity.count > 0
        assert world.ground.inside(*entity.position)


def check_society(world: World) -> None:
    """Whoever and whatever is named in a record of society is there, on both sides."""
    for org in world.orgs:
        assert list(org.members.values()).count("LEADER") == 1
        for member in org.members:
            agent = world.agent_by_id(member)
            assert agent is not None
            assert agent.org == org.id
    for agent in world.agents:
        assert not agent.org or agent.id in world.orgs[agent.org].members
        assert all(0 <= value <= MAX_REPUTATION for value in agent.reputation.values())
    for claim in world.claims:
        assert claim.owner in world.orgs or world.agent_by_id(claim.owner) is not None
        assert world.ground.block(*claim.anchor) == world.catalogs.block_number["CLAIM_TOTEM"]
    for law in world.laws:
        assert law.land_id in world.claims
    for trade in world.trades:
        assert trade.expires_tick > world.tick
        assert all(count > 0 for goods in (trade.offer, trade.request) for count in goods.values())
    for contract in world.contracts:
        assert not contract.is_live or contract.deadline_tick >= world.tick


def check_digest(world: World, found: Found) -> None:
    """The digest that followed all changes is the one that is computed from nothing."""
    terms = Terms(
        rules=RULES,
        catalogs=world.catalogs.digest(),
        seed=world.seed,
        draw_seed=world.draw_seed,
        tuning=world.tuning,
    )
    restore(pack(encode_state(world, terms)), found)
