"""The tape: recorded live or made from the journal it has the same content, and shows the past as
it was."""

from __future__ import annotations

import gzip
import json
import shutil
import signal
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from msgspec.json import encode

from tests.server.serving import PATIENCE_SECONDS, Served, run, serving
from tests.voxel.flat import flat_world, put_agent
from tests.voxel.test_gate import a_city
from thorp import village
from thorp.bridges.chronicle import world_name
from thorp.bridges.chronicle.draft import WorldDescriber
from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.errors import IllegalError, UnavailableError
from thorp.observer import inspection
from thorp.observer.tape import Present, Stretch, Tape
from thorp.observer.tape_file import DIRECTORY, FILE
from thorp.observer.tape_rebuild import NOT_PLAYABLE, rebuild
from thorp.observer.tape_recorder import (
    MAX_RECORD_BYTES,
    MAX_TEXT_CHARS,
    SEGMENT_TICKS,
    Recorder,
    Records,
    Segment,
)
from thorp.observer.tape_recorder import _mark as headline
from thorp.server.live.tape_keeper import TapeKeeper
from thorp.server.settings import WORLD
from thorp.server.sockets.resume_token import new_token
from thorp.store import RealDisk
from thorp.village.founding import RULES
from thorp.voxel import WorldService
from thorp.voxel.achievements import SOCIAL, TECH
from thorp.voxel.inputs import AnyInput, Attach, Detach, Join
from thorp.voxel.load import default_catalogs, load_tuning
from thorp.voxel.persistence import record
from thorp.voxel.persistence.replay import History
from thorp.voxel.state.ground import ChunkKey
from thorp.voxel.tick import step

LAST = 2 * SEGMENT_TICKS + 30
LOOKED_AT = 300
MOST_BYTES = 30_000
"""Of 50 s of 24 agents."""
AROUND = [(cx, cz) for cx in range(-2, 2) for cz in range(-2, 2)]


class Village:
    """A village that has lived for some minutes, with its tape, and how the ground was at one
    tick."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.ground: dict[ChunkKey, bytes] = {}
        self.society: Any = None
        self.pockets: dict[str, Any] = {}
        self.achieved: dict[str, int] = {}

    @property
    def path(self) -> Path:
        return self.data / WORLD

    def tape(self, last_tick: int | None = None) -> Tape:
        return Tape(self.data, world_name(RealDisk(), self.path), last_tick)

    def live(self) -> None:
        tuning = load_tuning(None, {**RULES, "snapshot_every_ticks": 300})
        with WorldService.open(
            RealDisk(), self.path, draw_seed=5, tuning=tuning, make_world=new_city_world
        ) as service:
            keeper = TapeKeeper(self.data, self.path, service.world)

            def tick(inputs: Sequence[AnyInput]) -> None:
                durable = service.tick(inputs)
                keeper.look(service.world, inputs, durable)
                if service.world.tick == LOOKED_AT:
                    self.ground = {key: service.world.ground.look(*key) for key in AROUND}
                    self.society = json.loads(
                        encode(inspection.society(service.world, open_book=True))
                    )
                    bits = {one: 1 << i for i, one in enumerate((*TECH, *SOCIAL))}
                    self.achieved = {
                        agent.id: sum(bits[one] for one in agent.achievements)
                        for agent in service.world.agents
                    }
                    self.pockets = {
                        agent.id: dict(agent.inventory) for agent in service.world.agents
                    }
                if service.world.tick % SEGMENT_TICKS == 0:
                    service.snapshot().result()

            village.run(
                service.world, tick, {name: new_token() for name in village.ROSTER}, to_tick=LAST,
                stopped=lambda: False,
            )  # fmt: skip
            keeper.close()


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Village:
    lived = Village(tmp_path_factory.mktemp("lived"))
    lived.live()
    return lived


@pytest.fixture
def kept(lived: Village, tmp_path: Path) -> Village:
    """A copy of the village, for a test that changes it."""
    shutil.copytree(lived.data, tmp_path / "data")
    copy = Village(tmp_path / "data")
    copy.ground, copy.society, copy.pockets = lived.ground, lived.society, lived.pockets
    copy.achieved = lived.achieved
    return copy


def contents(tape: Tape) -> dict[int, Any]:
    """Of each segment what all may know, and what only an open book tells."""
    return {
        n: {**json.loads(gzip.decompress(tape.segment(n) or b"")),
            **json.loads(gzip.decompress(tape.private(n) or b""))}
        for n in tape.numbers()
    }  # fmt: skip


def records(changes: Any, offset: int) -> dict[str, dict[str, Any]]:
    """The records of a tick, as a page folds them: those of the beginning, and every change up to
    it."""
    by_kind: dict[str, dict[str, Any]] = {}
    for at, kinds in changes:
        for kind, rows in kinds.items() if at <= offset else ():
            by_kind.setdefault(kind, {}).update(rows)
    return {
        kind: {key: row for key, row in rows.items() if row is not None}
        for kind, rows in by_kind.items()
    }


def test_the_society_and_the_pockets_of_a_tick_are_as_they_were(kept: Village) -> None:
    with closing(kept.tape()) as tape:
        first, segment = contents(tape).values()
    offset = LOOKED_AT % SEGMENT_TICKS
    then = records(segment["society"], offset)
    for kind in ("lands", "organisations", "laws", "contracts"):
        assert then.get(kind, {}) == {row["id"]: row for row in kept.society[kind]}
    assert kept.society["organisations"]
    assert then["boards"] == kept.society["boards"]
    assert then.get("event", {}).get("") == kept.society["event"]
    founding, later = (records(first["society"], each) for each in (2, SEGMENT_TICKS - 1))
    assert (len(founding.get("organisations", {})), len(later["organisations"])) == (0, 2)
    assert records(segment["private"], offset)["pockets"] == kept.pockets
    assert then["achieved"] == kept.achieved
    assert sum(map(int.bit_count, kept.achieved.values())) > 30, "of 24 villagers"
    assert records(segment["private"], SEGMENT_TICKS - 1)["pockets"] != kept.pockets


def test_what_a_law_has_brought_is_known_of_any_tick(kept: Village) -> None:
    trade = {"kind": "TRADE", "land_id": "L", "actor": "A2", "rate": 0.1}
    trade |= {"offer": [["COAL", 30], ["LOG", 5]], "request": [["PLANK", 19]]}
    fine = {"kind": "PAID_FINE", "land_id": "L", "agent": "A3", "item": "COAL", "count": 2}
    growing = _open_segment(kept)
    stored = growing._replace(
        n=1, tolls=[(260, trade), (270, fine), (280, {**fine, "land_id": "M"})]
    )
    with closing(kept.tape()) as tape:
        tape.write(stored).result()
        tape.write(stored).result()  # once more counts once
        more = [growing._replace(tolls=[(501, trade)]), stored]
        taxed = tape.effects("L", "TRADE", 0, 999, more)
        assert (taxed.times, taxed.paid) == (2, {"COAL": 6, "PLANK": 2})
        assert taxed.newest[0] == (501, "A2", {"COAL": 3, "PLANK": 1}), "a tenth, rounded down"
        assert tape.effects("L", "TRADE", 0, 300, more).times == 1
        assert tape.effects("L", "PAID_FINE", 0, 999, ()).newest == [(270, "A3", {"COAL": 2})]
        assert tape.effects("L", "", 0, 999, more).times == 0


def test_a_board_that_is_too_full_is_cut_and_that_is_told() -> None:
    noted = Records()
    noted.note(3, "boards", "a", ["x" * MAX_RECORD_BYTES])
    noted.note(4, "boards", "b", ["y"])
    assert [(at, sorted(rows)) for at, rows in noted.changes] == [(3, ["cut"])]
    noted = Records()
    for offset, row in enumerate(({"a": 1}, {"a": 1}, None, None)):
        noted.note(offset, "laws", "x", row)
    told = [
        (at, {key: bytes(text) for key, text in rows["laws"].items()}) for at, rows in noted.changes
    ]
    assert told == [(0, {"x": b'{"a":1}'}), (2, {"x": b"null"})], (
        "only what changed, and what is gone"
    )


def test_what_is_made_from_the_journal_equals_what_was_recorded_live(kept: Village) -> None:
    with closing(kept.tape()) as tape:
        live, marks = contents(tape), tape.marks(0, LAST, 40, ())
    assert list(live) == [0, 1]
    assert [live[1][name] for name in ("first", "last", "day_ticks")] == [250, 499, 6000]
    assert len(live[1]["agents"]) == len(village.ROSTER)
    assert live[1]["blocks"]
    assert live[1]["events"]
    assert marks.marks
    with closing(kept.tape()) as tape:
        assert len(tape.segment(1) or b"") < MOST_BYTES
    shutil.rmtree(kept.data / DIRECTORY)
    with closing(kept.tape()) as tape:
        assert tape.numbers() == []
        assert rebuild(tape, RealDisk(), kept.path, new_city_world) == []
        assert contents(tape) == live
        assert tape.marks(0, LAST, 40, ()) == marks


def test_a_value_of_any_tick_is_found_from_its_changes(kept: Village) -> None:
    """Added up, the changes of a body lead from nothing to where it was."""
    with closing(kept.tape()) as tape:
        segment = contents(tape)[1]
    with WorldService.open(RealDisk(), kept.path, make_world=new_city_world) as service:
        now = {agent.id: agent for agent in service.world.agents}
    for track in segment["agents"]:
        times, values = track["x"]
        assert times[0] == 0
        assert all(time > 0 for time in times[1:])
        assert sum(times) < SEGMENT_TICKS
        assert abs(sum(values) - now[track["id"]].home[0]) < 200


def test_the_ground_of_a_tick_is_as_it_was(kept: Village) -> None:
    """Taken back from now, and made from the untouched land where the tape has a gap since."""
    with (
        WorldService.open(RealDisk(), kept.path, make_world=new_city_world) as service,
        closing(kept.tape()) as tape,
    ):
        world = service.world
        cells = {key: world.ground.look(*key) for key in AROUND}
        present = Present(
            world.tick, world.ground.terrain.of_season(1), cells, [_open_segment(kept)]
        )
        assert any(cells[key] != kept.ground[key] for key in AROUND)
        assert tape.ground(LOOKED_AT, AROUND, present) == kept.ground
        behind_a_gap = present._replace(segments=[])
        assert tape.ground(LOOKED_AT, AROUND, behind_a_gap) == kept.ground
        with pytest.raises(UnavailableError, match="not on the tape yet"):
            tape.ground(LAST, AROUND, behind_a_gap)
        tape.note_stretches([Stretch(1, LAST, NOT_PLAYABLE)])
        with pytest.raises(IllegalError, match=NOT_PLAYABLE):
            tape.ground(LAST, AROUND, behind_a_gap)


def test_a_stranger_of_the_gate_is_gone_while_it_is_away() -> None:
    world = a_city(default_catalogs())
    recorder = Recorder()

    def tick(*inputs: AnyInput) -> None:
        step(world, inputs)
        recorder.look(world, inputs)

    tick(Join("stranger", "ab" * 32))
    tick(Detach(2))
    while not world.agents[2].hidden:
        tick()
    left_tick = world.tick
    tick()
    tick(Attach(2, "cd" * 32))
    assert recorder.open is not None
    times, values = recorder.open.bodies[2].changes["gone"]
    assert (times, values) == ([left_tick, left_tick + 2], [1, 0])
    tick(Detach(2))
    while world.tick < SEGMENT_TICKS + 1:
        tick()
    assert 2 not in recorder.open.bodies, "a segment that begins meanwhile does not show it at all"


def _open_segment(kept: Village) -> Segment:
    """The segment that is not over yet, as a server that was not stopped would have it."""
    history = History.begin(RealDisk(), kept.path, new_city_world, at_most=2 * SEGMENT_TICKS - 1)
    recorder = Recorder()

    def look(tick: int) -> None:
        if tick >= 2 * SEGMENT_TICKS and history.record is not None:
            recorder.look(history.world, history.record.inputs)

    history.go(watch=look)
    assert recorder.open is not None
    return recorder.open


KILLED = """
import sys
from pathlib import Path
from tests.server import test_tape
lived = test_tape.Village(Path(sys.argv[1]))
write = test_tape.TapeKeeper.look
def look(self, world, inputs, durable):
    write(self, world, inputs, durable)
    if world.tick == 270:
        durable.result()
        while self.tape.numbers() != [0]:
            pass
        print("now", flush=True)
        sys.stdin.read()
test_tape.TapeKeeper.look = look
lived.live()
"""


def test_a_server_that_is_killed_loses_only_the_open_segment(tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"now\n"
        process.send_signal(signal.SIGKILL)
    left = Village(tmp_path)
    with closing(left.tape()) as tape:
        assert tape.numbers() == [0]
        assert rebuild(tape, RealDisk(), left.path, new_city_world) == []
        assert tape.numbers() == [0]  # the next one is not over


def damaged(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 3])


def foreign_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE about SET value = '99 ' || value")


def newer_schema(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE schema_version SET version = 99")


def no_database(path: Path) -> None:
    path.write_bytes(b"no database")


@pytest.mark.parametrize("spoil", [damaged, foreign_version, newer_schema, no_database])
def test_a_tape_that_cannot_be_read_is_made_again(
    kept: Village, spoil: Callable[[Path], None]
) -> None:
    spoil(kept.data / DIRECTORY / FILE)
    with closing(kept.tape()) as tape:
        assert tape.numbers() == []
        tape.write(_open_segment(kept)).result()
        assert tape.numbers() == [2]


def test_a_tape_may_be_deleted_at_any_time(kept: Village) -> None:
    with closing(kept.tape()) as tape:
        shutil.rmtree(kept.data / DIRECTORY)
        assert tape.numbers() == []
        assert tape.segment(1) is None
        tape.write(_open_segment(kept)).result()
        assert tape.numbers() == [2]


def test_a_segment_with_a_wrong_checksum_is_dropped(kept: Village) -> None:
    with closing(sqlite3.connect(kept.data / DIRECTORY / FILE)) as database, database:
        database.execute("UPDATE body SET packed = substr(packed, 1, 400) WHERE n = 1")
    with closing(kept.tape()) as tape:
        assert tape.segment(1) is None
        assert tape.numbers() == [0]


def test_a_world_that_was_set_back_has_no_later_past(kept: Village) -> None:
    with closing(kept.tape(last_tick=300)) as tape:
        assert tape.numbers() == [0]
        assert all(mark.tick < 250 for mark in tape.marks(0, LAST, 10, ()).marks)


def test_what_this_release_cannot_execute_is_named(
    kept: Village, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.rmtree(kept.data / DIRECTORY)
    monkeypatch.setattr(record, "RULES", record.RULES + 1)
    with closing(kept.tape()) as tape:
        missing = rebuild(tape, RealDisk(), kept.path, new_city_world)
        assert {one.why for one in missing} == {NOT_PLAYABLE}
        assert tape.stretches() == sorted(missing, key=lambda one: one.first)
        assert (tape.stretches()[0].first, tape.stretches()[-1].last) == (1, 499)


def test_a_process_beside_the_server_makes_what_is_missing(kept: Village) -> None:
    shutil.rmtree(kept.data / DIRECTORY)
    with WorldService.open(RealDisk(), kept.path, make_world=new_city_world) as service:
        keeper = TapeKeeper(kept.data, kept.path, service.world)
        with closing(keeper), closing(kept.tape()) as tape:
            until = monotonic() + PATIENCE_SECONDS
            while tape.numbers() != [0, 1] and monotonic() < until:
                sleep(0.05)
            assert tape.numbers() == [0, 1]


OBSERVER = "/admin/v1/observer"


def test_the_past_is_served(kept: Village) -> None:
    """Segments with range requests that never change, marks, the ground; what is not there is a
    sentence."""

    async def play() -> None:
        async with serving(kept.data, tape=True, make_world=new_city_world) as served:
            await look(served, kept)

    run(play())


async def look(served: Served, kept: Village) -> None:
    async def get(path: str, **headers: str) -> tuple[int, Any, bytes]:
        async with served.http.get(served.url(OBSERVER + path), headers=headers) as answer:
            return answer.status, answer.headers, await answer.read()

    status, _, body = await get("/tape")
    state = json.loads(body)
    assert status == 200
    assert state["playable"][0] == [1, 499]
    assert (state["done"], state["of"]) == (2, 2)
    status, headers, whole = await get("/tape/1")
    assert status == 200
    assert "immutable" in headers["Cache-Control"]
    assert json.loads(gzip.decompress(whole))["first"] == 250
    assert (await get("/tape/1", **{"If-None-Match": headers["ETag"]}))[0] == 304
    status, ranged, part = await get("/tape/1", Range="bytes=10-19")
    assert (status, part) == (206, whole[10:20])
    assert ranged["Content-Range"] == f"bytes 10-19/{len(whole)}"
    assert (await get("/tape/1", Range="bytes=99999999-"))[0] == 416
    assert (await get("/tape/1", Range="bytes=5-2"))[0] == 416
    for path, refused in (
        ("/tape/99999", (404, "not_on_tape")),
        ("/tape/-1", (400, "invalid_n")),
        ("/tape/x", (400, "invalid_n")),
        ("/marks?from=5&to=2", (400, "invalid_range")),
        ("/marks?from=0&bins=100000", (400, "invalid_range")),
        ("/ground?cx=0&cz=0&r=1", (400, "invalid_tick")),
        ("/ground?tick=999999999&r=1", (400, "invalid_tick")),
        ("/ground?tick=300&r=50", (400, "invalid_r")),
    ):
        status, _, body = await get(path)
        assert (status, json.loads(body)["error"]) == refused, path
    blocks = json.loads(gzip.decompress(whole))["blocks"]
    squares = json.loads((await get("/activity?from=250&to=499"))[2])
    assert sum(mined for _, _, mined, _ in squares) == sum(one[5] == 0 for one in blocks)
    assert sum(placed for _, _, _, placed in squares) == sum(one[5] != 0 for one in blocks)
    assert {(x, z) for x, z, _, _ in squares} == {(one[1] >> 3, one[3] >> 3) for one in blocks}
    assert json.loads((await get("/activity?from=250&to=498"))[2]) == [], "only whole segments"
    assert (await get("/activity?to=x"))[0] == 400
    await look_at_places(get, whole)
    assert (await get("/laws/LAW999999/effects"))[0] == 404
    marks = json.loads((await get("/marks?from=0&to=499&bins=3"))[2])
    assert len(marks["counts"]) == 3
    assert all(0 <= mark["tick"] <= 499 for mark in marks["marks"])
    assert {"tick", "number", "kind", "sort", "weight", "text", "refs"} == set(marks["marks"][0])
    addresses = [(mark["tick"], mark["number"]) for mark in marks["marks"]]
    assert len(set(addresses)) == len(addresses), "no two events share an address"
    assert min(number for _, number in addresses) == 1
    nobody_was_there = (await get(f"/ground?tick={LOOKED_AT}&cx=20&cz=20&r=0"))[2]
    assert gzip.decompress(nobody_was_there) == b""
    cells = gzip.decompress((await get(f"/ground?tick={LOOKED_AT}&cx=0&cz=0&r=1"))[2])
    there = {
        struct.unpack_from("<ii", cells, at): cells[at + 8 : at + 8 + 16384]
        for at in range(0, len(cells), 16392)
    }
    assert len(there) == 9
    assert there[-1, -1] == kept.ground[-1, -1]
    assert there[0, 0] == kept.ground[0, 0]


async def look_at_places(get: Callable[..., Awaitable[Any]], segment: bytes) -> None:
    """Of every cell the newest changes up to a tick: as many as are shown, also across segments."""
    earlier = (await get("/tape/0"))[2]
    changes: dict[tuple[int, ...], list[Any]] = {}
    for first, packed in ((0, earlier), (250, segment)):
        for offset, x, y, z, *rest in json.loads(gzip.decompress(packed))["blocks"]:
            changes.setdefault((x, y, z), []).insert(0, [first + offset, *rest])
    busiest = sorted(changes, key=lambda cell: -len(changes[cell]))[:3]
    assert len(changes[busiest[0]]) > 1
    for cell in (*busiest, (0, 63, 0)):
        for last in (499, 300, 0):
            path = f"/places/{','.join(map(str, cell))}/changes?tick={last}"
            answered = [list(one.values()) for one in json.loads((await get(path))[2])]
            assert answered == [one for one in changes.get(cell, []) if one[0] <= last][:10], path
    assert (await get("/places/here/changes"))[0] == 400
    assert (await get("/places/0,3,0/changes?tick=x"))[0] == 400


def test_what_no_viewer_may_see_is_not_on_the_tape(tmp_path: Path) -> None:
    """A whisper, a memory and a single vote leave no trace; an intent and a title do."""

    async def play() -> None:
        async with (
            serving(tmp_path, tape=True, tick_rate_hz=20) as served,
            served.agent("owl", title="watcher") as owl,
            served.agent("mole") as mole,
        ):
            await served.caught_up(owl, mole)
            secret = [
                {"id": "w", "type": "WHISPER", "to": mole.id, "text": "psst-4711"},
                {"id": "m", "type": "SAVE_MEMORY", "key": "k", "value": "mem-4711"},
                {"id": "s", "type": "SAY", "channel": "LOCAL", "text": "aloud-4711"},
            ]
            await owl.act(instants=secret, intent="why-4711")
            while not served.live.tape or b"aloud-4711" not in (text := await open_segment(served)):
                await owl.obs()
            assert b"psst-4711" not in text
            assert b"mem-4711" not in text
            assert owl.token.encode() not in text
            assert b"why-4711" in text
            assert b"watcher" in text

    run(play())


async def open_segment(served: Served) -> bytes:
    async with served.http.get(
        served.url(f"{OBSERVER}/tape/{served.live.service.world.tick // 250}")
    ) as answer:
        return gzip.decompress(await answer.read()) if answer.status == 200 else b""


@pytest.mark.parametrize("tail", ["", " x", " and more of the same" * 9, "y" * 400])
def test_the_headline_of_a_long_speech_ends_between_two_words(tail: str) -> None:
    world = flat_world(default_catalogs())
    agent = put_agent(world)
    said = f"The store is the chest, and the board is the bulletin board{tail}"
    chat = {"kind": "CHAT", "from": agent.id, "channel": "LOCAL", "text": said}
    mark = headline(WorldDescriber(world), chat)
    assert mark is not None
    assert len(mark.text) <= MAX_TEXT_CHARS
    quoted = mark.text.removeprefix(f"{agent.name} “").removesuffix("”")
    assert mark.text == f"{agent.name} “{quoted}”", (
        "what is cut is still between its quotation marks"
    )
    whole = quoted.removesuffix("…")
    assert said.startswith(whole)
    assert said == whole or said[len(whole)] == " ", quoted
