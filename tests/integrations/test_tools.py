"""Every action is a tool; a call becomes the action, or is refused with a sentence that says what
to send."""

from __future__ import annotations

import json
import re
from typing import Any, get_args

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.env import World
from thorp.kernel.errors import InvalidError
from thorp.language import ACTION_SCHEMA, SIMPLE, TOOLS, Tool, read_action, read_call
from thorp.language.tools import MINE_REACH, WAIT
from thorp.protocol import read_act
from thorp.protocol.actions import BadInstant, BadTask, SoundInstant, SoundTask
from thorp.voxel.load import default_catalogs
from thorp.voxel.society import contracts, orgs
from thorp.voxel.systems import chat, mining

OFFER = {
    "to": "A2",
    "offer_item": "COAL",
    "offer_count": 1,
    "request_item": "PLANK",
    "request_count": 2,
}
CONTRACT = {"terminal_id": "T", "contract_kind": "BUILD", "reward_item": "COAL", "reward_count": 1}
EVERY = {tool.name: tool for tool in (*TOOLS, *SIMPLE)}


def example_of(tool: Tool) -> dict[str, Any]:
    return dict(json.loads(tool.description.partition("Example: ")[2]))


class Sees:
    """Somebody who stands at the origin and sees these blocks."""

    position = (0, 0, 0)

    def __init__(self, *places: tuple[int, int, int]) -> None:
        self.places = places

    def find_all(self, *names: str) -> list[tuple[int, int, int]]:
        return list(self.places) if names == ("LOG",) else []


def test_there_is_one_tool_for_each_action_in_the_protocol_s_order() -> None:
    tags = [kind.__struct_config__.tag for kind in (*get_args(SoundTask), *get_args(SoundInstant))]
    assert [tool.name for tool in TOOLS] == [tag.lower() for tag in tags]


@pytest.mark.parametrize("tool", EVERY.values(), ids=EVERY)
def test_a_tool_is_plain_enough_for_any_model(tool: Tool) -> None:
    assert re.fullmatch(r"[a-z_]{1,64}", tool.name)
    assert len(tool.description) <= 1_024
    jsonschema.Draft202012Validator.check_schema(tool.parameters)
    assert tool.parameters["additionalProperties"] is False
    for name, field in tool.parameters["properties"].items():
        flat = ("string", "integer", "number", "boolean")
        assert field["type"] in flat or (name, field["type"]) == ("data", "object")
        assert field["description"]
    jsonschema.validate(example_of(tool), tool.parameters)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_call_is_the_action_of_its_name(tool: Tool) -> None:
    part = read_call(tool.name, example_of(tool))
    ((kind, (action,)),) = part.items()
    assert action["type"] == tool.name.upper()
    act = read_act(
        json.dumps({"type": "ACT", "protocol_version": "0.9", "tick": 1, **part}).encode()
    )
    (sound,) = act.instants if kind == "instants" else act.tasks
    assert not isinstance(sound, BadInstant | BadTask)
    # What a flat call says, the action says.
    given = {str(value) for value in example_of(tool).values()}
    assert all(
        json.dumps(value).strip('"') in json.dumps(action) for value in given - {"True", "False"}
    )


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_one_object_with_an_action_says_the_same(tool: Tool) -> None:
    action = {"action": tool.name, **example_of(tool)}
    jsonschema.validate(action, ACTION_SCHEMA)
    assert read_action(action) == read_call(tool.name, example_of(tool))
    in_capitals = {**action, "action": tool.name.upper()}
    assert (
        read_action(in_capitals)
        == read_call(tool.name.upper(), example_of(tool))
        == read_action(action)
    )


def test_a_speech_may_carry_an_object_for_programs() -> None:
    call = {"text": "Four stones, please.", "data": {"job": {"give": [["STONE", 4]]}}}
    assert read_call("say", call) == {"instants": [{"type": "SAY", **call}]}
    with pytest.raises(InvalidError, match="data: expected an object"):
        read_call("say", {**call, "data": "C000007"})
    with pytest.raises(InvalidError, match="expected an integer, got a number with a point"):
        read_call("whisper", {"to": "A3", "text": "psst", "data": {"price": 1.5}})


def test_only_the_action_is_needed_in_the_one_object() -> None:
    assert ACTION_SCHEMA["required"] == ["action"]
    assert ACTION_SCHEMA["properties"]["action"]["enum"] == [tool.name for tool in (*TOOLS, WAIT)]
    assert read_action({"action": "wait", "text": None}) == {"instants": []}
    with pytest.raises(InvalidError, match="whose action names a tool"):
        read_action({"text": "hello"})


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("fly", {}, 'there is no tool "fly"; the tools are move_to, follow, mine'),
        ("say", ["hello"], 'say: expected an object of fields, got ["hello"]'),
        ("say", {"txt": "hello"}, 'say has no field "txt"; its fields are channel, text'),
        ("stop", {"now": True}, 'stop has no field "now"; it has none'),
        ("say", {}, "$.text: say: text is missing. Send text: the words"),
        ("say", {"text": None}, "$.text: say: text is missing. Send text: the words"),
        ("mine", {"x": 4, "y": "20", "z": -9}, "$.y: mine: y: expected an integer from "
                                               "-2147483647"),
        ("mine", {"x": 4, "y": "20", "z": -9}, 'got "20". Send y: y of the cell, its height'),
        ("mine", {"x": 4, "y": 20.5, "z": -9}, "got 20.5. Send y"),
        ("mine", {"x": 4, "y": 2**40, "z": -9}, "got 1099511627776. Send y"),
        ("say", {"text": "half \ud83d"}, "text cannot be written as JSON"),
        ("say", {"text": "a\0b"}, "text: expected text without U+0000"),
        ("say", {"text": float("nan")}, "text cannot be written as JSON"),
        ("say", {"text": {"a": [1]}}, 'got {"a":[1]}. Send text'),
        ("offer_trade", {**OFFER, "request_count": None}, "request_count is missing. Send "
                                                          "request_count"),
        ("post_contract", {**CONTRACT, "x": 1}, "post_contract: y is missing"),
        ("wait", {"ticks": 601}, "ticks must be 1 to 600, got 601"),
        ("mine_nearest", {"block": "LOG"}, "use mine with x, y and z"),
    ],
)  # fmt: skip
def test_a_refusal_names_the_field_and_what_to_send(
    name: str, arguments: object, sentence: str
) -> None:
    with pytest.raises(InvalidError) as refused:
        read_call(name, arguments)
    assert sentence in str(refused.value)


@given(
    st.sampled_from(sorted(EVERY)),
    st.dictionaries(
        st.sampled_from(["x", "y", "z", "text", "item_id", "count", "block", "id", "type"])
        | st.text(max_size=8),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
            lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
            max_leaves=5,
        ),
    ),
)
def test_whatever_is_sent_is_an_action_or_a_bounded_sentence(
    name: str, arguments: dict[str, Any]
) -> None:
    part: dict[str, Any] = {}
    sentence = "an action"
    try:
        part = read_call(name, arguments, Sees())
    except InvalidError as refused:
        sentence = refused.message
    assert 0 < len(sentence) < 1_500
    act = read_act(json.dumps({"type": "ACT", "protocol_version": "0.9", **part}).encode())
    assert not [
        each for each in (*act.instants, *act.tasks) if isinstance(each, BadInstant | BadTask)
    ]


def test_the_nearest_block_is_mined_or_walked_to_and_what_hangs_too_high_is_passed_over() -> None:
    assert MINE_REACH == mining.REACH
    mine = {"block": "LOG"}
    near = read_call("mine_nearest", mine, Sees((1, 1, 0), (5, 0, 0)))
    assert near == {"tasks": [{"type": "MINE", "block_pos": [1, 1, 0]}]}
    far = read_call("mine_nearest", mine, Sees((1, 4, 0), (5, 0, 0)))
    assert far == {"tasks": [{"type": "STOP"}, {"type": "MOVE_TO", "target": [5, 0, 0]}]}
    with pytest.raises(InvalidError, match="no such block that you can reach is in sight"):
        read_call("mine_nearest", mine, Sees((1, 4, 0)))


def test_the_choices_are_those_of_the_world() -> None:
    fields = ACTION_SCHEMA["properties"]
    assert fields["channel"]["enum"] == list(chat.CHANNELS)
    assert fields["contract_kind"]["enum"] == list(contracts.KINDS)
    assert fields["template_id"]["enum"] == sorted(default_catalogs().law_templates)
    assert sorted(fields["org_kind"]["enum"]) == sorted(orgs.KINDS)


def test_a_walk_with_go_to_replaces_the_one_before() -> None:
    world = World(seed=7)
    x, y, z = world.reset()["A1"]["self"]["pos"]
    for target in (x + 12, x - 12):
        obs = world.step({"A1": read_call("go_to", {"x": target, "y": y, "z": z})})["A1"]
        results = [event for event in obs["events"] if event["type"] == "ACTION_RESULT"]
        assert [event["ok"] for event in results] == [True, True]
        assert obs["tasks"][0]["target"] == [target, y, z]
