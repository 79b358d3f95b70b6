"""Listeners: how the rules of bodies report to the rules of society, which stand above them.

A body takes a step, a totem is broken, work is refused: the rule that did it calls the listener of
that name, at once and in the same tick, and does not know who listens. A world is made with its
listeners; `society.listeners` has the one table of them. One listener answers: `explain`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from thorp.protocol.actions import Stack, WorkTask
from thorp.voxel.catalog import Recipe
from thorp.voxel.refusal import Refusal
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position

if TYPE_CHECKING:
    from thorp.voxel.state.world import Container, World, WorldState


@dataclass(frozen=True, slots=True, kw_only=True)
class Listeners:
    """One listener for each kind of report. Each is called after the fact, except where it says
    otherwise."""

    on_arrival: Callable[[WorldState, Agent], None]
    """A body has joined, and stands where there was none."""
    on_step: Callable[[World, Agent], None]
    """A body has gone into the next column."""
    on_mine: Callable[[World, Agent, int, Position, Iterable[Stack]], None]
    """A block was mined in a cell; what it yielded is in the inventory."""
    on_craft: Callable[[World, Agent, Recipe], None]
    """An agent has crafted by a recipe, once."""
    on_open: Callable[[World, Agent, Container], None]
    """An agent has looked into a container."""
    on_build: Callable[[World, Agent, str, Position, int, Iterable[Position]], None]
    """An agent has built a blueprint at an anchor, with a rotation; these cells of it are new."""
    on_delivery: Callable[[World, Agent, Container, str, int], None]
    """An agent has put a number of one item into a container."""
    on_refused_work: Callable[[World, Agent, WorkTask], None]
    """A task of work has failed, because its rule refused to go on."""
    on_denial: Callable[[WorldState, Agent], None]
    """A land did not allow what an agent tried."""
    on_closed_core: Callable[[WorldState], None]
    """Somebody was not let into the core of a land."""
    on_totem_removed: Callable[[World, Position], None]
    """The block of a totem is gone, and with it what made its land a claim."""
    on_terminal_removed: Callable[[World, Container], None]
    """The block of a terminal is gone; what the terminal holds is about to drop to the ground."""
    on_board_removed: Callable[[World, Position], None]
    """The block of a bulletin board is gone."""
    on_departure: Callable[[WorldState, str], None]
    """A body, named by its id, is about to leave the world for good."""
    explain: Callable[[World, Agent, object, Refusal], str]
    """Returns the hint for a refusal. Called before the agent gets its result."""
