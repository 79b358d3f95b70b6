"""The one table of hints: which function explains which refusal.

A refusal is looked up by its sentence, or by the beginning of a sentence that names things. One
that is not in the table needs no explanation. Hints are cheap and bounded: an agent, and a world,
get a limited number in a tick. The limits count hints and not time, so that every replay makes the
same ones.
"""

from collections.abc import Callable
from typing import Any, Final

from thorp.protocol import actions, codes
from thorp.protocol.frame import clip
from thorp.protocol.outcome import MAX_HINT_BYTES
from thorp.voxel.hints import names, places, society, stocks, unread
from thorp.voxel.hints.case import Case
from thorp.voxel.refusal import Refusal
from thorp.voxel.society import boards
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.world import World
from thorp.voxel.systems import block_actions, chat, memory

# An ACT holds 16 actions. An agent that is refused more often than this in a tick does not read its
# hints.
MAX_HINTS_OF_AGENT: Final = 8
# A hint takes some 5 to 25 µs, or 150 if a name must be compared with all others: a crowd that asks
# for nonsense makes a tick a few milliseconds longer.
MAX_HINTS_IN_TICK: Final = 128

# The key under which the hints of all agents are counted; no agent has this number.
_EVERYBODY: Final = 0

Hinter = Callable[[Case], str]


def _say(text: str) -> Hinter:
    return lambda _: text


HINTS: Final[dict[str, Hinter]] = {
    # E_BAD_REQUEST
    "count must be positive": _say("send count, a whole number of 1 or more"),
    "item not edible": names.edible,
    "not a board": names.no_board,
    "post too large": _say(
        f"a title has at most {boards.MAX_TITLE_BYTES} bytes, "
        f"a body at most {boards.MAX_BODY_BYTES:,}"
    ),
    "source and destination are the same": _say(
        f"your own inventory is {block_actions.SELF}; the other side is a container's id"
    ),
    # E_BLOCKED
    "container has reserved items": _say("a contract's reward or deposit is locked in it"),
    "container holds goods owed to others": _say("they are kept for agents who did not come yet"),
    "law not in voting": society.voting,
    "need crafting bench nearby": places.station,
    "need furnace nearby": places.station,
    "not a listed member": society.listed_member,
    "not in an organisation": society.no_org,
    "requirements not met": society.requirements,
    "space occupied": places.occupied,
    "too far": places.distance,
    # E_CONFLICT
    "already in an organisation": society.own_org,
    "contract is not open": society.contract_state,
    "past deadline": society.deadline,
    # E_INVALID_TARGET
    "board not found": names.board,
    "container not found": names.thing,
    "contract not found": names.contract,
    "destination container not found": names.transfer_side,
    "item not found": names.lying_item,
    "item not placeable": names.placeable,
    "land not found": names.claimed_land,
    "law not found": names.law,
    "member not found": names.agent,
    "new owner not found": names.agent,
    "no block": places.nothing_there,
    "not a member": society.membership,
    "offerer not found": names.gone_offerer,
    "org not found": names.organisation,
    "outside the world": places.outside,
    "post not found": names.post,
    "sign not found": names.thing,
    "source container not found": names.transfer_side,
    "switch not found": names.thing,
    "target not found": names.thing,
    "task not found": names.task,
    "terminal mismatch": society.terminal,
    "terminal not found": names.thing,
    "this recipe needs SMELT": names.smelts_instead,
    "trade not found": names.trade,
    "unbreakable": places.unbreakable,
    "unknown blueprint": names.blueprint,
    "unknown item": names.item,
    "unknown law template": names.law_template,
    "unknown recipe": names.recipe,
    "unsupported item": names.smeltable,
    # E_NO_PERMISSION
    "break denied": places.break_denied,
    "build denied": places.build_denied,
    "gather denied": places.taking_denied,
    "membership was not offered to you": society.offered_membership,
    "neither your contract nor your land": society.contract_poster,
    "neither your post nor your land": society.post_author,
    "not acceptor": society.acceptor,
    "not eligible": society.elector,
    "not invited": society.invitation,
    "not land admin": society.land_admin,
    "not org admin": society.org_admin,
    "not the leader": society.leader,
    "not your offer": _say("only who made an offer cancels it; DECLINE_TRADE refuses one"),
    "not your trade": _say("it was offered to another agent"),
    "own contract": _say("another agent must accept it; CANCEL_CONTRACT takes it back"),
    "posting not allowed here": places.trade_denied,
    "taking denied": places.taking_denied,
    "the offerer may not trade where it is": _say(
        "visitors may not trade on that land; meet it elsewhere"
    ),
    "this land was not offered to you": society.offered_land,
    "trade not allowed here": places.trade_denied,
    "upkeep is late": society.upkeep,
    "withdraw denied": places.withdraw_denied,
    # E_NO_RESOURCE
    "memory budget exceeded": stocks.notes,
    "missing food": stocks.carried,
    "missing inputs": stocks.inputs,
    "missing item": stocks.carried,
    "missing items": stocks.carried,
    "treasury lacks items": stocks.treasury,
}
"""Explanations by the whole sentence of a refusal."""

BEGINNINGS: Final[tuple[tuple[str, Hinter], ...]] = (
    ("bad contract_kind", _say("")),
    ("bad ", names.listed_item),
    ("deadline must be", society.new_deadline),
    ("needs land_id", _say("")),
    ("needs ", places.soil),
    ("overlaps ", places.overlap),
    ("target_id must be", names.block_id),
    ("unknown channel", names.channel),
    ("wanted:", society.wanted),
)
"""Explanations by the first words of a sentence that names things."""


def explain(world: World, agent: Agent, asked: object, refusal: Refusal) -> str:
    """The hint that goes out with a refusal; empty if there is none to give."""
    if "hint" in refusal.extra or not _take_turn(world, agent):
        return ""
    case = Case(world, agent, asked, refusal)
    try:
        return clip(hint_for(case), MAX_HINT_BYTES)
    except Exception:
        # The refusal is right without its hint, and no tick may end for want of words.
        return ""


def hint_for(case: Case) -> str:
    """The hint of the table for a case."""
    asked = case.asked
    # As `isinstance` says, which takes long to say no about a struct.
    if type(asked) is actions.BadInstant or type(asked) is actions.BadTask:
        return unread.hint_for(asked)
    message = case.refusal.message
    hinter = HINTS.get(message) or _by_beginning(message) or _by_ending(case)
    return hinter(case) if hinter is not None else ""


def _by_beginning(message: str) -> Hinter | None:
    return next((hinter for words, hinter in BEGINNINGS if message.startswith(words)), None)


def _by_ending(case: Case) -> Hinter | None:
    """The function for sentences that several rules use about different things."""
    message = case.refusal.message
    if message.endswith(" stands there"):
        return places.somebody
    if message.endswith((" must be a number", " must be an item", " must be a whole number")):
        return society.law_params
    if message.startswith("missing "):
        return stocks.materials if case.refusal.code == codes.NO_RESOURCE else unread.missing
    return None


def _take_turn(world: World, agent: Agent) -> bool:
    """Count a hint; return whether it may still be made in this tick."""
    counts = world.scratch.hints
    if counts.get(_EVERYBODY, 0) >= MAX_HINTS_IN_TICK:
        return False  # a crowd at work is refused more often than that
    counts[agent.number] = counts.get(agent.number, 0) + 1
    counts[_EVERYBODY] = counts.get(_EVERYBODY, 0) + 1
    return counts[agent.number] <= MAX_HINTS_OF_AGENT and counts[_EVERYBODY] <= MAX_HINTS_IN_TICK


def remark_on(asked: object) -> str:
    """The remark on an action that succeeded, if a part of it was not taken as it was sent."""
    remark = _REMARKS.get(type(asked))
    return remark(asked) if remark is not None else ""


def _on_cut_text(said: actions.Say | actions.Whisper) -> str:
    text = said.text or ""
    is_cut = clip(text, chat.MAX_TEXT_BYTES) != text
    return f"cut to {chat.MAX_TEXT_BYTES:,} bytes" if is_cut else ""


def _on_notes(wish: actions.LoadMemory) -> str:
    if wish.limit is None or 0 < wish.limit <= memory.MAX_LIMIT:
        return ""
    return f"limit is 1 to {memory.MAX_LIMIT}; {memory.DEFAULT_LIMIT} was taken"


def _on_results(wish: actions.SearchBoard) -> str:
    if wish.limit is None or wish.limit <= boards.MAX_RESULTS:
        return ""
    return f"limit is at most {boards.MAX_RESULTS}"


_REMARKS: Final[dict[type, Callable[[Any], str]]] = {
    actions.Say: _on_cut_text,
    actions.Whisper: _on_cut_text,
    actions.LoadMemory: _on_notes,
    actions.SearchBoard: _on_results,
}
"""Remarks by the type of the action. It is a table because most actions get none, and it takes long
to match a struct with four classes."""
