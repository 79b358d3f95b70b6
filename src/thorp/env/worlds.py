"""`Worlds`: many small worlds stepped together, over processes.

    with Worlds(range(16), agents=4, processes=2) as worlds:
        obs = worlds.reset()                                # {"blocks": (16, 4, 15, 15, 15), …}
        obs = worlds.step(actions)                          # integers of shape (16, 4)
        worlds.rewards, worlds.dones                        # (16, 4), (16,)

Each process has its share of the worlds and writes their arrays into memory that all share; only actions and
short answers go through pipes. Which process a world is in changes nothing about it.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from thorp.env.arrays import Arrays, ArraySpec
from thorp.env.world import World
from thorp.kernel.errors import IllegalError, InvalidError, UnavailableError
from thorp.voxel.tuning import Tuning

# Some hundred megabytes of memory in use, and what one machine's processes can step.
MAX_WORLDS: Final = 4_096
# How long a process that was told to end may take.
END_SECONDS: Final = 5.0


class Worlds:
    """Worlds of these seeds with the same number of agents and tuning. All begin and end their episodes
    together. Close it, or use it in a `with`, so that its processes end."""

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
            raise InvalidError(f"there must be 1..{MAX_WORLDS} seeds, not {len(seeds)}", code="range")
        wanted = os.cpu_count() or 1 if processes is None else processes
        if wanted < 1:
            raise InvalidError(f"processes must be at least 1, not {processes}", code="range")
        self.seeds: Final = tuple(seeds)
        options = {"agents": agents, "tuning": tuning, "busy_ticks": busy_ticks, "max_steps": max_steps}
        example = World(seeds[0], arrays=True, **options)  # type: ignore[arg-type]
        self.observation_spec: Final = example.observation_spec
        self.action_names: Final = example.action_names
        self.rewards: NDArray[np.float32] = np.zeros((len(seeds), agents), np.float32)
        self.dones: NDArray[np.bool_] = np.zeros(len(seeds), np.bool_)
        self._state = "new"
        self._pipes: list[Connection] = []
        self._processes: list[Any] = []
        count = min(wanted, len(seeds))
        edges = [len(seeds) * number // count for number in range(count + 1)]
        self._slices = [slice(*pair) for pair in pairwise(edges)]
        context = get_context()
        memory = {
            name: _room(context, count, spec, self.rewards.shape)
            for name, spec in self.observation_spec.items()
        }
        self._arrays = _stacked(memory, self.observation_spec, self.rewards.shape)
        if count == 1:
            self._part = _Part(self.seeds, options, self._arrays)
            return
        for some in self._slices:
            ours, theirs = context.Pipe()
            mine = (theirs, [*self._pipes, ours], self.seeds, some, options, memory)
            process = context.Process(target=_serve, args=mine, daemon=True)
            process.start()
            theirs.close()
            self._pipes.append(ours)
            self._processes.append(process)

    def reset(self) -> Arrays:
        """Begin every world anew; return what all agents see, an array of each kind."""
        self._ask("reset", [None] * len(self._slices))
        self._state = "live"
        return self._copies()

    def step(self, actions: ArrayLike) -> Arrays:
        """One step of every world, with one discrete action for each agent."""
        if self._state == "new":
            raise IllegalError("these worlds have not begun; call reset() first", code="no_world")
        if self.dones.all():
            raise IllegalError("the episode has ended; call reset()", code="ended")
        checked = self._checked(actions)
        self._ask("step", [checked[some] for some in self._slices])
        return self._copies()

    @property
    def infos(self) -> list[dict[str, dict[str, Any]]]:
        """Of each world what `World.infos` is."""
        return [info for part in self._ask("infos", [None] * len(self._slices)) for info in part]

    def close(self) -> None:
        """End the processes. Closing twice does nothing."""
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.join(END_SECONDS)
            if process.is_alive():
                process.kill()
        if self._pipes:
            self._state = "closed"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _copies(self) -> Arrays:
        return {name: array.copy() for name, array in self._arrays.items()}

    def _checked(self, actions: ArrayLike) -> NDArray[np.integer[Any]]:
        try:
            array = np.asarray(actions)
        except ValueError as ragged:
            raise InvalidError(f"actions must be an array: {ragged}", code="acts") from None
        most = len(self.action_names) - 1
        if array.shape != self.rewards.shape or array.dtype.kind not in "iu":
            raise InvalidError(
                f"actions must be integers of shape {self.rewards.shape}, not {array.dtype} of {array.shape}",
                code="acts",
            )
        if array.min() < 0 or array.max() > most:
            raise InvalidError(f"actions must be from 0 to {most}", code="acts")
        return array

    def _ask(self, what: str, arguments: list[Any]) -> list[Any]:
        """Let every part do something; take its rewards and ends, and return its answer."""
        if self._state == "closed":
            raise IllegalError("these worlds were closed", code="closed")
        if not self._pipes:
            told = [self._part.answer(what, arguments[0])]
        else:
            try:
                for pipe, argument in zip(self._pipes, arguments, strict=True):
                    pipe.send((what, argument))
                told = [pipe.recv() for pipe in self._pipes]
            except (EOFError, OSError):
                self.close()
                raise UnavailableError("a process of these worlds has ended; make them anew") from None
        for problem in told:
            if isinstance(problem, Exception):
                self.close()
                raise problem
        for some, (rewards, dones, _) in zip(self._slices, told, strict=True):
            self.rewards[some], self.dones[some] = rewards, dones
        return [answer for _, _, answer in told]


def _room(context: BaseContext, processes: int, spec: ArraySpec, worlds: tuple[int, ...]) -> Any:
    """Memory for one array of all worlds, which processes can share if there are several."""
    size = int(np.prod((*worlds, *spec.shape))) * np.dtype(spec.dtype).itemsize
    return bytearray(size) if processes == 1 else context.RawArray("b", size)


def _stacked(memory: Mapping[str, Any], specs: Mapping[str, ArraySpec], worlds: tuple[int, ...]) -> Arrays:
    return {
        name: np.ndarray((*worlds, *spec.shape), spec.dtype, buffer=memory[name])
        for name, spec in specs.items()
    }


class _Part:
    """The worlds of one process, and where their observations go."""

    def __init__(self, seeds: Sequence[int], options: Mapping[str, Any], arrays: Arrays) -> None:
        self._worlds = [World(seed, arrays=True, **options) for seed in seeds]
        self._arrays = arrays

    def answer(self, what: str, argument: Any) -> tuple[list[list[float]], list[bool], Any]:
        """Do what is asked; return rewards, ends, and the infos if they are asked for."""
        worlds = self._worlds
        if what == "infos":
            answer = [world.infos for world in worlds]
        else:
            answer = []
            for number, world in enumerate(worlds):
                if what == "reset":
                    seen = world.reset()
                else:
                    seen = world.step(dict(zip(world.agent_ids, argument[number], strict=True)))
                self._write(number, seen.values())
        return [list(world.rewards.values()) for world in worlds], [world.is_over for world in worlds], answer

    def _write(self, number: int, seen: Iterable[Arrays]) -> None:
        for row, obs in enumerate(seen):
            for name, array in self._arrays.items():
                array[number, row] = obs[name]


def _serve(
    pipe: Connection,
    inherited: list[Connection],
    seeds: Sequence[int],
    some: slice,
    options: Mapping[str, Any],
    memory: Mapping[str, Any],
) -> None:
    """Answer until the pipe is closed, also because the other side has died: so nobody else may hold it."""
    for other in inherited:
        other.close()
    specs = World(0, arrays=True, **options).observation_spec
    whole = _stacked(memory, specs, (len(seeds), options["agents"]))
    part = _Part(seeds[some], options, {name: array[some] for name, array in whole.items()})
    try:
        while True:
            asked = pipe.recv()
            try:
                told: object = part.answer(*asked)
            except Exception as problem:
                told = problem
            pipe.send(told)
    except (EOFError, OSError, KeyboardInterrupt):
        return
