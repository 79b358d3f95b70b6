"""Decides which proposals become reality, by their form and never by their meaning.

Contradiction, implausibility, rudeness and error are all legal. The rules are tables; the first
broken rule is the reason, a code and a path, which goes to the audit only. A rejected bundle is
never repaired. The order of the rules matters twice: a rule may rely on those before it, and the
reason for a bundle that breaks several must always be the same.
"""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError
from thorp.kernel.strict_json import is_storable
from thorp.story.config import StoryConfig
from thorp.story.contracts import write_bundle as contract
from thorp.story.contracts.write_bundle import CHANNELS, bundle_of, entry_of
from thorp.story.instants import instant_text, parse_instant
from thorp.story.quotation import Hearing
from thorp.story.text import find_phrase

_PROPOSER: Final = frozenset(contract.ProposedBy.__struct_fields__)
_REJECTION: Final = frozenset(contract.Rejection.__struct_fields__)
_AUTHOR: Final = frozenset(contract.Author.__struct_fields__)
_VISIBILITY: Final = frozenset(contract.Visibility.__struct_fields__)

NAME_LIMIT: Final = 200  # Characters of a proposer's or author's name.


class PrivateEntry(NamedTuple):
    """A private entry that the writer was shown, and who may read it."""

    text: str
    readers: frozenset[str]


class ProposalContext(msgspec.Struct, frozen=True):
    """The facts about the open beat that a proposal is judged by."""

    request_id: str
    instant: int
    config: StoryConfig
    is_somebody: Callable[[str], bool]
    """Whether a person of this id is known, or may register by being written."""
    only_author: str | None = None
    """The person whose own view the writer has seen; nobody else may then be written."""
    private_entries: tuple[PrivateEntry, ...] = ()
    """Every private entry that the writer was shown in this beat."""


class ProposalVerdict(msgspec.Struct, frozen=True):
    """The verdict on a bundle: accepted, with the bundle as it was proposed; or rejected, with the
    code of the broken rule and a bundle that has no entries."""

    bundle: dict[str, Json]
    code: str | None = None

    @property
    def accepted(self) -> bool:
        """Whether no rule was broken."""
        return self.code is None


def judge_proposal(
    bundle: object, beat: ProposalContext | None, *, silent: bool = False
) -> ProposalVerdict:
    """Judge a writer's proposal. A writer that declared itself `silent` may have no entries."""
    verdict = _judge(bundle, beat, _WRITER_RULES)
    if beat is None or not verdict.accepted or not verdict.bundle["entries"]:
        return verdict
    if silent:
        return _rejection(beat, bundle, "SILENT_WITH_ENTRIES", "$.entries")
    for code, path, keeps in _CLAIM_RULES:
        if not keeps(bundle, beat):
            return _rejection(beat, bundle, code, path)
    return verdict


def judge_operator_entries(
    bundle: object, beat: ProposalContext, input_text: str
) -> ProposalVerdict:
    """Judge the entries that the envelope itself brings: the operator's words, and a declared
    time."""
    identity = beat.config.identity
    created_at = instant_text(beat.instant)
    words = entry_of(
        beat.request_id,
        created_at,
        author_id=identity.operator_id,
        author_class="OPERATOR",
        channel="USER",
        text=input_text,
        visible_to=[],
    )
    usual = bundle_of(beat.request_id, identity.invocation_engine, identity.system_actor, [words])
    if (
        bundle == usual
        and input_text
        and is_storable(input_text)
        and _proposer_is_named(usual, beat)
    ):
        # What nearly every envelope brings. It is right by construction, so it need not be judged.
        return ProposalVerdict(usual)
    verdict = _judge(bundle, beat, _COMMON_RULES)
    if not verdict.accepted or not isinstance(bundle, dict):
        return verdict
    spoken = [entry["text"] for entry in bundle["entries"] if entry["channel"] == "USER"]
    if spoken not in ([], [input_text]):
        return _rejection(beat, bundle, "USER_NOT_VERBATIM", "$.entries")
    return verdict


_Rule = Callable[[Any, ProposalContext], bool]
_Rules = tuple[tuple[str, str, _Rule], ...]


def _judge(bundle: Any, beat: ProposalContext | None, entry_rules: _Rules) -> ProposalVerdict:
    """Judge a bundle by the rules for bundles, its entries by theirs, and all together for leaks:
    a leak is a matter of what each reader sees of the whole bundle."""
    if beat is None:
        empty = bundle_of("", "", "", [], reason="NO_ACTIVE_BEAT at $")
        return ProposalVerdict(empty, "NO_ACTIVE_BEAT")
    for code, path, keeps in _BUNDLE_RULES:
        if not keeps(bundle, beat):
            return _rejection(beat, bundle, code, path)
    for index, entry in enumerate(bundle["entries"]):
        for code, path, keeps in entry_rules:
            if not keeps(entry, beat):
                return _rejection(beat, bundle, code, f"$.entries[{index}]{path}")
    leak = _find_leak(bundle["entries"], beat) if beat.private_entries else None
    if leak is not None:
        return _rejection(beat, bundle, "VIEW_MIXING", leak)
    if bundle["entries"] and beat.only_author not in (None, bundle["proposed_by"]["actor"]):
        return _rejection(beat, bundle, "VIEW_MIXING", "$.proposed_by.actor")
    return ProposalVerdict(bundle)


def _find_leak(entries: list[Any], beat: ProposalContext) -> str | None:
    """The path of a quotation of a private entry that somebody sees who may not read that entry;
    None if there is none. All that one reader sees of the bundle counts together, so that a secret
    cannot be told in pieces."""
    listed = dict.fromkeys(each for entry in entries for each in entry["visibility"]["visible_to"])
    for reader in (None, *listed):
        secrets = [secret for secret in beat.private_entries if reader not in secret.readers]
        visible = [
            (at, entry["text"]) for at, entry in enumerate(entries) if _is_shown_to(entry, reader)
        ]
        hearing = Hearing([text for _, text in visible])
        for secret in secrets if visible else ():
            if hearing.quotes(secret.text):
                quoting = (at for at, text in visible if Hearing([text]).quotes(secret.text))
                at = next(quoting, None)
                return "$.entries" if at is None else f"$.entries[{at}].visibility"
    return None


def _is_shown_to(entry: Any, reader: str | None) -> bool:
    listed = entry["visibility"]["visible_to"]
    return not listed or reader in listed


def _rejection(beat: ProposalContext, bundle: object, code: str, path: str) -> ProposalVerdict:
    """The rejection of a bundle, which may be anything. It names the proposer if that can be
    read."""
    proposer = bundle.get("proposed_by") if isinstance(bundle, dict) else None
    claims = proposer if isinstance(proposer, dict) else {}
    engine = str(claims.get("engine") or "")
    actor = str(claims.get("actor") or "")
    rejected = bundle_of(beat.request_id, engine, actor, [], reason=f"{code} at {path}")
    return ProposalVerdict(rejected, code)


def _only_has(kind: Any) -> _Rule:
    """The rule that a value is an object without other members than those of a struct."""
    names = frozenset(kind.__struct_fields__)
    return lambda value, _beat: isinstance(value, dict) and names.issuperset(value)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= NAME_LIMIT and is_storable(value)


def _proposer_is_named(bundle: Any, _beat: ProposalContext) -> bool:
    by = bundle.get("proposed_by")
    return (
        isinstance(by, dict)
        and by.keys() == _PROPOSER
        and _is_name(by["engine"])
        and _is_name(by["actor"])
    )


def _is_not_rejected(bundle: Any, _beat: ProposalContext) -> bool:
    rejection = bundle.get("rejection")
    return (
        isinstance(rejection, dict)
        and rejection.keys() == _REJECTION
        and rejection["rejected"] is False
        and (rejection["reason"] is None or isinstance(rejection["reason"], str))
    )


_BUNDLE_RULES: Final[_Rules] = (
    ("BUNDLE_SHAPE", "$", _only_has(contract.WriteBundle)),
    ("REQUEST_MISMATCH", "$.request_id", lambda b, beat: b.get("request_id") == beat.request_id),
    ("BUNDLE_ID_PREASSIGNED", "$.bundle_id", lambda b, _: b.get("bundle_id") is None),
    ("PROPOSED_BY", "$.proposed_by", _proposer_is_named),
    ("WROTE_TYPE", "$.wrote", lambda b, _: isinstance(b.get("wrote"), bool)),
    ("ENTRIES_TYPE", "$.entries", lambda b, _: isinstance(b.get("entries"), list)),
    ("WROTE_EMPTY", "$.entries", lambda b, _: b["entries"] or not b["wrote"]),
    ("SILENT_WITH_ENTRIES", "$.entries", lambda b, _: b["wrote"] or not b["entries"]),
    ("PRE_REJECTED", "$.rejection", _is_not_rejected),
    ("TOO_MANY", "$.entries", lambda b, beat: len(b["entries"]) <= beat.config.writing.max_entries),
)


def _claims_the_writer(bundle: Any, beat: ProposalContext) -> bool:
    return bool(bundle["proposed_by"]["engine"] == beat.config.identity.writer_engine)


def _claims_an_actor(bundle: Any, beat: ProposalContext) -> bool:
    """A writer speaks for the world, for people, or for the system that opens its moments."""
    identity = beat.config.identity
    actor = bundle["proposed_by"]["actor"]
    return actor in (identity.world_actor, identity.system_actor) or beat.is_somebody(actor)


_CLAIM_RULES: Final[_Rules] = (
    ("PROPOSED_BY", "$.proposed_by.engine", _claims_the_writer),
    ("PROPOSED_BY", "$.proposed_by.actor", _claims_an_actor),
)
"""What a writer claims about itself must be true, although it is not what is recorded: see
`proposer_of`."""


def proposer_of(
    config: StoryConfig, operator_entries: list[dict[str, Json]], proposal: dict[str, Json] | None
) -> dict[str, str]:
    """Who is recorded as the proposer of a beat's bundle, whatever the writer claims.

    A bundle with entries of the envelope (the operator's words, a declared time) is the
    invocation's, even if a writer added to it: those words are never a writer's. Any other is the
    writer's. Its actor is the author of its entries; if there are several, the system that opened
    the moment.
    """
    identity = config.identity
    if operator_entries or proposal is None:
        return {"engine": identity.invocation_engine, "actor": identity.system_actor}
    authors = {entry["author"]["author_id"] for entry in proposal["entries"]}
    actor = authors.pop() if len(authors) == 1 else identity.system_actor
    return {"engine": identity.writer_engine, "actor": actor}


def _instant(entry: Any, beat: ProposalContext) -> int | None:
    """The moment that an entry names; None if it names none. Nearly all name the beat's own, with
    the same text, which is compared first because parsing costs more."""
    text = entry.get("created_at_world")
    if text == instant_text(beat.instant):
        return beat.instant
    try:
        return parse_instant(text) if isinstance(text, str) else None
    except InvalidError:
        return None


def _has_author(entry: Any, _beat: ProposalContext) -> bool:
    author = entry.get("author")
    return isinstance(author, dict) and author.keys() == _AUTHOR and _is_name(author["author_id"])


def _is_not_the_operator(entry: Any, beat: ProposalContext) -> bool:
    author = entry["author"]
    speaks_as = author["author_id"].casefold() == beat.config.identity.operator_id.casefold()
    return not (speaks_as or entry.get("channel") == "USER" or author["author_class"] == "OPERATOR")


def _is_paired(entry: Any, beat: ProposalContext) -> bool:
    author = entry["author"]
    channel = entry.get("channel")
    if channel not in CHANNELS:
        return True  # the rule CHANNEL refuses it
    if not contract.fits_author(beat.config, author["author_id"], author["author_class"], channel):
        return False
    return author["author_class"] != "PERSON" or beat.is_somebody(author["author_id"])


def _has_visibility(entry: Any, _beat: ProposalContext) -> bool:
    visibility = entry.get("visibility")
    if not isinstance(visibility, dict) or visibility.keys() != _VISIBILITY:
        return False
    listed = visibility["visible_to"]
    return isinstance(listed, list) and all(isinstance(each, str) for each in listed)


def _knows_the_listed(entry: Any, beat: ProposalContext) -> bool:
    listed = entry["visibility"]["visible_to"]
    if not listed:
        return True
    own_identities = (beat.config.identity.operator_id, beat.config.identity.system_actor)
    return len({*listed}) == len(listed) and all(
        each in own_identities or beat.is_somebody(each) for each in listed
    )


def _lists_nobody(entry: Any) -> bool:
    return not entry["visibility"]["visible_to"]


def _is_private(entry: Any) -> bool:
    return bool(entry["visibility"]["scope"] == "PRIVATE")


def _skips_no_time(entry: Any, beat: ProposalContext) -> bool:
    return entry["channel"] != "VOICE" or not find_phrase(
        entry["text"], beat.config.phrases.time_shortcut
    )


_COMMON_RULES: Final[_Rules] = (
    ("ENTRY_SHAPE", "", _only_has(contract.WriteEntry)),
    ("ENTRY_ID_PREASSIGNED", ".entry_id", lambda e, _: e.get("entry_id") is None),
    ("ENTRY_ID_PREASSIGNED", ".entry_id", lambda e, _: e.get("bundle_id") is None),
    ("ENTRY_REQUEST", ".request_id", lambda e, beat: e.get("request_id") == beat.request_id),
    ("TIME_FORMAT", ".created_at_world", lambda e, beat: _instant(e, beat) is not None),
    ("TIME_MISMATCH", ".created_at_world", lambda e, beat: _instant(e, beat) == beat.instant),
    ("AUTHOR_MISSING", ".author", _has_author),
    (
        "AUTHOR_CLASS",
        ".author.author_class",
        lambda e, _: e["author"]["author_class"] in contract.CLASSES,
    ),
    ("AUTHOR_PAIRING", ".author", _is_paired),
    ("VISIBILITY_MISSING", ".visibility", _has_visibility),
    ("SCOPE", ".visibility.scope", lambda e, _: e["visibility"]["scope"] in contract.SCOPES),
    (
        "PRIVATE_EMPTY",
        ".visibility.visible_to",
        lambda e, _: not (_is_private(e) and _lists_nobody(e)),
    ),
    ("PUBLIC_LIST", ".visibility.visible_to", lambda e, _: _is_private(e) or _lists_nobody(e)),
    ("VISIBILITY_IDENTITY", ".visibility.visible_to", _knows_the_listed),
    ("CHANNEL", ".channel", lambda e, _: e.get("channel") in CHANNELS),
    ("TEXT_MISSING", ".text", lambda e, _: isinstance(e.get("text"), str)),
    ("TEXT_EMPTY", ".text", lambda e, _: e["text"] != ""),
    ("TEXT_UNSTORABLE", ".text", lambda e, _: is_storable(e["text"])),
)
_PAIRING: Final = [code for code, *_ in _COMMON_RULES].index("AUTHOR_PAIRING")
_WRITER_RULES: Final[_Rules] = (
    *_COMMON_RULES[:_PAIRING],
    ("OPERATOR_IMPERSONATION", ".author", _is_not_the_operator),
    ("SYSTEM_AUTHOR", ".author.author_class", lambda e, _: e["author"]["author_class"] != "SYSTEM"),
    *_COMMON_RULES[_PAIRING:],
    ("TEXT_EMPTY", ".text", lambda e, _: e["text"].strip() != ""),
    ("TEXT_LONG", ".text", lambda e, beat: len(e["text"]) <= beat.config.writing.max_text_chars),
    (
        "META_LANGUAGE",
        ".text",
        lambda e, beat: not find_phrase(e["text"], beat.config.phrases.meta),
    ),
    ("TIME_SHORTCUT", ".text", _skips_no_time),
    (
        "VIEW_MIXING",
        ".author.author_id",
        lambda e, b: b.only_author in (None, e["author"]["author_id"]),
    ),
)
"""The common rules, with those that only writers must keep: two before the pairing of author and
channel, so that impersonation is named as such, and the others at the end."""
