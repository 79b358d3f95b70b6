"""Every code that the page may meet has its words, so that nobody reads a raw one."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import msgspec
import pytest

from thorp.arena.contract import Reason
from thorp.bridges.voxel_town.commands import COMMANDS, NOTICES
from thorp.observer.words import ACHIEVED
from thorp.protocol import actions
from thorp.town.profile import ROLES
from thorp.town.proposal import ACTIONS
from thorp.voxel.achievements import ACHIEVEMENTS
from thorp.voxel.load import default_catalogs
from thorp.voxel.persistence.audit import SOCIETY
from thorp.voxel.state.records import ContractState, LawStatus, Role

ROOT = Path(__file__).parents[2]
WORDS: dict[str, dict[str, Any]] = json.loads((ROOT / "web/src/words.json").read_text())
# What is called as it is written: `STONE` is stone.
PLAIN = {"blocks", "taken", "put"}


def published(source: Path) -> Iterator[str]:
    """The kinds of public events that a module names."""
    for node in ast.walk(ast.parse(source.read_text())):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "publish":
            yield from _constants(node.args[:1])
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "_changed":
            yield from _constants(node.args[2:3])
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "kind":
                    yield from _constants([value])


def _constants(nodes: list[ast.expr]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def event_kinds() -> set[str]:
    rooms = [ROOT / "src/thorp/voxel/society", ROOT / "src/thorp/voxel/systems"]
    sources = [source for room in rooms for source in room.glob("*.py")]
    sources += [ROOT / "src/thorp/voxel/achievements.py"]
    sources += [ROOT / "src/thorp/bridges/voxel_town/city_effects.py"]
    kinds = {kind for source in sources for kind in published(source) if kind.isupper()}
    return kinds | set(SOCIETY)


def tags(kind: type[msgspec.Struct]) -> set[str]:
    classes = [one for one in vars(actions).values() if isinstance(one, type)]
    marked = [one.__struct_config__.tag for one in classes if issubclass(one, kind)]
    return {tag for tag in marked if isinstance(tag, str) and tag.isupper()}


catalogs = default_catalogs()
CODES: dict[str, set[str]] = {
    "happenings": event_kinds(),
    "achievements": {achievement.id for achievement in ACHIEVEMENTS},
    "tasks": tags(actions.Task),
    "actions": tags(actions.Task) | tags(actions.Instant),
    "blueprints": set(catalogs.blueprints),
    "events": set(catalogs.events),
    "laws": set(catalogs.law_templates),
    "states": {*get_args(LawStatus), *get_args(ContractState)},
    "ranks": set(get_args(Role)),
    "organisations": {"CITY", "GUILD"},
    "terminations": set(get_args(Reason)),
    "targets": set(NOTICES),
    "orders": set(COMMANDS),
}


@pytest.mark.parametrize("table", sorted(CODES))
def test_every_code_has_its_words(table: str) -> None:
    assert CODES[table], "there is nothing to compare with"
    assert CODES[table] - {name.partition(".")[0] for name in WORDS[table]} == set()


def test_events_that_anyone_may_know_are_found_in_the_rules() -> None:
    assert {"CHAT", "BUILT", "INVITE_ORG", "UNLOCKED", "WORLD_EVENT", "TOWN_RESULT"} <= CODES[
        "happenings"
    ]


@pytest.mark.parametrize("table", sorted(CODES.keys() - {"happenings"}))
def test_no_words_are_left_over(table: str) -> None:
    others = {"targets": {"dread", "scarcity", "threat"}}
    assert set(WORDS[table]) - CODES[table] == others.get(table, set())


def test_an_event_of_the_world_has_one_name() -> None:
    assert WORDS["events"] == {event: about.title for event, about in catalogs.events.items()}


def test_a_mark_and_the_page_call_an_achievement_the_same() -> None:
    assert {name: deed for name, (_, deed) in WORDS["achievements"].items()} == ACHIEVED


@pytest.mark.parametrize("table", sorted(PLAIN))
def test_words_of_blocks_are_of_blocks_that_there_are(table: str) -> None:
    assert set(WORDS[table]) <= {block.id for block in catalogs.blocks}


def test_a_block_whose_name_has_a_state_in_it_has_words_of_its_own() -> None:
    states = ("_BARE", "_RIPE", "_SPROUT", "_EMPTY")
    named = {block.id for block in catalogs.blocks if block.id.endswith(states)}
    assert named <= set(WORDS["blocks"])


def test_what_grows_or_lies_loose_is_not_mined() -> None:
    loose = {block.id for block in catalogs.blocks if block.tool in ("AXE", "SHOVEL")}
    built = {"PLANK"}
    assert loose - built <= set(WORDS["taken"])


def test_what_people_make_is_not_mined() -> None:
    made = {output.item for recipe in catalogs.recipes.values() for output in recipe.outputs}
    built = {block.id for block in catalogs.blocks} & made
    assert {"CHEST", "PLANK", "TORCH"} <= built
    assert built <= set(WORDS["taken"])


def test_every_reason_of_the_town_engine_is_told_in_plain_words() -> None:
    """The engine's own sentences stay as they are, since they are hashed."""
    traits = SimpleNamespace(authority=0.4)
    pressure = SimpleNamespace(threat=0.5, scarcity=0.53, dread=0.2, hope=0.7)
    reasons = {action.reason(traits, pressure) for action in ACTIONS.values()}  # type: ignore[arg-type]
    for reason in reasons:
        matching = [pattern for pattern in WORDS["reasons"] if re.search(pattern, reason)]
        assert len(matching) == 1, reason
    assert len(WORDS["reasons"]) == len(reasons)


def test_the_council_is_told_in_words() -> None:
    assert {"mayor", "captain", "warden"} == set(ROLES)
    for text in (*WORDS["orders"].values(), *WORDS["commands"].values()):
        assert "_" not in text
