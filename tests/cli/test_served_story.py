"""`thorp story` through the server that holds the directory: the same bytes, the same chain."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.said import Said, said
from tests.cli.serving import served
from thorp.server.access.tokens import Role, Tokens
from thorp.story import open_ledger

SCRIPT: list[tuple[str, ...]] = [
    ("beat", "--config", "config.json", "--request-id", "r-1", "--json", "The ferry 🚢 leaves at "
                                                                         "nine."),
    ("beat", "--config", "config.json", "--request-id", "r-2", "Who saw it?"),
    ("beat", "--config", "other.json", "Nothing."),  # refused: another configuration
    ("beat", "--request-id", "r-1", "--json", "The ferry 🚢 leaves at nine."),
    ("beat", "--request-id", "r-3", "--declare", "nonsense", "Now."),  # refused
    ("beat", "--request-id", "r-4", "--declare", "2026-07-01T12:00:00", "--zone", "Asia/Tokyo", "--json"),
    ("beat", "--envelope", "envelope.json", "--json"),
    ("beat", "--envelope", "config.json"),  # refused: no envelope
    ("beat", "--envelope", "long.json"),  # refused: too long
    ("pocket", "add", "--title", "Tea", "--location", "the Crown", "--request-id", "s-1", "--json"),
    ("pocket", "add", "--title", "Tea", "--location", "the Crown", "--request-id", "s-1"),
    ("pocket", "add", "--title", "Supper", "--request-id", "s-1"),  # refused: another seed
    ("pocket", "add", "--title", "Tea", "--text", "Nothing of it."),  # refused: not literal
    ("pocket", "add", "--message", "Come.", "--author", "REBECCA", "--to", "REBECCA", "--request-id", "s-2"),
    ("pocket", "load", "seeds.jsonl"),
    ("pocket", "show"),
    ("pocket", "show", "--as", "REBECCA", "--json"),
    ("show",),
    ("show", "--json", "--limit", "2"),
    ("show", "--json", "--limit", "99999999999"),
    ("show", "--json", "--cursor", "c:00000001"),
    ("show", "--as", "REBECCA"),
    ("show", "--as", "PUBLIC", "--json"),
    ("show", "--as", "NOBODY"),  # refused
    ("export",),
    ("export", "--as", "PUBLIC"),
    ("export", "--as", "NOBODY"),  # refused
    ("export", "--all"),
    ("verify",),
    ("verify", "--json"),
]  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    envelope = {
        "request_id": "r-5",
        "invoker": {"invoker_id": "SYSTEM_INVOKER", "invoker_role": "INVOKER"},
        "operator": {"operator_id": "GEORGE", "input_text": "By envelope."},
        "mode": {"kind": "BEAT"},
    }
    seed = {"request_id": "s-3", "author_id": "WORLD", "text": "A mill by a ford."}
    people = [{"person_id": "REBECCA"}]
    files = {
        "config.json": {"ids": "sequential", "people": people},
        "other.json": {"ids": "random", "people": people},
        "envelope.json": envelope,
        "seeds.jsonl": seed,
    }
    (tmp_path / "long.json").write_text(json.dumps({**envelope, "more": "x" * (1 << 20)}))
    for name, document in files.items():
        (tmp_path / name).write_text(json.dumps(document))
    return tmp_path


def told(*arguments: str, data: str) -> Said:
    return said("story", *arguments, "--data", data)


def tip_of(data: str) -> tuple[int, str]:
    with open_ledger(Path(data), create=False) as ledger:
        return ledger.tip()


def test_every_command_says_the_same_and_leaves_the_same_chain(here: Path) -> None:
    (here / "kept").mkdir()
    alone = [told(*command, data="own") for command in SCRIPT]
    with served(here / "kept"):
        through = [told(*command, data="kept") for command in SCRIPT]
    for command, first, second in zip(SCRIPT, alone, through, strict=True):
        if (
            command[0] == "verify" or "--all" in command
        ):  # links and tips have the ledger's secret in them
            assert (second.code, len(second.out)) == (first.code, len(first.out)), command
        else:
            assert second == first, command
    assert sum(each.code == 2 for each in alone) == 8
    assert tip_of("own")[0] == tip_of("kept")[0] == 7


def test_exports_to_a_file_and_playing_it_again(here: Path) -> None:
    with served(here):
        told(*SCRIPT[0], data=".")
        assert told("export", "--all", "--out", "story.jsonl", data=".").code == 0
        assert told("verify", "--rebuild", data=".").code == 0
        through = told("export", "--all", data=".")
    assert told("export", "--all", data=".") == through
    written = (here / "story.jsonl").read_bytes().splitlines()
    assert list(map(json.loads, written)) == list(map(json.loads, through.out.splitlines()))


def test_looking_founds_nothing_and_the_first_beat_does(here: Path) -> None:
    with served(here):
        before = sorted(here.iterdir())
        for command in (
            ("show",),
            ("show", "--as", "PUBLIC"),
            ("export",),
            ("verify",),
            ("pocket", "show"),
        ):
            refused = told(*command, data=".")
            assert (refused.code, refused.out) == (2, b"")
        assert sorted(here.iterdir()) == before
        assert told("beat", "So it begins.", data=".").code == 0
        assert b"So it begins." in told("show", data=".").out


def test_a_long_story_is_exported_whole(here: Path) -> None:
    with open_ledger(here) as ledger:
        for number in range(130):
            text = f"Word {number} " + "and so on " * 300
            ledger.seed({"request_id": f"s-{number}", "author_id": "WORLD", "text": text})
    alone = told("export", "--all", data=".")
    shown = told("show", data=".")
    with served(here):
        assert told("export", "--all", data=".") == alone
        assert told("show", data=".") == shown
    assert alone.out.count(b"\n") == 131


def test_another_writer_is_the_server_s_affair(here: Path) -> None:
    with served(here):
        assert "has its own writer" in str(
            told("beat", "--writer", "model", "Hm.", data=".").refusal
        )


def test_who_may(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Operators speak and see what is theirs; only admins have other eyes, and sow."""
    told(*SCRIPT[0], data=".")
    tokens = {
        role: Tokens(here).create(role, created="today")[1] for role in (Role.OPERATOR, Role.ADMIN)
    }
    with served(here, loopback=Role.ANYONE):
        (here / "admin-token").unlink()
        assert "a token is needed" in str(told("show", data=".").refusal)
        monkeypatch.setenv("THORP_TOKEN", tokens[Role.OPERATOR])
        assert told("beat", "--request-id", "r-9", "Aye.", data=".").code == 0
        assert b"Aye." in told("show", data=".").out
        for command in (
            ("show", "--as", "REBECCA"),
            ("export", "--all"),
            ("export",),
            ("verify",),
            ("pocket", "add", "--title", "Tea"),
            ("beat", "--config", "config.json", "Hm."),
        ):
            assert "this needs the role admin" in str(told(*command, data=".").refusal), command
        for command in (
            ("show", "--as", "REBECCA"),
            ("export", "--all"),
            ("pocket", "add", "--title", "Tea"),
        ):
            assert told(*command, "--token", tokens[Role.ADMIN], data=".").code == 0
