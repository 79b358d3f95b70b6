"""Base classes of the conformance cases: `Suite` for ledgers, and `WriterSuite`, which tests a writer."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ContractError, ThorpError
from thorp.story.config import StoryConfig
from thorp.story.service import open_ledger
from thorp.story.testing.world import SEQUENTIAL, WatchedWriter, World
from thorp.story.writer.moment import Moment, Writer
from thorp.story.writer.scripted import Line, ScriptedWriter

S = TypeVar("S", bound="Suite")


class Suite:
    """Inherit, and give `fresh_url()`: the address of a database in which there is no ledger yet."""

    def fresh_url(self) -> str:
        raise NotImplementedError("a suite needs fresh_url()")

    def world(
        self,
        lines: Iterable[Line] = (),
        config: StoryConfig = SEQUENTIAL,
        *,
        writer: ScriptedWriter | None = None,
        url: str | None = None,
        **options: Any,
    ) -> World:
        """A world whose writer says these lines, in a fresh database unless a URL is given."""
        made = writer or WatchedWriter(lines)
        return World(open_ledger(url or self.fresh_url(), config, made, **options), made)

    def verdicts(self, *proposals: Line, text: str = "", config: StoryConfig = SEQUENTIAL) -> list[str]:
        """What acceptance says of some proposals, one a beat."""
        once = configured(config, writing={"max_attempts": 1})
        with self.world(proposals, once) as world:
            found = []
            for _ in proposals:
                world.stream(text)
                found.append(world.outcome().removeprefix("REJECTED "))
            return found

    def check_verdicts(self, verdict: str, *proposals: Line) -> None:
        """Each of these proposals gets this verdict."""
        assert self.verdicts(*proposals) == [verdict] * len(proposals)

    def answers(self, world: World, *questions: Json) -> list[dict[str, Json]]:
        """What the gate answers to some questions, all asked in one beat, which then writes nothing."""
        got: list[dict[str, Json]] = []

        def listen(moment: Moment) -> Json:
            got.extend(moment.results)
            return {"no_write": {}}

        world.writer.script([*questions, listen])
        world.stream("")
        return got

    def answer(self, world: World, asked: Json) -> dict[str, Json]:
        """What the gate answers to one question."""
        [answer] = self.answers(world, asked)
        return answer


def case_per_row(check: str, rows: Mapping[str, tuple[Any, ...]]) -> Callable[[type[S]], type[S]]:
    """Give a suite one test for each row of a table: `test_ID` calls the method `check` with the row."""

    def add_cases(suite: type[S]) -> type[S]:
        for case, row in rows.items():

            def test(self: Any, row: tuple[Any, ...] = row) -> None:
                getattr(self, check)(*row)

            setattr(suite, f"test_{case}", test)
        return suite

    return add_cases


def configured(config: StoryConfig = SEQUENTIAL, **sections: Any) -> StoryConfig:
    """A configuration with some members of some sections changed."""
    changed = {
        name: msgspec.structs.replace(getattr(config, name), **values) if isinstance(values, dict) else values
        for name, values in sections.items()
    }
    return msgspec.structs.replace(config, **changed)


def refused(work: Callable[..., object], *arguments: Any, kind: type[ThorpError] = ContractError) -> str:
    """The code of the error that a call must raise."""
    try:
        work(*arguments)
    except kind as error:
        return error.code
    raise AssertionError("this should have been refused")


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
