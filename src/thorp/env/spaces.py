"""Gymnasium's spaces of the arrays and discrete actions of a world, which PettingZoo uses, too."""

from typing import Any

import gymnasium
from gymnasium import spaces

from thorp.env.world import World

RENDER_MODES = ("ansi",)


def observation_space(world: World) -> spaces.Dict:
    boxes: dict[str, gymnasium.Space[Any]] = {
        name: spaces.Box(spec.low, spec.high, spec.shape, spec.dtype)
        for name, spec in world.observation_spec.items()
    }
    return spaces.Dict(boxes)


def action_space(world: World) -> spaces.Discrete:
    return spaces.Discrete(len(world.action_names))


def check_render_mode(mode: str | None) -> str | None:
    if mode not in (None, *RENDER_MODES):
        raise ValueError(f"render_mode must be one of {RENDER_MODES} or None, not {mode!r:.80}")
    return mode
