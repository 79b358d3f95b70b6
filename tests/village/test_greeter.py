"""Strangers are welcomed, however many come, and whoever does a job has a plot with its name."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from tests.village.lives import SEEDS, Founded, Guest, live
from tests.village.person import IDS, look, person
from tests.voxel.flat import events
from thorp.protocol.actions import MAX_DATA_BYTES, refuse_data
from thorp.protocol.obs import Position
from thorp.village import greeter, guests, knowledge, letters, lulls, plots, small_jobs
from thorp.village.groundwork import is_plot
from thorp.village.knowledge import FOR_STRANGERS, Offered, read
from thorp.village.town_plan import CITY_RADIUS, STREETS, WORKS
from thorp.village.villager import MEMORY
from thorp.voxel.inputs import AnyInput, Retire
from thorp.voxel.load import default_catalogs
from thorp.voxel.lookups import land
from thorp.voxel.state.records import MILLION, Curfew
from thorp.voxel.state.world import World
from thorp.voxel.systems.blocks import change_block
from thorp.voxel.tick import step

CROWD = 24
GREETED_TICKS = 100


def whispers(guest: Guest, key: str) -> list[dict[str, Any]]:
    """What was said to a guest that has this in its data."""
    heard: list[dict[str, Any]] = events(guest.body, "CHAT")
    return [event for event in heard if key in event.get("data", {})]


def say(guest: Guest, text: str, channel: str = "MARKET") -> AnyInput:
    wish = {"id": "S", "type": "SAY", "channel": channel, "text": text}
    return guest.asks(instants=[wish])


def is_told(guest: Guest, key: str) -> bool:
    return bool(whispers(guest, key))


def join(world: World, guest: Guest) -> None:
    (city,) = [org for org in world.orgs if org.kind == "CITY"]
    wish = {"id": "J", "type": "JOIN_ORG", "org_id": city.id}
    step(world, [guest.asks(instants=[wish])])


@pytest.mark.parametrize("seed", SEEDS)
def test_a_guest_is_led_from_the_gate_to_its_plot(founded: Founded, seed: int) -> None:
    """In words that people understand, with the ids for programs."""
    world = founded(seed)
    live(world, 100)
    guest = Guest(world, "Nell")
    live(world, 1, lambda: [say(guest, "Good morning! I am Nell.")])
    live(world, 100, until=lambda: is_told(guest, "job"))
    (welcome,) = whispers(guest, "job")
    assert welcome["text"].startswith("Welcome to Thorp, Nell. Bring ")
    assert " to the terminal on the plaza, and you get 20 planks." in welcome["text"]
    assert "CONTRACT" not in welcome["text"]
    data = welcome["data"]
    contract = world.contracts[data["job"]["contract"]]
    assert contract.state == "OPEN"
    assert dict(data["job"]["give"]) == contract.requirements
    assert dict(data["job"]["get"]) == contract.reward == {"PLANK": 20}
    assert data["job"]["deadline_tick"] == contract.deadline_tick
    (terminal,) = [box.id for box in world.containers if box.kind == "CONTRACT_TERMINAL"]
    assert data["job"]["terminal"] == data["places"]["terminal"] == terminal
    names = {agent.id: agent.name for agent in world.agents}
    assert [names[agent_id] for agent_id in data["people"].values()] == list(data["people"])
    assert {"Jory", "Bram", "Maud"} == set(data["people"])

    live(world, 400, guest.inputs, until=lambda: is_told(guest, "invitation"))
    (invitation,) = whispers(guest, "invitation")
    assert invitation["text"].startswith("Well done, Nell! You are invited: join Thorp,")
    (city,) = [org for org in world.orgs if org.kind == "CITY"]
    assert invitation["data"] == {"invitation": {"org": city.id}}
    join(world, guest)
    assert guest.body.id in city.members

    live(world, 900, until=lambda: is_told(guest, "plot"))
    (told,) = whispers(guest, "plot")
    plot = told["data"]["plot"]
    x, y, z = plot["pos"]
    assert plot["sign"] == f"SIGN@{x},{y},{z}"
    assert f"the sign at {x} {y} {z}" in told["text"]
    assert world.signs[x, y, z].text == "Nell's plot."
    assert is_free_plot(world, plot["low"], plot["high"])


def is_free_plot(world: World, low: Position, high: Position) -> bool:
    """Whether a hut has room in a plot, where a citizen may build."""
    (city,) = [org for org in world.orgs if org.kind == "CITY"]
    hut = [cell.pos for cell in world.catalogs.blueprints["hut_small"].blocks]
    names = world.catalogs.blocks
    for x in range(low[0], high[0] - 1):
        for z in range(low[2], high[2] - 1):
            for y in range(low[1], high[1] - 2):
                cells = [(x + dx, y + dy, z + dz) for dx, dy, dz in hut]
                claims = [land.at(world, cell[0], cell[2]) for cell in cells]
                is_free = all(
                    names[world.ground.block(*cell)].id in ("AIR", "TALL_GRASS") for cell in cells
                )
                if is_free and all(claim is None or claim.owner == city.id for claim in claims):
                    return True
    return False


def test_who_says_no_name_is_asked_for_it_and_has_its_id_on_the_sign(founded: Founded) -> None:
    world = founded(42)
    guest = Guest(world)
    live(world, 1_500, guest.inputs, until=lambda: is_told(guest, "plot"))
    assert "Welcome to Thorp. Bring" in whispers(guest, "job")[0]["text"]
    assert "Tell me your name" in whispers(guest, "job")[0]["text"]
    (told,) = whispers(guest, "plot")
    x, y, z = told["data"]["plot"]["pos"]
    assert world.signs[x, y, z].text == f"The plot of {guest.body.id}."


@pytest.mark.parametrize("hour", [0.87, 0.1])
def test_a_plot_is_marked_out_at_night_too(founded: Founded, hour: float) -> None:
    world = founded(42)
    day = world.tuning.day_ticks
    live(world, (int(hour * day) - world.tick) % day)
    guest = Guest(world)
    live(world, 1_500, guest.inputs, until=lambda: is_told(guest, "plot"))
    assert is_told(guest, "plot")


def test_under_curfew_a_plot_outside_the_town_is_given(founded: Founded) -> None:
    world = founded(42)
    claim = land.at(world, 0, 0)
    assert claim is not None
    claim.curfew = Curfew(start=0, end=MILLION)
    guest = Guest(world)
    live(world, 2_000, guest.inputs, until=lambda: is_told(guest, "plot"))
    (told,) = whispers(guest, "plot")
    x, y, z = told["data"]["plot"]["pos"]
    assert land.at(world, x, z) is None
    assert world.signs[x, y, z].text == f"The plot of {guest.body.id}."


def test_a_plot_on_which_somebody_else_has_built_is_not_given(founded: Founded) -> None:
    world = founded(42)
    live(world, 300)
    brick = world.catalogs.block_number["BRICK"]
    ready = [sign.position for sign in world.signs if sign.text == plots.FREE_PLOT]
    assert len(ready) == plots.SPARE_PLOTS
    for x, y, z in ready:
        for dx in (-2, 0, 2):
            for dz in (1, 3, 5):
                change_block(world, (x + dx, y, z + dz), brick, actor="A1", reason="PLACE")
    guest = Guest(world)
    live(world, 2_500, guest.inputs, until=lambda: is_told(guest, "plot"))
    (told,) = whispers(guest, "plot")
    assert tuple(told["data"]["plot"]["pos"]) not in ready
    assert is_free_plot(world, told["data"]["plot"]["low"], told["data"]["plot"]["high"])


def test_a_guest_who_comes_again_is_told_of_its_plot_again(founded: Founded) -> None:
    world = founded(42)
    guest = Guest(world, "Nell")

    def lives() -> list[AnyInput]:
        told = whispers(guest, "plot")
        if told and world.tick == int(told[0]["t"]) + greeter.BACK_TICKS:
            return [say(guest, "Good morning! I am Nell.")]
        return guest.inputs()

    live(world, 2_000, lives, until=lambda: len(whispers(guest, "plot")) == 2)
    first, second = whispers(guest, "plot")
    assert second["data"] == first["data"]
    assert second["text"].startswith("Welcome back, Nell. Your plot is at the sign at ")


def crowd(world: World, count: int = CROWD) -> list[Guest]:
    """Strangers who come at once; every second one has the same name as others."""
    return [Guest(world, "Nell" if number % 2 else f"Cob{number}") for number in range(count)]


def inputs(strangers: Iterable[Guest]) -> list[AnyInput]:
    return [wish for guest in strangers for wish in guest.inputs()]


@pytest.mark.parametrize("seed", SEEDS)
def test_many_strangers_at_once_are_all_greeted(founded: Founded, seed: int) -> None:
    """Those whom no whisper reaches in time hear a welcome to all."""
    world = founded(seed)
    live(world, 100)
    strangers = crowd(world)
    arrived = world.tick
    live(world, GREETED_TICKS)
    for guest in strangers:
        heard = [event["t"] for event in whispers(guest, "places")]
        assert heard, guest.body.id
        assert min(heard) <= arrived + GREETED_TICKS
    calls = [event for event in whispers(strangers[-1], "places") if event["channel"] == "MARKET"]
    assert len(calls) == 1, "one call is enough"


def kept_for_maud(world: World, ticks: int, more: Callable[[], list[AnyInput]]) -> list[str]:
    """Who keeps a contract with the greeter in the next ticks."""
    maud = next(agent.id for agent in world.agents if agent.name == "Maud")
    kept: list[str] = []

    def watch() -> list[AnyInput]:
        kept.extend(
            str(event["acceptor"])
            for event in world.scratch.public_events
            if event["kind"] == "CONTRACT" and event["poster"] == maud
            if event["state"] == "COMPLETED"
        )
        return more()

    live(world, ticks, watch)
    return kept


def test_on_a_slow_day_a_job_is_called_out_to_everybody(founded: Founded) -> None:
    """Somebody takes it and is paid, while no stranger is about who was told of one."""
    world = founded(42)
    assert kept_for_maud(world, 2_400, list)


def test_the_same_news_again_does_not_make_a_day_lively() -> None:
    """Many build one dam, and each says so: with that alone a stranger has nothing to look at."""
    maud = person("Maud", tick=2_000)
    terms = Offered(kind="WELCOME", what="", tick=1, give=[("STONE", 4)], get=[("TORCH", 8)])
    maud.knowledge.works = {f"C{number:06}": terms for number in range(1, 6)}
    dam = {"event": {"id": "FLOOD_WARNING", "step": "done"}}

    def hear(tick: int, data: dict[str, Any]) -> list[Any]:
        look(maud, tick)
        said = {"t": tick, "type": "CHAT", "from": IDS["Nan"], "channel": "MARKET", "text": "."}
        lulls.hear(maud, {**said, "data": data})
        return small_jobs.enliven(maud)

    assert hear(2_000, dam) == []
    (call,) = hear(2_000 + lulls.JOB_TICKS, dam)
    assert call["text"].startswith("Work: C00000")
    quarrel = {"quarrel": {"by": IDS["Nan"], "against": IDS["Hob"], "step": "denial"}}
    assert hear(2_000 + lulls.JOB_TICKS + small_jobs.CALL_TICKS, quarrel) == [], "that is news"


def test_jobs_are_kept_for_a_stranger_who_is_about(founded: Founded) -> None:
    world = founded(42)
    live(world, 100)
    idler = Guest(world, "Nell")
    live(world, 1, lambda: [say(idler, "Good morning! I am Nell.")])
    assert kept_for_maud(world, 1_500, list) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_many_strangers_at_once_all_get_a_job_and_a_plot(founded: Founded, seed: int) -> None:
    world = founded(seed)
    strangers = crowd(world)

    def all_have_plots() -> bool:
        return world.tick % 50 == 0 and all(is_told(guest, "plot") for guest in strangers)

    live(world, 6_000, lambda: inputs(strangers), until=all_have_plots)
    given = [whispers(guest, "plot")[0]["data"]["plot"] for guest in strangers]
    assert len({tuple(plot["pos"]) for plot in given}) == CROWD
    for plot in given:
        x, y, z = plot["pos"]
        assert (x, y, z) in world.signs
        assert is_free_plot(world, plot["low"], plot["high"])
    boxes = [(plot["low"], plot["high"]) for plot in given]
    for number, (low, high) in enumerate(boxes):
        for other_low, other_high in boxes[:number]:
            is_apart = any(
                high[axis] < other_low[axis] or other_high[axis] < low[axis] for axis in (0, 2)
            )
            assert is_apart, "nobody builds on another's plot"


def test_a_stranger_who_went_for_good_is_forgotten(founded: Founded) -> None:
    world = founded(42)
    gone = Guest(world, "Cob")
    live(world, 1, lambda: [say(gone, "I am Cob.")])
    step(world, [Retire(gone.body.number)])
    guest = Guest(world)
    live(world, 300, until=lambda: is_told(guest, "job"))
    assert is_told(guest, "job")
    (maud,) = [agent for agent in world.agents if agent.name == "Maud"]
    live(world, 400)
    assert gone.body.id not in read(maud.memory[MEMORY].value).guests


def test_a_job_that_another_took_is_made_good(founded: Founded) -> None:
    world = founded(42)
    late = Guest(world, "Nell")
    quick = Guest(world, "Cob")

    def lives() -> list[AnyInput]:
        late.inputs()  # it hears, and does nothing
        if late.bot.job:
            quick.bot.job = dict(late.bot.job)
        return quick.inputs()

    live(world, 600, lives, until=lambda: len(whispers(late, "job")) > 1)
    first, second = whispers(late, "job")
    taken = world.contracts[first["data"]["job"]["contract"]]
    assert taken.acceptor == quick.body.id
    again = second["data"]["job"]["contract"]
    assert world.contracts[again].state == "OPEN"
    assert "here is a job for you. Bring " in second["text"]


# The parts, without a world


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Good morning! I am Sawyer.", "Sawyer"),
        ("Hello, my name is Ömer!", "Ömer"),
        ("I'm mole-2, nice to meet you", "mole-2"),
        ("Call me O'Hara", "O'Hara"),
        ("I am Odile.", ""),
        ("I am looking for work.", ""),
        ("I am " + "x" * 60 + ".", ""),
        ("I am A1.", ""),
        ("Who are you?", ""),
    ],
)
def test_a_stranger_is_called_as_it_says_unless_that_is_a_villagers_name(
    text: str, name: str
) -> None:
    me = person("Maud")
    assert guests.name_in(me, text) == name


@pytest.mark.parametrize(
    ("goods", "words"),
    [
        ({"STONE": 4}, "four stone"),
        ({"STONE_AXE": 1}, "a stone axe"),
        ({"IRON_AXE": 1}, "an iron axe"),
        ({"PLANK": 20}, "20 planks"),
        ({"BERRIES": 6, "COAL": 2}, "six berries and two coal"),
    ],
)
def test_goods_are_said_as_people_say_them(goods: dict[str, int], words: str) -> None:
    assert small_jobs.counted(goods) == words


def test_jobs_that_pay_for_a_hut_are_told_first_and_then_those_told_longest_ago() -> None:
    me = person("Maud")
    offers = {"C1": {"STONE": 16}, "C2": {"PLANK": 20}, "C3": {"PLANK": 20}}
    for name, pay in offers.items():
        me.knowledge.works[name] = Offered(
            kind=FOR_STRANGERS, what="", tick=1, give=[("COAL", 2)], get=[*pay.items()]
        )
    me.knowledge.works["C4"] = Offered(kind="BUILD", what="cottage", tick=1)
    told = []
    for tick in range(1, 5):
        job = small_jobs.next_job(me)
        told.append(job)
        me.knowledge.notes[f"told {job}"] = tick
    assert told == ["C2", "C3", "C1", "C2"]


def test_a_newcomer_can_pay_for_every_job_and_keep_its_planks() -> None:
    kit = {"PLANK": 20, "COAL": 10, "STONE": 20, "BERRIES": 10}
    for goods in small_jobs.SMALL_JOBS:
        assert all(kit[item] >= count for item, count in goods.items())
        assert "PLANK" not in goods
    (price,) = default_catalogs().blueprints["hut_small"].cost
    assert price.count == kit["PLANK"] + small_jobs.HUT_REWARD["PLANK"]


def test_plots_do_not_run_out_and_lie_apart() -> None:
    assert len(plots.OUTSIDE) == plots.MOST_PLOTS
    every = (*plots.IN_TOWN, *plots.OUTSIDE)
    assert len(every) == len(set(every))
    reach = plots.PLOT_REACH
    for x, z in plots.OUTSIDE:
        assert min(abs(x), abs(z)) - reach > CITY_RADIUS, "beyond the town's land"
        assert x * x + z * z > 46 * 46, "beyond where strangers wake"
    columns = {
        (x + dx, z + dz): None
        for x, z in every[:200]
        for dx in range(-reach, reach + 1)
        for dz in range(-reach, reach + 1)
    }
    assert len(columns) == 200 * (2 * reach + 1) ** 2, "no two share a column"
    roads = {cell for cell in STREETS if cell in columns and max(map(abs, cell)) > CITY_RADIUS}
    assert roads == set()
    corners = {(work.dx, work.dz) for work in WORKS if (work.dx, work.dz) in columns}
    assert all(max(map(abs, corner)) <= CITY_RADIUS for corner in corners)


def test_what_is_whispered_fits_into_the_data() -> None:
    me = person("Maud")
    far = 10**6
    for name in ("store", "board", "bench", "terminal"):
        me.knowledge.things[name] = f"CONTRACT_TERMINAL@-{far},63,-{far}"
    me.knowledge.ids |= {"Jory": "A1000000", "Bram": "A1000001"}
    me.knowledge.works["C000000001"] = Offered(
        kind=FOR_STRANGERS,
        what="",
        tick=1,
        give=[("COOKED_MEAT", 100)],
        get=[("IRON_PICKAXE", 100)],
        deadline=10**9,
    )
    known = knowledge.Guest(name="W" * 24, sign=(far, 63, -far))
    written = [
        letters.welcome(me, known, "C000000001"),
        letters.offer(me, known, "C000000001"),
        letters.invitation(me, known),
        letters.directions_to_plot(me, "A99", known),
        letters.welcome_back(me, "A99", known),
    ]
    for letter in written:
        refuse_data(letter.data)
        assert len(json.dumps(letter.data)) < MAX_DATA_BYTES
        assert len(letter.text.encode()) < 600, "nobody reads more"


def test_guests_do_not_fill_the_memory() -> None:
    me = person("Maud")
    for number in range(3 * guests.MOST_GUESTS):
        guests.guest_of(me, f"A{number}").has_plot = number < guests.MOST_GUESTS
    met = me.knowledge.guests
    assert len(met) == guests.MOST_GUESTS
    assert not any(guest.has_plot for guest in met.values()), "who needs nothing goes first"


def test_a_plot_that_is_ready_is_looked_at_again_and_another_made_ready(
    founded: Founded, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that nobody who waits has to find out that somebody else has built there."""
    monkeypatch.setattr(plots, "LOOK_TICKS", 100)
    world = founded(42)
    live(world, 300)
    brick = world.catalogs.block_number["BRICK"]
    ready = [sign.position for sign in world.signs if sign.text == plots.FREE_PLOT]
    outside = [spot for spot in ready if max(abs(spot[0]), abs(spot[2])) > CITY_RADIUS]
    assert len(outside) >= plots.SPARE_OUTSIDE, "also under curfew there is one"
    taken = next(spot for spot in ready if spot not in outside)
    x, y, z = taken
    for dx in (-2, 0, 2):
        for dz in (1, 3, 5):
            change_block(world, (x + dx, y, z + dz), brick, actor="A1", reason="PLACE")
    (maud,) = [agent for agent in world.agents if agent.name == "Maud"]

    def spare() -> list[tuple[int, int, int]]:
        places = read(maud.memory[MEMORY].value).places
        return [spot for name, spot in places.items() if name.startswith("plot ")]

    assert taken in spare()
    live(
        world,
        4_000,
        until=lambda: (
            world.tick % 50 == 0 and taken not in spare() and len(spare()) >= plots.SPARE_PLOTS
        ),
    )
    assert taken not in spare()
    assert len(spare()) >= plots.SPARE_PLOTS


def test_nothing_is_built_behind_the_sign_of_a_plot() -> None:
    """Neither on one that is ready nor on one that its owner has not built on yet."""
    me = person("Odile")
    home = {(x, 27, z): "PLANK" for x in range(7, 12) for z in range(7, 12)}
    blocks: dict[tuple[int, int, int], str] = {}
    me.sight = type("Sight", (), {"block": lambda _, cell: blocks.get(cell, "AIR")})()
    assert not is_plot(me, home)
    blocks[9, 26, 6] = "SIGN"
    assert is_plot(me, home)
    blocks.clear()
    blocks[9, 27, 12 + plots.PLOT_REACH] = "SIGN"
    assert not is_plot(me, home), "it belongs to the plot behind it"


def test_who_waits_is_given_the_nearest_plot_and_full_lots_are_passed_over() -> None:
    me = person("Maud")
    me.knowledge.notes |= {"plots": 3, "failed lots": plots.FAILED_LOTS}
    first = plots._next_plot(me)
    assert first in plots.OUTSIDE, "the town is full"
    me.knowledge.notes |= {"failed lots": 0}
    assert plots._next_plot(me) == plots.IN_TOWN[3]
    me.knowledge.places |= {"plot 27 18": (27, 27, 15), "plot 27 -18": (27, 27, -21)}
    assert plots._next_plot(me) in plots.OUTSIDE, "one lies outside from the beginning"
    assert plots.lacks_plots(me)
