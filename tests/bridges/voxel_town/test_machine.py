"""Any handoffs, any ticks, any crashes: a key is used once, goods are conserved, replay gives the
same."""

from __future__ import annotations

from typing import Any

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

from tests.bridges.voxel_town.settled import DAY, FIRST, SECOND, create_settled_world, open_settled
from thorp.bridges.voxel_town import VoxelTowns, snapshot_text
from thorp.bridges.voxel_town.territory import domain_of
from thorp.bridges.voxel_town.town import town_ids
from thorp.kernel.canonical import read_text
from thorp.kernel.errors import ContractError
from thorp.protocol import actions
from thorp.protocol.act import Act
from thorp.simulator.totals import count_everything
from thorp.simulator.witness import check_escrow
from thorp.store.testing import BreakableDisk
from thorp.town import UnknownTown, validate_result, validate_snapshot
from thorp.town.testing import forgeries, handoff_for
from thorp.voxel import WorldService, verify
from thorp.voxel.inputs import Acted, AnyInput
from thorp.voxel.state.world import block_id

TARGETS = {
    "MAYOR_ACCEPT_MISSION": st.sampled_from(
        [f"C{number:06d}" for number in range(1, 9)] + ["D000000000", "\U0001f525"]
    ),
    "PROJECT_ADVANCE": st.sampled_from(["W000001", "W000002", "W000009", "x" * 300]),
    "SALVAGE_PLAN": st.sampled_from(["scarcity", "dread", "general"]),
    "TOWNSFOLK_TALK": st.sampled_from(["morale-boost", "casual"]),
}
ANY_COMMAND = st.sampled_from(sorted(TARGETS)).flatmap(
    lambda action: st.tuples(st.just(action), TARGETS[action])
)
GUARDS = st.none() | st.lists(
    st.sampled_from(
        [
            {"kind": "mission_absent"},
            {"kind": "side_quest_exists", "targetId": "C000001"},
            {"kind": "project_exists", "targetId": "W000001"},
            {"kind": "unheard of"},
        ]
    ),
    max_size=2,
)


class Governing(RuleBasedStateMachine):
    @initialize(seed=st.integers(0, 10**6))
    def begin(self, seed: int) -> None:
        self.disk = BreakableDisk(seed)
        self.path = self.disk.root / "world"
        self.service: WorldService = open_settled(self.disk, self.path)
        self.accepted: dict[str, tuple[dict[str, Any], str]] = {}
        self.seen = {town: [self.look(town)] for town in (FIRST, SECOND)}

    def look(self, town: str) -> dict[str, Any]:
        return VoxelTowns(self.service).snapshot(town)

    def tick(self, inputs: list[AnyInput]) -> None:
        before = count_everything(self.service.world)
        self.service.tick(inputs).result()
        world = self.service.world
        mined = [row for row in world.scratch.block_changes if row.reason == "MINE"]
        if world.tick % DAY and not mined:
            assert count_everything(world) == before, "nothing is made or lost"
        check_escrow(world)

    @rule(
        town=st.sampled_from([FIRST, SECOND, "ORG000009"]),
        command=ANY_COMMAND,
        guards=GUARDS,
        old=st.booleans(),
    )
    def hand_off(self, town: str, command: tuple[str, str], guards: Any, old: bool) -> None:
        known_ones = self.seen.get(town) or [{**self.seen[FIRST][0], "townId": town}]
        if town in self.seen and snapshot_text(self.service.world, town):
            known_ones.append(self.look(town))
        seen = known_ones[0] if old else known_ones[-1]
        handoff = handoff_for(seen, *command, preconditions=guards)
        before = count_everything(self.service.world)
        digest_before = self.rows()
        result = VoxelTowns(self.service).execute(handoff)
        validate_result(result)
        if self.service.world.tick % DAY:
            assert count_everything(self.service.world) == before
        check_escrow(self.service.world)
        key = handoff["idempotencyKey"]
        if key in self.accepted:
            same = self.accepted[key][0] == handoff
            assert result["reasonCode"] == ("DUPLICATE_HANDOFF" if same else "KEY_CONFLICT")
        elif result["accepted"]:
            self.accepted[key] = (handoff, result["resultId"])
        if not result["accepted"] and self.service.world.tick % DAY:
            assert self.rows() == digest_before, "what was not accepted has changed no town"
        assert result["reasonCode"] != "APPLY_FAILED", result

    def rows(self) -> list[tuple[str, str]]:
        return [(row.key, row.text) for row in self.service.world.rows]

    @rule(what=st.integers(0, 100))
    def forge(self, what: int) -> None:
        if snapshot_text(self.service.world, FIRST) is None:
            return
        bad = list(forgeries(handoff_for(self.look(FIRST))).values())
        before = self.service.world.tick
        with pytest.raises(ContractError):
            VoxelTowns(self.service).execute(bad[what % len(bad)])
        assert self.service.world.tick == before

    @rule(ticks=st.sampled_from([1, 3, DAY // 2, DAY]))
    def wait(self, ticks: int) -> None:
        for _ in range(ticks):
            self.tick([])

    @rule(number=st.integers(1, 6), contract=st.integers(1, 8))
    def accept(self, number: int, contract: int) -> None:
        terminal = block_id("CONTRACT_TERMINAL", (3 if number < 4 else 103, 23, 0))
        wish = actions.AcceptContract(terminal_id=terminal, contract_id=f"C{contract:06d}")
        self.tick([Acted(number, Act(tick=self.service.world.tick, instants=[wish]))])

    @rule(number=st.integers(1, 6), item=st.sampled_from(["PLANK", "BERRIES", "COAL"]))
    def bring(self, number: int, item: str) -> None:
        terminal = block_id("CONTRACT_TERMINAL", (3 if number < 4 else 103, 23, 0))
        wish = actions.Transfer(src_container="SELF", dst_container=terminal, item_id=item, count=3)
        self.tick([Acted(number, Act(tick=self.service.world.tick, tasks=[wish]))])

    @rule(number=st.sampled_from([1, 2, 4, 5]))
    def leave(self, number: int) -> None:
        self.tick([Acted(number, Act(tick=self.service.world.tick, instants=[actions.LeaveOrg()]))])

    @rule(number=st.sampled_from([1, 4]), item=st.sampled_from(["PLANK", "COAL", "IRON_INGOT"]))
    def withdraw(self, number: int, item: str) -> None:
        org = FIRST if number == 1 else SECOND
        wish = actions.OrgWithdraw(org_id=org, item_id=item, count=5)
        self.tick([Acted(number, Act(tick=self.service.world.tick, instants=[wish]))])

    @rule(number=st.sampled_from([1, 4]))
    def break_the_terminal(self, number: int) -> None:
        wish = actions.Mine(block_pos=(3 if number == 1 else 103, 23, 0))
        self.tick([Acted(number, Act(tick=self.service.world.tick, tasks=[wish]))])

    @rule(clean=st.booleans())
    def restart(self, clean: bool) -> None:
        digest, tick = self.service.world.digest(), self.service.world.tick
        if clean:
            self.service.close()
        else:
            self.disk.crash()
        self.disk.restart()
        self.service = open_settled(self.disk, self.path)
        assert (self.service.world.tick, self.service.world.digest()) == (tick, digest)

    @invariant()
    def towns_are_cities_with_land_and_seals_are_valid(self) -> None:
        world = self.service.world
        for town in town_ids(world):
            assert domain_of(world, town) is not None
            validate_snapshot(read_text((snapshot_text(world, town) or "").encode()))
        for town in (FIRST, SECOND):
            if domain_of(world, town) is None:
                with pytest.raises(UnknownTown):
                    self.look(town)

    def teardown(self) -> None:
        self.service.close()
        verdict = verify(self.disk, self.path, make_world=create_settled_world)
        assert verdict.ok, verdict


CHECKS = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]


def govern(examples: int, steps: int) -> None:
    run_state_machine_as_test(
        Governing,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, suppress_health_check=CHECKS
        ),
    )


def test_random_governing_keeps_the_invariants() -> None:
    govern(12, 25)


@pytest.mark.long
def test_random_governing_keeps_the_invariants_for_long() -> None:
    govern(200, 60)
