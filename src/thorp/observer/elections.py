"""What citizens announced in public about elections, for the page.

The world has no rule for elections: villagers hold them by talking. So the page believes only
citizens, and only announcements in the form that `docs/village.md` describes.
"""

from collections.abc import Iterator
from typing import Any, Final, Literal

import msgspec

from thorp.protocol.frame import clip
from thorp.voxel import World

# The oldest are forgotten first. There is one every few days.
ELECTIONS_KEPT: Final = 100
CANDIDATES_SHOWN: Final = 16
TEXT_BYTES: Final = 140


class Candidate(msgspec.Struct):
    """Somebody who stands for an office, with a promise."""

    id: str
    name: str = ""
    promise: str = ""


class Election(msgspec.Struct, kw_only=True):
    """How an election stood at a tick, as a citizen said."""

    tick: int
    town: str
    said_by: str
    office: str
    election_state: Literal["called", "open", "decided"]
    next_tick: int
    """When the next step happens."""
    candidates: list[Candidate]
    winner: str
    votes: dict[str, int]


class _SaidElection(msgspec.Struct):
    """`election` in the data of a public message."""

    state: Literal["called", "open", "decided"]
    office: str = ""
    tick: int = 0
    candidates: list[Candidate] = []
    winner: str = ""
    votes: dict[str, int] = {}


def news(world: World) -> Iterator[Election]:
    """The elections that citizens announced in a tick."""
    for event in world.scratch.public_events:
        data = event.get("data")
        if event["kind"] != "CHAT" or not isinstance(data, dict) or "election" not in data:
            continue
        speaker = str(event.get("from", ""))
        for org in world.orgs:
            if org.kind == "CITY" and speaker in org.members:
                yield from _election(world.tick, org.id, speaker, data["election"])


def _election(tick: int, town: str, speaker: str, said: Any) -> Iterator[Election]:
    try:
        saying = msgspec.convert(said, _SaidElection)
    except msgspec.ValidationError:
        return
    yield Election(
        tick=tick,
        town=town,
        said_by=speaker,
        office=clip(saying.office, TEXT_BYTES),
        election_state=saying.state,
        next_tick=saying.tick,
        candidates=[_clipped(candidate) for candidate in saying.candidates[:CANDIDATES_SHOWN]],
        winner=clip(saying.winner, TEXT_BYTES),
        votes=dict(list(saying.votes.items())[:CANDIDATES_SHOWN]),
    )


def _clipped(candidate: Candidate) -> Candidate:
    return Candidate(
        clip(candidate.id, TEXT_BYTES),
        clip(candidate.name, TEXT_BYTES),
        clip(candidate.promise, TEXT_BYTES),
    )
