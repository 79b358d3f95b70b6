"""What a reader gets: everything once, its own results at once, and nothing lost but frames."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thorp.voxel.observation.session import (
    DEFAULT_QUEUE,
    EVENTS_PER_FRAME,
    MAX_QUEUE,
    MAX_QUEUED_BYTES,
    SENT_REMEMBERED,
    Frame,
    Session,
)
from thorp.voxel.state.agent import KEPT_EVENTS, EventLog

CUBE = np.zeros(27, np.uint8)


def push(
    session: Session, event_log: EventLog, tick: int, *, delta: bool = False, memory: bytes = b""
) -> list[int]:
    """What `observe.compose` does with a session, without the text."""
    session.make_room()
    events, lost = session.select(event_log, tick)
    numbers = [event.number for event in events]
    carried = session.carry(memory)
    text = b"%d:" % tick + b",".join(b"%d" % number for number in numbers) + b";" + carried
    session.push(Frame(tick, text, numbers, delta, carried, lost))
    return numbers


def read(session: Session) -> tuple[int, list[int], bytes] | None:
    text = session.take()
    if text is None:
        return None
    tick, _, rest = text.partition(b":")
    numbers, _, memory = rest.partition(b";")
    return int(tick), [int(number) for number in numbers.split(b",") if number], memory


@pytest.mark.parametrize(
    ("asked", "given_size"), [(0, DEFAULT_QUEUE), (-3, DEFAULT_QUEUE), (2, 2), (999, MAX_QUEUE)]
)
def test_the_queue_has_the_size_that_was_asked_for_within_bounds(
    asked: int, given_size: int
) -> None:
    assert Session(1, max_queue=asked).max_queue == given_size


def test_own_results_ride_in_their_tick_behind_the_oldest_others() -> None:
    event_log, session = EventLog(), Session(1)
    for _ in range(30):
        event_log.append(1, False, b"{}")
    push(session, event_log, 1)
    for _ in range(3):
        event_log.append(2, True, b"{}")
    assert push(session, event_log, 2) == [*range(20, 30), 30, 31, 32]
    assert read(session) == (1, list(range(20)), b"")


def test_more_results_than_a_frame_holds_all_ride_at_once() -> None:
    event_log, session = EventLog(), Session(1)
    event_log.append(1, False, b"{}")
    for _ in range(40):
        event_log.append(1, True, b"{}")
    assert push(session, event_log, 1) == list(range(1, 41))
    assert push(session, event_log, 2) == [0]


def test_results_of_an_earlier_tick_wait_like_the_others() -> None:
    event_log, session = EventLog(), Session(1)
    event_log.append(1, True, b"{}")
    event_log.append(2, False, b"{}")
    event_log.append(2, True, b"{}")
    assert push(session, event_log, 2) == [0, 1, 2]


def test_who_stayed_away_too_long_is_told_how_much_is_lost() -> None:
    event_log, session = EventLog(), Session(1)
    for _ in range(KEPT_EVENTS + 7):
        event_log.append(1, False, b"{}")
    events, lost = session.select(event_log, 2)
    assert lost == 7
    assert [event.number for event in events] == list(range(7, 7 + EVENTS_PER_FRAME - 1))
    push(session, event_log, 2)
    assert session.select(event_log, 3)[1] == 0


def test_a_frame_that_falls_out_gives_its_events_and_memory_back() -> None:
    event_log, session = EventLog(), Session(1, max_queue=1)
    event_log.append(1, True, b"{}")
    assert push(session, event_log, 1, memory=b"notes") == [0]
    assert push(session, event_log, 2) == [0]
    assert session.dropped == 1
    assert read(session) == (2, [0], b"notes")
    push(session, event_log, 3)
    assert read(session) == (3, [], b"")


def test_large_frames_wait_in_smaller_numbers() -> None:
    event_log, session = EventLog(), Session(1, max_queue=64)
    for tick in range(1, 20):
        push(session, event_log, tick, memory=b"x" * (MAX_QUEUED_BYTES // 4))
    assert len(session) <= 5
    assert session.dropped >= 14


def test_a_delta_falls_out_with_the_frame_it_builds_on() -> None:
    event_log, session = EventLog(), Session(1, delta=True, max_queue=3)
    session.base = CUBE
    push(session, event_log, 1)
    push(session, event_log, 2, delta=True)
    push(session, event_log, 3, delta=True)
    session.make_room()
    assert len(session) == 0
    assert session.base is None, "the next frame must be whole"
    push(session, event_log, 4)
    assert read(session) == (4, [], b"")


def test_whole_frames_behind_a_lost_one_stay() -> None:
    event_log, session = EventLog(), Session(1, delta=True, max_queue=3)
    push(session, event_log, 1)
    push(session, event_log, 2, delta=True)
    push(session, event_log, 3)
    session.base = CUBE
    push(session, event_log, 4, delta=True)
    assert session.base is CUBE
    assert [read(session), read(session), read(session)] == [(3, [], b""), (4, [], b""), None]


def test_what_an_acts_author_had_seen() -> None:
    event_log, session = EventLog(), Session(1)
    for tick in (1, 2, 3):
        event_log.append(tick, False, b"{}")
        push(session, event_log, tick)
    assert session.seen(3) == 0
    read(session)
    read(session)
    assert [session.seen(tick) for tick in (0, 1, 2, 3)] == [0, 1, 2, 2]


def test_what_was_seen_counts_though_the_ring_forgot_what_came_before() -> None:
    session, event_log = Session(1, max_queue=2), EventLog()
    event_log.append(1, own=False, text=b"a")
    push(session, event_log, 1)
    for _ in range(14):
        event_log.append(2, own=True, text=b"x" * 40_000)
    push(session, event_log, 2)
    assert event_log.first > 0
    push(session, event_log, 3)  # the first frame falls out, and its event is in the log no more
    read(session)
    assert session.seen(2) == event_log.next


def test_a_lost_frame_that_told_of_a_loss_is_made_good() -> None:
    event_log, session = EventLog(), Session(1, max_queue=1)
    for _ in range(KEPT_EVENTS + 7):
        event_log.append(1, False, b"{}")
    push(session, event_log, 2)
    session.make_room()
    assert session.select(event_log, 3)[1] == 7


BURSTS = st.lists(
    st.one_of(
        st.tuples(st.just("events"), st.integers(0, 900)),
        st.tuples(st.just("tick"), st.integers(1, 4)),
        st.tuples(st.just("read"), st.integers(1, 4)),
    ),
    max_size=25,
)


@given(steps=BURSTS, size=st.integers(1, 4))
@settings(max_examples=60)
def test_what_is_heard_and_what_is_said_to_be_lost_is_everything_there_was(
    steps: list[tuple[str, int]], size: int
) -> None:
    event_log, session, tick = EventLog(), Session(1, max_queue=size), 1
    told: dict[int, int] = {}
    heard: list[int] = []
    lost = 0

    def push_one() -> None:
        nonlocal tick
        push(session, event_log, tick)
        told[tick] = session._queue[-1].lost
        assert sum(frame.lost > 0 for frame in session._queue) <= 1
        tick += 1

    def receive() -> bool:
        nonlocal lost
        frame = read(session)
        if frame is None:
            return False
        heard.extend(frame[1])
        lost += told[frame[0]]
        return True

    for what, amount in steps:
        if what == "events":
            for number in range(amount):
                event_log.append(tick, number % 50 == 0, b"{}")
        else:
            for _ in range(amount):
                push_one() if what == "tick" else receive()
    while len(heard) + lost < event_log.next:
        push_one()
        while receive():
            pass
    assert len(heard) == len(set(heard)) == event_log.next - lost


def test_results_of_a_lost_frame_ride_in_the_next_one_before_older_others() -> None:
    event_log, session = EventLog(), Session(1, max_queue=1)
    for _ in range(100):
        event_log.append(1, False, b"{}")
    event_log.append(2, True, b"{}")
    assert push(session, event_log, 2, memory=b"notes")[-1] == 100
    assert push(session, event_log, 3)[-1] == 100
    assert read(session) == (3, [*range(19), 100], b"notes")


def test_what_was_sent_lately_is_sent_again_after_a_cut() -> None:
    event_log, first = EventLog(), Session(1)
    for tick in range(1, SENT_REMEMBERED + 3):
        event_log.append(tick, False, b"{}")
        push(first, event_log, tick)
        read(first)
    assert first.cursor == 3
    second = Session(1, cursor=first.cursor)
    assert push(second, event_log, 99) == list(range(3, 23))
    short = Session(1, cursor=5)
    push(short, event_log, 99)
    read(short)
    assert short.cursor == 5


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("events"), st.lists(st.booleans(), max_size=30)),
        st.tuples(st.just("tick"), st.booleans()),
        st.tuples(st.just("read"), st.integers(1, 4)),
    ),
    max_size=60,
)


@given(steps=STEPS, size=st.integers(1, 5))
@settings(max_examples=200)
def test_every_event_arrives_once_and_a_chain_of_deltas_is_never_broken(
    steps: list[tuple[str, object]], size: int
) -> None:
    event_log, session, tick = EventLog(), Session(1, delta=True, max_queue=size), 1
    received: list[int] = []
    whole = {0: True}
    last_read = 0

    def receive() -> bool:
        nonlocal last_read
        frame = read(session)
        if frame is None:
            return False
        number, events, _ = frame
        assert number > last_read, "ticks grow"
        assert whole[number] or last_read == number - 1, (
            "a delta follows the frame it was made from"
        )
        last_read = number
        received.extend(events)
        return True

    for what, amount in steps:
        if what == "events":
            assert isinstance(amount, list)
            for own in amount:
                event_log.append(tick, own, b"{}")
        elif what == "tick":
            session.make_room()
            delta = bool(amount) and session.base is not None
            own_now = [
                event.number for event in event_log.since(0) if event.own and event.tick == tick
            ]
            whole[tick] = not delta
            numbers = push(session, event_log, tick, delta=delta)
            session.base = CUBE
            assert numbers[len(numbers) - len(own_now) :] == own_now
            results = [
                event for event in event_log.since(0) if event.own and event.number in numbers
            ]
            assert len(numbers) <= max(EVENTS_PER_FRAME, len(results))
            tick += 1
        else:
            for _ in range(int(str(amount))):
                receive()
    while len(received) < event_log.next:
        whole[tick] = True
        push(session, event_log, tick)
        tick += 1
        while receive():
            pass
    assert sorted(received) == list(range(event_log.next))
