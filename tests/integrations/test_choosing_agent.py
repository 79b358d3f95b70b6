"""`thorp bots` with models that choose: over the wire of a real server, recorded and played again,
and on bad days."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from tests.cli.command import THORP
from tests.cli.serving import served
from tests.integrations.endpoint import Body, answering, saying
from tests.integrations.test_bots_command import bots, known_world
from tests.models.loopback import serving
from tests.server.test_child import children_of, is_running, wait_until_gone
from thorp.integrations.choosing_agent import MAX_FAILURES
from thorp.mind import RULES

CALLS = 6


def picking(pick: Callable[[str], str]) -> Callable[[int, Body], Any]:
    """Obey the grammar of each request."""
    return lambda number, body: saying(pick(body["grammar"].partition("[")[2].rstrip("]")))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two agents that chose in lockstep, on record."""
    directory = tmp_path_factory.mktemp("chosen")
    limits = ["--agent-calls", str(CALLS), "--level", "choices", "--goal", "Live well."]
    with (
        answering(picking(lambda letters: letters[len(letters) // 2])) as (endpoint, model),
        served(directory / "data", make_world=known_world) as world,
    ):
        done = bots(
            world, "--agent", "model:small", "--count", "2", *limits, "--json",
            "--record", str(directory / "talk"), model=model,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "a model that only chooses follows no --goal" in done.stderr
    report = json.loads(done.stdout)
    assert report["spent"]["calls"] == len(endpoint.asked) == 2 * CALLS
    assert all(sum(agent["deeds"].values()) >= CALLS for agent in report["agents"])
    assert all(agent["deeds"]["done"] for agent in report["agents"])
    for body in endpoint.asked:
        assert body["messages"][0] == {"role": "system", "content": RULES}
        assert len(body["messages"]) == 2
        assert "Live well" not in json.dumps(body)
    return directory / "talk"


def test_what_was_chosen_is_played_again_to_the_byte(recorded: Path, tmp_path: Path) -> None:
    options = ["--agent", "model:small", "--count", "2", "--level", "choices"]
    with served(tmp_path / "data", make_world=known_world) as world:
        done = bots(world, *options, "--replay", str(recorded), model="http://127.0.0.1:9")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in (recorded / "model-1.jsonl").read_text().splitlines()]
    assert {line.get("at") for line in lines} == {None, "ask", "act"}


def test_a_changed_recording_is_noticed(recorded: Path, tmp_path: Path) -> None:
    changed = tmp_path / "talk"
    changed.mkdir()
    for path in recorded.glob("*.jsonl"):
        text = path.read_text()
        (changed / path.name).write_text(text.replace('"text":"', '"text":"!', 1))
    options = ["--agent", "model:small", "--count", "2", "--level", "choices"]
    with served(tmp_path / "data", make_world=known_world) as world:
        done = bots(world, *options, "--replay", str(changed), model="http://127.0.0.1:9")
    assert done.returncode == 1
    assert "is not the recorded one" in done.stderr


def test_a_model_that_always_names_another_letter_is_given_up(tmp_path: Path) -> None:
    with (
        answering(picking(lambda letters: "!")) as (endpoint, model),
        served(tmp_path / "data", make_world=known_world) as world,
    ):
        done = bots(world, "--agent", "model:small", "--count", "1", "--level", "choices",
                    model=model)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert len(endpoint.asked) == MAX_FAILURES
    assert done.stderr.splitlines() == [
        "thorp: model-1: the model gave no answer: the reply names none of the options",
        f"thorp: model-1: the model gave no answer {MAX_FAILURES} times in a row; "
        "it idles from now on",
    ]


def test_a_model_that_never_answers_is_given_up(tmp_path: Path) -> None:
    """In a world that goes on: nobody waits for it."""

    async def silent(request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(60)
        return web.Response()

    with (
        serving(silent) as model,
        served(tmp_path / "data", make_world=known_world) as world,
    ):
        done = bots(world, "--agent", "model:small", "--count", "2", "--level", "choices",
                    "--reply-seconds", "0.2", "--json", model=model)  # fmt: skip
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert [agent["deeds"]["failures"] for agent in report["agents"]] == [MAX_FAILURES] * 2
    told = [line for line in done.stderr.splitlines() if "model-1" in line]
    assert len(told) == 2
    assert told[0].startswith("thorp: model-1: the model gave no answer: no reply in time")


def test_a_model_that_says_the_same_for_ever_lives_to_the_end(tmp_path: Path) -> None:
    with (
        answering(picking(lambda letters: letters[0])) as (_, model),
        served(tmp_path / "data", make_world=known_world) as world,
    ):
        done = bots(world, "--agent", "model:small", "--count", "1", "--level", "choices",
                    "--agent-calls", "12", "--json", model=model)  # fmt: skip
    assert done.returncode == 0, done.stderr
    (agent,) = json.loads(done.stdout)["agents"]
    assert agent["deeds"]["done"] >= 12
    assert agent["deeds"]["failures"] == 0


def test_a_recording_on_a_full_disk_is_named_and_keeps_its_whole_lines(tmp_path: Path) -> None:
    """The limit on files lets a part of a line be written, as a disk does."""
    talk = tmp_path / "talk"
    limit = (4_000, 4_000)
    with (
        answering(picking(lambda letters: letters[0])) as (_, model),
        served(tmp_path / "data", make_world=known_world) as world,
    ):
        done = subprocess.run(
            [str(THORP), "bots", "--url", world, "--agent", "model:small", "--count", "1",
             "--level", "choices", "--agent-calls", "40", "--record", str(talk)],
            # Python would write compiled modules cut off, too, and believe them later.
            env={**os.environ, "THORP_MODEL_URL": model, "THORP_MODEL_KEY": "",
                 "PYTHONDONTWRITEBYTECODE": "1"},
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limit),
            capture_output=True,
            text=True,
            timeout=60,
        )  # fmt: skip
    recording = talk / "model-1.jsonl"
    assert done.returncode == 2
    assert done.stderr == f"thorp: {recording}: File too large\n"
    assert done.stdout.startswith("model-1: ")
    data = recording.read_bytes()
    assert data.endswith(b"\n")
    assert len([json.loads(line) for line in data.splitlines()]) > 2


# The real runtime


def models_of(parent: int) -> list[int]:
    return [pid for pid, command in children_of(parent).items() if "embedded.llama" in command]


def start(world: str, *options: str) -> subprocess.Popen[str]:
    command = [str(THORP), "bots", "--url", world, *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.real("mind")
def test_two_agents_share_one_model_of_this_machine(tiny: Path, tmp_path: Path) -> None:
    with served(tmp_path / "data", make_world=known_world) as world:
        agent = ["--agent", f"local:{tiny}", "--count", "2", "--agent-calls", "3", "--json"]
        process = start(world, *agent, "--record", str(tmp_path / "talk"))
        seen = wait_for_model(process.pid)
        out, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert not is_running(seen)
    with served(tmp_path / "again", make_world=known_world) as world:
        talk = [*agent[:4], "--replay", str(tmp_path / "talk")]
        done = without_the_extra(tmp_path, "bots", "--url", world, *talk)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("local-1: ")
    report = json.loads(out)
    assert [agent["name"] for agent in report["agents"]] == ["local-1", "local-2"]
    assert report["spent"]["calls"] == 6
    assert report["spent"]["estimated"] == 0
    assert all(agent["deeds"]["failures"] == 0 for agent in report["agents"])


def without_the_extra(tmp_path: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """A command where llama.cpp cannot be imported, and no model is."""
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / "xllamacpp.py").write_text("raise ImportError('it is not installed')")
    return subprocess.run(
        [str(THORP), *command],
        env={**os.environ, "PYTHONPATH": str(empty), "THORP_MODELS": str(empty)},
        capture_output=True,
        text=True,
        timeout=120,
    )


def wait_for_model(parent: int) -> int:
    """The only model that a process runs, as soon as it does."""
    until = time.monotonic() + 30
    while not (found := models_of(parent)):
        assert time.monotonic() < until, "no model was started"
        time.sleep(0.02)
    (pid,) = found
    return pid


@pytest.mark.real("mind")
def test_a_model_that_is_killed_is_told_once_and_ends_the_run(tiny: Path, tmp_path: Path) -> None:
    talk = tmp_path / "talk"
    with served(tmp_path / "data") as world:
        process = start(world, "--agent", f"local:{tiny}", "--count", "1", "--record", str(talk))
        model = wait_for_model(process.pid)
        until = time.monotonic() + 30
        while not any(b'"act"' in path.read_bytes() for path in talk.glob("*")):
            assert time.monotonic() < until, "nothing was done"
            time.sleep(0.02)
        os.kill(model, signal.SIGKILL)
        _, errors = process.communicate(timeout=60)
    assert process.returncode == 0
    assert f"the model {tiny.stem} is gone: its process was ended by SIGKILL" in errors
    assert errors.count("is gone") == 1
    replayed = without_the_extra(tmp_path, "world", "verify", "--data", str(tmp_path / "data"))
    assert replayed.returncode == 0, replayed.stdout


@pytest.mark.real("mind")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_running(tiny: Path, tmp_path: Path, number: int) -> None:
    with served(tmp_path / "data", make_world=known_world) as world:
        process = start(world, "--agent", f"local:{tiny}", "--count", "1")
        model = wait_for_model(process.pid)
        process.send_signal(number)
        process.communicate(timeout=60)
        wait_until_gone([model])
