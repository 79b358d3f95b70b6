"""Proofs of what a data directory keeps. `python -m thorp.server.proof WHAT DIR [TIP]` prints one as JSON.

They take a processor for as long as they take, so a server has them made by a process of their own.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

import msgspec

from thorp.kernel.canonical import Json, insertion_bytes
from thorp.kernel.errors import ThorpError
from thorp.story import Ledger, open_ledger, rebuild
from thorp.town.embedded.lines import error_document
from thorp.town.service import EmbeddedTown


def prove_story(ledger: Ledger, *, again: bool, tip: str | None = None) -> dict[str, Json]:
    """What `verify` of a story found; if it is to be played again, whether that comes to the same end."""
    found: dict[str, Json] = msgspec.to_builtins(ledger.verify(tip))
    if again and found["difference"] is None:
        with tempfile.TemporaryDirectory() as name, rebuild(ledger, Path(name)) as played:
            if played.tip() != ledger.tip():
                found["difference"] = "the story, played again from its inputs, comes to another end"
    return found


def _towns(data: Path, tip: str | None) -> Json:
    with EmbeddedTown(data, create=False) as world:
        return msgspec.to_builtins(world.verify(tip))


def _story(data: Path, tip: str | None, *, again: bool = False) -> Json:
    with open_ledger(data, create=False) as ledger:
        return prove_story(ledger, again=again, tip=tip)


PROOFS: Final[dict[str, Callable[[Path, str | None], Json]]] = {
    "towns": _towns,
    "story": _story,
    "story-again": partial(_story, again=True),
}


def main(what: str, data: str, tip: str | None = None) -> None:
    try:
        found: Json = {"found": PROOFS[what](Path(data), tip)}
    except ThorpError as problem:
        found = error_document(problem)
    sys.stdout.buffer.write(insertion_bytes(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
