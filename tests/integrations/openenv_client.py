"""Plays by OpenEnv's own client and validator, in an interpreter that has the package: URL → lines
of JSON.

Only what the client needs is installed; its server half is left out of the import.
"""

import asyncio
import json
import sys
import types

SERVER_HALF = "openenv.core.env_server"
sys.modules[SERVER_HALF] = types.ModuleType(SERVER_HALF)
sys.modules[SERVER_HALF].__all__ = []  # type: ignore[attr-defined]

from openenv import GenericEnvClient  # noqa: E402
from openenv.cli._validation import validate_running_environment  # noqa: E402

ACTIONS = (
    {"action": "wait", "ticks": 5},
    {"action": "craft", "recipe_id": "stick_from_plank"},
    {"action": "move_to", "x": 2, "y": 31, "z": 2},
    {"action": "fly"},
    {"action": "eat", "item_id": "STONE"},
)


def told(result: object) -> dict[str, object]:
    return {key: getattr(result, key) for key in ("observation", "reward", "done")}


def episode(url: str, seed: int) -> list[dict[str, object]]:
    with GenericEnvClient(base_url=url) as env:
        return [told(env.reset(seed=seed)), *(told(env.step(action)) for action in ACTIONS)]


async def two_at_once(url: str) -> list[object]:
    async with GenericEnvClient(base_url=url) as one, GenericEnvClient(base_url=url) as other:
        await one.reset(seed=1, episode_id="one")
        await other.reset(seed=2)
        await one.step({"action": "wait"})
        return [await one.state(), await other.state()]


def main(url: str) -> None:
    print(json.dumps(validate_running_environment(url)))
    for seed in (5, 5, 6):
        print(json.dumps(episode(url, seed)))
    print(json.dumps(asyncio.run(two_at_once(url))))


if __name__ == "__main__":
    main(sys.argv[1])
