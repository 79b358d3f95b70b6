"""`thorp agent trace NAME --why` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.said import said
from tests.observer.filmed import make_village

AT = 300


@pytest.fixture(scope="module")
def village(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_village(tmp_path_factory.mktemp("village"), last=AT + 20)


def test_it_says_what_was_known_and_what_was_weighed(village: Path) -> None:
    where = ("--data", str(village), "--quiet")
    text = said("agent", "trace", "Bram", "--why", "--at", str(AT), *where).out.decode()
    assert text.startswith(f"Bram (A2) after tick {AT}\n")
    assert "it remembered village/knowledge" in text
    assert "its job since tick" in text
    assert "recomputed by replay: all of its" in text
    assert "a model's replies: not recorded" in text
    assert all(line.isprintable() for line in text.splitlines())
    ran = said("agent", "trace", "A2", "--why", "--at", str(AT), "--json", *where)
    document = json.loads(ran.out)
    assert document["script"]["basis"] == "recomputed"
    assert (document["agent"], document["tick"], document["replies"]) == ("A2", AT, None)
    newest = json.loads(said("agent", "trace", "A2", "--why", "--json", *where).out)
    assert newest["tick"] == AT + 20


def test_replies_of_a_model_come_from_its_recording(village: Path, tmp_path: Path) -> None:
    lines = [
        {"format": "thorp.conversation", "version": 2},
        *(
            {
                "at": "ask", "n": number, "tick": tick, "request": "r", "new": [],
                "reply": {"text": f"I go at {tick}.\x1b[31m", "calls": [], "tokens_in": 1,
                          "tokens_out": 1},
            }
            for number, tick in enumerate((AT - 9, AT - 1, AT + 9), 1)
        ),
    ]  # fmt: skip
    recording = tmp_path / "Bram.jsonl"
    recording.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"at": "as')
    where = ("--data", str(village), "--quiet", "--replies", str(tmp_path))
    ran = said("agent", "trace", "Bram", "--why", "--at", str(AT), *where)
    assert ran.refusal is None
    text = ran.out.decode()
    assert f"tick {AT - 1}: I go at {AT - 1}." in text
    assert f"I go at {AT + 9}" not in text
    assert "\x1b" not in text
    missing = said("agent", "trace", "Odile", "--why", "--at", str(AT), *where).refusal
    assert missing is not None
    assert "Odile.jsonl: no such recording" in missing
    recording.write_text('{"format": "thorp.conversation"}\n{"at": "dance"}\n{}\n')
    damaged = said("agent", "trace", "Bram", "--why", "--at", str(AT), *where).refusal
    assert damaged is not None
    assert "line 2" in damaged


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("Nobody", "--why"), "nobody is called 'Nobody'"),
        (("Bram", "--why", "--at", "999999"), "so there is no tick 999999"),
        (("Bram", "--at", "9"), "go with --why"),
        (("Bram", "--json"), "go with --why"),
        (("Bram", "--why", "--since", "9"), "--why is about one tick"),
    ],
)
def test_what_cannot_be_said_is_refused_in_one_line(
    village: Path, arguments: tuple[str, ...], words: str
) -> None:
    refusal = said("agent", "trace", *arguments, "--data", str(village), "--quiet").refusal
    assert refusal is not None
    assert words in refusal
    assert "\n" not in refusal
