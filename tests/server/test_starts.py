"""`thorp up` with every start option, again and again: after SIGTERM, after kill -9, and
refused."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cli.command import run as run_command
from tests.postgres import Cluster, cluster_or_skip
from tests.server.test_up import SHORT_DAYS, TUNING, Running, fails, make_world, up
from thorp.bridges.voxel_town import new_city_world
from thorp.cli.up import ClockOptions, LifeOptions, ServerOptions, WorldOptions
from thorp.server.access.tokens import ADMIN_TOKEN
from thorp.server.settings import WORLD
from thorp.store.url import MARK
from thorp.story import StoryConfig, open_ledger
from thorp.voxel.tuning import Tuning


class Start(NamedTuple):
    """Options that one server is started with, three times."""

    options: tuple[str, ...]
    values: str = TUNING
    new_each_time: bool = False
    """Whether each start begins a new world."""


# A village is founded, or bots come, on a busy machine.
PATIENCE_SECONDS = 180
DATABASE = "the URL of a database"
TINY = "the file of a model"
OTHER = "another data directory"
OURSELVES = str(os.getpid())
# Grouped so that options which touch the same files are together, and each is in one row at least.
STARTS = {
    "a world": Start(
        (
            "--seed",
            "7",
            "--draw-seed",
            "9",
            "--retain-days",
            "1",
            "--clock",
            "real",
            "--no-open-book",
        )
    ),
    "an address": Start(
        ("--host", "127.0.0.1", "--max-viewers", "3", "--no-chronicle", "--end-with", OURSELVES)
    ),
    "an epoch": Start(
        ("--seasons", "--retune", "--accept-loss", "--clock", "max", "--require-token")
    ),
    "a crowd": Start(
        (
            "--clock",
            "lockstep",
            "--move-deadline",
            "1",
            "--senders",
            "1",
            "--bots",
            "2",
            "--trust-loopback",
        )
    ),
    "a fresh world": Start(("--fresh", "--writer", "offline"), new_each_time=True),
    "a world beside another": Start(("--beside", OTHER)),
    "a published world": Start(("--log", "--chronicle")),
    "a village": Start(("--village", "--open-book"), values=SHORT_DAYS),
    "a village with minds": Start(
        ("--village", "--minds", "1", "--mind-model", TINY), values=SHORT_DAYS
    ),
    "a database": Start(("--database", DATABASE)),
    "a village in a database": Start(("--village", "--database", DATABASE), values=SHORT_DAYS),
    "a fresh village in a database": Start(
        ("--village", "--fresh", "--database", DATABASE), values=SHORT_DAYS, new_each_time=True
    ),
}
ROWS = [
    pytest.param(name, marks=pytest.mark.real("mind")) if TINY in start.options else name
    for name, start in STARTS.items()
]
# What `up` gives to every row.
ALWAYS = {"--data", "--port", "--tuning"}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with cluster_or_skip() as running:
        yield running


def test_the_table_has_every_option() -> None:
    names: set[str] = set()
    for group in (WorldOptions, ClockOptions, LifeOptions, ServerOptions):
        names |= {f"--{name.replace('_', '-')}" for name in group._fields}
    tried = {
        option for start in STARTS.values() for option in start.options if option.startswith("--")
    }
    either = {f"--no-{name}" for name in ("chronicle", "open-book")}
    assert tried | ALWAYS == names | either


@pytest.mark.real("postgresql")
@pytest.mark.parametrize("name", ROWS)
def test_it_starts_again_after_a_stop_and_after_a_kill(
    name: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    start = STARTS[name]
    data = tmp_path / "data"
    options = list(start.options)
    if DATABASE in options:
        cluster: Cluster = request.getfixturevalue("cluster")
        options[options.index(DATABASE)] = cluster.make_schema()
    if TINY in options:
        options[options.index(TINY)] = str(request.getfixturevalue("tiny"))
    if OTHER in options:
        make_world(tmp_path / "other", make_world=new_city_world)
        options[options.index(OTHER)] = str(tmp_path / "other")
    if "--log" in options:
        made = run_command(
            "thorp", "log", "init", "--origin", "village.example", "--data", str(data)
        )
        assert made.returncode == 0, made
    begun = "a new world" if start.new_each_time else "goes on after tick [1-9]"
    for number, line in (
        (signal.SIGTERM, "a new world"),
        (signal.SIGKILL, begun),
        (signal.SIGTERM, begun),
    ):
        with up(data, *options, values=start.values) as running:
            running.line(line)
            running.until_ready(PATIENCE_SECONDS)
            live_some_ticks(running)
            code, _ = running.end(number)
            assert code == (0 if number == signal.SIGTERM else -number), (
                running.process.communicate()
            )
    worlds = sorted(path.name for path in data.glob("world*"))
    assert worlds == (
        ["world", "world.before-1", "world.before-2"] if start.new_each_time else ["world"]
    )


def live_some_ticks(running: Running) -> None:
    """Wait until something is in the journal that the next start has to go on from."""

    def tick() -> int:
        return int(json.loads(running.get("/admin/v1/state"))["tick"])

    begun = tick()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while tick() < begun + 3:
        assert time.monotonic() < deadline, "the world does not tick"
        time.sleep(0.05)


# Refused before anything is printed.


def refused_start(data: Path, *options: str) -> str:
    """The one line with which a start is refused; nothing was said before it, and nobody was let
    in."""
    done = run_command("thorp", "up", "--data", str(data), "--port", "0", *options)
    assert (done.returncode, done.stdout) == (2, b""), done
    lines = done.stderr.decode().strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert not (data / ADMIN_TOKEN).exists()
    return lines[0]


def test_a_wrong_seed_or_tuning_is_refused_before_anything_is_printed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    make_world(data, seed=77, draw_seed=5)
    tuning = tmp_path / "tuning.yaml"
    tuning.write_text("day_ticks: 3000\n")
    before = {path.name: path.read_bytes() for path in (data / WORLD).iterdir()}
    assert "77" in refused_start(data, "--seed", "78")
    assert "draw seed" in refused_start(data, "--draw-seed", "6")
    assert "--retune" in refused_start(data, "--tuning", str(tuning))
    assert "another tuning (seasons)" in refused_start(data, "--seasons")
    (data / MARK).write_text("")
    assert "--database" in refused_start(data)
    assert {path.name: path.read_bytes() for path in (data / WORLD).iterdir()} == before


def test_a_directory_in_use_is_refused_before_anything_is_printed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with up(data) as running:
        running.until_ready()
        for options in ((), ("--fresh",), ("--seed", "78")):
            done = run_command("thorp", "up", "--data", str(data), "--port", "0", *options)
            assert (done.returncode, done.stdout) == (2, b""), done
            assert b"another process holds it" in done.stderr
        leader = f"http://127.0.0.1:{running.port}"
        token = str(data / ADMIN_TOKEN)
        followed = run_command(
            "thorp", "follow", leader, "--data", str(data), "--token-file", token
        )
        assert (followed.returncode, followed.stdout) == (2, b""), followed
        assert b"another process holds it" in followed.stderr
        assert running.get("/healthz") == "ok"


def test_what_cannot_be_shown_beside_is_refused_before_anything_is_printed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    make_world(data, make_world=new_city_world)
    assert "the directory that is served itself" in refused_start(data, "--beside", str(data))
    nothing = tmp_path / "nothing"
    assert "there is no world here" in refused_start(data, "--beside", str(nothing))
    assert not nothing.exists()
    file = tmp_path / "file"
    file.write_text("not a directory")
    assert str(file) in refused_start(data, "--beside", str(file))


STORY_OPTIONS = {
    "asked for": ("--chronicle",),
    "asked for with a village": ("--chronicle", "--village"),
    "asked for anew": ("--chronicle", "--fresh"),
}


@pytest.mark.parametrize("options", STORY_OPTIONS.values(), ids=STORY_OPTIONS)
def test_a_chronicle_that_the_story_does_not_allow_is_refused_before_anything_is_printed(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    data = tmp_path / "data"
    make_world(data)
    open_ledger(data, StoryConfig()).close()
    assert "founded without a chronicle" in refused_start(data, *options)
    assert not list(data.glob("world.before-*"))


@pytest.mark.real("postgresql")
def test_so_is_one_that_a_story_in_postgresql_does_not_allow(
    tmp_path: Path, postgres: Cluster
) -> None:
    url = postgres.make_schema()
    open_ledger(url, StoryConfig()).close()
    told = refused_start(tmp_path / "data", "--database", url, "--chronicle")
    assert "founded without a chronicle" in told


def test_a_fresh_start_that_is_refused_moves_nothing(tmp_path: Path) -> None:
    data = tmp_path / "data"
    make_world(data)
    assert "must be escaped" in refused_start(data, "--fresh", "--database", "postgresql://a@b@c/d")
    with up(tmp_path / "other") as running:
        taken = fails("up", "--data", str(data), "--fresh", "--port", str(running.port))
    assert "is in use" in taken
    assert not list(data.glob("world.before-*"))


def test_a_damaged_world_can_be_moved_aside_by_a_fresh_start(tmp_path: Path) -> None:
    data = tmp_path / "data"
    make_world(data, tuning=Tuning(tick_rate_hz=50))
    (journal,) = (data / WORLD).glob("journal-*.jsonl")
    journal.write_bytes(b"not a journal\n")
    assert journal.name in refused_start(data)
    with up(data, "--fresh") as running:
        running.until_ready()
    assert (data / "world.before-1" / journal.name).read_bytes() == b"not a journal\n"
