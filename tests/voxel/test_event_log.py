"""What an agent's event log keeps: the newest events, up to a number and a size."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from thorp.voxel.state.agent import KEPT_EVENT_BYTES, KEPT_EVENTS, EventLog


def filled(sizes: list[int]) -> EventLog:
    event_log = EventLog()
    for size in sizes:
        event_log.append(1, False, b"x" * size)
    return event_log


def test_short_events_are_kept_by_number() -> None:
    event_log = filled([100] * 5_000)
    assert [event.number for event in event_log.since(0)] == list(range(5_000 - KEPT_EVENTS, 5_000))


def test_long_events_are_kept_by_size() -> None:
    event_log = filled([40_000] * 5_000)
    kept = event_log.since(0)
    assert (
        KEPT_EVENT_BYTES - 40_000 <= sum(len(event.text) for event in kept) <= 2 * KEPT_EVENT_BYTES
    )
    assert [event.number for event in kept] == list(range(5_000 - len(kept), 5_000))
    assert event_log.first == 5_000 - len(kept)


def test_the_newest_is_kept_however_long_it_is() -> None:
    event_log = filled([10, 10, 5 * KEPT_EVENT_BYTES])
    assert [event.number for event in event_log.since(0)] == [2]
    assert event_log.first == 2


@settings(max_examples=50)
@given(st.lists(st.sampled_from([0, 50, 2_000, 90_000]), max_size=60), st.integers(0, 70))
def test_reading_on_never_skips(sizes: list[int], start: int) -> None:
    event_log = filled(sizes)
    assert (
        event_log.size == sum(len(event.text) for event in event_log.events) <= 2 * KEPT_EVENT_BYTES
    )
    numbers = [event.number for event in event_log.since(start)]
    assert (
        numbers == list(range(max(start, event_log.first), max(len(sizes), start)))[: len(numbers)]
    )
    assert len(numbers) == max(0, len(sizes) - max(start, event_log.first))


def test_what_was_restored_goes_on() -> None:
    event_log, other = filled([30_000] * 20), EventLog()
    other.next, other.head = event_log.next, event_log.head
    other.keep(event_log.since(0))
    for one in (event_log, other):
        one.append(2, True, b"more")
    assert (other.since(0), other.head) == (event_log.since(0), event_log.head)
