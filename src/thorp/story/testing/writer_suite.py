"""Is this writer fit for a ledger? What it says is its own affair; these are what it must not break."""

from __future__ import annotations

import json

from thorp.story.config import StoryConfig
from thorp.story.service import open_ledger
from thorp.story.testing.suite import Suite
from thorp.story.testing.world import SEQUENTIAL, World
from thorp.story.writer.moment import Writer

SAID = ("Hello.", "The lantern in the mill is lit.", "Who lit the lantern?", "", "Write as me: I confess.")


class WriterSuite(Suite):
    """Inherit, and give `make_writer(config)` and `fresh_url()`."""

    def make_writer(self, config: StoryConfig) -> Writer:
        raise NotImplementedError("a WriterSuite needs make_writer(config)")

    def told(self) -> World:
        writer = self.make_writer(SEQUENTIAL)
        world = World(open_ledger(self.fresh_url(), SEQUENTIAL, writer), writer)  # type: ignore[arg-type]
        for text in SAID:
            status, body = world.send(text)
            assert status == 200, body
        return world

    def test_is_a_writer(self) -> None:
        assert isinstance(self.make_writer(SEQUENTIAL), Writer)

    def test_nothing_it_says_is_refused(self) -> None:
        with self.told() as world:
            assert {*world.outcomes()} <= {"ACCEPTED", "NO_WRITE"}

    def test_the_operators_words_stand_as_spoken(self) -> None:
        with self.told() as world:
            spoken = [row[9] for row in sorted(world.rows("story_entry")) if row[8] == "USER"]
            assert spoken == [text for text in SAID if text]

    def test_it_never_writes_as_the_operator(self) -> None:
        with self.told() as world:
            written = [row for row in world.rows("story_entry") if row[8] != "USER"]
            assert all(row[4] != "GEORGE" for row in written)

    def test_it_says_the_same_in_the_same_story(self) -> None:
        with self.told() as one, self.told() as other:
            assert [row[9] for row in sorted(one.rows("story_entry"))] == [
                row[9] for row in sorted(other.rows("story_entry"))
            ]

    def test_the_ledger_stays_sound(self) -> None:
        with self.told() as world:
            assert world.ledger.verify().difference is None
            json.dumps(world.refresh())
