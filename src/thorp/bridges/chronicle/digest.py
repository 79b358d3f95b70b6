"""Makes the digest of a range: its most important notices, as paragraphs with their readers.

Each agent reads what is public and what it saw, and nothing more (see `docs/chronicle.md`). The
same notices always give the same text.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import Final, NamedTuple

from msgspec.structs import replace

from thorp.bridges.chronicle.sentences import COUNTED_AS, KINDS, SUMMED, Clause, Notice, clause
from thorp.bridges.chronicle.wording import TickRange, when
from thorp.voxel import Position

LINES_LIMIT: Final = 16
"""The most sentences of a range for the operator; less important ones are left out."""
SAME_KIND_LIMIT: Final = 4
"""The most sentences of one kind among these, so that someone who founds a city every minute crowds
out only other cities."""
LITTLE_TO_TELL: Final = 3
"""Minor notices are used only in a range with fewer sentences than this."""
WITNESS_LINES_LIMIT: Final = 40
"""The most sentences of a range for agents that saw only a part of something."""
PARAGRAPH_SENTENCES: Final = 6
"""The most sentences of one paragraph."""
READERS_LIMIT: Final = 20_000
"""The most names in all lists of readers of a range together: a writer's reply may have 262,144
characters."""
MERGED_WEIGHT: Final = 5
"""The most weight that notices gain by being merged, however often something happened."""
NAMED_LIMIT: Final = 12
"""The most people whom a sentence is recorded to be about."""
EVENTS_LIMIT: Final = 16
"""The most events that a sentence is recorded to be made from. All the trades of an afternoon are
one sentence; those beyond are counted."""

Readers = tuple[str, ...]
"""Ids of those who may read a paragraph; empty means everybody."""


class NotedEvent(NamedTuple):
    """An event of the world that a sentence was made from, as the page notes it."""

    id: str
    kind: str
    place: Position | None
    people: tuple[str, ...]
    digest: str


class Sentence(NamedTuple):
    """One sentence of a paragraph: the character at which it ends, the tick from which it is true,
    the agents it is about, its weight, the first events it was made from, and how many these
    were."""

    end: int
    tick: int
    who: tuple[str, ...]
    weight: int = 0
    events: tuple[NotedEvent, ...] = ()
    total: int = 0


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
    """Its position among all lines, in the order in which things happened."""

    @property
    def weight(self) -> int:
        return _weight(self.notices)


def digest(
    ticks: TickRange,
    notices: Sequence[Notice],
    day_ticks: int,
    operator_id: str,
    *,
    stands: Callable[[str], bool],
    most: int,
    open_book: bool = False,
) -> list[Paragraph]:
    """The paragraphs of a range, at most `most`. `stands` says whether a text may be published.

    With an open book everybody may read all of it, which is safe because notices are made from
    public events only.
    """
    turn = ticks.first // max(1, day_ticks // 4)
    ranked = _weightiest(_groups(notices))
    lines: list[_Line] = []
    own: list[_Line] = []
    for number, (place, group) in enumerate(ranked):
        reader = None if open_book or group[0].public else operator_id
        whole, *parts = _lines(group, reader, turn + number, place)
        lines.append(whole)
        own += parts
    own.sort(key=lambda line: (-line.weight, line.place, line.readers))
    paragraphs: list[tuple[int, Paragraph]] = []
    spoken = 0
    groups = [*_by_readers(lines), *_by_readers(own[:WITNESS_LINES_LIMIT])]
    for number, (readers, together) in enumerate(groups):
        hour = when(_span(together, ticks), day_ticks, turn + number)
        paragraph = _paragraph(together, hour, turn + number, stands)
        if paragraph.text and spoken + len(readers) <= READERS_LIMIT:
            paragraphs.append((together[0].place, paragraph._replace(visible_to=readers)))
            spoken += len(readers)
    return [paragraph for _, paragraph in sorted(paragraphs[:most], key=itemgetter(0))]


def _weightiest(groups: Sequence[tuple[Notice, ...]]) -> list[tuple[int, tuple[Notice, ...]]]:
    """The groups to report, the weightiest first, each with its place among all groups."""
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
    """The weight of notices that share a sentence."""
    others = sum(1 + notice.more for notice in group) - 1
    return group[0].weight + min(others, MERGED_WEIGHT)


def _groups(notices: Sequence[Notice]) -> list[tuple[Notice, ...]]:
    """The notices of each sentence, in the order in which they began; behind them those that are
    told in a sentence of their own and counted in this one, too."""
    groups: dict[tuple[str, str], list[Notice]] = {}
    for number, notice in enumerate(notices):
        alike = f"={notice.alike}" if notice.alike is not None else f"#{number}"
        alike = "" if notice.kind in SUMMED else alike
        groups.setdefault((notice.kind, alike), []).append(notice)
    for kind, counted_as in COUNTED_AS.items():
        group = groups.get((counted_as, ""), [])
        if len(group) > 1:  # of a single one the sentence counts nothing
            group += [notice for notice in notices if notice.kind == kind]
    return [tuple(group) for group in groups.values()]


def _lines(
    group: tuple[Notice, ...], operator_id: str | None, choice: int, place: int
) -> Iterator[_Line]:
    """The line for the operator, or for everybody if `operator_id` is None; then the lines for
    agents that saw only a part."""
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
        if some[0].kind != group[0].kind:
            continue  # they saw only what another sentence tells
        ordered = sorted(witnesses, key=lambda agent_id: int(agent_id[1:]))
        whole = len(some) == len(group)
        seen = tuple(replace(notice, more=0) if notice.more else notice for notice in some)
        if whole and seen != some:  # nobody is known to have seen those that were only counted
            yield _Line(some, (operator_id,), choice, place)
        elif whole:
            yield _Line(some, (operator_id, *ordered), choice, place)
            continue
        if ordered:
            yield _Line(seen, tuple(ordered), choice, place)


def _by_readers(lines: Sequence[_Line]) -> Iterator[tuple[Readers, list[_Line]]]:
    """Lines for the same readers together, in the order in which things happened."""
    by_readers: dict[Readers, list[_Line]] = {}
    for line in sorted(lines, key=lambda one: one.place):
        by_readers.setdefault(line.readers, []).append(line)
    for readers, together in by_readers.items():
        for first in range(0, len(together), PARAGRAPH_SENTENCES):
            yield readers, together[first : first + PARAGRAPH_SENTENCES]


def _span(lines: Sequence[_Line], page: TickRange) -> TickRange:
    """The ticks of everything that lines tell of.

    The first line is not always about the earliest tick: whoever saw a part of something may have
    missed its beginning. Notices that were only counted may be from any tick of the page.
    """
    notices = [notice for line in lines for notice in line.notices]
    if any(notice.more for notice in notices):
        return page
    ticks = [notice.tick for notice in notices]
    return TickRange(min(ticks), max(ticks))


def _paragraph(
    lines: Sequence[_Line], hour: str, choice: int, stands: Callable[[str], bool]
) -> Paragraph:
    """One paragraph of sentences, which opens with the hour; its text is empty if none of them may
    be published."""
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
                sentences.append(_noted(line, len(text)))
                break
    return Paragraph(text, (), (*sentences,))


def _noted(line: _Line, end: int) -> Sentence:
    """What a page notes about a sentence that ends at a character."""
    who = dict.fromkeys(agent_id for notice in line.notices for agent_id in notice.who)
    events = tuple(
        NotedEvent(
            id=notice.event,
            kind=notice.kind,
            place=notice.where,
            people=notice.who,
            digest=notice.digest,
        )
        for notice in line.notices[:EVENTS_LIMIT]
        if notice.event
    )
    return Sentence(
        end=end,
        tick=min(notice.tick for notice in line.notices),
        who=(*who,)[:NAMED_LIMIT],
        weight=line.weight,
        events=events,
        total=sum(1 + notice.more for notice in line.notices),
    )


def _opened(said: Clause, hour: str, *, alone: bool, at: int) -> str:
    """The opening sentence with its hour in front, or sometimes at its end if it is the only
    one."""
    if alone and at % 2 and not any(mark in said.text for mark in ",;:"):
        return f"{said.sentence} {hour.rstrip(',')}."
    return f"{hour[0].upper()}{hour[1:]} {said.text}."
