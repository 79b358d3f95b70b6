"""Work tasks (MINE, PLACE, CRAFT …): what each kind checks, does in a tick, and reports as progress.

`check` refuses before the task exists. `step` returns whether the task is done; a refusal ends the task. What
was paid by then has become blocks or goods, so work can be stopped at any time. Most kinds are done in their
first step, in the tick in which they were asked for.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from thorp.protocol import actions
from thorp.voxel.refusal import Refusal
from thorp.voxel.state.agent import Agent, Work
from thorp.voxel.state.ground import Position
from thorp.voxel.state.world import World, WorldState
from thorp.voxel.systems import block_actions, crafting, items, mining, placement

Status = tuple[float, Position, int]


def _at_once(world: WorldState, agent: Agent, work: Work, wish: actions.WorkTask) -> Status:
    return 0.0, (0, 0, 0), 1


class Kind(NamedTuple):
    check: Callable[[World, Agent, Any], None]
    step: Callable[[World, Agent, Work, Any], bool]
    status: Callable[[World, Agent, Work, Any], Status] = _at_once


WORK: Final[dict[type[actions.Task], Kind]] = {
    actions.Mine: Kind(mining.check, mining.mine, mining.status),
    actions.Gather: Kind(items.check_gather, items.gather),
    actions.Place: Kind(placement.check, placement.place),
    actions.Open: Kind(block_actions.check, block_actions.open_block),
    actions.Transfer: Kind(block_actions.check_transfer, block_actions.transfer),
    actions.Craft: Kind(crafting.check, crafting.make, crafting.status),
    actions.Smelt: Kind(crafting.check, crafting.make, crafting.status),
    actions.BuildBlueprint: Kind(placement.check_build, placement.build, placement.build_status),
}


def check(world: World, agent: Agent, task: actions.WorkTask) -> None:
    WORK[type(task)].check(world, agent, task)


def step(world: World) -> None:
    for agent in world.agents.awake:
        if agent.work is not None:
            _go_on(world, agent, agent.work)


def _go_on(world: World, agent: Agent, work: Work) -> None:
    try:
        if WORK[type(work.request)].step(world, agent, work, work.request):
            world.finish_task(agent, work)
    except Refusal as no:
        world.fail_task(agent, work, no)


def status(world: World, agent: Agent) -> Status:
    """Progress from 0 to 1, target, and how many ticks are left, of the work under way."""
    work = agent.work
    if work is None:
        raise AssertionError(f"{agent.id} has no work")
    return WORK[type(work.request)].status(world, agent, work, work.request)
