"""The mission: carried a little further each day, won with a reward or lost with a blow."""

from thorp.town.embedded import tuning
from thorp.town.embedded.catalogue import NEEDS
from thorp.town.embedded.draws import DayDraws
from thorp.town.embedded.town import FULL, STOCKS, Happening, Town, push_meter, relieve, store


def carry_mission(town: Town, chance: DayDraws) -> list[Happening]:
    """One day's work on the mission; it may be won by it, or run out of time."""
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
        store(town, stock, mission.reward * (1 + getattr(need, stock)) // tuning.REWARD_STOCK_SHARE)
    relieve(town.meters, need.meter, tuning.WON_PUSH)
    push_meter(town.meters, "hope", tuning.WON_HOPE)
    town.mission = None
    return Happening("mission_completed", f"Done: {mission.title}.")


def fail_mission(town: Town) -> Happening:
    """End the mission that is under way without success."""
    mission = town.mission
    assert mission is not None
    push_meter(town.meters, "hope", -tuning.LOST_HOPE)
    push_meter(town.meters, "dread", tuning.LOST_DREAD)
    town.mission = None
    return Happening("mission_failed", f"Given up: {mission.title}.")
