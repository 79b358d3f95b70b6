"""What the minds among the villagers decided lately: what each read, chose and weighed, and what
came of it.

The process of the minds writes a line for each decision, and another one when its outcome is known.
They are kept here, the newest of each mind, for those who look at it on the page; they are no part
of the world, and end with the server.
"""

from asyncio import StreamReader, Task
from collections import OrderedDict
from typing import Final

import msgspec

from thorp.village.minds import MOST_MINDS, TOLD_FIRST, MindDecision, MindReport

DECISIONS_KEPT: Final = 40
"""Of each mind: two to four minutes of its life."""
MOST_REPORT_BYTES: Final = 2**16
"""Of one line; the longest decision has a few thousand."""

_decode = msgspec.json.Decoder(MindReport).decode


class ShownMind(msgspec.Struct, kw_only=True):
    """A mind, as spectators are shown it."""

    agent: str
    rules: str
    """What it is told first, the same in every moment."""
    decisions: list[MindDecision] | None
    """Its latest decisions, the newest first; None where pockets are private, since a mind reads
    what is in its own."""


class MindLog:
    """The latest decisions of a few minds."""

    def __init__(self) -> None:
        self.reading: Task[None] | None = None
        """What reads from the process of the minds, while there is one."""
        self._kept: dict[str, OrderedDict[int, MindDecision]] = {}

    def take(self, line: bytes) -> None:
        """Keep a decision, or what came of one. A line that is none is passed over."""
        try:
            report = _decode(line)
        except msgspec.MsgspecError:
            return
        kept = self._kept.get(report.agent)
        if kept is None:
            while len(self._kept) >= MOST_MINDS:
                del self._kept[next(iter(self._kept))]
            kept = self._kept[report.agent] = OrderedDict()
        kept[report.decision.number] = report.decision
        while len(kept) > DECISIONS_KEPT:
            kept.popitem(last=False)

    async def follow(self, lines: StreamReader) -> None:
        """Read the lines of a process of minds until it ends. Nothing that it writes is trusted to
        be short, or to be a decision."""
        self._kept.clear()
        while True:
            try:
                line = await lines.readline()
            except ValueError:  # longer than any decision; what was read of it is gone
                continue
            if not line:
                return
            self.take(line)

    def shown(self, agent: str, *, open_book: bool) -> ShownMind | None:
        """What is known of a mind; None if the agent is none, as far as this server knows."""
        kept = self._kept.get(agent)
        if kept is None:
            return None
        decisions = list(reversed(kept.values())) if open_book else None
        return ShownMind(agent=agent, rules=TOLD_FIRST, decisions=decisions)
