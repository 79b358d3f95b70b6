"""The keeper's routes: what they take, what they refuse, and who may."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from typing import Any

import pytest

from tests.server.serving import Served, run, serving, with_server
from thorp.server.access.tokens import Permission, Role, Tokens
from thorp.server.http.verification import VERIFICATIONS
from thorp.story import open_ledger
from thorp.town import EmbeddedTown

ORDERS = "/admin/v1/towns/orders"


async def order(served: Served, body: Any, query: str = "", **headers: str) -> tuple[int, Any]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    async with served.http.post(
        served.url(ORDERS + query), data=io.BytesIO(data), headers=headers
    ) as answer:
        return answer.status, await answer.json()


async def got(served: Served, path: str, **headers: str) -> tuple[int, Any]:
    status, text = await served.get(path, headers=headers)
    return status, json.loads(text)


@with_server()
async def test_towns_from_first_to_last(served: Served) -> None:
    assert await got(served, "/admin/v1/towns") == (200, {"world": None, "towns": []})
    status, town = await order(served, {"order": "create_town", "town_id": "a"}, "?seed=77")
    assert (status, town["town_id"]) == (200, "a")
    status, listed = await got(served, "/admin/v1/towns")
    assert (listed["world"]["seed"], listed["world"]["records"]) == ("77", 2)
    assert [each["townId"] for each in listed["towns"]] == ["a"]
    assert await order(served, {"order": "advance_day"}) == (200, 1)
    level = {"order": "set_pressure", "town_id": "a", "meter": "hope", "level": 700}
    assert (await order(served, level))[1][0]["kind"] == "pressure_set"
    assert (await got(served, "/admin/v1/towns/a/state"))[1]["meters"]["hope"] == 700
    assert (await got(served, "/admin/v1/towns/a/proposals")) == (200, [])
    _, entries = await got(served, "/admin/v1/towns/chronicle?town=a&limit=1")
    assert [entry["kind"] for entry in entries] == ["pressure_set"]
    status, found = await got(served, "/admin/v1/towns/verify")
    assert (status, found["difference"]) == (200, None)
    assert (await got(served, f"/admin/v1/towns/verify?tip={found['tip']}"))[1] == found
    _, other = await got(served, f"/admin/v1/towns/verify?tip={'0' * 64}")
    assert "the tip you noted" in other["difference"]
    assert (await got(served, "/admin/v1/towns/verify?tip=x"))[0] == 400


WRONG: dict[str, tuple[Any, int, str]] = {
    "nothing": (b"", 400, "not_json"),
    "no JSON": (b"{", 400, "not_json"),
    "one key twice": (b'{"order":"advance_day","order":"advance_day"}', 400, "duplicate_key"),
    "too deep": (b"[" * 65 + b"]" * 65, 400, "depth"),
    "a list": ([], 400, "order"),
    "no order": ({}, 400, "order"),
    "an unknown one": ({"order": "close"}, 400, "order"),
    "one of Python": ({"order": "__init__"}, 400, "order"),
    "something more": ({"order": "advance_day", "days": 3}, 400, "order"),
    "something less": ({"order": "draw_event"}, 400, "order"),
    "another type": ({"order": "draw_event", "town_id": 7}, 400, "order"),
    "a truth for a number": (
        {"order": "set_pressure", "town_id": "a", "meter": "hope", "level": True}, 400, "order",
    ),
    "beyond the end": (
        {"order": "set_pressure", "town_id": "a", "meter": "hope", "level": 10**30}, 400, "range",
    ),
    "no such town": ({"order": "draw_event", "town_id": "b"}, 404, "unknown_town"),
    "half a character": (b'{"order":"create_town","town_id":"\\ud800"}', 400, "text"),
    "a town that is there": ({"order": "create_town", "town_id": "a"}, 409, "town_exists"),
    "no mission": ({"order": "fail_mission", "town_id": "a"}, 409, "mission_absent"),
}  # fmt: skip


def test_what_is_refused_changes_nothing(tmp_path: Path) -> None:
    with EmbeddedTown(tmp_path, seed=5) as world:
        world.create_town("a")
        before = world.verify()

    async def play() -> None:
        async with serving(tmp_path) as served:
            for name, (body, status, code) in WRONG.items():
                answer = await order(served, body)
                assert (answer[0], answer[1]["error"]) == (status, code), (name, answer)
            assert (await order(served, b" " * (2**20 + 1)))[0] == 413
            assert (await order(served, {"order": "create_town", "town_id": "c"}, "?seed=6"))[
                0
            ] == 409
            assert (await order(served, {"order": "create_town", "town_id": "c"}, "?seed=x"))[
                0
            ] == 400
            for path, status in (
                ("/admin/v1/towns/b/state", 404),
                ("/admin/v1/towns/chronicle?town=b", 404),
                ("/admin/v1/towns/chronicle?limit=0", 400),
                ("/admin/v1/towns/chronicle?limit=10001", 400),
                ("/admin/v1/towns/chronicle?limit=many", 400),
                ("/admin/v1/towns/chronicle?limit=" + "9" * 40, 400),
            ):
                assert (await got(served, path))[0] == status, path

    run(play())
    with EmbeddedTown(tmp_path, create=False) as world:
        assert world.verify() == before


@with_server()
async def test_reading_creates_nothing(served: Served) -> None:
    before = sorted(path.name for path in served.data.iterdir())
    for path, status in (
        ("/admin/v1/towns", 200),
        ("/admin/v1/towns/a/state", 409),
        ("/admin/v1/towns/chronicle", 409),
        ("/admin/v1/towns/verify", 409),
        ("/v1/towns/a/snapshot", 404),
        ("/admin/v1/story", 409),
        ("/admin/v1/story/page?as=PUBLIC", 409),
        ("/admin/v1/story/export", 409),
        ("/admin/v1/story/audit", 409),
        ("/admin/v1/story/audit?beat=1", 409),
        ("/admin/v1/story/verify", 409),
    ):
        assert (await got(served, path))[0] == status, path
    for body in ({"order": "advance_day"}, {"order": "draw_event", "town_id": "a"}):
        assert (await order(served, body))[0] == 409
    assert sorted(path.name for path in served.data.iterdir()) == before


@with_server()
async def test_a_story_from_first_to_last(served: Served) -> None:
    async def post(path: str, body: Any) -> tuple[int, Any]:
        async with served.http.post(served.url(path), data=json.dumps(body).encode()) as answer:
            return answer.status, await answer.json()

    founding = "/admin/v1/story/founding"
    status, answer = await post(founding, {"people": [{"person_id": "MARA"}], "nonsense": 1})
    assert (status, answer["error"]) == (400, "config")
    assert (await post(founding, {"people": [{"person_id": "MARA"}]}))[0] == 200
    assert (await post(founding, {"people": [{"person_id": "MARA"}]}))[0] == 200
    assert (await post(founding, {"people": []}))[0] == 409
    config = (await got(served, "/admin/v1/story"))[1]["config"]
    assert [each["person_id"] for each in config["people"]] == ["MARA"]
    seed = {"request_id": "s", "author_id": "MARA", "text": "Mine alone.", "visible_to": ["MARA"]}
    assert (await post("/admin/v1/story/seeds", seed))[0] == 200
    status, answer = await post("/admin/v1/story/seeds", {**seed, "author_id": 5, "text": None})
    assert (status, "violations" in answer["details"]) == (400, True)
    for eyes, count in (("MARA", 1), ("PUBLIC", 0)):
        _, page = await got(served, f"/admin/v1/story/page?as={eyes}")
        assert len(page["stream"]["entries"]) == count
        _, text = await served.get(f"/admin/v1/story/export?as={eyes}")
        assert text.count("\n") == 1 + count
    assert (await got(served, "/admin/v1/story/page?as=NOBODY"))[0] == 409
    assert (await got(served, "/admin/v1/story/export?as=NOBODY"))[0] == 409
    _, found = await got(served, "/admin/v1/story/verify?again=1")
    assert found["difference"] is None
    assert (await got(served, f"/admin/v1/story/verify?tip={found['tip']}"))[1] == found
    _, other = await got(served, f"/admin/v1/story/verify?again=1&tip={'0' * 64}")
    assert "the tip you noted" in other["difference"]


NEEDED = {
    "/admin/v1/towns": Permission.WATCH,
    "/admin/v1/towns/chronicle": Permission.WATCH,
    "/admin/v1/towns/a/state": Permission.WATCH,
    "/admin/v1/towns/a/proposals": Permission.WATCH,
    "/admin/v1/towns/verify": Permission.GOVERN,
    "/admin/v1/story": Permission.GOVERN,
    "/admin/v1/story/page": Permission.ADMINISTER,
    "/admin/v1/story/export": Permission.ADMINISTER,
    "/admin/v1/story/audit": Permission.ADMINISTER,
    "/admin/v1/story/verify": Permission.ADMINISTER,
}
POSTS = {
    ORDERS: Permission.GOVERN,
    "/admin/v1/story/founding": Permission.ADMINISTER,
    "/admin/v1/story/seeds": Permission.ADMINISTER,
}


def test_each_keepers_route_asks_for_its_permission(tmp_path: Path) -> None:
    roles = (Role.AGENT, Role.VIEWER, Role.OPERATOR, Role.ADMIN)
    tokens = {role: Tokens(tmp_path).create(role, created="today")[1] for role in roles}

    async def play() -> None:
        async with serving(tmp_path, loopback=Role.ANYONE) as served:
            for method, routes in (("GET", NEEDED), ("POST", POSTS)):
                for path, needed in routes.items():
                    assert (await served.get(path, method))[0] == 401
                    for role, token in tokens.items():
                        headers = {"Authorization": f"Bearer {token}"}
                        status, _ = await served.get(path, method, headers=headers)
                        assert (status == 403) == (not role.may(needed)), (path, role, status)
                        assert status != 401

    run(play())
    assert not (tmp_path / "town.db").exists()
    assert not (tmp_path / "story.db").exists()


def test_one_verification_at_a_time_and_none_outlives_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second is told to wait; and a server that ends takes the process that verifies with
    it."""
    with EmbeddedTown(tmp_path) as world:
        world.create_town("a")
    started: list[asyncio.subprocess.Process] = []
    create = asyncio.create_subprocess_exec

    async def slowly(*command: str, **options: Any) -> asyncio.subprocess.Process:
        started.append(await create(command[0], "-c", "import time; time.sleep(60)", **options))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", slowly)

    async def play() -> None:
        async with serving(tmp_path) as served:
            first = asyncio.create_task(served.get("/admin/v1/towns/verify"))
            while not started:
                await asyncio.sleep(0.01)
            status, text = await served.get("/admin/v1/towns/verify")
            assert (status, json.loads(text)["error"]) == (503, "busy")
            first.cancel()
            await asyncio.gather(first, return_exceptions=True)

    run(play())
    assert len(started) == 1
    assert started[0].returncode is not None


def test_a_process_that_cannot_verify_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_ledger(tmp_path):
        pass
    monkeypatch.setenv("PYTHONHOME", str(tmp_path / "nowhere"))

    async def play() -> None:
        async with serving(tmp_path) as served:
            status, text = await served.get("/admin/v1/story/verify")
            assert (status, json.loads(text)["error"]) == (500, "unproved")

    run(play())


def test_every_verification_says_what_is_missing(tmp_path: Path) -> None:
    for what, prove in VERIFICATIONS.items():
        with pytest.raises(Exception, match=r"there is no|No such file"):
            prove(tmp_path / "final.jsonl" if what == "match" else tmp_path, None)
    assert list(tmp_path.iterdir()) == []
