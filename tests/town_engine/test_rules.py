"""What the four proposals, a keeper and a new day do to a town."""

from __future__ import annotations

import pytest

from tests.town_engine.worlds import TOWN, MemoryTown, handoff_for
from thorp.kernel.errors import ConflictError, IllegalError, InvalidError, LimitError
from thorp.kernel.rng import KeyedDraws
from thorp.town import snapshot_hash, validate_snapshot
from thorp.town.cognition.policy import event_signal
from thorp.town.embedded import tuning
from thorp.town.embedded.catalogue import DECK, KINDS, NEEDS
from thorp.town.embedded.new_day import begin_day, drifted, new_town
from thorp.town.embedded.projection import project_town, town_hash
from thorp.town.embedded.projects import status_of
from thorp.town.embedded.town import FULL, Town, decode, encode, pushed


@pytest.fixture
def world() -> MemoryTown:
    return MemoryTown()


def do(world: MemoryTown, action_type: str, target: str) -> tuple[Town, Town]:
    """The town before and after an executed action."""
    before = world.town
    assert world.execute(handoff_for(world.snapshot(), action_type, target))["status"] == "executed"
    return before, world.town


def test_talk_raises_hope_and_heartening_talk_raises_it_more() -> None:
    gains = {}
    for talk_type in ("casual", "morale-boost"):
        before, after = do(MemoryTown(), "TOWNSFOLK_TALK", talk_type)
        gains[talk_type] = after.meters.hope - before.meters.hope
        assert after.meters.dread < before.meters.dread
    assert 0 < gains["casual"] < gains["morale-boost"]


def test_talk_does_less_when_it_is_repeated_on_one_day(world: MemoryTown) -> None:
    gains = []
    for _ in range(3):
        before, after = do(world, "TOWNSFOLK_TALK", "morale-boost")
        gains.append(after.meters.hope - before.meters.hope)
    assert gains[0] > gains[1] > gains[2] > 0
    world.dawn()
    before, after = do(world, "TOWNSFOLK_TALK", "morale-boost")
    assert after.meters.hope - before.meters.hope > gains[1]


@pytest.mark.parametrize(
    ("focus", "lowered", "kept"),
    [
        ("scarcity", ["scarcity"], ["dread", "threat"]),
        ("dread", ["dread"], ["scarcity", "threat"]),
        ("general", ["scarcity", "dread"], ["threat"]),
    ],
)
def test_salvage_lowers_what_it_is_about(focus: str, lowered: list[str], kept: list[str]) -> None:
    before, after = do(MemoryTown(), "SALVAGE_PLAN", focus)
    for name in lowered:
        assert getattr(after.meters, name) < getattr(before.meters, name)
    for name in kept:
        assert getattr(after.meters, name) == getattr(before.meters, name)
    assert after.stocks.timber > before.stocks.timber
    assert (after.stocks.food > before.stocks.food) == (focus != "dread")


def test_a_project_is_advanced_paid_for_and_completed(world: MemoryTown) -> None:
    threat = world.town.meters.threat
    for step in range(1, KINDS["granary"].steps + 1):
        before, after = do(world, "PROJECT_ADVANCE", "granary-2")
        assert after.stocks.timber == before.stocks.timber - tuning.STEP_TIMBER
        assert after.stocks.iron == before.stocks.iron - tuning.STEP_IRON
        assert after.meters.threat < before.meters.threat
        assert after.projects[1].step == step
    assert after.works == {"granary": 1}
    assert status_of(after.projects[1], after) == "complete"
    assert after.meters.scarcity < before.meters.scarcity
    assert after.meters.threat < threat
    assert world.snapshot()["projects"][1]["progress"] == 1


def test_a_project_is_blocked_while_it_cannot_be_paid_and_unblocks(world: MemoryTown) -> None:
    statuses = []
    for timber in (0, tuning.STEP_TIMBER):
        town = world.town
        town.stocks.timber = timber
        world.change(stocks=town.stocks)
        statuses.append(world.snapshot()["projects"][0]["status"])
    assert statuses == ["blocked", "planning"]
    town = world.town
    town.projects[0].closed_until = town.day + 2
    world.change(projects=town.projects)
    assert world.snapshot()["projects"][0]["status"] == "blocked"


def test_accepting_turns_exactly_that_quest_into_the_mission(world: MemoryTown) -> None:
    quest = world.town.quests[2]
    before, after = do(world, "MAYOR_ACCEPT_MISSION", quest.id)
    assert world.snapshot()["mission"] == {
        "id": quest.id,
        "title": quest.title,
        "description": f"{quest.giver} asks for it.",
        "reward": quest.reward,
    }
    assert [each.id for each in after.quests] == [
        each.id for each in before.quests if each.id != quest.id
    ]
    assert after.meters.hope > before.meters.hope


def test_a_mission_goes_on_by_the_day_and_is_won() -> None:
    world = MemoryTown()
    do(world, "MAYOR_ACCEPT_MISSION", min(world.town.quests, key=lambda quest: quest.complexity).id)
    world.order("set_pressure", meter="hope", level=900)
    progress = 0
    for _ in range(40):
        kinds = [each.kind for each in world.dawn()]
        if world.town.mission is None:
            break
        assert world.town.mission.progress > progress
        progress = world.town.mission.progress
    assert "mission_completed" in kinds


def test_a_mission_that_is_too_hard_fails() -> None:
    world = MemoryTown()
    world.order(
        "add_quest", id="hard", title="Empty the sea", need="dread", complexity=10, reward=None
    )
    do(world, "MAYOR_ACCEPT_MISSION", "hard")
    kinds: list[str] = []
    while world.town.mission is not None:
        world.order("set_pressure", meter="hope", level=0)
        world.order("set_pressure", meter="threat", level=1000)
        kinds = [each.kind for each in world.dawn()]
    assert "mission_failed" in kinds


def test_success_rewards_and_failure_hurts() -> None:
    won, lost = MemoryTown(), MemoryTown()
    for world in (won, lost):
        do(world, "MAYOR_ACCEPT_MISSION", "sq-1")
    before = won.town
    won.order("complete_mission")
    lost.order("fail_mission")
    assert won.town.stocks.food > before.stocks.food
    assert won.town.meters.hope > before.meters.hope > lost.town.meters.hope
    assert lost.town.meters.dread > before.meters.dread
    assert won.town.mission is lost.town.mission is None


@pytest.mark.parametrize("order", ["complete_mission", "fail_mission"])
def test_without_a_mission_none_can_end(world: MemoryTown, order: str) -> None:
    with pytest.raises(IllegalError):
        world.order(order)


def test_the_101st_quest_and_project_are_refused(world: MemoryTown) -> None:
    quest = {"id": None, "title": "T", "need": "hope", "complexity": 1, "reward": None}
    project = {"id": None, "name": "N", "kind": "hall"}
    for order, args, listed in (
        ("add_quest", quest, "sideQuests"),
        ("add_project", project, "projects"),
    ):
        while len(world.snapshot()[listed]) < 100:
            world.order(order, **args)
        kept = world.kept
        with pytest.raises(LimitError):
            world.order(order, **args)
        assert world.kept == kept
    validate_snapshot(world.snapshot())
    for _ in range(60):
        world.dawn()
        validate_snapshot(world.snapshot())


def test_ids_are_unique_and_a_taken_one_is_refused(world: MemoryTown) -> None:
    args = {"title": "T", "need": "hope", "complexity": 1, "reward": None}
    with pytest.raises(ConflictError):
        world.order("add_quest", id="sq-1", **args)
    world.order("add_quest", id="sq-5", **args)
    world.order("add_quest", id=None, **args)
    assert world.town.quests[-1].id == "sq-6"
    do(world, "MAYOR_ACCEPT_MISSION", "sq-1")
    with pytest.raises(ConflictError):
        world.order("add_quest", id="sq-1", **args)


@pytest.mark.parametrize(
    ("order", "args"),
    [
        ("set_pressure", {"meter": "joy", "level": 1}),
        ("set_pressure", {"meter": "hope", "level": 1001}),
        ("set_pressure", {"meter": "hope", "level": -1}),
        ("set_pressure", {"meter": "hope", "level": True}),
        ("add_quest", {"id": None, "title": " ", "need": "hope", "complexity": 1, "reward": None}),
        (
            "add_quest",
            {"id": None, "title": "a\0b", "need": "hope", "complexity": 1, "reward": None},
        ),
        (
            "add_quest",
            {"id": "\ud800", "title": "T", "need": "hope", "complexity": 1, "reward": None},
        ),
        ("add_quest", {"id": None, "title": "T", "need": "gold", "complexity": 1, "reward": None}),
        ("add_quest", {"id": None, "title": "T", "need": "hope", "complexity": 11, "reward": None}),
        ("add_quest", {"id": None, "title": "T", "need": "hope", "complexity": 1, "reward": -1}),
        ("add_project", {"id": None, "name": "N", "kind": "moat"}),
    ],
)
def test_bad_orders_are_refused_and_change_nothing(
    world: MemoryTown, order: str, args: dict[str, object]
) -> None:
    kept = world.kept
    with pytest.raises(InvalidError):
        world.order(order, **args)
    assert world.kept == kept


def test_names_that_are_too_long_are_refused(world: MemoryTown) -> None:
    with pytest.raises(LimitError):
        world.order("add_project", id=None, name="x" * 201, kind="hall")


def test_the_deck_is_drawn_to_its_end_before_it_is_shuffled_again(world: MemoryTown) -> None:
    shuffles = []
    for _ in range(3):
        drawn = []
        for _ in DECK:
            world.order("draw_event")
            drawn.append(world.snapshot()["latestNetherEvent"])
        assert sorted(drawn) == sorted(card.name for card in DECK)
        shuffles.append(drawn)
    assert shuffles[0] != shuffles[1] != shuffles[2]


def test_cards_push_what_their_names_make_governors_hear() -> None:
    for card in DECK:
        if card.threat >= 60:
            assert event_signal("threat", card.name) > 0.1, card.name
        if card.scarcity >= 60:
            assert event_signal("scarcity", card.name) > 0, card.name
        if card.dread >= 100:
            assert event_signal("dread", card.name) > 0.1, card.name


def test_draws_do_not_depend_on_the_order_of_towns_and_calls() -> None:
    draws = KeyedDraws(5)
    first, second = new_town("a", 0, draws)[0], new_town("b", 0, draws)[0]
    for _ in range(10):
        begin_day(first, draws)
    for _ in range(10):
        begin_day(second, draws)
    again_b, again_a = new_town("b", 0, draws)[0], new_town("a", 0, draws)[0]
    for _ in range(10):
        begin_day(again_b, draws)
        begin_day(again_a, draws)
    assert (encode(first), encode(second)) == (encode(again_a), encode(again_b))
    assert encode(first) != encode(second)


def test_the_hash_of_a_town_is_that_of_its_snapshot() -> None:
    for town_id in ("town-1", 'Old "Mill" 🏰', "é \n x"):
        world = MemoryTown(3, town_id)
        world.order("add_quest", id="É é", title="t", need="hope", complexity=0, reward=0)
        world.order("add_quest", id="sq-10 🐈", title="t", need="hope", complexity=10, reward=0)
        world.order("set_pressure", meter="hope", level=1000)
        world.order("set_pressure", meter="dread", level=0)
        world.order("set_pressure", meter="threat", level=1)
        for _ in range(30):
            assert town_hash(world.town) == snapshot_hash(world.snapshot())
            if world.town.mission is None and world.town.quests:
                do(world, "MAYOR_ACCEPT_MISSION", world.town.quests[0].id)
            world.dawn()


@pytest.mark.parametrize("level", range(0, FULL + 1, 50))
def test_pushes_move_what_can_move_and_stay_in_range(level: int) -> None:
    for push in (-1000, -120, -1, 0, 1, 120, 1000):
        after = pushed(level, push)
        assert 0 <= after <= FULL
        if push > 0:
            assert after > level or level == FULL
        elif push < 0:
            assert after < level or level == 0
        else:
            assert after == level
    for rest in (0, 300, 1000):
        assert abs(drifted(level, rest, 14) - rest) < abs(level - rest) or level == rest


def test_the_state_reads_back_as_it_was_written(world: MemoryTown) -> None:
    for _ in range(50):
        world.dawn()
        assert encode(decode(world.kept.text)) == world.kept.text
        assert project_town(decode(world.kept.text)) == world.snapshot(TOWN)


def test_every_need_and_kind_relieves_a_meter() -> None:
    meters = {"threat", "scarcity", "hope", "dread"}
    assert set(NEEDS) == meters
    assert {kind.meter for kind in KINDS.values()} == meters
