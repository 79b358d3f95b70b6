"""The journal of a world: its inputs in order, each as canonical text.

    {"kind":"found",…}                                       the first: versions and seed
    {"kind":"epoch",…}                                       from here on under newer rules
    {"handoff":{…},"kind":"handoff","result":…,"status":…}   an accepted handoff, and a digest of its answer
    {"args":{…},"kind":"order","order":…,"town":…}           what the keeper did to one town
    {"kind":"create","town":…}                               a new town
    {"kind":"day"}                                           the next day, in every town
    {"kind":"retain","days":…}                               how long receipts are kept

An *epoch* is a stretch of records that one version of the rules made. It begins with the founding, or with a
snapshot of all towns, whose digest is in the record. What rules made only the same rules can make again, so a
release replays the epoch that is its own. The day, the receipts and their answers follow from the records of
any epoch.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from thorp.kernel.canonical import Json, canonical_bytes, canonical_text
from thorp.kernel.identity import digest
from thorp.town.embedded import tuning
from thorp.town.orders import TOWN_ORDERS, AdvanceDay, CreateTown, KeeperOrder, RetainReceipts, TownOrder

FORMAT: Final = 1

RELEASES: Final = {1: "0.1.0"}
"""The first release with each version of the rules. It, and those up to the next row, replay such epochs."""


def found_record(seed: int) -> str:
    return canonical_text({"kind": "found", **_versions(), "seed": str(seed)})


def epoch_record(states: Mapping[str, str]) -> str:
    """The record that begins an epoch of our rules, with these states of all towns."""
    return canonical_text({"kind": "epoch", **_versions(), "towns": towns_digest(states)})


def _versions() -> dict[str, Json]:
    return {"format": FORMAT, "rules": tuning.RULES_VERSION}


def towns_digest(states: Mapping[str, str]) -> str:
    """What names the states of all towns together."""
    return digest(canonical_bytes({town_id: digest(state.encode()) for town_id, state in states.items()}))


def handoff_record(handoff_text: str, status: str, result: str) -> str:
    """The record of an accepted handoff, from its canonical text and that of its receipt's result. Its own
    text is canonical too."""
    answered = digest(result.encode())
    return f'{{"handoff":{handoff_text},"kind":"handoff","result":"{answered}","status":"{status}"}}'


def order_record(order: KeeperOrder | TownOrder) -> str:
    return canonical_text(_order_document(order))


def _order_document(order: KeeperOrder | TownOrder) -> Json:
    match order:
        case CreateTown(town_id):
            return {"kind": "create", "town": town_id}
        case AdvanceDay():
            return {"kind": "day"}
        case RetainReceipts(days):
            return {"kind": "retain", "days": days}
    name, args = order.__struct_config__.tag, order.arguments()
    return {"kind": "order", "town": order.town_id, "order": name, "args": args}


def town_order(record: Json) -> TownOrder:
    """The order to one town that a record of the kind "order" holds."""
    return TOWN_ORDERS[record["order"]](town_id=record["town"], **record["args"])


def town_of(record: Json) -> str | None:
    """The town that a record is about, or None if it is about all of them."""
    town: str | None = record["handoff"]["proposal"]["townId"] if "handoff" in record else record.get("town")
    return town


def chained(record: str, happened: str) -> bytes:
    """What a link of the journal's chain covers: the record, and what happened. A record is one line."""
    return f"{record}\n{happened}".encode()


_encode = msgspec.json.Encoder().encode


def result_text(result: dict[str, Json]) -> str:
    """A result as a receipt keeps it."""
    return _encode(result).decode()
