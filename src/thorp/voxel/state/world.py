"""A world in memory: its state, what is derived from the state, and the scratch of the running
tick.

    WorldState   follows from the seeds and the inputs; it is hashed and saved. Each kind of thing
                 has a table, whose digest follows its changes; the digest of the world is one hash
                 over theirs.
    Derived      `world.derived`: follows from the state, and is made anew when it is missing
    TickScratch  `world.scratch`: what one tick writes down about itself; a new value for every tick

`World` is a `WorldState` with the other two. What a rule may touch shows in its signature: a
function that takes a `WorldState` is checked (by mypy) to use neither derived values nor scratch;
one that takes a `World` may. The scratch is an attribute of the world and not one more argument,
because almost every rule may end up changing a block, which is noted there: the argument would be
in each signature and say nothing.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from operator import attrgetter
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from thorp.kernel.rng import KeyedDraws
from thorp.voxel.catalog import Catalogs
from thorp.voxel.extension import Extension, ExtensionRow, RowKey
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
"""The state that is in no table, besides the seeds and `unsettled`, in the order it is hashed."""


class Container(msgspec.Struct):
    """A chest, a furnace or a terminal, with its goods."""

    kind: str
    position: Position
    stock: dict[str, Natural] = {}
    reserved: dict[str, Natural] = {}  # The part of the stock that nobody may take out.
    owed: dict[str, dict[str, Natural]] = {}  # By agent: goods to collect, not in the stock.

    @property
    def id(self) -> str:
        """As the protocol names it: `CHEST@-3,21,8`."""
        return block_id(self.kind, self.position)


class ItemEntity(msgspec.Struct):
    """A stack of one item that lies in a cell."""

    number: Positive
    position: Position
    item: str
    count: Positive
    created_tick: Natural
    expires_tick: Natural

    @property
    def id(self) -> str:
        """As the protocol names it: `IT000042`."""
        return f"IT{self.number:06d}"


class Sign(msgspec.Struct):
    """A sign, and who wrote it last."""

    position: Position
    text: str = ""
    updated_tick: Natural = 0
    updated_by: str = ""


class Conveyor(msgspec.Struct):
    """A belt, and the direction it runs in."""

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
    """A sensor. Whether it is on is computed when it is read, not kept."""

    position: Position


class Due(msgspec.Struct):
    """A block that will turn into another by itself."""

    position: Position
    tick: Natural
    block: BlockNumber  # The block that must still be there then.


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
    """The state of one world, the settings it was made with, and the simplest ways to change it."""

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
        self.rows: Table[RowKey, ExtensionRow] = Table(attrgetter("place"))
        # Set once, when the world is created or opened. See `extension`.
        self.extensions: tuple[Extension, ...] = ()
        self.director = Director()
        self.season = 1
        # Cells in or under which something changed, in order: blocks there may have to fall.
        self.unsettled: dict[Position, None] = {}
        self.path_cursor = 0  # The number of the agent whose search was the last one done.

    def redraw(self, draw_seed: int) -> None:
        """Take all draws from another seed from now on. The land stays that of the first one."""
        self.draw_seed = draw_seed
        self.draws = KeyedDraws(draw_seed)

    # Bodies

    def agent_by_id(self, agent_id: str) -> Agent | None:
        """The agent with an id, which may be any text that a client sent."""
        if agent_id[:1] == "A" and agent_id[1:].isascii() and agent_id[1:].isdecimal():
            agent = self.agents.get(int(agent_id[1:])) if len(agent_id) < 16 else None
            return agent if agent is not None and agent.id == agent_id else None
        return None

    def agents_by_id(self, ids: Iterable[str]) -> list[Agent]:
        """The agents with these ids that are in the world, in the same order."""
        return [agent for agent_id in ids if (agent := self.agent_by_id(agent_id)) is not None]

    def relocate(self, agent: Agent, position: Position) -> None:
        """Put a body somewhere else. The only way an agent's position changes."""
        if agent.asleep:
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
        """Write an event to an agent's log. `own` marks results of its own actions."""
        text = _event_text({"t": self.tick, "type": kind, **fields})
        agent.event_log.append(self.tick, own, text)
        self.agents.touch(agent.number)

    def emit_own(
        self, agent: Agent, kind: str, /, remark: str, fields: Mapping[str, object]
    ) -> None:
        """Write a result of an agent's own action to its log. A remark goes out as the `hint` of
        the event, and is not hashed."""
        event: dict[str, object] = {"t": self.tick, "type": kind, **fields}
        text = _event_text(event)
        with_hint = b""
        if remark:
            event["hint"] = remark
            with_hint = _event_text(event)
        agent.event_log.append(self.tick, True, text, with_hint)
        self.agents.touch(agent.number)

    def emit_to(self, agents: Iterable[Agent], kind: str, /, **fields: object) -> None:
        """Write the same event to the logs of many agents; it is encoded once."""
        text = _event_text({"t": self.tick, "type": kind, **fields})
        for agent in agents:
            agent.event_log.append(self.tick, False, text)
            self.agents.touch(agent.number)

    def result(self, agent: Agent, ref: str, /, *, remark: str = "", **fields: object) -> None:
        """Tell an agent what became of the action with a reference of its own."""
        self.emit_own(agent, "ACTION_RESULT", remark, {"ref": ref, **fields})

    # Tasks

    def finish_task(self, agent: Agent, task: Movement | Work) -> None:
        """Tell an agent that its task is done; it is free for another."""
        agent.drop_task(task)
        self.emit(agent, "TASK_DONE", own=True, task_id=task.id, kind=task.kind)

    # Proof

    def digest(self) -> str:
        """The digest of the whole state, in hex. Its cost grows with what has changed since the
        last one, not with the size of the world."""
        self.agents.touch_awake()
        tables = b"".join([table.digest() for table in self.tables().values()])
        return sha256(encode(self.scalars()) + self.ground.digest() + tables).hexdigest()

    def tables(self) -> dict[str, Table[Any, Any]]:
        """Every table by its name, in the order in which they are hashed and stored."""
        return {name: getattr(self, name) for name in TABLES}

    def scalars(self) -> tuple[object, ...]:
        """The rest of the state, which is in no table, in the order it is hashed."""
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
        # The scratch of the running tick; between two ticks, that of the last one.
        self.scratch = TickScratch()

    def refuse(self, agent: Agent, ref: str, asked: object, no: Refusal) -> None:
        """Answer an action that a rule refuses."""
        remark = self.listeners.explain(self, agent, asked, no)
        refused = {"ok": False, "code": no.code, "message": no.message}
        self.result(agent, ref, remark=remark, **refused, **no.extra)

    def fail_task(self, agent: Agent, task: Movement | Work, no: Refusal) -> None:
        """End a task that a rule refuses to go on with; the agent is free for another."""
        remark = self.listeners.explain(self, agent, task.request, no)
        agent.drop_task(task)
        fields = {"task_id": task.id, "kind": task.kind, "code": no.code, "message": no.message}
        self.emit_own(agent, "TASK_FAIL", remark, {**no.extra, **fields})

    def publish(self, kind: str, /, **fields: object) -> None:
        """Note an event that is public: for spectators, the audit and the chronicle."""
        self.scratch.public_events.append({"kind": kind, **fields})

    def note_fixture(self, actor: str, reason: str, position: Position) -> None:
        """Note who changed the contents of a container, or a switch, for the audit."""
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
        """Have everything that follows from the state made anew, because a rule may have changed
        the state without noting it."""
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
    "rows": ExtensionRow,
}
"""Every table and the type of its rows, in the order in which they are hashed and stored."""


def block_id(kind: str, position: Position) -> str:
    """The id of a block with a state of its own: `CHEST@-3,21,8`."""
    return f"{kind}@{position[0]},{position[1]},{position[2]}"


def parse_block_id(text: str) -> tuple[str, Position] | None:
    """Parse a block id into kind and position; None if it is malformed."""
    kind, at, rest = text.partition("@")
    if not at:  # most ids that are looked up name an agent, or nothing
        return None
    try:
        x, y, z = (int(number) for number in rest.split(",") if len(number) <= 8)
    except ValueError:
        return None
    return (kind, (x, y, z)) if block_id(kind, (x, y, z)) == text else None


def manhattan(a: Position, b: Position) -> int:
    """The distance between two cells along the axes."""
    return abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2])
