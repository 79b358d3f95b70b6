"""Organisations: guilds and cities. An agent is in one at most. See `docs/society-land.md`.

There is always one leader. The last member to leave takes the treasury along and inherits land and
contracts, so everything always has an owner.
"""

from typing import Any, Final, cast, get_args

from thorp.protocol import actions, codes
from thorp.voxel.achievements import note_deed
from thorp.voxel.lookups import goods, land
from thorp.voxel.refusal import Refusal, given, known, refuse_if
from thorp.voxel.society import escrow, tenure
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import ADMINS, Org, Role
from thorp.voxel.state.world import World, WorldState

KINDS: Final = ("GUILD", "CITY")
MAX_NAME_BYTES: Final = 40
# The oldest invitation is forgotten first.
MAX_INVITED: Final = 128
# The role in SET_ORG_ROLE that removes a member.
NO_ROLE: Final = "NONE"


def create(world: World, agent: Agent, wish: actions.CreateOrg) -> dict[str, object]:
    """Create a guild or a city, with the agent as its leader."""
    kind = (wish.org_kind or "").upper()
    name = (wish.org_name or "").strip()
    refuse_if(kind not in KINDS, codes.BAD_REQUEST, f"org_kind must be {' or '.join(KINDS)}")
    if not 1 <= len(name.encode("utf-8", "surrogatepass")) <= MAX_NAME_BYTES:
        raise Refusal(codes.BAD_REQUEST, f"org_name must have 1 to {MAX_NAME_BYTES} bytes")
    refuse_if(agent.org, codes.CONFLICT, "already in an organisation")
    world.counters.org += 1
    org = Org(
        id=f"ORG{world.counters.org:06d}",
        kind=cast(Any, kind),
        name=name,
        created_tick=world.tick,
        members={agent.id: "LEADER"},
    )
    world.orgs.put(org)
    _belong(agent, org.id)
    note_deed(world, agent, "join_org")
    world.publish("CREATE_ORG", agent=agent.id, org_id=org.id, name=name)
    return {"org_id": org.id}


def join(world: World, agent: Agent, wish: actions.JoinOrg) -> None:
    """Join an organisation that is open, or that invited the agent."""
    org = _named(world, wish.org_id)
    refuse_if(agent.org, codes.CONFLICT, "already in an organisation")
    refuse_if(not org.open and agent.id not in org.invited, codes.NO_PERMISSION, "not invited")
    org.members[agent.id] = "MEMBER"
    if agent.id in org.invited:
        org.invited.remove(agent.id)
    _belong(agent, org.id)
    note_deed(world, agent, "join_org")
    _changed(world, agent, "JOIN_ORG", org)


def leave(world: World, agent: Agent, wish: actions.LeaveOrg) -> None:
    """Leave an organisation; the last member to leave inherits what it owns."""
    org = world.orgs.get(agent.org)
    if org is None:
        raise Refusal(codes.BLOCKED, "not in an organisation")
    role = org.members.pop(agent.id)
    _belong(agent, "")
    _changed(world, agent, "LEAVE_ORG", org)
    if not org.members:
        _dissolve(world, org, agent)
    elif role == "LEADER":
        members = world.agents_by_id(org.members)
        # Officers come before members, then the lowest number decides.
        successor = min(
            members, key=lambda member: (org.members[member.id] != "OFFICER", member.number)
        )
        _give_role(world, org, successor, "LEADER", giver=agent)
        world.publish("PASSED_LEADERSHIP", agent=agent.id, org_id=org.id, member_id=successor.id)


def _give_role(world: WorldState, org: Org, member: Agent, role: str, giver: Agent) -> None:
    if role == NO_ROLE:
        del org.members[member.id]
        _belong(member, "")
    else:
        org.members[member.id] = cast(Role, role)
    world.orgs.touch(org.id)
    world.emit_to([member], "ORG_ROLE", **{"org_id": org.id, "role": role, "from": giver.id})


def _dissolve(world: World, org: Org, heir: Agent) -> None:
    for item in sorted(org.treasury):
        heir.give(item, org.treasury[item])
    for claim in land.owned_by(world, org.id):
        tenure.transfer(world, claim, heir.id)
        world.publish("INHERITED_LAND", agent=heir.id, org_id=org.id, land_id=claim.id)
    escrow.inherit(world, org.id, heir.id)
    world.orgs.remove(org.id)
    world.publish("ORG_ENDED", agent=heir.id, org_id=org.id, name=org.name)


def deposit(world: World, agent: Agent, wish: actions.OrgDeposit) -> None:
    """Put goods into the treasury."""
    org, item, count = _movement(world, wish)
    refuse_if(agent.id not in org.members, codes.NO_PERMISSION, "not a member")
    refuse_if(agent.have(item) < count, codes.NO_RESOURCE, "missing items")
    agent.give(item, -count)
    goods.give(world, org.id, item, count)
    world.publish("ORG_DEPOSIT", agent=agent.id, org_id=org.id, item=item, count=count)


def withdraw(world: World, agent: Agent, wish: actions.OrgWithdraw) -> None:
    """Take goods out of the treasury, as an admin."""
    org, item, count = _movement(world, wish)
    _require_admin(org, agent)
    refuse_if(org.treasury.get(item, 0) < count, codes.NO_RESOURCE, "treasury lacks items")
    goods.give(world, org.id, item, -count)
    agent.give(item, count)
    world.publish("ORG_WITHDRAW", agent=agent.id, org_id=org.id, item=item, count=count)


def set_open(world: World, agent: Agent, wish: actions.SetOrgOpen) -> None:
    """Decide, as an admin, whether anyone may join."""
    org = _named(world, wish.org_id)
    is_open = given(wish.open, "open")
    _require_admin(org, agent)
    org.open = is_open
    _changed(world, agent, "SET_ORG_OPEN", org, open=org.open)


def invite(world: World, agent: Agent, wish: actions.InviteOrg) -> None:
    """Invite an agent to join, as an admin."""
    org, guest = _other(world, wish)
    _require_admin(org, agent)
    guest = known(guest, "member not found")
    refuse_if(guest.id in org.members, codes.CONFLICT, "is a member already")
    if guest.id not in org.invited:
        org.invited.append(guest.id)
        del org.invited[:-MAX_INVITED]
        world.emit_to(
            [guest], "ORG_INVITE", **{"org_id": org.id, "name": org.name, "from": agent.id}
        )
        _changed(world, agent, "INVITE_ORG", org, member_id=guest.id)


def set_role(world: World, agent: Agent, wish: actions.SetOrgRole) -> None:
    """Give a member another role, as the leader, or remove it from the organisation."""
    org, other = _other(world, wish)
    role = (wish.role or "").upper()
    if role not in (*get_args(Role), NO_ROLE):
        raise Refusal(
            codes.BAD_REQUEST, f"role must be one of {', '.join((*get_args(Role), NO_ROLE))}"
        )
    refuse_if(org.members.get(agent.id) != "LEADER", codes.NO_PERMISSION, "not the leader")
    if other is None or other.id not in org.members:
        raise Refusal(codes.INVALID_TARGET, "not a member")
    refuse_if(other is agent, codes.CONFLICT, "make another member LEADER, or leave")
    _give_role(world, org, other, role, giver=agent)
    if role == "LEADER":
        org.members[agent.id] = "OFFICER"
    _changed(world, agent, "SET_ORG_ROLE", org, member_id=other.id, role=role)


def _named(world: WorldState, org_id: str | None) -> Org:
    return known(world.orgs.get(given(org_id, "org_id")), "org not found")


def _movement(
    world: WorldState, wish: actions.OrgDeposit | actions.OrgWithdraw
) -> tuple[Org, str, int]:
    item = given(wish.item_id, "item_id")
    if wish.count is None or wish.count <= 0:
        raise Refusal(codes.BAD_REQUEST, "count must be positive")
    return _named(world, wish.org_id), item, wish.count


def _other(
    world: WorldState, wish: actions.InviteOrg | actions.SetOrgRole
) -> tuple[Org, Agent | None]:
    member_id = given(wish.member_id, "member_id")
    return _named(world, wish.org_id), world.agent_by_id(member_id)


def _require_admin(org: Org, agent: Agent) -> None:
    refuse_if(org.members.get(agent.id) not in ADMINS, codes.NO_PERMISSION, "not org admin")


def _belong(agent: Agent, org_id: str) -> None:
    agent.org = org_id
    agent.changed()


def _changed(world: World, agent: Agent, kind: str, org: Org, **fields: object) -> None:
    world.orgs.touch(org.id)
    world.publish(kind, agent=agent.id, org_id=org.id, **fields)
