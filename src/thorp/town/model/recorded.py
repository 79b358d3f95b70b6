"""Recordings of replies as files: read bounded, written whole or not at all, never over another."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from thorp.kernel.errors import ConflictError, IllegalError, LimitError
from thorp.models import Recording
from thorp.store import RealDisk, write_atomic

REPLIES_BYTES_LIMIT: Final = 256 << 20
"""A reply is a page of text; a town that a model governs for years stays below this."""


def read_recording(path: Path) -> Recording:
    """Recorded replies, to decide from. Refuses what is no recording."""
    if not path.is_file():  # a pipe or a device could keep us for ever
        raise IllegalError(f"{path}: no regular file is there; check the path", code="unreadable")
    with path.open("rb") as file:
        data = file.read(REPLIES_BYTES_LIMIT + 1)
    if len(data) > REPLIES_BYTES_LIMIT:
        raise LimitError(f"{path}: larger than {REPLIES_BYTES_LIMIT} bytes; no recording", code="size")
    return Recording.from_jsonl(data)


def refuse_unwritable(path: Path) -> None:
    """Refuse a path that a recording cannot be written to, before anything is asked."""
    if path.exists():
        raise ConflictError(f"{path}: exists already; give another path", code="exists")
    if not path.name or not os.access(path.parent, os.W_OK | os.X_OK):
        raise IllegalError(f"{path}: its folder cannot be written to; give another path", code="path")


def write_recording(path: Path, replies: Recording) -> None:
    """Write all that was asked and answered."""
    write_atomic(RealDisk(), path, replies.to_jsonl())
