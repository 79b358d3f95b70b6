"""`thorp story check` as a user calls it: a village's own chronicle is true, and what was planted in
a copy of it is found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.said import said
from tests.observer.filmed import DAY_TICKS, make_village
from thorp.bridges.chronicle import (
    ChronicleWriter,
    Page,
    Publisher,
    catch_up,
    open_chronicle,
    world_name,
)
from thorp.bridges.chronicle.digest import Paragraph, Sentence
from thorp.bridges.voxel_town import new_city_world
from thorp.store import RealDisk

PLANTED = (
    ("absent", "On the first day, before dawn, Zebulon founded the city of Thorp in the plains."),
    ("unbuilt", "On the first day, before dawn, Odile slept in the hall."),
    ("hour", "On the ninth day, after dusk, Odile was glad."),
)


@pytest.fixture(scope="module")
def village(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_village(tmp_path_factory.mktemp("checked"))


def check(data: Path, *more: str) -> tuple[int, Any]:
    ran = said("story", "check", "--data", str(data), "--json", *more)
    return ran.code, json.loads(ran.out)


class _Planter(Publisher):
    """Writes one more paragraph on the first page."""

    def _paragraphs(self, page: Page) -> list[Paragraph]:
        planted = [
            Paragraph(text, (), (Sentence(len(text), page.ticks.first, ()),))
            for _, text in PLANTED
            if page.ticks.first == 1
        ]
        return [*super()._paragraphs(page), *planted]


@pytest.fixture(scope="module")
def doctored(village: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A story of the same world in which somebody planted contradictions."""
    data = tmp_path_factory.mktemp("doctored")
    (data / "world").symlink_to(village / "world")
    disk = RealDisk()
    writer = ChronicleWriter()
    with open_chronicle(data, writer) as ledger:
        planter = _Planter(ledger, writer, world_name(disk, village / "world"), open_book=True)
        catch_up(planter, disk, village / "world", new_city_world)
    return data


def test_a_villages_own_chronicle_is_true(village: Path) -> None:
    code, checked = check(village)
    assert (code, checked["findings"], checked["findings_total"]) == (0, [], 0)
    assert checked["pages"] >= 4
    assert checked["read"] >= checked["sentences"] * 0.8 > 4
    assert checked["last"] < 2 * DAY_TICKS
    text = said("story", "check", "--data", str(village)).out.decode()
    assert "none against the world" in text


def test_what_was_planted_is_found_with_its_sentence_tick_and_rule(doctored: Path) -> None:
    code, checked = check(doctored)
    assert code == 1
    found = [(each["rule"], each["sentence"]) for each in checked["findings"]]
    assert sorted(found) == sorted(PLANTED)
    for each in checked["findings"]:
        assert each["tick"] == 1
        why = said(
            "story", "why", each["entry_id"], "--sentence", str(each["number"]),
            "--data", str(doctored), "--json",
        )  # fmt: skip
        assert why.code == 0
        assert json.loads(why.out)["sentences"][each["number"] - 1]["text"] == each["sentence"]
    ran = said("story", "check", "--data", str(doctored))
    assert ran.code == 1
    text = ran.out.decode()
    assert "unbuilt: On the first day, before dawn, Odile slept in the hall." in text
    assert f"thorp story why {checked['findings'][0]['entry_id']} --sentence 1" in text


def test_another_view_is_checked_by_what_it_sees(doctored: Path) -> None:
    code, checked = check(doctored, "--as", "PUBLIC")
    assert (code, checked["view"], checked["findings_total"]) == (1, "PUBLIC", len(PLANTED))
    refused = refusal(doctored, "--as", "nobody-here")
    assert "nobody of that name" in refused


def refusal(data: Path, *more: str) -> str:
    """The one line with which a check is refused."""
    refused = said("story", "check", "--data", str(data), *more).refusal
    assert refused is not None
    assert "\n" not in refused
    return refused


def test_what_cannot_be_checked_is_said_in_one_line(tmp_path: Path, village: Path) -> None:
    assert "there is no world here" in refusal(tmp_path)
    (tmp_path / "world").symlink_to(village / "world")
    assert "story" in refusal(tmp_path)
    assert said("story", "beat", "A mill.", "--data", str(tmp_path)).code == 0
    assert "sees no page of a chronicle in this story" in refusal(tmp_path)
