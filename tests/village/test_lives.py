"""A village goes on whatever happens to it, and takes strangers in."""

from collections.abc import Sequence

import pytest

from tests.village.lives import FOUNDED_TICKS, SEEDS, TOKENS, VILLAGE_TICKS, Founded, Guest, live
from tests.voxel.flat import events
from thorp import village
from thorp.bridges.chronicle.observer import WorldObserver
from thorp.bridges.voxel_town import new_city_world
from thorp.village.errands import GUILD
from thorp.village.founding import RULES
from thorp.village.jobs import Job
from thorp.village.knowledge import Knowledge, read, write
from thorp.village.needs import FOODS
from thorp.village.roster import ROSTER, TRADES
from thorp.village.villager import MEMORY, Script, Villager
from thorp.voxel.inputs import AnyInput, Retire
from thorp.voxel.lookups import land
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World
from thorp.voxel.systems.blocks import change_block
from thorp.voxel.systems.containers import add
from thorp.voxel.tick import step
from thorp.voxel.tuning import read_tuning

OTHERS = [pytest.param(seed, marks=pytest.mark.long) for seed in (7, 99, 2024, 5, 6, 8, 11, 12)]
NEWCOMER_TICKS = 300
THIRD_MORNING = 13_500


@pytest.mark.parametrize("seed", [*SEEDS, *OTHERS])
def test_a_newcomer_with_four_verbs_soon_earns_something(founded: Founded, seed: int) -> None:
    """It is told of a job, and does it; then it may become a citizen, and has a plot."""
    world = founded(seed, FOUNDED_TICKS if seed in SEEDS else VILLAGE_TICKS)
    live(world, 600)
    plaza = land.at(world, 0, 0)
    assert plaza is not None
    told: list[str] = []
    seer = WorldObserver(world)
    guest = Guest(world)
    told += [str(notice.about["who"]) for notice in seer.look() if notice.kind == "arrival"]
    assert any("Nell" in who for who in told), "the chronicle names who comes"
    x, _, z = guest.body.position
    assert land.at(world, x, z) is None
    assert max(abs(x - plaza.anchor[0]), abs(z - plaza.anchor[2])) <= 48
    live(world, NEWCOMER_TICKS, guest.inputs)
    assert guest.bot.heard, "somebody greets it"
    assert guest.bot.earned
    greeter = next(agent.id for agent in world.agents if agent.name == "Maud")
    jobs = [one for one in world.contracts if one.state == "OPEN" and one.poster == greeter]
    assert len(jobs) >= 3
    (city,) = [org for org in world.orgs if org.kind == "CITY"]

    def has_plot() -> bool:
        return f"The plot of {guest.body.id}." in [sign.text for sign in world.signs]

    live(world, 1_000, guest.inputs, until=has_plot)
    assert has_plot()
    assert not city.open
    assert guest.body.id in city.invited


def test_a_newcomer_is_welcomed_though_the_one_before_has_gone(founded: Founded) -> None:
    world = founded(42)
    gone = Guest(world, "Cob")
    step(world, [Retire(gone.body.number)])
    guest = Guest(world)
    live(world, 700, guest.inputs, until=lambda: bool(guest.bot.heard))
    assert len(guest.bot.heard) == 1
    live(world, 100, guest.inputs)  # the greeter writes down whom it has met
    again = Guest(world, "Dill")
    live(world, 300, again.inputs, until=lambda: bool(again.bot.heard))
    assert len(again.bot.heard) == 1


@pytest.mark.parametrize("name", ["Bram", "Jory"])
def test_an_offer_near_the_list_price_is_answered(founded: Founded, name: str) -> None:
    world = founded(42)
    guest = Guest(world)
    before, asked_tick = guest.body.have("STONE"), world.tick + 10
    trader = next(agent.id for agent in world.agents if agent.name == name)
    wish = {
        "id": "I",
        "type": "OFFER_TRADE",
        "to": trader,
        "offer": [["PLANK", 6]],
        "request": [["STONE", 6]],
    }

    def asks() -> list[AnyInput]:
        return [guest.asks(instants=[wish], tasks=[])] if world.tick == asked_tick else []

    live(world, 400, asks, until=lambda: guest.body.have("STONE") > before)
    assert guest.body.have("STONE") == before + 6


def knowledge(world: World) -> dict[str, Knowledge]:
    return {
        agent.name: read(agent.memory[MEMORY].value)
        for agent in world.agents
        if agent.name in ROSTER
    }


def test_a_village_that_begins_again_and_again_forgets_nothing(founded: Founded) -> None:
    world = founded(42)
    before = knowledge(world)
    for ticks in (1, 2, 3, 5, 29, 97):
        live(world, ticks)
    for name, now in knowledge(world).items():
        assert now.born == before[name].born
        assert now.things.items() >= before[name].things.items()
        assert now.heard >= before[name].heard


def test_a_newcomer_who_empties_the_store_is_survived(
    founded: Founded, caplog: pytest.LogCaptureFixture
) -> None:
    world = founded(42)
    store = next(box for box in world.containers if box.kind == "CHEST")
    for item, count in list(store.stock.items()):
        add(world, store, item, -count)
    live(world, 1_200)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
    assert sum(store.stock.values()) > 20
    assert all(agent.hunger > 0 for agent in world.agents)


def test_a_villager_that_fails_says_so_and_goes_on_with_its_next_job(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fall(me: Villager) -> Script[bool]:
        yield None
        raise RuntimeError("a stone in the way")

    jobs = (Job("song", lambda me: True, fall), *TRADES["forager"])
    monkeypatch.setitem(TRADES, "forager", jobs)
    world = new_city_world(7)
    live(world, 300)
    failed = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert failed == [
        f"{name}: the job 'song' went wrong" for name in ("Aldous", "Clement", "Dunstan")
    ]
    for name in ("Aldous", "Clement", "Dunstan"):
        (agent,) = [agent for agent in world.agents if agent.name == name]
        assert agent.position[::2] != agent.home


def carve(world: World, block: str, low: Position, high: Position) -> None:
    """Put a block into all cells of a box."""
    number = world.catalogs.block_number[block]
    for x in range(low[0], high[0] + 1):
        for y in range(low[1], high[1] + 1):
            for z in range(low[2], high[2] + 1):
                change_block(world, (x, y, z), number, actor="WORLD", reason="GROW")


def put_below(world: World, name: str, depth: int, aside: int = 0) -> Agent:
    """Somebody hungry, with tools and stones and nothing to eat, so far below the place where it
    was, or beside that."""
    agent = next(agent for agent in world.agents if agent.name == name)
    agent.inventory.clear()
    agent.inventory.update({"STONE_PICKAXE": 1, "STONE_SHOVEL": 1, "STONE": 40})
    agent.hunger = 8
    x, y, z = agent.position
    world.relocate(agent, (x + aside, y - depth, z))
    return agent


@pytest.mark.parametrize(("depth", "width"), [(14, 0), (6, 3)], ids=["shaft", "pit"])
def test_who_is_below_the_ground_without_food_digs_its_way_out(
    founded: Founded, depth: int, width: int
) -> None:
    """Also out of a pit that is open to the sky, from which no way leads."""
    world = founded(42)
    nan = put_below(world, "Nan", depth, aside=40)  # nobody may dig in the plaza
    x, y, z = nan.position
    top = y + depth if width else y + 1
    carve(world, "AIR", (x - width, y, z - width), (x + width, top, z + width))
    carve(world, "STONE", (x - width, y - 1, z - width), (x + width, y - 1, z + width))
    live(world, 2_000, until=lambda: nan.y >= y + depth - 1)
    assert nan.y >= y + depth - 1


def shut_in(world: World, name: str, aside: int = 0) -> Agent:
    """Somebody hungry in a cell of rock that no tool breaks."""
    agent = put_below(world, name, 14, aside)
    x, y, z = agent.position
    carve(world, "BEDROCK", (x - 2, y - 2, z - 2), (x + 2, y + 3, z + 2))
    carve(world, "AIR", (x, y, z), (x, y + 1, z))
    return agent


@pytest.mark.parametrize("absent", ["nobody", "Jory"])
def test_who_starves_and_cannot_come_buys_food_from_afar(founded: Founded, absent: str) -> None:
    """From the smith, where the storekeeper gives no answer."""
    world = founded(42)
    nan = shut_in(world, "Nan", aside=16)  # away from the cell of who is absent
    nan.hunger = 4
    if absent != "nobody":
        shut_in(world, absent)
    at = nan.position
    live(world, 1_500, until=lambda: nan.hunger > 4)
    assert nan.hunger > 4
    assert nan.position == at


def test_nobody_falls_by_hunger_on_a_slow_way_to_the_store() -> None:
    """On the third morning of this village the store is empty after two cold nights. Who takes harm
    from hunger walks slowly, and has brought to it what the store gets meanwhile."""
    world = new_city_world(99, tuning=read_tuning(RULES))
    fallen: list[tuple[int, str]] = []

    def tick(inputs: Sequence[AnyInput]) -> None:
        step(world, inputs)
        fallen.extend(
            (world.tick, str(event["agent"]))
            for event in world.scratch.public_events
            if event["kind"] == "DOWNED" and world.tick > THIRD_MORNING
        )

    village.run(world, tick, TOKENS, to_tick=16_400)
    assert fallen == []


def test_who_is_hungry_cooks_what_others_have_not(founded: Founded) -> None:
    """There is game in the store and no meal, whatever anybody brings."""
    world = founded(42)
    shut_in(world, "Bram")
    store = next(box for box in world.containers if box.kind == "CHEST")
    add(world, store, "RAW_MEAT", 20)
    odile = next(agent for agent in world.agents if agent.name == "Odile")
    odile.inventory.clear()
    odile.hunger = 8

    def eat_all() -> list[AnyInput]:
        for item in FOODS:
            add(world, store, item, -store.stock.get(item, 0))
        return []

    live(world, 600, eat_all, until=lambda: odile.have("COOKED_MEAT") > 0)
    assert odile.have("COOKED_MEAT") > 0


def test_who_finds_only_a_cellar_below_its_house_sleeps_elsewhere(founded: Founded) -> None:
    """A house that is shut, and a stair that leads to the same column far below it."""
    world = founded(42)
    clement = next(agent for agent in world.agents if agent.name == "Clement")
    (x, y, z), depth = clement.position, 12
    for down in range(depth):
        side, floor = x + depth + 2 - down, y - down
        carve(world, "STONE", (side, floor - 1, z - 1), (side, floor + 4, z + 1))
        carve(world, "AIR", (side, floor, z), (side, floor + 3, z))
    carve(world, "STONE", (x - 2, y - depth - 1, z - 2), (x + 2, y - depth + 3, z + 2))
    carve(world, "AIR", (x - 1, y - depth, z), (x + 2, y - depth + 2, z))
    carve(world, "BEDROCK", (x - 2, y - 1, z - 2), (x + 2, y + 5, z + 2))
    carve(world, "AIR", (x + depth + 3, y, z), (x + depth + 5, y + 2, z))
    world.relocate(clement, (x + depth + 4, y, z))
    memory = read(clement.memory[MEMORY].value)
    memory.home = (x, y, z)
    clement.memory[MEMORY].value = write(memory)
    heights: list[int] = []

    def look() -> bool:
        heights.append(clement.y)
        return False

    live(world, 6_000 * 11 // 10 - world.tick % 6_000, until=look)
    below = next(tick for tick, height in enumerate(heights) if height < y - depth // 2)
    back = next(tick for tick, height in enumerate(heights[below:]) if height >= y - 2)
    assert min(heights[below + back :]) > y - depth // 2


def test_the_guild_takes_nothing_of_the_city(founded: Founded) -> None:
    """Who breaks its blocks too often is wanted, and no longer let in to the store."""
    world = founded(42)
    guild = [agent for agent in world.agents if ROSTER.get(agent.name) in GUILD]
    for agent in guild:  # among the berries of the town
        agent.inventory.clear()
        world.relocate(agent, (-20, 31, 20 + agent.number % 4))
    live(world, 900)
    ends = [
        end
        for agent in guild
        for kind in ("ACTION_RESULT", "TASK_FAIL")
        for end in events(agent, kind)
    ]
    assert [end for end in ends if end.get("message") == "break denied"] == []
