"""Lives of a world of towns on a disk that breaks: every handoff is executed exactly once.

The script is drawn from the seed: governors' proposals, days, orders of the keeper, and handoffs
that come twice, late, with other content under the same key, or forged.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, Final

from thorp.kernel.errors import ContractError
from thorp.simulator.lives import BrokenPromise
from thorp.simulator.script_lives import ScriptLives
from thorp.store import Connection
from thorp.store.database import Database
from thorp.town import build_handoff, built_in_profile, propose, snapshot_hash
from thorp.town.orders import SetPressure
from thorp.town.profile import ROLES
from thorp.town.service import EmbeddedTown
from thorp.town.testing import handoff_for

TOWN: Final = "town-1"
WORLD_SEED: Final = 11
SCRIPT_STEPS: Final = (4, 14)
"""The fewest and the most steps of a script, besides the creation of the town."""
LIKELY: Final = ("govern", "govern")
"""Steps that are drawn more often than the others."""

Step = tuple[str, Any]
Handoff = dict[str, Any]


class TownLives(ScriptLives):
    """Lives of one world of towns, and its client, which remembers what it has sent and what was
    answered."""

    def __init__(self, seed: int, **options: Any) -> None:
        super().__init__(seed, **options)
        count = self.random.randint(*SCRIPT_STEPS)
        self.script = [self._draw_step() for _ in range(count)]
        self.created = False
        self.done = 0
        """How many steps of the script are answered."""
        self.pending: Handoff | None = None
        """The handoff that was sent and not answered."""
        self.records: int | None = None
        """How many records the journal had when an order was sent that is not answered."""
        self.executed: dict[str, tuple[Handoff, str]] = {}
        """Each executed handoff and its result id, by its key."""
        self.remembered: list[Handoff] = []
        """Handoffs made from a state of the town that may be over when they are sent."""

    def _draw_step(self) -> Step:
        kind = self.random.choice((*LIKELY, *STEPS))
        if kind == "govern":
            return kind, self.random.choice(ROLES)
        return kind, self.random.randrange(1000)

    def play(self, database: Database) -> str:
        """Open the world, and go on with the script after the last step that was answered."""
        with contextlib.closing(EmbeddedTown(database, seed=WORLD_SEED)) as world:
            self._check_world(world)
            if not self.created:
                self._create(world)
            while self.done < len(self.script):
                kind, value = self.script[self.done]
                self.step(f"{kind} {value}")
                STEPS[kind](self, world, value)
                self.pending = None
                self.records = None
                self.done += 1
                self._check_receipts(world)
            self._check_world(world)
            return world.verify().tip

    # Orders of the keeper have no key. There is only this client, so the length of the journal says
    # whether an order was done.

    def _is_open(self, world: EmbeddedTown) -> bool:
        records = world.tip()[0]
        if self.records is None:
            self.records = records
        return records == self.records

    def _create(self, world: EmbeddedTown) -> None:
        self.step(f"create {TOWN}")
        if self._is_open(world):
            world.create_town(TOWN)
        self.created = True
        self.records = None

    def day(self, world: EmbeddedTown, _: int) -> None:
        """The next day begins in every town."""
        day = world.world().day
        if self._is_open(world):
            self.check(world.advance_day() == day + 1, f"the day after {day} is another one")

    def order(self, world: EmbeddedTown, level: int) -> None:
        """The keeper sets a meter."""
        if self._is_open(world):
            world.execute_order(SetPressure(TOWN, "hope", level))

    # Handoffs have a key, by which the world knows those that it has executed.

    def govern(self, world: EmbeddedTown, role: str) -> None:
        """A governor decides, perhaps the same about the same state as before."""
        sent_before = self.pending is not None
        handoff = self.pending or build_handoff(
            propose(world.snapshot(TOWN), built_in_profile(role, TOWN))
        )
        self._execute(world, handoff, may_be_duplicate=sent_before or self._is_executed(handoff))

    def talk(self, world: EmbeddedTown, _: int) -> None:
        """Somebody who has not done so before talks to the townsfolk."""
        sent_before = self.pending is not None
        handoff = self.pending or handoff_for(world.snapshot(TOWN), actor=f"talker-{self.done}")
        self._execute(world, handoff, may_be_duplicate=sent_before)

    def _execute(self, world: EmbeddedTown, handoff: Handoff, *, may_be_duplicate: bool) -> None:
        self.pending = handoff
        result = world.execute(handoff)
        status = result["status"]
        fits = status == "executed" or (may_be_duplicate and status == "duplicate")
        self.check(fits, f"a handoff is {status}: {result['reasonCode']}")
        self._keep(handoff, result)

    def _keep(self, handoff: Handoff, result: dict[str, Any]) -> None:
        first = result["evaluation"]["duplicateCheck"]["duplicateOf"] or result["resultId"]
        key = handoff["idempotencyKey"]
        before = self.executed.setdefault(key, (handoff, first))
        self.check(before[1] == first, f"{key} was executed as {before[1]} and as {first}")

    def _is_executed(self, handoff: Handoff) -> bool:
        return handoff["idempotencyKey"] in self.executed

    def again(self, world: EmbeddedTown, number: int) -> None:
        """A handoff that was executed is sent again, and is answered as a duplicate."""
        for handoff, first in self._one_executed(number):
            result = world.execute(handoff)
            outcome = (result["status"], result["evaluation"]["duplicateCheck"]["duplicateOf"])
            self.check(outcome == ("duplicate", first), f"sent again, {first} is {outcome}")

    def conflict(self, world: EmbeddedTown, number: int) -> None:
        """Other content under a used key is refused."""
        for handoff, first in self._one_executed(number):
            code = world.execute({**handoff, "note": "other content"})["reasonCode"]
            self.check(code == "KEY_CONFLICT", f"with other content, {first} is {code}")

    def _one_executed(self, number: int) -> list[tuple[Handoff, str]]:
        executed = list(self.executed.values())
        return [executed[number % len(executed)]] if executed else []

    def forged(self, world: EmbeddedTown, _: int) -> None:
        """A handoff whose command is not that of its proposal is refused."""
        handoff = handoff_for(world.snapshot(TOWN))
        try:
            world.execute({**handoff, "command": handoff["command"] + " "})
        except ContractError:
            self.tally["checks"] += 1
        else:
            raise BrokenPromise("a forged handoff was taken")

    def remember(self, world: EmbeddedTown, _: int) -> None:
        """A slow governor decides, and does not send yet."""
        self.remembered.append(handoff_for(world.snapshot(TOWN), actor=f"slow-{self.done}"))

    def late(self, world: EmbeddedTown, number: int) -> None:
        """A handoff about an earlier state is executed if the town is still in that state, and
        stale if not."""
        if not self.remembered:
            return
        handoff = self.remembered[number % len(self.remembered)]
        sent_before = self.pending is not None
        fits = snapshot_hash(world.snapshot(TOWN)) == handoff["snapshotHash"]
        self.pending = handoff
        result = world.execute(handoff)
        status = result["status"]
        if self._is_executed(handoff):
            self.check(status == "duplicate", f"an executed handoff is {status}")
        elif status == "duplicate":
            self.check(sent_before, "a handoff is a duplicate of nothing")
        else:
            self.check(status == ("executed" if fits else "stale"), f"a late handoff is {status}")
        if status != "stale":
            self._keep(handoff, result)

    # What must be true.

    def _check_world(self, world: EmbeddedTown) -> None:
        """Check that the world is what its journal says, and that every executed handoff has its
        receipt."""
        difference = world.verify().difference
        self.check(difference is None, f"the world differs from its journal: {difference}")
        self._check_receipts(world)
        for key, (_, result_id) in self.executed.items():
            receipt = world.receipt(key)
            self.check(
                receipt is not None and receipt["resultId"] == result_id,
                f"the receipt of {key} is {receipt}",
            )

    def _check_receipts(self, world: EmbeddedTown) -> None:
        """Check that every executed handoff has a receipt, and that only sent ones have one."""
        receipts = set(read_receipts(world))
        lost = sorted(self.executed.keys() - receipts)
        self.check(not lost, f"executed handoffs without a receipt: {lost}")
        sent = self.executed.keys() | ({self.pending["idempotencyKey"]} if self.pending else set())
        invented = sorted(receipts - sent)
        self.check(not invented, f"receipts of handoffs that nobody sent: {invented}")


def read_receipts(world: EmbeddedTown) -> list[str]:
    """The keys of all receipts."""

    def look(connection: Connection) -> list[str]:
        return [key for (key,) in connection.execute("SELECT key FROM town_receipt")]

    return world._database.read(look)


STEPS: Final[dict[str, Callable[[TownLives, EmbeddedTown, Any], None]]] = {
    "govern": TownLives.govern,
    "talk": TownLives.talk,
    "day": TownLives.day,
    "order": TownLives.order,
    "again": TownLives.again,
    "conflict": TownLives.conflict,
    "forged": TownLives.forged,
    "remember": TownLives.remember,
    "late": TownLives.late,
}
