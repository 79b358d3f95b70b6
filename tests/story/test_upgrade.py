"""A ledger of an older layout is brought into this one: nothing of it is lost, and it goes on."""

from __future__ import annotations

import gzip
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.postgres import Cluster
from tests.story.world import World, bundle, change, entry
from thorp.kernel.errors import DamagedError, StaleError
from thorp.store import Connection, Step, migrate, open_database, statements
from thorp.store.sqlite import open_sqlite
from thorp.store.url import copy_tables
from thorp.story import open_ledger, rebuild, upgrade
from thorp.story.schema import COLUMNS, LAYOUT
from thorp.story.writer import ScriptedWriter

GOLDEN = Path(__file__).parents[1] / "golden"
LAYOUT_1 = GOLDEN / "story-layout-1"
"""Rules 2: 42 beats with something in every table, a NO_OP, and 1,066 entries, so that a block of
the index is full; and the schema that it was made with."""
LAYOUT_2 = GOLDEN / "story-layout-2"
"""The same ledger, as the release with the second layout left it when it had opened it."""
TIPS = {
    "rules 1": "0188beac39c7201d02f47f1d6d13037ac69b1514d46e58c3ecc1a0acca936b29",
    "rules 2": "4297f723715b112ec39dc75a336895704b0183327e21812ebaa5dfac4fba46b4",
    "layout 2": "4297f723715b112ec39dc75a336895704b0183327e21812ebaa5dfac4fba46b4",
}

GUARD = (
    "CREATE FUNCTION story_refuse() RETURNS trigger LANGUAGE plpgsql AS "
    "'BEGIN RAISE EXCEPTION ''% is append-only'', TG_TABLE_NAME USING ERRCODE = ''23000''; END'",
    "CREATE TRIGGER story_entry_change BEFORE UPDATE OR DELETE ON story_entry "
    "FOR EACH ROW EXECUTE FUNCTION story_refuse()",
)
"""What older layouts had in PostgreSQL beside their tables, for one of them."""


def put_golden(name: str, home: Path) -> Path:
    """A ledger as an earlier release left it."""
    home.mkdir(exist_ok=True)
    path = home / "story.db"
    if name == "rules 1":
        path.write_bytes((GOLDEN / "story-rules-1" / "story.db").read_bytes())
    else:
        folder = LAYOUT_2 if name == "layout 2" else LAYOUT_1
        path.write_bytes(gzip.decompress((folder / "story.db.gz").read_bytes()))
    return path


def create_tables(connection: Connection, folder: Path, layout: int) -> bool:
    """Create the tables of an older layout."""
    schema = (folder / "schema.sql").read_text("utf-8")
    create = [*statements(schema, connection.dialect), *GUARD]
    return not migrate(connection, "story", [create, *[[]] * (layout - 1)])


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.real("postgresql"))])
def old_ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    """The address of a ledger of an older layout, by the name in `TIPS`."""

    def make(name: str) -> str:
        path = put_golden(name, tmp_path / "old")
        if request.param == "sqlite":
            return f"sqlite:///{path}"
        cluster: Cluster = request.getfixturevalue("postgres")
        url = cluster.make_schema()
        older = (LAYOUT_2, 2) if name == "layout 2" else (LAYOUT_1, 1)
        create = partial(create_tables, folder=older[0], layout=older[1])
        with open_sqlite(path) as source, open_database(url) as target:
            assert copy_tables(source, target, create, "story") > 50
        return url

    return make


@pytest.mark.parametrize("name", TIPS)
def test_a_ledger_of_an_older_layout_goes_on_in_this_one(
    old_ledger: Callable[[str], str], name: str
) -> None:
    url = old_ledger(name)
    for number in range(2):
        writer = ScriptedWriter([bundle(entry(f"She looks up, {number}."))])
        with World(open_ledger(url, writer=writer), writer) as world:
            verified = world.ledger.verify(TIPS[name])
            assert (verified.difference, verified.tip == TIPS[name]) == (None, number == 0)
            entries = world.stream("More.", request_id=f"more-{number}")
            assert [each["text"] for each in entries] == ["More.", f"She looks up, {number}."]
            assert world.ledger.verify(TIPS[name]).difference is None


@pytest.mark.parametrize("name", ["rules 2", "layout 2"])
def test_it_has_the_rows_that_a_replay_in_this_layout_has(
    old_ledger: Callable[[str], str], tmp_path: Path, name: str
) -> None:
    """The index and who sees what included; only a NO_OP is not played again."""
    writer = ScriptedWriter()
    with World(open_ledger(old_ledger(name), writer=writer), writer) as world:
        rebuild(world.ledger, tmp_path / "again").close()
        with World(open_ledger(tmp_path / "again", writer=writer), writer) as again:
            again.ledger._database.submit(lambda connection: None).result()  # it is indexed
            assert world.ledger.tip()[1] == again.ledger.tip()[1] == TIPS["rules 2"]
            assert world.counts()["story_block"] == 1
            for table in COLUMNS:
                expected = again.rows(table)
                if table == "story_refresh":
                    assert (len(world.rows(table)), expected) == (1, [])
                else:
                    assert world.rows(table) == expected, table


def test_every_request_is_answered_as_it_was(tmp_path: Path) -> None:
    path = put_golden("rules 2", tmp_path)
    with closing(sqlite3.connect(path)) as old:
        answers = old.execute("SELECT request_id, kind, status, body FROM story_request").fetchall()
    writer = ScriptedWriter()
    with World(open_ledger(tmp_path, writer=writer), writer) as world:
        asked = [each for each in answers if each[1] != "SEED"]
        assert {kind for _, kind, _, _ in asked} == {"BEAT", "NO_OP"}
        for request_id, _, status, body in asked:
            answer = world.respond("Other words.", request_id=request_id)
            assert (answer.replayed, answer.status, answer.body) == (True, status, body)
        assert world.ledger.tip()[1] == TIPS["rules 2"]


def test_records_stay_the_same_bytes(tmp_path: Path) -> None:
    path = put_golden("layout 2", tmp_path)
    before = _rows(path)
    open_ledger(tmp_path, writer=ScriptedWriter()).close()
    after = _rows(path)
    assert after.pop("story_branch") == []
    assert [after.pop("schema_version"), before.pop("schema_version")] == [
        [("story", LAYOUT)],
        [("story", 2)],
    ]
    assert after == before


@pytest.mark.parametrize("name", TIPS)
def test_its_tables_are_those_of_a_new_ledger(tmp_path: Path, name: str) -> None:
    put_golden(name, tmp_path / "old")
    for home in (tmp_path / "old", tmp_path / "new"):
        open_ledger(home, writer=ScriptedWriter()).close()
    assert _definitions(tmp_path / "old") == _definitions(tmp_path / "new")


def _definitions(home: Path) -> dict[str, str]:
    with closing(sqlite3.connect(home / "story.db")) as connection:
        return dict(connection.execute("SELECT name, sql FROM sqlite_master"))


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM story_call WHERE beat = 2 AND number = 0",
        "UPDATE story_call SET beat = 999 WHERE beat = 2",
        "DELETE FROM story_request WHERE beat = 3",
        "INSERT INTO story_request SELECT 'forged', kind, payload_hash, envelope, status, body, beat "
        "FROM story_request WHERE beat = 3",
    ],
)
def test_a_ledger_that_was_changed_is_refused_and_left_as_it_is(
    tmp_path: Path, damage: str
) -> None:
    """Else the traces of what was changed would be gone with the old tables."""
    path = put_golden("rules 2", tmp_path)
    with closing(sqlite3.connect(path)) as old, old:
        for table in ("story_call", "story_request"):
            for event in ("update", "delete", "replace"):
                old.execute(f"DROP TRIGGER {table}_{event}")
        old.execute(damage)
    before = _rows(path)
    with pytest.raises(DamagedError, match="verify it with the release that made it"):
        open_ledger(tmp_path, writer=ScriptedWriter())
    assert _rows(path) == before


@pytest.mark.parametrize("name", ["rules 2", "layout 2"])
def test_an_upgrade_that_is_cut_short_has_changed_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = put_golden(name, tmp_path)
    before = _rows(path)

    def cut_short(connection: Connection, component: str, steps: Sequence[Step]) -> None:
        migrate(connection, component, steps)
        if len(steps) == LAYOUT:
            raise OSError("the disk is gone")

    with monkeypatch.context() as patch:
        patch.setattr(upgrade, "migrate", cut_short)
        with pytest.raises(OSError, match="the disk is gone"):
            open_ledger(tmp_path, writer=ScriptedWriter())
    assert _rows(path) == before
    with open_ledger(tmp_path, writer=ScriptedWriter()) as ledger:
        assert ledger.verify().tip == TIPS["rules 2"]


def _rows(path: Path) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        return {
            name: connection.execute(f"SELECT * FROM {name}").fetchall()
            for (name,) in tables.fetchall()
        }


def test_a_layout_of_a_later_release_is_refused(tmp_path: Path) -> None:
    writer = ScriptedWriter()
    with World(open_ledger(tmp_path, writer=writer), writer) as world:
        later = f"UPDATE schema_version SET version = {LAYOUT + 1}"
        change(world, {"sqlite": later})
    with pytest.raises(StaleError, match=f"layout {LAYOUT + 1}"):
        open_ledger(tmp_path, writer=ScriptedWriter())
