"""What a scene may be made of: natural language, judged whole before a piece of it is cut out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.story.world import SEQUENTIAL, WatchedWriter, World, bundle, entry, question
from thorp.story import open_ledger
from thorp.story.config import Context, Phrases, StoryConfig
from thorp.story.contracts.validation import why_not_prose

DOCS = Path(__file__).parents[2] / "docs" / "story.md"
OBJECT = json.dumps({f"field {number}": "a value of some length" for number in range(30)})
SMALL = StoryConfig(ids="sequential", context=Context(unit="chars", budget=1000, ratio_percent=100))


def examples() -> list[tuple[str, str]]:
    """The table of examples in the docs: a text, and whether it is prose."""
    rows = (
        DOCS.read_text("utf-8").split("### What counts as natural language")[1].split("\n\n## ")[0]
    )
    cells = [line.strip("|").split(" | ") for line in rows.splitlines() if line.startswith("| `")]
    return [(row[0].strip().strip("`").replace("\\n", "\n"), row[1].strip()) for row in cells]


@pytest.mark.parametrize(("text", "verdict"), examples())
def test_the_examples_of_the_docs_are_judged_as_they_say(text: str, verdict: str) -> None:
    found = why_not_prose(text.replace("&#124;", "|"), Phrases())
    assert (found or "natural language") == verdict


def test_there_are_examples_of_each_reason() -> None:
    assert len({verdict for _, verdict in examples()}) > 9


@pytest.mark.parametrize("length", [130, 1025, 2000])
def test_json_that_is_cut_to_length_becomes_no_anchor(tmp_path: Path, length: int) -> None:
    text = json.dumps({"state": "x" * length})
    writer = WatchedWriter()
    with World(open_ledger(tmp_path, SEQUENTIAL, writer), writer) as world:
        world.ledger.seed({"request_id": "s", "author_id": "WORLD", "text": text})
        world.send("Hello.")
        [anchor] = world.packs("ANCHOR")
        assert json.loads(anchor[4])["text"] == SEQUENTIAL.context.still_scene
        world.writer.script([question("state", tool="SCENE_PACK_BUILD"), {"no_write": {}}])
        world.send("And now?")
        built = json.loads(world.packs("ANCHOR")[-1][4])
        assert "state" not in built["text"]


@pytest.mark.parametrize(
    "text", [OBJECT, f"```\n{OBJECT}\n```", "hp=10; mp=20", "a line\n" + OBJECT]
)
def test_a_rehydration_and_its_replay_hold_no_json(tmp_path: Path, text: str) -> None:
    """Told by the operator, and by a person, whose capsule is a part of the replay."""
    writer = WatchedWriter([bundle(entry(text)), bundle(entry(f"I say so. {text}"))])
    with World(open_ledger(tmp_path, SMALL, writer), writer) as world:
        world.send("The mill stands by the ford.")
        for _ in range(4):
            world.send(text)
        world.send("The boat waits. " * 70)
        world.send(text)
        packs = [json.loads(row[4]) for row in world.packs("REHYDRATION")]
        assert packs
        for pack in packs:
            for member in ("text", "physical_continuity_replay"):
                assert "field" not in pack[member]
                assert "hp=" not in pack[member]
                assert why_not_prose(pack[member], SMALL.phrases) is None


def test_prose_stays_in_the_replay_beside_what_is_left_out(tmp_path: Path) -> None:
    writer = WatchedWriter([bundle(entry("I hold the lantern.")), bundle(entry(OBJECT))])
    config = StoryConfig(
        ids="sequential", context=Context(unit="chars", budget=8000, ratio_percent=20)
    )
    with World(open_ledger(tmp_path, config, writer), writer) as world:
        for _ in range(6):
            world.send("On the far bank a heron waits. " * 12)
        replay = json.loads(world.packs("REHYDRATION")[0][4])["physical_continuity_replay"]
        assert "REBECCA has shown: I hold the l" in replay
        assert "field" not in replay
