"""The end of a task, done or failed: the agent is told, and is free for another task."""

from thorp.voxel.refusal import Refusal
from thorp.voxel.state.agent import Agent, Movement, Work
from thorp.voxel.state.world import WorldState


def done(world: WorldState, agent: Agent, task: Movement | Work) -> None:
    _free(agent, task)
    world.emit(agent, "TASK_DONE", own=True, task_id=task.id, kind=task.kind)


def failed(world: WorldState, agent: Agent, task: Movement | Work, no: Refusal) -> None:
    _free(agent, task)
    fields = {"task_id": task.id, "kind": task.kind, "code": no.code, "message": no.message}
    world.emit(agent, "TASK_FAIL", own=True, **{**no.extra, **fields})


def _free(agent: Agent, task: Movement | Work) -> None:
    if isinstance(task, Movement):
        agent.move = None
    else:
        agent.work = None
