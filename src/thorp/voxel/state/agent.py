"""Agents: the body, its belongings, its events, its two tasks, and its interrupted path search."""

from bisect import bisect_left, insort
from hashlib import sha256
from operator import attrgetter
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from thorp.protocol import actions
from thorp.voxel.state.ground import HEIGHT, ChunkKey, Position
from thorp.voxel.state.table import Natural, Placed, Positive, encode

# A chunk has 2 ** 14 cells, so a cell within one takes this many bits.
CHUNK_BITS: Final = 14

# How far a task has come: progress from 0 to 1, its target, and the ticks that are left.
Status = tuple[float, Position, int]
Stage = Literal["try", "whole", "patient", "dare"]

# An agent that was away for a day in a busy town misses nothing. An event has some 100 bytes.
KEPT_EVENTS: Final = 1_000
# Some events are long, a full board has 40 kB: one agent's long events must not fill the memory.
KEPT_EVENT_BYTES: Final = 256 * 1024

MAX_HP: Final = 20
MAX_HUNGER: Final = 20
MAX_STAMINA: Final = 1000
MAX_BREATH: Final = 75
REPUTATIONS: Final = ("trade", "build", "social", "law")
START_REPUTATION: Final = 500
MAX_REPUTATION: Final = 1000

# Fields that change in almost every tick. The digest encodes them anew each time, and hashes the
# others only after one of them has changed. Their order is part of the digest.
HOT: Final = (
    "x",
    "y",
    "z",
    "yaw",
    "hp",
    "hunger",
    "stamina",
    "breath",
    "fallen",
    "move",
    "work",
    "attached",
    "acted",
    "seen",
)
# Fields that follow from the others, so they are no part of the state; the event log is covered by
# its running hash.
_DERIVED: Final = ("slow_digest", "inventory_text", "at_rest", "event_log", "marks")


class PathSearch(msgspec.Struct):
    """A path search that goes on in a later tick, also after a restart. `systems.pathfinding` runs
    it.

    A cell is a number that means the same in every process: the bits from CHUNK_BITS on are the
    chunk, counted in the order in which the search reached chunks; the bits below are y, z and x,
    as in a chunk. An index into the ground's buffer would not do: where a chunk lies there depends
    on what else was looked at.
    """

    start: Position
    target: Position
    want: Natural  # How near to the target's column is near enough.
    stage: Stage = "whole"
    nearest: Position | None = None
    """In the stage `dare`: where the safe search before it came nearest to the target."""
    submerged: bool = False  # Cells in which the head is under water are allowed.
    deadly: bool = False  # Falls of any depth are allowed.
    enclosed: bool = False
    """In the stage `dare`: whether the safe search has looked at all that can be reached."""
    spent: Natural = 0  # How many cells were expanded.
    chunks: list[ChunkKey] = []
    reached: bytes = b""
    """For each cell that was reached: its number, the cost of the way, the cell before."""
    open_cells: list[tuple[Natural, list[Natural]]] = []
    """Cells whose neighbours were not looked at, by the estimated cost of a way through them."""
    best: Natural = 0  # The cell nearest to the target.
    other_level: tuple[Natural, Natural] | None = None
    """The first cell that is near enough, but at another height than the target, and what was spent
    then."""


class Event(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One event of an agent: the JSON text that goes out, and what delivery must know about it."""

    number: int
    tick: int
    own: bool  # A result of this agent's own action, which is sent with the tick it happened in.
    text: bytes


class EventLog(msgspec.Struct):
    """The newest thousand events of an agent, fewer if they are long: those with the numbers
    `next - len(events)` to `next - 1`. Whether they were read is not kept here, because reading
    must not change the world: sessions remember how far they have delivered."""

    events: list[Event] = []
    next: Natural = 0
    head: bytes = b""
    """A running hash over every event there ever was, so that a digest need not look at them."""
    size: int = 0  # Bytes of all the texts.

    def append(self, tick: int, own: bool, text: bytes, with_hint: bytes = b"") -> None:
        """Add an event of the running tick, to the log and to its hash. `with_hint` is sent instead
        of the text, but not hashed: hints may become better in a later release, and old worlds must
        keep their digests."""
        self.head = sha256(self.head + text).digest()
        self.receive(Event(self.next, tick, own, with_hint or text))

    def receive(self, event: Event) -> None:
        """Add an event to a copy of a log, whose hash another process keeps."""
        self.events.append(event)
        self.next += 1
        self.size += len(event.text)
        # Twice as many, so that the list is cut once in a thousand events and not for each one.
        if len(self.events) > 2 * KEPT_EVENTS or self.size > 2 * KEPT_EVENT_BYTES:
            self.keep(self.events)

    def keep(self, events: list[Event]) -> None:
        """Hold the newest of these events, as many as there is room for."""
        kept = events[-KEPT_EVENTS:]  # a new list: a snapshot may still read the old one
        size = sum([len(event.text) for event in kept])
        spare = 0
        if size > 2 * KEPT_EVENT_BYTES:
            while size > KEPT_EVENT_BYTES and spare < len(kept) - 1:
                size -= len(kept[spare].text)
                spare += 1
        self.events = kept[spare:]
        self.size = size

    @property
    def first(self) -> int:
        """The number of the oldest event that is kept."""
        return max(0, self.next - KEPT_EVENTS, self.next - len(self.events))

    def since(self, number: int) -> list[Event]:
        """Kept events from this number on, oldest first."""
        # The difference to `first`, or to `number` if that is later.
        wanted = min(self.next - number, self.next, KEPT_EVENTS, len(self.events))
        return self.events[len(self.events) - wanted :] if wanted > 0 else []


# Bodies


class Movement(msgspec.Struct):
    """The movement task of an agent, and how far its search for a path has come."""

    id: str
    request: actions.MoveTo | actions.Follow
    started_tick: Natural
    start: Position
    path: bytes = b""  # Steps still to take, the next one last; see `systems.pathfinding`.
    goal: Position | None = None  # The cell of the target's column nearest to the target's height.
    waiting: bool = True  # It waits for a path.
    patient: bool = False  # The usual search found nothing nearer; a longer one is wanted.
    search: PathSearch | None = None
    """Begun and interrupted. There are never more than two in a world."""

    @property
    def kind(self) -> str:
        """The action that asked for it, as the protocol writes it."""
        return str(self.request.__struct_config__.tag)

    def restart(self, start: Position) -> None:
        """Set out anew from another place, as if the movement had just been asked for there."""
        self.start = start
        self.path = b""
        self.waiting = True
        self.patient = False
        self.search = None

    def clear_path(self) -> None:
        """Drop a path that no longer leads to the target, and ask for another. A search under way
        goes on: it begins where the body stands, or is begun again."""
        self.path = b""
        self.waiting = True

    def pause(self) -> None:
        """Stay beside the agent that is followed, until it goes on."""
        self.path = b""
        self.waiting = False
        self.search = None

    def take_path(self, goal: Position, path: bytes) -> None:
        """Go the way that a search has found."""
        self.goal = goal
        self.path = path
        self.waiting = False
        self.patient = False


class Work(msgspec.Struct):
    """The work task of an agent, and how far it has come."""

    id: str
    request: actions.WorkTask
    started_tick: Natural
    spent: Natural = 0  # Working ticks spent on the unit in hand.
    made: Natural = 0  # Units or blocks finished.
    total: Natural = 0  # Units or blocks there will be; 0 while unknown.
    laid: Natural = 0  # Blocks of a blueprint that were not there before.

    @property
    def kind(self) -> str:
        """The action that asked for it, as the protocol writes it."""
        return str(self.request.__struct_config__.tag)


class Memo(msgspec.Struct, array_like=True):
    """A note that an agent has saved, until it expires."""

    value: str
    expires_tick: Natural | None

    def is_expired(self, tick: int) -> bool:
        return self.expires_tick is not None and self.expires_tick <= tick


class Window(msgspec.Struct, array_like=True):
    """How often something was done since the window of its limit began."""

    start_tick: Natural
    used: Natural


def change_stock(stock: dict[str, int], item: str, count: int) -> None:
    """Add items to a stock, or take them out with a negative count. The caller has made sure that
    there are enough."""
    left = stock.get(item, 0) + count
    if left < 0:
        raise AssertionError(f"{left} of {item} would be left")
    if left:
        stock[item] = left
    else:
        stock.pop(item, None)


class Agent(msgspec.Struct):
    """A body and everything that belongs to its owner."""

    number: Positive
    id: str
    name: str
    x: int
    y: Annotated[int, Meta(ge=0, le=HEIGHT - 2)]  # The feet; above is room for the head.
    z: int
    home: tuple[int, int]  # The column of its spawn.
    joined_tick: Natural
    inventory: dict[str, Positive]
    yaw: Annotated[int, Meta(ge=0, lt=360)] = 0
    hp: Annotated[int, Meta(ge=0, le=MAX_HP)] = MAX_HP
    hunger: Annotated[int, Meta(ge=0, le=MAX_HUNGER)] = MAX_HUNGER
    stamina: Annotated[int, Meta(ge=0, le=MAX_STAMINA)] = MAX_STAMINA
    breath: Annotated[int, Meta(ge=0, le=MAX_BREATH)] = MAX_BREATH
    fallen: Natural = 0  # Cells fallen since it last stood or swam.
    reputation: dict[str, Annotated[int, Meta(ge=0, le=MAX_REPUTATION)]] = msgspec.field(
        default_factory=lambda: dict.fromkeys(REPUTATIONS, START_REPUTATION)
    )
    move: Movement | None = None
    work: Work | None = None
    memory: dict[str, Memo] = {}
    windows: dict[str, Window] = {}
    event_log: EventLog = msgspec.field(default_factory=EventLog, name="ring")
    token: bytes = b""  # SHA-256 of the resume token.
    fresh: bytes = b""
    """SHA-256 of the newest token, until it is known to have arrived; `token` is good until then.
    """
    came_tick: Natural = 0  # When its owner came in last.
    earlier_presence: Natural = 0
    """Ticks for which its owner was connected, in all stays but the last one."""
    attached: bool = False
    left_tick: Natural = 0
    asleep: bool = False  # Its owner is away and it has nothing to do: no tick looks at it.
    hidden: bool = False
    """Asleep and out of the world: a stranger of the gate, until its owner comes back."""
    acted: bool = False
    seen: Natural = 0
    """Events with lower numbers had reached its owner when it last acted. After a crash delivery
    goes on from here."""
    achievements: dict[str, Positive] = {}
    """How often each was done; see `thorp.voxel.achievements`."""
    fun: dict[str, int] = {}
    fun_windows: dict[str, Window] = {}
    dealt: dict[str, Window] = {}  # Deals that earned reputation, by its kind and the partner.
    org: str = ""
    seen_biomes: list[str] = []
    seen_events: list[str] = []
    seen_recipes: list[str] = []
    roamed: list[int] = []  # The chunks farthest west, east, north and south that it has been in.
    slow_digest: bytes = b""  # The digest of fields that are not HOT; empty after they changed.
    inventory_text: bytes = b""  # The inventory as an OBS shows it; empty after a change.
    at_rest: bool = False  # Seen not to fall, swim up or lack breath; false after it was moved.
    marks: dict[int, None] = {}
    """The set, shared with `Bodies`, of the agents to hash again; a change adds the number here."""

    @property
    def position(self) -> Position:
        return self.x, self.y, self.z

    def presence(self, tick: int) -> int:
        """For how many ticks its owner has been connected, up to this one: by this others judge
        how far they can rely on a body."""
        return self.earlier_presence + (tick - self.came_tick if self.attached else 0)

    def have(self, item: str) -> int:
        """How many of an item the inventory holds."""
        return self.inventory.get(item, 0)

    def give(self, item: str, count: int) -> None:
        """Add `count` to the inventory, or take them out if it is negative."""
        change_stock(self.inventory, item, count)
        self.inventory_text = b""
        self.changed()

    def drop_task(self, task: Movement | Work) -> None:
        """Be free for another task of that sort."""
        if isinstance(task, Movement):
            self.move = None
        else:
            self.work = None

    def begin_season(self, kit: dict[str, int]) -> None:
        """Reset everything that a body has gathered and done in a season. Its name, its owner's
        token, its organisation, its memory and its reputation stay."""
        self.inventory = kit
        self.inventory_text = b""
        self.hp = MAX_HP
        self.hunger = MAX_HUNGER
        self.stamina = MAX_STAMINA
        self.breath = MAX_BREATH
        self.fallen = 0
        self.yaw = 0
        self.move = None
        self.work = None
        self.windows = {}
        self.fun = {}
        self.fun_windows = {}
        self.seen_biomes = []
        self.seen_events = []
        self.seen_recipes = []
        self.at_rest = False
        self.asleep = False
        self.hidden = False
        self.changed()

    def changed(self) -> None:
        """Must be called after a field that is not HOT was changed in place: the digest of those
        fields is kept until then."""
        self.slow_digest = b""
        self.marks[self.number] = None


_SLOW: Final = tuple(field for field in Agent.__struct_fields__ if field not in (*HOT, *_DERIVED))
_hot = attrgetter(*HOT)
_slow = attrgetter(*_SLOW)


def agent_bytes(agent: Agent) -> bytes:
    """What the digest covers: every field, the event log by its running hash."""
    if not agent.slow_digest:
        agent.slow_digest = sha256(encode(_slow(agent))).digest()
    return agent.slow_digest + agent.event_log.head + encode(_hot(agent))


class Bodies(Placed[int, Agent]):
    """All agents. Ticks do not visit those that are asleep, and the digest hashes them again only
    after one of them has changed. Hidden ones are in no chunk, so no rule that looks around finds
    them."""

    __slots__ = ("_asleep", "_awake", "_hidden", "_regrouped", "_sleepers_digest")

    def __init__(self) -> None:
        super().__init__(attrgetter("number"), agent_bytes)
        self._awake: list[int] = []
        self._asleep: dict[int, None] = {}
        self._hidden: dict[int, None] = {}
        # Whether somebody fell asleep, woke up or was removed since the last digest.
        self._regrouped = True
        self._sleepers_digest = b""

    @property
    def awake(self) -> list[Agent]:
        """The agents that a tick looks at, in the order of their numbers."""
        values = self._values
        return [values[number] for number in self._awake]

    @property
    def asleep(self) -> int:
        """How many are asleep."""
        return len(self._asleep)

    def put(self, value: Agent) -> Agent:
        if value.number in self._values:
            self._ungroup(value.number)
        super().put(value)
        value.marks = self._dirty
        self._group(value)
        return value

    def remove(self, key: int) -> Agent:
        self._ungroup(key)
        return super().remove(key)

    def clear(self) -> None:
        super().clear()
        self._awake = []
        self._asleep = {}
        self._regrouped = True
        self._hidden = {}

    def hide(self, agent: Agent) -> None:
        """Take a body that is asleep out of sight, and out of everybody's way."""
        self._put_hidden(agent, hidden=True)

    def show(self, agent: Agent) -> None:
        """Put a hidden body back where it was."""
        if agent.hidden:
            self._put_hidden(agent, hidden=False)

    def lay_down(self, agent: Agent) -> None:
        """Let a body sleep: its owner is away and it has nothing to do."""
        self._regroup(agent, asleep=True)

    def wake(self, agent: Agent) -> None:
        """Let ticks look at a body again. Whatever happens to a sleeping body must wake it."""
        if agent.asleep:  # nobody else is hidden
            self.show(agent)
            self._regroup(agent, asleep=False)

    def touch_awake(self) -> None:
        """Have everyone awake hashed again: rules change their HOT fields without a word."""
        self._dirty.update(dict.fromkeys(self._awake))

    def digest(self) -> bytes:
        """As of any table, but with one digest for all sleepers, made anew when one of them has
        changed. A world may have thousands of them."""
        if self._dirty or self._regrouped:
            sleepers_changed = self._regrouped or not self._asleep.keys().isdisjoint(
                self._dirty.keys()
            )
            digests = self._hash_changed()
            if sleepers_changed:
                sleepers = b"".join([digests[number] for number in sorted(self._asleep)])
                self._sleepers_digest = sha256(sleepers).digest()
                self._regrouped = False
            awake = b"".join([digests[number] for number in self._awake])
            self._digest = sha256(self._sleepers_digest + awake).digest()
        return self._digest

    def _put_hidden(self, agent: Agent, *, hidden: bool) -> None:
        self._take_away(agent.number, agent.position)
        agent.hidden = hidden
        agent.changed()
        self._place(agent.number, agent)

    def _change_chunk(self, key: int, before: Position) -> None:
        if key not in self._hidden:
            super()._change_chunk(key, before)

    def _place(self, key: int, value: Agent) -> None:
        if value.hidden:
            self._hidden[key] = None
        else:
            super()._place(key, value)

    def _take_away(self, key: int, position: Position) -> None:
        if key in self._hidden:
            del self._hidden[key]
        else:
            super()._take_away(key, position)

    def _regroup(self, agent: Agent, *, asleep: bool) -> None:
        self._ungroup(agent.number)
        agent.asleep = asleep
        agent.at_rest = False
        agent.changed()
        self._group(agent)

    def _group(self, agent: Agent) -> None:
        self._regrouped = True
        if agent.asleep:
            self._asleep[agent.number] = None
        else:
            insort(self._awake, agent.number)

    def _ungroup(self, number: int) -> None:
        self._regrouped = True
        if number in self._asleep:
            del self._asleep[number]
        else:
            del self._awake[bisect_left(self._awake, number)]
