"""Oracles of the family `govern`: they try each act on a copy of the town, and take the best."""

from collections.abc import Callable
from typing import Any, Final

from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.tasks.episode import Episode
from thorp.tasks.goal import Leaf, leaves, read_goal
from thorp.tasks.town_engine import TownEngine

TALK: Final[Json] = {"type": "TOWNSFOLK_TALK", "args": {"talkType": "morale-boost"}}
SALVAGE: Final[Json] = {"type": "SALVAGE_PLAN", "args": {"focus": "general"}}
SALVAGE_FOOD: Final[Json] = {"type": "SALVAGE_PLAN", "args": {"focus": "scarcity"}}
# From here on another cheering word may bring less than what else there is to do.
HOPES: Final = (760, 900, 1000, 600)


def govern_mission(episode: Episode) -> None:
    """Accept the first quest, then talk."""
    episode.act(easiest_quest(episode))
    repeat(episode, TALK)


def govern_hope(episode: Episode) -> None:
    """Talk all the time."""
    repeat(episode, TALK)


def govern_wall(episode: Episode) -> None:
    """Salvage once, then build as long as the stores last."""
    episode.act(SALVAGE)
    while not episode.is_over:
        episode.act(step_of(episode, "wall") or SALVAGE)


def govern_stores(episode: Episode) -> None:
    """Build the granary, then bring in food."""
    while not episode.is_over:
        stands = town_of(episode).town.works.get("granary")
        step = None if stands else step_of(episode, "granary")
        episode.act(step or SALVAGE_FOOD)


def govern_quest(episode: Episode) -> None:
    """Try on copies which quest comes to a good end, if hope is kept up to what level."""
    quests = town_of(episode).town.quests
    plans = [(quest.id, hope) for quest in quests for hope in HOPES]
    for quest, hope in plans:
        copy = episode.clone()
        carry_quest(copy, quest, hope)
        if copy.exact_score == 1:
            carry_quest(episode, quest, hope)
            return


def carry_quest(episode: Episode, quest: str, enough_hope: int) -> None:
    """Accept a quest, keep hope up, and bring threat down."""
    episode.act({"type": "MAYOR_ACCEPT_MISSION", "args": {"missionId": quest}})
    while not episode.is_over:
        if town_of(episode).town.meters.hope < enough_hope:
            episode.act(TALK)
        else:
            episode.act(step_of(episode, "wall") or step_of(episode, None) or SALVAGE)


def govern_calm(episode: Episode) -> None:
    """Go to where the meters should be."""
    towards_meters(episode)


def govern_neglected(episode: Episode) -> None:
    """Go to where the meters should be."""
    towards_meters(episode)


def govern_works(episode: Episode) -> None:
    """Build whatever can be paid, salvage for the rest."""
    while not episode.is_over:
        works = town_of(episode).town.works
        kind = "granary" if works.get("wall") else "wall"
        episode.act(step_of(episode, kind) or SALVAGE)


def towards_meters(episode: Episode) -> None:
    """Take what brings the meters nearest to their marks, with some room to spare."""
    (wanted,) = arguments(episode, "pressure")
    room = 60

    def distance(engine: TownEngine) -> float:
        meters = engine.town.meters
        total = 0.0
        for name, (low, high) in wanted.items():
            level = getattr(meters, name)
            beyond = max(0, low + room - level) if low else max(0, level - high + room)
            total += beyond + level * (-0.01 if low else 0.01)
        # What is built lasts; words fade.
        return -total + 30 * sum(project.step for project in engine.town.projects)

    steer(episode, distance)


def steer(episode: Episode, worth: Callable[[TownEngine], float]) -> None:
    """Play each act that leads to the best town at once."""
    while not episode.is_over:
        engine = town_of(episode)
        tried = [(worth(after), act) for act in engine.possible if (after := tried_on(engine, act))]
        episode.act(max(tried, key=lambda pair: pair[0])[1])


def tried_on(engine: TownEngine, act: Json) -> TownEngine | None:
    """The town after an act, with nothing else that day."""
    copy = engine.clone()
    try:
        copy.submit(act)
    except InvalidError:
        return None
    return copy


def step_of(episode: Episode, kind: str | None) -> Json | None:
    """The next step of a project of this kind, or of any, if it can be made."""
    kinds = {project.id: project.kind for project in town_of(episode).town.projects}
    steps = [act for act in town_of(episode).possible if act.get("type") == "PROJECT_ADVANCE"]
    return next((act for act in steps if kind in (None, kinds[act["args"]["projectId"]])), None)


def easiest_quest(episode: Episode) -> Json:
    """The acceptance of the least complex quest."""
    quest = min(town_of(episode).town.quests, key=lambda each: (each.complexity, each.id))
    return {"type": "MAYOR_ACCEPT_MISSION", "args": {"missionId": quest.id}}


def arguments(episode: Episode, kind: str) -> list[Any]:
    """What the goal says of its leaves of a kind."""
    found = leaves(read_goal(episode.row("test").goal))
    return [leaf.argument for leaf in found if isinstance(leaf, Leaf) and leaf.kind == kind]


def town_of(episode: Episode) -> TownEngine:
    """The engine of an episode."""
    assert isinstance(episode.engine, TownEngine)
    return episode.engine


def repeat(episode: Episode, act: Json) -> None:
    """Do one thing to the end."""
    while not episode.is_over:
        episode.act(act)


def talk_only(episode: Episode) -> None:
    """Only talk."""
    repeat(episode, TALK)


def one_salvage(episode: Episode) -> None:
    """Only salvage, always the same way."""
    repeat(episode, SALVAGE_FOOD)


CANARIES = {"talk-only": talk_only, "one-salvage": one_salvage}
