"""A follower: copies a world that is being played, executes it, shows the same, and stops when it
differs."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Generator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from functools import partial
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import aiohttp
import pytest
from aiohttp import web

from tests.server.serving import RawAgent, Served, run, table_of_routes
from tests.server.test_up import THORP, Running, fails, up
from thorp.bridges.voxel_town import new_city_world
from thorp.cli.served import ServedJournal
from thorp.kernel.errors import DamagedError, ThorpError, UnavailableError, UnknownError
from thorp.server.access.principals import Principals
from thorp.server.access.tokens import Role, Tokens, ensure_admin_token
from thorp.server.follower import follow
from thorp.server.host import listening, living
from thorp.server.http.server import Server
from thorp.server.live import followed_agents
from thorp.server.settings import WORLD, Settings
from thorp.store import RealDisk
from thorp.store.record import MAX_LINE_BYTES
from thorp.voxel import WorldService, backup, replay, verify
from thorp.voxel.persistence import record
from thorp.voxel.persistence.directory import WorldDirectory
from thorp.voxel.replica import (
    CONFIRM_ROUNDS,
    Files,
    Replica,
    confirm_opened,
    copy,
    list_files,
    open_file,
)
from thorp.voxel.tuning import Tuning

DISK = RealDisk()
OBSERVER = "/admin/v1/observer/ws"


@asynccontextmanager
async def leading(data: Path, port: int = 0, **tuning: Any) -> AsyncIterator[Served]:
    """A world that is being played."""
    ensure_admin_token(data)
    tuned = Tuning(**{"snapshot_every_ticks": 20, **tuning})
    server = Server(data, Principals(Tokens(data)))
    async with listening(server, "127.0.0.1", port) as port:
        service = WorldService.open(
            DISK, data / WORLD, draw_seed=5, tuning=tuned, retune=True, make_world=new_city_world
        )
        async with living(server, service, "lockstep"), aiohttp.ClientSession() as http:
            yield Served(port, server, http, data)


def admin(leader: Served) -> dict[str, str]:
    return {"Authorization": f"Bearer {ensure_admin_token(leader.data)}"}


class Follower:
    def __init__(self, data: Path) -> None:
        self.data = data
        self.said: list[str] = []
        self.ended: asyncio.Task[Exception | None]
        self._http = aiohttp.ClientSession()

    @property
    def port(self) -> int:
        return int(self.said[0].rstrip("/").rpartition(":")[2])

    async def get(self, path: str, method: str = "GET", **options: Any) -> tuple[int, str]:
        url = f"http://127.0.0.1:{self.port}{path}"
        async with self._http.request(method, url, **options) as answer:
            return answer.status, await answer.text()

    @asynccontextmanager
    async def socket(self, path: str) -> AsyncIterator[RawAgent]:
        async with self._http.ws_connect(
            f"ws://127.0.0.1:{self.port}{path}", max_msg_size=0
        ) as socket:
            yield RawAgent(socket)

    async def until(self, is_so: Callable[[int, str], bool], path: str = "/readyz") -> str:
        """Its answer, when that is as it should be."""
        while not self.said or not is_so(*(told := await self.get(path))):
            if self.ended.done():
                await self.ended
            await asyncio.sleep(0.02)
        return told[1]

    async def until_tick(self, tick: int) -> None:
        await self.until(
            lambda status, text: status == 200 and json.loads(text)["tick"] >= tick,
            "/admin/v1/observer/bootstrap",
        )

    async def close(self) -> None:
        await self._http.close()


@asynccontextmanager
async def following(data: Path, leader: Served) -> AsyncIterator[Follower]:
    follower, stop = Follower(data), asyncio.Event()
    url, token = leader.url("").rstrip("/"), ensure_admin_token(leader.data)
    settings = Settings(data=data, port=0, loopback=Role.ADMIN)
    connect = partial(ServedJournal, url, token)
    follower.ended = asyncio.create_task(follow(settings, url, connect, follower.said.append, stop))
    try:
        yield follower
    finally:
        stop.set()
        await asyncio.wait([follower.ended])
        await follower.close()


def journal(data: Path) -> bytes:
    """All segments, unpacked."""
    parts = []
    for segment in WorldDirectory(DISK, data / WORLD).segments():
        with closing(segment.open()) as file:
            parts.append(file.read(0, file.size()))
    return b"".join(parts)


async def until_same_journal(copy: Path, data: Path) -> None:
    """Wait until a copy, which begins with a later segment, ends as the journal does."""
    while len(copied := journal(copy)) < 5000 or not journal(data).endswith(copied):
        await asyncio.sleep(0.02)


async def play(leader: Served, ticks: int) -> None:
    """Let somebody live in a world in lockstep for some ticks; then its time stands still."""
    async with leader.agent("mole") as mole:
        until = (await mole.obs())["tick"] + ticks
        while mole.last["tick"] < until:
            x, y, z = mole.last["self"]["pos"]
            task = {"id": "k", "type": "MOVE_TO", "target": [x + 3, y, z], "tolerance": 1}
            say = {
                "id": "i",
                "type": "SAY",
                "channel": "LOCAL",
                "text": f"tick {mole.last['tick']}",
            }
            await mole.act(instants=[say], tasks=[task])
            await mole.obs()


async def watch(viewer: RawAgent, seen: dict[Any, Any]) -> None:
    """Keep every TICK, and what each chunk looks like at last."""
    await viewer.send(
        {"type": "SUBSCRIBE", "protocol_version": "0.1", "chunk_radius": 1, "max_chunks": 64}
    )
    while True:
        message = await viewer.receive()
        if message["type"] in ("TICK", "CHUNK_SURFACE"):
            seen[message.get("tick"), message.get("cx"), message.get("cz")] = message


async def ticks_shown(follower: Follower) -> list[int]:
    """Which ticks a route says, asked for as often as possible until it says nothing any more."""
    shown = []
    while (answer := await follower.get("/admin/v1/observer/bootstrap"))[0] == 200:
        shown.append(json.loads(answer[1])["tick"])
        await asyncio.sleep(0)
    return shown


def test_a_follower_has_the_same_journal_and_shows_the_same(tmp_path: Path) -> None:
    async def whole() -> None:
        async with leading(tmp_path / "leader") as leader:
            await play(leader, 45)  # three segments
            async with following(tmp_path / "follower", leader) as follower:
                await follower.until(lambda status, text: status == 200)
                here: dict[Any, Any] = {}
                there: dict[Any, Any] = {}
                async with leader.socket(OBSERVER) as one, follower.socket(OBSERVER) as other:
                    watching = [
                        asyncio.create_task(watch(one, there)),
                        asyncio.create_task(watch(other, here)),
                    ]
                    while not leader.live.spectators or len(follower.said) < 3:
                        await asyncio.sleep(0.01)
                    await play(leader, 30)
                    world = leader.live.service.world
                    await follower.until_tick(world.tick)
                    while not all((world.tick, None, None) in seen for seen in (here, there)):
                        await asyncio.sleep(0.01)
                    for task in watching:
                        task.cancel()
                common = sorted(here.keys() & there.keys(), key=str)
                assert len(common) > 30
                for key in common:
                    assert here[key] == there[key]
                for path in ("society", "agents/A1", "bootstrap"):
                    asked = f"/admin/v1/observer/{path}"
                    assert await follower.get(asked) == await leader.get(
                        asked, headers=admin(leader)
                    )
                status, text = await follower.get("/admin/v1/observer/tape")
                assert (status, json.loads(text)["tick"]) == (200, leader.live.service.world.tick)
                await until_same_journal(follower.data, leader.data)
                digest, tick = leader.live.service.digest(), leader.live.service.world.tick
        assert follower.ended.result() is None
        verdict = verify(DISK, follower.data / WORLD, make_world=new_city_world)
        assert (verdict.verdict, verdict.last_good_tick, verdict.digest) == ("sound", tick, digest)

    run(whole())


def test_only_admins_copy_only_durable_files_and_only_where_nobody_listens(tmp_path: Path) -> None:
    async def whole() -> None:
        async with leading(tmp_path) as leader:
            await play(leader, 3)
            files, live = "/admin/v1/world/files", f"/admin/v1/world/files/journal-{1:012d}.jsonl"
            known = admin(leader)
            assert (await leader.get(files))[0] == (await leader.get(live))[0] == 401
            _, text = Tokens(leader.data).create(Role.OPERATOR, created="2030-01-01T00:00:00Z")
            for path in (files, live):
                assert (await leader.get(path, headers={"Authorization": f"Bearer {text}"}))[
                    0
                ] == 403
                for proxied in ({"Via": "1.1 x"}, {"X-Forwarded-Proto": "http"}):
                    status, told = await leader.get(path, headers={**known, **proxied})
                    assert (status, json.loads(told)["error"]) == (403, "insecure")
            secure = {**known, "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}
            status, told = await leader.get(files, headers=secure)
            size = json.loads(told)["files"][f"journal-{1:012d}.jsonl"]
            assert size == (leader.data / WORLD / f"journal-{1:012d}.jsonl").stat().st_size
            for name in (
                "head",
                "lock",
                "secret",
                "journal-000000000002.jsonl",
                "..%2Fadmin-token",
                "%2e%2e",
            ):
                assert (await leader.get(f"{files}/{name}", headers=known))[0] == 404, name
            assert (await leader.get(f"{live}?from={size + 1}", headers=known))[0] == 409
            assert (await leader.get(f"{live}?from=-1", headers=known))[0] == 400

    run(whole())


def test_bytes_that_are_not_durable_are_not_given(tmp_path: Path) -> None:
    with WorldService.open(DISK, tmp_path, draw_seed=5) as service:
        service.tick([]).result()
        path, size = service.durable_journal
        with path.open("ab") as file:
            file.write(b"written, and not synced")
        with closing(open_file(service, path.name)) as given:
            assert given.end() == (size, True)
        assert list_files(service, None, "r").files[path.name] == size
        path.write_bytes(path.read_bytes()[:size])


def test_nobody_plays_or_writes_at_a_follower(tmp_path: Path) -> None:
    async def whole() -> None:
        async with leading(tmp_path / "leader") as leader:
            await play(leader, 3)
            async with following(tmp_path / "follower", leader) as follower:
                await follower.until(lambda status, text: status == 200)
                posts = [route.path for route in table_of_routes() if route.method == "POST"]
                for method, path in [("GET", "/v1/ws"), *(("POST", path) for path in posts)]:
                    status, text = await follower.get(path, method)
                    assert (status, leader.url("") in text) == (421, True), path

    run(whole())


def test_a_follower_that_comes_to_another_state_is_named_and_silent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As if a rule were another one here. What comes of it is never shown."""
    execute = Replica._execute

    def other(self: Replica, inputs: Any, lines: Any) -> Any:
        durable = execute(self, inputs, lines)
        self.world.weather_until += self.world.tick == 12
        return durable

    open_replica = Replica.open

    def opened_otherwise(*arguments: Any, **named: Any) -> Replica:
        replica = open_replica(*arguments, **named)
        replica.world.weather_until += 1
        return replica

    async def whole() -> None:
        async with leading(tmp_path / "leader") as leader:
            await play(leader, 3)
            with monkeypatch.context() as patched:
                patched.setattr(Replica, "_execute", other)
                async with following(tmp_path / "follower", leader) as follower:
                    await follower.until(lambda status, text: status == 200)
                    seen: dict[Any, Any] = {}
                    async with follower.socket(OBSERVER) as viewer:
                        watching = asyncio.create_task(watch(viewer, seen))
                        looking = asyncio.create_task(ticks_shown(follower))
                        await play(leader, 30)
                        named = await follower.until(lambda status, text: "diverged" in text)
                        watching.cancel()
                    shown = await looking
                    assert max(shown) <= 11
                    assert 11 in [tick for tick, *_ in seen]
                    assert not [tick for tick, *_ in seen if tick is not None and tick > 11]
                    digests = re.search(
                        "after tick 12 the leader has digest ([0-9a-f]{64}), .* gives "
                        "([0-9a-f]{64})",
                        named,
                    )
                    assert digests is not None
                    assert digests[1] != digests[2]
                    assert (
                        digests[1]
                        == replay(DISK, leader.data / WORLD, 12, make_world=new_city_world).digest()
                    )
                    for path in ("bootstrap", "society", "agents/A1"):
                        assert (await follower.get(f"/admin/v1/observer/{path}"))[0] == 503
                    assert (await follower.get(OBSERVER))[0] in (400, 503)
                    assert named.count("diverged") == 1
                    assert digests[0] in caplog.text
                assert isinstance(follower.ended.result(), DamagedError)
                patched.setattr(Replica, "open", opened_otherwise)
                async with following(tmp_path / "another", leader) as follower:
                    with pytest.raises(
                        DamagedError, match=r"diverged: after tick \d+ the leader has digest"
                    ):
                        await follower.ended
            async with following(
                tmp_path / "follower", leader
            ) as follower:  # the copy itself is sound
                await follower.until_tick(leader.live.service.world.tick)
                await until_same_journal(follower.data, leader.data)

    run(whole())


def test_segments_seasons_and_epochs_are_followed_and_a_leader_that_was_set_back_is_not(
    tmp_path: Path,
) -> None:
    data, usual = tmp_path / "leader", {"seasons": True, "day_ticks": 24, "season_length_ticks": 48}

    async def whole() -> None:
        async with AsyncExitStack() as stack:
            async with leading(data, **usual) as leader:
                await play(leader, 25)
                backup(DISK, data / WORLD, tmp_path / "before")
                follower = await stack.enter_async_context(following(tmp_path / "follower", leader))
                await follower.until_tick(25)
                await play(leader, 45)  # past the end of a season
                await follower.until_tick(leader.live.service.world.tick)
            assert re.search(
                r"since 20\d\d-\S+Z", await follower.until(lambda status, text: status == 503)
            )
            assert (await follower.get("/admin/v1/observer/bootstrap"))[0] == 200, (
                "the picture stands"
            )
            async with leading(data, leader.port, **usual, guest_ticks=9) as leader:
                assert leader.live.service.recovery.epoch_reason == "another tuning"
                await play(leader, 30)
                await follower.until_tick(leader.live.service.world.tick)
                await until_same_journal(follower.data, data)
                assert sum("copies again" in text for text in follower.said) == 1
            shutil.rmtree(data / WORLD)
            shutil.copytree(tmp_path / "before", data / WORLD)
            async with leading(data, leader.port, **usual):
                told = await follower.until(
                    lambda status, text: "this is not what the leader has" in text
                )
                assert "move" in told
        assert isinstance(follower.ended.result(), DamagedError)

    run(whole())
    assert verify(DISK, tmp_path / "follower" / WORLD, make_world=new_city_world).verdict == "sound"
    assert len(WorldDirectory(DISK, tmp_path / "follower" / WORLD).archives()) == 2


def test_damage_and_other_rules_are_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(leader: Served) -> str:
        async with following(tmp_path / "follower", leader) as follower:
            with pytest.raises(ThorpError) as refusal:
                await follower.ended
            return str(refusal.value)

    def flip(path: Path, at: int) -> None:
        data = bytearray(path.read_bytes())
        data[at] ^= 1
        path.write_bytes(data)

    async def whole() -> None:
        async with leading(tmp_path / "leader", snapshot_every_ticks=100) as leader:
            await play(leader, 20)
            kept = leader.data / WORLD / f"journal-{1:012d}.jsonl"
            with monkeypatch.context() as patched:
                ours = record.RULES
                patched.setattr(record, "RULES", ours + 1)
                assert f"cannot be followed: it has rules {ours}" in await refused(leader)
            shutil.rmtree(tmp_path / "follower")
            flip(kept, 3000)
            assert "does not prove itself" in await refused(leader)
            flip(kept, 3000)
            shutil.rmtree(tmp_path / "follower")
            async with following(tmp_path / "follower", leader) as follower:
                await follower.until_tick(20)
            flip(tmp_path / "follower" / WORLD / kept.name, 3000)
            assert "is damaged" in await refused(leader)

    run(whole())


def test_either_may_be_killed_and_no_secret_is_said(tmp_path: Path) -> None:
    leader, follower = tmp_path / "leader", tmp_path / "follower"
    said = ""

    def get(port: int, path: str) -> tuple[int, str]:
        try:
            with urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except HTTPError as refusal:
            return refusal.code, refusal.read().decode()

    def tick(port: int) -> int:
        return int(json.loads(get(port, "/admin/v1/observer/bootstrap")[1]).get("tick", 0))

    def until(is_so: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 60
        while not is_so():
            assert time.monotonic() < deadline
            time.sleep(0.05)

    with up(leader) as first:
        token = leader / "admin-token"
        command = [
            *THORP,
            "follow",
            f"http://127.0.0.1:{first.port}",
            "--data",
            str(follower),
            "--port",
        ]
        given = ["--token-file", str(token)]

        def start(port: int = 0) -> Running:
            pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
            return Running(subprocess.Popen([*command, str(port), *given], **pipes), follower)

        copy = start()
        try:
            until(lambda: tick(copy.port) > 10)
            copy.process.kill()
            said += copy.process.communicate()[0]
            at = tick(first.port)
            copy = start()
            until(lambda: tick(copy.port) > at)
            first.process.kill()
            first.process.wait()
            until(lambda: "has not answered since" in get(copy.port, "/readyz")[1])
            last = tick(copy.port)
            assert last > at
            with up(leader, "--port", str(first.port)) as again:
                until(lambda: tick(copy.port) > last + 10)
                assert get(copy.port, "/readyz") == (200, "ready")
                assert again.end()[0] == 0
            assert copy.end()[0] == 0
            said += copy.process.communicate()[0]
        finally:
            copy.process.kill()
    whole, part = journal(leader), journal(follower)
    assert len(part) > 5000
    assert whole.startswith(part)
    assert verify(DISK, follower / WORLD, make_world=new_city_world).verdict == "sound"
    secrets = [token.read_text().strip(), *re.findall(r'"draw_seed":(-?\d+)', whole.decode())]
    assert len(secrets) > 1
    assert not [secret for secret in secrets if secret in said]


def test_a_leader_elsewhere_is_followed_over_tls_only(tmp_path: Path) -> None:
    assert "over https://" in fails(
        "follow", "http://192.0.2.1:8080", "--data", str(tmp_path / "copy")
    )
    assert "cannot be reached" in fails(
        "follow", "http://127.0.0.1:9", "--data", str(tmp_path), "--port", "0"
    )


SENT_AT_MOST = 200 * 2**20  # What a leader that lies would send for ever, if this test let it.


class LyingLeader:
    """A leader whose listing and files are whatever a test says."""

    name = "the server at http://liar"

    def __init__(self, files: dict[str, int], piece: bytes) -> None:
        self.sent_bytes = 0
        self._files = files
        self._piece = piece

    def files(self, from_tick: int | None) -> Files:
        return Files("1.0", self._files)

    def read(self, name: str, offset: int) -> Generator[bytes]:
        while self.sent_bytes < SENT_AT_MOST:
            self.sent_bytes += len(self._piece)
            yield self._piece


SNAPSHOT = "snapshot-000000000000.zst"
SEGMENT = "journal-000000000001.jsonl"


@pytest.mark.parametrize(
    ("files", "most_bytes"),
    [
        ({SNAPSHOT: 10, SEGMENT: 10}, 2**16),
        ({"season-0001.zst": 3 * 2**16, SEGMENT: 10}, 4 * 2**16),
        ({SNAPSHOT: -1, SEGMENT: 10}, 0),
        ({SNAPSHOT: 2**60, SEGMENT: 10}, 0),
        ({SEGMENT: 10}, MAX_LINE_BYTES + 2**17),
        ({SEGMENT: 2**60}, MAX_LINE_BYTES + 2**17),
    ],
)
def test_a_leader_that_sends_more_than_it_lists_is_read_no_further(
    files: dict[str, int], most_bytes: int, tmp_path: Path
) -> None:
    leader = LyingLeader(files, b"x" * 2**16)
    with pytest.raises(ThorpError, match="leader"):
        copy(DISK, tmp_path / WORLD, leader, new_city_world)
    assert leader.sent_bytes <= most_bytes
    assert {path.name for path in (tmp_path / WORLD).iterdir()} == {"lock"}


class ForgetfulLeader:
    """A leader with a world, which never says how a tick ended nor what came after it."""

    name = "forgetful"

    def __init__(self, service: WorldService, *, has_file: bool) -> None:
        self.questions = 0
        self._service = service
        self._has_file = has_file

    def files(self, from_tick: int | None) -> Files:
        self.questions += 1
        listed = list_files(self._service, from_tick, "1.0")
        return Files("1.0", listed.files, tick=10**9, digest="")

    def read(self, name: str, offset: int) -> Generator[bytes]:
        if not self._has_file:
            raise UnknownError("it is gone")
        yield from ()


@pytest.mark.parametrize("has_file", [True, False])
def test_a_leader_that_never_says_how_a_tick_ended_is_asked_so_many_times(
    tmp_path: Path, has_file: bool
) -> None:
    path = tmp_path / WORLD
    WorldService.open(DISK, path, seed=7, make_world=new_city_world).close()
    with Replica.open(DISK, path, make_world=new_city_world, copied=True) as replica:
        leader = ForgetfulLeader(replica, has_file=has_file)
        with pytest.raises(UnavailableError, match="does not say how tick 0 ended"):
            confirm_opened(replica, leader)
        assert leader.questions == 2 * CONFIRM_ROUNDS


@asynccontextmanager
async def lying(files: dict[str, int]) -> AsyncIterator[str]:
    """A server that lists these files, and sends zeros for each for as long as somebody reads."""

    async def listing(request: web.Request) -> web.Response:
        return web.json_response({"release": "1.0", "files": files})

    async def zeros(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse()
        await response.prepare(request)
        for _ in range(SENT_AT_MOST // 2**16):
            await response.write(bytes(2**16))
        return response

    app = web.Application()
    app.router.add_get("/admin/v1/world/files", listing)
    app.router.add_get("/admin/v1/world/files/{name}", zeros)
    runner = web.AppRunner(app, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({}, "no segment"),
        ({SNAPSHOT: 10}, "no segment"),
        ({"../../evil": 10}, "no segment"),
        ({SNAPSHOT: 10, SEGMENT: 10}, "more than the 10 bytes"),
        ({SEGMENT: 10}, "a longer batch"),
    ],
)
def test_what_a_lying_leader_is_refused_for_is_one_line(
    files: dict[str, int], told: str, tmp_path: Path
) -> None:
    async def whole() -> tuple[int | None, str]:
        async with lying(files) as url:
            command = [*THORP, "follow", url, "--data", str(tmp_path / "copy"), "--port", "0"]
            process = await asyncio.create_subprocess_exec(
                *command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
            )
            _, said = await process.communicate()
            return process.returncode, said.decode()

    code, said = run(whole())
    assert code == 2
    assert told in said
    assert said.count("\n") == 1
    assert not (tmp_path / "evil").exists()


def test_only_so_many_bytes_of_a_leader_wait_to_be_executed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(followed_agents, "MAX_WAITING_BYTES", 100)

    async def whole() -> None:
        async with leading(tmp_path / "leader") as leader:
            await play(leader, 45)
            async with following(tmp_path / "follower", leader) as follower:
                await follower.until(lambda status, text: status == 200)
                await play(leader, 30)
                await follower.until_tick(leader.live.service.world.tick)

    run(whole())
