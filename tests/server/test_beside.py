"""Another run beside the own world: only read, made from its journal, compared by what anybody may
see."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.observer.filmed import make_village
from tests.server.serving import Served, run, serving
from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.errors import IllegalError, ThorpError
from thorp.observer.kept_run import KeptRun, describe_run, keep_run, read_end, read_run
from thorp.observer.society_curves import PRIVATE, TITLES
from thorp.observer.split import find_split, first_difference, fork_of, label_of
from thorp.observer.tape import Tape
from thorp.server.access.tokens import Role
from thorp.server.http.runs import FOLDER, check_beside
from thorp.society.counterfactual import DurableRun, live_on
from thorp.store import RealDisk
from thorp.village.changes import Weather, apply_change
from thorp.voxel import WorldService, fork
from thorp.voxel.persistence import record

DISK = RealDisk()
AT = 330
LAST = 700
PATIENCE_SECONDS = 180


def live(data: Path) -> None:
    """Let the villagers of a fork live to the end of the next day but one."""
    with WorldService.open(DISK, data / "world", make_world=new_city_world) as service:
        life = DurableRun(service)
        live_on(service.world, 2, execute=life.execute, show=lambda line: None)
        life.finish()


def make_fork(source: Path, into: Path, at: int = AT, **options: Any) -> Path:
    fork(DISK, source / "world", at, into / "world", make_world=new_city_world, **options)
    return into


def storm(world: Any) -> str:
    return apply_change(world, Weather(weather="STORM", ticks=900))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A village, two forks of it, of which one has a storm, and a village of another seed."""
    place = tmp_path_factory.mktemp("runs")
    original = make_village(place / "original")
    made = {"original": original, "other": make_village(place / "other", seed=7, last=60)}
    made["control"] = make_fork(original, place / "control")
    made["changed"] = make_fork(original, place / "changed", change=storm)
    for name in ("control", "changed"):
        live(made[name])
    return made


def files(path: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(each.relative_to(path)): (each.read_bytes(), each.stat().st_mtime_ns)
        for each in path.rglob("*")
        if each.is_file()
    }


def test_a_run_is_kept_whole_and_its_own_directory_is_only_read(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    before = files(runs["control"])
    about = keep_run(DISK, runs["control"] / "world", tmp_path)
    assert files(runs["control"]) == before
    assert about == read_run(tmp_path)
    assert (about.first_tick, about.last_tick) == (AT + 1, read_end(tmp_path).tick)
    tape = Tape(tmp_path, about.name)
    # The journal begins in the middle of a segment, and what it has of that is there too.
    assert tape.numbers() == list(range(AT // 250, about.last_tick // 250 + 1))
    assert tape.late_firsts() == {AT // 250: AT + 1}
    tape.close()


def test_a_run_that_has_gone_on_is_kept_anew_from_where_it_ended(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    data = make_fork(runs["original"], tmp_path / "data")
    short = keep_run(DISK, data / "world", tmp_path / "kept_it")
    assert short.last_tick == AT
    live(data)
    longer = keep_run(DISK, data / "world", tmp_path / "kept_it")
    assert longer.last_tick > AT
    tape = Tape(tmp_path / "kept_it", longer.name)
    assert tape.numbers() == list(range(AT // 250, longer.last_tick // 250 + 1))
    tape.close()


@pytest.mark.parametrize(
    ("here", "there", "how", "tick", "labels"),
    [
        ("original", "control", "digest", AT, ("original", "fork")),
        ("control", "changed", "record", AT, ("control", "changed")),
        ("original", "changed", "record", AT, ("original", "changed")),
        ("original", "other", "never", None, ("original", "original")),
    ],
)
def test_where_two_runs_part(
    runs: dict[str, Path], here: str, there: str, how: str, tick: int, labels: tuple[str, str]
) -> None:
    for one, other in ((here, there), (there, here)):
        split = find_split(DISK, runs[one] / "world", runs[other] / "world")
        assert (split.how, split.tick) == (how, tick), split
    about = [describe_run(DISK, runs[name] / "world") for name in (here, there)]
    assert (label_of(*about), label_of(*about[::-1])) == labels


def test_runs_that_are_one_so_far_and_runs_that_parted_before_both_begin(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    copy = shutil.copytree(runs["original"], tmp_path / "copy")
    split = find_split(DISK, runs["original"] / "world", copy / "world")
    assert (split.how, split.tick) == ("same", LAST - 1)
    # A fork of a fork, beside a fork at a later tick: nothing says where they parted.
    second = make_fork(runs["control"], tmp_path / "second", at=500)
    split = find_split(DISK, second / "world", runs["changed"] / "world")
    assert (split.how, split.tick) == ("earlier", None)
    assert "their files do not say" in split.text
    # Beside the fork that it was made of it is known.
    split = find_split(DISK, second / "world", runs["control"] / "world")
    assert split.tick == 500 or split.how == "same"


def kept(*history: str) -> KeptRun:
    return KeptRun(
        name="x", seed=1, first_tick=1, last_tick=9, tip=None, history=["founded", *history]
    )


def test_a_fork_is_read_from_its_record_whatever_a_name_in_it_says() -> None:
    found = fork_of(kept("forked at tick 7, changed: Bo, changed: Ada wants a friend"))
    assert found is not None
    assert (found.tick, found.changed) == (7, "Bo, changed: Ada wants a friend")
    redrawn = fork_of(kept("forked at tick 7, with another draw seed, changed: a storm"))
    assert redrawn is not None
    assert (redrawn.changed, redrawn.is_redrawn) == ("a storm", True)
    assert fork_of(kept()) is None
    assert fork_of(kept("forked at tick later")) is None


async def asked(served: Served, path: str) -> tuple[int, Any]:
    async with served.http.get(served.url(path)) as answer:
        return answer.status, await answer.json()


async def curves(served: Served) -> dict[str, Any]:
    """The curves of both societies, by key, when both tapes have all of their samples."""
    while True:
        found = (await asked(served, "/v1/comparison?here=own&there=beside"))[1]
        if "missing" not in found["society"]["note"]:
            return {curve["key"]: curve for curve in found["society"]["curves"]}
        await asyncio.sleep(0.1)


async def until_whole(served: Served) -> None:
    while True:
        _, state = await asked(served, "/v1/runs/beside")
        if state.get("whole"):
            return
        assert state["state"] != "refused", state
        await asyncio.sleep(0.1)


def test_a_page_gets_the_other_run_by_the_same_answers(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    data = shutil.copytree(runs["original"], tmp_path / "data")
    before = files(runs["changed"])

    async def play() -> None:
        async with serving(
            data, tape=True, make_world=new_city_world, beside=runs["changed"]
        ) as served:
            _, listed = await asked(served, "/v1/runs")
            assert [each["id"] for each in listed["runs"]] == ["beside"]
            await until_whole(served)
            tape = (await asked(served, "/v1/runs/beside/tape"))[1]
            assert tape["playable"] == [[AT + 1, tape["tick"]]]
            assert tape["missing"][0]["last"] == AT
            for path in ("society", "bootstrap", f"marks?from=1&to={tape['tick']}&bins=4"):
                assert (await asked(served, f"/v1/runs/beside/{path}"))[0] == 200
            for path in (f"tape/{AT // 250}", f"ground?tick={AT + 5}&cx=0&cz=0&r=1"):
                async with served.http.get(served.url(f"/v1/runs/beside/{path}")) as answer:
                    assert answer.status == 200
            for name in ("nobody", "own", "what-if-1-control", "..", "%2e%2e"):
                assert (await asked(served, f"/v1/runs/{name}"))[0] == 404
            found = (await asked(served, "/v1/comparison?here=own&there=beside"))[1]
            while not found["whole"]:
                await asyncio.sleep(0.1)
                found = (await asked(served, "/v1/comparison?here=own&there=beside"))[1]
            assert found["split"]["tick"] == AT
            assert [found[side]["label"] for side in ("here", "there")] == ["original", "changed"]
            assert found["there"]["changed"] == "a storm for 900 ticks"
            assert found["differences"]
            assert all(each["tick"] > AT for each in found["differences"])
            drawn = await curves(served)
            assert set(drawn) == set(TITLES)
            # This world goes on meanwhile.
            assert [tick for tick, _ in drawn["wealth"]["here"]][:5] == [124, 249, 374, 499, 624]
            assert [tick for tick, _ in drawn["wealth"]["there"]][:3] == [374, 499, 624]
            assert (await asked(served, "/v1/comparison?here=own&there=own"))[0] == 400
            assert (await asked(served, "/v1/comparison?here=own&there=nobody"))[0] == 404

    run(play(), PATIENCE_SECONDS)
    assert files(runs["changed"]) == before


def test_nothing_private_crosses_to_who_may_not_see_it(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    data = shutil.copytree(runs["original"], tmp_path / "data")

    async def play() -> None:
        async with serving(
            data,
            tape=True,
            make_world=new_city_world,
            loopback=Role.NEIGHBOUR,
            beside=runs["control"],
        ) as served:
            await until_whole(served)
            status, refusal = await asked(served, "/v1/runs/beside/tape/2/private")
            assert (status, refusal["error"]) == (403, "closed_book")
            assert (await asked(served, "/v1/runs/beside/society"))[1]["open_book"] is False
            assert set(await curves(served)) == set(TITLES) - PRIVATE
        async with serving(
            data,
            tape=True,
            make_world=new_city_world,
            loopback=Role.ANYONE,
            beside=runs["control"],
        ) as served:
            for path in ("", "/beside", "/beside/tape", "/beside/society"):
                assert (await asked(served, f"/v1/runs{path}"))[0] == 401
            assert (await asked(served, "/v1/comparison?here=own&there=beside"))[0] == 401

    run(play(), PATIENCE_SECONDS)


def test_what_cannot_be_shown_is_refused_in_one_line(
    runs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = runs["original"]
    with pytest.raises(ThorpError, match="the directory that is served itself"):
        check_beside(own, own / ".." / own.name)
    (tmp_path / "link").symlink_to(own)
    with pytest.raises(ThorpError, match="the directory that is served itself"):
        check_beside(own, tmp_path / "link")
    with pytest.raises(IllegalError, match="there is no world here"):
        check_beside(own, tmp_path / "nothing")
    check_beside(own, runs["control"])
    monkeypatch.setattr(record, "RULES", record.RULES + 1)
    with pytest.raises(IllegalError, match=r"which thorp 0\.1\.0 can replay"):
        check_beside(own, runs["control"])


def test_a_damaged_run_is_refused_and_the_own_world_goes_on(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    data = shutil.copytree(runs["original"], tmp_path / "data")
    broken = shutil.copytree(runs["control"], tmp_path / "broken")
    for snapshot in (broken / "world").glob("snapshot-*"):
        snapshot.write_bytes(b"not a snapshot")

    async def play() -> None:
        async with serving(data, tape=True, make_world=new_city_world, beside=broken) as served:
            while (state := (await asked(served, "/v1/runs/beside"))[1])["state"] == "making":
                await asyncio.sleep(0.1)
            assert state["state"] == "refused"
            assert "\n" not in state["why"]
            assert (await asked(served, "/v1/runs/beside/tape"))[0] == 503
            assert (await asked(served, "/admin/v1/observer/tape"))[0] == 200

    run(play(), PATIENCE_SECONDS)


def test_where_tapes_without_journals_first_differ(runs: dict[str, Path], tmp_path: Path) -> None:
    """As two matches are compared: by what is to be seen."""
    tapes = []
    for name in ("control", "changed"):
        about = keep_run(DISK, runs[name] / "world", tmp_path / name)
        tapes.append(Tape(tmp_path / name, about.name))
    packed = [tape.segment(AT // 250) for tape in tapes]
    assert packed[0] is not None
    assert packed[1] is not None
    assert first_difference(packed[0], packed[0]) is None
    assert first_difference(packed[0], packed[1]) == AT + 1  # the storm is to be seen at once
    for tape in tapes:
        tape.close()


def test_a_gap_in_a_tape_is_said_and_what_is_behind_it_is_not_compared(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    data = shutil.copytree(runs["original"], tmp_path / "data")

    async def play() -> None:
        async with serving(
            data, tape=True, make_world=new_city_world, beside=runs["control"]
        ) as served:
            await until_whole(served)
            (kept_run,) = (data / FOLDER).iterdir()
            with closing(sqlite3.connect(kept_run / "tape" / "tape.db")) as tape, tape:
                tape.execute("DELETE FROM body WHERE n = 1")
            while True:
                found = (await asked(served, "/v1/comparison?here=own&there=beside"))[1]
                if "on the tape there" in found["note"]:
                    break
                await asyncio.sleep(0.1)
            assert found["note"] == "ticks 250 to 499 are not on the tape there"
            assert (found["upto"], found["whole"]) == (AT, False)

    run(play(), PATIENCE_SECONDS)
