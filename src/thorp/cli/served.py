"""Towns and a story that a server keeps, with the methods of `EmbeddedTown` and `OwnStory`, so that
a command need not care who keeps them."""

import json
from collections.abc import Generator, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from functools import cached_property
from typing import Final

import msgspec

from thorp.client.http import HttpClient, ServerError, town_path
from thorp.kernel.canonical import Json
from thorp.kernel.closing import Closing
from thorp.kernel.errors import (
    ConflictError,
    IllegalError,
    InvalidError,
    ThorpError,
    UnavailableError,
)
from thorp.story import StoryConfig, read_config
from thorp.story.outcomes import BeatReport, read_report
from thorp.town.audit import Verified
from thorp.town.embedded.town import Town
from thorp.town.handoff import checked_handoff
from thorp.town.handoff_judge import UnknownTown
from thorp.town.orders import Answer, CreateTown, Order
from thorp.town.tables import Entry, WorldRow
from thorp.voxel.replica import Files

TOWNS: Final = "/admin/v1/towns"
STORY: Final = "/admin/v1/story"
FILES: Final = "/admin/v1/world/files"
BEAT_SECONDS: Final = 600.0  # A writer may ask a model several times.
# Time to execute a journal of a million records again, or a story as long.
VERIFY_SECONDS: Final = 3600.0
# Longer than a leader keeps a stream open that has nothing to send.
SILENT_SECONDS: Final = 20.0
# The largest limit that the server accepts; a page has far fewer entries.
MOST_ENTRIES: Final = 999_999_999


class ServedJournal(Closing):
    """The world of a server, as a follower copies it."""

    def __init__(self, url: str, token: str | None) -> None:
        self._client = HttpClient(url, token)
        self.name = self._client.name
        self.close = self._client.close

    def files(self, from_tick: int | None) -> Files:
        """List the files to copy, from a tick on."""
        query = {"from": None if from_tick is None else str(from_tick)}
        with _unavailable():
            answer = self._client.get(FILES, query)
        try:
            return msgspec.convert(answer, Files)
        except msgspec.ValidationError as problem:
            raise InvalidError(
                f"{self.name} does not list its files as a leader does: {problem}"
            ) from None

    def read(self, name: str, offset: int) -> Generator[bytes]:
        """The bytes of one of the files, as they come."""
        with _unavailable():
            yield from self._client.pieces(
                f"{FILES}/{name}", {"from": str(offset)}, seconds=SILENT_SECONDS
            )


@contextmanager
def _unavailable() -> Iterator[None]:
    """Report a server that did not answer as one that may answer later."""
    try:
        yield
    except ServerError as problem:
        raise UnavailableError(problem.message, code=problem.code) from None


class ServedTowns:
    """A server's world of towns."""

    def __init__(self, client: HttpClient, *, seed: int | None, create: bool) -> None:
        """Without `create` a missing world is refused. An existing one must have the seed, if one
        is given."""
        self._client = client
        self._seed = seed
        listed = client.get(TOWNS)
        world = listed["world"]
        if world is None and not listed["towns"] and not create:
            raise self._no_world()
        if world is not None and seed is not None and seed != int(world["seed"]):
            advice = "leave it out, or start another world"
            raise ConflictError(
                f"this world has seed {world['seed']}, not {seed}; {advice}", code="seed"
            )

    def _no_world(self) -> IllegalError:
        return IllegalError(
            f"{self._client.name} has no town world; `god town create NAME` starts one",
            code="no_world",
        )

    # What governors use.

    def snapshot(self, town_id: str) -> dict[str, Json]:
        """The snapshot of a town; a city of the voxel world may be called by its name."""
        try:
            return dict(self._client.get(town_path(town_id, "snapshot", "/v1/towns")))
        except IllegalError as problem:
            named = self._named(town_id) if problem.code == UnknownTown.code else None
            if named is None:
                raise
            return dict(self._client.get(town_path(named, "snapshot", "/v1/towns")))

    def _named(self, name: str) -> str | None:
        """The id of the town with this name; ambiguous names are refused."""
        ids = [str(town["townId"]) for town in self.summaries() if town.get("name") == name]
        if len(ids) > 1:
            message = f"{len(ids)} towns are called {name}: {', '.join(ids)}; give an id"
            raise IllegalError(message, code="ambiguous")
        return ids[0] if ids else None

    def execute(self, handoff: object) -> dict[str, Json]:
        text, _ = checked_handoff(handoff)
        return dict(self._client.post("/v1/handoffs", text.encode()))

    def submit(self, handoff: object) -> Future[dict[str, Json]]:
        """The same as a future that is done already, so handoffs are executed in the order of the
        calls."""
        done: Future[dict[str, Json]] = Future()
        try:
            done.set_result(self.execute(handoff))
        except ThorpError as problem:
            done.set_exception(problem)
        return done

    # What a keeper looks at.

    def world(self) -> WorldRow:
        about = self._about()
        return WorldRow(int(about["seed"]), about["day"], about["retain_days"], about["rules"])

    def tip(self) -> tuple[int, str]:
        about = self._about()
        return about["records"], about["tip"]

    def summaries(self) -> list[dict[str, Json]]:
        return list(self._client.get(TOWNS)["towns"])

    def town(self, town_id: str) -> Town:
        return msgspec.convert(self._client.get(town_path(town_id, "state")), Town)

    def chronicle(
        self, town_id: str | None = None, *, limit: int = 50, kind: str | None = None
    ) -> list[Entry]:
        query = {"town": town_id, "limit": str(limit), "kind": kind}
        return msgspec.convert(self._client.get(f"{TOWNS}/chronicle", query), list[Entry])

    def proposals(self, town_id: str) -> list[dict[str, Json]]:
        return list(self._client.get(town_path(town_id, "proposals")))

    def verify(self, tip: str | None = None) -> Verified:
        verdict = self._client.get(f"{TOWNS}/verify", {"tip": tip}, seconds=VERIFY_SECONDS)
        return msgspec.convert(verdict, Verified)

    def execute_order(self, order: Order[Answer]) -> Answer:
        """Let the server carry out an order of the keeper."""
        # Not by msgspec, which writes no integers beyond 64 bits.
        body = json.dumps(msgspec.to_builtins(order)).encode()
        creating = isinstance(order, CreateTown) and self._seed is not None
        seed = str(self._seed) if creating else None
        answer = self._client.post(f"{TOWNS}/orders", body, {"seed": seed})
        done: Answer = msgspec.convert(answer, order.answer)
        return done

    def _about(self) -> dict[str, Json]:
        about = self._client.get(TOWNS)["world"]
        if about is None:
            raise self._no_world()
        return dict(about)


class ServedStory:
    """A server's story."""

    def __init__(self, client: HttpClient, config: StoryConfig | None, *, create: bool) -> None:
        """A configuration creates the story, or must be the one it was created with."""
        self._client = client
        self._create = create
        self._ticks: dict[str, Json] = {}
        if config is not None and create:
            client.post(f"{STORY}/founding", json.dumps(msgspec.to_builtins(config)).encode())

    @cached_property
    def config(self) -> StoryConfig:
        """The configuration that the story has, or that the first beat would give it."""
        try:
            return read_config(self._client.get(STORY)["config"])
        except ThorpError as problem:
            if problem.code != "no_story" or not self._create:
                raise
            return StoryConfig()

    def invoke(
        self, envelope: bytes | Mapping[str, Json]
    ) -> tuple[int, dict[str, Json], BeatReport | None]:
        """The status and the body of the answer, and what became of the writer."""
        body = envelope if isinstance(envelope, bytes) else json.dumps(envelope).encode()
        status, answer = self._client.ask("POST", "/invocations", body=body, seconds=BEAT_SECONDS)
        return status, self._client.read(answer), read_report(self._client.headers)

    def page(self, reader: str | None, cursor: str | None, limit: int | None) -> dict[str, Json]:
        """A page as a reader sees it; without one, as the reader that our token stands for."""
        path = "/v1/story/stream" if reader is None else f"{STORY}/page"
        most = None if limit is None else str(min(limit, MOST_ENTRIES))
        page = self._client.get(path, {"as": reader, "cursor": cursor, "limit": most})
        self._ticks = page.get("ticks", {})
        return {name: page[name] for name in ("stream", "pocket")}  # the rest is for the web page

    def ticks(self, page: dict[str, Json]) -> dict[str, Json]:
        """The ticks of a world that each entry of the last page covers, by the id of the entry."""
        return self._ticks

    def commit_seed(self, seed: Mapping[str, Json]) -> dict[str, Json]:
        return dict(self._client.post(f"{STORY}/seeds", json.dumps(seed).encode()))

    def verify(self, *, again: bool, tip: str | None = None) -> dict[str, Json]:
        query = {"again": "1" if again else None, "tip": tip}
        return dict(self._client.get(f"{STORY}/verify", query, seconds=VERIFY_SECONDS))

    def why(
        self, reader: str | None, wanted: str, sentence: int | None, *, proof: bool
    ) -> dict[str, Json]:
        """Why the story has an entry, as a reader may know it."""
        query = {"as": reader, "entry": wanted, "proof": "1" if proof else None}
        query["sentence"] = None if sentence is None else str(sentence)
        return dict(self._client.get(f"{STORY}/why", query))

    def list_beats(self, last: int, *, troubled: bool) -> list[dict[str, Json]]:
        """The last beats, and what became of their writers."""
        query = {"last": str(last), "troubled": "1" if troubled else None}
        return list(self._client.get(f"{STORY}/audit", query)["beats"])

    def describe_beat(self, number: int) -> dict[str, Json]:
        """What the writer of a beat said and asked, and what came of it."""
        return dict(self._client.get(f"{STORY}/audit", {"beat": str(number)}))

    def list_branches(self) -> list[dict[str, Json]]:
        """Where this story left others, the oldest first."""
        return list(self._client.get(f"{STORY}/branches")["branches"])

    def export(self, reader: str | None, *, everything: bool) -> Iterator[dict[str, Json]]:
        return self._client.lines(
            f"{STORY}/export", {"as": reader, "all": "1" if everything else None}
        )
