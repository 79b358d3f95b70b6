"""How fast the world is in process: `python bench/voxel_env.py`.

`reset` makes a world and lets agents join; `step` executes a tick and decodes everyone's observation. Medians
in CPU time, and as they would be at the speed of the reference machine.
"""

from __future__ import annotations

import statistics
import time

from calibration import REFERENCE_MS, calibration_ms

import thorp.env

ROUNDS = 9
STEPS = 100


def acts(tick: int, agents: int) -> dict[str, dict[str, object]]:
    """Everyone walks to and fro."""
    move = {"type": "MOVE_TO", "target": [12 if tick % 40 < 20 else -12, 22, 5], "tolerance": 1.5}
    return {f"A{number}": {"tasks": [move]} for number in range(1, agents + 1)} if tick % 20 == 0 else {}


def main() -> None:
    slowness = calibration_ms() / REFERENCE_MS
    print(f"calibration: {slowness:.2f} × the time of the reference machine")
    for agents in (1, 10, 100):
        env = thorp.env.World(7, agents)
        env.reset()
        resets, steps = [], []
        for seed in range(ROUNDS):
            env = thorp.env.World(seed, agents)
            began = time.process_time()
            env.reset()
            resets.append((time.process_time() - began) * 1000)
            began = time.process_time()
            for tick in range(STEPS):
                env.step(acts(tick, agents))
            steps.append((time.process_time() - began) * 1000 / STEPS)
        for what, times in (("reset", resets), ("step", steps)):
            middle = statistics.median(times)
            print(
                f"{agents:>4} agents, {what:<6}{middle:>9.2f} ms CPU   (calibrated {middle / slowness:.2f})"
            )


if __name__ == "__main__":
    main()
