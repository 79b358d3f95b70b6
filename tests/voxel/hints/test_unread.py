"""Actions that could not be read, and fields that were left out."""

from __future__ import annotations

import pytest

from tests.voxel.flat import put_agent
from tests.voxel.hints.asking import hint, send
from thorp.voxel.hints.unread import PAGE
from thorp.voxel.state.world import World


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("MOVE", "MOVE_TO"),
        ("say", "SAY"),
        ("BUILD", "BUILD_BLUEPRINT"),
        ("MNIE", "MINE"),
        ("accept_contrac", "ACCEPT_CONTRACT"),
        ("walk", "MOVE_TO"),
        ("Chat", "SAY"),
        ("PICK_UP", "GATHER"),
        ("HAND_IN", "SUBMIT_CONTRACT"),
    ],
)
def test_an_unknown_action_is_named_with_the_nearest_one(
    world: World, name: str, meant: str
) -> None:
    words = hint(world, put_agent(world), type=name)
    assert words == f'No action "{name}"; did you mean {meant}? {PAGE}'


def test_a_name_that_is_near_to_none_gets_the_page_that_lists_all(world: World) -> None:
    assert hint(world, put_agent(world), type="FLY") == f'No action "FLY". {PAGE}'


def test_the_code_and_the_sentence_stay_as_they_were(world: World) -> None:
    agent = put_agent(world)
    told = send(world, agent, instants=[{"id": "q", "type": "MOVE"}], tasks=[{"type": "say"}])
    assert [(each["ref"], each["code"], each["message"]) for each in told] == [
        ("q", "E_BAD_REQUEST", "unknown instant type"),
        ("", "E_BAD_REQUEST", "unknown task type"),
    ]


def test_a_task_among_instants_is_told_where_it_belongs(world: World) -> None:
    agent = put_agent(world)
    (told,) = send(world, agent, instants=[{"type": "MOVE_TO", "target": [1, 2, 3]}])
    assert told["hint"] == 'MOVE_TO belongs into "tasks" of the ACT'
    (told,) = send(world, agent, tasks=[{"type": "SAY", "text": "hi"}])
    assert told["hint"] == 'SAY belongs into "instants" of the ACT'


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({"kind": "SAY", "text": "hi"}, '"type": "SAY", not "kind"'),
        ({"action": "say", "text": "hi"}, '"type": "SAY", not "action"'),
        ({"text": "SAY"}, "An action needs a type"),
        ({}, "An action needs a type"),
    ],
)
def test_an_action_without_a_type_is_told_so(
    world: World, action: dict[str, str], words: str
) -> None:
    (told,) = send(world, put_agent(world), instants=[action])
    assert words in told["hint"]


def test_a_field_of_a_wrong_form_brings_the_fields_there_are(world: World) -> None:
    agent = put_agent(world)
    words = hint(world, agent, type="CRAFT", recipe_id=9)
    assert words == "CRAFT takes recipe_id, count"


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({"type": "CRAFT"}, "missing recipe_id of CRAFT; it takes recipe_id, count"),
        ({"type": "WHISPER", "to": "A1"}, "missing text of WHISPER; it takes to, text, data"),
        ({"type": "MOVE_TO"}, "missing target of MOVE_TO; it takes target, tolerance"),
        (
            {"type": "POST_BOARD", "target_id": "market", "title": "x"},
            "missing body of POST_BOARD; it takes board_id, target_id, title, body",
        ),
        ({"type": "VOTE"}, "missing law_id and choice of VOTE; it takes law_id, choice"),
    ],
)
def test_a_missing_field_is_named_with_its_action(
    world: World, action: dict[str, str], words: str
) -> None:
    assert hint(world, put_agent(world), **action) == words
