"""Envelopes from strangers: whatever comes gets a clear answer, and the quick way agrees with the
slow."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.story.test_contracts import GOOD, JUNK, places, put
from tests.story.world import World
from thorp.story import StoryConfig, open_ledger
from thorp.story.contracts import invocation_envelope
from thorp.story.contracts.invocation_envelope import EnvelopeError, InvocationEnvelope
from thorp.story.request import BODY_BYTES_LIMIT, DEPTH_LIMIT
from thorp.story.time_zones import MachineZones
from thorp.story.writer import ScriptedWriter

CONFIG, ZONES = StoryConfig(), MachineZones()
GIVEN = GOOD["invocation_envelope"][0]
STRANGE = [
    *JUNK,
    "\x00",
    "\ud800",
    " george ",
    "a@b.example",
    "x" * 300,
    "\\u0000",
    "soon",
    "Mars/Base",
]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    writer = ScriptedWriter()
    with World(open_ledger(tmp_path, CONFIG, writer), writer) as opened:
        yield opened


def by_the_slow_way(value: object) -> InvocationEnvelope | None:
    try:
        return invocation_envelope._explained(value, CONFIG, ZONES)
    except EnvelopeError:
        return None


@given(
    st.sampled_from(places(GIVEN)),
    st.sampled_from(STRANGE),
    st.sampled_from(places(GIVEN)),
    st.booleans(),
)
def test_the_quick_yes_is_a_yes(
    path: tuple[Any, ...], value: Any, dropped: tuple[Any, ...], drop: bool
) -> None:
    document = put(GIVEN, path, value)
    if drop and dropped:
        document = without_place(document, dropped)
    quick = invocation_envelope._quick_yes(document, CONFIG)
    if quick is not None:
        assert by_the_slow_way(document) == quick[0]


def without_place(document: Any, path: tuple[Any, ...]) -> Any:
    changed = copy.deepcopy(document)
    inside = changed
    for key in path[:-1]:
        inside = inside.get(key) if isinstance(inside, dict) else None
    if isinstance(inside, dict):
        inside.pop(path[-1], None)
    return changed


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=10,
    )
)
def test_any_json_at_all_is_answered(value: Any) -> None:
    with pytest.raises(EnvelopeError) as refused:
        invocation_envelope.read_envelope(value, CONFIG, ZONES)
    assert refused.value.error
    assert len(refused.value.violations) < 50


def test_the_usual_envelope_goes_the_quick_way() -> None:
    plain = put(GIVEN, ("declared_overrides", "time", "timezone"), None)
    assert invocation_envelope._quick_yes(plain, CONFIG) is not None


def answer_to(world: World, body: bytes | str) -> tuple[int, str]:
    status, answer = world.ledger.invoke(body)
    return status, answer["error"]


def test_bodies_that_are_too_large_or_too_deep(world: World) -> None:
    envelope = world.envelope()
    padding = BODY_BYTES_LIMIT - len(
        json.dumps({**envelope, "operator": {**envelope["operator"], "input_text": ""}})
    )
    text = json.dumps(
        {**envelope, "operator": {**envelope["operator"], "input_text": "x" * padding}}
    )
    assert len(text) == BODY_BYTES_LIMIT
    assert answer_to(world, text + " ") == (413, "Body too large")
    assert world.ledger.invoke(text)[0] == 200
    deep = b'{"request_id":"r","invoker":' + b"[" * DEPTH_LIMIT + b"]" * DEPTH_LIMIT + b"}"
    assert answer_to(world, deep) == (400, "Invalid JSON")
    assert answer_to(world, b"[" * 100_000) == (400, "Invalid JSON")
    assert answer_to(world, b'{"a":' * 5000) == (400, "Invalid JSON")
    brackets = json.dumps(put(world.envelope(), ("operator", "input_text"), "[" * 500))
    assert world.ledger.invoke(brackets)[0] == 200


@pytest.mark.parametrize(
    "text",
    [r'"\ud800"', r'"\u0000"', r'"\udc00x"', '"\x00"'],
    ids=["high", "nul", "low", "raw nul"],
)
def test_texts_that_no_database_keeps(world: World, text: str) -> None:
    body = json.dumps(world.envelope("MARK")).replace('"MARK"', text)
    assert world.ledger.invoke(body)[0] == 400
    assert world.counts()["story_beat"] == 0


def test_a_pair_of_surrogates_is_a_character(world: World) -> None:
    body = json.dumps(world.envelope("MARK")).replace("MARK", r"\ud83c\udfee")
    assert world.ledger.invoke(body)[1]["stream"]["entries"][0]["text"] == "🏮"


def test_one_key_twice_is_refused(world: World) -> None:
    body = json.dumps(world.envelope())[:-1] + ',"request_id":"other"}'
    assert answer_to(world, body) == (400, "Invalid JSON")


def test_an_answer_tells_everything_that_is_wrong(world: World) -> None:
    status, body = world.ledger.invoke({"mode": {"kind": "NAP"}, "extra": 1})
    assert status == 400
    assert body["error"] == body["details"][0]["message"] == "Missing request_id"
    assert {each["path"] for each in body["details"]} >= {"$.request_id", "$.mode.kind", "$.extra"}


def test_answers_are_compact_json(world: World) -> None:
    assert '"error":"Missing request_id"' in world.ledger.respond({}).body
    body = world.respond().body
    assert json.dumps(json.loads(body), separators=(",", ":")) == body


def test_internal_errors_say_nothing_about_the_inside(world: World) -> None:
    world.ledger._database.submit(
        lambda connection: connection.execute("DROP TABLE story_window")
    ).result()
    answer = world.respond()
    assert (answer.status, answer.body) == (500, '{"error":"Internal error"}')
