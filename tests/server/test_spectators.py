"""The stream for spectators: everything it shows is true, and it shows nothing that is private."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import zlib
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from time import monotonic
from typing import Any

import numpy as np
import pytest
from aiohttp import ClientConnectionResetError, web
from hypothesis import given
from hypothesis import strategies as st

from tests.server.serving import RawAgent, Served, logged, masked_frame, with_server
from tests.server.test_slow_readers import reading_of
from tests.voxel.flat import SURFACE, flat_world, put_agent
from thorp.observer import spectator_frames
from thorp.observer.spectator_frames import MADE_PER_TICK
from thorp.protocol.observer import Subscribe
from thorp.server.live.terrain_prefetch import AHEAD_CHUNKS
from thorp.server.sockets.frames import BURST_BYTES, BYTES_PER_SECOND, IGNORED_COST_BYTES
from thorp.server.sockets.spectators import (
    BACKLOG_BYTES,
    MAX_VIEWERS,
    PLAN_EVERY,
    PLANNED_PER_TICK,
    SURFACES_PER_VIEWER,
    Spectators,
    Viewer,
)
from thorp.voxel.load import default_catalogs
from thorp.voxel.observation.surface import (
    changed_columns,
    chunks_around,
    surface_bytes,
    top_of,
    voxel_bytes,
)
from thorp.voxel.state.ground import CHUNK_CELLS, HEIGHT, LAYER, Ground
from thorp.voxel.state.unsaved import BlockChange

WS = "/admin/v1/observer/ws"


def subscribe(**wishes: Any) -> dict[str, Any]:
    return {
        "type": "SUBSCRIBE",
        "protocol_version": "0.1",
        "chunk_radius": 2,
        "max_chunks": 1024,
        **wishes,
    }


class Screen:
    """What a page knows after all messages so far."""

    def __init__(self, peer: RawAgent) -> None:
        self.peer = peer
        self.surfaces: dict[tuple[int, int], bytearray] = {}
        self.voxels: dict[tuple[int, int], Any] = {}
        self.tick: dict[str, Any] = {}
        self.texts: list[str] = []

    async def read(self) -> dict[str, Any]:
        message = await self.peer.receive()
        self.texts.append(json.dumps(message))
        assert message["protocol_version"] == "0.1"
        key = (message.get("cx", 0), message.get("cz", 0))
        match message["type"]:
            case "TICK":
                self.tick = message
            case "CHUNK_SURFACE":
                assert message["encoding"] == "PAL16_Y8"
                data = base64.b64decode(message["data"], validate=True)
                assert len(data) == 768
                self.surfaces[key] = bytearray(data)
            case "CHUNK_PATCH":
                for cell in message["cells"]:
                    at = 3 * (cell["z"] * 16 + cell["x"])
                    self.surfaces[key][at : at + 3] = bytes(
                        [cell["block"] & 255, cell["block"] >> 8, cell["y"]]
                    )
            case "CHUNK_EVICT":
                del self.surfaces[key]
            case "CHUNK_VOXELS":
                assert message["encoding"] == "PAL16_U16LE_YZX"
                data = base64.b64decode(message["data"], validate=True)
                assert len(data) == 512 * 64
                self.voxels[key] = np.frombuffer(data, "<u2").reshape(64, 16, 16).copy()
            case "CHUNK_VOXEL_PATCH":
                for cell in message["cells"]:
                    self.voxels[key][cell["y"], cell["z"], cell["x"]] = cell["block"]
            case "CHUNK_VOXELS_EVICT":
                del self.voxels[key]
            case other:
                raise AssertionError(other)
        return message

    async def until(self, kind: str) -> dict[str, Any]:
        while (message := await self.read())["type"] != kind:
            pass
        return message

    async def ticks(self, count: int) -> None:
        for _ in range(count):
            await self.until("TICK")

    def is_true(self, ground: Ground) -> bool:
        return all(
            surface_bytes(ground.look(*key)) == data for key, data in self.surfaces.items()
        ) and all(
            (np.frombuffer(ground.look(*key), np.uint8) == cells.ravel()).all()
            for key, cells in self.voxels.items()
        )


@with_server()
async def test_bootstrap_says_what_a_page_must_know(served: Served) -> None:
    status, body = await served.get("/admin/v1/observer/bootstrap")
    told = json.loads(body)
    assert status == 200
    assert (told["protocol_version"], told["world_id"]) == ("0.1", "world_1")
    assert told["world_params"] == {
        "tick_rate_hz": 50,
        "chunk_size": [16, 16, 64],
        "height": 64,
        "seed": 1337,
        "boundary_r": 4000,
    }
    assert told["block_palette"][0] == "AIR"
    assert isinstance(told["tick"], int)


@with_server()
async def test_ticks_and_surfaces_come_and_stay_true_while_agents_change_the_ground(
    served: Served,
) -> None:
    async with served.agent("mole") as mole, served.socket(WS) as peer:
        await served.caught_up(mole)
        screen = Screen(peer)
        await peer.send(subscribe())
        while len(screen.surfaces) < 25:
            await screen.read()
        agent = screen.tick["agents"][0]
        assert (agent["id"], agent["name"], agent["connected"]) == ("A1", "mole", True)
        assert agent["pos"] == mole.last["self"]["pos"]
        assert {"yaw", "hp", "hunger", "stamina_milli"} <= set(agent)
        x, y, z = agent["pos"]
        await served.caught_up(mole)
        await mole.act(
            tasks=[{"id": "p", "type": "PLACE", "block_pos": [x + 1, y, z], "item_id": "PLANK"}]
        )
        patch = await screen.until("CHUNK_PATCH")
        assert (patch["cx"], patch["cz"]) == ((x + 1) >> 4, z >> 4)
        cell = patch["cells"][0]
        assert (cell["x"], cell["z"], cell["y"]) == ((x + 1) & 15, z & 15, y)
        assert served.live.service.world.catalogs.blocks[cell["block"]].id == "PLANK"
        assert screen.is_true(served.live.service.world.ground)
        audits = [json.loads(text).get("audits") for text in screen.texts if '"audits"' in text]
        assert audits[-1][0]["pos"] == [x + 1, y, z]
        assert audits[-1][0]["actor"] == "A1"


@with_server()
async def test_voxels_come_around_the_agent_in_focus_and_go_with_it(served: Served) -> None:
    async with served.agent("mole") as mole, served.socket(WS) as peer:
        await served.caught_up(mole)
        screen = Screen(peer)
        await peer.send(subscribe(focus_agent_id="A1", voxel_radius=1, voxel_max_chunks=256))
        while len(screen.voxels) < 9:
            await screen.read()
        x, y, z = mole.last["self"]["pos"]
        await served.caught_up(mole)
        await mole.act(
            tasks=[{"id": "p", "type": "PLACE", "block_pos": [x + 1, y, z], "item_id": "PLANK"}]
        )
        await screen.until("CHUNK_VOXEL_PATCH")
        assert screen.is_true(served.live.service.world.ground)
        await peer.send(subscribe())
        while screen.voxels:
            await screen.read()


@with_server()
async def test_voxels_come_around_the_place_in_focus_if_no_agent_is(served: Served) -> None:
    """A camera that follows nobody sees every block, too, but no ground that nobody has been
    near."""
    async with served.agent("mole") as mole, served.socket(WS) as peer:
        await served.caught_up(mole)
        screen = Screen(peer)
        x, y, z = mole.last["self"]["pos"]
        cx, cz = x >> 4, z >> 4
        beside = [x + 32, y, z]
        await peer.send(subscribe(focus_agent_id="A99", focus_pos=beside, voxel_radius=1))
        while len(screen.voxels) < 6:
            await screen.read()
        await screen.ticks(2 * PLAN_EVERY)
        assert set(screen.voxels) == {(cx + dx, cz + dz) for dx in (1, 2) for dz in (-1, 0, 1)}, (
            "surfaces reach two chunks from a body, so the third column is not shown"
        )
        assert screen.is_true(served.live.service.world.ground)
        await peer.send(subscribe(focus_pos=[x + 10_000, y, z], voxel_radius=8))
        while screen.voxels:
            await screen.read()
        await screen.ticks(2 * PLAN_EVERY)
        assert not screen.voxels
        assert not served.live.service.world.ground.in_use((x + 10_000) >> 4, cz)
        await peer.send(subscribe(focus_agent_id=mole.id, focus_pos=beside, voxel_radius=1))
        while len(screen.voxels) < 9:
            await screen.read()
        assert (cx - 1, cz) in screen.voxels, "an agent in focus counts for more than a place"


@with_server()
async def test_chunks_that_are_no_longer_wanted_are_evicted(served: Served) -> None:
    async with served.agent("mole") as mole, served.socket(WS) as peer:
        await mole.obs()
        screen = Screen(peer)
        await peer.send(subscribe(chunk_radius=2))
        while len(screen.surfaces) < 25:
            await screen.read()
        await peer.send(subscribe(chunk_radius=1))
        while len(screen.surfaces) > 9:
            await screen.read()
        await screen.ticks(PLAN_EVERY + 1)
        assert len(screen.surfaces) == 9


@with_server()
async def test_nothing_private_is_shown(served: Served) -> None:
    async with (
        served.agent("mole") as mole,
        served.agent("owl") as owl,
        served.socket(WS) as peer,
    ):
        screen = Screen(peer)
        await peer.send(subscribe())
        await served.caught_up(mole, owl)
        instants = [
            {"id": "w", "type": "WHISPER", "to": owl.id, "text": "under the hollow oak"},
            {"id": "m", "type": "SAVE_MEMORY", "key": "secret-key", "value": "secret-value"},
            {"id": "l", "type": "LOAD_MEMORY"},
            {"id": "v", "type": "VOTE", "law_id": "LAW000001", "choice": "secretly"},
            {"id": "c", "type": "SAY", "channel": " city", "text": "secret plans"},
            {"id": "b", "type": "WHISPR", "text": "secret"},
            {"id": "b", "type": "WHISPER", "to": 5, "text": "secret"},
            {"id": "s", "type": "SAY", "text": "good morning"},
        ]
        await mole.act(instants=instants)
        assert (await mole.result("s"))["ok"]
        await owl.event("CHAT", text="under the hollow oak")
        while "good morning" not in "".join(screen.texts):
            await screen.read()
        await screen.ticks(5)
        everything = "".join(screen.texts)
        for private in ("hollow oak", "WHISPER", "secret", mole.token, owl.token, "resume_"):
            assert private not in everything
        tokens = [agent.token.hex() for agent in served.live.service.world.agents]
        assert not any(token in everything for token in tokens)


@with_server(director_every_ticks=5)
async def test_a_tick_tells_of_the_event_of_organisations_and_of_what_was_asked(
    served: Served,
) -> None:
    async with served.agent("mole") as mole, served.socket(WS) as peer:
        screen = Screen(peer)
        await peer.send(subscribe())
        await screen.until("TICK")
        await served.caught_up(mole)
        founding = {"id": "o", "type": "CREATE_ORG", "org_kind": "GUILD", "org_name": "diggers"}
        walk = {"id": "w", "type": "MOVE_TO", "target": [9, 9, 9], "tolerance": 1.5}
        await mole.act(instants=[founding], tasks=[walk], cancel=["T000099"])
        answered = mole.last["tick"]
        org_id = (await mole.result("o"))["org_id"]
        while "actions" not in screen.tick:
            await screen.until("TICK")
        (action,) = screen.tick["actions"]
        assert action == {
            "agent_id": mole.id,
            "act": {
                "type": "ACT",
                "protocol_version": "0.9",
                "tick": answered,
                "agent_id": mole.id,
                "instants": [founding],
                "tasks": [walk],
                "cancel": ["T000099"],
            },
        }
        assert screen.tick["agents"][0]["org_id"] == org_id
        event = served.live.service.world.director.event
        assert event is not None
        assert screen.tick["active_event_id"] == event.id
        assert screen.tick["active_event_ends_tick"] == event.ends_tick


@with_server()
async def test_the_page_is_told_what_happens(served: Served) -> None:
    async with served.agent("first"), served.socket(WS) as peer:
        screen = Screen(peer)
        await peer.send(subscribe())
        await screen.until("TICK")
        async with served.agent("mole") as mole:
            await served.caught_up(mole)
            await mole.act(
                instants=[{"id": "s", "type": "SAY", "channel": "MARKET", "text": "selling planks"}]
            )
            await mole.result("s")
        happenings: list[dict[str, Any]] = []
        joins: list[Any] = []
        leaves: list[Any] = []
        while len(happenings) < 3:
            tick = await screen.until("TICK")
            happenings += tick.get("happenings", [])
            joins += tick.get("joins", [])
            leaves += tick.get("leaves", [])
        assert [happening["kind"] for happening in happenings] == ["JOIN", "CHAT", "LEAVE"]
        assert (happenings[1]["from"], happenings[1]["text"]) == (mole.id, "selling planks")
        assert joins == [{"agent_id": mole.id, "name": "mole"}]
        assert leaves == [mole.id]


BAD = {
    "bad subscribe": ["nonsense", "[]", "{"],
    "expected SUBSCRIBE": [
        '{"type":"HELLO","protocol_version":"0.1"}',
        '{"type":"SUBSCRIBE","protocol_version":"0.9"}',
    ],
}


@with_server()
async def test_what_is_no_subscribe_closes_the_socket(served: Served) -> None:
    for reason, frames in BAD.items():
        for frame in frames:
            async with served.socket(WS) as peer:
                await peer.send(frame)
                end = await peer.closed()
                assert (end.code, end.reason) == (1008, reason)
    assert not len(served.live.spectators)


@with_server()
async def test_watching_loads_nothing_and_changes_nothing(served: Served) -> None:
    world = served.live.service.world
    async with served.agent("mole") as mole, served.socket(WS) as peer:
        await served.caught_up(mole)
        screen = Screen(peer)
        await peer.send(subscribe(chunk_radius=4))
        while len(screen.surfaces) < 81:
            await screen.read()
        assert world.ground.loaded <= (2 * AHEAD_CHUNKS + 1) ** 2, (
            "what the agent may need, and no more"
        )


@with_server()
async def test_chunks_that_must_be_made_are_few_in_each_tick(served: Served) -> None:
    async with served.agent("mole"), served.socket(WS) as peer:
        screen = Screen(peer)
        await peer.send(subscribe(chunk_radius=8))
        await screen.until("TICK")
        in_use = served.live.service.world.ground.loaded
        most = 0
        for _ in range(10):
            before = len(screen.surfaces)
            await screen.until("TICK")
            most = max(most, len(screen.surfaces) - before)
        assert 0 < most <= MADE_PER_TICK + in_use


@with_server()
async def test_pings_are_answered_and_cost_as_much_as_any_useless_frame(served: Served) -> None:
    async with served.socket(WS, autoping=False) as peer:
        burst = BURST_BYTES // IGNORED_COST_BYTES
        began = asyncio.get_running_loop().time()
        for _ in range(burst + 20):
            await peer.socket.ping(b"there?")
        for _ in range(burst + 20):
            assert (await peer.socket.receive(5)).data == b"there?"
        took = asyncio.get_running_loop().time() - began
        assert took >= 18 * IGNORED_COST_BYTES / BYTES_PER_SECOND
        await peer.send(subscribe())
        assert (await peer.receive())["type"] == "TICK"


@pytest.mark.parametrize("path", [WS, "/v1/ws"])
def test_whoever_is_gone_before_the_pong_leaves_no_error(
    path: str, tmp_path: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = asyncio.Event()

    async def pong(socket: web.WebSocketResponse, message: bytes = b"") -> None:
        """The peer hangs up while the answer to its PING is on the way."""
        asked.set()
        raise ClientConnectionResetError("Cannot write to closing transport")

    monkeypatch.setattr(web.WebSocketResponse, "pong", pong)

    @with_server()
    async def play(served: Served) -> None:
        async with served.socket(path) as peer:
            if path == WS:
                await peer.send(subscribe())
            else:
                await peer.hello()
            await peer.receive()
            await peer.socket.ping()
            await asked.wait()

    with caplog.at_level(logging.ERROR):
        play(tmp_path)
    assert logged(caplog) == []


def test_plans_of_many_viewers_are_spread_over_ticks_and_everyone_has_its_turn() -> None:
    world = flat_world(default_catalogs())
    rng = Random(4)
    for _ in range(300):
        put_agent(world, rng.randrange(-900, 900), rng.randrange(-900, 900))
    spectators = Spectators(world)
    # Each of these plans is more than a tick's share, so they are made one by one.
    wish = Subscribe(chunk_radius=32, max_chunks=PLANNED_PER_TICK)
    viewers = [Viewer(None, None, wish, 0) for _ in range(12)]  # type: ignore[arg-type]
    turns: list[list[int]] = []
    for tick in range(1, 37):
        world.tick = tick
        viewers[3].subscribe(wish)  # who asks again and again is not served before others
        planned = spectators._plan(viewers)
        turns.append([viewers.index(viewer) for viewer in planned])
    assert all(len(turn) == 1 for turn in turns)
    assert [turn[0] for turn in turns] == [*range(12)] * 3
    greedy = Viewer(None, None, Subscribe(chunk_radius=32, max_chunks=16_384), 0)  # type: ignore[arg-type]
    assert len(spectators._wanted(greedy, "surface")) == SURFACES_PER_VIEWER
    modest = [Viewer(None, None, Subscribe(chunk_radius=0), 0) for _ in range(6)]  # type: ignore[arg-type]
    assert len(spectators._plan(modest)) == 6
    world.tick += PLAN_EVERY - 1
    assert not spectators._plan(modest)
    world.tick += 1
    assert len(spectators._plan(modest)) == 6


@with_server(max_viewers=1)
async def test_viewers_are_not_too_many(served: Served) -> None:
    async with served.socket(WS) as one, served.socket(WS) as two:
        await one.send(subscribe())
        await one.receive()
        await two.send(subscribe())
        end = await two.closed()
        assert (end.code, end.reason) == (1013, "server busy")


CROWD, AT_ONCE = 1_000, 50
UPGRADE = (
    f"GET {WS} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
)


class Onlooker(asyncio.Protocol):
    """A viewer that costs next to nothing: it asks for one chunk, and counts what it is sent."""

    def __init__(self) -> None:
        self.told: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        """Why it may not watch; nothing if it may."""
        self._head = b""
        self.bytes = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        text = json.dumps(subscribe(chunk_radius=0)).encode()
        transport.write(UPGRADE.encode() + b"\r\n" + masked_frame(text))

    def data_received(self, data: bytes) -> None:
        self.bytes += len(data)
        if self.told.done():
            return
        self._head += data
        _, _, frame = self._head.partition(b"\r\n\r\n")
        if frame[:1] == b"\x81":
            self.told.set_result("")
        elif frame and len(frame) == 2 + frame[1]:
            assert frame[:4] == bytes([0x88, frame[1]]) + (1013).to_bytes(2, "big")
            self.told.set_result(frame[4:].decode())
            self.transport.close()


async def look_on(served: Served, count: int) -> list[Onlooker]:
    """Let so many come, some at a time, and wait until each of them knows whether it may watch."""
    loop, came = asyncio.get_running_loop(), []
    for _ in range(0, count, AT_ONCE):
        coming = [
            loop.create_connection(Onlooker, "127.0.0.1", served.port)
            for _ in range(min(count, AT_ONCE))
        ]
        some = [onlooker for _, onlooker in await asyncio.gather(*coming)]
        await asyncio.gather(*(onlooker.told for onlooker in some))
        came += some
    return came


def test_a_thousand_viewers_and_one_that_never_reads_hurt_nobody(
    tmp_path: Any, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many watch as there is room for, the others are told; an agent gets every tick
    meanwhile."""
    # Also on a busy machine nobody makes room before all have come.
    monkeypatch.setattr("thorp.server.sockets.spectators.IDLE_SECONDS", 600.0)

    @with_server(patience=240, tick_rate_hz=20)
    async def play(served: Served) -> None:
        watching, ticks = served.live.spectators, []

        async def live(mole: RawAgent) -> None:
            while True:
                ticks.append((await mole.obs())["tick"])

        async def pass_ticks(count: int) -> None:
            until = ticks[-1] + count
            while ticks[-1] < until:
                await asyncio.sleep(0.01)

        async with served.agent("mole") as mole, served.narrow_socket(WS) as deaf:
            ticks.append((await mole.obs())["tick"])
            living = asyncio.create_task(live(mole))
            await deaf.send(subscribe(focus_agent_id=mole.id, voxel_radius=8, voxel_max_chunks=256))
            reading_of(deaf)[0]()
            while not len(watching):
                await asyncio.sleep(0.01)
            (stuck,) = watching._viewers
            crowd = await look_on(served, CROWD)
            told = Counter(one.told.result() for one in crowd)
            assert told == {"": MAX_VIEWERS - 1, "server busy": CROWD - MAX_VIEWERS + 1}
            assert len(watching) == MAX_VIEWERS
            # Who watches is shown every tick; for who reads nothing no more is kept than for a
            # while.
            while stuck.keeps_up():
                await pass_ticks(1)
            kept, seen = stuck.transport.get_write_buffer_size(), [one.bytes for one in crowd]
            await pass_ticks(20)
            assert stuck.transport.get_write_buffer_size() <= kept <= 2 * BACKLOG_BYTES
            grew = [one.bytes > before for one, before in zip(crowd, seen, strict=True)]
            assert grew == [not one.told.result() for one in crowd]
            # A place that becomes free is given to the next one who comes.
            crowd[0].transport.close()
            while len(watching) == MAX_VIEWERS:
                await asyncio.sleep(0.01)
            assert [one.told.result() for one in await look_on(served, 1)] == [""]
            await pass_ticks(1)
            living.cancel()
            assert ticks == list(range(ticks[0], ticks[-1] + 1))

    with caplog.at_level(logging.ERROR):
        play(tmp_path)
    assert logged(caplog) == []


@pytest.mark.parametrize("clock", ["real", "lockstep"])
def test_one_that_does_not_read_makes_room_and_a_silent_one_that_reads_does_not(
    clock: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thorp.server.sockets.spectators.PING_SECONDS", 0.1)
    monkeypatch.setattr("thorp.server.sockets.spectators.IDLE_SECONDS", 1.5)

    @with_server(max_viewers=2, clock=clock)
    async def play(served: Served) -> None:
        watching = served.live.spectators

        async def until(number: int) -> None:
            while len(watching) != number:
                await asyncio.sleep(0.01)

        async with (
            served.socket(WS) as silent,
            served.socket(WS) as deaf,
            served.socket(WS) as new,
            served.socket(WS) as late,
        ):
            await silent.send(subscribe())
            reading = [asyncio.create_task(silent.closed())]
            await deaf.send(subscribe())
            await until(2)
            (first, second) = watching._viewers
            while monotonic() - second.read_at() < 1.6:
                await asyncio.sleep(0.05)
            await new.send(subscribe())
            reading.append(asyncio.create_task(new.closed()))
            while second in watching._viewers:
                await asyncio.sleep(0.01)
            await until(2)
            assert first in watching._viewers
            assert second.transport.is_closing()
            await late.send(subscribe())
            assert (await late.closed()).code == 1013
            assert not any(task.done() for task in reading)
            for task in reading:
                task.cancel()

    play(tmp_path)


@with_server()
async def test_a_viewer_that_stops_reading_gets_whole_chunks_again(served: Served) -> None:
    async with served.agent("mole") as mole, served.socket(WS) as peer:
        screen = Screen(peer)
        await peer.send(subscribe(chunk_radius=1))
        while len(screen.surfaces) < 9:
            await screen.read()
        viewer = next(iter(served.live.spectators._viewers))
        keeps_up = viewer.keeps_up
        viewer.keeps_up = lambda: False  # type: ignore[method-assign]
        x, y, z = (await mole.obs())["self"]["pos"]
        await served.caught_up(mole)
        await mole.act(
            tasks=[{"id": "p", "type": "PLACE", "block_pos": [x + 1, y, z], "item_id": "PLANK"}]
        )
        assert (await mole.result("p"))["ok"]
        ground = served.live.service.world.ground
        await asyncio.sleep(0.05)
        assert not screen.is_true(ground)
        viewer.keeps_up = keeps_up  # type: ignore[method-assign]
        while not screen.is_true(ground):
            await screen.read()
        assert "CHUNK_PATCH" not in "".join(screen.texts)


@with_server(day_ticks=60, season_length_ticks=60, seasons=True)
async def test_a_new_season_is_shown_in_whole_chunks(served: Served) -> None:
    async with served.agent("mole"), served.socket(WS) as peer:
        screen = Screen(peer)
        await peer.send(subscribe(chunk_radius=1))
        world = served.live.service.world
        while len(screen.surfaces) < 9:
            await screen.read()
        season, before = world.season, dict(screen.surfaces)
        while world.season == season or not screen.is_true(world.ground):
            await screen.read()
        assert any(screen.surfaces.get(key) != data for key, data in before.items())


# The pure part.


@given(st.binary(min_size=1, max_size=64), st.integers(0, 255))
def test_a_surface_is_the_top_of_every_column(column: bytes, index: int) -> None:
    cells = np.zeros((HEIGHT, LAYER), np.uint8)
    cells[: len(column), index] = np.frombuffer(column, np.uint8)
    data = surface_bytes(cells.tobytes())
    assert len(data) == 3 * LAYER
    block, height = top_of(column.ljust(HEIGHT, b"\0"))
    assert data[3 * index : 3 * index + 3] == bytes([block, 0, height])
    assert data.count(0) >= 3 * (LAYER - 1)


def test_columns_and_voxels_of_a_flat_world() -> None:
    world = flat_world(default_catalogs())
    cells = world.ground.look(3, -2)
    grass = world.catalogs.block_number["GRASS"]
    assert surface_bytes(cells) == bytes([grass, 0, SURFACE]) * LAYER
    assert len(voxel_bytes(cells)) == 2 * CHUNK_CELLS
    assert changed_columns(world.ground, [(5, 1, 7), (5, 9, 7), (-1, 0, 0)]) == [
        (15, 0, grass, SURFACE),
        (5, 7, grass, SURFACE),
    ]
    assert surface_bytes(world.ground.look(100_000, 0)) == bytes(3 * LAYER)


@given(
    st.lists(
        st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=6, unique=True
    ),
    st.integers(0, 4),
    st.integers(1, 200),
)
def test_chunks_around_are_all_near_ones_nearest_first(
    centres: list[tuple[int, int]], radius: int, limit: int
) -> None:
    def distance(key: tuple[int, int]) -> int:
        return min(max(abs(key[0] - cx), abs(key[1] - cz)) for cx, cz in centres)

    found = chunks_around(centres, radius, limit)
    everything = [
        (x, z) for x in range(-14, 15) for z in range(-14, 15) if distance((x, z)) <= radius
    ]
    assert len(found) == len(set(found)) == min(limit, len(everything))
    assert [distance(key) for key in found] == sorted(distance(key) for key in found)
    assert set(found) <= set(everything)
    assert chunks_around([], radius, limit) == []


def test_frames_of_chunks_are_kept_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectator_frames, "KEPT_BYTES", 4_000)
    ground = flat_world(default_catalogs()).ground
    chunks = spectator_frames.Chunks(ground)
    surface = spectator_frames.LAYERS[0]
    assert all(chunks.whole(surface, (n, 0)) for n in range(MADE_PER_TICK))
    assert chunks.whole(surface, (99, 0)) is None
    assert len(chunks._whole) == 3
    assert chunks._kept_bytes == sum(map(len, chunks._whole.values()))
    changes = [BlockChange("A1", "MINE", (16 * n, 3, 0), 1, 0) for n in (99, 7)]
    assert chunks.begin_tick(changes) == [(99, 0), (7, 0)]
    assert chunks.whole(surface, (99, 0))
    assert chunks._kept_bytes == sum(map(len, chunks._whole.values()))


@with_server(patience=120)
async def test_what_agents_say_of_themselves_is_shown_and_bounded(served: Served) -> None:
    """A title with HELLO, an intent with an ACT: cut, seldom, and no part of the state."""

    async def shown(screen: Screen, since: int) -> dict[str, Any]:
        while (await screen.read())["type"] != "TICK" or screen.tick["tick"] <= since:
            pass
        (agent,) = screen.tick["agents"]
        return dict(agent)

    async with (
        served.agent("mole", title="digger of very deep holes") as mole,
        served.socket(WS) as peer,
    ):
        screen = Screen(peer)
        await peer.send(subscribe(chunk_radius=1))
        told = await shown(screen, 0)
        assert (told["title"], "intent" in told) == ("digger of very deep hole", False)
        await mole.obs()
        await mole.act(intent="ü" * 100)
        while "intent" not in told:
            told = await shown(screen, 0)
        assert told["intent"] == "ü" * 70
        await mole.act(intent="too soon")
        assert (await shown(screen, served.live.service.world.tick + 5))["intent"] == "ü" * 70
        await mole.act(intent=7)
        refusal = await mole.event("ACTION_RESULT", ref="ACT", code="E_BAD_REQUEST")
        assert refusal["message"].startswith("intent: expected a string")


# What ticks may take of a viewer's stream while 24 agents walk, in bytes a second at 5 ticks a
# second.
STREAM_BYTES_PER_SECOND = 6_000


class Deflated:
    """A viewer as a browser is one: it takes compressed messages, and counts the bytes of its
    socket."""

    def __init__(self, reader: asyncio.StreamReader) -> None:
        self._reader = reader
        self._inflate = zlib.decompressobj(-15)
        self.bytes = 0
        self.is_packed = False
        """Whether the newest message was compressed."""

    async def read(self) -> dict[str, Any]:
        while True:
            first, size = await self._take(2)
            if size >= 126:
                size = int.from_bytes(await self._take(2 if size == 126 else 8), "big")
            text = await self._take(size)
            self.is_packed = bool(first & 0x40)
            if self.is_packed:
                text = self._inflate.decompress(text + b"\0\0\xff\xff")
            if first & 15 == 1:
                found: dict[str, Any] = json.loads(text)
                return found

    async def _take(self, count: int) -> bytes:
        self.bytes += count
        return await self._reader.readexactly(count)


@asynccontextmanager
async def deflated(served: Served, **wishes: Any) -> AsyncIterator[Deflated]:
    reader, writer = await asyncio.open_connection("127.0.0.1", served.port)
    wish = "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n"
    writer.write((UPGRADE + wish).encode())
    assert b"permessage-deflate" in await reader.readuntil(b"\r\n\r\n")
    text = json.dumps(subscribe(**wishes)).encode()
    writer.write(bytes([0x81, 0x80 | 126]) + len(text).to_bytes(2, "big") + bytes(4) + text)
    try:
        yield Deflated(reader)
    finally:
        writer.close()


@with_server(tick_rate_hz=20)
async def test_a_single_chunk_does_not_interrupt_the_compressed_stream(served: Served) -> None:
    """The first chunks come compressed; a later one does not, and ticks go on referring to those
    before."""
    async with (
        served.agent("mole") as mole,
        deflated(served, chunk_radius=0, max_chunks=1) as viewer,
    ):
        x, y, z = (await mole.obs())["self"]["pos"]
        await mole.act(
            tasks=[{"id": "w", "type": "MOVE_TO", "target": [x + 30, y, z], "tolerance": 1}]
        )
        chunks: list[bool] = []
        sizes: list[int] = []
        while len(chunks) < 2 or len(sizes) < 40:
            before, message = viewer.bytes, await viewer.read()
            if message["type"] == "TICK":
                assert viewer.is_packed
                sizes.append(viewer.bytes - before)
            elif message["type"] == "CHUNK_SURFACE":
                chunks.append(viewer.is_packed)
        assert chunks[:2] == [True, False]
        assert sorted(sizes[15:])[len(sizes[15:]) // 2] < max(sizes) / 2


@with_server(tick_rate_hz=20)
async def test_the_stream_of_a_busy_world_is_narrow(served: Served) -> None:
    """Every tick inflates to what others get as it is, also for who comes later; the bytes are
    counted."""
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        crowd = [await enter(served.agent(f"villager {n}", title="miner")) for n in range(24)]
        for n, agent in enumerate(crowd):
            x, y, z = (await agent.obs())["self"]["pos"]
            walk = {"id": "w", "type": "MOVE_TO", "target": [x + 40, y, z + n], "tolerance": 1}
            await agent.act(tasks=[walk], intent=f"I walk to the well, for the {n}th time.")
        plain = await enter(served.socket(WS))
        await plain.send(subscribe())
        texts = {}

        async def read_plain() -> None:
            while True:
                message = await plain.receive()
                texts[message.get("tick")] = message

        reading = asyncio.create_task(read_plain())
        viewer = await enter(deflated(served, chunk_radius=1, max_chunks=4))
        seen: list[tuple[int, dict[str, Any]]] = []
        while len(seen) < 45:
            before, message = viewer.bytes, await viewer.read()
            if message["type"] == "TICK":
                seen.append((viewer.bytes - before, message))
        late = await enter(deflated(served, focus_agent_id=crowd[0].id, voxel_radius=1))
        while len(seen) < 65:
            for screen in (viewer, late):
                message = await screen.read()
                if message["type"] == "TICK":
                    seen.append((viewer.bytes, message))
        while seen[-1][1]["tick"] not in texts:
            await asyncio.sleep(0.01)
        reading.cancel()
        assert all(texts.get(message["tick"], message) == message for _, message in seen)
        assert any("move_task" in agent for _, tick in seen for agent in tick["agents"])
        # Of the viewer that wants few chunks, so that it follows the compressed stream soon.
        sizes = [size for size, _ in seen[15:45]]
        assert 5 * sum(sizes) / len(sizes) < STREAM_BYTES_PER_SECOND
