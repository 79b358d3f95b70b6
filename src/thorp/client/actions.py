"""The actions of one agent: each function makes an action for `Agent.do` or `Agent.act` to send.

Instants happen at once. Tasks take time: an agent has one movement task (`move_to`, `follow`) and one work
task (the others) at most.
"""

from __future__ import annotations

from thorp.protocol import actions
from thorp.protocol.obs import Position

SELF = "SELF"
"""Stands for one's own inventory in `transfer`."""


def say(text: str, channel: str | None = None) -> actions.Say:
    return actions.Say(text=text, channel=channel)


def whisper(to: str, text: str) -> actions.Whisper:
    return actions.Whisper(to=to, text=text)


def eat(item: str, count: int = 1) -> actions.Eat:
    return actions.Eat(item_id=item, count=count)


def remember(key: str, value: str, ttl_ticks: int | None = None) -> actions.SaveMemory:
    """Keep a text in the world, for this agent alone; it outlives the program."""
    return actions.SaveMemory(key=key, value=value, ttl_ticks=ttl_ticks)


def recall(prefix: str = "", limit: int | None = None) -> actions.LoadMemory:
    """Ask for what was remembered. It comes in the `memory` of an observation."""
    return actions.LoadMemory(prefix=prefix, limit=limit)


def write_sign(sign: str, text: str) -> actions.SetSign:
    return actions.SetSign(target_id=sign, text=text)


def toggle(switch: str) -> actions.ToggleSwitch:
    return actions.ToggleSwitch(target_id=switch)


def move_to(target: Position, tolerance: float = 1) -> actions.MoveTo:
    """Walk until the target's column is within `tolerance`, counted along x and z."""
    return actions.MoveTo(target=target, tolerance=tolerance)


def follow(target: str, distance: float | None = None) -> actions.Follow:
    """Walk after an agent. This never ends by itself."""
    return actions.Follow(target_id=target, distance=distance)


def stop() -> actions.Stop:
    """End the movement task, if there is one."""
    return actions.Stop()


def mine(position: Position) -> actions.Mine:
    return actions.Mine(block_pos=position)


def gather(item: str) -> actions.Gather:
    """Pick up an item entity that lies within reach."""
    return actions.Gather(target_id=item)


def place(position: Position, item: str) -> actions.Place:
    return actions.Place(block_pos=position, item_id=item)


def look_into(target: str) -> actions.Open:
    """Open a container, a board or a sign; what it holds comes as an event."""
    return actions.Open(target_id=target)


def transfer(source: str, destination: str, item: str, count: int = 1) -> actions.Transfer:
    return actions.Transfer(src_container=source, dst_container=destination, item_id=item, count=count)


def craft(recipe: str, count: int = 1) -> actions.Craft:
    return actions.Craft(recipe_id=recipe, count=count)


def smelt(item: str, count: int = 1) -> actions.Smelt:
    return actions.Smelt(item_id=item, count=count)


def build(blueprint: str, anchor: Position, rotation: int = 0) -> actions.BuildBlueprint:
    """Build a blueprint, its corner at `anchor`, turned by `rotation` quarter turns."""
    return actions.BuildBlueprint(blueprint_id=blueprint, anchor=anchor, rotation=rotation)
