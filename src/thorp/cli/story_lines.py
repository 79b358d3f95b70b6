"""A story for people at a terminal: its beats, branches, entries, clock and pocket in lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Final

from thorp.kernel.canonical import Json
from thorp.kernel.text import printable
from thorp.story.contracts.invocation_envelope import local_text
from thorp.story.outcomes import BeatReport
from thorp.story.time_zones import MachineZones

QUARTERS_OF_A_DAY: Final = 4
MINUTES_OF_A_DAY: Final = 1_440
_COMPLAINTS: Final = {
    "rejected": "what its writer proposed was rejected",
    "failed": "its writer failed",
    "looped": "its writer looped",
}


def complaint(report: BeatReport) -> str:
    """Why the writer's part of a beat is missing, in one line."""
    parts = [each for each in (report.code, report.reason) if each is not None]
    return printable(": ".join([_COMPLAINTS[report.outcome], *parts]))


def branch_lines(branches: list[dict[str, Json]]) -> Iterator[str]:
    """Every split for people, the oldest first."""
    if not branches:
        yield "this story is no branch: it begins with itself"
    for number, split in enumerate(branches, start=1):
        shared = f"{split['beats']} beats and {split['entries']} entries"
        yield f"split {number}: shares {shared} with the story that it left"
        yield f"  tip {split['tip']}"
        at = split["at"]
        if isinstance(at, dict):
            line = f"  world {at['world']}, forked after tick {at['tick']:,} as {at['fork']}"
            yield printable(line)
            yield printable(f"  digest of the world there {at['digest']}")
        else:
            yield "  no world was forked with it"


def beat_line(beat: dict[str, Json]) -> str:
    """A beat in one line: its number, its time, and what became of its writer."""
    report = BeatReport(beat["outcome"], beat["code"], beat["reason"]).text
    return printable(
        f"{beat['beat']:>6}  {beat['created_at_world'][:16].replace('T', ' ')}  {report}"
    )


def audit_lines(beat: dict[str, Json]) -> list[str]:
    """A beat for people: what became of it, each call with its words, each question, each entry."""
    lines = [beat_line(beat), f"        request {printable(beat['request_id'])}"]
    if beat["writer"] is not None:
        lines.append(f"        writer {printable(beat['writer'])}")
    for count, call in enumerate(beat["calls"], start=1):
        place = f" at {call['path']}" if call["path"] else ""
        named = " ".join(each for each in (call["kind"], call["verdict"], call["code"]) if each)
        why = f": {call['reason']}" if call["reason"] else ""
        lines.append(printable(f"  call {count}: {named}{place}{why}"))
        if call["said"] is not None:
            lines.append(f"    {printable(call['said'])}")
    for count, asked in enumerate(beat["questions"], start=1):
        view = f" in the view of {asked['view']}" if asked["view"] else ""
        lines.append(printable(f"  question {count}: {asked['verdict']}{view}"))
        lines.append(f"    {printable(json.dumps(asked['request'], ensure_ascii=False))}")
    for entry in beat["entries"]:
        readers = f" to {', '.join(entry['visible_to'])}" if entry["visible_to"] else ""
        by = f"{entry['author_id']}, {entry['scope']}{readers}, by the {entry['proposed_by']}"
        lines.append(printable(f"  entry {entry['entry_id']} of {by}:"))
        lines.append(f"    {printable(entry['text'])}")
    return lines


def print_entries(page: dict[str, Json], ticks: Mapping[str, Json] | None = None) -> None:
    """Print the entries of a page, each with its time in the zone of the pocket's clock; entries of
    a chronicle, with the day and hour of their world."""
    zones = MachineZones()
    zone = page["pocket"]["clock"]["timezone"]
    spans = ticks or {}
    # An entry of a chronicle covers a quarter of a day; only the first one of a world may begin
    # late, as the ticks do, and one before a fork may end early.
    begins = [span["first"] if span["first"] > 1 else 0 for span in spans.values()]
    lengths = [span["last"] + 1 - begin for span, begin in zip(spans.values(), begins, strict=True)]
    quarter = max(lengths, default=0)
    for entry in page["stream"]["entries"]:
        label = f"{printable(entry['author_label'])}: " if entry["author_label"] else ""
        span = spans.get(entry["entry_id"])
        if span is not None:
            stamp = _world_stamp(span, QUARTERS_OF_A_DAY * quarter)
        else:
            time = entry["created_at_world"]
            if zone is not None and zones.is_known(zone):
                time = local_text(time, zone, zones)
            stamp = time[:16].replace("T", " ")
        print(f"{stamp}  {label}{printable(entry['text'])}")


def _world_stamp(span: dict[str, Json], day_ticks: int) -> str:
    """When the first sentence of an entry began to be true, in days and hours of its world."""
    sentences = span["sentences"]
    tick = sentences[0][1] if sentences else span["first"]
    day, into_day = divmod(tick, day_ticks)
    hour, minute = divmod(into_day * MINUTES_OF_A_DAY // day_ticks, 60)
    return f"day {day + 1}, {hour:02}:{minute:02}"


def trouble(writer: dict[str, Json]) -> str:
    """Why a writer failed, in one line."""
    return printable(f"{writer['code']}: {writer['message']}")


def print_clock(pocket: dict[str, Json], outcome: str = "") -> None:
    """Print the time of the story on standard error, with the outcome of a beat."""
    clock = pocket["clock"]
    suffix = f", {outcome}" if outcome else ""
    print(f"-- {clock['world_time']} {clock['timezone']}{suffix}", file=sys.stderr)


def print_pocket(pocket: dict[str, Json]) -> None:
    """Print the clock, the calendar and the messages of a pocket."""
    print_clock(pocket)
    for item in pocket["calendar"]["items"]:
        rest = [item[name] for name in ("location", "notes") if item[name]]
        print(f"  {item['time'] or 'some time'}  {printable(', '.join([item['title'], *rest]))}")
    for item in pocket["messages"]["items"]:
        print(
            f"  {item['time'] or 'some time'}  {printable(item['from'])}: {printable(item['text'])}"
        )
