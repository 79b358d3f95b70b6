"""Executes one tick: takes inputs, changes the state, writes events. The tables below set the
order, and the digest of every tick depends on it.

A task that was accepted gets its first step in the same tick. Agents are visited in the order of
their numbers.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

from thorp.voxel import extension
from thorp.voxel import inputs as kinds
from thorp.voxel.act_dispatch import apply_act
from thorp.voxel.society import claims, contracts, events, laws, scores, seasons, structures, trades
from thorp.voxel.state.unsaved import Defects, TickScratch
from thorp.voxel.state.world import World
from thorp.voxel.systems import (
    blocks,
    bodies,
    conveyors,
    items,
    movement,
    population,
    region_restore,
    survival,
    weather,
    work,
)

System = Callable[[World], None]

# The rules for inputs other than ACTs, which are applied before anyone acts.
ENTRIES: Final[dict[type[kinds.AnyInput], Callable[[World, Any], None]]] = {
    kinds.Detach: population.detach,
    kinds.Join: population.join,
    kinds.Attach: population.attach,
    kinds.Rescue: population.rescue,
    kinds.Retire: population.retire,
    kinds.Restore: region_restore.restore,
    kinds.ExtensionRequest: lambda world, request: world.scratch.requests.append(request),
}

# Systems that run between those inputs and the ACTs: an action must meet the land as its upkeep
# left it.
BEFORE_ACTS: Final[tuple[tuple[str, System], ...]] = (("upkeep", claims.step),)

# Systems that run after the ACTs. `bodies` comes after everything that changes the ground, so that
# no body is in the air, or in a block, without falling or getting out of it in the same tick.
# Extensions come after everything that they could want to know about.
SYSTEMS: Final[tuple[tuple[str, System], ...]] = (
    ("movement", movement.step),
    ("work", work.step),
    ("conveyors", conveyors.step),
    ("director", events.step),
    ("falling", blocks.let_fall),
    ("growth", blocks.grow),
    ("bodies", bodies.step),
    ("weather", weather.step),
    ("survival", survival.step),
    ("items", items.step),
    ("population", population.step),
    ("laws", laws.step),
    ("trades", trades.step),
    ("contracts", contracts.step),
    ("creation", structures.step),
    ("reputation", scores.step),
    ("extensions", extension.step),
    ("stirred", contracts.forget_stirred),
    ("housekeeping", blocks.evict_chunks),
)


def step(
    world: World,
    inputs: Sequence[kinds.AnyInput],
    *,
    skip: Sequence[int] = (),
    contain: bool = False,
) -> None:
    """Execute the next tick. Refuses requests to an extension that is not there, before anything
    has changed. `skip` has the numbers of actions that failed when this tick was first executed.
    With `contain` the rule of an action may fail; `scratch.defects` names it, and the caller must
    prove that nothing has changed."""
    extension.require(world, inputs)
    world.tick += 1
    world.scratch = TickScratch(defects=Defects(skip=skip, contain=contain))
    seasons.step(world)
    for entry in inputs:
        if enter := ENTRIES.get(type(entry)):
            enter(world, entry)
    for _, system in BEFORE_ACTS:
        system(world)
    for entry in inputs:
        match entry:
            case kinds.Acted():
                if agent := world.agents.get(entry.agent):
                    world.agents.wake(agent)
                    agent.seen = max(agent.seen, entry.seen)
                    population.confirm(agent, entry.act.tick)
                    apply_act(world, agent, entry.act)
            case kinds.Malformed():
                if agent := world.agents.get(entry.agent):
                    world.result(agent, "ACT", ok=False, code=entry.code, message=entry.problem)
    for _, system in SYSTEMS:
        system(world)
