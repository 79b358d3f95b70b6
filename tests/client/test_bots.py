"""The bots, in a real world behind a real server: each does what it is there for."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from tests.client.scripted import Peer, endless, play, serve
from tests.protocol import samples
from thorp.cli.bots import CrewOptions
from thorp.cli.visit import _end
from thorp.client import Agent, Unreachable, connect, whisper
from thorp.client.bots import BOTS, eat_if_hungry, run_bots

THORP = str(Path(sys.executable).with_name("thorp"))
EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
PATIENCE_SECONDS = 90
TICKS_A_SECOND = 50


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A world ten times as fast as usual; its address."""
    directory = tmp_path_factory.mktemp("world")
    tuning = directory / "tuning.yaml"
    tuning.write_text(f"tick_rate_hz: {TICKS_A_SECOND}\n")
    options = [
        "--port",
        "0",
        "--seed",
        "7",
        "--data",
        str(directory / "data"),
        "--tuning",
        str(tuning),
    ]
    command = [THORP, "up", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().split()[-1]
        finally:
            server.terminate()
            server.communicate(timeout=10)


class Story:
    """A trace that is looked at while it is written."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def write(self, text: str) -> None:
        self.lines.append(json.loads(text))

    def tasks_done(self, kind: str) -> int:
        return sum(
            line.get("kind") == kind and line["ok"] for line in self.lines if line["at"] == "result"
        )


async def watch(address: str, kind: str, is_enough: Callable[[Story], bool]) -> None:
    story = Story()
    crew = asyncio.create_task(run_bots(address, 1, [kind], trace=story))
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not is_enough(story):
                if crew.done():
                    crew.result()
                    raise AssertionError("the bot ended")
                await asyncio.sleep(0.05)
    finally:
        crew.cancel()
        await asyncio.gather(crew, return_exceptions=True)


@pytest.mark.parametrize(
    ("kind", "is_enough"),
    [
        ("wanderer", lambda story: story.tasks_done("MOVE_TO") >= 3),
        ("lumberjack", lambda story: story.tasks_done("BUILD_BLUEPRINT") >= 1),
        ("farmer", lambda story: story.tasks_done("PLACE") >= 2 and story.tasks_done("MINE") >= 2),
    ],
)
def test_a_bot_does_its_work(world: str, kind: str, is_enough: Callable[[Story], bool]) -> None:
    asyncio.run(watch(world, kind, is_enough))


def test_many_at_once_from_the_command_line(world: str, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    command = [
        THORP,
        "bots",
        "--count",
        "6",
        "--url",
        world,
        "--seconds",
        "3",
        "--trace",
        str(trace),
    ]
    done = subprocess.run(command, capture_output=True, timeout=PATIENCE_SECONDS)
    assert (done.returncode, done.stderr) == (0, b"")
    lines = [json.loads(line) for line in trace.read_text().splitlines()]
    assert len({line["agent"] for line in lines}) == 6
    assert {line["at"] for line in lines} == {"link", "obs", "act", "result"}


def test_a_server_that_is_not_there_is_one_line_of_advice() -> None:
    done = subprocess.run(
        [THORP, "bots", "--count", "2", "--url", "127.0.0.1:9"], capture_output=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(
        b"thorp: ws://127.0.0.1:9/v1/ws: no server there (Connection refused); "
    )
    assert done.stderr.count(b"\n") == 1


def test_bots_that_are_told_to_end_twice_end_once() -> None:
    async def live() -> None:
        async with asyncio.timeout(None) as limit:
            _end(limit)
            try:
                await asyncio.sleep(60)
            finally:
                _end(limit)

    with pytest.raises(TimeoutError):
        asyncio.run(live())


def test_the_command_knows_every_bot() -> None:
    (choice, _) = get_args(get_type_hints(CrewOptions)["kind"])
    assert get_args(choice) == tuple(BOTS)


def test_a_crew_none_of_whom_came_in_says_why() -> None:
    async def full(peer: Peer) -> None:
        await peer.close(1013, "the world is full")

    heard: list[str] = []

    async def scenario(url: str) -> None:
        with pytest.raises(Unreachable, match="the world is full"):
            await run_bots(url, 2, say=heard.append)

    asyncio.run(serve([full, full], scenario))
    assert heard == [], "it is said once, by who raised it"


@pytest.mark.parametrize(
    ("hunger", "inventory", "eaten"),
    [(20, {"BERRIES": 1}, None), (5, {"BERRIES": 1, "BREAD": 1}, "BREAD"), (5, {"COAL": 1}, None)],
)
def test_a_bot_eats_the_best_it_has_when_hungry(
    hunger: int, inventory: dict[str, int], eaten: str | None
) -> None:
    stacks = [{"item": item, "count": count} for item, count in inventory.items()]
    body = {**samples.obs()["self"], "hunger": hunger}
    asked: list[str] = []

    async def script(peer: Peer) -> None:
        await peer.greet()
        await peer.obs(self=body, inventory=stacks)
        (bite,) = (await peer.act())["instants"]
        asked.append(bite["item_id"])
        ok = {"t": 2, "type": "ACTION_RESULT", "ref": bite["id"], "ok": True}
        await peer.obs(self=body, inventory=stacks, events=[ok])
        await endless(peer)

    async def scenario(agent: Agent) -> None:
        assert await eat_if_hungry(agent) is (eaten is not None)

    play(script, scenario=scenario)
    assert asked == ([eaten] if eaten else [])


def run_example(name: str, address: str, directory: Path) -> str:
    command = [sys.executable, str(EXAMPLES / f"{name}.py"), address]
    done = subprocess.run(command, cwd=directory, capture_output=True, timeout=PATIENCE_SECONDS)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def test_the_surveyor_remembers(world: str, tmp_path: Path) -> None:
    first, second = [run_example("surveyor", world, tmp_path).splitlines() for _ in range(2)]
    assert first[0].endswith("remembers []")
    assert (
        second[0]
        == f"{first[0].split()[0]} remembers ['corner-0', 'corner-1', 'corner-2', 'corner-3']"
    )
    assert len(first) == len(second) == 5


def test_the_stonemason_builds(world: str, tmp_path: Path) -> None:
    told = run_example("stonemason", world, tmp_path).splitlines()
    assert told.count("done") == 2
    assert told[-1].startswith("refused, E_NO_RESOURCE: missing STONE")


def test_the_greeter_answers(world: str) -> None:
    async def scenario() -> None:
        async with connect(world, "caller") as caller:
            greeter = await asyncio.create_subprocess_exec(
                sys.executable, "-u", EXAMPLES / "greeter.py", world, stdout=asyncio.subprocess.PIPE
            )
            try:
                assert greeter.stdout is not None
                wilma = (await greeter.stdout.readline()).split()[2].decode().strip(",")
                await caller.do(whisper(wilma, "Wilma, are you there?"))
                async for obs in caller:
                    if any(event.get("text") == "You called?" for event in obs.events):
                        return
            finally:
                greeter.terminate()
                await greeter.communicate()

    asyncio.run(asyncio.wait_for(scenario(), PATIENCE_SECONDS))
