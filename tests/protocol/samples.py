"""Messages as a world writes them, to be changed by tests."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from typing import Any

PALETTE = ["AIR", "DIRT", "GRASS", "LOG", "STONE", "WATER"]
RADIUS = 2
CELLS = (2 * RADIUS + 1) ** 3


def varint(number: int) -> bytes:
    text = bytearray()
    while number > 0x7F:
        text.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes((*text, number))


def rle(cells: Iterable[int]) -> str:
    """The plainest encoder there is."""
    runs: list[list[int]] = []
    for cell in cells:
        if runs and runs[-1][0] == cell:
            runs[-1][1] += 1
        else:
            runs.append([cell, 1])
    return base64.b64encode(b"".join(varint(number) for run in runs for number in run)).decode()


def cube(blocks: dict[tuple[int, int, int], int], fill: int = 0, radius: int = RADIUS) -> list[int]:
    """Cells of a cube in their order, by offset."""
    span = range(-radius, radius + 1)
    return [blocks.get((dx, dy, dz), fill) for dy in span for dz in span for dx in span]


def hello(**changes: Any) -> dict[str, Any]:
    return {
        "type": "HELLO",
        "protocol_version": "0.9",
        "agent_name": "mole",
        "capabilities": {"delta_voxels": True, "max_queue": 16},
        **changes,
    }


def act(**changes: Any) -> dict[str, Any]:
    return {"type": "ACT", "protocol_version": "0.9", "tick": 5, "agent_id": "A1", **changes}


def welcome(**changes: Any) -> dict[str, Any]:
    return {
        "type": "WELCOME",
        "protocol_version": "0.9",
        "agent_id": "A1",
        "resume_token": "resume_1",
        "world_params": {
            "tick_rate_hz": 5,
            "chunk_size": [16, 16, 64],
            "height": 64,
            "obs_radius": RADIUS,
            "day_ticks": 6000,
            "seed": 1337,
        },
        "catalogs": {
            "block_palette": {"digest": "ab", "count": len(PALETTE)},
            "item_palette": {"digest": "cd", "count": 1},
            "recipes_digest": "ef",
            "blueprints_digest": "01",
            "law_templates_digest": "02",
            "events_digest": "03",
            "tuning_digest": "04",
        },
        **changes,
    }


def catalog(name: str, data: Any, **changes: Any) -> dict[str, Any]:
    return {
        "type": "CATALOG",
        "protocol_version": "0.9",
        "name": name,
        "digest": "ab",
        "part": 1,
        "total_parts": 1,
        "data": data,
        **changes,
    }


def voxels(
    center: tuple[int, int, int] = (0, 20, 0), cells: Iterable[int] | None = None
) -> dict[str, Any]:
    data = rle(cube({}) if cells is None else cells)
    return {"center": list(center), "radius": RADIUS, "encoding": "RLE", "data": data}


def delta(
    ops: dict[tuple[int, int, int], int], center: tuple[int, int, int] = (0, 20, 0)
) -> dict[str, Any]:
    listed = [{"d": list(offset), "b": block} for offset, block in ops.items()]
    return {"center": list(center), "radius": RADIUS, "encoding": "DELTA", "ops": listed}


def obs(tick: int = 1, **changes: Any) -> dict[str, Any]:
    return {
        "type": "OBS",
        "protocol_version": "0.9",
        "tick": tick,
        "agent_id": "A1",
        "world": {"time_of_day": 0.001, "weather": "CLEAR", "season_day": 1, "biome": "PLAINS"},
        "self": {
            "pos": [0, 20, 0],
            "yaw": 0,
            "hp": 20,
            "hunger": 20,
            "stamina": 1,
            "status": ["NONE"],
            "reputation": {"trade": 0.5, "build": 0.5, "social": 0.5, "law": 0.5},
        },
        "inventory": [{"item": "PLANK", "count": 20}],
        "equipment": {"main_hand": "NONE", "armor": ["NONE", "NONE", "NONE", "NONE"]},
        "local_rules": {
            "role": "WILD",
            "permissions": {
                "can_build": True,
                "can_break": True,
                "can_damage": False,
                "can_trade": True,
            },
            "tax": {"market": 0},
        },
        "voxels": voxels(),
        "entities": [],
        "events": [],
        "tasks": [],
        **changes,
    }


def frame(message: Any) -> bytes:
    return json.dumps(message).encode()
