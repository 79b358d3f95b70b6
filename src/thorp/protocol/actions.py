"""What an agent may ask for: one type an action, holding only the fields that action uses.

An action is chosen by its `type`; fields it does not use are not looked at, whatever they hold,
because clients pad their actions. Bounds here are those of form: whether a target exists is the
world's to say. Instants happen at once; tasks take time, and an agent has one movement and one work
task at most.
"""

from typing import Annotated, Any, Final

from msgspec import Meta, Struct

FAR: Final = 2**31 - 1
MAX_ID_LENGTH: Final = (
    128  # Names of things: the world makes up none that is longer than some 60 characters.
)
MAX_REF_LENGTH: Final = (
    1_024  # A client's reference to an action, echoed in its result; longer ones are cut.
)

MAX_TEXT_LENGTH: Final = 65_536  # What memory can hold; every other text is shorter by its rule.

Text = Annotated[str, Meta(description="a string")]
_limited = "a string of at most {} characters".format
Prose = Annotated[str, Meta(max_length=MAX_TEXT_LENGTH, description=_limited(MAX_TEXT_LENGTH))]
Name = Annotated[str, Meta(max_length=MAX_ID_LENGTH, description=_limited(MAX_ID_LENGTH))]
Ref = Annotated[str, Meta(max_length=MAX_REF_LENGTH, description=_limited(MAX_REF_LENGTH))]
Note = Annotated[str, Meta(max_length=MAX_TEXT_LENGTH + 1, description="a string")]
"""A text to remember: one character more than fits, so that the rule can refuse it. The rest is cut
off."""
Long = Annotated[int, Meta(ge=-(2**63), le=2**63 - 1, description="an integer of 64 bits")]
Whole = Annotated[int, Meta(ge=-FAR, le=FAR, description=f"an integer from {-FAR} to {FAR}")]
Vector = Annotated[tuple[Whole, Whole, Whole], Meta(description="an array of 3 integers")]
Distance = Annotated[float, Meta(ge=-1e6, le=1e6, description="a number from -1000000 to 1000000")]


class Stack(Struct, frozen=True):
    """So many of one item, as messages write it."""

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


class Action(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What every action has: the client's own reference, echoed in the result."""

    id: Ref = ""


class Instant(Action, frozen=True, tag_field="type"):
    """Happens in the tick it arrives in."""


class Task(Action, frozen=True, tag_field="type"):
    """Begins in the tick it arrives in, and may go on."""


class Say(Instant, frozen=True, tag="SAY", kw_only=True):
    channel: Name | None = None
    text: Prose | None = None


class Whisper(Instant, frozen=True, tag="WHISPER", kw_only=True):
    to: Name | None = None
    text: Prose | None = None


class Eat(Instant, frozen=True, tag="EAT", kw_only=True):
    item_id: Name | None = None
    count: Whole | None = None


class SaveMemory(Instant, frozen=True, tag="SAVE_MEMORY", kw_only=True):
    key: Note | None = None
    value: Note | None = None
    ttl_ticks: Long | None = None


class LoadMemory(Instant, frozen=True, tag="LOAD_MEMORY", kw_only=True):
    prefix: Prose | None = None
    limit: Whole | None = None


class SetSign(Instant, frozen=True, tag="SET_SIGN", kw_only=True):
    target_id: Name | None = None
    text: Prose | None = None


class ToggleSwitch(Instant, frozen=True, tag="TOGGLE_SWITCH", kw_only=True):
    target_id: Name | None = None


class MoveTo(Task, frozen=True, tag="MOVE_TO", kw_only=True):
    target: Vector | None = None
    tolerance: Distance | None = None


class Follow(Task, frozen=True, tag="FOLLOW", kw_only=True):
    target_id: Name | None = None
    distance: Distance | None = None


class Stop(Task, frozen=True, tag="STOP", kw_only=True):
    pass


class Mine(Task, frozen=True, tag="MINE", kw_only=True):
    block_pos: Vector | None = None


class Gather(Task, frozen=True, tag="GATHER", kw_only=True):
    target_id: Name | None = None


class Place(Task, frozen=True, tag="PLACE", kw_only=True):
    block_pos: Vector | None = None
    item_id: Name | None = None


class Open(Task, frozen=True, tag="OPEN", kw_only=True):
    target_id: Name | None = None


class Transfer(Task, frozen=True, tag="TRANSFER", kw_only=True):
    src_container: Name | None = None
    dst_container: Name | None = None
    item_id: Name | None = None
    count: Whole | None = None


class Craft(Task, frozen=True, tag="CRAFT", kw_only=True):
    recipe_id: Name | None = None
    count: Whole | None = None


class Smelt(Task, frozen=True, tag="SMELT", kw_only=True):
    item_id: Name | None = None
    count: Whole | None = None


class BuildBlueprint(Task, frozen=True, tag="BUILD_BLUEPRINT", kw_only=True):
    blueprint_id: Name | None = None
    anchor: Vector | None = None
    rotation: Whole | None = None


class ClaimLand(Task, frozen=True, tag="CLAIM_LAND", kw_only=True):
    """Takes no slot: it is done, or refused, in the tick it is asked for."""

    anchor: Vector | None = None
    radius: Whole | None = None


class OfferTrade(Instant, frozen=True, tag="OFFER_TRADE", kw_only=True):
    to: Name | None = None
    offer: Pairs | None = None
    request: Pairs | None = None


class AcceptTrade(Instant, frozen=True, tag="ACCEPT_TRADE", kw_only=True):
    trade_id: Name | None = None


class DeclineTrade(Instant, frozen=True, tag="DECLINE_TRADE", kw_only=True):
    trade_id: Name | None = None


class CancelTrade(Instant, frozen=True, tag="CANCEL_TRADE", kw_only=True):
    trade_id: Name | None = None


class PostBoard(Instant, frozen=True, tag="POST_BOARD", kw_only=True):
    board_id: Name | None = None
    target_id: Name | None = None
    title: Prose | None = None
    body: Prose | None = None


class RemovePost(Instant, frozen=True, tag="REMOVE_POST", kw_only=True):
    board_id: Name | None = None
    target_id: Name | None = None
    post_id: Name | None = None


class SearchBoard(Instant, frozen=True, tag="SEARCH_BOARD", kw_only=True):
    board_id: Name | None = None
    target_id: Name | None = None
    text: Prose | None = None
    limit: Whole | None = None


class SetPermissions(Instant, frozen=True, tag="SET_PERMISSIONS", kw_only=True):
    land_id: Name | None = None
    policy: Policy | None = None


class AddMember(Instant, frozen=True, tag="ADD_MEMBER", kw_only=True):
    land_id: Name | None = None
    member_id: Name | None = None


class RemoveMember(Instant, frozen=True, tag="REMOVE_MEMBER", kw_only=True):
    land_id: Name | None = None
    member_id: Name | None = None


class AcceptLand(Instant, frozen=True, tag="ACCEPT_LAND", kw_only=True):
    """Take what was offered by ADD_MEMBER (`role` MEMBER, or none) or by DEED_LAND (`role`
    OWNER)."""

    land_id: Name | None = None
    role: Name | None = None


class LeaveLand(Instant, frozen=True, tag="LEAVE_LAND", kw_only=True):
    """Stop being a listed member of a land, and decline what it has offered."""

    land_id: Name | None = None


class UpgradeClaim(Instant, frozen=True, tag="UPGRADE_CLAIM", kw_only=True):
    land_id: Name | None = None
    radius: Whole | None = None


class DeedLand(Instant, frozen=True, tag="DEED_LAND", kw_only=True):
    land_id: Name | None = None
    new_owner: Name | None = None


class CreateOrg(Instant, frozen=True, tag="CREATE_ORG", kw_only=True):
    org_kind: Name | None = None
    org_name: Prose | None = None


class JoinOrg(Instant, frozen=True, tag="JOIN_ORG", kw_only=True):
    org_id: Name | None = None


class LeaveOrg(Instant, frozen=True, tag="LEAVE_ORG", kw_only=True):
    pass


class OrgDeposit(Instant, frozen=True, tag="ORG_DEPOSIT", kw_only=True):
    org_id: Name | None = None
    item_id: Name | None = None
    count: Whole | None = None


class OrgWithdraw(Instant, frozen=True, tag="ORG_WITHDRAW", kw_only=True):
    org_id: Name | None = None
    item_id: Name | None = None
    count: Whole | None = None


class SetOrgOpen(Instant, frozen=True, tag="SET_ORG_OPEN", kw_only=True):
    org_id: Name | None = None
    open: Flag | None = None


class InviteOrg(Instant, frozen=True, tag="INVITE_ORG", kw_only=True):
    org_id: Name | None = None
    member_id: Name | None = None


class SetOrgRole(Instant, frozen=True, tag="SET_ORG_ROLE", kw_only=True):
    org_id: Name | None = None
    member_id: Name | None = None
    role: Name | None = None


class ProposeLaw(Instant, frozen=True, tag="PROPOSE_LAW", kw_only=True):
    land_id: Name | None = None
    template_id: Name | None = None
    params: Params | None = None
    title: Prose | None = None


class Vote(Instant, frozen=True, tag="VOTE", kw_only=True):
    law_id: Name | None = None
    choice: Name | None = None


class PostContract(Instant, frozen=True, tag="POST_CONTRACT", kw_only=True):
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
    terminal_id: Name | None = None
    contract_id: Name | None = None


class SubmitContract(Instant, frozen=True, tag="SUBMIT_CONTRACT", kw_only=True):
    terminal_id: Name | None = None
    contract_id: Name | None = None


class CancelContract(Instant, frozen=True, tag="CANCEL_CONTRACT", kw_only=True):
    terminal_id: Name | None = None
    contract_id: Name | None = None


class ClaimOwed(Instant, frozen=True, tag="CLAIM_OWED", kw_only=True):
    terminal_id: Name | None = None


class BadInstant(Instant, frozen=True, tag="!", kw_only=True):
    """An instant that could not be read, and why. It gets its result like any other."""

    problem: str = ""


class Unread(Instant, frozen=True, tag="?", kw_only=True):
    """An instant that a limit refuses whatever it says. The journal keeps no more of it than
    this."""

    limit: str
    bytes: int
    sha256: str


class BadTask(Task, frozen=True, tag="!", kw_only=True):
    """A task that could not be read, and why."""

    problem: str = ""


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
