"""Messages read per CPU second, one process: `python bench/protocol.py`.

An ACT that is right takes one pass; one with a wrong field is taken apart. The OBS has a cube of
radius 7 with some 500 runs, which is what an agent on a hillside sees.
"""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable

import msgspec
from calibration import report

from thorp.protocol import Obs, decode_rle, read_act, read_hello

HEAD = {"type": "ACT", "protocol_version": "0.9", "tick": 81_234, "agent_id": "A17"}
MINE = {"id": "k1", "type": "MINE", "block_pos": [4, 20, -9]}
RADIUS = 7


def frame(message: object) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode()


def repeat(read: Callable[[bytes], object], data: bytes, times: int) -> Callable[[], float]:
    def run() -> float:
        for _ in range(times):
            read(data)
        return times

    return run


def hillside(draw: random.Random) -> str:
    """Layers of earth below, air above, a little of everything between."""
    cells: list[tuple[int, int]] = []
    left = (2 * RADIUS + 1) ** 3
    while left:
        run = min(left, draw.randint(1, 13))
        cells.append((draw.randrange(30), run))
        left -= run
    return base64.b64encode(bytes(number for cell in cells for number in cell)).decode()


def obs(cube: str) -> bytes:
    events = [{"t": 5, "type": "ACTION_RESULT", "ref": "k1", "ok": True, "task_id": "T000007"}] * 3
    stacks = [{"item": f"ITEM_{number}", "count": number} for number in range(12)]
    agents = [{"id": f"A{number}", "type": "AGENT", "pos": [number, 20, 3]} for number in range(10)]
    return frame(
        {
            "type": "OBS",
            "protocol_version": "0.9",
            "tick": 5,
            "agent_id": "A17",
            "world": {"time_of_day": 0.25, "weather": "CLEAR", "season_day": 1, "biome": "PLAINS"},
            "self": {
                "pos": [0, 20, 0],
                "yaw": 90,
                "hp": 20,
                "hunger": 17,
                "stamina": 0.985,
                "status": ["NONE"],
                "reputation": {"trade": 0.5, "build": 0.5, "social": 0.5, "law": 0.5},
            },
            "inventory": stacks,
            "equipment": {"main_hand": "NONE", "armor": ["NONE"] * 4},
            "local_rules": {
                "role": "WILD",
                "permissions": dict.fromkeys(
                    ("can_build", "can_break", "can_damage", "can_trade"), True
                ),
                "tax": {"market": 0},
            },
            "voxels": {"center": [0, 20, 0], "radius": RADIUS, "encoding": "RLE", "data": cube},
            "entities": agents,
            "events": events,
            "tasks": [],
        }
    )


def main() -> None:
    cube = hillside(random.Random(1))
    one = frame({**HEAD, "tasks": [MINE], "cancel": ["T000041"]})
    full = frame({**HEAD, "tasks": [MINE] * 16})
    wrong = frame({**HEAD, "tasks": [{**MINE, "block_pos": [4, 20]}]})
    greeting = frame(
        {"type": "HELLO", "protocol_version": "0.9", "agent_name": "mole", "capabilities": {}}
    )
    report("ACT, one task and one cancel", "frames", repeat(read_act, one, 200_000))
    report("ACT, 16 tasks", "frames", repeat(read_act, full, 40_000))
    report("ACT, one wrong field", "frames", repeat(read_act, wrong, 10_000))
    report("HELLO", "frames", repeat(read_hello, greeting, 10_000))
    seen = obs(cube)
    report(
        f"OBS of {len(seen)} bytes",
        "frames",
        repeat(msgspec.json.Decoder(Obs).decode, seen, 20_000),
    )
    report("cube of 3375 cells", "cubes", repeat(lambda _: decode_rle(cube, RADIUS), b"", 2_000))


if __name__ == "__main__":
    main()
