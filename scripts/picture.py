"""Takes the picture of the README: the demo village on its page, in a real browser without a window.

python scripts/picture.py docs/village.webp       # needs chromium; takes some minutes
"""

from __future__ import annotations

import asyncio
import base64
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

WIDTH, HEIGHT = 1120, 560
PATIENCE_SECONDS = 400
# A new village is two days old, and it is midnight. The picture is taken the morning after, which comes soon
# in lockstep: time goes on when every villager has moved.
MORNING_TICK = 12_000 + 6_000 * 9 // 24
# The smith works at the plaza, which is then in the middle.
WATCHED = "A2"
# The ground comes chunk by chunk, and a slow machine takes its time to draw it.
SETTLE_SECONDS = 20


async def take(url: str, into: Path) -> None:
    from tests.server.browser import browsing

    with tempfile.TemporaryDirectory() as profile:
        async with browsing(Path(profile), WIDTH, HEIGHT) as page:
            await page.open(url)
            await page.click(f"#agent-{WATCHED}")
            tick = "Number(document.querySelector('#tick').textContent.replace(/\\D/g, ''))"
            await page.until(f"{tick} >= {MORNING_TICK}", PATIENCE_SECONDS)
            await asyncio.sleep(SETTLE_SECONDS)
            shown = await page.do("Page.captureScreenshot", format="webp", quality=85)
    into.write_bytes(base64.b64decode(shown["data"]))


def main(into: Path) -> None:
    with tempfile.TemporaryDirectory() as data:
        place = ["--port", "0", "--data", data, "--clock", "lockstep"]
        command = [sys.executable, "-m", "thorp", "up", "--village", *place]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                url = server.stdout.readline().split()[-1]
                _until_ready(url)
                asyncio.run(take(url, into))
            finally:
                server.terminate()
                server.communicate()


def _until_ready(url: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        try:
            urlopen(f"{url}readyz", timeout=10).close()
            return
        except URLError:
            time.sleep(0.5)
    raise TimeoutError(f"no village after {PATIENCE_SECONDS} s")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
