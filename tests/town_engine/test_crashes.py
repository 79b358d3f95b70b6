"""Exactly once, on a disk that breaks.

A client that never gives up plays a script against a world whose power is cut, or whose disk fails, at every
single change to the disk in turn. It sends again what was not answered. However it went, the journal at the
end must be that of a run without any accident: nothing lost, nothing twice, no receipt without its effect.
"""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.accidents import KINDS, live_through
from tests.town_engine.worlds import TOWN, handoff_for
from thorp.kernel.errors import ContractError, ThorpError
from thorp.simulator.breakable_sqlite import BreakableSqlite
from thorp.store import Connection
from thorp.store.testing import BreakableDisk, PowerLost
from thorp.town import build_handoff, built_in_profile, propose, snapshot_hash, tables
from thorp.town.orders import SetPressure
from thorp.town.profile import ROLES
from thorp.town.service import EmbeddedTown

SEED = 11
SCRIPT: list[tuple[str, str]] = [
    ("create", TOWN),
    ("MAYOR_ACCEPT_MISSION", "sq-1"),
    ("PROJECT_ADVANCE", "wall-1"),
    ("day", "1"),
    ("SALVAGE_PLAN", "general"),
    ("TOWNSFOLK_TALK", "casual"),
    ("day", "2"),
    ("TOWNSFOLK_TALK", "morale-boost"),
]


class Client:
    """Plays the script, remembering only what it sent and what was answered."""

    def __init__(self) -> None:
        self.done = 0
        self.pending: dict[str, Any] | None = None
        self.answered: dict[str, str] = {}
        """The result id of each executed key."""

    def play(self, world: EmbeddedTown) -> None:
        while self.done < len(SCRIPT):
            self._step(world, *SCRIPT[self.done])
            self.done += 1

    def _step(self, world: EmbeddedTown, kind: str, target: str) -> None:
        if kind == "create":
            if not world.towns():
                world.create_town(target)
        elif kind == "day":
            if world.world().day < int(target):
                world.advance_day()
        else:
            sent_before = self.pending is not None
            self.pending = self.pending or handoff_for(world.snapshot(TOWN), kind, target)
            result = world.execute(self.pending)
            assert result["status"] == "executed" or (sent_before and result["status"] == "duplicate"), result
            first = result["evaluation"]["duplicateCheck"]["duplicateOf"] or result["resultId"]
            self.answered[self.pending["idempotencyKey"]] = first
            self.pending = None

    def check(self, world: EmbeddedTown) -> None:
        """What was answered is there, with its effect; nothing is there but what was sent."""
        assert world.verify().difference is None
        for key, result_id in self.answered.items():
            receipt = world.receipt(key)
            assert receipt is not None
            assert receipt["resultId"] == result_id
        assert set(receipts(world)) <= {*self.answered, *self._pending_key()}

    def _pending_key(self) -> list[str]:
        return [] if self.pending is None else [self.pending["idempotencyKey"]]


def receipts(world: EmbeddedTown) -> list[str]:
    def look(connection: Connection) -> list[str]:
        return [key for (key,) in connection.execute("SELECT key FROM town_receipt")]

    return world._database.read(look)


def live(sqlite: BreakableSqlite, disk: BreakableDisk, client: Client) -> str | None:
    """One life of the process. The tip of the journal, if it came to the end of the script."""
    try:
        database = sqlite.open(disk.root / "town.db")
        with contextlib.closing(EmbeddedTown(database, seed=SEED)) as world:
            client.check(world)
            client.play(world)
            client.check(world)
            return world.verify().tip
    except (ThorpError, PowerLost):
        return None


def play_through(accident: int, kind: str, seed: int) -> tuple[str, int]:
    """Play the script to its end, with an accident at one change to the disk; the tip, and the changes."""
    client = Client()
    return live_through(lambda sqlite, disk: live(sqlite, disk, client), accident, kind, seed)


UNDISTURBED = play_through(0, "power", 0)
CHUNKS = 4
LONG_SEEDS = 30


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize(
    "seeds", [range(1), pytest.param(range(1, LONG_SEEDS), marks=pytest.mark.long)], ids=["short", "long"]
)
def test_an_accident_at_any_change_to_the_disk(kind: str, chunk: int, seeds: range) -> None:
    tip, changes = UNDISTURBED
    assert changes > 60
    for seed in seeds:
        for accident in range(1 + chunk, changes + 1, CHUNKS):
            found, _ = play_through(accident, kind, seed * changes + accident)
            assert found == tip, f"{kind} at change {accident}, seed {seed}"


def test_an_effect_without_a_receipt_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test can fail: a world that changes a town and leaves out the receipt does not pass."""
    execute = tables.execute

    def careless(connection: Connection, handoff: Any, text: str) -> Any:
        class Deaf:
            dialect = connection.dialect

            def execute(self, sql: str, params: Any = ()) -> Any:
                return [] if "INTO town_receipt" in sql else connection.execute(sql, params)

        return execute(Deaf(), handoff, text)

    monkeypatch.setattr(tables, "execute", careless)
    with pytest.raises(AssertionError):
        play_through(0, "power", 0)


class Accidents(RuleBasedStateMachine):
    """Handoffs of every kind, days, orders, loss of power and restarts, in any order; exactly once."""

    def __init__(self) -> None:
        super().__init__()
        self.disk = BreakableDisk(1, piece_bytes=4096)
        self.sqlite = BreakableSqlite(self.disk)
        self.world: EmbeddedTown | None = None
        self.executed: dict[str, tuple[dict[str, Any], str]] = {}
        self.unanswered: list[dict[str, Any]] = []
        self.old: list[dict[str, Any]] = []
        self.slow_ones = 0

    @initialize(seed=st.integers(0, 5))
    def found(self, seed: int) -> None:
        self.open()
        assert self.world is not None
        self.world.create_town(TOWN)

    def open(self) -> None:
        self.world = EmbeddedTown(self.sqlite.open(self.disk.root / "town.db"), seed=SEED)

    def teardown(self) -> None:
        if self.world is not None:
            with contextlib.suppress(ThorpError):
                self.world.close()
        self.sqlite.close()

    def send(self, handoff: dict[str, Any]) -> dict[str, Any] | None:
        assert self.world is not None
        try:
            return self.world.execute(handoff)
        except ContractError:
            raise
        except ThorpError:
            self.unanswered.append(handoff)
            self.restart()
            return None

    def restart(self) -> None:
        """Come back after an accident: what was not answered is done or not, and is sent once more."""
        if self.world is not None:
            with contextlib.suppress(ThorpError):
                self.world.close()
        self.disk.cut_power_in(0)
        if self.disk.off:
            self.disk.restart()
        self.open()
        waiting, self.unanswered = self.unanswered, []
        for handoff in waiting:
            result = self.send(handoff)
            if result is not None and result["status"] in ("executed", "duplicate"):
                first = result["evaluation"]["duplicateCheck"]["duplicateOf"] or result["resultId"]
                self.executed[handoff["idempotencyKey"]] = (handoff, first)

    @rule(role=st.sampled_from(ROLES), cut=st.sampled_from([0, 0, 0, 1, 2, 3, 5, 8]))
    def fresh(self, role: str, cut: int) -> None:
        assert self.world is not None
        seen = self.world.snapshot(TOWN)
        handoff = build_handoff(propose(seen, built_in_profile(role, TOWN)))
        self.disk.cut_power_in(cut)
        result = self.send(handoff)
        self.disk.cut_power_in(0)
        if result is not None:
            # A governor may have decided the same of the same state before, and been refused or served.
            assert result["status"] in ("executed", "duplicate"), result
            if result["status"] == "executed":
                assert handoff["idempotencyKey"] not in self.executed
                self.executed[handoff["idempotencyKey"]] = (handoff, result["resultId"])

    @precondition(lambda self: self.executed)
    @rule(data=st.data())
    def duplicate(self, data: st.DataObject) -> None:
        handoff, first = data.draw(st.sampled_from(list(self.executed.values())))
        result = self.send(handoff)
        assert result is not None
        assert (result["status"], result["evaluation"]["duplicateCheck"]["duplicateOf"]) == (
            "duplicate",
            first,
        )

    @precondition(lambda self: self.executed)
    @rule(data=st.data())
    def conflicting(self, data: st.DataObject) -> None:
        handoff, _ = data.draw(st.sampled_from(list(self.executed.values())))
        result = self.send({**handoff, "note": "other content"})
        assert result is not None
        assert result["reasonCode"] == "KEY_CONFLICT"

    @rule()
    def forged(self) -> None:
        assert self.world is not None
        handoff = handoff_for(self.world.snapshot(TOWN))
        with pytest.raises(ContractError):
            self.send({**handoff, "command": handoff["command"] + " "})

    @rule()
    def remember(self) -> None:
        assert self.world is not None
        self.slow_ones += 1
        self.old.append(handoff_for(self.world.snapshot(TOWN), actor=f"slow-{self.slow_ones}"))

    @precondition(lambda self: self.old)
    @rule(data=st.data())
    def late(self, data: st.DataObject) -> None:
        """A handoff that may have become stale, or not."""
        assert self.world is not None
        handoff = self.old.pop(data.draw(st.integers(0, len(self.old) - 1)))
        seen = self.world.snapshot(TOWN)
        fits = snapshot_hash(seen) == handoff["snapshotHash"]
        result = self.send(handoff)
        assert result is not None
        assert result["status"] == ("executed" if fits else "stale")
        if fits:
            self.executed[handoff["idempotencyKey"]] = (handoff, result["resultId"])

    @rule(cut=st.sampled_from([0, 0, 2, 4]))
    def dawn(self, cut: int) -> None:
        assert self.world is not None
        day = self.world.world().day
        self.disk.cut_power_in(cut)
        try:
            assert self.world.advance_day() == day + 1
        except ThorpError:
            self.restart()
            assert self.world.world().day in (day, day + 1)
        self.disk.cut_power_in(0)

    @rule(level=st.integers(0, 1000))
    def order(self, level: int) -> None:
        assert self.world is not None
        self.world.execute_order(SetPressure(TOWN, "hope", level))

    @rule()
    def crash(self) -> None:
        self.disk.crash()
        self.restart()

    @invariant()
    def exactly_once(self) -> None:
        if self.world is None:
            return
        assert self.world.verify().difference is None
        assert set(receipts(self.world)) == set(self.executed)


Accidents.TestCase.settings = settings(
    max_examples=25,
    stateful_step_count=20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
TestAccidents = Accidents.TestCase
