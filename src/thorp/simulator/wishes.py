"""The actions of simulated agents on the world itself: to move, dig, build, make and speak.

`thorp.simulator.dealings` has those on each other. Every entry of a table makes one action, drawn
from the crowd's seed; most are possible, some never are.
"""

from __future__ import annotations

from thorp.simulator.chance import Make
from thorp.simulator.dealings import DEALINGS

INSTANTS: list[Make] = [
    lambda c, w, a: {"type": "SAY", "channel": "LOCAL", "text": f"hello {c.random.randrange(9)} ☀"},
    lambda c, w, a: {"type": "WHISPER", "to": f"A{c.random.randint(1, c.size)}", "text": "psst"},
    lambda c, w, a: {
        "type": "EAT",
        "item_id": c.random.choice(["BERRIES", "BREAD", "STONE"]),
        "count": 1,
    },
    lambda c, w, a: {
        "type": "SAVE_MEMORY",
        "key": f"k{c.random.randrange(5)}",
        "value": "v",
        "ttl_ticks": c.random.choice([0, 7]),
    },
    lambda c, w, a: {"type": "LOAD_MEMORY", "prefix": "k", "limit": 3},
    lambda c, w, a: {
        "type": "SET_SIGN",
        "target_id": c.thing(w.signs, a, "SIGN"),
        "text": "this way",
    },
    lambda c, w, a: {"type": "TOGGLE_SWITCH", "target_id": c.thing(w.switches, a, "SWITCH")},
    lambda c, w, a: {"type": c.random.choice(["DANCE", "", 7]), "text": None},
    *[lambda c, w, a: c.random.choice(DEALINGS)(c, w, a)] * 8,
]

TASKS: list[Make] = [
    lambda c, w, a: {
        "type": "MOVE_TO",
        "target": c.near(a, 9),
        "tolerance": c.random.choice([1, 1.5, -2]),
    },
    lambda c, w, a: {"type": "MOVE_TO", "target": c.near(a, 30), "tolerance": 1.2},
    lambda c, w, a: {
        "type": "FOLLOW",
        "target_id": f"A{c.random.randint(1, c.size)}",
        "distance": 2.0,
    },
    lambda c, w, a: {"type": "STOP"},
    lambda c, w, a: {"type": "MINE", "block_pos": c.near(a, 1)},
    lambda c, w, a: {"type": "MINE", "block_pos": [a.x, a.y - 1, a.z]},
    lambda c, w, a: {"type": "PLACE", "block_pos": c.near(a, 2), "item_id": c.carried(a)},
    lambda c, w, a: {"type": "PLACE", "block_pos": c.near(a, 2), "item_id": c.carried(a)},
    lambda c, w, a: {"type": "GATHER", "target_id": c.thing(w.items, a)},
    lambda c, w, a: {"type": "OPEN", "target_id": c.thing(w.containers, a)},
    lambda c, w, a: {
        "type": "TRANSFER",
        "src_container": "SELF",
        "dst_container": c.thing(w.containers, a),
        "item_id": c.carried(a),
        "count": c.random.randint(0, 3),
    },
    lambda c, w, a: {
        "type": "TRANSFER",
        "src_container": c.thing(w.containers, a),
        "dst_container": "SELF",
        "item_id": "PLANK",
        "count": 1,
    },
    lambda c, w, a: {
        "type": "CRAFT",
        "recipe_id": c.random.choice(sorted(w.catalogs.recipes)),
        "count": c.random.randint(1, 2),
    },
    lambda c, w, a: {"type": "CRAFT", "recipe_id": "stick_from_plank", "count": 1},
    lambda c, w, a: {"type": "SMELT", "item_id": c.random.choice(["IRON_ORE", "SAND"]), "count": 1},
    lambda c, w, a: {
        "type": "BUILD_BLUEPRINT",
        "anchor": c.near(a, 4),
        "blueprint_id": c.random.choice(sorted(w.catalogs.blueprints)),
        "rotation": c.random.choice([0, 1, 90, -3]),
    },
    lambda c, w, a: {"type": "MINE", "block_pos": [2**31, 0, 0]},
    lambda c, w, a: {
        "type": "CLAIM_LAND",
        "anchor": c.near(a, 2),
        "radius": c.random.randint(0, 4),
    },
]
