"""Every instant has a rule, and no wish, however strange, does anything but what a rule allows."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.voxel.flat import STAND, events
from tests.voxel.society.bazaar import SIZE, Books, Dealer, a_bazaar
from tests.voxel.society.civic import ask
from tests.voxel.working import put
from thorp.protocol.act import Act, read_act
from thorp.protocol.actions import FAR, Instant, SocietyInstant, SoundInstant, Stack
from thorp.simulator.totals import count_everything
from thorp.simulator.witness import check_escrow
from thorp.voxel.act_dispatch import INSTANTS
from thorp.voxel.inputs import Acted
from thorp.voxel.state.world import World
from thorp.voxel.tick import step

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
    **dict.fromkeys(
        ("count", "limit", "radius", "rotation", "duration_ticks", "deadline_tick"), NUMBERS
    ),
    **dict.fromkeys(
        ("offer", "request"),
        st.lists(st.tuples(ITEMS, NUMBERS | st.sampled_from([0.5, 1.9])), max_size=3),
    ),
    **dict.fromkeys(
        ("requirements", "reward", "deposit"),
        st.lists(st.builds(Stack, ITEMS, NUMBERS), max_size=3),
    ),
    "anchor": st.tuples(NUMBERS, NUMBERS, NUMBERS) | st.just((22, STAND, 0)),
    "policy": st.dictionaries(st.sampled_from(["allow_trade", "fly"]), st.booleans()),
    "params": st.dictionaries(
        st.sampled_from(["market_tax", "fine_item"]), st.none() | NUMBERS | WORDS
    ),
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


# Wherever an action says how many or how long: the action, with a hole for the number.
HOLE = "?"
COAL, PLANK, SO_MANY = (
    [{"item": item, "count": n}] for item, n in (("COAL", 1), ("PLANK", 1), ("COAL", HOLE))
)
OFFER = {"type": "OFFER_TRADE", "to": "A1", "offer": [["PLANK", 1]], "request": [["COAL", 1]]}
TREASURY = {"org_id": "ORG000001", "item_id": "COAL", "count": HOLE}
POST = {
    "type": "POST_CONTRACT",
    "terminal_id": f"CONTRACT_TERMINAL@20,{STAND},3",
    "contract_kind": "GATHER",
    "requirements": COAL,
    "reward": PLANK,
}
COUNTS: dict[str, dict[str, Any]] = {
    "offer": {**OFFER, "offer": [["PLANK", HOLE]]},
    "request": {**OFFER, "request": [["COAL", HOLE]]},
    "into the treasury": {"type": "ORG_DEPOSIT", **TREASURY},
    "out of it": {"type": "ORG_WITHDRAW", **TREASURY},
    "requirements": {**POST, "requirements": SO_MANY},
    "reward": {**POST, "reward": SO_MANY},
    "deposit": {**POST, "deposit": SO_MANY},
    "duration": {**POST, "duration_ticks": HOLE},
    "deadline": {**POST, "deadline_tick": HOLE},
    "radius": {"type": "UPGRADE_CLAIM", "land_id": "LAND_A1_001", "radius": HOLE},
}
NO_NUMBERS = (
    "0", "-1", "1.5", "-0.5", "2147483648", "-2147483648", "9223372036854775808", "1e400", "1e-400",
    '"3"', "true", "[]", "{}",
)  # fmt: skip
# Nothing means the usual time.
GOOD_ALL_THE_SAME = {("duration", "0"), ("deadline", "0")}


@pytest.mark.parametrize("field", COUNTS)
def test_numbers_that_are_none_of_a_count(field: str) -> None:
    """Negative, none, fractional, beyond all bounds, no number: one code, and nothing has moved."""
    world = a_bazaar()
    agent = world.agents[2]
    for text in NO_NUMBERS:
        before = goods_of(world)
        frame = {"type": "ACT", "protocol_version": "0.9", "tick": world.tick}
        wish = msgspec.json.encode({**frame, "instants": [{"id": text, **COUNTS[field]}]})
        step(
            world,
            [Acted(agent.number, read_act(wish.replace(f'"{HOLE}"'.encode(), text.encode())))],
        )
        (result,) = [one for one in events(agent, "ACTION_RESULT") if one["ref"] == text]
        if (field, text) in GOOD_ALL_THE_SAME:
            assert result["ok"], text
        else:
            assert (result["ok"], result.get("code")) == (False, "E_BAD_REQUEST"), text
            assert before == goods_of(world), text
        check_escrow(world)


def goods_of(world: World) -> tuple[object, ...]:
    """Who has what, and what is promised to whom."""
    carried = [dict(one.inventory) for one in world.agents]
    return (
        count_everything(world),
        carried,
        len(world.trades),
        world.contracts.digest(),
        world.orgs.digest(),
    )


@st.composite
def wishes(draw: st.DrawFn) -> Instant:
    kind = draw(st.sampled_from(KINDS))
    values: dict[str, Any] = {
        field.name: draw(st.none() | FIELDS.get(field.name, WORDS))
        for field in msgspec.structs.fields(kind)
        if field.name != "id"
    }
    return kind(**values)


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(1, SIZE), st.lists(wishes(), min_size=1, max_size=16)), max_size=8
    ),
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
