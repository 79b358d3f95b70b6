"""Goals as data: what a task asks for, as a tree whose leaves are measured.

    {"all": [goal, …], "weights": [1, 3]}    the mean of its parts, weighted if it says so
    {"any": [goal, …]}                       the best of its parts
    {"have": {"LOG": 3}}                     a leaf: a name, and what is asked of it

A leaf is measured by the engine that plays the task, as a fraction from 0 to 1; the tree only
combines. `"partial": false` beside any node makes it count in full or not at all. Fractions are
exact, so a score is the same on every machine.

A place in a leaf may be relative: `{"at": [1, 0, 0], "from": "site"}` is one cell east of what the
engine calls the site. `resolve` makes places absolute once the engine knows the land.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError, item, member

MAX_DEPTH: Final = 8  # Goals that people write are three levels deep at most.
MAX_PARTS: Final = 64
# Enough for a hall of stone; a blueprint is named instead of listed.
MAX_CELLS: Final = 512

EMPTY: Final = "AIR"

Place = tuple[int, int, int]
Count = Annotated[int, Meta(ge=1, le=1_000_000)]
Counts = Annotated[dict[str, Count], Meta(min_length=1, max_length=MAX_PARTS)]

Level = Annotated[int, Meta(ge=0, le=1_000)]
Meter = Literal["threat", "scarcity", "hope", "dread"]
Pressure = Annotated[dict[Meter, tuple[Level, Level]], Meta(min_length=1)]

Measure = Callable[[str, Any], Fraction]
"""Measure a leaf by its name and argument: from 0 to 1."""


class Cell(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A cell, and the block that belongs there: any solid block if it is `*`."""

    at: Place
    block: str


class Blueprint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A blueprint, and where its corner belongs."""

    id: str
    at: Place
    rotation: Annotated[int, Meta(ge=0, le=270, multiple_of=90)] = 0


class Near(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A place to stand at, or within some steps of it."""

    at: Place
    within: Annotated[int, Meta(ge=0, le=64)] = 0


PlanRow = Annotated[str, Meta(min_length=1, max_length=24)]
PlanLayer = Annotated[list[PlanRow], Meta(min_length=1, max_length=24)]


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A building that is drawn: its layers from the ground up, in each the rows from north to
    south, in each a letter for every block from west to east.

    A dot is a cell that stays empty, and a blank may hold anything. Empty cells count only when
    everything else is right: an untouched meadow is not half a house.
    """

    at: Place
    layers: Annotated[list[PlanLayer], Meta(min_length=1, max_length=16)]
    key: Annotated[dict[str, str], Meta(min_length=1, max_length=16)]

    def cells(self) -> Iterator[tuple[Place, str]]:
        """Every cell that matters, with the block that belongs there."""
        x, y, z = self.at
        for up, layer in enumerate(self.layers):
            for south, row in enumerate(layer):
                for east, letter in enumerate(row):
                    if letter != " ":
                        place = (x + east, y + up, z + south)
                        yield place, EMPTY if letter == "." else self.key[letter]


class Law(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A law that is to be in force, and its parameters as the world keeps them: shares in
    millionths."""

    template: str
    params: dict[str, int | str] = {}


class Trade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Goods that are to be had by trade, and the most that may be given for them."""

    got: Counts
    gave_most: Counts


LEAVES: Final[dict[str, Any]] = {
    # Of a body in the voxel world.
    "have": Counts,  # Items carried at once.
    "achieved": Counts,  # Achievements, and how often.
    "cells": Annotated[list[Cell], Meta(min_length=1, max_length=MAX_CELLS)],
    "blueprint": Blueprint,
    "plan": Plan,
    "near": Near,  # Stood there.
    "traded": Trade,  # All trades together.
    "lasted": Count,  # Ticks since the task began.
    "hunger": Count,  # At least this full; 20 is not hungry at all.
    "downed": Count,  # How often it died, for `never`.
    "gave": Counts,  # Items given away in trades, for `never`.
    "contracts": Annotated[
        dict[str, Count], Meta(min_length=1, max_length=4)
    ],  # By state: COMPLETED, FAILED.
    "law": Law,
    "member": Literal[True],  # Of the residents' city.
    "owns": Count,  # Claims of land.
    "fellows": Count,  # Others in one's own organisation.
    "neighbours": Count,  # Others who are members of one's own land.
    "gave_to": Annotated[dict[str, Counts], Meta(min_length=1, max_length=8)],  # By trade.
    # Of a reader of a ledger.
    "answered": Annotated[str, Meta(pattern="^[0-9a-f]{64}$")],  # The digest of the right answer.
    "cites": Annotated[list[str], Meta(min_length=1, max_length=MAX_PARTS)],  # Exactly these.
    "quoted": Annotated[list[str], Meta(min_length=1, max_length=MAX_PARTS)],  # For `never`.
    # Of a governor of a town.
    "executed": Counts,  # Kinds of actions that the town executed.
    "refused": Count,  # Actions that it did not, for `never`.
    "happened": Counts,  # Kinds of happenings, such as mission_completed.
    "works": Counts,  # Kinds of works that stand.
    "stores": Counts,  # What is in the stores at once.
    "pressure": Pressure,  # Meters, in per mille, each from a level to a level.
}
"""Every leaf, and the form of its argument."""


class Leaf(msgspec.Struct, frozen=True):
    """One thing that is measured."""

    kind: str
    argument: Any


class All(msgspec.Struct, frozen=True):
    """The weighted mean of its parts."""

    parts: tuple["Goal", ...]
    weights: tuple[int, ...]


class Best(msgspec.Struct, frozen=True):
    """The best of its parts."""

    parts: tuple["Goal", ...]


class Whole(msgspec.Struct, frozen=True):
    """A goal that counts in full or not at all."""

    part: "Goal"


Goal = Leaf | All | Best | Whole


def read_goal(tree: Json, path: str = "$.goal", depth: int = 0) -> Goal:
    """The goal that a tree describes. Refuses what cannot be measured, and says where."""
    if not isinstance(tree, dict):
        raise InvalidError("a goal is an object", code="goal", path=path)
    if depth > MAX_DEPTH:
        raise InvalidError(f"goals nest {MAX_DEPTH} deep at most", code="goal", path=path)
    fields = dict(tree)
    partial = fields.pop("partial", True)
    if type(partial) is not bool:
        raise InvalidError("partial is true or false", code="goal", path=member(path, "partial"))
    goal = _read_node(fields, path, depth)
    return goal if partial else Whole(goal)


def _read_node(fields: dict[str, Json], path: str, depth: int) -> Goal:
    if "all" in fields:
        parts = _read_parts(fields, "all", path, depth)
        return All(parts, _read_weights(fields, len(parts), path))
    if "any" in fields:
        return Best(_read_parts(fields, "any", path, depth))
    if len(fields) != 1:
        names = ", ".join(LEAVES)
        raise InvalidError(
            f"a goal is all, any or exactly one of {names}; got {', '.join(fields) or 'nothing'}",
            code="goal",
            path=path,
        )
    ((kind, argument),) = fields.items()
    return Leaf(kind, _read_argument(kind, argument, path))


def _read_parts(fields: dict[str, Json], name: str, path: str, depth: int) -> tuple[Goal, ...]:
    unknown = [each for each in fields if each not in (name, "weights")]
    if unknown or (name == "any" and "weights" in fields):
        raise InvalidError(f"{name} stands alone", code="goal", path=path)
    trees = fields[name]
    if not isinstance(trees, list) or not 1 <= len(trees) <= MAX_PARTS:
        raise InvalidError(
            f"{name} is a list of 1 to {MAX_PARTS} goals", code="goal", path=member(path, name)
        )
    here = member(path, name)
    return tuple(
        read_goal(tree, item(here, number), depth + 1) for number, tree in enumerate(trees)
    )


def _read_weights(fields: dict[str, Json], count: int, path: str) -> tuple[int, ...]:
    weights = fields.get("weights", [1] * count)
    if (
        not isinstance(weights, list)
        or len(weights) != count
        or not all(type(weight) is int and weight > 0 for weight in weights)
    ):
        raise InvalidError(
            f"weights are {count} whole numbers from 1 on",
            code="goal",
            path=member(path, "weights"),
        )
    return tuple(weights)


def _read_argument(kind: str, argument: Json, path: str) -> Any:
    form = LEAVES.get(kind)
    if form is None:
        raise InvalidError(
            f"no goal is called {kind!r:.40}; there are {', '.join(LEAVES)}", code="goal", path=path
        )
    try:
        read = msgspec.convert(argument, form)
    except msgspec.ValidationError as problem:
        raise InvalidError(str(problem), code="goal", path=member(path, kind)) from None
    if isinstance(read, Plan):
        _check_plan(read, member(path, kind))
    return read


def _check_plan(plan: Plan, path: str) -> None:
    letters = {letter for layer in plan.layers for row in layer for letter in row} - {".", " "}
    unknown = sorted(letters - set(plan.key))
    if unknown:
        raise InvalidError(f"the key has no {unknown[0]!r}", code="goal", path=path)
    if not letters:
        raise InvalidError("a plan has at least one block", code="goal", path=path)
    if sum(1 for _ in plan.cells()) > MAX_CELLS:
        raise InvalidError(f"plans have at most {MAX_CELLS} cells", code="goal", path=path)


def score(goal: Goal, measure: Measure) -> Fraction:
    """How far a goal is reached, from 0 to 1."""
    match goal:
        case Leaf(kind, argument):
            return min(max(measure(kind, argument), Fraction(0)), Fraction(1))
        case All(parts, weights):
            total = sum(
                (
                    weight * score(part, measure)
                    for part, weight in zip(parts, weights, strict=True)
                ),
                Fraction(0),
            )
            return total / sum(weights)
        case Best(parts):
            return max(score(part, measure) for part in parts)
        case Whole(part):
            return Fraction(int(score(part, measure) == 1))


def leaves(goal: Goal) -> Iterator[Leaf]:
    """Every leaf of a goal, from left to right."""
    match goal:
        case Leaf():
            yield goal
        case Whole(part):
            yield from leaves(part)
        case All(parts=parts) | Best(parts=parts):
            for part in parts:
                yield from leaves(part)


def answer_digest(text: str) -> str:
    """The digest of an answer in words: capitals, spaces and marks around it do not matter."""
    words = text.casefold().strip(" \t\n.,;:!?\"'()").split()
    return sha256(" ".join(words).encode()).hexdigest()


def share(wanted: Mapping[str, int], present: Mapping[str, int]) -> Fraction:
    """The mean, over what is wanted, of how much of each is present."""
    parts = (
        Fraction(min(max(present.get(name, 0), 0), count), count) for name, count in wanted.items()
    )
    return sum(parts, Fraction(0)) / len(wanted)


def resolve(tree: Json, anchors: Mapping[str, Sequence[int]], path: str = "$.goal") -> Json:
    """The same tree with every relative place made absolute. Refuses an anchor that is unknown."""
    if isinstance(tree, list):
        return [resolve(each, anchors, item(path, number)) for number, each in enumerate(tree)]
    if not isinstance(tree, dict):
        return tree
    fields = {
        name: resolve(value, anchors, member(path, name))
        for name, value in tree.items()
        if name != "from"
    }
    if "from" not in tree:
        return fields
    anchor = anchors.get(tree["from"]) if isinstance(tree["from"], str) else None
    if anchor is None or not _is_place(fields.get("at")):
        names = ", ".join(sorted(anchors))
        raise InvalidError(
            f"a place is [x, y, z] from one of {names}", code="goal", path=member(path, "from")
        )
    fields["at"] = [offset + base for offset, base in zip(fields["at"], anchor, strict=True)]
    return fields


def _is_place(value: object) -> bool:
    return (
        isinstance(value, list) and len(value) == 3 and all(type(number) is int for number in value)
    )
