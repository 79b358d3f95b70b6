"""Every rule finds the contradiction that was planted for it, and passes the true sentence beside
it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bridges.chronicle.market import FAR_AWAY, Market
from tests.voxel.society.civic import a_land
from thorp.bridges.chronicle.check import RULES, judge
from thorp.bridges.chronicle.check.facts import DEEDS_LIMIT, WorldFacts
from thorp.bridges.chronicle.check.reading import SENTENCE_CHARS, Reader, split_hour
from thorp.protocol.actions import CreateOrg
from thorp.voxel.inputs import Detach
from thorp.voxel.tick import step

DAY = 48


class Told:
    """A day of a market, and what is said of it."""

    def __init__(self) -> None:
        self.market = Market()
        self.facts = WorldFacts(self.market.world)
        self.market.look = self.look  # type: ignore[method-assign]
        self.mara = self.market.person("Mara")
        self.bram = self.market.person("Bram")
        self.nan = self.market.person("Nan", FAR_AWAY)
        self.gone = self.market.person("Gil", 60)
        self.away = self.market.person("Ava", 80)
        self.facts = WorldFacts(self.market.world)

    def look(self) -> None:
        self.facts.look()

    def happen(self, **event: Any) -> None:
        """Something happens, as if the last tick had had it."""
        self.market.world.scratch.public_events[:] = [event]
        self.facts.look()
        self.market.world.scratch.public_events.clear()

    def says(self, text: str, *, is_whole: bool = True) -> tuple[str, str] | None:
        """The rule that a sentence breaks, and what the world says instead."""
        _, opening = split_hour(text.removesuffix("."))
        return judge(self.facts, text, day_ticks=DAY, opening=opening, is_whole=is_whole)


@pytest.fixture(scope="module")
def told() -> Told:
    """On the first day, before dawn: Mara founds a city and claims land, Bram buys a plank from her
    and finishes a well, and three people join. Gil's body was removed, and Ava went away, before."""
    told = Told()
    world = told.market.world
    step(world, [Detach(told.away.number)])
    told.happen(kind="LEAVE", agent=told.gone.id, name="Gil")
    world.agents.remove(told.gone.number)
    told.happen(kind="LEAVE", agent=told.gone.id, name="Gil", retired=True)
    told.market.wait()
    told.facts.restart()
    told.market.ask(told.mara, CreateOrg(org_kind="CITY", org_name="Millbrook"))
    told.market.trade(told.mara, told.bram)
    told.happen(kind="BUILT", agent=told.bram.id, blueprint_id="well", pos=(3, 20, 3))
    org = next(iter(world.orgs)).id
    for one in (told.mara, told.bram, told.nan):
        told.happen(kind="JOIN_ORG", agent=one.id, org_id=org)
    told.happen(kind="DOWNED", agent=told.nan.id, pos=told.nan.position)
    return told


TRUE = (
    "Mara founded the city of Millbrook in the plains.",
    "On the first day, before dawn, Mara founded the city of Millbrook in the plains.",
    "Mara sold Bram a plank for one coal in the plains.",
    "Bram finished a well in the plains.",
    "A well was finished in the plains, built by Bram.",
    "In the plains, Bram finished a well.",
    "Mara, Bram and Nan joined Millbrook.",
    "Millbrook grew by three: Mara, Bram and Nan joined.",
    "Nan fell in the plains, and woke at home with less than before.",
    "Bram rested by the well.",
    "The wind went round the empty fields, and nobody knew why.",
    "People spoke of the land of plenty.",
)


@pytest.mark.parametrize("text", TRUE)
def test_what_is_true_and_what_is_no_claim_is_let_pass(told: Told, text: str) -> None:
    assert told.says(text) is None


PLANTED = (
    # rule, contradiction, and the true sentence beside it
    ("dead", "Gil finished a well in the plains.", "Bram finished a well in the plains."),
    ("dead", "Gil walked about all morning.", "Bram walked about all morning."),
    ("absent", "Ava joined Millbrook.", "Mara joined Millbrook."),
    ("absent", "Zed sold Bram a plank for one coal in the plains.",
     "Mara sold Bram a plank for one coal in the plains."),
    ("absent", "Ava sang in the plains.", "Mara sang in the plains."),
    ("unbuilt", "Bram finished a hall in the plains.", "Bram finished a well in the plains."),
    ("unbuilt", "Bram slept in the hall.", "Bram slept by the well."),
    ("owner", "Bram walked over the land of Nan.", "Bram walked over the land."),
    ("owner", "Bram claimed land in the plains, two paces to every side of a totem.",
     "Bram wished to claim land."),
    ("owner", "Mara gave the land in the plains to Bram.", "Mara gave Bram a plank."),
    ("owner", "Mara founded the city of Millbrook on the land of Nan.",
     "Mara founded the city of Millbrook in the plains."),
    ("deed", "Bram founded the city of Millbrook in the plains.",
     "Mara founded the city of Millbrook in the plains."),
    ("deed", "Bram fell in the plains, and woke at home with less than before.",
     "Nan fell in the plains, and woke at home with less than before."),
    ("deed", "Bram sold Mara a plank for one coal in the plains.",
     "Bram bought a plank from Mara in the plains for one coal."),
    ("count", "Mara sold Bram two planks for one coal in the plains.",
     "Mara sold Bram a plank for one coal in the plains."),
    ("count", "Millbrook grew by four: Mara, Bram and Nan joined.",
     "Millbrook grew by three: Mara, Bram and Nan joined."),
    ("count", "Mara, Bram and five others joined Millbrook.",
     "Mara, Bram and Nan joined Millbrook."),
    ("hour", "On the second day, before dawn, Bram finished a well in the plains.",
     "On the first day, before dawn, Bram finished a well in the plains."),
    ("hour", "On the afternoon of the first day, Mara founded the city of Millbrook in the plains.",
     "In the small hours of the first day, Mara founded the city of Millbrook in the plains."),
    ("hour", "On the third day, after dusk, people were glad.",
     "On the first day, before dawn, people were glad."),
)  # fmt: skip


@pytest.mark.parametrize(("rule", "planted", "true"), PLANTED)
def test_each_rule_finds_what_was_planted_and_nothing_beside_it(
    told: Told, rule: str, planted: str, true: str
) -> None:
    found = told.says(planted)
    assert found is not None
    assert found[0] == rule, found
    assert found[1].isprintable()
    assert told.says(true) is None


def test_every_rule_of_the_table_has_something_planted() -> None:
    assert {rule.name for rule in RULES} == {rule for rule, _, _ in PLANTED}
    assert all(rule.sentence.endswith(".") for rule in RULES)


def test_land_belongs_to_whom_the_world_says() -> None:
    told = Told()
    market = told.market
    for number, other in enumerate((told.bram, told.nan, told.gone, told.away), 1):
        market.world.relocate(other, (200 + number, other.position[1], 200))
    claim = a_land(market.world, told.mara)
    told.happen(
        kind="CLAIM_LAND",
        agent=told.mara.id,
        land_id=claim.id,
        pos=claim.anchor,
        radius=claim.radius,
    )
    assert told.says("Bram walked over the land of Mara.") is None
    assert told.says("Mara claimed land in the plains, eight paces to every side of a totem.") is (
        None
    )
    found = told.says("Bram claimed land in the plains, eight paces to every side of a totem.")
    assert found is not None
    assert found[0] == "owner"
    wrong = told.says("Mara claimed land in the plains, nine paces to every side of a totem.")
    assert wrong is not None
    assert wrong[0] == "count"


def test_a_witness_of_a_part_may_be_told_of_fewer_and_never_of_more(told: Told) -> None:
    fewer = "Millbrook grew by two: Mara and Bram joined."
    more = "Millbrook grew by nine: Mara and Bram joined."
    assert told.says(fewer, is_whole=False) is None
    whole = told.says(fewer)
    assert whole is not None
    assert whole[0] == "count"
    found = told.says(more, is_whole=False)
    assert found is not None
    assert found[0] == "count"


HOSTILE = (
    "", ".", "\x02", "\x020\x03 founded the city of \x021\x03.", "“", "(" * 500, "Mara " * 100,
    "Mara, " * 90 + "and Bram joined Millbrook.", " and ".join(["Mara"] * 80) + " fell.",
    "On the day, , , . ", "A" * SENTENCE_CHARS, "\u202eMara founded\x1b[31m the city.", "\x00",
    "the land of the land of the land of Mara's land",
    "in the plains " * 40,
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_sentences_are_read_or_passed_over_in_time(told: Told, text: str) -> None:
    found = told.says(text)
    assert found is None or found[1].isprintable()


def test_what_is_too_long_is_not_read(told: Told) -> None:
    assert Reader(told.facts).read("Gil walked about. " * 100) == []


def test_no_stretch_keeps_more_deeds_than_its_limit(told: Told) -> None:
    facts = WorldFacts(told.market.world)
    facts.deeds = [told.facts.deeds[0]] * DEEDS_LIMIT
    told.market.world.scratch.public_events[:] = [
        {"kind": "DOWNED", "agent": told.nan.id, "pos": told.nan.position}
    ]
    facts.look()
    told.market.world.scratch.public_events.clear()
    assert len(facts.deeds) == DEEDS_LIMIT
