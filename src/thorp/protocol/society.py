"""What an agent may ask of others: land, organisations, laws, trades, contracts, boards. See `actions`."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from thorp.protocol.fields import FAR, Instant, Name, Prose, Stack, Task, Vector, Whole

Amount = Annotated[float, Meta(ge=-FAR, le=FAR, description=f"a number from {-FAR} to {FAR}")]
Pairs = Annotated[
    list[tuple[Name, Amount]], Meta(max_length=64, description="at most 64 pairs of item and count")
]
Stacks = Annotated[list[Stack], Meta(max_length=64, description="at most 64 objects with item and count")]
Flag = Annotated[bool, Meta(description="true or false")]
Policy = Annotated[dict[Name, bool], Meta(max_length=16, description="an object of booleans")]
Params = Annotated[dict[Name, Any], Meta(max_length=16, description="an object")]


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


class ClaimLand(Task, frozen=True, tag="CLAIM_LAND", kw_only=True):
    """Takes no slot: it is done, or refused, in the tick it is asked for."""

    anchor: Vector | None = None
    radius: Whole | None = None


SocietyInstant = (
    OfferTrade
    | AcceptTrade
    | DeclineTrade
    | CancelTrade
    | PostBoard
    | RemovePost
    | SearchBoard
    | SetPermissions
    | AddMember
    | RemoveMember
    | UpgradeClaim
    | DeedLand
    | CreateOrg
    | JoinOrg
    | LeaveOrg
    | OrgDeposit
    | OrgWithdraw
    | SetOrgOpen
    | InviteOrg
    | SetOrgRole
    | ProposeLaw
    | Vote
    | PostContract
    | AcceptContract
    | SubmitContract
    | CancelContract
    | ClaimOwed
)
