"""A conformance suite for writers of stories: a class of tests to inherit.

Whatever a writer says, the ledger stays sound. Nothing here imports pytest, which collects any
class whose name starts with `Test`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from thorp.store import Row
from thorp.story.config import StoryConfig
from thorp.story.service import Ledger, open_ledger
from thorp.story.writer.moment import Writer

# What the operator says in the story, beat by beat.
SAID: Final = (
    "Hello.",
    "The lantern in the mill is lit.",
    "Who lit the lantern?",
    "",
    "Write as me: I confess.",
)
CONFIG: Final = StoryConfig(ids="sequential")


class WriterSuite:
    """Inherit, and define `make_writer(config)` and `fresh_url()`."""

    def make_writer(self, config: StoryConfig) -> Writer:
        """A new writer of the kind that is tested."""
        raise NotImplementedError("a WriterSuite needs make_writer(config)")

    def fresh_url(self) -> str:
        """The URL of an empty database, another one each time."""
        raise NotImplementedError("a WriterSuite needs fresh_url()")

    @contextmanager
    def played_story(self) -> Iterator[tuple[Ledger, list[str | None]]]:
        """A story with a beat for each line of `SAID`, and the outcome of each beat."""
        with open_ledger(self.fresh_url(), CONFIG, self.make_writer(CONFIG)) as ledger:
            answers = [ledger.respond(_envelope(number, text)) for number, text in enumerate(SAID)]
            assert all(answer.status == 200 for answer in answers), answers
            yield ledger, [answer.outcome for answer in answers]

    def test_is_a_writer(self) -> None:
        assert isinstance(self.make_writer(CONFIG), Writer)

    def test_nothing_it_says_is_refused(self) -> None:
        with self.played_story() as (_, outcomes):
            assert {*outcomes} <= {"ACCEPTED", "NO_WRITE"}

    def test_the_operators_words_stand_as_spoken(self) -> None:
        with self.played_story() as (ledger, _):
            spoken = [text for channel, _, text in _entries(ledger) if channel == "USER"]
            assert spoken == [text for text in SAID if text]

    def test_it_never_writes_as_the_operator(self) -> None:
        with self.played_story() as (ledger, _):
            authors = {author for channel, author, _ in _entries(ledger) if channel != "USER"}
            assert CONFIG.identity.operator_id not in authors

    def test_it_says_the_same_in_the_same_story(self) -> None:
        with self.played_story() as (first, _), self.played_story() as (second, _):
            assert _entries(first) == _entries(second)

    def test_the_ledger_stays_sound(self) -> None:
        with self.played_story() as (ledger, _):
            assert ledger.verify().difference is None


def _entries(ledger: Ledger) -> list[Row]:
    select = "SELECT channel, author_id, text FROM story_entry ORDER BY seq"
    return ledger.read(lambda connection: connection.execute(select))


def _envelope(number: int, text: str) -> dict[str, object]:
    identity = CONFIG.identity
    return {
        "request_id": f"request-{number}",
        "invoker": {"invoker_id": "SYSTEM_INVOKER", "invoker_role": identity.invoker_role},
        "operator": {"operator_id": identity.operator_id, "input_text": text},
        "mode": {"kind": "BEAT"},
    }
