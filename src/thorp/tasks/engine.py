"""What plays a task: an engine, chosen by the task's record.

An engine holds the world, the town or the ledger that a task is about, and the one learner in it.
It is deterministic: the task's parameters, the seed and the actions decide everything. A turn is
`submit`, which judges an action, and `advance`, which carries it out.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final, Protocol, Self

from thorp.kernel.canonical import Json
from thorp.kernel.errors import UnknownError
from thorp.tasks.goal import Place


class Engine(Protocol):
    """The world of one run of a task."""

    @property
    def anchors(self) -> Mapping[str, Place]:
        """The places that prompts and goals may name."""

    @property
    def words(self) -> Mapping[str, str]:
        """What else a prompt may name."""

    @property
    def ticks(self) -> int:
        """How many ticks have passed since the task began; 0 in a world without them."""

    def observe(self) -> dict[str, Json]:
        """What the learner sees. `text` is all of it in words, `possible` what it may do."""

    @property
    def possible(self) -> list[Json]:
        """What the learner may do now: actions that `submit` takes as they are."""

    def submit(self, action: Json) -> None:
        """Take the learner's action for this turn. Refuses, with an InvalidError, one that cannot
        be read or carried out; the turn then passes."""

    def advance(self, refusal: str) -> None:
        """Let the turn pass. `refusal` says why its action was refused; empty if it was not."""

    def measure(self, kind: str, argument: Any) -> Fraction:
        """How far a leaf of a goal is fulfilled."""

    def digest(self) -> str:
        """The digest of everything that decides what happens next."""

    def node(self) -> Json:
        """What goals can see, without ticks and ids: states with the same value are alike for
        credit."""

    def clone(self) -> Self:
        """A copy that goes on exactly as this one would, and independently of it."""


Factory = Callable[[Mapping[str, Any], int], Engine]
"""Makes an engine of a task's parameters and a seed."""


def _world(params: Mapping[str, Any], seed: int) -> Engine:
    from thorp.tasks.world_engine import WorldEngine

    return WorldEngine(params, seed)


def _ledger(params: Mapping[str, Any], seed: int) -> Engine:
    from thorp.tasks.ledger_engine import LedgerEngine

    return LedgerEngine(params, seed)


def _town(params: Mapping[str, Any], seed: int) -> Engine:
    from thorp.tasks.town_engine import TownEngine

    return TownEngine(params, seed)


# Engines are imported when a task needs them: a task in a world needs no ledger.
ENGINES: Final[dict[str, Factory]] = {"world": _world, "ledger": _ledger, "town": _town}


def make_engine(name: str, params: Mapping[str, Any], seed: int) -> Engine:
    """The engine of this name. Refuses an unknown one."""
    factory = ENGINES.get(name)
    if factory is None:
        raise UnknownError(
            f"no engine is called {name!r:.40}; there are {', '.join(ENGINES)}", code="engine"
        )
    return factory(params, seed)
