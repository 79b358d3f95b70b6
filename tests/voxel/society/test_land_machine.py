"""Any politics in any order: nobody ever does more than the land allows, and the books of it stay
right.

What is allowed is said a second time here, as plainly as can be, and compared with what was done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from tests.voxel.flat import STAND, events, put_agent
from tests.voxel.society.civic import NOTICE, VOTING, a_society, act, local_rules
from tests.voxel.working import block_name, check_bodies, check_books, put
from thorp.protocol import actions
from thorp.protocol.codes import CODES
from thorp.simulator.totals import count_everything
from thorp.voxel.lookups import land
from thorp.voxel.lookups.indexes import index_of
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.records import Claim, Price
from thorp.voxel.state.world import World, block_id
from thorp.voxel.systems import items
from thorp.voxel.tick import step

DAY = 24
PEOPLE = 4
# The only one whose home is where land is claimed, and how far its glade reaches.
RESIDENT, HOME, GLADE = "A4", (3, 0), 7
KIT = {"PLANK": 30, "COAL": 20, "BATTERY": 4, "CRYSTAL_SHARD": 6, "IRON_INGOT": 1}
CHESTS = [(-6, STAND, -6), (6, STAND, 6)]

WHO = st.integers(1, PEOPLE)
# Somebody, or more often whoever has the right to.
RULER = st.sampled_from([0, 0, 0, *range(1, PEOPLE + 1)])
SPOT = st.tuples(st.integers(-9, 9), st.integers(-9, 9))
NEAR = st.tuples(st.integers(-1, 1), st.integers(-1, 1))
PICK = st.integers(0, 7)
LAWS = st.sampled_from(
    [
        ("MARKET_TAX", {"market_tax": 0.2}),
        ("CURFEW_NO_BUILD", {"start_time": 0.25, "end_time": 0.5}),
        ("CURFEW_NO_BUILD", {"start_time": 0.75, "end_time": 0.25}),
        ("CURFEW_NO_BUILD", {"start_time": 0.5, "end_time": 0.5}),
        ("FINE_BREAK_PER_BLOCK", {"fine_item": "COAL", "fine_per_block": 2}),
        ("ACCESS_PASS_CORE", {"ticket_item": "COAL", "ticket_cost": 3}),
        ("ACCESS_PASS_CORE", {"ticket_item": "COAL", "ticket_cost": 0}),
    ]
)


class Ground(NamedTuple):
    """One land as it was before a tick."""

    claim: Claim
    members: frozenset[str]
    admins: frozenset[str]
    stage: int
    flags: dict[str, bool]
    hours: tuple[int, int] | None


def grounds(world: World) -> list[Ground]:
    """Every land, with its people worked out anew."""
    found = []
    for claim in world.claims:
        org = world.orgs.get(claim.owner)
        owners = frozenset([claim.owner] if org is None else org.members)
        admins = (
            owners if org is None else frozenset(o for o in owners if org.members[o] != "MEMBER")
        )
        hours = None if claim.curfew is None else (claim.curfew.start, claim.curfew.end)
        everyone = owners | frozenset(claim.members)
        found.append(Ground(claim, everyone, admins, claim.stage, dict(claim.flags), hours))
    return found


def under(lands: Sequence[Ground], x: int, z: int) -> Ground | None:
    for one in lands:
        ax, _, az = one.claim.anchor
        if max(abs(x - ax), abs(z - az)) <= one.claim.radius:
            return one
    return None


def allowed(
    lands: Sequence[Ground], tick: int, agent_id: str, what: str, position: Position
) -> bool:
    """What the facts say, once more: may this agent build, break or take here, in this tick?"""
    x, _, z = position
    one = under(lands, x, z)
    if one is None:
        return True
    if (
        what == "break"
        and position == one.claim.anchor
        and one.stage < 2
        and agent_id not in one.admins
    ):
        return False
    at_home = agent_id == RESIDENT and max(abs(x - HOME[0]), abs(z - HOME[1])) <= GLADE
    if at_home and agent_id not in one.members:
        return True
    if what != "take" and one.hours is not None:
        start, end = one.hours
        hour = round(tick % DAY / DAY * 1_000_000)
        if (start <= hour <= end) if start < end else (hour >= start or hour <= end):
            return False
    if agent_id in one.members or one.stage == 2:
        return True
    return what != "take" and one.flags[f"allow_{what}"]


class Politics(RuleBasedStateMachine):
    """Four people on a plain with two chests, who claim, found, vote, deed, trespass and steal."""

    @initialize()
    def begin(self) -> None:
        cost = {"IRON_INGOT": 1}
        self.world = a_society(
            day_ticks=DAY,
            season_length_ticks=DAY,
            access_pass_core_radius=2,
            claim_maintenance_cost=cost,
        )
        for number in range(PEOPLE):
            agent = put_agent(self.world, 2 * number - 3, 0, **KIT)
            agent.home = HOME if agent.id == RESIDENT else (1000 * agent.number, 0)
        for place in CHESTS:
            put(self.world, place, "CHEST")
            self.world.containers[place].stock = {"COAL": 10}
            self.world.containers.touch(place)
        self.coal = count_everything(self.world)["COAL"]
        self.claim_land(1, (0, 1), 3)
        self.world.relocate(self.agent(2), (-5, STAND, -7))
        self.claim_land(2, (1, 0), 2)
        for number, claim in enumerate(self.world.claims):
            claim.members.append(f"A{3 + number}")
            claim.fine = Price("COAL", 2)
            self.world.claims.touch(claim.id)

    # Land

    @rule(who=WHO, near=NEAR, radius=st.integers(1, 5))
    def claim_land(self, who: int, near: tuple[int, int], radius: int) -> None:
        x, y, z = self.agent(who).position
        self.act(who, actions.ClaimLand(anchor=(x + near[0], y, z + near[1]), radius=radius))

    @rule(
        who=RULER,
        pick=PICK,
        flag=st.sampled_from(["build", "break", "trade", "damage"]),
        on=st.booleans(),
    )
    def set_permissions(self, who: int, pick: int, flag: str, on: bool) -> None:
        self.act(
            who or self.ruler(pick),
            actions.SetPermissions(land_id=self.land_id(pick), policy={f"allow_{flag}": on}),
        )

    @rule(who=RULER, other=WHO, pick=PICK, joins=st.booleans())
    def change_members(self, who: int, other: int, pick: int, joins: bool) -> None:
        kind = actions.AddMember if joins else actions.RemoveMember
        self.act(who or self.ruler(pick), kind(land_id=self.land_id(pick), member_id=f"A{other}"))

    @rule(who=RULER, other=WHO, pick=PICK, to_org=st.booleans())
    def deed(self, who: int, other: int, pick: int, to_org: bool) -> None:
        heir = self.org_id(other) if to_org else f"A{other}"
        self.act(
            who or self.ruler(pick), actions.DeedLand(land_id=self.land_id(pick), new_owner=heir)
        )

    @rule(who=WHO, pick=PICK, radius=st.sampled_from([5, 64]))
    def upgrade(self, who: int, pick: int, radius: int) -> None:
        self.act(who, actions.UpgradeClaim(land_id=self.land_id(pick), radius=radius))

    # Organisations

    @rule(who=WHO, kind=st.sampled_from(["CITY", "GUILD"]))
    def found_org(self, who: int, kind: str) -> None:
        self.act(who, actions.CreateOrg(org_kind=kind, org_name="Reeve"))

    @rule(who=WHO, pick=PICK, joins=st.booleans())
    def join_or_leave(self, who: int, pick: int, joins: bool) -> None:
        self.act(who, actions.JoinOrg(org_id=self.org_id(pick)) if joins else actions.LeaveOrg())

    @rule(
        who=RULER,
        pick=PICK,
        other=WHO,
        role=st.sampled_from(["LEADER", "OFFICER", "MEMBER", "NONE"]),
    )
    def set_role(self, who: int, pick: int, other: int, role: str) -> None:
        self.act(
            who or self.leader(pick),
            actions.SetOrgRole(org_id=self.org_id(pick), member_id=f"A{other}", role=role),
        )

    @rule(who=WHO, other=WHO, pick=PICK)
    def come_and_go(self, who: int, other: int, pick: int) -> None:
        """A land is given to a new organisation, which its people leave again."""
        self.found_org(who, "CITY")
        org_id = self.agent(who).org
        if org_id:
            self.act(
                self.ruler(pick), actions.DeedLand(land_id=self.land_id(pick), new_owner=org_id)
            )
            self.act(other, actions.JoinOrg(org_id=org_id))
            self.act(who, actions.OrgDeposit(org_id=org_id, item_id="COAL", count=1))
            self.act(who, actions.LeaveOrg())
            self.act(other, actions.LeaveOrg())

    @rule(who=RULER, pick=PICK, other=WHO, opens=st.booleans())
    def open_and_invite(self, who: int, pick: int, other: int, opens: bool) -> None:
        who, org_id = who or self.leader(pick), self.org_id(pick)
        self.act(who, actions.SetOrgOpen(org_id=org_id, open=opens))
        self.act(who, actions.InviteOrg(org_id=org_id, member_id=f"A{other}"))

    @rule(who=WHO, pick=PICK, count=st.integers(0, 9), inwards=st.booleans())
    def move_treasure(self, who: int, pick: int, count: int, inwards: bool) -> None:
        kind = actions.OrgDeposit if inwards else actions.OrgWithdraw
        item = "IRON_INGOT" if count % 3 == 0 else "COAL"
        self.act(who, kind(org_id=self.org_id(pick), item_id=item, count=count))

    # Laws

    @rule(who=RULER, pick=PICK, law=LAWS)
    def propose(self, who: int, pick: int, law: tuple[str, dict[str, Any]]) -> None:
        wish = actions.ProposeLaw(land_id=self.land_id(pick), template_id=law[0], params=law[1])
        self.act(who or self.ruler(pick), wish)

    @rule(pick=PICK, law=LAWS)
    def legislate(self, pick: int, law: tuple[str, dict[str, Any]]) -> None:
        """A law that its ruler wants, and everyone votes for."""
        self.propose(0, pick, law)
        for _ in range(NOTICE):
            self.run([])
        laws = [law.id for law in self.world.laws if law.status == "VOTING"]
        votes = [actions.Vote(law_id=one, choice="YES") for one in laws]
        self.run([act(agent, self.world, *votes) for agent in self.world.agents])
        for _ in range(VOTING):
            self.run([])

    @rule(who=WHO, pick=PICK, choice=st.sampled_from(["YES", "YES", "NO", "ABSTAIN"]))
    def vote(self, who: int, pick: int, choice: str) -> None:
        laws = [law.id for law in self.world.laws if law.status == "VOTING"] or ["LAW000099"]
        self.act(who, actions.Vote(law_id=laws[pick % len(laws)], choice=choice))

    # Deeds

    @rule(who=WHO, near=NEAR)
    def place(self, who: int, near: tuple[int, int]) -> None:
        x, y, z = self.agent(who).position
        self.act(
            who, actions.Place(block_pos=(x + 2 * near[0], y, z + 2 * near[1]), item_id="PLANK")
        )

    @rule(who=RULER, pick=PICK, near=NEAR)
    def mine(self, who: int, pick: int, near: tuple[int, int]) -> None:
        """Whatever is near; a totem or a chest rather than grass."""
        who = who or self.ruler(pick)
        agent = self.agent(who)
        marks = [claim.anchor for claim in self.world.claims] + CHESTS
        x, y, z = marks[pick % len(marks)]
        if pick < 6:
            self.stand_beside(who, (x, y, z))
            self.act(who, actions.Mine(block_pos=(x, y, z)), ticks=11)
        else:
            self.act(
                who, actions.Mine(block_pos=(agent.x + near[0], y - 1, agent.z + near[1])), ticks=11
            )

    @rule(who=WHO, pick=PICK)
    def trespass(self, who: int, pick: int) -> None:
        """Anyone at somebody's totem."""
        for claim in list(self.world.claims)[pick % 3 : pick % 3 + 1]:
            self.stand_beside(who, claim.anchor)
            self.act(who, actions.Mine(block_pos=claim.anchor), ticks=11)

    @rule(who=WHO, near=NEAR)
    def build(self, who: int, near: tuple[int, int]) -> None:
        x, y, z = self.agent(who).position
        anchor = (x + 3 * near[0], y + 1, z + 3 * near[1])
        self.act(who, actions.BuildBlueprint(blueprint_id="road_turn", anchor=anchor), ticks=3)

    @rule(who=WHO, pick=PICK, count=st.integers(1, 3), inwards=st.booleans())
    def transfer(self, who: int, pick: int, count: int, inwards: bool) -> None:
        place = CHESTS[pick % 2]
        self.stand_beside(who, place)
        ends = ["SELF", block_id("CHEST", place)]
        source, target = ends if inwards else ends[::-1]
        self.act(
            who,
            actions.Transfer(
                src_container=source, dst_container=target, item_id="COAL", count=count
            ),
        )

    @rule(who=WHO, pick=PICK)
    def drop_and_gather(self, who: int, pick: int) -> None:
        agent = self.agent(who)
        if agent.have("COAL"):
            agent.give("COAL", -1)
            items.drop(self.world, agent.position, "COAL", 1)
        lying = [entity for entity in self.world.items if abs(entity.position[0]) < 40]
        if lying:
            entity = lying[pick % len(lying)]
            other = self.agent(pick % PEOPLE + 1)
            self.stand_beside(other.number, entity.position)
            self.act(other.number, actions.Gather(target_id=entity.id))

    @rule(who=WHO, spot=SPOT)
    def walk(self, who: int, spot: tuple[int, int]) -> None:
        self.act(who, actions.MoveTo(target=(spot[0], STAND, spot[1])), ticks=6)

    @rule(ticks=st.sampled_from([1, 3, 6, DAY, DAY]))
    def let_time_pass(self, ticks: int) -> None:
        for _ in range(ticks):
            self.run([])

    # How it is done, and what must be true of it

    def agent(self, who: int) -> Agent:
        return self.world.agents[who]

    def land_id(self, pick: int) -> str:
        known = [claim.id for claim in self.world.claims] or ["LAND_A1_999"]
        return known[pick % len(known)]

    def org_id(self, pick: int) -> str:
        known = [org.id for org in self.world.orgs] or ["ORG000099"]
        return known[pick % len(known)]

    def ruler(self, pick: int) -> int:
        """The number of an admin of a land."""
        claim = self.world.claims.get(self.land_id(pick))
        return land.admins(self.world, claim)[0].number if claim else 1

    def leader(self, pick: int) -> int:
        org = self.world.orgs.get(self.org_id(pick))
        return (
            next(int(one[1:]) for one, role in org.members.items() if role == "LEADER")
            if org
            else 1
        )

    def stand_beside(self, who: int, place: Position) -> None:
        x, y, z = place
        if all(block_name(self.world, (x + 1, y + up, z)) == "AIR" for up in (0, 1)):
            self.world.relocate(self.agent(who), (x + 1, y, z))

    def act(self, who: int, wish: Any, ticks: int = 1) -> None:
        before = len(events(self.agent(who), "ACTION_RESULT"))
        entitled = self.entitled(wish)
        self.run([act(self.agent(who), self.world, wish)], who)
        (result,) = events(self.agent(who), "ACTION_RESULT")[before:]
        assert result["ok"] or result["code"] in CODES
        assert not result["ok"] or f"A{who}" in entitled, wish
        for _ in range(ticks - 1):
            self.run([])

    def entitled(self, wish: Any) -> list[str]:
        """Who may have this wish granted at most."""
        lands = {one.claim.id: one for one in grounds(self.world)}
        everyone = [agent.id for agent in self.world.agents]
        match wish:
            case actions.ProposeLaw(land_id=land_id):
                return sorted(lands[land_id].members) if land_id in lands else []
            case actions.Vote(law_id=law_id):
                law = self.world.laws.get(law_id or "")
                return sorted(lands[law.land_id].members) if law else []
            case (
                actions.OrgWithdraw()
                | actions.SetOrgOpen()
                | actions.InviteOrg()
                | actions.SetOrgRole()
            ):
                org = self.world.orgs.get(wish.org_id or "")
                high = (
                    ("LEADER",) if isinstance(wish, actions.SetOrgRole) else ("LEADER", "OFFICER")
                )
                return [one for one, role in org.members.items() if role in high] if org else []
            case _ if getattr(wish, "land_id", None) is not None:
                return sorted(lands[wish.land_id].admins) if wish.land_id in lands else []
        return everyone

    def run(self, inputs: list[Any], who: int = 0) -> None:
        """One tick. Each change of it must have been allowed by the land as it was, or as it
        became.

        Land that ended in this tick counts as it was.
        """
        world = self.world
        before, stocks, lying = grounds(world), self.stocks(), self.lying()
        price = self.price_of_claims()
        step(world, inputs)
        after = grounds(world) + [one for one in before if one.claim.id not in world.claims]

        def may(agent_id: str, what: str, position: Position) -> bool:
            return any(
                allowed(lands, world.tick, agent_id, what, position) for lands in (before, after)
            )

        for entry in world.scratch.block_changes:
            if entry.reason in ("PLACE", "BUILD_BLUEPRINT", "CLAIM_LAND", "MINE"):
                what = "break" if entry.reason == "MINE" else "build"
                assert may(entry.actor, what, entry.position), entry
                if stocks.get(entry.position):
                    assert may(entry.actor, "take", entry.position), entry
        for place, stock in self.stocks().items():
            if sum(stock.values()) < sum(stocks.get(place, {}).values()):
                assert may(f"A{who}", "take", place), "who takes out may do so"
        for number, position in lying.items():
            if (
                number not in world.items and not world.scratch.block_changes
            ):  # else it may have been joined
                assert may(f"A{who}", "take", position), "who takes up may do so"
        assert self.price_of_claims() <= price, "batteries and shards are spent, never made"

    def stocks(self) -> dict[Position, Counter[str]]:
        return {one.position: Counter(one.stock) for one in self.world.containers}

    def lying(self) -> dict[int, Position]:
        return {entity.number: entity.position for entity in self.world.items}

    def price_of_claims(self) -> Counter[str]:
        total = count_everything(self.world)
        return Counter({item: total[item] for item in ("BATTERY", "CRYSTAL_SHARD", "IRON_INGOT")})

    @invariant()
    def an_obs_says_no_more_than_is_allowed(self) -> None:
        world, lands = self.world, grounds(self.world)
        for agent in world.agents:
            told = local_rules(world, agent)["permissions"]
            beside = (agent.x, 0, agent.z)  # not the totem's own cell
            for word, what in (("can_build", "build"), ("can_break", "break")):
                assert told[word] == allowed(lands, world.tick, agent.id, what, beside)

    @invariant()
    def land_is_somebodys_and_under_its_totem(self) -> None:
        world = self.world
        claims = list(world.claims)
        for number, claim in enumerate(claims):
            assert block_name(world, claim.anchor) == "CLAIM_TOTEM"
            assert claim.owner in world.orgs or world.agent_by_id(claim.owner) is not None
            assert 0 <= claim.stage <= 2
            assert world.tick < claim.due_tick <= world.tick + DAY
            for other in claims[:number]:
                apart = max(
                    abs(a - b) for a, b in zip(claim.anchor[::2], other.anchor[::2], strict=True)
                )
                assert apart > claim.radius + other.radius
        for law in world.laws:
            assert law.land_id in world.claims

    @invariant()
    def organisations_have_one_leader_and_agree_with_their_members(self) -> None:
        for org in self.world.orgs:
            assert Counter(org.members.values())["LEADER"] == 1
            assert all(count > 0 for count in org.treasury.values())
        belongs = {agent.id: agent.org for agent in self.world.agents if agent.org}
        assert belongs == {one: org.id for org in self.world.orgs for one in org.members}

    @invariant()
    def the_books_are_right(self) -> None:
        fresh = check_books(self.world)
        kept, made = index_of(self.world), index_of(fresh)
        ids = [
            {chunk: sorted(one.id for one in here) for chunk, here in index.land.items()}
            for index in (kept, made)
        ]
        assert ids[0] == ids[1]
        for claim in self.world.claims:
            assert claim.id in kept.upkeep[claim.due_tick]
            assert land.at(self.world, claim.anchor[0], claim.anchor[2]) is claim
        check_bodies(self.world)
        assert count_everything(self.world)["COAL"] == self.coal, (
            "fines, tickets, treasuries keep to the unit"
        )


STATES: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}


def test_any_politics_stays_within_the_land() -> None:
    run_state_machine_as_test(
        Politics, settings=settings(max_examples=25, stateful_step_count=40, **STATES)
    )


@pytest.mark.long
def test_a_lot_of_politics_stays_within_the_land() -> None:
    run_state_machine_as_test(
        Politics, settings=settings(max_examples=1500, stateful_step_count=80, **STATES)
    )
