"""Restores a region to an earlier state, without creating or losing items. See
`docs/world-audit.md`.

A block is worth what it yields when it is mined. For every item, the sum of what is carried,
stored, owed and lying about and of what the region's blocks are worth is the same before and after.
"""

from collections import Counter
from typing import Final

from thorp.voxel.catalog import AIR
from thorp.voxel.inputs import FormerCell, FormerStock, Restore
from thorp.voxel.state.agent import change_stock
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import Container, World, WorldState
from thorp.voxel.systems import items
from thorp.voxel.systems.blocks import CONTAINERS, change_block
from thorp.voxel.systems.containers import add, available

ACTOR: Final = "OPERATOR"
REASON: Final = "ROLLBACK"
TOTEM: Final = "CLAIM_TOTEM"


def restore(world: World, order: Restore) -> None:
    """Put a region back as an operator ordered it, and settle what that takes or gives."""
    settlement = _Settlement(world, order.takers)
    left: list[dict[str, object]] = []
    changed = 0
    # Cells that only give something back come first: they pay for the rest.
    for cell in sorted(
        order.cells, key=lambda cell: (bool(worth(world, cell.block)), cell.position)
    ):
        problem = _restore_cell(world, cell, settlement)
        if problem is None:
            changed += 1
        else:
            left.append({"pos": cell.position, "block": cell.block, "why": problem})
    for stock in order.stocks:
        _take_surplus(world, stock, settlement)
    for stock in order.stocks:
        for item, count in _refill(world, stock, settlement):
            left.append(
                {"pos": stock.position, "item": item, "count": count, "why": "nobody has it"}
            )
    for former in order.signs:
        sign = world.signs.get(former.position)
        if sign is not None and sign.text != former.text:
            sign.text = former.text
            sign.updated_tick = world.tick
            sign.updated_by = ACTOR
            world.signs.touch(sign.position)
    settlement.pay_out()
    taken = settlement.taken
    given = settlement.given
    world.publish(REASON, actor=ACTOR, cells=changed, left=left, taken=taken, given=given)


def worth(world: WorldState, block: str) -> dict[str, int]:
    """The items that a block always yields."""
    number = world.catalogs.block_number[block]
    if world.catalogs.blocks[number].drop_permille < 1000:
        return {}
    return {stack.item: stack.count for stack in world.catalogs.drops[number]}


class _Settlement:
    """The account of a restoration: goods taken out of the region, with their owners, and the
    agents who pay for what is missing."""

    def __init__(self, world: World, takers: list[int]) -> None:
        self._world = world
        self._takers = [
            agent for number in takers if (agent := world.agents.get(number)) is not None
        ]
        self._pool: Counter[str] = Counter()
        self._credits: list[tuple[int, Position, str, int]] = []
        self.taken: dict[str, dict[str, int]] = {}
        self.given: dict[str, dict[str, int]] = {}

    def put(self, goods: dict[str, int], owner: int, position: Position) -> None:
        """Pay in goods that were taken out of a cell; whatever is not used goes to their owner."""
        self._pool.update(goods)
        self._credits += [(owner, position, item, goods[item]) for item in sorted(goods)]

    def has(self, item: str) -> int:
        """How many of an item can be taken, from the pool and from the takers."""
        return self._pool[item] + sum(agent.have(item) for agent in self._takers)

    def take(self, item: str, count: int) -> None:
        """Take exactly `count`; the caller guarantees the stock."""
        from_pool = min(count, self._pool[item])
        self._pool[item] -= from_pool
        count -= from_pool
        for agent in self._takers:
            share = min(count, agent.have(item))
            if share:
                agent.give(item, -share)
                change_stock(self.taken.setdefault(agent.id, {}), item, share)
                count -= share
        if count:
            raise AssertionError(f"{count} of {item} are missing")

    def pay_out(self) -> None:
        """Give unused goods to their owners; without an owner they drop where they were."""
        for owner, position, item, count in reversed(self._credits):
            share = min(count, self._pool[item])
            if not share:
                continue
            self._pool[item] -= share
            agent = self._world.agents.get(owner)
            if agent is None:
                items.drop(self._world, position, item, share)
            else:
                agent.give(item, share)
            receiver = "" if agent is None else agent.id
            change_stock(self.given.setdefault(receiver, {}), item, share)


def _restore_cell(world: World, cell: FormerCell, settlement: _Settlement) -> str | None:
    """Put a block back, or return the reason why that is not possible."""
    now = world.catalogs.blocks[world.ground.block(*cell.position)].id
    if now == cell.block:
        return None
    if TOTEM in (now, cell.block):
        return "land is not rolled back"
    container = world.containers.get(cell.position)
    if container is not None and (container.reserved or container.owed):
        return "it keeps goods for a contract"
    yields = Counter(worth(world, now)) + Counter(container.stock if container is not None else {})
    needs = worth(world, cell.block)
    for item in sorted(needs):
        if settlement.has(item) + yields[item] < needs[item]:
            return f"nobody has {item} x{needs[item] - settlement.has(item) - yields[item]}"
    settlement.put(dict(yields), cell.changed_by, cell.position)
    for item in sorted(needs):
        settlement.take(item, needs[item])
    if container is not None:
        for item in sorted(container.stock):
            add(world, container, item, -container.stock[item])
    # One container replaces another by way of air, so that the new one begins empty.
    if cell.block in CONTAINERS and now in CONTAINERS:
        change_block(world, cell.position, AIR, actor=ACTOR, reason=REASON)
    block = world.catalogs.block_number[cell.block]
    change_block(world, cell.position, block, actor=ACTOR, reason=REASON)
    return None


def _take_surplus(world: World, former: FormerStock, settlement: _Settlement) -> None:
    container = world.containers.get(former.position)
    if container is None:
        return
    for item in sorted(container.stock):
        surplus = available(container, item) - former.goods.get(item, 0)
        if surplus > 0:
            _put(world, container, item, -surplus)
            settlement.put({item: surplus}, former.changed_by, former.position)


def _refill(world: World, former: FormerStock, settlement: _Settlement) -> list[tuple[str, int]]:
    """Put back what is missing, as far as anybody has it; return the rest."""
    container = world.containers.get(former.position)
    if container is None:
        return sorted(former.goods.items())
    lacking = []
    for item in sorted(former.goods):
        missing = former.goods[item] - available(container, item)
        returned = min(missing, settlement.has(item))
        if returned > 0:
            settlement.take(item, returned)
            _put(world, container, item, returned)
        if missing > returned:
            lacking.append((item, missing - returned))
    return lacking


def _put(world: World, container: Container, item: str, count: int) -> None:
    add(world, container, item, count)
    world.note_fixture(ACTOR, REASON, container.position)
