"""Who decides, whose turn it is, and how laws and contracts stand."""

from __future__ import annotations

from typing import Any

from tests.voxel.flat import STAND, events, put_agent
from tests.voxel.hints.asking import answer, hint
from tests.voxel.society.civic import NOTICE, VOTING, a_land, a_law, a_society, an_org, wait
from tests.voxel.working import put
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.world import World

TERMINAL = f"CONTRACT_TERMINAL@20,{STAND},1"


def test_organisations() -> None:
    world = a_society()
    leader, stranger = put_agent(world, COAL=1), put_agent(world, 1, 1)
    assert hint(world, stranger, type="LEAVE_ORG").startswith("CREATE_ORG makes one")
    assert hint(world, stranger, type="SAY", channel="CITY", text="hi").startswith("CREATE_ORG")
    org = an_org(world, leader)
    org.open = False
    assert hint(world, stranger, type="JOIN_ORG", org_id=org.id) == "ask one of A1 for INVITE_ORG"
    assert hint(world, leader, type="JOIN_ORG", org_id=org.id) == (
        f"you are in {org.id}; LEAVE_ORG first"
    )
    move = {"org_id": org.id, "item_id": "COAL", "count": 1}
    assert hint(world, stranger, type="ORG_DEPOSIT", **move) == (
        f"only members of {org.id} may; JOIN_ORG first"
    )
    assert hint(world, stranger, type="ORG_WITHDRAW", **move) == (
        "you are no member; its admins are A1"
    )
    role = {"type": "SET_ORG_ROLE", "org_id": org.id, "role": "OFFICER"}
    assert hint(world, stranger, **role, member_id="A2") == "the leader is A1"
    assert hint(world, leader, **role, member_id="A2") == f'"A2" is no member of {org.id}'


def test_land_and_its_admins() -> None:
    world = a_society()
    owner, stranger = put_agent(world, 1, 1), put_agent(world, 3, 3)
    claim = a_land(world, owner)
    member = {"type": "ADD_MEMBER", "land_id": claim.id, "member_id": "A2"}
    assert hint(world, stranger, **member) == f"{claim.id} is of A1, who decides alone"
    accept = {"type": "ACCEPT_LAND", "land_id": claim.id}
    assert hint(world, stranger, **accept).endswith(": ask for ADD_MEMBER")
    assert hint(world, stranger, **accept, role="OWNER").endswith(": ask for DEED_LAND")
    leave = {"type": "LEAVE_LAND", "land_id": claim.id}
    assert hint(world, owner, **leave) == "you own it; DEED_LAND gives it away"
    assert hint(world, stranger, **leave) == "you have nothing to leave there"
    claim.stage = 1
    enlarge = {"type": "UPGRADE_CLAIM", "land_id": claim.id, "radius": 64}
    assert hint(world, owner, **enlarge).endswith(f"for tick {claim.due_tick}; then try again")


def test_laws() -> None:
    world = a_society()
    owner, stranger = put_agent(world, 1, 1), put_agent(world, 3, 3)
    claim = a_land(world, owner)
    propose = {"type": "PROPOSE_LAW", "land_id": claim.id}
    tax = {"template_id": "MARKET_TAX", "params": {"market_tax": 0.1}}
    assert hint(world, stranger, **propose, **tax) == f"{claim.id} is of A1; only its members may"
    assert hint(world, owner, **propose, **{**tax, "template_id": "TAX"}).startswith(
        'No law template "TAX"; there are ACCESS_PASS_CORE, '
    )
    assert hint(world, owner, **propose, **{**tax, "params": {"tax": 1}}) == (
        "MARKET_TAX takes params market_tax"
    )
    law = a_law(world, owner, claim, "MARKET_TAX", market_tax=0.1)
    vote = {"type": "VOTE", "law_id": law.id, "choice": "YES"}
    assert (
        hint(world, owner, **vote) == f"the vote on {law.id} begins at tick {law.notice_ends_tick}"
    )
    wait(world, NOTICE)
    assert hint(world, stranger, **vote) == f"{claim.id} is of A1; only its members may"
    assert hint(world, owner, **{**vote, "law_id": "LAW9"}) == (
        f'No law "LAW9"; open to vote: {law.id}'
    )
    wait(world, VOTING)
    assert hint(world, owner, **vote) == f"{law.id} is decided: {law.status}"


def test_somebody_who_is_wanted() -> None:
    world = a_society()
    owner, outlaw = put_agent(world, 1, 1), put_agent(world, 12, 0)
    org = an_org(world, owner)
    claim = a_land(world, owner)
    claim.owner = org.id
    outlaw.reputation["law"] = 150
    answer(world, outlaw, type="MOVE_TO", target=[0, STAND, 3])
    for _ in range(20):
        wait(world)
    (told,) = [event for event in events(outlaw) if event["type"] == "TASK_FAIL"]
    assert told["hint"] == "your law reputation is 0.15; cities want 0.2"


def an_office() -> tuple[World, Agent, Agent]:
    world = a_society()
    poster = put_agent(world, 20, 0, COAL=20, PLANK=10)
    worker = put_agent(world, 21, 0, PLANK=4)
    put(world, (20, STAND, 1), "CONTRACT_TERMINAL")
    return world, poster, worker


def post(world: World, poster: Agent, **changes: Any) -> str:
    wish = {
        "terminal_id": TERMINAL,
        "contract_kind": "DELIVER",
        "requirements": [{"item": "PLANK", "count": 10}],
        "reward": [{"item": "COAL", "count": 5}],
        **changes,
    }
    return str(answer(world, poster, type="POST_CONTRACT", **wish)["contract_id"])


def test_contracts_and_how_they_stand() -> None:
    world, poster, worker = an_office()
    wish = {"terminal_id": TERMINAL, "contract_id": "C9"}
    assert hint(world, worker, type="ACCEPT_CONTRACT", **wish) == (
        'No contract "C9"; open there: none'
    )
    wish["contract_id"] = contract_id = post(world, poster)
    assert hint(world, worker, type="SUBMIT_CONTRACT", **wish) == (
        f"{contract_id} is OPEN; send ACCEPT_CONTRACT first"
    )
    other = {**wish, "terminal_id": f"CONTRACT_TERMINAL@0,{STAND},0"}
    assert hint(world, worker, type="ACCEPT_CONTRACT", **other) == f"{contract_id} is at {TERMINAL}"
    assert hint(world, worker, type="CANCEL_CONTRACT", **wish) == f"A1 has posted {contract_id}"
    assert hint(world, poster, type="ACCEPT_CONTRACT", **wish).startswith("another agent must")
    assert answer(world, worker, type="ACCEPT_CONTRACT", **wish)["ok"]
    assert hint(world, worker, type="SUBMIT_CONTRACT", **wish) == (
        f"{contract_id} lacks 10 PLANK; TRANSFER it to {TERMINAL}"
    )
    late = put_agent(world, 19, 0)
    assert hint(world, late, type="ACCEPT_CONTRACT", **wish) == f"{contract_id} is ACCEPTED by A2"
    assert hint(world, late, type="SUBMIT_CONTRACT", **wish) == f"{contract_id} is ACCEPTED by A2"


def test_a_building_that_is_not_finished() -> None:
    world, poster, worker = an_office()
    site = {"contract_kind": "BUILD", "requirements": None, "blueprint_id": "hut_small"}
    contract_id = post(world, poster, **site, anchor=[28, STAND, 8])
    wish = {"terminal_id": TERMINAL, "contract_id": contract_id}
    answer(world, worker, type="ACCEPT_CONTRACT", **wish)
    blocks = len(world.catalogs.blueprints["hut_small"].blocks)
    words = hint(world, worker, type="SUBMIT_CONTRACT", **wish)
    assert words.startswith(f"{blocks} of {blocks} blocks lack; PLANK belongs to ")


def test_deadlines() -> None:
    world, poster, _ = an_office()
    words = hint(
        world,
        poster,
        type="POST_CONTRACT",
        terminal_id=TERMINAL,
        contract_kind="DELIVER",
        requirements=[{"item": "PLANK", "count": 1}],
        reward=[{"item": "COAL", "count": 1}],
        deadline_tick=1,
        duration_ticks=5,
    )
    assert words == "now is tick 1; deadline_tick is a tick, duration_ticks counts from now"


def test_posts_of_others() -> None:
    world = a_society()
    author, other = put_agent(world), put_agent(world, 1, 1)
    told = answer(world, author, type="POST_BOARD", board_id="market", title="Coal", body="Two.")
    remove = {"type": "REMOVE_POST", "board_id": "market", "post_id": told["post_id"]}
    assert hint(world, other, **remove) == "it is a post of A1"
    large = {"type": "POST_BOARD", "board_id": "market", "title": "x" * 81, "body": "y"}
    assert hint(world, other, **large) == ("a title has at most 80 bytes, a body at most 2,000")


def test_an_offerer_on_land_where_visitors_may_not_trade() -> None:
    world = a_society()
    owner = put_agent(world, 1, 1)
    offerer, buyer = put_agent(world, 40, 0, COAL=1), put_agent(world, 41, 0, STONE=1)
    offer = {"type": "OFFER_TRADE", "to": buyer.id, "offer": [["COAL", 1]]}
    trade_id = answer(world, offerer, **offer, request=[["STONE", 1]])["trade_id"]
    a_land(world, owner)
    world.relocate(offerer, (3, STAND, 0))
    assert hint(world, buyer, type="ACCEPT_TRADE", trade_id=trade_id) == (
        "visitors may not trade on that land; meet it elsewhere"
    )
