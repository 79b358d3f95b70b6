"""Applies an ACT: cancels first, then instants, then tasks, each in list order.

Every action gets exactly one result. A rule that refuses raises `Refusal` before it has changed
anything, and the refusal becomes the result. A rule that fails in any other way is a defect. If the
caller can prove that nothing was changed (`contain`), the action is answered with E_INTERNAL, and
its number in the tick is noted. A replay gets the number and does not run the rule at all.

    instants   a function of (world, agent, action); what it returns is added to the result
    movement   takes the movement slot, which must be free; `systems.movement` says what is accepted
    work       takes the work slot likewise; each kind of work is one row of `systems.work.WORK`
"""

from collections.abc import Callable
from typing import Any, Final

from thorp.protocol import actions, codes
from thorp.protocol.act import MAX_ACTIONS, Act
from thorp.voxel.hints.table import remark_on
from thorp.voxel.refusal import Refusal, cooldown
from thorp.voxel.society import boards, claims, contracts, laws, orgs, trades
from thorp.voxel.state.agent import Agent, Movement, Work
from thorp.voxel.state.world import World, WorldState
from thorp.voxel.systems import block_actions, chat, memory, movement, rate_limits, survival, work

# An ACT that answers OBS n is in time for tick n+1 or n+2; later it answers a world that is gone.
LATE_TICKS: Final = 2
DEFECT: Final = (
    "the rule for this failed inside, and nothing was changed; the operator's log has it"
)

Rule = Callable[[World, Agent, Any], dict[str, object] | None]

INSTANTS: Final[dict[type[actions.Instant], Rule]] = {
    actions.Say: chat.say,
    actions.Whisper: chat.whisper,
    actions.Eat: survival.eat,
    actions.SaveMemory: memory.save,
    actions.LoadMemory: memory.load,
    actions.SetSign: block_actions.set_sign,
    actions.ToggleSwitch: block_actions.toggle_switch,
    actions.UpgradeClaim: claims.upgrade,
    actions.SetPermissions: claims.set_permissions,
    actions.AddMember: claims.add_member,
    actions.RemoveMember: claims.remove_member,
    actions.DeedLand: claims.deed,
    actions.AcceptLand: claims.accept_offer,
    actions.LeaveLand: claims.leave,
    actions.CreateOrg: orgs.create,
    actions.JoinOrg: orgs.join,
    actions.LeaveOrg: orgs.leave,
    actions.OrgDeposit: orgs.deposit,
    actions.OrgWithdraw: orgs.withdraw,
    actions.SetOrgOpen: orgs.set_open,
    actions.InviteOrg: orgs.invite,
    actions.SetOrgRole: orgs.set_role,
    actions.ProposeLaw: laws.propose,
    actions.Vote: laws.vote,
    actions.OfferTrade: trades.offer,
    actions.AcceptTrade: trades.accept,
    actions.DeclineTrade: trades.decline,
    actions.CancelTrade: trades.cancel,
    actions.PostContract: contracts.post,
    actions.AcceptContract: contracts.accept,
    actions.SubmitContract: contracts.submit,
    actions.CancelContract: contracts.cancel,
    actions.ClaimOwed: contracts.claim_owed,
    actions.PostBoard: boards.post,
    actions.RemovePost: boards.remove_post,
    actions.SearchBoard: boards.search,
}


def apply_act(world: World, agent: Agent, act: Act) -> None:
    """Do what an ACT asks for, as far as the rules allow, and give each action its result."""
    if not world.tick - LATE_TICKS <= act.tick <= world.tick:
        message = (
            f"answers tick {act.tick}; now is {world.tick}, at most {LATE_TICKS} old is accepted"
        )
        world.result(agent, "ACT", ok=False, code=codes.STALE, message=message)
        return
    for task_id in act.cancel:
        _answer(world, agent, task_id, _cancel, task_id)
    for instant in act.instants:
        _answer(world, agent, instant.id, _do_instant, instant)
    for task in act.tasks:
        _answer(world, agent, task.id, TASKS.get(type(task), _begin_work), task)
    _refuse_rest(world, agent, act)


def _refuse_rest(world: WorldState, agent: Agent, act: Act) -> None:
    """Refuse the actions beyond the limit of an ACT. These results may wait for room in an OBS, as
    the events of others do."""
    rest = [(ref, f"an ACT holds at most {MAX_ACTIONS} actions") for ref in act.refused]
    if act.unread:
        rest.append(("ACT", f"{act.unread} more were not read"))
    for ref, message in rest:
        refused = {"ref": ref, "ok": False, "code": codes.RATE_LIMIT, "message": message}
        world.emit_to([agent], "ACTION_RESULT", **refused, **cooldown(world.tick, world.tick + 1))


def _answer(world: World, agent: Agent, ref: str, rule: Rule, asked: object) -> None:
    defects = world.scratch.defects
    defects.actions += 1
    if defects.actions in defects.skip:
        return _answer_defect(world, agent, ref, None)
    try:
        fields = rule(world, agent, asked) or {"message": "ok"}
    except Refusal as no:
        world.refuse(agent, ref, asked, no)
    except Exception as defect:
        if not defects.contain:
            raise
        _answer_defect(world, agent, ref, defect)
    else:
        agent.acted = True
        world.result(agent, ref, remark=remark_on(asked), ok=True, **fields)


def _answer_defect(world: World, agent: Agent, ref: str, defect: Exception | None) -> None:
    world.scratch.defects.failed.append(world.scratch.defects.actions)
    world.scratch.defects.cause = defect
    world.result(agent, ref, ok=False, code=codes.INTERNAL, message=DEFECT)


def _cancel(world: WorldState, agent: Agent, task_id: str) -> dict[str, object]:
    if agent.move is not None and agent.move.id == task_id:
        agent.move = None
    elif agent.work is not None and agent.work.id == task_id:
        agent.work = None
    else:
        raise Refusal(codes.INVALID_TARGET, "task not found")
    return {"message": "canceled"}


def _do_instant(
    world: World, agent: Agent, instant: actions.AnyInstant
) -> dict[str, object] | None:
    if isinstance(instant, actions.BadInstant):
        raise Refusal(codes.BAD_REQUEST, instant.problem)
    if isinstance(instant, actions.Unread):
        if instant.limit == memory.UNREAD:
            memory.refuse(world, agent)
        rate_limits.require_room(world, agent, rate_limits.tuned_limit(world, instant.limit))
        # There is room again, because a season has begun and with it another window.
        raise Refusal(codes.RATE_LIMIT, "not read")
    return INSTANTS[type(instant)](world, agent, instant)


def _refuse_unreadable(world: World, agent: Agent, task: actions.BadTask) -> dict[str, object]:
    raise Refusal(codes.BAD_REQUEST, task.problem)


def _stop(world: World, agent: Agent, task: actions.Stop) -> dict[str, object]:
    agent.move = None
    return {"message": "stopped"}


def _begin_move(world: World, agent: Agent, task: actions.MoveTask) -> dict[str, object]:
    if agent.move is not None:
        raise Refusal(
            codes.CONFLICT, f"movement task {agent.move.id} is running; cancel it or STOP"
        )
    movement.check(world, agent, task)
    agent.move = Movement(
        id=_next_task(world), request=task, started_tick=world.tick, start=agent.position
    )
    return {"task_id": agent.move.id}


def _begin_work(world: World, agent: Agent, task: actions.WorkTask) -> dict[str, object]:
    if agent.work is not None:
        raise Refusal(codes.CONFLICT, f"work task {agent.work.id} is running; cancel it first")
    work.check(world, agent, task)
    agent.work = Work(id=_next_task(world), request=task, started_tick=world.tick)
    return {"task_id": agent.work.id}


def _next_task(world: WorldState) -> str:
    world.counters.task += 1
    return f"T{world.counters.task:06d}"


TASKS: Final[dict[type, Callable[[World, Agent, Any], dict[str, object]]]] = {
    actions.BadTask: _refuse_unreadable,
    actions.Stop: _stop,
    actions.ClaimLand: claims.claim,
    actions.MoveTo: _begin_move,
    actions.Follow: _begin_move,
}
"""What becomes of a task; every other begins as work."""
