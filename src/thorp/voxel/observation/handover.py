"""The changes of a tick, as bytes, for processes that write the OBS of some agents and execute
nothing.

    ChangeLog   in the process that executes ticks: the rows that the digest has found changed, the
                blocks that have changed, and, of agents, only what an OBS can show
    apply       in a process that serves agents: puts the changes into a world of the same seeds

Memory, tokens and rate limits are not handed over. The events of an agent, and the notes that it
has loaded, go only to the process that serves this agent; see `server.sockets.senders`.
"""

from collections.abc import Container, Sequence
from operator import attrgetter
from types import GenericAlias
from typing import Any, Final, NamedTuple

import msgspec

from thorp.voxel.lookups.indexes import index_of, note_land
from thorp.voxel.state.agent import HOT, Agent, Movement, Work
from thorp.voxel.state.records import WorldEvent
from thorp.voxel.state.world import TABLES, World
from thorp.voxel.systems.blocks import evict_chunks

# The tables, besides that of agents, whose rows an OBS shows or depends on.
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

# Not the deterministic encoder: dictionaries keep their order, in which an OBS shows some of them.
_encode = msgspec.msgpack.Encoder().encode
_hot = attrgetter(*HOT)
_traits = attrgetter("number", "id", "home", "org", "inventory", "reputation", "fun", "hidden")
_read_rows: Final = {
    name: msgspec.msgpack.Decoder(GenericAlias(list, (TABLES[name],))).decode
    for name in SEEN_TABLES
}
_read_move = msgspec.msgpack.Decoder(Movement | None).decode
_read_work = msgspec.msgpack.Decoder(Work | None).decode


# The fields of an agent that an OBS shows and that seldom change, as `_traits` gives them.
_Counts = dict[str, int]
_Traits = tuple[int, str, tuple[int, int], str, _Counts, _Counts, _Counts, bool]
# The fields that change often, in the order of `HOT`. The two tasks stay raw: they are decoded only
# for agents that are served here.
_Motion = tuple[
    int, int, int, int, int, int, int, int, int, msgspec.Raw, msgspec.Raw, bool, bool, int
]


class _Changes(NamedTuple):
    """All that changed in a tick. `ChangeLog` writes it as a list in this order."""

    tick: int
    season: int
    weather: str
    event: WorldEvent | None
    chunks: list[tuple[int, int, bytes]]
    blocks: list[tuple[int, int, int, int]]
    rows: dict[str, msgspec.Raw]
    gone: dict[str, list[Any]]  # The keys of rows that were removed, by table.
    traits: list[_Traits]
    numbers: list[int]  # The agents whose motions follow.
    motions: list[_Motion]


_read_changes = msgspec.msgpack.Decoder(_Changes).decode
_read_motion = msgspec.msgpack.Decoder(_Motion).decode


def motion_of(agent: Agent) -> bytes:
    """The part of an agent that changes from tick to tick, as bytes for a sender."""
    return _encode(_hot(agent))


class ChangeLog:
    """Collects the changes of a world. `take` must be called after the digest of each tick, which
    finds out which rows have changed."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._tables = {name: world.tables()[name] for name in SEEN_TABLES}
        # By agent: its `slow_digest` when its traits were last handed over.
        self._handed_over: dict[int, bytes] = {}
        self.take()

    def take(self) -> tuple[bytes, list[Agent]]:
        """The changes since the last call, and the agents among them."""
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
                self._handed_over.pop(number, None)
                continue
            changed.append(agent)
            numbers.append(number)
            # The bytes that were hashed for an agent end with its HOT fields; see `agent_bytes`.
            motions.append(data[len(agent.slow_digest) + len(agent.event_log.head) :])
            if self._handed_over.get(number) != agent.slow_digest:
                self._handed_over[number] = agent.slow_digest
                traits.append(_traits(agent))
        blocks = [(*change.position, change.after) for change in world.scratch.block_changes]
        data = self._written(
            chunks=[],
            blocks=blocks,
            rows=rows,
            gone=gone,
            traits=traits,
            numbers=numbers,
            motions=_array(motions),
        )
        return data, changed

    def everything(self) -> bytes:
        """The state after the last tick, for a world that is still empty."""
        rows = {
            name: _array([_encode(row) for row in table]) for name, table in self._tables.items()
        }
        agents = list(self._world.agents)
        chunks = self._world.ground.export()
        traits = list(map(_traits, agents))
        numbers = [agent.number for agent in agents]
        return self._written(
            chunks=chunks,
            blocks=[],
            rows=rows,
            gone={},
            traits=traits,
            numbers=numbers,
            motions=_array(list(map(motion_of, agents))),
        )

    def _written(
        self,
        *,
        chunks: Sequence[object],
        blocks: Sequence[object],
        rows: dict[str, msgspec.Raw],
        gone: dict[str, list[Any]],
        traits: Sequence[object],
        numbers: list[int],
        motions: msgspec.Raw,
    ) -> bytes:
        world = self._world
        head = (world.tick, world.season, world.weather, world.director.event)
        return _encode((*head, chunks, blocks, rows, gone, traits, numbers, motions))


def _array(items: list[bytes]) -> msgspec.Raw:
    """Values that are encoded already, as one list: a header of MessagePack (array 32), then
    all."""
    return msgspec.Raw(b"\xdd" + len(items).to_bytes(4, "big") + b"".join(items))


def apply(world: World, data: bytes, own: Container[int]) -> None:
    """Bring a world up to the tick of these changes. Agents other than `own` get only what others
    can see."""
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
    """Give an agent that is served here the fields that only its own OBS shows. Its position came
    with the changes for everyone."""
    _apply_own(agent, _read_motion(data))


def _apply_own(agent: Agent, motion: _Motion) -> None:
    _, _, _, agent.yaw, agent.hp, agent.hunger, agent.stamina, _, _, move, work, *_ = motion
    agent.move = _read_move(move)
    agent.work = _read_work(work)
