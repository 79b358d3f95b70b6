"""The nine contracts: their own examples, their schemas, and a library that knows nothing of
ours."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.story.cases.scene_cases import ANCHOR, CAPSULE, PACK
from tests.story.world import bundle, entry, question
from thorp.kernel.errors import ThorpError
from thorp.story import (
    SCHEMAS,
    StoryConfig,
    read_anchor,
    read_bundle,
    read_capsule,
    read_entry,
    read_envelope,
    read_projection,
    read_rehydration,
    read_result_pack,
    read_tool_request,
)
from thorp.story.time_zones import MachineZones

CONFIG = StoryConfig()
ZONES = MachineZones()
IDS = {
    "entry_id": None,
    "bundle_id": None,
    "request_id": "r",
    "created_at_world": "2026-01-01T07:31:00Z",
}
ENTRY: dict[str, Any] = {**entry(), **IDS}
BUNDLE: dict[str, Any] = {
    "bundle_id": None,
    "request_id": "r",
    **bundle(ENTRY)["proposed_write_bundle"],
    "rejection": {"rejected": False, "reason": None},
}
GOOD: dict[str, list[dict[str, Any]]] = {
    "invocation_envelope": [
        {
            "request_id": "mvp-00000001",
            "invoker": {"invoker_id": "SYSTEM_INVOKER", "invoker_role": "INVOKER", "notes": None},
            "operator": {"operator_id": "GEORGE", "input_text": "I step inside."},
            "mode": {"kind": "BEAT", "client_intent": None},
            "declared_overrides": {
                "time": {"declared_world_time": None, "timezone": "Europe/London"},
                "pause_time": None,
            },
            "ui": {"stream_cursor": None, "client_timestamp_utc": "2026-01-01T07:30:02Z"},
        },
        {
            "request_id": "r",
            "invoker": {"invoker_id": "user_1", "invoker_role": "INVOKER"},
            "operator": {"operator_id": "GEORGE", "input_text": ""},
            "mode": {"kind": "NO_OP"},
        },
    ],
    "write_bundle": [BUNDLE, {**BUNDLE, "entries": [], "wrote": False}],
    "write_entry": [ENTRY, {**ENTRY, "visibility": {"scope": "PRIVATE", "visible_to": ["GEORGE"]}}],
    "projection_output": [
        {
            "request_id": "r",
            "stream": {
                "cursor_before": None,
                "cursor_after": "c:00000001",
                "entries": [
                    {
                        "entry_id": "e:1",
                        "created_at_world": "2026-01-01T07:31:00+00:00",
                        "channel": "PEOPLE",
                        "author_label": "REBECCA",
                        "text": "She nods.",
                    }
                ],
            },
            "pocket": {
                "is_available": True,
                "clock": {"world_time": "2026-01-01T07:31:00+00:00", "timezone": "Europe/London"},
                "calendar": {
                    "items": [{"title": "Tea", "time": None, "location": None, "notes": None}]
                },
                "messages": {"items": [{"from": "REBECCA", "text": "Come.", "time": None}]},
            },
            "debug": {"wrote": True, "bundle_id": "b:1"},
        }
    ],
    "tool_request": [{"request_id": "r", **question("What did George just say?")["tool_request"]}],
    "retrieval_result_pack": [
        {"tool_request_id": "tr_1", "request_id": "r", "results": [], "empty": True, "notes": None},
        {
            "tool_request_id": "tr_1",
            "request_id": "r",
            "results": [
                {
                    "entry_id": "e:1",
                    "bundle_id": "b:1",
                    "created_at_world": "2026-01-01T07:31:00+00:00",
                    "visibility_scope": "PUBLIC",
                    "verbatim_excerpt": "the truth",
                }
            ],
            "empty": False,
            "notes": None,
        },
    ],
    "scene_anchor_pack": [ANCHOR],
    "rehydration_pack": [PACK],
    "capsule_pack": [CAPSULE],
}
VALIDATORS: dict[str, Callable[[object], object]] = {
    "invocation_envelope": lambda value: read_envelope(value, CONFIG, ZONES),
    "write_bundle": lambda value: read_bundle(value, CONFIG),
    "write_entry": lambda value: read_entry(value, CONFIG),
    "projection_output": read_projection,
    "tool_request": read_tool_request,
    "retrieval_result_pack": read_result_pack,
    "scene_anchor_pack": lambda value: read_anchor(value, CONFIG),
    "rehydration_pack": lambda value: read_rehydration(value, CONFIG),
    "capsule_pack": lambda value: read_capsule(value, CONFIG),
}
JUNK: list[Any] = [
    None,
    True,
    0,
    -1,
    1.5,
    "",
    "x",
    [],
    {},
    [None],
    ["x"],
    {"x": 1},
    "BEAT",
    "PUBLIC",
]
CASES = [(name, index) for name, documents in GOOD.items() for index in range(len(documents))]


def accepts(name: str, document: object) -> bool:
    try:
        VALIDATORS[name](document)
    except ThorpError:
        return False
    return True


def by_schema(name: str, document: object) -> bool:
    return bool(jsonschema.Draft202012Validator(SCHEMAS[name]()).is_valid(document))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a document."""
    inside = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [path, *(place for key, content in inside for place in places(content, (*path, key)))]


def put(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    changed = copy.deepcopy(document)
    inside = changed
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = value
    return changed


def test_there_are_nine() -> None:
    assert list(SCHEMAS) == list(GOOD) == list(VALIDATORS)
    assert len(SCHEMAS) == 9


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_schema_is_one(name: str) -> None:
    schema = SCHEMAS[name]()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["title"] == name
    json.dumps(schema)


@pytest.mark.parametrize(("name", "index"), CASES)
def test_good_documents_pass(name: str, index: int) -> None:
    document = GOOD[name][index]
    VALIDATORS[name](document)
    assert by_schema(name, document)


@pytest.mark.parametrize(("name", "index"), CASES)
def test_an_unknown_key_is_refused_at_every_level(name: str, index: int) -> None:
    document = GOOD[name][index]
    for path in places(document):
        inside = document
        for key in path:
            inside = inside[key]
        if isinstance(inside, dict):
            changed = put(document, path, {**inside, "mood": 7})
            assert not accepts(name, changed), path
            assert not by_schema(name, changed), path


@given(st.sampled_from(CASES), st.data())
def test_what_the_schema_refuses_the_validator_refuses(
    case: tuple[str, int], data: st.DataObject
) -> None:
    name, index = case
    document = GOOD[name][index]
    path = data.draw(st.sampled_from(places(document)))
    changed = put(document, path, data.draw(st.sampled_from(JUNK)))
    if not by_schema(name, changed):
        assert not accepts(name, changed), path


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        # What no schema can say; one case each.
        ("invocation_envelope", ("operator", "operator_id"), "NOT_GEORGE"),
        ("invocation_envelope", ("invoker", "invoker_id"), "GEORGE"),
        ("invocation_envelope", ("request_id",), "   "),
        ("invocation_envelope", ("operator", "input_text"), "a\x00b"),
        ("write_bundle", ("wrote",), False),
        ("write_bundle", ("entries",), []),
        ("write_bundle", ("proposed_by", "actor"), ""),
        ("write_bundle", ("rejection",), {"rejected": True, "reason": "x"}),
        ("write_bundle", ("entries", 0, "request_id"), "other"),
        ("write_entry", ("created_at_world",), "soon"),
        ("write_entry", ("visibility", "visible_to"), ["GEORGE"]),
        ("write_entry", ("visibility", "scope"), "PRIVATE"),
        ("write_entry", ("text",), ""),
        ("write_entry", ("author", "author_id"), "GEORGE"),
        ("write_entry", ("channel",), "VOICE"),
        ("projection_output", ("stream", "entries", 0, "author_label"), None),
        ("projection_output", ("debug", "bundle_id"), None),
        ("retrieval_result_pack", ("empty",), False),
        ("scene_anchor_pack", ("text",), "HP: 10"),
        ("rehydration_pack", ("physical_continuity_replay",), ""),
        ("capsule_pack", ("sections",), []),
    ],
)
def test_rules_beyond_the_schema(name: str, path: tuple[Any, ...], value: Any) -> None:
    changed = put(GOOD[name][0], path, value)
    assert by_schema(name, changed), "the schema refuses it too; move it"
    assert not accepts(name, changed)


def test_a_refusal_names_code_path_and_what_was_expected() -> None:
    with pytest.raises(ThorpError) as refused:
        read_result_pack(put(GOOD["retrieval_result_pack"][1], ("results", 0, "entry_id"), 5))
    assert (refused.value.code, refused.value.path) == ("shape", "$.results[0].entry_id")
    assert "str" in refused.value.message
