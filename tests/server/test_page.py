"""The page at `/` in a real browser, with a real server and real agents; and that `web/` makes this
page."""

from __future__ import annotations

import asyncio
import subprocess
import zipfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.server.browser import Page, browsing, pixels
from tests.server.serving import RawAgent, Served, run, serving
from tests.server.test_society_metrics import QUICK, settle
from thorp.client.bots import run_bots
from thorp.server.access.principals import Principals
from thorp.server.access.tokens import Role, Tokens
from thorp.server.host import listening, living
from thorp.server.http.page import PAGE_FILES
from thorp.server.http.server import Server
from thorp.server.settings import WORLD
from thorp.store import RealDisk
from thorp.voxel import WorldService
from thorp.voxel.tuning import Tuning

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src/thorp/server/static"
# A browser that draws without a graphics card on a busy machine takes its time.
PATIENCE_SECONDS = 300
# So often that things happen soon, so seldom that drawing leaves time for it.
TICK_RATE_HZ = 10
LIVE = "document.querySelector('#state')?.dataset.state === 'live'"
CHOSEN = "document.querySelector('#agents [aria-selected=true]')?.id"
LOOKED_AT = "document.querySelector('#card')?.dataset.agent"
# With the table of words, buildings and people by what they have; the story is loaded later.
MAX_PACKED_BYTES = 220_000

chromium = pytest.mark.real("chromium")


def with_page(
    play: Callable[[Served, Page], Awaitable[None]],
) -> Callable[[Path], None]:
    """A test that is given a server and a browser."""

    def test(tmp_path: Path) -> None:
        async def whole() -> None:
            async with (
                serving(tmp_path / "data", tick_rate_hz=TICK_RATE_HZ) as served,
                browsing(tmp_path / "profile", 840, 500) as page,
            ):
                await play(served, page)
                assert page.complaints == []

        run(whole(), PATIENCE_SECONDS)

    test.__name__ = play.__name__
    test.__doc__ = play.__doc__
    return test


@asynccontextmanager
async def bots(served: Served, count: int) -> AsyncIterator[None]:
    crew = asyncio.create_task(run_bots(served.url("/v1/ws", "ws"), count))
    try:
        yield
    finally:
        crew.cancel()
        await asyncio.gather(crew, return_exceptions=True)


async def drawn(page: Page) -> list[bytes]:
    """The pixels of a part of the scene with nothing over it."""
    return pixels(await page.screenshot(x=20, y=60, width=300, height=160, scale=0.25))


async def terrain_drawn(page: Page) -> list[bytes]:
    """Wait until no colour is everywhere in the scene."""
    while Counter(seen := await drawn(page)).most_common(1)[0][1] > 0.3 * len(seen):
        await asyncio.sleep(0.5)
    return seen


async def act(served: Served, agent: RawAgent, *instants: dict[str, Any]) -> None:
    await served.caught_up(agent)
    wanted = [{"id": f"i{n}", **instant} for n, instant in enumerate(instants)]
    await agent.act(instants=wanted)
    results: list[dict[str, Any]] = []
    while len(results) < len(instants):
        told = [
            event for event in (await agent.obs())["events"] if event["type"] == "ACTION_RESULT"
        ]
        if any((one["ref"], one.get("code")) == ("ACT", "E_STALE") for one in told):
            await agent.act(
                instants=wanted
            )  # a busy machine was late with it, so nothing of it was done
        else:
            results += told
    assert all(result["ok"] for result in results), results


@chromium
@with_page
async def test_the_page_shows_a_living_world(served: Served, page: Page) -> None:
    """Terrain is drawn, agents are listed and move, what happens is told, and all of it comes from
    here."""
    async with bots(served, 3):
        await page.open(served.url("/"))
        await page.until(LIVE)
        first = await terrain_drawn(page)
        await page.until("document.querySelectorAll('#agents [role=option]').length === 3")
        names = await page.get(
            "[...document.querySelectorAll('#agents bdi')].map((one) => one.textContent)"
        )
        assert names == ["wanderer-1", "lumberjack-2", "farmer-3"]
        where = (
            "[...document.querySelectorAll('#agents .where')].map((place) => "
            "place.textContent).join()"
        )
        before = await page.get(where)
        await page.until(f"{where} !== {before!r}")
        while await drawn(page) == first:  # until the browser has drawn its next frame
            await asyncio.sleep(0.1)
        await page.until("document.querySelector('#events time')")
        await page.key("?")
        await page.until("/^[0-9]/.test(document.querySelector('#late').textContent)")
    here = served.url("/")
    assert {
        url for url in page.requests if not url.startswith((here, here.replace("http", "ws")))
    } == set()


@chromium
def test_the_page_opens_on_the_plaza_and_stays_there(tmp_path: Path) -> None:
    """Not on whoever came first, who may be anywhere: the first look is at the city."""
    at, watched = (
        "document.querySelector('#scene')?.dataset.at",
        "document.querySelector('.scene')?.dataset.watched",
    )

    async def play() -> None:
        async with (
            serving(tmp_path / "data", tape=True, **QUICK, tick_rate_hz=TICK_RATE_HZ) as served,
            browsing(tmp_path / "profile", 700, 500) as page,
            served.agent("scout"),
            served.agent("mole") as mole,
        ):
            await settle(mole)
            world = served.live.service.world
            [land] = world.claims
            plaza = f"{land.anchor[0]},{land.anchor[2]}"
            assert plaza != f"{world.agents[1].x},{world.agents[1].z}"
            await page.open(served.url("/"))
            await page.until(f"{at} === {plaza!r} && {watched}")
            assert not await page.get("new URLSearchParams(location.search).get('see')")
            seen = world.tick
            await page.until(
                "Number(document.querySelector('#tick').textContent.replaceAll(',', '')) > "
                f"{seen + 20}"
            )
            assert await page.get(at) == plaza, "nobody takes the camera along"
            await page.key("n")  # until somebody is chosen
            await page.until(f"{at} !== {plaza!r}")
            # A link to the past without anybody in it opens there, too.
            await page.open(served.url(f"/?at={seen}"))
            await page.until(f"{at} === {plaza!r}")
            assert page.complaints == []

    run(play(), PATIENCE_SECONDS)


@chromium
@with_page
async def test_someone_is_watched_by_click_and_by_key(served: Served, page: Page) -> None:
    async with served.agent("mole") as mole, served.agent("vole") as vole:
        await page.open(served.url("/"))
        assert await page.until(CHOSEN) == f"agent-{mole.id}", (
            "someone is watched from the beginning"
        )
        await page.click(f"#agent-{vole.id}")
        await page.until(f"{LOOKED_AT} === '{vole.id}'")
        await page.until("document.querySelector('#card h2').textContent.startsWith('vole')")
        await page.until(f"location.search === '?see={vole.id}'")
        await page.key("p")
        await page.until(f"{LOOKED_AT} === '{mole.id}'")

        await page.key("Escape")
        await page.until(f"!{LOOKED_AT} && !{CHOSEN}")
        await pick_in_the_middle(page, mole.id)
        await page.key("Escape")

        await page.until("document.querySelector('#agents')")
        await page.get("document.querySelector('#agents').focus()")
        await page.key("ArrowDown")
        await page.until(f"document.querySelector('[data-marked=true]')?.id === 'agent-{vole.id}'")
        await page.key("Enter")
        await page.until(f"{LOOKED_AT} === '{vole.id}'")
        await page.get("document.querySelector('#scene').focus()")
        following = "!document.querySelector('#follow')"
        await page.until(following)
        before = await terrain_drawn(page)
        await page.key("ArrowLeft")  # also if no frame is drawn while it is down
        await page.until(f"!({following})")
        while (
            await drawn(page) == before
        ):  # the arrows move the view, which a busy machine draws late
            await asyncio.sleep(0.1)
        for key in ("m", "+", "-"):
            await page.key(key)
        await page.until("document.querySelector('.tools [aria-pressed=true]')")


async def pick_in_the_middle(page: Page, agent_id: str) -> None:
    """Click at whom the camera looks. It must have got there, which takes a slow machine a
    while."""
    middle = await page.get(
        "(() => { const box = document.querySelector('#scene').getBoundingClientRect();"
        " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )
    for seconds in (0.5, 1, 2, 4, *[8] * 20):
        await page.key("Escape")  # whoever else was there
        await page.until("document.querySelector('#agents')")
        await page.click(f"#agent-{agent_id}")
        await asyncio.sleep(seconds)
        await page.key("Escape")
        await page.until(f"!{LOOKED_AT}")
        await page.click_at(*middle)
        with suppress(AssertionError):
            await page.until(f"{LOOKED_AT} === '{agent_id}'", 2 + seconds)
            return
    pytest.fail("a click at a figure does not watch it")


@chromium
@with_page
async def test_what_is_private_never_reaches_the_page(served: Served, page: Page) -> None:
    """And what is said aloud does, as the text it is."""
    markup = "good morning <img src=x onerror=alert(1)> all"
    async with served.agent("mole") as mole, served.agent("vole") as vole:
        await page.open(served.url("/"))
        await page.until(LIVE)
        await act(
            served,
            mole,
            {"type": "WHISPER", "to": vole.id, "text": "turnips at midnight"},
            {
                "type": "SAVE_MEMORY",
                "key": "cellar-key",
                "value": "under-the-mat",
                "ttl_ticks": 1000,
            },
            {"type": "SAY", "channel": "LOCAL", "text": markup},
        )
        assert (await vole.event("CHAT", channel="WHISPER"))["text"] == "turnips at midnight"
        await page.until(f"document.querySelector('#events q')?.textContent === {markup!r}")
        assert not await page.get("document.querySelector('img')")
        shown = "\n".join(page.frames)
        assert '"CHUNK_VOXELS"' in shown
        assert "good morning" in shown
        secrets = ("turnips", "cellar-key", "under-the-mat", mole.token, vole.token)
        assert [secret for secret in secrets if secret in shown] == []


@chromium
@with_page
async def test_the_page_fits_a_phone_and_a_dark_room(served: Served, page: Page) -> None:
    """One list at a time below the scene, nothing beside the screen, and paper that follows the
    reader."""
    paper = "getComputedStyle(document.body).backgroundColor"
    shown = (
        "[...document.querySelectorAll('.panel section')].filter((one) => one.offsetHeight).length"
    )
    async with served.agent("mole"):
        await page.open(served.url("/"))
        await page.until(CHOSEN)
        await page.until(f"{shown} === 2")
        await page.prefer(prefers_color_scheme="light")
        light = await page.get(paper)
        await page.prefer(prefers_color_scheme="dark")
        await page.until(f"{paper} !== {light!r}")
        await page.resize(390, 844, phone=True)
        await page.until(f"{shown} === 1")
        await page.until("document.documentElement.scrollWidth === 390")
        await page.click(".tabs button:last-child")
        await page.until("document.querySelector('#events').offsetHeight > 100")


@asynccontextmanager
async def server_on(port: int, data: Path) -> AsyncIterator[int]:
    server = Server(data, Principals(Tokens(data), loopback=Role.ADMIN))
    async with listening(server, "127.0.0.1", port) as taken:
        service = WorldService.open(
            RealDisk(), data / WORLD, draw_seed=5, tuning=Tuning(tick_rate_hz=TICK_RATE_HZ)
        )
        async with living(server, service, "real"):
            yield taken


@chromium
def test_the_page_says_whether_the_server_is_away_or_its_time_stands_still(tmp_path: Path) -> None:
    tick = "Number(document.querySelector('#tick')?.textContent.replaceAll(',', ''))"

    async def play() -> None:
        async with browsing(tmp_path / "profile", 600, 500) as page:
            async with server_on(0, tmp_path / "data") as port:
                await page.open(f"http://127.0.0.1:{port}/")
                await page.until(LIVE)
                await page.key("2")
                await page.until("document.querySelector('#society')")
                await page.key("1")
                last = await page.until(tick)
            await page.until("document.querySelector('#state').dataset.state === 'away'")
            alert = "document.querySelector('[role=alert]')"
            for part in ("cannot be reached", "You see the last state it sent"):
                await page.until(f"{alert}?.textContent.includes({part!r})")
            await page.key("2")
            await page.until(
                "document.querySelector('#society')?.textContent.includes('last papers it sent')"
            )
            await page.key("1")
            async with server_on(port, tmp_path / "data"):
                await page.until(LIVE)
                await page.until(f"{tick} > {last}")
                await page.until(f"!{alert}")
            async with serving(
                tmp_path / "still", clock="lockstep", move_deadline_seconds=3600
            ) as still:
                await page.open(still.url("/"))
                await waits_in_lockstep(still, page)
            assert page.complaints == []

    run(play(), PATIENCE_SECONDS)


async def waits_in_lockstep(still: Served, page: Page) -> None:
    """Where nobody moves, the page says that time waits; with a move it goes on."""
    waits = "document.querySelector('#waits')?.textContent.startsWith('Time waits: no tick for ')"
    await page.until(waits)  # there has been no tick at all
    async with still.agent("mole") as mole:
        await mole.obs()
        await page.until("document.querySelector('#agents .row')")
        await page.until(f"{waits} && document.querySelector('#state').dataset.state === 'quiet'")
        while await page.get(waits):  # a busy machine may draw a tick when it is old already
            await mole.act()
            await mole.obs()
            await asyncio.sleep(0.3)


@chromium
def test_the_page_takes_the_token_out_of_the_address_and_keeps_it(tmp_path: Path) -> None:
    _, token = Tokens(tmp_path).create(Role.VIEWER, created="2030-01-01T00:00:00Z")

    async def play() -> None:
        async with (
            serving(tmp_path, loopback=Role.ANYONE, tick_rate_hz=TICK_RATE_HZ) as served,
            browsing(tmp_path / "profile", 600, 500) as page,
        ):
            await page.open(served.url("/"))
            notice = "document.querySelector('[role=alert]')?.textContent"
            await page.until(f"{notice}?.includes('a token is needed')")
            # The field takes one, too; it is kept for this tab and is in no address.
            typed = "((one) => (one.querySelector('input').value = '{}', one.requestSubmit()))"
            await page.get(typed.format(token) + "(document.querySelector('#token-form'))")
            await page.until(LIVE)
            await page.until(f"location.href === '{served.url('/')}'")
            await page.get("sessionStorage.clear()")
            await page.open(served.url(f"/?token={token}"))
            await page.until(LIVE)
            await page.until("document.querySelector('#tick')")
            await page.until(f"location.href === '{served.url('/')}'")
            for link, path in (("story", "/story"), ("world", "/")):
                await page.click(f"#{link}")
                await page.until(f"location.href === '{served.url(path)}'")
                await page.until(LIVE)
            assert token not in await page.get(
                "document.cookie + document.documentElement.outerHTML"
            )
            await page.open(served.url(f"/story?token={token}"))
            await page.until(f"location.href === '{served.url('/story')}' && {LIVE}")
            await page.open(served.url("/?token=thorp_wrong"))
            await page.until(
                f"{notice}?.includes('a token is needed')"
            )  # one that is not known is let go
            assert page.complaints == []

    run(play(), PATIENCE_SECONDS)


@pytest.mark.real("node")
def test_the_page_is_the_one_its_sources_make() -> None:
    """Whoever changes web/ must run `make web`."""
    checked = subprocess.run(
        ["node", "digest.mjs"], cwd=ROOT / "web", capture_output=True, text=True
    )
    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_page_is_small_and_in_the_wheel(tmp_path: Path) -> None:
    from hatchling.builders.wheel import WheelBuilder

    files = {"index.html", "assets/icon.svg", "assets/licences.md"}
    files |= {"assets/page.css", "assets/page.js", "assets/replay.js"}
    files |= {"assets/matches.js", "assets/story.js"}  # loaded when somebody goes there
    files |= {"assets/why.js", "assets/agent_why.js"}  # loaded when somebody asks why
    files |= {"assets/jsxRuntime.js"}  # what all of them share
    files |= {"assets/film.js"}  # put into each film
    assert {file.relative_to(STATIC).as_posix() for file in STATIC.rglob("*.*")} == files
    assert len(PAGE_FILES["page.js"].packed.content) <= MAX_PACKED_BYTES
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(wheel) as packed:
        assert {f"thorp/server/static/{name}" for name in files} <= set(packed.namelist())
        assert "thorp/voxel/data/tuning.yaml" in packed.namelist(), (
            "which `thorp config tuning` prints"
        )
