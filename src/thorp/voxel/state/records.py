"""Records of society in the world's state: claims, organisations, laws, trades, contracts, posts,
structures.

Shares and hours of the day are kept as millionths, because state holds no fractions.
"""

from typing import Final, Literal

import msgspec

from thorp.voxel.state.ground import Position
from thorp.voxel.state.table import Natural

MILLION: Final = 1_000_000

FLAGS: Final = ("allow_build", "allow_break", "allow_damage", "allow_trade")

Role = Literal["LEADER", "OFFICER", "MEMBER"]
ADMINS: Final = ("LEADER", "OFFICER")
LawStatus = Literal["NOTICE", "VOTING", "ACTIVE", "REJECTED"]
ContractKind = Literal["GATHER", "DELIVER", "BUILD"]
ContractState = Literal["OPEN", "ACCEPTED", "COMPLETED", "FAILED"]
Items = dict[str, Natural]


class Curfew(msgspec.Struct, frozen=True):
    """The hours in which nobody may build or break on a land, in millionths of a day."""

    start: Natural
    end: Natural


class Price(msgspec.Struct, frozen=True):
    """What a fine or a ticket costs: a number of one item."""

    item: str
    count: Natural


class LandOffer(msgspec.Struct, frozen=True):
    """A membership or a land that was offered, and waits for its addressee to accept."""

    addressee: str  # An agent; for a deed also an organisation.
    giver: str


class Claim(msgspec.Struct):
    """A square of land, at all heights, and who may do what on it."""

    id: str
    owner: str  # An agent or an organisation.
    anchor: Position
    radius: Natural
    due_tick: Natural
    newest_resident: Natural
    """The number of the newest body when it was claimed or enlarged: glades of bodies up to it stay
    free."""
    stage: Natural = 0  # How often upkeep was missed: 0 protected, 1 warned, 2 open to all.
    members: list[str] = []
    flags: dict[str, bool] = msgspec.field(default_factory=lambda: dict.fromkeys(FLAGS, False))
    market_tax: Natural = 0
    curfew: Curfew | None = None
    fine: Price | None = None
    ticket: Price | None = None
    offered: list[LandOffer] = []  # Memberships that were offered, the oldest first.
    deed: LandOffer | None = None  # The offer of the land itself.


class Org(msgspec.Struct):
    """A guild or a city: its members, and what they own together."""

    id: str
    kind: Literal["GUILD", "CITY"]
    name: str
    created_tick: Natural
    members: dict[str, Role]
    treasury: Items = {}
    open: bool = True  # Whether anyone may join; else only those who were invited.
    invited: list[str] = []


class Law(msgspec.Struct):
    """A law of a land, from its proposal to its decision."""

    id: str
    land_id: str
    template_id: str
    title: str
    proposer: str
    status: LawStatus
    proposed_tick: Natural
    notice_ends_tick: Natural
    vote_ends_tick: Natural
    params: dict[str, int | str]  # Checked, clamped, shares and hours in millionths.
    votes: dict[str, Literal["YES", "NO", "ABSTAIN"]] = {}  # Once decided, those that counted.
    electors: Natural = 0  # Once decided: how many members there were who could have voted.


class Trade(msgspec.Struct):
    """Goods offered to one agent for other goods."""

    id: str
    offerer: str
    addressee: str
    offer: Items
    request: Items
    expires_tick: Natural


class Contract(msgspec.Struct):
    """Work for a reward. `society.contracts` has its states."""

    id: str
    kind: ContractKind
    state: ContractState
    poster: str  # An agent or an organisation.
    terminal: Position
    requirements: Items
    reward: Items
    deposit: Items  # The deposit that is asked for; once accepted, the one that was paid.
    created_tick: Natural
    deadline_tick: Natural
    acceptor: str = ""
    blueprint_id: str = ""
    anchor: Position = (0, 0, 0)
    rotation: Natural = 0
    standing: Natural = 0
    """BUILD only: the blocks that stood when it was accepted, or for which another was paid."""
    hindered: bool = False
    """BUILD only: whether anybody ever stopped its acceptor at the site."""
    delivered: Items = {}  # What its acceptor has brought so far.
    backer: str = ""  # Who has added to the reward.
    bonus: Items = {}  # The goods that were added; the backer gets them back if nobody earns them.
    closed_tick: Natural = 0

    @property
    def is_live(self) -> bool:
        """Whether it can still be accepted or fulfilled."""
        return self.state in ("OPEN", "ACCEPTED")

    @property
    def parties(self) -> tuple[str, ...]:
        """Its poster, and its acceptor if it has one."""
        return (self.poster, self.acceptor) if self.acceptor else (self.poster,)


class Post(msgspec.Struct):
    """One notice on a board."""

    id: str
    author: str
    title: str
    body: str
    tick: Natural


class Notices(msgspec.Struct):
    """The posts of a board, whose id is a name or that of a block."""

    board_id: str
    posts: list[Post] = []
    begun_by: str = ""


class Structure(msgspec.Struct):
    """A blueprint that was built, and who used it since."""

    id: str
    blueprint_id: str
    builder: str
    anchor: Position
    rotation: Natural
    low: Position
    high: Position
    completed_tick: Natural
    due_tick: Natural
    awarded: bool = False
    users: dict[str, Natural] = {}  # The tick in which each other agent was last in it.


class Changed(msgspec.Struct, frozen=True, array_like=True):
    """A cell that an event changed, and what was there."""

    position: Position
    before: int
    after: int


class WorldEvent(msgspec.Struct):
    """The event that is going on, and what it has changed."""

    id: str
    start_tick: Natural
    ends_tick: Natural
    center: Position | None = None
    radius: Natural = 0
    changed: list[Changed] = []
    """Cells to put back when the event ends, except those that agents have changed."""
    opened: list[str] = []  # Who has looked into its chest.


class Bucket(msgspec.Struct):
    """How often each kind of deed was done in a stretch of ticks."""

    start_tick: Natural
    counts: dict[str, Natural] = {}


class Director(msgspec.Struct):
    """Which event is going on, which comes next, and the deeds it is chosen by."""

    event: WorldEvent | None = None
    last_event: str = ""
    next_day: Natural = 0
    """The first day, counted from 0, of the first week whose event has not begun."""
    buckets: list[Bucket] = []
