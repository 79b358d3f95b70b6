"""Write entry and write bundle: the smallest unit of reality, and the unit in which it is
committed.

An entry is a text with its author, its readers and its time. Past entries are never edited; a
correction is a new entry. There is no room for moods, scores or any other hidden state: an unknown
key is refused.

All entries of a bundle become reality, or none does. A bundle without entries says explicitly that
nothing happens. A rejected bundle has no effect at all, and is never repaired.
"""

from typing import Final, Literal, get_args

import msgspec

from thorp.kernel.canonical import Json
from thorp.story.config import StoryConfig
from thorp.story.contracts.validation import demand, read_shape
from thorp.story.instants import parse_instant

AuthorClass = Literal["OPERATOR", "PERSON", "WORLD", "SYSTEM"]
Scope = Literal["PUBLIC", "PRIVATE"]
Channel = Literal["USER", "VOICE", "PEOPLE"]

CLASSES: Final = get_args(AuthorClass)
SCOPES: Final = get_args(Scope)
CHANNELS: Final = get_args(Channel)
CLASSES_OF_CHANNEL: Final = {
    "USER": ("OPERATOR",),
    "VOICE": ("WORLD", "SYSTEM"),
    "PEOPLE": ("PERSON",),
}


class Author(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who an entry is by: an identity, and its class."""

    author_id: str
    author_class: AuthorClass


class Visibility(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who may see an entry."""

    scope: Scope
    visible_to: tuple[str, ...]


class WriteEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry, proposed or committed."""

    entry_id: str | None
    bundle_id: str | None
    request_id: str
    created_at_world: str
    author: Author
    visibility: Visibility
    channel: Channel
    text: str


def read_entry(value: object, config: StoryConfig) -> WriteEntry:
    """Read a write entry, proposed or committed. Refuses with a ContractError."""
    entry = read_shape(WriteEntry, value)
    parse_instant(entry.created_at_world)
    path = "$.visibility.visible_to"
    visibility = entry.visibility
    fits = bool(visibility.visible_to) == (visibility.scope == "PRIVATE")
    demand(fits, "visibility", path, "PUBLIC lists nobody, PRIVATE lists who may see it")
    demand(bool(entry.text), "text_empty", "$.text", "an entry has a text")
    fits = fits_author(config, entry.author.author_id, entry.author.author_class, entry.channel)
    demand(fits, "author_pairing", "$.author", "author, class and channel do not fit together")
    return entry


def fits_author(config: StoryConfig, author_id: str, author_class: str, channel: str) -> bool:
    """Whether an author may have this class, and the class write in this channel."""
    if author_class not in CLASSES_OF_CHANNEL[channel]:
        return False
    if author_class == "PERSON":
        return not config.is_reserved(author_id)
    identity = config.identity
    own = {
        "OPERATOR": identity.operator_id,
        "WORLD": identity.world_actor,
        "SYSTEM": identity.system_actor,
    }
    return author_id == own[author_class]


class ProposedBy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which engine proposed a bundle, and for whom."""

    engine: str
    actor: str


class Rejection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a bundle was rejected, and why."""

    rejected: bool
    reason: str | None


class WriteBundle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Entries that are committed together or not at all."""

    bundle_id: str | None
    request_id: str
    proposed_by: ProposedBy
    entries: tuple[WriteEntry, ...]
    wrote: bool
    rejection: Rejection


def read_bundle(value: object, config: StoryConfig) -> WriteBundle:
    """Read a write bundle: proposed, committed or rejected. Refuses with a ContractError."""
    bundle = read_shape(WriteBundle, value)
    demand(
        bool(bundle.proposed_by.engine), "proposed_by", "$.proposed_by.engine", "an engine proposes"
    )
    demand(
        bool(bundle.proposed_by.actor), "proposed_by", "$.proposed_by.actor", "an actor proposes"
    )
    demand(
        bundle.wrote == bool(bundle.entries),
        "wrote",
        "$.wrote",
        "it wrote if and only if it has entries",
    )
    for index, entry in enumerate(bundle.entries):
        read_entry(msgspec.to_builtins(entry), config)
        fits = (entry.request_id, entry.bundle_id) == (bundle.request_id, bundle.bundle_id)
        path = f"$.entries[{index}]"
        demand(fits, "mismatch", path, "an entry has the request and the bundle it stands in")
    if bundle.rejection.rejected:
        fits = bundle.bundle_id is None and not bundle.wrote and bundle.rejection.reason is not None
        demand(
            fits, "rejection", "$.rejection", "a rejected bundle has a reason, no id and no entries"
        )
    return bundle


def bundle_of(
    request_id: str,
    engine: str,
    actor: str,
    entries: list[dict[str, Json]],
    *,
    reason: str | None = None,
) -> dict[str, Json]:
    """Make a bundle that is not committed: a proposal, or with a `reason` a rejected bundle, which
    has no entries."""
    kept = entries if reason is None else []
    return {
        "bundle_id": None,
        "request_id": request_id,
        "proposed_by": {"engine": engine, "actor": actor},
        "entries": kept,
        "wrote": bool(kept),
        "rejection": {"rejected": reason is not None, "reason": reason},
    }


def entry_of(
    request_id: str,
    created_at: str,
    *,
    author_id: str,
    author_class: str,
    channel: str,
    text: str,
    visible_to: list[str],
) -> dict[str, Json]:
    """Make an entry that is not committed; PUBLIC if it lists nobody."""
    return {
        "entry_id": None,
        "bundle_id": None,
        "request_id": request_id,
        "created_at_world": created_at,
        "author": {"author_id": author_id, "author_class": author_class},
        "visibility": {"scope": "PRIVATE" if visible_to else "PUBLIC", "visible_to": visible_to},
        "channel": channel,
        "text": text,
    }
