"""Work tasks (MINE, PLACE, CRAFT …): what each kind checks, does in a tick, and reports as
progress.

Before a task begins, it is refused if it lacks a field that it `needs`, and `check` may refuse it.
`step` returns whether the task is done; a refusal ends the task. Whatever was paid by then has
become blocks or goods, so work can be stopped at any time. Most kinds are done in their first step,
in the tick in which they were asked for.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from thorp.protocol import actions
from thorp.voxel.refusal import Refusal, given
from thorp.voxel.state.agent import Agent, Status, Work
from thorp.voxel.state.world import World
from thorp.voxel.systems import block_actions, crafting, items, mining, placement

# The status of work that takes one tick, so that nobody ever sees it half done.
DONE_AT_ONCE: Final[Status] = (0.0, (0, 0, 0), 1)


class WorkKind(NamedTuple):
    """How one kind of work is checked, done and reported."""

    step: Callable[[World, Agent, Work, Any], bool]
    needs: tuple[str, ...] = ()
    check: Callable[[World, Agent, Any], None] = lambda world, agent, wish: None
    status: Callable[[World, Agent, Work, Any], Status] = lambda *_: DONE_AT_ONCE


WORK: Final[dict[type[actions.Task], WorkKind]] = {
    actions.Mine: WorkKind(mining.mine, ("block_pos",), status=mining.status),
    actions.Gather: WorkKind(items.gather, ("target_id",), items.check_gather),
    actions.Place: WorkKind(placement.place, ("block_pos", "item_id")),
    actions.Open: WorkKind(block_actions.open_block, ("target_id",)),
    actions.Transfer: WorkKind(
        block_actions.transfer,
        ("src_container", "dst_container", "item_id"),
        block_actions.check_transfer,
    ),
    actions.Craft: WorkKind(crafting.make, ("recipe_id",), crafting.check, crafting.status),
    actions.Smelt: WorkKind(crafting.make, ("item_id",), crafting.check, crafting.status),
    actions.BuildBlueprint: WorkKind(
        placement.build, (), placement.check_build, placement.build_status
    ),
}


def check(world: World, agent: Agent, task: actions.WorkTask) -> None:
    """Refuse a task that lacks a field, or that its kind refuses."""
    kind = WORK[type(task)]
    for name in kind.needs:
        given(getattr(task, name), name)
    kind.check(world, agent, task)


def step(world: World) -> None:
    """Let everybody with a task of work do one tick of it."""
    for agent in world.agents.awake:
        work = agent.work
        if work is None:
            continue
        try:
            if WORK[type(work.request)].step(world, agent, work, work.request):
                world.finish_task(agent, work)
        except Refusal as no:
            world.fail_task(agent, work, no)
            world.listeners.on_refused_work(world, agent, work.request)


def status(world: World, agent: Agent) -> Status:
    """How far an agent's work has come."""
    work = agent.work
    assert work is not None
    return WORK[type(work.request)].status(world, agent, work, work.request)
