"""Builds capsules: excerpts of one person's entries, made from the ledger on each request.

Nothing is stored, so nothing becomes stale: the same ledger and reader give the same bytes.
"""

from typing import Final

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import IllegalError
from thorp.story.config import StoryConfig
from thorp.story.contracts.packs import SEPARATOR
from thorp.story.contracts.validation import why_not_prose
from thorp.story.excerpts import latest_that_fit
from thorp.story.instants import instant_text, parse_instant
from thorp.story.retrieval import Retrieval

CANDIDATES: Final = 200
"""The latest entries of a person that a capsule is made from; those that there is room for are
kept."""


class Capsules(msgspec.Struct, frozen=True):
    """Builds capsules over one state of the ledger."""

    _retrieval: Retrieval
    _config: StoryConfig

    def build(
        self,
        person: str,
        reader: str | None,
        chars: int | None = None,
        *,
        prose_only: bool = False,
    ) -> dict[str, Json]:
        """The capsule of a person as a reader may see it, of at most `chars` characters; empty if
        the reader has seen nothing of that person.

        `prose_only` leaves out entries that are not natural language as a whole.
        """
        if not self._retrieval.is_person(person):
            raise IllegalError("there is no such person", code="unknown_person")
        latest = self._retrieval.latest(reader, limit=CANDIDATES, author=person)
        room = min(self._config.capsules.max_chars, chars or self._config.capsules.max_chars)
        each = min(self._config.tools.max_excerpt_chars, room)
        fitting = (row for row in reversed(latest) if not prose_only or self._is_prose(row.text))
        kept = latest_that_fit(((row, row.text[:each]) for row in fitting), room)
        version = 1 + self._retrieval.evidence(reader, person)
        last = latest[-1].instant if latest else parse_instant(self._config.time.epoch)
        return {
            "capsule_id": f"cap:{person}:v{version}",
            "person_id": person,
            "created_at_world": instant_text(last),
            "sections": [
                {
                    "name": "SOURCE_EXCERPTS",
                    "text": SEPARATOR.join(text for _, text in kept),
                    "provenance": {"used_entry_ids": [row.entry_id for row, _ in kept]},
                }
            ],
        }

    def _is_prose(self, text: str) -> bool:
        return why_not_prose(text, self._config.phrases) is None
