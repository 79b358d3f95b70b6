"""The public suite of a `TownWorld`: our own worlds pass it, and worlds that break a promise do
not."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import pytest

from tests.postgres import Cluster
from tests.town_engine.worlds import TOWN, MemoryTown
from thorp.kernel.canonical import canonical_bytes
from thorp.kernel.identity import digest
from thorp.town import EmbeddedTown, TownWorld, validate_handoff
from thorp.town.embedded import judgement
from thorp.town.embedded.judgement import judge
from thorp.town.handoff import handoff_id
from thorp.town.handoff_judge import Receipt, UnknownTown
from thorp.town.orders import SetPressure
from thorp.town.result import result_id
from thorp.town.testing import BrokenPromise, TownWorldSuite

PROMISES = {name.removeprefix("test_") for name in dir(TownWorldSuite) if name.startswith("test_")}


class EmbeddedSuite(TownWorldSuite):
    town_id = 'Old "Mill" 🏰'
    other_town_id = "Elsewhere"
    url: str

    def open_world(self) -> EmbeddedTown:
        world = EmbeddedTown(self.url, seed=7)
        if not world.towns():
            world.create_town(self.town_id)
            world.create_town("Elsewhere")
        return world


class TestSqlite(EmbeddedSuite):
    @pytest.fixture(autouse=True)
    def _url(self, tmp_path: Path) -> None:
        self.url = f"sqlite:///{tmp_path}/world.db"


@pytest.mark.real("postgresql")
class TestPostgresql(EmbeddedSuite):
    @pytest.fixture(autouse=True)
    def _url(self, postgres: Cluster) -> None:
        self.url = postgres.make_schema()


class HonestTown(MemoryTown):
    """A world in memory that keeps every promise."""

    def __init__(self) -> None:
        super().__init__(seed=7)
        self.lock = threading.Lock()

    def snapshot(self, town_id: str = TOWN) -> dict[str, Any]:
        if town_id != TOWN:
            raise UnknownTown(town_id)
        return super().snapshot()

    def execute(self, handoff: Any) -> dict[str, Any]:
        validate_handoff(handoff)
        with self.lock:
            if handoff["proposal"]["townId"] != TOWN:
                return judge(handoff, "", None, None).result
            return super().execute(handoff)


class TestMemory(TownWorldSuite):
    """It is gone when it is left, and says so."""

    durable = False

    def open_world(self) -> AbstractContextManager[TownWorld]:
        return nullcontext(HonestTown())


def test_a_promise_that_is_not_made_is_no_test() -> None:
    assert {name for name in PROMISES if getattr(TestMemory, f"test_{name}") is None} == {
        "what_was_answered_is_there_when_it_is_opened_again",
        "stale_is_a_matter_of_one_town",
    }
    assert all(callable(getattr(EmbeddedSuite, f"test_{name}")) for name in PROMISES)


class Offender(HonestTown):
    """Breaks one promise, which `broken` names."""

    broken: str


class SomebodyElse(Offender):
    broken = "a_snapshot_is_valid_and_of_its_town"

    def snapshot(self, town_id: str = TOWN) -> dict[str, Any]:
        return {**super().snapshot(town_id), "townId": "somebody else"}


class Chatty(Offender):
    broken = "a_snapshot_is_valid_and_of_its_town"

    def snapshot(self, town_id: str = TOWN) -> dict[str, Any]:
        return {**super().snapshot(town_id), "weather": "fair"}


class Sharing(Offender):
    broken = "looking_changes_nothing"

    def snapshot(self, town_id: str = TOWN) -> dict[str, Any]:
        return dict(self.__dict__.setdefault("shown", super().snapshot(town_id)))


class Hospitable(Offender):
    broken = "an_unknown_town"

    def snapshot(self, town_id: str = TOWN) -> dict[str, Any]:
        return {**super().snapshot(), "townId": town_id}


class Vague(Offender):
    broken = "an_executed_handoff_says_what_follows"

    def execute(self, handoff: Any) -> dict[str, Any]:
        result = super().execute(handoff)
        result.pop("worldState", None)
        return {**result, "resultId": result_id(result)}


class WrongQuest(Offender):
    broken = "an_accepted_quest_becomes_the_mission"

    def execute(self, handoff: Any) -> dict[str, Any]:
        result = super().execute(handoff)
        town = self.town
        if town.mission is not None:
            town.mission.id = "another"
            self.change(mission=town.mission)
        return result


class Forgetful(Offender):
    broken = "the_same_handoff_again_is_a_duplicate"

    def execute(self, handoff: Any) -> dict[str, Any]:
        self.receipts.clear()
        return super().execute(handoff)


class Literal(Offender):
    """Knows a handoff again only by its very bytes."""

    broken = "the_same_handoff_again_is_a_duplicate"

    def execute(self, handoff: Any) -> dict[str, Any]:
        validate_handoff(handoff)
        content = digest(json.dumps(handoff).encode())
        receipt = self.receipts.get(handoff["idempotencyKey"])
        judgement = judge(handoff, content, receipt, self.kept)
        if judgement.result["accepted"]:
            self.receipts[handoff["idempotencyKey"]] = Receipt(
                content, judgement.result["resultId"]
            )
            self.kept = judgement.town or self.kept
        return judgement.result


class Credulous(Offender):
    broken = "a_used_key_with_other_content_is_a_conflict"

    def execute(self, handoff: Any) -> dict[str, Any]:
        return super().execute({name: value for name, value in handoff.items() if name != "note"})


class Scribbler(Offender):
    broken = "handoffs_and_results_are_their_owner_s"

    def execute(self, handoff: Any) -> dict[str, Any]:
        result = super().execute(handoff)
        handoff["done"] = True
        return result


class Hasty(Offender):
    """Looks at the day and not at the state."""

    broken = "a_handoff_for_a_past_state_is_stale"

    def execute(self, handoff: Any) -> dict[str, Any]:
        validate_handoff(handoff)
        kept = self.kept._replace(hash=handoff["snapshotHash"])
        self.kept, honest = kept, self.kept
        result = super().execute(handoff)
        self.kept = honest if self.kept is kept else self.kept
        return result


class Timeless(Offender):
    broken = "a_handoff_for_another_day_is_stale"

    def execute(self, handoff: Any) -> dict[str, Any]:
        result = super().execute(handoff)
        if result["reasonCode"] == "STALE_DECISION_EPOCH":
            result["reasonCode"] = "STALE_SNAPSHOT_HASH"
        return {**result, "resultId": result_id(result)}


class Trusting(Offender):
    """Takes preconditions for met."""

    broken = "unmet_preconditions_reject"

    def execute(self, handoff: Any) -> dict[str, Any]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("thorp.town.handoff_judge.unmet_preconditions", lambda *_: [])
            return super().execute(handoff)


class Unforgiving(Offender):
    """Remembers what it rejected, and never looks again."""

    broken = "what_was_not_accepted_is_judged_afresh"

    def __init__(self) -> None:
        super().__init__()
        self.rejected: dict[str, dict[str, Any]] = {}

    def execute(self, handoff: Any) -> dict[str, Any]:
        key = handoff["idempotencyKey"]
        result = self.rejected.get(key) or super().execute(handoff)
        if result["status"] == "rejected":
            self.rejected[key] = result
        return result


class Lawless(Offender):
    broken = "the_world_s_own_rules_hold_without_preconditions"

    def execute(self, handoff: Any) -> dict[str, Any]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(judgement, "apply_action", lambda *_: [])
            return super().execute(handoff)


class Gullible(Offender):
    broken = "malformed_and_forged_handoffs_are_refused"

    def execute(self, handoff: Any) -> dict[str, Any]:
        if not handoff or "command" not in handoff:
            return super().execute(handoff)
        validate_handoff(
            {**handoff, "handoffId": handoff_id(handoff["proposalId"], handoff["command"])}
        )
        return MemoryTown.execute(self, handoff)


class Restless(Offender):
    """Changes whenever somebody looks, so that every decision is stale."""

    broken = "governors_can_govern"

    def snapshot(self, town_id: str = TOWN) -> dict[str, Any]:
        seen = super().snapshot(town_id)
        self.change(next_quest=self.town.next_quest + 1, event=f"event {self.town.next_quest}")
        return seen


class Amnesiac(Offender):
    broken = "what_was_answered_is_there_when_it_is_opened_again"

    def close(self) -> None:
        self.__init__()  # type: ignore[misc]


class Careless(Offender):
    """Looks first, and does it later, when others have looked too."""

    def __init__(self) -> None:
        super().__init__()
        self.door = threading.Barrier(4, timeout=5)

    def execute(self, handoff: Any) -> dict[str, Any]:
        content = digest(canonical_bytes(handoff))
        judgement = judge(handoff, content, self.receipts.get(handoff["idempotencyKey"]), self.kept)
        self.door.wait()
        if judgement.result["accepted"]:
            self.receipts[handoff["idempotencyKey"]] = Receipt(
                content, judgement.result["resultId"]
            )
            self.kept = judgement.town or self.kept
        return judgement.result


class CarelessWithKeys(Careless):
    broken = "threads_that_race_for_one_handoff"


class CarelessWithState(Careless):
    broken = "threads_that_race_for_one_state"


OFFENDERS = [
    each for each in vars().copy().values() if isinstance(each, type) and hasattr(each, "broken")
]


class OffendedSuite(TownWorldSuite):
    def __init__(self, kind: type[HonestTown]) -> None:
        self.world = kind()

    @contextmanager
    def open_world(self) -> Iterator[TownWorld]:
        yield self.world
        getattr(self.world, "close", lambda: None)()


@pytest.mark.parametrize("kind", OFFENDERS, ids=lambda kind: kind.__name__)
def test_a_broken_promise_is_found_out(kind: type[Offender]) -> None:
    getattr(OffendedSuite(HonestTown), f"test_{kind.broken}")()
    with pytest.raises(BrokenPromise):
        getattr(OffendedSuite(kind), f"test_{kind.broken}")()


class Entangled(EmbeddedTown):
    """What happens in one town is felt in the other."""

    def execute(self, handoff: object) -> dict[str, Any]:
        result = super().execute(handoff)
        for town in self.towns():
            self.execute_order(SetPressure(town.town_id, "dread", 777))
        return result


def test_towns_that_are_entangled_are_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = EmbeddedSuite()
    for kind, expected in (
        (EmbeddedTown, nullcontext()),
        (Entangled, pytest.raises(BrokenPromise)),
    ):
        suite.url = f"sqlite:///{tmp_path}/{kind.__name__}.db"
        monkeypatch.setattr(f"{__name__}.EmbeddedTown", kind)
        with expected:
            suite.test_stale_is_a_matter_of_one_town()


def test_every_promise_has_its_offender() -> None:
    assert {kind.broken for kind in OFFENDERS} == PROMISES - {"stale_is_a_matter_of_one_town"}


def test_a_world_that_is_not_ready_for_the_suite_is_told_so() -> None:
    suite = OffendedSuite(HonestTown)
    suite.world.change(quests=[])
    with pytest.raises(BrokenPromise, match="must give 'town-1' an open side quest and no mission"):
        suite.test_a_snapshot_is_valid_and_of_its_town()
    with pytest.raises(NotImplementedError):
        TownWorldSuite().open_world()
