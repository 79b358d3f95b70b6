"""`Worlds`: many small worlds stepped together, over processes.

    with Worlds(range(16), agents=4, processes=2) as worlds:
        obs = worlds.reset()                                # {"blocks": (16, 4, 15, 15, 15), …}
        obs = worlds.step(actions)                          # integers of shape (16, 4)
        worlds.rewards, worlds.dones                        # (16, 4), (16,)

Each process has its share of the worlds and writes their arrays into memory that all share; only actions and
short answers go through pipes. Which process a world is in changes nothing about it.
"""

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import pairwise
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final

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


class Worlds(AbstractContextManager["Worlds"]):
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
        if processes is not None and processes < 1:
            raise InvalidError(f"processes must be at least 1, not {processes}", code="range")
        options = {"agents": agents, "tuning": tuning, "busy_ticks": busy_ticks, "max_steps": max_steps}
        example = World(seeds[0], arrays=True, **options)  # type: ignore[arg-type]
        self.action_names: Final = example.action_names
        self.observation_spec: Final = example.observation_spec
        self.rewards: NDArray[np.float32] = np.zeros((len(seeds), agents), np.float32)
        self.dones: NDArray[np.bool_] = np.ones(len(seeds), np.bool_)
        context, specs, shape = get_context(), self.observation_spec, self.rewards.shape
        memory = {
            name: context.RawArray("b", int(np.prod((*shape, *spec.shape))) * np.dtype(spec.dtype).itemsize)
            for name, spec in specs.items()
        }
        self._arrays = _stacked(memory, specs, shape)
        count = min(processes or os.cpu_count() or 1, len(seeds))
        edges = [len(seeds) * number // count for number in range(count + 1)]
        self._slices = [slice(*pair) for pair in pairwise(edges)]
        self._pipes: list[Connection] = []
        self._processes: list[Any] = []
        for some in self._slices:
            ours, theirs = context.Pipe()
            self._pipes.append(ours)
            part = (theirs, self._pipes, tuple(seeds), some, options, memory)
            self._processes.append(context.Process(target=_serve, args=part, daemon=True))
            self._processes[-1].start()
            theirs.close()

    def reset(self) -> Arrays:
        """Begin every world anew; return what all agents see, an array of each kind."""
        self._ask("reset", [None] * len(self._slices))
        return {name: array.copy() for name, array in self._arrays.items()}

    def step(self, actions: ArrayLike) -> Arrays:
        """One step of every world, with one discrete action for each agent."""
        if self.dones.all():
            raise IllegalError("the episode has ended, or never begun; call reset()", code="ended")
        checked = self._checked(actions)
        self._ask("step", [checked[some] for some in self._slices])
        return {name: array.copy() for name, array in self._arrays.items()}

    @property
    def infos(self) -> list[dict[str, dict[str, Any]]]:
        """Of each world what `World.infos` is."""
        return [info for infos in self._ask("infos", [None] * len(self._slices)) for info in infos]

    def close(self) -> None:
        """End the processes. Closing twice does nothing."""
        for pipe in self._pipes:
            pipe.close()
        self._pipes = []
        for process in self._processes:
            process.join(END_SECONDS)
            if process.is_alive():
                process.kill()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _checked(self, actions: ArrayLike) -> NDArray[Any]:
        try:
            array = np.asarray(actions)
        except ValueError as ragged:
            raise InvalidError(f"actions must be an array: {ragged}", code="acts") from None
        shape, most = self.rewards.shape, len(self.action_names) - 1
        if array.shape == shape and array.dtype.kind in "iu" and 0 <= array.min() <= array.max() <= most:
            return array
        found = f"{array.dtype} of {array.shape}"
        raise InvalidError(
            f"actions must be integers from 0 to {most} of shape {shape}, not {found}", code="acts"
        )

    def _ask(self, what: str, arguments: list[Any]) -> list[Any]:
        """Let every process do something; take its rewards and ends, and return its answer."""
        if not self._pipes:
            raise IllegalError("these worlds were closed", code="closed")
        try:
            for pipe, argument in zip(self._pipes, arguments, strict=True):
                pipe.send((what, argument))
            told = [pipe.recv() for pipe in self._pipes]
        except (EOFError, OSError):
            self.close()
            raise UnavailableError("a process of these worlds has ended; make them anew") from None
        for some, (rewards, dones, _) in zip(self._slices, told, strict=True):
            self.rewards[some], self.dones[some] = rewards, dones
        return [answer for _, _, answer in told]


def _stacked(memory: Mapping[str, Any], specs: Mapping[str, ArraySpec], worlds: tuple[int, ...]) -> Arrays:
    return {
        name: np.ndarray((*worlds, *spec.shape), spec.dtype, buffer=memory[name])
        for name, spec in specs.items()
    }


def _serve(
    pipe: Connection, theirs: list[Connection], seeds: Sequence[int], some: slice, options: Any, memory: Any
) -> None:
    """Answer until the pipe is closed, also because the other side has died: so nobody else may hold it."""
    for other in theirs:
        other.close()
    worlds = [World(seed, arrays=True, **options) for seed in seeds[some]]
    whole = _stacked(memory, worlds[0].observation_spec, (len(seeds), options["agents"]))
    arrays = [(name, array[some]) for name, array in whole.items()]
    try:
        while True:
            what, argument = pipe.recv()
            for number, world in enumerate(worlds) if what != "infos" else ():
                if what == "reset":
                    seen = world.reset()
                else:
                    seen = world.step(dict(zip(world.agent_ids, argument[number], strict=True)))
                for row, obs in enumerate(seen.values()):
                    for name, array in arrays:
                        array[number, row] = obs[name]
            rewards = [list(world.rewards.values()) for world in worlds]
            infos = [world.infos for world in worlds] if what == "infos" else []
            pipe.send((rewards, [world.is_over for world in worlds], infos))
    except (EOFError, OSError, KeyboardInterrupt):
        return
