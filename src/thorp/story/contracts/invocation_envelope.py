"""Invocation envelope: the only input of a story. It has the invoker, the operator's words and what
is declared about time, but no state of the world.

The checks are made in a fixed order, so that the same wrong envelope always gets the same error:
the first that fails. All failures are listed as details. Texts are taken to the byte: nothing is
trimmed or folded.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple, Protocol

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import ContractError, InvalidError, Violation, member
from thorp.kernel.strict_json import is_storable
from thorp.story.config import StoryConfig, is_identity
from thorp.story.contracts.validation import value_at
from thorp.story.instants import MINUTE_US, in_calendar, instant_text, parse_civil, parse_instant

REQUEST_ID_LIMIT: Final = 200  # Characters of a request id: it is a key of the database.

_encode = msgspec.json.Encoder().encode
_LETTER = re.compile(r"[A-Za-z]")

_ZONE: Final = "declared_overrides.time.timezone"


class Invoker(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who opens the beat."""

    invoker_id: str
    invoker_role: str
    notes: str | None = None


class Operator(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The human of the story, and what they typed."""

    operator_id: str
    input_text: str


class Mode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the story goes on by a beat, or is only looked at."""

    kind: Literal["BEAT", "NO_OP"]
    client_intent: str | None = None


class DeclaredTime(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A time that the world is told to have, and the zone of the pocket's clock."""

    declared_world_time: str | None = None
    timezone: str | None = None


class Overrides(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an envelope changes about the clock."""

    time: DeclaredTime | None = None
    pause_time: bool | None = None


class Ui(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the reader's stream stands."""

    stream_cursor: str | None = None
    client_timestamp_utc: str | None = None


class InvocationEnvelope(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One request to the story: the only way in."""

    request_id: str
    invoker: Invoker
    operator: Operator
    mode: Mode
    declared_overrides: Overrides | None = None
    ui: Ui | None = None

    @property
    def timezone(self) -> str | None:
        time = self.declared_overrides and self.declared_overrides.time
        return time.timezone if time else None

    @property
    def declared_world_time(self) -> str | None:
        time = self.declared_overrides and self.declared_overrides.time
        return time.declared_world_time if time else None

    @property
    def pause_time(self) -> bool | None:
        return self.declared_overrides.pause_time if self.declared_overrides else None

    @property
    def stream_cursor(self) -> str | None:
        return self.ui.stream_cursor if self.ui else None


class Zones(Protocol):
    """What reading an envelope needs to know about time zones."""

    def is_known(self, zone: str) -> bool: ...

    def offset_minutes(self, zone: str, instant: int) -> int: ...

    def to_instant(self, zone: str, local_us: int) -> int: ...


class EnvelopeError(ContractError):
    """An envelope is refused. `error` is the first thing that is wrong, in the contract's words."""

    def __init__(self, wrong: list[tuple[str, str]]) -> None:
        self.error = wrong[0][0]
        super().__init__([Violation("envelope", path, error) for error, path in wrong])


def read_envelope(value: object, config: StoryConfig, zones: Zones) -> InvocationEnvelope:
    """Read an envelope. Refuses with an EnvelopeError that lists everything that is wrong."""
    return read_with_text(value, config, zones)[0]


def read_with_text(
    value: object, config: StoryConfig, zones: Zones
) -> tuple[InvocationEnvelope, bytes]:
    """Read an envelope, and give its canonical text: members in the contract's order, and null for
    those that were left out."""
    quick = _quick_yes(value, config)
    if quick is not None:
        return quick
    envelope = _explained(value, config, zones)
    return envelope, _encode(envelope)


def _quick_yes(value: object, config: StoryConfig) -> tuple[InvocationEnvelope, bytes] | None:
    """Read an envelope that declares no time and is valid, as nearly all are; None if a closer look
    is needed."""
    try:
        envelope = msgspec.convert(value, InvocationEnvelope)
        text = _encode(envelope)
    except (msgspec.ValidationError, UnicodeEncodeError):
        return None
    is_valid = (
        envelope.timezone is None
        and envelope.declared_world_time is None
        and _is_request_id(envelope.request_id)
        and envelope.operator.operator_id == config.identity.operator_id
        and _is_invoker_id(envelope.invoker.invoker_id, config)
        and envelope.invoker.invoker_role == config.identity.invoker_role
        and b"\\u0000" not in text
    )
    return (envelope, text) if is_valid else None


def _explained(value: object, config: StoryConfig, zones: Zones) -> InvocationEnvelope:
    """Read an envelope by the table of checks, which lists everything that is wrong."""
    if not isinstance(value, Mapping):
        raise EnvelopeError([("Invalid envelope", "$")])
    if not config.invocations.strict:
        value = _pruned(value, InvocationEnvelope)
    envelope = _Envelope(value, config, zones)
    wrong = [
        (error, f"$.{place}")
        for error, place, fits in _CHECKS
        if not fits(value_at(value, *place.split(".")), envelope)
    ]
    wrong += [("Unknown field", path) for path in _unknown(value, InvocationEnvelope, "$")]
    wrong += [("Invalid text", path) for path in _unstorable(value, "$")]
    if wrong:
        raise EnvelopeError(wrong)
    return msgspec.convert(value, InvocationEnvelope)


def declared_instant(text: str, zone: str, zones: Zones) -> int:
    """The moment that an operator declares; a text without an offset is local time of the zone."""
    civil = parse_civil(text)
    if civil.offset_minutes is None:
        return zones.to_instant(zone, civil.local_us)
    return in_calendar(civil.local_us - civil.offset_minutes * MINUTE_US)


def shown_time(instant: int, zone: str, zones: Zones) -> str:
    """A moment as the clocks of a zone show it."""
    offset = zones.offset_minutes(zone, instant)
    # In UTC it is the text that the beat has made already, and that is cached.
    return instant_text(instant, offset) if offset else instant_text(instant)


def local_text(text: str, zone: str, zones: Zones) -> str:
    """The moment that a text names, as the clocks of a zone show it."""
    return shown_time(parse_instant(text), zone, zones)


# The checks. Each gets the value at its place, of any type; None if there is nothing.


class _Envelope(NamedTuple):
    """The envelope that is checked, and what it is checked against."""

    value: Mapping[Any, Any]
    config: StoryConfig
    zones: Zones


_Check = Callable[[Any, _Envelope], bool]


def _is_request_id(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= REQUEST_ID_LIMIT and not value.isspace()


def _is_invoker_id(value: object, config: StoryConfig) -> bool:
    """Whether a value may name an invoker, which is a part of the system and never a human being.
    The form of an id excludes addresses, handles and full names; demanding a letter excludes
    telephone numbers and the like."""
    if not isinstance(value, str) or not is_identity(value) or _LETTER.search(value) is None:
        return False
    allowed = config.identity.invoker_allowlist
    operator = config.identity.operator_id
    return value.casefold() != operator.casefold() and (not allowed or value in allowed)


def _is_text_or_null(value: object, _envelope: _Envelope) -> bool:
    return isinstance(value, str | None)


def _is_object_or_null(value: object, _envelope: _Envelope) -> bool:
    return isinstance(value, Mapping | None)


def _is_zone(zone: object, envelope: _Envelope) -> bool:
    return zone is None or (isinstance(zone, str) and envelope.zones.is_known(zone))


def _is_declared_time(text: object, envelope: _Envelope) -> bool:
    if text is None:
        return True
    zone = value_at(envelope.value, *_ZONE.split("."))
    if not isinstance(zone, str) or not envelope.zones.is_known(zone):
        zone = envelope.config.time.default_timezone
    try:
        return isinstance(text, str) and declared_instant(text, zone, envelope.zones) is not None
    except InvalidError:
        return False


_CHECKS: Final[tuple[tuple[str, str, _Check], ...]] = (
    ("Missing request_id", "request_id", lambda it, _: _is_request_id(it)),
    (
        "Invalid operator_id",
        "operator.operator_id",
        lambda it, e: it == e.config.identity.operator_id,
    ),
    ("Invalid invoker_id", "invoker.invoker_id", lambda it, e: _is_invoker_id(it, e.config)),
    (
        "Invalid invoker_role",
        "invoker.invoker_role",
        lambda it, e: it == e.config.identity.invoker_role,
    ),
    ("Invalid notes", "invoker.notes", _is_text_or_null),
    ("Invalid mode", "mode.kind", lambda it, _: it in ("BEAT", "NO_OP")),
    ("Invalid client_intent", "mode.client_intent", _is_text_or_null),
    ("Invalid input_text", "operator.input_text", lambda it, _: isinstance(it, str)),
    ("Invalid declared_overrides", "declared_overrides", _is_object_or_null),
    ("Invalid declared_overrides", "declared_overrides.time", _is_object_or_null),
    ("Invalid timezone", _ZONE, _is_zone),
    (
        "Invalid declared_world_time",
        "declared_overrides.time.declared_world_time",
        _is_declared_time,
    ),
    (
        "Invalid pause_time",
        "declared_overrides.pause_time",
        lambda it, _: isinstance(it, bool | None),
    ),
    ("Invalid ui", "ui", _is_object_or_null),
    ("Invalid stream_cursor", "ui.stream_cursor", _is_text_or_null),
    ("Invalid client_timestamp_utc", "ui.client_timestamp_utc", _is_text_or_null),
)
"""In the contract's order: the error, the place, and what must be true of the value there."""

_PARTS: Final[dict[tuple[type, str], type]] = {
    (InvocationEnvelope, "invoker"): Invoker,
    (InvocationEnvelope, "operator"): Operator,
    (InvocationEnvelope, "mode"): Mode,
    (InvocationEnvelope, "declared_overrides"): Overrides,
    (Overrides, "time"): DeclaredTime,
    (InvocationEnvelope, "ui"): Ui,
}


def _unknown(value: Mapping[Any, Any], kind: Any, path: str) -> list[str]:
    """The paths of members that the contract does not have."""
    unknown: list[str] = []
    for key, content in value.items():
        where = member(path, key) if isinstance(key, str) else path
        part = _PARTS.get((kind, key))
        if not isinstance(key, str) or key not in kind.__struct_fields__:
            unknown.append(where)
        elif part is not None and isinstance(content, Mapping):
            unknown += _unknown(content, part, where)
    return unknown


def _pruned(value: Mapping[Any, Any], kind: Any) -> dict[str, Json]:
    """The envelope without members that the contract does not have."""
    kept: dict[str, Json] = {}
    for key, content in value.items():
        if key in kind.__struct_fields__:
            part = _PARTS.get((kind, key))
            kept[key] = _pruned(content, part) if part and isinstance(content, Mapping) else content
    return kept


def _unstorable(value: object, path: str) -> list[str]:
    """The paths of texts that no database can keep: with NUL, or half of a surrogate pair."""
    if isinstance(value, str):
        return [path] if not is_storable(value) else []
    if isinstance(value, Mapping):
        return [
            place
            for key, content in value.items()
            if isinstance(key, str)
            for place in _unstorable(content, member(path, key))
        ]
    return []
