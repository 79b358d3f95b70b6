"""A real browser without a window, driven over its DevTools protocol.

async with browsing(tmp_path) as page:
    await page.open("http://127.0.0.1:8080/")
    await page.until("document.title === 'Thorp'")
"""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import os
import shutil
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import aiohttp

CHROMIUM = "chromium"
# What takes a second on a free machine takes a minute on one that does twenty other things.
START_SECONDS = 120
PATIENCE_SECONDS = 120
FLAGS = (
    "--headless=new",
    "--no-sandbox",  # tests may run as root, in a container
    "--disable-dev-shm-usage",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--remote-debugging-port=0",
    "--hide-scrollbars",
)


def installed() -> bool:
    return shutil.which(CHROMIUM) is not None


class Page:
    """One tab: what it shows, what it was sent, and what it complained about."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._problem = ""
        self.frames: list[str] = []
        """The text of every WebSocket message the page received."""
        self.requests: list[str] = []
        self.complaints: list[str] = []
        """Errors of the page: what it threw or wrote to the console, except that the network was
        away."""
        self.failed_requests: list[str] = []
        """What the browser wrote to the console about requests that failed or were refused."""

    async def read(self) -> None:
        """Take what the browser sends, until it is gone."""
        async for message in self._socket:
            self._take(json.loads(message.data))

    def _take(self, message: dict[str, Any]) -> None:
        if "id" in message:
            self._answers.pop(message["id"]).set_result(message)
            return
        given = message["params"]
        match message["method"]:
            case "Network.webSocketFrameReceived":
                self.frames.append(given["response"]["payloadData"])
            case "Network.requestWillBeSent":
                self.requests.append(given["request"]["url"])
            case "Runtime.exceptionThrown":
                details = given["exceptionDetails"]
                self.complaints.append(
                    details.get("exception", {}).get("description", details["text"])
                )
            case "Runtime.consoleAPICalled" if given["type"] in ("error", "warning", "assert"):
                self.complaints.append(" ".join(str(one.get("value")) for one in given["args"]))
            case "Log.entryAdded" if given["entry"]["level"] == "error":
                entry = given["entry"]
                if entry["source"] == "network":
                    self.failed_requests.append(f"{entry.get('url')}: {entry['text']}")
                else:
                    self.complaints.append(entry["text"])

    async def do(self, method: str, **given: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._answers[number] = asyncio.get_running_loop().create_future()
        await self._socket.send_json({"id": number, "method": method, "params": given})
        async with asyncio.timeout(PATIENCE_SECONDS):
            answer = await self._answers[number]
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        result: dict[str, Any] = answer["result"]
        return result

    async def open(self, url: str) -> None:
        await self.do("Page.navigate", url=url)

    async def before_scripts(self, source: str) -> None:
        """Run this in every page that is opened from now on, before its own scripts."""
        guarded = f"try {{ {source} }} catch {{}}"
        await self.do("Page.addScriptToEvaluateOnNewDocument", source=guarded)

    async def hold(self, *urls: str) -> None:
        """Let requests to addresses like these, with * for anything, wait until `let_go`."""
        await self.do("Fetch.enable", patterns=[{"urlPattern": one} for one in urls])

    async def let_go(self) -> None:
        await self.do("Fetch.disable")

    async def resize(self, width: int, height: int, *, phone: bool = False) -> None:
        await self.do(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=phone,
        )

    async def prefer(self, **features: str) -> None:
        """Say what the reader prefers, such as `prefers_color_scheme="dark"`."""
        given = [
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()
        ]
        await self.do("Emulation.setEmulatedMedia", features=given)

    async def get(self, expression: str) -> Any:
        """The value of an expression; True for an element, which has none."""
        valued = (
            f"(async () => {{ const it = await ({expression}); return it instanceof Node || "
            f"it; }})()"
        )
        answer = await self.do(
            "Runtime.evaluate", expression=valued, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    async def until(self, expression: str, seconds: float = PATIENCE_SECONDS) -> Any:
        """Wait until something is so, and return it."""
        value = None
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not (value := await self._get_between_pages(expression)):
                    await asyncio.sleep(0.05)
        assert value, f"never so within {seconds} s: {expression}; {self._problem}"
        return value

    async def _get_between_pages(self, expression: str) -> Any:
        """The value, or None while one page is left for the next, or before what is looked at is
        there."""
        self._problem = ""
        try:
            return await self.get(expression)
        except RuntimeError as problem:
            self._problem = str(problem)
            waits = (
                "navigated or closed",
                "context was destroyed",
                "properties of null",
                "of undefined",
            )
            if any(one in self._problem for one in waits):
                return None
            raise

    async def key(self, key: str, code: str | None = None, held_seconds: float = 0.0) -> None:
        text = {"text": _TYPED.get(key, key)} if len(key) == 1 or key in _TYPED else {}
        named = {"key": key, "code": code or key, **_VIRTUAL.get(key, {})}
        await self.do("Input.dispatchKeyEvent", type="keyDown", **named, **text)
        await asyncio.sleep(held_seconds)
        await self.do("Input.dispatchKeyEvent", type="keyUp", **named)

    async def click(self, selector: str) -> None:
        """Click at an element once it is there, stands still and has nothing over it."""
        before = None
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (
                at := await self._get_between_pages(_MIDDLE % json.dumps(selector))
            ) is None or at != before:
                before = at
                await asyncio.sleep(0.05)
        await self.click_at(*at)

    async def click_at(self, x: float, y: float) -> None:
        for kind in ("mousePressed", "mouseReleased"):
            await self.do(
                "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1
            )

    async def screenshot(self, **clip: float) -> bytes:
        """What the tab shows, or a part of it (x, y, width, height, scale), as a PNG."""
        part = {"clip": clip} if clip else {}
        return base64.b64decode((await self.do("Page.captureScreenshot", **part))["data"])


# Where to click at an element, or null while a click there would meet another one.
_MIDDLE = """((one) => {
  one?.scrollIntoView({ block: "nearest", behavior: "instant" });
  const box = one?.getBoundingClientRect();
  const at = box && [box.x + box.width / 2, box.y + box.height / 2];
  return at && one.contains(document.elementFromPoint(...at)) ? at : null;
})(document.querySelector(%s))"""
_CODES = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowRight": 39}
_VIRTUAL = {key: {"windowsVirtualKeyCode": code} for key, code in _CODES.items()}
# A link or a button is pressed by the character that Enter types.
_TYPED = {"Enter": "\r"}


@asynccontextmanager
async def browsing(
    profile: Path, width: int = 1280, height: int = 800, *, first_visit: bool = False
) -> AsyncIterator[Page]:
    """A browser with one empty tab, gone at the end. On a first visit the page may tour by
    itself."""
    browser = await asyncio.create_subprocess_exec(
        CHROMIUM,
        *FLAGS,
        f"--user-data-dir={profile}",
        "about:blank",
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        env={**os.environ, "HOME": str(profile)},
    )
    try:
        async with aiohttp.ClientSession() as http:
            url = await _tab(http, profile / "DevToolsActivePort")
            async with http.ws_connect(url, max_msg_size=0) as socket:
                page = Page(socket)
                reading = asyncio.create_task(page.read())
                for domain in ("Page", "Runtime", "Network", "Log"):
                    await page.do(f"{domain}.enable")
                await page.resize(width, height)
                if not first_visit:
                    await page.before_scripts("localStorage.setItem('thorp-visited', '1')")
                yield page
                with suppress(TimeoutError, ConnectionError):
                    await page.do("Browser.close")
                reading.cancel()
    finally:
        with suppress(TimeoutError):
            async with asyncio.timeout(5):
                await browser.wait()
        if browser.returncode is None:
            browser.kill()
            await browser.wait()


async def _tab(http: aiohttp.ClientSession, port_file: Path) -> str:
    """The address under which the browser's tab is driven, as soon as it is known."""
    async with asyncio.timeout(START_SECONDS):
        while True:
            with suppress(FileNotFoundError, IndexError, ValueError, aiohttp.ClientError):
                port = int(port_file.read_text().split()[0])
                async with http.get(f"http://127.0.0.1:{port}/json/list") as answer:
                    for tab in await answer.json():
                        if tab["type"] == "page":
                            return str(tab["webSocketDebuggerUrl"])
            await asyncio.sleep(0.05)


def pixels(png: bytes) -> list[bytes]:
    """Every pixel of a screenshot: eight bits a channel, not interlaced."""
    at, packed = len(PNG_SIGNATURE), b""
    width = height = channels = 0
    while at < len(png):
        size, kind = int.from_bytes(png[at : at + 4]), png[at + 4 : at + 8]
        data = png[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height = int.from_bytes(data[:4]), int.from_bytes(data[4:8])
            channels = CHANNELS[data[9]]
        elif kind == b"IDAT":
            packed += data
        at += 12 + size
    lines = zlib.decompress(packed)
    row, found = bytearray(width * channels), []
    for start in range(0, height * (len(row) + 1), len(row) + 1):
        row = _unfiltered(
            lines[start], bytearray(lines[start + 1 : start + 1 + len(row)]), row, channels
        )
        found += [bytes(row[at : at + 3]) for at in range(0, len(row), channels)]
    return found


def _unfiltered(kind: int, row: bytearray, above: bytearray, channels: int) -> bytearray:
    guess = FILTERS[kind]
    for i in range(len(row)):
        left, corner = (row[i - channels], above[i - channels]) if i >= channels else (0, 0)
        row[i] = row[i] + guess(left, above[i], corner) & 255
    return row


def _paeth(left: int, above: int, corner: int) -> int:
    return min((left, above, corner), key=lambda one: abs(left + above - corner - one))


PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
# By the kind of colour a PNG says it has: how many numbers a pixel is.
CHANNELS = {2: 3, 6: 4}
# How a PNG guesses a number from the one to the left, the one above and the one between them.
FILTERS: tuple[Callable[[int, int, int], int], ...] = (
    lambda left, above, corner: 0,
    lambda left, above, corner: left,
    lambda left, above, corner: above,
    lambda left, above, corner: (left + above) // 2,
    _paeth,
)
