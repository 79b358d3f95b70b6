"""A handoff that is to be executed is valid, and read as the kernel's canonical text, by both its
readers."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.town_engine.worlds import MemoryTown, handoff_for
from thorp.kernel.canonical import canonical_text, read_text
from thorp.kernel.errors import ContractError
from thorp.town import validate_handoff
from thorp.town.handoff import checked_handoff, is_ordinary

GOLDEN = Path(__file__).parent.parent / "golden" / "cognition.jsonl"
SEEN = MemoryTown().snapshot()

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
    | st.sampled_from(
        ["\ud800", "\U0001f408", "1e5", "\\", '"', "5.0", 1e-7, 1e21, 5.0, -0.0, 2**53, 0.1]
    )
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.just("🐈"), inner),
    max_leaves=8,
)
GUARDS = st.lists(
    st.fixed_dictionaries(
        {"kind": st.text(min_size=1)}, optional={"expected": SCALARS, "further": VALUES}
    ),
    max_size=2,
)


@given(
    priority=st.floats(0, 1) | st.sampled_from([0, 1, 1.0, 0.5, 1e-5]),
    actor=st.text(min_size=1),
    guards=GUARDS,
    further=st.dictionaries(st.text(), VALUES, max_size=2),
)
def test_the_text_of_a_handoff_is_the_kernel_s(
    priority: float, actor: str, guards: list[Any], further: dict[str, Any]
) -> None:
    handoff = handoff_for(SEEN, priority=priority, actor=actor, preconditions=guards, x=further)
    for document in (
        handoff,
        {**handoff, "executionRequirements": dict(handoff["executionRequirements"])},
    ):
        text, copied = checked_handoff(document)
        assert text == canonical_text(document)
        assert copied == read_text(text.encode())
        assert copied is not document


@given(priority=st.floats(0, 1), actor=st.text(min_size=1), guards=GUARDS)
def test_the_text_of_an_ordinary_handoff_is_the_kernel_s(
    priority: float, actor: str, guards: list[Any]
) -> None:
    handoff = handoff_for(SEEN, priority=priority, actor=actor, preconditions=guards)
    assert checked_handoff(handoff)[0] == canonical_text(handoff)


def handoffs() -> list[dict[str, Any]]:
    seen = SEEN
    return [
        handoff_for(seen, "MAYOR_ACCEPT_MISSION", "sq-1"),
        handoff_for(seen, "PROJECT_ADVANCE", "wall-1", priority=0),
        handoff_for(seen, "SALVAGE_PLAN", "general", priority=0.0125),
        handoff_for(seen, "TOWNSFOLK_TALK", "casual", actor="É 🐈"),
        handoff_for(seen, "TOWNSFOLK_TALK", "casual", preconditions=[]),
        handoff_for(
            seen,
            preconditions=[
                {"kind": "k", "field": "f", "targetId": "t", "expected": 15},
                {"kind": "j"},
            ],
        ),
    ]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, content in inner:
        yield from places(content, (*path, key))


BENDS: list[Any] = [
    None, True, False, 0, 1, -1, 5.5, 2**60, "", "x", "x\n", [], {}, ["x"], {"x": "y"}, [{}], [{"kind": ""}],
    [{"kind": "k", "expected": [1]}], {"talkType": "casual"}, {"focus": "gold"}, "proposal_" + "0" * 64,
    "0" * 64, "0" * 64 + "\n", "A" * 64,
]  # fmt: skip


def is_valid(handoff: Any) -> bool:
    try:
        validate_handoff(handoff)
    except ContractError:
        return False
    return True


def bent(handoff: dict[str, Any]) -> Iterator[Any]:
    """The handoff with each member in turn replaced, dropped, or joined by another."""
    for path in places(handoff):
        for bend in [*BENDS, "drop", "join"]:
            other = copy.deepcopy(handoff)
            if not path:
                yield bend
                continue
            parent = other
            for key in path[:-1]:
                parent = parent[key]
            if bend == "drop":
                del parent[path[-1]]
            elif bend == "join" and isinstance(parent, dict):
                parent["further"] = 1
            else:
                parent[path[-1]] = copy.deepcopy(bend)
            yield other


@pytest.mark.parametrize("number", range(6))
def test_what_is_taken_is_valid_and_has_the_kernel_s_text(number: int) -> None:
    handoff = handoffs()[number]
    assert checked_handoff(handoff) == (canonical_text(handoff), handoff)
    taken = 0
    for other in bent(handoff):
        try:
            text, _ = checked_handoff(other)
        except ContractError:
            continue
        taken += 1
        validate_handoff(other)
        assert text == canonical_text(other)
    assert taken > 0, "reasons and tags can be bent"


@pytest.mark.parametrize("number", range(6))
def test_what_the_fast_reader_takes_is_valid(number: int) -> None:
    handoff = handoffs()[number]
    assert is_valid(handoff)
    assert is_ordinary(handoff)
    taken = 0
    for other in bent(handoff):
        if is_ordinary(other):
            taken += 1
            assert is_valid(other), other
    assert taken > 0, "reasons and tags can be bent"


@pytest.mark.parametrize(("own", "required"), [(True, 1), (1, True), (False, 0), (0, False)])
def test_guards_that_only_python_calls_equal_are_refused_by_both_readers(
    own: Any, required: Any
) -> None:
    handoff = handoff_for(SEEN, preconditions=[{"kind": "k", "expected": own}])
    assert is_ordinary(handoff)
    handoff["executionRequirements"]["preconditions"] = [{"kind": "k", "expected": required}]
    assert not is_ordinary(handoff)
    with pytest.raises(ContractError, match="preconditions of the proposal"):
        checked_handoff(handoff)


@given(guards=GUARDS, actor=st.text(min_size=1), priority=st.floats(0, 1))
def test_both_readers_give_one_text(guards: list[Any], actor: str, priority: float) -> None:
    handoff = handoff_for(SEEN, actor=actor, priority=priority, preconditions=guards)
    validate_handoff(handoff)
    text, copied = checked_handoff(handoff)
    assert text == canonical_text(handoff)
    assert canonical_text(copied) == text


def test_golden_handoffs_are_ordinary_or_read_by_the_rules() -> None:
    """Every handoff that the contract's original made is taken, and most of them fast."""
    records = [json.loads(line) for line in GOLDEN.read_bytes().splitlines()]
    originals = [
        record["expect"]["ranked"]["handoff"] for record in records if record["kind"] == "valid"
    ]
    fast = 0
    for handoff in originals:
        text, copied = checked_handoff(handoff)
        assert text == canonical_text(handoff)
        assert copied["handoffId"] == handoff["handoffId"]
        fast += is_ordinary(copied)
    assert fast > len(originals) / 2
