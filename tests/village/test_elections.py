"""Every fifth day the citizens choose a mayor, in public, and remember what was promised."""

from collections import Counter
from typing import Any

import pytest

from tests.village.person import DAY_TICKS, IDS, hear, look, person, texts
from thorp.protocol.outcome import Outcome
from thorp.village import elections, reeve
from thorp.village.knowledge import Election, Posted
from thorp.village.town_plan import HOMES, WORKS
from thorp.village.villager import Villager

AFTERNOON = 3_600
MORNING = 1_700


def on_day(name: str, day: int, tick_of_day: int, **more: Any) -> Villager:
    """A villager on some day of the world, which it has counted."""
    me = person(name, tick=tick_of_day)
    me.knowledge.notes |= {"day": day, "calendar": (day - 1) % 7 + 1}
    look(me, (day - 1) * DAY_TICKS + tick_of_day, **more)
    return me


def spoken(script: Any) -> list[dict[str, Any]]:
    """What a script says in public; whatever it asks for is as if it were done."""
    actions = []
    for plan in script:
        for request in () if plan is None else plan.requests:
            actions.append(request.action)
            request.outcome = Outcome(ok=True, event={})
    return [action for action in actions if action["type"] == "SAY"]


@pytest.mark.parametrize(
    ("day", "tick", "state", "step"),
    [
        (3, AFTERNOON, None, None),
        (4, MORNING, None, None),
        (4, AFTERNOON, None, "call"),
        (4, AFTERNOON, "called", None),
        (5, MORNING, "called", "open"),
        (5, MORNING, "open", None),
        (5, 4_000, "open", "close"),
        (5, 4_000, "decided", None),
        (6, MORNING, "open", "close"),
        (6, MORNING, "called", "drop"),
        (9, AFTERNOON, "decided", "call"),
    ],
)
def test_the_reeve_calls_opens_and_closes_it_in_time(
    day: int, tick: int, state: str | None, step: str | None
) -> None:
    me = on_day("Odile", day, tick)
    me.knowledge.election = None if state is None else Election(state, 1, {"Nan": "homes"})
    assert elections.next_step(me) == step


def test_candidates_stand_with_a_promise_once_and_office_holders_do_not() -> None:
    stood = []
    for name in IDS:
        me = on_day(name, 4, 4_500)
        me.knowledge.election = Election("called", 1)
        actions = elections.stand(me)
        stood += [name] * bool(actions)
        assert elections.stand(me) == []
        if actions:
            assert actions[0]["data"]["candidate"]["promise"] in elections.PROMISES
    assert 2 <= len(stood) <= elections.MOST_CANDIDATES
    assert not {"Odile", "Jory", "Bram", "Maud", "Hob"} & set(stood)


def opened(day: int = 5) -> Villager:
    me = on_day("Odile", day, MORNING)
    me.knowledge.election = Election("open", 1, {"Nan": "homes", "Corin": "feast"})
    return me


def whisper(me: Villager, voter: str, choice: str) -> None:
    data = {"vote": {"office": "mayor", "for": IDS[choice]}}
    event = {"t": me.tick, "type": "CHAT", "from": IDS.get(voter, voter), "channel": "WHISPER"}
    me._hear({**event, "text": f"My vote is for {choice}.", "data": data})


def votes(me: Villager) -> dict[str, str]:
    return me.knowledge.election.votes if me.knowledge.election is not None else {}


def test_a_vote_counts_once_and_may_be_changed() -> None:
    me = opened()
    whisper(me, "Gytha", "Nan")
    whisper(me, "Gytha", "Corin")
    assert votes(me) == {IDS["Gytha"]: "Corin"}


def test_the_guild_and_those_who_do_not_stand_get_no_vote() -> None:
    me = opened()
    whisper(me, "Hob", "Nan")
    whisper(me, "Gytha", "Rufus")
    assert votes(me) == {}
    vote = {"office": "mayor", "for": IDS["Nan"]}
    hear(me, "Gytha", "I vote for Nan, and everybody may know it.", vote=vote)
    assert votes(me) == {}, "a vote is whispered"


def test_a_stranger_votes_after_two_days_as_a_citizen() -> None:
    me = opened()
    whisper(me, "A25", "Nan")
    assert votes(me) == {}, "nobody knows who that is"
    body = {"id": "A25", "type": "AGENT", "pos": [2, 27, 0], "tags": ["org:ORG000001"]}
    stranger = {"id": "A26", "type": "AGENT", "pos": [2, 27, 0]}
    look(me, me.tick + 1, entities=[body, stranger])
    elections.register(me)
    whisper(me, "A25", "Nan")
    assert votes(me) == {}, "it came today"
    me.knowledge.notes["day"] += elections.PRESENCE_DAYS
    whisper(me, "A25", "Nan")
    whisper(me, "A26", "Nan")
    assert votes(me) == {"A25": "Nan"}, "the other one is no citizen"
    receipts = []
    for _ in range(2):
        look(me, me.tick + 100)
        receipts += elections.acknowledge(me)
    assert [(receipt["to"], receipt["text"][:14]) for receipt in receipts] == [
        ("A25", "Your vote for "),
        ("A26", "Citizens vote "),
    ]
    assert elections.acknowledge(me) == []


def test_the_count_is_said_with_winner_and_votes_and_a_tie_goes_to_who_came_first() -> None:
    me = on_day("Odile", 5, 4_000)
    me.knowledge.election = Election(
        "open", 1, {"Nan": "homes", "Corin": "feast"}, {"A5": "Nan", "A6": "Corin"}
    )
    actions = spoken(elections.run_election(me))
    mark = actions[0]["data"]["election"]
    assert mark["state"] == "decided"
    assert mark["winner"] == IDS["Corin"]
    assert mark["votes"] == {IDS["Nan"]: 1, IDS["Corin"]: 1}
    hear(me, "Odile", actions[0]["text"], **actions[0]["data"])
    assert (me.knowledge.mayor, me.knowledge.promise) == ("Corin", "feast")
    other = person("Gytha")
    hear(other, "A25", actions[0]["text"], **actions[0]["data"])
    hear(other, "Jory", actions[0]["text"], **actions[0]["data"])
    assert other.knowledge.mayor == "", "only the reeve is believed"
    hear(other, "Odile", actions[0]["text"], **actions[0]["data"])
    assert other.knowledge.mayor == "Corin"


@pytest.mark.parametrize(("built", "is_kept"), [(3, True), (2, False)])
def test_a_promise_is_checked_in_public(built: int, is_kept: bool) -> None:
    me = on_day("Odile", 9, AFTERNOON)
    me.knowledge.mayor = "Nan"
    me.knowledge.promise = "homes"
    me.knowledge.notes["achieved then"] = elections.achieved(me, "homes")
    homes = [number for number, work in enumerate(WORKS) if work.blueprint in HOMES]
    for number in homes[:built]:
        me.knowledge.posted.append(Posted(f"C{number}", number))
        reeve.settle(me, f"C{number}", "COMPLETED")
    actions = spoken(elections.run_election(me))
    assert actions[0]["data"] == {"promise": {"by": IDS["Nan"], "kept": is_kept}}
    other = person("Gytha")
    hear(other, "Odile", actions[0]["text"], **actions[0]["data"])
    assert (other.knowledge.standing["Nan"] > 0) is is_kept


@pytest.mark.parametrize(("kind", "is_given"), [("longhouse", True), ("cottage", False)])
def test_a_big_house_goes_to_who_asked_when_everybody_has_a_home(kind: str, is_given: bool) -> None:
    me = on_day("Odile", 12, MORNING)
    hear(
        me,
        "Nan",
        "What I want now is a bigger house.",
        wish={"kind": "bigger house", "state": "new"},
    )
    me.knowledge.notes |= {"homes": len(IDS), "empty 4": 1, "kind 4": HOMES.index(kind)}
    actions = spoken(reeve.give_home(me))
    owners = [action["data"]["home"]["of"] for action in actions]
    assert owners == ([IDS["Nan"]] if is_given else [])
    assert reeve.empty_homes(me) == []


def test_the_mayors_promise_comes_first_among_the_works() -> None:
    me = on_day("Odile", 6, MORNING)
    stock = Counter({"PLANK": 900, "STONE": 900, "LOG": 90, "BRICK": 900, "TORCH": 90})
    assert reeve.next_works(me, stock)[0][1].blueprint == "lamp_post"
    me.knowledge.promise = "walls"
    assert reeve.next_works(me, stock)[0][1].blueprint in elections.PROMISES["walls"][1]


def test_the_reeve_has_the_mayors_duties_until_somebody_is_elected() -> None:
    odile = person("Odile")
    nan = person("Nan")
    assert elections.acts_as_mayor(odile)
    assert not elections.acts_as_mayor(nan)
    for me in (odile, nan):
        me.knowledge.mayor = "Nan"
    assert not elections.acts_as_mayor(odile)
    assert elections.acts_as_mayor(nan)


def test_people_vote_for_whom_they_like() -> None:
    me = on_day("Gytha", 5, MORNING)
    me.knowledge.election = Election("open", 1, {"Nan": "homes", "Corin": "feast"})
    me.knowledge.regard = {"Corin": 5}
    assert elections.choice(me) == "Corin"
    me.knowledge.regard = {"Corin": -5}
    assert elections.choice(me) == "Nan"
    candidate = on_day("Nan", 5, MORNING)
    candidate.knowledge.election = me.knowledge.election
    candidate.knowledge.regard = {"Corin": 12}
    assert elections.choice(candidate) == "Nan"


def test_nobody_reads_a_stranger_for_a_candidate() -> None:
    me = on_day("Odile", 4, 4_500)
    me.knowledge.election = Election("called", 1)
    hear(me, "A25", "I stand.", candidate={"office": "mayor", "promise": "homes"})
    hear(me, "Nan", "I stand.", candidate={"office": "mayor", "promise": "gold for all"})
    assert me.knowledge.election.promises == {}
    hear(me, "Nan", "I stand.", candidate={"office": "mayor", "promise": "homes"})
    assert me.knowledge.election.promises == {"Nan": "homes"}
    assert texts(elections.stand(me)) == []
