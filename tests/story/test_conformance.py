"""Every conformance case on both databases, and the writers that come with Thorp."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgres import Cluster
from tests.story.cases import LedgerSuite
from thorp.story.config import StoryConfig
from thorp.story.testing import WriterSuite
from thorp.story.writer import ScriptedWriter, Writer
from thorp.story.writer.offline import OfflineWriter


class OnSqlite:
    @pytest.fixture(autouse=True)
    def _place(self, tmp_path: Path) -> None:
        self._urls: Iterator[str] = (
            f"sqlite:///{tmp_path}/story-{number}.db" for number in itertools.count()
        )

    def fresh_url(self) -> str:
        return next(self._urls)


class TestSqlite(OnSqlite, LedgerSuite):
    pass


@pytest.mark.real("postgresql")
class TestPostgresql(LedgerSuite):
    @pytest.fixture(autouse=True)
    def _place(self, postgres: Cluster) -> None:
        self._cluster = postgres

    def fresh_url(self) -> str:
        return self._cluster.make_schema()


class TestOfflineWriter(OnSqlite, WriterSuite):
    def make_writer(self, config: StoryConfig) -> Writer:
        return OfflineWriter()


class TestScriptedWriter(OnSqlite, WriterSuite):
    def make_writer(self, config: StoryConfig) -> Writer:
        return ScriptedWriter()
