"""Who is told what: everybody what is public, the operator all, and whoever saw something exactly
that."""

from __future__ import annotations

import re
from operator import itemgetter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thorp.bridges.chronicle.check.reading import split_hour
from thorp.bridges.chronicle.digest import (
    LINES_LIMIT,
    LITTLE_TO_TELL,
    PARAGRAPH_SENTENCES,
    READERS_LIMIT,
    SAME_KIND_LIMIT,
    WITNESS_LINES_LIMIT,
    Paragraph,
    digest,
)
from thorp.bridges.chronicle.names import Phrase, trusted
from thorp.bridges.chronicle.sentences import KINDS, SUMMED, Notice, clause
from thorp.bridges.chronicle.wording import TickRange, number_in_words

DAY = 6000
RANGE = TickRange(1500, 2999)
OPERATOR = "GEORGE"
MANY = 64


def notice(
    number: int, kind: str, witnesses: list[int], alike: str | None = None, tick: int = 0
) -> Notice:
    """A notice whose words hold a canary of its own."""
    canary = f"canary{number:03d}x"
    words = (
        "who",
        "org",
        "place",
        "other",
        "offer",
        "request",
        "what",
        "many",
        "owner",
        "law",
        "sense",
        "judge",
        "candidates",
    )
    about = {name: Phrase(canary, f"bare{canary}") for name in words}
    about |= {
        name: trusted(canary)
        for name in (
            "poster",
            "work",
            "wrought",
            "thing",
            "sky",
            "giver",
            "taker",
            "food",
            "season",
        )
    }
    about |= {
        name: trusted(canary)
        for name in ("paces", "town", "command", "reason", "called", "event", "price", "warning")
    }
    about["goal"] = trusted("VOTE")
    return Notice(
        tick=tick or RANGE.first + number,
        day=1,
        hour=7,
        kind=kind,
        who=(),
        where=None,
        witnesses=tuple(f"A{one}" for one in sorted(witnesses)),
        about=about,
        alike=alike,
    )


def told(notices: list[Notice], most: int = MANY, **options: object) -> list[Paragraph]:
    fits = options.get("stands", lambda text: True)
    return digest(RANGE, notices, DAY, OPERATOR, stands=fits, most=most)  # type: ignore[arg-type]


def canaries(text: str) -> set[int]:
    return {int(found) for found in re.findall(r"canary(\d{3})x", text)}


kinds = st.sampled_from(sorted(KINDS))
crowds = st.lists(st.integers(1, 9), unique=True, max_size=6)
drafts = st.lists(st.tuples(kinds, crowds, st.sampled_from([None, "a", "b"])), max_size=25)


@given(drafts)
def test_nobody_is_told_what_they_did_not_see(
    drawn: list[tuple[str, list[int], str | None]],
) -> None:
    notices = [
        notice(number, kind, crowd, alike) for number, (kind, crowd, alike) in enumerate(drawn)
    ]
    for paragraph in told(notices):
        for number in canaries(paragraph.text):
            if not notices[number].public:
                assert paragraph.visible_to, "what is private is in no public paragraph"
                readers = {*paragraph.visible_to} - {OPERATOR}
                assert readers <= {*notices[number].witnesses}


@given(drafts)
def test_what_is_told_at_all_the_operator_is_told_once_and_every_witness_too(
    drawn: list[tuple[str, list[int], str | None]],
) -> None:
    """As long as there is room: names of a crowd are counted, so singles only."""
    drawn = [
        one
        for place, one in enumerate(drawn)
        if [k for k, *_ in drawn[:place]].count(one[0])
        < (1 if one[0] in SUMMED else SAME_KIND_LIMIT)
        and not KINDS[one[0]].minor
    ]
    notices = [
        notice(number, kind, crowd) for number, (kind, crowd, _) in enumerate(drawn[:LINES_LIMIT])
    ]
    paragraphs = told(notices)
    for number, one in enumerate(notices):
        places = [each for each in paragraphs if number in canaries(each.text)]
        if one.kind in ("season", "event begins", "event ends", "goal"):
            continue
        assert len(places) == 1
        expected = () if one.public else (OPERATOR, *one.witnesses)
        assert places[0].visible_to == expected


def test_whoever_saw_a_part_is_told_of_that_part() -> None:
    trades = [
        notice(number, "trade", crowd, alike="")
        for number, crowd in enumerate(([1, 2], [2, 3], [2]))
    ]
    found = {each.visible_to: canaries(each.text) for each in told(trades)}
    assert found == {(OPERATOR, "A2"): {0, 1, 2}, ("A1",): {0}, ("A3",): {1}}


def test_who_saw_a_rescue_and_no_other_trade_is_told_of_the_rescue_alone() -> None:
    seen = [
        notice(number, kind, crowd, alike="")
        for number, (kind, crowd) in enumerate(
            (("rescue", [1, 2]), ("trade", [1]), ("trade", [1, 3]))
        )
    ]
    found = {each.visible_to: each for each in told(seen)}
    whole = found[OPERATOR, "A1"]
    assert [sentence.total for sentence in whole.sentences] == [3]
    assert canaries(found[OPERATOR, "A1", "A2"].text) == {0}
    assert canaries(found[("A3",)].text) == {2}
    assert len(found) == 3


def test_sentences_for_the_same_ears_stand_together_and_name_the_day_once() -> None:
    (whole,) = told([notice(number, "death", [1, 2]) for number in range(3)])
    assert whole.text.count("first day") == 1
    assert whole.text.count(".") == 3
    both = [
        notice(number, kind, [1])
        for number, kind in enumerate(("death", "rescue") * SAME_KIND_LIMIT)
    ]
    assert [each.visible_to for each in told(both)] == [(OPERATOR, "A1")] * 2, (
        "six, and then the other two"
    )
    assert PARAGRAPH_SENTENCES < 2 * SAME_KIND_LIMIT <= LINES_LIMIT


def arrivals(*names: str) -> list[Notice]:
    """Newcomers at one place, each with a body of its own, whatever it is called."""
    found = []
    for number, name in enumerate(names):
        one = notice(number, "arrival", [], alike="")
        words = {**one.about, "who": Phrase(name, f"A{number}"), "place": trusted("")}
        found.append(msgspec.structs.replace(one, about=words))
    return found


@pytest.mark.parametrize(
    ("names", "number"),
    [
        (("model-1", "model-2", "model-1"), "two"),
        (("model-1", "model-2", "model-3"), "three"),
        (("a", "b", "c", "d", "a", "b"), "four"),
    ],
)
def test_a_sentence_counts_as_many_newcomers_as_it_names(
    names: tuple[str, ...], number: str
) -> None:
    texts = {clause(arrivals(*names), choice).text for choice in range(MANY)}
    counted = [text for text in texts if "strangers arrived" in text]
    assert counted
    for text in counted:
        assert text.split()[0] == number, text
    bare = {clause(arrivals(*names), choice, bare=True).text for choice in range(MANY)}
    numbers = {text.split()[0] for text in bare if "strangers arrived" in text}
    assert numbers == {number_in_words(len(names))}, "ids tell all bodies apart"


def test_who_comes_twice_in_a_range_is_one_newcomer() -> None:
    texts = {clause(arrivals("model-1", "model-1"), choice).text for choice in range(MANY)}
    assert texts == {clause(arrivals("model-1"), choice).text for choice in range(MANY)}


def test_the_hour_of_a_paragraph_holds_for_all_that_it_tells() -> None:
    """Trades from noon to five are not told as if they were all at sunset."""
    noon = notice(1, "trade", [], alike="", tick=3_062)
    evening = notice(2, "trade", [], alike="", tick=4_300)
    afternoon = TickRange(3_000, 4_499)
    for day in range(8):
        moved = [msgspec.structs.replace(one, tick=one.tick + day * DAY) for one in (noon, evening)]
        span = TickRange(*(tick + day * DAY for tick in afternoon))
        (paragraph,) = digest(span, moved, DAY, OPERATOR, stands=lambda text: True, most=MANY)
        text = paragraph.text.lower()
        assert "after noon" in text or "on the afternoon" in text, text


times = st.sampled_from(range(*RANGE, DAY // 24))
dated = st.lists(
    st.tuples(st.sampled_from([*SUMMED, "death"]), st.integers(1, 2), times),
    min_size=3,
    max_size=12,
)


@given(dated, st.booleans())
def test_no_paragraph_names_an_hour_in_which_one_of_its_events_did_not_happen(
    drawn: list[tuple[str, int, int]], open_book: bool
) -> None:
    drawn.sort(key=itemgetter(2))
    for day in range(3):  # on each day, other ways of telling the same hour
        notices = []
        for number, (kind, witness, tick) in enumerate(drawn):
            one = notice(number, kind, [witness], "a", tick + day * DAY)
            notices.append(msgspec.structs.replace(one, event=f"E{one.tick}.{number}"))
        span = TickRange(*(tick + day * DAY for tick in RANGE))
        paragraphs = digest(
            span, notices, DAY, OPERATOR, stands=lambda text: True, most=MANY, open_book=open_book
        )
        assert paragraphs
        for paragraph in paragraphs:
            opening = paragraph.text[: paragraph.sentences[0].end].removesuffix(".")
            _, (hour,) = split_hour(opening)
            first, last = hour.ticks(DAY)
            for sentence in paragraph.sentences:
                ticks = [int(event.id[1:].partition(".")[0]) for event in sentence.events]
                assert all(first <= tick <= last for tick in ticks), paragraph.text
                assert sentence.tick == min(ticks)


def test_who_missed_the_beginning_of_something_is_told_the_hour_of_what_was_seen() -> None:
    """Of the contracts, which began at noon, A2 saw the last one; of the trades, one before it."""
    both = [
        notice(0, "contract kept", [1], tick=3_000),
        notice(1, "trade", [1], tick=3_010),
        notice(2, "trade", [2], tick=3_600),
        notice(3, "contract kept", [2], tick=4_490),
    ]
    for day in range(8):
        moved = [msgspec.structs.replace(one, tick=one.tick + day * DAY) for one in both]
        span = TickRange(3_000 + day * DAY, 4_499 + day * DAY)
        paragraphs = digest(span, moved, DAY, OPERATOR, stands=lambda text: True, most=MANY)
        (seen,) = [each for each in paragraphs if each.visible_to == ("A2",)]
        assert canaries(seen.text) == {2, 3}
        text = seen.text.lower()
        assert "after noon" in text or "on the afternoon" in text, text


def test_what_was_only_counted_is_in_the_hour_too() -> None:
    """Nobody knows when those happened that were counted and not kept: the whole part of the day
    is named."""
    kept = notice(0, "trade", [1], alike="", tick=RANGE.first)
    counted = msgspec.structs.replace(kept, more=9)
    for day in range(8):
        span = TickRange(*(tick + day * DAY for tick in RANGE))
        moved = msgspec.structs.replace(counted, tick=span.first)
        whole, *_ = digest(span, [moved], DAY, OPERATOR, stands=lambda text: True, most=MANY)
        text = whole.text.lower()
        assert "on the morning" in text or "before noon" in text, text


def test_the_sky_is_named_if_all_reaped_under_it() -> None:
    clear, frost = (
        msgspec.structs.replace(one, about={**one.about, "sky": trusted(sky)})
        for one, sky in (
            (notice(0, "harvest", [1], alike=""), "under a clear sky"),
            (notice(1, "harvest", [1], alike=""), "in the frost"),
        )
    )
    for choice in range(MANY):
        both = clause([clear, frost], choice).text
        assert "sky" not in both
        assert "frost" not in both
        assert "in the frost" in clause([frost, frost], choice).text


def test_the_weightiest_are_told_in_the_order_they_happened() -> None:
    light = [
        kind for kind in ("goal", "fine", "joined", "harvest", "contract failed") for _ in range(4)
    ]
    notices = [notice(number, kind, [1], alike=str(number)) for number, kind in enumerate(light)]
    notices.append(notice(40, "death", [1]))
    text = " ".join(each.text for each in told(notices))
    assert 40 in canaries(text)
    assert len(canaries(text)) == LINES_LIMIT
    order = [int(found) for found in re.findall(r"canary(\d{3})x", text)]
    assert order == sorted(order)


def test_routine_is_told_in_one_sentence_of_all_and_in_many_ways() -> None:
    deals = [notice(number, "trade", [1], alike=str(number)) for number in range(3)]
    (paragraph,) = told(deals)
    assert paragraph.text.count(".") == 1
    ways = {clause(deals, choice).text for choice in range(20)}
    assert len(ways) >= 6, "it takes some days until one comes again"
    assert not any(mark in way for way in ways for mark in "[]|{}")


def test_minor_matters_are_told_where_there_is_little_else() -> None:
    refused = [notice(number, "town refused", [1], alike="town") for number in range(2)]
    assert told(refused)
    busy = [notice(9 + number, "claim", [1]) for number in range(LITTLE_TO_TELL)]
    assert canaries(" ".join(each.text for each in told(refused + busy))) == {9, 10, 11}


def test_who_does_one_weighty_thing_for_ever_crowds_out_nothing_else() -> None:
    notices = [notice(number, "city", [1]) for number in range(30)] + [notice(40, "trade", [1])]
    seen = canaries(" ".join(each.text for each in told(notices)))
    assert seen == {0, 1, 2, 3, 40}


def test_a_digest_is_bounded() -> None:
    alone = [notice(number, "trade", [number + 1], alike="") for number in range(200)]
    assert len(told(alone, most=1_000)) <= LINES_LIMIT + WITNESS_LINES_LIMIT
    crowd = [notice(number, "death", list(range(number, number + 900))) for number in range(1, 60)]
    found = told(crowd, most=1_000)
    assert sum(len(each.visible_to) for each in found) <= READERS_LIMIT
    assert len(told(crowd, most=3)) == 3


def test_a_text_that_cannot_stand_is_told_without_its_words_or_not_at_all() -> None:
    death = [notice(0, "death", [1]), notice(1, "death", [1])]
    (bare,) = told(death, stands=lambda text: re.search(r"(?<!bare)canary000", text) is None)
    assert "barecanary000x" in bare.text
    assert "canary001x" in bare.text
    (other,) = told(death, stands=lambda text: "canary000" not in text)
    assert canaries(other.text) == {1}
    assert told(death, stands=lambda text: False) == []


def test_nothing_gives_nothing() -> None:
    assert told([]) == []


@given(drafts)
def test_the_same_notices_give_the_same_text(
    drawn: list[tuple[str, list[int], str | None]],
) -> None:
    notices = [
        notice(number, kind, crowd, alike) for number, (kind, crowd, alike) in enumerate(drawn)
    ]
    assert told(notices) == told(list(notices))


def test_what_matters_is_told_of_the_busiest_day() -> None:
    matters = ("upkeep missed", "harvest", "built", "fine", "contract failed", "arrival")
    daily = ("trade", "contract kept", "goal", "joined", "law vote", "town executed", "event ends")
    busy = [
        notice(number, daily[number % len(daily)], [1], str(number)) for number in range(10, 90)
    ]
    rare = [notice(number, kind, [2], "x") for number, kind in enumerate(matters)]
    text = " ".join(paragraph.text for paragraph in told([*busy, *rare]))
    assert canaries(text) >= set(range(len(matters)))


def test_with_an_open_book_everything_is_for_everybody() -> None:
    notices = [notice(1, "trade", [1], alike=""), notice(2, "death", [2]), notice(3, "built", [])]
    span = TickRange(0, DAY // 4 - 1)
    closed = digest(span, notices, DAY, OPERATOR, stands=lambda text: True, most=MANY)
    opened = digest(
        span, notices, DAY, OPERATOR, stands=lambda text: True, most=MANY, open_book=True
    )
    assert all(paragraph.visible_to for paragraph in closed)
    assert not any(paragraph.visible_to for paragraph in opened)
    assert canaries(" ".join(each.text for each in opened)) == {1, 2, 3}
