"""A click on any sentence of the page says why the story has it: in a real browser, before a real
village, and in a film that opens from disk."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tests.observer.filmed import make_village
from tests.server.browser import Page, browsing
from tests.server.serving import run, serving
from tests.server.test_page import PATIENCE_SECONDS, chromium
from tests.server.test_page_film import FILM, watching
from tests.server.test_page_stranger import TEXT
from thorp.bridges.chronicle.passages import passages
from thorp.bridges.voxel_town import new_city_world
from thorp.cli.own_story import OwnStory
from thorp.observer.film import Film, Scope, make_film
from thorp.store import RealDisk
from thorp.story import open_ledger

SENTENCES = "document.querySelectorAll('#stream data[data-why]')"
# A place on the words of a sentence, beside the links in it.
ON_WORDS = """(() => {
  for (const one of document.querySelectorAll('#stream data[data-why]')) {
    const words = [...one.childNodes].find((node) => node.nodeType === 3 && node.length > 3);
    if (!words) continue;
    one.scrollIntoView({ block: 'center' });
    const range = document.createRange();
    range.setStart(words, 1);
    range.setEnd(words, 3);
    const { x, y, width, height } = range.getClientRects()[0];
    return [x + width / 2, y + height / 2, one.dataset.why, one.textContent.trim()];
  }
})()"""


@pytest.fixture(scope="module")
def village(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_village(tmp_path_factory.mktemp("village"))


async def click_words(page: Page) -> tuple[str, str]:
    """Click at the words of a sentence: its address, and what it says."""
    await page.until(f"{SENTENCES}.length > 2")
    await page.get(ON_WORDS)
    x, y, see, text = await page.get(ON_WORDS)
    await page.click_at(x, y)
    await page.until("document.querySelector('#why blockquote')")
    return see, text


@chromium
def test_a_click_on_a_sentence_says_why(village: Path, tmp_path: Path) -> None:
    async def play(served: Any, page: Page) -> None:
        await page.open(served.url("/story"))
        see, text = await click_words(page)
        await page.until("document.querySelector('#why-events li code')")
        assert await page.get(TEXT("#why blockquote")) == text
        link = await page.get("location.search")
        assert f"see={see}" in link
        digest = await page.get("document.querySelector('#why-events code').title")
        assert re.fullmatch("SHA-256 [0-9a-f]{64}", digest)
        assert "everybody may read it" in await page.get(TEXT("#why-known"))
        assert "the writer chronicle proposed it" in await page.get(TEXT("#why-proposed"))

        # The proof is asked for on demand, and its refusal said in a line.
        await page.click("#why-proof button")
        await page.until(f"{TEXT('#why-proof')}.includes('Not proved')")

        # By keyboard: the next sentence.
        other = await page.get(
            f"(() => {{ const one = [...{SENTENCES}].find((one) => one.dataset.why !== '{see}');"
            "one.querySelector('.why-link').focus(); return one.dataset.why; })()"
        )
        await page.key("Enter")
        await page.until(f"location.search.includes('see={other}')")
        await page.until("document.querySelector('#why-events, #why-moment')")

        # The link alone leads to the same panel.
        await page.open(served.url(f"/story{link}"))
        await page.until("document.querySelector('#why-events li a')")
        assert await page.get(TEXT("#why blockquote")) == text

        # On a phone nothing is wider than the screen.
        await page.resize(390, 844, phone=True)
        await page.until("document.documentElement.scrollWidth === 390")
        assert await page.get("document.querySelector('#why').getBoundingClientRect().width <= 390")
        await page.resize(1200, 760)

        # Each event is a way to its moment.
        event = await page.get(
            "document.querySelector('#why-events small').textContent.split(' ')[0]"
        )
        await page.click("#why-events a.see")
        await page.until(f"location.pathname === '/' && location.search.includes('see={event}')")
        tick = event[1:].partition(".")[0]
        assert f"at={tick}" in await page.get("location.search")
        await page.until("document.querySelector('#event')")

    before(village, tmp_path, play)


@chromium
def test_a_sentence_that_is_not_there_is_refused_on_the_page(village: Path, tmp_path: Path) -> None:
    async def play(served: Any, page: Page) -> None:
        await page.open(served.url(f"/story?see=e:{'0' * 32}.3"))
        await page.until(f"{TEXT('#why-refused')}.includes('this view has nothing of the kind')")
        assert not await page.get("document.querySelector('#why blockquote')")
        page.failed_requests.clear()

    before(village, tmp_path, play)


def before(village: Path, tmp_path: Path, play: Callable[[Any, Page], Awaitable[None]]) -> None:
    """Run a play with a server of the village and a browser."""

    async def whole() -> None:
        async with (
            serving(village, tape=True, open_book=True, make_world=new_city_world) as served,
            browsing(tmp_path / "profile", 1200, 760) as page,
        ):
            await play(served, page)
            assert page.complaints == []
            assert [url for url in page.requests if not url.startswith(served.url("/"))] == []

    run(whole(), 2 * PATIENCE_SECONDS)


@pytest.fixture(scope="module")
def film(village: Path) -> Film:
    with open_ledger(village, create=False) as ledger:
        story = passages(OwnStory(ledger), "PUBLIC", 1, 600)
    return make_film(RealDisk(), village / "world", Scope(first=1, last=600), story=story)


@chromium
def test_a_film_says_what_it_holds_and_what_it_does_not(film: Film, tmp_path: Path) -> None:
    async def play(page: Page) -> None:
        await page.until(FILM)
        await page.key("End")
        await page.click("#story")
        _, text = await click_words(page)
        assert await page.get(TEXT("#why blockquote")) == text
        await page.until("document.querySelector('#why-moment a')")
        assert "not in this film" in await page.get(TEXT("#why-refused"))
        assert not await page.get("document.querySelector('#why-proof, #why-known')")

    watching(film, tmp_path, play)
