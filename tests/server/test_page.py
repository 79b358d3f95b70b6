"""The page at `/` in a real browser without a screen, driven over its debugging protocol."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.server.serving import Served, with_server

FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--window-size=1000,700",
    "--remote-debugging-port=0",
)


class Browser:
    """One tab."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._number = 0
        self.complaints: list[str] = []

    async def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        self._number += 1
        number = self._number
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        while True:
            message = await self._socket.receive_json()
            if message.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self.complaints.append(json.dumps(message["params"]))
            if message.get("id") == number:
                result: dict[str, Any] = message["result"]
                return result

    async def value(self, expression: str) -> Any:
        answer = await self.ask("Runtime.evaluate", expression=expression, returnByValue=True)
        return answer["result"].get("value")

    async def until(self, expression: str) -> Any:
        while not (value := await self.value(expression)):
            await asyncio.sleep(0.05)
        return value


@asynccontextmanager
async def browsing(url: str, profile: Path) -> AsyncIterator[Browser]:
    process = await asyncio.create_subprocess_exec(
        "chromium",
        *FLAGS,
        f"--user-data-dir={profile}",
        "about:blank",
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        announced = profile / "DevToolsActivePort"
        while not (announced.exists() and announced.read_text().count("\n") >= 1):
            await asyncio.sleep(0.05)
        port = announced.read_text().split()[0]
        async with aiohttp.ClientSession() as http:
            async with http.put(f"http://127.0.0.1:{port}/json/new?about:blank") as answer:
                target = (await answer.json())["webSocketDebuggerUrl"]
            async with http.ws_connect(target, max_msg_size=0) as socket:
                browser = Browser(socket)
                for domain in ("Runtime", "Log", "Page"):
                    await browser.ask(f"{domain}.enable")
                await browser.ask("Page.navigate", url=url)
                yield browser
    finally:
        process.terminate()
        await process.wait()


PAINTED = """(() => {
  const map = document.getElementById("map");
  const { data } = map.getContext("2d").getImageData(0, 0, map.width, map.height);
  const colours = new Set();
  for (let i = 0; i < data.length; i += 64) colours.add(`${data[i]},${data[i + 1]},${data[i + 2]}`);
  return colours.size;
})()"""


@pytest.mark.real("chromium")
def test_the_page_shows_ground_agents_and_events_live(tmp_path: Path) -> None:
    @with_server(patience=60)
    async def play(served: Served) -> None:
        async with served.agent("mole") as mole, browsing(served.url("/"), tmp_path / "profile") as browser:
            await browser.until("document.getElementById('state')?.dataset.live === 'true'")
            first = await browser.until("document.getElementById('tick').textContent")
            await browser.until(f"document.getElementById('tick').textContent !== {json.dumps(first)}")
            listed = await browser.until("document.querySelector('#agents button')?.textContent")
            assert listed.startswith("mole (A1)")
            await browser.until(f"{PAINTED} > 8")
            await served.caught_up(mole)
            text = "<img src=x onerror=document.title='broken'>"
            await mole.act(instants=[{"id": "s", "type": "SAY", "text": text}])
            said = await browser.until("document.querySelector('#events li')?.textContent")
            assert text in said
            async with served.agent("owl"):
                await browser.until("document.querySelectorAll('#agents li').length === 2")
            await browser.until(
                "[...document.querySelectorAll('#events li')].some(e => /owl.* left/.test(e.textContent))"
            )
            assert await browser.value("document.title") == "Thorp"
            assert not browser.complaints

    play(tmp_path)
