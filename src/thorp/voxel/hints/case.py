"""One refusal that is to be explained, and wording that explanations have in common."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from thorp.protocol.actions import Action
from thorp.voxel.refusal import Refusal
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World

# How many names or goods one hint lists.
MAX_LISTED: Final = 4


class Case(NamedTuple):
    """A refused action: who asked for what, and the rule's answer."""

    world: World
    agent: Agent
    asked: object
    """The action; for a cancel, the id of the task."""
    refusal: Refusal

    @property
    def kind(self) -> str:
        """The type of the action, as on the wire."""
        if isinstance(self.asked, Action):
            return str(self.asked.__struct_config__.tag)
        return "cancel"

    @property
    def cell(self) -> Position:
        """The cell that the refusal is about: the one that its rule gives, or that the action
        names, or the agent's own."""
        cell = self.refusal.facts.get("cell") or self.field("block_pos") or self.field("anchor")
        return cell or self.agent.position

    def field(self, name: str) -> Any:
        """A field of the action; None if it was left out, or if the action has no such field."""
        return getattr(self.asked, name, None)

    def text(self, *names: str) -> str:
        """The first of these fields that is a text and not empty."""
        for name in names:
            value = self.field(name)
            if isinstance(value, str) and value:
                return value
        return ""

    def block(self, cell: Position) -> str:
        """The name of the block in a cell."""
        return self.world.catalogs.blocks[self.world.ground.block(*cell)].id

    def sees(self, cell: Position) -> bool:
        """Whether the agent's OBS shows a cell: only then may a hint say what is there."""
        radius = self.world.tuning.obs_radius
        pairs = zip(self.agent.position, cell, strict=True)
        return all(abs(here - there) <= radius for here, there in pairs)


def place(cell: Position) -> str:
    """A cell, as observations in words write it."""
    return f"{cell[0]} {cell[1]} {cell[2]}"


def goods(counts: Mapping[str, int]) -> str:
    """Goods in short: `2 STICK, 3 STONE`."""
    return listed(f"{count} {item}" for item, count in sorted(counts.items()))


def listed(words: Iterable[str]) -> str:
    """The first MAX_LISTED of some words, and how many more there are."""
    words = list(words)
    more = [f"{len(words) - MAX_LISTED} more"] if len(words) > MAX_LISTED else []
    return ", ".join([*words[:MAX_LISTED], *more])
