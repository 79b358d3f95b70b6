"""From the connection to the first OBS, and every way in which that can go wrong."""

from __future__ import annotations

import asyncio
import hashlib
import json
import socket
from contextlib import suppress

import pytest

from tests.server.serving import CATALOGS, Served, with_server
from thorp.server.sockets import agents


@with_server()
async def test_welcome_catalogs_and_obs_come_in_this_order(served: Served) -> None:
    async with served.agent("mole") as mole:
        assert mole.welcome["protocol_version"] == "0.9"
        assert mole.welcome["agent_id"] == "A1"
        assert mole.token.startswith("resume_world_1_")
        assert list(mole.catalogs) == CATALOGS
        obs = await mole.obs()
        assert obs["tick"] >= 1
        assert obs["agent_id"] == "A1"
        assert (await mole.obs())["tick"] == obs["tick"] + 1


@with_server()
async def test_numbers_of_welcome_are_integers_and_catalogs_come_in_one_part(
    served: Served,
) -> None:
    async with served.agent() as mole:
        params = mole.welcome["world_params"]
        assert params == {
            "tick_rate_hz": 50,
            "chunk_size": [16, 16, 64],
            "height": 64,
            "obs_radius": 7,
            "day_ticks": 6000,
            "seed": 1337,
        }
        assert all(type(params[name]) is int for name in params if name != "chunk_size")
        digests = mole.welcome["catalogs"]
        for name, catalog in mole.catalogs.items():
            assert (catalog["part"], catalog["total_parts"], catalog["protocol_version"]) == (
                1,
                1,
                "0.9",
            )
            assert catalog["data"]
            text = json.dumps(catalog["data"], separators=(",", ":"), ensure_ascii=False).encode()
            assert catalog["digest"] == hashlib.sha256(text).hexdigest()
            told = digests[name] if "palette" in name else {"digest": digests[f"{name}_digest"]}
            assert told["digest"] == catalog["digest"]
        palette = mole.catalogs["block_palette"]["data"]
        assert palette[0] == "AIR"
        assert digests["block_palette"]["count"] == len(palette)
        assert "stick_from_plank" in {
            recipe["recipe_id"] for recipe in mole.catalogs["recipes"]["data"]
        }
        assert "workshop_pad" in {
            blueprint["id"] for blueprint in mole.catalogs["blueprints"]["data"]
        }


@with_server(tick_rate_hz=5)
async def test_binary_frames_are_as_good_as_text(served: Served) -> None:
    async with served.socket() as mole:
        hello = {
            "type": "HELLO",
            "protocol_version": "0.9",
            "agent_name": "mole",
            "capabilities": {},
        }
        await mole.socket.send_bytes(json.dumps(hello).encode())
        await mole.greeted()
        await mole.obs()
        act = {
            "type": "ACT",
            "protocol_version": "0.9",
            "tick": mole.last["tick"],
            "agent_id": "A1",
        }
        act["tasks"] = [{"id": "k", "type": "STOP"}]
        await mole.socket.send_bytes(json.dumps(act).encode())
        assert (await mole.result("k"))["ok"] is True


BAD_HELLOS = {
    "not JSON": ("nonsense", 1008, "expected HELLO"),
    "no object": ("[]", 1008, "expected HELLO"),
    "trailing junk": ('{"type":"HELLO","protocol_version":"0.9"}x', 1008, "expected HELLO"),
    "another type": ('{"type":"ACT","protocol_version":"0.9"}', 1008, "expected HELLO"),
    "a type that is no text": ('{"type":7,"protocol_version":"0.9"}', 1008, "expected HELLO"),
    "another version": ('{"type":"HELLO","protocol_version":"1.1"}', 1008, "bad protocol_version"),
    "a version that is no text": (
        '{"type":"HELLO","protocol_version":0.9}',
        1008,
        "expected HELLO",
    ),
    "deeply nested": ("[" * 100_000, 1008, "expected HELLO"),
    "cut off": ('{"type":"HELLO","protocol_ver', 1008, "expected HELLO"),
}


@with_server()
async def test_what_is_no_hello_closes_the_socket_and_says_why(served: Served) -> None:
    for name, (frame, code, reason) in BAD_HELLOS.items():
        async with served.socket() as peer:
            await peer.send(frame)
            end = await peer.closed()
            assert (end.code, end.reason) == (code, reason), name
    async with served.socket() as peer:
        await peer.send(
            {"type": "HELLO", "protocol_version": "0.9", "capabilities": {"max_queue": "x"}}
        )
        end = await peer.closed()
        assert end.code == 1008
        assert "max_queue" in end.reason
    async with served.socket() as peer:
        await peer.socket.send_bytes(b'{"type":"HELLO","protocol_version":"\xff"}')
        assert (await peer.closed()).code == 1008
    assert not list(served.live.service.world.agents)


@with_server()
async def test_unknown_fields_and_missing_ones_are_accepted(served: Served) -> None:
    for extra in ({}, {"capabilities": None, "auth": None}, {"agent_name": "", "what": [1]}):
        async with served.socket() as peer:
            await peer.send({"type": "HELLO", "protocol_version": "0.9", **extra})
            await peer.greeted()
            await peer.obs()
    assert [agent.name for agent in served.live.service.world.agents] == ["agent"] * 3


@with_server()
async def test_a_name_is_cut_at_64_bytes_between_two_characters(served: Served) -> None:
    async with served.agent("ä" * 40), served.agent("x" + "€" * 30):
        names = [agent.name for agent in served.live.service.world.agents]
        assert names == ["ä" * 32, "x" + "€" * 21]


def test_without_a_hello_the_connection_ends(
    tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(agents, "HELLO_SECONDS", 0.2)

    @with_server()
    async def play(served: Served) -> None:
        async with served.socket() as peer:
            with suppress(ConnectionError):  # closed before the last one, on a busy machine
                for _ in range(20):
                    await peer.socket.ping()  # no substitute for a HELLO
                    await asyncio.sleep(0.005)
            assert (await peer.closed()).code == 1006
        assert not list(served.live.service.world.agents)

    play(tmp_path)  # type: ignore[arg-type]


@with_server()
async def test_pings_before_the_hello_are_answered(served: Served) -> None:
    async with served.socket(autoping=False) as mole:
        await mole.socket.pong()
        for _ in range(20):
            await mole.socket.ping(b"there?")
            assert (await mole.socket.receive(5)).data == b"there?"
        await mole.hello()
        await mole.greeted()


def test_a_hello_has_five_seconds() -> None:
    assert agents.HELLO_SECONDS == 5


@with_server()
async def test_whoever_hangs_up_at_once_disturbs_nobody(served: Served) -> None:
    for _ in range(5):
        async with served.socket() as peer:
            await peer.hello("gone")
    async with served.agent("stays") as stays:
        first = await stays.obs()
        assert (await stays.obs())["tick"] == first["tick"] + 1
    await served_without_clients(served)


async def served_without_clients(served: Served) -> None:
    while len(served.live.agents):
        await asyncio.sleep(0.01)


@with_server(population_cap=2)
async def test_a_full_world_says_try_again_later(served: Served) -> None:
    async with served.agent("one"), served.agent("two") as two:
        async with served.socket() as third:
            await third.hello("three")
            end = await third.closed()
            assert (end.code, end.reason) == (1013, "the world is full")
        await two.socket.close()
        async with served.agent("two again", token=two.token) as again:
            assert again.id == two.id
        assert len(served.live.service.world.agents) == 2


@with_server()
async def test_a_plain_get_is_a_bad_request(served: Served) -> None:
    async with served.http.get(served.url("/v1/ws")) as answer:
        assert answer.status == 400
        assert answer.headers["Sec-Websocket-Version"] == "13"
        assert await answer.text() == "Bad Request"


@with_server()
async def test_compression_is_never_agreed_to(served: Served) -> None:
    async with served.socket(compress=15) as peer:
        assert not peer.socket.compress
        await peer.hello()
        await peer.greeted()


@with_server()
async def test_any_version_of_the_page_may_come_with_its_own_origin(served: Served) -> None:
    """Pages of this machine may connect; a page from elsewhere would act with this machine's
    rights."""
    async with served.socket(origin="http://localhost:5173") as peer:
        await peer.hello()
        await peer.greeted()


@with_server()
async def test_a_request_cut_off_in_the_middle_of_the_upgrade_is_harmless(served: Served) -> None:
    raw = socket.create_connection(("127.0.0.1", served.port))
    raw.sendall(b"GET /v1/ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: webso")
    raw.close()
    async with served.agent() as mole:
        await mole.obs()


@with_server()
async def test_tokens_are_unguessable_and_kept_only_as_hashes(served: Served) -> None:
    async with served.agent("one") as one, served.agent("two") as two:
        assert len({one.token, two.token}) == 2
        assert all(len(agent.token) >= len("resume_world_1_") + 32 for agent in (one, two))
        await one.obs()
        stored = b"".join(path.read_bytes() for path in served.data.rglob("*") if path.is_file())
        assert one.token.encode() not in stored
        assert hashlib.sha256(one.token.encode()).hexdigest().encode() in stored
