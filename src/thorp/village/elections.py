"""Elections: every fifth day the citizens choose a mayor.

    called    on the day before, in the afternoon, by the reeve; whoever wants the office stands,
              with a promise, until the night
    open      in the morning: voters come to the plaza and whisper their choice to the reeve
    decided   in the afternoon: the reeve counts, says the result and posts it

Citizens vote who have been about for two days: villagers, and strangers whom the reeve has seen as
members of the city; they whisper `{"vote": {"for": "A5"}}`. Of equal counts the one who came
first wins. The office opens no treasury and gives no rights: the mayor says which works come
first, calls feasts and opens the council; the books stay with the reeve. Before the next election
the reeve says in public whether the promise was kept.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from thorp.protocol.obs import Event
from thorp.village import errands, speech
from thorp.village.knowledge import Election
from thorp.village.regard import feel, regard, speak_of
from thorp.village.town_plan import HOMES
from thorp.village.villager import Action, Script, Villager
from thorp.village.wishes import IN_OFFICE
from thorp.village.words import listing

EVERY_DAYS: Final = 5
CALL_HOUR: Final = 0.56
OPEN_HOUR: Final = 0.27
CLOSE_HOUR: Final = 0.62
# The first voters come when the vote opens, the last ones a while before it closes.
FIRST_VOTER: Final = 0.3
VOTING: Final = 0.22
LAST_VOTE: Final = 0.55
MOST_CANDIDATES: Final = 4
# One of this many villagers thinks of standing; others each time.
AMBITIOUS: Final = 6
STAND_TICKS: Final = 60
PRESENCE_DAYS: Final = 2
REEVE: Final = "reeve"
OFFICE: Final = "mayor"
CITIZEN: Final = "citizen "
# Strangers whom the reeve remembers as citizens, and whom it still owes an answer.
MOST_CITIZENS: Final = 256
MOST_RECEIPTS: Final = 16

PROMISES: Final[dict[str, tuple[str, tuple[str, ...], int]]] = {
    "homes": ("three new houses", HOMES, 3),
    "lamps": ("three more lamps", ("lamp_post",), 3),
    "walls": ("a wall and towers", ("stone_wall_segment", "watch_tower", "town_gate"), 2),
    "comfort": (
        "a well, a stall or a store for everyone",
        ("well", "market_stall", "storehouse"),
        1,
    ),
    "feast": ("a feast for everyone", (), 1),
}
"""What candidates promise: in words, the kinds of works that count, and how many there must be."""


def days_until(me: Villager) -> int:
    """How many days there are until the next vote; 0 on its day, before it is closed."""
    is_over = votes_today(me) and me.obs.world.time_of_day >= CLOSE_HOUR
    return EVERY_DAYS if is_over else -me.day % EVERY_DAYS


def votes_today(me: Villager) -> bool:
    """Whether this is the day of an election."""
    return me.day % EVERY_DAYS == 0


# The reeve


def next_step(me: Villager) -> str | None:
    """What the reeve has to do about the election at this hour."""
    state = me.knowledge.election.state if me.knowledge.election is not None else "decided"
    hour = me.obs.world.time_of_day
    if not me.knowledge.has_heard_of("city", "board", "land"):
        return None
    if state == "decided" and me.day % EVERY_DAYS == EVERY_DAYS - 1 and hour >= CALL_HOUR:
        return "call"
    if state == "called" and votes_today(me) and hour >= OPEN_HOUR:
        return "open"
    is_late = not votes_today(me) and me.day % EVERY_DAYS != EVERY_DAYS - 1
    if state == "open" and (hour >= CLOSE_HOUR or is_late):
        return "close"
    return "drop" if state == "called" and is_late else None


def is_step_due(me: Villager) -> bool:
    """Whether the reeve should go on with the election."""
    return next_step(me) is not None


def run_election(me: Villager) -> Script[bool]:
    """The next step of an election, on the plaza."""
    step = next_step(me)
    yield from errands.to_plaza(me)
    if step == "call":
        yield from _call(me)
    elif step == "open":
        yield from _open(me)
    elif step == "close":
        yield from _close(me)
    else:
        me.knowledge.election = None
    yield from me.save()
    return True


def _call(me: Villager) -> Script[None]:
    me.intent = "Calling an election: tomorrow we choose a mayor."
    yield from _check_promise(me)
    me.knowledge.election = Election("called", me.tick_of(OPEN_HOUR, 1))
    text = "Tomorrow we elect a mayor. Who stands, and what do you promise?"
    yield from _announce(me, text)


def _open(me: Villager) -> Script[None]:
    called = me.knowledge.election
    promises = {} if called is None else called.promises
    if not promises:
        me.knowledge.election = None
        yield from errands.tell(me, "Nobody stands for mayor. We do without.")
        return
    me.intent = f"Opening the vote for mayor: {listing(list(promises))} stand."
    me.knowledge.election = Election("open", me.tick_of(CLOSE_HOUR), promises)
    choices = listing([f"{name} promises {promises_of(promises[name])}" for name in promises])
    text = f"Vote for a mayor today! {choices}. Whisper your choice to me by afternoon."
    yield from _announce(me, text)
    yield from errands.post(me, f"The vote of day {me.day}", text)


def _close(me: Villager) -> Script[None]:
    """Count the votes; of equal numbers the candidate who came into the world first wins."""
    election = me.knowledge.election
    if election is None:
        return
    counts = Counter(election.votes.values())
    names = sorted(election.promises, key=lambda name: (-counts[name], _number(me, name)))
    winner = names[0]
    tally = listing([f"{counts[name]} for {name}" for name in names])
    me.intent = f"Counting the votes: {tally}."
    me.knowledge.election = Election("decided", me.tick, election.promises, election.votes)
    text = f"The votes are counted: {tally}. {winner} is our mayor."
    yield from _announce(me, text, winner=winner, counts=counts)
    me.knowledge.notes["achieved then"] = achieved(me, election.promises[winner])
    yield from errands.post(me, f"The mayor from day {me.day} on", text)


def _announce(
    me: Villager, text: str, winner: str = "", counts: Mapping[str, int] | None = None
) -> Script[None]:
    """Say a step of the election to everybody, with the state of it for programs."""
    election = me.knowledge.election
    if election is None:
        return
    candidates = [
        {"id": speech.id_of(me, name), "name": name, "promise": promises_of(promise)}
        for name, promise in election.promises.items()
    ]
    mark: dict[str, Any] = {
        "state": election.state,
        "office": OFFICE,
        "tick": election.tick,
        "candidates": candidates,
    }
    if winner:
        mark["winner"] = speech.id_of(me, winner)
        mark["votes"] = {speech.id_of(me, name): count for name, count in (counts or {}).items()}
    yield from errands.tell(me, text, data={"election": mark})


def promises_of(promise: str) -> str:
    """A promise in words: `three new houses`."""
    return PROMISES[promise][0] if promise in PROMISES else promise


def _number(me: Villager, name: str) -> int:
    return int(speech.id_of(me, name)[1:] or 0)


def achieved(me: Villager, promise: str) -> int:
    """How much of what a promise is about there has ever been, as the reeve has counted."""
    notes = me.knowledge.notes
    if promise == "feast":
        return notes.get("feasts", 0)
    _, kinds, _ = PROMISES[promise]
    return sum(notes.get(f"stands {kind}", 0) for kind in kinds)


def is_promise_kept(me: Villager) -> bool:
    """Whether the town has got since the last election what the mayor promised."""
    promise = me.knowledge.promise
    least = PROMISES[promise][2]
    return achieved(me, promise) - me.knowledge.notes.get("achieved then", 0) >= least


def _check_promise(me: Villager) -> Script[None]:
    """Say in public what has become of the mayor's promise."""
    mayor = me.knowledge.mayor
    if not mayor or me.knowledge.promise not in PROMISES:
        return
    is_kept = is_promise_kept(me)
    end = "and kept the promise" if is_kept else "and did not keep the promise"
    text = f"{mayor} promised us {promises_of(me.knowledge.promise)} {end}."
    mark = {"promise": {"by": speech.id_of(me, mayor), "kept": is_kept}}
    yield from errands.tell(me, text, data=mark)


def take_vote(me: Villager, event: Event) -> None:
    """The reeve notes whom somebody votes for, if the vote is open and it may vote."""
    election = me.knowledge.election
    data = event.get("data")
    vote = data.get("vote") if isinstance(data, dict) else None
    if event["channel"] != "WHISPER" or not isinstance(vote, dict) or election is None:
        return
    voter = str(event["from"])
    choice = me.knowledge.name_of(str(vote.get("for", "")))
    if election.state != "open":
        reply = "There is no vote just now."
    elif choice not in election.promises:
        reply = f"Those who stand are {listing(list(election.promises))}."
    elif not may_vote(me, voter):
        reply = "Citizens vote whom I have seen about for two days. Come to the plaza."
    else:
        votes = election.votes | {voter: str(choice)}
        me.knowledge.election = Election("open", election.tick, election.promises, votes)
        me.learn()
        reply = f"Your vote for {choice} counts."
    if me.knowledge.name_of(voter) is None and len(me.receipts) < MOST_RECEIPTS:
        me.receipts[voter] = reply


def acknowledge(me: Villager) -> list[Action]:
    """Tell a stranger what became of its vote. Villagers know it themselves."""
    if not me.receipts or not speech.can_speak(me):
        return []
    voter, reply = next(iter(me.receipts.items()))
    del me.receipts[voter]
    return speech.whispering(me, voter, reply, {"vote": {"office": OFFICE}})


def may_vote(me: Villager, voter: str) -> bool:
    """Whether somebody is a citizen and has been about for two days, as far as the reeve knows."""
    name = me.knowledge.name_of(voter)
    if name is not None:
        return me.knowledge.trades.get(name) not in errands.GUILD
    since = me.knowledge.notes.get(f"{CITIZEN}{voter}")
    return since is not None and me.day >= since + PRESENCE_DAYS


def register(me: Villager) -> list[Action]:
    """The reeve remembers since which day it has seen a stranger as a citizen."""
    own = f"org:{me.knowledge.things.get('city')}"
    for body in me.obs.entities:
        if body.type == "AGENT" and own in body.tags and me.knowledge.name_of(body.id) is None:
            note = f"{CITIZEN}{body.id}"
            if note not in me.knowledge.notes and body.id != me.obs.agent_id:
                me.knowledge.notes[note] = me.day
                seen = [name for name in me.knowledge.notes if name.startswith(CITIZEN)]
                for oldest in seen[:-MOST_CITIZENS]:
                    del me.knowledge.notes[oldest]
                me.learn()
    return []


# Everybody


def hear(me: Villager, event: Event) -> None:
    """Take in what is said about an election."""
    if event["type"] != "CHAT":
        return
    if me.trade == REEVE:
        take_vote(me, event)
        _hear_candidate(me, event)
        if speech.marked(me, event, "feast") is not None:
            me.knowledge.notes["feasts"] = me.knowledge.notes.get("feasts", 0) + 1
    _hear_reeve(me, event)
    kept = speech.marked(me, event, "promise")
    if kept is not None and me.knowledge.trades.get(kept[0]) == REEVE:
        mayor = speech.name_in(me, kept[1], "by") or ""
        is_kept = kept[1].get("kept") is True
        speak_of(me, mayor, 2 if is_kept else -2)
        feel(me, mayor, 1 if is_kept else -3, f"{'kept' if is_kept else 'broke'} a promise")


def _hear_candidate(me: Villager, event: Event) -> None:
    heard = speech.marked(me, event, "candidate")
    election = me.knowledge.election
    if heard is None or election is None or election.state != "called":
        return
    name = heard[0]
    promise = str(heard[1].get("promise", ""))
    if promise in PROMISES and len(election.promises) < MOST_CANDIDATES:
        promises = election.promises | {name: promise}
        me.knowledge.election = Election("called", election.tick, promises)
        me.learn()


def _hear_reeve(me: Villager, event: Event) -> None:
    heard = speech.marked(me, event, "election")
    if heard is None or (heard[0] != me.name and me.knowledge.trades.get(heard[0]) != REEVE):
        return
    mark = heard[1]
    state = str(mark.get("state", ""))
    promises = _promises_in(mark)
    winner = speech.name_in(me, mark, "winner")
    if state == "decided" and winner is not None:
        if me.name in promises:
            feel(me, winner, -2, "won the office that I wanted")
        me.knowledge.mayor = winner
        me.knowledge.promise = promises.get(winner, "")
        me.knowledge.notes["mayor since"] = me.day
        speak_of(me, winner, 2)
    if me.trade != REEVE:
        me.knowledge.election = Election(state, me.tick, promises)
    me.learn()


def _promises_in(mark: Mapping[str, Any]) -> dict[str, str]:
    in_words = {words: promise for promise, (words, _, _) in PROMISES.items()}
    candidates = mark.get("candidates")
    return {
        str(each.get("name")): in_words.get(str(each.get("promise")), "")
        for each in (candidates if isinstance(candidates, list) else [])
        if isinstance(each, Mapping)
    }


def stand(me: Villager) -> list[Action]:
    """Stand for mayor, in the hours after the election was called."""
    election = me.knowledge.election
    if election is None or election.state != "called" or not speech.can_speak(me):
        return []
    is_new = me.knowledge.notes.get("stood on") != me.day
    if not is_new or votes_today(me) or me.tick < election.tick + STAND_TICKS * (me.number % 7):
        return []
    if me.trade in IN_OFFICE or not is_ambitious(me):
        return []
    me.knowledge.notes["stood on"] = me.day
    me.learn()
    promise = own_promise(me)
    text = f"I stand for mayor. I promise {promises_of(promise)}."
    return speech.saying(me, text, {"candidate": {"office": OFFICE, "promise": promise}})


def is_ambitious(me: Villager) -> bool:
    """Whether it wants the office: as a wish, as the mayor who wants to stay, or because it is its
    turn to try."""
    wish = me.knowledge.wish
    has_wish = wish is not None and wish.kind == "office"
    return has_wish or (me.number + me.day // EVERY_DAYS) % AMBITIOUS == 0


def own_promise(me: Villager) -> str:
    """What it promises: another thing each time."""
    names = list(PROMISES)
    return names[(me.number + me.day // EVERY_DAYS) % len(names)]


def is_vote_due(me: Villager) -> bool:
    """Whether it should go and vote: each has an hour of its own."""
    election = me.knowledge.election
    if election is None or election.state != "open" or me.own_org != "city":
        return False
    hour = FIRST_VOTER + VOTING * (me.number * 7 % 24) / 24
    has_voted = me.knowledge.notes.get("voted day") == me.day
    return votes_today(me) and me.is_hour(hour, CLOSE_HOUR) and not has_voted


def choice(me: Villager) -> str:
    """Whom it votes for: itself, or whom it likes best; a promise that it needs weighs too."""
    election = me.knowledge.election
    promises = {} if election is None else election.promises
    wish = me.knowledge.wish
    needs_home = wish is not None and wish.kind in ("house", "bigger house")

    def weight(name: str) -> tuple[bool, int, int]:
        likes = regard(me, name) + me.knowledge.standing.get(name, 0)
        likes += 3 if needs_home and promises[name] == "homes" else 0
        return name == me.name, likes, (me.number * 11 + _number(me, name) * 7) % 13

    return max(promises, key=weight)


def vote(me: Villager) -> Script[bool]:
    """Come to the plaza, whisper the choice to the reeve, and say that it has voted."""
    name = choice(me)
    goods = sum(me.inventory.values())
    me.intent = f"Off to vote, with {goods} things on me: {name} promises {_promise_of(me, name)}."
    if me.is_hour(0, LAST_VOTE):
        yield from errands.to_plaza(me, (me.number % 5 - 2, 4), 2)
    me.knowledge.notes["voted day"] = me.day
    me.learn()
    reeve = next((who for who, trade in me.knowledge.trades.items() if trade == REEVE), "")
    mark = {"vote": {"office": OFFICE, "for": speech.id_of(me, name)}}
    if me.trade == REEVE:
        election = me.knowledge.election
        if election is not None:
            votes = election.votes | {me.obs.agent_id: name}
            me.knowledge.election = Election("open", election.tick, election.promises, votes)
    elif not (yield from me.whisper(me.knowledge.ids[reeve], f"My vote is for {name}.", mark)):
        return False
    yield from me.say("I have voted.", data={"vote": {"office": OFFICE}})
    return True


def _promise_of(me: Villager, name: str) -> str:
    election = me.knowledge.election
    return promises_of(election.promises.get(name, "")) if election is not None else ""


# The mayor


def acts_as_mayor(me: Villager) -> bool:
    """Whether it has the mayor's duties: the reeve has them until the first election."""
    return me.knowledge.mayor == me.name or (not me.knowledge.mayor and me.trade == REEVE)


def is_opening_due(me: Villager) -> bool:
    """Whether the mayor should open the council this morning."""
    is_new = me.knowledge.notes.get("opened on") != me.day
    return me.knowledge.mayor == me.name and me.is_hour(0.2, 0.3) and is_new


def priority(me: Villager) -> tuple[str, ...]:
    """The kinds of works that the mayor wants first."""
    return PROMISES[me.knowledge.promise][1] if me.knowledge.promise in PROMISES else ()
