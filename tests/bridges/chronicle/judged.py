"""A world whose chronicle is judged by the facts of the world, page by page."""

from __future__ import annotations

from thorp.bridges.chronicle import PageBuilder, chronicle_config
from thorp.bridges.chronicle.check import judge
from thorp.bridges.chronicle.check.facts import WorldFacts
from thorp.bridges.chronicle.check.reading import Reader, split_hour
from thorp.bridges.chronicle.digest import Paragraph, digest
from thorp.bridges.chronicle.publisher import Page, stands
from thorp.voxel import World

OPERATOR = "GEORGE"


class JudgedPages:
    """The pages that the built-in writer makes of a world, each judged as it is written."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.texts: list[str] = []
        """The last page, by paragraphs."""
        self.sentences = 0
        self.read = 0
        self.wrong: list[str] = []
        self._facts = WorldFacts(world)
        self._builder = PageBuilder(world)
        self._config = chronicle_config()
        self._is_new = True

    def look(self) -> None:
        """Take in the last tick of the world, and judge the page that ends with it."""
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
        self.texts = [paragraph.text for paragraph in paragraphs]
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
