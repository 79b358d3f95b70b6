"""The demo village: what must exist after its two days, whoever runs it and however often it is stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.cli.command import THORP, thorp
from thorp.bridges import village
from thorp.bridges.village import Notebook, Villager, notebook, plan
from thorp.bridges.village.council import CityCouncil
from thorp.bridges.village.crafting import missing
from thorp.bridges.village.headless import bodies
from thorp.bridges.village.life import take_over
from thorp.bridges.village.sight import Sight
from thorp.bridges.village.villager import NOTEBOOK, Script
from thorp.bridges.voxel_town import found, sealed
from thorp.protocol.obs import Voxels, cell_index
from thorp.server.admin_token import read_admin_token
from thorp.town import validate_snapshot
from thorp.voxel.load import default_catalogs
from thorp.voxel.observation import cubes
from thorp.voxel.state.world import World
from thorp.voxel.systems import blueprints
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning

SEED = 1337
TWO_DAYS = 12_000
TOKENS = {name: f"token of {name}" for name in village.ROSTER}


class Lived:
    """A world in which the village has lived, and what was told of it."""

    def __init__(self, ticks: int, seed: int = SEED) -> None:
        self.world: World = found(seed)
        self.told: Counter[str] = Counter()
        self.events: list[str] = []
        self.governed: list[tuple[str, str]] = []
        self.live(ticks)

    def live(self, to_tick: int) -> None:
        village.run(self.world, self._tick, TOKENS, to_tick=to_tick)

    def _tick(self, inputs: Any) -> None:
        step(self.world, inputs)
        for happening in self.world.scratch.public_events:
            self.told[str(happening["kind"])] += 1
            if happening["kind"] == "WORLD_EVENT" and happening["on"]:
                self.events.append(str(happening["event_id"]))
            if happening["kind"] == "TOWN_RESULT":
                self.governed.append((str(happening["command"]), str(happening["reason"])))

    def reputation(self, name: str, kind: str) -> int:
        return self.world.agents[bodies(self.world)[name]].reputation[kind]


@pytest.fixture(scope="module")
def two_days() -> Lived:
    return Lived(TWO_DAYS)


def test_everyone_came_and_nobody_starved(two_days: Lived) -> None:
    world = two_days.world
    assert list(bodies(world)) == list(village.ROSTER)
    assert len(world.agents) == 24
    assert all(agent.hp == 20 and agent.hunger > 0 for agent in world.agents)
    assert two_days.told["DOWNED"] == 0


def test_the_city_and_the_guild_have_land_that_is_paid_for(two_days: Lived) -> None:
    world = two_days.world
    city, guild = sorted(world.orgs, key=lambda org: org.kind)
    assert (city.kind, city.name, len(city.members)) == ("CITY", "Thorp", 20)
    assert (guild.kind, len(guild.members)) == ("GUILD", 4)
    owned = {claim.owner: claim for claim in world.claims}
    assert (owned[city.id].radius, owned[city.id].stage) == (plan.CITY_RADIUS, 0)
    assert (owned[guild.id].radius, owned[guild.id].stage) == (plan.GUILD_RADIUS, 0)
    assert city.treasury["IRON_INGOT"] >= 1, "the next day is paid for too"


def test_its_laws_are_in_force_and_taxes_flow(two_days: Lived) -> None:
    world = two_days.world
    assert sorted((law.template_id, law.status) for law in world.laws) == [
        ("FINE_BREAK_PER_BLOCK", "ACTIVE"),
        ("MARKET_TAX", "ACTIVE"),
    ]
    assert all(len(law.votes) >= 15 and set(law.votes.values()) == {"YES"} for law in world.laws)
    (city,) = [org for org in world.orgs if org.kind == "CITY"]
    (land,) = [claim for claim in world.claims if claim.owner == city.id]
    assert land.market_tax == 100_000
    assert land.fine is not None
    assert city.treasury["PLANK"] >= 1, "a tenth of what the merchants swapped"
    assert city.treasury["STONE"] >= 1


def test_its_contracts_are_fulfilled(two_days: Lived) -> None:
    assert {one.state for one in two_days.world.contracts} <= {"OPEN", "ACCEPTED", "COMPLETED"}, (
        "none has failed"
    )
    done = Counter(
        (contract.kind, contract.state) for contract in two_days.world.contracts if contract.poster == "A1"
    )
    assert (done["BUILD", "COMPLETED"], done["DELIVER", "COMPLETED"]) == (4, 1)
    assert done["GATHER", "COMPLETED"] >= 2
    (terminal,) = [box for box in two_days.world.containers if box.kind == "CONTRACT_TERMINAL"]
    assert not terminal.owed


def test_its_council_governs(two_days: Lived) -> None:
    """Every kind of handoff was executed; orders were carried out and paid for out of the treasury."""
    world, city = two_days.world, "ORG000002"
    executed = [command for command, reason in two_days.governed if reason == "EXECUTED"]
    assert sorted({" ".join(command.split()[:2]) for command in executed}) == [
        "mission accept",
        "project advance",
        "salvage initiate",
        "townsfolk talk",
    ]
    assert {reason for _, reason in two_days.governed} <= {"EXECUTED", "RULE_REFUSED"}, "nothing was stale"
    assert sum(row.key.startswith("receipt/") for row in world.rows) == len(executed)
    orders = {one.kind: one for one in world.contracts if one.poster == city}
    assert {kind: one.state for kind, one in orders.items()} == {"BUILD": "COMPLETED", "GATHER": "COMPLETED"}
    assert orders["BUILD"].reward == {"PLANK": 9}
    assert world.orgs[city].treasury["BERRIES"] >= 5, "what was gathered went into the treasury"
    (mission,) = [one for one in world.contracts if one.backer == city]
    assert (mission.state, mission.bonus) == ("COMPLETED", {"PLANK": 4})
    snapshot = json.loads(sealed(world, city) or "")
    validate_snapshot(snapshot)
    assert snapshot["day"] == 2
    first = snapshot["projects"][0]
    assert (first["id"], first["progress"], first["status"]) == ("W000001", 1, "complete")


def test_its_buildings_stand(two_days: Lived) -> None:
    world = two_days.world
    x, y, z = world.agents[1].home[0], 0, world.agents[1].home[1]
    (chest,) = [box for box in world.containers if box.kind == "CHEST" and abs(box.position[0] - x) < 7]
    y = chest.position[1]
    for plot in (*plan.HUTS, *plan.WALLS, plan.WORKSHOP):
        parts = blueprints.plan_of(world, plot.blueprint, (x + plot.dx, y, z + plot.dz), plot.rotation)
        assert blueprints.blocks_standing(world, parts) == len(parts), plot
    huts = Counter(one.blueprint_id for one in world.structures)
    assert huts["hut_small"] >= 6, "four in the middle, the guild's hall, and some outside"
    assert [sign.text for sign in world.signs if sign.text.startswith("Thorp.")]


def test_deeds_have_made_a_name(two_days: Lived) -> None:
    for builder in ("Wystan", "Elspeth", "Rufus", "Lettice"):
        assert two_days.reputation(builder, "build") > 500
    for trader in ("Odile", "Bram", "Jory", "Maud", "Gytha", "Aldous", "Marten"):
        assert two_days.reputation(trader, "trade") > 500
        assert two_days.reputation(trader, "social") > 500
    assert all(agent.reputation["law"] >= 500 for agent in two_days.world.agents)
    assert two_days.told["TRADE"] >= 15


def test_it_lived_through_events(two_days: Lived) -> None:
    assert len(two_days.events) >= 2
    assert len(set(two_days.events)) == len(two_days.events)
    assert sum(bool(agent.seen_events) for agent in two_days.world.agents) >= 5


def digest_in_a_process(ticks: int, hash_seed: str) -> str:
    code = f"from tests.voxel.society.test_village import Lived; print(Lived({ticks}).world.digest())"
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, timeout=300, check=True
    )
    return done.stdout.decode().strip()


def test_the_same_seed_gives_the_same_digests_in_any_process() -> None:
    assert digest_in_a_process(1_000, "1") == digest_in_a_process(1_000, "2")


@pytest.mark.long
def test_the_same_two_days_in_any_process(two_days: Lived) -> None:
    assert digest_in_a_process(TWO_DAYS, "3") == two_days.world.digest()


@pytest.mark.long
@pytest.mark.parametrize("seed", [7, 42, 2024])
def test_a_village_can_be_founded_on_other_ground(seed: int) -> None:
    lived = Lived(TWO_DAYS, seed)
    assert {law.status for law in lived.world.laws} == {"ACTIVE"}
    assert any(contract.state == "COMPLETED" for contract in lived.world.contracts)


def test_who_comes_back_goes_on_where_they_were() -> None:
    """The villagers' minds are gone, and their bodies, notes and chapters are not."""
    lived = Lived(400)
    before = bodies(lived.world)
    lived.live(900)
    lived.live(2_700)
    assert bodies(lived.world) == before
    assert len(lived.world.agents) == 24
    assert len(lived.world.orgs) == 2
    assert len(lived.world.claims) >= 1
    assert len(lived.world.laws) == 2


def test_whatever_is_wrong_with_one_villager_the_others_live_on(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []

    def forgetful(me: Villager) -> Script[None]:
        begun.append(me.tick)
        yield from me.wait(5)
        raise KeyError("sign")

    monkeypatch.setitem(village.ROSTER, "Odile", forgetful)
    lived = Lived(150)
    assert [org.name for org in lived.world.orgs] == ["Reed and Rush"], "there is no mayor to found a city"
    assert len(begun) == 3, "and it tries again, after a rest that gets longer"


def test_a_mayor_with_too_few_planks_goes_on_without_a_sign() -> None:
    starter = {**Tuning().starter_items, "PLANK": 19}
    world = found(SEED, tuning=Tuning(starter_items=starter))
    village.run(world, lambda inputs: step(world, inputs), TOKENS, to_tick=300)
    assert sorted(org.name for org in world.orgs) == ["Reed and Rush", "Thorp"]


def test_what_was_noted_is_not_lost_because_somebody_else_wrote_first() -> None:
    kept = Notebook(things={"chest": "CHEST@1,2,3"}, homes={"Odile": (1, 2, 3)}, done={"work": 7})
    ours = Notebook(things={"guild": "ORG000001"}, homes={"Odile": (9, 9, 9), "Bram": (4, 4, 4)})
    take_over(kept, ours)
    assert ours.things == {"chest": "CHEST@1,2,3", "guild": "ORG000001"}
    assert ours.homes == {"Odile": (1, 2, 3), "Bram": (4, 4, 4)}
    assert ours.done == {"work": 7}


def test_the_council_sits_once_a_day_whatever_ends_meanwhile(two_days: Lived) -> None:
    written = two_days.world.agents[1].memory[NOTEBOOK].value
    assert notebook.read(written).done[notebook.SITTING] == 1, "the mayor has noted that it sat"
    snapshot = json.loads(sealed(two_days.world, "ORG000002") or "")
    first = Notebook(things={"city": "ORG000002"})
    council = CityCouncil(first)
    assert all(council.handoff(snapshot, 12_000) for _ in range(3))
    assert council.handoff(snapshot, 12_000) is None
    successor = CityCouncil(notebook.read(notebook.write(first)))
    assert successor.handoff(snapshot, 12_010) is None
    assert successor.handoff({**snapshot, "day": 3}, 18_000) is not None


def test_a_stranger_with_a_villagers_name_is_no_villager() -> None:
    world = found(SEED)
    step(world, village.arrivals(world, TOKENS))
    assert bodies(world) == {}, "nobody has written down a chapter yet"
    joins = village.arrivals(world, TOKENS)
    assert [type(one).__name__ for one in joins] == ["Join"] * 24


def test_what_is_missing_to_make_something() -> None:
    catalogs = msgspec.to_builtins(default_catalogs().lists())
    recipes = {output["item"]: recipe for recipe in catalogs["recipes"] for output in recipe["outputs"]}
    kit = {"BATTERY": 1, "CRYSTAL_SHARD": 1}
    assert missing(recipes, {}, kit) == {"CRYSTAL_SHARD": 2, "COPPER_ORE": 1, "COAL": 2}
    assert missing(recipes, {"CRYSTAL_SHARD": 1, "COPPER_INGOT": 1, "COAL": 1}, kit) == {"CRYSTAL_SHARD": 1}
    assert not missing(recipes, {"CRYSTAL_SHARD": 2, "COPPER_ORE": 1, "COAL": 2}, kit)
    assert not missing(recipes, {"LOG": 1}, {"STICK": 8}), "one log gives four planks, and those eight sticks"
    assert missing(recipes, {"LOG": 1}, {"STICK": 9}) == {"LOG": 1}


def test_sight_finds_the_nearest_first() -> None:
    world = found(SEED)
    middle = (0, 12, 0)
    (cube,) = cubes.gather(world.ground, [middle], 7)
    (text,) = cubes.rle_texts(cubes.gather(world.ground, [middle], 7))
    palette = [block.id for block in world.catalogs.blocks]
    sight = Sight(palette)
    sight.take(Voxels(center=middle, radius=7, encoding="RLE", data=text.decode()))
    for offset in ((0, 0, 0), (-7, 7, 3), (5, -7, -7)):
        position = (offset[0], 12 + offset[1], offset[2])
        assert sight.block(position) == palette[cube[cell_index(offset, 7)]]
    assert sight.block((8, 12, 0)) is None
    ores = list(sight.find_all("COPPER_ORE", "IRON_ORE"))
    distances = [abs(x) + abs(y - 12) + abs(z) for x, y, z in ores]
    assert distances == sorted(distances)
    assert len(ores) == sum(palette[block] in ("COPPER_ORE", "IRON_ORE") for block in cube.tolist())


def fetched(url: str, data: Path) -> Any:
    shown = {"Authorization": f"Bearer {read_admin_token(data)}"}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=shown), timeout=2) as answer:
            return json.loads(answer.read())
    except (urllib.error.URLError, TimeoutError, ConnectionError):
        return None


def test_the_village_goes_on_behind_sockets(tmp_path: Path) -> None:
    """`thorp up --village`: the past without sockets, then every villager over one of its own; twice."""
    tuning = tmp_path / "short.yaml"
    tuning.write_text("day_ticks: 60\nseason_length_ticks: 42000\ntick_rate_hz: 20\n", "utf-8")
    data = tmp_path / "data"
    for _ in range(2):
        arguments = ["up", "--village", "--port", "0", "--data", str(data), "--tuning", str(tuning)]
        server = subprocess.Popen([str(THORP), *arguments], stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            url = server.stdout.readline().split()[-1]
            state: Any = None
            for _ in range(600):
                state = fetched(f"{url}admin/v1/state", data)
                if state is not None and state["metrics"]["clients"] == 24 and state["tick"] > 140:
                    break
                time.sleep(0.1)
            assert state is not None
            assert (state["metrics"]["clients"], state["metrics"]["agents"]) == (24, 24)
            server.send_signal(signal.SIGINT)
            assert server.wait(20) == 0
        finally:
            server.kill()
            server.communicate()
    assert thorp("world", "verify", "--data", data).returncode == 0


def test_villagers_who_are_killed_are_started_again(tmp_path: Path) -> None:
    tuning = tmp_path / "short.yaml"
    tuning.write_text("day_ticks: 60\nseason_length_ticks: 42000\ntick_rate_hz: 20\n", "utf-8")
    data = tmp_path / "data"
    arguments = ["up", "--village", "--port", "0", "--data", str(data), "--tuning", str(tuning)]
    pipe = subprocess.PIPE
    server = subprocess.Popen([str(THORP), *arguments], stdout=pipe, stderr=pipe, text=True)

    def until(is_so: Callable[[], Any]) -> Any:
        deadline = time.monotonic() + 60
        while not (answer := is_so()):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        return answer

    try:
        assert server.stdout is not None
        url = server.stdout.readline().split()[-1]

        def population() -> tuple[int, int] | None:
            state = fetched(f"{url}admin/v1/state", data)
            return None if state is None else (state["metrics"]["clients"], state["metrics"]["agents"])

        until(lambda: population() == (24, 24))
        (child,) = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        os.kill(int(child), signal.SIGKILL)
        assert "the process of the villagers has ended (exit code -9)" in until(
            lambda: refused(f"{url}readyz")
        )
        until(lambda: population() == (24, 24))  # in their own bodies
        assert refused(f"{url}readyz") is None
        metrics = urllib.request.urlopen(f"{url}metrics", timeout=2).read().decode()
        assert 'thorp_process_restarts_total{world="world_1",process="villagers"} 1' in metrics
        assert 'thorp_process_up{world="world_1",process="villagers"} 1' in metrics
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 0
    finally:
        server.kill()
        complaints = server.communicate()[1]
    assert "it starts again in 1 s" in complaints


def refused(url: str) -> str | None:
    try:
        urllib.request.urlopen(url, timeout=2).close()
    except urllib.error.HTTPError as problem:
        return problem.read().decode()
    return None


@pytest.mark.long
def test_the_council_goes_on_over_http(tmp_path: Path) -> None:
    """Two days without sockets, then the process of the villagers governs as anybody else would."""
    data = tmp_path / "data"
    arguments = ["up", "--village", "--port", "0", "--data", str(data)]
    server = subprocess.Popen([str(THORP), *arguments], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        url = server.stdout.readline().split()[-1]
        posted: list[Any] = []
        for _ in range(1_200):
            town = fetched(f"{url}v1/towns/ORG000002/snapshot", data)
            posted = [] if town is None else [one for one in town["projects"] if one["status"] == "blocked"]
            if posted:
                break
            time.sleep(0.1)
        assert posted, "a work order is out"
        server.send_signal(signal.SIGINT)
        assert server.wait(20) == 0
    finally:
        server.kill()
        server.communicate()
    audited = thorp("world", "audit", "--data", data, "--since", str(TWO_DAYS + 1), "--json")
    changes = [json.loads(line) for line in audited.stdout.splitlines()]
    governed = [change["actor"] for change in changes if change["what"] == "town"]
    assert governed[:3] == ["mayor-1", "captain-1", "warden-1"][: len(governed)]
    assert thorp("world", "verify", "--data", data).returncode == 0
