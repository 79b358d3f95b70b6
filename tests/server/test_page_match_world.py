"""A match of the voxel world is watched in the page's 3D view, played again from its log alone; one
of Connect Four shows the four that won."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.server.browser import browsing
from tests.server.serving import Served, run, serving
from tests.server.test_matches import asked, thorp
from tests.server.test_page import PATIENCE_SECONDS, chromium
from tests.server.test_page_stranger import SEEN, TEXT
from tests.server.test_page_time import AT
from thorp.observer import match_world
from thorp.observer.match_world import read_about, read_end, record
from thorp.observer.tape import Tape
from thorp.server.http.match_worlds import FOLDER

TICKS = 600
WALK = "voxel-survival-42"
FOURS = "connect-four-42"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a match of each kind."""
    data = tmp_path_factory.mktemp("matches")
    walk = ("voxel-survival", "--agent", "random", "--set", f"ticks={TICKS}")
    thorp("match", "run", *walk, "--data", data)
    thorp("match", "run", "connect-four", "--agent", "greedy", "--agent", "random", "--data", data)
    return data


def log_of(data: Path, name: str = WALK) -> Path:
    return data / "matches" / f"{name}.jsonl"


def test_a_match_played_again_has_a_tape_of_every_tick(played: Path, tmp_path: Path) -> None:
    about = record(log_of(played), tmp_path)
    assert about == read_about(tmp_path)
    assert about.last_tick >= TICKS
    assert read_end(tmp_path).tick == about.last_tick
    tape = Tape(tmp_path, about.name)
    assert tape.numbers() == list(range(about.last_tick // 250 + 1))
    tape.close()


def test_of_a_long_match_the_beginning_is_recorded(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_world, "MAX_TICKS", 300)
    assert record(log_of(played), tmp_path).last_tick == 300


async def until_made(served: Served, name: str) -> Any:
    while True:
        state = await asked(served, f"/v1/matches/{name}/world")
        if state["state"] != "making":
            return state
        await asyncio.sleep(0.1)


def test_the_world_of_a_match_is_made_once_and_made_again_when_its_log_changes(
    played: Path, tmp_path: Path
) -> None:
    data = shutil.copytree(played / "matches", tmp_path / "data" / "matches").parent

    async def play() -> None:
        async with serving(data) as served:
            path = f"/v1/matches/{WALK}/world"
            assert (await asked(served, f"{path}/tape"))[0] == 503
            assert (await until_made(served, WALK))["state"] == "ready"
            tape = await asked(served, f"{path}/tape")
            assert tape["playable"] == [[1, tape["tick"]]]
            ground = served.url(f"{path}/ground?tick=10&cx=0&cz=0&r=1")
            async with served.http.get(ground) as answer:
                assert answer.status == 200
            (directory,) = (data / FOLDER).iterdir()
            log_of(data).touch()
            assert (await asked(served, path))["state"] == "making"
            assert (await until_made(served, WALK))["state"] == "ready"
            assert (await asked(served, f"{path}/tape"))["world"] != tape["world"]
            assert [directory] == list((data / FOLDER).iterdir())

    run(play(), PATIENCE_SECONDS)


def test_what_has_no_world_is_refused_with_a_reason(played: Path) -> None:
    """A board game has none, a log that was changed has none, and neither has what is no match."""
    forged = log_of(played, "forged")
    lines = log_of(played).read_bytes().splitlines(keepends=True)
    forged.write_bytes(b"".join([lines[0], *lines[5:]]))

    async def play() -> None:
        async with serving(played) as served:
            board = await until_made(served, FOURS)
            assert board == {**board, "state": "refused"}
            assert "not played in a voxel world" in board["why"]
            assert (await until_made(served, "forged"))["state"] == "refused"
            assert (await asked(served, "/v1/matches/nobody/world"))[0] == 404

    try:
        run(play(), PATIENCE_SECONDS)
    finally:
        forged.unlink()


@chromium
def test_a_voxel_match_opens_in_the_3d_page_with_the_lane(played: Path, tmp_path: Path) -> None:
    """From its moves into the world and back; also at one move, by its address."""

    async def play() -> None:
        async with serving(played) as served, browsing(tmp_path / "profile", 1200, 760) as page:
            await page.open(served.url(f"/matches/{WALK}"))
            await page.click("#watch-world")
            await page.until(f"location.search.includes('match={WALK}')")
            await page.until(f"{TEXT('#past')}.includes('of the match {WALK}') && {SEEN('#past')}")
            await page.until("document.querySelector('#agents .row')")
            await page.until("Number(document.querySelector('#scene')?.dataset.draws) > 4")
            await page.until(f"{AT} > 5")  # it plays
            await page.key("End")
            await page.until(f"{AT} >= {TICKS} && document.querySelector('#agents .row')")
            await page.click("#back-to-match")
            await page.until(f"location.pathname === '/matches/{WALK}'")
            await page.key("Home")
            await page.until("document.querySelector('#watch-move')")
            tick = await page.get("document.querySelector('#watch-move').href.split('at=')[1]")
            await page.click("#watch-move")
            await page.until(f"{AT} === {tick}")
            assert page.complaints == []

    run(play(), 2 * PATIENCE_SECONDS)


@chromium
def test_who_won_this_match_and_how(played: Path, tmp_path: Path) -> None:
    """The four that won are marked, and columns are numbered as seats say them; on a phone, too."""
    won = "document.querySelectorAll('.board [data-won=true]').length"
    columns = (
        "[...document.querySelectorAll('.board .column')].map((one) => one.textContent).join('')"
    )

    async def play() -> None:
        async with serving(played) as served, browsing(tmp_path / "profile") as page:
            await page.open(served.url(f"/matches/{FOURS}"))
            await page.until(f"{columns} === '0123456'")
            await page.until(f"{won} >= 4")
            await page.until(f"{TEXT('#match')}.includes('beats')")
            await page.until(f"{TEXT('.match-side')}.includes('Played to the end')")
            await page.key("Home")
            await page.until(f"{won} === 0")
            await page.resize(390, 844, phone=True)
            bottom = "document.querySelector('{}').getBoundingClientRect().{}".format
            await page.until(
                f"{bottom('.board', 'bottom')} > 0 && "
                f"{bottom('.board', 'bottom')} <= {bottom('.match footer', 'top')}"
            )
            assert page.complaints == []

    run(play(), PATIENCE_SECONDS)


@chromium
def test_two_matches_are_seen_beside_each_other(played: Path, tmp_path: Path) -> None:
    """Boards at the same move, and worlds at the same tick; each by its link."""
    data = shutil.copytree(played, tmp_path / "data")
    for seed in ("7", "8"):
        thorp("match", "run", "connect-four", "--agent", "greedy", "--agent", "random",
              "--seed", seed, "--data", data)  # fmt: skip
    # The same fixture with another agent: one seed, another life.
    walk = ("voxel-survival", "--agent", "idle", "--set", f"ticks={TICKS}")
    thorp("match", "run", *walk, "--data", tmp_path / "idle")
    for path in (tmp_path / "idle" / "matches").iterdir():
        shutil.copy(path, data / "matches" / path.name.replace(WALK, "other"))

    async def play() -> None:
        async with serving(data) as served, browsing(tmp_path / "profile", 1200, 760) as page:
            await page.open(served.url("/matches/connect-four-7"))
            await page.click("#beside-match")
            await page.until("document.querySelectorAll('.beside-choice').length === 2")
            await page.open(served.url("/matches/connect-four-7?beside=connect-four-8"))
            await page.until("document.querySelector('#two-matches')")
            split = "Number(document.querySelector('#two-matches').dataset.split)"
            await page.until(f"{split} > 0 && {TEXT('#move-shown')} === String({split})")
            assert await page.get("document.querySelectorAll('.two .stage svg').length") >= 2
            await page.until("document.querySelector('.two .differences li')")
            # Both are verified before anything is believed.
            proved = "document.querySelectorAll('.two section .pill[data-mood=good]').length"
            await page.until(f"{proved} === 2")
            await page.click(".two .differences li:last-child button")
            await page.until(f"Number({TEXT('#move-shown')}) > {split}")
            await page.open(served.url("/matches/connect-four-7?beside=nobody"))
            await page.until(f"{TEXT('#trouble')}.includes('no such match')")
            await page.open(served.url(f"/matches/{WALK}?beside=other"))
            await page.until(
                "document.querySelector('#watch-both')?.search.includes('match:other')"
            )
            # In the world of a match, the other one is its second side.
            await page.open(served.url(f"/?match={WALK}&beside=match:other&at=400"))
            await page.until("document.querySelector('#beside')?.dataset.ready === 'true'")
            await page.until("document.querySelector('#differences')?.dataset.split")
            names = "[...document.querySelectorAll('.side-name strong')].map((e) => e.textContent)"
            assert await page.get(f"{names}.join()") == f"{WALK},other"
            verified = "[...document.querySelectorAll('.side-name .verified')]"
            assert await page.get(f"{verified}.map((e) => e.textContent)") == ["verified"] * 2
            # A log that was changed by hand says so in its label; the other is verified all the same.
            log = data / "matches" / "connect-four-8.jsonl"
            text = log.read_text()
            log.write_text(text.replace('"action":{"column":5}', '"action":{"column":2}', 1))
            await page.open(served.url("/matches/connect-four-7?beside=connect-four-8"))
            await page.until(f"{proved} === 1")
            there = "document.querySelector('.two section[data-side=there] h2').textContent"
            await page.until(
                f"{there}.includes('differs in line') || {there}.includes('verified:')"
            )
            assert page.complaints == []

    run(play(), 2 * PATIENCE_SECONDS)
