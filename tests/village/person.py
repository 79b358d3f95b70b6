"""One villager without a world: it is shown observations, and what it says is looked at."""

from __future__ import annotations

from typing import Any

import msgspec

from thorp.protocol.obs import Obs
from thorp.village.roster import ROSTER, villager
from thorp.village.villager import Villager
from thorp.voxel.load import default_catalogs

CATALOGS = msgspec.to_builtins(default_catalogs().lists())
DAY_TICKS = 6_000
IDS = {name: f"A{number}" for number, name in enumerate(ROSTER, 1)}


def person(name: str, *, tick: int = 2_000, **body: Any) -> Villager:
    """A villager that knows the others by name, on the plaza of a village with all its things."""
    me = villager(name, CATALOGS)
    me._missed = None  # it has nothing to remember
    knowledge = me.knowledge
    knowledge.ids = dict(IDS)
    knowledge.trades = dict(ROSTER)
    knowledge.plaza = (0, 27, 0)
    knowledge.notes = {"arrived": 1, "born": 0, "first tick": 1, "first hour": 167, "day": 1}
    knowledge.things = {
        "store": "CHEST@-2,27,1",
        "board": "BULLETIN_BOARD@1,27,2",
        "bench": "CRAFTING_BENCH@-2,27,-2",
        "terminal": "CONTRACT_TERMINAL@0,27,2",
        "city": "ORG000001",
        "land": "LAND_A1_001",
    }
    look(me, tick, **body)
    return me


def look(me: Villager, tick: int, **body: Any) -> None:
    """Show it an observation, with what its body has."""
    inventory = [{"item": item, "count": count} for item, count in body.pop("have", {}).items()]
    world = {
        "time_of_day": tick % DAY_TICKS / DAY_TICKS,
        "weather": "CLEAR",
        "season_day": tick // DAY_TICKS % 7 + 1,
        "biome": "PLAINS",
        **body.pop("world", {}),
    }
    reputation = {"trade": 0.5, "build": 0.5, "social": 0.5, "law": 0.5}
    flags = {"can_build": True, "can_break": True, "can_damage": False, "can_trade": True}
    cube = {"center": [0, 27, 0], "radius": 1, "encoding": "RLE", "data": "ABs="}
    obs = {
        "type": "OBS",
        "protocol_version": "0.9",
        "tick": tick,
        "agent_id": IDS[me.name],
        "world": world,
        "self": {
            "pos": list(body.pop("at", (0, 27, 0))),
            "yaw": 0,
            "hp": 20,
            "hunger": 20,
            "stamina": 1.0,
            "status": [],
            "reputation": reputation,
        },
        "inventory": inventory,
        "equipment": {"main_hand": "", "armor": ["", "", "", ""]},
        "local_rules": {"role": "MEMBER", "permissions": flags, "tax": {"market": 0.0}},
        "voxels": cube,
        "entities": body.pop("entities", []),
        "events": body.pop("events", []),
        "tasks": [],
    }
    assert not body
    me._see(msgspec.convert(obs, Obs))


def hear(me: Villager, speaker: str, text: str, **data: Any) -> None:
    """Let it hear something that a villager says in public."""
    event = {
        "t": me.tick,
        "type": "CHAT",
        "from": IDS.get(speaker, speaker),
        "channel": "MARKET",
        "text": text,
        **({"data": data} if data else {}),
    }
    me._hear(event)


def texts(actions: list[dict[str, Any]]) -> list[str]:
    """What is said in some actions."""
    return [action["text"] for action in actions if action["type"] in ("SAY", "WHISPER")]
