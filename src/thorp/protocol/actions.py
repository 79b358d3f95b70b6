"""The actions that an agent may ask for: one type for each, with only the fields that it uses.

An action is chosen by its `type`. Fields that it does not use are ignored, whatever they hold,
because clients pad their actions. Bounds here are bounds of form; whether a target exists is for
the world to say. Instants happen at once. Tasks take time, and an agent has at most one movement
task and one work task.
"""

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

FAR: Final = 2**31 - 1
MAX_ID_LENGTH: Final = 128  # The longest ids that a world makes have some 60 characters.
# A client's reference to an action, echoed in its result; longer ones are cut.
MAX_REF_LENGTH: Final = 1_024
# As much as an agent's memory holds; the rules allow less for every other text.
MAX_TEXT_LENGTH: Final = 65_536
# Data that accompanies a speech, for programs: a dozen ids and numbers. Every hearer keeps a copy.
MAX_DATA_BYTES: Final = 1_024
# Enough for a list of goods in an object in the object itself: {"job": {"give": [["STONE", 4]]}}.
MAX_DATA_DEPTH: Final = 4
MAX_DATA_INTEGER: Final = 2**53 - 1  # JavaScript counts no further.

Text = Annotated[str, Meta(description="a string")]
_limited = "a string of at most {} characters".format
Prose = Annotated[str, Meta(max_length=MAX_TEXT_LENGTH, description=_limited(MAX_TEXT_LENGTH))]
Name = Annotated[str, Meta(max_length=MAX_ID_LENGTH, description=_limited(MAX_ID_LENGTH))]
Ref = Annotated[str, Meta(max_length=MAX_REF_LENGTH, description=_limited(MAX_REF_LENGTH))]
Note = Annotated[str, Meta(max_length=MAX_TEXT_LENGTH + 1, description="a string")]
"""A text to remember, cut at one character more than fits, so that the rule can refuse it."""
Long = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1, description="an integer of 64 bits")]
Whole = Annotated[int, Meta(ge=-FAR, le=FAR, description=f"an integer from {-FAR} to {FAR}")]
Vector = Annotated[tuple[Whole, Whole, Whole], Meta(description="an array of 3 integers")]
Distance = Annotated[float, Meta(ge=-1e6, le=1e6, description="a number from -1000000 to 1000000")]


class Stack(Struct, frozen=True):
    """A number of one item, as messages write it."""

    item: Name
    count: Whole


Amount = Annotated[float, Meta(ge=-FAR, le=FAR, description=f"a number from {-FAR} to {FAR}")]
Pairs = Annotated[
    list[tuple[Name, Amount]], Meta(max_length=64, description="at most 64 pairs of item and count")
]
Stacks = Annotated[
    list[Stack], Meta(max_length=64, description="at most 64 objects with item and count")
]
Flag = Annotated[bool, Meta(description="true or false")]
Policy = Annotated[dict[Name, bool], Meta(max_length=16, description="an object of booleans")]
Params = Annotated[dict[Name, Any], Meta(max_length=16, description="an object")]
Data = Annotated[dict[Name, Any], Meta(description="an object")]
"""What goes with a speech, for programs that hear it; `refuse_data` says what it may hold."""


class Action(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The base of all actions: the client's own reference, echoed in the result."""

    id: Ref = ""


class Instant(Action, frozen=True, tag_field="type"):
    """An action that happens in the tick in which it arrives."""


class Task(Action, frozen=True, tag_field="type"):
    """An action that begins in the tick in which it arrives, and may take longer."""


def refuse_data(data: dict[str, Any]) -> None:
    """Raise a ValueError that names what the `data` of a speech may not hold.

    It is hashed with the state of the world, so that it holds nothing whose text depends on who
    writes it: no fractions, and no numbers that some languages round.
    """
    _refuse_value(data, "data", MAX_DATA_DEPTH)
    size = len(msgspec.json.encode(data))
    if size > MAX_DATA_BYTES:
        raise ValueError(f"data: expected at most {MAX_DATA_BYTES} bytes of JSON, got {size}")


def _refuse_value(value: Any, path: str, depth: int) -> None:
    match value:
        case None | bool() | str():
            return
        case int():
            if abs(value) > MAX_DATA_INTEGER:
                raise ValueError(f"{path}: expected an integer of at most {MAX_DATA_INTEGER}")
            return
        case float():
            raise ValueError(f"{path}: expected an integer, got a number with a point")
        case list():
            members = [(f"{path}[{at}]", each) for at, each in enumerate(value)]
        case dict():
            members = [(f"{path}.{name}"[:MAX_ID_LENGTH], each) for name, each in value.items()]
        case _:
            raise ValueError(f"{path}: expected JSON")
    if not depth:
        raise ValueError(f"data: nests deeper than {MAX_DATA_DEPTH} levels")
    for place, each in members:
        _refuse_value(each, place, depth - 1)


class Say(Instant, frozen=True, tag="SAY", kw_only=True):
    """Say a text to those nearby, or on a channel."""

    channel: Name | None = None
    text: Prose | None = None
    data: Data | None = None

    def __post_init__(self) -> None:
        if self.data is not None:
            refuse_data(self.data)


class Whisper(Instant, frozen=True, tag="WHISPER", kw_only=True):
    """Say a text to one agent, unheard by others."""

    to: Name | None = None
    text: Prose | None = None
    data: Data | None = None

    def __post_init__(self) -> None:
        if self.data is not None:
            refuse_data(self.data)


class Eat(Instant, frozen=True, tag="EAT", kw_only=True):
    """Eat items from the inventory."""

    item_id: Name | None = None
    count: Whole | None = None


class SaveMemory(Instant, frozen=True, tag="SAVE_MEMORY", kw_only=True):
    """Keep a text under a key, for as long as the world keeps the body or for `ttl_ticks`."""

    key: Note | None = None
    value: Note | None = None
    ttl_ticks: Long | None = None


class LoadMemory(Instant, frozen=True, tag="LOAD_MEMORY", kw_only=True):
    """Ask for the memory entries whose keys begin with a prefix; they come with the next OBS."""

    prefix: Prose | None = None
    limit: Whole | None = None


class SetSign(Instant, frozen=True, tag="SET_SIGN", kw_only=True):
    """Write a text on a sign."""

    target_id: Name | None = None
    text: Prose | None = None


class ToggleSwitch(Instant, frozen=True, tag="TOGGLE_SWITCH", kw_only=True):
    """Flip a switch."""

    target_id: Name | None = None


class MoveTo(Task, frozen=True, tag="MOVE_TO", kw_only=True):
    """Walk to a position, or to within `tolerance` of it."""

    target: Vector | None = None
    tolerance: Distance | None = None


class Follow(Task, frozen=True, tag="FOLLOW", kw_only=True):
    """Walk after an agent, and stay within `distance` of it."""

    target_id: Name | None = None
    distance: Distance | None = None


class Stop(Task, frozen=True, tag="STOP", kw_only=True):
    """End the movement task."""


class Mine(Task, frozen=True, tag="MINE", kw_only=True):
    """Break a block."""

    block_pos: Vector | None = None


class Gather(Task, frozen=True, tag="GATHER", kw_only=True):
    """Pick up an item that lies on the ground."""

    target_id: Name | None = None


class Place(Task, frozen=True, tag="PLACE", kw_only=True):
    """Put a block from the inventory into the world."""

    block_pos: Vector | None = None
    item_id: Name | None = None


class Open(Task, frozen=True, tag="OPEN", kw_only=True):
    """Look into a container, or read a board or a sign."""

    target_id: Name | None = None


class Transfer(Task, frozen=True, tag="TRANSFER", kw_only=True):
    """Move items between a container and the inventory, or between two containers."""

    src_container: Name | None = None
    dst_container: Name | None = None
    item_id: Name | None = None
    count: Whole | None = None


class Craft(Task, frozen=True, tag="CRAFT", kw_only=True):
    """Make items by a recipe."""

    recipe_id: Name | None = None
    count: Whole | None = None


class Smelt(Task, frozen=True, tag="SMELT", kw_only=True):
    """Smelt items in a furnace nearby."""

    item_id: Name | None = None
    count: Whole | None = None


class BuildBlueprint(Task, frozen=True, tag="BUILD_BLUEPRINT", kw_only=True):
    """Build a blueprint block by block, from the inventory."""

    blueprint_id: Name | None = None
    anchor: Vector | None = None
    rotation: Whole | None = None


class ClaimLand(Task, frozen=True, tag="CLAIM_LAND", kw_only=True):
    """Claim the land around an anchor. Takes no slot: it is done or refused in the same tick."""

    anchor: Vector | None = None
    radius: Whole | None = None


class OfferTrade(Instant, frozen=True, tag="OFFER_TRADE", kw_only=True):
    """Offer items to an agent in return for others."""

    to: Name | None = None
    offer: Pairs | None = None
    request: Pairs | None = None


class AcceptTrade(Instant, frozen=True, tag="ACCEPT_TRADE", kw_only=True):
    """Accept a trade that was offered."""

    trade_id: Name | None = None


class DeclineTrade(Instant, frozen=True, tag="DECLINE_TRADE", kw_only=True):
    """Decline a trade that was offered."""

    trade_id: Name | None = None


class CancelTrade(Instant, frozen=True, tag="CANCEL_TRADE", kw_only=True):
    """Withdraw a trade that this agent offered."""

    trade_id: Name | None = None


class PostBoard(Instant, frozen=True, tag="POST_BOARD", kw_only=True):
    """Pin a post to a board."""

    board_id: Name | None = None
    target_id: Name | None = None
    title: Prose | None = None
    body: Prose | None = None


class RemovePost(Instant, frozen=True, tag="REMOVE_POST", kw_only=True):
    """Take a post off a board."""

    board_id: Name | None = None
    target_id: Name | None = None
    post_id: Name | None = None


class SearchBoard(Instant, frozen=True, tag="SEARCH_BOARD", kw_only=True):
    """Find the posts of a board that hold a text."""

    board_id: Name | None = None
    target_id: Name | None = None
    text: Prose | None = None
    limit: Whole | None = None


class SetPermissions(Instant, frozen=True, tag="SET_PERMISSIONS", kw_only=True):
    """Say what strangers may do on a land."""

    land_id: Name | None = None
    policy: Policy | None = None


class AddMember(Instant, frozen=True, tag="ADD_MEMBER", kw_only=True):
    """Offer an agent membership of a land."""

    land_id: Name | None = None
    member_id: Name | None = None


class RemoveMember(Instant, frozen=True, tag="REMOVE_MEMBER", kw_only=True):
    """Take an agent off the members of a land."""

    land_id: Name | None = None
    member_id: Name | None = None


class AcceptLand(Instant, frozen=True, tag="ACCEPT_LAND", kw_only=True):
    """Accept what ADD_MEMBER (`role` MEMBER, or none) or DEED_LAND (`role` OWNER) has offered."""

    land_id: Name | None = None
    role: Name | None = None


class LeaveLand(Instant, frozen=True, tag="LEAVE_LAND", kw_only=True):
    """Stop being a listed member of a land, and decline what it has offered."""

    land_id: Name | None = None


class UpgradeClaim(Instant, frozen=True, tag="UPGRADE_CLAIM", kw_only=True):
    """Make a claimed land larger."""

    land_id: Name | None = None
    radius: Whole | None = None


class DeedLand(Instant, frozen=True, tag="DEED_LAND", kw_only=True):
    """Offer a land to a new owner."""

    land_id: Name | None = None
    new_owner: Name | None = None


class CreateOrg(Instant, frozen=True, tag="CREATE_ORG", kw_only=True):
    """Found an organisation."""

    org_kind: Name | None = None
    org_name: Prose | None = None


class JoinOrg(Instant, frozen=True, tag="JOIN_ORG", kw_only=True):
    """Join an organisation that is open, or that has sent an invitation."""

    org_id: Name | None = None


class LeaveOrg(Instant, frozen=True, tag="LEAVE_ORG", kw_only=True):
    """Leave the organisation."""


class OrgDeposit(Instant, frozen=True, tag="ORG_DEPOSIT", kw_only=True):
    """Put items into an organisation's treasury."""

    org_id: Name | None = None
    item_id: Name | None = None
    count: Whole | None = None


class OrgWithdraw(Instant, frozen=True, tag="ORG_WITHDRAW", kw_only=True):
    """Take items out of an organisation's treasury."""

    org_id: Name | None = None
    item_id: Name | None = None
    count: Whole | None = None


class SetOrgOpen(Instant, frozen=True, tag="SET_ORG_OPEN", kw_only=True):
    """Let anybody join an organisation, or only those who are invited."""

    org_id: Name | None = None
    open: Flag | None = None


class InviteOrg(Instant, frozen=True, tag="INVITE_ORG", kw_only=True):
    """Invite an agent to an organisation."""

    org_id: Name | None = None
    member_id: Name | None = None


class SetOrgRole(Instant, frozen=True, tag="SET_ORG_ROLE", kw_only=True):
    """Give a member of an organisation another role."""

    org_id: Name | None = None
    member_id: Name | None = None
    role: Name | None = None


class ProposeLaw(Instant, frozen=True, tag="PROPOSE_LAW", kw_only=True):
    """Propose a law for a land, made from a template."""

    land_id: Name | None = None
    template_id: Name | None = None
    params: Params | None = None
    title: Prose | None = None


class Vote(Instant, frozen=True, tag="VOTE", kw_only=True):
    """Vote on a proposed law."""

    law_id: Name | None = None
    choice: Name | None = None


class PostContract(Instant, frozen=True, tag="POST_CONTRACT", kw_only=True):
    """Post a contract at a terminal: the work, the reward, the deposit and the deadline."""

    terminal_id: Name | None = None
    contract_kind: Name | None = None
    requirements: Stacks | None = None
    reward: Stacks | None = None
    deposit: Stacks | None = None
    deadline_tick: Whole | None = None
    duration_ticks: Whole | None = None
    blueprint_id: Name | None = None
    anchor: Vector | None = None
    rotation: Whole | None = None


class AcceptContract(Instant, frozen=True, tag="ACCEPT_CONTRACT", kw_only=True):
    """Take on a contract, and leave its deposit."""

    terminal_id: Name | None = None
    contract_id: Name | None = None


class SubmitContract(Instant, frozen=True, tag="SUBMIT_CONTRACT", kw_only=True):
    """Hand in a contract's work, and get the reward."""

    terminal_id: Name | None = None
    contract_id: Name | None = None


class CancelContract(Instant, frozen=True, tag="CANCEL_CONTRACT", kw_only=True):
    """Take back a contract that nobody has accepted."""

    terminal_id: Name | None = None
    contract_id: Name | None = None


class ClaimOwed(Instant, frozen=True, tag="CLAIM_OWED", kw_only=True):
    """Collect what a terminal holds for this agent."""

    terminal_id: Name | None = None


class BadInstant(Instant, frozen=True, tag="!", kw_only=True):
    """An instant that could not be read, and why. It gets its result like any other."""

    problem: str = ""
    name: str = ""  # The type that was sent, if it was a text; cut.
    sent: str = ""  # The beginning of what was sent, as JSON.


class Unread(Instant, frozen=True, tag="?", kw_only=True):
    """An instant that a limit refuses whatever it says, as the journal keeps it."""

    limit: str
    bytes: int
    sha256: str


class BadTask(Task, frozen=True, tag="!", kw_only=True):
    """A task that could not be read, and why."""

    problem: str = ""
    name: str = ""
    sent: str = ""


SocietyInstant = (
    OfferTrade | AcceptTrade | DeclineTrade | CancelTrade
    | PostBoard | RemovePost | SearchBoard
    | SetPermissions | AddMember | RemoveMember | AcceptLand | LeaveLand | UpgradeClaim | DeedLand
    | CreateOrg | JoinOrg | LeaveOrg | OrgDeposit | OrgWithdraw
    | SetOrgOpen | InviteOrg | SetOrgRole
    | ProposeLaw | Vote
    | PostContract | AcceptContract | SubmitContract | CancelContract | ClaimOwed
)  # fmt: skip
SoundInstant = (
    Say | Whisper | Eat | SaveMemory | LoadMemory | SetSign | ToggleSwitch | SocietyInstant
)
AnyInstant = SoundInstant | BadInstant | Unread
MoveTask = MoveTo | Follow
WorkTask = Mine | Gather | Place | Open | Transfer | Craft | Smelt | BuildBlueprint
SoundTask = MoveTask | WorkTask | Stop | ClaimLand
AnyTask = SoundTask | BadTask

__all__ = ["Action", "Instant", "Name", "Ref", "Task", "Text"]
