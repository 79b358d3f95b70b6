"""Every instant has a rule, and no wish, however strange, does anything but what a rule allows."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.voxel.flat import STAND
from tests.voxel.society.bazaar import SIZE, Books, Dealer, a_bazaar
from tests.voxel.society.civic import ask
from tests.voxel.working import put
from thorp.protocol.act import Act
from thorp.protocol.actions import SoundInstant
from thorp.protocol.fields import FAR, Instant, Stack
from thorp.protocol.society import SocietyInstant
from thorp.voxel.acting import INSTANTS
from thorp.voxel.inputs import Acted

KINDS: tuple[type[Instant], ...] = get_args(SocietyInstant)
WORDS = st.sampled_from(
    [
        "", "A1", "A2", "A3", "A99", "TR000001", "TR000002", "C000001", "C000002", "ORG000001", "LAW000001",
        "LAND_A1_001", f"CONTRACT_TERMINAL@0,{STAND},3", f"CONTRACT_TERMINAL@20,{STAND},3",
        f"CHEST@1,{STAND},3", f"BULLETIN_BOARD@1,{STAND},1", "BULLETIN_BOARD@1,2,3", "CHEST@@,,", "news",
        "PLANK", "NO_SUCH", "BUILD", "deliver", "road_segment", "CITY", "YES", "OFFICER", "MARKET_TAX",
        "\x00", "語" * 90, "x" * 128,
    ]
)  # fmt: skip
NUMBERS = st.sampled_from([-FAR, -1, 0, 1, 2, 90, 6_000, FAR])
ITEMS = st.sampled_from(["PLANK", "COAL", "NO_SUCH", ""])
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("count", "limit", "radius", "rotation", "duration_ticks", "deadline_tick"), NUMBERS),
    **dict.fromkeys(
        ("offer", "request"), st.lists(st.tuples(ITEMS, NUMBERS | st.sampled_from([0.5, 1.9])), max_size=3)
    ),
    **dict.fromkeys(
        ("requirements", "reward", "deposit"), st.lists(st.builds(Stack, ITEMS, NUMBERS), max_size=3)
    ),
    "anchor": st.tuples(NUMBERS, NUMBERS, NUMBERS) | st.just((22, STAND, 0)),
    "policy": st.dictionaries(st.sampled_from(["allow_trade", "fly"]), st.booleans()),
    "params": st.dictionaries(st.sampled_from(["market_tax", "fine_item"]), st.none() | NUMBERS | WORDS),
    "open": st.booleans(),
}


def test_every_instant_has_a_rule() -> None:
    assert set(INSTANTS) == set(get_args(SoundInstant))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.__struct_config__.tag))
def test_an_empty_wish_is_refused(kind: type[Instant]) -> None:
    world = a_bazaar()
    before = [dict(agent.inventory) for agent in world.agents]
    (result,) = ask(world, world.agents[SIZE], kind(id="e"))
    assert (result["ref"], result["ok"]) == ("e", False)
    assert result["code"] == ("E_BLOCKED" if kind.__name__ == "LeaveOrg" else "E_BAD_REQUEST")
    assert before == [dict(agent.inventory) for agent in world.agents]


@st.composite
def wishes(draw: st.DrawFn) -> Instant:
    kind = draw(st.sampled_from(KINDS))
    values = {
        field.name: draw(st.none() | FIELDS.get(field.name, WORDS))
        for field in msgspec.structs.fields(kind)
        if field.name != "id"
    }
    return kind(**values)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, SIZE), st.lists(wishes(), min_size=1, max_size=16)), max_size=8),
    st.integers(0, 99),
)
def test_no_wish_breaks_anything(turns: list[tuple[int, list[Any]]], seed: int) -> None:
    """Among what others do. Nobody here can afford land, so every item stays."""
    world, dealer = a_bazaar(), Dealer(seed)
    put(world, (1, STAND, 1), "BULLETIN_BOARD")
    books = Books(world)
    for _ in range(2):
        books.live(dealer.inputs(world, 6))
    for who, asked in turns:
        results_before = books.asked
        books.live([Acted(who, Act(tick=world.tick, instants=asked))])
        assert books.asked == results_before + len(asked)
    books.check_index()
    books.check_digest()
