"""A film opens from disk in a browser without a network: it plays, asks for nothing, and shows
hostile text as text."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.observer.filmed import make_village
from tests.server.browser import Page, browsing, pixels
from tests.server.serving import Served, run, serving, with_server
from tests.server.test_page import PATIENCE_SECONDS, chromium
from tests.server.test_page_stranger import SEEN, TEXT
from tests.server.test_page_time import AT
from thorp.bridges.chronicle.passages import passages
from thorp.cli.own_story import OwnStory
from thorp.observer.film import PREFIX, Film, Scope, make_film, read_film
from thorp.store import RealDisk
from thorp.story import open_ledger

FIRST, END = 190, 600
FILM = "document.querySelector('#state')?.textContent === 'a film'"
DRAWN = "Number(document.querySelector('#scene')?.dataset.draws) > 4"
PEOPLE = "document.querySelectorAll('#agents [role=option]').length"
# A page without its scene has some hundred.
MANY_COLOURS = 3_000
HOSTILE = "</script><img src=x onerror=\"document.title='taken'\"><b>&amp;"
# The members of documents that people write, or that are made of what they write.
WRITTEN = {"name", "text", "title", "body", "reason", "intent", "detail", "data", "org"}


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Film:
    data = make_village(tmp_path_factory.mktemp("village"))
    with open_ledger(data, create=False) as ledger:
        story = passages(OwnStory(ledger), "PUBLIC", FIRST, END)
    return make_film(RealDisk(), data / "world", Scope(first=FIRST, last=END), story=story)


def watching(
    film: Film, tmp_path: Path, play: Callable[[Page], Awaitable[None]], width: int = 1200
) -> None:
    """Open a film from disk, without a network, and see that it asked for nothing."""
    path = tmp_path / "village.html"
    film.save(path)

    async def watch() -> None:
        async with browsing(tmp_path / "profile", width, 760) as page:
            nothing = {"latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
            await page.do("Network.emulateNetworkConditions", offline=True, **nothing)
            await page.open(path.as_uri())
            await page.until(FILM)
            await page.until(f"{PEOPLE} > 4")
            await play(page)
            assert page.complaints == []
            assert page.failed_requests == []
            assert [url for url in page.requests if url != path.as_uri()] == []

    run(watch(), 2 * PATIENCE_SECONDS)


@chromium
def test_a_film_plays_from_disk(film: Film, tmp_path: Path) -> None:
    """In 3D and as a map, with the lane, people, the society and the story of its stretch."""

    async def play(page: Page) -> None:
        await page.until(DRAWN)
        await page.until(f"{AT} > {FIRST + 3}")  # it plays
        assert await page.get("[...document.querySelectorAll('.places a')].map((a) => a.id)") == [
            "world",
            "society-link",
            "story",
        ]
        await page.key("End")
        await page.until(f"{AT} === {END}")
        await page.key("Home")
        await page.until(f"{AT} === {FIRST}")
        await page.until("document.querySelectorAll('.marks-list li').length > 3")
        await page.key("m")
        await page.until(f"{SEEN('#map-layers, .layers')}")
        await page.click("#society-link")
        await page.until(f"{TEXT('#society')}.includes('Thorp')")
        await page.click("#world")
        await page.key("End")
        await page.until(f"{AT} === {END}")
        await page.click("#story")
        await page.until("document.querySelector('.telling')?.textContent.length > 40")
        await page.click("#join-button")
        digest = film.about.digests[-1][1]
        await page.until(f"{TEXT('#film-about')}.includes('{digest}')")
        assert not await page.get("document.querySelector('textarea')")  # nothing can be sent

    watching(film, tmp_path, play)


@chromium
def test_a_link_into_a_film_leads_to_its_moment(film: Film, tmp_path: Path) -> None:
    path = tmp_path / "village.html"
    film.save(path)

    async def watch() -> None:
        async with browsing(tmp_path / "profile", 1200, 760) as page:
            await page.open(f"{path.as_uri()}#/?see=A2&at=450")
            await page.until(f"{AT} === 450")
            await page.until("document.querySelector('#card')?.dataset.agent === 'A2'")
            assert await page.get("location.hash") == "#/?see=A2&at=450"
            await page.open(f"{path.as_uri()}#/?at=20")  # before it begins
            await page.until(f"{TEXT('#past')}.includes('This film begins with tick {FIRST}')")
            assert page.complaints == []

    run(watch(), 2 * PATIENCE_SECONDS)


def tampered(value: Any, within: str = "") -> Any:
    """The same document with hostile text wherever somebody may have written something."""
    if isinstance(value, dict):
        return {key: tampered(each, key) for key, each in value.items()}
    if isinstance(value, list):
        return [tampered(each, within) for each in value]
    return value + HOSTILE if isinstance(value, str) and within in WRITTEN else value


@chromium
def test_hostile_text_in_every_field_is_shown_as_text(film: Film, tmp_path: Path) -> None:
    packed = {
        name: content
        if name.startswith(f"{PREFIX}ground/")
        else gzip.compress(json.dumps(tampered(json.loads(gzip.decompress(content)))).encode())
        for name, content in film.page.packed.items()
    }
    hostile = Film(msgspec.structs.replace(film.page, packed=packed), film.about)
    nothing_taken = "document.title !== 'taken' && !document.querySelector('img')"

    async def play(page: Page) -> None:
        await page.until(f"{TEXT('#agents')}.includes('onerror')")
        for place in ("#society-link", "#story", "#world"):
            await page.click(place)
            await asyncio.sleep(0.5)
            assert await page.get(nothing_taken)
        await page.key("End")
        await page.until(f"{AT} === {END}")
        await page.click("#story")
        await page.until("document.querySelector('.telling')?.textContent.includes('onerror')")
        await page.click("#world")
        await page.click("#agents [role=option]")
        await page.until(f"{TEXT('#card')}.includes('onerror')")
        assert await page.get(nothing_taken)

    watching(hostile, tmp_path, play)


@chromium
def test_a_film_lives_in_a_frame_of_a_notebook(film: Film, tmp_path: Path) -> None:
    """Which may run its script and nothing else, and has no address of its own."""
    path = tmp_path / "notebook.html"
    path.write_text(f"<!doctype html><title>notebook</title>{film._repr_html_()}")

    async def watch() -> None:
        async with browsing(tmp_path / "profile", 1200, 760) as page:
            await page.open(path.as_uri())
            await page.until("document.title === 'notebook'")
            async with asyncio.timeout(PATIENCE_SECONDS):
                # The frame is another process, into which only its picture lets us look.
                while len(Counter(pixels(await page.screenshot()))) < MANY_COLOURS:
                    await asyncio.sleep(0.5)
            assert page.complaints == []

    run(watch(), 2 * PATIENCE_SECONDS)


# What the page hands to the reader to keep, by the names of the files.
KEEPS = """
  window.kept = {};
  const blobs = new Map();
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    const url = make.call(URL, blob);
    blobs.set(url, blob);
    return url;
  };
  HTMLAnchorElement.prototype.click = function () {
    blobs.get(this.href).arrayBuffer().then((bytes) => {
      window.kept[this.download] = [bytes.byteLength, ...new Uint8Array(bytes).slice(0, 4)];
    });
  };
"""
COUNTS = """
  window.recorded = 0;
  const start = MediaRecorder.prototype.start;
  MediaRecorder.prototype.start = function (...given) {
    this.addEventListener('dataavailable', ({ data }) => { window.recorded += data.size; });
    return start.apply(this, given);
  };
"""
EBML = [0x1A, 0x45, 0xDF, 0xA3]


@chromium
def test_a_clip_is_recorded_in_the_browser(film: Film, tmp_path: Path) -> None:
    path = tmp_path / "village.html"
    film.save(path)

    async def watch() -> None:
        async with browsing(tmp_path / "profile", 800, 500) as page:
            await page.before_scripts(KEEPS)
            await page.before_scripts(COUNTS)
            await page.open(path.as_uri())
            await page.until(DRAWN)
            await page.click("#clip")
            await page.until("document.querySelector('#clip[aria-pressed=true]')")
            await page.until("recorded > 1_000")
            await page.click("#clip")
            await page.until("Object.keys(kept).length === 1")
            ((name, (size, *head)),) = (await page.get("kept")).items()
            assert name.endswith(".webm")
            assert head == EBML
            assert size > 1_000
            assert page.complaints == []

    run(watch(), 2 * PATIENCE_SECONDS)


@chromium
def test_this_is_sent_with_its_size_said_before(tmp_path: Path) -> None:
    """From the page of a server, which makes the film in a process of its own."""

    async def watch() -> None:
        async with (
            serving(tmp_path / "data", tape=True, tick_rate_hz=20) as served,
            browsing(tmp_path / "profile", 1000, 640) as page,
            served.agent(),
        ):
            await page.before_scripts(KEEPS)
            await page.open(served.url("/"))
            await page.until("Number(document.querySelector('#tick')?.textContent) > 40")
            await page.click("#send")
            await page.until(f"{TEXT('#send-size')}.startsWith('About ')")
            await page.get(
                "[['#send-from', 5], ['#send-to', 35]].map(([id, value]) => {"
                "const field = document.querySelector(id); field.value = value;"
                "field.dispatchEvent(new InputEvent('input', { bubbles: true })); })"
            )
            await page.until(f"!{TEXT('#send-size')}.startsWith('About ')")
            await page.until(f"{TEXT('#send-size')}.startsWith('About ')")
            await page.click("#send-card [type=submit]")
            await page.until("Object.keys(kept)[0] === 'thorp-5-35.html'")
            assert page.complaints == []

    run(watch(), 2 * PATIENCE_SECONDS)


@with_server(tape=True)
async def test_a_film_comes_over_http(served: Served) -> None:
    async with served.agent() as agent:
        while (await agent.obs())["tick"] < 30:
            pass
        status, body = await served.get("/v1/film/size?from=2&to=20")
        assert status == 200
        size = json.loads(body)
        async with served.http.get(served.url("/v1/film?from=2&to=20")) as answer:
            assert answer.status == 200
            assert "attachment" in answer.headers["Content-Disposition"]
            content = await answer.read()
        made = read_film(content)
        assert (made.about.first, made.about.last, made.about.open_book) == (2, 20, False)
        assert len(content) / 2 < size["bytes"] < len(content) * 2
        for wrong in ("", "?from=2", "?from=0&to=9", "?from=9&to=2", "?from=1&to=99999999"):
            assert (await served.get(f"/v1/film{wrong}"))[0] in (400, 409)
            assert (await served.get(f"/v1/film/size{wrong}"))[0] in (400, 409)
