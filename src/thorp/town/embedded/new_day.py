"""What a new day does. Every draw is keyed by day, town and purpose, so the order of calls never matters.

The parts run in one order, each seeing what the ones before it left: the harvest feeds the town, meters drift
to where they rest, the mission goes on, the nether may send an event, townsfolk ask, plan, come and go.
"""

from thorp.kernel.rng import KeyedDraws
from thorp.town.embedded import tuning
from thorp.town.embedded.catalogue import NEEDS
from thorp.town.embedded.draws import DayDraws, draw_event
from thorp.town.embedded.missions import carry_mission
from thorp.town.embedded.projects import level_of, plan_project, plan_projects, weather
from thorp.town.embedded.town import (
    METERS,
    STOCKS,
    Happening,
    Meters,
    Stocks,
    Today,
    Town,
    clamped,
    drifted,
    store,
)
from thorp.town.embedded.townsfolk import come_and_go, post_quest, settle_folk, townsfolk_ask


def found_town(town_id: str, day: int, draws: KeyedDraws) -> tuple[Town, list[Happening]]:
    """A new town, on the day the world has."""
    town = Town(
        town_id=town_id,
        day=day,
        meters=Meters(**tuning.START_METERS),
        stocks=Stocks(**tuning.START_STOCKS),
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
    """Let the town's next day begin."""
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
    """A day of the stores: some of them spoils, the harvest and the day's work come in, and the town eats."""
    granaries = level_of(town, "granary")
    harvest = tuning.FIELDS_FOOD + town.population // tuning.HANDS_PER_FOOD + granaries * tuning.GRANARY_FOOD
    for stock in STOCKS:
        store(town, stock, -(getattr(town.stocks, stock) // tuning.SPOIL_DAYS))
    store(town, "food", harvest - town.population)
    store(town, "timber", town.population // tuning.PEOPLE_PER_TIMBER)
    store(town, "iron", town.population // tuning.PEOPLE_PER_IRON)


def _drift(town: Town, chance: DayDraws) -> None:
    meters = town.meters
    stored_days = town.stocks.food // max(1, town.population)
    strain = max(0, meters.scarcity + meters.dread - tuning.STRAIN_BORNE) // tuning.HOPE_STRAIN_SHARE
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
