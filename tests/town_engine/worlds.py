"""A world in memory, and handoffs of every kind, for the tests of the town engine."""

from __future__ import annotations

from typing import Any

from thorp.kernel.canonical import canonical_text
from thorp.kernel.identity import digest
from thorp.kernel.rng import KeyedDraws
from thorp.town.embedded.judgement import StoredTown, judge, stored_form
from thorp.town.embedded.new_day import begin_day, new_town
from thorp.town.embedded.projection import project_town
from thorp.town.embedded.town import Happening, Town, decode
from thorp.town.handoff_judge import Receipt
from thorp.town.orders import TOWN_ORDERS, apply_order
from thorp.town.testing import handoff_for, proposal_for

__all__ = ["TOWN", "MemoryTown", "handoff_for", "proposal_for"]

TOWN = "town-1"


class MemoryTown:
    """One town without a store: the rules, and nothing else. A `TownWorld`."""

    def __init__(self, seed: int = 1, town_id: str = TOWN) -> None:
        self.draws = KeyedDraws(seed)
        self.kept: StoredTown = stored_form(new_town(town_id, 0, self.draws)[0])
        self.receipts: dict[str, Receipt] = {}

    @property
    def town(self) -> Town:
        return decode(self.kept.text)

    def change(self, **members: Any) -> None:
        """Set members of the state, as no rule would."""
        town = self.town
        for name, value in members.items():
            setattr(town, name, value)
        self.kept = stored_form(town)

    def snapshot(self, town_id: str = TOWN) -> dict[str, Any]:
        return project_town(self.town)

    def execute(self, handoff: Any) -> dict[str, Any]:
        content = digest(canonical_text(handoff).encode())
        key = handoff["idempotencyKey"]
        judgement = judge(handoff, content, self.receipts.get(key), self.kept)
        if judgement.result["accepted"]:
            self.receipts[key] = Receipt(content, judgement.result["resultId"])
            self.kept = judgement.town or self.kept
        return judgement.result

    def order(self, order: str, **args: Any) -> list[Happening]:
        town = self.town
        happenings = apply_order(town, TOWN_ORDERS[order](town_id=town.town_id, **args), self.draws)
        self.kept = stored_form(town)
        return happenings

    def dawn(self) -> list[Happening]:
        town = self.town
        happenings = begin_day(town, self.draws)
        self.kept = stored_form(town)
        return happenings
