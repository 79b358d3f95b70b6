"""Who changed what: found again by executing the journal, so there is no second record that could differ.

    block       every change of a cell, by whom and why, as the rules report it
    container   what came in and went out, by those whose ACT named it in that tick and did not only look
    sign        what is written on it
    switch      whether it is on
    land, org, law, trade, contract, board, rollback, town   as the rules tell spectators

Who is `WORLD` is no agent: growth, falling sand, belts, events, deadlines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from thorp.kernel.errors import IllegalError, InvalidError
from thorp.store import Disk
from thorp.voxel.found import found as found_generated
from thorp.voxel.ground import Position
from thorp.voxel.inputs import Acted
from thorp.voxel.keeping.history import History, Watch
from thorp.voxel.snapshot import Found
from thorp.voxel.world import Container, World, block_id

WORLD: Final = "WORLD"

# The kinds of happenings that are changes, and what they change.
SOCIETY: Final = {
    **dict.fromkeys(("CLAIM_LAND", "UPGRADE_CLAIM", "SET_PERMISSIONS", "DEED_LAND", "LAND_ENDED"), "land"),
    **dict.fromkeys(("ADD_MEMBER", "REMOVE_MEMBER"), "land"),
    **dict.fromkeys(("CREATE_ORG", "JOIN_ORG", "LEAVE_ORG", "ORG_ENDED", "ORG_DEPOSIT"), "org"),
    **dict.fromkeys(("ORG_WITHDRAW", "SET_ORG_OPEN", "INVITE_ORG", "SET_ORG_ROLE"), "org"),
    **dict.fromkeys(("LAW", "VOTE"), "law"),
    "TRADE": "trade",
    **dict.fromkeys(("CONTRACT", "BACKED"), "contract"),
    "POST": "board",
    "ROLLBACK": "rollback",
    "TOWN_RESULT": "town",
}
# Fields of actions that name what they work on, and actions that change nothing there.
_NAMING: Final = ("src_container", "dst_container", "terminal_id", "target_id")
_LOOKING: Final = ("FOLLOW", "OPEN", "SEARCH_BOARD")
_PARTIES: Final = ("with", "poster", "acceptor", "member_id", "new_owner")


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    tick: int
    what: str
    actor: str
    """An agent, several with commas between them, or WORLD or OPERATOR."""
    reason: str
    pos: Position | None = None
    before: Any = None
    after: Any = None
    more: dict[str, Any] = {}

    def concerns(self, agent_id: str) -> bool:
        return agent_id in self.actor.split(",") or any(self.more.get(one) == agent_id for one in _PARTIES)

    def is_near(self, middle: Position, reach: int) -> bool:
        return self.pos is not None and all(
            abs(a - b) <= reach for a, b in zip(self.pos, middle, strict=True)
        )


def audit(
    disk: Disk,
    path: Path,
    show: Callable[[Change], None],
    *,
    since: int = 1,
    until: int | None = None,
    found: Found = found_generated,
    watch: Watch = lambda _: None,
) -> None:
    """Show every change from `since` to `until`, or to the last durable tick, in order."""
    follow(disk, path, lambda world: None, show, since=since, until=until, found=found, watch=watch)


def follow(
    disk: Disk,
    path: Path,
    begin: Callable[[World], None],
    show: Callable[[Change], None],
    *,
    since: int,
    until: int | None = None,
    found: Found = found_generated,
    watch: Watch = lambda _: None,
) -> World:
    """Execute the journal: `begin` sees the world right before the tick `since`, `show` each change after.

    Returns the world at the end.
    """
    if since < 1:
        raise InvalidError(f"a tick is 1 or more, not {since}", code="range")
    history = History.begin(disk, path, found, at_most=since - 1)
    changes: list[Changes] = []

    def look(tick: int) -> None:
        if tick == since - 1:
            begin(history.world)
            changes.append(Changes(history))
        elif tick >= since:
            for change in changes[0].of_last_tick():
                show(change)
        watch(tick)

    look(history.world.tick)
    history.go(to_tick=until, watch=look)
    if not changes:
        raise IllegalError(
            f"{path}: the last tick is {history.world.tick}, so nothing happened since {since}", code="range"
        )
    return history.world


class Changes:
    """The changes of one tick after the other, while a history goes on and compares every digest."""

    def __init__(self, history: History) -> None:
        self._history = history
        world = history.world
        self._stocks = {chest.position: _contents(chest) for chest in world.containers}
        self._texts = {sign.position: sign.text for sign in world.signs}
        self._switched = {switch.position: switch.on for switch in world.switches}

    def of_last_tick(self) -> Iterator[Change]:
        world = self._history.world
        asked = self._asked()
        yield from _blocks(world)
        yield from self._containers(world, asked)
        yield from self._signs(world)
        yield from self._switches(world, asked)
        yield from _society(world)

    def _asked(self) -> dict[str, list[tuple[str, str]]]:
        """Of a thing: the agents whose actions named it, and which."""
        record = self._history.record
        asked: dict[str, list[tuple[str, str]]] = {}
        for entry in record.inputs if record is not None else ():
            if isinstance(entry, Acted):
                for action in (*entry.act.instants, *entry.act.tasks):
                    kind = str(action.__struct_config__.tag)
                    for field in _NAMING if kind not in _LOOKING else ():
                        name = getattr(action, field, None)
                        if name:
                            asked.setdefault(name, []).append((f"A{entry.agent}", kind))
        return asked

    def _containers(self, world: World, asked: dict[str, list[tuple[str, str]]]) -> Iterator[Change]:
        builders = dict.fromkeys(
            (entry.actor, entry.reason) for entry in world.audit if entry.reason == "BUILD_BLUEPRINT"
        )
        for position in sorted(world.containers.changed()):
            chest = world.containers.get(position)
            before, after = self._stocks.pop(position, {}), _contents(chest) if chest is not None else {}
            if chest is not None:
                self._stocks[position] = after
            if before != after:
                kind = chest.kind if chest is not None else "container"
                name = block_id(kind, position)
                by = asked.get(name) or _of_block(world, position) or list(builders) or [(WORLD, WORLD)]
                actors, reasons = (",".join(dict.fromkeys(column)) for column in zip(*by, strict=True))
                moved = {
                    item: after.get(item, 0) - before.get(item, 0)
                    for item in sorted({*before, *after})
                    if after.get(item, 0) != before.get(item, 0)
                }
                yield Change(
                    world.tick, "container", actors, reasons, position, before, after, {"moved": moved}
                )

    def _signs(self, world: World) -> Iterator[Change]:
        for position in sorted(world.signs.changed()):
            sign = world.signs.get(position)
            before, after = self._texts.pop(position, ""), sign.text if sign is not None else ""
            if sign is not None:
                self._texts[position] = after
            if before != after:
                by = [(sign.updated_by, "SET_SIGN")] if sign is not None else _of_block(world, position)
                actor, reason = by[0] if by else (WORLD, WORLD)
                yield Change(world.tick, "sign", actor, reason, position, before, after)

    def _switches(self, world: World, asked: dict[str, list[tuple[str, str]]]) -> Iterator[Change]:
        for position in sorted(world.switches.changed()):
            switch = world.switches.get(position)
            before, after = self._switched.pop(position, False), switch is not None and switch.on
            if switch is not None:
                self._switched[position] = after
            if before != after:
                by = asked.get(block_id("SWITCH", position)) or _of_block(world, position)
                actor, reason = by[0] if by else (WORLD, WORLD)
                yield Change(world.tick, "switch", actor, reason, position, before, after)


def _contents(chest: Container) -> dict[str, int]:
    """All that lies in a container, whoever it is kept for."""
    contents = Counter(chest.stock)
    for owed in chest.owed.values():
        contents.update(owed)
    return dict(contents)


def _of_block(world: World, position: Position) -> list[tuple[str, str]]:
    """Who changed the block of a thing in this tick."""
    return [(entry.actor, entry.reason) for entry in world.audit if entry.position == position]


def _blocks(world: World) -> Iterator[Change]:
    name = [block.id for block in world.catalogs.blocks]
    for actor, reason, position, before, after in world.audit:
        yield Change(world.tick, "block", actor, reason, position, name[before], name[after])


def _society(world: World) -> Iterator[Change]:
    for happening in world.happenings:
        more = dict(happening)
        reason = str(more.pop("kind"))
        what = SOCIETY.get(reason)
        if what is not None:
            actor = str(more.pop("actor", None) or more.pop("agent", None) or WORLD)
            pos: Any = more.pop("pos", None)
            claim = world.claims.get(str(more.get("land_id")))
            place = pos if pos is not None else claim.anchor if claim is not None else None
            yield Change(world.tick, what, actor, reason, place, more=more)
