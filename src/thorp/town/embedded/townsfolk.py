"""Townsfolk: they ask for what the town lacks, come where it is good to live, and leave where it is not."""

from thorp.town.embedded import tuning
from thorp.town.embedded.catalogue import BY_NAMES, FIRST_NAMES, NEEDS, TRADES
from thorp.town.embedded.draws import DayDraws
from thorp.town.embedded.town import FULL, METERS, Happening, Person, Quest, Town, free_id


def townsfolk_ask(town: Town, chance: DayDraws) -> list[Happening]:
    """Withdraw quests that nobody took, and perhaps post one."""
    happenings = []
    for quest in [each for each in town.quests if town.day - each.posted >= tuning.QUEST_DAYS]:
        town.quests.remove(quest)
        happenings.append(Happening("quest_withdrawn", f"Nobody came for: {quest.title}."))
    if len(town.quests) < tuning.OPEN_QUESTS and chance.happens(tuning.QUEST_CHANCE, "quest"):
        quest = post_quest(town, _most_needed(town, chance), chance, 0)
        happenings.append(Happening("quest_posted", f"{quest.giver} asks: {quest.title}."))
    return happenings


def _most_needed(town: Town, chance: DayDraws) -> str:
    """What the town lacks most, with some chance in it."""
    lacks = {
        name: (FULL - level if name == "hope" else level) + chance.below(tuning.NEED_LUCK, "need", index)
        for index, name in enumerate(METERS)
        for level in [getattr(town.meters, name)]
    }
    return max(lacks, key=lambda name: lacks[name])


def post_quest(town: Town, need: str, chance: DayDraws, index: int) -> Quest:
    """Post a quest for a need; `index` keeps the draws of several on one day apart."""
    complexity = chance.below(tuning.COMPLEXITY_LIMIT + 1, "complexity", index)
    titles = NEEDS[need].titles
    person = town.folk[chance.below(len(town.folk), "giver", index)]
    quest = Quest(
        id=free_id("sq", town.next_quest, taken_quest_ids(town)),
        title=titles[chance.below(len(titles), "title", index)],
        need=need,
        complexity=complexity,
        reward=tuning.REWARD_BASE + tuning.REWARD_PER_COMPLEXITY * complexity,
        giver=f"{person.name} the {person.trade}",
        posted=town.day,
    )
    town.next_quest += 1
    town.quests.append(quest)
    return quest


def taken_quest_ids(town: Town) -> list[str]:
    """Ids a new quest may not have: those of open quests and of the mission."""
    return [quest.id for quest in town.quests] + ([town.mission.id] if town.mission else [])


def come_and_go(town: Town, chance: DayDraws) -> list[Happening]:
    """Perhaps someone leaves, or comes to stay."""
    leaves = _is_hard(town) and town.population > tuning.LEAST_POPULATION
    if leaves and chance.happens(tuning.LEAVE_CHANCE, "leave"):
        town.population -= 1
        return [Happening("left", "Someone packs a cart and leaves.")]
    stays = _is_inviting(town) and town.population < tuning.MOST_POPULATION
    if stays and chance.happens(tuning.GROW_CHANCE, "grow"):
        town.population += 1
        return [Happening("came", "A newcomer asks for a roof and stays.")]
    return []


def _is_hard(town: Town) -> bool:
    return (
        town.stocks.food == 0
        or town.meters.scarcity > tuning.LEAVE_ABOVE_SCARCITY
        or town.meters.dread > tuning.LEAVE_ABOVE_DREAD
    )


def _is_inviting(town: Town) -> bool:
    return (
        town.stocks.food >= town.population * tuning.GROW_STORED_DAYS
        and town.meters.scarcity < tuning.GROW_BELOW_SCARCITY
        and town.meters.hope > tuning.GROW_ABOVE_HOPE
    )


def settle_folk(town: Town, chance: DayDraws) -> None:
    """Keep one named person for every `PEOPLE_PER_NAMED_FOLK` people: they speak for the others."""
    wanted = max(1, town.population // tuning.PEOPLE_PER_NAMED_FOLK)
    del town.folk[wanted:]
    while len(town.folk) < wanted:
        place = len(town.folk)
        first = FIRST_NAMES[chance.below(len(FIRST_NAMES), "first name", place)]
        by_name = BY_NAMES[chance.below(len(BY_NAMES), "by name", place)]
        trade = TRADES[chance.below(len(TRADES), "trade", place)]
        town.folk.append(Person(f"{first} {by_name}", trade))
