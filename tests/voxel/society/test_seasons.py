"""The end of a season: what goes, what stays, and what is kept of it."""

from __future__ import annotations

import hashlib
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.cli.command import THORP
from tests.voxel.flat import STAND
from tests.voxel.flat import events as events_of
from tests.voxel.society.civic import a_land, a_law, a_society, an_org, ask, newcomer, wait
from tests.voxel.society.eventful import hold, obs
from tests.voxel.society.test_village import fetched
from tests.voxel.test_snapshot import assert_same, epoch_of
from tests.voxel.working import put
from thorp.bridges.voxel_town import new_city_world as create_world_with_towns
from thorp.kernel.errors import ConflictError, IllegalError
from thorp.protocol import actions
from thorp.simulator.flat_world import create_flat_world
from thorp.simulator.inline import open_flat
from thorp.store import DiskError, RealDisk
from thorp.store.testing import BreakableDisk
from thorp.voxel import backup, verify
from thorp.voxel.inputs import AnyInput, Join
from thorp.voxel.new_world import create_world
from thorp.voxel.persistence.snapshot import encode_state, pack, read_header, restore
from thorp.voxel.state.world import TABLES, World
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning

DAY = 30
LENGTH = 4 * DAY
SHORT: dict[str, Any] = {"day_ticks": DAY, "season_length_ticks": LENGTH, "seasons": True}
TOKEN = hashlib.sha256(b"token").hexdigest()


def a_year(**tuning: Any) -> World:
    return a_society(**{**SHORT, **tuning})


def to_the_end(world: World) -> None:
    """Go to the last tick of the season."""
    wait(world, LENGTH - 1 - world.tick)


def test_without_seasons_nothing_ends() -> None:
    world = a_year(seasons=False)
    agent = newcomer(world, PLANK=3)
    claim = a_land(world, agent, 2, 2)
    wait(world, LENGTH)
    assert (world.season, world.seed) == (1, 7)
    assert claim.id in world.claims
    assert events_of(agent, "SEASON_ROLLOVER") == []


def test_a_world_without_seasons_is_usual() -> None:
    assert Tuning().seasons is False


def test_the_land_and_all_that_is_on_it_goes() -> None:
    world = a_year()
    agent, other = newcomer(world, PLANK=99, IRON_INGOT=9, COAL=9), newcomer(world, 1, COAL=5)
    claim = a_land(world, agent, 2, 2)
    a_law(world, agent, claim, "MARKET_TAX", market_tax=0.1)
    for kind, x in (("CHEST", 2), ("SIGN", 3), ("CONVEYOR", 4), ("SWITCH", 5), ("SENSOR", 6)):
        put(world, (x, STAND, 5), kind)
    put(world, (7, STAND, 5), "SAPLING")
    put(world, (2, STAND, 0), "CONTRACT_TERMINAL")
    board = "BULLETIN_BOARD@2,23,1"
    put(world, (2, STAND, 1), "BULLETIN_BOARD")
    world.containers[2, STAND, 5].stock = {"COAL": 4}
    ask(world, agent, actions.PostBoard(board_id=board, title="t", body="b"))
    ask(world, agent, actions.BuildBlueprint(blueprint_id="road_segment", anchor=(-3, STAND, 3)))
    wait(world, 5)
    to_the_end(world)
    ask(world, other, actions.OfferTrade(to=agent.id, offer=[("COAL", 1)], request=[("PLANK", 1)]))
    assert (world.tick, world.season) == (LENGTH, 2), "this was asked for in the new season"
    assert [name for name in TABLES if len(getattr(world, name))] == ["agents", "trades"]
    assert world.ground.changed == []
    assert world.seed == 8
    assert world.director.buckets == []


def test_everything_was_there_before() -> None:
    """So that the test above is about something."""
    world = a_year()
    agent = newcomer(world, PLANK=99)
    a_land(world, agent, 2, 2)
    to_the_end(world)
    assert len(world.claims) == 1
    assert world.ground.changed


def test_people_stay_who_they_are() -> None:
    world = a_year(starter_items={"PLANK": 20})
    agent, other = newcomer(world, 9, 9, CRYSTAL_SHARD=5), newcomer(world, 1)
    org = an_org(world, agent, other)
    agent.give("COAL", 3)
    ask(world, agent, actions.OrgDeposit(org_id=org.id, item_id="COAL", count=3))
    ask(world, agent, actions.SaveMemory(key="plan", value="rebuild"))
    agent.reputation["trade"], agent.hp, agent.hunger, agent.stamina = 777, 3, 2, 10
    agent.token = b"secret"
    agent.fun = dict.fromkeys(("novelty",), 5)
    agent.seen_events = ["MARKET_WEEK"]
    agent.changed()
    to_the_end(world)
    assert org.treasury == {"COAL": 3}
    ask(world, agent, actions.MoveTo(target=(50, STAND, 50)))
    assert (world.orgs[org.id].members, world.orgs[org.id].treasury) == (
        {"A1": "LEADER", "A2": "MEMBER"},
        {},
    )
    assert (agent.id, agent.name, agent.org, agent.token) == ("A1", "test1", org.id, b"secret")
    assert agent.memory["plan"].value == "rebuild"
    assert agent.reputation["trade"] == 777
    assert agent.inventory == {"PLANK": 20}
    assert (agent.hp, agent.hunger) == (20, 20)
    assert agent.fun["novelty"] == 10, "the first biome of the new season"
    assert agent.seen_events == []
    assert agent.home == (0, 0)
    assert other.home != agent.home
    assert agent.fun_windows == {}


def test_everyone_is_told() -> None:
    world = a_year()
    agents = [newcomer(world), newcomer(world, 3)]
    wait(world, LENGTH)
    for agent in agents:
        (told,) = events_of(agent, "SEASON_ROLLOVER")
        assert told == {
            "t": LENGTH,
            "type": "SEASON_ROLLOVER",
            "season": 2,
            "archive_tick": LENGTH - 1,
            "seed": 8,
        }


def test_an_event_ends_with_its_season() -> None:
    world = a_year()
    newcomer(world)
    hold(world, "COLD_SNAP")
    wait(world, LENGTH)
    assert world.director.event is None
    assert world.weather == "CLEAR"
    assert world.director.last_event == ""


def test_the_first_week_is_that_of_the_world() -> None:
    world = a_year(world_events=True)
    newcomer(world)
    wait(world, LENGTH)
    assert (world.season, world.director.next_day) == (2, 5)
    assert world.director.last_event == "RUINS_GATE"


def test_rows_and_indexes_agree_in_the_new_season() -> None:
    world = a_year()
    agent = newcomer(world, PLANK=9)
    a_land(world, agent, 2, 2)
    wait(world, LENGTH)
    epoch = msgspec.structs.replace(epoch_of(world), seed=7)
    assert_same(world, restore(pack(encode_state(world, epoch)), create_flat_world))
    a_land(world, agent, 3, 3)
    assert len(world.claims) == 1


def test_views_are_made_anew_even_where_nobody_moved() -> None:
    world = create_world(5, tuning=Tuning(**SHORT, world_events=False))
    step(world, [Join("still", TOKEN)])
    agent = world.agents[1]
    before = obs(world, agent)["voxels"]["data"]
    wait(world, LENGTH - 1)
    world.relocate(agent, (0, agent.y, 0))
    assert obs(world, agent)["voxels"]["data"] != before


def test_each_season_has_land_of_its_own() -> None:
    world = create_world(5, tuning=Tuning(**SHORT, world_events=False))
    first = world.ground.look(0, 0)
    again = create_world(5).ground.terrain
    second = again.of_season(2)
    assert again.of_season(1).chunk(0, 0) == first
    assert second.chunk(0, 0) != first
    assert second.of_season(1).chunk(0, 0) == first
    assert second.of_season(3).chunk(3, 3) == again.of_season(3).chunk(3, 3)
    neighbour = create_world(6, world.draw_seed).ground.terrain
    assert neighbour.chunk(0, 0) != second.chunk(0, 0), "ores are drawn anew"
    assert [neighbour.biome(x, 9) for x in range(500)] == [second.biome(x, 9) for x in range(500)]
    wait(world, LENGTH)
    assert world.ground.look(0, 0) == second.chunk(0, 0)


# With a service


def live(service: Any, ticks: int) -> None:
    for _ in range(ticks):
        inputs: list[AnyInput] = [Join("settler", TOKEN)] if service.world.tick == 0 else []
        service.tick(inputs).result()


def test_the_last_state_is_kept_and_the_world_goes_on_after_a_restart(tmp_path: Path) -> None:
    disk, path = RealDisk(), tmp_path / "world"
    with open_flat(disk, path, seed=7, draw_seed=8, tuning=Tuning(**SHORT)) as service:
        live(service, LENGTH - 1)
        last = service.digest()
        live(service, 11)
        assert service.world.season == 2
        digest = service.digest()
    archive = (path / "season-0001.zst").read_bytes()
    header = read_header(archive)
    assert (header.tick, header.digest) == (LENGTH - 1, last)
    old = restore(archive, create_flat_world)
    assert (old.season, old.seed, old.digest()) == (1, 7, last)
    with open_flat(disk, path, seed=7) as service:
        assert (service.world.season, service.world.seed, service.digest()) == (2, 8, digest)
    assert verify(disk, path, make_world=create_flat_world).ok
    into = tmp_path / "copy"
    assert "season-0001.zst" in backup(disk, path, into).files
    assert (into / "season-0001.zst").read_bytes() == archive


def test_verify_holds_the_kept_state_of_a_season_against_the_journal(tmp_path: Path) -> None:
    disk, path = RealDisk(), tmp_path / "world"
    with open_flat(disk, path, seed=7, draw_seed=8, tuning=Tuning(**SHORT)) as service:
        live(service, LENGTH - 2)
        service.snapshot().result()
        live(service, 5)
    archive = path / "season-0001.zst"
    (other,) = [file for file in path.glob("snapshot-*") if f"{LENGTH - 2}" in file.name]
    for content in (None, b"nothing of the kind", other.read_bytes()):
        archive.unlink()
        if content is not None:
            archive.write_bytes(content)
        verdict = verify(disk, path, make_world=create_flat_world)
        assert not verdict.ok
        assert "season-0001.zst" in verdict.problems[0]
        archive.touch()


def test_recovery_from_a_crash_in_the_second_season(tmp_path: Path) -> None:
    disk, path = RealDisk(), tmp_path / "world"
    tuning = Tuning(**SHORT, snapshot_every_ticks=50)
    service = open_flat(disk, path, seed=7, draw_seed=8, tuning=tuning)
    live(service, LENGTH + 3)
    digest = service.digest()
    service.close(snapshot=False)
    with open_flat(disk, path) as again:
        assert (again.world.tick, again.world.season, again.digest()) == (LENGTH + 3, 2, digest)
        live(again, 20)
    assert verify(disk, path, make_world=create_flat_world).ok


def test_a_season_does_not_end_before_it_is_kept() -> None:
    disk = BreakableDisk(3)
    path = disk.root / "world"
    service = open_flat(disk, path, seed=7, draw_seed=8, tuning=Tuning(**SHORT))
    live(service, LENGTH - 1)
    digest = service.digest()
    disk.fail_in(1)
    with pytest.raises(DiskError):
        service.tick([]).result()
    with pytest.raises(IllegalError, match="after a failure"):
        service.tick([])
    service.close(snapshot=False)
    with open_flat(disk, path) as again:
        assert (again.world.tick, again.world.season, again.digest()) == (LENGTH - 1, 1, digest)
        live(again, 1)
        assert again.world.season == 2
    assert disk.exists(path / "season-0001.zst")


def test_seasons_are_asked_for_when_a_world_is_founded(tmp_path: Path) -> None:
    disk = RealDisk()
    with open_flat(disk, tmp_path / "with", seasons=True) as service:
        assert service.world.tuning.seasons
    with open_flat(disk, tmp_path / "with") as service:
        assert service.world.tuning.seasons
    with open_flat(disk, tmp_path / "without", tuning=Tuning(place_reach=5)) as service:
        assert not service.world.tuning.seasons
    with pytest.raises(ConflictError, match="seasons"):
        open_flat(disk, tmp_path / "without", seasons=True)
    with open_flat(disk, tmp_path / "without", seasons=True, retune=True) as service:
        assert (service.world.tuning.seasons, service.world.tuning.place_reach) == (True, 5)


@pytest.mark.parametrize("asked", [False, True])
def test_thorp_up_has_seasons_only_if_asked(tmp_path: Path, asked: bool) -> None:
    """A day of 24 ticks and a season of one day: after 60 ticks the third has begun, or still the
    first."""
    tuning, data = tmp_path / "short.yaml", tmp_path / "data"
    tuning.write_text("day_ticks: 24\nseason_length_ticks: 24\ntick_rate_hz: 100\n", "utf-8")
    arguments = ["up", "--port", "0", "--data", str(data), "--tuning", str(tuning), "--seed", "5"]
    options = ["--seasons"] if asked else []
    server = subprocess.Popen([str(THORP), *arguments, *options], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        url = server.stdout.readline().split()[-1]
        deadline = time.monotonic() + 30
        while (fetched(f"{url}admin/v1/state", data) or {"tick": 0})["tick"] < 60:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 0
    finally:
        server.kill()
        server.communicate()
    archives = sorted(file.name for file in (data / "world").glob("season-*"))
    assert archives[:2] == (["season-0001.zst", "season-0002.zst"] if asked else [])
    assert verify(RealDisk(), data / "world", make_world=create_world_with_towns).ok
