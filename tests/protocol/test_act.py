"""Reading an ACT: what is right is read, what is wrong is named, and nothing else ever comes
out."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.protocol.samples import act, frame
from thorp.kernel.strict_json import DOCUMENT_DEPTH_LIMIT
from thorp.protocol import actions
from thorp.protocol.act import (
    MAX_ACTIONS,
    MAX_REFUSED,
    MAX_SENT_BYTES,
    MAX_TICK,
    Act,
    ActError,
    read_act,
)
from thorp.protocol.actions import BadInstant, BadTask, Prose
from thorp.protocol.frame import MAX_FRAME_BYTES, MAX_MENDED_BYTES

NO_TEXT = "expected text without U+0000 and without half surrogate pairs"


def read(**fields: Any) -> Act:
    return read_act(frame(act(**fields)))


def without_sent(action: Any) -> Any:
    """An action that could not be read, without what was sent."""
    return type(action)(id=action.id, problem=action.problem)


def refusal(data: bytes) -> str:
    with pytest.raises(ActError) as caught:
        read_act(data)
    assert caught.value.code == "bad_act"
    return caught.value.message


def test_everything_at_once() -> None:
    got = read(
        instants=[{"id": "i1", "type": "SAY", "text": "hi"}],
        tasks=[{"id": "k1", "type": "MINE", "block_pos": [4, 20, -9]}],
        cancel=["T000041"],
    )
    assert got == Act(
        tick=5,
        instants=[actions.Say(id="i1", text="hi")],
        tasks=[actions.Mine(id="k1", block_pos=(4, 20, -9))],
        cancel=["T000041"],
    )


def test_an_empty_act_is_one() -> None:
    assert read() == Act(tick=5)


def test_padding_is_not_looked_at() -> None:
    """Bridges send every vector and free fields of their own; whose ACT it is, the connection
    knows."""
    padded = {
        "id": "k",
        "type": "STOP",
        "target": [0, 0, 0],
        "block_pos": "?",
        "anchor": None,
        "params": {"x": [1e99]},
    }
    assert read(tasks=[padded], agent_id=7, act_id="a", expected_world_id={}).tasks == [
        actions.Stop(id="k")
    ]


def test_null_counts_as_absent() -> None:
    got = read(
        instants=None,
        tasks=[{"id": None, "type": "CRAFT", "recipe_id": "torch", "count": None}],
        cancel=None,
    )
    assert got == Act(tick=5, tasks=[actions.Craft(recipe_id="torch")])


TAGGED = [*actions.SoundInstant.__args__, *actions.SoundTask.__args__]


@pytest.mark.parametrize("kind", TAGGED, ids=lambda kind: kind.__name__)
def test_every_action_is_read_the_same_in_one_pass_and_by_piece(kind: type[actions.Action]) -> None:
    samples: dict[Any, object] = {
        actions.Name: "x",
        actions.Ref: "ref",
        actions.Note: "note",
        actions.Long: 2**40,
        Prose: "y",
        actions.Whole: 3,
        actions.Vector: [1, -2, 3],
        actions.Distance: 1.5,
        actions.Pairs: [["x", 2]],
        actions.Stacks: [{"item": "x", "count": 2}],
        actions.Policy: {"allow_build": True},
        actions.Params: {"market_tax": 0.1},
        actions.Data: {"contract": "C000007"},
        actions.Flag: True,
    }
    given = {
        field.name: next(
            value for form, value in samples.items() if field.type in (form, form | None)
        )
        for field in msgspec.structs.fields(kind)
    }
    family = "tasks" if issubclass(kind, actions.Task) else "instants"
    action = {"type": kind.__struct_config__.tag, **given}
    (once,) = getattr(read(**{family: [action]}), family)
    by_piece, other = getattr(read(**{family: [action, {"type": "?"}]}), family)
    assert type(once) is kind
    assert once == by_piece
    assert json.loads(msgspec.json.encode(once)) == action
    assert isinstance(other, BadInstant | BadTask)


VECTOR = "tasks[1].block_pos: expected an array of 3 integers, got "


@pytest.mark.parametrize(
    ("task", "problem"),
    [
        ({"type": "MINE", "block_pos": "x"}, VECTOR + '"x"'),
        ({"type": "MINE", "block_pos": [1, 2]}, VECTOR + "[1, 2]"),
        ({"type": "MINE", "block_pos": [1, 2, 3, 4]}, VECTOR + "[1, 2, 3, 4]"),
        ({"type": "MINE", "block_pos": [1, 2.0, 3]}, VECTOR + "[1, 2.0, 3]"),
        ({"type": "MINE", "block_pos": [1, 2, 2**31]}, VECTOR + "[1, 2, 2147483648]"),
        (
            {"type": "MOVE_TO", "tolerance": 1e7},
            "tasks[1].tolerance: expected a number from -1000000 to 1000000, got 10000000.0",
        ),
        (
            {"type": "CRAFT", "count": True},
            "tasks[1].count: expected an integer from -2147483647 to 2147483647, got true",
        ),
        (
            {"type": "CRAFT", "recipe_id": 9},
            "tasks[1].recipe_id: expected a string of at most 128 characters, got 9",
        ),
        ({"type": "CRAFT", "recipe_id": "\0"}, f"tasks[1].recipe_id: {NO_TEXT}"),
        ({"type": "FLY"}, "unknown task type"),
        ({"type": "SAY", "text": "an instant"}, "unknown task type"),
        ({"type": "!", "problem": "mine"}, "unknown task type"),
        ({"type": ["MINE"]}, 'tasks[1].type: expected a string, got ["MINE"]'),
        ({}, "unknown task type"),
    ],
)
def test_a_wrong_task_names_its_field_and_the_others_stand(
    task: dict[str, Any], problem: str
) -> None:
    good = {"id": "g", "type": "GATHER", "target_id": "IT000001"}
    got = read(
        tasks=[good, {"id": "b", **task}, good], instants=[{"type": "EAT", "item_id": "BREAD"}]
    )
    sound = actions.Gather(id="g", target_id="IT000001")
    first, bad, last = got.tasks
    assert [first, last] == [sound, sound]
    assert without_sent(bad) == BadTask(id="b", problem=problem)
    assert got.instants == [actions.Eat(item_id="BREAD")]


@pytest.mark.parametrize("wrong", [5, "MINE", [], True])
def test_an_action_that_is_no_object(wrong: Any) -> None:
    text = json.dumps(wrong)
    assert read(instants=[wrong]).instants == [
        BadInstant(problem=f"instants[0]: expected an object, got {text}", sent=text)
    ]


@pytest.mark.parametrize("ref", [5, "\0", ["a"]])
def test_an_id_that_cannot_be_used_is_not_echoed(ref: Any) -> None:
    (bad,) = read(tasks=[{"id": ref, "type": "STOP"}]).tasks
    assert isinstance(bad, BadTask)
    assert bad.id == ""
    assert bad.problem.startswith("tasks[0].id: expected ")


def test_an_unknown_instant() -> None:
    action = {"id": "q", "type": "DANCE"}
    sent = json.dumps(action)
    assert read(instants=[action]).instants == [
        BadInstant(id="q", problem="unknown instant type", name="DANCE", sent=sent)
    ]


def test_what_is_kept_of_an_action_that_cannot_be_read_is_cut() -> None:
    (bad,) = read(tasks=[{"type": "é" * 500, "x": ["y"] * 500}]).tasks
    assert isinstance(bad, BadTask)
    assert bad.name == "é" * 128
    assert bad.sent.endswith("…")
    assert len(bad.sent.encode()) <= MAX_SENT_BYTES + len("…".encode())


@pytest.mark.parametrize(
    ("text", "is_sound"),
    [
        (r"caf\u00e9 \ud83d\ude00 \"\\ud83d\"", True),
        (r"half \ud83d", False),
        (r"half \uDE00 other", False),
        (r"\ud83d\ud83d\ude00", False),
        (r"\ud83d\u0041", False),
        (r"nul \u0000", False),
        (r"\\u0000", True),
    ],
)
def test_text_that_no_journal_could_keep(text: str, is_sound: bool) -> None:
    data = b'{"type":"ACT","protocol_version":"0.9","tick":1,"instants":[{"id":"s","type":"SAY","text":"%b"}]}'
    (said,) = read_act(data % text.encode()).instants
    if is_sound:
        assert said == actions.Say(id="s", text=json.loads(f'"{text}"'))
    else:
        assert without_sent(said) == BadInstant(id="s", problem=f"instants[0].text: {NO_TEXT}")
        assert msgspec.json.decode(msgspec.json.encode(said), type=BadInstant) == said
    said_again = msgspec.json.decode(msgspec.json.encode(said), type=actions.AnyInstant)
    assert said_again == said


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [
        ("OFFER_TRADE", "offer", [["COAL", 1], ["\0", 1]]),
        ("POST_CONTRACT", "reward", [{"item": "a\0", "count": 1}]),
        ("SET_PERMISSIONS", "policy", {"\0": True}),
    ],
)
def test_text_inside_of_lists_and_objects(kind: str, field: str, value: Any) -> None:
    (bad,) = read(instants=[{"type": kind, field: value}]).instants
    assert without_sent(bad) == BadInstant(problem=f"instants[0].{field}: {NO_TEXT}")


def nested(levels: int) -> bytes:
    law = b'{"type":"PROPOSE_LAW","params":{"a":' + b"[" * levels + b"]" * levels + b"}}"
    return b'{"type":"ACT","protocol_version":"0.9","tick":1,"instants":[%b]}' % law


@pytest.mark.parametrize(
    "levels", [1, 20, DOCUMENT_DEPTH_LIMIT - 4, DOCUMENT_DEPTH_LIMIT - 3, DOCUMENT_DEPTH_LIMIT - 1]
)
def test_what_nests_a_little_is_kept(levels: int) -> None:
    (law,) = read_act(nested(levels)).instants
    assert not isinstance(law, BadInstant)


@pytest.mark.parametrize("levels", [DOCUMENT_DEPTH_LIMIT, DOCUMENT_DEPTH_LIMIT + 1, 500])
def test_what_nests_deeply_is_not_kept(levels: int) -> None:
    (law,) = read_act(nested(levels)).instants
    problem = "instants[0].params: expected at most 64 levels"
    assert without_sent(law) == BadInstant(problem=problem)


def test_no_depth_at_which_the_stack_ends_gets_through() -> None:
    for levels in range(600, 1100):
        try:
            (law,) = read_act(nested(levels)).instants
        except ActError:
            continue
        assert isinstance(law, BadInstant)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"tick": -1}, f"tick: expected an integer from 0 to {MAX_TICK}, got -1"),
        ({"tick": 5.0}, f"tick: expected an integer from 0 to {MAX_TICK}, got 5.0"),
        ({"tick": "5"}, f'tick: expected an integer from 0 to {MAX_TICK}, got "5"'),
        ({"tick": True}, f"tick: expected an integer from 0 to {MAX_TICK}, got true"),
        (
            {"tick": MAX_TICK + 1},
            f"tick: expected an integer from 0 to {MAX_TICK}, got {MAX_TICK + 1}",
        ),
        ({"protocol_version": "1.1"}, 'protocol_version: expected "0.9", got "1.1"'),
        ({"protocol_version": 0.9}, "protocol_version: expected a string, got 0.9"),
        ({"type": "OBS"}, 'type: expected "ACT", got "OBS"'),
        ({"type": None}, 'type: expected "ACT", got null'),
        ({"tasks": {"type": "STOP"}}, 'tasks: expected an array, got {"type": "STOP"}'),
        ({"cancel": [["T1"]]}, 'cancel[0]: expected a string, got ["T1"]'),
        (
            {"cancel": ["T1", None]},
            "cancel[1]: expected a string of at most 1024 characters, got null",
        ),
    ],
)
def test_a_top_level_that_cannot_be_read(changes: dict[str, Any], message: str) -> None:
    assert refusal(frame(act(**changes))).startswith(message)


def test_fields_that_are_missing() -> None:
    assert refusal(b"{}") == 'type: expected "ACT", got nothing'


@pytest.mark.parametrize("tick", [{}, {"tick": None}])
def test_without_a_tick_it_answers_none_that_is_in_time(tick: dict[str, Any]) -> None:
    assert read_act(frame({"type": "ACT", "protocol_version": "0.9", **tick})) == Act(tick=0)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "frame: expected a JSON object, got nothing"),
        (b"ACT", "frame: expected a JSON object, got ACT"),
        (b"[]", "frame: expected a JSON object, got []"),
        (b'{"type":"ACT"', 'frame: expected a JSON object, got {"type":"ACT"'),
        (b"{} {}", "frame: expected a JSON object, got {} {}"),
        (b"\xff\xfe", "frame: expected UTF-8"),
        (b'{"note":"\xff"}', "frame: expected UTF-8"),
        (b'{"tick":NaN}', "frame: expected a JSON object"),
        (b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "frame: nests too deeply"),
        (b" " * (MAX_FRAME_BYTES + 1), f"frame: expected at most {MAX_FRAME_BYTES} bytes"),
    ],
    ids=range(10),
)
def test_a_frame_that_is_no_object(data: bytes, message: str) -> None:
    assert refusal(data).startswith(message)


@pytest.mark.parametrize("spoilt", [{}, {"x": "\0"}])
def test_sixteen_actions_are_taken_and_the_ids_of_some_more(spoilt: dict[str, Any]) -> None:
    assert len(read(tasks=[{"type": "STOP"}] * MAX_ACTIONS).tasks) == MAX_ACTIONS
    got = read(
        instants=[{"id": f"i{n}", "type": "EAT", **spoilt} for n in range(10)],
        tasks=[{"id": f"t{n}", "type": "STOP"} for n in range(9)] + [{}, 5, {"id": 5}],
        cancel=["T1", "T2"],
    )
    assert got.cancel == ["T1", "T2"]
    assert [instant.id for instant in got.instants] == [f"i{n}" for n in range(10)]
    assert [task.id for task in got.tasks] == ["t0", "t1", "t2", "t3"]
    assert got.refused == ["t4", "t5", "t6", "t7", "t8", "", "", ""]
    assert got.unread == 0
    many = read(cancel=[f"T{n}" for n in range(100)], tasks=[{"id": "t", "type": "STOP"}])
    assert (len(many.cancel), many.tasks, many.instants) == (MAX_ACTIONS, [], [])
    assert many.refused == [f"T{n}" for n in range(MAX_ACTIONS, MAX_ACTIONS + MAX_REFUSED)]
    assert many.unread == 101 - MAX_ACTIONS - MAX_REFUSED


def test_long_ids_and_long_notes_are_cut_and_not_refused() -> None:
    long = "x" * 100_000
    (bad,) = read(tasks=[{"id": long, "type": "DANCE"}]).tasks
    assert bad.id == long[:1024]
    save, again = read(
        instants=[
            {
                "id": "n" * 1024,
                "type": "SAVE_MEMORY",
                "key": "k",
                "value": long,
                "ttl_ticks": 2**40,
            },
            {"id": long, "type": "LOAD_MEMORY"},
        ],
        cancel=[long],
    ).instants
    assert save == actions.SaveMemory(id="n" * 1024, key="k", value=long[:65_537], ttl_ticks=2**40)
    assert again == actions.LoadMemory(id=long[:1024])


def test_what_is_quoted_is_short() -> None:
    long = "ä" * 10_000
    assert len(refusal(frame(act(tick=long))).encode()) < 200
    (bad,) = read(tasks=[{"type": "MINE", "block_pos": long}]).tasks
    assert isinstance(bad, BadTask)
    assert len(bad.problem.encode()) < 200


@pytest.mark.parametrize("filling", [rb"\u", rb"\ud83d", rb"\\", b"\\", rb"\ud83d\ude00", b'"\\'])
def test_hostile_escapes_cost_little(filling: bytes) -> None:
    """The search for half pairs is linear, and long frames are not searched. Quadratic would take
    minutes."""
    for size in (MAX_MENDED_BYTES - 10, MAX_FRAME_BYTES):
        refusal((b'{"a":"' + filling * size)[:size])


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.just("STOP"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
ANY_ACTION = st.fixed_dictionaries(
    {"type": st.sampled_from([kind.__struct_config__.tag for kind in TAGGED]) | JSON},
    optional={
        name: JSON | st.lists(st.integers(), min_size=3, max_size=3)
        for name in (
            "id",
            "text",
            "target",
            "block_pos",
            "count",
            "tolerance",
            "item_id",
            "key",
            "anchor",
        )
    },
)
ANY_ACT = st.fixed_dictionaries(
    {},
    optional={
        "type": st.just("ACT") | JSON,
        "protocol_version": st.just("0.9") | JSON,
        "tick": st.integers(0, 10) | JSON,
        "instants": st.lists(ANY_ACTION | JSON, max_size=18) | JSON,
        "tasks": st.lists(ANY_ACTION | JSON, max_size=18) | JSON,
        "cancel": st.lists(st.text() | JSON, max_size=4) | JSON,
    },
)


def check(data: bytes) -> None:
    """Either an ActError with a short message, or an Act that the journal gives back as it was."""
    try:
        got = read_act(data)
    except ActError as problem:
        if not 0 < len(problem.message.encode()) < 400:
            raise AssertionError(
                f"{len(problem.message)} characters are no short message"
            ) from problem
        return
    assert len(got.instants) + len(got.tasks) + len(got.cancel) <= MAX_ACTIONS
    assert len(got.refused) <= MAX_REFUSED
    text = msgspec.json.encode(got)
    assert b"\\u0000" not in text
    assert msgspec.json.decode(text, type=Act) == got


@given(ANY_ACT | JSON)
def test_whatever_json_comes(message: Any) -> None:
    check(json.dumps(message).encode("utf-8", "surrogatepass"))


@given(ANY_ACT, st.data())
def test_whatever_is_broken_on_the_way(message: Any, data: st.DataObject) -> None:
    text = bytearray(json.dumps(message, ensure_ascii=False).encode("utf-8", "replace"))
    at = data.draw(st.integers(0, len(text) - 1))
    text[at] = data.draw(st.integers(0, 255))
    check(bytes(text))
    check(bytes(text[:at]))


@given(st.binary())
def test_whatever_bytes_come(data: bytes) -> None:
    check(data)


@given(
    st.lists(
        st.sampled_from(["\\", "u", "d8", "dc", "00", "3d", '"', "{", '"a":', "}", "é"]),
        max_size=30,
    )
)
def test_whatever_escapes_come(pieces: list[str]) -> None:
    check(
        (
            '{"type":"ACT","protocol_version":"0.9","tick":1,"cancel":["' + "".join(pieces) + '"]}'
        ).encode()
    )


JOB = {"job": {"contract": "C000007", "give": [["STONE", 4]], "open": True, "by": None}}


def test_the_data_of_a_speech_is_read_as_it_was_sent() -> None:
    got = read(
        instants=[
            {"type": "SAY", "text": "hi", "data": JOB},
            {"type": "WHISPER", "to": "A3", "text": "hi", "data": {}},
            {"type": "SAY", "text": "hi", "data": None},
        ]
    )
    assert got.instants == [
        actions.Say(text="hi", data=JOB),
        actions.Whisper(to="A3", text="hi", data={}),
        actions.Say(text="hi"),
    ]
    assert msgspec.json.decode(msgspec.json.encode(got), type=Act) == got
    assert b"data" not in msgspec.json.encode(actions.Say(text="hi"))


def _data_of_size(size: int) -> dict[str, str]:
    return {"text": "é" * ((size - 11) // 2) + "x" * ((size - 11) % 2)}


@pytest.mark.parametrize("size", [actions.MAX_DATA_BYTES - 1, actions.MAX_DATA_BYTES])
def test_data_fills_its_limit_in_bytes(size: int) -> None:
    data = _data_of_size(size)
    assert len(json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()) == size
    (speech,) = read(instants=[{"type": "SAY", "text": "hi", "data": data}]).instants
    assert speech == actions.Say(text="hi", data=data)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (_data_of_size(1025), "data: expected at most 1024 bytes of JSON, got 1025"),
        ({"a": [[[["deep"]]]]}, "data: nests deeper than 4 levels"),
        ({"a": {"b": {"c": {"d": {}}}}}, "data: nests deeper than 4 levels"),
        ({"a": 1.5}, "data.a: expected an integer, got a number with a point"),
        ({"a": [0, 1.0]}, "data.a[1]: expected an integer, got a number with a point"),
        ({"a": 2**53}, "data.a: expected an integer of at most 9007199254740991"),
        ({"a": -(2**53)}, "data.a: expected an integer of at most 9007199254740991"),
        ([1], "data: expected an object, got [1]"),
        ("C000007", 'data: expected an object, got "C000007"'),
        (7, "data: expected an object, got 7"),
        ({"a": "\0"}, f"data: {NO_TEXT}"),
    ],
)
@pytest.mark.parametrize("kind", ["SAY", "WHISPER"])
def test_data_that_is_not_taken_is_named(kind: str, data: object, problem: str) -> None:
    action = {"id": "s", "type": kind, "to": "A3", "text": "hi", "data": data}
    (bad,) = read(instants=[action]).instants
    assert without_sent(bad) == BadInstant(id="s", problem=f"instants[0].{problem}")


@pytest.mark.parametrize(
    "number", ["1" * 400, "1e400", "-1e-400", "NaN", "Infinity", "18446744073709551616"]
)
def test_no_number_that_a_language_might_round_comes_with_a_speech(number: str) -> None:
    text = frame(act(instants=[{"type": "SAY", "text": "hi", "data": {"a": "?"}}]))
    try:
        (bad,) = read_act(text.replace(b'"?"', number.encode())).instants
    except ActError:
        return  # it is no JSON at all
    assert isinstance(bad, BadInstant)
    assert "data" in bad.problem


@pytest.mark.parametrize("depth", [DOCUMENT_DEPTH_LIMIT - 4, DOCUMENT_DEPTH_LIMIT, 900])
def test_data_is_refused_however_deep_it_nests(depth: int) -> None:
    deep = b"[" * depth + b"]" * depth
    text = frame(act(instants=[{"type": "SAY", "text": "hi", "data": {"a": "?"}}]))
    (bad,) = read_act(text.replace(b'"?"', deep)).instants
    assert isinstance(bad, BadInstant)
    assert "levels" in bad.problem
