"""What the conformance cases of a ledger are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from tests.story.world import SEQUENTIAL, WatchedWriter, World
from thorp.kernel.canonical import Json
from thorp.kernel.errors import ContractError, ThorpError
from thorp.story.config import StoryConfig
from thorp.story.service import open_ledger
from thorp.story.writer.moment import Moment
from thorp.story.writer.offline import Line, ScriptedWriter

S = TypeVar("S", bound="Suite")


class Suite:
    """Inherit, and give `fresh_url()`: the address of a database in which there is no ledger
    yet."""

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

    def verdicts(
        self, *proposals: Line, text: str = "", config: StoryConfig = SEQUENTIAL
    ) -> list[str]:
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
        """What the gate answers to some questions, all asked in one beat, which then writes
        nothing."""
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
    """Give a suite one test for each row of a table: `test_ID` calls the method `check` with the
    row."""

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
        name: msgspec.structs.replace(getattr(config, name), **values)
        if isinstance(values, dict)
        else values
        for name, values in sections.items()
    }
    return msgspec.structs.replace(config, **changed)


def refused(
    work: Callable[..., object], *arguments: Any, kind: type[ThorpError] = ContractError
) -> str:
    """The code of the error that a call must raise."""
    try:
        work(*arguments)
    except kind as error:
        return error.code
    raise AssertionError("this should have been refused")
