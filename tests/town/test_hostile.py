"""Whatever comes in, only a ContractError comes out; and nothing that came in is changed."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from contextlib import suppress
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.town import samples
from tests.town.samples import Document
from tests.town.test_schema import JUNK, json_values, places, spoil
from thorp.kernel.errors import ContractError
from thorp.town import (
    build_handoff,
    build_result,
    inspect_decision,
    proposal_to_command,
    propose,
    snapshot_hash,
    validate_handoff,
    validate_profile,
    validate_proposal,
    validate_result,
    validate_snapshot,
)

Work = Callable[[Any], object]
ENTRANCES: dict[str, tuple[Work, Document]] = {
    "snapshot_hash": (snapshot_hash, samples.snapshot()),
    "validate_snapshot": (validate_snapshot, samples.snapshot()),
    "validate_profile": (validate_profile, samples.profile()),
    "validate_proposal": (validate_proposal, samples.proposal()),
    "validate_handoff": (validate_handoff, samples.handoff()),
    "validate_result": (validate_result, samples.result()),
    "proposal_to_command": (proposal_to_command, samples.proposal()),
    "build_handoff": (build_handoff, samples.proposal()),
    "build_handoff command": (lambda value: build_handoff(samples.proposal(), value), {}),
    "build_result handoff": (
        lambda value: build_result(value, samples.outcome()),
        samples.handoff(),
    ),
    "build_result outcome": (
        lambda value: build_result(samples.handoff(), value),
        samples.outcome(),
    ),
    "propose snapshot": (lambda value: propose(value, samples.profile()), samples.snapshot()),
    "propose profile": (lambda value: propose(samples.snapshot(), value), samples.profile()),
    "propose memory": (
        lambda value: propose(samples.snapshot(), samples.profile(), value),
        {"lastType": "TOWNSFOLK_TALK", "lastTarget": "casual", "repeatCount": 2},
    ),
    "propose policy": (
        lambda value: propose(samples.snapshot(), samples.profile(), policy=value),
        {},
    ),
    "inspect": (
        lambda value: inspect_decision(value, samples.profile("captain")),
        samples.snapshot(),
    ),
}


class Odd:
    def __repr__(self) -> str:
        raise RuntimeError("not to be shown")


def deep(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


def itself() -> list[Any]:
    value: list[Any] = []
    value += [value, value, {"again": value}]
    return value


HOSTILE: dict[str, Any] = {
    "deep list": deep(100_000),
    "deep object": json.loads('{"a":' * 900 + "1" + "}" * 900),
    "itself": itself(),
    "nan": math.nan,
    "infinity": -math.inf,
    "huge": 10**5000,
    "hugely negative": -(10**5000),
    "odd": Odd(),
    "bytes": b"x",
    "set": {1, 2},
    "class": int,
    "odd keys": {None: 1, 3: 2, "a": Odd(), (1,): 2},
    "lone surrogate": "\ud800",
    "long": "x" * 1_000_000,
    "complex": 1j,
    "iterator": iter([]),
}


def survives(work: Work, value: Any) -> None:
    with suppress(ContractError):
        work(value)


@pytest.mark.parametrize("name", ENTRANCES)
@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_values_at_every_place(name: str, hostile: str) -> None:
    work, good = ENTRANCES[name]
    survives(work, HOSTILE[hostile])
    for way in places(good):
        for change in ("set", "add"):
            document = copy.deepcopy(good)
            spoil(document, way, change, HOSTILE[hostile])
            survives(work, document)


@pytest.mark.parametrize("name", ENTRANCES)
@given(value=json_values)
@settings(max_examples=40)
def test_random_json(name: str, value: Any) -> None:
    survives(ENTRANCES[name][0], value)


@pytest.mark.parametrize("name", ENTRANCES)
@given(data=st.data())
@settings(max_examples=40)
def test_mutated_documents(name: str, data: st.DataObject) -> None:
    work, good = ENTRANCES[name]
    chance = data.draw(st.randoms(use_true_random=False))
    document = copy.deepcopy(good)
    for _ in range(data.draw(st.integers(1, 3))):
        way = chance.choice(places(document) or [["x"]])
        junk = copy.deepcopy(data.draw(json_values | st.sampled_from(JUNK)))
        spoil(document, way, chance.choice(["drop", "add", "set"]) if way != ["x"] else "set", junk)
    before = copy.deepcopy(document)
    survives(work, document)
    assert document == before


@pytest.mark.parametrize("name", ENTRANCES)
def test_nothing_that_came_in_is_changed_and_nothing_is_shared(name: str) -> None:
    work, good = ENTRANCES[name]
    given_in = copy.deepcopy(good)
    if name not in ("build_handoff command", "propose policy"):
        first = work(given_in)
        assert given_in == good
        if isinstance(first, dict):
            wreck(first)
            assert given_in == good
            assert work(given_in) == work(good)


def wreck(value: Any) -> None:
    """Empty every container, inside out."""
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, (dict, list)):
            wreck(inner)
    value.clear()


def test_types_of_ones_own_are_read_as_what_they_are() -> None:
    class Name(str):
        __slots__ = ()

    class Share(float):
        pass

    class Count(int):
        pass

    document = samples.snapshot(townId=Name("town-1"), day=Count(4))
    document["pressure"]["hope"] = Share(0.7)
    document["sideQuests"] = tuple(MappingProxyType(quest) for quest in document["sideQuests"])
    frozen = MappingProxyType(document)
    assert snapshot_hash(frozen) == snapshot_hash(samples.snapshot())
    proposal = propose(frozen, MappingProxyType(samples.profile()))
    assert proposal == samples.proposal()
    handoff = build_handoff(
        MappingProxyType({**proposal, "args": MappingProxyType(proposal["args"])})
    )
    assert handoff == samples.handoff()
    assert type(handoff["proposal"]["args"]) is dict
