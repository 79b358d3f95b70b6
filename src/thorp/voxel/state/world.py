"""A world in memory: its state, what is derived from the state, and the scratch of the running
tick.

    WorldState   follows from the seeds and the inputs; it is hashed and saved. Each kind of thing
                 has a table, whose digest follows its changes; the digest of the world is one hash
                 over theirs.
    Derived      `world.derived`: follows from the state, and is made anew when it is missing
    TickScratch  `world.scratch`: what one tick writes down about itself; a new value for every tick

`World` is a `WorldState` with the other two. What a rule may touch shows in its signature: a
function that takes a `WorldState` is checked (by mypy) to use neither derived values nor scratch;
one that takes a `World` may. The scratch hangs on the world instead of being one more argument,
because almost every rule can come to change a block, which is written down there: the argument
would stand in each signature and tell nothing.
"""

from collections.abc import Iterable
from hashlib import sha256
from operator import attrgetter
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from thorp.kernel.rng import KeyedDraws
from thorp.voxel.catalog import Catalogs
from thorp.voxel.extension import Extension, Row, RowKey
from thorp.voxel.refusal import Refusal
from thorp.voxel.state.agent import Agent, Bodies, Movement, Work
from thorp.voxel.state.ground import Ground, Position, Terrain, capacity_for
from thorp.voxel.state.listeners import Listeners
from thorp.voxel.state.records import (
    Claim,
    Contract,
    Director,
    Law,
    Notices,
    Org,
    Structure,
    Trade,
)
from thorp.voxel.state.table import Natural, Placed, Positive, Scattered, Table, encode
from thorp.voxel.state.unsaved import Derived, FixtureChange, TickScratch
from thorp.voxel.tuning import Tuning

BlockNumber = Annotated[int, Meta(ge=0, le=255)]
UnitStep = Annotated[int, Meta(ge=-1, le=1)]

_event_text = msgspec.json.Encoder(order="sorted").encode

SCALARS: Final = (
    "tick",
    "weather",
    "weather_until",
    "counters",
    "path_cursor",
    "season",
    "director",
)
"""What else is state, beside the seeds and `unsettled`: integers, texts and structs."""


class Container(msgspec.Struct):
    """A chest, a furnace or a terminal, with what lies in it."""

    kind: str
    position: Position
    stock: dict[str, Natural] = {}
    reserved: dict[str, Natural] = {}
    owed: dict[str, dict[str, Natural]] = {}

    @property
    def id(self) -> str:
        return block_id(self.kind, self.position)


class ItemEntity(msgspec.Struct):
    """Things lying in a cell."""

    number: Positive
    position: Position
    item: str
    count: Positive
    created_tick: Natural
    expires_tick: Natural

    @property
    def id(self) -> str:
        return f"IT{self.number:06d}"


class Sign(msgspec.Struct):
    """A sign, and who wrote it last."""

    position: Position
    text: str = ""
    updated_tick: Natural = 0
    updated_by: str = ""


class Conveyor(msgspec.Struct):
    """A belt, and the way it runs."""

    position: Position
    dx: UnitStep
    dz: UnitStep


class Switch(msgspec.Struct):
    """A switch, and whether it is on."""

    position: Position
    on: bool = False


class Board(msgspec.Struct):
    """A bulletin board that stands in the world."""

    position: Position


class Sensor(msgspec.Struct):
    """A sensor. What it senses is looked up, not kept."""

    position: Position


class Due(msgspec.Struct):
    """A block that will turn into another by itself."""

    position: Position
    tick: Natural
    block: BlockNumber  # What it must still be then.


class Counters(msgspec.Struct):
    """The last number that was given to each kind of thing."""

    agent: Natural = 0
    task: Natural = 0
    item: Natural = 0
    land: Natural = 0
    org: Natural = 0
    law: Natural = 0
    trade: Natural = 0
    post: Natural = 0
    contract: Natural = 0


class WorldState:
    """The state of one world, with the settings it was made with and the plainest ways to change
    it."""

    def __init__(
        self,
        *,
        seed: int,
        draw_seed: int,
        catalogs: Catalogs,
        tuning: Tuning,
        terrain: Terrain,
        listeners: Listeners,
    ) -> None:
        self.seed = seed
        self.draw_seed = draw_seed
        self.draws = KeyedDraws(draw_seed)
        self.catalogs = catalogs
        self.tuning = tuning
        self.listeners = listeners
        self.ground = Ground(terrain, tuning.world_boundary_r, capacity_for(tuning.population_cap))
        self.tick = 0  # The last tick that was executed; during a tick, that one.
        self.counters = Counters()
        self.weather = "CLEAR"
        self.weather_until = 0
        self.agents = Bodies()
        self.items: Scattered[int, ItemEntity] = Scattered(attrgetter("number"))
        self.containers: Placed[Position, Container] = Placed(attrgetter("position"))
        self.boards: Placed[Position, Board] = Placed(attrgetter("position"))
        self.signs: Placed[Position, Sign] = Placed(attrgetter("position"))
        self.conveyors: Placed[Position, Conveyor] = Placed(attrgetter("position"))
        self.switches: Placed[Position, Switch] = Placed(attrgetter("position"))
        self.sensors: Placed[Position, Sensor] = Placed(attrgetter("position"))
        self.growth: Table[Position, Due] = Table(attrgetter("position"))
        self.claims: Table[str, Claim] = Table(attrgetter("id"))
        self.orgs: Table[str, Org] = Table(attrgetter("id"))
        self.laws: Table[str, Law] = Table(attrgetter("id"))
        self.trades: Table[str, Trade] = Table(attrgetter("id"))
        self.contracts: Table[str, Contract] = Table(attrgetter("id"))
        self.notices: Table[str, Notices] = Table(attrgetter("board_id"))
        self.structures: Table[str, Structure] = Table(attrgetter("id"))
        self.rows: Table[RowKey, Row] = Table(attrgetter("place"))
        self.extensions: tuple[
            Extension, ...
        ] = ()  # Set once, when it is founded or opened. See `extension`.
        self.director = Director()
        self.season = 1
        self.unsettled: dict[
            Position, None
        ] = {}  # Cells in or under which something changed, in order.
        self.path_cursor = 0  # The number of the agent whose search was the last one done.

    # Who and what

    def agent_by_id(self, agent_id: str) -> Agent | None:
        if agent_id[:1] == "A" and agent_id[1:].isascii() and agent_id[1:].isdecimal():
            agent = self.agents.get(int(agent_id[1:])) if len(agent_id) < 16 else None
            return agent if agent is not None and agent.id == agent_id else None
        return None

    def agents_by_id(self, ids: Iterable[str]) -> list[Agent]:
        """Those of these that are in the world, in the same order."""
        return [agent for one in ids if (agent := self.agent_by_id(one)) is not None]

    def relocate(self, agent: Agent, position: Position) -> None:
        """Put a body somewhere else. The only way an agent's position changes."""
        self.agents.wake(agent)
        before = agent.x, agent.y, agent.z
        agent.x, agent.y, agent.z = position
        agent.at_rest = False
        self.agents.moved(agent.number, before)

    def bodies_in(self, position: Position) -> list[Agent]:
        """Agents whose feet or head are in a cell."""
        x, y, z = position
        return [
            agent
            for agent in self.agents.in_chunk(x >> 4, z >> 4)
            if agent.x == x and agent.z == z and y - 1 <= agent.y <= y
        ]

    # Events

    def emit(self, agent: Agent, kind: str, /, *, own: bool = False, **fields: object) -> None:
        """Give an agent an event. `own` marks results of its own actions."""
        text = _event_text({"t": self.tick, "type": kind, **fields})
        agent.event_log.append(self.tick, own, text)
        self.agents.touch(agent.number)

    def emit_to(self, agents: Iterable[Agent], kind: str, /, **fields: object) -> None:
        text = _event_text({"t": self.tick, "type": kind, **fields})
        for agent in agents:
            agent.event_log.append(self.tick, False, text)
            self.agents.touch(agent.number)

    def result(self, agent: Agent, ref: str, /, **fields: object) -> None:
        self.emit(agent, "ACTION_RESULT", own=True, ref=ref, **fields)

    # Tasks

    def finish_task(self, agent: Agent, task: Movement | Work) -> None:
        """Tell an agent that its task is done; it is free for another."""
        agent.drop_task(task)
        self.emit(agent, "TASK_DONE", own=True, task_id=task.id, kind=task.kind)

    def fail_task(self, agent: Agent, task: Movement | Work, no: Refusal) -> None:
        agent.drop_task(task)
        fields = {"task_id": task.id, "kind": task.kind, "code": no.code, "message": no.message}
        self.emit(agent, "TASK_FAIL", own=True, **{**no.extra, **fields})

    # Proof

    def digest(self) -> str:
        """The digest of the whole state, in hex. It costs what has changed since the last one."""
        self.agents.touch_awake()
        tables = b"".join([table.digest() for table in self.tables().values()])
        return sha256(encode(self.scalars()) + self.ground.digest() + tables).hexdigest()

    def tables(self) -> dict[str, Table[Any, Any]]:
        """Every table by its name, in the order in which they are hashed and stored."""
        return {name: getattr(self, name) for name in TABLES}

    def scalars(self) -> tuple[object, ...]:
        """The rest of the state: what is in no table."""
        return (
            self.seed,
            self.draw_seed,
            list(self.unsettled),
            *(getattr(self, name) for name in SCALARS),
        )


class World(WorldState):
    """One world. Rules live in `systems`; the order they run in is the table in `tick`."""

    def __init__(
        self,
        *,
        seed: int,
        draw_seed: int,
        catalogs: Catalogs,
        tuning: Tuning,
        terrain: Terrain,
        listeners: Listeners,
    ) -> None:
        super().__init__(
            seed=seed,
            draw_seed=draw_seed,
            catalogs=catalogs,
            tuning=tuning,
            terrain=terrain,
            listeners=listeners,
        )
        self.derived = Derived()
        self.scratch = TickScratch()  # Of the running tick; between two ticks, of the last one.

    def publish(self, kind: str, /, **fields: object) -> None:
        """Note an event that anyone may know of: for spectators, the audit and the chronicle."""
        self.scratch.public_events.append({"kind": kind, **fields})

    def note_fixture(self, actor: str, reason: str, position: Position) -> None:
        self.scratch.fixture_changes.append(FixtureChange(actor, reason, position))

    def enter_season(self, season: int) -> None:
        """Begin another season, which has land of its own."""
        made = self.derived.land_ahead if season == self.season + 1 else None
        terrain = self.ground.terrain.of_season(season) if made is None else made.terrain
        self.seed += season - self.season
        self.season = season
        self.ground.renew(terrain, made)
        self.derived = Derived()

    def forget_derived(self) -> None:
        """Let all that follows from the state be made anew: it may have changed without being
        noted."""
        self.derived.index = None
        for table in self.tables().values():
            table.touch_all()
        for agent in self.agents:
            agent.slow_digest = agent.inventory_text = b""
            agent.at_rest = False


TABLES: Final[dict[str, type]] = {
    "agents": Agent,
    "items": ItemEntity,
    "containers": Container,
    "boards": Board,
    "signs": Sign,
    "conveyors": Conveyor,
    "switches": Switch,
    "sensors": Sensor,
    "growth": Due,
    "claims": Claim,
    "orgs": Org,
    "laws": Law,
    "trades": Trade,
    "contracts": Contract,
    "notices": Notices,
    "structures": Structure,
    "rows": Row,
}
"""Every table and the type of its rows, in the order in which they are hashed and stored."""


def block_id(kind: str, position: Position) -> str:
    """The id of a thing that is a block: `CHEST@-3,21,8`."""
    return f"{kind}@{position[0]},{position[1]},{position[2]}"


def parse_block_id(text: str) -> tuple[str, Position] | None:
    """Kind and position of such an id, or None if it is none."""
    kind, _, rest = text.partition("@")
    try:
        x, y, z = (int(number) for number in rest.split(",") if len(number) <= 8)
    except ValueError:
        return None
    return (kind, (x, y, z)) if block_id(kind, (x, y, z)) == text else None


def manhattan(a: Position, b: Position) -> int:
    """The distance between two cells along the axes."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2])
