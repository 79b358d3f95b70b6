"""Checks what must be true of a world after every tick, whatever its agents did.

A `Witness` remembers the last tick and explains every item that came or went; the functions below
it look at one state alone. Each raises `BrokenPromise`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from thorp.protocol import actions
from thorp.simulator.lives import BrokenPromise
from thorp.simulator.totals import count_everything
from thorp.voxel import Acted, Agent, AnyInput, Malformed, World
from thorp.voxel.act_dispatch import LATE_TICKS
from thorp.voxel.lookups.indexes import index_of
from thorp.voxel.persistence.record import RULES, Epoch
from thorp.voxel.persistence.snapshot import WorldMaker, encode_state, pack, restore
from thorp.voxel.society import escrow
from thorp.voxel.society.claims import PRICE, price_units
from thorp.voxel.society.deeds import MINING
from thorp.voxel.state.agent import MAX_HP, MAX_REPUTATION, MAX_STAMINA, Work
from thorp.voxel.systems.items import EXPIRY_EVERY

MOVEMENTS: Final = actions.MoveTo | actions.Follow
CHECKS_A_TICK: Final = 6
"""Checks of bodies, tasks, block state, escrow, society and items; that of the digest is one
more."""


class Witness:
    """Sees a world tick by tick, and checks each."""

    def __init__(self, world: World, make_world: WorldMaker) -> None:
        self._make_world = make_world
        self._remember(world)

    def see(self, world: World, inputs: Sequence[AnyInput], *, from_nothing: bool = True) -> None:
        """Check the world after the next tick, which had these inputs."""
        check_bodies(world)
        check_tasks(world)
        check_block_state(world)
        check_escrow(world)
        check_society(world)
        self._check_items(world, inputs)
        if from_nothing:
            check_digest(world, self._make_world)
        self._remember(world)

    def _remember(self, world: World) -> None:
        self._total = count_everything(world)
        self._carried = {agent.number: dict(agent.inventory) for agent in world.agents}
        self._cursors = {agent.number: agent.event_log.next for agent in world.agents}
        self._lying = list(world.items)
        self._radii = {claim.id: claim.radius for claim in world.claims}
        self._due = {claim.id: claim.due_tick for claim in world.claims}
        self._work: dict[int, tuple[Work, int]] = {
            agent.number: (agent.work, agent.work.made)
            for agent in world.agents
            if agent.work is not None
        }

    def _check_items(self, world: World, inputs: Sequence[AnyInput]) -> None:
        """Check that every item that came or went did so by a rule. `sure` is what the rules must
        have changed; `gain` and `loss` are how much more may have come or gone by chance."""
        sure: Counter[str] = Counter()
        gain: Counter[str] = Counter()
        loss: Counter[str] = Counter()
        for number in world.scratch.joined:
            sure.update(world.tuning.starter_items if number else {})
        for number, carried in self._carried.items():
            if number not in world.agents:
                sure.subtract(carried)
        for agent in world.agents:
            sent = [
                entry
                for entry in inputs
                if isinstance(entry, Acted | Malformed) and entry.agent == agent.number
            ]
            self._explain_meals(world, agent, sent, sure)
            self._explain_work(world, agent, sure)
        _explain_blocks(world, sure, gain, loss)
        self._explain_lands(world, sure, loss)
        if world.tick % EXPIRY_EVERY == 0:
            loss.update(
                Counter(
                    {
                        entity.item: entity.count
                        for entity in self._lying
                        if entity.expires_tick <= world.tick
                    }
                )
            )
        now = count_everything(world)
        for item in sorted({*now, *self._total, *sure}):
            left = now[item] - self._total[item] - sure[item]
            if not -loss[item] <= left <= gain[item]:
                raise BrokenPromise(f"tick {world.tick}: {left:+d} {item} by no rule")

    def _explain_meals(
        self, world: World, agent: Agent, sent: list[Acted | Malformed], sure: Counter[str]
    ) -> None:
        """Count the meals. Each action has one result, in order, so the results say which actions
        succeeded."""
        asked: list[object] = []
        for entry in sent:
            act = entry.act if isinstance(entry, Acted) else None
            if act is None or not world.tick - LATE_TICKS <= act.tick <= world.tick:
                asked.append("refused whole")
            else:
                asked += [*act.cancel, *act.instants, *act.tasks]
        events = [
            json.loads(event.text)
            for event in agent.event_log.since(self._cursors.get(agent.number, 0))
        ]
        results = [event for event in events if event["type"] == "ACTION_RESULT"]
        if len(asked) != len(results):
            raise BrokenPromise(
                f"{agent.id} asked for {len(asked)} actions and got {len(results)} results"
            )
        for wish, result in zip(asked, results, strict=True):
            if isinstance(wish, actions.Eat) and result["ok"]:
                sure[wish.item_id or ""] -= wish.count or 1

    def _explain_lands(self, world: World, sure: Counter[str], loss: Counter[str]) -> None:
        """Count the upkeep that was due in this tick and was paid, and the prices of claims that
        were enlarged."""
        cost = world.tuning.claim_maintenance_cost
        for land_id, due in self._due.items():
            claim = world.claims.get(land_id)
            # A claim that has ended in this tick may have been paid for before, or not.
            if due == world.tick and claim is None:
                loss.update(cost)
            elif due == world.tick and claim is not None and claim.stage == 0:
                sure.subtract(cost)
        radii = dict(self._radii)
        for event in world.scratch.public_events:
            if event["kind"] == "CLAIM_LAND":
                radii[str(event["land_id"])] = int(str(event["radius"]))
            elif event["kind"] == "UPGRADE_CLAIM":
                land_id = str(event["land_id"])
                radius = int(str(event["radius"]))
                sure.subtract(
                    dict.fromkeys(PRICE, price_units(radius) - price_units(radii[land_id]))
                )
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


def _explain_blocks(
    world: World, sure: Counter[str], gain: Counter[str], loss: Counter[str]
) -> None:
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
        elif row.reason not in ("FALL", "GROW"):
            raise BrokenPromise(f"a block changed by no rule: {row}")


def _is_ore_event(world: World) -> bool:
    """Whether ore may have yielded one more: an event with ore is going on, or has ended in this
    tick, in which it still counted."""
    active = world.director.event
    return (active is not None and active.id in MINING) or any(
        event["kind"] == "WORLD_EVENT" and event["event_id"] in MINING
        for event in world.scratch.public_events
    )


def check_bodies(world: World) -> None:
    """Check that bodies are in bounds and not in anything solid, and that health, stamina and
    inventories are in range."""
    solid = world.catalogs.solid
    ground = world.ground
    for agent in world.agents:
        if not ground.inside(agent.x, agent.y, agent.z):
            raise BrokenPromise(f"{agent.id} is out of bounds, at {agent.position}")
        if solid[ground.block(agent.x, agent.y, agent.z)]:
            raise BrokenPromise(f"{agent.id} has its feet in a block")
        if solid[ground.block(agent.x, agent.y + 1, agent.z)]:
            raise BrokenPromise(f"{agent.id} has its head in a block")
        if not 0 < agent.hp <= MAX_HP:
            raise BrokenPromise(f"{agent.id} has {agent.hp} HP")
        if not 0 <= agent.stamina <= MAX_STAMINA:
            raise BrokenPromise(f"{agent.id} has a stamina of {agent.stamina}")
        _check_positive(f"the inventory of {agent.id}", agent.inventory)
        if agent not in world.agents.in_chunk(agent.x >> 4, agent.z >> 4):
            raise BrokenPromise(f"{agent.id} is not listed in the chunk it stands in")


def _check_positive(where: str, goods: Mapping[str, int]) -> None:
    """Check that no count of goods is 0 or less."""
    for item, count in goods.items():
        if count <= 0:
            raise BrokenPromise(f"{where} has {count} {item}")


def check_tasks(world: World) -> None:
    """Check that each agent has tasks of the right kind, and that no two tasks have the same id."""
    tasks = [
        task for agent in world.agents for task in (agent.move, agent.work) if task is not None
    ]
    if len({task.id for task in tasks}) != len(tasks):
        raise BrokenPromise(f"two tasks have one id: {sorted(task.id for task in tasks)}")
    for agent in world.agents:
        if agent.move is not None and not isinstance(agent.move.request, MOVEMENTS):
            raise BrokenPromise(f"{agent.id} moves by {agent.move.request}")
        if agent.work is not None and isinstance(agent.work.request, MOVEMENTS):
            raise BrokenPromise(f"{agent.id} works at {agent.work.request}")


def check_block_state(world: World) -> None:
    """Check that the state of a block is where that block is, and that items lie in the world."""
    number = world.catalogs.block_number
    block = world.ground.block
    for container in world.containers:
        if block(*container.position) != number[container.kind]:
            raise BrokenPromise(f"{container.id} stands in another block")
        _check_positive(container.id, container.stock)
    bound: dict[str, Iterable[Any]] = {
        "BULLETIN_BOARD": world.boards,
        "SIGN": world.signs,
        "CONVEYOR": world.conveyors,
        "SWITCH": world.switches,
        "SENSOR": world.sensors,
    }
    for kind, table in bound.items():
        for thing in table:
            if block(*thing.position) != number[kind]:
                raise BrokenPromise(f"the {kind} at {thing.position} stands in another block")
    for row in world.growth:
        if block(*row.position) != row.block:
            raise BrokenPromise(f"what grows at {row.position} is another block")
        if row.tick <= world.tick:
            raise BrokenPromise(f"what grows at {row.position} was due at tick {row.tick}")
    for entity in world.items:
        if entity.count <= 0:
            raise BrokenPromise(f"{entity.count} {entity.item} lie at {entity.position}")
        if not world.ground.inside(*entity.position):
            raise BrokenPromise(f"{entity.item} lies out of bounds, at {entity.position}")


def check_society(world: World) -> None:
    """Check that everybody and everything that a record of society names exists, and names it
    back."""
    for org in world.orgs:
        if list(org.members.values()).count("LEADER") != 1:
            raise BrokenPromise(f"{org.id} does not have exactly one leader: {org.members}")
        for member in org.members:
            somebody = world.agent_by_id(member)
            if somebody is None or somebody.org != org.id:
                raise BrokenPromise(f"{org.id} lists {member}, who is not its member")
    for agent in world.agents:
        if agent.org and agent.id not in world.orgs[agent.org].members:
            raise BrokenPromise(f"{agent.id} is of {agent.org}, which does not list it")
        if not all(0 <= value <= MAX_REPUTATION for value in agent.reputation.values()):
            raise BrokenPromise(f"{agent.id} has the reputation {agent.reputation}")
    for claim in world.claims:
        if claim.owner not in world.orgs and world.agent_by_id(claim.owner) is None:
            raise BrokenPromise(f"{claim.id} belongs to {claim.owner}, who does not exist")
        if world.ground.block(*claim.anchor) != world.catalogs.block_number["CLAIM_TOTEM"]:
            raise BrokenPromise(f"{claim.id} has no totem at {claim.anchor}")
    for law in world.laws:
        if law.land_id not in world.claims:
            raise BrokenPromise(f"{law.id} is a law of {law.land_id}, which does not exist")
    for trade in world.trades:
        if trade.expires_tick <= world.tick:
            raise BrokenPromise(
                f"{trade.id} expired at tick {trade.expires_tick} and is still open"
            )
        _check_positive(f"the offer of {trade.id}", trade.offer)
        _check_positive(f"the request of {trade.id}", trade.request)
    for contract in world.contracts:
        if contract.is_live and contract.deadline_tick < world.tick:
            raise BrokenPromise(
                f"{contract.id} was due at tick {contract.deadline_tick} and is still live"
            )


def check_digest(world: World, make_world: WorldMaker) -> None:
    """Check that the digest which has followed all changes equals the one that is computed from
    nothing."""
    epoch = Epoch(
        rules=RULES,
        catalogs=world.catalogs.digest(),
        # The seed of its first season: each season has the next one.
        seed=world.seed - (world.season - 1),
        draw_seed=world.draw_seed,
        tuning=world.tuning,
    )
    restore(pack(encode_state(world, epoch)), make_world)


def check_escrow(world: World) -> None:
    """Check that reserved goods are exactly what live contracts hold, that they are in stock, and
    that no count is 0 or less."""
    held: dict[tuple[int, int, int], Counter[str]] = {}
    for contract in world.contracts:
        if contract.terminal not in world.containers:
            raise BrokenPromise(f"{contract.id} has no terminal at {contract.terminal}")
        if contract.is_live:
            for goods in escrow.held(contract):
                held.setdefault(contract.terminal, Counter()).update(goods)
    for container in world.containers:
        promised = dict(held.get(container.position, {}))
        if container.reserved != promised:
            raise BrokenPromise(
                f"{container.id} reserves {container.reserved}, contracts hold {promised}"
            )
        for item, count in container.reserved.items():
            if container.stock[item] < count:
                raise BrokenPromise(
                    f"{container.id} reserves {count} {item}, of {container.stock[item]}"
                )
        for goods in (container.stock, container.reserved, *container.owed.values()):
            _check_positive(container.id, goods)
    for agent in world.agents:
        _check_positive(f"the inventory of {agent.id}", agent.inventory)
    for org in world.orgs:
        _check_positive(f"the treasury of {org.id}", org.treasury)
    if index_of(world).stirred:
        raise BrokenPromise(
            f"contracts wait to be settled after the tick: {index_of(world).stirred}"
        )
