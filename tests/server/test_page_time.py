"""The time lane of the page in a real browser: pause, go to an event, see the past, live again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.browser import Page, browsing
from tests.server.serving import Served, run, serving
from tests.server.test_page import PATIENCE_SECONDS, TICK_RATE_HZ, act
from tests.server.test_society_metrics import QUICK, settle
from thorp.server.principals import Principals
from thorp.server.tokens import Role, Tokens

NAMES = "[...document.querySelectorAll('#agents bdi')].map((one) => one.textContent).join()"
STATE = "document.querySelector('#time')?.dataset.state"
AT = "Number(document.querySelector('#at').textContent.replaceAll(',', ''))"
STATE_OF_PAST = "document.querySelector('#past')?.textContent.includes('Loading') === false"
SAID = """[...document.querySelectorAll('#events a.moment')]
    .find((one) => one.parentElement.textContent.includes('good morning'))"""


@pytest.mark.real("chromium")
def test_the_past_is_one_click_away_and_live_one_key(tmp_path: Path) -> None:
    async def whole() -> None:
        async with (
            serving(tmp_path / "data", tape=True, tick_rate_hz=TICK_RATE_HZ) as served,
            browsing(tmp_path / "profile", 1000, 700) as page,
        ):
            await play(served, page)
            assert page.complaints == []

    run(whole(), PATIENCE_SECONDS)


async def play(served: Served, page: Page) -> None:
    async with served.agent("mole") as mole:
        await page.open(served.url("/"))
        await page.until(f"{STATE} === 'live'")
        await act(served, mole, {"type": "SAY", "channel": "LOCAL", "text": "good morning"})
        await page.until(SAID)
        async with served.agent("owl"):
            await page.until(f"{NAMES} === 'mole,owl'")
            # Pause: the picture stands, the world goes on.
            await page.key(" ")
            await page.until(f"{STATE} === 'paused'")
            paused = await page.get(AT)
            await page.until(f"document.querySelector('#past') && {AT} === {paused}")
            before = served.live.service.world.tick
            # From event to event by keys: the last one was that the owl came.
            await page.key("[")
            await page.until(f"{AT} < {paused} && {STATE} === 'paused'")
            assert "owl" in await page.until("document.querySelector('.marks-list')?.textContent")
            # From an event to its moment: then there was nobody but the mole.
            await page.until(f"((one) => (one?.click(), Boolean(one)))({SAID})")
            await page.until(f"{STATE} === 'paused' && {NAMES} === 'mole'")
            said = await page.get(AT)
            assert 0 < said < paused
            assert f"at={said}" in await page.get("location.search")
            assert await page.get("document.querySelector('#state').dataset.state") == "past"
            assert "good morning" in await page.get("document.querySelector('#events').textContent")
            # By keys: one tick, and it plays.
            await page.key(".")
            await page.until(f"{AT} === {said + 1}")
            await page.key(" ")
            await page.until(f"{AT} > {said + 3}")
            # The lane is a slider that says where it is.
            told = await page.get("document.querySelector('#track').getAttribute('aria-valuetext')")
            assert told.startswith("Day 1, ")
            # Live again with one key, at a tick that has come meanwhile.
            await page.key("End")
            await page.until(f"{STATE} === 'live' && {NAMES} === 'mole,owl' && {AT} > {before}")
            assert "at=" not in await page.get("location.search")
        # A link leads to its moment; one to a tick that has not come says so.
        await page.open(served.url(f"/?at={said}"))
        await page.until(f"{STATE} === 'paused' && {NAMES} === 'mole' && {AT} === {said}")
        await page.open(served.url("/?at=999999999"))
        await page.until("document.querySelector('#past')?.textContent.includes('has not come yet')")


@pytest.mark.real("chromium")
def test_the_past_has_its_own_society_and_its_own_pockets(tmp_path: Path) -> None:
    async def whole() -> None:
        async with (
            serving(tmp_path / "data", tape=True, **QUICK, tick_rate_hz=TICK_RATE_HZ) as served,
            browsing(tmp_path / "profile", 1000, 700) as page,
        ):
            await look_back(served, page)
            assert [one for one in page.complaints if "403" not in one] == []

    run(whole(), PATIENCE_SECONDS)


async def look_back(served: Served, page: Page) -> None:
    text = "document.querySelector('{}')?.textContent"
    society, carries, lately = text.format("#society"), text.format("#carries"), text.format(".lately")
    served.server.open_book = True
    async with served.agent("mole") as mole:
        before = (await mole.obs())["tick"]
        await settle(mole)
        # Before: nobody had founded anything, and the mole had all it came with.
        await page.open(served.url(f"/society?at={before}"))
        assert "Nobody has founded anything yet" in await page.until(f"{STATE_OF_PAST} && {society}")
        await page.open(served.url(f"/?see={mole.id}&at={before}"))
        assert "9 planks" in await page.until(f"{carries}?.includes('plank') && {carries}")
        # Now: a city with a law, a contract and a treasury, which took four planks.
        await page.key("End")
        await page.until(f"{STATE} === 'live' && {carries}?.includes('5 planks')")
        assert "founded Thorpe" in await page.until(f"{lately}?.includes('founded') && {lately}"), (
            "told although the page was opened afterwards"
        )
        await page.open(served.url("/society"))
        told = await page.until(f"{society}?.includes('Thorpe') && {society}")
        assert "4 planks" in told
        # The same society is that of a tick of its own, and a closed book keeps pockets of the past private.
        now = served.live.service.world.tick
        served.server.open_book = False
        served.server.principals = Principals(Tokens(served.data), loopback=Role.NEIGHBOUR)
        await page.open(served.url(f"/society?at={now}"))
        await page.until(f"{STATE_OF_PAST} && {society}?.includes('Thorpe')")
        await page.open(served.url(f"/?see={mole.id}&at={before}"))
        await page.until(f"{STATE} === 'paused' && {carries} === 'kept private here'")
