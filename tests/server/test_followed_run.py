"""A run beside the own world is followed while somebody looks: it goes on, is replaced, or breaks."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.observer.filmed import make_village
from tests.server.serving import Served, run, serving
from tests.server.test_beside import AT, DISK, LAST, asked, make_fork, storm
from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.errors import ConflictError
from thorp.observer.kept_run import keep_run, read_run
from thorp.observer.tape import Tape
from thorp.server.access.tokens import Role
from thorp.server.http import kept_run
from thorp.server.http.what_if import FOLDER as WHAT_IF
from thorp.society.counterfactual import DurableRun
from thorp.voxel import Detach, WorldService

PATIENCE_SECONDS = 180
QUESTION = {
    "at_tick": AT,
    "days": 9,
    "change": {"change": "weather", "weather": "STORM", "ticks": 500},
}


@pytest.fixture(scope="module")
def village(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_village(tmp_path_factory.mktemp("village"))


@pytest.fixture(autouse=True)
def looked_at_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_run, "FOLLOW_SECONDS", 0.1)
    monkeypatch.setattr(kept_run, "RETRY_SECONDS", 0.1)
    monkeypatch.setattr(kept_run, "REST", 0)


def tick_on(data: Path, ticks: int) -> None:
    """Let a world go on without anybody doing anything."""
    with WorldService.open(DISK, data / "world", make_world=new_city_world) as service:
        life = DurableRun(service)
        for _ in range(ticks):
            life.execute(service.world, [])
        life.finish()


@asynccontextmanager
async def beside(data: Path, other: Path) -> AsyncIterator[Served]:
    async with serving(
        data, tape=True, make_world=new_city_world, beside=other, loopback=Role.OPERATOR
    ) as served:
        yield served


async def until(served: Served, **wanted: Any) -> dict[str, Any]:
    """The state of the run as soon as it has these values."""
    while True:
        _, state = await asked(served, "/v1/runs/beside")
        if all(state.get(name) == value for name, value in wanted.items()):
            return dict(state)
        await asyncio.sleep(0.05)


def test_a_run_that_goes_on_is_followed(village: Path, tmp_path: Path) -> None:
    data = shutil.copytree(village, tmp_path / "data")
    other = make_fork(village, tmp_path / "other", change=storm)
    tick_on(other, 100)

    async def play() -> None:
        async with beside(data, other) as served:
            before = await until(served, state="ready", whole=True, last_tick=AT + 100)
            path = f"/v1/runs/beside/tape/{AT // 250}"
            async with served.http.get(served.url(path)) as answer:
                assert "immutable" not in answer.headers["Cache-Control"], "it will be longer"
                short = await answer.read()
            first = (await asked(served, "/v1/comparison?here=own&there=beside"))[1]
            assert first["there"]["last_tick"] == AT + 100
            await asyncio.to_thread(tick_on, other, 200)
            after = await until(served, whole=True, last_tick=AT + 300)
            assert (after["notice"], after["world"]) == ("", before["world"])
            tape = (await asked(served, "/v1/runs/beside/tape"))[1]
            assert (tape["tick"], tape["playable"]) == (AT + 300, [[AT + 1, AT + 300]])
            async with served.http.get(served.url(path)) as answer:
                assert "immutable" in answer.headers["Cache-Control"]
                assert await answer.read() != short
            later = (await asked(served, "/v1/comparison?here=own&there=beside"))[1]
            assert later["there"]["last_tick"] == AT + 300
            assert later["society"]["last"] > first["society"]["last"]

    run(play(), PATIENCE_SECONDS)


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("another", "this run was replaced: another world lies in its directory now"),
        ("back", f"this run was replaced: it was set back from tick {AT + 300} to tick {AT}"),
        ("history", f"this run was replaced: it has another history up to tick {AT + 300} now"),
    ],
)
def test_a_run_that_was_replaced_is_shown_anew_and_said_in_one_line(
    village: Path, tmp_path: Path, what: str, said: str
) -> None:
    data = shutil.copytree(village, tmp_path / "data")
    other = make_fork(village, tmp_path / "other")
    begun = shutil.copytree(other, tmp_path / "begun")
    tick_on(other, 300)
    if what == "another":
        begun = make_fork(village, tmp_path / "third", at=AT - 50)
    elif what == "history":
        with WorldService.open(DISK, begun / "world", make_world=new_city_world) as service:
            life = DurableRun(service)
            gone = next(agent.number for agent in service.world.agents if agent.attached)
            life.execute(service.world, [Detach(gone)])
            for _ in range(309):
                life.execute(service.world, [])
            life.finish()

    async def play() -> None:
        async with beside(data, other) as served:
            before = await until(served, state="ready", whole=True)
            assert (await asked(served, "/v1/runs/beside/tape"))[0] == 200
            shutil.rmtree(other / "world")
            shutil.copytree(begun / "world", other / "world")
            after = await until(served, state="ready", whole=True, notice=said)
            assert after["world"] != before["world"], "browsers must not mix their segments"
            ends = {"another": AT - 50, "back": AT, "history": AT + 310}[what]
            assert after["last_tick"] == ends
            tape = (await asked(served, "/v1/runs/beside/tape"))[1]
            assert (tape["world"], tape["tick"]) == (after["world"], ends)

    run(play(), PATIENCE_SECONDS)


def test_a_run_that_breaks_is_shown_as_it_was_with_one_line(village: Path, tmp_path: Path) -> None:
    data = shutil.copytree(village, tmp_path / "data")
    other = make_fork(village, tmp_path / "other")
    tick_on(other, 100)

    async def play() -> None:
        async with beside(data, other) as served:
            await until(served, state="ready", whole=True)
            assert (await asked(served, "/v1/runs/beside/tape"))[0] == 200
            for journal in (other / "world").glob("journal-*"):
                journal.write_bytes(b"<img src=x onerror=alert(1)>\n" * 3)
            while not (state := await until(served, state="ready"))["notice"]:
                await asyncio.sleep(0.05)
            assert state["notice"].startswith("it cannot be followed: ")
            assert "\n" not in state["notice"]
            assert (await asked(served, "/v1/runs/beside/tape"))[1]["tick"] == AT + 100
            assert (await asked(served, "/v1/comparison?here=own&there=beside"))[0] in (200, 409)
            assert (await asked(served, "/admin/v1/observer/tape"))[0] == 200

    run(play(), PATIENCE_SECONDS)


def test_what_is_no_longer_the_kept_run_is_kept_anew_only_when_nobody_looks(
    village: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "kept"
    other = make_fork(village, tmp_path / "other")
    tick_on(other, 400)
    keep_run(DISK, other / "world", kept)
    shorter = make_fork(village, tmp_path / "shorter", at=LAST - 40)
    with pytest.raises(ConflictError, match="another world lies"):
        keep_run(DISK, shorter / "world", kept, anew=False)
    about = keep_run(DISK, shorter / "world", kept)
    assert about == read_run(kept)
    tape = Tape(kept, about.name)
    assert tape.late_firsts() == {(LAST - 40) // 250: about.first_tick} or not tape.numbers()
    tape.close()
    with pytest.raises(ConflictError, match="what was kept of it is gone"):
        keep_run(DISK, shorter / "world", tmp_path / "nothing", anew=False)


def test_the_forks_of_a_question_are_followed_while_they_live(
    village: Path, tmp_path: Path
) -> None:
    data = shutil.copytree(village, tmp_path / "data")

    async def play() -> None:
        async with serving(
            data, tape=True, make_world=new_city_world, loopback=Role.OPERATOR
        ) as served:
            async with served.http.post(served.url("/v1/what-if"), json=QUESTION) as answer:
                state = await answer.json()
            control = state["answers"][0]["control"]
            path = f"/v1/runs/{control}"
            while (found := await asked(served, path))[0] == 404 or not found[1]["last_tick"]:
                await asyncio.sleep(0.05)
            early = found[1]["last_tick"]
            assert (await asked(served, "/v1/what-if"))[1]["running"], "it still lives"
            assert (await asked(served, f"{path}/tape"))[0] == 200
            while (later := (await asked(served, path))[1])["last_tick"] <= early:
                await asyncio.sleep(0.05)
            assert later["notice"] == ""
            async with served.http.post(served.url("/v1/what-if/cancel"), json={}) as answer:
                assert answer.status == 200
            assert (await asked(served, path))[0] == 404
            assert [*(data / WHAT_IF).iterdir()] == []

    run(play(), PATIENCE_SECONDS)
