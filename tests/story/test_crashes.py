"""All or nothing, on a disk that breaks.

A client that never gives up tells a story to a ledger whose power is cut, or whose disk fails, at every
single change to the disk in turn. It sends again what was not answered. However it went, the chain at the end
must be that of a run without any accident: nothing lost, nothing twice, and every answer the same bytes.
"""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from tests.accidents import KINDS, live_through
from tests.story.world import bundle, entry, question, voice
from thorp.kernel.errors import ThorpError
from thorp.simulator.breakable_sqlite import BreakableSqlite
from thorp.store.testing import BreakableDisk, PowerLost
from thorp.story import StoryConfig
from thorp.story.config import Context
from thorp.story.service import Ledger
from thorp.story.writer import Moment, Words
from thorp.story.writer.offline import ScriptedWriter

CONFIG = StoryConfig(context=Context(unit="chars", budget=400, ratio_percent=100))
SECRET = 11
TOLD: list[tuple[str, Any]] = [
    ("Hello.", bundle(voice(), entry())),
    ("Who is there?", [question("hello"), bundle(entry("A secret.", to=["REBECCA"]))]),
    ("", {"no_write": {}}),
    ("The river rises over the stones. " * 15, bundle(voice("It does."))),
    ("And now?", bundle(entry("We wait."), wrote="yes")),
    ("SEED", None),
    ("Later.", bundle(voice("A bell."))),
]
SEED = {"author_id": "WORLD", "text": "Tea at four.", "calendar": {"title": "Tea"}}


class ByHeart(ScriptedWriter):
    """Says in each beat what belongs to it, however often the beat is tried."""

    def write(self, moment: Moment) -> Words:
        line = TOLD[int(moment.request_id)][1]
        self.script([line[len(moment.results)] if isinstance(line, list) else line])
        return super().write(moment)


class Client:
    """Tells the story, remembering only what was answered."""

    def __init__(self) -> None:
        self.answered: dict[int, str] = {}

    def tell(self, ledger: Ledger) -> None:
        for number, (text, _) in enumerate(TOLD):
            if number in self.answered:
                continue
            if text == "SEED":
                seed = {
                    "request_id": str(number),
                    "author_id": "WORLD",
                    "text": "Tea.",
                    "calendar": {"title": "Tea"},
                }
                ledger.seed(seed)
                self.answered[number] = self.body(ledger, number)
                continue
            answer = ledger.respond(envelope(number, text))
            if answer.status != 200:
                raise PowerLost
            self.answered[number] = answer.body

    def body(self, ledger: Ledger, number: int) -> str:
        [(body,)] = ledger.read(
            lambda connection: connection.execute(
                "SELECT body FROM story_request WHERE request_id = ?", [str(number)]
            )
        )
        return str(body)

    def check(self, ledger: Ledger) -> None:
        """What was answered is there to the byte, nothing but what was sent, and nothing by half."""
        assert ledger.verify().difference is None
        for number, body in self.answered.items():
            assert self.body(ledger, number) == body
        beats, _ = ledger.tip()
        assert len(self.answered) <= beats <= len(self.answered) + 1


def envelope(number: int, text: str) -> dict[str, Any]:
    return {
        "request_id": str(number),
        "invoker": {"invoker_id": "SYSTEM_INVOKER", "invoker_role": "INVOKER"},
        "operator": {"operator_id": "GEORGE", "input_text": text},
        "mode": {"kind": "BEAT"},
    }


def live(sqlite: BreakableSqlite, disk: BreakableDisk, client: Client) -> str | None:
    """One life of the process. The tip of the chain, if it came to the end of the story."""
    try:
        database = sqlite.open(disk.root / "story.db")
        with contextlib.closing(Ledger(database, CONFIG, ByHeart(), secret=SECRET)) as ledger:
            client.check(ledger)
            client.tell(ledger)
            client.check(ledger)
            return ledger.tip()[1]
    except (ThorpError, PowerLost):
        return None


def tell_through(accident: int, kind: str, seed: int) -> tuple[str, int]:
    """Tell the story to its end, with an accident at one change to the disk; the tip, and the changes."""
    client = Client()
    return live_through(lambda sqlite, disk: live(sqlite, disk, client), accident, kind, seed)


STRIDE = 5
"""The normal run takes every fifth change to the disk; the long one takes all of them, several times."""
LONG_SEEDS = 10


@pytest.fixture(scope="module")
def undisturbed() -> tuple[str, int]:
    return tell_through(0, "power", 0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("seeds", "stride"),
    [(range(1), STRIDE), pytest.param(range(1, LONG_SEEDS), 1, marks=pytest.mark.long)],
    ids=["short", "long"],
)
def test_an_accident_at_any_change_to_the_disk(
    undisturbed: tuple[str, int], kind: str, seeds: range, stride: int
) -> None:
    tip, changes = undisturbed
    assert changes > 60
    for seed in seeds:
        for accident in range(1 + len(kind) % stride, changes + 1, stride):
            found, _ = tell_through(accident, kind, seed * changes + accident)
            assert found == tip, f"{kind} at change {accident}, seed {seed}"


def test_a_beat_without_its_answer_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test can fail: a ledger that keeps a beat and forgets its answer does not pass."""
    from thorp.story.tables import Tables

    insert = Tables.insert

    def careless(self: Tables, rows: Any) -> None:
        insert(self, [row for row in rows if row[0] != "story_call"])

    monkeypatch.setattr(Tables, "insert", careless)
    with pytest.raises(AssertionError):
        tell_through(0, "power", 0)
