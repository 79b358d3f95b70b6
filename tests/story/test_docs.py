"""The page tells the rules as they are."""

from __future__ import annotations

import re
from pathlib import Path

from thorp.story import StoryConfig, acceptance, config, fork_point, request, schema, seeds, tools
from thorp.story.contracts import SCHEMAS, invocation_envelope
from thorp.story.writer import model, session

TEXT = (Path(__file__).parents[2] / "docs" / "story.md").read_text("utf-8")


def codes_in(section: str) -> set[str]:
    [part] = re.findall(rf"^## {section}\n(.*?)(?=^## )", TEXT, re.S | re.M)
    return set(re.findall(r"`([A-Z]+(?:_[A-Z]+)*)`", part))


def test_every_reason_is_told() -> None:
    rules = [code for code, *_ in (*acceptance._BUNDLE_RULES, *acceptance._WRITER_RULES)]
    assert codes_in("Acceptance") == {*rules, "NO_ACTIVE_BEAT", "USER_NOT_VERBATIM"}
    gate = [code for code, *_ in tools._RULES]
    names = {"LEDGER_SEARCH", "LEDGER_GET", "CAPSULE_GET", "SCENE_PACK_BUILD"}
    assert codes_in("Tools") == {*gate, "LOOP_LIMIT", *names}


def test_the_limits_are_right() -> None:
    found = dict(re.findall(r"^\| `(\w+_LIMIT)` \| ([\d,]+) \| ", TEXT, re.MULTILINE))
    assert len(found) == 9
    modules = (request, invocation_envelope, config, fork_point, seeds, session, model)
    for name, text in found.items():
        values = {getattr(module, name) for module in modules if hasattr(module, name)}
        assert values == {int(text.replace(",", ""))}, name


def test_every_section_of_the_configuration_is_told() -> None:
    for section in StoryConfig.__struct_fields__:
        assert f"`{section}`" in TEXT, section
        members = getattr(getattr(StoryConfig(), section), "__struct_fields__", ())
        assert all(f"`{member}`" in TEXT for member in members), section


def test_every_table_and_contract_is_told() -> None:
    for name in (*schema.COLUMNS, *schema.APPEND_ONLY, *SCHEMAS):
        assert f"`{name}`" in TEXT, name
