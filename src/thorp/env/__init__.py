"""The voxel world as an environment in process: no sockets, no disk, no clock.

    env = World(seed=7, agents=2)
    obs = env.reset()                                       # {"A1": {…}, "A2": {…}}
    obs = env.step({"A1": {"tasks": [{"type": "MOVE_TO", "target": [3, 22, 4]}]}})
    env.rewards, env.dones, env.infos                       # of the last step, by agent

See `docs/env.md`.
"""

from thorp.env.world import World

__all__ = ["World"]
