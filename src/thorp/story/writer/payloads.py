"""Texts about people, read from files: they constrain how a person expresses things, and decide nothing.

A person's folder is named after the person, or in the configuration. Its Markdown files, in alphabetical
order, are one text. Without a folder there is none, and everything works as before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from thorp.kernel.errors import InvalidError, LimitError
from thorp.story.config import Person

SHIPPED: Final = Path(__file__).parent.parent / "people"
"""The people that come with Thorp, all of them invented."""

PAYLOAD_BYTES_LIMIT: Final = 256 * 1024
"""Bytes of one person's texts: more would leave no model any room for a story."""

_FOLDER = re.compile(r"[a-z0-9_-]{1,64}\Z")


def read_payloads(people: Iterable[Person], root: Path = SHIPPED) -> dict[str, str]:
    """The texts of those people who have any, by their ids."""
    found = {person.person_id: _read(root / folder_of(person)) for person in people}
    return {person_id: text for person_id, text in found.items() if text}


def folder_of(person: Person) -> str:
    """The name of a person's folder. Refuses a configured one that could lead elsewhere."""
    if person.payload is None:
        return re.sub(r"[^a-z0-9_-]", "", person.person_id.lower()) or "_"
    if not _FOLDER.match(person.payload):
        raise InvalidError("a payload folder is named with a-z, 0-9, _ and - only", code="payload")
    return person.payload


def _read(folder: Path) -> str:
    if not folder.is_dir():
        return ""
    parts, size = [], 0
    for file in sorted(folder.glob("*.md")):
        if not file.is_file() or not file.resolve().is_relative_to(folder.resolve()):
            continue
        size += file.stat().st_size
        if size > PAYLOAD_BYTES_LIMIT:
            raise LimitError(f"{folder.name}: more than {PAYLOAD_BYTES_LIMIT} bytes of text", code="payload")
        parts.append(f"## {file.stem}\n{file.read_text('utf-8')}")
    return "\n\n".join(parts)
