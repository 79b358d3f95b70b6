"""A story that a server keeps, with the same methods as `OwnStory`, so that a command does not care."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Final

import msgspec

from thorp.client.http import HttpClient
from thorp.kernel.canonical import Json
from thorp.kernel.errors import ThorpError
from thorp.story import StoryConfig, read_config

STORY: Final = "/admin/v1/story"
# A writer may ask a model several times.
BEAT_SECONDS: Final = 600.0
# A story of a million entries, played again.
VERIFY_SECONDS: Final = 3600.0
# The most that the server takes; a page has fewer entries by far.
MOST_ENTRIES: Final = 999_999_999


class ServedStory:
    """The story behind a line, which is closed with it."""

    def __init__(self, line: HttpClient, config: StoryConfig | None = None, *, create: bool = False) -> None:
        """A configuration founds the story, or must be the one it was founded with."""
        self._line = line
        self._create = create
        try:
            if config is not None and create:
                line.post(f"{STORY}/founding", json.dumps(msgspec.to_builtins(config)).encode())
        except BaseException:
            line.close()
            raise

    def __enter__(self) -> ServedStory:
        return self

    def __exit__(self, *_: object) -> None:
        self._line.close()

    @cached_property
    def config(self) -> StoryConfig:
        """What the story was founded with; before the first beat, what that will found it with."""
        try:
            return read_config(self._line.get(STORY)["config"])
        except ThorpError as problem:
            if problem.code != "no_story" or not self._create:
                raise
            return StoryConfig()

    def invoke(self, envelope: bytes | Mapping[str, Json]) -> tuple[int, dict[str, Json]]:
        body = envelope if isinstance(envelope, bytes) else json.dumps(envelope).encode()
        status, answer = self._line.ask("POST", "/invocations", body=body, seconds=BEAT_SECONDS)
        told: dict[str, Json] = self._line.read(answer)
        return status, told

    def page(self, reader: str | None, cursor: str | None, limit: int | None) -> dict[str, Json]:
        """Without a reader, with the eyes that our token has."""
        path = "/v1/story/stream" if reader is None else f"{STORY}/page"
        most = None if limit is None else str(min(limit, MOST_ENTRIES))
        page: dict[str, Json] = self._line.get(path, {"as": reader, "cursor": cursor, "limit": most})
        return page

    def sow(self, seed: Mapping[str, Json]) -> dict[str, Json]:
        body: dict[str, Json] = self._line.post(f"{STORY}/seeds", json.dumps(seed).encode())
        return body

    def verify(self, *, again: bool, tip: str | None = None) -> dict[str, Json]:
        asked = {"again": "1" if again else None, "tip": tip}
        found: dict[str, Json] = self._line.get(f"{STORY}/verify", asked, seconds=VERIFY_SECONDS)
        return found

    def export(self, reader: str | None, *, everything: bool) -> Iterator[dict[str, Json]]:
        return self._line.lines(f"{STORY}/export", {"as": reader, "all": "1" if everything else None})
