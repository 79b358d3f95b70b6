"""Writes the table of actions in docs/protocol.md from the code.

python scripts/action_table.py           # writes it anew, between its two marks

Fields are those of the protocol's types. Results, refusals and rate limits are read from the rules:
from the function of each action, and every function of the engine that it calls. What an action
costs beside is a sentence here, with the rules' own numbers.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, get_args

from msgspec import structs

from thorp.language.tools import TOOLS
from thorp.protocol import actions, codes
from thorp.voxel import Tuning
from thorp.voxel.act_dispatch import INSTANTS
from thorp.voxel.refusal import Refusal, given, known, refuse_if
from thorp.voxel.society import boards, claims, contracts
from thorp.voxel.systems import memory, mining, movement, rate_limits, work

PAGE = Path(__file__).parent.parent / "docs" / "protocol.md"
BEGIN, END = "<!-- actions: made by scripts/action_table.py -->", "<!-- /actions -->"

KINDS = (*get_args(actions.SoundTask), *get_args(actions.SoundInstant))
FORMS = {
    actions.Vector: "[x, y, z]",
    actions.Pairs: "[[item, count], …]",
    actions.Stacks: "[{item, count}, …]",
    actions.Policy: "{allow_…: boolean}",
    actions.Params: "{…}",
    actions.Data: "{…}",
    actions.Flag: "boolean",
    actions.Whole: "integer",
    actions.Long: "integer",
    actions.Distance: "number",
}
# Rules that follow a deed and refuse nothing, and what tells others of it.
BESIDE = ("deeds", "scores", "indexes", "event_zones")
# Functions that refuse with what they are told.
REFUSERS: dict[object, tuple[str, str]] = {
    given: (codes.BAD_REQUEST, "missing {}"),
    known: (codes.INVALID_TARGET, "{}"),
}
# What rules say in words that are put together, so that no reading of the code finds them.
REACHABLE = "the nearest reachable point is …"
UNSEEN: dict[type[actions.Action], tuple[tuple[str, str], ...]] = {
    **dict.fromkeys(
        (actions.MoveTo, actions.Follow),
        (
            (codes.BLOCKED, f"blocked; {REACHABLE}"),
            (codes.BLOCKED, f"only reachable by a fall of … cells, which …; {REACHABLE}"),
            (codes.UNSAFE, f"only reachable by a fall of … cells, which …; {REACHABLE}"),
            (codes.UNSAFE, f"only reachable under water, where it would drown; {REACHABLE}"),
        ),
    ),
    actions.OfferTrade: ((codes.NO_PERMISSION, "trade not allowed here"),),
    actions.AcceptTrade: (
        (codes.NO_PERMISSION, "trade not allowed here"),
        (codes.NO_PERMISSION, "the offerer may not trade where it is"),
        (codes.NO_RESOURCE, "missing items: … x…"),
        (codes.NO_RESOURCE, "the offerer lacks: … x…"),
    ),
    actions.PostContract: ((codes.NO_RESOURCE, "missing reward: … x…"),),
    actions.AcceptContract: ((codes.NO_RESOURCE, "missing deposit: … x…"),),
    actions.Craft: ((codes.BLOCKED, "need crafting bench nearby"),),
    actions.Smelt: ((codes.BLOCKED, "need furnace nearby"),),
    actions.Transfer: (
        (codes.INVALID_TARGET, "source container not found"),
        (codes.INVALID_TARGET, "destination container not found"),
    ),
    actions.SetSign: ((codes.INVALID_TARGET, "sign not found"),),
    actions.ToggleSwitch: ((codes.INVALID_TARGET, "switch not found"),),
    actions.ProposeLaw: (
        (codes.BAD_REQUEST, "… must be a number"),
        (codes.BAD_REQUEST, "… must be an item"),
        (codes.BAD_REQUEST, "… must be a whole number"),
    ),
}
# What a function says to another action that it serves too, or says in other words to each.
LACKING = "… is lacking"
OUTSIDE = "target is outside the world, which ends … cells from 0, 0"
FOREIGN: dict[type[actions.Action], tuple[str, ...]] = {
    actions.MoveTo: ("target not found",),
    actions.Follow: (OUTSIDE,),
    actions.Craft: ("unsupported item", "need … nearby"),
    actions.Smelt: ("unknown recipe", "this recipe needs SMELT", "need … nearby"),
    actions.Transfer: ("… container not found",),
    **dict.fromkeys((actions.SetSign, actions.ToggleSwitch), ("… not found",)),
    **dict.fromkeys((actions.AcceptTrade, actions.PostContract), (LACKING,)),
    actions.AcceptContract: (LACKING, "unknown blueprint"),
    **dict.fromkeys((actions.SubmitContract, actions.CancelContract), ("unknown blueprint",)),
}
# Where events of a module's actions are sent, beside the module itself.
TELLERS = {"thorp.voxel.society.contracts": "thorp.voxel.society.escrow"}
FUNCTIONS: dict[type[actions.Action], tuple[Callable[..., Any], ...]] = {
    **{kind: (rule,) for kind, rule in INSTANTS.items()},
    **{kind: (each.check, each.step) for kind, each in work.WORK.items()},
    actions.MoveTo: (movement.check, movement.step),
    actions.Follow: (movement.check, movement.step),
    actions.ClaimLand: (claims.claim,),
    actions.Stop: (),
}


class Rule(NamedTuple):
    """What the functions behind an action say."""

    refusals: dict[str, list[str]]
    """Sentences by code."""
    limits: list[str]
    events: list[str]

    def refuse(self, code: str, sentence: str) -> None:
        known = self.refusals.setdefault(code, [])
        if sentence and sentence not in known:
            known.append(sentence)


def costs() -> dict[type[actions.Action], str]:
    step = f"{movement.STEP_STAMINA / 1000:g} stamina a step, a step a tick"
    quickest, (slowest, tiring) = mining.TOOLS[0], mining.BARE_HANDS
    mine = (
        f"{quickest[1]} to {slowest} ticks, {quickest[2] / 1000:g} to {tiring / 1000:g} "
        "stamina each"
    )
    price = ", ".join(f"1 {item}" for item in claims.PRICE)
    note = f"{memory.MEMORY_BYTES:,} bytes in all"
    return {
        actions.MoveTo: step,
        actions.Follow: step,
        actions.Mine: mine,
        actions.Place: "1 tick, the item",
        **dict.fromkeys((actions.Gather, actions.Open, actions.Transfer), "1 tick"),
        **dict.fromkeys((actions.Craft, actions.Smelt), "the recipe's ticks and inputs, for each"),
        actions.BuildBlueprint: f"the blueprint's items; {Tuning().blueprint_blocks_per_tick} "
        "blocks a tick",
        actions.ClaimLand: f"{price} up to radius {claims.DEFAULT_RADIUS}, by area beyond",
        actions.UpgradeClaim: "the difference in price",
        actions.Eat: "the food",
        actions.SaveMemory: f"{note}; {memory.USES_PER_TICK} uses a tick",
        actions.LoadMemory: f"{memory.USES_PER_TICK} uses a tick",
        actions.OrgDeposit: "the goods",
        actions.OfferTrade: "nothing until it is accepted",
        actions.AcceptTrade: "what was requested, the market tax",
        actions.PostContract: "the reward, at once",
        actions.AcceptContract: f"the deposit; up to {contracts.DEPOSITS[-1][1]} times of the "
        "little trusted",
        actions.SearchBoard: f"{boards.SEARCH_LIMIT.allowed} in {boards.SEARCH_LIMIT.length} ticks",
    }


def refusals_of(kind: type[actions.Action]) -> dict[str, list[str]]:
    """What an action can be refused with: sentences by code, … for what is filled in."""
    return {code: _about(kind, sentences) for code, sentences in rule_of(kind).refusals.items()}


def rows() -> Iterator[tuple[str, ...]]:
    """A row for each action: its type, fields, result, costs, and what it is refused with."""
    required = {tool.name.upper(): tool.parameters["required"] for tool in TOOLS}
    costs_of = costs()
    for kind in KINDS:
        tag = str(kind.__struct_config__.tag)
        rule = rule_of(kind)
        cost = "; ".join([*([costs_of[kind]] if kind in costs_of else []), *rule.limits])
        refusals = "; ".join(
            f"`{code}` {' · '.join(sentences)}".rstrip()
            for code, sentences in refusals_of(kind).items()
        )
        yield (
            f"`{tag}`",
            fields_of(kind, required[tag]),
            result_of(kind, rule),
            cost or "nothing",
            refusals,
        )


def _about(kind: type[actions.Action], sentences: list[str]) -> list[str]:
    """Those with words, but for what another action is told that has the same rule."""
    fields = {field.name for field in structs.fields(kind)}
    foreign = {*(f"missing {name}" for name in FIELDS - fields), *FOREIGN.get(kind, ())}
    return [each for each in sentences if re.search(r"[a-z]", each) and each not in foreign]


def fields_of(kind: type[actions.Action], required: list[str]) -> str:
    """Fields as on the wire, those that may be left out with a question mark."""
    told = []
    for field in structs.fields(kind):
        form = get_args(field.type)[0] if field.name != "id" else None
        if form is None:
            continue
        names = (
            field.name,
            f"{field.name.removesuffix('s')}_item",
            *(("x",) if form == actions.Vector else ()),
        )
        needed = form in (actions.Policy, actions.Params) or any(name in required for name in names)
        optional = "" if needed else "?"
        shown = next((text for other, text in FORMS.items() if other == form), "string")
        told.append(f"`{field.name}{optional}`" + (f" {shown}" if shown != "string" else ""))
    return ", ".join(told)


def result_of(kind: type[actions.Action], rule: Rule) -> str:
    """What the result holds beside `ok`, and the events that the rule itself tells."""
    events = "".join(f"; `{event}`" for event in rule.events)
    if kind is actions.Stop:
        return "`stopped`"
    if issubclass(kind, actions.Task) and kind is not actions.ClaimLand:
        return (
            f"`task_id`, then `TASK_DONE`{events}"
            if kind is not actions.Follow
            else f"`task_id`{events}"
        )
    (function,) = FUNCTIONS[kind]
    found: dict[str, None] = {}
    for node in ast.walk(tree_of(function)):
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Dict):
            for key, value in zip(node.value.keys, node.value.values, strict=True):
                if isinstance(key, ast.Constant):
                    name = str(key.value)
                    found[f"`{constant_of(value) if name == 'message' else name}`"] = None
    return (" or ".join(found) or "`ok`") + events


def rule_of(kind: type[actions.Action]) -> Rule:
    rule = Rule({}, [], [])
    if issubclass(kind, actions.Task) and kind not in (actions.ClaimLand, actions.Stop):
        rule.refusals[codes.CONFLICT] = [
            "movement task … is running; cancel it or STOP"
            if kind in MOVEMENTS
            else "work task … is running; cancel it first"
        ]
    if kind in work.WORK:
        for name in work.WORK[kind].needs:
            rule.refuse(codes.BAD_REQUEST, f"missing {name}")
    for code, sentence in UNSEEN.get(kind, ()):
        rule.refuse(code, sentence)
    homes = {function.__module__ for function in FUNCTIONS[kind]}
    homes |= {TELLERS[module] for module in homes if module in TELLERS}
    seen: set[Callable[..., Any]] = set()
    waiting = list(FUNCTIONS[kind])
    for function in waiting:
        if function not in seen:
            seen.add(function)
            waiting += _note(function, rule, told=function.__module__ in homes)
    return Rule(
        {code: sorted(rule.refusals[code]) for code in codes.CODES if code in rule.refusals},
        list(dict.fromkeys(rule.limits)),
        sorted(set(rule.events)),
    )


FIELDS = {field.name for kind in KINDS for field in structs.fields(kind)}
MOVEMENTS = (actions.MoveTo, actions.Follow)


def _note(function: Callable[..., Any], rule: Rule, *, told: bool) -> list[Callable[..., Any]]:
    """Note what one function says; return those of the engine that it calls."""
    called: list[Callable[..., Any]] = []
    for node in ast.walk(tree_of(function)):
        if not isinstance(node, ast.Call):
            continue
        target = resolve(function, node.func)
        if target is refuse_if or (inspect.isclass(target) and issubclass(target, Refusal)):
            code_told, sentence_told = node.args[-2:]
            for named in ast.walk(code_told):
                if isinstance(named, ast.Attribute):
                    rule.refuse(getattr(codes, named.attr, ""), constant_of(sentence_told))
        elif target in REFUSERS:
            code, sentence = REFUSERS[target]
            rule.refuse(code, sentence.format(constant_of(node.args[1]) or "…"))
        elif isinstance(target, FunctionType) and target.__module__.startswith("thorp.voxel."):
            module = target.__module__.rpartition(".")[2]
            if target is rate_limits.tuned_limit:
                rule.limits.extend(_limits(node.args[1]))
            if module not in BESIDE:
                called.append(target)
        elif (
            told and isinstance(node.func, ast.Attribute) and node.func.attr in ("emit", "emit_to")
        ):
            rule.events.append(constant_of(node.args[1]))
    return called


def _limits(name: ast.expr) -> list[str]:
    """The rate limit of that name, as a world has it unless it is tuned otherwise."""
    limits = Tuning().rate_limits
    names = (str(name.value),) if isinstance(name, ast.Constant) else ("say", "market_say")
    return [
        f"{getattr(limits, f'{each}_max')} in {getattr(limits, f'{each}_window_ticks')} ticks"
        + (" on MARKET" if each == "market_say" else "")
        for each in names
    ]


def resolve(function: Callable[..., Any], node: ast.expr) -> object:
    """What a name in a function stands for, as far as its module knows it."""
    names = inspect.unwrap(function).__globals__  # type: ignore[attr-defined]
    match node:
        case ast.Name(id=name):
            return names.get(name)
        case ast.Attribute(value=ast.Name(id=module), attr=name) if isinstance(
            names.get(module), ModuleType
        ):
            return getattr(names[module], name, None)
    return None


def constant_of(node: ast.expr) -> str:
    """A literal or formatted string, with … for what is filled in; empty if it is none."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(constant_of(part) or "…" for part in parts).replace(
                "…: … x…", "… is lacking"
            )
    return ""


@cache
def tree_of(function: Callable[..., Any]) -> ast.AST:
    return ast.parse(textwrap.dedent(inspect.getsource(function)))


def _in_short(row: tuple[str, ...]) -> tuple[str, ...]:
    """A row with a link to the action's own page, which has the sentences of its refusals."""
    name, *rest, refusals = row
    page = f"actions/{name.strip('`').lower()}.md"
    return (f"[{name}]({page})", *rest, ", ".join(re.findall(r"`E_\w+`", refusals)))


def table() -> str:
    head = ("action", "fields", "result", "costs", "refused with")
    lines = (head, ("---",) * len(head), *map(_in_short, rows()))
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines
    )


def with_table(page: str) -> str:
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent.parent))
    PAGE.write_text(with_table(PAGE.read_text("utf-8")), "utf-8")
