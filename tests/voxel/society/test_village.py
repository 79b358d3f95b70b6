"""The demo village: what must exist after its two days, whoever runs it and however often it is
stopped."""

from __future__ import annotations

import json
import os
import re
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
from thorp import village
from thorp.bridges.voxel_town import new_city_world, snapshot_text
from thorp.protocol.actions import Say
from thorp.protocol.block_view import BlockView
from thorp.protocol.obs import Voxels, cell_index
from thorp.server.access.tokens import read_admin_token
from thorp.town import validate_snapshot
from thorp.village import Villager, roster, town_plan
from thorp.village.headless import bodies
from thorp.village.jobs import Job
from thorp.village.knowledge import Knowledge, read, store_call, write
from thorp.village.smith import missing
from thorp.village.villager import Script
from thorp.voxel.inputs import Acted
from thorp.voxel.load import default_catalogs
from thorp.voxel.lookups import cubes
from thorp.voxel.state.world import World
from thorp.voxel.systems.containers import add
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning

SEED = 1337
TWO_DAYS = 12_000
TOKENS = {name: f"token of {name}" for name in village.ROSTER}


class Lived:
    """A world in which the village has lived, and what was told of it."""

    def __init__(self, ticks: int, seed: int = SEED) -> None:
        self.world: World = new_city_world(seed)
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
    assert all(agent.hunger > 0 for agent in world.agents)
    assert two_days.told["DOWNED"] == 0


def test_the_city_and_the_guild_have_land_that_is_paid_for(two_days: Lived) -> None:
    world = two_days.world
    city, guild = sorted(world.orgs, key=lambda org: org.kind)
    assert (city.kind, city.name, len(city.members)) == ("CITY", "Thorp", 20)
    assert (guild.kind, len(guild.members)) == ("GUILD", 4)
    owned = {claim.owner: claim for claim in world.claims}
    assert (owned[city.id].radius, owned[city.id].stage) == (town_plan.CITY_RADIUS, 0)
    assert (owned[guild.id].radius, owned[guild.id].stage) == (town_plan.GUILD_RADIUS, 0)
    assert city.treasury["IRON_INGOT"] >= 1, "the next day is paid for too"


def test_its_first_laws_are_voted_on_and_not_all_agree(two_days: Lived) -> None:
    laws = {law.template_id: law for law in two_days.world.laws}
    assert {"FINE_BREAK_PER_BLOCK", "MARKET_TAX"} <= set(laws)
    votes = [vote for law in two_days.world.laws for vote in law.votes.values()]
    assert len(votes) >= 30
    assert {"YES", "NO"} <= set(votes)


def test_its_contracts_are_fulfilled_and_people_trade(two_days: Lived) -> None:
    done = Counter(
        contract.kind for contract in two_days.world.contracts if contract.state == "COMPLETED"
    )
    assert done["BUILD"] >= 6
    assert sum(one.state == "FAILED" for one in two_days.world.contracts) <= 2
    assert two_days.told["TRADE"] >= 20
    (terminal,) = [box for box in two_days.world.containers if box.kind == "CONTRACT_TERMINAL"]
    assert not terminal.owed


def test_its_council_governs(two_days: Lived) -> None:
    """Orders were posted and paid for out of the treasury, and nothing was stale."""
    world, city = two_days.world, "ORG000001"
    executed = [command for command, reason in two_days.governed if reason == "EXECUTED"]
    assert len(executed) >= 2
    assert {reason for _, reason in two_days.governed} <= {
        "EXECUTED",
        "RULE_REFUSED",
        "PRECONDITION_FAILED",
    }
    assert sum(row.key.startswith("receipt/") for row in world.rows) == len(executed)
    assert any(one.poster == city and one.state == "COMPLETED" for one in world.contracts)
    snapshot = json.loads(snapshot_text(world, city) or "")
    validate_snapshot(snapshot)
    assert snapshot["day"] == 2


def test_its_town_grows_by_the_plan(two_days: Lived) -> None:
    kinds = Counter(one.blueprint_id for one in two_days.world.structures)
    assert sum(kinds.values()) >= 9
    assert len(kinds) >= 5
    assert kinds["cottage"] >= 1


WAKING_REACH = 48
"""Strangers wake between the town and this."""


def test_everything_on_the_town_plan_has_a_place_of_its_own() -> None:
    plans = default_catalogs().blueprints
    taken: dict[tuple[int, int], str] = {}
    for work in town_plan.WORKS:
        cells = {
            (work.dx + x, work.dz + z)
            for x, _, z in (cell.pos for cell in plans[work.blueprint].blocks)
        }
        assert not cells & taken.keys(), work
        reach = [max(map(abs, cell)) for cell in cells]
        assert max(reach) <= town_plan.CITY_RADIUS or min(reach) >= WAKING_REACH, work
        taken |= dict.fromkeys(cells, work.blueprint)
    west, north, east, south = town_plan.FIELD
    assert not any(west <= x <= east and north <= z <= south for x, z in taken), (
        "nothing stands on the field"
    )


def test_deeds_have_made_a_name(two_days: Lived) -> None:
    builders = [name for name, trade in village.ROSTER.items() if trade in ("builder", "mason")]
    assert sum(two_days.reputation(name, "build") > 500 for name in builders) >= 2
    assert two_days.reputation("Jory", "trade") > 500
    city = [name for name, trade in village.ROSTER.items() if not trade.startswith("guild")]
    assert all(two_days.reputation(name, "law") >= 490 for name in city)


def digest_in_a_process(ticks: int, hash_seed: str) -> str:
    code = (
        f"from tests.voxel.society.test_village import Lived; print(Lived({ticks}).world.digest())"
    )
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
    """The villagers' minds are gone, and their bodies and what they have learned are not."""
    lived = Lived(400)
    before = bodies(lived.world)
    lived.live(900)
    lived.live(2_700)
    assert bodies(lived.world) == before
    assert len(lived.world.agents) == 24
    assert sorted(org.name for org in lived.world.orgs) == ["Reed and Rush", "Thorp"]
    assert sum(box.kind == "CHEST" for box in lived.world.containers) == 1
    assert len(lived.world.laws) <= 2


def test_a_job_that_goes_wrong_is_told_with_its_name_and_the_next_one_done(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begun = []

    def forget(me: Villager) -> Script[bool]:
        begun.append(me.tick)
        yield from me.wait(5)
        raise KeyError("sign")

    job = Job("forgetful", lambda me: True, forget)
    monkeypatch.setitem(roster.TRADES, "reeve", (job, *roster.TRADES["reeve"]))
    lived = Lived(300)
    assert sorted(org.name for org in lived.world.orgs) == ["Reed and Rush", "Thorp"]
    assert len(begun) == 1, "it is put aside for a while"
    assert "Odile: the job 'forgetful' went wrong" in caplog.text


def test_a_villager_who_cannot_begin_rests_and_the_others_live_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stumble(me: Villager) -> bool:
        raise KeyError("sign")

    job = Job("stumbling", stumble, lambda me: iter(()))  # type: ignore[arg-type, return-value]
    monkeypatch.setitem(roster.TRADES, "reeve", (job,))
    lived = Lived(150)
    assert [org.name for org in lived.world.orgs] == ["Reed and Rush"], (
        "there is no reeve to found a city"
    )


def test_a_mayor_with_too_few_planks_founds_the_city_all_the_same() -> None:
    starter = {**Tuning().starter_items, "PLANK": 19}
    world = new_city_world(SEED, tuning=Tuning(starter_items=starter))
    village.run(world, lambda inputs: step(world, inputs), TOKENS, to_tick=400)
    assert sorted(org.name for org in world.orgs) == ["Reed and Rush", "Thorp"]


def test_villagers_learn_from_what_villagers_say() -> None:
    knows = Knowledge()
    assert knows.hear("Bram", "A1", "I am Odile, reeve of Thorp.", 1)
    assert knows.hear("Bram", "A1", "The plaza is at 0 27 -4. The store is CHEST@-2,27,-3.", 2)
    assert knows.hear("Bram", "A1", "Wanted: 12 COAL, 40 PLANK. To spare: nothing.", 3)
    assert knows.hear("Bram", "A1", "Work: C000001 BUILD cottage; C000002 GATHER 6 COAL, 1 LOG.", 4)
    assert (knows.plaza, knows.spot("store")) == ((0, 27, -4), (-2, 27, -3))
    assert (knows.wanted, knows.spare) == ({"COAL": 12, "PLANK": 40}, {})
    assert [(name, work.kind, work.what) for name, work in knows.works.items()] == [
        ("C000001", "BUILD", "cottage"),
        ("C000002", "GATHER", "6 COAL, 1 LOG"),
    ]
    assert read(write(knows)) == knows, "and it is all kept in the world"


@pytest.mark.parametrize(
    ("wanted", "spare"),
    [
        ({}, {}),
        ({"COAL": 12}, {"STONE": 3}),
        ({"BERRIES": 54, "COAL": 12, "STONE": 100}, {"BERRIES": 66, "DIRT": 9, "STONE": 50}),
        ({"BERRIES": 119}, {"BERRIES": 1}),
    ],
)
def test_the_storekeeper_names_each_item_once_and_is_understood(
    wanted: dict[str, int], spare: dict[str, int]
) -> None:
    call = store_call(wanted, spare)
    named = re.findall(r"[A-Z_]{2,}", call)
    assert Counter(named) == Counter({*wanted, *spare}), "nobody can both want and spare one thing"
    knows = Knowledge(ids={"Jory": "A11"}, wanted={"LOG": 1}, spare={"LOG": 2})
    assert knows.hear("Bram", "A11", call, 3)
    assert (knows.wanted, knows.spare) == (wanted, spare)


def test_what_jory_calls_out_names_nothing_twice() -> None:
    world = new_city_world(SEED)
    calls: list[str] = []

    def tick(inputs: Any) -> None:
        acts = [entry.act for entry in inputs if isinstance(entry, Acted)]
        said = [one.text or "" for act in acts for one in act.instants if isinstance(one, Say)]
        calls.extend(text for text in said if text.startswith("Wanted: "))
        step(world, inputs)

    village.run(world, tick, TOKENS, to_tick=1_500)
    assert len(calls) > 3
    assert any("Sold and bought: " in call for call in calls)
    for call in calls:
        assert max(Counter(re.findall(r"[A-Z_]{2,}", call)).values()) == 1, call


def test_a_stranger_does_not_speak_for_the_mayor() -> None:
    knows = Knowledge()
    knows.hear("Bram", "A1", "I am Odile, reeve of Thorp.", 1)
    assert not knows.hear("Bram", "A25", "I am Odile, reeve of Thorp.", 2)
    assert not knows.hear("Bram", "A25", "The store is CHEST@9,9,9.", 3)
    assert (knows.ids, knows.things) == ({"Odile": "A1"}, {})


def test_no_two_villagers_share_anything_that_changes() -> None:
    catalogs = msgspec.to_builtins(default_catalogs().lists())
    everyone = village.people(catalogs)
    for name in ("knowledge", "postponed_until", "offers", "looked_at", "sight"):
        assert len({id(getattr(each, name)) for each in everyone}) == len(everyone), name
    assert len({id(each.knowledge.things) for each in everyone}) == len(everyone)


def test_the_council_sits_once_a_day_whatever_ends_meanwhile() -> None:
    """The process ends in the tick after the first governor has spoken, and some more times."""
    lived = Lived(0)
    village.run(
        lived.world, lived._tick, TOKENS, to_tick=24_000, stopped=lambda: bool(lived.governed)
    )
    assert len(lived.governed) == 1
    for ticks in (1, 5, 80, 300):
        lived.live(lived.world.tick + ticks)
    assert len(lived.governed) <= 3, "it does not sit again"


def test_the_village_survives_a_newcomer_who_empties_the_chest() -> None:
    lived = Lived(700)
    (chest,) = [box for box in lived.world.containers if box.kind == "CHEST"]
    for item in list(chest.stock):
        add(lived.world, chest, item, -chest.stock[item])
    lived.live(4_500)
    (chest,) = [box for box in lived.world.containers if box.kind == "CHEST"]
    assert sum(chest.stock.values()) > 20, "people bring new goods"


def test_a_stranger_with_a_villagers_name_is_no_villager() -> None:
    world = new_city_world(SEED)
    step(world, village.arrivals(world, TOKENS))
    assert bodies(world) == {}, "nobody has written down a chapter yet"
    joins = village.arrivals(world, TOKENS)
    assert [type(one).__name__ for one in joins] == ["Join"] * 24


def test_what_is_missing_to_make_something() -> None:
    catalogs = msgspec.to_builtins(default_catalogs().lists())
    recipes = {
        output["item"]: recipe for recipe in catalogs["recipes"] for output in recipe["outputs"]
    }
    kit = {"BATTERY": 1, "CRYSTAL_SHARD": 1}
    assert missing(recipes, {}, kit) == {"CRYSTAL_SHARD": 2, "COPPER_ORE": 1, "COAL": 2}
    assert missing(recipes, {"CRYSTAL_SHARD": 1, "COPPER_INGOT": 1, "COAL": 1}, kit) == {
        "CRYSTAL_SHARD": 1
    }
    assert not missing(recipes, {"CRYSTAL_SHARD": 2, "COPPER_ORE": 1, "COAL": 2}, kit)
    assert not missing(recipes, {"LOG": 1}, {"STICK": 8}), (
        "one log gives four planks, and those eight sticks"
    )
    assert missing(recipes, {"LOG": 1}, {"STICK": 9}) == {"LOG": 1}


def test_sight_finds_the_nearest_first() -> None:
    world = new_city_world(SEED)
    middle = (0, 12, 0)
    (cube,) = cubes.gather(world.ground, [middle], 7)
    (text,) = cubes.rle_texts(cubes.gather(world.ground, [middle], 7))
    palette = [block.id for block in world.catalogs.blocks]
    sight = BlockView(palette)
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
        with urllib.request.urlopen(
            urllib.request.Request(url, headers=shown), timeout=20
        ) as answer:
            return json.loads(answer.read())
    except (urllib.error.URLError, TimeoutError, ConnectionError):
        return None


def test_the_village_goes_on_behind_sockets(tmp_path: Path) -> None:
    """`thorp up --village`: the past without sockets, then every villager over one of its own;
    twice."""
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
        deadline = time.monotonic() + 120
        while not (answer := is_so()):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        return answer

    try:
        assert server.stdout is not None
        url = server.stdout.readline().split()[-1]

        def population() -> tuple[int, int] | None:
            state = fetched(f"{url}admin/v1/state", data)
            return (
                None if state is None else (state["metrics"]["clients"], state["metrics"]["agents"])
            )

        until(lambda: population() == (24, 24))
        (child,) = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
        os.kill(int(child), signal.SIGKILL)
        assert "the process of the villagers has ended (exit code -9)" in until(
            lambda: refused(f"{url}readyz")
        )
        until(lambda: population() == (24, 24))  # in their own bodies
        assert refused(f"{url}readyz") is None
        metrics = urllib.request.urlopen(f"{url}metrics", timeout=20).read().decode()
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
        urllib.request.urlopen(url, timeout=20).close()
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
            town = fetched(f"{url}v1/towns/ORG000001/snapshot", data)
            posted = (
                []
                if town is None
                else [one for one in town["projects"] if one["status"] == "blocked"]
            )
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
