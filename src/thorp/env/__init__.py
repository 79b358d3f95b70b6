"""The voxel world as an environment in process: no sockets, no disk, no clock. See `docs/env.md`.

Gymnasium and PettingZoo are extras: nothing here needs them but the two functions and the
registration, which takes place only where Gymnasium is installed.
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
    """A PettingZoo environment in which all agents step at once; options as `ParallelWorld` has
    them."""
    try:
        from thorp.env.multi_agent import ParallelWorld
    except ModuleNotFoundError:
        raise UnavailableError(
            "this needs the package pettingzoo: pip install 'thorp[pettingzoo]'"
        ) from None
    return ParallelWorld(**options)


def env(**options: Any) -> Any:
    """The same with agents that take turns, as PettingZoo's AEC."""
    parallel = parallel_env(**options)
    from pettingzoo.utils.conversions import parallel_to_aec

    return parallel_to_aec(parallel)


if find_spec("gymnasium") is not None:
    import gymnasium

    gymnasium.register("thorp/World-v0", entry_point="thorp.env.single_agent:WorldEnv")
