"""Write entry: the smallest unit of reality. Text, who wrote it, who may see it, and when it was.

Past entries are never edited; a correction is a new entry. There is no room for moods, scores or any other
hidden state: an unknown key is refused.
"""

from typing import Final, Literal

import msgspec

from thorp.story.config import StoryConfig
from thorp.story.contracts.validation import demand, read_shape
from thorp.story.instants import parse_instant

AuthorClass = Literal["OPERATOR", "PERSON", "WORLD", "SYSTEM"]
Scope = Literal["PUBLIC", "PRIVATE"]
Channel = Literal["USER", "VOICE", "PEOPLE"]

CLASSES: Final = ("OPERATOR", "PERSON", "WORLD", "SYSTEM")
SCOPES: Final = ("PUBLIC", "PRIVATE")
CHANNELS: Final = ("USER", "VOICE", "PEOPLE")
CLASSES_OF_CHANNEL: Final = {"USER": ("OPERATOR",), "VOICE": ("WORLD", "SYSTEM"), "PEOPLE": ("PERSON",)}


class Author(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    author_id: str
    author_class: AuthorClass


class Visibility(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    scope: Scope
    visible_to: tuple[str, ...]


class WriteEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    entry_id: str | None
    bundle_id: str | None
    request_id: str
    created_at_world: str
    author: Author
    visibility: Visibility
    channel: Channel
    text: str


def read_entry(value: object, config: StoryConfig) -> WriteEntry:
    """A write entry, proposed or committed; else a ContractError."""
    entry = read_shape(WriteEntry, value)
    parse_instant(entry.created_at_world)
    listed = bool(entry.visibility.visible_to)
    demand(
        listed == (entry.visibility.scope == "PRIVATE"),
        "visibility",
        "$.visibility.visible_to",
        "PUBLIC lists nobody, PRIVATE lists who may see it",
    )
    demand(bool(entry.text), "text_empty", "$.text", "an entry has a text")
    demand(
        fits_author(config, entry.author.author_id, entry.author.author_class, entry.channel),
        "author_pairing",
        "$.author",
        "author, class and channel do not fit together",
    )
    return entry


def fits_author(config: StoryConfig, author_id: str, author_class: str, channel: str) -> bool:
    """Whether this identity may have this class, and this class this channel."""
    if author_class not in CLASSES_OF_CHANNEL[channel]:
        return False
    if author_class == "PERSON":
        return not config.is_reserved(author_id)
    identity = config.identity
    own = {"OPERATOR": identity.operator_id, "WORLD": identity.world_actor, "SYSTEM": identity.system_actor}
    return author_id == own[author_class]
