"""Changes between two ticks: what each does to a world, and what is refused without a trace."""

from __future__ import annotations

from typing import Any

import pytest

from tests.village.lives import live
from thorp.kernel.errors import IllegalError, InvalidError, ThorpError, UnknownError
from thorp.society import Goal, PassLaw, RepealLaw, Weather, change_text, read_change
from thorp.village import bodies, knowledge
from thorp.village.changes import MAX_WEATHER_TICKS, apply_change
from thorp.village.villager import MEMORY
from thorp.voxel import World, create_world
from thorp.voxel.state.records import Price


def city_land(world: World) -> Any:
    (city,) = [org.id for org in world.orgs if org.kind == "CITY"]
    (claim,) = [claim for claim in world.claims if claim.owner == city]
    return claim


def test_a_law_that_is_passed_holds_on_the_city_and_everybody_is_told(village_state: World) -> None:
    world = village_state
    numbers = [law.id for law in world.laws]
    text = apply_change(
        world, PassLaw(law="MARKET_TAX", params={"market_tax": 0.2}, title="A fifth")
    )
    claim = city_land(world)
    (law,) = [law for law in world.laws if law.id not in numbers]
    assert text == f"the law MARKET_TAX (market_tax 0.2) is passed as {law.id} on {claim.id}"
    assert claim.market_tax == 200_000
    assert (law.title, law.status, law.params) == ("A fifth", "ACTIVE", {"market_tax": 200_000})
    told = [agent.event_log.events[-1].text for agent in world.agents]
    assert all(b'"kind":"ACTIVE"' in each and law.id.encode() in each for each in told)


def test_a_law_that_is_repealed_leaves_the_land_as_if_it_had_never_been(
    village_state: World,
) -> None:
    world = village_state
    for count in (2, 3):
        fine: dict[str, Any] = {"fine_item": "COAL", "fine_per_block": count}
        apply_change(world, PassLaw(law="FINE_BREAK_PER_BLOCK", params=fine))
    claim = city_land(world)
    assert claim.fine == Price("COAL", 3)
    *_, old, new = [law for law in world.laws if law.template_id == "FINE_BREAK_PER_BLOCK"]
    with pytest.raises(IllegalError, match=f"{old.id} was replaced by {new.id}"):
        apply_change(world, RepealLaw(law=old.id))
    text = apply_change(world, RepealLaw(law="FINE_BREAK_PER_BLOCK"))
    assert text == f"the law {new.id} (FINE_BREAK_PER_BLOCK) is repealed on {claim.id}"
    assert claim.fine is None
    assert {old.status, new.status} == {"REJECTED"}
    with pytest.raises(IllegalError, match="is not in force"):
        apply_change(world, RepealLaw(law=new.id))
    with pytest.raises(UnknownError, match="no law in force"):
        apply_change(world, RepealLaw(law="FINE_BREAK_PER_BLOCK"))


@pytest.mark.parametrize(
    ("template", "params", "setting"),
    [
        ("MARKET_TAX", {"market_tax": 0.25}, "market_tax"),
        ("CURFEW_NO_BUILD", {"start_time": 0.5, "end_time": 0.25}, "curfew"),
        ("ACCESS_PASS_CORE", {"ticket_item": "COAL", "ticket_cost": 2}, "ticket"),
    ],
)
def test_every_law_can_be_passed_and_repealed(
    village_state: World, template: str, params: dict[str, Any], setting: str
) -> None:
    apply_change(village_state, PassLaw(law=template, params=params))
    claim = city_land(village_state)
    assert getattr(claim, setting)
    apply_change(village_state, RepealLaw(law=template))
    assert not getattr(claim, setting)


def test_weather_lasts_as_long_as_it_was_asked_for(village_state: World) -> None:
    world = village_state
    assert apply_change(world, Weather(weather="STORM", ticks=7)) == "a storm for 7 ticks"
    live(world, 6)
    assert world.weather == "STORM"
    live(world, 1)
    assert world.weather == "CLEAR"


def test_a_goal_is_what_a_villager_wants_when_it_comes_back(village_state: World) -> None:
    world = village_state
    text = apply_change(world, Goal(person="Bram", goal="friend", thing="Nan"))
    assert text == "Bram wants to have Nan for a friend"
    live(world, 310)
    kept = knowledge.read(world.agents[bodies(world)["Bram"]].memory[MEMORY].value)
    assert kept.wish is not None
    assert (kept.wish.kind, kept.wish.thing, kept.wish.since) == ("friend", "Nan", 17_400)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (PassLaw(law="TITHE", params={}), "no law 'TITHE'; known are ACCESS_PASS_CORE"),
        (PassLaw(law="MARKET_TAX", params={"rate": 1}), "parameters market_tax, not rate"),
        (PassLaw(law="MARKET_TAX", params={"market_tax": 2}), "from 0 to 0.25"),
        (PassLaw(law="MARKET_TAX", params={"market_tax": float("nan")}), "from 0 to 0.25"),
        (PassLaw(law="MARKET_TAX", params={"market_tax": "much"}), "from 0 to 0.25"),
        (PassLaw(law="MARKET_TAX", params={"market_tax": 0.1}, land="LAND9"), "no land 'LAND9'"),
        (
            PassLaw(law="FINE_BREAK_PER_BLOCK", params={"fine_item": "GOLD", "fine_per_block": 1}),
            "fine_item must be an item",
        ),
        (
            PassLaw(
                law="FINE_BREAK_PER_BLOCK", params={"fine_item": "COAL", "fine_per_block": 1.5}
            ),
            "fine_per_block must be a whole number",
        ),
        (RepealLaw(law="LAW999999"), "no law in force 'LAW999999'"),
        (RepealLaw(law="ACCESS_PASS_CORE"), "no law in force 'ACCESS_PASS_CORE'"),
        (Goal(person="Nobody", goal="office"), "no villager 'Nobody'"),
        (Goal(person="Bram", goal="tool", thing="SPOON"), "no tool 'SPOON'"),
        (Goal(person="Bram", goal="friend", thing="Bram"), "no other villager 'Bram'"),
        (Goal(person="Bram", goal="office", thing="king"), "takes no thing"),
    ],
)
def test_what_does_not_fit_the_world_is_refused_and_changes_nothing(
    village_state: World, change: Any, why: str
) -> None:
    before = village_state.digest()
    with pytest.raises(ThorpError, match=why) as refused:
        apply_change(village_state, change)
    assert refused.value.code
    village_state.forget_derived()
    assert village_state.digest() == before


def test_a_world_without_land_or_villagers_takes_no_law_and_no_goal() -> None:
    world = create_world(5)
    with pytest.raises(IllegalError, match="no city has land yet") as refused:
        apply_change(world, PassLaw(law="MARKET_TAX", params={"market_tax": 0.1}))
    assert refused.value.code == "no_land"
    with pytest.raises(UnknownError, match="known are none"):
        apply_change(world, Goal(person="A1", goal="office"))


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        "storm",
        {},
        {"change": "flood"},
        {"change": "weather"},
        {"change": "weather", "weather": "HAIL"},
        {"change": "weather", "weather": "STORM", "ticks": MAX_WEATHER_TICKS + 1},
        {"change": "weather", "weather": "STORM", "ticks": 0},
        {"change": "weather", "weather": "STORM", "days": 1},
        {"change": "goal", "person": "", "goal": "office"},
        {"change": "goal", "person": "Bram", "goal": "riches"},
        {"change": "pass_law", "law": "MARKET_TAX", "params": {"market_tax": None}},
        {"change": "pass_law", "law": "x" * 201, "params": {}},
    ],
)
def test_a_change_that_cannot_be_read_is_refused(value: Any) -> None:
    with pytest.raises(InvalidError) as refused:
        read_change(value)
    assert refused.value.code == "change"
    assert "\n" not in refused.value.message


def test_a_change_is_read_from_plain_data_and_said_in_words() -> None:
    read = read_change({"change": "goal", "person": "Bram", "goal": "tool", "thing": "IRON_AXE"})
    assert read == Goal(person="Bram", goal="tool", thing="IRON_AXE")
    assert change_text(read) == "Bram wants an iron axe"
    assert change_text(Weather(weather="COLD")) == "a cold spell for 3,000 ticks"
    hostile = Goal(person="A\x1b[2J\nB", goal="office")
    assert change_text(hostile).isprintable() or "\ufffd" in change_text(hostile)
    assert "\n" not in change_text(hostile)
