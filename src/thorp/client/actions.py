"""The actions of an agent: each function makes one for `Agent.do` or `Agent.act` to send.

Instants happen at once. Tasks take time: an agent has one movement task (`move_to`, `follow`) and
one work task (`mine` to `build`) at most. Actions that concern others (land, organisations, laws,
trades, contracts, boards) happen at once too; what one created is in its outcome:
`outcome["land_id"]`. Goods are written as `{"COAL": 3}`.
"""

from collections.abc import Mapping
from typing import Any, Literal

from thorp.protocol import actions
from thorp.protocol.actions import Stack
from thorp.protocol.obs import Position

__all__ = [
    "SELF",
    "accept",
    "accept_land",
    "add_member",
    "allow",
    "ask_for",
    "ask_to_build",
    "build",
    "cancel_contract",
    "cancel_offer",
    "claim",
    "collect",
    "craft",
    "decline",
    "deposit",
    "eat",
    "enlarge",
    "follow",
    "found",
    "gather",
    "give_land",
    "give_role",
    "hand_in",
    "invite",
    "join",
    "leave",
    "leave_land",
    "look_into",
    "mine",
    "move_to",
    "offer",
    "place",
    "post",
    "propose",
    "recall",
    "remember",
    "remove_member",
    "remove_post",
    "say",
    "search",
    "set_open",
    "smelt",
    "stop",
    "take_on",
    "toggle",
    "transfer",
    "vote",
    "whisper",
    "withdraw",
    "write_sign",
]

SELF = "SELF"
"""Stands for one's own inventory in `transfer`."""

Goods = Mapping[str, int]


def _stacks(goods: Goods) -> list[Stack]:
    return [Stack(item, count) for item, count in goods.items()]


def _plain(data: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if data is None else dict(data)


# One's own body and belongings


def say(
    text: str, channel: str | None = None, data: Mapping[str, Any] | None = None
) -> actions.Say:
    """Say something to those nearby, or on a channel. `data` goes with the words, for programs:
    an object of ids and whole numbers, at most 1 KiB as JSON and four levels deep."""
    return actions.Say(text=text, channel=channel, data=_plain(data))


def whisper(to: str, text: str, data: Mapping[str, Any] | None = None) -> actions.Whisper:
    """Tell one agent something that nobody else hears; `data` as with `say`."""
    return actions.Whisper(to=to, text=text, data=_plain(data))


def eat(item: str, count: int = 1) -> actions.Eat:
    """Eat an item from the inventory."""
    return actions.Eat(item_id=item, count=count)


def remember(key: str, value: str, ttl_ticks: int | None = None) -> actions.SaveMemory:
    """Keep a text in the world, for this agent alone; it outlives the program."""
    return actions.SaveMemory(key=key, value=value, ttl_ticks=ttl_ticks)


def recall(prefix: str = "", limit: int | None = None) -> actions.LoadMemory:
    """Ask for what was remembered. It comes in the `memory` of an observation."""
    return actions.LoadMemory(prefix=prefix, limit=limit)


def write_sign(sign: str, text: str) -> actions.SetSign:
    """Write a text on a sign."""
    return actions.SetSign(target_id=sign, text=text)


def toggle(switch: str) -> actions.ToggleSwitch:
    """Flip a switch."""
    return actions.ToggleSwitch(target_id=switch)


def move_to(target: Position, tolerance: float = 1) -> actions.MoveTo:
    """Walk until the target's column is within `tolerance`, counted along x and z."""
    return actions.MoveTo(target=target, tolerance=tolerance)


def follow(target: str, distance: float | None = None) -> actions.Follow:
    """Walk after an agent. This never ends by itself."""
    return actions.Follow(target_id=target, distance=distance)


def stop() -> actions.Stop:
    """End the movement task, if there is one."""
    return actions.Stop()


def mine(position: Position) -> actions.Mine:
    """Break the block at a position."""
    return actions.Mine(block_pos=position)


def gather(item: str) -> actions.Gather:
    """Pick up an item entity that lies within reach."""
    return actions.Gather(target_id=item)


def place(position: Position, item: str) -> actions.Place:
    """Put a block from the inventory at a position."""
    return actions.Place(block_pos=position, item_id=item)


def look_into(target: str) -> actions.Open:
    """Open a container, a board or a sign; what it holds comes as an event."""
    return actions.Open(target_id=target)


def transfer(source: str, destination: str, item: str, count: int = 1) -> actions.Transfer:
    """Move items from one container to another; SELF is your own inventory."""
    return actions.Transfer(
        src_container=source, dst_container=destination, item_id=item, count=count
    )


def craft(recipe: str, count: int = 1) -> actions.Craft:
    """Make items by a recipe."""
    return actions.Craft(recipe_id=recipe, count=count)


def smelt(item: str, count: int = 1) -> actions.Smelt:
    """Smelt items in a furnace nearby."""
    return actions.Smelt(item_id=item, count=count)


def build(blueprint: str, anchor: Position, rotation: int = 0) -> actions.BuildBlueprint:
    """Build a blueprint, its corner at `anchor`, turned by `rotation` quarter turns."""
    return actions.BuildBlueprint(blueprint_id=blueprint, anchor=anchor, rotation=rotation)


# Land


def claim(anchor: Position, radius: int = 32) -> actions.ClaimLand:
    """Put up a totem, and own the square around it. The outcome has `land_id`."""
    return actions.ClaimLand(anchor=anchor, radius=radius)


def enlarge(land: str, radius: int) -> actions.UpgradeClaim:
    """Let a land have radius 64 or 128."""
    return actions.UpgradeClaim(land_id=land, radius=radius)


def allow(land: str, **flags: bool) -> actions.SetPermissions:
    """Say what visitors may do: `allow(land, build=False, trade=True)`; also `break_` and
    `damage`."""
    return actions.SetPermissions(
        land_id=land, policy={f"allow_{name.rstrip('_')}": may for name, may in flags.items()}
    )


def add_member(land: str, who: str) -> actions.AddMember:
    """Offer an agent to be a member of a land; it is one when it accepts."""
    return actions.AddMember(land_id=land, member_id=who)


def remove_member(land: str, who: str) -> actions.RemoveMember:
    """Take an agent off the members of your land."""
    return actions.RemoveMember(land_id=land, member_id=who)


def give_land(land: str, to: str) -> actions.DeedLand:
    """Give a land to one's own organisation, or offer it to an agent or another organisation."""
    return actions.DeedLand(land_id=land, new_owner=to)


def accept_land(land: str, role: Literal["MEMBER", "OWNER"] = "MEMBER") -> actions.AcceptLand:
    """Become a member of a land, or its owner, as a LAND_OFFER event has offered."""
    return actions.AcceptLand(land_id=land, role=role)


def leave_land(land: str) -> actions.LeaveLand:
    """Stop being a listed member of a land, or decline its offer."""
    return actions.LeaveLand(land_id=land)


# Organisations


def found(name: str, kind: str = "CITY") -> actions.CreateOrg:
    """Found a CITY or a GUILD, and lead it. The outcome has `org_id`."""
    return actions.CreateOrg(org_kind=kind, org_name=name)


def join(org: str) -> actions.JoinOrg:
    """Join an organisation that is open, or that has invited you."""
    return actions.JoinOrg(org_id=org)


def leave() -> actions.LeaveOrg:
    """Leave your organisation."""
    return actions.LeaveOrg()


def deposit(org: str, item: str, count: int = 1) -> actions.OrgDeposit:
    """Put items into an organisation's treasury."""
    return actions.OrgDeposit(org_id=org, item_id=item, count=count)


def withdraw(org: str, item: str, count: int = 1) -> actions.OrgWithdraw:
    """Take items out of an organisation's treasury."""
    return actions.OrgWithdraw(org_id=org, item_id=item, count=count)


def set_open(org: str, open: bool) -> actions.SetOrgOpen:
    """Say whether anyone may join, or only those who are invited."""
    return actions.SetOrgOpen(org_id=org, open=open)


def invite(org: str, who: str) -> actions.InviteOrg:
    """Invite an agent to your organisation."""
    return actions.InviteOrg(org_id=org, member_id=who)


def give_role(org: str, who: str, role: str) -> actions.SetOrgRole:
    """Make a member LEADER, OFFICER or MEMBER; NONE puts it out."""
    return actions.SetOrgRole(org_id=org, member_id=who, role=role)


# Laws


def propose(
    land: str, template: str, title: str | None = None, **params: object
) -> actions.ProposeLaw:
    """Propose a law: `propose(land, "MARKET_TAX", market_tax=0.1)`. The outcome has `law_id`."""
    return actions.ProposeLaw(land_id=land, template_id=template, title=title, params=params)


def vote(law: str, choice: str = "YES") -> actions.Vote:
    """Vote YES, NO or ABSTAIN; a later vote replaces this one."""
    return actions.Vote(law_id=law, choice=choice)


# Trades


def offer(to: str, give: Goods, take: Goods) -> actions.OfferTrade:
    """Offer somebody goods for goods. The outcome has `trade_id`."""
    return actions.OfferTrade(to=to, offer=list(give.items()), request=list(take.items()))


def accept(trade: str) -> actions.AcceptTrade:
    """Accept a trade that was offered to you."""
    return actions.AcceptTrade(trade_id=trade)


def decline(trade: str) -> actions.DeclineTrade:
    """Decline a trade that was offered to you."""
    return actions.DeclineTrade(trade_id=trade)


def cancel_offer(trade: str) -> actions.CancelTrade:
    """Withdraw a trade that you offered."""
    return actions.CancelTrade(trade_id=trade)


# Contracts


def ask_for(
    terminal: str,
    goods: Goods,
    reward: Goods,
    deposit: Goods | None = None,
    ticks: int | None = None,
) -> actions.PostContract:
    """Promise a reward to the agent that brings goods to a terminal within `ticks`, or within a
    day.

    The outcome has `contract_id`.
    """
    return actions.PostContract(
        terminal_id=terminal,
        contract_kind="DELIVER",
        requirements=_stacks(goods),
        reward=_stacks(reward),
        deposit=_stacks(deposit) if deposit else None,
        duration_ticks=ticks,
    )


def ask_to_build(
    terminal: str,
    blueprint: str,
    anchor: Position,
    reward: Goods,
    deposit: Goods | None = None,
    *,
    rotation: int = 0,
    ticks: int | None = None,
) -> actions.PostContract:
    """Promise a reward to the agent that builds a blueprint at a place. The outcome has
    `contract_id`."""
    return actions.PostContract(
        terminal_id=terminal,
        contract_kind="BUILD",
        blueprint_id=blueprint,
        anchor=anchor,
        rotation=rotation,
        reward=_stacks(reward),
        deposit=_stacks(deposit) if deposit else None,
        duration_ticks=ticks,
    )


def take_on(terminal: str, contract: str) -> actions.AcceptContract:
    """Accept a contract, and pay the deposit that it asks for."""
    return actions.AcceptContract(terminal_id=terminal, contract_id=contract)


def hand_in(terminal: str, contract: str) -> actions.SubmitContract:
    """Say that a contract is fulfilled. One that is settles by itself, too."""
    return actions.SubmitContract(terminal_id=terminal, contract_id=contract)


def cancel_contract(terminal: str, contract: str) -> actions.CancelContract:
    """Take back your own open contract, or clear a stranger's from a terminal on your land."""
    return actions.CancelContract(terminal_id=terminal, contract_id=contract)


def collect(container: str) -> actions.ClaimOwed:
    """Take what a terminal, or any container, keeps for us."""
    return actions.ClaimOwed(terminal_id=container)


# Boards


def post(board: str, title: str, body: str) -> actions.PostBoard:
    """Put up a notice on a board within reach, or, under any other name, on one that is
    everywhere."""
    return actions.PostBoard(board_id=board, title=title, body=body)


def remove_post(board: str, post: str) -> actions.RemovePost:
    """Take down your own post, or anyone's from a board on your land."""
    return actions.RemovePost(board_id=board, post_id=post)


def search(board: str, text: str, limit: int | None = None) -> actions.SearchBoard:
    """Look for a text on a board; what is found is in `agent.news.opened[board]`."""
    return actions.SearchBoard(board_id=board, text=text, limit=limit)
