"""docs/actions: a page for each action, made from the code, with an example that is read and the
cause of every refusal."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from scripts import action_pages, action_table

from tests.voxel.hints.asking import TASKS
from thorp.protocol import actions
from thorp.protocol.act import read_act

MADE = action_pages.pages()
KINDS = action_table.KINDS


def page_of(kind: type[actions.Action]) -> str:
    name = f"{kind.__struct_config__.tag}".lower()
    return (action_pages.FOLDER / f"{name}.md").read_text("utf-8")


def test_the_pages_are_those_that_the_code_makes() -> None:
    """If not: python scripts/reference.py actions docs/actions"""
    kept = {path.name: path.read_text("utf-8") for path in action_pages.FOLDER.iterdir()}
    assert kept == MADE


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_example_is_read_as_the_action(kind: type[actions.Action]) -> None:
    (block,) = re.findall(r"^```json\n(.*?)^```", page_of(kind), re.S | re.M)
    act = read_act(block.encode())
    read: list[object] = [*act.instants, *act.tasks]
    assert [type(action) for action in read] == [kind]
    sent: dict[str, Any] = json.loads(block)
    part = "tasks" if kind.__struct_config__.tag in TASKS else "instants"
    assert list(sent)[-1] == part


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_field_and_every_refusal_is_on_the_page(kind: type[actions.Action]) -> None:
    page = page_of(kind)
    for name in kind.__struct_fields__:
        assert f"`{name}`" in page
    for code, sentences in action_table.refusals_of(kind).items():
        assert sentences, f"{code} without a sentence"
        for sentence in sentences:
            cause = action_pages.cause_of(kind, sentence)
            assert f"| `{code}` | {sentence} | {cause} |" in page


def test_no_cause_is_told_of_a_refusal_that_there_is_not() -> None:
    said = {
        str(kind.__struct_config__.tag): {
            sentence for each in action_table.refusals_of(kind).values() for sentence in each
        }
        for kind in KINDS
    }
    said[action_pages.EVERY_ACTION] = set().union(*said.values())
    for name, table in action_pages.causes().items():
        assert set(table) - said[name] == set(), name


def test_what_no_reading_of_the_code_finds_is_said_by_it() -> None:
    """Each word of such a sentence stands in the rules."""
    source = "".join(
        path.read_text("utf-8") for path in (action_pages.FOLDER.parents[1] / "src").rglob("*.py")
    )
    for sentences in action_table.UNSEEN.values():
        for _, sentence in sentences:
            for words in re.findall(r"[a-z]{4,}(?: [a-z]{4,})?", sentence):
                assert words in source, sentence


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_the_kit_has_a_function_for_it(kind: type[actions.Action]) -> None:
    assert re.search(r"from `thorp.client`: `\w+\(", page_of(kind))
