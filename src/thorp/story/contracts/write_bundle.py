"""Write bundle: the atomic commit unit. All of its entries become reality, or none does.

A bundle that writes has entries; one that does not is an explicit nothing-happens. A rejected bundle has no
effect at all, and nobody mends it.
"""

import msgspec

from thorp.kernel.canonical import Json
from thorp.story.config import StoryConfig
from thorp.story.contracts.validation import demand, read_shape
from thorp.story.contracts.write_entry import WriteEntry, read_entry


class ProposedBy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    engine: str
    actor: str


class Rejection(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    rejected: bool
    reason: str | None


class WriteBundle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bundle_id: str | None
    request_id: str
    proposed_by: ProposedBy
    entries: tuple[WriteEntry, ...]
    wrote: bool
    rejection: Rejection


def read_bundle(value: object, config: StoryConfig) -> WriteBundle:
    """A write bundle, proposed, committed or rejected; else a ContractError."""
    bundle = read_shape(WriteBundle, value)
    demand(bool(bundle.proposed_by.engine), "proposed_by", "$.proposed_by.engine", "an engine proposes")
    demand(bool(bundle.proposed_by.actor), "proposed_by", "$.proposed_by.actor", "an actor proposes")
    demand(bundle.wrote == bool(bundle.entries), "wrote", "$.wrote", "it wrote if and only if it has entries")
    for index, entry in enumerate(bundle.entries):
        read_entry(msgspec.to_builtins(entry), config)
        demand(
            (entry.request_id, entry.bundle_id) == (bundle.request_id, bundle.bundle_id),
            "mismatch",
            f"$.entries[{index}]",
            "an entry has the request and the bundle it stands in",
        )
    if bundle.rejection.rejected:
        demand(
            bundle.bundle_id is None and not bundle.wrote and bundle.rejection.reason is not None,
            "rejection",
            "$.rejection",
            "a rejected bundle has a reason, no id and no entries",
        )
    return bundle


def bundle_of(
    request_id: str, engine: str, actor: str, entries: list[dict[str, Json]], *, reason: str | None = None
) -> dict[str, Json]:
    """A bundle nobody has committed: a proposal, or with a reason a rejected one, which has no entries."""
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
    author_id: str,
    author_class: str,
    channel: str,
    text: str,
    visible_to: list[str],
) -> dict[str, Json]:
    """An entry nobody has committed; PUBLIC if it lists nobody."""
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
