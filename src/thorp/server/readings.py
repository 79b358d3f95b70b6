"""What a keeper reads of a story: with whose eyes, and as which lines; beside a server and through it."""

from __future__ import annotations

from collections.abc import Iterator

from thorp.kernel.canonical import Json
from thorp.story import Ledger, StoryConfig
from thorp.story.config import PUBLIC
from thorp.story.export import export_everything, export_view


def eyes_of(name: str | None, config: StoryConfig) -> str | None:
    """Whose eyes a keeper names: the operator's without a name, everybody's by PUBLIC."""
    if name is None:
        return config.identity.operator_id
    return None if name == PUBLIC else name


def exported(ledger: Ledger, reader: str | None, *, everything: bool) -> Iterator[dict[str, Json]]:
    """The lines of an export, with the eyes that a keeper names or with all."""
    return export_everything(ledger) if everything else export_view(ledger, eyes_of(reader, ledger.config))
