"""Hints about society: who decides, and how a law or a contract stands."""

from thorp.protocol.near_names import quote_name
from thorp.voxel.hints.case import Case, goods, listed, place
from thorp.voxel.lookups.permissions import WANTED_BELOW
from thorp.voxel.society import worksites
from thorp.voxel.state.records import ADMINS, Contract
from thorp.voxel.state.world import block_id
from thorp.voxel.systems.containers import available

# Organisations


def own_org(case: Case) -> str:
    """The organisation that the agent must leave before it can join another."""
    return f"you are in {case.agent.org}; LEAVE_ORG first"


def no_org(case: Case) -> str:
    """How to get into an organisation."""
    return "CREATE_ORG makes one; JOIN_ORG enters one that is open or has invited you"


def invitation(case: Case) -> str:
    """Who could invite the agent."""
    return f"ask one of {_admins(case)} for INVITE_ORG"


def org_admin(case: Case) -> str:
    """The agent's own role, and who the admins are."""
    org = case.world.orgs.get(case.text("org_id"))
    role = None if org is None else org.members.get(case.agent.id)
    return f"you are {role or 'no member'}; its admins are {_admins(case)}"


def leader(case: Case) -> str:
    """Who leads an organisation."""
    org = case.world.orgs.get(case.text("org_id"))
    members = {} if org is None else org.members
    leaders = [member for member, role in members.items() if role == "LEADER"]
    return f"the leader is {listed(leaders)}" if leaders else ""


def _admins(case: Case) -> str:
    org = case.world.orgs.get(case.text("org_id"))
    members = {} if org is None else org.members
    return listed(member for member, role in members.items() if role in ADMINS)


def membership(case: Case) -> str:
    """Who is not a member of which organisation."""
    member_id = case.text("member_id")
    if member_id:
        return f"{quote_name(member_id)} is no member of {case.text('org_id')}"
    return f"only members of {case.text('org_id')} may; JOIN_ORG first"


# Land and laws


def land_admin(case: Case) -> str:
    """Who decides about a land."""
    claim = case.world.claims.get(case.text("land_id"))
    if claim is None:
        return ""
    if claim.owner in case.world.orgs:
        return f"{claim.id} is of {claim.owner}; its leader and officers decide"
    return f"{claim.id} is of {claim.owner}, who decides alone"


def elector(case: Case) -> str:
    """The land whose laws these are, and its owner."""
    law = case.world.laws.get(case.text("law_id"))
    claim = case.world.claims.get(law.land_id if law is not None else case.text("land_id"))
    return "" if claim is None else f"{claim.id} is of {claim.owner}; only its members may"


def offered_membership(case: Case) -> str:
    """Who could offer membership of a land."""
    return f"{land_admin(case)}: ask for ADD_MEMBER"


def offered_land(case: Case) -> str:
    """Who could offer a land."""
    return f"{land_admin(case)}: ask for DEED_LAND"


def listed_member(case: Case) -> str:
    """How the agent belongs to a land without being a listed member."""
    claim = case.world.claims.get(case.text("land_id"))
    if claim is not None and claim.owner == case.agent.id:
        return "you own it; DEED_LAND gives it away"
    if claim is not None and claim.owner == case.agent.org:
        return f"you belong to it by {case.agent.org}; LEAVE_ORG ends that"
    return "you have nothing to leave there"


def upkeep(case: Case) -> str:
    """When upkeep is due next, and what it costs."""
    claim = case.world.claims.get(case.text("land_id"))
    cost = goods(case.world.tuning.claim_maintenance_cost)
    return "" if claim is None else f"keep {cost} for tick {claim.due_tick}; then try again"


def voting(case: Case) -> str:
    """The stage of a law."""
    law = case.world.laws.get(case.text("law_id"))
    if law is None:
        return ""
    if law.status == "NOTICE":
        return f"the vote on {law.id} begins at tick {law.notice_ends_tick}"
    return f"{law.id} is decided: {law.status}"


def law_params(case: Case) -> str:
    """Which parameters a kind of law takes."""
    template = case.world.catalogs.law_templates.get(case.text("template_id"))
    return "" if template is None else f"{template.id} takes params {listed(template.params)}"


def wanted(case: Case) -> str:
    """Why a city is closed to somebody."""
    law = case.agent.reputation["law"] / 1000
    return f"your law reputation is {law:g}; cities want {WANTED_BELOW / 1000:g}"


# Posts and contracts


def post_author(case: Case) -> str:
    """Whose post it is."""
    notices = case.world.notices.get(case.text("target_id", "board_id"))
    posts = () if notices is None else notices.posts
    authors = [each.author for each in posts if each.id == case.text("post_id")]
    return f"it is a post of {authors[0]}" if authors else ""


def contract_state(case: Case) -> str:
    """How a contract stands."""
    contract = _contract(case)
    if contract is None:
        return ""
    by = f" by {contract.acceptor}" if contract.acceptor else ""
    return f"{contract.id} is {contract.state}{by}"


def contract_poster(case: Case) -> str:
    """Whose contract it is."""
    contract = _contract(case)
    return "" if contract is None else f"{contract.poster} has posted {contract.id}"


def acceptor(case: Case) -> str:
    """Why somebody cannot hand in a contract."""
    contract = _contract(case)
    if contract is not None and contract.state == "OPEN":
        return f"{contract.id} is OPEN; send ACCEPT_CONTRACT first"
    return contract_state(case)


def deadline(case: Case) -> str:
    """When a contract was due."""
    contract = _contract(case)
    if contract is None:
        return ""
    return f"{contract.id} was due at tick {contract.deadline_tick}, now is {case.world.tick}"


def new_deadline(case: Case) -> str:
    """The two ways to say when a contract ends."""
    now = case.world.tick
    return f"now is tick {now}; deadline_tick is a tick, duration_ticks counts from now"


def terminal(case: Case) -> str:
    """The terminal that a contract belongs to."""
    contract = _contract(case)
    if contract is None:
        return ""
    return f"{contract.id} is at {block_id('CONTRACT_TERMINAL', contract.terminal)}"


def requirements(case: Case) -> str:
    """The goods or blocks that a contract still lacks."""
    contract = _contract(case)
    if contract is None:
        return ""
    if contract.kind == "BUILD":
        return _missing_block(case, contract)
    terminal = case.world.containers[contract.terminal]
    counts = {
        item: count - contract.delivered.get(item, 0) - available(terminal, item)
        for item, count in contract.requirements.items()
    }
    lacking = {item: count for item, count in counts.items() if count > 0}
    if not lacking:
        return "the goods in the terminal are not yours to hand in; TRANSFER your own"
    return f"{contract.id} lacks {goods(lacking)}; TRANSFER it to {terminal.id}"


def _missing_block(case: Case, contract: Contract) -> str:
    plan = worksites.plan(case.world, contract)
    block_at = case.world.ground.block
    missing = [cell for cell, wanted in plan.items() if block_at(*cell) != wanted]
    if not missing:
        return "it stands, but too much of it hangs in the air"
    cell = missing[0]
    name = case.world.catalogs.blocks[plan[cell]].id
    return f"{len(missing)} of {len(plan)} blocks lack; {name} belongs to {place(cell)}"


def _contract(case: Case) -> Contract | None:
    return case.world.contracts.get(case.text("contract_id"))
