"""The voxel world as an environment in process: no sockets, no disk, no clock.

    env = World(seed=7, agents=2)
    obs = env.reset()                                       # {"A1": {…}, "A2": {…}}
    obs = env.step({"A1": {"tasks": [{"type": "MOVE_TO", "target": [3, 22, 4]}]}})
    env.rewards, env.dones, env.infos                       # of the last step, by agent

    Worlds(range(16), agents=4, processes=2)                # many small worlds, over processes
    parallel_env(seed=7, agents=2)                          # PettingZoo; env(…) takes turns
    gymnasium.make("thorp/World-v0")                        # Gymnasium, one agent

Gymnasium and PettingZoo are extras: nothing here needs them but the two functions and the registration, which
takes place only where Gymnasium is installed. See `docs/env.md`.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from thorp.env.world import World
from thorp.env.worlds import Worlds
from thorp.kernel.errors import UnavailableError

if TYPE_CHECKING:
    from thorp.env.multi_agent import ParallelWorld

__all__ = ["World", "Worlds", "env", "parallel_env"]


def parallel_env(**options: Any) -> "ParallelWorld":
    """A PettingZoo environment in which all agents step at once; options as `ParallelWorld` has them."""
    try:
        from thorp.env.multi_agent import ParallelWorld
    except ModuleNotFoundError:
        raise UnavailableError("this needs the package pettingzoo: pip install 'thorp[pettingzoo]'") from None
    return ParallelWorld(**options)


def env(**options: Any) -> Any:
    """The same with agents that take turns, as PettingZoo's AEC."""
    parallel = parallel_env(**options)
    from pettingzoo.utils.conversions import parallel_to_aec

    return parallel_to_aec(parallel)


if find_spec("gymnasium") is not None:
    import gymnasium

    gymnasium.register("thorp/World-v0", entry_point="thorp.env.single_agent:WorldEnv")
