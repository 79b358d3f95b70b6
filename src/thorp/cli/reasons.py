"""Says why an agent did what it did at a tick, for `thorp agent trace NAME --why`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from thorp.cli.tick_progress import show_ticks
from thorp.kernel.errors import InvalidError, UnknownError
from thorp.kernel.text import printable
from thorp.store import RealDisk
from thorp.voxel.persistence.directory import WorldDirectory, summarize

REPLIES_SHOWN: Final = 3  # The last of a model, up to the tick.
REPLIES_BYTES: Final = 256 << 20  # Of one agent's recording: weeks of talk.
TEXT_CHARS: Final = 300
DECISIONS_SHOWN: Final = 4


def explain(
    path: Path, who: str, at: int | None, replies: Path | None, *, quiet: bool
) -> dict[str, Any]:
    """What an agent knew at a tick, the last one by default, and what it weighed where that was
    recorded."""
    from thorp.observer.annals import kept_decisions
    from thorp.village.reasons import explain_agent

    disk = RealDisk()
    last = summarize(disk, path).last_tick
    tick = last if at is None else at
    if tick > last:
        raise UnknownError(
            f"{path}: the last tick is {last}, so there is no tick {tick}", code="range"
        )
    with show_ticks(tick, quiet=quiet) as watch:
        reasons = explain_agent(WorldDirectory(disk, path), who, tick, watch=watch)
    decisions = kept_decisions(path, reasons.organisation, tick) if reasons.organisation else []
    document: dict[str, Any] = msgspec.to_builtins(reasons)
    document["replies"] = None if replies is None else _replies(replies, reasons.name, tick)
    document["council"] = msgspec.to_builtins(decisions[:DECISIONS_SHOWN])
    return document


def _replies(directory: Path, name: str, tick: int) -> list[dict[str, Any]]:
    """The last replies of an agent's model up to a tick, from a recording of `thorp bots`."""
    from thorp.integrations.transcript import read_replies

    if "/" in name or name in ("", ".", ".."):
        raise InvalidError("an agent of this name has no recording", code="recording")
    file = directory / f"{name}.jsonl"
    if not file.is_file():
        raise UnknownError(
            f"{file}: no such recording; give the directory of `thorp bots --record DIR`",
            code="no_file",
        )
    if file.stat().st_size > REPLIES_BYTES:
        raise InvalidError(f"{file}: larger than {REPLIES_BYTES} bytes", code="recording")
    return read_replies(file, tick)[-REPLIES_SHOWN:]


def reason_lines(why: dict[str, Any]) -> list[str]:
    """Why an agent did what it did, as lines for people."""
    parts = (_knew(why), _script(why["script"]), _model(why["replies"]), _council(why["council"]))
    return [printable(line) for part in parts for line in part]


def _knew(why: dict[str, Any]) -> Iterator[str]:
    body = why["observation"]["self"]
    world = why["observation"]["world"]
    vitals = ", ".join(f"{vital} {body[vital]}" for vital in ("hp", "hunger", "stamina"))
    yield f"{why['name']} ({why['agent']}) after tick {why['tick']}"
    yield f"it was at {', '.join(map(str, body['pos']))}: {vitals}; {world['weather'].lower()}"
    carried = why["observation"]["inventory"]
    yield "it carried " + (
        ", ".join(f"{stack['count']} {stack['item']}" for stack in carried) or "none"
    )
    yield f"it saw {len(why['observation']['entities'])} others, and was told last:"
    for event in why["heard"][-4:]:
        rest = " ".join(f"{key}={event[key]}" for key in event if key not in ("t", "type"))
        yield f"     tick {event['t']}: {event['type']} {rest}"[:TEXT_CHARS]
    for note in why["memory"]:
        yield f"it remembered {note['key']} ({note['chars']} characters): {note['value']}"[
            :TEXT_CHARS
        ]
    act = why["last_act"]
    if act is not None:
        actions = ", ".join(each["type"] for each in act["actions"]) or "a thought"
        thought = f", saying it was at: {act['intent']}" if act["intent"] else ""
        yield f"it acted last in tick {act['tick']}: {actions}{thought}"


def _script(script: dict[str, Any]) -> Iterator[str]:
    if script["basis"] != "recomputed":
        yield f"its job and need: not recorded ({script['why_not']})"
        return
    yield f"its job since tick {script['since']}: {script['job']}; it needed {script['need']}"
    yield f"     its thought: {script['thought']}"
    if script["wish"]:
        yield f"     its wish: {script['wish']}"
    before = [each for each in script["jobs"] if not each["chosen"]]
    due = [each["name"] for each in before if each["is_due"] and each["put_off_until"] is None]
    put_off = [
        f"{each['name']} until {each['put_off_until']}"
        for each in before
        if each["put_off_until"] is not None
    ]
    yield f"     it weighed {len(before)} more urgent jobs; due now: {', '.join(due) or 'none'}"
    if put_off:
        yield f"     put off: {', '.join(put_off)}"
    yield f"     recomputed by replay: all of its {script['acts']} acts are those of the journal"


def _model(replies: list[dict[str, Any]] | None) -> Iterator[str]:
    if replies is None:
        yield "a model's replies: not recorded (--replies DIR names a recording of `thorp bots`)"
        return
    yield f"its model's last replies, {len(replies)} of them:"
    for reply in replies:
        yield f"     tick {reply['tick']}: {reply['said']}"[:TEXT_CHARS]


def _council(decisions: list[dict[str, Any]]) -> Iterator[str]:
    for decision in decisions:
        weighed = ", ".join(
            f"{'*' if each['selected'] else ''}{each['type']} {each['priority']:g}"
            for each in decision["weighed"]
        )
        order = f"{decision['actor']} ordered {decision['command']}"
        yield f"its council, tick {decision['tick']}: {order}"
        yield f"     because {decision['reason']}; it weighed {weighed or 'what was not recorded'}"
    if not decisions:
        yield "its council: nothing recorded"
