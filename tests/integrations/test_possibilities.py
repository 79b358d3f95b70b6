"""What an agent can do at a moment: as the rules have it, as endpoints take it, and in words."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import msgspec
import pytest

from thorp.bridges.answer_guide import AnswerGuide
from thorp.bridges.voxel_match import CHOICES, VoxelSurvival
from thorp.env import World
from thorp.language.possibilities import (
    MAX_VALUES,
    MAX_WORDS_BYTES,
    Moment,
    Possibilities,
    read_recipes,
)
from thorp.language.text import Describer
from thorp.language.tools import SIMPLE, TOOLS, WAIT, read_call
from thorp.voxel import default_catalogs

RECIPES = read_recipes(msgspec.to_builtins(default_catalogs().lists()["recipes"]))
NOW = Possibilities(
    blocks=("GRASS", "LOG"),
    carried=("COAL", "PLANK"),
    recipes=("stick_from_plank",),
    people=("A3",),
)


def refused(schema: Any, value: Any) -> bool:
    return not jsonschema.Draft202012Validator(schema).is_valid(value)


@pytest.mark.parametrize("seed", [1, 2])
def test_they_follow_from_the_observation_as_the_rules_have_it(seed: int) -> None:
    """What can be crafted and smelted is what the world's own mask says, with a bench near and
    without; every block can be mined."""
    world = World(seed, busy_ticks=50)
    random = Random(seed)
    first = ["craft_crafting_bench", "place_crafting_bench"]
    ((me, obs),) = world.reset().items()
    describer = Describer(world.block_palette)
    seen: set[str] = set()
    made: set[str] = set()
    for turn in range(150):
        describer.take(obs)
        now = describer.possibilities(RECIPES)
        names = [CHOICES[number] for number in world.possible(me)]
        idle = len(names) > 1  # a body that works can do nothing besides
        if idle:
            assert {f"craft_{each}" for each in now.recipes} == {
                name for name in names if name.startswith("craft_")
            }
            assert {f"smelt_{each.lower()}" for each in now.smeltable} == {
                name for name in names if name.startswith("smelt_")
            }
        carried = {stack["item"] for stack in obs["inventory"]}
        assert set(now.carried) == carried
        for block in now.blocks:
            assert read_call("mine_nearest", {"block": block}, describer)["tasks"]
        seen |= {name.partition("_")[0] for name in names}
        made |= {recipe.station for recipe in RECIPES if recipe.id in now.recipes}
        number = random.choice(world.possible(me))
        if turn < len(first):
            number = CHOICES.index(first[turn])
        ((me, obs),) = world.step({me: number}).items()
    assert {"craft", "mine", "place"} <= seen
    assert {"HAND", "CRAFTING_BENCH"} <= made


def test_a_catalog_that_is_none() -> None:
    assert read_recipes(None) == []
    assert read_recipes([{"recipe_id": "x"}, 5, {"inputs": None}]) == []
    assert Describer().possibilities(RECIPES) == Possibilities()


def test_the_schema_of_a_call_allows_what_is_possible_and_nothing_else() -> None:
    schema = Moment(SIMPLE, NOW).call_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    good: list[tuple[str, dict[str, Any]]] = [
        ("mine_nearest", {"block": "LOG"}),
        ("craft", {"recipe_id": "stick_from_plank", "count": 2}),
        ("place", {"x": 1, "y": 2, "z": 3, "item_id": "PLANK"}),
        ("go_to", {"x": 1, "y": 2, "z": 3}),
        ("say", {"text": "Good morning."}),
        ("wait", {}),
    ]
    for name, arguments in good:
        assert not refused(schema, {"name": name, "arguments": arguments}), name
    bad: list[tuple[str, dict[str, Any]]] = [
        ("mine_nearest", {"block": "IRON_ORE"}),
        ("mine_nearest", {}),
        ("craft", {"recipe_id": "torch"}),
        ("accept_trade", {"trade_id": "TR000012"}),  # nobody offers one
        ("fly", {}),
        ("say", {"text": "x" * 400}),
        ("say", {"text": "x", "data": {"endless": "talk"}}),
        ("go_to", {"x": 7_777_777_777, "y": 2, "z": 3}),
        ("place", {"x": 7, "y": 2, "z": 3, "item_id": "PLANK"}),  # out of reach
        ("craft", {"recipe_id": "stick_from_plank", "count": -1}),
    ]
    for name, arguments in bad:
        assert refused(schema, {"name": name, "arguments": arguments}), name


def test_the_schema_of_an_action_has_its_fields_beside_its_name() -> None:
    schema = Moment(SIMPLE, NOW).action_schema()
    assert not refused(schema, {"action": "mine_nearest", "block": "GRASS"})
    assert refused(schema, {"action": "mine_nearest", "block": "STONE"})
    assert refused(schema, {"action": "mine_nearest"})
    assert not refused(schema, {"action": "wait"})


def test_words_of_others_are_no_part_of_a_schema_or_a_hint() -> None:
    """Ids of people and trades come from the world; a long list is cut."""
    many = tuple(f"BLOCK_{number}" for number in range(MAX_VALUES))
    hint = Moment(SIMPLE, Possibilities(blocks=many)).instead_of("mine_nearest", {"block": "X"})
    assert len(hint.encode()) <= MAX_WORDS_BYTES
    assert "\n" not in hint


def test_what_is_said_instead() -> None:
    moment = Moment(SIMPLE, NOW)
    mined = moment.instead_of("mine_nearest", {"block": "UNICORN"})
    assert mined == "Possible now: mine_nearest with block GRASS, LOG."
    assert moment.instead_of("mine_nearest", {"block": "LOG"}) == ""
    assert moment.instead_of("say", {"text": "hi"}) == ""
    for name in ("fly", "accept_trade"):
        assert moment.instead_of(name, {}) == (
            "Possible now: go_to; mine_nearest (GRASS, LOG); place (COAL, PLANK); "
            "craft (stick_from_plank); eat (COAL, PLANK); say; wait."
        )


def test_every_field_that_is_narrowed_is_one_of_the_tools() -> None:
    from thorp.language.possibilities import _FIELDS

    tools = {tool.name: tool.parameters["properties"] for tool in (*TOOLS, *SIMPLE, WAIT)}
    for (name, field), source in _FIELDS.items():
        assert field in tools[name]
        assert source in Possibilities._fields


def test_a_guide_follows_a_match() -> None:
    scenario = VoxelSurvival(ticks=600)
    state = scenario.init(3, ["me"])
    guide = scenario.answer_guide()
    guide.take(scenario.observe(state, "me"))
    assert isinstance(guide, AnswerGuide)
    schema = guide.schema()
    craft = [each for each in schema["anyOf"] if each["properties"]["action"]["const"] == "craft"]
    assert craft == []  # an empty pocket
    hint = guide.instead_of({"action": "craft", "recipe_id": "torch"})
    assert hint.startswith("Possible now: go_to; mine_nearest (")
    assert guide.instead_of(17) == hint
    named = hint.partition("mine_nearest (")[2].partition(")")[0].split(", ")
    for block in named:
        action = {"action": "mine_nearest", "block": block}
        assert not refused(schema, action)
        assert scenario.adjudicate(state, "me", action).valid


@pytest.mark.real("mind")
def test_llama_cpp_makes_a_grammar_of_it_and_a_model_that_knows_nothing_obeys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tiny random model plays: every one of its answers is an action that the world accepts."""
    from tests.models.embedded.tiny import write_model
    from thorp.arena.contract import Limits, MatchTask, Seat
    from thorp.arena.service import play
    from thorp.models import Recording
    from thorp.models.embedded import EmbeddedModel, Settings, Weights

    weights = Weights("tiny", write_model(tmp_path / "tiny.gguf"))
    with EmbeddedModel.open(weights, Settings(context_tokens=32_768)) as endpoint:
        for name, value in endpoint.environment.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setenv("THORP_MODEL_MAX_TOKENS", "400")
        task = MatchTask(
            "voxel-survival",
            (Seat("me", "model:tiny"),),
            seed=3,
            max_turns=3,
            limits=Limits(turn_seconds=60),
        )
        replies = Recording()
        result = play(task, replies)
    lines = [json.loads(line) for line in result.jsonl.splitlines()]
    verdicts = [line["valid"] for line in lines if line["type"] == "ActionAdjudicated"]
    assert verdicts == [True, True, True]
    again = play(task, Recording.from_jsonl(replies.to_jsonl()))
    assert again.jsonl == result.jsonl
