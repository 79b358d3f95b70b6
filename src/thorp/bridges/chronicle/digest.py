"""The digest of a range: what was weightiest in it, as paragraphs, each for those who may read it.

What everybody may know makes one paragraph. Of the rest everyone is told what they saw, and nothing more:
notices that are told in one sentence are told so to the operator and to those who saw all of them; whoever
saw some is told of these, in a sentence of their own, which the operator is spared. Sentences for the same
ears stand together.

The same notices give the same text, wherever and whenever it is made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from thorp.bridges.chronicle.hours import Range, when
from thorp.bridges.chronicle.notices import Notice
from thorp.bridges.chronicle.sentences import Clause, clause

LINES: Final = 16
"""Sentences of a range for the operator; what is lighter is left out."""

LINES_ALIKE: Final = 4
"""Of these, of one kind: who founds a city every minute crowds out nobody but cities."""

OWN_LINES: Final = 40
"""Sentences of a range for those who saw a part of something."""

SENTENCES: Final = 6
"""Of one paragraph."""

EARS: Final = 20_000
"""Names in all lists of a range together: a writer's words have 262,144 characters."""

MERGED_WEIGHT: Final = 5
"""So much heavier can something get by happening often."""

Ears = tuple[str, ...]
"""Ids of those who may read it; without any, everybody."""


class Paragraph(NamedTuple):
    text: str
    visible_to: Ears


class _Line(NamedTuple):
    notices: tuple[Notice, ...]
    ears: Ears
    choice: int
    place: int
    """Among all that is told: by what happened first."""

    @property
    def weight(self) -> int:
        return _weight(self.notices)


def digest(
    told: Range,
    notices: Sequence[Notice],
    day_ticks: int,
    operator_id: str,
    *,
    stands: Callable[[str], bool],
    most: int,
) -> list[Paragraph]:
    """The paragraphs of a range, at most so many. `stands` says whether a text may be told."""
    turn = told.first // max(1, day_ticks // 4)
    ranked = _weightiest(_groups(notices))
    lines: list[_Line] = []
    own: list[_Line] = []
    for number, (place, group) in enumerate(ranked):
        whole, *parts = _lines(group, operator_id, turn + number, place)
        lines.append(whole)
        own += parts
    own.sort(key=lambda line: (-line.weight, line.place, line.ears))
    found: list[tuple[int, Paragraph]] = []
    spoken = 0
    for number, (ears, together) in enumerate([*_by_ears(lines), *_by_ears(own[:OWN_LINES])]):
        text = _paragraph(together, day_ticks, turn + number, stands)
        if text is not None and spoken + len(ears) <= EARS:
            found.append((together[0].place, Paragraph(text, ears)))
            spoken += len(ears)
    return [paragraph for _, paragraph in sorted(found[:most], key=itemgetter(0))]


def _weightiest(groups: Sequence[tuple[Notice, ...]]) -> list[tuple[int, tuple[Notice, ...]]]:
    """Those that are told, the weightiest first, each with its place among all."""
    kinds: Counter[str] = Counter()
    kept = []
    for place, group in sorted(enumerate(groups), key=lambda one: (-_weight(one[1]), one[0])):
        kinds[group[0].kind] += 1
        if kinds[group[0].kind] <= LINES_ALIKE:
            kept.append((place, group))
    return kept[:LINES]


def _weight(group: Sequence[Notice]) -> int:
    """Of notices that are told together."""
    return group[0].weight + min(len(group) - 1, MERGED_WEIGHT)


def _groups(notices: Sequence[Notice]) -> list[tuple[Notice, ...]]:
    """Notices that are told in one sentence, in the order in which they began."""
    groups: dict[tuple[str, str], list[Notice]] = {}
    for number, notice in enumerate(notices):
        alike = f"={notice.alike}" if notice.alike is not None else f"#{number}"
        groups.setdefault((notice.kind, alike), []).append(notice)
    return [tuple(group) for group in groups.values()]


def _lines(group: tuple[Notice, ...], operator_id: str, choice: int, place: int) -> Iterator[_Line]:
    """The line for the operator or for everybody, then those for who saw a part."""
    if group[0].public:
        yield _Line(group, (), choice, place)
        return
    saw: dict[str, list[int]] = {}
    for number, notice in enumerate(group):
        for witness in notice.witnesses:
            saw.setdefault(witness, []).append(number)
    ears: dict[tuple[int, ...], list[str]] = {tuple(range(len(group))): []}
    for witness, numbers in saw.items():
        ears.setdefault(tuple(numbers), []).append(witness)
    for places, witnesses in ears.items():
        some = tuple(group[place] for place in places)
        readers = sorted(witnesses, key=lambda one: int(one[1:]))
        whole = len(some) == len(group)
        yield _Line(some, (operator_id, *readers) if whole else tuple(readers), choice, place)


def _by_ears(lines: Sequence[_Line]) -> Iterator[tuple[Ears, list[_Line]]]:
    """Lines for the same ears, in the order of what they tell."""
    found: dict[Ears, list[_Line]] = {}
    for line in sorted(lines, key=lambda one: one.place):
        found.setdefault(line.ears, []).append(line)
    for ears, together in found.items():
        for first in range(0, len(together), SENTENCES):
            yield ears, together[first : first + SENTENCES]


def _paragraph(
    lines: Sequence[_Line], day_ticks: int, choice: int, stands: Callable[[str], bool]
) -> str | None:
    """Sentences in one text, which begins with the hour; None if none of them may be told."""
    hour = when(lines[0].notices[0].tick, day_ticks, choice)
    text = ""
    for line in lines:
        for bare in (False, True):
            said = clause(line.notices, line.choice, bare=bare)
            longer = (
                f"{text} {said.sentence}." if text else _opened(said, hour, alone=len(lines) == 1, at=choice)
            )
            if stands(longer):
                text = longer
                break
    return text or None


def _opened(said: Clause, hour: str, *, alone: bool, at: int) -> str:
    """A sentence that names its hour: in front, or now and then, where it stands alone, at its end."""
    if alone and at % 2 and not any(mark in said.text for mark in ",;:"):
        return f"{said.sentence} {hour.rstrip(',')}."
    return f"{hour[0].upper()}{hour[1:]} {said.text}."
