"""What the audit finds of a society: who did what, and nobody who only looked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.voxel.flat import STAND
from tests.voxel.inline import found_flat, open_flat
from thorp.protocol import actions, society
from thorp.protocol.act import Act
from thorp.protocol.fields import Instant, Stack, Task
from thorp.store import RealDisk
from thorp.voxel.inputs import Acted, AnyInput, Join
from thorp.voxel.keeping.audit import SOCIETY, Change, audit
from thorp.voxel.keeping.rollback import Box, rollback
from thorp.voxel.service import WorldService, verify
from thorp.voxel.systems.items import everything
from thorp.voxel.tuning import Tuning
from thorp.voxel.world import block_id, manhattan

DISK = RealDisk()
KIT = {
    "BATTERY": 1, "CRYSTAL_SHARD": 1, "COAL": 20, "PLANK": 20, "IRON_INGOT": 2, "CHEST": 1,
    "CONTRACT_TERMINAL": 1, "BULLETIN_BOARD": 1,
}  # fmt: skip
TUNING = Tuning(world_events=False, starter_items=KIT, law_notice_ticks=1, law_vote_ticks=2)


class Town:
    """Two people in a flat world that is kept."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.service: WorldService = open_flat(DISK, path, seed=7, draw_seed=8, tuning=TUNING)
        self.tick(Join("one", "00" * 32), Join("two", "11" * 32))
        one, two = self.service.world.agents
        self.x, self.z = one.x, one.z
        self.tick(self.does(2, actions.MoveTo(target=one.position, tolerance=1.0)))
        while two.move is not None:
            self.tick()
        assert manhattan(one.position, two.position) <= 1

    def tick(self, *inputs: AnyInput) -> None:
        self.service.tick(list(inputs)).result()

    def does(self, number: int, *wishes: Instant | Task) -> Acted:
        instants: Any = [wish for wish in wishes if isinstance(wish, Instant)]
        tasks: Any = [wish for wish in wishes if isinstance(wish, Task)]
        return Acted(number, Act(tick=self.service.world.tick, instants=instants, tasks=tasks))

    def place(self, item: str, dz: int) -> str:
        """Let A1 place something two cells north or south of it; what it is called."""
        position = (self.x, STAND, self.z + dz)
        self.tick(self.does(1, actions.Place(block_pos=position, item_id=item)))
        assert self.service.world.ground.block(*position)
        return block_id(item, position)

    def changes(self, **options: Any) -> list[Change]:
        found: list[Change] = []
        audit(DISK, self.path, found.append, found=found_flat, **options)
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
    town.tick(town.does(1, society.ClaimLand(anchor=(town.x, STAND, town.z - 2), radius=8)))
    proposal = society.ProposeLaw(land_id="LAND_A1_001", template_id="MARKET_TAX", params={"market_tax": 0.1})
    town.tick(town.does(1, proposal))
    town.tick()
    town.tick(town.does(1, society.Vote(law_id="LAW000001", choice="NO")))
    town.tick(town.does(1, society.Vote(law_id="LAW000001", choice="YES")))
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
    (found,) = [one for one in town.changes(since=town.service.world.tick) if one.what == "container"]
    assert (found.actor, found.reason, found.more) == ("A1", "TRANSFER", {"moved": {"COAL": 3}})


def test_what_was_owed_and_fetched_is_found(town: Town) -> None:
    terminal = town.place("CONTRACT_TERMINAL", 2)
    post = society.PostContract(
        terminal_id=terminal,
        contract_kind="GATHER",
        requirements=[Stack("COAL", 4)],
        reward=[Stack("PLANK", 2)],
    )
    town.tick(town.does(1, post))
    bring = actions.Transfer(src_container="SELF", dst_container=terminal, item_id="COAL", count=4)
    town.tick(town.does(2, bring))
    ids = {"terminal_id": terminal, "contract_id": "C000001"}
    town.tick(town.does(2, society.AcceptContract(**ids), society.SubmitContract(**ids)))
    town.tick(town.does(1, society.ClaimOwed(terminal_id=terminal)))
    found = [one for one in town.changes() if one.what == "container"]
    assert [(one.actor, one.reason, one.more["moved"]) for one in found] == [
        ("A1", "POST_CONTRACT", {"PLANK": 2}),
        ("A2", "TRANSFER", {"COAL": 4}),
        ("A2", "ACCEPT_CONTRACT,SUBMIT_CONTRACT", {"PLANK": -2}),
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
    town.tick(town.does(1, society.ClaimLand(anchor=(town.x, STAND, town.z - 2), radius=8)))
    land, org = {"land_id": "LAND_A1_001"}, {"org_id": "ORG000001"}
    town.tick(
        town.does(
            1,
            society.CreateOrg(org_kind="CITY", org_name="Millbrook"),
            society.SetPermissions(**land, policy={"allow_trade": True}),
            society.AddMember(**land, member_id="A2"),
            society.RemoveMember(**land, member_id="A2"),
            society.SetOrgOpen(**org, open=False),
            society.InviteOrg(**org, member_id="A2"),
            society.PostBoard(board_id=board, title="t", body="b"),
            society.OfferTrade(to="A2", offer=[("COAL", 1)], request=[("COAL", 1)]),
        ),
        town.does(
            2,
            society.AcceptTrade(trade_id="TR000001"),
            society.JoinOrg(**org),
            society.OrgDeposit(**org, item_id="COAL", count=2),
        ),
    )
    town.tick(
        town.does(
            1,
            society.SetOrgRole(**org, member_id="A2", role="LEADER"),
            society.OrgWithdraw(**org, item_id="COAL", count=1),
            society.DeedLand(**land, new_owner="ORG000001"),
            society.LeaveOrg(),
        ),
        town.does(2, society.LeaveOrg()),
    )
    found = [one for one in town.changes() if one.what in ("land", "org", "trade", "board")]
    kinds = {one.reason: one.actor for one in found}
    assert kinds == {
        "CLAIM_LAND": "A1", "CREATE_ORG": "A1", "SET_PERMISSIONS": "A1", "ADD_MEMBER": "A1",
        "REMOVE_MEMBER": "A1", "SET_ORG_OPEN": "A1", "INVITE_ORG": "A1", "POST": "A1", "TRADE": "A2",
        "JOIN_ORG": "A2", "ORG_DEPOSIT": "A2", "SET_ORG_ROLE": "A1", "ORG_WITHDRAW": "A1", "DEED_LAND": "A1",
        "LEAVE_ORG": "A2", "ORG_ENDED": "A2",
    }  # fmt: skip
    assert kinds.keys() <= SOCIETY.keys()
    assert [one.reason for one in found if one.concerns("A2") and one.actor == "A1"] == [
        "ADD_MEMBER",
        "REMOVE_MEMBER",
        "INVITE_ORG",
        "SET_ORG_ROLE",
    ]


def test_a_theft_is_rolled_back_and_the_dry_run_has_said_so(town: Town) -> None:
    """The chest is as it was, the thief has paid, and the journal still proves it all."""
    chest = town.place("CHEST", 2)
    coal = {"item_id": "COAL", "count": 9}
    town.tick(town.does(1, actions.Transfer(src_container="SELF", dst_container=chest, **coal)))
    since = town.service.world.tick + 1
    town.tick(town.does(2, actions.Transfer(src_container=chest, dst_container="SELF", **coal)))
    place = (town.x, STAND, town.z + 2)
    (theft,) = [one for one in town.changes(since=since) if one.concerns("A2") and one.is_near(place, 0)]
    assert (theft.before, theft.after) == ({"COAL": 9}, {})
    total = everything(town.service.world)
    town.service.close()
    box = Box.between(place, place)
    would = rollback(DISK, town.path, box, since, dry_run=True, found=found_flat)
    assert verify(DISK, town.path, found=found_flat).last_good_tick == since, "nothing was written"
    done = rollback(DISK, town.path, box, since, found=found_flat)
    assert done == would
    assert (done.taken, done.left) == ({"A2": {"COAL": 9}}, [])
    verdict = verify(DISK, town.path, found=found_flat)
    assert (verdict.ok, verdict.digest) == (True, done.digest)
    with open_flat(DISK, town.path) as again:
        world = again.world
        assert world.containers[place].stock == {"COAL": 9}
        assert world.agents[2].have("COAL") == KIT["COAL"]
        assert everything(world) == total
    (told,) = [one for one in town.changes(since=since + 1) if one.what == "rollback"]
    assert told.actor == "OPERATOR"
