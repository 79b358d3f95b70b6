"""Quarrels: two sides, steps that are said in public, and an outcome.

    complaint   the plaintiff says what the defendant did
    apology     the defendant is sorry, and gives something       denial    or is not
    appeal      the plaintiff asks a judge: the mayor, or the reeve
    guilty      the judge finds a wrong, and names what is due     dismissed or finds none
    payment     the defendant pays                                 refusal   or does not
    peace       the plaintiff lets it rest: settled                feud      or never speaks to it

A feud ends after some days, when the plaintiff has had enough of it. Every step is marked with
`data.quarrel`; who has a part in it remembers how far it has come, and takes its turn when it is
due. Who takes it how follows from its regard for the others and from its temper.
"""

from typing import Any, Final, NamedTuple

from thorp.protocol.obs import Event
from thorp.village import lulls, speech
from thorp.village.knowledge import Quarrel
from thorp.village.needs import FOODS
from thorp.village.regard import FRIENDLY, SHUNNED, feel, least_liked, reason, regard, speak_of
from thorp.village.villager import Action, Villager
from thorp.village.words import amount

REEVE: Final = "Odile"
# A grudge of which the reason is older than this is swallowed.
FRESH_TICKS: Final = 4_000
# Somebody who has quarrelled has enough of it for this long.
REST_TICKS: Final = 5_000
# Nobody begins a quarrel while another one is the talk of the town.
TALK_TICKS: Final = 700
TURN_TICKS: Final = 25
# Of those who could make peace on a slow day, each waits a little longer than the one before.
MENDING_TICKS: Final = 4
PEOPLE: Final = 24
FEUD_TICKS: Final = 12_000
RETRY_TICKS: Final = 60
# By night nobody quarrels, nor before the morning's work is given out.
HOURS: Final = (0.32, 0.85)
# Some are ready for a quarrel earlier than others.
LATE_RISER: Final = 0.1
DAMAGES: Final = 3
TEMPERS: Final = 3
MILD: Final = 0
STUBBORN: Final = 2
IN_SECOND_PERSON: Final = {"bears": "bear", "is": "are", "has": "have", "trades": "trade"}
ENDED: Final = ("peace",)


class Turn(NamedTuple):
    """Whose turn it is after a step, and how long that takes."""

    role: str
    ticks: int


TURNS: Final = {
    "complaint": Turn("defendant", 90),
    "apology": Turn("plaintiff", 120),
    "denial": Turn("plaintiff", 920),
    "appeal": Turn("judge", 920),
    "guilty": Turn("defendant", 920),
    "dismissed": Turn("plaintiff", 150),
    "payment": Turn("plaintiff", 100),
    "refusal": Turn("plaintiff", 100),
    "feud": Turn("plaintiff", FEUD_TICKS),
}
"""By the step that was said last."""
SPEAKERS: Final = {
    "complaint": "plaintiff",
    "apology": "defendant",
    "denial": "defendant",
    "appeal": "plaintiff",
    "guilty": "judge",
    "dismissed": "judge",
    "payment": "defendant",
    "refusal": "defendant",
    "peace": "plaintiff",
    "feud": "plaintiff",
}
"""Who may say a step."""


def temper(me: Villager) -> int:
    """Mild, proud or stubborn: a trait for life."""
    return me.number * 5 // 3 % TEMPERS


def phrase(me: Villager, *variants: str) -> str:
    """One of some ways to say a thing: its own."""
    return variants[me.number % len(variants)]


def as_told_to(cause: str) -> str:
    """What somebody did, as it is said to its face: `you are always about`."""
    verb, _, rest = cause.partition(" ")
    return f"{IN_SECOND_PERSON.get(verb, verb)} {rest}"


def side(quarrel: Quarrel, role: str) -> str:
    """The name of whoever has a role in a quarrel."""
    return str(getattr(quarrel, role))


# Hearing


def hear(me: Villager, event: Event) -> None:
    """Take in a step of a quarrel that somebody says in public."""
    heard = speech.marked(me, event, "quarrel")
    if heard is None:
        return
    speaker, mark = heard
    plaintiff = speech.name_in(me, mark, "by")
    defendant = speech.name_in(me, mark, "against")
    step = mark.get("step")
    if plaintiff is None or defendant is None or not isinstance(step, str) or step not in SPEAKERS:
        return
    quarrel = Quarrel(
        plaintiff=plaintiff,
        defendant=defendant,
        cause=str(mark.get("cause", "")),
        step=step,
        tick=me.tick,
        judge=speech.name_in(me, mark, "judge") or "",
    )
    if speaker != side(quarrel, SPEAKERS[step]):
        return
    me.knowledge.notes["quarrel heard"] = me.tick
    _judge_them(me, quarrel)
    key = f"{plaintiff} and {defendant}"
    if me.name in (plaintiff, defendant, quarrel.judge):
        me.knowledge.quarrels[key] = quarrel
        if step in ENDED:
            del me.knowledge.quarrels[key]
            me.knowledge.notes["quarrelled"] = me.tick
        _take_to_heart(me, quarrel)
        me.learn()


def _judge_them(me: Villager, quarrel: Quarrel) -> None:
    """What bystanders think of it."""
    change = {"guilty": -1, "refusal": -2, "payment": 1, "apology": 1}.get(quarrel.step, 0)
    if change:
        speak_of(me, quarrel.defendant, change)
    if quarrel.step == "dismissed":
        speak_of(me, quarrel.plaintiff, -1)


def _take_to_heart(me: Villager, quarrel: Quarrel) -> None:
    """What a step does to the regard of both sides for each other and for the judge."""
    other = quarrel.defendant if me.name == quarrel.plaintiff else quarrel.plaintiff
    if me.name == quarrel.judge and me.name not in (quarrel.plaintiff, quarrel.defendant):
        return
    step = quarrel.step
    if step == "complaint" and me.name == quarrel.defendant:
        feel(me, other, -1, "complained about me in public")
    elif step in ("apology", "payment") and me.name == quarrel.plaintiff:
        feel(me, other, 4, "made up for it")
    elif step == "peace":
        me.knowledge.feuds.pop(other, None)
        feel(me, other, max(1, FRIENDLY - regard(me, other)) // 2 + 1, "let a quarrel rest")
    elif step == "feud":
        me.knowledge.feuds[other] = me.tick
        feel(me, other, -4, quarrel.cause if me.name == quarrel.plaintiff else "bears a grudge")
    elif step in ("guilty", "dismissed"):
        is_mine = (step == "guilty") == (me.name == quarrel.plaintiff)
        why = "judged for me" if is_mine else "judged against me"
        feel(me, quarrel.judge, 2 if is_mine else -2, why)


# Speaking


def act(me: Villager) -> list[Action]:
    """The next step that is this villager's to take, if one is due."""
    begin = HOURS[0] + LATE_RISER * (me.number % PEOPLE) / PEOPLE
    if not me.is_hour(begin, HOURS[1]) or not speech.can_speak(me):
        return []
    if lulls.is_crowded(me, "quarrel"):
        return []
    for key, quarrel in me.knowledge.quarrels.items():
        turn = TURNS.get(quarrel.step)
        is_mine = turn is not None and side(quarrel, turn.role) == me.name
        if turn is None or not is_mine or me.tick < quarrel.tick + turn.ticks:
            continue
        if me.tick >= me.postponed_until.get(key, 0):
            me.postponed_until[key] = me.tick + RETRY_TICKS
            return _take_turn(me, quarrel)
    return _complain(me)


def make_up(me: Villager) -> list[Action]:
    """When the day is slow, let go of the smallest of its grudges, in public."""
    busy = set(me.knowledge.feuds)
    for open_one in me.knowledge.quarrels.values():
        busy |= {open_one.plaintiff, open_one.defendant}
    grudges = [
        (value, name)
        for name, value in me.knowledge.regard.items()
        if value < 0 and name not in busy
    ]
    turn = MENDING_TICKS * (me.number % PEOPLE)
    if not (grudges and lulls.is_slow(me, "quarrel", lulls.PEACE_TICKS, turn)):
        return []
    if not speech.can_speak(me) or me.tick < me.postponed_until.get("peace", 0):
        return []
    me.postponed_until["peace"] = me.tick + RETRY_TICKS
    other = max(grudges)[1]
    quarrel = Quarrel(
        plaintiff=me.name,
        defendant=other,
        cause=reason(me, other),
        step="peace",
        tick=me.tick,
    )
    wrong = as_told_to(quarrel.cause)
    text = phrase(
        me,
        f"{other}, you {wrong}. I have slept on it: let us forget it.",
        f"I have thought about it, {other}: you {wrong}, and I let it rest.",
        f"I was cross with you, {other}: you {wrong}. No more of that.",
        f"Here is my hand, {other}. You {wrong}, and that is over.",
    )
    return _say(me, quarrel, text)


def _complain(me: Villager) -> list[Action]:
    """Begin a quarrel with somebody who has wronged it of late."""
    notes = me.knowledge.notes
    other = least_liked(me)
    if other is None or other in me.knowledge.feuds or me.knowledge.quarrels:
        return []
    is_fresh = me.tick < notes.get(f"wronged by {other}", -FRESH_TICKS) + FRESH_TICKS
    is_rested = me.tick >= notes.get("quarrelled", -REST_TICKS) + REST_TICKS
    patience = TALK_TICKS + TURN_TICKS * (me.number % PEOPLE)  # one speaks up before the others
    is_quiet = me.tick >= notes.get("quarrel heard", -patience) + patience
    if not (is_fresh and is_rested and is_quiet):
        return []
    if me.tick < me.postponed_until.get("complaint", 0):
        return []
    me.postponed_until["complaint"] = me.tick + RETRY_TICKS
    quarrel = Quarrel(
        plaintiff=me.name,
        defendant=other,
        cause=reason(me, other),
        step="complaint",
        tick=me.tick,
    )
    wrong = as_told_to(quarrel.cause)
    text = phrase(
        me,
        f"{other}, I have a bone to pick with you: you {wrong}.",
        f"A word with you, {other}: you {wrong}. That was not right.",
        f"I must say it before everybody, {other}: you {wrong}.",
        f"{other}! You {wrong}, and I will not have it.",
    )
    return _say(me, quarrel, text)


def _say(me: Villager, quarrel: Quarrel, text: str) -> list[Action]:
    mark: dict[str, Any] = {
        "by": speech.id_of(me, quarrel.plaintiff),
        "against": speech.id_of(me, quarrel.defendant),
        "cause": quarrel.cause,
        "step": quarrel.step,
    }
    if quarrel.judge:
        mark["judge"] = speech.id_of(me, quarrel.judge)
    return speech.saying(me, text, {"quarrel": mark})


def _take_turn(me: Villager, quarrel: Quarrel) -> list[Action]:
    answer = {
        "complaint": _reply,
        "denial": _appeal,
        "appeal": _judge,
        "guilty": _settle_up,
        "dismissed": _bow,
        "apology": _make_peace,
        "payment": _make_peace,
        "refusal": _break_off,
        "feud": _make_peace,
    }[quarrel.step]
    return answer(me, quarrel)


def _with(quarrel: Quarrel, **changes: str) -> Quarrel:
    fields = {name: getattr(quarrel, name) for name in quarrel.__struct_fields__}
    return Quarrel(**(fields | changes))


def _reply(me: Villager, quarrel: Quarrel) -> list[Action]:
    """The defendant is sorry, or is not."""
    other = quarrel.plaintiff
    if temper(me) == MILD or regard(me, other) >= FRIENDLY:
        food = me.first_of(FOODS)
        gift = "" if food is None else f" Take {amount(food, 1)} from me."
        regret = phrase(
            me,
            f"I am sorry, {other}.",
            f"You are right, {other}, and I am sorry.",
            f"I did not think of you, {other}. Forgive me.",
        )
        text = f"{regret}{gift}"
        return [*_say(me, _with(quarrel, step="apology"), text), *_gift(me, other, food)]
    text = phrase(
        me,
        f"I have done nothing wrong, {other}; you would have done the same.",
        f"Nonsense, {other}. Nobody but you would mind.",
        f"Do not make such a noise, {other}. I did what I had to.",
        f"That is your story, {other}. Mine is another.",
    )
    return _say(me, _with(quarrel, step="denial"), text)


def _gift(me: Villager, other: str, item: str | None) -> list[Action]:
    """Something for a stone, since the world knows no gifts."""
    if item is None:
        return []
    return [
        {
            "type": "OFFER_TRADE",
            "to": me.knowledge.ids[other],
            "offer": [[item, 1]],
            "request": [["STONE", 1]],
        }
    ]


def judge_for(me: Villager, quarrel: Quarrel) -> str:
    """Who judges: the mayor, or the reeve where the mayor is a party to it."""
    sides = (quarrel.plaintiff, quarrel.defendant)
    choices = (me.knowledge.mayor, REEVE, "Maud", "Jory")
    return next(name for name in choices if name and name not in sides)


def _appeal(me: Villager, quarrel: Quarrel) -> list[Action]:
    judge = judge_for(me, quarrel)
    text = f"{judge}, judge between {quarrel.defendant} and me: {quarrel.defendant} "
    return _say(me, _with(quarrel, step="appeal", judge=judge), f"{text}{quarrel.cause}.")


def _judge(me: Villager, quarrel: Quarrel) -> list[Action]:
    """Who broke a contract is in the wrong; else the judge believes whom it likes better."""
    plaintiff = quarrel.plaintiff
    defendant = quarrel.defendant
    is_wrong = "broke" in quarrel.cause or regard(me, plaintiff) > regard(me, defendant)
    if is_wrong:
        due = amount("STONE", DAMAGES)
        deed = quarrel.cause.replace(" me", f" {plaintiff}").replace(" our ", " their ")
        text = f"I have heard you both. {defendant} {deed}, and owes {plaintiff} {due}."
        return _say(me, _with(quarrel, step="guilty"), text)
    text = f"I have heard you both. I find no wrong in it, {plaintiff}; let it rest."
    return _say(me, _with(quarrel, step="dismissed"), text)


def _settle_up(me: Villager, quarrel: Quarrel) -> list[Action]:
    """The defendant pays, unless it is stubborn or has nothing."""
    if temper(me) == STUBBORN or me.have("STONE") < DAMAGES:
        text = phrase(
            me,
            f"I will not pay {quarrel.plaintiff} anything. {quarrel.judge} is partial.",
            f"Not one stone for {quarrel.plaintiff}, whatever {quarrel.judge} says.",
        )
        return _say(me, _with(quarrel, step="refusal"), text)
    text = f"Here is what I owe you, {quarrel.plaintiff}: {amount('STONE', DAMAGES)}."
    offer = {
        "type": "OFFER_TRADE",
        "to": me.knowledge.ids[quarrel.plaintiff],
        "offer": [["STONE", DAMAGES]],
        "request": [["STONE", 1]],
    }
    return [*_say(me, _with(quarrel, step="payment"), text), offer]


def _bow(me: Villager, quarrel: Quarrel) -> list[Action]:
    """The plaintiff lost: it lets it rest, unless it is stubborn."""
    if temper(me) == STUBBORN:
        return _break_off(me, quarrel)
    text = f"So be it, {quarrel.judge}. {quarrel.defendant}, I let it rest."
    return _say(me, _with(quarrel, step="peace"), text)


def _break_off(me: Villager, quarrel: Quarrel) -> list[Action]:
    text = phrase(
        me,
        f"I am done with {quarrel.defendant}, who {quarrel.cause}.",
        f"From today {quarrel.defendant} is air to me: {quarrel.defendant} {quarrel.cause}.",
    )
    return _say(me, _with(quarrel, step="feud"), text)


def _make_peace(me: Villager, quarrel: Quarrel) -> list[Action]:
    text = phrase(
        me,
        f"{quarrel.defendant}, that is settled between us.",
        f"Good, {quarrel.defendant}. Let us shake hands.",
        f"I have forgotten it already, {quarrel.defendant}.",
    )
    if quarrel.step == "feud":
        text = f"{quarrel.defendant}, we have not spoken for days. Let us forget it."
    return _say(me, _with(quarrel, step="peace"), text)


def is_grudging(me: Villager, name: str) -> bool:
    """Whether it will have nothing to do with somebody."""
    return name in me.knowledge.feuds or regard(me, name) < SHUNNED


def accept_gifts(me: Villager) -> list[Action]:
    """Take what neighbours offer for next to nothing. Those who keep the store look at all offers
    themselves."""
    for sender, offer in list(me.offers.items()):
        name = me.knowledge.name_of(sender)
        is_gift = sum(count for _, count in offer["request"]) == 1 and name is not None
        asked = offer["request"][0][0]
        if is_gift and asked == "STONE" and me.have("STONE"):
            del me.offers[sender]
            return [{"type": "ACCEPT_TRADE", "trade_id": offer["trade_id"]}]
    return []
