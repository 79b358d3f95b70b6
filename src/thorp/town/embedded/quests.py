"""Quests: townsfolk ask for what the town lacks, and the quest that is accepted is the mission.

The mission advances a little each day. Completing it brings a reward; failing it costs hope.
"""

from thorp.town.embedded import tuning
from thorp.town.embedded.catalogue import NEEDS
from thorp.town.embedded.town import (
    FULL,
    METERS,
    STOCKS,
    DayDraws,
    Happening,
    Mission,
    Quest,
    Town,
    free_id,
)
from thorp.town.handoff_judge import RuleRefused


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
    """The meter that is worst off, with some luck added to each so that needs take turns."""
    lacks = {
        name: (FULL - level if name == "hope" else level)
        + chance.below(tuning.NEED_LUCK, "need", index)
        for index, name in enumerate(METERS)
        for level in [getattr(town.meters, name)]
    }
    return max(lacks, key=lambda name: lacks[name])


def post_quest(town: Town, need: str, chance: DayDraws, index: int) -> Quest:
    """Post a quest for a need; `index` separates the draws of several quests on one day."""
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
    """The ids that a new quest may not have: those of open quests and of the mission."""
    return [quest.id for quest in town.quests] + ([town.mission.id] if town.mission else [])


def accept_mission(town: Town, quest_id: str) -> list[Happening]:
    """The proposal `MAYOR_ACCEPT_MISSION`: make a quest the mission."""
    if (mission := town.mission) is not None:
        raise RuleRefused(
            f"{mission.title!r} is under way; one mission at a time", code="mission_active"
        )
    quest = next((each for each in town.quests if each.id == quest_id), None)
    if quest is None:
        raise RuleRefused(f"no quest {quest_id!r} is open here", code="quest_unknown")
    town.quests.remove(quest)
    town.mission = Mission(
        id=quest.id,
        title=quest.title,
        description=f"{quest.giver} asks for it.",
        need=quest.need,
        complexity=quest.complexity,
        reward=quest.reward,
        progress=0,
        due=town.day + tuning.MISSION_DAYS + quest.complexity,
    )
    town.meters.push("hope", tuning.ACCEPT_HOPE)
    return [Happening("mission_accepted", f"The town takes on: {quest.title}.")]


def carry_mission(town: Town, chance: DayDraws) -> list[Happening]:
    """Do one day's work on the mission, which may then succeed or run out of time."""
    mission = town.mission
    if mission is None:
        return []
    pace = (
        tuning.MISSION_PACE
        + town.meters.hope // tuning.MISSION_HOPE_SHARE
        - town.meters.threat // tuning.MISSION_THREAT_SHARE
        - mission.complexity * tuning.MISSION_COMPLEXITY_DRAG
        + chance.below(2 * tuning.MISSION_LUCK + 1, "luck")
        - tuning.MISSION_LUCK
    )
    mission.progress = min(FULL, mission.progress + max(tuning.MISSION_LEAST_PACE, pace))
    if mission.progress >= FULL:
        return [complete_mission(town)]
    if town.day >= mission.due:
        return [fail_mission(town)]
    return []


def complete_mission(town: Town) -> Happening:
    """End the mission that is under way with success, and give its reward."""
    mission = town.mission
    assert mission is not None
    need = NEEDS[mission.need]
    for stock in STOCKS:
        town.store(stock, mission.reward * (1 + getattr(need, stock)) // tuning.REWARD_STOCK_SHARE)
    town.meters.relieve(mission.need, tuning.WON_PUSH)
    town.meters.push("hope", tuning.WON_HOPE)
    town.mission = None
    return Happening("mission_completed", f"Done: {mission.title}.")


def fail_mission(town: Town) -> Happening:
    """End the mission that is under way without success."""
    mission = town.mission
    assert mission is not None
    town.meters.push("hope", -tuning.LOST_HOPE)
    town.meters.push("dread", tuning.LOST_DREAD)
    town.mission = None
    return Happening("mission_failed", f"Given up: {mission.title}.")
