"""The buildings of a world, for the page: who built each of them, for whom, and who lives there.

The world itself keeps only the newest structures of each builder, and forgets a contract some time
after it was fulfilled. So each building is noted when it is finished. The world has no rule for
who lives in a house, so that is taken from what citizens say in public.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from thorp.voxel import Position, World
from thorp.voxel.lookups.indexes import index_of
from thorp.voxel.state.records import Contract, Structure
from thorp.voxel.systems import blueprints

# The oldest are forgotten first. A village has a hundred buildings after a month.
BUILDINGS_KEPT: Final = 1_000
HOMES_KEPT: Final = 1_000
# How long an answer to whether a building stands is good: it takes a look at all its blocks.
BELIEVED_TICKS: Final = 600
# A home is named by a cell in it or beside it.
HOME_MARGIN: Final = 2
# The mayor's own words, as villagers understand them.
_HOME: Final = re.compile(
    r"The house at (-?\d{1,6}) (-?\d{1,6}) (-?\d{1,6}) is (\w{1,64})'s\.", re.ASCII
)

Items = dict[str, int]


class Building(msgspec.Struct, kw_only=True):
    """A structure, as it was when it was finished."""

    tick: int
    id: str
    blueprint_id: str
    builder: str
    anchor: Position
    rotation: int
    low: Position
    high: Position
    contract: str = ""
    """The contract that it fulfilled, if somebody asked for it."""
    asked_by: str = ""
    asked_tick: int = 0


class Home(msgspec.Struct, kw_only=True):
    """Where somebody lives since a tick, as a citizen said."""

    tick: int
    at: Position
    resident: str
    said_by: str


class Resident(msgspec.Struct):
    """Who lives in a building, and since when."""

    id: str
    since_tick: int
    said_by: str


class ShownBuilding(msgspec.Struct, kw_only=True):
    """A building, as spectators are shown it."""

    id: str
    blueprint_id: str
    builder: str
    anchor: Position
    low: Position
    high: Position
    completed_tick: int
    cost: Items
    contract: str
    asked_by: str
    asked_tick: int
    residents: list[Resident]
    """Everybody who was ever said to live there, in that order."""
    stands: bool
    """Whether most of its blocks are where they were put."""


class BuildingRegister:
    """All buildings that were noted, and who was said to live where."""

    def __init__(self) -> None:
        self._buildings: dict[str, Building] = {}
        self._homes: list[Home] = []
        self._standing: dict[str, tuple[int, bool]] = {}
        """By id: when it was last looked at, and whether it stood."""

    def take(self, record: Building | Home) -> None:
        """Note a building or a home. The oldest ones make room."""
        if isinstance(record, Home):
            self._homes = [*self._homes, record][-HOMES_KEPT:]
            return
        self._buildings.pop(record.id, None)
        self._buildings[record.id] = record
        if len(self._buildings) > BUILDINGS_KEPT:
            oldest = next(iter(self._buildings))
            del self._buildings[oldest]
            self._standing.pop(oldest, None)

    def records(self) -> list[Building | Home]:
        """Everything that was noted."""
        return [*self._buildings.values(), *self._homes]

    def seed(self, world: World) -> None:
        """Note the structures of the world that are missing here: the file of the annals may have
        been removed."""
        for structure in sorted(world.structures, key=lambda each: (each.completed_tick, each.id)):
            if structure.id not in self._buildings:
                self.take(_building(world, structure))

    def shown(self, world: World) -> list[ShownBuilding]:
        """Every building, the oldest first."""
        return [
            ShownBuilding(
                id=building.id,
                blueprint_id=building.blueprint_id,
                builder=building.builder,
                anchor=building.anchor,
                low=building.low,
                high=building.high,
                completed_tick=building.tick,
                cost=_cost(world, building.blueprint_id),
                contract=building.contract,
                asked_by=building.asked_by,
                asked_tick=building.asked_tick,
                residents=self._residents(building),
                stands=self._stands(world, building),
            )
            for building in list(self._buildings.values())  # another thread adds to them
        ]

    def get(self, building_id: str) -> Building | None:
        return self._buildings.get(building_id)

    def _residents(self, building: Building) -> list[Resident]:
        return [
            Resident(home.resident, home.tick, home.said_by)
            for home in self._homes
            if home.tick >= building.tick and _is_near(home.at, building)
        ]

    def _stands(self, world: World, building: Building) -> bool:
        """Whether a building stands. The world looks after those that it knows itself."""
        if building.id in world.structures:
            return True
        tick, stood = self._standing.get(building.id, (-BELIEVED_TICKS, True))
        if world.tick - tick < BELIEVED_TICKS:
            return stood
        stands = _is_mostly_there(world, building)
        self._standing[building.id] = world.tick, stands
        return stands


def news(world: World) -> Iterator[Building | Home]:
    """The buildings and homes that a tick brought."""
    for event in world.scratch.public_events:
        if event["kind"] == "BUILT":
            yield from _finished(world, event)
        elif event["kind"] == "CHAT":
            yield from _said_homes(world, event)


def _finished(world: World, event: dict[str, object]) -> Iterator[Building]:
    for structure in index_of(world).structures_of.get(str(event["agent"]), {}).values():
        if (
            structure.completed_tick == world.tick
            and structure.blueprint_id == event["blueprint_id"]
            and structure.anchor == event["pos"]
        ):
            yield _building(world, structure)


def _building(world: World, structure: Structure) -> Building:
    contract = _contract_of(world.contracts, structure)
    return Building(
        tick=structure.completed_tick,
        id=structure.id,
        blueprint_id=structure.blueprint_id,
        builder=structure.builder,
        anchor=structure.anchor,
        rotation=structure.rotation,
        low=structure.low,
        high=structure.high,
        contract="" if contract is None else contract.id,
        asked_by="" if contract is None else contract.poster,
        asked_tick=0 if contract is None else contract.created_tick,
    )


def _contract_of(contracts: Iterable[Contract], structure: Structure) -> Contract | None:
    """The newest contract that asked for a building where it stands."""
    asking = [
        contract
        for contract in contracts
        if contract.kind == "BUILD"
        and contract.blueprint_id == structure.blueprint_id
        and contract.anchor == structure.anchor
        and contract.created_tick <= structure.completed_tick
        and contract.state in ("ACCEPTED", "COMPLETED")
        and contract.acceptor == structure.builder
    ]
    return max(asking, key=lambda contract: contract.id, default=None)


def _said_homes(world: World, event: dict[str, object]) -> Iterator[Home]:
    """Who lives where, according to a citizen: as data, or in the mayor's own words."""
    speaker = str(event.get("from", ""))
    ranks = [org.members[speaker] for org in world.orgs if _is_city(org, speaker)]
    if not ranks:
        return
    data = event.get("data")
    home = data.get("home") if isinstance(data, dict) else None
    if home is not None:
        yield from _home_of_data(world, home, speaker)
    elif "LEADER" in ranks:
        for match in _HOME.finditer(str(event.get("text", ""))):
            x, y, z = (int(match[axis]) for axis in (1, 2, 3))
            resident = _citizen_called(world, match[4])
            if resident:
                yield Home(tick=world.tick, at=(x, y, z), resident=resident, said_by=speaker)


def _is_city(org: Any, member: str) -> bool:
    return org.kind == "CITY" and member in org.members


def _home_of_data(world: World, home: Any, speaker: str) -> Iterator[Home]:
    try:
        saying = msgspec.convert(home, _SaidHome)
    except msgspec.ValidationError:
        return
    if world.agent_by_id(saying.of) is not None:
        yield Home(tick=world.tick, at=saying.at, resident=saying.of, said_by=speaker)


class _SaidHome(msgspec.Struct):
    """`home` in the data of a public message."""

    at: Position
    of: str


def _citizen_called(world: World, name: str) -> str:
    """The first citizen of a name; empty if there is none."""
    citizens = (member for org in world.orgs if org.kind == "CITY" for member in org.members)
    for citizen in citizens:
        agent = world.agent_by_id(citizen)
        if agent is not None and agent.name == name:
            return citizen
    return ""


def _is_near(place: Position, building: Building) -> bool:
    return all(
        building.low[axis] - HOME_MARGIN <= place[axis] <= building.high[axis] + HOME_MARGIN
        for axis in range(3)
    )


def _cost(world: World, blueprint_id: str) -> Items:
    blueprint = world.catalogs.blueprints.get(blueprint_id)
    return {} if blueprint is None else {stack.item: stack.count for stack in blueprint.cost}


def _is_mostly_there(world: World, building: Building) -> bool:
    if building.blueprint_id not in world.catalogs.blueprints:
        return False
    plan = blueprints.plan_of(world, building.blueprint_id, building.anchor, building.rotation)
    if not all(world.ground.in_use(x >> 4, z >> 4) for x, _, z in plan):
        return True  # Nobody is near it, so nobody has changed it, and looking would generate it.
    return 2 * blueprints.blocks_standing(world, plan) > len(plan)
