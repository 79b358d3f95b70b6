"""What a tick changed of all that an OBS can show, as bytes: for processes that look and write for
some of the agents, and execute nothing.

    ChangeLog   where ticks are executed: the rows that the digest has written and found changed,
                the blocks that changed, and of agents only what can be seen
    apply       where they are shown: puts them into a world of the same seeds

Memory, tokens and rate limits stay where they are. Of the events of an agent and of what it has
loaded from its memory only those who serve this agent are told; see `server.senders`.
"""

from collections.abc import Container
from operator import attrgetter
from types import GenericAlias
from typing import Any, Final, NamedTuple

import msgspec

from thorp.voxel.lookups.indexes import index_of, note_land
from thorp.voxel.state.agent import HOT, Agent, Movement, Work
from thorp.voxel.state.records import WorldEvent
from thorp.voxel.state.world import TABLES, World
from thorp.voxel.systems.blocks import evict_chunks

# The tables beside that of agents whose rows are seen, or decide what is.
SEEN_TABLES: Final = (
    "items",
    "containers",
    "boards",
    "signs",
    "conveyors",
    "switches",
    "sensors",
    "claims",
    "notices",
)

_encode = (
    msgspec.msgpack.Encoder().encode
)  # dictionaries stay in their order, in which some are shown
_hot = attrgetter(*HOT)
_traits = attrgetter("number", "id", "home", "org", "inventory", "reputation", "fun", "hidden")
_read_rows: Final = {
    name: msgspec.msgpack.Decoder(GenericAlias(list, (TABLES[name],))).decode
    for name in SEEN_TABLES
}
_read_move = msgspec.msgpack.Decoder(Movement | None).decode
_read_work = msgspec.msgpack.Decoder(Work | None).decode


# What is seen of an agent and seldom changes, as `_traits` gives it.
_Counts = dict[str, int]
_Traits = tuple[int, str, tuple[int, int], str, _Counts, _Counts, _Counts, bool]
# What changes often, in the order of `HOT`. The tasks are read only for those who are served.
_Motion = tuple[
    int, int, int, int, int, int, int, int, int, msgspec.Raw, msgspec.Raw, bool, bool, int
]


class _Changes(NamedTuple):
    tick: int
    season: int
    weather: str
    event: WorldEvent | None
    chunks: list[tuple[int, int, bytes]]
    blocks: list[tuple[int, int, int, int]]
    rows: dict[str, msgspec.Raw]
    gone: dict[str, list[Any]]  # the keys of what is no longer there, by table
    traits: list[_Traits]
    numbers: list[int]  # of those whose motions follow
    motions: list[_Motion]


_read_changes = msgspec.msgpack.Decoder(_Changes).decode
_read_motion = msgspec.msgpack.Decoder(_Motion).decode


def motion_of(agent: Agent) -> bytes:
    """The part of an agent that changes from tick to tick, as bytes for a sender."""
    return _encode(_hot(agent))


class ChangeLog:
    """Follows the changes of a world. Asked after a tick's digest, it tells what that tick has
    changed."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._tables = {name: world.tables()[name] for name in SEEN_TABLES}
        self._told: dict[
            int, bytes
        ] = {}  # Of an agent: its `slow_digest` when its traits were last told.
        self.take()

    def take(self) -> tuple[bytes, list[Agent]]:
        """What changed since this was last asked, and the agents that changed."""
        world = self._world
        rows: dict[str, msgspec.Raw] = {}
        gone: dict[str, list[Any]] = {}
        for name, table in self._tables.items():
            if news := table.take_news():
                rows[name] = _array([data for data in news.values() if data])
                gone[name] = [key for key, data in news.items() if not data]
        changed = []
        numbers = []
        traits = []
        motions = []
        for number, data in world.agents.take_news().items():
            agent = world.agents.get(number)
            if agent is None:
                gone.setdefault("agents", []).append(number)
                self._told.pop(number, None)
                continue
            changed.append(agent)
            numbers.append(number)
            motions.append(data[len(agent.slow_digest) + len(agent.event_log.head) :])
            if self._told.get(number) != agent.slow_digest:
                self._told[number] = agent.slow_digest
                traits.append(_traits(agent))
        blocks = [(*change.position, change.after) for change in world.scratch.block_changes]
        return self._written([], blocks, rows, gone, traits, numbers, _array(motions)), changed

    def everything(self) -> bytes:
        """The state after the last tick, for a world in which nothing is yet."""
        rows = {
            name: _array([_encode(row) for row in table]) for name, table in self._tables.items()
        }
        agents = list(self._world.agents)
        chunks = self._world.ground.export()
        traits = list(map(_traits, agents))
        numbers = [agent.number for agent in agents]
        return self._written(
            chunks, [], rows, {}, traits, numbers, _array(list(map(motion_of, agents)))
        )

    def _written(self, *changed: object) -> bytes:
        world = self._world
        return _encode((world.tick, world.season, world.weather, world.director.event, *changed))


def _array(items: list[bytes]) -> msgspec.Raw:
    """Things that are written already, as one list."""
    return msgspec.Raw(b"\xdd" + len(items).to_bytes(4, "big") + b"".join(items))


def apply(world: World, data: bytes, own: Container[int]) -> None:
    """Bring a world up to the tick of these changes. Of agents other than `own` only what others
    see."""
    changes = _read_changes(data)
    if changes.season != world.season:
        world.enter_season(changes.season)
    world.tick = changes.tick
    world.weather = changes.weather
    world.director.event = changes.event
    world.ground.restore(changes.chunks)
    for x, y, z, block in changes.blocks:
        world.ground.put(x, y, z, block)
    _apply_rows(world, changes)
    _apply_agents(world, changes, own)
    for name in ("agents", *SEEN_TABLES):
        world.tables()[name].forget_changes()
    evict_chunks(world)


def _apply_rows(world: World, changes: _Changes) -> None:
    tables = world.tables()
    for name, keys in changes.gone.items():
        for key in keys:
            place = tuple(key) if isinstance(key, list) else key
            if place in tables[name]:
                tables[name].remove(place)
    for name, rows in changes.rows.items():
        for row in _read_rows[name](rows):
            tables[name].put(row)
    index = index_of(world)
    if "claims" in changes.rows:
        index.land.clear()
        for claim in world.claims:
            note_land(world, claim)
    if "notices" in changes.rows:
        index.board_texts.clear()
        index.boards_shown.clear()
        index.boards_everywhere = index.boards_near = None


def _apply_agents(world: World, changes: _Changes, own: Container[int]) -> None:
    agents = world.agents
    for number, name, home, org, inventory, reputation, fun, hidden in changes.traits:
        agent = agents.get(number) or agents.put(
            Agent(
                number=number,
                id=name,
                name="",
                x=0,
                y=0,
                z=0,
                home=home,
                joined_tick=0,
                inventory={},
            )
        )
        agent.home = home
        agent.org = org
        agent.fun = fun
        agent.inventory = inventory
        agent.inventory_text = b""
        agent.reputation = reputation
        if hidden:
            agents.hide(agent)
        else:
            agents.show(agent)
    for number, motion in zip(changes.numbers, changes.motions, strict=True):
        agent = agents[number]
        before = agent.x, agent.y, agent.z
        if motion[:3] != before:
            agent.x, agent.y, agent.z = motion[:3]
            agents.moved(number, before)
        if number in own:
            _apply_own(agent, motion)


def apply_motion(agent: Agent, data: bytes) -> None:
    """Let an agent be as its motion says; where it is, everyone knows."""
    _apply_own(agent, _read_motion(data))


def _apply_own(agent: Agent, motion: _Motion) -> None:
    _, _, _, agent.yaw, agent.hp, agent.hunger, agent.stamina, _, _, move, work, *_ = motion
    agent.move = _read_move(move)
    agent.work = _read_work(work)
