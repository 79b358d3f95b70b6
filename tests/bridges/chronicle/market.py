"""A small flat world with people who have names, and a reader that looks after every tick."""

from __future__ import annotations

from typing import Any

from tests.voxel.flat import put_agent
from tests.voxel.society.civic import a_society, ask, wait
from thorp.bridges.chronicle import Notice, WorldObserver
from thorp.protocol.actions import AcceptTrade, OfferTrade
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.world import World

FAR_AWAY = 500
GOODS = {"PLANK": 50, "BERRIES": 50, "COAL": 50, "BATTERY": 5, "CRYSTAL_SHARD": 5}


class Market:
    """What happens here is done by ACTs in whole ticks; `notices` are what a reader made of
    them."""

    def __init__(self, **tuning: Any) -> None:
        self.world: World = a_society(**{"day_ticks": 48, "season_length_ticks": 480, **tuning})
        self.noticing = WorldObserver(self.world)
        self.notices: list[Notice] = []

    def person(self, name: str, x: int = 0, z: int = 0) -> Agent:
        """Somebody who has acted, with goods."""
        agent = put_agent(self.world, x, z, **GOODS)
        agent.name, agent.acted = name, True
        agent.changed()
        return agent

    def ask(self, agent: Agent, *wishes: Any) -> list[dict[str, Any]]:
        results = ask(self.world, agent, *wishes)
        self.look()
        return results

    def wait(self, ticks: int = 1) -> None:
        for _ in range(ticks):
            wait(self.world)
            self.look()

    def look(self) -> None:
        self.notices += self.noticing.look()

    def trade(self, seller: Agent, buyer: Agent, item: str = "PLANK", price: str = "COAL") -> None:
        wish = OfferTrade(to=buyer.id, offer=[(item, 1)], request=[(price, 1)])
        (offered,) = self.ask(seller, wish)
        (taken,) = self.ask(buyer, AcceptTrade(trade_id=offered["trade_id"]))
        assert taken["ok"], taken

    def happen(self, **happening: Any) -> list[Notice]:
        """What a reader makes of one happening, as if the last tick had had it."""
        self.world.scratch.public_events[:] = [happening]
        found = self.noticing.look()
        self.world.scratch.public_events.clear()
        return found

    def told(self, kind: str) -> list[Notice]:
        return [notice for notice in self.notices if notice.kind == kind]
