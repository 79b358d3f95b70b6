"""Takes the picture of the README: the demo village on its page, in a real browser without a
window.

python scripts/picture.py docs/village.webp       # needs chromium; takes ten minutes
"""

from __future__ import annotations

import asyncio
import base64
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

WIDTH, HEIGHT = 1280, 720
PATIENCE_SECONDS = 1_200
# A new village is two days old, and it is midnight. The picture is taken on the sixth day, in the
# early afternoon, when whoever can spare the time feasts on the plaza. That comes soon in lockstep,
# where time goes on when every villager has moved; the last of it is lived by the clock, so that
# the page can draw it.
NOON_TICK = 5 * 6_000 + 6_000 * 14 // 24
# By then the feast is over, if there was one.
LATEST_TICK = NOON_TICK + 200
LAST_TICKS = 250
# Over the plaza, from the south-east: x, z, distance, side and height in degrees.
CAMERA = "3,1,38,34,40"
# The page does not learn how long frames take here, so it does not make the picture coarser.
AS_FINE_AS_IT_CAN = "WebGL2RenderingContext.prototype.fenceSync = () => null"
# Half of those that the list has in view say so.
FEASTING = (
    "[...document.querySelectorAll('#agents .row')].filter((one) => "
    "/feast/.test(one.innerText)).length > 4"
)
# Chunks that may still be drawn anew: people work.
DRAWN = "Number(document.querySelector('#scene').dataset.behind ?? 99) <= 8"


async def take(url: str, into: Path) -> None:
    from tests.server import browser

    browser.PATIENCE_SECONDS = PATIENCE_SECONDS  # a slow machine takes its time to draw
    with tempfile.TemporaryDirectory() as profile:
        async with browser.browsing(Path(profile), WIDTH, HEIGHT) as page:
            await page.before_scripts(AS_FINE_AS_IT_CAN)
            await page.open(f"{url}?cam={CAMERA}")
            tick = "Number(document.querySelector('#tick')?.textContent.replace(/\\D/g, ''))"
            busy = f"{tick} >= {NOON_TICK} && ({FEASTING} || {tick} >= {LATEST_TICK}) && {DRAWN}"
            await page.until(busy, PATIENCE_SECONDS)
            shown = await page.do("Page.captureScreenshot", format="webp", quality=85)
    into.write_bytes(base64.b64decode(shown["data"]))


def main(into: Path) -> None:
    with tempfile.TemporaryDirectory() as data:
        with village(data, "--clock", "lockstep") as url:
            until_lived(url, NOON_TICK - LAST_TICKS)
        with village(data) as url:
            until_lived(url, 1)
            asyncio.run(take(url, into))


@contextmanager
def village(data: str, *options: str) -> Iterator[str]:
    """The address of a server with a village, which stops at the end."""
    command = [
        sys.executable,
        "-m",
        "thorp",
        "up",
        "--village",
        "--port",
        "0",
        "--data",
        data,
        *options,
    ]
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


def until_lived(url: str, tick: int) -> None:
    """Wait until a village is there, and has lived so long."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while _asked(f"{url}admin/v1/observer/bootstrap", "tick") < tick:
        if time.monotonic() > deadline:
            raise TimeoutError(f"no village after {PATIENCE_SECONDS} s")
        time.sleep(0.5)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
