"""A page notes which events each of its sentences was made from, and tells no reader of others."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.bridges.chronicle.market import FAR_AWAY, Market
from tests.bridges.chronicle.test_publisher import Chronicled, page
from thorp.bridges.chronicle import publisher, ticks_of
from thorp.bridges.chronicle.digest import EVENTS_LIMIT
from thorp.bridges.chronicle.observer import event_digest
from thorp.bridges.chronicle.publisher import PageNotes, notes_of
from thorp.story.storage import Origin
from thorp.voxel.state.unsaved import BlockChange


def origins(chronicled: Chronicled, reader: str | None = "GEORGE") -> list[Origin]:
    entries = chronicled.ledger.page(reader)["stream"]["entries"]
    found = chronicled.ledger.origins([entry["entry_id"] for entry in entries])
    return [found[entry["entry_id"]] for entry in entries]


def noted(chronicled: Chronicled, reader: str | None = "GEORGE") -> list[PageNotes]:
    return [each for origin in origins(chronicled, reader) if (each := notes_of(origin))]


def without_events(_: Any, end: int) -> Any:
    """The notes of a sentence as earlier releases made them."""
    return (end, 3, ("A1", "A2"), 20)


def test_a_sentence_notes_its_event_with_place_people_and_digest(tmp_path: Path) -> None:
    market = Market()
    mara, bram = market.person("Mara"), market.person("Bram")
    market.trade(mara, bram)
    [trade] = [each for each in market.world.scratch.public_events if each["kind"] == "TRADE"]
    number = market.world.scratch.public_events.index(trade) + 1
    tick = market.world.tick
    with Chronicled(tmp_path) as chronicled:
        chronicled.telling.tell(page(market.notices))
        [entry] = noted(chronicled)
        [origin] = origins(chronicled)
    [[end, began, who, weight, events, count]] = entry.sentences
    digest = event_digest(tick, trade)
    where = list(market.notices[-1].where or ())
    assert events == [[f"E{tick}.{number}", "trade", where, [bram.id, mara.id], digest]]
    assert (entry.world, entry.ticks, count) == ("w1", (1, 11), 1)
    assert ticks_of(origin) == {"first": 1, "last": 11, "sentences": [[end, began, who, weight]]}, (
        "what every reader of the story is sent is what it was"
    )


def test_a_digest_tells_events_apart() -> None:
    event = {"kind": "TRADE", "actor": "A1", "pos": (1, 2, 3)}
    assert event_digest(7, event) == event_digest(7, dict(reversed(event.items())))
    others = ((8, event), (7, event | {"actor": "A2"}), (7, event | {"pos": (1, 2, 4)}))
    assert event_digest(7, event) not in {event_digest(*other) for other in others}


def test_who_saw_a_part_is_told_of_no_other_event(tmp_path: Path) -> None:
    market = Market()
    mara, bram = market.person("Mara"), market.person("Bram")
    nan, hob = market.person("Nan", FAR_AWAY), market.person("Hob", FAR_AWAY)
    market.trade(mara, bram)
    market.trade(nan, hob)
    with Chronicled(tmp_path) as chronicled:
        chronicled.telling.tell(page(market.notices))
        parties = {
            reader: {person for one in noted(chronicled, reader) for person in _people(one)}
            for reader in ("GEORGE", mara.id, nan.id)
        }
    assert parties == {
        "GEORGE": {mara.id, bram.id, nan.id, hob.id},
        mara.id: {mara.id, bram.id},
        nan.id: {nan.id, hob.id},
    }


def _people(noted: PageNotes) -> set[str]:
    return {person for sentence in noted.sentences for event in sentence[4] for person in event[3]}


def test_a_sentence_of_very_many_events_notes_the_first_and_counts_all(tmp_path: Path) -> None:
    market = Market()
    market.trade(market.person("Mara"), market.person("Bram"))
    [trade] = market.notices
    many = [replace(trade, tick=tick, event=f"E{tick}.1") for tick in range(1, EVENTS_LIMIT + 4)]
    with Chronicled(tmp_path) as chronicled:
        chronicled.telling.tell(page(many, 1, 99))
        [entry] = noted(chronicled)
    [[*_, events, count]] = entry.sentences
    assert (len(events), count) == (EVENTS_LIMIT, EVENTS_LIMIT + 3)
    assert [event[0] for event in events] == [each.event for each in many[:EVENTS_LIMIT]]


def test_a_page_of_an_earlier_release_is_read_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    market = Market()
    market.trade(market.person("Mara"), market.person("Bram"))
    with Chronicled(tmp_path) as chronicled:
        monkeypatch.setattr("thorp.bridges.chronicle.digest._noted", without_events)
        chronicled.telling.tell(page(market.notices))
        [entry] = noted(chronicled)
        [origin] = origins(chronicled)
    assert [len(sentence) for sentence in entry.sentences] == [publisher.SHOWN_MEMBERS]
    assert ticks_of(origin) == {"first": 1, "last": 11, "sentences": entry.sentences}


def test_only_a_sealed_request_notes_anything(tmp_path: Path) -> None:
    forged = Origin("chronicle:w1:000000000001-000000000011:00", False, 0, '{"invoker":{}}')
    assert notes_of(forged) is None
    assert notes_of(forged._replace(request_id="r1", sealed=True)) is None


def test_a_harvest_is_the_block_that_was_changed() -> None:
    market = Market()
    mara = market.person("Mara")
    wheat = market.world.catalogs.block_number["WHEAT_RIPE"]
    changes = market.world.scratch.block_changes
    cell = (mara.x + 1, mara.y, mara.z)
    changes[:] = [
        BlockChange("WORLD", "GROW", cell, 0, wheat),
        BlockChange(mara.id, "MINE", cell, wheat, 0),
    ]
    [notice] = market.noticing.look()
    assert notice.kind == "harvest"
    assert notice.event == f"E{market.world.tick}.b2"
    event = {"kind": "HARVEST", "agent": mara.id, "pos": cell}
    assert notice.digest == event_digest(market.world.tick, event)
