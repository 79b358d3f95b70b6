"""Roles, tokens, and who is trusted without one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSServerHandshakeError
from multidict import CIMultiDict

from tests.server.serving import PATIENCE_SECONDS, Served, role_of, table_of_routes, with_server
from tests.server.test_up import THORP
from thorp.kernel.errors import DamagedError, IllegalError, InvalidError, LimitError
from thorp.server.access import tokens as tokens_module
from thorp.server.access.networks import is_loopback
from thorp.server.access.principals import Principals
from thorp.server.access.tokens import (
    GIVEN_ROLES,
    TOKENS_FILE,
    Permission,
    Role,
    Tokens,
    least_role,
)
from thorp.server.http.app import GUARD, build_app
from thorp.server.http.server import Server
from thorp.store import turn
from thorp.store.turn import alone_in

NOW = "2030-01-01T00:00:00Z"


def test_every_route_declares_its_permission(tmp_path: Path) -> None:
    app = build_app(Server(tmp_path, Principals(Tokens(tmp_path))))
    routes = list(app.router.routes())
    assert len(routes) >= len(table_of_routes())
    assert all(isinstance(app[GUARD].needed_permission(route), Permission) for route in routes)
    assert {route.path: route.needed for route in table_of_routes()} == {
        "/healthz": Permission.NONE,
        "/health": Permission.NONE,
        "/readyz": Permission.NONE,
        "/v1/status": Permission.NONE,
        "/openapi.json": Permission.NONE,
        "/asyncapi.json": Permission.NONE,
        "/": Permission.NONE,
        "/society": Permission.NONE,
        "/story/day/{day}": Permission.NONE,
        "/matches": Permission.NONE,
        "/matches/{match}": Permission.NONE,
        "/v1/film": Permission.WATCH,
        "/v1/film/size": Permission.WATCH,
        "/v1/matches": Permission.WATCH,
        "/v1/matches/{match}": Permission.WATCH,
        "/v1/matches/{match}/log": Permission.WATCH,
        "/v1/matches/{match}/events": Permission.WATCH,
        "/v1/matches/{match}/seen/{sha256}": Permission.WATCH,
        "/v1/matches/{match}/replies": Permission.WATCH,
        "/v1/matches/{match}/verify": Permission.WATCH,
        "/v1/matches/{match}/world": Permission.WATCH,
        "/v1/matches/{match}/world/bootstrap": Permission.WATCH,
        "/v1/matches/{match}/world/society": Permission.WATCH,
        "/v1/matches/{match}/world/tape": Permission.WATCH,
        "/v1/matches/{match}/world/tape/{n}": Permission.WATCH,
        "/v1/matches/{match}/world/tape/{n}/private": Permission.WATCH,
        "/v1/matches/{match}/world/marks": Permission.WATCH,
        "/v1/matches/{match}/world/activity": Permission.WATCH,
        "/v1/matches/{match}/world/ground": Permission.WATCH,
        "/assets/{name}": Permission.NONE,
        "/v1/ws": Permission.JOIN,
        "/mcp": Permission.JOIN,
        "/v1/towns/{town}/snapshot": Permission.WATCH,
        "/v1/handoffs": Permission.GOVERN,
        "/invocations": Permission.GOVERN,
        "/v1/story/stream": Permission.READ,
        "/v1/story/events": Permission.READ,
        "/v1/story/why": Permission.READ,
        "/story": Permission.NONE,
        "/log/{path}": Permission.NONE,
        "/metrics": Permission.WATCH,
        "/admin/v1/observer/bootstrap": Permission.WATCH,
        "/admin/v1/observer/ws": Permission.WATCH,
        "/admin/v1/observer/society": Permission.WATCH,
        "/admin/v1/observer/agents/{agent}": Permission.WATCH,
        "/admin/v1/observer/agents/{agent}/why": Permission.READ,
        "/admin/v1/observer/minds/{agent}": Permission.WATCH,
        "/admin/v1/observer/places/{place}": Permission.WATCH,
        "/admin/v1/observer/buildings": Permission.WATCH,
        "/admin/v1/observer/people": Permission.WATCH,
        "/admin/v1/observer/elections": Permission.WATCH,
        "/admin/v1/observer/rising": Permission.WATCH,
        "/admin/v1/observer/surfaces": Permission.WATCH,
        "/admin/v1/observer/tape": Permission.WATCH,
        "/admin/v1/observer/tape/{n}": Permission.WATCH,
        "/admin/v1/observer/tape/{n}/private": Permission.WATCH,
        "/admin/v1/observer/laws/{law}/effects": Permission.WATCH,
        "/admin/v1/observer/places/{place}/changes": Permission.WATCH,
        "/admin/v1/observer/activity": Permission.WATCH,
        "/admin/v1/observer/marks": Permission.WATCH,
        "/admin/v1/observer/ground": Permission.WATCH,
        "/admin/v1/observer/series": Permission.WATCH,
        "/admin/v1/towns/{town}/decisions": Permission.WATCH,
        "/v1/comparison": Permission.WATCH,
        "/v1/runs": Permission.WATCH,
        "/v1/runs/{run}": Permission.WATCH,
        "/v1/runs/{run}/activity": Permission.WATCH,
        "/v1/runs/{run}/bootstrap": Permission.WATCH,
        "/v1/runs/{run}/buildings": Permission.WATCH,
        "/v1/runs/{run}/ground": Permission.WATCH,
        "/v1/runs/{run}/laws/{law}/effects": Permission.WATCH,
        "/v1/runs/{run}/marks": Permission.WATCH,
        "/v1/runs/{run}/places/{place}/changes": Permission.WATCH,
        "/v1/runs/{run}/rising": Permission.WATCH,
        "/v1/runs/{run}/society": Permission.WATCH,
        "/v1/runs/{run}/tape": Permission.WATCH,
        "/v1/runs/{run}/tape/{n}": Permission.WATCH,
        "/v1/runs/{run}/tape/{n}/private": Permission.WATCH,
        "/v1/what-if": Permission.GOVERN,
        "/v1/what-if/cancel": Permission.GOVERN,
        "/v1/what-if/changes": Permission.GOVERN,
        "/admin/v1/story/branches": Permission.GOVERN,
        "/admin/v1/state": Permission.GOVERN,
        "/admin/v1/snapshot": Permission.ADMINISTER,
        "/admin/v1/world/files": Permission.ADMINISTER,
        "/admin/v1/world/files/{name}": Permission.ADMINISTER,
        "/admin/v1/agents": Permission.GOVERN,
        "/admin/v1/agents/rescue": Permission.GOVERN,
        "/admin/v1/agents/retire": Permission.GOVERN,
        "/admin/v1/towns": Permission.WATCH,
        "/admin/v1/towns/chronicle": Permission.WATCH,
        "/admin/v1/towns/{town}/state": Permission.WATCH,
        "/admin/v1/towns/{town}/proposals": Permission.WATCH,
        "/admin/v1/towns/orders": Permission.GOVERN,
        "/admin/v1/towns/verify": Permission.GOVERN,
        "/admin/v1/story": Permission.GOVERN,
        "/admin/v1/story/founding": Permission.ADMINISTER,
        "/admin/v1/story/page": Permission.ADMINISTER,
        "/admin/v1/story/export": Permission.ADMINISTER,
        "/admin/v1/story/audit": Permission.ADMINISTER,
        "/admin/v1/story/why": Permission.ADMINISTER,
        "/admin/v1/story/seeds": Permission.ADMINISTER,
        "/admin/v1/story/verify": Permission.ADMINISTER,
    }


def test_roles_are_sets_of_permissions() -> None:
    may = {role: [each for each in Permission if role.may(each)] for role in Role}
    read, join, watch, govern, administer = list(Permission)
    assert may == {
        Role.ANYONE: [],
        Role.AGENT: [read, join],
        Role.VIEWER: [read, watch],
        Role.NEIGHBOUR: [read, join, watch],
        Role.OPERATOR: [read, join, watch, govern],
        Role.ADMIN: [read, join, watch, govern, administer],
    }
    assert all(role.may(Permission.NONE) for role in Role)
    names = [least_role(each).name for each in Permission]
    assert names == ["AGENT", "AGENT", "VIEWER", "OPERATOR", "ADMIN"]


def test_a_route_outside_the_table_is_an_error(tmp_path: Path) -> None:
    app = build_app(Server(tmp_path, Principals(Tokens(tmp_path))))
    stray = app.router.add_get("/stray", table_of_routes()[0].handler)
    with pytest.raises(LookupError):
        app[GUARD].needed_permission(stray)


def test_a_token_is_shown_once_and_kept_as_a_hash(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path)
    kept, text = tokens.create(Role.VIEWER, created=NOW, note="for the hall")
    assert text not in (tmp_path / TOKENS_FILE).read_text()
    assert role_of(Tokens(tmp_path), text) is Role.VIEWER
    assert Tokens(tmp_path).all() == [kept]
    tokens.revoke(kept.id)
    assert role_of(Tokens(tmp_path), text) is None
    with pytest.raises(InvalidError, match="no token"):
        tokens.revoke(kept.id)


def test_another_process_makes_and_revokes_tokens_of_a_running_server(tmp_path: Path) -> None:
    server, command = Tokens(tmp_path), Tokens(tmp_path)
    kept, text = command.create(Role.ADMIN, created=NOW)
    assert role_of(server, text) is Role.ADMIN
    other, _ = command.create(Role.AGENT, created=NOW)
    command.revoke(kept.id)
    assert role_of(server, text) is None
    assert server.all() == [other]


def test_there_are_not_too_many_tokens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens_module, "MAX_TOKENS", 1)
    tokens = Tokens(tmp_path)
    tokens.create(Role.AGENT, created=NOW)
    with pytest.raises(LimitError):
        tokens.create(Role.AGENT, created=NOW)
    with pytest.raises(LimitError):
        Tokens(tmp_path / "new").create(Role.AGENT, created=NOW, note="x" * 201)


@pytest.mark.parametrize(
    "text", ["", "{}", '{"format":2,"tokens":[]}', "[1", '{"format":1,"tokens":[{}]}']
)
def test_a_damaged_file_gives_nobody_a_role(text: str, tmp_path: Path) -> None:
    (tmp_path / TOKENS_FILE).write_text(text)
    with pytest.raises(DamagedError, match="restore or remove"):
        role_of(Tokens(tmp_path), "x")


def test_what_is_loopback() -> None:
    assert all(map(is_loopback, ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"]))
    assert not any(
        map(is_loopback, ["192.0.2.1", "::ffff:10.0.0.1", "8.8.8.8", "", None, "localhost"])
    )


PATHS = {
    "/metrics": Permission.WATCH,
    "/admin/v1/observer/bootstrap": Permission.WATCH,
    "/admin/v1/state": Permission.GOVERN,
    "/v1/ws": Permission.JOIN,
}


@with_server(loopback=Role.ANYONE)
async def test_each_role_may_do_what_its_permissions_say(served: Served) -> None:
    tokens = Tokens(served.data)
    for role in GIVEN_ROLES:
        _, text = tokens.create(role, created=NOW)
        for path, needed in PATHS.items():
            allowed = 400 if path == "/v1/ws" else 200
            for how in (
                {"headers": {"Authorization": f"Bearer {text}"}},
                {"params": {"token": text}},
            ):
                options: Any = how
                status, body = await served.get(path, **options)
                assert status == (allowed if role.may(needed) else 403), (role, path)
                if status == 403:
                    assert json.loads(body)["error"] == "forbidden"
                    assert least_role(needed).name.lower() in json.loads(body)["details"]
        status, _ = await served.get(
            "/admin/v1/snapshot", "POST", headers={"Authorization": f"bearer {text}"}
        )
        assert status == (200 if role is Role.ADMIN else 403)


@with_server(loopback=Role.ANYONE)
async def test_without_a_token_only_what_shows_nothing_answers(served: Served) -> None:
    for path in ("/healthz", "/health", "/readyz", "/v1/status", "/", "/story"):
        assert (await served.get(path))[0] == 200
    for path in PATHS:
        for token in (None, "thorp_wrong", "x" * 5000):
            async with served.http.get(
                served.url(path), params={"token": token} if token else {}
            ) as answer:
                assert answer.status == 401
                assert answer.headers["WWW-Authenticate"] == "Bearer"
                assert set(await answer.json()) == {"error", "details"}
    with pytest.raises(WSServerHandshakeError):
        async with served.socket():
            pass


@with_server(loopback=Role.ANYONE)
async def test_the_token_of_a_hello_is_no_way_in(served: Served) -> None:
    _, text = Tokens(served.data).create(Role.AGENT, created=NOW)
    with pytest.raises(WSServerHandshakeError):
        async with served.socket():
            pass
    async with served.socket(f"/v1/ws?token={text}") as mole:
        await mole.hello(token=text)
        await mole.greeted()
        assert mole.id == "A1"


def test_a_link_on_another_site_may_only_look(tmp_path: Path) -> None:
    """A picture or a link on it has no origin, but comes from this machine's browser."""

    @with_server()
    async def play(served: Served) -> None:
        foreign = {"Sec-Fetch-Site": "cross-site"}
        assert (await served.get("/story", headers=foreign))[0] == 200
        assert (await served.get("/v1/story/stream", headers=foreign))[0] == 404, "there is none"
        assert (await served.get("/admin/v1/towns/verify", headers=foreign))[0] == 401
        assert (await served.get("/admin/v1/state", headers=foreign))[0] == 401
        assert (await served.get("/admin/v1/state", headers={"Sec-Fetch-Site": "none"}))[0] == 200

    play(tmp_path)


NOT_LOCAL: list[dict[str, str] | list[tuple[str, str]]] = [
    {"X-Forwarded-For": "8.8.8.8"},
    {"X-Forwarded-Proto": "https"},
    {"x-forwarded-anything": ""},
    {"Forwarded": "for=8.8.8.8"},
    {"Via": "1.1 gate"},
    {"X-Real-IP": "8.8.8.8"},
    {"X-Client-IP": "8.8.8.8"},
    {"True-Client-IP": "8.8.8.8"},
    {"CF-Connecting-IP": "8.8.8.8"},
    {"Host": "evil.example@localhost"},
    {"Host": "evil.example\\.localhost"},
    {"Host": "localhost/evil"},
    {"Host": "thorp.example"},
    {"Host": "127.0.0.1.example"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://localhost.example"},
    {"Origin": "http://evil.example@localhost"},
    {"Origin": "http://evil.example\\.localhost"},
    {"Origin": "http://evil.example#.localhost"},
    {"Origin": "file://localhost"},
    {"Origin": "http://[::1"},
    {"Origin": ""},
    [("Origin", "http://localhost:5173"), ("Origin", "https://evil.example")],
    [("Origin", "http://localhost:5173"), ("Origin", "http://localhost:5173")],
]


def test_a_peer_that_only_looks_local_needs_a_token(tmp_path: Path) -> None:
    """Proxies, pages of others in this machine's browser, and names that were rebound to this
    machine."""

    @with_server()
    async def play(served: Served) -> None:
        assert (await served.get("/admin/v1/state"))[0] == 200
        _, text = Tokens(served.data).create(Role.ADMIN, created=NOW)
        for headers in NOT_LOCAL:
            assert (await served.get("/admin/v1/state", headers=headers))[0] == 401, headers
            with pytest.raises(WSServerHandshakeError):
                async with served.socket(headers=headers):
                    pass
            shown = CIMultiDict(headers)
            shown.add("Authorization", f"Bearer {text}")
            assert (await served.get("/admin/v1/state", headers=shown))[0] == 200, headers

    play(tmp_path)


NEIGHBOURS = [
    "http://localhost:5173",
    "http://127.0.0.1",
    "https://page.localhost",
    "http://[::1]:5173",
]


@with_server()
async def test_a_page_of_another_local_server_may_play_and_watch_and_no_more(
    served: Served,
) -> None:
    for origin in NEIGHBOURS:
        headers = {"Origin": origin}
        assert (await served.get("/admin/v1/observer/bootstrap", headers=headers))[0] == 200
        async with served.socket(headers=headers) as mole:
            await mole.hello()
            await mole.greeted()
        async with served.socket("/admin/v1/observer/ws", headers=headers):
            pass
        assert (await served.get("/admin/v1/state", headers=headers))[0] == 401
        for path in ("/admin/v1/snapshot", "/v1/handoffs"):
            assert (await served.get(path, "POST", headers=headers))[0] == 401


@with_server()
async def test_our_own_page_may_do_what_a_process_of_this_machine_may(served: Served) -> None:
    for name in ("localhost", "LocalHost", "127.0.0.1", "[::1]"):
        own = f"{name}:{served.port}"
        headers = {"Host": own, "Origin": f"http://{own.lower()}"}
        assert (await served.get("/admin/v1/state", headers=headers))[0] == 200


def test_no_token_gives_the_role_neighbour(tmp_path: Path) -> None:
    assert Role.NEIGHBOUR not in GIVEN_ROLES
    kept, _ = Tokens(tmp_path).create(Role.VIEWER, created=NOW)
    file = tmp_path / TOKENS_FILE
    file.write_text(file.read_text().replace(kept.role, "neighbour"))
    with pytest.raises(DamagedError):
        Tokens(tmp_path).all()


@with_server()
async def test_a_wrong_token_is_refused_even_from_this_machine(served: Served) -> None:
    assert (await served.get("/admin/v1/state", params={"token": "thorp_wrong"}))[0] == 401


_CREATE_UNTIL_TOLD = """
import sys
from pathlib import Path
from thorp.server.access.tokens import Role, Tokens

tokens = Tokens(Path(sys.argv[1]))
made = []
print("begun", flush=True)
while not Path(sys.argv[1], "enough").exists():
    made.append(tokens.create(Role.AGENT, created="")[0].id)
print(*made)
"""


def test_tokens_that_are_revoked_while_another_process_makes_some_stay_revoked(
    tmp_path: Path,
) -> None:
    running = Tokens(tmp_path)
    keepers = [running.create(Role.ADMIN, created=NOW) for _ in range(40)]
    command = [sys.executable, "-c", _CREATE_UNTIL_TOLD, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as maker:
        try:
            assert maker.stdout is not None
            assert maker.stdout.readline() == "begun\n"
            for token, text in keepers:
                Tokens(tmp_path).revoke(token.id)
                assert running.find(text) is None
        finally:
            (tmp_path / "enough").touch()
        made = maker.stdout.read().split()
    assert maker.returncode == 0
    assert [text for _, text in keepers if running.find(text) is not None] == []
    assert [token.id for token in running.all()] == made
    assert made


def test_tokens_that_are_made_at_once_are_all_listed(tmp_path: Path) -> None:
    command = [*THORP, "token", "create", "--role", "agent", "--data", str(tmp_path / "new")]
    makers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(8)]
    texts = [maker.communicate(timeout=PATIENCE_SECONDS)[0].strip() for maker in makers]
    assert [maker.returncode for maker in makers] == [0] * 8
    tokens = Tokens(tmp_path / "new")
    assert len(tokens.all()) == 8
    assert all(role_of(tokens, text) is Role.AGENT for text in texts)


def test_who_cannot_change_the_tokens_for_too_long_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn, "TURN_SECONDS", 0.1)
    tokens = Tokens(tmp_path)
    with alone_in(tmp_path), pytest.raises(IllegalError, match="another process"):
        tokens.create(Role.AGENT, created=NOW)
    tokens.create(Role.AGENT, created=NOW)
    assert len(tokens.all()) == 1
