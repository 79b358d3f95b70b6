"""The tape of a world that is over, or is shown as it once was: nothing is added to it here."""

import asyncio
from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

from thorp.observer.tape import Stretch, Tape
from thorp.observer.tape_recorder import Segment
from thorp.voxel import World

P = ParamSpec("P")
T = TypeVar("T")


class FinishedTape:
    """A tape to which nothing is added, with the world of its last tick."""

    def __init__(self, tape: Tape, name: str, world: World, *, begins: int = 1) -> None:
        """`name` is that by which browsers keep its segments; `begins` its first tick."""
        self.world = world
        self.name = name
        self.tape = tape
        self.begins = begins
        self.waiting: dict[int, Segment] = {}

    def lacks(self, numbers: Sequence[int], stretches: Sequence[Stretch]) -> bool:
        """Never: what is missing is being made by whoever began it, or cannot be made."""
        return False

    def unstored(self) -> list[Segment]:
        """None: all are on the tape."""
        return []

    def fill_gaps(self) -> None:
        """Nothing is made later."""

    async def ask(self, question: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Ask the tape something, in a thread."""
        return await asyncio.to_thread(question, *args, **kwargs)
