"""The story over HTTP: the way in, pages and events by principal, and everything that is wrong."""

from __future__ import annotations

import asyncio
import io
import itertools
import json
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from typer.testing import CliRunner

from tests.server.serving import Served, run, serving
from thorp.cli import main
from thorp.kernel.errors import InvalidError, LimitError
from thorp.server.access.principals import Principal, Principals
from thorp.server.access.requests import Refused
from thorp.server.access.tokens import TOKENS_FILE, Role, Tokens
from thorp.server.host import listening
from thorp.server.http import event_streams, stories
from thorp.server.http.server import Server
from thorp.server.http.stories import Stories
from thorp.server.http.story_stream import reader_of
from thorp.server.live import listeners
from thorp.story import Ledger, StoryConfig, open_ledger, read_projection
from thorp.story.config import Person, Time
from thorp.story.writer import Moment, ScriptedWriter

NOW = "2030-01-01T00:00:00Z"
CONFIG = StoryConfig(people=(Person("REBECCA", "a ferrywoman"), Person("OSWIN", "a miller")))
JSON = {"Content-Type": "application/json"}
EVERYBODY, GEORGE, REBECCA, OSWIN = None, "GEORGE", "REBECCA", "OSWIN"
CANARIES = {
    GEORGE: "canary-george-7f3a",
    REBECCA: "canary-rebecca-19c2",
    OSWIN: "canary-oswin-c40d",
}


def with_story(
    *, loopback: Role = Role.ADMIN, writer: Any = "offline"
) -> Callable[[Callable[[Served], Awaitable[None]]], Callable[[Path], None]]:
    """A test that is given a server without a voxel world."""

    def decorate(play: Callable[[Served], Awaitable[None]]) -> Callable[[Path], None]:
        def test(tmp_path: Path) -> None:
            async def whole() -> None:
                async with story_server(tmp_path, loopback=loopback, writer=writer) as served:
                    await play(served)

            run(whole())

        test.__name__ = play.__name__
        test.__doc__ = play.__doc__
        return test

    return decorate


@asynccontextmanager
async def story_server(
    data: Path,
    *,
    loopback: Role = Role.ADMIN,
    writer: Any = "offline",
    config: StoryConfig | None = None,
    port: int = 0,
) -> AsyncIterator[Served]:
    principals = Principals(Tokens(data), loopback=loopback)
    server = Server(data, principals, stories=Stories(data, writer, config))
    async with listening(server, "127.0.0.1", port) as taken, aiohttp.ClientSession() as http:
        yield Served(taken, server, http, data)


def envelope(request_id: str, text: str = "Hello.", **changes: Any) -> dict[str, Any]:
    return {
        "request_id": request_id,
        "invoker": {"invoker_id": "SYSTEM_INVOKER", "invoker_role": "INVOKER"},
        "operator": {"operator_id": "GEORGE", "input_text": text},
        "mode": {"kind": "BEAT"},
        **changes,
    }


async def post(
    served: Served, body: bytes | dict[str, Any], **headers: str
) -> tuple[int, bytes, dict[str, str]]:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    sent = {**JSON, **{name.replace("_", "-"): value for name, value in headers.items()}}
    async with served.http.post(
        served.url("/invocations"), data=io.BytesIO(data), headers=sent
    ) as answer:
        return answer.status, await answer.read(), dict(answer.headers)


async def page(served: Served, query: str = "", **headers: str) -> dict[str, Any]:
    status, text = await served.get(f"/v1/story/stream{query}", headers=headers)
    assert status == 200, text
    found: dict[str, Any] = json.loads(text)
    return found


def texts(found: dict[str, Any]) -> list[str]:
    return [entry["text"] for entry in found["stream"]["entries"]]


def bearer(data: Path, role: Role, person: str = "") -> dict[str, str]:
    _, text = Tokens(data).create(role, created=NOW, person=person)
    return {"Authorization": f"Bearer {text}"}


def tell_secrets(data: Path) -> None:
    """One public entry, and for everybody one that nobody else may see."""
    with open_ledger(data, CONFIG) as ledger:
        ledger.seed({"request_id": "s-0", "author_id": "WORLD", "text": "A mill by a ford."})
        for number, (own, canary) in enumerate(CANARIES.items(), 1):
            author = "WORLD" if own == GEORGE else own
            told = {"request_id": f"s-{number}", "author_id": author, "visible_to": [own]}
            ledger.seed({**told, "text": f"{canary} at the ford", "calendar": {"title": canary}})


class Events:
    """Server-sent events, as they are on the wire."""

    def __init__(self, answer: aiohttp.ClientResponse) -> None:
        self.answer = answer
        self.received = b""

    async def next(self, name: str | None = None) -> tuple[str, str | None, Any]:
        """The next event (of a name): its name, its id, its data."""
        while True:
            fields: dict[str, str] = {}
            while (line := await self.answer.content.readline()) != b"\n":
                if not line:
                    raise EOFError
                self.received += line
                key, _, value = line.decode().rstrip("\n").partition(": ")
                fields[key] = value
            if name in (None, fields["event"]):
                return fields["event"], fields.get("id"), json.loads(fields["data"])

    async def texts(self, count: int) -> list[str]:
        """The texts of the next so many entries."""
        found: list[str] = []
        while len(found) < count:
            found += texts((await self.next("page"))[2])
        return found


@asynccontextmanager
async def listening_to(served: Served, query: str = "", **headers: str) -> AsyncIterator[Events]:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    async with served.http.get(served.url(f"/v1/story/events{query}"), headers=sent) as answer:
        assert answer.status == 200, await answer.text()
        assert answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        assert answer.headers["Cache-Control"] == "no-store"
        yield Events(answer)


# The way in


PROPOSED_AS_GEORGE = {
    "proposed_write_bundle": {
        "wrote": True,
        "entries": [
            {
                "author": {"author_id": "GEORGE", "author_class": "PERSON"},
                "visibility": {"scope": "PUBLIC", "visible_to": []},
                "channel": "PEOPLE",
                "text": "I confess.",
            }
        ],
    }
}


def impersonating(moment: Moment) -> Any:
    """Writes as the operator in the first request, and is silent after it."""
    return PROPOSED_AS_GEORGE if moment.request_id == "r-1" else {"no_write": {}}


@with_story(writer=ScriptedWriter(itertools.repeat(impersonating)))
async def test_an_operator_learns_what_became_of_the_writer(served: Served) -> None:
    for _ in range(2):
        status, body, headers = await post(served, envelope("r-1"))
        told = [headers[name] for name in ("Story-Outcome", "Story-Reason", "Story-Beat")]
        assert told == ["rejected OPERATOR_IMPERSONATION", "nobody writes for the operator", "1"]
        assert (status, json.loads(body)["debug"].keys()) == (200, {"wrote", "bundle_id"})
        read_projection(json.loads(body))
    _, _, headers = await post(served, envelope("r-2"))
    assert (headers["Story-Outcome"], headers.get("Story-Reason")) == ("silent", None)
    _, text = await served.get("/metrics")
    assert 'thorp_story_beats_total{outcome="REJECTED"} 1' in text
    assert 'thorp_story_rejections_total{rule="OPERATOR_IMPERSONATION"} 1' in text
    _, text = await served.get("/admin/v1/story/audit?troubled=1")
    assert [each["beat"] for each in json.loads(text)["beats"]] == [1]
    _, text = await served.get("/admin/v1/story/audit?beat=1")
    assert json.loads(text)["calls"][0]["path"] == "$.entries[0].author"
    for path, status in (("beat=0", 400), ("beat=x", 400), ("beat=9", 409), ("last=0", 400)):
        assert (await served.get(f"/admin/v1/story/audit?{path}"))[0] == status, path
    _, _, headers = await post(served, envelope("r-3", mode={"kind": "NO_OP"}))
    assert "Story-Outcome" not in headers
    done = await asyncio.to_thread(
        CliRunner().invoke,
        main.commands(),
        ["story", "audit", "--beat", "1", "--data", str(served.data)],
    )
    assert "OPERATOR_IMPERSONATION at $.entries[0].author" in done.stdout, "through the server"


@with_story()
async def test_a_page_has_the_contract_s_stream_and_pocket_to_the_member(served: Served) -> None:
    """What is ours stands beside them, so that a strict client of either reads it."""
    await post(served, envelope("r-1"))
    found = await page(served)
    assert {*found} == {"stream", "pocket", "ticks", "declared"}
    projection = {"request_id": "r", "debug": {"wrote": False, "bundle_id": None}}
    read_projection({**projection, "stream": found["stream"], "pocket": found["pocket"]})


@with_story()
async def test_the_same_request_gets_the_same_bytes(served: Served) -> None:
    assert not (served.data / "story.db").exists()
    status, body, headers = await post(served, envelope("r-1", "The ferry leaves at nine."))
    assert status == 200
    assert headers["Content-Type"] == "application/json"
    assert headers["Cache-Control"] == "no-store"
    assert not [name for name in headers if name.startswith("Idempotent")]
    assert b'"request_id":"r-1"' in body, "compact, as the acceptance script wants it"
    assert texts(json.loads(body))[0] == "The ferry leaves at nine."
    status, again, headers = await post(served, envelope("r-1", "The ferry leaves at nine."))
    assert (status, again, headers["Idempotent-Replayed"]) == (200, body, "true")
    assert "Idempotent-Mismatch" not in headers
    status, again, headers = await post(served, envelope("r-1", "It never leaves."))
    assert (status, again, headers["Idempotent-Mismatch"]) == (200, body, "true")
    with open_ledger(served.data) as same:
        assert same.tip()[0] == 1, "the story of the directory, which others may open meanwhile"


@with_story()
async def test_what_is_refused_says_so_in_the_contracts_words(served: Served) -> None:
    await post(served, envelope("r-0"))
    before = served.server.stories.opened
    assert before is not None
    tip = before.tip()
    no_id = envelope("r-1")
    del no_id["request_id"]
    time = {"time": {"declared_world_time": "noonish"}}
    for body, error in (
        (no_id, "Missing request_id"),
        (envelope("  "), "Missing request_id"),
        (
            envelope("r-1", operator={"operator_id": "NOT_GEORGE", "input_text": ""}),
            "Invalid operator_id",
        ),
        (
            envelope("r-1", invoker={"invoker_id": "GEORGE", "invoker_role": "INVOKER"}),
            "Invalid invoker_id",
        ),
        (envelope("r-1", declared_overrides=time), "Invalid declared_world_time"),
        (b"", "Invalid JSON"),
        (b"{", "Invalid JSON"),
        (b"\xff", "Invalid JSON"),
        (b"[" * 65 + b"]" * 65, "Invalid JSON"),
    ):
        status, answer, _ = await post(served, body)
        assert (status, json.loads(answer)["error"]) == (400, error), body
        assert answer.startswith(b'{"error":"' + error.encode()), "no blank after a colon"
        assert json.loads(answer)["details"]
    lone = json.dumps(envelope("r-1", "x")).replace('"x"', '"\\ud800"').encode()
    for body in (lone, envelope("r-1", "\x00")):
        assert (await post(served, body))[0] == 400
    assert before.tip() == tip, "nothing that is refused changes anything"
    assert (await post(served, envelope("r-1")))[0] == 200, "and its id is free"


@with_story()
async def test_bodies_that_are_too_large_or_of_another_kind(served: Served) -> None:
    status, answer, _ = await post(served, b" " * (2**20 + 1))
    assert (status, answer) == (413, b'{"error":"Body too large"}')
    fits = json.dumps(envelope("r-1")).encode()
    assert (await post(served, fits + b" " * (2**20 - len(fits))))[0] == 200
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        status, answer, _ = await post(served, envelope("r-2"), Content_Type=kind)
        assert (status, answer) == (415, b'{"error":"Unsupported content type"}')
    status, _, _ = await post(
        served, envelope("r-2"), Content_Type="application/json; charset=utf-8"
    )
    assert status == 200
    async with served.http.get(served.url("/invocations")) as answer_to_get:
        assert (answer_to_get.status, answer_to_get.headers["Allow"]) == (405, "POST")


@with_story()
async def test_two_at_the_same_instant_are_one_beat(served: Served) -> None:
    answers = await asyncio.gather(*(post(served, envelope("r-1")) for _ in range(20)))
    assert {(status, body) for status, body, _ in answers} == {(200, answers[0][1])}
    assert sum("Idempotent-Replayed" not in headers for *_, headers in answers) == 1


@with_story()
async def test_a_client_that_vanishes_mid_beat_loses_nothing(served: Served) -> None:
    body = json.dumps(envelope("r-1", "I am gone.")).encode()
    head = (
        f"POST /invocations HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    _, writer = await asyncio.open_connection("127.0.0.1", served.port)
    writer.write(head.encode() + body)
    await writer.drain()
    writer.transport.abort()
    _, half = await asyncio.open_connection("127.0.0.1", served.port)
    half.write(head.encode() + body[:20])
    await half.drain()
    half.transport.abort()
    status, _, headers = await post(served, envelope("r-1", "I am gone."))
    assert status == 200
    assert texts(await page(served)).count("I am gone.") == 1
    assert headers.get("Idempotent-Replayed") in (None, "true")


def test_when_too_many_wait_the_world_is_busy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stories, "MAX_BEATS_WAITING", 0)

    @with_story()
    async def play(served: Served) -> None:
        status, answer, _ = await post(served, envelope("r-1"))
        assert (status, answer) == (503, b'{"error":"World busy"}')

    play(tmp_path)


def test_a_ledger_that_cannot_be_opened_tells_nothing_of_why(tmp_path: Path) -> None:
    (tmp_path / "story.db").write_bytes(b"no database" * 1000)

    @with_story()
    async def play(served: Served) -> None:
        assert (await post(served, envelope("r-1")))[:2] == (500, b'{"error":"Internal error"}')
        status, text = await served.get("/v1/story/stream")
        assert (status, json.loads(text)["error"]) == (503, "no_story")
        assert "story.db" not in text

    play(tmp_path)


# Who may, and what they see


def test_as_whom_a_principal_reads() -> None:
    for role in (Role.OPERATOR, Role.ADMIN):
        assert reader_of(Principal(role), CONFIG) == GEORGE
    for role in (Role.AGENT, Role.VIEWER, Role.NEIGHBOUR):
        assert reader_of(Principal(role), CONFIG) is EVERYBODY
    assert reader_of(Principal(Role.AGENT, "OSWIN"), CONFIG) == OSWIN
    for nobody in ("GEORGE", "SYSTEM_INVOKER", "WORLD", "PUBLIC"):
        with pytest.raises(Refused):
            reader_of(Principal(Role.AGENT, nobody), CONFIG)


def test_only_an_agent_is_a_person(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path)
    for role in (Role.VIEWER, Role.OPERATOR, Role.ADMIN):
        with pytest.raises(InvalidError, match="only an agent"):
            tokens.create(role, created=NOW, person="OSWIN")
    with pytest.raises(LimitError):
        tokens.create(Role.AGENT, created=NOW, person="O" * 257)
    kept, _ = tokens.create(Role.AGENT, created=NOW, person="OSWIN")
    assert Tokens(tmp_path).all() == [kept]
    file = tmp_path / "tokens.json"
    file.write_text(file.read_text().replace('"agent"', '"viewer"'))
    assert reader_of(Principal(Role.VIEWER), CONFIG) is EVERYBODY, (
        "a viewer is nobody, whatever the file says"
    )


def test_a_persons_token_is_made_on_the_command_line(tmp_path: Path) -> None:
    made = ["token", "create", "--role", "agent", "--person", "OSWIN", "--data", str(tmp_path)]
    done = CliRunner().invoke(main.commands(), made)
    kept = Tokens(tmp_path).find(done.output.strip())
    assert kept is not None
    assert (kept.role, kept.person) == ("agent", "OSWIN")
    assert (
        "as OSWIN"
        in CliRunner().invoke(main.commands(), ["token", "list", "--data", str(tmp_path)]).output
    )


def test_private_text_reaches_nobody_else(tmp_path: Path) -> None:
    """Every byte of every answer and of every event is searched, headers included."""
    tell_secrets(tmp_path)

    @with_story(loopback=Role.ANYONE)
    async def play(served: Served) -> None:
        changed = bearer(tmp_path, Role.AGENT, "OSWIN")
        file = tmp_path / TOKENS_FILE
        file.write_text(file.read_text().replace('"agent"', '"viewer"'))
        principals = {
            "a viewer of whom the file says that it is a person": (changed, EVERYBODY),
            "viewer": (bearer(tmp_path, Role.VIEWER), EVERYBODY),
            "agent": (bearer(tmp_path, Role.AGENT), EVERYBODY),
            "Rebecca": (bearer(tmp_path, Role.AGENT, "REBECCA"), REBECCA),
            "Oswin": (bearer(tmp_path, Role.AGENT, "OSWIN"), OSWIN),
            "operator": (bearer(tmp_path, Role.OPERATOR), GEORGE),
            "admin": (bearer(tmp_path, Role.ADMIN), GEORGE),
        }
        for name, (shown, own) in principals.items():
            received = b""
            forged = (
                "",
                "?cursor=c:00000001",
                "?cursor=c:00000002",
                "?last=1",
                "?reader=GEORGE&as=GEORGE",
            )
            for query in (*forged, "?person=OSWIN&limit=1"):
                async with served.http.get(
                    served.url(f"/v1/story/stream{query}"), headers=shown
                ) as answer:
                    assert answer.status == 200, (name, query, await answer.text())
                    received += await answer.read() + repr(answer.headers).encode()
            async with listening_to(served, **shown) as events:
                await events.texts(1 if own is EVERYBODY else 2)
                operator = principals["operator"][0]["Authorization"]
                status, body, _ = await post(
                    served, envelope(f"r-{name}", "Who is there?"), Authorization=operator
                )
                assert status == 200
                assert CANARIES[REBECCA].encode() not in body
                while "Who is there?" not in texts((await events.next("page"))[2]):
                    pass
                received += events.received
            seen = {who for who, canary in CANARIES.items() if canary.encode() in received}
            assert seen == ({own} if own else set()), name

    play(tmp_path)


def test_who_is_not_known_is_refused(tmp_path: Path) -> None:
    tell_secrets(tmp_path)

    @with_story(loopback=Role.ANYONE)
    async def play(served: Served) -> None:
        for path in ("/v1/story/stream", "/v1/story/events"):
            assert (await served.get(path))[0] == 401
        for nobody in ("MALLORY", "GEORGE", "SYSTEM_INVOKER", "WORLD", "PUBLIC"):
            shown = bearer(tmp_path, Role.AGENT, nobody)
            for path in ("/v1/story/stream", "/v1/story/events"):
                status, text = await served.get(path, headers=shown)
                assert (status, json.loads(text)["error"]) == (403, "unknown_reader"), (
                    nobody,
                    path,
                )
                assert "canary" not in text
        for role in (Role.AGENT, Role.VIEWER):
            status, _, _ = await post(served, envelope("r-1"), **bearer(tmp_path, role))
            assert status == 403

    play(tmp_path)


@with_story(loopback=Role.ANYONE)
async def test_a_revoked_token_ends_its_stream(served: Served) -> None:
    kept, text = Tokens(served.data).create(Role.OPERATOR, created=NOW)
    operator = bearer(served.data, Role.OPERATOR)
    async with listening_to(served, f"?token={text}") as events:
        await post(served, envelope("r-1", "Before."), **operator)
        assert "Before." in await events.texts(1)
        Tokens(served.data).revoke(kept.id)
        await post(served, envelope("r-2", "canary-after"), **operator)
        with pytest.raises(EOFError):
            await events.next("never")
        assert b"canary-after" not in events.received


NEVER_TAKEN: dict[str, tuple[Any, str, int]] = {
    "no JSON": (b"{", "application/json", 400),
    "no envelope": (b"{}", "application/json", 400),
    "another type": (json.dumps(envelope("r-1")).encode(), "text/plain", 415),
    "another operator": (
        json.dumps(envelope("r-1", operator={"operator_id": "HANNAH", "input_text": ""})).encode(),
        "application/json",
        400,
    ),
    "too large": (b" " * (2**20 + 1), "application/json", 413),
    "a refresh that would stop the clock": (
        json.dumps(
            envelope("r-1", mode={"kind": "NO_OP"}, declared_overrides={"pause_time": True})
        ).encode(),
        "application/json",
        400,
    ),
    "a time that is none": (
        json.dumps(
            envelope("r-1", declared_overrides={"time": {"declared_world_time": "soon"}})
        ).encode(),
        "application/json",
        400,
    ),
}


@pytest.mark.parametrize("what", NEVER_TAKEN)
def test_a_refused_invocation_creates_no_story(tmp_path: Path, what: str) -> None:
    body, content_type, expected = NEVER_TAKEN[what]

    async def play() -> None:
        async with story_server(tmp_path) as served:
            headers = {"Content-Type": content_type}
            first = await served.get("/invocations", "POST", data=io.BytesIO(body), headers=headers)
            assert first[0] == expected
            assert not (tmp_path / "story.db").exists()
            await post(served, envelope("r-2"))
            assert (tmp_path / "story.db").exists()
            again = await served.get("/invocations", "POST", data=io.BytesIO(body), headers=headers)
            assert again == first, "a story that is there refuses it in the same words"

    run(play())


def test_a_story_that_goes_forward_only_is_not_created_by_a_step_back(tmp_path: Path) -> None:
    config = StoryConfig(time=Time(backward_declaration="reject"))
    back = envelope(
        "r-1", declared_overrides={"time": {"declared_world_time": "2001-01-01T00:00:00Z"}}
    )

    async def play() -> None:
        async with story_server(tmp_path, config=config) as served:
            assert (await served.get("/invocations", "POST", json=back))[0] == 400
            assert not (tmp_path / "story.db").exists()

    run(play())


# Looking


@with_story()
async def test_reading_creates_no_story_and_says_so(served: Served) -> None:
    status, text = await served.get("/v1/story/stream")
    assert (status, json.loads(text)["error"]) == (404, "no_story")
    async with listening_to(served) as events:
        name, event_id, greeting = await events.next()
        assert (name, event_id, greeting["reader"]) == ("reader", None, "GEORGE")
        assert greeting["sender"] == {
            "invoker": {"invoker_id": "SYSTEM_INVOKER", "invoker_role": "INVOKER"},
            "operator_id": "GEORGE",
        }
        assert not (served.data / "story.db").exists()
        await post(served, envelope("r-1"))
        assert (await events.texts(1))[0] == "Hello.", (
            "who came before the story hears its beginning"
        )


def test_pages_follow_their_cursors(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        for number in range(25):
            ledger.seed(
                {"request_id": f"s-{number}", "author_id": "WORLD", "text": f"Stone {number}."}
            )

    @with_story()
    async def play(served: Served) -> None:
        found, cursor, pages = [], "", 0
        while entries := texts(got := await page(served, f"?limit=7&cursor={cursor}")):
            found += entries
            cursor, pages = got["stream"]["cursor_after"], pages + 1
        assert found == [f"Stone {number}." for number in range(25)]
        assert pages == 4
        assert got["stream"]["cursor_before"] == got["stream"]["cursor_after"] == cursor
        assert texts(await page(served, "?last=3")) == ["Stone 22.", "Stone 23.", "Stone 24."]
        assert len(texts(await page(served, "?last=26"))) == 25
        for foreign in ("c:00000026", "c:99999999999999", "gibberish", "%00", "c:-1", "x" * 3000):
            got = await page(served, f"?limit=1&cursor={foreign}")
            assert (got["stream"]["cursor_before"], texts(got)) == (None, ["Stone 0."])
        for wrong in ("0", "-1", "1.0", "x", "1e3", "9999999999", "%D9%A3"):
            for name in ("limit", "last"):
                status, text = await served.get(f"/v1/story/stream?{name}={wrong}")
                assert (status, json.loads(text)["error"]) == (400, f"invalid_{name}")
                assert (await served.get(f"/v1/story/events?last={wrong}"))[0] == 400
        tip = ledger_tip(tmp_path)
        assert tip[0] == 25, "looking changes nothing"

    play(tmp_path)


def ledger_tip(data: Path) -> tuple[int, str]:
    with open_ledger(data, create=False) as ledger:
        return ledger.tip()


@with_story()
async def test_events_resume_where_they_were_left(served: Served) -> None:
    for number in range(3):
        await post(served, envelope(f"r-{number}", f"Word {number}.", mode={"kind": "BEAT"}))
    every = texts(await page(served))
    async with listening_to(served) as events:
        assert await events.texts(len(every)) == every
    async with listening_to(served, "?last=1") as events:
        assert await events.texts(1) == every[-1:]
    async with listening_to(served, "?cursor=c:00000001") as events:
        _, cursor, got = await events.next("page")
        assert texts(got) == every[1:]
        assert cursor == got["stream"]["cursor_after"]
    async with listening_to(served, "?last=1", Last_Event_ID=str(cursor)) as events:
        _, event_id, got = await events.next("page")
        assert (event_id, texts(got)) == (cursor, []), "the pocket, and nothing twice"
        await post(served, envelope("r-9", "Word 9."))
        assert (await events.texts(1))[0] == "Word 9."
    async with listening_to(served, Last_Event_ID="c:00009999") as events:
        assert (await events.texts(len(every)))[0] == every[0], "a foreign cursor counts as none"


def test_long_histories_come_in_pages(tmp_path: Path) -> None:
    with open_ledger(tmp_path) as ledger:
        for number in range(230):
            ledger.seed(
                {"request_id": f"s-{number}", "author_id": "WORLD", "text": f"Stone {number}."}
            )

    @with_story()
    async def play(served: Served) -> None:
        async with listening_to(served) as events:
            sizes = [len(texts((await events.next("page"))[2])) for _ in range(3)]
            assert sizes == [100, 100, 30]

    play(tmp_path)


def test_a_silent_beat_moves_the_clock_and_shows_nothing(tmp_path: Path) -> None:
    @with_story(writer=ScriptedWriter())
    async def play(served: Served) -> None:
        await post(served, envelope("r-1"))
        async with listening_to(served) as events:
            _, first_id, before = await events.next("page")
            status, _, _ = await post(served, envelope("r-2", ""))
            assert status == 200
            _, event_id, after = await events.next("page")
            assert (event_id, texts(after)) == (first_id, [])
            clocks = [got["pocket"]["clock"]["world_time"] for got in (before, after)]
            assert clocks[0] < clocks[1]
            await post(served, envelope("r-3", "", mode={"kind": "NO_OP"}))
            await post(served, envelope("r-4", "Heard."))
            assert texts((await events.next("page"))[2]) == ["Heard."], "a NO_OP is no event"

    play(tmp_path)


@with_story()
async def test_beats_of_other_processes_are_heard_of(served: Served) -> None:
    await post(served, envelope("r-1"))
    async with listening_to(served, "?last=1") as events:
        await events.next("page")

        def elsewhere() -> None:
            with open_ledger(served.data) as other:
                other.seed({"request_id": "s-1", "author_id": "WORLD", "text": "From afar."})

        await asyncio.to_thread(elsewhere)
        assert await events.texts(1) == ["From afar."]


def test_quiet_streams_have_a_heartbeat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_streams, "HEARTBEAT_SECONDS", 0.02)

    @with_story()
    async def play(served: Served) -> None:
        async with listening_to(served) as events:
            assert [(await events.next())[0] for _ in range(4)] == [
                "reader",
                "still",
                "still",
                "still",
            ]

    play(tmp_path)


def test_listeners_are_limited_and_places_become_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listeners, "MAX_LISTENERS", 2)
    monkeypatch.setattr(event_streams, "HEARTBEAT_SECONDS", 0.02)

    @with_story()
    async def play(served: Served) -> None:
        async with listening_to(served) as one, listening_to(served) as two:
            await asyncio.gather(one.next(), two.next())
            status, text = await served.get("/v1/story/events")
            assert (status, json.loads(text)["error"]) == (503, "busy")
            assert (await served.get("/v1/story/events", "HEAD"))[0] == 503
        while served.server.stories.listeners.count:
            await asyncio.sleep(0.01)
        assert (await served.get("/v1/story/events", "HEAD"))[0] == 200
        async with listening_to(served) as three:
            await three.next()

    play(tmp_path)


def test_a_listener_that_does_not_read_is_disconnected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_streams, "SLOW_SECONDS", 0.1)
    with open_ledger(tmp_path) as ledger:
        for number in range(60):
            ledger.seed(
                {"request_id": f"s-{number}", "author_id": "WORLD", "text": "stone " * 30_000}
            )

    @with_story()
    async def play(served: Served) -> None:
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with closing(narrow):
            narrow.connect(("127.0.0.1", served.port))
            narrow.sendall(
                f"GET /v1/story/events HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n\r\n".encode()
            )
            while not served.server.stories.listeners.count:
                await asyncio.sleep(0.01)
            while served.server.stories.listeners.count:
                await asyncio.sleep(0.01)
        async with listening_to(served, "?last=1") as events:
            await events.texts(1)

    play(tmp_path)


def test_the_log_says_that_the_reader_of_an_export_stopped_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(stories, "SLOW_SECONDS", 0.1)
    with open_ledger(tmp_path) as ledger:
        for number in range(60):
            ledger.seed(
                {"request_id": f"s-{number}", "author_id": "WORLD", "text": "stone " * 30_000}
            )

    @with_story()
    async def play(served: Served) -> None:
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with closing(narrow):
            narrow.connect(("127.0.0.1", served.port))
            head = f"Host: 127.0.0.1:{served.port}\r\n\r\n"
            narrow.sendall(f"GET /admin/v1/story/export?all=1 HTTP/1.1\r\n{head}".encode())
            while "an export was broken off: the client does not read" not in caplog.text:
                await asyncio.sleep(0.01)

    play(tmp_path)


def test_listeners_do_not_keep_a_server_from_ending(tmp_path: Path) -> None:
    async def play() -> None:
        async with aiohttp.ClientSession() as http:
            async with story_server(tmp_path) as served:
                answer = await http.get(served.url("/v1/story/events"))
                events = Events(answer)
                await events.next("reader")
                ending = asyncio.get_running_loop().time()
            with pytest.raises(EOFError):
                await events.next()
            assert asyncio.get_running_loop().time() - ending < 5
            answer.close()

    run(play())


def test_a_slow_writer_keeps_nobody_from_reading(tmp_path: Path) -> None:
    """Nor does it hold up the loop."""
    thinking, think = threading.Event(), threading.Event()

    class Slow(ScriptedWriter):
        calls_out = True

        def write(self, moment: Any) -> Any:
            thinking.set()
            think.wait(10)
            return super().write(moment)

    with open_ledger(tmp_path) as ledger:
        ledger.seed({"request_id": "s-1", "author_id": "WORLD", "text": "A mill by a ford."})

    @with_story(writer=Slow())
    async def play(served: Served) -> None:
        beats = [asyncio.create_task(post(served, envelope(f"r-{number}"))) for number in range(12)]
        while not thinking.is_set():
            await asyncio.sleep(0.01)
        assert texts(await page(served)) == ["A mill by a ford."], (
            "nothing is shown before it is stored"
        )
        assert await served.get("/healthz") == (200, "ok")
        think.set()
        assert [(await beat)[0] for beat in beats] == [200] * 12

    play(tmp_path)


def test_a_story_is_told_beside_a_living_world(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(tmp_path) as served, served.agent() as mole:
            assert (await post(served, envelope("r-1")))[0] == 200
            assert "Hello." in texts(await page(served))
            await mole.obs()

    run(play())


def test_ledger_names_the_place_before_its_end(tmp_path: Path) -> None:
    with open_ledger(tmp_path, CONFIG) as ledger:
        assert ledger.behind(None, 1) is None
        sow(ledger, 3)
        assert [ledger.behind(None, count) for count in (1, 2, 3, 4)] == [
            "c:00000002",
            "c:00000001",
            None,
            None,
        ]


def sow(ledger: Ledger, count: int) -> None:
    for number in range(count):
        ledger.seed({"request_id": f"s-{number}", "author_id": "WORLD", "text": f"Stone {number}."})


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (
            "/admin/v1/story/seeds",
            r'{"request_id":"s","author_id":"WORLD","text":"Hi.","calendar":"\ud800"}',
        ),
        (
            "/admin/v1/story/seeds",
            r'{"request_id":"s","author_id":"WORLD","text":"Hi.","\ud800":1}',
        ),
        ("/admin/v1/story/founding", r'{"time":"\ud800"}'),
        ("/admin/v1/story/founding", r'{"calendar":"\ud800"}'),
        ("/admin/v1/story/founding", r'{"context":{"empty_scene":"\ud800"}}'),
        ("/admin/v1/towns/orders", r'{"order":"\ud800"}'),
        ("/invocations", r'{"time":"\ud800"}'),
    ],
)
def test_half_a_surrogate_pair_is_refused(tmp_path: Path, path: str, body: str) -> None:
    async def play() -> None:
        async with story_server(tmp_path) as served:
            headers = {"Content-Type": "application/json"}
            async with served.http.post(served.url(path), data=body, headers=headers) as answer:
                assert answer.status == 400, await answer.text()
                assert "error" in await answer.json()

    run(play())


def test_clients_that_vanish_leave_no_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    head = b"HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    half = [
        b"POST %s %sContent-Length: 1000\r\n\r\n{" % (path, head)
        for path in (
            b"/invocations",
            b"/v1/handoffs",
            b"/admin/v1/story/seeds",
            b"/admin/v1/towns/orders",
        )
    ]
    chunked = b"POST /invocations %sTransfer-Encoding: chunked\r\n\r\n5\r\n{" % head
    looks = [
        b"GET %s %s\r\n" % (path, head)
        for path in (b"/admin/v1/story/export?all=1", b"/v1/story/events")
    ]

    async def play() -> None:
        async with story_server(tmp_path) as served:
            for number in range(40):
                await post(served, envelope(f"r-{number}", "x" * 50_000))
            for sent in (*half, chunked, *looks):
                for patience in (0.0, 0.1):
                    _, writer = await asyncio.open_connection("127.0.0.1", served.port)
                    writer.write(sent)
                    await writer.drain()
                    await asyncio.sleep(patience)
                    writer.transport.abort()
            await asyncio.sleep(0.5)
            assert (await post(served, envelope("last")))[0] == 200

    run(play(), 60)
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []
