"""`thorp story why` as a user calls it: in words, as JSON, with a proof, and through a server."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.cli.said import Said, said
from tests.cli.serving import served
from thorp.log import Log, make_leaf
from thorp.log.directory import PUBLIC
from thorp.log.signer import find_keys
from thorp.server.http.why import ProvedWhy
from thorp.store import RealDisk
from thorp.story import open_ledger


def why(*arguments: str, data: Path) -> Said:
    return said("story", "why", *arguments, "--data", str(data))


def envelope(number: int) -> dict[str, Any]:
    return {
        "request_id": f"r{number}",
        "invoker": {"invoker_id": "SYSTEM_INVOKER", "invoker_role": "INVOKER"},
        "operator": {"operator_id": "GEORGE", "input_text": f"Stone {number} was moved."},
        "mode": {"kind": "BEAT"},
    }


def publish(data: Path, leaves: list[bytes]) -> None:
    with Log(RealDisk(), data / "log") as log:
        log.add(leaves)
        log.checkpoint(find_keys(data / "log" / "key", None))


def tip_leaf(data: Path) -> bytes:
    with open_ledger(data, create=False) as ledger:
        beats, tip = ledger.tip()
    return make_leaf("story", {"beats": beats, "tip": tip})


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A story of twenty-four beats whose tips were published three times, among other leaves."""
    home = tmp_path / "data"
    assert said("log", "init", "--data", str(home), "--origin", "thorp.example/why").code == 0
    for last in (8, 16, 22):
        with open_ledger(home) as ledger:
            for number in range(ledger.tip()[0] + 1, last + 1):
                assert ledger.invoke(envelope(number))[0] == 200
        town = make_leaf("town", {"records": last, "tip": "0" * 64, "day": 1, "rules": 1})
        publish(home, [town, tip_leaf(home)])
    with open_ledger(home) as ledger:
        assert ledger.invoke(envelope(23))[0] == 200
    return home


def test_it_answers_in_words_and_in_json(data: Path) -> None:
    text = why("Stone 3 was moved.", data=data).out.decode()
    assert "as GEORGE sees it" in text
    assert "everybody may read it, since" in text
    assert "the operator's own words, byte for byte, in beat 3" in text
    document = json.loads(why("Stone 3 was moved.", "--json", data=data).out)
    assert msgspec.to_builtins(msgspec.convert(document, ProvedWhy)) == document
    assert (document["proposal"]["kind"], document["proof"]) == ("operator", None)
    by_id = json.loads(why(document["entry_id"], "--as", "PUBLIC", "--json", data=data).out)
    assert (by_id["view"], by_id["proposal"]["beat"]) == ("PUBLIC", None)


@pytest.mark.parametrize(
    ("number", "beats", "leaf"), [(3, 8, 1), (8, 8, 1), (9, 16, 3), (22, 22, 5)]
)
def test_a_proof_leads_to_the_first_leaf_that_covers_the_entry(
    data: Path, number: int, beats: int, leaf: int
) -> None:
    answer = why(f"Stone {number} was moved.", "--proof", "--json", data=data)
    proof = json.loads(answer.out)["proof"]
    assert (proof["beat"], proof["beats"], proof["leaf"], proof["size"]) == (number, beats, leaf, 6)
    assert proof["origin"] == "thorp.example/why"
    vkey = (data / "log" / PUBLIC / "log.vkey").read_text().strip()
    assert proof["signed_by"] == [vkey]
    checked = why(f"Stone {number} was moved.", "--proof", "--key", vkey, data=data)
    assert checked.code == 0
    assert f"which is leaf {leaf} of thorp.example/why" in checked.out.decode()


def test_a_proof_that_anybody_can_check_again(data: Path, tmp_path: Path) -> None:
    proof = json.loads(why("Stone 3 was moved.", "--proof", "--json", data=data).out)["proof"]
    file = tmp_path / "story.tlog-proof"
    file.write_text(proof["file"])
    key = ("--key", str(data / "log" / PUBLIC / "log.vkey"))
    verified = said("story", "verify", "--data", str(data), "--proof", str(file), *key)
    assert verified.code == 0, verified


def test_a_proof_tells_other_views_of_no_beat_and_no_row(data: Path) -> None:
    proof = json.loads(
        why("Stone 3 was moved.", "--proof", "--json", "--as", "PUBLIC", data=data).out
    )["proof"]
    assert (proof["beat"], proof["entry_digest"]) == (None, None)
    assert proof["leaf"] == 1


def test_what_is_not_published_yet_is_not_proved(data: Path, tmp_path: Path) -> None:
    answer = why("Stone 23 was moved.", "--proof", data=data)
    assert answer.code == 2
    assert "not under a published leaf yet" in str(answer.refusal)
    with open_ledger(tmp_path / "other") as ledger:
        ledger.invoke(envelope(1))
    bare = why("Stone 1 was moved.", "--proof", data=tmp_path / "other")
    assert "there is no log" in str(bare.refusal)


def test_another_key_does_not_verify_the_proof(data: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    assert said("log", "init", "--data", str(other), "--origin", "thorp.example/why").code == 0
    vkey = str(other / "log" / PUBLIC / "log.vkey")
    assert why("Stone 3 was moved.", "--proof", "--key", vkey, data=data).code == 1
    assert why("Stone 3 was moved.", "--key", vkey, data=data).refusal is not None


# What is damaged is found: one planted change for each step of the proof.


def tamper(data: Path, sql: str) -> None:
    with sqlite3.connect(data / "story.db") as connection:
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        assert connection.execute(sql).rowcount == 1
    connection.close()


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        (
            "UPDATE story_entry SET channel = 'VOICE' WHERE text = 'Stone 3 was moved.'",
            "is not what beat 3 stored",
        ),
        (
            "UPDATE story_beat SET envelope = replace(envelope, 'Stone 3', 'Stone 4') WHERE n = 3",
            "its request is not what it stored",
        ),
        (
            "UPDATE story_beat SET record = replace(record, '\"beat\":5', '\"beat\":6') WHERE n = 5",
            "story_beat 5 was changed",
        ),
        ("UPDATE story_beat SET link = zeroblob(32) WHERE n = 6", "story_beat 6 was changed"),
        ("DELETE FROM story_beat WHERE n = 6", "story_beat 6 is missing"),
        ("UPDATE story_beat SET link = zeroblob(32) WHERE n = 8", "has another tip after beat 8"),
    ],
)
def test_a_ledger_that_was_changed_is_not_proved(data: Path, sql: str, problem: str) -> None:
    if "n = 8" in sql:  # of the later leaves, whose tips are not on the chain either then
        tamper(data, sql)
        sql = "UPDATE story_beat SET link = zeroblob(32) WHERE n IN (16, 22) AND n > 0"
        with sqlite3.connect(data / "story.db") as connection:
            connection.execute(sql)
        connection.close()
    else:
        tamper(data, sql)
    answer = why("Stone 3 was moved.", "--proof", "--json", data=data)
    assert answer.code == 1, answer
    document = json.loads(answer.out)
    assert document["ok"] is False
    assert problem in document["error"]


def test_what_is_damaged_counts_no_beats_for_a_view_that_is_not_the_operators(data: Path) -> None:
    tamper(data, "UPDATE story_entry SET channel = 'VOICE' WHERE text = 'Stone 3 was moved.'")
    answer = why("Stone 3 was moved.", "--proof", "--as", "PUBLIC", "--json", data=data)
    assert answer.code == 1
    problem = json.loads(answer.out)["error"]
    assert "not proved" in problem
    assert not any(letter.isdigit() for letter in problem)


def test_a_tile_that_was_changed_is_not_proved(data: Path) -> None:
    [tile] = (data / "log" / PUBLIC / "tile" / "entries").rglob("6")
    content = bytearray(tile.read_bytes())
    at = content.index(b'"version":1', content.index(b'"beats":8')) + len(b'"version":')
    content[at : at + 1] = b"2"
    tile.write_bytes(bytes(content))
    assert why("Stone 3 was moved.", "--proof", data=data).code == 1
    assert why("Stone 9 was moved.", "--proof", data=data).code == 0, "its leaf is sound"


def test_through_a_server_it_is_the_same(data: Path, tmp_path: Path) -> None:
    asked = [
        ("Stone 3 was moved.", "--json"),
        ("Stone 3 was moved.", "--sentence", "1"),
        ("Stone 3 was moved.", "--sentence", "2"),
        ("Stone 9 was moved.", "--proof", "--json"),
        ("Stone 23 was moved.", "--proof"),
        ("Stone", "--as", "PUBLIC"),
        ("Nothing of it.",),
        ("e:00000000000000000000000000000000", "--as", "REBECCA"),
        ("Stone 3 was moved.", "--as", "NOBODY"),
        ("of the",),
    ]
    alone = [why(*each, data=data) for each in asked]
    with served(data):
        through = [why(*each, data=data) for each in asked]
    assert through == alone
    assert sum(each.refusal is not None for each in alone) == 7
