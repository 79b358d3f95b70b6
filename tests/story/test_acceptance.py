"""What the operator brings is judged at first sight as the table of rules judges it."""

from __future__ import annotations

import copy
from typing import Any

import msgspec
import pytest

from thorp.story import StoryConfig
from thorp.story.acceptance import _COMMON_RULES, ProposalContext, _judge, judge_operator_entries
from thorp.story.contracts.write_bundle import bundle_of, entry_of
from thorp.story.instants import instant_text

CONFIG = StoryConfig()
OTHERS: tuple[tuple[tuple[str | int, ...], Any], ...] = (
    (("request_id",), "another"),
    (("bundle_id",), "b1"),
    (("proposed_by", "actor"), ""),
    (("wrote",), False),
    (("more",), 1),
    (("rejection", "rejected"), True),
    (("entries", 0, "entry_id"), "e1"),
    (("entries", 0, "request_id"), "another"),
    (("entries", 0, "created_at_world"), instant_text(1)),
    (("entries", 0, "author", "author_id"), "REBECCA"),
    (("entries", 0, "author", "author_class"), "PERSON"),
    (("entries", 0, "visibility", "visible_to"), ["GEORGE"]),
    (("entries", 0, "visibility", "scope"), "PRIVATE"),
    (("entries", 0, "channel"), "VOICE"),
    (("entries", 0, "more"), 1),
)


def proposal(text: str, config: StoryConfig = CONFIG) -> tuple[dict[str, Any], ProposalContext]:
    identity = config.identity
    entry = entry_of(
        "r",
        instant_text(0),
        author_id=identity.operator_id,
        author_class="OPERATOR",
        channel="USER",
        text=text,
        visible_to=[],
    )
    bundle = bundle_of("r", identity.invocation_engine, identity.system_actor, [entry])
    return bundle, ProposalContext("r", 0, config, lambda _: False)


@pytest.mark.parametrize("text", ["I step inside.", " ", "", "a\0b", "\ud800", "é" * 100_000])
def test_the_operator_s_words_are_judged_as_by_the_table(text: str) -> None:
    bundle, beat = proposal(text)
    assert judge_operator_entries(bundle, beat, text) == _judge(bundle, beat, _COMMON_RULES)


@pytest.mark.parametrize(("place", "value"), OTHERS, ids=lambda each: str(each))
def test_whatever_else_stands_in_the_bundle_is_judged_by_the_table(
    place: tuple[str | int, ...], value: Any
) -> None:
    bundle, beat = proposal("I step inside.")
    changed: Any = copy.deepcopy(bundle)
    inner = changed
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = value
    verdict = judge_operator_entries(changed, beat, "I step inside.")
    assert not verdict.accepted
    assert verdict == _judge(changed, beat, _COMMON_RULES)


def test_other_words_than_the_operator_s_are_refused() -> None:
    bundle, beat = proposal("I step inside.")
    assert judge_operator_entries(bundle, beat, "I stay.").code == "USER_NOT_VERBATIM"


def test_an_engine_without_a_name_proposes_nothing() -> None:
    identity = msgspec.structs.replace(CONFIG.identity, invocation_engine="")
    bundle, beat = proposal("I stay.", msgspec.structs.replace(CONFIG, identity=identity))
    assert judge_operator_entries(bundle, beat, "I stay.").code == "PROPOSED_BY"
