"""The page of the story in a real browser, before a real server with a real ledger."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.server.browser import Page, browsing
from tests.server.serving import Served, run
from tests.server.test_stories import (
    CANARIES,
    CONFIG,
    EVERYBODY,
    GEORGE,
    NOW,
    OSWIN,
    PROPOSED_AS_GEORGE,
    story_server,
    tell_secrets,
)
from thorp.server.access.tokens import Role, Tokens
from thorp.story import StoryConfig, open_ledger
from thorp.story.config import Stream
from thorp.story.writer import ScriptedWriter
from thorp.story.writer.moment import Moment, Words

PATIENCE_SECONDS = 300
LIVE = "document.querySelector('#state')?.dataset.state === 'live'"
AWAY = "document.querySelector('#state')?.dataset.state === 'away'"
TEXTS = "[...document.querySelectorAll('#stream li span')].map((one) => one.textContent)"
LABELS = (
    "[...document.querySelectorAll('#stream li')].map((one) => "
    "one.querySelector('b')?.textContent ?? null)"
)
COMPOSER = "document.querySelector('#composer')?.hidden === false"
MARKUP = "She says <img src=x onerror=alert(1)> & <b>nothing</b>."

chromium = pytest.mark.real("chromium")


class Wire:
    """A proxy between browser and server: every byte is kept, and answers to invocations can be
    lost."""

    def __init__(self, port: int) -> None:
        self._server_port = port
        self._connections: set[asyncio.Task[None]] = set()
        self.sent = b""
        self.received = b""
        self.loses_answers = False
        self.port = 0

    @property
    def posted(self) -> list[dict[str, Any]]:
        """The envelopes that were sent."""
        bodies = re.findall(
            rb"POST /invocations.*?\r\n\r\n(\{.*?\}\})(?=GET |POST |\Z)", self.sent, re.DOTALL
        )
        return [json.loads(body) for body in bodies]

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        there, back = await asyncio.open_connection("127.0.0.1", self._server_port)
        asking = asyncio.create_task(self._pass(reader, back, is_answer=False))
        with suppress(ConnectionError, asyncio.CancelledError):
            await self._pass(there, writer, is_answer=True)
        asking.cancel()
        for end in (back, writer):
            end.close()
        self._connections.discard(task)

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_answer: bool
    ) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                if not is_answer:
                    self.sent += data
                elif self.loses_answers and b"Content-Type: application/json" in data:
                    return
                else:
                    self.received += data
                writer.write(data)
                await writer.drain()

    async def close(self) -> None:
        for task in tuple(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)


@asynccontextmanager
async def wired(served: Served) -> AsyncIterator[Wire]:
    wire = Wire(served.port)
    proxy = await asyncio.start_server(wire.carry, "127.0.0.1", 0)
    wire.port = proxy.sockets[0].getsockname()[1]
    try:
        yield wire
    finally:
        proxy.close()
        await wire.close()


Play = Callable[[Served, Wire, Page], Awaitable[None]]


def show(
    play: Play, data: Path, *, writer: Any = None, query: str = "", loopback: Role = Role.ADMIN
) -> None:
    """Run a play with a server, a wire and a browser whose page is open and live."""

    async def whole() -> None:
        told = ScriptedWriter() if writer is None else writer
        async with (
            story_server(data / "data", writer=told, loopback=loopback) as served,
            wired(served) as wire,
            browsing(data / "profile", 900, 600) as page,
        ):
            await page.open(f"http://127.0.0.1:{wire.port}/story{query}")
            await page.until(LIVE)
            await play(served, wire, page)
            assert page.complaints == []
            here = f"http://127.0.0.1:{wire.port}/"
            assert [url for url in page.requests if not url.startswith(here)] == [], (
                "nothing from elsewhere"
            )

    run(whole(), PATIENCE_SECONDS)


async def say(page: Page, text: str) -> None:
    await page.until(COMPOSER)
    await page.get("document.querySelector('#words').focus()")
    if text:
        await page.do("Input.insertText", text=text)
    await page.key("Enter")
    await page.until(
        "!document.querySelector('#send').disabled && document.querySelector('#words').value === ''"
    )


class SlowWriter(ScriptedWriter):
    """Takes its time, so that one sees what a running beat does."""

    def write(self, moment: Moment) -> Words:
        time.sleep(2)
        return super().write(moment)


def proposal(author: str, text: str) -> dict[str, Any]:
    """A line of a script in which somebody (or the world) says something to everybody."""
    is_world = author == "WORLD"
    return {
        "proposed_write_bundle": {
            "proposed_by": {"engine": "ENGINE_9_LLM_WRITER", "actor": author},
            "wrote": True,
            "entries": [
                {
                    "author": {
                        "author_id": author,
                        "author_class": "WORLD" if is_world else "PERSON",
                    },
                    "visibility": {"scope": "PUBLIC", "visible_to": []},
                    "channel": "VOICE" if is_world else "PEOPLE",
                    "text": text,
                }
            ],
        }
    }


@chromium
def test_ui_01_ui_03_ui_04_ui_06_a_story_is_told(tmp_path: Path) -> None:
    """UI-01: beats stay, once each. UI-03: the clock is left alone. UI-04: markup is text. UI-06:
    silence."""
    writer = ScriptedWriter([proposal("REBECCA", MARKUP), proposal("WORLD", "Rain begins.")])

    async def play(served: Served, wire: Wire, page: Page) -> None:
        assert await page.get(TEXTS) == [], "no filler before there is anything"
        await say(page, "Good morning.")
        await page.until(f"{TEXTS}.length === 2")
        await say(page, "And now?")
        await page.until(f"{TEXTS}.length === 4")
        told = ["Good morning.", MARKUP, "And now?", "Rain begins."]
        assert await page.get(TEXTS) == told
        assert await page.get(LABELS) == [None, "REBECCA", None, None]
        assert not await page.get("document.querySelector('#stream img, #stream li b b')")
        assert [sent["declared_overrides"]["pause_time"] for sent in wire.posted] == [None, None]

        clock = "document.querySelector('#clock').dateTime"
        before = await page.get(clock)
        stream = await page.get("document.querySelector('#stream').innerHTML")
        await say(page, "")
        await page.until(f"{clock} !== {before!r}")
        assert await page.get("document.querySelector('#stream').innerHTML") == stream
        assert len(wire.posted) == 3

        await page.get("document.querySelector('#pause').value = 'true'")
        await say(page, "Stop.")
        assert wire.posted[-1]["declared_overrides"]["pause_time"] is True
        await page.until("document.querySelector('#pause').value === 'null'")
        await page.until(f"{TEXTS}.length === 5")

        await page.open(f"http://127.0.0.1:{wire.port}/story")
        await page.until(f"{TEXTS}.length === 5")
        assert await page.get(TEXTS) == [*told, "Stop."]
        assert len({sent["request_id"] for sent in wire.posted}) == len(wire.posted) == 4

    show(play, tmp_path, writer=writer)


@chromium
def test_ui_02_a_lost_answer_is_asked_for_again_with_the_same_id(tmp_path: Path) -> None:
    async def play(served: Served, wire: Wire, page: Page) -> None:
        await page.until(COMPOSER)
        wire.loses_answers = True
        await page.get("document.querySelector('#words').focus()")
        await page.do("Input.insertText", text="Once only.")
        await page.key("Enter")
        await page.until(
            "!document.querySelector('#again').hidden && !document.querySelector('#send').disabled"
        )
        assert await page.get("document.querySelector('#words').value") == "Once only."
        wire.loses_answers = False
        await page.click("#again")
        await page.until("document.querySelector('#words').value === ''")
        await page.until("document.querySelector('#notice').hidden")
        await page.until(f"{TEXTS}.length === 1")
        assert len(wire.posted) >= 2
        assert len({json.dumps(sent) for sent in wire.posted}) == 1
        assert await page.get(TEXTS) == ["Once only."]
        assert len(json.loads((await served.get("/v1/story/stream"))[1])["stream"]["entries"]) == 1

    show(play, tmp_path)


@chromium
@pytest.mark.parametrize("available", [True, False])
def test_ui_05_the_pocket_has_its_own_place_or_none(available: bool, tmp_path: Path) -> None:
    config = StoryConfig(stream=Stream(pocket_available=available))
    with open_ledger(tmp_path / "data", config) as ledger:
        seed = {"request_id": "s-1", "author_id": "WORLD", "text": "Tea at the Crown. Bring bread."}
        ledger.seed(
            {
                **seed,
                "calendar": {"title": "Tea", "location": "the Crown"},
                "message": {"text": "Bring bread."},
            }
        )

    async def play(served: Served, wire: Wire, page: Page) -> None:
        await page.until(f"{TEXTS}.length === 1")
        await page.until(f"document.querySelector('#pocket').hidden !== {str(available).lower()}")
        assert (await page.get("document.querySelector('#pocket').offsetHeight") > 0) is available
        assert not await page.get("document.querySelector('#stream #pocket, #stream #calendar')")
        if available:
            await page.until("document.querySelector('#calendar').textContent === 'Teathe Crown'")
            await page.until(
                "document.querySelector('#messages').textContent.includes('Bring bread.')"
            )

    show(play, tmp_path)


CALLED = {EVERYBODY: "everybody", GEORGE: "the operator"}


@chromium
@pytest.mark.parametrize("own", [EVERYBODY, OSWIN, GEORGE])
def test_no_private_text_of_others_is_in_any_byte(own: str | None, tmp_path: Path) -> None:
    tell_secrets(tmp_path / "data")
    role = {EVERYBODY: Role.VIEWER, OSWIN: Role.AGENT, GEORGE: Role.OPERATOR}[own]
    tokens = Tokens(tmp_path / "data")
    _, token = tokens.create(role, created=NOW, person=OSWIN if own == OSWIN else "")

    async def play(served: Served, wire: Wire, page: Page) -> None:
        await page.until(f"{TEXTS}.length === {1 if own is EVERYBODY else 2}")
        await page.until(
            f"document.querySelector('#eyes').textContent === 'as {CALLED.get(own, own)}'"
        )
        await page.until(COMPOSER if own == GEORGE else f"!({COMPOSER})")
        seen = {who for who, canary in CANARIES.items() if canary.encode() in wire.received}
        assert seen == ({own} if own else set())
        shown = await page.get("document.documentElement.innerHTML")
        assert {who for who, canary in CANARIES.items() if canary in shown} == seen

    assert CONFIG.people[1].person_id == OSWIN
    show(play, tmp_path, query=f"?token={token}", loopback=Role.ANYONE)


@chromium
def test_others_are_heard_live_and_by_keyboard_on_a_phone_in_the_dark(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "data") as ledger:
        for number in range(230):
            ledger.seed(
                {"request_id": f"s-{number}", "author_id": "WORLD", "text": f"Stone {number}."}
            )

    async def play(served: Served, wire: Wire, page: Page) -> None:
        await page.until(f"{TEXTS}.length === 200")
        scrolled = "document.querySelector('#stream').scrollTop"
        await page.until(f"{scrolled} > 0")
        # Who looks for a word finds it in passages that were not loaded, too.
        typed = "((one) => (one.value = 'stone 7.', one.dispatchEvent(new Event('input'))))"
        await page.get(f"{typed}(document.querySelector('#search'))")
        await page.until("document.querySelector('#hits')?.textContent.includes('Stone 7.')")
        await page.open(await page.get("location.href"))
        await page.until(f"{TEXTS}.length === 200 && {scrolled} > 0")
        await page.click("#earlier")
        await page.until(f"{TEXTS}.length === 230")
        assert await page.get(TEXTS) == [f"Stone {number}." for number in range(230)]
        assert await page.get(f"{scrolled} > 0"), "the reader's place is kept"

        await page.get("document.querySelector('#words').focus()")
        await page.key("Escape")
        await page.until("document.activeElement.id === 'stream'")
        await page.get("document.querySelector('#stream').scrollTop = 0")
        await asyncio.to_thread(sow_elsewhere, tmp_path / "data")
        await page.until(f"{TEXTS}.length === 231")
        await page.until("document.querySelector('#below').textContent === '1 new'")
        await page.until("!document.querySelector('#below').hidden")
        assert await page.get(scrolled) == 0, "and what comes does not move it"
        await page.key("/")
        await page.until("document.activeElement.id === 'words'")
        await page.do("Input.insertText", text="one")
        await page.do(
            "Input.dispatchKeyEvent",
            type="keyDown",
            key="Enter",
            code="Enter",
            text="\r",
            modifiers=8,
        )
        await page.do("Input.insertText", text="two")
        await page.key("Enter")
        await page.until(f"{TEXTS}.at(-1) === 'one\\ntwo'")

        paper = "getComputedStyle(document.body).backgroundColor"
        await page.prefer(prefers_color_scheme="light")
        light = await page.get(paper)
        await page.prefer(prefers_color_scheme="dark")
        await page.until(f"{paper} !== {light!r}")
        await page.until("document.querySelector('#pocket').open")
        await page.resize(390, 844, phone=True)
        await page.until("!document.querySelector('#pocket').open")
        await page.until("document.documentElement.scrollWidth === 390")
        await page.until("document.querySelector('#stream').offsetHeight > 300")

    show(play, tmp_path)


def sow_elsewhere(data: Path) -> None:
    with open_ledger(data) as other:
        other.seed({"request_id": "s-far", "author_id": "WORLD", "text": "A bell far away."})


@chromium
def test_the_page_says_that_the_server_is_away_and_comes_back_with_it(tmp_path: Path) -> None:
    async def play() -> None:
        async with browsing(tmp_path / "profile", 600, 500) as page:
            async with story_server(tmp_path / "data", writer=ScriptedWriter()) as served:
                await page.open(served.url("/story"))
                await page.until(LIVE)
                await say(page, "Before.")
                await page.until(f"{TEXTS}.length === 1")
            await page.until(AWAY)
            await page.until(
                "document.querySelector('#state').textContent.includes('cannot be reached')"
            )
            assert await page.get(TEXTS) == ["Before."], "what was told stays"
            async with story_server(tmp_path / "data", writer=ScriptedWriter(), port=served.port):
                await page.until(LIVE)
                await say(page, "After.")
                await page.until(f"{TEXTS}.length === 2")
                assert await page.get(TEXTS) == ["Before.", "After."]
            assert page.complaints == []

    run(play(), PATIENCE_SECONDS)


@chromium
def test_a_writer_that_fails_or_is_rejected_is_told_on_the_page_and_counted(tmp_path: Path) -> None:
    writer = SlowWriter(["Certainly!", "Certainly!", PROPOSED_AS_GEORGE, PROPOSED_AS_GEORGE])
    why = "document.querySelector('#why').textContent"
    notice = "document.querySelector('#notice').hidden"

    async def play(served: Served, wire: Wire, page: Page) -> None:
        await page.until(COMPOSER)
        await page.get("document.querySelector('#words').focus()")
        await page.do("Input.insertText", text="Good morning.")
        await page.key("Enter")
        await page.until(
            "document.querySelector('#keys').textContent.includes('the writer is asked')"
        )
        await page.until(f"{notice} === false")
        await page.until(f"{why}.startsWith('Your words are kept; the writer failed (unusable: ')")
        await page.until(f"{why}.endsWith('; beat 1 of the audit)')")
        await page.until("document.querySelector('#again').hidden")
        await page.until(f"{TEXTS}.length === 1")
        _, text = await served.get("/metrics")
        assert 'thorp_story_writer_failures_total{code="unusable"} 1' in text
        await say(page, "Speak for me.")
        rule = "OPERATOR_IMPERSONATION: nobody writes for the operator"
        rejected = f"what the writer proposed was rejected ({rule}; beat 2 of the audit)"
        await page.until(f"{why} === 'Your words are kept; {rejected}'")
        _, text = await served.get("/metrics")
        assert 'thorp_story_rejections_total{rule="OPERATOR_IMPERSONATION"} 1' in text
        await say(page, "And now?")
        await page.until(f"{notice} === true")

    show(play, tmp_path, writer=writer)
