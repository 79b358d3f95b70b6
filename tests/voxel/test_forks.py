"""Forks that draw from another seed: the same land and state, other weather and events."""

from __future__ import annotations

from pathlib import Path

import pytest

from thorp.kernel.errors import ConflictError, InvalidError
from thorp.store import RealDisk
from thorp.voxel import Join, Tuning, World, WorldService, fork, replay, verify
from thorp.voxel.persistence.directory import Segment, summarize

DISK = RealDisk()
TUNING = Tuning(day_ticks=60, director_every_ticks=20)
OTHER = 99
LAST = 400


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kept") / "world"
    with WorldService.open(DISK, path, seed=5, draw_seed=6, tuning=TUNING) as service:
        service.tick([Join("Ann", "0" * 64)])
        live(service, 30)
    return path


def live(service: WorldService, to_tick: int) -> list[str]:
    weather = []
    while service.world.tick < to_tick:
        service.tick([]).result()
        weather.append(service.world.weather)
    return weather


def ores(world: World) -> bytes:
    """The cells of a chunk that nobody has seen."""
    cells = [(x, y, 160) for x in range(160, 176) for y in range(1, 20)]
    return bytes(world.ground.block(*cell) for cell in cells)


def test_a_fork_with_another_draw_seed_has_other_weather_on_the_same_land(
    kept: Path, tmp_path: Path
) -> None:
    plain = fork(DISK, kept, 20, tmp_path / "plain")
    other = fork(DISK, kept, 20, tmp_path / "other", draw_seed=OTHER)
    assert plain.tick == other.tick == 20
    assert plain.digest != other.digest  # the seed of the draws is part of the state
    weathers = []
    for name in ("plain", "other"):
        with WorldService.open(DISK, tmp_path / name) as service:
            land = ores(service.world)
            weathers.append(live(service, LAST))
            assert land == ores(replay(DISK, kept, 20))
            assert service.world.agents[1].name == "Ann"
    assert weathers[0] != weathers[1]


def test_the_draw_seed_of_a_fork_is_said_and_verified(kept: Path, tmp_path: Path) -> None:
    fork(DISK, kept, 20, tmp_path / "other", draw_seed=OTHER)
    with WorldService.open(DISK, tmp_path / "other") as service:
        digests = [service.digest()]
        live(service, 70)
        digests.append(service.digest())
    verdict = verify(DISK, tmp_path / "other")
    assert verdict.ok
    assert verdict.epochs[-1].reason == "forked at tick 20, with another draw seed"
    assert verdict.epochs[-1].draw_seed == OTHER
    assert summarize(DISK, tmp_path / "other").epochs[-1].draw_seed == OTHER
    assert replay(DISK, tmp_path / "other", 70).digest() == digests[1]
    fork(DISK, tmp_path / "other", 50, tmp_path / "again")  # a fork of it goes on with its draws
    with WorldService.open(DISK, tmp_path / "again", draw_seed=OTHER) as service:
        live(service, 70)
        assert service.digest() == digests[1]
    assert verify(DISK, tmp_path / "again").epochs[-1].draw_seed == OTHER


def test_a_fork_at_tick_0_is_verified_with_its_draws(kept: Path, tmp_path: Path) -> None:
    fork(DISK, kept, 0, tmp_path / "other", draw_seed=OTHER)
    with WorldService.open(DISK, tmp_path / "other") as service:
        live(service, 40)
    assert verify(DISK, tmp_path / "other").ok


def test_a_plain_fork_says_nothing_of_draws(kept: Path, tmp_path: Path) -> None:
    fork(DISK, kept, 20, tmp_path / "plain")
    journal = next((tmp_path / "plain").glob("journal-*.jsonl"))
    assert b"redraw" not in journal.read_bytes()
    assert b"draw_seed" not in Segment(DISK, journal).header.epoch.reason.encode()
    assert verify(DISK, tmp_path / "plain").epochs[-1].reason == "forked at tick 20"


def test_a_draw_seed_that_is_its_own_or_too_large_makes_nothing(kept: Path, tmp_path: Path) -> None:
    for seed, why in ((6, "own draw seed"), (2**60, "must be in")):
        with pytest.raises(InvalidError, match=why):
            fork(DISK, kept, 20, tmp_path / "fork", draw_seed=seed)
        assert not (tmp_path / "fork").exists()


def test_the_first_draw_seed_is_refused_where_another_is_drawn_from(
    kept: Path, tmp_path: Path
) -> None:
    fork(DISK, kept, 20, tmp_path / "other", draw_seed=OTHER)
    with pytest.raises(ConflictError, match="is another one"):
        WorldService.open(DISK, tmp_path / "other", draw_seed=6)
