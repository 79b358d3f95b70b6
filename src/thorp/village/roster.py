"""Who lives in the village, in the order in which they came, and what each of them does."""

from collections.abc import Mapping
from typing import Any, Final

from thorp.village import (
    answers,
    customs,
    elections,
    evenings,
    event_answers,
    forage,
    greeter,
    guild,
    hopes,
    lulls,
    miner,
    mornings,
    night_watch,
    quarrels,
    reeve,
    regard,
    small_jobs,
    small_talk,
    smith,
    storekeeper,
    tales,
    thoughts,
    wishes,
    woodland,
    works,
)
from thorp.village.errands import DAYS_FOOD, ENOUGH_FOOD, GUILD, KEEPERS, food, go_to, surplus
from thorp.village.jobs import (
    ARRIVAL,
    MARKET,
    PROVISIONS,
    STAY_NEAR,
    Job,
    lacks_food,
    life_of,
    reserve,
)
from thorp.village.needs import worth
from thorp.village.villager import Script, Villager

ROSTER: Final = {
    "Odile": "reeve", "Bram": "smith", "Tilda": "miner", "Corin": "miner",
    "Wystan": "builder", "Elspeth": "builder", "Rufus": "builder",
    "Agnes": "miner", "Ivo": "miner", "Lettice": "builder", "Jory": "storekeeper",
    "Hob": "guildsman", "Marten": "guildmaster", "Sibyl": "guildsman", "Piers": "guildsman",
    "Oswin": "forester", "Ysolt": "forester", "Maud": "greeter",
    "Gytha": "farmer", "Nan": "farmer", "Aldous": "forager",
    "Beatrix": "farmer", "Clement": "forager", "Dunstan": "forager",
}  # fmt: skip
# What a guildsman sells in a few days.
ENOUGH_STONE: Final = 100
FOOD_FOR_A_DAY: Final = 12
# Lacking more than this, everybody helps.
FEW_BERRIES: Final = 40

HIRED: Final = Job(
    name="contract",
    is_due=works.has_work,
    work=works.work_for_hire,
    ticks=2_500,
    pause=150,
    urgent=True,
)
PAVING: Final = Job(name="paving", is_due=works.can_pave, work=works.pave, ticks=1_200, pause=600)

GUILD_QUARRY: Final = Job(
    name="quarry",
    is_due=lambda me: me.have("STONE") < ENOUGH_STONE,
    work=miner.dig_shift,
    ticks=2_500,
    pause=200,
)

BAKING: Final = Job(
    name="baking", is_due=forage.has_wheat, work=forage.bake, pause=100, urgent=True
)
FIELD: Final = Job(
    name="field",
    is_due=lambda me: me.knowledge.plaza is not None,
    work=forage.tend,
    ticks=1_500,
    pause=200,
)

LARDER: Final = Job(
    name="larder",
    is_due=lambda me: food(me) < ENOUGH_FOOD,
    work=forage.pick_berries,
    ticks=900,
    pause=100,
)

GAME: Final = Job(
    name="game",
    is_due=lambda me: me.knowledge.wanted.get("RAW_MEAT", 0) > 0,
    work=forage.hunt,
    pause=2_000,
)


def earns_little(me: Villager) -> bool:
    """Whether it has hardly anything to buy its food with."""
    return worth(surplus(me)) < FOOD_FOR_A_DAY and food(me) < DAYS_FOOD


def _has_arrived(me: Villager) -> bool:
    return "arrived" in me.knowledge.notes


def serve_customers(me: Villager) -> Script[bool]:
    """Answer the offers of those who do not know that the storekeeper trades."""
    if any(
        me.have(item) < count for event in me.offers.values() for item, count in event["request"]
    ):
        yield from go_to(me, "store")
    yield from storekeeper.serve(me)
    return True


def wants_wood(me: Villager) -> bool:
    """Whether to fell trees: the store wants wood, or the villager has earned little."""
    return _has_arrived(me) and (
        "PLANK" in me.knowledge.wanted or "LOG" in me.knowledge.wanted or earns_little(me)
    )


def wants_stone(me: Villager) -> bool:
    """Whether to quarry: stone is wanted, or it has earned little; and it has food for the way."""
    is_due = _has_arrived(me) and (miner.is_stone_wanted(me) or earns_little(me))
    return is_due and reserve(me) >= PROVISIONS


def wants_ore(me: Villager) -> bool:
    """Whether to go down into the mine."""
    return miner.is_ore_wanted(me) and not lacks_food(me)


def lacks_terminal(me: Villager) -> bool:
    """Whether to prospect for what the first terminal costs."""
    return _has_arrived(me) and not me.knowledge.has_heard_of("terminal") and not lacks_food(me)


def lacks_forge(me: Villager) -> bool:
    """Whether the smithy is still to be set up."""
    return not me.knowledge.has_heard_of("forge") and me.knowledge.has_heard_of("bench")


def has_customers(me: Villager) -> bool:
    """Whether somebody has offered it a trade."""
    return bool(me.offers) and me.knowledge.has_heard_of("store")


def wants_berries(me: Villager) -> bool:
    """Whether to gather berries for the store."""
    return _has_arrived(me) and (not me.knowledge.wanted or "BERRIES" in me.knowledge.wanted)


def is_lacking_berries(me: Villager) -> bool:
    """Whether the store is badly short of berries."""
    return me.knowledge.wanted.get("BERRIES", 0) > FEW_BERRIES


QUARRY: Final = Job(name="quarry", is_due=wants_stone, work=miner.dig_shift, ticks=2_500, pause=200)
PROSPECTING: Final = Job(
    name="prospecting", is_due=lacks_terminal, work=miner.dig_shift, ticks=2_500, pause=200
)
BERRIES: Final = Job(
    name="berries", is_due=wants_berries, work=forage.pick_berries, ticks=900, pause=100
)
FORAGING: Final = Job(
    name="berries", is_due=wants_berries, work=forage.pick_plenty, ticks=900, pause=600
)
HARVEST: Final = Job(
    name="harvest", is_due=is_lacking_berries, work=forage.pick_berries, ticks=900, pause=300
)
COMPANY: Final = Job(name="company", is_due=_has_arrived, work=works.keep_company, ticks=500)
WOOD: Final = Job(name="wood", is_due=wants_wood, work=woodland.fell_trees, pause=600)
VOTE: Final = Job(
    name="vote", is_due=elections.is_vote_due, work=elections.vote, ticks=900, pause=200
)
WATCH: Final = Job(
    name="watch",
    is_due=night_watch.is_on_watch,
    work=night_watch.walk_round,
    ticks=600,
    pause=60,
)
FREE_HANDS: Final = (GAME, HARVEST, WOOD, PAVING, QUARRY, COMPANY)
TRADES: Final[dict[str, tuple[Job, ...]]] = {
    "reeve": (*customs.OF_THE_REEVE, *reeve.JOBS),
    "smith": (
        Job(name="customers", is_due=has_customers, work=serve_customers, urgent=True),
        Job(name="forge", is_due=lacks_forge, work=smith.open_forge, pause=40),
        HIRED,
        Job(
            name="smithy",
            is_due=lambda me: me.knowledge.has_heard_of("store", "forge"),
            work=smith.work,
            pause=120,
        ),
    ),
    "miner": (
        Job(name="tools", is_due=miner.lacks_tools, work=miner.make_tools),
        HIRED,
        Job(name="shift", is_due=wants_ore, work=miner.dig_shift, ticks=3_000, pause=100),
    ),
    "builder": (customs.LAMPS, HIRED, PROSPECTING),
    "storekeeper": (
        Job(
            name="store",
            is_due=lambda me: me.knowledge.has_heard_of("store"),
            work=storekeeper.keep_store,
            pause=20,
        ),
    ),
    "guildmaster": (*guild.JOBS, LARDER, HIRED),
    "guildsman": (LARDER, HIRED),
    "forester": (
        HIRED,
        Job(name="trees", is_due=lambda _: True, work=woodland.fell_trees, ticks=1_500, pause=100),
    ),
    "farmer": (BAKING, HIRED, FIELD, BERRIES),
    "forager": (BAKING, HIRED, FORAGING, FIELD),
    "greeter": (*greeter.JOBS, HARVEST, greeter.ROUND),
}


LISTENERS: Final = (
    lulls.hear,
    regard.take_in,
    quarrels.hear,
    wishes.hear,
    hopes.hear,
    small_talk.hear,
    evenings.hear,
    tales.hear,
    mornings.hear,
    elections.hear,
)
"""What a villager makes of every event, beside what it learns from it."""
REFLEXES: Final = (
    regard.mellow,
    small_talk.answer,
    small_talk.chat,
    tales.reply,
    mornings.rise,
    quarrels.accept_gifts,
    quarrels.act,
    quarrels.make_up,
    small_talk.break_silence,
    elections.stand,
    wishes.think,
)
"""What it does beside any job."""


def villager(name: str, catalogs: Mapping[str, Any]) -> Villager:
    """Make a villager by its name, with the jobs of its trade."""
    trade = ROSTER[name]
    spare_time: tuple[Job, ...] = (PAVING, COMPANY) if trade in STAY_NEAR else FREE_HANDS
    if trade in GUILD:
        spare_time = (HARVEST, GUILD_QUARRY, PAVING, COMPANY)
    trips = (customs.EXPEDITION,) if name in customs.EXPLORERS else ()
    if name in night_watch.WATCH:
        trips = (WATCH, *trips)
    together = (*customs.FOR_EVERYONE, VOTE, *event_answers.JOBS, evenings.TAVERN)
    duties = greeter.DUTIES if trade == "greeter" else ()
    jobs = (ARRIVAL, *duties, *trips, *together, MARKET, *TRADES[trade], *spare_time)
    me = Villager(name, trade, catalogs, life_of(jobs))
    me.manner = thoughts.in_own_words
    me.conversation.answer = answers.answer
    me.listeners = LISTENERS
    me.reflexes = REFLEXES
    if name in night_watch.WATCH:
        me.listeners = (*LISTENERS, night_watch.hear)
    if trade == "reeve":
        me.listeners = (*LISTENERS, reeve.hear_wishes)
        me.reflexes = (*REFLEXES, elections.register, elections.acknowledge)
    elif name in KEEPERS:
        me.reflexes = tuple(reflex for reflex in REFLEXES if reflex is not quarrels.accept_gifts)
    me.on_news = reeve.hear_news if trade in ("reeve", "guildmaster") else None
    if trade == "greeter":
        reception = greeter.Reception()
        me.on_news = small_jobs.hear_news
        me.listeners = (*me.listeners, reception.listen)
        me.reflexes = (*REFLEXES, small_jobs.enliven)
        me.habit = reception.attend
        me.look_again_ticks = greeter.KNOCK_TICKS
    return me


def people(catalogs: Mapping[str, Any]) -> list[Villager]:
    """Make every villager of the roster."""
    return [villager(name, catalogs) for name in ROSTER]
