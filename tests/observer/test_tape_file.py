"""Whatever lies in the place of a tape: the world opens, the routes answer, and the tape is made
again."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import os
import shutil
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.server.serving import Served, logged, run, serving
from tests.server.test_tape import OBSERVER, Village
from tests.server.test_up import up
from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.errors import UnavailableError
from thorp.observer import tape as tapes
from thorp.observer import tape_file
from thorp.observer.tape import MAX_SEGMENT_BYTES, Stretch
from thorp.observer.tape_file import DIRECTORY, FILE, MAX_ASIDE
from thorp.observer.tape_rebuild import rebuild
from thorp.server.settings import WORLD
from thorp.store import RealDisk
from thorp.store.sqlite import look_into

ROUTES = (
    "/tape",
    "/tape/0",
    "/tape/1",
    "/marks?from=0&to=499",
    "/activity?from=0&to=499",
    "/places/0,20,0/changes",
    "/ground?tick=300&cx=0&cz=0&r=0",
)
PATIENCE_SECONDS = 120


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Village:
    lived = Village(tmp_path_factory.mktemp("lived"))
    lived.live()
    return lived


@pytest.fixture
def kept(lived: Village, tmp_path: Path) -> Village:
    """A copy of the village, for a test that changes it."""
    shutil.copytree(lived.data, tmp_path / "data")
    return Village(tmp_path / "data")


# What may lie there. Each is given the directory of the tape.


def a_file(tape: Path) -> None:
    shutil.rmtree(tape)
    tape.write_text("somebody's notes")


def a_dangling_link(tape: Path) -> None:
    shutil.rmtree(tape)
    tape.symlink_to("nowhere")


def a_link_to_a_file(tape: Path) -> None:
    shutil.rmtree(tape)
    (tape.parent / "notes").write_text("somebody's notes")
    tape.symlink_to("notes")


def a_pipe(tape: Path) -> None:
    (tape / FILE).unlink()
    os.mkfifo(tape / FILE)


def a_directory(tape: Path) -> None:
    (tape / FILE).unlink()
    (tape / FILE).mkdir()


def a_directory_for_the_log(tape: Path) -> None:
    (tape / f"{FILE}-wal").unlink(missing_ok=True)
    (tape / f"{FILE}-wal").mkdir()


def garbage(tape: Path) -> None:
    (tape / FILE).write_bytes(b"no database")


def write_database(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            database.execute(statement)


def another_database(tape: Path) -> None:
    (tape / FILE).unlink()
    write_database(
        tape / FILE, "CREATE TABLE recipe (name TEXT)", "INSERT INTO recipe VALUES ('bread')"
    )


def a_database_with_our_names(tape: Path) -> None:
    (tape / FILE).unlink()
    write_database(
        tape / FILE, "CREATE TABLE mark (name TEXT)", "CREATE TABLE schema_version (other TEXT)"
    )


def marks_of_a_stranger(tape: Path) -> None:
    write_database(tape / FILE, "UPDATE mark SET document = 'bread'")


def numbers_of_a_stranger(tape: Path) -> None:
    write_database(tape / FILE, "UPDATE segment SET counts = x'00', squares = x'00'")


IN_THE_WAY = (
    a_file,
    a_dangling_link,
    a_link_to_a_file,
    a_pipe,
    a_directory,
    a_directory_for_the_log,
)
OTHERS = (*IN_THE_WAY, garbage, another_database, a_database_with_our_names)
Spoil = Callable[[Path], None]


def aside(data: Path) -> list[str]:
    return sorted(path.name for path in data.iterdir() if ".before-" in path.name)


@pytest.mark.parametrize("spoil", OTHERS)
def test_what_is_no_tape_is_moved_aside_with_one_warning(
    kept: Village, spoil: Spoil, caplog: pytest.LogCaptureFixture
) -> None:
    spoil(kept.data / DIRECTORY)
    with closing(kept.tape()) as tape:
        assert tape.numbers() == []
        tape.note_stretches([Stretch(1, 2, "gone")])
        assert tape.stretches() == [Stretch(1, 2, "gone")]
    assert aside(kept.data) == ["tape.before-1"]
    (warning,) = logged(caplog)
    assert "tape.before-1" in warning
    assert "made again" in warning
    with closing(kept.tape()) as tape:
        assert tape.stretches() == [Stretch(1, 2, "gone")], "what was begun is a tape"
    assert aside(kept.data) == ["tape.before-1"]


def test_what_was_moved_aside_is_as_it_was(kept: Village) -> None:
    another_database(kept.data / DIRECTORY)
    before = (kept.data / DIRECTORY / FILE).read_bytes()
    with closing(kept.tape()) as tape:
        assert tape.numbers() == []
    moved = kept.data / "tape.before-1" / FILE
    assert moved.read_bytes() == before
    assert look_into(moved, lambda database: database.execute("SELECT * FROM recipe")) == [
        ("bread",)
    ]


def test_a_tape_of_another_world_leaves_nothing_aside(
    kept: Village, caplog: pytest.LogCaptureFixture
) -> None:
    """As after every `--fresh` start: it is ours, and can be made again."""
    with closing(tapes.Tape(kept.data, "another world")) as tape:
        assert tape.numbers() == []
    assert aside(kept.data) == []
    assert logged(caplog) == []


def test_when_too_much_lies_aside_there_is_no_tape_and_the_reason_is_told(
    kept: Village, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tape_file, "RETRY_SECONDS", 0.0)
    for number in range(1, MAX_ASIDE + 1):
        (kept.data / f"tape.before-{number}").mkdir()
    a_file(kept.data / DIRECTORY)
    with closing(kept.tape()) as tape:
        for _ in range(3):
            with pytest.raises(UnavailableError, match=r"delete tape\.before-"):
                tape.numbers()
        assert len(logged(caplog)) == 1
        (kept.data / "tape.before-7").rmdir()
        assert tape.numbers() == []
    assert (kept.data / "tape.before-7").read_text() == "somebody's notes"


@pytest.mark.parametrize("spoil", [marks_of_a_stranger, numbers_of_a_stranger])
def test_content_that_is_no_tapes_is_found_out_when_it_is_read(
    kept: Village, spoil: Spoil, caplog: pytest.LogCaptureFixture
) -> None:
    spoil(kept.data / DIRECTORY)
    with closing(kept.tape()) as tape:
        assert tape.numbers() == [0, 1]
        with pytest.raises(UnavailableError, match="made again"):
            tape.marks(0, 499, 10, ())
        assert tape.numbers() == []
        assert tape.marks(0, 499, 10, ()).marks == []
    assert aside(kept.data) == ["tape.before-1"]
    assert len(logged(caplog)) == 1


def test_a_question_that_no_database_takes_costs_no_tape(kept: Village) -> None:
    with closing(kept.tape()) as tape:
        with pytest.raises(Exception, match="too large"):
            tape.segment(10**30)
        assert tape.numbers() == [0, 1]
    assert aside(kept.data) == []


# Bodies are read with a limit.


def swap_body(data: Path, packed: bytes) -> None:
    with closing(sqlite3.connect(data / DIRECTORY / FILE)) as database, database:
        database.execute("UPDATE body SET packed = ? WHERE n = 1", [packed])
        database.execute("UPDATE segment SET crc = ? WHERE n = 1", [zlib.crc32(packed)])


def changed_place(data: Path) -> tuple[int, int, int]:
    """A cell that was changed in the second segment."""
    with closing(sqlite3.connect(data / DIRECTORY / FILE)) as database:
        [(packed,)] = database.execute("SELECT packed FROM body WHERE n = 1").fetchall()
    _, x, y, z, *_ = json.loads(gzip.decompress(packed))["blocks"][0]
    return x, y, z


def bomb() -> bytes:
    return gzip.compress(bytes(2 * MAX_SEGMENT_BYTES))


def lying_bomb() -> bytes:
    """One that claims to be short."""
    return bomb()[:-4] + bytes(4)


def no_gzip() -> bytes:
    return b"no gzip"


def no_document() -> bytes:
    return gzip.compress(b"{")


@pytest.mark.parametrize("make_body", [lying_bomb, no_gzip, no_document])
def test_a_body_that_is_too_long_or_none_is_dropped_and_made_again(
    kept: Village, make_body: Callable[[], bytes]
) -> None:
    place = changed_place(kept.data)
    swap_body(kept.data, make_body())
    with closing(kept.tape()) as tape:
        with pytest.raises(UnavailableError, match="made again"):
            tape.changes_at(place, 499, ())
        assert tape.numbers() == [0]
        assert rebuild(tape, RealDisk(), kept.path, new_city_world) == []
        assert tape.changes_at(place, 499, ())


def test_a_body_that_says_that_it_is_too_long_is_handed_to_nobody(kept: Village) -> None:
    swap_body(kept.data, bomb())
    with closing(kept.tape()) as tape:
        assert tape.segment(1) is None
        assert tape.numbers() == [0]


def test_a_body_of_too_many_packed_bytes_is_not_read(
    kept: Village, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tapes, "MAX_PACKED_BYTES", 100)
    with closing(kept.tape()) as tape:
        assert tape.private(1) is None
        assert tape.segment(1) is None


def test_a_segment_that_nobody_could_read_is_not_written_and_named(
    kept: Village, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(kept.data / DIRECTORY)
    monkeypatch.setattr(tapes, "MAX_SEGMENT_BYTES", 100)
    with closing(kept.tape()) as tape:
        missing = rebuild(tape, RealDisk(), kept.path, new_city_world)
        assert sorted((one.first, one.last) for one in missing) == [(1, 249), (250, 499)]
        assert all("too many for a segment" in one.why for one in missing)
        assert tape.stretches() == sorted(missing, key=lambda one: one.first)
        assert tape.numbers() == []


# Through a server.


@pytest.fixture
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be opened is tried again soon."""
    monkeypatch.setattr(tape_file, "RETRY_SECONDS", 0.1)
    monkeypatch.setattr("thorp.server.live.tape_keeper.UNAVAILABLE_SECONDS", 0.1)


async def get(served: Served, path: str) -> tuple[int, bytes]:
    async with served.http.get(served.url(OBSERVER + path)) as answer:
        return answer.status, await answer.read()


async def until_whole(served: Served) -> set[int]:
    """Ask until all of the tape is there again; returns which refusals there were on the way."""
    refused = set()
    while True:
        for path in ROUTES:
            status, body = await get(served, path)
            if status != 200:
                refused.add(status)
                assert json.loads(body)["details"], "a reason"
        status, body = await get(served, "/tape")
        state = json.loads(body)
        if status == 200 and state["done"] == state["of"]:
            answers = [await get(served, path) for path in ROUTES]
            if all(status == 200 for status, _ in answers):
                return refused
        await asyncio.sleep(0.1)


@pytest.mark.usefixtures("_soon")
@pytest.mark.parametrize(
    "spoil", [a_file, a_directory, garbage, another_database, marks_of_a_stranger]
)
def test_a_tape_that_is_replaced_while_a_server_runs_is_made_again(
    kept: Village, spoil: Spoil, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)

    async def play() -> set[int]:
        async with serving(kept.data, tape=True, make_world=new_city_world) as served:
            assert await until_whole(served) == set()
            spoil(kept.data / DIRECTORY)
            return await until_whole(served)

    refused = run(play(), PATIENCE_SECONDS)
    assert refused == {503}
    assert aside(kept.data) == ["tape.before-1"]
    assert sum("moved" in line for line in logged(caplog)) <= 1
    assert not any("Traceback" in line or "has stopped" in line for line in logged(caplog))


@pytest.mark.usefixtures("_soon")
def test_a_segment_that_turns_out_to_be_a_bomb_is_made_again_for_whoever_asks_once_more(
    kept: Village,
) -> None:
    place = ",".join(map(str, changed_place(kept.data)))
    swap_body(kept.data, lying_bomb())

    async def play() -> None:
        async with serving(kept.data, tape=True, make_world=new_city_world) as served:
            status, body = await get(served, f"/places/{place}/changes?tick=499")
            assert (status, json.loads(body)["error"]) == (503, "tape")
            while status != 200 or not json.loads(body):
                assert status in (200, 503)
                await asyncio.sleep(0.1)
                status, body = await get(served, f"/places/{place}/changes?tick=499")

    run(play(), PATIENCE_SECONDS)


@pytest.mark.usefixtures("_soon")
def test_without_any_tape_the_routes_say_why_and_it_comes_back(kept: Village) -> None:
    for number in range(1, MAX_ASIDE + 1):
        (kept.data / f"tape.before-{number}").mkdir()
    a_file(kept.data / DIRECTORY)

    async def play() -> None:
        async with serving(kept.data, tape=True, make_world=new_city_world) as served:
            for path in ROUTES:
                status, body = await get(served, path)
                told: Any = json.loads(body)
                assert (status, told["error"]) == (503, "tape"), path
                assert "no tape can be kept" in json.dumps(told["details"])
            (kept.data / DIRECTORY).unlink()
            await until_whole(served)

    run(play(), PATIENCE_SECONDS)


@pytest.mark.parametrize("spoil", [a_file, a_dangling_link, a_directory, another_database])
def test_the_world_opens_whatever_lies_in_the_place_of_its_tape(
    spoil: Spoil, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    (data / DIRECTORY).mkdir(parents=True)
    (data / DIRECTORY / FILE).touch()
    spoil(data / DIRECTORY)
    with up(data) as running:
        running.until_ready()
        state = json.loads(running.get(f"{OBSERVER}/tape"))
        assert state["missing"] == []
        assert running.end()[0] == 0
        assert running.process.stderr is not None
        problems = running.process.stderr.read()
    assert problems.count("moved to") == 1, problems
    assert aside(data) == ["tape.before-1"]
    assert (data / WORLD).is_dir()
