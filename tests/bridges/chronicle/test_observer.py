"""What a reader makes of a tick: the kind, the words, and who saw it. Nothing of it changes the
world."""

from __future__ import annotations

from typing import Any

import pytest

from tests.bridges.chronicle.market import FAR_AWAY, GOODS, Market
from tests.voxel.flat import STAND
from thorp import village
from thorp.bridges.chronicle import WorldObserver, observer
from thorp.bridges.chronicle.digest import digest
from thorp.bridges.chronicle.draft import WorldDescriber
from thorp.bridges.chronicle.drafts import DRAFTERS
from thorp.bridges.chronicle.observer import ALIKE_PER_TICK, CROWD, MAX_WITNESSES, PageBuilder
from thorp.bridges.chronicle.sentences import KINDS, clause
from thorp.bridges.chronicle.wording import WORDS, TickRange
from thorp.protocol import actions
from thorp.voxel.inputs import Join
from thorp.voxel.new_world import create_world
from thorp.voxel.observation.entity_view import SIGHT
from thorp.voxel.society import deeds
from thorp.voxel.state.records import Contract
from thorp.voxel.state.unsaved import BlockChange
from thorp.voxel.systems import bodies, population
from thorp.voxel.systems.blocks import change_block
from thorp.voxel.tick import step


def words(notice: Any, choice: int = 0) -> str:
    return clause([notice], choice).text


def test_land_comes_is_given_away_and_ends() -> None:
    market = Market()
    mara = market.person("Mara")
    (claimed,) = market.ask(mara, actions.ClaimLand(anchor=(2, STAND, 0), radius=8))
    (made,) = market.ask(mara, actions.CreateOrg(org_kind="CITY", org_name="Millbrook"))
    market.ask(mara, actions.DeedLand(land_id=claimed["land_id"], new_owner=made["org_id"]))
    assert words(market.told("claim")[0]) == (
        "Mara claimed land in the plains, eight paces to every side of a totem"
    )
    assert words(market.told("city")[0]) == (
        "Mara founded the city of Millbrook on the land of Mara"
    )
    assert words(market.told("deed")[0]) == "Mara gave the land in the plains to Millbrook"
    assert [market.told(kind)[0].public for kind in ("claim", "city", "deed")] == [
        True,
        False,
        True,
    ]
    market.world.scratch.public_events.clear()
    change_block(market.world, (2, STAND, 0), 0, actor=mara.id, reason="MINE")
    market.look()
    (ended,) = market.told("land ended")
    assert (
        words(ended)
        == "the totem of Millbrook was taken down in the plains, so the land is nobody's again"
    )


def test_a_law_from_proposal_to_force() -> None:
    market = Market()
    mara, bram = market.person("Mara"), market.person("Bram", x=FAR_AWAY)
    (claimed,) = market.ask(mara, actions.ClaimLand(anchor=(2, STAND, 0), radius=8))
    wish = actions.ProposeLaw(
        land_id=claimed["land_id"],
        template_id="MARKET_TAX",
        params={"market_tax": 0.1},
        title="A tenth",
    )
    (proposed,) = market.ask(mara, wish)
    market.wait(3)
    market.ask(mara, actions.Vote(law_id=proposed["law_id"], choice="YES"))
    market.wait(4)
    kinds = ["law proposed", "law vote", "law active"]
    assert [notice.kind for notice in market.notices if notice.kind.startswith("law")] == kinds
    assert words(market.told("law active")[0]) == (
        "Mara adopted the law “A tenth” by one vote to none: a tenth of whatever is traded there "
        "goes to the owner"
    )
    assert all(bram.id not in notice.witnesses for notice in market.notices)


@pytest.mark.parametrize(
    ("template", "params", "sense"),
    [
        ("MARKET_TAX", {"market_tax": 0.07}, "seven in the hundred of whatever is traded there go "
                                             "to the "
         "owner"),
        ("MARKET_TAX", {"market_tax": 0}, "nobody is taxed for trading any more"),
        ("CURFEW_NO_BUILD", {"start_time": 0.75, "end_time": 0},
         "nobody builds or breaks there from 18:00 to 00:00"),
        ("CURFEW_NO_BUILD", {"start_time": 0.5, "end_time": 0.5}, "there is no curfew any more"),
        ("FINE_BREAK_PER_BLOCK", {"fine_item": "COAL", "fine_per_block": 2}, "a stranger who "
                                                                             "breaks "
         "something there pays two coal"),
        ("FINE_BREAK_PER_BLOCK", {"fine_item": "COAL", "fine_per_block": 0}, "nobody is fined for "
                                                                             "breaking "
         "any more"),
        ("ACCESS_PASS_CORE", {"ticket_item": "PLANK", "ticket_cost": 1}, "a stranger who comes "
                                                                         "into the "
         "middle of the land pays a plank"),
        ("ACCESS_PASS_CORE", {"ticket_item": "PLANK", "ticket_cost": 0}, "strangers come in free "
                                                                         "again"),
    ],
)  # fmt: skip
def test_what_a_law_says(template: str, params: dict[str, Any], sense: str) -> None:
    market = Market()
    mara = market.person("Mara")
    (claimed,) = market.ask(mara, actions.ClaimLand(anchor=(2, STAND, 0), radius=8))
    market.ask(
        mara, actions.ProposeLaw(land_id=claimed["land_id"], template_id=template, params=params)
    )
    assert market.told("law proposed")[0].about["sense"].text == sense


def test_who_saw_a_trade() -> None:
    market = Market()
    mara, bram = market.person("Mara"), market.person("Bram", x=3)
    near, edge, beyond = (
        market.person(name, x=x) for name, x in (("N", 5), ("E", 3 + SIGHT), ("B", 4 + SIGHT))
    )
    absent, guest = market.person("Absent", x=2), market.person("Guest", x=2)
    absent.attached, guest.acted = False, False
    market.trade(mara, bram)
    (trade,) = market.told("trade")
    assert words(trade) == "Mara sold Bram a plank for one coal in the plains"
    assert trade.witnesses == (mara.id, bram.id, near.id, edge.id)
    assert (trade.who, trade.where) == ((bram.id, mara.id), bram.position)
    assert beyond.id not in trade.witnesses
    assert (trade.day, trade.hour) == (1, market.world.tick // 2)


def test_a_party_is_a_witness_however_far_it_is() -> None:
    market = Market()
    mara, bram = market.person("Mara"), market.person("Bram", x=FAR_AWAY)
    market.trade(mara, bram)
    assert market.told("trade")[0].witnesses == (mara.id, bram.id)


def test_food_for_the_starving_is_a_rescue() -> None:
    market = Market()
    mara, bram = market.person("Mara"), market.person("Bram", x=2)
    bram.hunger = 0
    market.trade(mara, bram, "BERRIES")
    assert words(market.told("rescue")[0]) == (
        "Mara saved Bram, who was close to death, with a berry in the plains"
    )
    bram.hunger = 20
    market.trade(mara, bram, "BERRIES")
    assert len(market.told("trade")) == 1


def test_a_death() -> None:
    market = Market()
    mara = market.person("Mara")
    market.person("Bram", x=3)
    bodies.hurt(market.world, mara, "COLD", 20)
    market.wait()
    (death,) = market.told("death")
    assert words(death) == (
        "Mara fell in the plains from the cold, and woke at home with less than before"
    )
    assert death.witnesses == ("A1", "A2")


def test_what_was_built_and_who_joined() -> None:
    market = Market()
    mara, bram = market.person("Mara"), market.person("Bram")
    market.world.scratch.public_events.clear()
    deeds.built(market.world, mara, "hut_small", (5, STAND, 5), 0, [(5, STAND, 5)])
    deeds.built(market.world, mara, "hut_small", (5, STAND, 5), 0, [(5, STAND, 5)])
    market.look()
    (built,) = market.told("built")
    assert words(built) == "Mara finished a small hut in the plains", "mending it is nothing new"
    (made,) = market.ask(mara, actions.CreateOrg(org_kind="GUILD", org_name="Reed and Rush"))
    market.ask(bram, actions.JoinOrg(org_id=made["org_id"]))
    assert words(market.told("guild")[0]) == "Mara founded the guild Reed and Rush in the plains"
    assert words(market.told("joined")[0]) == "Bram joined Reed and Rush"
    market.ask(bram, actions.LeaveOrg())
    market.ask(mara, actions.LeaveOrg())
    assert (
        words(market.told("org ended")[0])
        == "Mara was the last to leave Reed and Rush, so it ended"
    )


@pytest.mark.parametrize(
    ("state", "acceptor", "kind"),
    [
        ("OPEN", "", None),
        ("ACCEPTED", "A2", None),
        ("COMPLETED", "A2", "contract kept"),
        ("FAILED", "A2", "contract failed"),
        ("FAILED", "", "contract untaken"),
    ],
)
@pytest.mark.parametrize("work", ["GATHER", "BUILD"])
def test_contracts(state: str, acceptor: str, kind: str | None, work: str) -> None:
    market = Market()
    market.person("Mara")
    market.person("Bram")
    told = market.happen(
        kind="CONTRACT",
        state=state,
        poster="A1",
        acceptor=acceptor,
        pos=(0, STAND, 0),
        contract_kind=work,
    )
    if (work, state) == ("BUILD", "COMPLETED"):
        kind = None  # the building is told of instead
    assert [notice.kind for notice in told] == ([kind] if kind else [])
    for notice in told:
        assert "Mara" in words(notice)


def test_who_is_not_to_blame_is_not_said_to_have_failed() -> None:
    market = Market()
    market.person("Mara")
    market.person("Bram")
    told = {
        "state": "FAILED",
        "poster": "A1",
        "acceptor": "A2",
        "pos": (0, STAND, 0),
        "contract_kind": "BUILD",
    }
    (notice,) = market.happen(kind="CONTRACT", **told, blameless=True)
    assert notice.kind == "contract dropped"
    assert words(notice).startswith("Bram got the deposit back from Mara")


@pytest.mark.parametrize("event", [*WORDS.beginnings, "SOMETHING_NEW"])
@pytest.mark.parametrize("on", [True, False])
def test_events_are_seen_by_everybody(event: str, on: bool) -> None:
    market = Market()
    market.person("Mara")
    market.person("Bram", x=FAR_AWAY)
    (notice,) = market.happen(kind="WORLD_EVENT", event_id=event, pos=(3, STAND, 3), on=on)
    assert notice.witnesses == ("A1", "A2")
    assert "{" not in words(notice)
    assert not notice.public


def test_every_event_of_the_catalogs_has_its_words() -> None:
    events = Market().world.catalogs.events
    assert {*WORDS.beginnings} == {*WORDS.endings} == {*events}


def test_a_season() -> None:
    market = Market(seasons=True, season_length_ticks=48)
    market.person("Mara")
    market.wait(48)
    (season,) = market.told("season")
    assert words(season).startswith("the second season began")
    assert season.witnesses == ("A1",)


@pytest.mark.parametrize("goal", [*WORDS.goals, "TRADE"])
def test_goals_of_events(goal: str) -> None:
    market = Market()
    market.person("Mara")
    told = market.happen(kind="REACHED_GOAL", agent="A1", event_id="RUINS_GATE", goal=goal)
    assert len(told) == (goal in WORDS.goals), "what another notice tells is not told twice"


@pytest.mark.parametrize(
    ("status", "reason", "command", "text"),
    [
        ("executed", "EXECUTED", "project advance ORG000001 W1",
         "the mayor of Millbrook ordered the town to go on with what it was building"),
        ("executed", "EXECUTED", "townsfolk talk ORG000001 morale-boost",
         "the mayor of Millbrook ordered the town to cheer people up"),
        ("failed", "APPLY_FAILED", "salvage initiate ORG000001 scarcity",
         "the mayor of Millbrook ordered the town to gather what it was short of, but it could not "
         "be done"),
        ("rejected", "RULE_REFUSED", "mission accept ORG000001 C1",
         "the mayor of Millbrook wanted the town to take up a mission, but its rules did not allow "
         "it"),
        ("stale", "STALE_SNAPSHOT_HASH", "burn \"everything\"\n",
         "the mayor of Millbrook wanted the town to do “burn everything”, but things had changed "
         "meanwhile"),
        ("duplicate", "DUPLICATE_HANDOFF", "project advance X Y", None),
    ],
)  # fmt: skip
def test_governors_and_what_came_of_their_orders(
    status: str, reason: str, command: str, text: str | None
) -> None:
    market = Market()
    mara = market.person("Mara")
    (made,) = market.ask(mara, actions.CreateOrg(org_kind="CITY", org_name="Millbrook"))
    told = market.happen(
        kind="TOWN_RESULT", town_id=made["org_id"], status=status, reason=reason, command=command,
        actor="ORG000001.mayor", tick=market.world.tick,
    )  # fmt: skip
    assert [words(notice) for notice in told] == ([text] if text else [])
    assert all(notice.public for notice in told)


@pytest.mark.parametrize("odd", [None, 3, {"x": 1}, ["y"], "no such town", "\u202e"])
def test_a_town_result_of_any_shape_is_told_or_passed_over(odd: Any) -> None:
    market = Market()
    for field in ("town_id", "status", "reason", "command", "actor"):
        fields = {
            "town_id": "X",
            "status": "executed",
            "reason": "Y",
            "command": "Z",
            "actor": "W",
            field: odd,
        }
        for notice in market.happen(kind="TOWN_RESULT", **fields):
            assert words(notice).isprintable()


def test_orders_of_one_governor_are_told_together() -> None:
    market = Market()
    told = [
        market.happen(
            kind="TOWN_RESULT", status="executed", command=f"{verb} T x", actor="t.warden"
        )[0]
        for verb in ("mission accept", "project advance")
    ]
    assert clause(told, 0).text == (
        "the warden of the town ordered the town to take up a mission and go on with what it was "
        "building"
    )


def test_every_kind_has_its_words() -> None:
    assert {*KINDS} == {*WORDS.ways, "goal", "event begins", "event ends"}
    assert all(ways.one for ways in WORDS.ways.values())


def test_places() -> None:
    market = Market()
    mara = market.person("Mara", x=3)
    market.ask(mara, actions.ClaimLand(anchor=(0, STAND, 0), radius=12))
    place = WorldDescriber(market.world).place
    said = {
        (0, STAND, 8): "on the land of Mara",
        (0, STAND, 9): "on the land of Mara",
        (0, STAND, 40): "south of the land of Mara",
        (0, STAND, -40): "north of the land of Mara",
        (40, STAND, 3): "east of the land of Mara",
        (-40, STAND, 30): "south-west of the land of Mara",
        (0, STAND, 400): "in the plains",
    }
    assert {where: place(where).text for where in said} == said
    assert all("Mara" not in place(where).bare for where in said)


def test_a_crowd_that_does_one_thing_is_bounded_and_hides_nothing_else() -> None:
    market = Market()
    for number in range(40):
        market.person(f"P{number}")
    fall: dict[str, object] = {"kind": "DOWNED", "agent": "A1", "pos": (0, STAND, 0)}
    begins: dict[str, object] = {
        "kind": "WORLD_EVENT",
        "event_id": "MARKET_WEEK",
        "pos": None,
        "on": True,
    }
    market.world.scratch.public_events[:] = [*[fall] * (3 * ALIKE_PER_TICK), begins]
    told = market.noticing.look()
    assert [notice.kind for notice in told] == [*["death"] * ALIKE_PER_TICK, "event begins"]
    assert len(told[0].witnesses) == 40 <= MAX_WITNESSES


@pytest.mark.parametrize("bodies", [CROWD - 2, CROWD + 2, 120])
def test_a_crowd_is_asked_together_and_sees_the_same(
    bodies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    market = Market()
    for number in range(bodies):
        one = market.person(f"P{number}", x=number % 23, z=number // 23)
        one.attached, one.acted = number % 7 != 0, number % 5 != 0
    for where in ((0, STAND, 0), (11, STAND + 3, 2), (39, STAND, 1), (FAR_AWAY, STAND, 0)):
        seen = []
        for crowd in (0, 10**6):
            monkeypatch.setattr(observer, "CROWD", crowd)
            seen.append(observer.WitnessFinder(market.world).witnesses(where, ("A1", "A999")))
        assert seen[0] == seen[1]
        assert "A1" in seen[0]


def test_of_too_many_the_nearest_are_witnesses(monkeypatch: pytest.MonkeyPatch) -> None:
    market = Market()
    for number in range(60):
        market.person(f"P{number}", x=number % 6)
    monkeypatch.setattr(observer, "MAX_WITNESSES", 20)
    seen = observer.WitnessFinder(market.world).witnesses((0, STAND, 0), ())
    assert len(seen) == 20
    assert {market.world.agent_by_id(one).x for one in seen} == {0, 1}  # type: ignore[union-attr]
    assert observer.WitnessFinder(market.world).witnesses(None, (), everywhere=True) == tuple(
        f"A{number}" for number in range(1, 21)
    )


def test_arrivals_harvests_fines_and_missed_upkeep_are_told() -> None:
    market = Market()
    mara, bram = market.person("Mara"), market.person("Bram")
    world = market.world
    world.tick = 7
    world.scratch.public_events.clear()
    population.join(world, Join("Nell", "7" * 64))
    ripe = world.catalogs.block_number["WHEAT_RIPE"]
    for x in (3, 4):
        world.scratch.block_changes.append(BlockChange(mara.id, "MINE", (x, STAND, 0), ripe, 0))
    world.publish("MISSED_UPKEEP", actor=bram.id, land_id="LAND_9", stage=2)
    paid = {"land_id": "LAND_9", "item": "COAL", "count": 2, "pos": (1, STAND, 1)}
    world.publish("PAID_FINE", agent=mara.id, **paid)
    market.look()
    for kind, text in (
        ("arrival", "Nell, a stranger, arrived in the plains"),
        ("harvest", "Mara reaped ripe wheat in the plains"),
        ("upkeep missed", "Bram could not pay for its land"),
        (
            "fine",
            "Mara paid land that is no more two coal, because of a block broken in the plains",
        ),
    ):
        (only,) = market.told(kind)
        assert words(only).startswith(text)
    assert "whoever likes may build" in words(market.told("upkeep missed")[0])


def test_a_building_is_told_with_whoever_ordered_it() -> None:
    market = Market()
    mara, bram = market.person("Mara"), market.person("Bram")
    market.world.contracts.put(
        Contract(
            id="C000001",
            kind="BUILD",
            state="ACCEPTED",
            poster=bram.id,
            terminal=(0, STAND, 0),
            requirements={},
            reward={},
            deposit={},
            created_tick=0,
            deadline_tick=100,
            acceptor=mara.id,
            blueprint_id="hut_small",
            anchor=(5, STAND, 5),
        )
    )
    market.world.scratch.public_events.clear()
    deeds.built(market.world, mara, "hut_small", (5, STAND, 5), 0, [(5, STAND, 5)])
    market.look()
    (built,) = market.told("built")
    assert words(built) == "Mara finished a small hut in the plains, as Bram had ordered"


def test_trade_and_harvest_are_told_once_a_day() -> None:
    market = Market()
    mara, bram = market.person("Mara"), market.person("Bram")
    pages = PageBuilder(market.world)
    kinds: list[list[str]] = []
    for _ in range(market.world.tuning.day_ticks):
        market.world.tick += 1
        market.world.scratch.public_events.clear()
        market.world.scratch.block_changes.clear()
        sides = {"actor": mara.id, "with": bram.id, "pos": (0, STAND, 0)}
        goods = {"offer": [["PLANK", 1]], "request": [["COAL", 1]]}
        market.world.publish("TRADE", **sides, **goods)
        page = pages.look(market.world)
        if page is not None:
            kinds.append([notice.kind for notice in page.notices])
    assert ["trade" in told for told in kinds] == [False, False, True, False]


def test_posts_and_departures_do_not_matter() -> None:
    assert {"POST", "LEAVE", "SET_PERMISSIONS", "ORG_DEPOSIT"}.isdisjoint(DRAFTERS)


def test_looking_changes_nothing() -> None:
    digests = []
    for looks in (False, True):
        world = create_world(1337)
        noticing = WorldObserver(world)

        def tick(
            inputs: Any, world: Any = world, noticing: Any = noticing, looks: bool = looks
        ) -> None:
            step(world, inputs)
            if looks:
                noticing.look()

        tokens = {name: name for name in village.ROSTER}
        village.run(world, tick, tokens, to_tick=220)
        digests.append(world.digest())
    assert digests[0] == digests[1]


def test_goods_are_what_the_market_has() -> None:
    assert set(GOODS) <= {*Market().world.catalogs.items}


def test_those_beyond_the_limit_of_a_tick_are_counted_and_told_to_whom_saw_all() -> None:
    """Thirty join in one tick: sixteen are named or counted, fourteen only counted."""
    market = Market()
    founder = market.person("Mara")
    market.ask(founder, actions.CreateOrg(org_kind="CITY", org_name="Millbrook"))
    org = next(iter(market.world.orgs)).id
    people = [market.person(f"Guest {chr(65 + number)}", number) for number in range(26)]
    market.world.scratch.public_events[:] = [
        {"kind": "JOIN_ORG", "agent": one.id, "org_id": org} for one in people
    ]
    notices = market.noticing.look()
    market.world.scratch.public_events.clear()
    joined = [notice for notice in notices if notice.kind == "joined"]
    assert (len(joined), sum(notice.more for notice in joined)) == (ALIKE_PER_TICK, 10)
    paragraphs = digest(TickRange(1, 11), notices, 48, "GEORGE", stands=lambda _: True, most=64)
    told = {each.visible_to: each.text for each in paragraphs}
    assert "twenty-four others" in told["GEORGE",] or "twenty-six" in told["GEORGE",]
    assert paragraphs[0].sentences[0].total == 26
    seen = [text for readers, text in told.items() if readers and "GEORGE" not in readers]
    assert any("fourteen others" in text or "sixteen" in text for text in seen)
    assert not any("twenty" in text for text in seen), "witnesses are told of what they saw"
