"""Takes the picture of the README: the demo village on its page, in a real browser without a window.

python scripts/picture.py docs/village.webp       # needs chromium; takes some minutes
"""

from __future__ import annotations

import asyncio
import base64
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

WIDTH, HEIGHT = 1280, 720
PATIENCE_SECONDS = 1_200
# A new village is two days old, and it is midnight. The picture is taken in the evening after, when the lamps
# begin to show. That comes soon in lockstep, where time goes on when every villager has moved; the last of it
# is lived by the clock, so that the page can draw the ground before it is dark.
EVENING_TICK = 12_000 + 6_000 * 17 // 24
LAST_TICKS = 400
# The smith works at the plaza, which is then in the middle.
WATCHED = "A2"
# Chunks that may still be drawn anew: people work.
DRAWN = "Number(document.querySelector('#scene').dataset.behind ?? 99) <= 8"


async def take(url: str, into: Path) -> None:
    from tests.server import browser

    browser.PATIENCE_SECONDS = PATIENCE_SECONDS  # a slow machine takes its time to draw
    with tempfile.TemporaryDirectory() as profile:
        async with browser.browsing(Path(profile), WIDTH, HEIGHT) as page:
            await page.open(f"{url}?see={WATCHED}")
            tick = "Number(document.querySelector('#tick')?.textContent.replace(/\\D/g, ''))"
            await page.until(f"{tick} >= {EVENING_TICK} && {DRAWN}", PATIENCE_SECONDS)
            shown = await page.do("Page.captureScreenshot", format="webp", quality=85)
    into.write_bytes(base64.b64decode(shown["data"]))


def main(into: Path) -> None:
    with tempfile.TemporaryDirectory() as data:
        with village(data, "--clock", "lockstep") as url:
            _until(lambda: _asked(f"{url}admin/v1/observer/bootstrap", "tick") >= EVENING_TICK - LAST_TICKS)
        with village(data) as url:
            _until(lambda: _asked(f"{url}admin/v1/observer/bootstrap", "tick") > 0)
            asyncio.run(take(url, into))


@contextmanager
def village(data: str, *options: str) -> Iterator[str]:
    """The address of a server with a village, which stops at the end."""
    command = [sys.executable, "-m", "thorp", "up", "--village", "--port", "0", "--data", data, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            yield server.stdout.readline().split()[-1]
        finally:
            server.terminate()
            server.communicate()


def _asked(url: str, name: str) -> int:
    """A number of what the server tells; 0 until it does."""
    try:
        with urlopen(url, timeout=30) as answer:
            return int(json.load(answer)[name])
    except (URLError, TimeoutError):
        return 0


def _until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        if time.monotonic() > deadline:
            raise TimeoutError(f"no village after {PATIENCE_SECONDS} s")
        time.sleep(0.5)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
