"""The tape of a fork, whose journal begins in the middle of a segment."""

from __future__ import annotations

import asyncio
import gzip
import json
import shutil
from pathlib import Path

import pytest

from tests.observer.filmed import make_village
from tests.server.serving import Served, run, serving
from tests.server.test_beside import AT, asked, make_fork
from thorp.bridges.voxel_town import new_city_world
from thorp.observer.tape import Stretch
from thorp.observer.tape_rebuild import GONE
from thorp.observer.tape_recorder import SEGMENT_TICKS
from thorp.server.live.tape_keeper import why_missing

PATIENCE_SECONDS = 180
N = AT // SEGMENT_TICKS


@pytest.fixture(scope="module")
def village(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_village(tmp_path_factory.mktemp("village"), last=AT + 20)


async def until_tick(served: Served, tick: int) -> None:
    while (await asked(served, "/admin/v1/observer/tape"))[1]["tick"] < tick:
        await asyncio.sleep(0.05)


def test_its_first_segment_is_made_after_a_restart_in_the_middle_of_it(
    village: Path, tmp_path: Path
) -> None:
    data = make_fork(village, tmp_path / "data")

    async def play() -> None:
        async with serving(data, tape=True, make_world=new_city_world) as served:
            await until_tick(served, AT + 20)
            # What the journal of a fork does not have is noted on the tape by now.
            while not (await asked(served, "/admin/v1/observer/tape"))[1]["missing"]:
                await asyncio.sleep(0.05)
        async with serving(data, tape=True, make_world=new_city_world) as served:
            await until_tick(served, (N + 1) * SEGMENT_TICKS + 1)
            while True:
                path = served.url(f"/admin/v1/observer/tape/{N}")
                async with served.http.get(path) as answer:
                    if answer.status == 200:
                        segment = json.loads(gzip.decompress(await answer.read()))
                        break
                    assert answer.status == 503, "it can be made, and is"
                await asyncio.sleep(0.1)
            assert (segment["first"], segment["last"]) == (AT + 1, (N + 1) * SEGMENT_TICKS - 1)
            state = (await asked(served, "/admin/v1/observer/tape"))[1]
            assert state["playable"][0][0] == AT + 1
            path = f"/admin/v1/observer/tape/{N - 1}"
            assert (await asked(served, path))[0] == 404, "before the fork there is nothing"

    run(play(), PATIENCE_SECONDS)
    shutil.rmtree(data)


def test_what_is_before_the_fork_does_not_explain_a_gap_after_it() -> None:
    begins = AT + 1
    before = [Stretch(1, AT, GONE)]
    assert why_missing(N, before, begins) is None
    assert why_missing(N - 1, before, begins) == GONE
    assert why_missing(N, [*before, Stretch(AT + 50, AT + 60, "damaged")], begins) == "damaged"
    assert why_missing(0, [], 1) is None
    assert why_missing(N, [Stretch(1, AT, GONE)], 1) == GONE, "a gap in a whole journal"
