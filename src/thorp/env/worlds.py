"""`Worlds`: many small worlds stepped together, over processes; `docs/env.md` has an example.

This process steps one share of the worlds itself, and each further process steps another. All of
them share the memory of observations, rewards and actions; only orders and answers go through
pipes.
"""

import os
import pickle
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from thorp.env.arrays import Arrays
from thorp.env.world import World
from thorp.kernel.closing import Closing
from thorp.kernel.errors import IllegalError, InvalidError, UnavailableError
from thorp.voxel import Tuning

# Some hundred megabytes of memory, and as many as the processes of one machine can step.
MAX_WORLDS: Final = 4_096
END_SECONDS: Final = 5.0  # How long a process may take to end before it is killed.


class Worlds(Closing):
    """Worlds with these seeds, all with the same number of agents and the same tuning. They begin
    and end their episodes together. Close it, or use it in a `with`, so that its processes end."""

    def __init__(
        self,
        seeds: Sequence[int],
        agents: int = 1,
        tuning: Tuning | Mapping[str, Any] | None = None,
        *,
        processes: int | None = None,
        busy_ticks: int = 1,
        max_steps: int | None = None,
    ) -> None:
        if not 1 <= len(seeds) <= MAX_WORLDS:
            raise InvalidError(
                f"there must be 1..{MAX_WORLDS} seeds, not {len(seeds)}", code="range"
            )
        if processes is not None and processes < 1:
            raise InvalidError(f"processes must be at least 1, not {processes}", code="range")
        options: dict[str, Any] = {
            "agents": agents,
            "tuning": tuning,
            "busy_ticks": busy_ticks,
            "max_steps": max_steps,
        }
        example = World(seeds[0], arrays=True, **options)
        self.action_names: Final = example.action_names
        self.observation_spec: Final = example.observation_spec
        context = get_context()
        shape = (len(seeds), agents)
        layout: _Layout = {
            key: ((*shape, *it.shape), it.dtype) for key, it in self.observation_spec.items()
        }
        layout |= {"rewards": (shape, np.float32), "actions": (shape, np.int16)}
        sizes = {
            name: int(np.prod(size)) * np.dtype(kind).itemsize
            for name, (size, kind) in layout.items()
        }
        memory = {name: context.RawArray("b", size) for name, size in sizes.items()}
        self._arrays = _views(memory, layout)
        self._actions: NDArray[np.int16] = self._arrays.pop("actions")
        self.rewards: NDArray[np.float32] = self._arrays.pop("rewards")
        self.dones: NDArray[np.bool_] = np.ones(len(seeds), np.bool_)
        count = min(processes or os.cpu_count() or 1, len(seeds))
        edges = [len(seeds) * number // count for number in range(count + 1)]
        self._firsts: Final = edges[:-1]
        """The number of the first world of each share."""
        first, *others = [
            (tuple(seeds[a:b]), slice(a, b), options, memory, layout) for a, b in pairwise(edges)
        ]
        self._pipes: list[Connection] = []
        self._processes: list[Any] = []
        for share in others:
            ours, theirs = context.Pipe()
            self._pipes.append(ours)
            part = (theirs, self._pipes, share)
            self._processes.append(context.Process(target=_serve, args=part, daemon=True))
            self._processes[-1].start()
            theirs.close()
        self._share: _Share | None = _Share(*first)

    def reset(self) -> Arrays:
        """Begin every world anew; return what all agents see, an array of each kind."""
        self._ask("reset")
        self.dones[:] = False
        return {name: array.copy() for name, array in self._arrays.items()}

    def step(self, actions: ArrayLike) -> Arrays:
        """One step of every world, with one discrete action for each agent."""
        if self.dones.all():
            raise IllegalError("the episode has ended, or never begun; call reset()", code="ended")
        self._actions[:] = self._checked(actions)
        self.dones[:] = self._ask("step")[0]
        return {name: array.copy() for name, array in self._arrays.items()}

    @property
    def infos(self) -> list[dict[str, dict[str, Any]]]:
        """The `World.infos` of each world."""
        return [info for infos in self._ask("infos") for info in infos]

    def fork(self, source: int, target: int) -> None:
        """Copy world `source` over world `target`: both go on from the same state, with the same
        observations. From the next reset on the target has its own seed again."""
        count = len(self.dones)
        for number in (source, target):
            if type(number) is not int or not 0 <= number < count:
                raise InvalidError(
                    f"worlds are numbered from 0 to {count - 1}, not {number!r:.40}", code="range"
                )
        if self.dones.all():
            raise IllegalError("the episode has ended, or never begun; call reset()", code="ended")
        packed = self._ask_for(source, "pack")
        self._ask_for(target, "load", packed)
        for array in (*self._arrays.values(), self.rewards):
            array[target] = array[source]

    def close(self) -> None:
        """End the processes. Closing twice does nothing."""
        for pipe in self._pipes:
            pipe.close()
        self._pipes = []
        self._share = None
        for process in self._processes:
            process.join(END_SECONDS)
            if process.is_alive():
                process.kill()

    def _checked(self, actions: ArrayLike) -> NDArray[Any]:
        try:
            array = np.asarray(actions)
        except ValueError as ragged:
            raise InvalidError(f"actions must be an array: {ragged}", code="acts") from None
        shape = self.rewards.shape
        most = len(self.action_names) - 1
        if (
            array.shape == shape
            and array.dtype.kind in "iu"
            and 0 <= array.min() <= array.max() <= most
        ):
            return array
        actual = f"{array.dtype} of {array.shape}"
        raise InvalidError(
            f"actions must be integers from 0 to {most} of shape {shape}, not {actual}", code="acts"
        )

    def _ask(self, order: str) -> list[Any]:
        """Have every share carry out an order, all at the same time; return their answers."""
        with self._closing_on_failure() as share:
            for pipe in self._pipes:
                pipe.send((order,))
            return [share.do(order), *[pipe.recv() for pipe in self._pipes]]

    def _ask_for(self, world: int, order: str, *given: bytes) -> Any:
        """Have the share of one world carry out an order on it."""
        number = bisect_right(self._firsts, world) - 1
        place = world - self._firsts[number]
        with self._closing_on_failure() as share:
            if number == 0:
                return share.do(order, place, *given)
            pipe = self._pipes[number - 1]
            pipe.send((order, place, *given))
            return pipe.recv()

    @contextmanager
    def _closing_on_failure(self) -> "Iterator[_Share]":
        """Close all if an order fails: the shares are not at the same step any more, so nothing can
        go on."""
        if self._share is None:
            raise IllegalError("these worlds were closed", code="closed")
        try:
            yield self._share
        except BaseException as problem:
            self.close()
            if isinstance(problem, EOFError | OSError):
                raise UnavailableError(
                    "a process of these worlds has ended; make them anew"
                ) from None
            raise


_Layout = dict[str, tuple[tuple[int, ...], type[np.generic]]]


def _views(memory: Mapping[str, Any], layout: _Layout) -> Arrays:
    return {name: np.ndarray(*spec, memory[name]) for name, spec in layout.items()}


class _Share:
    """The worlds of one process, and their rows of the shared arrays."""

    def __init__(
        self, seeds: Sequence[int], some: slice, options: Any, memory: Any, layout: _Layout
    ) -> None:
        self._worlds = [World(seed, arrays=True, **options) for seed in seeds]
        self._arrays = {name: array[some] for name, array in _views(memory, layout).items()}
        self._actions = self._arrays.pop("actions")
        self._rewards = self._arrays.pop("rewards")

    def do(self, order: str, place: int = 0, packed: bytes = b"") -> Any:
        """Carry out an order; return its answer. After a reset or step that is whether the episode
        is over. `place` is a world's within this share, for the orders about one."""
        match order:
            case "infos":
                return [world.infos for world in self._worlds]
            case "pack":
                return pickle.dumps(self._worlds[place])
            case "load":
                return self._load(place, packed)
        return self._advance(order)

    def _load(self, place: int, packed: bytes) -> None:
        """Put a packed world in the place of one, which keeps its seed for the next reset."""
        seed = self._worlds[place].seed
        self._worlds[place] = pickle.loads(packed)
        self._worlds[place].seed = seed

    def _advance(self, order: str) -> bool:
        """Reset or step every world, and put what is seen into the shared arrays."""
        arrays = list(self._arrays.items())
        for number, world in enumerate(self._worlds):
            if order == "reset":
                seen = world.reset()
            else:
                seen = world.step(
                    dict(zip(world.agent_ids, self._actions[number].tolist(), strict=True))
                )
            for row, obs in enumerate(seen.values()):
                for name, array in arrays:
                    array[number, row] = obs[name]
            self._rewards[number] = list(world.rewards.values())
        return self._worlds[0].is_over


def _serve(pipe: Connection, theirs: list[Connection], share: Any) -> None:
    """Carry out orders until the pipe is closed, which it is also when the other side dies."""
    # A forked process inherits the other ends of the pipes. While it holds one open, that pipe
    # would not be closed when the other side dies.
    for other in theirs:
        other.close()
    worlds = _Share(*share)
    with suppress(EOFError, OSError, KeyboardInterrupt):
        while True:
            pipe.send(worlds.do(*pipe.recv()))
