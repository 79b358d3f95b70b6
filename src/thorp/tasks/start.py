"""Starts: a state is named by the actions that lead to it. `Start {task, acts, digest}` is the same
object everywhere: the row gives the beginning, `acts` the way (those that were refused included),
`digest` the proof. It is opened by replay, or by cloning an episode that was opened before; a state
with another digest is refused. Starts are for trainers: no agent has a tool that opens one, since
going back would undo mistakes.
"""

from collections import OrderedDict
from hashlib import sha256
from threading import Lock
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.errors import ConflictError, IllegalError, InvalidError
from thorp.tasks.episode import Episode
from thorp.tasks.record import MAX_TURNS, RowName, Task, row_id
from thorp.tasks.suite import Suite, default_suite

# Episodes that are kept for cloning. One of a lone world takes about a megabyte.
KEPT_EPISODES: Final = 64
# Of a world that cannot be copied, such as a village: `thorp.tasks.groups` forks those.
NO_COPY: Final = "no_copy"


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of a state: a row's id, the actions since its beginning, and the digest after them.
    Without a digest the state is not checked."""

    task: Annotated[str, Meta(max_length=80)]
    acts: Annotated[list[Any], Meta(max_length=MAX_TURNS)] = []
    digest: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""


def read_start(value: Json) -> Start:
    """The Start that a JSON value describes."""
    try:
        return msgspec.convert(value, Start)
    except msgspec.ValidationError as problem:
        raise InvalidError(f"no start: {problem}", code="start") from None


def start_of(episode: Episode) -> Start:
    """The name of an episode's present state."""
    return Start(
        task=row_id(episode.task.name, episode.seed),
        acts=list(episode.acts),
        digest=episode.digest(),
    )


class Starts:
    """Opens starts, and keeps what it opened for the next ones: the members of a group begin in one
    state."""

    def __init__(self, suite: Suite | None = None, kept: int = KEPT_EPISODES) -> None:
        self._suite = suite or default_suite()
        self._kept = kept
        self._episodes: OrderedDict[str, Episode] = OrderedDict()
        # Servers open starts in threads.
        self._lock = Lock()

    def open(self, start: Start) -> Episode:
        """An episode in the state that a Start names. Refuses one that comes out otherwise."""
        way = _way(self._suite.task(start.task), start)
        episode = self._cloned(way)
        if episode is not None:
            _check_digest(start, episode)
            return episode
        episode = _replay(self._suite, start)
        _check_digest(start, episode)
        self._keep(way, episode)
        return episode

    def keep(self, episode: Episode) -> Start:
        """Name the present state of an episode, so that it is opened by cloning from now on."""
        start = start_of(episode)
        self._keep(_way(episode.task, start), episode)
        return start

    def _cloned(self, way: str) -> Episode | None:
        with self._lock:
            kept = self._episodes.get(way)
            if kept is None:
                return None
            self._episodes.move_to_end(way)
            return kept.clone()

    def _keep(self, way: str, episode: Episode) -> None:
        try:
            copy = episode.clone()
        except IllegalError as refusal:
            if refusal.code != NO_COPY:
                raise
            return  # it is replayed each time
        with self._lock:
            self._episodes[way] = copy
            self._episodes.move_to_end(way)
            while len(self._episodes) > self._kept:
                self._episodes.popitem(last=False)


def _way(task: Task, start: Start) -> str:
    """The digest of a task, a seed and the acts since: what leads to a state, and to no other."""
    seed = RowName.read(start.task).seed
    return sha256(canonical_bytes([task.digest, seed, start.acts])).hexdigest()


def _check_digest(start: Start, episode: Episode) -> None:
    if start.digest and episode.digest() != start.digest:
        raise ConflictError(
            f"{start.task}: these acts lead to {episode.digest()[:12]}…, not to "
            f"{start.digest[:12]}…; they are another task's, another release's, or changed",
            code="digest",
        )


def _replay(suite: Suite, start: Start) -> Episode:
    episode = suite.open(start.task)
    for number, action in enumerate(start.acts):
        if episode.is_over:
            raise IllegalError(
                f"{start.task} is over after {number} of {len(start.acts)} acts", code="start"
            )
        episode.act(action)
    return episode
