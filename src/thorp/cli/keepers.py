"""Who keeps these towns, and this story: the process itself, or the server that holds their directory.

Whoever it is has the same methods and gives the same answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Union

from thorp.cli.location import Where
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.server.verification import prove_story
from thorp.story import Ledger, StoryConfig, open_ledger
from thorp.story.export import export_lines, reader_named
from thorp.town.service import EmbeddedTown

if TYPE_CHECKING:  # only those who have a server need its client
    from thorp.cli.served_story import ServedStory
    from thorp.cli.served_towns import ServedTowns

DEFAULT_WRITER = "offline"


class OwnStory:
    """A story that this process keeps."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.config = ledger.config

    def __enter__(self) -> OwnStory:
        return self

    def __exit__(self, *_: object) -> None:
        self._ledger.close()

    def invoke(self, envelope: bytes | Mapping[str, Json]) -> tuple[int, dict[str, Json]]:
        """The status of an envelope, and its answer."""
        return self._ledger.invoke(envelope)

    def page(self, reader: str | None, cursor: str | None, limit: int | None) -> dict[str, Json]:
        """A page with the eyes of a reader: a person, PUBLIC, or without one the operator."""
        return self._ledger.page(reader_named(reader, self.config), cursor, limit)

    def sow(self, seed: Mapping[str, Json]) -> dict[str, Json]:
        """Commit a seed."""
        return self._ledger.seed(seed)[1]

    def verify(self, *, again: bool, tip: str | None = None) -> dict[str, Json]:
        """What verification found."""
        return prove_story(self._ledger, again=again, tip=tip)

    def export(self, reader: str | None, *, everything: bool) -> Iterator[dict[str, Json]]:
        """The lines of an export."""
        return export_lines(self._ledger, reader, everything=everything)


Towns: TypeAlias = Union[EmbeddedTown, "ServedTowns"]
Story: TypeAlias = Union[OwnStory, "ServedStory"]


def open_towns(where: Where, *, seed: int | None = None, create: bool = False) -> Towns:
    """The world of towns that the options name."""
    kept = where.find()
    if isinstance(kept, (str, Path)):
        return EmbeddedTown(kept, seed=seed, create=create)
    from thorp.cli.served_towns import ServedTowns

    return ServedTowns(kept, seed=seed, create=create)


def open_story(
    where: Where, config: StoryConfig | None = None, writer: str = DEFAULT_WRITER, *, create: bool = False
) -> Story:
    """The story that the options name."""
    kept = where.find()
    if isinstance(kept, (str, Path)):
        return OwnStory(open_ledger(kept, config, writer, create=create))
    if writer != DEFAULT_WRITER:
        advice = "leave --writer out, or stop the server for this beat"
        raise InvalidError(f"{kept.name} has its own writer; {advice}", code="writer")
    from thorp.cli.served_story import ServedStory

    return ServedStory(kept, config, create=create)
