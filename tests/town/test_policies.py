"""Policies of other packages: found by entry point, held to the rules of all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib.metadata import EntryPoint, EntryPoints
from typing import Any, cast

import pytest

from tests.town.samples import profile, refusals, snapshot
from thorp.kernel.errors import InvalidError
from thorp.town import inspect_decision, propose, registry, validate_proposal
from thorp.town.cognition import BUILT_IN_POLICIES, Candidate, Choice, Offer, Policy, Situation


def _careful(situation: Situation) -> Sequence[Offer]:
    projects = [
        Offer("PROJECT_ADVANCE", project.id, 0.5) for project in situation.snapshot.projects
    ]
    return [Offer("TOWNSFOLK_TALK", "casual", 0.5, ("careful",)), *projects[::-1]]


CAREFUL = Policy("careful", _careful)
NOT_A_POLICY = _careful


def test_a_policy_is_ranked_like_any_other() -> None:
    inspection = inspect_decision(snapshot(), profile(), policy=CAREFUL)
    listed = [(candidate["type"], candidate["targetId"]) for candidate in inspection["candidates"]]
    assert listed == [
        ("PROJECT_ADVANCE", "gate"),
        ("PROJECT_ADVANCE", "wall"),
        ("PROJECT_ADVANCE", "well"),
        ("TOWNSFOLK_TALK", "casual"),
    ]
    assert inspection["explanation"]["decidedBy"] == "target_order"
    assert inspection["explanation"]["policy"] == "careful"
    memory = {"lastType": "PROJECT_ADVANCE", "lastTarget": "gate"}
    decided = propose(snapshot(), profile(), memory, policy=CAREFUL)
    validate_proposal(decided)
    assert decided["args"] == {"projectId": "wall"}


@pytest.mark.parametrize(
    "offers",
    [
        None,
        Offer("TOWNSFOLK_TALK", "casual", 1),
        [],
        [Offer("TOWNSFOLK_TALK", withheld="shy")],
        ["TOWNSFOLK_TALK"],
        [Offer("TOWN_BURN", "all", 1)],
        [Offer("TOWNSFOLK_TALK", "song", 1)],
        [Offer("SALVAGE_PLAN", "gold", 1)],
        [Offer("MAYOR_ACCEPT_MISSION", "wall", 1)],
        [Offer("PROJECT_ADVANCE", "sq-ford", 1)],
        [Offer("TOWNSFOLK_TALK", "casual", 1.5)],
        [Offer("TOWNSFOLK_TALK", "casual", -0.5)],
        [Offer("TOWNSFOLK_TALK", "casual", math.nan)],
        [Offer("TOWNSFOLK_TALK", "casual", True)],
        [Offer("TOWNSFOLK_TALK", "casual", "much")],  # type: ignore[arg-type]
        [Offer("TOWNSFOLK_TALK", "casual", 1, (3,))],  # type: ignore[arg-type]
        [Offer("TOWNSFOLK_TALK", "casual", 1), Offer("TOWNSFOLK_TALK", "casual", 0.5)],
    ],
)
def test_what_no_policy_may_offer(offers: Any) -> None:
    policy = Policy("rogue", lambda _: offers)
    assert refusals(lambda: propose(snapshot(), profile(), policy=policy)) == [
        ("policy", "$.policy")
    ]


def test_a_chooser_takes_any_candidate_or_leaves_it_to_ranked() -> None:
    shown: list[Sequence[Candidate]] = []

    def second(_: Situation, candidates: Sequence[Candidate]) -> Choice:
        shown.append(candidates)
        return Choice(1, {"why": "it is the second"})

    inspection = inspect_decision(snapshot(), profile(), policy=Policy("second", _careful, second))
    assert [candidate.offer.target for candidate in shown[0]] == ["gate", "wall", "well", "casual"]
    assert inspection["selectedProposal"]["args"] == {"projectId": "wall"}
    assert [each["selected"] for each in inspection["candidates"]] == [False, True, False, False]
    assert inspection["explanation"]["choice"] == {"why": "it is the second"}
    assert inspection["explanation"]["decidedBy"] == "choice"
    undecided = Policy("undecided", _careful, lambda *_: Choice(None, {"why": "I cannot say"}))
    left = inspect_decision(snapshot(), profile(), policy=undecided)
    assert left["selectedProposal"] == propose(snapshot(), profile(), policy="ranked")
    assert left["explanation"]["choice"] == {"why": "I cannot say"}
    assert left["explanation"]["decidedBy"] == "priority"


@pytest.mark.parametrize(
    "choice", [None, 0, Choice(4, {}), Choice(-1, {}), Choice(True, {}), Choice(cast(Any, "1"), {})]
)
def test_what_no_chooser_may_answer(choice: Any) -> None:
    policy = Policy("rogue", _careful, lambda *_: choice)
    assert refusals(lambda: propose(snapshot(), profile(), policy=policy)) == [
        ("policy", "$.policy")
    ]


def test_a_policy_that_takes_a_built_in_name_is_still_vetted() -> None:
    rogue = Policy("ranked", lambda _: [Offer("TOWNSFOLK_TALK", "song", 1)])
    assert refusals(lambda: propose(snapshot(), profile(), policy=rogue)) == [
        ("policy", "$.policy")
    ]


@pytest.fixture
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("careful", f"{__name__}:CAREFUL", registry.POLICY_GROUP),
        EntryPoint("broken", f"{__name__}:NOT_A_POLICY", registry.POLICY_GROUP),
        EntryPoint("ranked", f"{__name__}:CAREFUL", registry.POLICY_GROUP),
    ]
    monkeypatch.setattr(registry, "entry_points", lambda **kind: EntryPoints(points).select(**kind))


@pytest.mark.usefixtures("_installed")
def test_policies_by_name() -> None:
    assert registry.policy_names() == ["broken", "careful", "ranked", "simple"]
    assert registry.find_policy("careful") is CAREFUL
    assert registry.find_policy("ranked") is BUILT_IN_POLICIES["ranked"]
    with pytest.raises(InvalidError, match="not a Policy"):
        registry.find_policy("broken")
    with pytest.raises(InvalidError, match="unknown policy 'bold'; known: broken, careful"):
        registry.find_policy("bold")
