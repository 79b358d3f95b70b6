"""What the audit finds of a society: who did what, and nobody who only looked, or tried in vain."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.voxel.flat import STAND, SURFACE
from thorp.protocol import actions
from thorp.protocol.act import Act
from thorp.protocol.actions import Instant, Stack, Task
from thorp.simulator.flat_world import create_flat_world
from thorp.simulator.inline import open_flat
from thorp.simulator.totals import count_everything
from thorp.store import RealDisk
from thorp.voxel import WorldService, verify
from thorp.voxel.inputs import Acted, AnyInput, Join
from thorp.voxel.persistence.audit import SOCIETY, Change, audit
from thorp.voxel.rollback import Box, rollback
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import block_id, manhattan
from thorp.voxel.tuning import Tuning

DISK = RealDisk()
DAY = 40
KIT = {
    "BATTERY": 1, "CRYSTAL_SHARD": 1, "COAL": 20, "PLANK": 20, "IRON_INGOT": 2, "CHEST": 1,
    "CONTRACT_TERMINAL": 1, "BULLETIN_BOARD": 1, "CONVEYOR": 1, "SWITCH": 1,
}  # fmt: skip
TUNING = Tuning(
    world_events=False,
    starter_items=KIT,
    law_notice_ticks=1,
    law_vote_ticks=2,
    day_ticks=DAY,
    season_length_ticks=100 * DAY,
    access_pass_core_radius=1,
)


class Town:
    """Two people in a flat world that is kept."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.service: WorldService = open_flat(DISK, path, seed=7, draw_seed=8, tuning=TUNING)
        self.tick(Join("one", "00" * 32), Join("two", "11" * 32))
        one, two = self.service.world.agents
        self.x, self.z = one.x, one.z
        self.walk(one.position, tolerance=1.0)
        assert manhattan(one.position, two.position) <= 1

    def tick(self, *inputs: AnyInput) -> None:
        self.service.tick(list(inputs)).result()

    def does(self, number: int, *wishes: Instant | Task) -> Acted:
        instants: Any = [wish for wish in wishes if isinstance(wish, Instant)]
        tasks: Any = [wish for wish in wishes if isinstance(wish, Task)]
        return Acted(number, Act(tick=self.service.world.tick, instants=instants, tasks=tasks))

    def walk(self, target: Position, tolerance: float = 0.0) -> None:
        """Let A2 go somewhere."""
        self.tick(self.does(2, actions.MoveTo(target=target, tolerance=tolerance)))
        while self.service.world.agents[2].move is not None:
            self.tick()

    def place(self, item: str, dz: int) -> str:
        """Let A1 place something two cells north or south of it; what it is called."""
        position = (self.x, STAND, self.z + dz)
        self.tick(self.does(1, actions.Place(block_pos=position, item_id=item)))
        assert self.service.world.ground.block(*position)
        return block_id(item, position)

    def claim(self) -> str:
        """Let A1 claim the land all around; what the land is called."""
        self.tick(self.does(1, actions.ClaimLand(anchor=(self.x, STAND, self.z - 2), radius=8)))
        return "LAND_A1_001"

    def enact(self, template: str, **params: Any) -> None:
        """Let A1's land have a law."""
        wish = actions.ProposeLaw(land_id="LAND_A1_001", template_id=template, params=params)
        self.tick(self.does(1, wish))
        (law,) = (law.id for law in self.service.world.laws if law.status == "NOTICE")
        self.tick()
        self.tick(self.does(1, actions.Vote(law_id=law, choice="YES")))
        while self.service.world.laws[law].status == "VOTING":
            self.tick()

    def changes(self, **options: Any) -> list[Change]:
        found: list[Change] = []
        audit(DISK, self.path, found.append, make_world=create_flat_world, **options)
        return found


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    town = Town(tmp_path / "world")
    with town.service:
        yield town


def rows(changes: list[Change]) -> list[tuple[str, str, str]]:
    return [(one.actor, one.what, one.reason) for one in changes]


def test_votes_are_found_but_not_what_was_voted(town: Town) -> None:
    since = town.service.world.tick + 1
    town.tick(town.does(1, actions.ClaimLand(anchor=(town.x, STAND, town.z - 2), radius=8)))
    proposal = actions.ProposeLaw(
        land_id="LAND_A1_001", template_id="MARKET_TAX", params={"market_tax": 0.1}
    )
    town.tick(town.does(1, proposal))
    town.tick()
    town.tick(town.does(1, actions.Vote(law_id="LAW000001", choice="NO")))
    town.tick(town.does(1, actions.Vote(law_id="LAW000001", choice="YES")))
    found = [one for one in town.changes(since=since) if one.what == "law"]
    assert rows(found) == [
        ("A1", "law", "LAW"),
        ("A1", "law", "LAW"),
        ("A1", "law", "VOTE"),
        ("A1", "law", "VOTE"),
        ("A1", "law", "LAW"),
    ]
    assert [one.more.get("status") for one in found] == ["NOTICE", "VOTING", None, None, "ACTIVE"]
    assert found[2].more == {"law_id": "LAW000001", "land_id": "LAND_A1_001"}
    assert {one.pos for one in found} == {(town.x, STAND, town.z - 2)}, "the land's totem"


def test_who_only_looks_into_a_chest_has_not_changed_it(town: Town) -> None:
    chest = town.place("CHEST", 2)
    give = actions.Transfer(src_container="SELF", dst_container=chest, item_id="COAL", count=3)
    town.tick(town.does(2, actions.Open(target_id=chest)), town.does(1, give))
    (found,) = [
        one for one in town.changes(since=town.service.world.tick) if one.what == "container"
    ]
    assert (found.actor, found.reason, found.more) == ("A1", "TRANSFER", {"moved": {"COAL": 3}})


def transfer(source: str, target: str, item: str, count: int) -> actions.Transfer:
    return actions.Transfer(src_container=source, dst_container=target, item_id=item, count=count)


def road(town: Town, dx: int) -> actions.BuildBlueprint:
    """Above everybody's heads."""
    return actions.BuildBlueprint(
        blueprint_id="road_segment", anchor=(town.x + dx, STAND + 4, town.z)
    )


def test_what_a_belt_moves_is_nobodys_whoever_builds_meanwhile(town: Town) -> None:
    """And who built has nothing to give back for it."""
    chest, place = town.place("CHEST", 2), (town.x, STAND, town.z + 2)
    town.tick(town.does(1, transfer("SELF", chest, "COAL", 9)))
    since = town.service.world.tick + 1
    town.place("CONVEYOR", 3)
    town.tick(town.does(2, road(town, 1)))
    found = [one for one in town.changes(since=since) if one.what == "container"]
    assert [(one.actor, one.reason, one.more["moved"]) for one in found] == [
        ("WORLD", "WORLD", {"COAL": -1}),
        ("WORLD", "WORLD", {"COAL": -1}),
    ]
    assert ("A2", "block", "BUILD_BLUEPRINT") in rows(town.changes(since=town.service.world.tick))
    town.service.close()
    would = rollback(
        DISK,
        town.path,
        Box.between(place, place),
        since,
        dry_run=True,
        make_world=create_flat_world,
    )
    assert would.taken == {}
    assert [(one["item"], one["count"]) for one in would.left] == [("COAL", 2)]


def test_only_the_builder_who_took_out_of_a_chest_is_named(town: Town) -> None:
    chest = town.place("CHEST", 2)
    town.tick(town.does(2, transfer("SELF", chest, "PLANK", KIT["PLANK"])))
    town.tick(town.does(1, road(town, 1)), town.does(2, road(town, 2)))
    now = town.changes(since=town.service.world.tick)
    assert {one.actor for one in now if one.what == "block"} == {"A1", "A2"}, "both build"
    (found,) = [one for one in now if one.what == "container"]
    assert (found.actor, found.reason, found.more) == (
        "A2",
        "BUILD_BLUEPRINT",
        {"moved": {"PLANK": -5}},
    )


def test_all_who_moved_something_are_named_with_all_they_did(town: Town) -> None:
    chest = town.place("CHEST", 2)
    town.tick(
        town.does(1, transfer("SELF", chest, "COAL", 3)),
        town.does(2, transfer("SELF", chest, "COAL", 4)),
    )
    (found,) = [
        one for one in town.changes(since=town.service.world.tick) if one.what == "container"
    ]
    assert (found.actor, found.reason, found.more) == ("A1,A2", "TRANSFER", {"moved": {"COAL": 7}})


def test_who_tried_in_vain_is_not_named_and_gives_nothing_back(town: Town) -> None:
    """Nor who only posted something on a board there."""
    chest, board = town.place("CHEST", 2), town.place("BULLETIN_BOARD", 3)
    town.claim()
    town.tick(town.does(1, transfer("SELF", chest, "COAL", 9)))
    since = town.service.world.tick + 1
    take = transfer(chest, "SELF", "COAL", 9)
    town.tick(town.does(2, take), town.does(1, take))
    (found,) = [one for one in town.changes(since=since) if one.what == "container"]
    assert (found.actor, found.reason, found.more) == ("A1", "TRANSFER", {"moved": {"COAL": -9}})
    post = actions.PostBoard(board_id=board, title="t", body="b")
    town.tick(
        town.does(1, actions.SetPermissions(land_id="LAND_A1_001", policy={"allow_trade": True})),
        town.does(2, post),
    )
    assert ("A2", "board", "POST") in rows(town.changes(since=since))
    stow = actions.OrgDeposit(org_id="ORG000001", item_id="COAL", count=KIT["COAL"])
    town.tick(town.does(1, actions.CreateOrg(org_kind="GUILD", org_name="Hill"), stow))
    town.service.close()
    box = Box.between((town.x, STAND, town.z + 2), (town.x, STAND, town.z + 3))
    would = rollback(DISK, town.path, box, since, dry_run=True, make_world=create_flat_world)
    assert would.taken == {}, "A2 has coal, and it is A2's own"
    assert [(one["item"], one["count"]) for one in would.left] == [("COAL", 9)]


def test_a_switch_is_turned_by_who_may(town: Town) -> None:
    switch = town.place("SWITCH", 2)
    town.claim()
    toggle = actions.ToggleSwitch(target_id=switch)
    town.tick(town.does(2, toggle), town.does(1, toggle))
    (found,) = [one for one in town.changes(since=town.service.world.tick) if one.what == "switch"]
    assert (found.actor, found.reason, found.before, found.after) == (
        "A1",
        "TOGGLE_SWITCH",
        False,
        True,
    )


def test_upkeep_is_found_paid_or_not_and_so_is_who_ended_the_land(town: Town) -> None:
    land = town.claim()
    since, totem = town.service.world.tick + 1, (town.x, STAND, town.z - 2)
    for _ in range(3 * DAY):
        town.tick()
    town.tick(town.does(1, actions.Mine(block_pos=totem)))
    while town.service.world.claims:
        town.tick()
    found = [one for one in town.changes(since=since) if one.what == "land"]
    assert [(one.actor, one.reason, one.more.get("stage"), one.pos) for one in found] == [
        ("A1", "PAID_UPKEEP", 0, totem),
        ("A1", "PAID_UPKEEP", 0, totem),
        ("A1", "MISSED_UPKEEP", 1, totem),
        ("A1", "LAND_ENDED", None, totem),
    ]
    assert all(one.more["land_id"] == land for one in found)


def test_fines_and_tickets_are_found(town: Town) -> None:
    town.claim()
    town.enact("FINE_BREAK_PER_BLOCK", fine_item="PLANK", fine_per_block=2)
    town.enact("ACCESS_PASS_CORE", ticket_item="COAL", ticket_cost=3)
    town.walk((town.x + 3, STAND, town.z))
    since, below = town.service.world.tick + 1, (town.x + 3, SURFACE, town.z)
    town.tick(town.does(2, actions.Mine(block_pos=below)))
    town.walk((town.x - 1, STAND, town.z - 2))
    fine, ticket = [one for one in town.changes(since=since) if one.what == "land"]
    about = {"land_id": "LAND_A1_001", "owner": "A1"}
    assert (fine.actor, fine.reason, fine.pos) == ("A2", "PAID_FINE", below)
    assert fine.more == {**about, "item": "PLANK", "count": 2}
    assert (ticket.actor, ticket.reason) == ("A2", "PAID_TICKET")
    assert ticket.more == {**about, "item": "COAL", "count": 3}
    assert fine.concerns("A1"), "whose land it is"


def test_who_follows_a_leader_and_who_inherits_is_found(town: Town) -> None:
    land = town.claim()
    org = {"org_id": "ORG000001"}
    town.tick(
        town.does(1, actions.CreateOrg(org_kind="GUILD", org_name="Hill")),
        town.does(2, actions.JoinOrg(**org)),
        town.does(1, actions.DeedLand(land_id=land, new_owner="ORG000001"), actions.LeaveOrg()),
        town.does(2, actions.LeaveOrg()),
    )
    now = [
        one for one in town.changes(since=town.service.world.tick) if one.what in ("land", "org")
    ]
    assert [(one.actor, one.reason) for one in now[2:]] == [
        ("A1", "DEED_LAND"),
        ("A1", "LEAVE_ORG"),
        ("A1", "PASSED_LEADERSHIP"),
        ("A2", "LEAVE_ORG"),
        ("A2", "INHERITED_LAND"),
        ("A2", "ORG_ENDED"),
    ]
    assert now[4].more == {**org, "member_id": "A2"}
    assert (now[6].more, now[6].pos) == ({**org, "land_id": land}, (town.x, STAND, town.z - 2))


def test_what_was_owed_and_fetched_is_found(town: Town) -> None:
    terminal = town.place("CONTRACT_TERMINAL", 2)
    post = actions.PostContract(
        terminal_id=terminal,
        contract_kind="GATHER",
        requirements=[Stack("COAL", 4)],
        reward=[Stack("PLANK", 2)],
    )
    town.tick(town.does(1, post))
    bring = actions.Transfer(src_container="SELF", dst_container=terminal, item_id="COAL", count=4)
    town.tick(town.does(2, bring))
    ids = {"terminal_id": terminal, "contract_id": "C000001"}
    town.tick(town.does(2, actions.AcceptContract(**ids), actions.SubmitContract(**ids)))
    town.tick(town.does(1, actions.ClaimOwed(terminal_id=terminal)))
    found = [one for one in town.changes() if one.what == "container"]
    assert [(one.actor, one.reason, one.more["moved"]) for one in found] == [
        ("A1", "CONTRACT", {"PLANK": 2}),
        ("A2", "TRANSFER", {"COAL": 4}),
        ("A2", "SUBMIT_CONTRACT", {"PLANK": -2}),
        ("A1", "CLAIM_OWED", {"COAL": -4}),
    ]
    assert [one.more["state"] for one in town.changes() if one.what == "contract"] == [
        "OPEN",
        "ACCEPTED",
        "COMPLETED",
    ]


def test_every_way_to_rule_is_found(town: Town) -> None:
    """One of each kind of happening that changes something, by who did it."""
    board = town.place("BULLETIN_BOARD", 2)
    town.tick(town.does(1, actions.ClaimLand(anchor=(town.x, STAND, town.z - 2), radius=8)))
    land, org = {"land_id": "LAND_A1_001"}, {"org_id": "ORG000001"}
    town.tick(
        town.does(
            1,
            actions.CreateOrg(org_kind="CITY", org_name="Millbrook"),
            actions.SetPermissions(**land, policy={"allow_trade": True}),
            actions.AddMember(**land, member_id="A2"),
            actions.SetOrgOpen(**org, open=False),
            actions.InviteOrg(**org, member_id="A2"),
            actions.PostBoard(board_id=board, title="t", body="b"),
            actions.OfferTrade(to="A2", offer=[("COAL", 1)], request=[("COAL", 1)]),
        ),
        town.does(
            2,
            actions.AcceptLand(**land),
            actions.LeaveLand(**land),
            actions.AcceptTrade(trade_id="TR000001"),
            actions.JoinOrg(**org),
            actions.OrgDeposit(**org, item_id="COAL", count=2),
        ),
    )
    offer, accept = actions.AddMember(**land, member_id="A2"), actions.AcceptLand(**land)
    town.tick(town.does(1, offer), town.does(2, accept))
    town.tick(
        town.does(
            1,
            actions.RemoveMember(**land, member_id="A2"),
            actions.SetOrgRole(**org, member_id="A2", role="LEADER"),
            actions.OrgWithdraw(**org, item_id="COAL", count=1),
            actions.DeedLand(**land, new_owner="ORG000001"),
            actions.LeaveOrg(),
        ),
        town.does(2, actions.LeaveOrg()),
    )
    found = [one for one in town.changes() if one.what in ("land", "org", "trade", "board")]
    kinds = {one.reason: one.actor for one in found}
    assert kinds == {
        "CLAIM_LAND": "A1", "CREATE_ORG": "A1", "SET_PERMISSIONS": "A1", "ADD_MEMBER": "A1",
        "OFFER_LAND": "A1", "LEAVE_LAND": "A2",
        "REMOVE_MEMBER": "A1", "SET_ORG_OPEN": "A1", "INVITE_ORG": "A1", "POST": "A1", "TRADE": "A2",
        "JOIN_ORG": "A2", "ORG_DEPOSIT": "A2", "SET_ORG_ROLE": "A1", "ORG_WITHDRAW": "A1", "DEED_LAND": "A1",
        "LEAVE_ORG": "A2", "INHERITED_LAND": "A2", "ORG_ENDED": "A2",
    }  # fmt: skip
    assert kinds.keys() <= SOCIETY.keys()
    assert [one.reason for one in found if one.concerns("A2") and one.actor == "A1"] == [
        "OFFER_LAND",
        "INVITE_ORG",
        "ADD_MEMBER",
        "OFFER_LAND",
        "ADD_MEMBER",
        "REMOVE_MEMBER",
        "SET_ORG_ROLE",
    ]


def test_a_theft_is_rolled_back_and_the_dry_run_has_said_so(town: Town) -> None:
    """The chest is as it was, the thief has paid, and the journal still proves it all."""
    chest = town.place("CHEST", 2)
    coal: dict[str, Any] = {"item_id": "COAL", "count": 9}
    town.tick(town.does(1, actions.Transfer(src_container="SELF", dst_container=chest, **coal)))
    since = town.service.world.tick + 1
    town.tick(town.does(2, actions.Transfer(src_container=chest, dst_container="SELF", **coal)))
    place = (town.x, STAND, town.z + 2)
    (theft,) = [
        one for one in town.changes(since=since) if one.concerns("A2") and one.is_near(place, 0)
    ]
    assert (theft.before, theft.after) == ({"COAL": 9}, {})
    total = count_everything(town.service.world)
    town.service.close()
    box = Box.between(place, place)
    would = rollback(DISK, town.path, box, since, dry_run=True, make_world=create_flat_world)
    assert verify(DISK, town.path, make_world=create_flat_world).last_good_tick == since, (
        "nothing was written"
    )
    done = rollback(DISK, town.path, box, since, make_world=create_flat_world)
    assert done == would
    assert (done.taken, done.left) == ({"A2": {"COAL": 9}}, [])
    verdict = verify(DISK, town.path, make_world=create_flat_world)
    assert (verdict.ok, verdict.digest) == (True, done.digest)
    with open_flat(DISK, town.path) as again:
        world = again.world
        assert world.containers[place].stock == {"COAL": 9}
        assert world.agents[2].have("COAL") == KIT["COAL"]
        assert count_everything(world) == total
    refill, told = town.changes(since=since + 1)
    assert (refill.what, refill.actor, refill.reason) == ("container", "OPERATOR", "ROLLBACK")
    assert (refill.pos, refill.more) == (place, {"moved": {"COAL": 9}})
    assert (told.what, told.actor) == ("rollback", "OPERATOR")
