"""The page shows the rules as they are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from thorp.kernel import strict_json
from thorp.town import service, tables
from thorp.town.embedded import catalogue, town, tuning
from thorp.town.proposal import ACTIONS

TEXT = (Path(__file__).parents[2] / "docs" / "town-engine.md").read_text("utf-8")
NUMBERS = {name: value for name, value in vars(tuning).items() if name.isupper()}


def shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {number:,}" for name, number in value.items())
    return f"{value:,}"


def number_table() -> str:
    rows = [f"| `{name}` | {shown(value)} |" for name, value in NUMBERS.items()]
    return "\n".join(["| number | value |", "|---|---|", *rows])


def deck_table() -> str:
    columns = ("threat", "scarcity", "hope", "dread", "food", "timber", "iron")
    rows = [
        f"| `{card.name}` | {' | '.join(str(getattr(card, name) or '') for name in columns)} |"
        for card in catalogue.DECK
    ]
    return "\n".join([f"| event | {' | '.join(columns)} |", "|---" * 8 + "|", *rows])


def test_every_number_is_in_the_table() -> None:
    assert number_table() in TEXT


def test_every_card_is_in_the_table() -> None:
    assert deck_table() in TEXT


def test_the_limits_are_right() -> None:
    found = dict(re.findall(r"^\| `(\w+_LIMIT)` \| ([\d,]+) \| ", TEXT, re.MULTILINE))
    assert len(found) == 6
    for name, text in found.items():
        [value] = {
            getattr(module, name)
            for module in (service, tables, town, strict_json)
            if hasattr(module, name)
        }
        assert value == int(text.replace(",", "")), name


def test_every_reason_code_is_told() -> None:
    source = (Path(service.__file__).parent / "handoff_judge.py").read_text("utf-8")
    for code in {*re.findall(r'"([A-Z]+(?:_[A-Z]+)+)"', source), "EXECUTED"} - ACTIONS.keys():
        assert f"`{code}`" in TEXT, code
