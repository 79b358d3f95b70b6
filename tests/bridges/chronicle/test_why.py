"""Why a chronicle says a sentence: the events it was made from, told to each view as far as it may
know."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.bridges.chronicle.market import FAR_AWAY, Market
from tests.bridges.chronicle.test_events import without_events
from tests.bridges.chronicle.test_names import HOSTILE
from tests.bridges.chronicle.test_publisher import Chronicled, page
from thorp.bridges.chronicle import Publisher
from thorp.bridges.chronicle.why import Why, explain
from thorp.cli.why import why_lines
from thorp.kernel.errors import IllegalError, InvalidError, UnknownError
from thorp.protocol.actions import CreateOrg
from thorp.story import branch


def why(chronicled: Chronicled, wanted: str, reader: str | None = "GEORGE", **more: Any) -> Why:
    return explain(chronicled.ledger, reader, wanted, **more)


def entry_ids(chronicled: Chronicled, reader: str | None = "GEORGE") -> list[str]:
    return [each["entry_id"] for each in chronicled.ledger.page(reader)["stream"]["entries"]]


def a_day(market: Market) -> tuple[str, str, str]:
    """A city is founded beside a witness, and there is trade; far away there is other trade."""
    mara, bram, nan = market.person("Mara"), market.person("Bram"), market.person("Nan", FAR_AWAY)
    hob = market.person("Hob", FAR_AWAY)
    market.ask(mara, CreateOrg(org_kind="CITY", org_name="Millbrook"))
    market.trade(mara, bram)
    market.trade(nan, hob)
    return mara.id, bram.id, nan.id


def test_a_sentence_is_answered_with_its_events_and_their_moments(tmp_path: Path) -> None:
    market = Market()
    mara, bram, _ = a_day(market)
    [city] = market.told("city")
    with Chronicled(tmp_path) as chronicled:
        chronicled.telling.tell(page(market.notices))
        found = why(chronicled, "Mara founded the city of Millbrook")
        asked = [each for each in found.sentences if each.asked]
        [sentence] = asked
        [event] = sentence.events
        assert (event.id, event.tick, event.kind) == (city.event, city.tick, "city")
        assert (event.place, event.people, event.digest) == (city.where, [mara], city.digest)
        assert event.moment == f"/?at={city.tick}&see={city.event}"
        assert (sentence.basis, sentence.tick, sentence.people) == ("events", city.tick, [mara])
        assert sentence.witnesses == [mara, bram], "the witness of the deed is beside who did it"
        assert "".join(each.text for each in found.sentences).replace(".", "") in (
            found.text.replace(". ", "").replace(".", "")
        )
        assert (found.world, found.first, found.last) == ("w1", 1, 11)
        assert (found.proposal.kind, found.proposal.writer) == ("writer", "chronicle")
        noted = {notice.event for notice in market.notices}
        assert {*found.handed} == noted, "all that the page was made from"


def test_one_sentence_of_an_entry_is_asked_for_by_its_number(tmp_path: Path) -> None:
    market = Market()
    a_day(market)
    with Chronicled(tmp_path) as chronicled:
        chronicled.telling.tell(page(market.notices))
        wanted = max(entry_ids(chronicled), key=lambda each: len(why(chronicled, each).sentences))
        every = why(chronicled, wanted).sentences
        assert all(each.asked for each in every)
        for number in range(1, len(every) + 1):
            asked = [
                each.number
                for each in why(chronicled, wanted, number=number).sentences
                if each.asked
            ]
            assert asked == [number]
        for number in (0, -1, len(every) + 1, 2**70):
            with pytest.raises(InvalidError) as problem:
                why(chronicled, wanted, number=number)
            assert problem.value.code == "sentence"


def test_no_view_is_told_of_events_it_did_not_see(tmp_path: Path) -> None:
    market = Market()
    mara, bram, nan = a_day(market)
    with Chronicled(tmp_path) as chronicled:
        chronicled.telling.tell(page(market.notices))
        seen = {
            reader: [why(chronicled, each, reader) for each in entry_ids(chronicled, reader)]
            for reader in ("GEORGE", mara, bram, nan)
        }
        for reader, mine in ((mara, {mara, bram}), (nan, {nan, "A4"})):
            events = [
                event for one in seen[reader] for each in one.sentences for event in each.events
            ]
            assert {person for event in events for person in event.people} == mine
            ids = {event.id for event in events}
            assert all({*one.handed} == ids for one in seen[reader])
            for one in seen[reader]:
                assert one.known.readers == [reader]
                assert all(each.witnesses == [reader] for each in one.sentences)
        own = {one.entry_id for one in seen[nan]}
        assert own
        for entry_id in own - {one.entry_id for one in seen[mara]}:
            with pytest.raises(UnknownError) as hidden:
                why(chronicled, entry_id, mara)
            with pytest.raises(UnknownError) as nowhere:
                why(chronicled, f"e:{'0' * 32}", mara)
            assert str(hidden.value) == str(nowhere.value)
            assert hidden.value.code == nowhere.value.code == "no_entry"
        with pytest.raises(UnknownError) as untold:
            why(chronicled, "Nan sold Hob a plank for one coal", mara)
        assert str(untold.value) == str(nowhere.value)


def test_with_an_open_book_everybody_is_told_and_those_it_is_about_knew(tmp_path: Path) -> None:
    market = Market()
    mara, bram, _ = a_day(market)
    with Chronicled(tmp_path) as chronicled:
        publisher = Publisher(chronicled.ledger, chronicled.writer, "w1", open_book=True)
        publisher.tell(page(market.notices))
        found = why(chronicled, "Mara founded the city of Millbrook", None)
        [sentence] = [each for each in found.sentences if each.asked]
        assert (found.view, found.known.scope, found.known.readers) == ("PUBLIC", "PUBLIC", [])
        assert sentence.witnesses == [mara]
        assert bram not in sentence.witnesses


def test_a_page_of_an_earlier_release_is_answered_by_tick_and_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    market = Market()
    market.trade(market.person("Mara"), market.person("Bram"))
    with Chronicled(tmp_path) as chronicled:
        with monkeypatch.context() as patched:
            patched.setattr("thorp.bridges.chronicle.digest._noted", without_events)
            chronicled.telling.tell(page(market.notices))
        before = chronicled.ledger.tip()
        found = why(chronicled, "Mara sold Bram a plank")
        [sentence] = found.sentences
        assert (sentence.basis, sentence.events, sentence.events_total) == (
            "tick and people", [], 0,
        )  # fmt: skip
        assert (sentence.tick, sentence.people) == (3, ["A1", "A2"])
        assert sentence.moment == "/?at=3&see=E3"
        assert found.handed == []
        assert "made before pages noted their events" in "\n".join(lines(found))
        assert chronicled.ledger.tip() == before
        assert chronicled.ledger.verify().difference is None


def test_an_entry_that_is_no_page_has_no_events_and_says_so(tmp_path: Path) -> None:
    with Chronicled(tmp_path) as chronicled:
        seed = {"request_id": "s", "author_id": "WORLD", "text": "A mill. A ford."}
        chronicled.ledger.seed(seed)
        found = why(chronicled, "A mill.")
        assert [(each.text, each.basis, each.asked) for each in found.sentences] == [
            ("A mill.", "nothing", True), ("A ford.", "nothing", False),
        ]  # fmt: skip
        assert (found.world, found.first, found.last) == (None, None, None)
        assert "no event of a world is noted" in "\n".join(lines(found))


def test_a_sentence_that_lies_across_two_asks_for_all(tmp_path: Path) -> None:
    with Chronicled(tmp_path) as chronicled:
        seed = {"request_id": "s", "author_id": "WORLD", "text": "A red mill. A blue ford."}
        chronicled.ledger.seed(seed)
        assert [each.asked for each in why(chronicled, "mill. A blue").sentences] == [True, True]


def test_the_same_sentence_of_two_worlds_must_be_chosen(tmp_path: Path) -> None:
    market = Market()
    market.trade(market.person("Mara"), market.person("Bram"))
    with Chronicled(tmp_path) as chronicled:
        for world in ("w1", "w2"):
            Publisher(chronicled.ledger, chronicled.writer, world).tell(page(market.notices))
        with pytest.raises(IllegalError) as problem:
            why(chronicled, "Mara sold Bram a plank for one coal")
        assert problem.value.code == "ambiguous"
        first, second = entry_ids(chronicled)
        assert first in problem.value.message
        assert second in problem.value.message
        assert [why(chronicled, each).world for each in (first, second)] == ["w1", "w2"]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_reach_nobodys_terminal(tmp_path: Path, name: str) -> None:
    market = Market()
    rogue = market.person(name)
    market.trade(rogue, market.person("Bram"))
    with Chronicled(tmp_path) as chronicled:
        chronicled.telling.tell(page(market.notices))
        for wanted in entry_ids(chronicled):
            found = why(chronicled, wanted)
            assert found.sentences[0].events[0].people == ["A2", rogue.id]
            assert all(line.isprintable() for line in lines(found))


def lines(found: Why) -> list[str]:
    return why_lines({**msgspec.to_builtins(found), "proof": None})


def test_a_branch_answers_for_what_it_shares_and_for_what_is_its_own(tmp_path: Path) -> None:
    market = Market()
    market.trade(market.person("Mara"), market.person("Bram"))
    with Chronicled(tmp_path / "story") as chronicled:
        chronicled.telling.tell(page(market.notices))
        branch(chronicled.ledger, tmp_path / "branch", 1)
        shared = why(chronicled, entry_ids(chronicled)[0])
    with Chronicled(tmp_path / "branch") as other:
        other.telling.tell(page(market.notices, 12, 23))
        first, own = entry_ids(other)
        assert why(other, first) == shared
        assert why(other, own).sentences[0].events == shared.sentences[0].events
        assert why(other, own).first == 12
