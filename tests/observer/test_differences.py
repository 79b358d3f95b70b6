"""What differs between two runs is told in sentences: of public events, of every kind, bounded."""

from __future__ import annotations

import gzip
import json
import string
from typing import Any

import pytest

from tests.observer.test_words import event_kinds
from thorp.kernel.errors import DamagedError
from thorp.observer import differences
from thorp.observer.difference_words import LEFT_OUT, TELLINGS
from thorp.observer.differences import (
    MAX_OF_A_KIND,
    MAX_SENTENCES,
    RunEvents,
    compare,
    kind_of,
)

HOSTILE = "{who.__class__}</b><script>alert(1)</script>"


def segment(
    n: int,
    *events: tuple[int, dict[str, Any]],
    names: dict[str, str] | None = None,
    weather: str = "CLEAR",
) -> bytes:
    document = {
        "n": n,
        "agents": [{"id": id, "name": name} for id, name in (names or {"A1": "Bram"}).items()],
        "events": [[offset, [event]] for offset, event in events],
        "weather": [[0, weather]],
        "society": [[0, {"organisations": {"ORG000001": {"name": "Thorp"}}}]],
    }
    return gzip.compress(json.dumps(document).encode())


def told(here: list[bytes], there: list[bytes], after: int = 0) -> list[str]:
    return [each.text for each in compare(*events(here, there, after))]


def events(here: list[bytes], there: list[bytes], after: int = 0) -> tuple[RunEvents, RunEvents]:
    runs = RunEvents(after), RunEvents(after)
    for run, segments in zip(runs, (here, there), strict=True):
        for packed in segments:
            run.take(packed, 10_000)
    return runs


SOLD: dict[str, Any] = {
    "kind": "TRADE",
    "actor": "A2",
    "with": "A1",
    "offer": [["IRON_INGOT", 3]],
    "request": [],
}
FELL = {"kind": "DOWNED", "agent": "A1"}


def test_every_kind_of_public_event_is_told_or_left_out_for_a_reason() -> None:
    kinds = {name.partition(".")[0] for name in (*TELLINGS, *LEFT_OUT)}
    assert event_kinds() - kinds == set()
    assert not set(TELLINGS) & set(LEFT_OUT)
    assert all(LEFT_OUT.values())


@pytest.mark.parametrize("kind", sorted(TELLINGS))
def test_every_telling_has_all_its_words(kind: str) -> None:
    """Also where an event lacks all of its members."""
    telling = TELLINGS[kind]
    for template in (telling.did, telling.instead):
        names = {name for _, name, _, _ in string.Formatter().parse(template) if name}
        assert names <= {*telling.what, "who", "it"}
    name, _, variant = kind.partition(".")
    event: dict[str, Any] = {"kind": name, "weather": "STORM", "on": True}
    event |= {"retired": True} if name == "LEAVE" else {"status": variant or "executed"}
    event |= {"state": variant} if variant and name != "LEAVE" else {}
    if name == "WEATHER":
        here = [segment(0), segment(1, weather="STORM")]
        sentence = "Here a storm came up; there it stayed away."
        assert told(here, [segment(0), segment(1)]) == [sentence]
        return
    assert kind_of(event) == kind
    [sentence] = told([segment(0, (5, event))], [segment(0)])
    assert sentence.startswith("Here ")
    assert sentence.endswith(".")
    assert "{" not in sentence


def test_a_sentence_says_who_did_what_here_and_there() -> None:
    assert told([segment(0, (5, SOLD))], [segment(0)]) == [
        "Here Bram sold iron ingots; there Bram kept them."
    ]
    assert told([segment(0)], [segment(0, (5, SOLD))]) == [
        "There Bram sold iron ingots; here Bram kept them."
    ]
    assert told([segment(0, (5, SOLD), (9, SOLD))], [segment(0, (7, SOLD))]) == [
        "Here Bram sold iron ingots twice; there once."
    ]


def test_what_happened_in_both_is_no_difference_whenever_it_did() -> None:
    assert told([segment(0, (5, SOLD))], [segment(0, (200, SOLD))]) == []
    assert told([segment(0, (5, SOLD))], [segment(0)], after=5) == [], "what is shared is left out"


def test_a_difference_begins_with_the_first_event_that_the_other_lacks() -> None:
    here, there = [segment(1, (5, FELL), (30, FELL), (60, FELL))], [segment(1, (10, FELL))]
    [found] = compare(*events(here, there))
    assert (found.tick, found.side, found.who) == (280, "here", "Bram")


def test_people_are_told_by_their_names_and_not_by_their_numbers() -> None:
    """Newcomers of two runs have the same numbers, and are others."""
    arrived = {"kind": "JOIN", "agent": "A9"}
    here = [segment(0, (5, arrived), names={"A9": "Ada"})]
    there = [segment(0, (5, arrived), names={"A9": "Bo"})]
    assert told(here, there) == [
        "Here Ada arrived; there Ada never came.",
        "There Bo arrived; here Bo never came.",
    ]


def test_hostile_words_stay_words() -> None:
    law = {"kind": "LAW", "status": "ACTIVE", "agent": "A1", "title": HOSTILE}
    [sentence] = told([segment(0, (5, law), names={"A1": HOSTILE})], [segment(0)])
    assert sentence.count(HOSTILE) == 2
    unknown = {"kind": "TRADE", "with": 7, "offer": [[HOSTILE, 1]]}
    assert told([segment(0, (5, unknown))], [segment(0)])
    long = {"kind": "POST", "actor": "A1", "title": "long " * 9999}
    [sentence] = told([segment(0, (5, long))], [segment(0)])
    assert len(sentence) < 400


def test_the_list_is_bounded_and_the_weightiest_come_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = {f"A{n}": f"P{n}" for n in range(300)}
    many: list[tuple[int, dict[str, Any]]] = [
        (n % 250, {"kind": "DOWNED", "agent": f"A{n}"}) for n in range(300)
    ]
    many += [(1, {**SOLD, "with": f"A{n}"}) for n in range(300)]
    found = told([segment(0, *many, names=names)], [segment(0)])
    assert len(found) == 2 * MAX_OF_A_KIND <= MAX_SENTENCES
    assert "collapsed" in found[0]
    assert "sold" in found[-1]
    monkeypatch.setattr(differences, "MAX_GROUPS", 3)
    assert len(told([segment(0, *many, names=names)], [segment(0)])) == 3


@pytest.mark.parametrize(
    "packed", [b"", b"no gzip", gzip.compress(b"[]", mtime=0), gzip.compress(b"{}", mtime=0)]
)
def test_what_is_no_segment_is_refused(packed: bytes) -> None:
    with pytest.raises(DamagedError):
        RunEvents(0).take(packed, 100)
