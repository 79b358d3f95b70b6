"""Nothing is minted and nothing is lost, whatever is asked for: goods, escrow, debts,
treasuries."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
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

from tests.voxel.flat import flat_world
from tests.voxel.society.bazaar import INSTANTS, TASKS, TERMINALS, Books, Dealer, a_bazaar
from tests.voxel.test_snapshot import packed
from tests.voxel.working import put
from thorp.protocol.act import Act
from thorp.simulator.totals import count_everything
from thorp.voxel.inputs import Acted
from thorp.voxel.persistence.snapshot import restore
from thorp.voxel.tick import step

LIFE_TICKS = 100


def a_life(seed: int, ticks: int = LIFE_TICKS) -> Books:
    """So many ticks in which everyone asks for as much as an ACT holds."""
    world, dealer = a_bazaar(), Dealer(seed)
    books = Books(world)
    for number in range(ticks):
        books.live(dealer.inputs(world))
        if number % 10 == 0:
            books.check_index()
    for _ in range(30):
        books.live([])
    books.check_index()
    books.check_digest()
    assert not any(contract.is_live for contract in world.contracts), "everything ends"
    assert not world.trades
    return books


def lives(seeds: range) -> Books:
    """The sum of what they saw."""
    total = Books(a_bazaar())
    for seed in seeds:
        seen = a_life(seed)
        for name in ("asked", "granted", "traded", "completed", "failed"):
            setattr(total, name, getattr(total, name) + getattr(seen, name))
    return total


def test_tens_of_thousands_of_wishes_move_goods_and_make_none() -> None:
    seen = lives(range(8))
    assert seen.asked > 60_000
    assert seen.traded > 300
    assert seen.completed > 150
    assert seen.failed > 150
    assert seen.granted > seen.asked // 10


@pytest.mark.long
def test_millions_of_wishes_move_goods_and_make_none() -> None:
    assert lives(range(1_000, 1_000 + 320)).asked > 3_000_000


def test_a_restored_world_goes_on_as_the_other_would_have() -> None:
    world, dealer = a_bazaar(), Dealer(9)
    books = Books(world)
    for _ in range(20):
        books.live(dealer.inputs(world))
    restored = restore(packed(world), lambda _, __, tuning: flat_world(world.catalogs, tuning))
    assert list(restored.contracts) == list(world.contracts)
    for _ in range(20):
        inputs = dealer.inputs(world)
        books.live(inputs)
        step(restored, inputs)
        assert restored.digest() == world.digest()


class Dealing(RuleBasedStateMachine):
    """The same, wish by wish, so that a failure comes down to the few that matter."""

    @initialize(seed=st.integers(0, 10**6))
    def begin(self, seed: int) -> None:
        self.world, self.dealer = a_bazaar(), Dealer(seed)
        self.books = Books(self.world)

    @rule(who=st.integers(1, 6), wish=st.sampled_from(range(len(INSTANTS))))
    def ask(self, who: int, wish: int) -> None:
        agent = self.world.agents[who]
        instant = INSTANTS[wish](self.dealer, self.world, agent)
        self.books.live([Acted(who, Act(tick=self.world.tick, instants=[instant]))])

    @rule(who=st.integers(1, 6), wish=st.sampled_from(range(len(TASKS))))
    def work(self, who: int, wish: int) -> None:
        task = TASKS[wish](self.dealer, self.world, self.world.agents[who])
        self.books.live([Acted(who, Act(tick=self.world.tick, tasks=[task]))])

    @rule(size=st.integers(1, 6))
    def crowd(self, size: int) -> None:
        self.books.live(self.dealer.inputs(self.world, size))

    @rule(ticks=st.integers(1, 12))
    def wait(self, ticks: int) -> None:
        for _ in range(ticks):
            self.books.live([])

    @rule(place=st.sampled_from(TERMINALS))
    def vanish(self, place: tuple[int, int, int]) -> None:
        """Something takes the terminal away, and puts another there."""
        before = count_everything(self.world)
        put(self.world, place, "AIR")
        put(self.world, place, "CONTRACT_TERMINAL")
        assert count_everything(self.world) == before

    @invariant()
    def the_index_is_right(self) -> None:
        self.books.check_index()

    def teardown(self) -> None:
        self.books.check_digest()


STATES: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}


def test_any_dealing_keeps_the_books() -> None:
    run_state_machine_as_test(
        Dealing, settings=settings(max_examples=80, stateful_step_count=30, **STATES)
    )


@pytest.mark.long
def test_a_lot_of_dealing_keeps_the_books() -> None:
    run_state_machine_as_test(
        Dealing, settings=settings(max_examples=500, stateful_step_count=100, **STATES)
    )


def test_the_seed_of_hashes_does_not_matter() -> None:
    code = (
        "from tests.voxel.society.test_conservation import a_life; print(a_life(5, "
        "30).world.digest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[3],
            check=True,
            capture_output=True,
            text=True,
            timeout=120,
        ).stdout
        for seed in ("1", "2")
    }
    assert digests == {a_life(5, 30).world.digest() + "\n"}
