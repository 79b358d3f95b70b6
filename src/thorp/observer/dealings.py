"""The ways in which people earned a living: goods given in trades, contracts kept, houses built.
With this the page explains why somebody is rich.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from thorp.voxel import World
from thorp.voxel.lookups.goods import worth

# Most people whose dealings are kept: those who dealt last.
PEOPLE_KEPT: Final = 2_000

Items = dict[str, int]


class Dealings(msgspec.Struct):
    """What one agent has done, all its life long."""

    sold: Items = {}
    """What it gave in trades, by item."""
    trades: int = 0
    kept: int = 0
    """Contracts that it fulfilled."""
    earned: int = 0
    """What the rewards of these contracts were worth."""
    broken: int = 0
    """Contracts that it had taken, and that failed by its own fault."""
    built: int = 0


class DealingsRecord(msgspec.Struct):
    """The dealings of some agents, as they stood at a tick."""

    tick: int
    dealings: dict[str, Dealings]


class DealingsBook:
    """The dealings of everybody, from the public events of each tick."""

    def __init__(self) -> None:
        self._of: dict[str, Dealings] = {}
        self._changed: dict[str, None] = {}

    def of(self, agent: str) -> Dealings:
        """What an agent has done so far."""
        return self._of.get(agent) or Dealings()

    def take(self, dealings: Mapping[str, Dealings]) -> None:
        """Take over earlier records; they replace those of the same people."""
        # Moved to the end, so that the first of the dictionary is the one who has not dealt for
        # longest.
        for agent, record in dealings.items():
            self._of.pop(agent, None)
            self._of[agent] = record
        while len(self._of) > PEOPLE_KEPT:
            self._of.pop(next(iter(self._of)))

    def look(self, world: World) -> None:
        """Count what a tick brought."""
        for event in world.scratch.public_events:
            match event["kind"]:
                case "TRADE":
                    self._note_trade(event)
                case "CONTRACT":
                    self._note_contract(world, event)
                case "BUILT":
                    self._entry(event["agent"]).built += 1

    def changes(self, tick: int) -> DealingsRecord | None:
        """What has changed since this was last asked; None if nothing has."""
        if not self._changed:
            return None
        dealings = {
            agent: msgspec.structs.replace(self._of[agent])
            for agent in self._changed
            if agent in self._of
        }
        self._changed = {}
        return DealingsRecord(tick, dealings)

    def record(self, tick: int) -> DealingsRecord:
        """The dealings of everybody."""
        return DealingsRecord(tick, dict(self._of))

    def _entry(self, agent: object) -> Dealings:
        """The entry of an agent, which is about to change."""
        name = str(agent)
        entry = self._of.pop(name, None) or Dealings()
        self.take({name: entry})
        self._changed[name] = None
        return entry

    def _note_trade(self, event: Mapping[str, Any]) -> None:
        """Count a trade for both sides, since each gives something."""
        for giver, goods in (("with", "offer"), ("actor", "request")):
            entry = self._entry(event[giver])
            given = Counter(entry.sold)
            given.update(dict(event[goods]))
            entry.sold = dict(given)
            entry.trades += 1

    def _note_contract(self, world: World, event: dict[str, object]) -> None:
        contract = world.contracts.get(str(event["contract_id"]))
        if contract is None or not contract.acceptor:
            return
        if contract.state == "COMPLETED":
            entry = self._entry(contract.acceptor)
            entry.kept += 1
            entry.earned += worth(contract.reward) + worth(contract.bonus)
        elif contract.state == "FAILED" and not event.get("blameless"):
            self._entry(contract.acceptor).broken += 1
