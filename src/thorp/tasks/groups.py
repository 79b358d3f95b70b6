"""Groups: one state, several ways on, and what each is worth.

    episode = default_suite().open("live-logs-1000")
    play_to(episode, policy, turn=5)
    group = run_group(episode, make_policy, members=8)
    print(group.advantages)

All members begin in one state, and in these worlds nothing varies but what they do: so the score of
a branch less the mean is an exact sample of what its first act was worth. A world that can be
copied is cloned; one that cannot, such as a village, is forked with its process, or else replayed.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, Literal

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import IllegalError, InvalidError
from thorp.tasks.episode import Episode
from thorp.tasks.start import NO_COPY, Start, start_of
from thorp.workers.forks import MAX_ALIVE, can_fork, run_forked

MAX_MEMBERS: Final = 1_024
"""The most branches of a group: a thousand samples of one state say all there is to say."""

Decide = Callable[[dict[str, Json]], Json]
"""A policy: an observation in, an action out."""
Way = Literal["clone", "fork", "replay"]


class Branch(msgspec.Struct, frozen=True, kw_only=True):
    """One way on from a state: what was done, and what came of it."""

    acts: list[Any]
    score: float
    gain: float
    """How much the score has grown since the fork: the return of the branch."""
    turns: int
    digest: str
    node: str


class Group(msgspec.Struct, frozen=True, kw_only=True):
    """Branches from one state."""

    start: Start
    node: str
    branches: tuple[Branch, ...]

    @property
    def mean(self) -> float:
        """The mean return of the branches."""
        return sum(branch.gain for branch in self.branches) / len(self.branches)

    @property
    def advantages(self) -> list[float]:
        """The return of each branch less the mean."""
        mean = self.mean
        return [branch.gain - mean for branch in self.branches]


def play_to(episode: Episode, decide: Decide, turn: int) -> None:
    """Play an episode by a policy until a turn, or until it is over."""
    while episode.turn < turn and not episode.is_over:
        episode.act(decide(episode.observe()))


def run_group(
    episode: Episode,
    make_policy: Callable[[int], Decide],
    *,
    members: int,
    alive: int = MAX_ALIVE,
    way: Way | None = None,
) -> Group:
    """Play an episode on to its end, once for each member, and leave it as it is. Every member has
    the policy that is made for its number, from 0 on.

    Forks live `alive` at once. `way` is how the state is copied; by default the cheapest one.
    """
    if not 1 <= members <= MAX_MEMBERS:
        raise InvalidError(f"a group has 1 to {MAX_MEMBERS} members, not {members}", code="members")
    chosen = way or _cheapest(episode)
    if chosen == "fork":
        branches = _forked(episode, make_policy, members, alive)
    else:
        copy = episode.clone if chosen == "clone" else lambda: replay(episode)
        branches = (_play(copy(), make_policy(member)) for member in range(members))
    return Group(start=start_of(episode), node=episode.node(), branches=tuple(branches))


def replay(episode: Episode) -> Episode:
    """A new episode in the same state, by playing the same acts again."""
    again = Episode(episode.task, episode.seed)
    for action in episode.acts:
        again.act(action)
    return again


def _cheapest(episode: Episode) -> Way:
    try:
        episode.clone()
    except IllegalError as refusal:
        if refusal.code != NO_COPY:
            raise
        return "fork" if can_fork() else "replay"
    return "clone"


def _play(episode: Episode, decide: Decide) -> Branch:
    """Play an episode to its end."""
    before = len(episode.acts)
    score = episode.exact_score
    turn = episode.turn
    while not episode.is_over:
        episode.act(decide(episode.observe()))
    return Branch(
        acts=episode.acts[before:],
        score=episode.score,
        gain=float(episode.exact_score - score),
        turns=episode.turn - turn,
        digest=episode.digest(),
        node=episode.node(),
    )


def _forked(
    episode: Episode, make_policy: Callable[[int], Decide], members: int, alive: int
) -> Iterator[Branch]:
    def branch(member: int) -> Callable[[], bytes]:
        return lambda: msgspec.json.encode(_play(episode, make_policy(member)))

    for result in run_forked([branch(member) for member in range(members)], alive):
        yield msgspec.json.decode(result, type=Branch)
