"""What an agent may ask for: one type an action, holding only the fields that action uses.

An action is chosen by its `type`; fields it does not use are not looked at, whatever they hold, because
clients pad their actions. Bounds here are those of form: whether a target exists is the world's to say.
Instants happen at once; tasks take time, and an agent has one movement and one work task at most.
"""

from __future__ import annotations

from thorp.protocol.fields import (
    Action,
    Distance,
    Instant,
    Long,
    Name,
    Note,
    Prose,
    Ref,
    Task,
    Text,
    Vector,
    Whole,
)
from thorp.protocol.society import ClaimLand, SocietyInstant


class Say(Instant, frozen=True, tag="SAY", kw_only=True):
    channel: Name | None = None
    text: Prose | None = None


class Whisper(Instant, frozen=True, tag="WHISPER", kw_only=True):
    to: Name | None = None
    text: Prose | None = None


class Eat(Instant, frozen=True, tag="EAT", kw_only=True):
    item_id: Name | None = None
    count: Whole | None = None


class SaveMemory(Instant, frozen=True, tag="SAVE_MEMORY", kw_only=True):
    key: Note | None = None
    value: Note | None = None
    ttl_ticks: Long | None = None


class LoadMemory(Instant, frozen=True, tag="LOAD_MEMORY", kw_only=True):
    prefix: Prose | None = None
    limit: Whole | None = None


class SetSign(Instant, frozen=True, tag="SET_SIGN", kw_only=True):
    target_id: Name | None = None
    text: Prose | None = None


class ToggleSwitch(Instant, frozen=True, tag="TOGGLE_SWITCH", kw_only=True):
    target_id: Name | None = None


class MoveTo(Task, frozen=True, tag="MOVE_TO", kw_only=True):
    target: Vector | None = None
    tolerance: Distance | None = None


class Follow(Task, frozen=True, tag="FOLLOW", kw_only=True):
    target_id: Name | None = None
    distance: Distance | None = None


class Stop(Task, frozen=True, tag="STOP", kw_only=True):
    pass


class Mine(Task, frozen=True, tag="MINE", kw_only=True):
    block_pos: Vector | None = None


class Gather(Task, frozen=True, tag="GATHER", kw_only=True):
    target_id: Name | None = None


class Place(Task, frozen=True, tag="PLACE", kw_only=True):
    block_pos: Vector | None = None
    item_id: Name | None = None


class Open(Task, frozen=True, tag="OPEN", kw_only=True):
    target_id: Name | None = None


class Transfer(Task, frozen=True, tag="TRANSFER", kw_only=True):
    src_container: Name | None = None
    dst_container: Name | None = None
    item_id: Name | None = None
    count: Whole | None = None


class Craft(Task, frozen=True, tag="CRAFT", kw_only=True):
    recipe_id: Name | None = None
    count: Whole | None = None


class Smelt(Task, frozen=True, tag="SMELT", kw_only=True):
    item_id: Name | None = None
    count: Whole | None = None


class BuildBlueprint(Task, frozen=True, tag="BUILD_BLUEPRINT", kw_only=True):
    blueprint_id: Name | None = None
    anchor: Vector | None = None
    rotation: Whole | None = None


class BadInstant(Instant, frozen=True, tag="!", kw_only=True):
    """An instant that could not be read, and why. It gets its result like any other."""

    problem: str = ""


class Unread(Instant, frozen=True, tag="?", kw_only=True):
    """An instant that a limit refuses whatever it says, of which the journal keeps no more than this."""

    limit: str
    bytes: int
    sha256: str


class BadTask(Task, frozen=True, tag="!", kw_only=True):
    """A task that could not be read, and why."""

    problem: str = ""


SoundInstant = Say | Whisper | Eat | SaveMemory | LoadMemory | SetSign | ToggleSwitch | SocietyInstant
AnyInstant = SoundInstant | BadInstant | Unread
MoveTask = MoveTo | Follow
WorkTask = Mine | Gather | Place | Open | Transfer | Craft | Smelt | BuildBlueprint
SoundTask = MoveTask | WorkTask | Stop | ClaimLand
AnyTask = SoundTask | BadTask

__all__ = ["Action", "Instant", "Name", "Ref", "Task", "Text"]
