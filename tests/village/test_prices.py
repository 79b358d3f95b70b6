"""What is given is worth about what is got, by the village's own prices."""

import pytest

from tests.village.person import CATALOGS, person
from thorp.village import errands, needs, small_jobs
from thorp.village.storekeeper import is_good

RECIPES = {recipe["outputs"][0]["item"]: recipe for recipe in CATALOGS["recipes"]}
TOOLS = [f"{kind}_{tool}" for kind in ("IRON", "STONE") for tool in ("AXE", "PICKAXE", "SHOVEL")]


@pytest.mark.parametrize("tool", TOOLS)
def test_a_tool_costs_about_what_goes_into_it(tool: str) -> None:
    parts = {part["item"]: part["count"] for part in RECIPES[tool]["inputs"]}
    assert needs.worth(parts) / 2 <= needs.WORTH[tool] <= 1.5 * needs.worth(parts)


@pytest.mark.parametrize("tool", TOOLS)
def test_no_tool_is_sold_for_a_berry(tool: str) -> None:
    price = needs.WORTH[tool]
    assert not is_good({"offer": [["BERRIES", 1]], "request": [[tool, 1]]})
    assert is_good({"offer": [["BERRIES", price]], "request": [[tool, 1]]})


@pytest.mark.parametrize("number", range(len(small_jobs.SMALL_JOBS)))
def test_a_job_pays_what_it_asks_for_and_at_most_twice_that(number: int) -> None:
    asked = small_jobs.SMALL_JOBS[number]
    rewards = small_jobs.rewards(number)
    assert len(rewards) >= 3, "one of them lies in the store"
    for reward in rewards:
        assert not reward.keys() & asked.keys()
        if reward != small_jobs.HUT_REWARD:
            assert 1 <= needs.worth(reward) / needs.worth(asked) <= 2
    huts = [reward for reward in rewards if reward == small_jobs.HUT_REWARD]
    assert len(huts) == (number < small_jobs.HUT_REWARDS), "those help a newcomer to its hut"


def test_nobody_pays_for_two_berries_with_a_crystal() -> None:
    me = person("Gytha", have={"CRYSTAL_SHARD": 3})
    me.knowledge.wanted = {"CRYSTAL_SHARD": 4, "COAL": 9}
    assert list(errands.buy(me, {"BERRIES": 2})) == []
    rich = person("Gytha", have={"CRYSTAL_SHARD": 3, "COAL": 9})
    rich.knowledge.wanted = dict(me.knowledge.wanted)
    plan = next(errands.buy(rich, {"BERRIES": 2}))
    assert plan is not None
    assert [request.action["offer"] for request in plan.requests] == [[("COAL", 1)]]


def test_who_begs_for_food_gives_a_trifle_and_keeps_its_axe() -> None:
    me = person("Gytha", have={"IRON_AXE": 1, "STICK": 2})
    plan = next(errands.send_for_food(me))
    assert plan is not None
    assert [request.action["offer"] for request in plan.requests] == [[("STICK", 1)]]
