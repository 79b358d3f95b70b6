"""What the page costs whoever looks at it: `python bench/page.py [--minutes 3] [--data DIR]
[--agents 1000]`.

A demo village (the one in DIR, or a new one) is served and opened in a real browser without a
window. Printed, as measured: the CPU of the page's own thread for a frame of the scene, for a
repaint of the map, and for making the panels anew; how many draws a frame has; what comes over the
wire in a second; what the page holds in memory at the start and at the end, after garbage was
collected. A browser without a window draws on the processor, in another process: the time of a
frame is that of deciding and handing over what to draw, not that of a graphics card. With --agents
the page is told of so many people, by copying one.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from calibration import REFERENCE_MS, calibration_ms

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from tests.server.browser import Page

DRAWN = """(({ draws, behind }) => draws > 20 && behind <= 8)(document.querySelector('#scene').dataset)"""
# What takes longer than this after the drawing is panels that are made anew.
MADE_MS = 0.2
SETTLING_SECONDS = 20
# Notes how long each callback of a frame took, until when it drew, and what.
NOTED = """
window.noted = [];
let draws = 0, images = 0, uploads = 0, until = 0;
const count = (type, name, add) => {
  const real = type.prototype[name];
  type.prototype[name] = function (...given) {
    const done = real.apply(this, given);
    add();
    until = performance.now();
    return done;
  };
};
count(WebGL2RenderingContext, 'drawElements', () => draws++);
count(WebGL2RenderingContext, 'drawElementsInstanced', () => draws++);
count(WebGL2RenderingContext, 'bufferData', () => uploads++);
count(CanvasRenderingContext2D, 'drawImage', () => images++);
count(CanvasRenderingContext2D, 'fillText', () => {});
const ask = requestAnimationFrame.bind(window);
window.requestAnimationFrame = (call) => ask((now) => {
  draws = images = uploads = 0;
  const began = until = performance.now();
  call(now);
  noted.push([until - began, performance.now() - until, draws, uploads, images]);
});
"""


class Wire:
    """Counts what the server sends."""

    def __init__(self) -> None:
        self.bytes = {True: 0, False: 0}
        """Of sockets, and of all else."""

    @asynccontextmanager
    async def to(self, port: int) -> AsyncIterator[int]:
        async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            from_server, to_server = await asyncio.open_connection("127.0.0.1", port)
            asked = await reader.readuntil(b"\r\n\r\n")
            to_server.write(asked)
            is_socket = b"\r\nUpgrade: websocket" in asked
            await asyncio.gather(
                self._pass(reader, to_server), self._pass(from_server, writer, is_socket)
            )

        server = await asyncio.start_server(relay, "127.0.0.1", 0)
        async with server:
            yield int(server.sockets[0].getsockname()[1])

    async def _pass(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, kind: bool | None = None
    ) -> None:
        try:
            while some := await reader.read(1 << 16):
                if kind is not None:
                    self.bytes[kind] += len(some)
                writer.write(some)
        except ConnectionError:
            pass
        finally:
            writer.close()


def told(what: str, spent: list[float], budget: int) -> None:
    if spent:
        late = sorted(spent)[len(spent) * 95 // 100]
        print(
            f"{what}: median {median(spent):.2f} ms, p95 {late:.2f} ms, of {len(spent)}; budget "
            f"{budget} ms"
        )


async def measure(url: str, minutes: float, agents: int) -> None:
    from tests.server import browser
    from tests.server.test_page_views import CROWDED

    browser.PATIENCE_SECONDS = 1_200
    wire, port = Wire(), int(re.findall(r":(\d+)", url)[-1])
    with tempfile.TemporaryDirectory() as profile:
        async with wire.to(port) as front, browser.browsing(Path(profile), 1440, 900) as page:
            await page.before_scripts(f"{NOTED}; {CROWDED}; window.crowd = {agents};")
            await page.do("Performance.enable", timeDomain="threadTicks")
            await page.open(f"http://127.0.0.1:{front}/")
            await page.until(DRAWN, browser.PATIENCE_SECONDS)
            print(
                "first load, everything until the village is drawn: "
                f"{sum(wire.bytes.values()) / 1000:.0f} kB"
            )
            await heap(page, "at the start")
            crowd = agents > 24
            await asyncio.sleep(SETTLING_SECONDS)
            before, busy, seconds = dict(wire.bytes), await cpu_seconds(page), 60 * minutes
            frames = await during(page, seconds)
            busy = await cpu_seconds(page) - busy
            stream, asked = (
                (wire.bytes[kind] - before[kind]) / seconds / 1000 for kind in (True, False)
            )
            print(
                f"the stream: {stream:.1f} kB/s, all else {asked:.1f}; budget {120 if crowd else 6}"
            )
            print(
                f"CPU of the page's thread, all that it does: {1000 * busy / seconds:.0f} ms a "
                "second"
            )
            drawn = [(spent, uploads) for spent, _, draws, uploads, _ in frames if draws]
            most = 16 if crowd else 8
            told("a frame of the scene", [spent for spent, uploads in drawn if not uploads], most)
            told("one with new ground", [spent for spent, uploads in drawn if uploads], most)
            told("panels", [rest for _, rest, *_ in frames if rest > MADE_MS], 2)
            print(
                f"draws: at most {max(one[2] for one in frames):.0f}; budget "
                f"{350 if crowd else 150}"
            )
            await heap(page, f"after {minutes:g} minutes")
            await page.key("m")
            await page.until("document.querySelector('#layers')")
            repaints = [spent for spent, *_, images in await during(page, 30) if images]
            told("a repaint of the map", repaints, 8 if crowd else 4)
            assert page.complaints == [], page.complaints


async def during(page: Page, seconds: float) -> list[list[float]]:
    await page.get("(noted.length = 0, 1)")
    await asyncio.sleep(seconds)
    found: list[list[float]] = await page.get("noted")
    return found


async def cpu_seconds(page: Page) -> float:
    told = await page.do("Performance.getMetrics")
    return float(next(one["value"] for one in told["metrics"] if one["name"] == "TaskDuration"))


async def heap(page: Page, when: str) -> None:
    await page.do("HeapProfiler.collectGarbage")
    told = await page.do("Performance.getMetrics")
    values = {one["name"]: one["value"] for one in told["metrics"]}
    megabytes = values["JSHeapUsedSize"] / 1e6
    held = sum(map(renderer_bytes, Path("/proc").glob("[0-9]*"))) / 1e6
    print(f"memory {when}: {megabytes:.0f} MB of script, {values['Nodes']:.0f} nodes, "
          f"{held:.0f} MB in the page's process with all of the browser's own; budget 250 MB")  # fmt: skip


def renderer_bytes(process: Path) -> int:
    """What a process that this one has started and that runs the page's script holds for itself."""
    try:
        if b"--type=renderer" not in (process / "cmdline").read_bytes():
            return 0
        status = (process / "status").read_text()
        own = Path(f"/proc/{os.getpid()}/status").read_text()
    except OSError:
        return 0
    group = re.search(r"NSpgid:\s+(\d+)", status)
    return (
        1024 * int(re.findall(r"RssAnon:\s+(\d+)", status)[0]) if group and group[0] in own else 0
    )


def main() -> None:
    from scripts.picture import until_lived, village

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument(
        "--data", type=Path, help="the data directory of a village; it lives on in it"
    )
    parser.add_argument("--agents", type=int, default=0)
    options = parser.parse_args()
    speed = f"{calibration_ms():.1f} ms (reference {REFERENCE_MS} ms)"
    print(f"this machine: {speed}, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder, village(str(options.data or folder)) as url:
        until_lived(url, 1)
        asyncio.run(measure(url, options.minutes, options.agents))


if __name__ == "__main__":
    main()
