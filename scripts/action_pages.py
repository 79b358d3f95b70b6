"""Writes a page for each action from the code: its fields, an example, and every refusal.

python scripts/reference.py actions docs/actions     # writes them anew

Fields, results, costs and refusals are those of `action_table`; the words on fields are those of
the tools for language models, whose examples are shown. Only the causes of refusals are written by
hand, in `refusal_causes.toml`.
"""

from __future__ import annotations

import inspect
import json
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

from msgspec import structs

from scripts import action_table
from thorp.client import actions as makers
from thorp.language.tools import TOOLS, Tool, read_call
from thorp.protocol import actions
from thorp.protocol.frame import PROTOCOL_VERSION
from thorp.voxel.lookups.permissions import WANTED_BELOW
from thorp.voxel.society import boards, claims
from thorp.voxel.systems import crafting, memory, mining
from thorp.voxel.systems.containers import HAND_REACH
from thorp.voxel.systems.items import GATHER_REACH
from thorp.voxel.tuning import Tuning

FOLDER = Path(__file__).parent.parent / "docs" / "actions"
CAUSES = Path(__file__).with_name("refusal_causes.toml")
NOTE = "<!-- Made from the code: python scripts/reference.py actions docs/actions -->"
EVERY_ACTION = "*"
REACHES: dict[type[actions.Action], int] = {
    actions.Mine: mining.REACH,
    actions.Gather: GATHER_REACH,
    actions.Place: Tuning().place_reach,
    actions.BuildBlueprint: Tuning().build_reach,
    actions.ClaimLand: claims.REACH,
}
NUMBERS = {
    "station_reach": crafting.STATION_REACH,
    "memory_bytes": f"{memory.MEMORY_BYTES:,}",
    "title_bytes": boards.MAX_TITLE_BYTES,
    "body_bytes": f"{boards.MAX_BODY_BYTES:,}",
    "wanted_below": f"{WANTED_BELOW / 1000:g}",
}


def pages() -> dict[str, str]:
    """The page of every action by the name of its file, and one that lists them."""
    by_name = {f"{_name(kind).lower()}.md": _page(kind) for kind in action_table.KINDS}
    return {"index.md": _index(), **by_name}


def _name(kind: type[actions.Action]) -> str:
    return str(kind.__struct_config__.tag)


def _index() -> str:
    rows = (
        (f"[`{_name(kind)}`]({_name(kind).lower()}.md)", _sentence(kind))
        for kind in action_table.KINDS
    )
    opening = "What an agent can do, each with its fields, an example and every refusal."
    more = (
        "Tasks take time, and come first; instants happen at once. [The protocol](../protocol.md#actions) "
        "tells what holds for all of them, and has them in one table."
    )
    return _joined(["# Actions", NOTE, opening, more, _table(("action", ""), rows)])


def _page(kind: type[actions.Action]) -> str:
    return _joined(
        [
            f"# {_name(kind)}",
            NOTE,
            *_opening(kind),
            "## Fields",
            *_fields(kind),
            "## Example",
            *_example(kind),
            "## Result and costs",
            *_result(kind),
            "## Refusals",
            *_refusals(kind),
        ]
    )


def _joined(parts: Iterable[str]) -> str:
    return "\n\n".join(parts) + "\n"


def _sentence(kind: type[actions.Action]) -> str:
    return " ".join((kind.__doc__ or "").split())


def _tool(kind: type[actions.Action]) -> Tool:
    return next(tool for tool in TOOLS if tool.name == _name(kind).lower())


def _opening(kind: type[actions.Action]) -> Iterator[str]:
    yield _advice(kind)
    if _takes_time(kind):
        slot = "movement" if kind in action_table.MOVEMENTS else "work"
        ends = (
            "goes on until it is stopped, or ends with TASK_FAIL"
            if kind is actions.Follow
            else "ends with TASK_DONE or TASK_FAIL"
        )
        yield f"A {slot} task: it stands in `tasks` of an ACT, and {ends}."
    else:
        part = "tasks" if issubclass(kind, actions.Task) else "instants"
        yield f"It stands in `{part}` of an ACT, and happens or is refused in the tick in which it arrives."


def _advice(kind: type[actions.Action]) -> str:
    """What its tool says that it does, unless that speaks of fields which only the tool has."""
    tool = _tool(kind)
    own = {field.name for field in structs.fields(kind)} | {*"xyz"}
    return (
        tool.description.partition(" Example: ")[0]
        if own >= {*tool.parameters["properties"]}
        else _sentence(kind)
    )


# Fields


def _fields(kind: type[actions.Action]) -> Iterator[str]:
    fields = [field for field in structs.fields(kind) if field.name != "id"]
    if not fields:
        yield "None, beside `type` and `id`."
        return
    listed = action_table.fields_of(kind, _tool(kind).parameters["required"])
    rows = (
        (
            f"`{field.name}`",
            _form(get_args(field.type)[0]),
            "optional" if f"`{field.name}?`" in listed else "",
            _meaning(kind, field.name, get_args(field.type)[0]),
        )
        for field in fields
    )
    yield _table(("field", "form", "", "meaning"), rows)
    yield "Any action may have an `id` besides, which its result repeats as `ref`."


def _form(form: Any) -> str:
    return next((text for other, text in action_table.FORMS.items() if other == form), "string")


def _meaning(kind: type[actions.Action], name: str, form: Any) -> str:
    """What the tools say of a field; of one that is flat there, what they say of its parts."""
    words = {
        field: about["description"] for field, about in _tool(kind).parameters["properties"].items()
    }
    if name in words:
        return str(words[name])
    if form == actions.Vector:
        return "the cell" if kind is not actions.BuildBlueprint else "the cell of its lowest corner"
    if form in (actions.Pairs, actions.Stacks):
        stem = name.removesuffix("s")
        return f"goods: {words[f'{stem}_item']}, and {words[f'{stem}_count']}"
    if form == actions.Policy:
        return _parts(words, but=("land_id",))
    if form == actions.Params:
        return "by the template: " + _parts(words, but=("land_id", "template_id", "title"))
    return OTHER_WORDS[name]


def _parts(words: dict[str, str], but: tuple[str, ...]) -> str:
    return "; ".join(f"`{field}`: {text}" for field, text in words.items() if field not in but)


# Fields that say what another one says, and so are in no tool.
OTHER_WORDS = {
    "target_id": "the same as `board_id`, which it takes precedence over",
    "deadline_tick": "the tick in which it ends, instead of `duration_ticks`",
}


# Examples

# What the shortest call of a tool leaves out, and an action that succeeds does not.
FURTHER: dict[type[actions.Action], dict[str, Any]] = {
    actions.PostContract: {"requirement_item": "COAL", "requirement_count": 3},
    actions.ProposeLaw: {"market_tax": 0.1},
    actions.SetPermissions: {"allow_build": False, "allow_trade": True},
}


def example_act(kind: type[actions.Action]) -> dict[str, Any]:
    """An ACT with one action: that of the tool's own example."""
    tool = _tool(kind)
    arguments = json.loads(tool.description.partition(" Example: ")[2]) | FURTHER.get(kind, {})
    ((part, (action,)),) = read_call(tool.name, arguments).items()
    head = {"type": "ACT", "protocol_version": PROTOCOL_VERSION, "tick": 812, "agent_id": "A1"}
    return {**head, part: [{"id": "a1", **action}]}


def _example(kind: type[actions.Action]) -> Iterator[str]:
    *head, (part, (action,)) = example_act(kind).items()
    opening = json.dumps(dict(head))[:-1]
    text = json.dumps(action, ensure_ascii=False)
    yield f'```json\n{opening},\n "{part}": [{text}]}}\n```'
    functions = " or ".join(f"`{function}`" for function in _functions(kind))
    yield f"With [the kit](../agent-kit.md), from `thorp.client`: {functions}."


def _functions(kind: type[actions.Action]) -> Iterator[str]:
    """The functions of the kit that make such an action, with the names of their parameters."""
    for name in makers.__all__:
        function = getattr(makers, name)
        if not inspect.isfunction(function):
            continue
        signature = inspect.signature(function, eval_str=True)
        if signature.return_annotation is kind:
            plain = [each.replace(annotation=each.empty) for each in signature.parameters.values()]
            yield f"{name}{inspect.Signature(plain)}"


# Results, costs and refusals


def _result(kind: type[actions.Action]) -> Iterator[str]:
    _, _, result, cost, _ = next(row for row in action_table.rows() if row[0] == f"`{_name(kind)}`")
    yield f"Result: {result}."
    yield f"Costs: {cost}."


def _refusals(kind: type[actions.Action]) -> Iterator[str]:
    rows = [
        (f"`{code}`", sentence, cause_of(kind, sentence))
        for code, sentences in action_table.refusals_of(kind).items()
        for sentence in sentences
    ]
    if rows:
        yield "… stands for what is filled in. A `hint` may say more of the case."
        yield _table(("code", "message", "cause"), rows)
    else:
        yield "None of its own."
    task = (
        " A task also ends with `E_UNSAFE` `downed` when its body falls."
        if _takes_time(kind)
        else ""
    )
    yield (f"[What any action may be refused with](../protocol.md#act) is not listed here.{task}")


def _takes_time(kind: type[actions.Action]) -> bool:
    return issubclass(kind, actions.Task) and kind not in (actions.Stop, actions.ClaimLand)


@cache
def causes() -> dict[str, dict[str, str]]:
    """Why actions are refused, by the action's type and the sentence."""
    return tomllib.loads(CAUSES.read_text("utf-8"))


def cause_of(kind: type[actions.Action], sentence: str) -> str:
    table = causes()
    words = table.get(_name(kind), {}).get(sentence) or table[EVERY_ACTION][sentence]
    return words.format(reach=REACHES.get(kind, HAND_REACH), **NUMBERS)


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    columns = tuple(head)
    lines = (columns, ("---",) * len(columns), *rows)
    cells = ([cell.replace("|", "\\|") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)


def write_pages(into: Path) -> None:
    into.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (into / name).write_text(text, "utf-8")
