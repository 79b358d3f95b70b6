"""`thorp bots` with models that choose: over the wire of a real server, recorded and played again,
and on bad days."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import THORP
from tests.cli.serving import served
from tests.integrations.endpoint import Body, answering, saying
from tests.integrations.test_bots_command import bots, known_world
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
        process = start(world, *agent)
        seen = wait_for_model(process.pid)
        out, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors
    assert not is_running(seen)
    report = json.loads(out)
    assert [agent["name"] for agent in report["agents"]] == ["local-1", "local-2"]
    assert report["spent"]["calls"] == 6
    assert report["spent"]["estimated"] == 0
    assert all(agent["deeds"]["failures"] == 0 for agent in report["agents"])


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
    with served(tmp_path / "data", make_world=known_world) as world:
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


@pytest.mark.real("mind")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_running(tiny: Path, tmp_path: Path, number: int) -> None:
    with served(tmp_path / "data", make_world=known_world) as world:
        process = start(world, "--agent", f"local:{tiny}", "--count", "1")
        model = wait_for_model(process.pid)
        process.send_signal(number)
        process.communicate(timeout=60)
        wait_until_gone([model])
