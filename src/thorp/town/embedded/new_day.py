"""Makes a new town, and begins a new day in one.

The steps of a day run in one order, each on what the ones before it left: the harvest feeds the
town, meters drift to where they rest, the mission advances, the nether may send an event, townsfolk
ask, plan, come and go. Every draw is keyed by day, town and purpose, so a step that draws more or
less does not change the luck of another.
"""

from thorp.kernel.rng import KeyedDraws
from thorp.town.embedded import town as town_state
from thorp.town.embedded import tuning
from thorp.town.embedded.catalogue import BY_NAMES, DECK, FIRST_NAMES, NEEDS, TRADES
from thorp.town.embedded.projects import level_of, plan_project, plan_projects, weather
from thorp.town.embedded.quests import carry_mission, post_quest, townsfolk_ask
from thorp.town.embedded.town import FULL, METERS, STOCKS, DayDraws, Happening, Today, Town


def new_town(town_id: str, day: int, draws: KeyedDraws) -> tuple[Town, list[Happening]]:
    """Make a town on the world's current day: its people, two projects and a quest for each
    need."""
    town = Town(
        town_id=town_id,
        day=day,
        meters=town_state.Meters(**tuning.START_METERS),
        stocks=town_state.Stocks(**tuning.START_STOCKS),
        population=tuning.START_POPULATION,
        folk=[],
        mission=None,
        quests=[],
        projects=[],
        works={},
        event=None,
        event_day=day,
        deck_place=0,
        next_quest=1,
        next_project=1,
        today=Today(),
    )
    chance = DayDraws(draws, town)
    settle_folk(town, chance)
    for kind in ("wall", "granary"):
        plan_project(town, kind, 0)
    for index, need in enumerate(NEEDS):
        post_quest(town, need, chance, index)
    return town, [Happening("founded", f"{len(town.folk)} families of note settle here.")]


def begin_day(town: Town, draws: KeyedDraws) -> list[Happening]:
    """Begin the next day in a town, and return what happened."""
    town.day += 1
    town.today = Today()
    chance = DayDraws(draws, town)
    happenings: list[Happening] = []
    _feed(town)
    _drift(town, chance)
    happenings += carry_mission(town, chance)
    happenings += weather(town, chance)
    if chance.happens(tuning.EVENT_CHANCE, "event"):
        happenings.append(draw_event(town, draws))
    elif town.event is not None and town.day - town.event_day >= tuning.EVENT_SHOWN_DAYS:
        town.event = None
    happenings += townsfolk_ask(town, chance)
    happenings += plan_projects(town, chance)
    happenings += come_and_go(town, chance)
    settle_folk(town, chance)
    return happenings


def _feed(town: Town) -> None:
    """Change the stores by a day: some of each stock spoils, harvest and work come in, and the town
    eats."""
    granaries = level_of(town, "granary")
    harvest = (
        tuning.FIELDS_FOOD
        + town.population // tuning.HANDS_PER_FOOD
        + granaries * tuning.GRANARY_FOOD
    )
    for stock in STOCKS:
        town.store(stock, -(getattr(town.stocks, stock) // tuning.SPOIL_DAYS))
    town.store("food", harvest - town.population)
    town.store("timber", town.population // tuning.PEOPLE_PER_TIMBER)
    town.store("iron", town.population // tuning.PEOPLE_PER_IRON)


def drifted(level: int, rest: int, days: int) -> int:
    """The level after a day's drift: one part in `days` of the way to its rest, at least one
    step."""
    gap = rest - level
    if gap == 0:
        return level
    step = abs(gap) // days or 1
    return level + step if gap > 0 else level - step


def clamped(level: int) -> int:
    """The level, kept within the range of a meter."""
    return 0 if level < 0 else min(level, FULL)


def _drift(town: Town, chance: DayDraws) -> None:
    """Move every meter towards its rest, with some jitter. Works lower the rests of threat and
    dread, full stores that of scarcity; strain lowers hope's."""
    meters = town.meters
    stored_days = town.stocks.food // max(1, town.population)
    strain = (
        max(0, meters.scarcity + meters.dread - tuning.STRAIN_BORNE) // tuning.HOPE_STRAIN_SHARE
    )
    rests = {
        "threat": tuning.THREAT_REST - level_of(town, "wall") * tuning.WALL_RELIEF,
        "scarcity": max(
            tuning.LEAST_SCARCITY, tuning.HUNGER_SCARCITY - stored_days * tuning.STORED_DAY_RELIEF
        ),
        "hope": tuning.HOPE_REST - strain + level_of(town, "hall") * tuning.HALL_RELIEF,
        "dread": tuning.DREAD_REST
        + meters.threat // tuning.DREAD_THREAT_SHARE
        - level_of(town, "chapel") * tuning.CHAPEL_RELIEF,
    }
    for index, name in enumerate(METERS):
        level = drifted(getattr(meters, name), clamped(rests[name]), tuning.DRIFT_DAYS)
        jitter = chance.below(2 * tuning.JITTER + 1, "jitter", index) - tuning.JITTER
        setattr(meters, name, clamped(level + jitter))


def come_and_go(town: Town, chance: DayDraws) -> list[Happening]:
    """Let someone leave if life is hard, or come to stay if it is good, by chance."""
    food = town.stocks.food
    meters = town.meters
    people = town.population
    is_hard = (
        food == 0
        or meters.scarcity > tuning.LEAVE_ABOVE_SCARCITY
        or meters.dread > tuning.LEAVE_ABOVE_DREAD
    )
    if (
        is_hard
        and people > tuning.LEAST_POPULATION
        and chance.happens(tuning.LEAVE_CHANCE, "leave")
    ):
        town.population -= 1
        return [Happening("left", "Someone packs a cart and leaves.")]
    is_inviting = (
        food >= people * tuning.GROW_STORED_DAYS
        and meters.scarcity < tuning.GROW_BELOW_SCARCITY
        and meters.hope > tuning.GROW_ABOVE_HOPE
    )
    if (
        is_inviting
        and people < tuning.MOST_POPULATION
        and chance.happens(tuning.GROW_CHANCE, "grow")
    ):
        town.population += 1
        return [Happening("came", "A newcomer asks for a roof and stays.")]
    return []


def settle_folk(town: Town, chance: DayDraws) -> None:
    """Keep one named person for every `PEOPLE_PER_NAMED_FOLK` people: they speak for the others."""
    wanted = max(1, town.population // tuning.PEOPLE_PER_NAMED_FOLK)
    del town.folk[wanted:]
    while len(town.folk) < wanted:
        place = len(town.folk)
        first = FIRST_NAMES[chance.below(len(FIRST_NAMES), "first name", place)]
        by_name = BY_NAMES[chance.below(len(BY_NAMES), "by name", place)]
        trade = TRADES[chance.below(len(TRADES), "trade", place)]
        town.folk.append(town_state.Person(f"{first} {by_name}", trade))


def draw_event(town: Town, draws: KeyedDraws) -> Happening:
    """Play the next card of the town's deck. When the deck is used up it is shuffled again."""
    shuffle, place = divmod(town.deck_place, len(DECK))
    card = DECK[_shuffled(town.town_id, shuffle, draws)[place]]
    town.deck_place += 1
    for name in METERS:
        town.meters.push(name, getattr(card, name))
    for stock in STOCKS:
        town.store(stock, getattr(card, stock))
    town.event = card.name
    town.event_day = town.day
    return Happening("nether_event", f"{card.name}: {card.text}")


def _shuffled(town_id: str, shuffle: int, draws: KeyedDraws) -> list[int]:
    """The order of the cards in one shuffle of a town's deck (Fisher and Yates). It is computed
    anew for each card, so that a town stores nothing but how many it has drawn."""
    order = list(range(len(DECK)))
    for last in range(len(order) - 1, 0, -1):
        other = draws.below(last + 1, tick=shuffle, subject=town_id, purpose="deck", index=last)
        order[last], order[other] = order[other], order[last]
    return order
