"""`thorp bots --agent …` from the command line: models recorded and played back, programs, and
refusals."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE, CompletedProcess, Popen
from typing import Any

import pytest
from aiohttp import web

from tests.cli.command import THORP, run
from tests.cli.serving import served
from tests.integrations.endpoint import Body, answering, call, calling, saying
from tests.models.loopback import serving
from thorp.arena.contract import MatchTask, Seat
from thorp.arena.service import play
from thorp.bridges.voxel_town import new_city_world
from thorp.voxel.state.world import World
from thorp.voxel.tuning import Tuning

EXAMPLES = Path(__file__).parents[2] / "examples" / "agents"
KEY = "sk-invented-for-this-test"


def known_world(seed: int, draw_seed: int | None = None, tuning: Tuning | None = None) -> World:
    return new_city_world(seed, 7, tuning)


def bots(
    world: str, *options: str, model: str = "", cwd: Path | None = None
) -> CompletedProcess[str]:
    environment = {"THORP_MODEL_URL": model, "THORP_MODEL_KEY": KEY}
    done = run("thorp", "bots", "--url", world, *options, cwd=cwd, environment=environment)
    return CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def script(number: int, body: Body) -> Any:
    """What a model answers depends only on what was said before, so that each agent has the
    same."""
    before = sum(message["role"] == "assistant" for message in body["messages"])
    replies: list[Any] = [
        calling(call("say", {"text": "hello"})),
        saying("What a lovely place."),
        calling(call("mine_nearest", {"block": "LOG"}), call("nothing")),
        (400, f"no, {KEY}", {}),
    ]
    return replies[min(before, 3)]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three agents that lived in lockstep, on record."""
    directory = tmp_path_factory.mktemp("recorded")
    limits = [
        "--agent-calls",
        "5",
        "--max-calls",
        "14",
        "--level",
        "simple",
        "--goal",
        "Live well.",
    ]
    with (
        answering(script) as (endpoint, model),
        served(directory / "data", make_world=known_world) as world,
    ):
        done = bots(
            world, "--agent", "model:small", "--count", "3", *limits, "--record", str(directory / "talk"),
            "--json", model=model,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["spent"]["calls"] == len(endpoint.asked) == 14
    assert sorted(agent["spent"]["calls"] for agent in report["agents"]) == [4, 5, 5]
    assert [agent["deeds"]["done"] for agent in report["agents"]] == [2, 2, 2]
    assert endpoint.keys == {f"Bearer {KEY}"}
    return directory / "talk"


def replay(recorded: Path, data: Path, *more: str) -> CompletedProcess[str]:
    usual = [
        "--agent",
        "model:small",
        "--count",
        "3",
        "--level",
        "simple",
        "--replay",
        str(recorded),
    ]
    with served(data, make_world=known_world) as world:
        return bots(world, *usual, *more, model="http://127.0.0.1:9")


def test_a_recording_holds_requests_replies_errors_and_actions_but_no_key(recorded: Path) -> None:
    text = (recorded / "model-1.jsonl").read_text("utf-8")
    head, *lines = map(json.loads, text.splitlines())
    assert (head["format"], head["agent"], head["model"]) == (
        "thorp.conversation",
        "model-1",
        "small",
    )
    assert [line["at"] for line in lines][:6] == ["ask", "act", "ask", "ask", "act", "act"]
    assert lines[0]["new"][-1]["role"] == "user"
    assert lines[1]["action"] == {"instants": [{"type": "SAY", "text": "hello"}]}
    assert any(line.get("error", {}).get("message") == "HTTP 400" for line in lines)
    assert KEY not in text
    assert "127.0.0.1" not in text


def test_a_replay_needs_no_model_and_does_the_same(recorded: Path, tmp_path: Path) -> None:
    done = replay(recorded, tmp_path / "data", "--goal", "Live well.", "--json")
    assert (done.returncode, "not the recorded one" in done.stderr) == (0, False), done.stderr
    report = json.loads(done.stdout)
    assert report["spent"]["calls"] == 0
    assert [agent["deeds"]["done"] for agent in report["agents"]] == [2, 2, 2]


def test_a_difference_is_told(recorded: Path, tmp_path: Path) -> None:
    done = replay(recorded, tmp_path / "data", "--goal", "Live badly.")
    assert done.returncode == 1
    assert (
        'model-1: the system is not the recorded one: it was …well."…, now …badly."…' in done.stderr
    )
    assert "model-2: request 1 is not the recorded one" in done.stderr


def test_an_action_that_was_not_recorded_is_a_difference(recorded: Path, tmp_path: Path) -> None:
    talk = Path(shutil.copytree(recorded, tmp_path / "talk"))
    lines = (
        (talk / "model-2.jsonl")
        .read_text("utf-8")
        .replace('"text":"hello"}]}', '"text":"adieu"}]}')
    )
    (talk / "model-2.jsonl").write_text(lines, "utf-8")
    done = replay(talk, tmp_path / "data", "--goal", "Live well.")
    assert done.returncode == 1
    told = [line for line in done.stderr.splitlines() if "recorded" in line]
    assert len(told) == 1
    assert told[0].startswith(
        "thorp: model-2: an action after request 1 is not the recorded one: it was …adieu"
    )


def test_a_replay_that_is_cut_short_says_so(recorded: Path, tmp_path: Path) -> None:
    done = replay(recorded, tmp_path / "data", "--goal", "Live well.", "--seconds", "0.1")
    assert done.returncode == 1
    assert "model-1: it ended with 6 recorded requests and 3 actions to come" in done.stderr


def test_a_replay_is_of_as_many_as_were_recorded(recorded: Path) -> None:
    done = bots(
        "ws://127.0.0.1:9", "--agent", "model:small", "--count", "2", "--replay", str(recorded)
    )
    assert done.returncode == 2
    assert "has 3 recordings; give --count 3" in done.stderr


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty"),
        ("{}\n", "line 1: this is no recording"),
        ('{"format":"thorp.conversation","version":1}\n{"at":"ask"', "line 2: "),
        ('{"format":"thorp.conversation","version":1}\n{"at":"ask","n":1}\n', "line 2: "),
    ],
)
def test_what_is_no_recording_is_refused_by_its_line(
    text: str, problem: str, tmp_path: Path
) -> None:
    (tmp_path / "model-1.jsonl").write_text(text)
    done = bots(
        "ws://127.0.0.1:9", "--agent", "model:small", "--count", "1", "--replay", str(tmp_path)
    )
    assert done.returncode == 2
    assert problem in done.stderr


def test_a_refused_key_ends_the_run_with_words_and_a_report(tmp_path: Path) -> None:
    with (
        answering(lambda number, body: (401, KEY, {})) as (_, model),
        served(tmp_path / "data") as world,
    ):
        done = bots(world, "--agent", "model:small", "--count", "2", model=model)
    assert done.returncode == 2
    assert "HTTP 401: it refuses the key; set THORP_MODEL_KEY" in done.stderr
    assert "in all: " in done.stdout
    assert KEY not in done.stdout + done.stderr


def test_a_spent_budget_leaves_the_agent_idle_until_the_time_is_over(tmp_path: Path) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text('{"small": {"input": 1, "output": 4}}')
    money = ["--prices", str(prices), "--max-money", "0.05", "--agent-calls", "2"]
    with (
        answering(lambda number, body: calling(call("wait"))) as (endpoint, model),
        served(tmp_path / "data", clock="real") as world,
    ):
        done = bots(
            world, "--agent", "model:small", "--count", "1", "--seconds", "5", *money, model=model
        )
    assert done.returncode == 0
    assert len(endpoint.asked) == 2
    assert re.search(
        r"^model-1: 2 done; 2 calls, \d+ tokens in, 40 tokens out, 0\.0\d+ money$",
        done.stdout,
        re.M,
    )
    assert "the agent's budget of 2 model calls is used up; it idles from now on" in done.stderr


@pytest.mark.parametrize(
    ("options", "advice"),
    [
        (["--agent", "wanderer"], "--agent takes model:NAME, file.py:Class"),
        (["--agent", "model:"], "write model:NAME"),
        (["--agent", "model:small", "--kind", "farmer"], "give --kind or --agent"),
        (["--agent", "model:small", "--record", "a", "--replay", "b"], "give --record or --replay"),
        (["--agent", "model:small", "--max-money", "1"], "give --prices FILE"),
        (["--agent", "model:small", "--prices", "{prices}"], "no price for small; it has: large"),
        (["--agent", "model:small", "--persona", "{huge}"], "at most 16384 bytes"),
        (["--agent", "model:small", "--record", "{talk}"], "is there already; record elsewhere"),
        (["--agent", "model:small", "--count", "501"], "--count is at most 500"),
        (["--agent", "cmd:true", "--max-calls", "1"], "budgets are for model:NAME"),
        (["--agent", "none.py:None_"], "there is no file 'none.py'"),
        (["--agent", "cmd:no-such-command-here"], "no command 'no-such-command-here'"),
    ],
)
def test_refusals(options: list[str], advice: str, tmp_path: Path) -> None:
    (tmp_path / "prices").write_text('{"large": {"input": 1, "output": 4}}')
    (tmp_path / "huge").write_text("x" * 20_000)
    (tmp_path / "model-1.jsonl").touch()
    files = {"prices": tmp_path / "prices", "huge": tmp_path / "huge", "talk": tmp_path}
    given = [option.format(**files) for option in options]
    done = bots("ws://127.0.0.1:9", *given, model="http://127.0.0.1:9", cwd=tmp_path)
    assert (
        done.returncode,
        done.stdout.replace("\n", "")[:9] in ("", "none-1: 0", "None_-1: ", "cmd-1: 0 "),
    ) == (2, True)
    assert advice in done.stderr


@pytest.fixture
def live_world(tmp_path: Path) -> Iterator[str]:
    with served(tmp_path / "data", clock="real", tuning=Tuning(tick_rate_hz=20)) as url:
        yield url


def test_the_gatherer_of_the_examples_gathers_in_a_world_and_in_a_match(
    live_world: str, tmp_path: Path
) -> None:
    trace, spec = tmp_path / "trace.jsonl", f"{EXAMPLES / 'gatherer.py'}:Gatherer"
    done = bots(
        live_world, "--agent", spec, "--count", "2", "--seconds", "6",
        "--json", "--trace", str(trace),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert [(agent["name"], agent["failures"]) for agent in json.loads(done.stdout)["agents"]] == [
        ("Gatherer-1", 0),
        ("Gatherer-2", 0),
    ]
    results = [
        line for line in map(json.loads, trace.read_text().splitlines()) if line["at"] == "result"
    ]
    assert {line.get("kind") for line in results if line["ok"]} >= {"MINE", "CRAFT"}
    played = play(MatchTask("voxel-survival", (Seat("wren", spec),), 3, 99, {"ticks": 200}), None)
    assert [event for event in played.events if event["type"] == "AgentError"] == []
    last = next(event for event in reversed(played.events) if "summary" in event)
    assert last["summary"]["achievements"]["collect_wood"]


COMMAND = """
import json, sys
answers = [{"action": "say", "text": "hi"}, {"action": "fly"}, {"tasks": 7}, {}]
answers.append({"tasks": [{"type": "STOP"}]})
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "init":
        assert message["scenario"] == "world", message
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
    elif message["type"] == "act":
        seen = message["observation"]
        assert "NOW" in seen["text"] and "AIR" in seen["palette"]
        for event in seen["events"]:
            if event["type"] == "ACTION_RESULT":
                print(event, file=open("told.txt", "a"))
        action = answers[min(message["turn"] - 1, 4)]
        print(json.dumps({"type": "action", "turn": message["turn"], "action": action}), flush=True)
"""


def test_a_command_lives_and_its_mistakes_are_answered_among_the_events(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text(COMMAND)
    with served(tmp_path / "data") as world:
        done = bots(
            world,
            "--agent",
            f"cmd:{sys.executable} agent.py",
            "--count",
            "1",
            "--seconds",
            "3",
            cwd=tmp_path,
        )
    assert (done.returncode, done.stderr) == (0, "")
    told = (tmp_path / "told.txt").read_text()
    assert "there is no tool" in told
    assert "Expected `array`, got `int` - at `$.tasks`; send" in told
    assert "'ok': True" in told


def test_a_server_lives_and_one_that_fails_is_left_alone(tmp_path: Path) -> None:
    async def handle(request: web.Request) -> web.StreamResponse:
        message = await request.json()
        if message["type"] == "init":
            return web.json_response({"protocol": 1})
        if message["turn"] > 2:
            return web.Response(status=500)
        return web.json_response(
            {"turn": message["turn"], "action": {"action": "say", "text": "hi"}}
        )

    with serving(handle) as url, served(tmp_path / "data") as world:
        done = bots(world, "--agent", f"{url}/", "--count", "1", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["agents"] == [{"name": "http-1", "turns": 22, "failures": 20}]
    assert done.stderr == "thorp: http-1: HTTP 500\n"


def test_a_run_that_is_interrupted_reports_too(tmp_path: Path) -> None:
    async def stall() -> Body:
        await asyncio.sleep(60)
        return saying("")

    with (
        answering(lambda number, body: stall()) as (endpoint, model),
        served(tmp_path / "data") as world,
    ):
        command = [str(THORP), "bots", "--url", world, "--agent", "model:small", "--count", "1"]
        environment = {**os.environ, "THORP_MODEL_URL": model}
        with Popen(command, env=environment, stdout=PIPE, stderr=PIPE, text=True) as bots:
            while not endpoint.asked:
                time.sleep(0.05)
                assert bots.poll() is None
            bots.send_signal(signal.SIGINT)
            out, errors = bots.communicate(timeout=20)
    assert (bots.returncode, errors) == (130, "")
    assert re.search(r"^in all: 1 calls, \d+ tokens in, 2048 tokens out, 1 estimated$", out, re.M)
