"""Makes the digest of a range: its most important notices, as paragraphs with their readers.

Each agent reads what is public and what it saw, and nothing more (see `docs/chronicle.md`). The
same notices always give the same text.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from thorp.bridges.chronicle.sentences import KINDS, Clause, Notice, clause
from thorp.bridges.chronicle.wording import TickRange, when

LINES_LIMIT: Final = 16
"""Sentences of a range for the operator; less important ones are left out."""
SAME_KIND_LIMIT: Final = 4
"""Sentences of one kind among these, so that someone who founds a city every minute crowds out only
cities."""
LITTLE_TO_TELL: Final = 3
"""Minor matters are told of a range with fewer sentences than that."""
SUMMED: Final = ("built", "contract kept", "trade")
"""Routine: all that a range has of one of these is told in one sentence."""
WITNESS_LINES_LIMIT: Final = 40
"""Sentences of a range for agents that saw only a part of something."""
PARAGRAPH_SENTENCES: Final = 6
"""Sentences of one paragraph."""
READERS_LIMIT: Final = 20_000
"""Names in all lists of a range together: a writer's words have 262,144 characters."""
MERGED_WEIGHT: Final = 5
"""The most weight that something can gain by happening often."""
NAMED_LIMIT: Final = 12
"""People that a sentence is noted to be about."""

Readers = tuple[str, ...]
"""Ids of those who may read a paragraph; empty means everybody."""


class Sentence(NamedTuple):
    """Where a sentence ends in its paragraph, in characters, when it began to be true, of whom it
    is, and how much it matters."""

    end: int
    tick: int
    who: tuple[str, ...]
    weight: int = 0


class Paragraph(NamedTuple):
    """A paragraph of the chronicle, and who may read it; nobody named means everybody."""

    text: str
    visible_to: Readers
    sentences: tuple[Sentence, ...] = ()


class _Line(NamedTuple):
    notices: tuple[Notice, ...]
    readers: Readers
    choice: int
    place: int
    """Among all that is told: by what happened first."""

    @property
    def weight(self) -> int:
        return _weight(self.notices)


def digest(
    told: TickRange,
    notices: Sequence[Notice],
    day_ticks: int,
    operator_id: str,
    *,
    stands: Callable[[str], bool],
    most: int,
    open_book: bool = False,
) -> list[Paragraph]:
    """The paragraphs of a range, at most `most`. `stands` says whether a text may be told.

    With an open book all of it is for everybody: notices are made of public events alone.
    """
    turn = told.first // max(1, day_ticks // 4)
    ranked = _weightiest(_groups(notices))
    lines: list[_Line] = []
    own: list[_Line] = []
    for number, (place, group) in enumerate(ranked):
        told_to = None if open_book or group[0].public else operator_id
        whole, *parts = _lines(group, told_to, turn + number, place)
        lines.append(whole)
        own += parts
    own.sort(key=lambda line: (-line.weight, line.place, line.readers))
    paragraphs: list[tuple[int, Paragraph]] = []
    spoken = 0
    groups = [*_by_readers(lines), *_by_readers(own[:WITNESS_LINES_LIMIT])]
    for number, (readers, together) in enumerate(groups):
        paragraph = _paragraph(together, day_ticks, turn + number, stands)
        if paragraph.text and spoken + len(readers) <= READERS_LIMIT:
            paragraphs.append((together[0].place, paragraph._replace(visible_to=readers)))
            spoken += len(readers)
    return [paragraph for _, paragraph in sorted(paragraphs[:most], key=itemgetter(0))]


def _weightiest(groups: Sequence[tuple[Notice, ...]]) -> list[tuple[int, tuple[Notice, ...]]]:
    """Those that are told, the weightiest first, each with its place among all."""
    kinds: Counter[str] = Counter()
    kept: list[tuple[int, tuple[Notice, ...]]] = []
    for place, group in sorted(
        enumerate(groups), key=lambda ranked_group: (-_weight(ranked_group[1]), ranked_group[0])
    ):
        kind = group[0].kind
        kinds[kind] += 1
        if kinds[kind] <= SAME_KIND_LIMIT and not (
            KINDS[kind].minor and len(kept) >= LITTLE_TO_TELL
        ):
            kept.append((place, group))
    return kept[:LINES_LIMIT]


def _weight(group: Sequence[Notice]) -> int:
    """Of notices that are told together."""
    return group[0].weight + min(len(group) - 1, MERGED_WEIGHT)


def _groups(notices: Sequence[Notice]) -> list[tuple[Notice, ...]]:
    """Notices that are told in one sentence, in the order in which they began."""
    groups: dict[tuple[str, str], list[Notice]] = {}
    for number, notice in enumerate(notices):
        alike = f"={notice.alike}" if notice.alike is not None else f"#{number}"
        alike = "" if notice.kind in SUMMED else alike
        groups.setdefault((notice.kind, alike), []).append(notice)
    return [tuple(group) for group in groups.values()]


def _lines(
    group: tuple[Notice, ...], operator_id: str | None, choice: int, place: int
) -> Iterator[_Line]:
    """The line for the operator, or where there is no operator for everybody; then those for
    agents that saw a part."""
    if operator_id is None:
        yield _Line(group, (), choice, place)
        return
    saw: dict[str, list[int]] = {}
    for number, notice in enumerate(group):
        for witness in notice.witnesses:
            saw.setdefault(witness, []).append(number)
    readers: dict[tuple[int, ...], list[str]] = {tuple(range(len(group))): []}
    for witness, numbers in saw.items():
        readers.setdefault(tuple(numbers), []).append(witness)
    for places, witnesses in readers.items():
        some = tuple(group[place] for place in places)
        ordered = sorted(witnesses, key=lambda agent_id: int(agent_id[1:]))
        whole = len(some) == len(group)
        yield _Line(some, (operator_id, *ordered) if whole else tuple(ordered), choice, place)


def _by_readers(lines: Sequence[_Line]) -> Iterator[tuple[Readers, list[_Line]]]:
    """Lines for the same readers, in the order of what they tell."""
    by_readers: dict[Readers, list[_Line]] = {}
    for line in sorted(lines, key=lambda one: one.place):
        by_readers.setdefault(line.readers, []).append(line)
    for readers, together in by_readers.items():
        for first in range(0, len(together), PARAGRAPH_SENTENCES):
            yield readers, together[first : first + PARAGRAPH_SENTENCES]


def _paragraph(
    lines: Sequence[_Line], day_ticks: int, choice: int, stands: Callable[[str], bool]
) -> Paragraph:
    """Sentences in one text, which begins with the hour; an empty one if none of them may be
    told."""
    last = max(notice.tick for line in lines for notice in line.notices)
    hour = when(TickRange(lines[0].notices[0].tick, last), day_ticks, choice)
    text = ""
    sentences: list[Sentence] = []
    for line in lines:
        for bare in (False, True):
            said = clause(line.notices, line.choice, bare=bare)
            longer = (
                f"{text} {said.sentence}."
                if text
                else _opened(said, hour, alone=len(lines) == 1, at=choice)
            )
            if stands(longer):
                text = longer
                who = dict.fromkeys(agent_id for notice in line.notices for agent_id in notice.who)
                people = (*who,)[:NAMED_LIMIT]
                tick = line.notices[0].tick
                sentences.append(Sentence(len(text), tick, people, line.weight))
                break
    return Paragraph(text, (), (*sentences,))


def _opened(said: Clause, hour: str, *, alone: bool, at: int) -> str:
    """A sentence that names its hour: in front, or now and then, where it stands alone, at its
    end."""
    if alone and at % 2 and not any(mark in said.text for mark in ",;:"):
        return f"{said.sentence} {hour.rstrip(',')}."
    return f"{hour[0].upper()}{hour[1:]} {said.text}."
