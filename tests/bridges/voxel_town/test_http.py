"""Towns of the live voxel world over HTTP, on a real socket with a real disk."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import pytest

from tests.bridges.voxel_town.settled import FIRST, create_settled_world, open_settled
from tests.server.serving import Served, run
from thorp.cli import village as villagers
from thorp.observer.annals import FILE, Annals
from thorp.server.access.principals import Principals
from thorp.server.access.tokens import Role, Tokens
from thorp.server.host import listening, living
from thorp.server.http.server import Server
from thorp.server.live import request_queue
from thorp.server.settings import WORLD
from thorp.store import RealDisk
from thorp.town import EmbeddedTown, snapshot_hash, validate_snapshot
from thorp.town.embedded.council import Council
from thorp.town.testing import handoff_for
from thorp.village.council import CityCouncil
from thorp.village.roster import villager
from thorp.voxel import verify
from thorp.voxel.extension import RowKey
from thorp.voxel.inputs import ExtensionRequest
from thorp.voxel.service import own_thread


@asynccontextmanager
async def listening_only(data: Path) -> AsyncIterator[Served]:
    """A server whose world is still being opened."""
    server = Server(data, Principals(Tokens(data), loopback=Role.ADMIN))
    async with listening(server, "127.0.0.1", 0) as port, aiohttp.ClientSession() as http:
        yield Served(port, server, http, data)


@asynccontextmanager
async def serving(data: Path, clock: str = "max") -> AsyncIterator[Served]:
    async with listening_only(data) as served:
        service = open_settled(RealDisk(), data / WORLD, threads=own_thread)
        async with living(served.server, service, clock):
            yield served


def with_towns(
    play: Callable[[Served], Awaitable[None]], clock: str = "max"
) -> Callable[[Path], None]:
    def test(tmp_path: Path) -> None:
        async def whole() -> None:
            async with serving(tmp_path, clock) as served:
                await play(served)

        run(whole())

    test.__name__, test.__doc__ = play.__name__, play.__doc__
    return test


async def snapshot(served: Served, town: str = FIRST) -> tuple[int, Any]:
    status, text = await served.get(f"/v1/towns/{town}/snapshot")
    return status, json.loads(text)


async def post(served: Served, body: bytes | dict[str, Any]) -> tuple[int, Any]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    async with served.http.post(served.url("/v1/handoffs"), data=io.BytesIO(data)) as answer:
        return answer.status, await answer.json()


@with_towns
async def test_the_loop_closes(served: Served) -> None:
    status, seen = await snapshot(served)
    assert status == 200
    validate_snapshot(seen)
    handoff = handoff_for(seen, "MAYOR_ACCEPT_MISSION", "C000001")
    status, result = await post(served, handoff)
    assert (status, result["status"], result["reasonCode"]) == (200, "executed", "EXECUTED")
    _, after = await snapshot(served)
    assert after["mission"]["id"] == "C000001"
    if after["day"] == seen["day"]:  # the world ticks as fast as it can
        assert result["worldState"]["postExecutionSnapshotHash"] == snapshot_hash(after)
    status, again = await post(served, handoff)
    assert (status, again["status"]) == (200, "duplicate")
    assert again["evaluation"]["duplicateCheck"]["duplicateOf"] == result["resultId"]


def test_decisions_are_told_with_what_led_to_them_also_by_the_next_server(tmp_path: Path) -> None:
    """What was seen, told, weighed and ordered, and what came of it."""
    path = f"/admin/v1/towns/{FIRST}/decisions"

    async def look(served: Served, path: str) -> Any:
        status, text = await served.get(path)
        assert status == 200, text
        return json.loads(text)

    async def play() -> None:
        async with listening_only(tmp_path) as served:
            service = open_settled(RealDisk(), tmp_path / WORLD, threads=own_thread)
            annals = Annals(service.world, tmp_path / WORLD)
            async with living(served.server, service, "real", annals=annals):
                _, seen = await snapshot(served)
                captain = Council(FIRST).governors[1]
                assert (await post(served, captain.handoff(seen)))[1]["status"] == "executed"
                _, after = await snapshot(served)
                asked = handoff_for(after, "SALVAGE_PLAN", "dread", actor="<b>stranger</b>")
                _, refused = await post(served, asked)
                assert await look(served, "/admin/v1/towns/ORG000009/decisions") == []
                newest, first = await look(served, path)
                assert await look(served, f"{path}?before={newest['tick']}") == [first]
                assert (first["actor"], first["saw"]) == ("captain-1", seen["pressure"])
                assert first["contract"] or first["type"] == "TOWNSFOLK_TALK"
                assert [one["selected"] for one in first["weighed"]][:1] == [True]
                assert first["weighed"][0]["priority"] == first["priority"]
                assert (newest["actor"], newest["weighed"]) == ("<b>stranger</b>", [])
                assert newest["status"] == refused["status"]
        annals_file = tmp_path / WORLD / FILE
        annals_file.write_bytes(
            annals_file.read_bytes() + b'{"tick": 999999, "treasuries": {}}\n{torn'
        )
        again = Annals(service.world, tmp_path / WORLD)
        assert [msgspec.to_builtins(one) for one in again.decisions(FIRST, None)] == [newest, first]

    run(play())


@with_towns
async def test_what_is_refused(served: Served) -> None:
    assert (await snapshot(served, "ORG000009"))[0] == 404
    for body, error in (
        (b"", "not_json"),
        (b'{"a":1,"a":2}', "duplicate_key"),
        (b"[" * 65 + b"]" * 65, "depth"),
    ):
        status, answer = await post(served, body)
        assert (status, answer["error"]) == (400, error)
    _, seen = await snapshot(served)
    forged = {**handoff_for(seen), "command": "townsfolk talk ORG000001 loudly"}
    status, answer = await post(served, forged)
    assert (status, answer["error"]) == (400, "mismatch")
    unstorable = handoff_for(seen, actor="half \ud800")
    status, answer = await post(served, unstorable)
    assert (status, answer["error"]) == (400, "text")
    status, answer = await post(served, handoff_for({**seen, "townId": "Nowhere"}))
    assert (status, answer["reasonCode"]) == (200, "UNKNOWN_TOWN")


@with_towns
async def test_embedded_towns_are_served_beside(served: Served) -> None:
    with EmbeddedTown(served.data) as world:
        world.create_town("Old Mill")
    status, seen = await snapshot(served, "Old%20Mill")
    assert (status, seen["townId"]) == (200, "Old Mill")
    status, result = await post(served, handoff_for(seen))
    assert (status, result["status"]) == (200, "executed")


@with_towns
async def test_many_ask_at_once_and_one_is_executed(served: Served) -> None:
    _, seen = await snapshot(served)
    handoffs = [handoff_for(seen, actor=f"racer-{number}") for number in range(12)]
    results = await asyncio.gather(*(post(served, handoff) for handoff in handoffs))
    assert {status for status, _ in results} == {200}
    assert sorted(result["status"] for _, result in results) == ["executed"] + ["stale"] * 11


def test_a_council_governs_behind_a_socket(tmp_path: Path) -> None:
    statuses: list[str] = []

    async def play() -> None:
        async with serving(tmp_path, "real") as served:
            for governor in Council(FIRST).governors:
                _, seen = await snapshot(served)
                _, result = await post(served, governor.handoff(seen))
                statuses.append(result["status"])

    run(play())
    assert statuses == ["executed"] * 3
    verdict = verify(RealDisk(), tmp_path / WORLD, make_world=create_settled_world)
    assert verdict.ok, verdict


@with_towns
async def test_the_council_of_the_village_governs_over_http(served: Served) -> None:
    """As the process of the villagers does it: every day, each governor on a fresh snapshot."""
    mayor = villager("Odile", msgspec.to_builtins(served.live.service.world.catalogs.lists()))
    council = CityCouncil(mayor)
    url = served.url("/v1/ws", "ws")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(villagers, "COUNCIL_SECONDS", 0.01)
        governing = asyncio.create_task(villagers._govern(served.http, url, None, council, print))
        await asyncio.sleep(0.05)
        assert served.live.service.world.rows.get(RowKey("town", f"{FIRST}/state")) is not None
        assert not any(one.poster == FIRST for one in served.live.service.world.contracts), (
            "nobody called it"
        )
        mayor.knowledge.things["city"] = FIRST
        mayor.council_day = 0
        while not any(one.poster == FIRST for one in served.live.service.world.contracts):
            await asyncio.sleep(0.01)
        governing.cancel()
        await asyncio.wait([governing])
    _, seen = await snapshot(served)
    assert seen["mission"] is not None


def test_while_the_world_is_being_opened(tmp_path: Path) -> None:
    async def play() -> None:
        async with listening_only(tmp_path) as served:
            status, answer = await snapshot(served)
            assert (status, answer["error"]) == (503, "not_ready")
            seen = {**EMPTY, "townId": FIRST}
            status, answer = await post(served, handoff_for(seen))
            assert (status, answer["error"]) == (503, "not_ready")
            status, answer = await post(served, {})
            assert status == 400

    run(play())


EMPTY: dict[str, Any] = {
    "schemaVersion": "snapshot.v1",
    "day": 0,
    "mission": None,
    "sideQuests": [],
    "pressure": dict.fromkeys(("threat", "scarcity", "hope", "dread"), 0),
    "projects": [],
    "latestNetherEvent": None,
}


def test_a_world_that_has_stopped_answers_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("the disk is gone")

    async def play() -> None:
        async with serving(tmp_path, "real") as served:
            _, seen = await snapshot(served)
            monkeypatch.setattr(served.live.service, "_append", fail)
            status, answer = await post(served, handoff_for(seen))
            assert (status, answer["error"]) == (503, "stopped")
            await served.live.loop.stopped.wait()
            status, answer = await snapshot(served)
            assert (status, answer["error"]) == (503, "stopped")
            status, answer = await post(served, handoff_for(seen))
            assert (status, answer["error"]) == (503, "stopped")

    run(play())


def test_where_time_stands_still_nobody_waits_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_queue, "ANSWER_SECONDS", 0.05)
    monkeypatch.setattr(request_queue, "MAX_WAITING", 2)

    async def play() -> None:
        async with serving(tmp_path, "lockstep") as served:
            _, seen = await snapshot(served)
            handoff = handoff_for(seen)
            for error in ("no_tick", "no_tick", "busy"):
                status, answer = await post(served, handoff)
                assert (status, answer["error"]) == (503, error)
            monkeypatch.setattr(request_queue, "ANSWER_SECONDS", 20)
            async with served.agent("mole"):
                _, after = await snapshot(served)
                assert after != seen, "it was carried out with the first tick"
            waiting = asyncio.create_task(post(served, handoff_for(after, actor="another")))
            while not served.live.loop.requests.waiting:
                await asyncio.sleep(0.01)
            async with served.agent("vole"):
                status, result = await waiting
                assert (status, result["status"]) == (200, "executed")

    run(play())


def test_stopping_tells_whoever_waits(tmp_path: Path) -> None:
    async def play() -> None:
        async with listening_only(tmp_path) as served:
            service = open_settled(RealDisk(), tmp_path / WORLD, threads=own_thread)
            async with living(served.server, service, "lockstep"):
                _, seen = await snapshot(served)
                waiting = asyncio.create_task(post(served, handoff_for(seen)))
                while not served.live.loop.requests.waiting:
                    await asyncio.sleep(0.01)
            status, answer = await waiting
            assert (status, answer["error"]) == (503, "stopped")

    run(play())


def test_a_handful_of_megabytes_goes_over_several_ticks() -> None:
    async def play() -> None:
        desk = request_queue.RequestQueue()
        size = request_queue.BYTES_A_TICK // 2 - 10
        tasks = [
            asyncio.create_task(desk.ask(ExtensionRequest("town", "x" * size))) for _ in range(5)
        ]
        await asyncio.sleep(0)
        sizes = []
        while inputs := desk.freeze():
            sizes.append(len(inputs))
            desk.settle([f"answer {len(sizes)}"] * len(inputs))
            assert not any(task.done() for task in tasks[sum(sizes[:-1]) :]), (
                "nothing is told before release"
            )
            desk.release()
            await asyncio.sleep(0)
        assert sizes == [2, 2, 1]
        assert [await task for task in tasks] == [f"answer {n}" for n in (1, 1, 2, 2, 3)]

    run(play())
