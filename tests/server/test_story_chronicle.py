"""The chronicle of a served world: real processes, killed, looked at over HTTP and in a browser."""

from __future__ import annotations

import json
import random
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.cli.command import run as run_command
from tests.server.browser import browsing
from tests.server.serving import run
from tests.server.test_up import THORP, Running, fails
from thorp.server.access.tokens import Role, Tokens
from thorp.story import open_ledger

KILLS = 1
LONG_KILLS = 12
# Two days, which the village lives before anybody comes in, are 192 ticks; a range is 24.
TUNING = "tick_rate_hz: 50\nday_ticks: 96\nseason_length_ticks: 960\n"
NOW = "2030-01-01T00:00:00Z"
TEXTS = "[...document.querySelectorAll('#stream li span')].map((one) => one.textContent)"

kills = pytest.mark.parametrize("count", [KILLS, pytest.param(LONG_KILLS, marks=pytest.mark.long)])


@contextmanager
def village(data: Path, *options: str) -> Iterator[Running]:
    data.mkdir(exist_ok=True)
    tuning = data / "tuning.yaml"
    tuning.write_text(TUNING)
    command = [
        *THORP,
        "up",
        "--village",
        "--data",
        str(data),
        "--port",
        "0",
        "--tuning",
        str(tuning),
        *options,
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield Running(process, data)
        finally:
            if process.poll() is None:
                process.kill()


def told(data: Path | str, reader: str | None = "GEORGE") -> list[str]:
    with open_ledger(data, create=False) as ledger:
        assert ledger.verify().difference is None
        return [entry["text"] for entry in ledger.page(reader)["stream"]["entries"]]


def chronicle(data: Path) -> str:
    done = run_command("thorp", "story", "chronicle", "--data", data, "--open-book")
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


@kills
def test_a_server_that_is_killed_loses_and_doubles_nothing(tmp_path: Path, count: int) -> None:
    data, moments = tmp_path / "data", random.Random(count)
    for life in range(count):
        with village(data, "--clock", "max") as running:
            if life % 2 == 0:
                running.line("the village goes on")
            time.sleep(moments.uniform(0.2, 1.5))
            running.process.kill()
    with village(data, "--clock", "max") as running:
        running.line("the village goes on")
        time.sleep(1)
        served = run_command("thorp", "story", "show", "--data", data).stdout.decode()
        assert running.end(signal.SIGTERM)[0] == 0
    assert served.startswith("day 1, "), "through a server it is dated so, too"
    assert "told" in chronicle(data)
    copy = tmp_path / "copy"
    shutil.copytree(data / "world", copy / "world")
    chronicle(copy)
    assert told(data) == told(copy), (
        "what was told piece by piece is what would have been told at once"
    )
    assert any("the city of Thorp" in text for text in told(data))
    assert chronicle(data) == "everything was told already\n"
    lines = run_command("thorp", "story", "show", "--data", data).stdout.decode().splitlines()
    stamps = [line.partition("  ")[0] for line in lines]
    assert all(re.fullmatch(r"day \d+, \d\d:\d\d", stamp) for stamp in stamps), (
        "a chronicle is dated by the days of its world"
    )
    assert stamps[0].startswith("day 1, ")


class Chronicled:
    """A village that is being served, and its texts by token."""

    def __init__(self, running: Running, data: Path) -> None:
        self.port = running.port
        self.data = data
        self._tokens = Tokens(data)

    def token(self, role: Role, person: str = "") -> str:
        return self._tokens.create(role, created=NOW, person=person)[1]

    def get(self, path: str, token: str) -> dict[str, Any]:
        request = Request(
            f"http://127.0.0.1:{self.port}{path}", headers={"Authorization": f"Bearer {token}"}
        )
        with urlopen(request, timeout=60) as answer:
            found: dict[str, Any] = json.loads(answer.read())
            return found

    def texts(self, token: str) -> list[str]:
        return [entry["text"] for entry in self.get("/v1/story/stream", token)["stream"]["entries"]]

    def events(self, token: str) -> str:
        """What the first events bring."""
        request = Request(
            f"http://127.0.0.1:{self.port}/v1/story/events",
            headers={"Authorization": f"Bearer {token}"},
        )
        lines: list[str] = []
        with urlopen(request, timeout=60) as answer:
            while "event: page" not in "".join(lines) or lines[-1] != "\n":
                lines.append(answer.readline().decode())
        return "".join(lines)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chronicled]:
    data = tmp_path_factory.mktemp("served")
    with village(data, "--no-open-book") as running:
        running.line("the village goes on")
        served = Chronicled(running, data)
        operator = served.token(Role.OPERATOR)
        deadline = time.monotonic() + 120
        while len(served.texts(operator)) < 4:
            assert time.monotonic() < deadline
            time.sleep(0.1)
        yield served
        assert running.end(signal.SIGTERM)[0] == 0


def test_every_token_sees_its_own_view(served: Chronicled) -> None:
    """Odile is A1 and on the plaza, Marten is A13 and far away with his guild."""
    operator, viewer = served.token(Role.OPERATOR), served.token(Role.VIEWER)
    odile, marten = (served.token(Role.AGENT, person) for person in ("A1", "A13"))
    views = {token: "\n".join(served.texts(token)) for token in (operator, viewer, odile, marten)}
    city, guild = "the city of Thorp", "Reed and Rush"
    assert city in views[operator]
    assert guild in views[operator]
    assert city in views[odile]
    assert guild not in views[odile]
    assert guild in views[marten]
    assert city not in views[marten]
    assert city not in views[viewer]
    assert guild not in views[viewer]
    for token in (viewer, odile):
        assert "Reed and Rush" not in served.events(token)
    assert "Reed and Rush" in served.events(marten)


def test_with_an_open_book_everybody_reads_everything(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with village(data) as running:
        running.line("the village goes on")
        served = Chronicled(running, data)
        tokens = [
            served.token(Role.VIEWER),
            served.token(Role.AGENT, "A1"),
            served.token(Role.AGENT, "A999"),
        ]
        deadline = time.monotonic() + 120
        while not all("the city of Thorp" in "".join(served.texts(token)) for token in tokens):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert running.end(signal.SIGTERM)[0] == 0


def test_an_agent_who_saw_nothing_yet_is_nobody(served: Chronicled) -> None:
    with pytest.raises(HTTPError) as refused:
        served.texts(served.token(Role.AGENT, "A999"))
    with refused.value as answer:
        assert (answer.code, json.loads(answer.read())["error"]) == (403, "unknown_reader")


def test_the_command_may_run_beside_the_server(served: Chronicled) -> None:
    operator = served.token(Role.OPERATOR)
    chronicle(served.data)
    texts = served.texts(operator)
    assert len(texts) == len({*texts})


@pytest.mark.real("chromium")
def test_the_page_shows_it(served: Chronicled, tmp_path: Path) -> None:
    async def look() -> None:
        async with browsing(tmp_path) as page:
            await page.open(
                f"http://127.0.0.1:{served.port}/story?token={served.token(Role.OPERATOR)}"
            )
            await page.until(f"{TEXTS}.some((text) => text.includes('the city of Thorp'))")
            recalled = await page.until("document.querySelectorAll('#yesterday li').length")
            assert recalled <= 5
            labels = await page.get(
                "[...document.querySelectorAll('#stream li')].filter((one) => "
                "one.querySelector('b')).length"
            )
            assert labels == 0, "the world's voice has no name"
            await page.until("document.querySelector('.days')?.textContent.includes('Day 2')")
            hours = "[...document.querySelectorAll('#stream .hour')].map((one) => one.textContent)"
            assert {len(hour) for hour in await page.until(f"{hours}.length && {hours}")} == {5}
            watch = await page.until("document.querySelector('#stream .watch')?.search")
            assert re.fullmatch(r"\?at=\d+&speed=16", watch)
            odile = (
                "[...document.querySelectorAll('#stream a.see')].find((one) => "
                "one.textContent === 'Odile')"
            )
            await page.until(f"{odile}?.click() ?? {odile}")
            await page.until("document.querySelector('#card')?.dataset.agent === 'A1'")
            await page.until("location.pathname + location.search === '/story?see=A1'")
            await page.open(f"http://127.0.0.1:{served.port}/story/day/2")
            await page.until("document.getElementById('day/2')?.getBoundingClientRect().top < 300")
            await page.until("document.querySelector('#coming')?.textContent.includes('told at')")
            assert not await page.get("document.querySelector('#clock')"), (
                "one clock: nobody declared a date"
            )
            await page.until(
                "document.querySelector('#in-passage')?.textContent.includes('see it at day')"
            )
            passages = "document.querySelectorAll('#stream li[data-id]').length"
            whole = await page.until(passages)
            await page.open(f"http://127.0.0.1:{served.port}/story?with=A1")
            await page.until("document.querySelector('#with')?.textContent.includes('with Odile')")
            assert 0 < await page.until(passages) < whole
            await page.click("#with a:last-child")
            await page.until(f"{passages} >= {whole}")
            await page.get("document.querySelector('#stream .watch').click()")
            await page.until("location.pathname === '/' && location.search.includes('at=')")
            await page.until("document.querySelector('.scene')?.dataset.time === 'past'")
            assert page.complaints == []

    run(look(), 300)


def test_without_a_chronicle_no_story_is_begun(tmp_path: Path) -> None:
    with village(tmp_path / "data", "--no-chronicle") as running:
        running.line("the village goes on")
        assert running.end(signal.SIGTERM)[0] == 0
    assert not (tmp_path / "data" / "story.db").exists()


def test_a_story_that_can_have_none_is_left_alone_or_refused_if_asked_for(tmp_path: Path) -> None:
    data = tmp_path / "data"
    open_ledger(data).close()
    with village(data) as running:
        assert (
            "no part WORLD_CHRONICLE" in running.line("there is no chronicle")[0] or running.lines
        )
        assert running.end(signal.SIGTERM)[0] == 0
    asked = ["up", "--data", str(data), "--port", "0", "--chronicle"]
    assert "founded without a chronicle" in fails(*asked).splitlines()[-1]
    assert "founded without a chronicle" in fails("story", "chronicle", "--data", str(data))


def test_the_command_refuses_a_directory_without_a_world(tmp_path: Path) -> None:
    assert "there is no world here" in fails("story", "chronicle", "--data", str(tmp_path))
    assert not (tmp_path / "story.db").exists()


def test_who_writes_the_served_story_can_be_chosen(tmp_path: Path) -> None:
    assert "unknown writer 'homer'" in fails(
        "up", "--data", str(tmp_path), "--port", "0", "--writer", "homer"
    )
