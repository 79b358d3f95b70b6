"""The built-in writer says nothing against its world: one day of one village here, forty days of six
under --long."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.bridges.chronicle.village_life import TOKENS
from thorp import village
from thorp.bridges.chronicle import PageBuilder, chronicle_config
from thorp.bridges.chronicle.check import judge
from thorp.bridges.chronicle.check.facts import WorldFacts
from thorp.bridges.chronicle.check.reading import Reader, split_hour
from thorp.bridges.chronicle.digest import Paragraph, digest
from thorp.bridges.chronicle.publisher import Page, stands
from thorp.bridges.voxel_town import new_city_world
from thorp.village.founding import RULES
from thorp.voxel import AnyInput, read_tuning, step

OPERATOR = "GEORGE"
SEEDS = (1337, 42, 7, 1, 2, 3)


class Judged:
    """A village whose every page is judged as it is written."""

    def __init__(self, seed: int) -> None:
        self.world = new_city_world(seed, tuning=read_tuning(RULES))
        self.sentences = 0
        self.read = 0
        self.wrong: list[str] = []
        self._facts = WorldFacts(self.world)
        self._builder = PageBuilder(self.world)
        self._config = chronicle_config()
        self._is_new = True

    def live(self, days: int) -> None:
        village.run(self.world, self._tick, TOKENS, to_tick=days * self.world.tuning.day_ticks)

    def _tick(self, inputs: Sequence[AnyInput]) -> None:
        step(self.world, inputs)
        if self._is_new:
            self._facts.restart()
        self._facts.look()
        page = self._builder.look(self.world)
        self._is_new = page is not None
        if page is not None:
            self._judge(page)

    def _judge(self, page: Page) -> None:
        paragraphs = digest(
            page.ticks,
            page.notices,
            page.day_ticks,
            OPERATOR,
            stands=lambda text: stands(text, self._config),
            most=64,
        )
        reader = Reader(self._facts)
        for paragraph in paragraphs:
            is_whole = not paragraph.visible_to or OPERATOR in paragraph.visible_to
            self._judge_one(paragraph, reader, page.day_ticks, is_whole=is_whole)

    def _judge_one(
        self, paragraph: Paragraph, reader: Reader, day_ticks: int, *, is_whole: bool
    ) -> None:
        begin = 0
        _, opening = split_hour(paragraph.text[: paragraph.sentences[0].end].removesuffix("."))
        for sentence in paragraph.sentences:
            text = paragraph.text[begin : sentence.end].strip()
            begin = sentence.end
            self.sentences += 1
            self.read += any(claim.kind for claim in reader.read(text, opening))
            found = judge(
                self._facts,
                text,
                day_ticks=day_ticks,
                opening=opening,
                is_whole=is_whole,
                reader=reader,
            )
            if found is not None:
                self.wrong.append(f"tick {sentence.tick}: {text} But {found.rule}: {found.instead}")


@pytest.mark.parametrize(
    ("seed", "days"),
    [(42, 1), *(pytest.param(seed, 40, marks=pytest.mark.long) for seed in SEEDS)],
)
def test_the_built_in_writer_says_nothing_against_its_world(seed: int, days: int) -> None:
    judged = Judged(seed)
    judged.live(days)
    assert judged.wrong == []
    assert judged.sentences > 10 * days
    assert judged.read >= 0.85 * judged.sentences
