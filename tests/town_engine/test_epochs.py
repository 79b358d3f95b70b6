"""Old worlds under new rules: they go on, nothing of the past is lost, and what can be proved is
proved."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import pytest

import thorp
from tests.postgres import Cluster
from tests.town_engine.rules import NEXT, NEXT_NUMBERS, rules
from tests.town_engine.worlds import TOWN, handoff_for
from thorp.kernel.errors import ConflictError, IllegalError, StaleError, ThorpError
from thorp.simulator.breakable_sqlite import BreakableSqlite
from thorp.store import open_database
from thorp.store.testing import BreakableDisk, PowerLost
from thorp.town.embedded import town, tuning
from thorp.town.embedded.council import Council
from thorp.town.embedded.journal import RELEASES
from thorp.town.orders import FailMission, RetainReceipts, SetPressure
from thorp.town.service import EmbeddedTown, Verified

OURS = tuning.RULES_VERSION


def begin(url: str) -> dict[str, Any]:
    """A world of today's rules, a day old; the last handoff that was executed."""
    with EmbeddedTown(url, seed=7) as world:
        world.create_town(TOWN)
        list(Council(TOWN).sit(world))
        world.advance_day()
        last = handoff_for(world.snapshot(TOWN))
        assert world.execute(last)["status"] == "executed"
        return last


def span(found: Verified) -> list[tuple[int, int, int, bool]]:
    return [(each.rules, each.first, each.records, each.replayed) for each in found.epochs]


CHANGES: dict[str, Callable[[EmbeddedTown], object]] = {
    "a handoff": lambda world: world.execute(handoff_for(world.snapshot(TOWN))),
    "a new town": lambda world: world.create_town("another"),
    "a day": lambda world: world.advance_day(),
    "an order": lambda world: world.execute_order(SetPressure(TOWN, "hope", 500)),
    "how long receipts are kept": lambda world: world.execute_order(RetainReceipts(5)),
}


class Epochs:
    """What every store of a world must do. A subclass says where worlds are."""

    @pytest.fixture
    def url(self) -> str:
        raise NotImplementedError

    def test_looking_begins_nothing(self, url: str) -> None:
        begin(url)
        with EmbeddedTown(url) as world:
            before, tip = world.verify(), world.tip()
        with rules(), EmbeddedTown(url) as world:
            world.snapshot(TOWN)
            world.chronicle()
            found = world.verify()
            assert world.tip() == tip
            assert world.world().rules == OURS
            assert found.difference is None
            assert span(found) == [(OURS, 0, tip[0], False)]
            assert [epoch.release for epoch in found.epochs] == [RELEASES[OURS]]
        with EmbeddedTown(url) as world:
            assert world.verify() == before

    @pytest.mark.parametrize("change", CHANGES)
    def test_the_first_change_begins_an_epoch(self, url: str, change: str) -> None:
        begin(url)
        with rules(), EmbeddedTown(url) as world:
            count, _ = world.tip()
            CHANGES[change](world)
            found = world.verify()
            assert found.difference is None
            assert span(found) == [(OURS, 0, count, False), (NEXT, count, 2, True)]
            assert world.world().rules == NEXT
            CHANGES["a day"](world)
            assert span(world.verify())[1:] == [(NEXT, count, 3, True)]
        with rules(NEXT + 1), EmbeddedTown(url) as world:
            CHANGES["an order"](world)
            found = world.verify()
            assert found.difference is None
            assert span(found)[1:] == [(NEXT, count, 3, False), (NEXT + 1, count + 3, 2, True)]

    def test_a_refused_change_begins_nothing(self, url: str) -> None:
        begin(url)
        with rules(), EmbeddedTown(url) as world:
            tip = world.tip()
            with pytest.raises(ConflictError):
                world.create_town(TOWN)
            with pytest.raises(IllegalError):
                world.execute_order(FailMission("nowhere"))
            assert world.tip() == tip

    def test_the_new_rules_hold(self, url: str) -> None:
        begin(url)
        with rules(), EmbeddedTown(url) as world:
            world.advance_day()
            world.execute_order(SetPressure(TOWN, "hope", 0))
            world.execute(handoff_for(world.snapshot(TOWN)))
            assert world.town(TOWN).meters.hope == 200

    def test_what_was_seen_before_the_epoch_is_not_stale_by_it(self, url: str) -> None:
        begin(url)
        with EmbeddedTown(url) as world:
            by_old_rules = handoff_for(world.snapshot(TOWN))
        with rules(), EmbeddedTown(url) as world:
            seen = world.snapshot(TOWN)
            assert {project["status"] for project in seen["projects"]} == {"blocked"}
            assert world.execute(by_old_rules)["reasonCode"] == "STALE_SNAPSHOT_HASH"
            assert world.snapshot(TOWN) == seen
            assert world.execute(handoff_for(seen))["status"] == "executed"

    def test_used_keys_stay_used_as_long_as_they_should(self, url: str) -> None:
        last = begin(url)
        with EmbeddedTown(url) as world:
            receipt = world.receipt(last["idempotencyKey"])
        assert receipt is not None
        with rules(), EmbeddedTown(url) as world:
            again = world.execute(last)
            assert again["evaluation"]["duplicateCheck"]["duplicateOf"] == receipt["resultId"]
            assert world.receipt(last["idempotencyKey"]) == receipt
            world.execute_order(RetainReceipts(1))
            assert world.verify().difference is None
            for _ in range(2):
                world.advance_day()
            assert world.receipt(last["idempotencyKey"]) is None
            assert world.verify().difference is None

    def test_an_older_process_is_stopped_by_the_epoch(self, url: str) -> None:
        """It has the world open, and would go on by its own rules."""
        begin(url)
        with EmbeddedTown(url) as old:
            seen = old.snapshot(TOWN)
            with rules(), EmbeddedTown(url) as new:
                new.advance_day()
                tip = new.tip()
            changes = [*CHANGES.values(), lambda world: world.execute(handoff_for(seen))]
            for change in changes:
                with pytest.raises(StaleError, match="use a newer release"):
                    change(old)
            with pytest.raises(StaleError):
                old.verify()
            assert old.tip() == tip
        with pytest.raises(StaleError, match=f"rules {NEXT}; this release has 1 and {OURS}"):
            EmbeddedTown(url)

    def test_a_town_that_cannot_be_carried_over_changes_nothing(
        self, url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        begin(url)
        with rules(), EmbeddedTown(url) as world:
            tip = world.tip()
            monkeypatch.setattr(town, "LIST_LIMIT", 1)
            with pytest.raises(
                StaleError, match=f"'{TOWN}' cannot be carried over to rules {NEXT}: a list"
            ):
                world.advance_day()
            assert world.tip() == tip

    DAMAGE: ClassVar[dict[str, str]] = {
        "an old record": "UPDATE town_journal SET record = REPLACE(record, 'day', 'dax') WHERE n "
        "= 5",
        "a missing old record": "DELETE FROM town_journal WHERE n = 5",
        "the old chronicle": "UPDATE town_journal SET happened = '{}' WHERE n = 2",
        "the day of an old record": "UPDATE town_journal SET day = day + 1 WHERE n = 2",
        "the town of an old record": "UPDATE town_journal SET town = 'x' WHERE n = 2",
        "an old receipt": "UPDATE town_receipt SET content = 'x' WHERE day = 0",
        "an old result": "UPDATE town_receipt SET result = REPLACE(result, 'true', 'false') WHERE "
        "day = 0",
        "the id of an old result": "UPDATE town_receipt SET result_id = 'x' WHERE day = 0",
        "the snapshot": "UPDATE town_epoch SET state = REPLACE(state, '\"hope\":', '\"hope\":1')",
        "a lost snapshot": "DELETE FROM town_epoch",
        "a town more": "INSERT INTO town_epoch (n, town, state) SELECT n, 'x', state FROM "
        "town_epoch",
        "a town now": "UPDATE town_state SET state = REPLACE(state, '\"hope\":', '\"hope\":1')",
        "the rules": f"UPDATE town_world SET rules = {OURS}",
    }

    @pytest.mark.parametrize("damage", DAMAGE)
    def test_verify_finds_damage_in_every_epoch(self, url: str, damage: str) -> None:
        begin(url)
        with rules():
            with EmbeddedTown(url) as world:
                world.advance_day()
                assert world.verify().difference is None
            with open_database(url) as database:
                database.submit(lambda connection: connection.execute(self.DAMAGE[damage])).result()
            with EmbeddedTown(url) as world:
                assert world.verify().difference is not None


class TestSqlite(Epochs):
    @pytest.fixture
    def url(self, tmp_path: Path) -> str:  # type: ignore[override]
        return f"sqlite:///{tmp_path}/world.db"


@pytest.mark.real("postgresql")
class TestPostgresql(Epochs):
    @pytest.fixture
    def url(self, postgres: Cluster) -> str:  # type: ignore[override]
        return postgres.make_schema()

    def test_the_same_journal_as_on_sqlite(self, url: str, tmp_path: Path) -> None:
        tips = []
        for where in (url, f"sqlite:///{tmp_path}/world.db"):
            begin(where)
            with rules(), EmbeddedTown(where) as world:
                list(Council(TOWN).sit(world))
                tips.append(world.tip())
        assert tips[0] == tips[1]


def test_every_version_of_the_rules_has_a_release() -> None:
    assert sorted(RELEASES) == list(range(1, OURS + 1))


def test_an_accident_while_an_epoch_begins() -> None:
    """Power is cut at each change to the disk in turn. There is the epoch, whole, or there is
    none."""
    accident = 0
    done = False
    while not done:
        accident += 1
        disk = BreakableDisk(accident, piece_bytes=4096)
        with BreakableSqlite(disk) as sqlite:
            where = disk.root / "town.db"
            with contextlib.closing(EmbeddedTown(sqlite.open(where), seed=1)) as world:
                world.create_town(TOWN)
            with rules():
                disk.cut_power_in(accident)
                with contextlib.suppress(ThorpError, PowerLost):
                    database = sqlite.open(where)
                    with contextlib.closing(EmbeddedTown(database)) as world:
                        world.advance_day()
                        done = True
                disk.cut_power_in(0)
                if disk.off:
                    done = False
                    disk.restart(memory_kept=accident % 2 == 0)
                with contextlib.closing(EmbeddedTown(sqlite.open(where))) as world:
                    found = world.verify()
                    assert found.difference is None
                    assert span(found) in (
                        [(OURS, 0, 2, False)],
                        [(OURS, 0, 2, False), (NEXT, 2, 2, True)],
                    )
                    world.advance_day()
                    assert span(world.verify())[1][:2] == (NEXT, 2)
    assert accident > 5


@pytest.fixture
def next_release(tmp_path: Path) -> Path:
    """A whole release with other rules, made from this one."""
    home = tmp_path / "next"
    source = Path(thorp.__file__).parent
    shutil.copytree(source, home / "thorp", ignore=shutil.ignore_patterns("__pycache__"))
    numbers = home / "thorp" / "town" / "embedded" / "tuning.py"
    lines = numbers.read_text("utf-8").splitlines()
    for name, value in NEXT_NUMBERS.items():
        [place] = [
            place for place, line in enumerate(lines) if line.startswith(f"{name}: Final = ")
        ]
        lines[place] = f"{name}: Final = {value!r}"
    numbers.write_text("\n".join(lines), "utf-8")
    return home


def test_two_releases_and_their_commands(next_release: Path, tmp_path: Path) -> None:
    def command(release: Path | None, *arguments: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "thorp", "town", *arguments, "--data", str(tmp_path / "data")],
            env={**os.environ, **({"PYTHONPATH": str(release)} if release else {})},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
        )
        return done.returncode, done.stdout, done.stderr

    chain_checked = (
        f"records 0 to 5 have rules {OURS}: chain checked; thorp {RELEASES[OURS]} can replay them"
    )
    assert command(None, "run", "--days", "1")[0] == 0
    code, said, _ = command(next_release, "verify")
    assert code == 0
    assert "day 1: the chain is whole, and the receipts fit it" in said
    assert chain_checked in said
    code, said, _ = command(None, "verify")
    assert (code, said.count("\n")) == (0, 1), "looking has changed nothing"
    assert "all follows from the journal" in said

    assert command(next_release, "run", "--days", "1")[0] == 0
    code, said, _ = command(next_release, "verify")
    assert code == 0
    assert "day 2: all follows from the journal" in said
    assert chain_checked in said
    found = json.loads(command(next_release, "verify", "--json")[1])
    assert [(epoch["rules"], epoch["replayed"]) for epoch in found["epochs"]] == [
        (OURS, False),
        (NEXT, True),
    ]

    code, said, complaint = command(None, "run", "--days", "1")
    assert (code, said) == (2, "")
    assert "use a newer release" in complaint
