"""*What if*: an operator asks, both forks live in a process of their own, and are looked at."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.observer.filmed import make_village
from tests.server.serving import Served, run, serving
from thorp.bridges.voxel_town import new_city_world
from thorp.server.access.tokens import Role
from thorp.server.http import what_if
from thorp.server.http.what_if import FOLDER, KEPT

PATIENCE_SECONDS = 300
AT = 330
STORM = {"change": "weather", "weather": "STORM", "ticks": 500}
QUESTION = {"at_tick": AT, "days": 1, "change": STORM}


@pytest.fixture(scope="module")
def village(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_village(tmp_path_factory.mktemp("village"), last=420)


async def asked(served: Served, path: str) -> tuple[int, Any]:
    async with served.http.get(served.url(path)) as answer:
        return answer.status, await answer.json()


async def ask(served: Served, question: object, path: str = "/v1/what-if") -> tuple[int, Any]:
    async with served.http.post(served.url(path), json=question) as answer:
        return answer.status, await answer.json()


async def until_idle(served: Served) -> Any:
    while True:
        _, state = await asked(served, "/v1/what-if")
        if not state["running"]:
            return state
        await asyncio.sleep(0.1)


async def until_living(served: Served) -> None:
    while not ((await asked(served, "/v1/what-if"))[1]["progress"] or {}).get("last_tick"):
        await asyncio.sleep(0.05)


def serve(data: Path, role: Role = Role.OPERATOR) -> Any:
    return serving(data, tape=True, make_world=new_city_world, loopback=role)


def test_a_question_is_answered_by_two_runs_beside_each_other(
    village: Path, tmp_path: Path
) -> None:
    data = shutil.copytree(village, tmp_path / "data")

    async def play() -> None:
        async with serve(data) as served:
            assert (await asked(served, "/v1/what-if"))[1]["answers"] == []
            status, state = await ask(served, QUESTION)
            assert (status, bool(state["running"])) == (200, True)
            assert (await ask(served, {**QUESTION, "days": 2}))[0] == 409
            state = await until_idle(served)
            assert state["problem"] == ""
            [answer] = state["answers"]
            assert (answer["finished"], answer["change"]) == (True, "a storm for 500 ticks")
            runs = f"here={answer['control']}&there={answer['changed']}"
            status, found = await asked(served, f"/v1/comparison?{runs}")
            while status == 503 or not found["whole"]:
                for run in ("control", "changed"):
                    await asked(served, f"/v1/runs/{answer[run]}")
                await asyncio.sleep(0.1)
                status, found = await asked(served, f"/v1/comparison?{runs}")
            assert (found["split"]["how"], found["split"]["tick"]) == ("record", AT)
            assert [found[side]["label"] for side in ("here", "there")] == ["control", "changed"]
            # The same question is answered already.
            assert (await ask(served, QUESTION))[1]["running"] == ""

    run(play(), PATIENCE_SECONDS)


def test_only_operators_ask_and_see(village: Path, tmp_path: Path) -> None:
    data = shutil.copytree(village, tmp_path / "data")

    async def play() -> None:
        async with serve(data) as served:
            await ask(served, QUESTION)
            [answer] = (await until_idle(served))["answers"]
        async with serve(data, Role.NEIGHBOUR) as served:
            for path in ("/v1/what-if", "/v1/what-if/cancel"):
                assert (await ask(served, QUESTION, path))[0] == 401
            assert (await asked(served, "/v1/what-if"))[0] == 401
            assert (await asked(served, "/v1/what-if/changes"))[0] == 401
            assert (await asked(served, f"/v1/runs/{answer['control']}"))[0] == 404
            hidden = f"/v1/comparison?here=own&there={answer['control']}"
            assert (await asked(served, hidden))[0] == 404

    run(play(), PATIENCE_SECONDS)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ({**QUESTION, "days": 0}, "days"),
        ({**QUESTION, "days": what_if.MAX_DAYS + 1}, "days"),
        ({**QUESTION, "at_tick": 0}, "at_tick"),
        ({**QUESTION, "at_tick": 10**9}, "a tick that is over"),
        ({**QUESTION, "change": {"change": "earthquake"}}, "earthquake"),
        ({**QUESTION, "more": 1}, "more"),
        ([], "object"),
        ({"change": STORM}, "at_tick"),
    ],
)
def test_what_is_no_question_is_refused_at_once(
    village: Path, tmp_path: Path, question: Any, said: str
) -> None:
    data = shutil.copytree(village, tmp_path / "data")

    async def play() -> None:
        async with serve(data) as served:
            status, refusal = await ask(served, question)
            assert status == 400
            assert said in refusal["details"]
            assert not (data / FOLDER).exists()

    run(play(), PATIENCE_SECONDS)


def test_a_change_that_does_not_fit_says_why_and_leaves_nothing(
    village: Path, tmp_path: Path
) -> None:
    data = shutil.copytree(village, tmp_path / "data")
    nobody = {"change": "goal", "person": "<b>Nobody</b>", "goal": "house"}

    async def play() -> None:
        async with serve(data) as served:
            await ask(served, {**QUESTION, "change": nobody})
            state = await until_idle(served)
            assert "there is no villager '<b>Nobody</b>'" in state["problem"]
            assert (state["answers"], [*(data / FOLDER).iterdir()]) == ([], [])
            assert (await ask(served, {}, "/v1/what-if/cancel"))[0] == 409

    run(play(), PATIENCE_SECONDS)


def test_a_cancelled_question_leaves_nothing_and_an_interrupted_one_goes_on(
    village: Path, tmp_path: Path
) -> None:
    data = shutil.copytree(village, tmp_path / "data")
    long = {**QUESTION, "days": 10}

    async def play() -> None:
        async with serve(data) as served:
            await ask(served, long)
            await until_living(served)
            status, state = await ask(served, {}, "/v1/what-if/cancel")
            assert (status, state["running"], state["answers"]) == (200, "", [])
            assert [*(data / FOLDER).iterdir()] == []
            await ask(served, long)
            await until_living(served)
        async with serve(data) as served:
            [answer] = (await asked(served, "/v1/what-if"))[1]["answers"]
            assert answer["finished"] is False
            assert (await asked(served, f"/v1/runs/{answer['control']}"))[0] == 404
            assert (await ask(served, answer["asked"]))[1]["running"] == answer["id"]

    run(play(), PATIENCE_SECONDS)


def test_the_oldest_answers_make_room(
    village: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = shutil.copytree(village, tmp_path / "data")
    monkeypatch.setattr(what_if, "KEPT", 2)
    assert KEPT > 1

    async def play() -> None:
        async with serve(data) as served:
            kept: list[str] = []
            for ticks in (10, 20, 30):
                _, state = await ask(served, {**QUESTION, "change": {**STORM, "ticks": ticks}})
                kept.append(state["running"])
                await until_idle(served)
            state = await until_idle(served)
            assert [each["id"] for each in state["answers"]] == kept[:0:-1]
            assert not (data / FOLDER / kept[0]).exists()

    run(play(), PATIENCE_SECONDS)
