"""Life in a small flat society: wishes sent as ACTs through whole ticks, and what came of them."""

from __future__ import annotations

from typing import Any

import msgspec

from tests.voxel.flat import STAND, events, put_agent
from tests.voxel.working import a_world
from thorp.protocol import actions
from thorp.protocol.act import Act
from thorp.protocol.actions import Instant, Task
from thorp.voxel.inputs import Acted
from thorp.voxel.lookups import permissions
from thorp.voxel.society import claims
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.records import Claim, Law, Org
from thorp.voxel.state.world import World
from thorp.voxel.tick import step

# Laws that are decided while a test waits.
NOTICE, VOTING = 3, 4
PRICE = {"BATTERY": 1, "CRYSTAL_SHARD": 1}
TOTEM = (0, STAND, 0)


def a_society(**tuning: Any) -> World:
    """With short laws, and with reputation in full for every deal unless a test says otherwise."""
    steady = {"reputation_decay_base": 1.0, "reputation_full_worth": 1, "reputation_full_days": 0}
    return a_world(**{"law_notice_ticks": NOTICE, "law_vote_ticks": VOTING, **steady, **tuning})


def act(agent: Agent, world: World, *wishes: Instant | Task) -> Acted:
    instants = [wish for wish in wishes if isinstance(wish, Instant)]
    tasks = [wish for wish in wishes if isinstance(wish, Task)]
    return Acted(agent.number, Act(tick=world.tick, instants=instants, tasks=tasks))  # type: ignore[arg-type]


def ask(world: World, agent: Agent, *wishes: Instant | Task) -> list[dict[str, Any]]:
    """One tick, in which one agent acts. Returns the results, in order."""
    step(world, [act(agent, world, *wishes)])
    return [one for one in events(agent, "ACTION_RESULT") if one["t"] == world.tick]


def said(world: World, agent: Agent, wish: Instant | Task) -> str:
    """The code with which an action is answered, or `ok`."""
    (result,) = ask(world, agent, wish)
    return "ok" if result["ok"] else str(result["code"])


def outcome(world: World, agent: Agent, wish: Instant | Task, limit: int = 30) -> str:
    """As `said`, but of a task its end: `ok`, or the code it failed with."""
    (result,) = ask(world, agent, wish)
    if not result["ok"] or "task_id" not in result:
        return "ok" if result["ok"] else str(result["code"])
    for _ in range(limit):
        for event in events(agent):
            if event.get("task_id") == result["task_id"] and event["type"] in (
                "TASK_DONE",
                "TASK_FAIL",
            ):
                return "ok" if event["type"] == "TASK_DONE" else str(event["code"])
        wait(world)
    raise AssertionError(f"{wish} has not ended")


def wait(world: World, ticks: int = 1) -> None:
    for _ in range(ticks):
        step(world, [])


def a_land(world: World, owner: Agent, x: int = 0, z: int = 0, radius: int = 8) -> Claim:
    """Let an agent claim land, whatever it has, as if nobody had a home there."""
    for item, count in PRICE.items():
        owner.give(item, count * claims.price_units(radius))
    neighbours = [agent for agent in world.agents if agent.acted]
    for agent in neighbours:
        agent.acted = False
    (result,) = ask(world, owner, actions.ClaimLand(anchor=(x, STAND, z), radius=radius))
    for agent in neighbours:
        agent.acted = True
    claim = world.claims[result["land_id"]]
    claim.newest_resident = 0
    world.claims.touch(claim.id)
    return claim


def an_org(world: World, *people: Agent, kind: str = "CITY") -> Org:
    """The first of them founds it, the others join."""
    (result,) = ask(world, people[0], actions.CreateOrg(org_kind=kind, org_name="Millbrook"))
    for other in people[1:]:
        assert said(world, other, actions.JoinOrg(org_id=result["org_id"])) == "ok"
    return world.orgs[result["org_id"]]


def add_member(world: World, owner: Agent, claim: Claim, member: Agent) -> None:
    """Let an admin offer membership of a land, and the other accept."""
    assert said(world, owner, actions.AddMember(land_id=claim.id, member_id=member.id)) == "ok"
    assert said(world, member, actions.AcceptLand(land_id=claim.id)) == "ok"


def deed_land(world: World, owner: Agent, claim: Claim, heir: Agent) -> None:
    """Let an admin offer a land to an agent, and that accept."""
    assert said(world, owner, actions.DeedLand(land_id=claim.id, new_owner=heir.id)) == "ok"
    assert said(world, heir, actions.AcceptLand(land_id=claim.id, role="OWNER")) == "ok"


def a_law(world: World, proposer: Agent, claim: Claim, template: str, **params: Any) -> Law:
    """Propose a law."""
    wish = actions.ProposeLaw(land_id=claim.id, template_id=template, params=params)
    (result,) = ask(world, proposer, wish)
    assert result["ok"], result
    return world.laws[result["law_id"]]


def pass_law(world: World, voter: Agent, claim: Claim, template: str, **params: Any) -> Law:
    """Propose a law, vote for it, and wait until it is in force."""
    law = a_law(world, voter, claim, template, **params)
    wait(world, NOTICE)
    assert said(world, voter, actions.Vote(law_id=law.id, choice="YES")) == "ok"
    wait(world, VOTING)
    assert law.status == "ACTIVE"
    return law


def local_rules(world: World, agent: Agent) -> dict[str, Any]:
    claim = permissions.land_for(world, agent, agent.x, agent.z)
    text = (
        permissions.local_rules(world, claim, permissions.role(claim, agent))
        if claim
        else permissions.WILD_TEXT
    )
    rules: dict[str, Any] = msgspec.json.decode(text)
    return rules


def newcomer(world: World, x: int = 0, z: int = 0, **inventory: int) -> Agent:
    return put_agent(world, x, z, **inventory)


def move(target: tuple[int, int, int]) -> actions.MoveTo:
    return actions.MoveTo(target=target, tolerance=0)
