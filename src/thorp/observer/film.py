"""Films: a stretch of a world as one HTML file, which plays in any browser without a network.

A film is made by executing the journal. It holds the documents that the page would ask a server
for, so the page's own script plays it: segments of the tape, the ground, what the people agreed on,
their buildings, and the passages of the story that the public may read. Nothing private is in it:
pockets, chests and refusals only if that was asked for, and of the story nothing that is not
PUBLIC.

The same stretch of the same journal gives the same documents, so a film is checked by making it
again (`film_check`). `about` has their digests, and those of the world.
"""

import gzip
import struct
from collections.abc import Mapping
from concurrent.futures import Future
from functools import cached_property
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any, Final

import msgspec

from thorp import __version__
from thorp.bridges.chronicle import world_name
from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.canonical import Json
from thorp.kernel.errors import DamagedError, IllegalError, LimitError
from thorp.kernel.inflate import GZIP, inflate
from thorp.observer import inspection
from thorp.observer.annals import Annals, kept_buildings
from thorp.observer.bootstrap import make_bootstrap
from thorp.observer.tape_recorder import BIN_TICKS, SEGMENT_TICKS, SORTS, TABLES, Recorder, Segment
from thorp.pages.scripts import FILM
from thorp.pages.standalone import StandalonePage, make_page, take_apart
from thorp.store import Disk
from thorp.voxel import World
from thorp.voxel.achievements import SOCIAL, TECH
from thorp.voxel.persistence.directory import WorldDirectory
from thorp.voxel.persistence.replay import History, Watch
from thorp.voxel.state.ground import ChunkKey

FORMAT: Final = 1
# Every document's element is called so in the file, apart from those of the page that plays it.
PREFIX: Final = "film/"
ABOUT: Final = f"{PREFIX}about"
# Ten days of a village. It bounds the time that making and checking take.
MAX_TICKS: Final = 60_000
# What may be attached to a mail almost everywhere. A day of the village is 2 MB.
MAX_BYTES: Final = 24 * 2**20
# Of one document, when it is unpacked: 2,000 chunks of ground.
MAX_DOCUMENT_BYTES: Final = 64 * 2**20
MAX_DOCUMENTS: Final = 2_000
# The ground that a film holds around every body, in chunks: the page sees no further.
SEEN_CHUNKS: Final = 6
MAX_CHUNKS: Final = 2_000
# Ticks between two digests that are compared while the journal leads up to the film.
CHECK_EVERY: Final = 500
# How high a film stands in a notebook, in pixels.
NOTEBOOK_HEIGHT: Final = 620

_encode = msgspec.json.Encoder(order="deterministic").encode


class Scope(msgspec.Struct, frozen=True, kw_only=True):
    """What a film shows: its first and its last tick, and whether pockets, chests and refusals are
    in it."""

    first: int
    last: int
    open_book: bool = False


class About(msgspec.Struct, kw_only=True):
    """What a film says of itself."""

    film: int
    """The format."""
    release: str
    """The release of Thorp that made it."""
    world: str
    """The name of the world."""
    first: int
    last: int
    open_book: bool
    digests: list[tuple[int, str]]
    """The digest of the world after some ticks: before the first one, after the last one, and at
    the end of every segment between."""
    proof: str | None
    """The proof of a log that one of these digests was published."""
    contents: dict[str, str]
    """The SHA-256 of each document, unpacked."""


class Film:
    """A film: what it says of itself, and its documents."""

    def __init__(self, page: StandalonePage, about: About) -> None:
        self.page = page
        self.about = about

    @cached_property
    def html(self) -> bytes:
        """The whole file."""
        return self.page.html()

    def document(self, name: str) -> bytes:
        """One document, unpacked. Refuses one that is missing or too long."""
        packed = self.page.packed.get(PREFIX + name)
        if packed is None:
            raise DamagedError(f"the film has no part {name}")
        return inflate(packed, MAX_DOCUMENT_BYTES, GZIP)

    def save(self, path: str | Path) -> None:
        """Write the file."""
        Path(path).write_bytes(self.html)

    def _repr_html_(self) -> str:
        """The film itself, in a notebook: in a frame that may run its script and nothing else."""
        style = f"width:100%;height:{NOTEBOOK_HEIGHT}px;border:0"
        # In ASCII, so that whatever keeps the notebook cannot change a byte of the script.
        source = escape(self.html.decode()).encode("ascii", "xmlcharrefreplace").decode()
        return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{source}"></iframe>'


def make_film(
    disk: Disk,
    path: Path,
    scope: Scope,
    *,
    story: Mapping[str, Json] | None = None,
    proof: tuple[int, str] | None = None,
    watch: Watch = lambda _: None,
) -> Film:
    """Execute the journal of a world directory, and make a film of a part of it. `story` is a page
    of the story as the public may read it; `proof` is the tick of a published digest, and the text
    of its proof. Refuses a stretch that is not there, and one that is too long."""
    check_length(scope)
    documents, about = record(disk, path, scope, story=story, proof=proof, watch=watch)
    texts = {ABOUT: _encode(about)}
    title = f"A film of Thorp: world {about.world}, ticks {about.first} to {about.last}"
    packed = {PREFIX + name: gzip.compress(text, 9, mtime=0) for name, text in documents.items()}
    film = Film(make_page(title, FILM, texts, packed), about)
    if len(film.html) > MAX_BYTES:
        raise LimitError(
            f"this film would have {len(film.html) / 1e6:.0f} MB, and at most "
            f"{MAX_BYTES / 1e6:.0f} are allowed; choose a shorter stretch",
            code="film_too_large",
        )
    return film


def check_length(scope: Scope) -> None:
    """Refuse a stretch that no film may show."""
    if not 1 <= scope.first <= scope.last:
        raise IllegalError(
            f"there are no ticks {scope.first} to {scope.last}; the first tick is 1, and the last "
            "one comes after it",
            code="range",
        )
    ticks = scope.last - scope.first + 1
    if ticks > MAX_TICKS:
        raise LimitError(
            f"{ticks} ticks are too many for a film, which has at most {MAX_TICKS}; choose a "
            "shorter stretch",
            code="film_too_long",
        )


def read_film(file: bytes) -> Film:
    """Take a film apart. Refuses, as damaged, a file that is not a film or has anything else in
    it."""
    if len(file) > MAX_BYTES:
        raise LimitError(f"a film has at most {MAX_BYTES} bytes", code="film_too_large")
    page = take_apart(file)
    if set(page.texts) != {ABOUT}:
        raise DamagedError("this is no film: it does not say what it is about")
    try:
        about = msgspec.json.decode(page.texts[ABOUT], type=About)
    except msgspec.MsgspecError as problem:
        raise DamagedError(f"what this film says of itself cannot be read: {problem}") from None
    if about.film != FORMAT:
        raise IllegalError(
            f"this is a film of format {about.film}, made by Thorp {about.release}; this release "
            f"reads format {FORMAT}",
            code="film_format",
        )
    return Film(page, about)


def record(
    disk: Disk,
    path: Path,
    scope: Scope,
    *,
    story: Mapping[str, Json] | None,
    proof: tuple[int, str] | None,
    watch: Watch,
) -> tuple[dict[str, bytes], About]:
    """The documents of a film, and what it says of itself."""
    directory = WorldDirectory(disk, path)
    directory.require()
    last = directory.segments()[-1].end().tick
    if scope.last > last:
        raise IllegalError(
            f"{path}: the last tick is {last}, so there is no tick {scope.last}", code="range"
        )
    begins = min(directory.journals())
    if scope.first < begins:
        raise IllegalError(
            f"{path}: the journal begins with tick {begins}, and says nothing of tick "
            f"{scope.first}; begin the film there or later",
            code="range",
        )
    history = History.begin(disk, path, new_city_world, at_most=scope.first - 1)
    shooting = _Shooting(scope, kept_buildings(path, scope.first - 1))
    proved_tick = None if proof is None else proof[0]

    def look(tick: int) -> None:
        watch(tick)
        if tick == scope.first - 1:
            shooting.begin(history.world)
        elif tick >= scope.first:
            assert history.record is not None
            shooting.look(history.world, history.record.inputs)
        if tick == proved_tick or tick == scope.last:
            shooting.note_digest(history.world)

    look(history.world.tick)
    history.go(to_tick=scope.last, check_every=CHECK_EVERY, watch=look)
    _confirm_end(history)
    documents = shooting.documents(history.world, world_name(disk, path), story)
    about = About(
        film=FORMAT,
        release=__version__,
        world=world_name(disk, path),
        first=scope.first,
        last=scope.last,
        open_book=scope.open_book,
        digests=sorted(shooting.digests.items()),
        proof=None if proof is None else proof[1],
        contents={name: sha256(text).hexdigest() for name, text in documents.items()},
    )
    return documents, about


def _confirm_end(history: History) -> None:
    """Compare the digest after the last tick with what the journal says, if it says it."""
    tick = history.world.tick
    journaled = history.directory.digest_after(tick)
    if journaled is not None and journaled != history.world.digest():
        raise DamagedError(
            f"{history.directory.path}: executing the journal gives another digest after tick "
            f"{tick}; `thorp world verify` says more"
        )


class _Shooting:
    """What is collected for a film while the journal is executed."""

    def __init__(self, scope: Scope, buildings: Any) -> None:
        self._scope = scope
        self._annals = Annals()
        self._annals.buildings = buildings
        self._recorder = Recorder()
        self._segments: list[Segment] = []
        self._keyframes: dict[int, dict[ChunkKey, bytes]] = {}
        """By tick: the ground as it was then, of chunks that came into view."""
        self._there: set[ChunkKey] = set()
        """Chunks that a keyframe of this season has."""
        self._season = 0
        self.digests: dict[int, str] = {}
        self._done: Future[None] = Future()
        self._done.set_result(None)

    def begin(self, world: World) -> None:
        """Look at the world before the first tick of the film."""
        self._annals.buildings.seed(world)
        self._season = world.season
        self.note_digest(world)
        self._see_ground(world)

    def look(self, world: World, inputs: Any) -> None:
        """Take in a tick."""
        self._recorder.look(world, inputs)
        self._annals.look(world, inputs, self._done)
        for table in TABLES:
            # From here on, its changes are those of the next tick.
            getattr(world, table).digest()
        ends = world.tick == self._scope.last or world.tick % SEGMENT_TICKS == SEGMENT_TICKS - 1
        if ends:
            assert self._recorder.open is not None
            self._segments.append(self._recorder.open)
            self.note_digest(world)
        if world.season != self._season:
            self._season = world.season
            self._there = set()
        if ends or not self._there:
            self._see_ground(world)

    def note_digest(self, world: World) -> None:
        """Note the digest of the world after this tick."""
        self.digests[world.tick] = world.digest()

    def _see_ground(self, world: World) -> None:
        """Keep the ground around every body that is not kept yet."""
        ground = world.ground
        edge = world.tuning.world_boundary_r >> 4
        span = range(-SEEN_CHUNKS, SEEN_CHUNKS + 1)
        middles = sorted({(agent.x >> 4, agent.z >> 4) for agent in world.agents})
        new: dict[ChunkKey, bytes] = {}
        for cx, cz in middles:
            for key in ((cx + dx, cz + dz) for dz in span for dx in span):
                if key in self._there or max(abs(key[0]), abs(key[1])) > edge:
                    continue
                if len(self._there) >= MAX_CHUNKS:
                    break
                new[key] = ground.look(*key)
                self._there.add(key)
        if new:
            self._keyframes.setdefault(world.tick, {}).update(new)

    def documents(
        self, world: World, name: str, story: Mapping[str, Json] | None
    ) -> dict[str, bytes]:
        """Every document by its name, unpacked."""
        open_book = self._scope.open_book
        decisions, samples, elections = self._annals.noted
        documents = {
            "bootstrap": _encode(make_bootstrap(world, name)),
            "state": _encode(self._state(world, name)),
            "society": _encode(inspection.society(world, open_book=open_book)),
            "buildings": _encode(self._annals.buildings.shown(world)),
            "elections": _encode(elections[::-1]),
            "decisions": _encode(decisions),
            "treasuries": _encode(samples),
            "marks": _encode(self._marks()),
        }
        if story is not None:
            documents["story"] = _encode(story)
        for segment in self._segments:
            documents[f"tape/{segment.n}"] = gzip.decompress(segment.packed(1))
            if open_book:
                documents[f"private/{segment.n}"] = gzip.decompress(segment.packed_private(1))
        for tick, chunks in self._keyframes.items():
            documents[f"ground/{tick}"] = b"".join(
                struct.pack("<ii", *key) + cells for key, cells in sorted(chunks.items())
            )
        return documents

    def _state(self, world: World, name: str) -> dict[str, object]:
        """Which ticks can be looked at, as a server says it of its tape."""
        count = len(self._segments)
        return {
            "world": name,
            "tick": self._scope.last,
            "segment_ticks": SEGMENT_TICKS,
            "day_ticks": world.tuning.day_ticks,
            "tick_rate_hz": world.tuning.tick_rate_hz,
            "playable": [(self._scope.first, self._scope.last)],
            "missing": [],
            "done": count,
            "of": count,
            "seasons": [tick for each in self._segments for tick, _ in each.document["seasons"]],
            "achievements": {"tech": TECH, "social": SOCIAL},
        }

    def _marks(self) -> dict[str, object]:
        """What happened: counts by bin and sort for each segment, and all marks."""
        return {
            "sorts": SORTS,
            "bin_ticks": BIN_TICKS,
            "counts": {str(each.n): each.counts.tolist() for each in self._segments},
            "marks": [mark for each in self._segments for mark in each.marks],
        }
