"""The page waits for a village that is founded, without an error: a real browser and a real `thorp
up`."""

from __future__ import annotations

import json
from pathlib import Path
from time import monotonic
from urllib.error import HTTPError

from tests.server.browser import Page, browsing
from tests.server.serving import run
from tests.server.test_page import LIVE, PATIENCE_SECONDS, chromium
from tests.server.test_up import Running, up

# Long enough that the founding is seen at every place of the page, short enough to wait for it.
DAYS = "tick_rate_hz: 10\nday_ticks: 1500\nseason_length_ticks: 42000\n"
FOUNDING = "document.querySelector('#state')?.dataset.state === 'founding'"
EVERY_SECONDS = 2


def is_refused(server: Running) -> bool:
    try:
        server.get("/readyz")
    except HTTPError as refused:
        return refused.code == 503
    return False


async def visit_every_place(page: Page) -> None:
    """While the founding goes on: the society, the story, the matches, and the world again."""
    for key, path in (("2", "/society"), ("3", "/story"), ("4", "/matches"), ("1", "/")):
        await page.key(key)
        await page.until(f"location.pathname === {path!r}")


@chromium
def test_a_page_waits_for_a_founding_without_an_error(tmp_path: Path) -> None:
    async def play(server: Running) -> None:
        async with browsing(tmp_path / "profile", 840, 500) as page:
            await page.open(f"http://127.0.0.1:{server.port}/")
            await page.until(f"{FOUNDING} || {LIVE}")
            began = monotonic()
            assert is_refused(server), "whoever asks whether it is ready hears that it is not"
            told = json.loads(server.get("/v1/status"))
            assert told["state"] == "founding"
            assert 0 < told["founding"]["tick"] <= told["founding"]["of"]
            await visit_every_place(page)
            await page.until(LIVE)
            waited = monotonic() - began
            asked = [url for url in page.requests if url.endswith("/v1/status")]
            assert 1 < len(asked) <= 2 + waited / EVERY_SECONDS
            assert not [url for url in page.requests if "readyz" in url]
            assert page.failed_requests == []
            assert page.complaints == []
            assert json.loads(server.get("/v1/status")) == {"state": "live"}

    with up(tmp_path / "data", "--village", values=DAYS) as server:
        run(play(server), PATIENCE_SECONDS)
