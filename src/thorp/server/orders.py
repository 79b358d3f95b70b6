"""What a keeper orders, and what is listed of a town: values that travel, and mean the same on both ends.

An order has the name and the arguments of the method of `EmbeddedTown` that carries it out and judges it.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from thorp.kernel.canonical import Json
from thorp.town.embedded.meters import METERS
from thorp.town.embedded.town import FULL, Happening, Town
from thorp.town.service import EmbeddedTown

Done: TypeAlias = Town | int | list[Happening] | None


class _Order(msgspec.Struct, forbid_unknown_fields=True, tag_field="order"):
    def carry_out(self, world: EmbeddedTown) -> Done:
        done: Done = getattr(world, str(self.__struct_config__.tag))(**msgspec.structs.asdict(self))
        return done


class _TownOrder(_Order):
    town_id: str


class CreateTown(_TownOrder, tag="create_town"): ...


class AdvanceDay(_Order, tag="advance_day"): ...


class SetPressure(_TownOrder, tag="set_pressure"):
    meter: str
    level: int


class AddQuest(_TownOrder, tag="add_quest"):
    title: str
    quest_id: str | None = None
    need: str = "hope"
    complexity: int = 3
    reward: int | None = None


class AddProject(_TownOrder, tag="add_project"):
    name: str
    project_id: str | None = None
    kind: str = "wall"


class CompleteMission(_TownOrder, tag="complete_mission"): ...


class FailMission(_TownOrder, tag="fail_mission"): ...


class DrawEvent(_TownOrder, tag="draw_event"): ...


class RetainReceipts(_Order, tag="retain_receipts"):
    days: int | None


Order: TypeAlias = (
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


def town_of(order: Order) -> str | None:
    """The town that an order concerns; None if it concerns all."""
    return order.town_id if isinstance(order, _TownOrder) else None


def summary(town: Town) -> dict[str, Json]:
    """What a list of towns says of one."""
    pressure = {name: getattr(town.meters, name) / FULL for name in METERS}
    return {"townId": town.town_id, "day": town.day, "population": town.population, "pressure": pressure}
