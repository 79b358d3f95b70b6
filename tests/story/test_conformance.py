"""Every conformance case on both databases, and the writers that come with Thorp."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import psycopg
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


@pytest.fixture(scope="session")
def schemas(postgres: Cluster) -> Iterator[Iterator[str]]:
    """Addresses of empty schemas in one database: making a schema takes a fiftieth of making a database."""
    database = postgres.make_database()
    with psycopg.connect(database, autocommit=True) as connection:

        def make(number: int) -> str:
            connection.execute(f"CREATE SCHEMA story_{number}".encode())
            return f"{database}&options=-csearch_path%3Dstory_{number}"

        yield map(make, itertools.count())


@pytest.mark.real("postgresql")
class TestPostgresql(LedgerSuite):
    @pytest.fixture(autouse=True)
    def _place(self, schemas: Iterator[str]) -> None:
        self._urls = schemas

    def fresh_url(self) -> str:
        return next(self._urls)


class TestOfflineWriter(OnSqlite, WriterSuite):
    def make_writer(self, config: StoryConfig) -> Writer:
        return OfflineWriter()


class TestScriptedWriter(OnSqlite, WriterSuite):
    def make_writer(self, config: StoryConfig) -> Writer:
        return ScriptedWriter()
