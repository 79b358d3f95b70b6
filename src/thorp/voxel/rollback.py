"""Rolls a region back to what it was before a tick, offline. See `docs/world-audit.md`.

Executing the journal shows what was there, which becomes one input of the next tick. So the journal
stays the only authority, and `verify` still succeeds. `systems.region_restore` says how the goods
are settled.
"""

from collections.abc import Iterator
from itertools import product
from math import prod
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import msgspec

from thorp.kernel.errors import IllegalError, InvalidError, LimitError
from thorp.store import Disk
from thorp.voxel.inputs import FormerCell, FormerSign, FormerStock, Restore
from thorp.voxel.new_world import create_world
from thorp.voxel.persistence.audit import Change, audit
from thorp.voxel.persistence.directory import WorldDirectory
from thorp.voxel.persistence.replay import Watch
from thorp.voxel.persistence.snapshot import WorldMaker
from thorp.voxel.service import WorldService
from thorp.voxel.state.ground import HEIGHT, Position
from thorp.voxel.state.world import World, WorldState
from thorp.voxel.systems.containers import available
from thorp.voxel.tick import step

# Looking at a quarter of a million cells takes a second. For more than a region, `fork` the world.
MAX_CELLS: Final = 262_144

# By "block" or "container" and its position: the ids of those who changed it, in order.
Changed = dict[tuple[str, Position], list[str]]


class Box(NamedTuple):
    """A region: two corners, both inside."""

    low: Position
    high: Position

    @classmethod
    def between(cls, a: Position, b: Position) -> Self:
        """The box with these corners, in any order; refused if it is too large."""
        low = (min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2]))
        high = (max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2]))
        box = cls(low, high)
        if not 0 <= box.low[1] <= box.high[1] < HEIGHT:
            raise InvalidError(f"heights go from 0 to {HEIGHT - 1}", code="range")
        if box.size > MAX_CELLS:
            raise LimitError(
                f"the box has {box.size} cells; at most {MAX_CELLS} are rolled back at once"
            )
        return box

    @property
    def size(self) -> int:
        """How many cells it has."""
        return prod(high - low + 1 for low, high in zip(self.low, self.high, strict=True))

    def __contains__(self, position: object) -> bool:
        return isinstance(position, tuple) and all(
            low <= at <= high for low, at, high in zip(self.low, position, self.high, strict=True)
        )

    def cells(self) -> Iterator[Position]:
        """Its cells, column by column."""
        xs, ys, zs = (range(low, high + 1) for low, high in zip(self.low, self.high, strict=True))
        return ((x, y, z) for x, z, y in product(xs, zs, ys))


class Former(NamedTuple):
    """What a region held at an earlier tick."""

    blocks: dict[Position, int]
    stocks: dict[Position, dict[str, int]]
    signs: dict[Position, str]
    season: int


class Rolled(msgspec.Struct, frozen=True):
    """What a rollback did, and what it could not do."""

    tick: int  # The tick it happened in.
    since: int
    digest: str
    cells: int
    left: list[dict[str, Any]]  # Cells and goods that stay as they are, and why.
    taken: dict[str, dict[str, int]]
    given: dict[str, dict[str, int]]


def plan(
    disk: Disk, path: Path, box: Box, since: int, *, make_world: WorldMaker, watch: Watch
) -> tuple[World, Restore]:
    """The world as it is, and the input that would undo what happened in a region from the tick
    `since` on."""
    former: list[Former] = []
    changed: Changed = {}

    def note(change: Change) -> None:
        if change.what in ("block", "container") and change.pos is not None and change.pos in box:
            changed.setdefault((change.what, change.pos), []).extend(change.actor.split(","))

    def begin(then: World) -> None:
        former.append(look(then, box))

    world = audit(disk, path, note, since=since, begin=begin, make_world=make_world, watch=watch)
    if world.season != former[0].season:
        problem = f"season {former[0].season} is over, and its ground is gone; choose a later tick"
        raise IllegalError(f"{path}: {problem}", code="season")
    return world, order(world, former[0], changed)


def look(world: WorldState, box: Box) -> Former:
    """What a region holds now."""
    blocks = {cell: world.ground.block(*cell) for cell in box.cells() if world.ground.inside(*cell)}
    return Former(
        blocks,
        {
            chest.position: {
                item: free for item in sorted(chest.stock) if (free := available(chest, item))
            }
            for chest in world.containers
            if chest.position in box
        },
        {sign.position: sign.text for sign in world.signs if sign.position in box},
        world.season,
    )


def order(world: WorldState, former: Former, changed: Changed) -> Restore:
    """The input that leads from the world as it is to the region as it was."""

    def by(subject: str, position: Position) -> int:
        actors = changed.get((subject, position))
        agent = world.agent_by_id(actors[-1]) if actors else None
        return agent.number if agent is not None else 0

    name = world.catalogs.blocks
    cells = [
        FormerCell(position, name[block].id, by("block", position))
        for position, block in former.blocks.items()
        if world.ground.block(*position) != block
    ]
    stocks = [
        FormerStock(position, goods, by("container", position) or by("block", position))
        for position, goods in former.stocks.items()
    ]
    signs = [FormerSign(position, text) for position, text in former.signs.items()]
    actors = dict.fromkeys(actor for those in changed.values() for actor in those)
    takers = [agent.number for agent in world.agents_by_id(actors)]
    return Restore(cells, stocks, signs, sorted(takers))


def rollback(
    disk: Disk,
    path: Path,
    box: Box,
    since: int,
    *,
    dry_run: bool = False,
    make_world: WorldMaker = create_world,
    watch: Watch = lambda _: None,
) -> Rolled:
    """Undo, in the next tick, what happened in a region from the tick `since` on. A dry run only
    reports what would be done."""
    if dry_run:
        world, restore = plan(disk, path, box, since, make_world=make_world, watch=watch)
        step(world, [restore])
        return report(world, since)
    WorldDirectory(disk, path).require()
    with WorldService.open(
        disk, path, make_world=make_world
    ) as service:  # nobody else writes meanwhile
        _, restore = plan(disk, path, box, since, make_world=make_world, watch=watch)
        service.tick([restore]).result()
        return report(service.world, since)


def report(world: World, since: int) -> Rolled:
    """What the rollback in the last tick did, as the tick has published it."""
    (event,) = [event for event in world.scratch.public_events if event["kind"] == "ROLLBACK"]
    fields: dict[str, Any] = {name: event[name] for name in ("cells", "left", "taken", "given")}
    return Rolled(tick=world.tick, since=since, digest=world.digest(), **fields)
