"""Land, organisations, laws, trades, contracts and boards with the kit, behind a real server."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from tests.client.test_bots import EXAMPLES
from tests.server.serving import run, serving
from thorp import client
from thorp.client import (
    SELF,
    Agent,
    News,
    Outcome,
    accept,
    actions,
    add_member,
    allow,
    ask_for,
    ask_to_build,
    build,
    cancel_offer,
    claim,
    collect,
    connect,
    decline,
    deposit,
    enlarge,
    found,
    give_land,
    give_role,
    hand_in,
    invite,
    join,
    leave,
    look_into,
    move_to,
    offer,
    place,
    post,
    propose,
    remove_member,
    search,
    set_open,
    take_on,
    transfer,
    vote,
    withdraw,
)
from thorp.protocol import codes
from thorp.protocol.actions import SoundInstant, SoundTask
from thorp.protocol.news import MAX_KEPT
from thorp.protocol.outcome import ADVICE, ADVICE_FOR
from thorp.protocol.session import Action
from thorp.voxel.tuning import RateLimits

TUNING: dict[str, Any] = {
    "starter_items": {
        "BATTERY": 4,
        "CRYSTAL_SHARD": 5,
        "COAL": 20,
        "PLANK": 20,
        "STONE": 20,
        "CONTRACT_TERMINAL": 1,
    },
    "law_notice_ticks": 5,
    "law_vote_ticks": 25,
    "world_events": False,
}
PATIENCE_SECONDS = 60


def together(
    tmp_path: Path, scenario: Callable[[Agent, Agent], Awaitable[None]], **tuning: Any
) -> None:
    """Two agents in one world."""

    async def play() -> None:
        async with serving(tmp_path, **TUNING, **tuning) as served:
            url = served.url("/v1/ws", "ws")
            async with connect(url, "Ada") as ada, connect(url, "Ben") as ben:
                await scenario(ada, ben)

    run(play(), PATIENCE_SECONDS)


async def until(agent: Agent, is_so: Callable[[], bool]) -> None:
    while not is_so():
        await agent.observe()


async def answered(agent: Agent, action: Action, ticks: int | None = None) -> Outcome:
    """What the world says to an action, however often a busy machine is too late with it."""
    while (outcome := await agent.do(action, ticks=ticks)).code == codes.STALE:
        pass
    return outcome


async def done(agent: Agent, action: Action) -> Outcome:
    outcome = await answered(agent, action)
    assert outcome, f"{action}: {outcome}"
    return outcome


def test_from_a_claim_to_a_law_in_force(tmp_path: Path) -> None:
    async def scenario(ada: Agent, ben: Agent) -> None:
        x, y, z = ada.position
        land = (await done(ada, claim((x + 1, y, z), radius=8)))["land_id"]
        await done(ada, allow(land, trade=True, build=True))
        await done(ada, allow(land, break_=True, build=False))
        await done(ada, add_member(land, ben.id))
        await done(ada, remove_member(land, ben.id))
        city = (await done(ada, found("Thorpe")))["org_id"]
        await done(ada, set_open(city, False))
        closed = await answered(ben, join(city))
        assert (closed.code, closed.deed) == (codes.NO_PERMISSION, "JOIN_ORG")
        assert "ask one of A1 for INVITE_ORG" in str(closed)
        await done(ada, invite(city, ben.id))
        await until(ben, lambda: city in ben.news.invitations)
        assert ben.news.invitations[city]["name"] == "Thorpe"
        await done(ben, join(city))
        await done(ben, deposit(city, "PLANK", 3))
        assert "its admins are A1" in str(await answered(ben, withdraw(city, "PLANK", 3)))
        await done(ada, give_role(city, ben.id, "OFFICER"))
        await done(ben, withdraw(city, "PLANK", 2))
        assert ben.inventory["PLANK"] == 19
        await done(ada, give_land(land, to=city))
        await done(ada, enlarge(land, 64))
        rules = ada.obs.local_rules
        assert (rules.role, rules.owner) == ("MEMBER", city)
        assert (rules.permissions.can_build, rules.permissions.can_break) == (True, True)

        law = (await done(ben, propose(land, "MARKET_TAX", market_tax=0.1)))["law_id"]
        early = await answered(ada, vote(law))
        assert "begins at tick" in str(early)
        await until(ada, lambda: ada.news.laws[law]["status"] == "VOTING")
        for member in (ada, ben):
            await done(member, vote(law, "YES"))
        await until(ada, lambda: ada.news.laws[law]["status"] == "ACTIVE")
        told = ada.news.laws[law]
        assert (told["message"], told["template_id"], told["land_id"]) == (
            "2 YES, 0 NO",
            "MARKET_TAX",
            land,
        )
        assert told["vote_ends_tick"] <= ada.tick, "what earlier events said is known still"
        await ada.observe()
        assert ada.obs.local_rules.tax.market == 0.1
        await done(ben, leave())

    together(tmp_path, scenario)


def test_a_claim_at_ones_own_feet_leads_to_a_tax(tmp_path: Path) -> None:
    """As the protocol's first clients do it: the totem stands where its claimer stood."""

    async def scenario(ada: Agent, ben: Agent) -> None:
        land = (await done(ada, claim(ada.position, radius=8)))["land_id"]
        law = (await done(ada, propose(land, "MARKET_TAX", market_tax=0.1)))["law_id"]
        await until(ada, lambda: ada.news.laws[law]["status"] == "VOTING")
        await done(ada, vote(law, "YES"))
        await until(ada, lambda: ada.news.laws[law]["status"] == "ACTIVE")
        await ada.observe()
        assert (ada.obs.local_rules.land_id, ada.obs.local_rules.tax.market) == (land, 0.1)

    together(tmp_path, scenario)


def test_trades(tmp_path: Path) -> None:
    async def scenario(ada: Agent, ben: Agent) -> None:
        bargain = (await done(ada, offer(ben.id, give={"COAL": 3}, take={"PLANK": 2})))["trade_id"]
        await until(ben, lambda: bargain in ben.news.offers)
        terms = ben.news.offers[bargain]
        assert (terms["from"], dict(terms["offer"]), dict(terms["request"])) == (
            ada.id,
            {"COAL": 3},
            {"PLANK": 2},
        )
        assert "it was offered to another agent" in str(await answered(ada, accept(bargain)))
        await done(ben, accept(bargain))
        assert bargain not in ben.news.offers
        assert (ben.inventory["COAL"], ben.inventory["PLANK"]) == (23, 18)
        await until(ada, lambda: ada.inventory["PLANK"] == 22)
        late = await answered(ben, accept(bargain))
        assert late.code == codes.INVALID_TARGET
        assert "it was answered or withdrawn" in str(late)
        for ending, by in ((decline, ben), (cancel_offer, ada)):
            again = (await done(ada, offer(ben.id, give={"COAL": 1}, take={"PLANK": 1})))[
                "trade_id"
            ]
            await until(ben, lambda again=again: again in ben.news.offers)  # type: ignore[misc]
            await done(by, ending(again))
            await until(ben, lambda again=again: again not in ben.news.offers)  # type: ignore[misc]

    together(tmp_path, scenario, rate_limits=RateLimits(offer_trade_max=100))


def test_contracts(tmp_path: Path) -> None:
    async def scenario(ada: Agent, ben: Agent) -> None:
        x, y, z = ada.position
        terminal = f"CONTRACT_TERMINAL@{x},{y},{z + 2}"
        assert "AIR is at" in str(await answered(ada, ask_for(terminal, {"STONE": 2}, {"COAL": 1})))
        await done(ada, place((x, y, z + 2), "CONTRACT_TERMINAL"))
        wanted = await done(
            ada, ask_for(terminal, {"STONE": 2}, {"COAL": 1}, {"PLANK": 1}, ticks=5_000)
        )
        road = (x - 4, y, z - 4)
        to_build = await done(
            ada, ask_to_build(terminal, "road_segment", road, {"COAL": 5}, ticks=5_000)
        )
        own = await answered(ada, take_on(terminal, wanted["contract_id"]))
        assert "another agent must accept it" in str(own)
        await answered(ben, move_to((x + 1, y, z), tolerance=1), ticks=1_000)
        await done(ben, look_into(terminal))
        listed = ben.news.opened[terminal]["contracts"]
        assert [(one["contract_id"], one["state"]) for one in listed] == [
            (wanted["contract_id"], "OPEN"),
            (to_build["contract_id"], "OPEN"),
        ]
        await done(ben, take_on(terminal, wanted["contract_id"]))
        unfinished = await answered(ben, hand_in(terminal, wanted["contract_id"]))
        assert "STONE" in str(unfinished)
        await done(ben, transfer(SELF, terminal, "STONE", 2))
        await until(ada, lambda: ada.news.contracts[wanted["contract_id"]]["state"] == "COMPLETED")
        assert ben.news.contracts[wanted["contract_id"]]["acceptor"] == ben.id
        assert ben.inventory["COAL"] == 21
        await done(ben, take_on(terminal, to_build["contract_id"]))
        await done(ben, build("road_segment", road))
        await until(
            ada, lambda: ada.news.contracts[to_build["contract_id"]]["state"] == "COMPLETED"
        )
        assert (await done(ada, collect(terminal))).message == "nothing owed"

    together(tmp_path, scenario)


def test_boards(tmp_path: Path) -> None:
    async def scenario(ada: Agent, ben: Agent) -> None:
        await done(ada, post("market", "Coal for sale", "Two planks a lump."))
        often = await answered(ada, post("market", "Again", "Two planks a lump."))
        assert often.cooldown_ticks > 0
        await done(ben, search("market", "COAL"))
        (found_post,) = ben.news.opened["market"]["results"]
        assert found_post["title"] == "Coal for sale"
        await ben.observe()
        assert ben.obs.public_boards[0].top_posts[0].author == ada.id  # type: ignore[index, union-attr]
        nowhere = await answered(ben, search("nowhere", "coal"))
        assert "There are market" in str(nowhere)

    together(tmp_path, scenario)


def test_every_action_has_a_function_that_makes_it() -> None:
    """Called with texts and numbers, the functions make every action that the protocol has."""
    samples: dict[str, Any] = {
        "anchor": (1, 2, 3),
        "position": (1, 2, 3),
        "radius": 4,
        "count": 5,
        "open": True,
        "give": {"COAL": 1},
        "take": {"COAL": 1},
        "goods": {"COAL": 1},
        "reward": {"COAL": 1},
    }
    made = set()
    for name in client.__all__:
        deed = getattr(actions, name, None)
        if callable(deed):
            code = deed.__code__
            optional = len(deed.__defaults__ or ())
            named = code.co_varnames[: code.co_argcount - optional]
            made.add(type(deed(*(samples.get(one, "x") for one in named))))
    assert made == {*get_args(SoundInstant), *get_args(SoundTask)}


def test_advice_is_about_deeds_and_codes_there_are() -> None:
    tags = {kind.__struct_config__.tag for kind in (*get_args(SoundInstant), *get_args(SoundTask))}
    assert "names the field" not in ADVICE[codes.BAD_REQUEST], "what the world says need not"
    assert set(ADVICE_FOR) <= tags
    for advice in (ADVICE, *ADVICE_FOR.values()):
        assert advice.keys() <= ADVICE.keys()
        assert all(words.endswith(".") for words in advice.values())


# News


def test_news_is_bounded_and_the_oldest_is_forgotten() -> None:
    news = News()
    for number in range(MAX_KEPT + 10):
        news.take({"t": number, "type": "LAW", "law_id": f"LAW{number}", "status": "NOTICE"})
    assert len(news.laws) == MAX_KEPT
    assert "LAW9" not in news.laws
    news.take({"t": 1, "type": "LAW", "law_id": "LAW10", "status": "VOTING"})
    news.take({"t": 2, "type": "LAW", "law_id": "LAW999", "status": "NOTICE"})
    assert news.laws["LAW10"]["status"] == "VOTING"
    assert "LAW11" not in news.laws, "what was told of again is new"
    news.take({"t": 3, "type": "LAND_OFFER", "land_id": "LAND1", "from": "A2"})
    news.forget()
    assert not news.laws
    assert not news.land_offers


@pytest.mark.parametrize(
    "ending", ["TRADE_DONE", "TRADE_DECLINED", "TRADE_CANCELED", "TRADE_EXPIRED"]
)
def test_an_offer_is_gone_however_it_ends(ending: str) -> None:
    news = News()
    news.take({"t": 1, "type": "TRADE_OFFER", "trade_id": "TR1", "from": "A2"})
    news.take({"t": 2, "type": ending, "trade_id": "TR2"})
    assert set(news.offers) == {"TR1"}
    news.take({"t": 3, "type": ending, "trade_id": "TR1"})
    assert not news.offers


def test_what_is_opened_again_is_as_it_is_now() -> None:
    news = News()
    news.take(
        {
            "t": 1,
            "type": "CONTAINER",
            "container": "CHEST@1,2,3",
            "inventory": [],
            "owed": [["COAL", 1]],
        }
    )
    news.take({"t": 2, "type": "CONTAINER", "container": "CHEST@1,2,3", "inventory": []})
    assert "owed" not in news.opened["CHEST@1,2,3"]


def test_strange_events_do_no_harm() -> None:
    news = News()
    for event in (
        {},
        {"type": "LAW"},
        {"type": "TRADE_DONE"},
        {"type": 7},
        {"type": "CONTAINER", "container": []},
    ):
        news.take(event)
    assert len(news.laws) == 1


# The example


def test_the_merchant_sells(tmp_path: Path) -> None:
    async def play() -> None:
        async with serving(
            tmp_path, **TUNING, rate_limits=RateLimits(offer_trade_max=100)
        ) as served:
            url = served.url("/v1/ws", "ws")
            merchant = await asyncio.create_subprocess_exec(
                *(sys.executable, "-u", EXAMPLES / "merchant.py", url),
                stdout=asyncio.subprocess.PIPE,
            )
            assert merchant.stdout is not None
            try:
                name = (await merchant.stdout.readline()).split()[0].decode()
                async with connect(url, "Cleo") as cleo:
                    await done(cleo, offer(name, give={"PLANK": 1}, take={"COAL": 5}))
                    await done(cleo, offer(name, give={"PLANK": 4}, take={"COAL": 2}))
                    await until(cleo, lambda: cleo.inventory["COAL"] == 22)
                    assert cleo.inventory["PLANK"] == 16
                lines = [await merchant.stdout.readline() for _ in range(3)]
                assert lines[0] == b"posting: done\n"
                assert b"declined" in lines[1]
                assert b"taken, done" in lines[2]
            finally:
                merchant.terminate()
                await merchant.communicate()

    run(play(), PATIENCE_SECONDS)
