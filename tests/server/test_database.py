"""`thorp up --database`: towns and story in a real PostgreSQL, which may go away and come back."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import psycopg
import pytest

from tests.cli.said import said
from tests.postgres import Cluster, cluster_or_skip
from tests.server.test_story_chronicle import chronicle, told, village
from tests.server.test_up import Running, fails, up
from tests.story.test_reconnect import envelope
from thorp.cli.god import app as god
from thorp.kernel.errors import ThorpError
from thorp.server.access.tokens import read_admin_token
from thorp.server.host import host
from thorp.server.http.stage import Stage
from thorp.server.http.towns import Towns
from thorp.server.settings import Settings
from thorp.store import ConnectionLost
from thorp.store.postgres import PostgresSession
from thorp.store.url import MARK
from thorp.story import open_ledger
from thorp.town import EmbeddedTown, build_handoff, propose
from thorp.town.profile import built_in_profile

pytestmark = pytest.mark.real("postgresql")
PASSWORD = "hunter2-and-more"
PATIENCE_SECONDS = 240
RANGE_TICKS = 24


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with cluster_or_skip() as running:
        yield running


def with_password(url: str) -> str:
    """The same database; the cluster trusts everybody, whatever password they give."""
    return url.replace("@/", f":{PASSWORD}@/")


def post(running: Running, path: str, document: Any) -> tuple[int, Any]:
    shown = {
        "Authorization": f"Bearer {read_admin_token(running.data)}",
        "Content-Type": "application/json",
    }
    url = f"http://127.0.0.1:{running.port}{path}"
    try:
        with urlopen(Request(url, json.dumps(document).encode(), shown), timeout=20) as answer:
            return answer.status, json.loads(answer.read())
    except HTTPError as refusal:
        return refusal.code, json.loads(refusal.read())


def beat(running: Running, request_id: str) -> int:
    return post(running, "/invocations", envelope(request_id))[0]


def wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_a_served_database_may_be_restarted(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beats and towns are there before and after; meanwhile the world ticks, and the refusal is a
    503."""
    data, url = tmp_path / "data", with_password(cluster.make_database())
    monkeypatch.setenv("THORP_DATABASE", url)
    with up(data) as running:
        running.until_ready()
        assert said("town", "create", "a", "--data", str(data), app=god).code == 0
        assert beat(running, "r-1") == 200
        cluster.crash()
        status, answer = post(running, "/invocations", envelope("r-2"))
        assert (status, answer["error"]) == (503, "Ledger unreachable")
        with pytest.raises(HTTPError) as refused:
            running.get("/v1/towns/a/snapshot")
        assert refused.value.code == 503
        metrics = running.get("/metrics")
        cluster.start()
        wait_for(lambda: beat(running, "r-2") == 200)
        assert beat(running, "r-2") == 200  # the same beat again is the same answer
        assert json.loads(running.get("/v1/towns/a/snapshot"))["townId"] == "a"
        assert said("story", "verify", "--data", str(data)).code == 0
        assert running.end()[0] == 0
        assert running.process.stdout is not None
        assert running.process.stderr is not None
        rest = running.process.stdout.read() + running.process.stderr.read()
        told = "".join(running.lines) + rest + metrics
    assert PASSWORD not in told
    assert not (data / "town.db").exists()
    assert not (data / "story.db").exists()
    assert PASSWORD not in (data / MARK).read_text()
    with open_ledger(url, create=False) as ledger:
        assert ledger.verify().beats == 2  # each of them once
    # Without a server nothing begins files beside the database.
    refusal = str(said("town", "list", "--data", str(data), app=god).refusal)
    assert "PostgreSQL database" in refusal
    found = said("doctor", "--data", str(data)).out.decode()
    assert "2 beats, and all follows from the chain" in found
    assert PASSWORD not in found
    monkeypatch.delenv("THORP_DATABASE")
    assert "set THORP_DATABASE" in said("doctor", "--data", str(data)).out.decode()
    assert "thorp up --database URL" in fails("up", "--data", str(data), "--port", "0")


def test_a_database_that_vanishes_in_the_middle_of_a_beat_loses_nothing(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The world ticks on, one line says so, and later everything is told, once."""
    data, url = tmp_path / "data", cluster.make_database()
    monkeypatch.setenv("THORP_DATABASE", with_password(url))

    def ask(query: str) -> int:
        with psycopg.connect(url) as connection:
            row = connection.execute(query.encode()).fetchone()
            assert row is not None
            return int(row[0])

    def tick() -> int:
        return int(json.loads(running.get("/admin/v1/state"))["tick"])

    with village(data) as running:
        running.line("the village goes on")
        problems: list[str] = []
        assert running.process.stderr is not None
        reading = threading.Thread(target=problems.extend, args=(running.process.stderr,))
        reading.start()
        wait_for(lambda: ask("SELECT count(*) FROM story_beat"))
        with closing(psycopg.connect(url)) as holding:
            holding.execute(
                "LOCK TABLE story_beat IN SHARE MODE"
            )  # a beat begins, and cannot be written
            waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
            wait_for(lambda: ask(waiting))
            cluster.crash()
        away = tick()
        wait_for(lambda: any("could not be published yet" in line for line in problems))
        wait_for(lambda: tick() > away + 2 * RANGE_TICKS)
        cluster.start()
        wait_for(
            lambda: ask("SELECT count(*) FROM story_beat") * RANGE_TICKS > away + 2 * RANGE_TICKS
        )
        said_so = [line for line in problems if "could not be published yet" in line]
        assert running.end(signal.SIGTERM)[0] == 0
        reading.join()
    assert len(said_so) == 1, problems
    assert not [line for line in problems if PASSWORD in line or "Traceback" in line]
    chronicle(data)  # what it had no time for
    shutil.copytree(data / "world", tmp_path / "copy" / "world")
    monkeypatch.delenv("THORP_DATABASE")
    chronicle(tmp_path / "copy")
    assert told(url) == told(tmp_path / "copy")


def test_a_directory_with_files_is_copied_first(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, url = tmp_path / "data", with_password(cluster.make_database())
    with EmbeddedTown(data) as towns, open_ledger(data) as ledger:
        towns.create_town("a")
        towns.advance_day()
        for number in range(5):
            assert ledger.invoke(envelope(f"r-{number}"))[0] == 200
        tips = towns.tip(), ledger.tip()
    monkeypatch.setenv("THORP_DATABASE", url)
    refusal = fails("up", "--data", str(data), "--port", "0")
    assert "town.db and story.db of its own" in refusal
    assert f"thorp config copy-database --data {data}" in refusal
    assert PASSWORD not in refusal

    copied = said("config", "copy-database", "--data", str(data))
    assert copied.code == 0, copied
    assert sorted(os.listdir(data)) == ["story.db.copied", "town.db.copied"]
    with EmbeddedTown(url, create=False) as towns, open_ledger(url, create=False) as ledger:
        assert (towns.tip(), ledger.tip()) == tips
        assert towns.verify().difference is None
        assert ledger.respond(envelope("r-4")).replayed
        assert ledger.invoke(envelope("r-5"))[0] == 200
    # Files that were copied already are set aside once more; those of another story are not.
    (data / "town.db.copied").rename(data / "town.db")
    assert said("config", "copy-database", "--data", str(data)).code == 0
    with open_ledger(tmp_path / "other") as other:
        other.invoke(envelope("x"))
    (tmp_path / "other" / "story.db").rename(data / "story.db")
    refused = said("config", "copy-database", "--data", str(data))
    assert "it keeps another one already" in str(refused.refusal)
    assert (data / "story.db").exists()


def test_a_database_that_cannot_be_used_is_refused(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refusal(url: str) -> str:
        with pytest.raises(ThorpError) as refused:
            asyncio.run(host(Settings(data=tmp_path, database=url), print))
        assert PASSWORD not in str(refused.value)
        assert "\n" not in str(refused.value).strip()
        return str(refused.value)

    missing = with_password(cluster.url("nowhere"))
    assert 'database "nowhere" does not exist' in refusal(missing)
    assert "--database takes postgresql://" in refusal("sqlite:///towns.db")
    assert "must be escaped" in refusal(f"postgresql://a:{PASSWORD}@b@c/d")
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert "pip install 'thorp[postgres]'" in refusal(missing)
    assert not list(tmp_path.iterdir())


def test_a_handoff_whose_answer_was_lost_is_looked_up_by_its_key(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = cluster.make_database()
    with EmbeddedTown(url) as kept:
        kept.create_town("a")
        handoff = build_handoff(propose(kept.snapshot("a"), built_in_profile("mayor", "a")))
    commit = PostgresSession.commit

    def commit_and_lose(session: PostgresSession) -> None:
        """The server commits, and goes away before it could say so."""
        monkeypatch.setattr(PostgresSession, "commit", commit)
        commit(session)
        cluster.crash()
        cluster.start()
        raise ConnectionLost("gone", "commit")

    async def execute() -> dict[str, Any]:
        towns = Towns(Stage(), tmp_path, url)
        assert await towns.existing() is not None  # its tables are there before the accident
        monkeypatch.setattr(PostgresSession, "commit", commit_and_lose)
        try:
            return await towns._judged(handoff)
        finally:
            await towns.close()

    assert asyncio.run(execute())["status"] == "duplicate"
    with EmbeddedTown(url, create=False) as kept:
        assert kept.verify().difference is None
