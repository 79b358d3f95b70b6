"""The orders of a town keeper: a struct for each, the type of its answer, and its effect on a town.

`EmbeddedTown.execute_order` carries an order out. The server reads an order from the body of a
request (`msgspec.convert(document, KeeperOrder)`), and the command line either executes it or posts
it. An order is judged where it is executed, so a struct may hold values that no town accepts. A
refused order changes nothing.

A body spells a field by its wire name (`quest_id`), the journal by its attribute (`id`). Governors
give no orders: they propose, and hand in a document of the contract `execution-handoff.v1`.
"""

from collections.abc import Collection
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar

import msgspec

from thorp.kernel.errors import ConflictError, IllegalError, InvalidError, LimitError
from thorp.kernel.rng import KeyedDraws
from thorp.kernel.text import check_text
from thorp.town.embedded import tuning
from thorp.town.embedded.catalogue import KINDS, NEEDS
from thorp.town.embedded.new_day import draw_event
from thorp.town.embedded.projects import new_project
from thorp.town.embedded.quests import complete_mission, fail_mission, taken_quest_ids
from thorp.town.embedded.town import (
    FULL,
    LIST_LIMIT,
    METERS,
    NAME_LIMIT,
    Happening,
    Quest,
    Town,
    free_id,
)

Answer = TypeVar("Answer")

KEEPER: Final = "the town keeper"
RETAIN_DAYS_LIMIT: Final = 1_000_000
"""Some 2,700 years: the longest that receipts are kept, unless forever."""


class Order(
    msgspec.Struct, Generic[Answer], frozen=True, forbid_unknown_fields=True, tag_field="order"
):
    """An order of the keeper. Its type parameter is the type of its answer."""

    answer: ClassVar[Any]  # The type of the answer, by which a client reads it.


class TownOrder(Order[list[Happening]], frozen=True):
    """An order that changes one town, and is answered with what happened there."""

    answer = list[Happening]
    town_id: str


class CreateTown(Order[Town], frozen=True, tag="create_town"):
    """Found a town; the answer is the town."""

    answer = Town
    town_id: str


class AdvanceDay(Order[int], frozen=True, tag="advance_day"):
    """Let the next day begin in every town; the answer is that day."""

    answer = int


class RetainReceipts(Order[None], frozen=True, tag="retain_receipts"):
    """Set for how many days receipts are kept; None keeps them forever."""

    answer = None
    days: int | None


class SetPressure(TownOrder, frozen=True, tag="set_pressure"):
    """Set one meter of a town."""

    meter: str
    level: int  # In per mille.


class AddQuest(TownOrder, frozen=True, tag="add_quest"):
    """Post a quest."""

    title: str
    id: str | None = msgspec.field(default=None, name="quest_id")  # None gives it a free one.
    need: str = "hope"
    complexity: int = 3
    reward: int | None = None  # None pays what is usual for the complexity.


class AddProject(TownOrder, frozen=True, tag="add_project"):
    """Plan a project."""

    name: str
    id: str | None = msgspec.field(default=None, name="project_id")
    kind: str = "wall"


class CompleteMission(TownOrder, frozen=True, tag="complete_mission"):
    """Let the mission succeed now."""


class FailMission(TownOrder, frozen=True, tag="fail_mission"):
    """Let the mission fail now."""


class DrawEvent(TownOrder, frozen=True, tag="draw_event"):
    """Draw the next event of the deck now."""


KeeperOrder: TypeAlias = (
    CreateTown
    | AdvanceDay
    | SetPressure
    | AddQuest
    | AddProject
    | CompleteMission
    | FailMission
    | DrawEvent
    | RetainReceipts
)

TOWN_ORDERS: Final[dict[str, type[TownOrder]]] = {
    str(order.__struct_config__.tag): order
    for order in (SetPressure, AddQuest, AddProject, CompleteMission, FailMission, DrawEvent)
}
"""The orders to one town, by the name that a body and the journal give them."""


def check_order(order: Order[Any]) -> None:
    """Refuse an order that no world could execute, before a transaction begins for it."""
    match order:
        case CreateTown():
            check_name(order.town_id, "the id of a town")
        case TownOrder():
            check_text(order.town_id, "the id of a town")
        case RetainReceipts(days) if days is not None:
            if type(days) is not int or not 1 <= days <= RETAIN_DAYS_LIMIT:
                raise InvalidError(
                    f"receipts are kept for 1 to {RETAIN_DAYS_LIMIT} days, or forever", code="range"
                )


def apply_order(town: Town, order: TownOrder, draws: KeyedDraws) -> list[Happening]:
    """Change the town as the keeper orders, and return what happened. Refuses what the rules do not
    allow."""
    match order:
        case SetPressure():
            return [_set_pressure(town, order)]
        case AddQuest():
            return [_add_quest(town, order)]
        case AddProject():
            return [_add_project(town, order)]
        case CompleteMission() | FailMission():
            if town.mission is None:
                raise IllegalError("no mission is under way here", code="mission_absent")
            return [
                complete_mission(town) if isinstance(order, CompleteMission) else fail_mission(town)
            ]
        case DrawEvent():
            return [draw_event(town, draws)]
    raise TypeError(f"{type(order).__name__} is not an order to a town")


def check_name(name: object, label: str) -> str:
    """The name, if a board can show it and every store can keep it; `label` says what it names."""
    if not isinstance(name, str) or not name.strip():
        raise InvalidError(f"{label} must be a text that is not blank", code="name")
    if len(name) > NAME_LIMIT:
        raise LimitError(
            f"{label} has {len(name)} characters; at most {NAME_LIMIT}", code="name_length"
        )
    check_text(name, label)
    return name


def _check_whole(value: object, label: str, low: int, high: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidError(f"{label} must be a whole number", code="type")
    if not low <= value <= high:
        raise InvalidError(f"{label} must be in {low}..{high}, not {value}", code="range")
    return value


def _check_choice(value: object, label: str, choices: Collection[str]) -> str:
    if not isinstance(value, str) or value not in choices:
        raise InvalidError(
            f"{label} must be one of {', '.join(choices)}, not {value!r}", code="choice"
        )
    return value


def _set_pressure(town: Town, order: SetPressure) -> Happening:
    name = _check_choice(order.meter, "pressure", METERS)
    level = _check_whole(order.level, "the level, in per mille,", 0, FULL)
    before = getattr(town.meters, name)
    setattr(town.meters, name, level)
    return Happening("pressure_set", f"{name} goes from {before} to {level} per mille, by decree.")


def _add_quest(town: Town, order: AddQuest) -> Happening:
    title = check_name(order.title, "the title")
    need = _check_choice(order.need, "the need", NEEDS)
    complexity = _check_whole(order.complexity, "complexity", 0, tuning.COMPLEXITY_LIMIT)
    reward = tuning.REWARD_BASE + tuning.REWARD_PER_COMPLEXITY * complexity
    if order.reward is not None:
        reward = _check_whole(order.reward, "reward", 0, tuning.REWARD_LIMIT)
    quest_id = _new_id(order.id, "quest", "sq", town.next_quest, taken_quest_ids(town))
    if len(town.quests) >= LIST_LIMIT:
        raise LimitError(
            f"{LIST_LIMIT} quests are open here already; that is the most", code="quest_limit"
        )
    if order.id is None:
        town.next_quest += 1
    town.quests.append(
        Quest(
            id=quest_id,
            title=title,
            need=need,
            complexity=complexity,
            reward=reward,
            giver=KEEPER,
            posted=town.day,
        )
    )
    return Happening("quest_posted", f"{KEEPER} asks: {title}.")


def _add_project(town: Town, order: AddProject) -> Happening:
    name = check_name(order.name, "the name")
    kind = _check_choice(order.kind, "the kind", KINDS)
    taken = [project.id for project in town.projects]
    project_id = _new_id(order.id, "project", kind, town.next_project, taken)
    if len(town.projects) >= LIST_LIMIT:
        raise LimitError(
            f"{LIST_LIMIT} projects are on the board already; that is the most",
            code="project_limit",
        )
    if order.id is None:
        town.next_project += 1
    town.projects.append(new_project(project_id, name, kind))
    return Happening("project_planned", f"A plan is drawn: {name}.")


def _new_id(given: object, noun: str, prefix: str, number: int, taken: list[str]) -> str:
    """The id that the keeper gives a new quest or project, or else a free one."""
    if given is None:
        return free_id(prefix, number, taken)
    name = check_name(given, f"the id of a {noun}")
    if name in taken:
        raise ConflictError(
            f"there is a {noun} {name!r} here already; give another id", code=f"{noun}_exists"
        )
    return name
