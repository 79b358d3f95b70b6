"""The one configuration of a story: who is who, and every number that decides.

Its defaults are the literals of the contracts, so `StoryConfig()` is the contracts' own world. It
is frozen. A ledger records it when it is created and refuses to open under another one, because its
rows cannot change.

Shares are whole percents: nothing that is hashed holds a fraction.
"""

import json
import re
from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from thorp.kernel.canonical import Json, canonical_text
from thorp.kernel.errors import InvalidError
from thorp.story import text as texts

IDENTITY_LENGTH_LIMIT: Final = 64
"""Longest identity, in characters: it is stored with every entry, and shown as a label."""
PEOPLE_LIMIT: Final = 10_000
"""Most people of one story, so that registering cannot fill the disk with names."""
SMALLEST_THRESHOLD: Final = 300
"""The smallest window that can be rebuilt, in units: it then holds two sentences in less than
half."""
SENTENCE_LIMIT: Final = 60
"""Longest sentence for a scene, in characters: two fill less than half of the smallest window."""
CHARS_PER_TOKEN: Final = 4  # By which tokens are estimated.
PUBLIC: Final = "PUBLIC"  # Names what everybody may see. No identity may have this name.
IDENTITY: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]*\Z")


class Identities(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The names that the story knows its own parts by."""

    operator_id: str = "GEORGE"
    invoker_role: str = "INVOKER"
    system_actor: str = "SYSTEM_INVOKER"
    world_actor: str = "WORLD"
    writer_engine: str = "ENGINE_9_LLM_WRITER"
    invocation_engine: str = "ENGINE_1_INVOCATION"
    view_suffix: str = "_VIEW"
    invoker_allowlist: tuple[str, ...] = ()
    """If it names any, no other invoker is taken."""


class Person(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody whom a writer may write as."""

    person_id: str
    descriptor: str = ""
    """One line that tells a writer who this is."""
    label: str | None = None
    """The name that the stream shows; without one, the id."""
    payload: str | None = None
    """The folder of texts that constrain how this person expresses things."""


class Time(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the clock of the world runs."""

    default_timezone: str = "Europe/London"
    epoch: str = "2026-01-01T07:30:00+00:00"
    mode: Literal["fixed", "coupled"] = "fixed"
    beat_step_seconds: int = 60
    rate_percent: int = 300
    backward_declaration: Literal["accept", "reject"] = "accept"
    pause_policy: Literal["TIME_ONLY", "FREEZE_REALITY"] = "TIME_ONLY"


class Context(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The size of a window, and how one that is nearly full is rebuilt."""

    budget: int = 8000
    ratio_percent: int = 80
    label: str = "NEAR_EXHAUSTION"
    unit: Literal["tokens", "chars"] = "tokens"
    max_item: int = 1200
    summarise: bool = False
    """Let the writer word anchors and rehydration; what it words badly is replaced by excerpts."""
    max_attempts: int = 3
    empty_scene: str = "A quiet place, and nothing has been told of it yet."
    still_scene: str = "Everything is where it was, as it was last told."

    @property
    def threshold(self) -> int:
        """The usage from which on a window is rebuilt."""
        return self.budget * self.ratio_percent // 100

    def units(self, text: str) -> int:
        """The size of a text: characters, or tokens estimated at four characters each."""
        return len(text) if self.unit == "chars" else -(-len(text) // CHARS_PER_TOKEN)

    def chars(self, units: int) -> int:
        """How many characters surely fit into some units."""
        return units if self.unit == "chars" else units * CHARS_PER_TOKEN


class Tools(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of what a writer may ask in one beat."""

    max_per_beat: int = 4
    max_limit: int = 50
    max_excerpt_chars: int = 600
    max_chars_per_beat: int = 12_000
    """All that tools return in one beat, so that no window overflows inside one."""
    max_query_words: int = 32
    max_query_chars: int = 2000


class Writing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of what a writer may propose, and what happens when it fails."""

    max_attempts: int = 2
    on_failure: Literal["no_write", "abort"] = "no_write"
    max_entries: int = 32
    max_text_chars: int = 8000
    require_own_view: bool = True


class Phrases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases that acceptance and the check of prose refuse."""

    meta: tuple[str, ...] = texts.META
    directive: tuple[str, ...] = texts.DIRECTIVE
    time_shortcut: tuple[str, ...] = texts.TIME_SHORTCUT
    tool_directive: tuple[str, ...] = texts.TOOL_DIRECTIVE


class Capsules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How long a capsule may be, and what marks a derived text in it."""

    max_chars: int = 4000
    derived_marker: str = "Not authoritative: "


class Stream(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a projection shows at most."""

    page_size: int = 500
    pocket_available: bool = True


class Invocations(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How strictly envelopes are taken."""

    strict: bool = True
    """Refuse keys that the envelope does not have."""
    on_mismatch: Literal["replay", "conflict"] = "replay"
    """What a known request id with another payload gets: the first outcome, or a 409."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who writes when a certain invoker opens the beat, and whose view the writer has."""

    writer: str
    view: str | None = None
    """A person's id; without one, what everybody may see."""


class StoryConfig(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything about a story that is decided when it is created."""

    identity: Identities = Identities()
    people: tuple[Person, ...] = (Person("REBECCA"),)
    people_open: bool = False
    """A person nobody registered registers by being written, or by being named in `visible_to`."""
    time: Time = Time()
    context: Context = Context()
    tools: Tools = Tools()
    writing: Writing = Writing()
    phrases: Phrases = Phrases()
    capsules: Capsules = Capsules()
    stream: Stream = Stream()
    invocations: Invocations = Invocations()
    parts: dict[str, Part] = {}
    """By invoker id. Other invokers get the ledger's own writer and the public view."""
    ids: Literal["random", "sequential"] = "random"

    def __post_init__(self) -> None:
        for name, wrong, problem in _problems(self):
            if wrong:
                raise InvalidError(problem, code="config", path=f"$.{name}")

    @property
    def reserved(self) -> tuple[str, ...]:
        """The identities that no person can have."""
        return (
            self.identity.operator_id,
            self.identity.system_actor,
            self.identity.world_actor,
            PUBLIC,
        )

    def is_reserved(self, identity: str) -> bool:
        """Whether no person can have this id: it reads like a reserved one, whatever its case."""
        return identity.casefold() in map(str.casefold, self.reserved)

    def label(self, author_id: str) -> str:
        """What the stream calls a person."""
        labels = (each.label for each in self.people if each.person_id == author_id and each.label)
        return next(labels, author_id)

    def may_become_person(self, identity: str) -> bool:
        """Whether a new person could have this id."""
        is_free = not self.is_reserved(identity) and not identity.endswith(
            self.identity.view_suffix
        )
        return self.people_open and is_free and is_identity(identity)


def is_identity(text: str) -> bool:
    """Whether a text has the form of an identity: ASCII letters, digits and a few signs, so that no
    two look alike."""
    return len(text) <= IDENTITY_LENGTH_LIMIT and IDENTITY.match(text) is not None


def config_text(config: StoryConfig) -> str:
    """The configuration as the canonical text that a ledger records."""
    return canonical_text(msgspec.to_builtins(config))


def read_config(value: Json) -> StoryConfig:
    """Read a configuration from a document; members that it leaves out have their defaults."""
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
        return msgspec.convert(value, StoryConfig)
    except (msgspec.ValidationError, UnicodeError) as error:
        raise InvalidError(f"this is not a story configuration: {error}", code="config") from None


def _problems(config: StoryConfig) -> Iterator[tuple[str, bool, str]]:
    """Every check of a configuration: the path it is about, whether it fails, and the message if it
    does. Names must be distinct, and numbers within their ranges."""
    identity = config.identity
    people = [person.person_id for person in config.people]
    everyone = [*config.reserved, *people]
    form = f"an identity is 1 to {IDENTITY_LENGTH_LIMIT} letters, digits and _.:-, like REBECCA"
    for each in everyone:
        yield f"identity[{each!r}]", not is_identity(each), form
    yield "people", len(people) > PEOPLE_LIMIT, f"at most {PEOPLE_LIMIT} people"
    own = {each.casefold() for each in config.reserved}
    is_twice = len({*people}) < len(people) or len(own) < len(config.reserved)
    is_taken = any(each.casefold() in own for each in people)
    yield "identity", is_twice or is_taken, "two of the identities are the same"
    yield (
        "identity.view_suffix",
        not identity.view_suffix or any(each.endswith(identity.view_suffix) for each in everyone),
        "a view's name must be told from an identity; use a suffix that no identity ends in",
    )
    invokes = identity.operator_id.casefold() in map(str.casefold, identity.invoker_allowlist)
    yield "identity.invoker_allowlist", invokes, "the operator never invokes"
    for each in (*config.parts, *identity.invoker_allowlist):
        yield f"invoker[{each!r}]", not is_identity(each), form
    is_unknown = any(part.view not in (None, *people) for part in config.parts.values())
    yield "parts", is_unknown, "unknown view"
    is_small = config.context.threshold < SMALLEST_THRESHOLD
    yield "context", is_small, "the window is too small to be rebuilt"
    for where, number, high in _numbers(config):
        yield where, not 1 <= number <= high, f"expected 1 to {high}"
    for where in ("empty_scene", "still_scene"):
        text = getattr(config.context, where)
        fits = text.strip() and len(text) <= SENTENCE_LIMIT
        yield (
            f"context.{where}",
            not fits,
            f"expected a sentence of at most {SENTENCE_LIMIT} characters",
        )


def _numbers(config: StoryConfig) -> list[tuple[str, int, int]]:
    """Numbers that must be from 1 to a limit. One that may also be 0 is given plus one."""
    return [
        ("time.beat_step_seconds", config.time.beat_step_seconds + 1, 31_536_001),
        ("time.rate_percent", config.time.rate_percent + 1, 1_000_001),
        ("context.budget", config.context.budget, 10_000_000),
        ("context.ratio_percent", config.context.ratio_percent, 100),
        ("context.max_item", config.context.max_item, 10_000_000),
        ("context.max_attempts", config.context.max_attempts, 10),
        ("tools.max_per_beat", config.tools.max_per_beat + 1, 101),
        ("tools.max_limit", config.tools.max_limit, 1000),
        ("tools.max_excerpt_chars", config.tools.max_excerpt_chars, 100_000),
        ("tools.max_chars_per_beat", config.tools.max_chars_per_beat, 1_000_000),
        ("tools.max_query_words", config.tools.max_query_words, 100),
        ("tools.max_query_chars", config.tools.max_query_chars, 10_000),
        ("writing.max_attempts", config.writing.max_attempts, 10),
        ("writing.max_entries", config.writing.max_entries, 1000),
        ("writing.max_text_chars", config.writing.max_text_chars, 100_000),
        ("capsules.max_chars", config.capsules.max_chars, 100_000),
        ("stream.page_size", config.stream.page_size, 10_000),
    ]
