"""Graded tasks by the wire of OpenEnv: what a reset chooses, what a step earns, what is listed."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import aiohttp
import jsonschema
import msgspec
import pytest
from aiohttp import web

from tests.integrations.test_openenv import ask, step
from tests.server.serving import run
from tests.tasks.table import table
from thorp.integrations.openenv import OpenEnv
from thorp.integrations.openenv_tasks import TaskTable, action_schema
from thorp.tasks import default_suite, start_of

ROOT = Path(__file__).parents[2]


class Trial:
    """The trial suite in place of the one that comes with Thorp."""

    table = TaskTable(table())


@asynccontextmanager
async def listening(
    *, only_tasks: bool = False
) -> AsyncIterator[tuple[str, aiohttp.ClientSession]]:
    served = OpenEnv(only_tasks=only_tasks)
    served._tasks = Trial()  # type: ignore[assignment]
    runner = web.AppRunner(served.app(), shutdown_timeout=0.1)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        async with aiohttp.ClientSession() as http:
            yield f"http://127.0.0.1:{runner.addresses[0][1]}", http
    finally:
        await runner.cleanup()


def reset(**fields: Any) -> dict[str, Any]:
    return {"type": "reset", "data": fields}


def test_the_rewards_of_a_task_are_the_increases_of_its_score() -> None:
    async def play() -> None:
        async with listening() as (url, http), http.ws_connect(f"{url}/ws") as socket:
            begun = (await ask(socket, reset(task="try-patience", seed=1)))["data"]
            assert (begun["reward"], begun["done"]) == (None, False)
            assert begun["observation"]["task"] == "try-patience-1"
            first = (await ask(socket, step(action="wait")))["data"]
            bad = (await ask(socket, step(action="fly")))["data"]
            assert (first["reward"], first["done"]) == (0.5, False)
            assert (bad["reward"], bad["done"], bad["observation"]["ok"]) == (0.5, True, False)
            assert "there is no tool" in bad["observation"]["error"]["say"]
            late = (await ask(socket, step(action="wait")))["data"]
            assert (late["reward"], late["observation"]["error"]["code"]) == (0.0, "ended")
            state = (await ask(socket, {"type": "state"}))["data"]
            assert (state["seed"], state["step_count"]) == (1, 2)
            async with http.get(f"{url}/schema") as answer:
                schema = (await answer.json())["observation"]
            for each in (begun, first, bad, late):
                jsonschema.validate(each["observation"], schema)

    run(play())


def test_a_start_an_index_and_an_injected_state_choose_what_is_played() -> None:
    episode = table().open("try-patience-2")
    episode.act({"action": "wait"})
    start = msgspec.to_builtins(start_of(episode))
    solved = table().open("try-patience-2")
    for _ in range(2):
        solved.act({"action": "wait"})

    async def play() -> None:
        async with listening() as (url, http), http.ws_connect(f"{url}/ws") as socket:
            forked = (await ask(socket, reset(**start, episode_id="fork")))["data"]
            assert (forked["reward"], forked["observation"]["state"]) == (None, episode.digest())
            assert (await ask(socket, step(action="wait")))["data"]["reward"] == 0.5
            given = msgspec.to_builtins(start_of(solved))
            injected = (await ask(socket, reset(injected_state=given)))["data"]
            waited = (await ask(socket, step(action="wait")))["data"]
            assert (injected["reward"], waited["reward"], waited["done"]) == (1.0, 1.0, True)
            chosen = (await ask(socket, reset(split="dev", index=1)))["data"]
            assert chosen["observation"]["task"] == "try-logs-12"

    run(play())


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"task": "try-nothing-1"}, "task"),
        ({"task": "try-logs"}, "row"),
        ({"task": "try-logs-1", "seed": 2}, "row"),
        ({"task": "try-logs@7-1"}, "version"),
        ({"task": "try-logs-1", "digest": "0" * 64}, "digest"),
        ({"task": "try-logs-1", "digest": "abc"}, "digest"),
        ({"task": "try-logs-1", "split": "dev"}, "task"),
        ({"acts": []}, "start"),
        ({"split": "unseen"}, "split"),
        ({"split": "dev", "index": 99}, "index"),
        ({"injected_state": {"task": "try-logs-1"}, "task": "try-logs-1"}, "start"),
        ({"injected_state": {"acts": []}}, "start"),
        ({"task": 7}, "value_error"),
        ({"secret": True}, "extra_forbidden"),
    ],
)
def test_a_reset_that_names_no_state_is_refused_and_changes_nothing(
    fields: dict[str, Any], code: str
) -> None:
    async def play() -> None:
        async with listening() as (url, http), http.ws_connect(f"{url}/ws") as socket:
            await ask(socket, reset(task="try-patience-1"))
            refused = await ask(socket, reset(**fields))
            assert (refused["type"], refused["data"]["code"]) == ("error", "VALIDATION_ERROR")
            (error,) = refused["data"]["errors"]
            assert error["type"] == code, error
            assert "\n" not in refused["data"]["message"]
            assert (await ask(socket, step(action="wait")))["data"]["reward"] == 0.5

    run(play())


def test_the_task_api_lists_rows_without_goals() -> None:
    async def play() -> None:
        async with listening(only_tasks=True) as (url, http):
            async with http.get(f"{url}/thorp/splits") as answer:
                assert [each["name"] for each in await answer.json()] == ["train", "dev", "test"]

            async def tell(question: str, status: int = 200, **body: Any) -> Any:
                async with http.post(f"{url}/thorp/{question}", json=body) as answer:
                    assert answer.status == status
                    return await answer.json()

            assert (await tell("num_tasks", split="dev"))["num_tasks"] == 6
            every = (await tell("tasks", split="dev"))["tasks"]
            assert (await tell("task", split="dev", index=2))["task"] == every[2]
            part = (await tell("task_range", split="dev", start=1, stop=3))["tasks"]
            assert part == every[1:3]
            assert "goal" not in json.dumps(every)
            for body in (
                {"split": "dev", "index": 6},
                {"split": "dev", "index": -1},
                {},
                {"index": 1},
            ):
                assert "detail" in await tell("task", status=400, **body)
            async with http.get(f"{url}/elsewhere/splits") as answer:
                assert answer.status == 404
            async with http.get(f"{url}/schema") as answer:
                schema = (await answer.json())["action"]
            assert schema["properties"]["action"]["enum"] == ["mine_nearest", "go_to", "wait"]
            async with http.ws_connect(f"{url}/ws") as socket:
                drawn = [
                    (await ask(socket, reset(seed=seed)))["data"]["observation"]["task"]
                    for seed in (0, 1, 0)
                ]
                assert drawn == ["try-logs-1", "try-logs-2", "try-logs-1"]

    run(play())


def test_the_actions_of_the_whole_suite_fit_in_one_schema() -> None:
    schema = action_schema(default_suite())
    jsonschema.Draft202012Validator.check_schema(schema)
    for task in default_suite().tasks.values():
        assert set(task.tools) <= set(schema["properties"]["action"]["enum"])


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("openenv_script", ROOT / "scripts/openenv.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_package_is_that_of_the_suite() -> None:
    """If not: `python scripts/openenv.py write`."""
    for path, data in script().package_files(default_suite()).items():
        assert (ROOT / path).read_bytes() == data, path
