"""Decisions: thresholds, signals, ties, and explanations that add up to what was decided."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.town.samples import Document, profile, proposal, snapshot, with_change
from tests.town.test_snapshot import snapshots
from thorp.kernel.errors import ContractError
from thorp.town import build_handoff, inspect_decision, propose, validate_proposal
from thorp.town.cognition.decision import decide, proposal_of
from thorp.town.cognition.policy import event_signal
from thorp.town.proposal import ACTIONS, percent


def pressed(**levels: float) -> Document:
    return snapshot(pressure={"threat": 0.6, "scarcity": 0.3, "hope": 0.7, "dread": 0.2, **levels})


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        (0, 0),
        (-0.0, 0),
        (1, 100),
        (0.125, 13),
        (0.625, 63),
        (0.145, 14),
        (0.015, 2),
        (0.995, 100),
        (0.285, 28),
        (0.575, 57),
        (0.004999999999999999, 0),
        (0.0049999999999999999, 1),
        (5e-324, 0),
        (0.9999999999999999, 100),
    ],
)
def test_percent_rounds_halves_up(share: float, expected: int) -> None:
    assert percent(share) == expected


@pytest.mark.parametrize(
    ("event", "threat", "scarcity", "dread"),
    [
        (None, 0, 0, 0),
        ("", 0, 0, 0),
        ("quiet night", 0.04, 0, 0.04),
        ("Piglin RAID", 0.04 + 0.12, 0, 0.04 + 0.14),
        ("they are afraid", 0.04 + 0.12, 0, 0.04 + 0.14),
        ("heart attack", 0.04 + 0.12, 0, 0.04),
        ("panic", 0.04, 0, 0.04 + 0.14),
        ("FAMINE", 0.04, 0.12, 0.04),
        ("atta\u212a? no: an attac\u212a", 0.04 + 0.12, 0, 0.04),
        ("ra\u0130d", 0.04, 0, 0.04),
        ("\ud800", 0.04, 0, 0.04),
    ],
)
def test_event_signals(event: str | None, threat: float, scarcity: float, dread: float) -> None:
    signals = {meter: event_signal(meter, event) for meter in ("threat", "scarcity", "dread")}
    assert signals == {"threat": threat, "scarcity": scarcity, "dread": dread}


@pytest.mark.parametrize("policy", ["ranked", "simple"])
@pytest.mark.parametrize(
    ("hope", "target", "priority"),
    [(0.5999999999999999, "morale-boost", 0.5), (0.6, "casual", 0.2), (1, "casual", 0.2)],
)
def test_talk(policy: str, hope: float, target: str, priority: float) -> None:
    bare = {**pressed(hope=hope), "sideQuests": []}
    decided = propose(bare, profile("mayor"), policy=policy)
    assert (decided["args"]["talkType"], decided["priority"]) == (target, priority)
    assert decided["reasonTags"] == (["low_hope"] if hope < 0.6 else [])


WITHHELD: list[tuple[str, str, Document, str]] = [
    ("ranked", "mayor", snapshot(mission={"id": "m", "title": "M"}), "mission_active"),
    ("ranked", "mayor", snapshot(sideQuests=[]), "no_side_quests"),
    ("ranked", "captain", pressed(threat=0.3), "threat_is_not_high"),
    ("ranked", "captain", snapshot(projects=snapshot()["projects"][2:]), "no_actionable_project"),
    ("ranked", "warden", pressed(scarcity=0, dread=0, hope=1), "strain_is_not_high"),
    ("simple", "mayor", snapshot(mission={"id": "m", "title": "M"}), "mission_active"),
    ("simple", "mayor", snapshot(sideQuests=[]), "no_side_quests"),
    ("simple", "captain", pressed(threat=0.3), "threat_is_not_high"),
    ("simple", "captain", snapshot(projects=[]), "no_projects"),
    ("simple", "warden", pressed(scarcity=0.4, dread=0.4), "strain_is_not_high"),
]


@pytest.mark.parametrize(("policy", "role", "town", "why"), WITHHELD)
def test_a_role_that_has_no_reason_to_act_talks(
    policy: str, role: str, town: Document, why: str
) -> None:
    inspection = inspect_decision(town, profile(role), policy=policy)
    assert inspection["selectedProposal"]["type"] == "TOWNSFOLK_TALK"
    assert inspection["explanation"]["offers"][0]["withheld"] == why
    assert inspection["explanation"]["decidedBy"] == "only_candidate"
    assert len(inspection["candidates"]) == 1


def test_a_role_action_with_score_zero_is_no_candidate() -> None:
    meek = profile(traits={"authority": 0, "pragmatism": 0, "courage": 0, "prudence": 0})
    inspection = inspect_decision(snapshot(), meek, policy="simple")
    assert inspection["explanation"]["offers"][0]["withheld"] == "score_is_zero"
    assert [candidate["type"] for candidate in inspection["candidates"]] == ["TOWNSFOLK_TALK"]


def test_just_above_each_threshold() -> None:
    assert (
        propose(pressed(threat=0.30000000000000004), profile("captain"))["type"]
        == "PROJECT_ADVANCE"
    )
    assert propose(pressed(scarcity=0.41, dread=0.41), profile("warden"), policy="simple")[
        "type"
    ] == ("SALVAGE_PLAN")


def test_equal_scores_go_to_the_lowest_id_in_collation_order() -> None:
    ids = ["b", "B", "a2", "a10", "_z"]
    quests = [{"id": id, "title": "T", "complexity": 3} for id in ids]
    inspection = inspect_decision(snapshot(sideQuests=quests), profile("mayor"))
    assert inspection["selectedProposal"]["args"] == {"missionId": "_z"}
    offer = inspection["explanation"]["offers"][0]
    assert offer["chosenBy"] == "lowest_id"
    assert [option["targetId"] for option in offer["options"]] == ["_z", "a10", "a2", "b", "B"]


def test_simple_takes_the_lowest_id_by_code_units() -> None:
    ids = ["b", "B", "_z", "é", "\ue000", "\U0001f600"]
    quests = [{"id": id, "title": "T"} for id in ids]
    assert propose(snapshot(sideQuests=quests), profile(), policy="simple")["args"] == {
        "missionId": "B"
    }
    quests = [{"id": id, "title": "T"} for id in ids[-2:]]
    chosen = propose(snapshot(sideQuests=quests), profile(), policy="simple")["args"]
    assert chosen == {"missionId": "\U0001f600"}


def test_scores_above_one_are_equal() -> None:
    eager = profile(
        "captain", traits=dict.fromkeys(("authority", "pragmatism", "courage", "prudence"), 1)
    )
    town = {**pressed(threat=1), "latestNetherEvent": "raid"}
    decided = propose(town, eager)
    assert (decided["priority"], decided["args"]) == (1, {"projectId": "wall"})
    town["projects"][1] = {"id": "alley", "name": "Alley", "progress": 1, "status": "active"}
    assert propose(town, eager)["args"] == {"projectId": "alley"}


def test_equal_priorities_go_by_the_order_of_types() -> None:
    even = profile(traits={"authority": 0.5, "pragmatism": 0.4, "courage": 0, "prudence": 0})
    inspection = inspect_decision(pressed(hope=0.9), even, policy="simple")
    assert [candidate["priority"] for candidate in inspection["candidates"]] == [0.2, 0.2]
    assert inspection["selectedProposal"]["type"] == "MAYOR_ACCEPT_MISSION"
    assert inspection["explanation"]["decidedBy"] == "type_order"


def test_a_role_action_penalised_to_nothing_stays_a_candidate() -> None:
    memory = {"lastType": "MAYOR_ACCEPT_MISSION", "repeatCount": 50}
    inspection = inspect_decision(snapshot(), profile(), memory)
    assert [candidate["priority"] for candidate in inspection["candidates"]] == [0.2, 0]
    offer = inspection["explanation"]["offers"][0]
    assert (offer["memoryPenalty"], offer["priority"]) == (5, 0)
    assert inspection["explanation"]["memory"] == {
        "lastType": "MAYOR_ACCEPT_MISSION",
        "lastTarget": None,
        "repeats": 50,
    }


def test_blocked_projects_are_skipped_and_said_to_be() -> None:
    inspection = inspect_decision(snapshot(), profile("captain"))
    assert "blocked_projects_skipped" in inspection["selectedProposal"]["reasonTags"]
    options = inspection["explanation"]["offers"][0]["options"]
    assert [option.get("skipped") for option in options] == ["status_blocked", None, None]


def test_a_mission_reward_relieves_the_warden() -> None:
    town = {**pressed(scarcity=0.5), "mission": {"id": "m", "title": "M", "reward": 1e300}}
    relieved = propose(town, profile("warden"))
    assert relieved["reasonTags"] == ["high_strain", "mission_relief_expected"]
    for reward in (0, -0.0):
        town["mission"]["reward"] = reward
        assert propose(town, profile("warden"))["reasonTags"] == ["high_strain"]


traits = st.floats(0, 1) | st.sampled_from([0, 1, 0.5])
profiles = st.builds(
    lambda role, levels, goals: profile(role, traits=levels, goals=goals),
    st.sampled_from(["mayor", "captain", "warden"]),
    st.fixed_dictionaries(
        dict.fromkeys(("authority", "pragmatism", "courage", "prudence"), traits)
    ),
    st.dictionaries(
        st.sampled_from(
            [
                "acceptMissions",
                "growTown",
                "maintainMorale",
                "defendAgainstThreats",
                "advanceProjects",
                "protectTownspeople",
                "reducePressure",
                "salvageResources",
                "maintainSurplus",
                "plantTrees",
            ]
        ),
        st.booleans(),
        min_size=1,
    ),
)
memories = st.none() | st.fixed_dictionaries(
    {},
    optional={
        "lastType": st.none() | st.sampled_from(["", *ACTIONS]),
        "lastTarget": st.none() | st.sampled_from(["", "casual", "morale-boost", "scarcity"]),
        "repeatCount": st.none() | st.floats(-5, 12) | st.integers(-5, 12),
    },
)


@given(snapshots, profiles, memories, st.sampled_from(["ranked", "simple"]))
def test_every_decision_is_a_valid_proposal_and_its_explanation_adds_up(
    town: Document, governor: Document, memory: Any, policy: str
) -> None:
    governor = {**governor, "townId": town["townId"]}
    decided = propose(town, governor, memory, policy=policy)
    validate_proposal(decided)
    build_handoff(decided)
    inspection = inspect_decision(town, governor, memory, policy=policy)
    assert inspection["selectedProposal"] == decided
    offers = inspection["explanation"]["offers"]
    for offer in offers:
        for option in offer["options"]:
            if "skipped" not in option:
                total = 0.0
                for part in option["parts"].values():
                    total += part
                assert option["score"] == max(0, min(1, total))
        if "withheld" not in offer:
            weighed = [option for option in offer["options"] if "skipped" not in option]
            assert offer["score"] == max(option["score"] for option in weighed)
            assert offer["targetId"] in [
                option["targetId"] for option in weighed if option["score"] == offer["score"]
            ]
            assert offer["priority"] == max(0, offer["score"] - offer["memoryPenalty"])
    listed = {(candidate["type"], candidate["priority"]) for candidate in inspection["candidates"]}
    assert listed == {
        (offer["type"], offer["priority"]) for offer in offers if "withheld" not in offer
    }


def assert_offers_are_their_best_options(town: Document, governor: Document) -> None:
    decision = decide(town, {**governor, "townId": town["townId"]}, None, "ranked")
    for offer in decision.offers:
        weighed = [option for option in offer.options(decision.situation) if not option.skipped]
        if not offer.withheld:
            best = max(weighed, key=lambda option: option.score)  # the first of equals
            assert (offer.target, float(offer.score).hex()) == (
                best.target,
                float(best.score).hex(),
            )


@given(snapshots, profiles)
def test_an_offer_found_fast_is_the_best_of_its_options(town: Document, governor: Document) -> None:
    assert_offers_are_their_best_options(town, governor)


@pytest.mark.parametrize("role", ["mayor", "captain", "warden"])
def test_an_offer_found_fast_has_the_score_of_its_option_to_the_last_bit(role: str) -> None:
    """Towns in which every part of a score counts, which chance alone seldom makes."""
    draw = random.Random(role)
    for _ in range(300):
        levels = {name: draw.random() for name in ("scarcity", "hope", "dread")}
        town = pressed(threat=0.31 + draw.random() * 0.6, **levels)
        town["latestNetherEvent"] = draw.choice(["a raid", "no food, and a breach", "quiet night"])
        town["sideQuests"] = [
            {"id": f"q{number}", "title": "Q", "complexity": draw.random() * 10}
            for number in range(4)
        ]
        town["projects"] = [
            {
                "id": f"p{number}",
                "name": "P",
                "progress": draw.random(),
                "status": draw.choice(["active", "planning", "blocked", "complete"]),
            }
            for number in range(4)
        ]
        traits = {
            name: draw.random() for name in ("authority", "pragmatism", "courage", "prudence")
        }
        assert_offers_are_their_best_options(town, profile(role, traits=traits))


@given(snapshots, profiles, st.sampled_from(["ranked", "simple"]))
def test_a_proposal_without_memory_is_that_of_a_memory_that_holds_nothing(
    town: Document, governor: Document, policy: str
) -> None:
    governor = {**governor, "townId": town["townId"]}
    ranked = decide(town, governor, {}, policy)
    assert propose(town, governor, policy=policy) == proposal_of(ranked)


def test_the_same_question_has_the_same_answer() -> None:
    assert proposal() == proposal()
    assert inspect_decision(snapshot(), profile()) == inspect_decision(snapshot(), profile())


@pytest.mark.parametrize("policy", ["", "Ranked", None, 3, ["ranked"]])
def test_an_unknown_policy_is_refused(policy: Any) -> None:
    with pytest.raises(ContractError) as refused:
        propose(snapshot(), profile(), policy=policy)
    assert (refused.value.code, refused.value.path) == ("enum", "$.policy")


def test_the_seeds_example() -> None:
    """The policy behind the example envelope in the world-core contract."""
    town = with_change(snapshot(day=5), "sideQuests.0.id", "sq-gather-wood")
    decided = propose({**town, "sideQuests": town["sideQuests"][:1]}, profile(), policy="simple")
    assert decided["priority"] == 0.7200000000000001
    assert decided["reason"] == "No active mission. Authority level 90% ready to accept."
    assert decided["reasonTags"] == ["no_active_mission"]
