"""The built-in writer says nothing against its world: one day of one village here, forty days of six
under --long; and what was counted is what happened."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.bridges.chronicle.judged import JudgedPages
from tests.bridges.chronicle.market import FAR_AWAY, Market
from tests.bridges.chronicle.village_life import TOKENS
from thorp import village
from thorp.bridges.voxel_town import new_city_world
from thorp.protocol import actions
from thorp.village.founding import RULES
from thorp.voxel import AnyInput, read_tuning, step

SEEDS = (1337, 42, 7, 1, 2, 3)


class Judged(JudgedPages):
    """A village whose every page is judged as it is written."""

    def __init__(self, seed: int) -> None:
        super().__init__(new_city_world(seed, tuning=read_tuning(RULES)))

    def live(self, days: int) -> None:
        village.run(self.world, self._tick, TOKENS, to_tick=days * self.world.tuning.day_ticks)

    def _tick(self, inputs: Sequence[AnyInput]) -> None:
        step(self.world, inputs)
        self.look()


@pytest.mark.parametrize(
    ("seed", "days"),
    [(42, 1), *(pytest.param(seed, 40, marks=pytest.mark.long) for seed in SEEDS)],
)
def test_the_built_in_writer_says_nothing_against_its_world(seed: int, days: int) -> None:
    judged = Judged(seed)
    judged.live(days)
    assert judged.wrong == []
    assert judged.sentences > 10 * days
    assert judged.read >= 0.85 * judged.sentences


NOON = 24
DUSK = 36
"""The page of the afternoon has the ticks from noon to before dusk; a day has 48."""
DEALS = ("trade", "rescue")
VERDICTS = ("by Mara", "by Nell", "by nobody", "by a stranger")

Deed = tuple[int, str, int]
"""A tick, what happens in it, and in whose favour."""


class Afternoon:
    """An afternoon in a city, from the last tick before it to the first one after it."""

    def __init__(self, day: int = 0) -> None:
        """Each day the same deeds are told in other ways."""
        self._begin = 48 * day
        self.market = Market()
        names = ("Mara", "Nell", "Bram", "Nan", "Piers", "Rufus")
        self.people = [self.market.person(name, x) for x, name in enumerate(names)]
        self.stranger = self.market.person("Ava", FAR_AWAY)
        mara, *others = self.people
        (made,) = self.market.ask(mara, actions.CreateOrg(org_kind="CITY", org_name="Millbrook"))
        for one in others:
            self.market.ask(one, actions.JoinOrg(org_id=made["org_id"]))
        self.market.world.tick = self._begin + NOON - 3
        self.pages = JudgedPages(self.market.world)

    def live(self, deeds: Sequence[Deed]) -> list[str]:
        """What the page of the afternoon says, by paragraphs."""
        world = self.market.world
        afternoon: list[str] = []
        for tick in range(NOON - 2, DUSK + 12):
            world.tick = self._begin + tick
            world.scratch.public_events.clear()
            for when, deed, whose in deeds:
                if when == tick:
                    self._happen(deed, whose)
            self.pages.look()
            if tick == DUSK - 1:
                afternoon = self.pages.texts
        return afternoon

    def _happen(self, deed: str, whose: int) -> None:
        world = self.market.world
        one = self.people[2 + whose]
        other = self.people[2 + (whose + 1) % 4]
        if deed in DEALS:
            sides = {"actor": one.id, "with": other.id, "pos": one.position}
            item = "BERRIES" if deed == "rescue" else "PLANK"
            one.hunger = 0 if deed == "rescue" else 20
            world.publish("TRADE", **sides, offer=[[item, 1]], request=[["COAL", 1]])
            return
        judges = {"by Mara": self.people[0].id, "by nobody": "", "by a stranger": one.id}
        speaker = self.stranger if deed == "by a stranger" else self.people[0]
        mark = {
            "by": one.id,
            "against": other.id,
            "step": "guilty",
            "judge": judges.get(deed, self.people[1].id),
        }
        event = {"from": speaker.id, "channel": "MARKET", "text": "Hear!"}
        world.publish("CHAT", **event, data={"quarrel": mark})


@pytest.mark.parametrize("deed", ["trade", "by Mara"])
def test_a_page_counts_what_happened_from_its_first_tick_to_its_last(deed: str) -> None:
    ticks = (NOON - 1, NOON, NOON + 1, DUSK - 1, DUSK)
    counted = set()
    for day in range(8):
        afternoon = Afternoon(day)
        texts = afternoon.live([(tick, deed, number % 4) for number, tick in enumerate(ticks)])
        assert afternoon.pages.wrong == []
        counted |= {text for text in texts if " three " in text.lower()}
    assert counted


def test_a_rescue_is_one_of_the_trades_that_are_counted() -> None:
    counted = set()
    for day in range(8):
        afternoon = Afternoon(day)
        deals = [(NOON + 1, "trade", number) for number in range(2)]
        texts = afternoon.live([(NOON, "rescue", 0), *deals])
        assert afternoon.pages.wrong == []
        counted |= {text for text in texts if " three " in text.lower()}
    assert counted


def test_each_judge_is_said_to_have_heard_its_own_quarrels() -> None:
    deeds = [(NOON, "by Mara", 0), (NOON, "by Nell", 1), (NOON + 1, "by Mara", 2)]
    afternoon = Afternoon()
    text = " ".join(afternoon.live([*deeds, (NOON, "by a stranger", 3)]))
    assert afternoon.pages.wrong == []
    assert "Rufus" not in text, "what a stranger makes up is no verdict"
    assert "Piers" in text or "two" in text


@given(
    st.lists(
        st.tuples(
            st.integers(NOON - 2, DUSK), st.sampled_from((*DEALS, *VERDICTS)), st.integers(0, 3)
        ),
        max_size=12,
    )
)
@example([(NOON, "by Mara", 0), (NOON, "by Nell", 1)])
@example([(NOON, "trade", 0), (NOON, "rescue", 1), (DUSK - 1, "trade", 2)])
def test_sentences_of_any_afternoon_count_what_happened(deeds: list[Deed]) -> None:
    afternoon = Afternoon()
    afternoon.live(deeds)
    assert afternoon.pages.wrong == []
