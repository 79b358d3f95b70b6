"""Compares two runs: where they part, what differs from there on in sentences, and how things went
in each.

Their tapes are read segment by segment, in a thread, and what was read is kept: whoever asks again
waits only for what is new. Nothing is compared that spectators may not see.
"""

import asyncio
import json
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from thorp.children.lifetime import child_command
from thorp.kernel.canonical import Json, insertion_bytes
from thorp.kernel.errors import ThorpError, error_document
from thorp.observer.differences import MAX_TICKS, Difference, RunEvents, compare
from thorp.observer.kept_run import KeptRun
from thorp.observer.society_curves import Course, RunSamples, society_course
from thorp.observer.split import Split, find_split, first_difference, fork_of, label_of
from thorp.observer.tape_recorder import SEGMENT_TICKS
from thorp.server.access.requests import Refused
from thorp.server.http.kept_run import problem_of
from thorp.server.http.tape_view import TapeView
from thorp.store import RealDisk

# Segments of each run that are read for one answer: a page asks again for the rest.
SEGMENTS_AT_ONCE: Final = 40
# Pairs whose events are remembered.
MAX_KEPT: Final = 4
SPLIT_SECONDS: Final = 120.0


class Side(msgspec.Struct, frozen=True, kw_only=True):
    """One of two runs, as a page names it."""

    label: str
    """`original`, `control`, `changed` or `fork`."""
    changed: str
    """What is otherwise in it, in words; empty if nothing is."""
    first_tick: int
    last_tick: int
    verified: bool | None = None
    """Of a match: whether every action of its log was judged again, as the log says. None of a
    world, whose own journal is compared."""
    unverified: str = ""
    """Why it is not."""


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """What differs between two runs."""

    here: Side
    there: Side
    split: Split
    after: int
    """The tick after which they are compared."""
    upto: int
    """The tick up to which they are compared so far."""
    whole: bool
    """Whether that is all that there is to compare."""
    differences: list[Difference]
    note: str
    """What a reader has to know of the list; why it is empty if it is."""
    segment_ticks: int
    society: Course
    """Both societies as curves, from a day before the split to where the shorter run ends."""


class Compared(NamedTuple):
    """A run that can be compared."""

    id: str
    about: KeptRun
    world: Path | None
    """The directory of its world; None if it has no journal, as a match."""
    view: TapeView
    unverified: str = ""
    """Of a match: why its log is not verified; empty if it is."""

    @property
    def key(self) -> str:
        """What tells it from every other run; one that has gone on is the same."""
        state = self.about.tip if self.world is None else ""
        return f"{self.id} {self.about.tape_name} {state}"


class _Pair:
    """What is known of two runs."""

    def __init__(self, split: Split, after: int, ends: int) -> None:
        self.split = split
        self.ends = ends
        """Where the shorter run ended when the split was looked for."""
        self.after = after
        self.here = RunEvents(after)
        self.there = RunEvents(after)
        self.next = (after + 1) // SEGMENT_TICKS
        """The first segment that was not read yet."""
        self.gap = ""
        """Why the reading has stopped before the end."""


class Comparisons:
    """Compares runs, one pair at a time."""

    def __init__(self) -> None:
        self._pairs: dict[tuple[str, ...], _Pair] = {}
        self._one_at_a_time = asyncio.Lock()

    async def compare(
        self, here: Compared, there: Compared, *, open_book: bool = False
    ) -> Comparison:
        """What differs, as far as it has been read. What follows from pockets and chests is left
        out without an open book."""
        async with self._one_at_a_time:
            pair = await self._pair(here, there)
            last = min(here.view.tick, there.view.tick, pair.after + MAX_TICKS)
            await self._read(pair, here.view, there.view, last)
            found = await asyncio.to_thread(compare, pair.here, pair.there)
            course = await _society(pair, here, there, open_book=open_book)
        upto = max(pair.after, min(last, pair.next * SEGMENT_TICKS - 1))
        return Comparison(
            here=_side(here, there),
            there=_side(there, here),
            split=pair.split,
            after=pair.after,
            upto=upto,
            whole=(pair.next + 1) * SEGMENT_TICKS > last + 1,
            differences=found,
            note=_note(pair, found, upto, last),
            segment_ticks=SEGMENT_TICKS,
            society=course,
        )

    async def _pair(self, here: Compared, there: Compared) -> _Pair:
        key = (here.key, there.key)
        pair = self._pairs.pop(key, None)
        ends = min(here.view.tick, there.view.tick)
        # What was one up to the end of a run that goes on may have parted since.
        if pair is None or (pair.split.how == "same" and pair.ends < ends):
            split = await _find_split(here, there)
            after = split.tick
            if after is None:
                after = max(here.about.first_tick, there.about.first_tick) - 1
            pair = _Pair(split, after, ends)
        self._pairs[key] = pair
        while len(self._pairs) > MAX_KEPT:
            del self._pairs[next(iter(self._pairs))]
        return pair

    async def _read(self, pair: _Pair, here: TapeView, there: TapeView, last: int) -> None:
        """Read the next segments of both, as long as both have them whole."""
        pair.gap = ""
        for _ in range(SEGMENTS_AT_ONCE):
            ends = (pair.next + 1) * SEGMENT_TICKS - 1
            if ends > last:
                return
            packed = [await view.whole_segment(pair.next) for view in (here, there)]
            lacking = [
                side for side, each in zip(("here", "there"), packed, strict=True) if each is None
            ]
            if lacking:
                first = pair.next * SEGMENT_TICKS
                pair.gap = f"ticks {first:,} to {ends:,} are not on the tape {lacking[0]}"
                return
            await asyncio.to_thread(_take, pair, packed, last)


def _take(pair: _Pair, packed: Sequence[bytes | None], last: int) -> None:
    for events, segment in zip((pair.here, pair.there), packed, strict=True):
        assert segment is not None
        events.take(segment, last)
    pair.next += 1


async def _society(pair: _Pair, here: Compared, there: Compared, *, open_book: bool) -> Course:
    """The curves of both, up to where the shorter run ends."""
    last = min(here.view.tick, there.view.tick)
    begins = max(1, pair.after + 1 - here.view.day_ticks)
    samples = []
    for run in (here, there):
        first = min(last, max(begins, run.about.first_tick))
        samples.append(RunSamples(first, await run.view.samples(first, last)))
    return await asyncio.to_thread(
        society_course, *samples, last=last, split=pair.after, open_book=open_book
    )


def _side(run: Compared, other: Compared) -> Side:
    fork = fork_of(run.about)
    return Side(
        label=run.about.name if run.world is None else label_of(run.about, other.about),
        changed="" if fork is None else fork.changed,
        first_tick=run.about.first_tick,
        last_tick=run.view.tick,
        verified=not run.unverified if run.world is None else None,
        unverified=run.unverified,
    )


def _note(pair: _Pair, found: Sequence[Difference], upto: int, last: int) -> str:
    if pair.gap:
        return pair.gap
    if upto + SEGMENT_TICKS <= last:
        return f"compared up to tick {upto:,} so far"
    return "" if found else f"no difference is shown up to tick {upto:,}"


async def _find_split(here: Compared, there: Compared) -> Split:
    """Find where two runs part."""
    if here.world is not None and there.world is not None:
        return await _find_in_journals(here.world, there.world)
    last = min(here.view.tick, there.view.tick)
    for n in range(last // SEGMENT_TICKS + 1):
        packed = [await run.view.whole_segment(n) for run in (here, there)]
        if packed[0] is None or packed[1] is None:
            raise Refused(503, "not_on_tape", f"segment {n} is not on both tapes yet; ask again")
        tick = await asyncio.to_thread(first_difference, packed[0], packed[1])
        if tick is not None:
            text = f"they look the same up to tick {tick - 1:,}, and differ in tick {tick:,}"
            return Split("seen", tick - 1, text)
    return Split("same", last, f"they look the same up to tick {last:,}, where one of them ends")


async def _find_in_journals(here: Path, there: Path) -> Split:
    """Find it by the digests of two journals, in a process of its own: it reads long files."""
    pipe = asyncio.subprocess.PIPE
    nowhere = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        *child_command("thorp.server.http.comparisons"), stdin=pipe, stdout=pipe, stderr=nowhere
    )
    try:
        async with asyncio.timeout(SPLIT_SECONDS):
            out, _ = await process.communicate(json.dumps([str(here), str(there)]).encode())
    except TimeoutError:
        raise Refused(503, "slow", "it takes too long to find where these runs part") from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    output: dict[str, Json] = json.loads(out or b"{}")
    problem = problem_of(output)
    if problem or process.returncode:
        raise Refused(409, "split", problem or "the journals of these runs cannot be compared")
    return msgspec.convert(output, Split)


def main() -> None:
    """Print where the two worlds part that are named on standard input."""
    here, there = map(Path, json.loads(sys.stdin.read()))
    try:
        output: Json = msgspec.to_builtins(find_split(RealDisk(), here, there))
    except ThorpError as problem:
        output = error_document(problem)
    sys.stdout.buffer.write(insertion_bytes(output))


if __name__ == "__main__":
    main()
