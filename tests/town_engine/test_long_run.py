"""A town for hundreds of days: it does not degenerate, governing it helps, and a seed is a
history."""

from __future__ import annotations

import pytest

from tests.town_engine.worlds import TOWN, MemoryTown
from thorp.kernel.identity import digest
from thorp.town import validate_snapshot
from thorp.town.embedded import tuning
from thorp.town.embedded.council import Council
from thorp.town.embedded.town import FULL, METERS, Town

DAYS = 400
SEEDS = range(6)
PINNED_SHARE = 0.02
"""The share of days on which one meter may rest on an end of its scale."""


def live(seed: int, days: int, *, governed: bool) -> list[Town]:
    world, council = MemoryTown(seed), Council(TOWN)
    states = []
    for _ in range(days):
        if governed:
            for _, result in council.sit(world):
                assert result["status"] == "executed", result
        world.dawn()
        states.append(world.town)
    validate_snapshot(world.snapshot())
    return states


def wellbeing(town: Town) -> int:
    meters = town.meters
    return meters.hope + (FULL - meters.threat) + (FULL - meters.scarcity) + (FULL - meters.dread)


def mean(states: list[Town]) -> float:
    return sum(map(wellbeing, states)) / len(states)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_governed_town_lives_and_does_better_than_one_left_alone(seed: int) -> None:
    governed, alone = live(seed, DAYS, governed=True), live(seed, DAYS, governed=False)
    for states in (governed, alone):
        for name in METERS:
            levels = [getattr(town.meters, name) for town in states]
            pinned = sum(level in (0, FULL) for level in levels)
            assert pinned <= PINNED_SHARE * DAYS, f"{name} rests at an end for {pinned} days"
            assert len(set(levels[DAYS // 2 :])) > 20, f"{name} stands still"
        for town in states:
            assert tuning.LEAST_POPULATION <= town.population <= tuning.MOST_POPULATION
            assert max(town.stocks.food, town.stocks.timber, town.stocks.iron) <= tuning.STORE_LIMIT
            assert len(town.quests) <= tuning.OPEN_QUESTS
    for days in (slice(50, 100), slice(150, 200), slice(350, 400)):
        assert mean(governed[days]) > mean(alone[days]) + 300
    assert governed[-1].population > alone[-1].population


@pytest.mark.parametrize("seed", SEEDS)
def test_there_is_always_something_to_do(seed: int) -> None:
    world, council = MemoryTown(seed), Council(TOWN)
    done: list[str] = []
    statuses = set()
    for _ in range(DAYS):
        done += [result["command"].split()[0] for _, result in council.sit(world)]
        world.dawn()
        statuses |= {project["status"] for project in world.snapshot()["projects"]}
    assert statuses == {"planning", "active", "blocked", "complete"}
    last = done[-300:]
    for verb, least in {"mission": 3, "project": 10, "salvage": 20, "townsfolk": 20}.items():
        assert last.count(verb) >= least, f"{verb}: {last.count(verb)}"


GOLDEN = {
    1: "446439c871155b02246d58a8fc21decee1b1659271d4bfa609231fc72b9b97de",
    2: "a3a20383c4d45b239391e69d76607aa747531d9e0803089294c0f408f2bc3535",
    3: "793d91628c0871138160ab954f433eb31ed67b7d43cddaa7f384266684e8efe4",
}


@pytest.mark.parametrize("seed", GOLDEN)
def test_thirty_days_of_a_seed_are_known_to_the_byte(seed: int) -> None:
    """Changing any number of the rules changes these, and needs a new RULES_VERSION."""
    texts = []
    world, council = MemoryTown(seed), Council(TOWN)
    for _ in range(30):
        texts += [result["resultId"] for _, result in council.sit(world)]
        texts += [each.text for each in world.dawn()]
        texts.append(world.kept.text)
    assert digest("\n".join(texts).encode()) == GOLDEN[seed]
