"""The time lane of the page in a real browser: pause, go to an event, see the past, live again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.browser import Page, browsing
from tests.server.serving import Served, run, serving
from tests.server.test_page import PATIENCE_SECONDS, TICK_RATE_HZ, act

NAMES = "[...document.querySelectorAll('#agents bdi')].map((one) => one.textContent).join()"
STATE = "document.querySelector('#time')?.dataset.state"
AT = "Number(document.querySelector('#at').textContent.replaceAll(',', ''))"
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
