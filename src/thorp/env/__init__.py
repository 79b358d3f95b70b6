"""The voxel world as an environment in process: no sockets, no disk, no clock. See `docs/env.md`.

Gymnasium and PettingZoo are extras: only the two functions below need them, and the registration,
which is done if Gymnasium is installed.
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
    """A PettingZoo environment in which all agents step at once. The options are those of
    `ParallelWorld`."""
    try:
        from thorp.env.multi_agent import ParallelWorld
    except ModuleNotFoundError:
        raise UnavailableError(
            "this needs the package pettingzoo: pip install 'thorp[pettingzoo]'"
        ) from None
    return ParallelWorld(**options)


def env(**options: Any) -> Any:
    """A PettingZoo environment in which agents take turns (AEC), with the same options."""
    parallel = parallel_env(**options)
    from pettingzoo.utils.conversions import parallel_to_aec

    return parallel_to_aec(parallel)


if find_spec("gymnasium") is not None:
    import gymnasium

    gymnasium.register("thorp/World-v0", entry_point="thorp.env.single_agent:WorldEnv")
    # By name: tasks stand above environments, and are imported when one is made.
    gymnasium.register("thorp/Task-v1", entry_point="thorp.tasks.single_agent:TaskEnv")
