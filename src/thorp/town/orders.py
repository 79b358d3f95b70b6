"""The orders of a town keeper, as values: one struct per order, with the answer that it gets.

`EmbeddedTown.execute_order` carries an order out. The server reads an order from the body of a request
(`msgspec.convert(document, KeeperOrder)`), and the command line either executes it or posts it. An order is
judged where it is executed, so a struct may hold values that no town accepts.

A body spells a field by its wire name (`quest_id`), the journal by its attribute (`id`). Governors give no
orders: they propose, and hand in a document of the contract `execution-handoff.v1`.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar

import msgspec

from thorp.kernel.canonical import Json
from thorp.town.embedded.town import Happening, Town

Answer = TypeVar("Answer")


class Order(msgspec.Struct, Generic[Answer], frozen=True, forbid_unknown_fields=True, tag_field="order"):
    """Something that a keeper asks for."""

    answer: ClassVar[Any]
    """The type of the answer, by which a client reads it."""


class TownOrder(Order[list[Happening]], frozen=True):
    """An order that changes one town, and is answered with what happened there."""

    answer = list[Happening]
    town_id: str

    def arguments(self) -> dict[str, Json]:
        """Everything but the town, by attribute."""
        fields = msgspec.structs.asdict(self)
        del fields["town_id"]
        return fields


class CreateTown(Order[Town], frozen=True, tag="create_town"):
    answer = Town
    town_id: str


class AdvanceDay(Order[int], frozen=True, tag="advance_day"):
    """Let the next day begin in every town; the answer is that day."""

    answer = int


class RetainReceipts(Order[None], frozen=True, tag="retain_receipts"):
    answer = None
    days: int | None


class SetPressure(TownOrder, frozen=True, tag="set_pressure"):
    meter: str
    level: int
    """In per mille."""


class AddQuest(TownOrder, frozen=True, tag="add_quest"):
    title: str
    id: str | None = msgspec.field(default=None, name="quest_id")
    """None gives it a free one."""
    need: str = "hope"
    complexity: int = 3
    reward: int | None = None
    """None pays what is usual for the complexity."""


class AddProject(TownOrder, frozen=True, tag="add_project"):
    name: str
    id: str | None = msgspec.field(default=None, name="project_id")
    kind: str = "wall"


class CompleteMission(TownOrder, frozen=True, tag="complete_mission"): ...


class FailMission(TownOrder, frozen=True, tag="fail_mission"): ...


class DrawEvent(TownOrder, frozen=True, tag="draw_event"): ...


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
"""Every order there is."""

TOWN_ORDERS: Final[dict[str, type[TownOrder]]] = {
    str(order.__struct_config__.tag): order
    for order in (SetPressure, AddQuest, AddProject, CompleteMission, FailMission, DrawEvent)
}
"""The orders to one town, by the name that a body and the journal give them."""
