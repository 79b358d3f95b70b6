"""Telling a range to a real ledger: through acceptance, once, and whatever names people have."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.bridges.chronicle.market import FAR_AWAY, Market
from tests.bridges.chronicle.test_names import HOSTILE
from tests.voxel.flat import STAND
from thorp.bridges.chronicle import (
    INVOKER,
    WRITER,
    ChronicleWriter,
    Notice,
    Page,
    Publisher,
    chronicle_config,
    open_chronicle,
    why_no_chronicle,
)
from thorp.bridges.chronicle.digest import digest
from thorp.bridges.chronicle.publisher import NotPublished, stands
from thorp.bridges.chronicle.wording import TickRange
from thorp.kernel.errors import IllegalError
from thorp.protocol import actions
from thorp.store import DiskError
from thorp.story import Ledger, Part, StoryConfig, open_ledger, rebuild
from thorp.story import ledger as story_ledger
from thorp.story import service as story_service
from thorp.story.config import Identities, Time
from thorp.story.export import export_lines
from thorp.story.text import META, TIME_SHORTCUT

DAY = 48
ORDERS = [
    *HOSTILE,
    *META,
    *TIME_SHORTCUT,
    "Rehydrated Bob",
    "con\u200btext window",
    "context\twindow",
    "meanwhile",
]


class Chronicled:
    """A ledger in a directory, and a telling of one world to it."""

    def __init__(self, path: Path, world: str = "w1") -> None:
        self.writer = ChronicleWriter()
        self.ledger: Ledger = open_chronicle(path, self.writer)
        self.telling = Publisher(self.ledger, self.writer, world)

    def __enter__(self) -> Chronicled:
        return self

    def __exit__(self, *_: object) -> None:
        self.ledger.close()

    def texts(self, reader: str | None = "GEORGE") -> list[str]:
        return [entry["text"] for entry in self.ledger.page(reader)["stream"]["entries"]]

    def outcomes(self) -> list[str]:
        of_beats = "SELECT outcome FROM story_beat WHERE kind = 'BEAT' ORDER BY n"
        return [str(outcome) for (outcome,) in self.ledger.read(lambda c: c.execute(of_beats))]


def page(notices: list[Notice], first: int = 1, last: int = 11) -> Page:
    return Page(TickRange(first, last), DAY, notices)


def test_a_range_is_told_once_and_silence_is_a_beat(tmp_path: Path) -> None:
    market = Market()
    market.trade(market.person("Mara"), market.person("Bram"))
    with Chronicled(tmp_path) as chronicled:
        telling = chronicled.telling
        assert telling.last_tick() == 0
        told = telling.tell(page(market.notices))
        assert (told.paragraphs, told.again) == (1, False)
        assert telling.tell(page(market.notices)).again
        assert telling.tell(page(market.notices, 12, 23)._replace(notices=[])).paragraphs == 0
        assert telling.last_tick() == 23
        assert chronicled.outcomes() == ["ACCEPTED", "NO_WRITE"]
        assert chronicled.texts() == [
            "On the first day, before dawn, Mara sold Bram a plank for one coal in the plains."
        ]
        assert chronicled.ledger.verify().difference is None
    with Chronicled(tmp_path) as again:
        assert again.telling.last_tick() == 23
        assert Publisher(again.ledger, again.writer, "w2").last_tick() == 0, (
            "another world is another chronicle"
        )


@pytest.mark.parametrize("invoker", [INVOKER, "SYSTEM_INVOKER"])
@pytest.mark.parametrize("kind", ["NO_OP", "BEAT"])
def test_nobody_takes_the_id_of_a_range_before_it_is_told(
    tmp_path: Path, kind: str, invoker: str
) -> None:
    market = Market()
    market.trade(market.person("Mara"), market.person("Bram"))
    with Chronicled(tmp_path) as chronicled:
        chronicled.telling.tell(page(market.notices, 1, 11))
        for name in ("000000000012-000000000023", "000000009000-000000009999"):
            for seal in ("", f":{'0' * 32}"):
                squatter = {
                    "request_id": f"chronicle:w1:{name}{seal}",
                    "invoker": {"invoker_id": invoker, "invoker_role": "INVOKER"},
                    "operator": {"operator_id": "GEORGE", "input_text": ""},
                    "mode": {"kind": kind},
                }
                assert chronicled.ledger.invoke(squatter)[0] == 200
        assert chronicled.telling.last_tick() == 11
        told = chronicled.telling.tell(page(market.notices, 12, 23))
        assert (told.paragraphs, told.again) == (1, False)
        assert chronicled.telling.last_tick() == 23


def test_a_story_with_a_chronicle_opens_verifies_and_rebuilds_without_its_writer(
    tmp_path: Path,
) -> None:
    market = Market()
    market.trade(market.person("Mara"), market.person("Bram"))
    with Chronicled(tmp_path / "story") as chronicled:
        chronicled.telling.tell(page(market.notices))
    with open_ledger(tmp_path / "story", create=False) as ledger:
        assert ledger.verify().difference is None
        with rebuild(ledger, tmp_path / "again") as again:
            assert again.tip() == ledger.tip()


def test_an_invoker_whose_writer_is_not_here_gets_a_beat_without_words(tmp_path: Path) -> None:
    config = StoryConfig(parts={"X": Part("away")})
    open_ledger(tmp_path, config, writers={"away": ChronicleWriter()}).close()
    with open_ledger(tmp_path) as ledger:
        envelope = {
            "request_id": "r1",
            "invoker": {"invoker_id": "X", "invoker_role": "INVOKER"},
            "operator": {"operator_id": "GEORGE", "input_text": "Hello."},
            "mode": {"kind": "BEAT"},
        }
        status, body = ledger.invoke(envelope)
        assert status == 200
        assert [entry["text"] for entry in body["stream"]["entries"]] == ["Hello."]


@pytest.mark.parametrize(
    "config",
    [
        StoryConfig(),
        StoryConfig(parts={INVOKER: Part("offline")}, people_open=True),
        StoryConfig(parts={INVOKER: Part("offline")}),
    ],
)
def test_a_story_that_was_founded_without_a_chronicle_is_refused(
    tmp_path: Path, config: StoryConfig
) -> None:
    with open_ledger(tmp_path, config) as ledger, pytest.raises(IllegalError) as refused:
        Publisher(ledger, ChronicleWriter(), "w1")
    assert refused.value.code == "no_chronicle"


def test_what_a_chronicle_needs() -> None:
    good = chronicle_config()
    assert why_no_chronicle(good) is None
    shut = msgspec.structs.replace(good, people_open=False)
    listed = msgspec.structs.replace(good, identity=Identities(invoker_allowlist=("SOMEBODY",)))
    assert "closed" in str(why_no_chronicle(shut))
    assert "invoker_allowlist" in str(why_no_chronicle(listed))


def test_other_requests_of_the_invoker_find_the_writer_silent(tmp_path: Path) -> None:
    with Chronicled(tmp_path) as chronicled:
        envelope = {
            "request_id": "somebody else's",
            "invoker": {"invoker_id": INVOKER, "invoker_role": "INVOKER"},
            "operator": {"operator_id": "GEORGE", "input_text": ""},
            "mode": {"kind": "BEAT"},
        }
        assert chronicled.ledger.invoke(envelope)[0] == 200
        assert chronicled.outcomes() == ["NO_WRITE"]
        assert chronicled.texts() == []


def crowded(names: list[str], title: str) -> Market:
    """Everything that people can name, named so."""
    market = Market()
    title = title.encode("utf-8", "ignore").decode()  # as it comes over the wire
    people = [market.person(name, x=2 * number) for number, name in enumerate(names)]
    first = people[0]
    for one in people[1:]:
        market.trade(one, first)
    market.ask(first, actions.CreateOrg(org_kind="CITY", org_name=(title.strip() or "x")[:10]))
    (claimed,) = market.ask(first, actions.ClaimLand(anchor=(1, STAND, 3), radius=8))
    if claimed["ok"]:
        wish = actions.ProposeLaw(
            land_id=claimed["land_id"],
            template_id="MARKET_TAX",
            params={"market_tax": 0.1},
            title=title[:20],
        )
        market.ask(first, wish)
    market.notices += market.happen(kind="DOWNED", agent=people[-1].id, pos=people[-1].position)
    fields = {
        "town_id": title,
        "status": "executed",
        "reason": title,
        "command": title,
        "actor": title,
    }
    market.notices += market.happen(kind="TOWN_RESULT", **fields)
    return market


@pytest.mark.parametrize("name", ORDERS)
def test_no_name_keeps_the_chronicle_from_being_told_or_breaks_its_lines(
    tmp_path: Path, name: str
) -> None:
    market = crowded([name, "Mara", f"{name} {name}", name.upper()], name)
    assert len(market.notices) >= 5
    with Chronicled(tmp_path) as chronicled:
        told = chronicled.telling.tell(page(market.notices))
        assert told.paragraphs >= 2
        assert chronicled.outcomes() == ["ACCEPTED"]
        for text in chronicled.texts():
            assert text.isprintable()
            assert stands(text, chronicled.ledger.config)
            assert text.count("“") == text.count("”")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.lists(st.text(max_size=40), min_size=2, max_size=5), st.text(max_size=60))
def test_any_names_make_printable_paragraphs(names: list[str], title: str) -> None:
    config = chronicle_config()
    market = crowded(names, title)
    paragraphs = digest(
        TickRange(1, 11), market.notices, DAY, "GEORGE", stands=lambda t: stands(t, config), most=64
    )
    assert paragraphs
    assert all(each.text.isprintable() for each in paragraphs)


def test_when_there_is_no_room_for_more_people_the_others_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    market = Market()
    mara, bram = market.person("Mara"), market.person("Bram")
    market.trade(mara, bram)
    with Chronicled(tmp_path) as chronicled:
        chronicled.telling.tell(page(market.notices))
        monkeypatch.setattr(story_ledger, "PEOPLE_LIMIT", 3)
        market.person("Late")
        market.notices.clear()
        market.trade(mara, bram)
        chronicled.telling.tell(page(market.notices, 12, 23))
        assert chronicled.outcomes() == ["ACCEPTED", "ACCEPTED"]
        assert [len(chronicled.texts(one)) for one in ("GEORGE", "A1", "A2")] == [2, 2, 2]
        assert chronicled.ledger.admitted(["A1", "A3", "GEORGE"]) == {"A1", "GEORGE"}


def test_a_story_that_fails_is_told_again_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    market = Market()
    market.trade(market.person("Mara"), market.person("Bram"))
    with Chronicled(tmp_path) as chronicled:

        def fail(*_: Any, **__: Any) -> Any:
            raise DiskError("no space left")

        with monkeypatch.context() as broken:
            broken.setattr(story_service, "answer", fail)
            with pytest.raises(NotPublished, match="ticks 1 to 11: 500"):
                chronicled.telling.tell(page(market.notices))
        assert chronicled.telling.last_tick() == 0
        assert not chronicled.telling.tell(page(market.notices)).again


def test_a_story_that_sleeps_sleeps_through_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    config = msgspec.structs.replace(chronicle_config(), time=Time(pause_policy="FREEZE_REALITY"))
    market, writer = Market(), ChronicleWriter()
    market.trade(market.person("Mara"), market.person("Bram"))
    with open_ledger(tmp_path, config, writers={WRITER: writer}) as ledger:
        pause = {
            "request_id": "p",
            "invoker": {"invoker_id": "SYSTEM_INVOKER", "invoker_role": "INVOKER"},
            "operator": {"operator_id": "GEORGE", "input_text": ""},
            "mode": {"kind": "BEAT"},
            "declared_overrides": {"pause_time": True},
        }
        assert ledger.invoke(pause)[0] == 200
        telling = Publisher(ledger, writer, "w1")
        assert telling.tell(page(market.notices)).paragraphs == 0
        assert telling.last_tick() == 11
    assert "did not take them" in caplog.text


# Canaries


def test_a_private_happening_reaches_no_one_who_was_not_there(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    market = Market()
    here, there = market.person("Canaryhere"), market.person("Canarythere", x=FAR_AWAY)
    friend, stranger = market.person("Friend", x=4), market.person("Stranger", x=FAR_AWAY + 4)
    market.trade(friend, here)
    market.trade(stranger, there, "BERRIES")
    market.ask(stranger, actions.ClaimLand(anchor=(FAR_AWAY + 2, STAND, 4), radius=4))
    saw = {
        here.id: "Canaryhere",
        friend.id: "Canaryhere",
        there.id: "Canarythere",
        stranger.id: "Canarythere",
    }
    with Chronicled(tmp_path) as chronicled:
        chronicled.telling.tell(page(market.notices))
        ledger = chronicled.ledger
        question = {
            "request_id": "r1",
            "invoker": {"invoker_id": "SYSTEM_INVOKER", "invoker_role": "INVOKER"},
            "operator": {
                "operator_id": "GEORGE",
                "input_text": "Who is Canaryhere or Canarythere?",
            },
            "mode": {"kind": "BEAT"},
        }
        answer = ledger.respond(question)
        said = msgspec.json.decode(answer.body)["stream"]["entries"][-1]["text"]
        assert "Canary" not in said, "the world's own voice answers from what is public"
        everything = " ".join(map(str, export_lines(ledger, None, everything=True)))
        assert "Canaryhere" in everything
        assert "Canarythere" in everything
        packs = ledger.read(lambda c: c.execute("SELECT body FROM story_pack WHERE view IS NULL"))
        told_by_world = [
            entry for entry in ledger.page(None)["stream"]["entries"] if entry["channel"] == "VOICE"
        ]
        for leak in (packs, told_by_world, *(export_lines(ledger, "PUBLIC"),)):
            text = " ".join(map(str, leak)).replace("Who is Canaryhere or Canarythere?", "")
            assert "Canary" not in text
        for person, canary in saw.items():
            own = " ".join(chronicled.texts(person)[:-2])
            assert canary in own
            assert own.count("Canary") == own.count(canary)
            assert "claimed" in own, "what is public they know too"
    assert "Canary" not in caplog.text


def test_an_open_book_is_read_by_everybody_and_closing_it_hides_nothing(tmp_path: Path) -> None:
    market = Market()
    mara, bram = market.person("Mara"), market.person("Bram", x=3)
    writer = ChronicleWriter()
    with open_chronicle(tmp_path, writer) as ledger:
        for first, open_book in ((1, False), (2, True), (3, False)):
            market.notices.clear()
            market.trade(mara, bram)
            publisher = Publisher(ledger, writer, "a world", open_book=open_book)
            page = Page(TickRange(first, first), market.world.tuning.day_ticks, market.notices)
            assert publisher.tell(page).paragraphs == 1
        texts = [entry["text"] for entry in ledger.page(None)["stream"]["entries"]]
        everything = [entry["text"] for entry in ledger.page("GEORGE")["stream"]["entries"]]
    assert len(texts) == 1
    assert len(everything) == 3
    assert texts[0] == everything[1]
