"""A world in a database: one test class, on SQLite and on PostgreSQL."""

from __future__ import annotations

import copy
import shutil
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from tests.postgres import Cluster
from tests.town_engine.worlds import handoff_for, proposal_for
from thorp.kernel.errors import (
    ConflictError,
    ContractError,
    IllegalError,
    InvalidError,
    LimitError,
    StaleError,
    ThorpError,
)
from thorp.store import Connection, open_database
from thorp.town import build_handoff, tables, validate_result, validate_snapshot
from thorp.town.embedded import judgement
from thorp.town.embedded.council import Council
from thorp.town.handoff_judge import TownWorld, UnknownTown
from thorp.town.orders import (
    AddProject,
    AddQuest,
    CompleteMission,
    DrawEvent,
    FailMission,
    RetainReceipts,
    SetPressure,
)
from thorp.town.service import EmbeddedTown

TOWN = 'Old "Mill" 🏰'
WAIT_S = 60


def govern(world: EmbeddedTown, towns: list[str], days: int) -> list[dict[str, Any]]:
    councils = [Council(town_id) for town_id in towns]
    results = []
    for _ in range(days):
        for council in councils:
            results += [result for _, result in council.sit(world)]
        world.advance_day()
    return results


class Worlds:
    """What every store of a world must do. A subclass says where worlds are."""

    @pytest.fixture
    def url(self) -> str:
        raise NotImplementedError

    @pytest.fixture
    def world(self, url: str) -> Iterator[EmbeddedTown]:
        with EmbeddedTown(url, seed=7) as world:
            world.create_town(TOWN)
            yield world

    def test_the_loop_closes(self, world: EmbeddedTown) -> None:
        assert isinstance(world, TownWorld)
        results = govern(world, [TOWN], 5)
        assert Counter(result["status"] for result in results) == {"executed": 15}
        for result in results:
            validate_result(result)
        seen = world.snapshot(TOWN)
        validate_snapshot(seen)
        assert (seen["day"], seen["townId"]) == (5, TOWN)
        assert world.verify().difference is None

    def test_what_was_done_is_there_when_it_is_opened_again(
        self, world: EmbeddedTown, url: str
    ) -> None:
        govern(world, [TOWN], 3)
        last = handoff_for(world.snapshot(TOWN))
        first = world.execute(last)
        seen, verified = world.snapshot(TOWN), world.verify()
        world.close()
        with EmbeddedTown(url) as again:
            assert (again.seed, again.world().day) == (7, 3)
            assert again.snapshot(TOWN) == seen
            assert again.verify() == verified
            answer = again.execute(last)
            assert answer["evaluation"]["duplicateCheck"]["duplicateOf"] == first["resultId"]
            assert again.receipt(last["idempotencyKey"]) == first
            assert again.receipt("proposal_nobody") is None

    def test_a_snapshot_changes_nothing(self, world: EmbeddedTown) -> None:
        before = world.verify()
        assert world.snapshot(TOWN) == world.snapshot(TOWN)
        world.town(TOWN)
        world.towns()
        world.chronicle()
        assert world.verify() == before

    def test_another_seed_is_refused(self, world: EmbeddedTown, url: str) -> None:
        with pytest.raises(ConflictError, match="seed 7"):
            EmbeddedTown(url, seed=8)
        EmbeddedTown(url, seed=7).close()

    def test_a_missing_world_is_made_only_if_asked(self, url: str) -> None:
        with pytest.raises(IllegalError, match="no town world"):
            EmbeddedTown(url, create=False)
        EmbeddedTown(url).close()
        with EmbeddedTown(url, create=False) as world:
            assert (world.seed, world.towns()) == (42, [])

    def test_unknown_towns(self, world: EmbeddedTown) -> None:
        for look in (world.snapshot, world.town, world.chronicle):
            with pytest.raises(UnknownTown):
                look("Nowhere")
        with pytest.raises(UnknownTown):
            world.execute_order(CompleteMission("Nowhere"))
        handoff = handoff_for({**world.snapshot(TOWN), "townId": "Nowhere"})
        assert world.execute(handoff)["reasonCode"] == "UNKNOWN_TOWN"
        world.create_town("Nowhere")
        assert world.execute(handoff)["reasonCode"] in (
            "STALE_SNAPSHOT_HASH",
            "STALE_DECISION_EPOCH",
        )

    def test_towns_are_founded_once(self, world: EmbeddedTown) -> None:
        with pytest.raises(ConflictError):
            world.create_town(TOWN)
        for name in ("", " ", "a\0b", "\ud83c"):
            with pytest.raises(InvalidError):
                world.create_town(name)
        with pytest.raises(LimitError):
            world.create_town("x" * 201)
        assert [town.town_id for town in world.towns()] == [TOWN]

    def test_there_are_so_many_towns_and_no_more(
        self, world: EmbeddedTown, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tables, "TOWN_LIMIT", 2)
        world.create_town("second")
        with pytest.raises(LimitError):
            world.create_town("third")

    def test_text_that_no_store_can_keep_is_refused(self, world: EmbeddedTown) -> None:
        seen = world.snapshot(TOWN)
        for bad in ("a\0", "\udc00"):
            for handoff in (
                handoff_for(seen, actor=bad),
                handoff_for(seen, reason=bad),
                handoff_for(seen, note={"deep": [bad]}),
                handoff_for(seen, note={bad: 1}),
            ):
                with pytest.raises(ContractError) as refusal:
                    world.execute(handoff)
                assert refusal.value.code == "text"
            with pytest.raises(InvalidError):
                world.snapshot(bad)
        assert world.execute(handoff_for(seen, reason="\\u0000 \\ud800"))["status"] == "executed"

    def test_invalid_and_forged_handoffs_are_refused(self, world: EmbeddedTown) -> None:
        good = handoff_for(world.snapshot(TOWN))
        before = world.verify()
        forged: list[Any] = [
            None,
            [],
            {},
            {**good, "command": "townsfolk talk elsewhere casual"},
            {**good, "handoffId": "handoff_" + "0" * 64},
            {**good, "advisory": 1},
            {**good, "idempotencyKey": "proposal_" + "0" * 64},
            {**good, "proposal": {**good["proposal"], "priority": 0.51}},
            {**good, "proposal": {**good["proposal"], "args": {"talkType": "morale-boost"}}},
            {
                **good,
                "executionRequirements": {**good["executionRequirements"], "preconditions": []},
            },
            {**good, "extra": float("nan")},
            {**good, "extra": {1, 2}},
        ]
        for handoff in forged:
            with pytest.raises(ContractError):
                world.execute(handoff)
        assert world.verify() == before
        assert world.execute({**good, "extra": {"note": [1.0, "é"]}})["status"] == "executed"

    def test_the_caller_s_handoff_is_its_own(self, world: EmbeddedTown) -> None:
        handoff = handoff_for(world.snapshot(TOWN))
        kept = copy.deepcopy(handoff)
        future = world.submit(handoff)
        handoff["proposal"]["args"]["talkType"] = "morale-boost"
        handoff["decisionEpoch"] = 99
        assert future.result(WAIT_S)["status"] == "executed"
        assert world.execute(kept)["status"] == "duplicate"

    def test_stale_is_a_matter_of_each_town(self, world: EmbeddedTown) -> None:
        world.create_town("Elsewhere")
        here = handoff_for(world.snapshot(TOWN))
        world.execute_order(SetPressure("Elsewhere", "hope", 1))
        world.execute_order(DrawEvent("Elsewhere"))
        assert world.execute(here)["status"] == "executed"

    def test_a_failure_to_apply_is_a_receipt_and_no_effect(
        self, world: EmbeddedTown, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        handoff = handoff_for(world.snapshot(TOWN))
        seen = world.snapshot(TOWN)

        def fail(town: Any, action_type: str, target: str) -> Any:
            town.meters.hope = 0
            raise RuntimeError("a defect")

        with monkeypatch.context() as patch:
            patch.setattr(judgement, "apply_action", fail)
            result = world.execute(handoff)
        assert (result["status"], result["reasonCode"]) == ("failed", "APPLY_FAILED")
        assert world.snapshot(TOWN) == seen
        assert (
            world.execute(handoff)["evaluation"]["duplicateCheck"]["duplicateOf"]
            == result["resultId"]
        )
        assert world.receipt(handoff["idempotencyKey"]) == result
        assert world.verify().difference is None

    def test_receipts_are_kept_as_long_as_they_should_and_no_key_opens_again(
        self, world: EmbeddedTown
    ) -> None:
        handoff = handoff_for(world.snapshot(TOWN))
        world.execute(handoff)
        world.execute_order(RetainReceipts(2))
        statuses = [world.execute(handoff)["reasonCode"]]
        for _ in range(4):
            world.advance_day()
            statuses.append(world.execute(handoff)["reasonCode"])
        assert statuses == ["DUPLICATE_HANDOFF"] * 3 + ["STALE_DECISION_EPOCH"] * 2
        assert world.receipt(handoff["idempotencyKey"]) is None
        assert world.verify().difference is None
        for days in (0, -1, True, 1.5):
            with pytest.raises(InvalidError):
                world.execute_order(RetainReceipts(days))  # type: ignore[arg-type]
        world.execute_order(RetainReceipts(None))
        assert world.world().retain_days is None

    def test_many_at_once_are_judged_in_their_order(self, world: EmbeddedTown) -> None:
        names = [f"t-{number}" for number in range(20)]
        for name in names:
            world.create_town(name)
        handoffs = [handoff_for(world.snapshot(name)) for name in names]
        late = [handoff_for(world.snapshot(name), target="morale-boost") for name in names]
        waiting = [world.submit(handoff) for handoff in (*handoffs, *late, *handoffs)]
        results = [future.result() for future in waiting]
        assert [result["status"] for result in results] == ["executed"] * 20 + ["stale"] * 20 + [
            "duplicate"
        ] * 20
        before = world.submit(handoff_for(world.snapshot("t-1")))
        with pytest.raises(ContractError):
            world.submit({})
        assert before.result()["status"] == "executed"
        assert world.verify().difference is None

    def test_clients_at_once_get_a_total_order(self, world: EmbeddedTown, url: str) -> None:
        """Many threads, over two connections, race for each state of one town: one wins, once, and
        all answers fit one order."""
        results: list[dict[str, Any]] = []
        other = EmbeddedTown(url)

        def race(number: int) -> None:
            door = (world, other)[number % 2]
            for _ in range(8):
                seen = door.snapshot(TOWN)
                handoff = handoff_for(seen, actor=f"racer-{number}")
                results.append(door.execute(handoff))
                results.append(door.execute(handoff))

        threads = [threading.Thread(target=race, args=[number]) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(WAIT_S)
        other.close()
        assert len(results) == 4 * 8 * 2
        executed = [result for result in results if result["status"] == "executed"]
        assert len({result["idempotencyKey"] for result in executed}) == len(executed)
        links = {
            result["snapshotHash"]: result["worldState"]["postExecutionSnapshotHash"]
            for result in executed
        }
        assert len(links) == len(executed), "two handoffs were executed on one state"
        assert len(set(links.values()) - set(links)) == 1, "the executed handoffs are not one chain"
        for result in results:
            assert result["status"] in ("executed", "stale", "duplicate")
        assert world.verify().difference is None

    def test_two_processes_share_a_world(self, world: EmbeddedTown, url: str) -> None:
        """Another connection writes between ours; nothing of the past is remembered."""
        with EmbeddedTown(url) as other:
            seen = world.snapshot(TOWN)
            assert other.snapshot(TOWN) == seen
            assert other.execute(handoff_for(seen, actor="other"))["status"] == "executed"
            assert world.execute(handoff_for(seen, actor="ours"))["status"] == "stale"
            assert (
                world.execute(handoff_for(world.snapshot(TOWN), actor="ours"))["status"]
                == "executed"
            )
            other.advance_day()
            assert world.snapshot(TOWN)["day"] == 1
            assert other.verify() == world.verify()

    def test_keeper_s_orders_are_journaled(self, world: EmbeddedTown) -> None:
        world.execute_order(
            AddQuest(TOWN, 'Find 🐈, it\'s "gone"', id="q 1", complexity=2, reward=5)
        )
        world.execute_order(AddProject(TOWN, "Mühle", kind="hall"))
        world.execute_order(SetPressure(TOWN, "threat", 735))
        world.execute_order(DrawEvent(TOWN))
        seen = world.snapshot(TOWN)
        assert seen["pressure"]["threat"] == pytest.approx(world.town(TOWN).meters.threat / 1000)
        assert seen["sideQuests"][-1] == {
            "id": "q 1",
            "title": 'Find 🐈, it\'s "gone"',
            "complexity": 2,
        }
        proposal = proposal_for(seen, "MAYOR_ACCEPT_MISSION", "q 1")
        assert world.execute(build_handoff(proposal))["status"] == "executed"
        assert world.execute_order(CompleteMission(TOWN))[0].kind == "mission_completed"
        with pytest.raises(IllegalError):
            world.execute_order(FailMission(TOWN))
        kinds = [entry.kind for entry in world.chronicle(TOWN)]
        assert kinds[0] == "founded"
        assert kinds[-2:] == ["mission_accepted", "mission_completed"]
        assert [entry.kind for entry in world.chronicle(TOWN, kind="nether_event")] == [
            "nether_event"
        ]
        assert world.verify().difference is None

    def test_the_chronicle_tells_the_latest_of_one_town_or_all(self, world: EmbeddedTown) -> None:
        world.create_town("Elsewhere")
        for _ in range(30):
            world.advance_day()
        everything = world.chronicle(limit=10_000)
        assert [entry.n for entry in everything] == sorted(entry.n for entry in everything)
        assert world.chronicle(limit=7) == everything[-7:]
        ours = [entry for entry in everything if entry.town == TOWN]
        assert world.chronicle(TOWN, limit=10_000) == ours
        assert world.chronicle(TOWN, limit=3) == ours[-3:]
        with pytest.raises(InvalidError):
            world.chronicle(limit=0)

    DAMAGE: ClassVar[dict[str, str]] = {
        "a town": "UPDATE town_state SET state = REPLACE(state, '\"hope\":', '\"hope\":1')",
        "a hash": "UPDATE town_state SET hash = 'x'",
        "a record": "UPDATE town_journal SET record = REPLACE(record, 'day', 'dax') WHERE n = 5",
        "a missing record": "DELETE FROM town_journal WHERE n = 5",
        "the last record": "DELETE FROM town_journal WHERE n = (SELECT MAX(n) FROM town_journal)",
        "the chronicle": "UPDATE town_journal SET happened = '{}' WHERE n = 2",
        "a receipt": "UPDATE town_receipt SET content = 'x'",
        "a result": "UPDATE town_receipt SET result = REPLACE(result, 'executed', 'executes')",
        "a lost receipt": "DELETE FROM town_receipt",
        "the day": "UPDATE town_world SET day = day + 1",
        "a lost town": "DELETE FROM town_state",
        "the seed": "UPDATE town_world SET seed = '8'",
        "the time receipts are kept": "UPDATE town_world SET retain_days = 3",
    }

    @pytest.mark.parametrize("damage", DAMAGE)
    def test_verify_finds_what_does_not_follow_from_the_journal(
        self, world: EmbeddedTown, url: str, damage: str
    ) -> None:
        govern(world, [TOWN], 2)
        assert world.verify().difference is None
        world.close()
        with open_database(url) as database:
            database.submit(lambda connection: connection.execute(self.DAMAGE[damage])).result()
        with EmbeddedTown(url) as again:
            assert again.verify().difference is not None

    def test_other_versions_are_refused(self, world: EmbeddedTown, url: str) -> None:
        world.close()

        def age(connection: Connection) -> None:
            connection.execute("UPDATE town_world SET rules = 99")

        with open_database(url) as database:
            database.submit(age).result()
        with pytest.raises(StaleError, match="rules 99"):
            EmbeddedTown(url)

    def test_a_closed_world_answers_nothing(self, world: EmbeddedTown) -> None:
        handoff = handoff_for(world.snapshot(TOWN))
        world.close()
        with pytest.raises(ThorpError):
            world.execute(handoff)


class TestSqlite(Worlds):
    @pytest.fixture
    def url(self, tmp_path: Path) -> str:  # type: ignore[override]
        return f"sqlite:///{tmp_path}/world.db"

    def test_a_world_in_a_directory(self, tmp_path: Path) -> None:
        home = tmp_path / "deep" / "data"
        with pytest.raises(IllegalError, match="no town world"):
            EmbeddedTown(home, create=False)
        with pytest.raises(IllegalError, match="no town world"):
            EmbeddedTown(f"sqlite:///{tmp_path}/none.db", create=False)
        assert list(tmp_path.iterdir()) == []
        with EmbeddedTown(home, seed=1) as world:
            world.create_town("a")
        assert (home / "town.db").exists()
        with EmbeddedTown(str(home), create=False) as world:
            assert world.seed == 1


@pytest.mark.real("postgresql")
class TestPostgresql(Worlds):
    @pytest.fixture
    def url(self, postgres: Cluster) -> str:  # type: ignore[override]
        return postgres.make_schema()


def test_a_key_is_remembered_wherever_its_effect_is(tmp_path: Path) -> None:
    """In a copy that was made after it, and not in one that was made before it; whatever is
    retained."""
    with EmbeddedTown(tmp_path / "world") as world:
        world.create_town(TOWN)
        handoff = handoff_for(world.snapshot(TOWN))
    shutil.copytree(tmp_path / "world", tmp_path / "before")
    with EmbeddedTown(tmp_path / "world") as world:
        used = world.execute(handoff)
    shutil.copytree(tmp_path / "world", tmp_path / "after")
    for name in ("world", "after"):
        with EmbeddedTown(tmp_path / name) as world:
            again = world.execute(handoff)
            assert again["evaluation"]["duplicateCheck"]["duplicateOf"] == used["resultId"]
            world.execute_order(RetainReceipts(1))
            for _ in range(3):
                world.advance_day()
            assert world.execute(handoff)["reasonCode"] == "STALE_DECISION_EPOCH"
            assert world.verify().difference is None
    with EmbeddedTown(tmp_path / "before") as world:
        assert world.execute(handoff)["status"] == "executed"
        assert world.execute(handoff)["status"] == "duplicate"
