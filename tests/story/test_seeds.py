"""Seeds: entries that a keeper puts into the world, and what the pocket shows of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.story.cases.projection_cases import SEED
from tests.story.world import World
from thorp.kernel.errors import ContractError, LimitError
from thorp.story import StoryConfig, open_ledger, seeds
from thorp.story.answer import OtherPayload
from thorp.story.writer import ScriptedWriter


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    writer = ScriptedWriter()
    with World(open_ledger(tmp_path, StoryConfig(ids="sequential"), writer), writer) as opened:
        yield opened


def seed(number: int, **members: Any) -> dict[str, Any]:
    return {
        "request_id": f"seed-{number}",
        "author_id": "WORLD",
        "text": "A mill by a ford.",
        **members,
    }


def test_a_first_scene_grounds_the_first_anchor(world: World) -> None:
    status, body = world.ledger.seed(seed(1))
    assert (status, body["stream"]["entries"][0]["channel"]) == (200, "VOICE")
    assert body["pocket"]["clock"]["world_time"] == "2026-01-01T07:30:00+00:00", (
        "the clock does not move"
    )
    assert world.writer.calls == 0
    world.send()
    [anchor] = world.packs("ANCHOR")
    assert "A mill by a ford." in anchor[4]
    assert "e:00000001" in anchor[4]


def test_the_same_seed_again_adds_nothing(world: World) -> None:
    first = world.ledger.seed(SEED)
    before = world.counts()
    assert world.ledger.seed(SEED) == first
    assert world.counts() == before
    with pytest.raises(OtherPayload):
        world.ledger.seed({**SEED, "author_id": "REBECCA"})
    assert world.send(request_id="seed-1")[1]["debug"]["bundle_id"] == "b:00000001"


def test_the_pocket_is_sorted_by_time(world: World) -> None:
    for number, time in enumerate(
        [None, "2026-03-01T00:00:00Z", "2026-02-01T02:00:00+02:00", None]
    ):
        text = f"Note {number}."
        world.ledger.seed(seed(number, text=text, calendar={"title": text, "time": time}))
    titles = [item["title"] for item in world.refresh()["pocket"]["calendar"]["items"]]
    assert titles == ["Note 2.", "Note 1.", "Note 0.", "Note 3."]


def test_a_message_is_from_its_author(world: World) -> None:
    world.ledger.seed(
        seed(1, author_id="REBECCA", text="Come soon.", message={"text": "Come soon."})
    )
    [message] = world.refresh()["pocket"]["messages"]["items"]
    assert message == {"from": "REBECCA", "text": "Come soon.", "time": None}
    assert world.refresh()["stream"]["entries"][0]["author_label"] == "REBECCA"


@pytest.mark.parametrize(
    ("members", "code"),
    [
        ({"author_id": "STRANGER"}, "AUTHOR_PAIRING"),
        ({"author_id": "SYSTEM_INVOKER"}, "author"),
        ({"author_id": "GEORGE"}, "author"),
        ({"author_id": "george"}, "AUTHOR_PAIRING"),
        ({"visible_to": ["STRANGER"]}, "VISIBILITY_IDENTITY"),
        ({"visible_to": ["GEORGE", "GEORGE"]}, "VISIBILITY_IDENTITY"),
        ({"text": ""}, "TEXT_EMPTY"),
        ({"text": "a\x00b"}, "text"),
        ({"request_id": " "}, "request_id"),
        ({"request_id": "x" * 201}, "request_id"),
        ({"calendar": {"title": "A boat"}}, "literal"),
        ({"calendar": {"title": "A mill", "location": "the moon"}}, "literal"),
        ({"calendar": {"title": "A mill", "time": "soon"}}, "time"),
        ({"message": {"text": "other words"}}, "literal"),
        ({"mood": 7}, "shape"),
        ({"text": 5}, "shape"),
    ],
)
def test_a_wrong_seed_is_refused_and_leaves_nothing(
    world: World, members: dict[str, Any], code: str
) -> None:
    with pytest.raises(ContractError) as refused:
        world.ledger.seed(seed(1, **members))
    assert refused.value.code == code
    assert not any(world.counts().values())


def test_the_pocket_has_a_bottom(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeds, "POCKET_LIMIT", 2)
    for number in range(2):
        world.ledger.seed(seed(number, calendar={"title": "A mill"}))
    with pytest.raises(LimitError):
        world.ledger.seed(seed(2, calendar={"title": "A mill"}))
    world.ledger.seed(seed(2))
    assert len(world.rows("story_pocket")) == 2
