"""Tales: what somebody has heard of others today, and tells in the evening.

    hear    makes a tale of what is marked in public: a quarrel, an office, a house, a find, a
            feast, a wish that came true, a gift; or of a building that somebody says stands
    tell    the best tale that nobody has told yet within earshot, to a neighbour
    reply   what the neighbour thinks of it, by its regard for those whom the tale is about

A tale is the third person of something heard, never of something that only the world knows. Nobody
tells what it has a part in. What was told is marked (`data.tale`), so that nobody tells it twice.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

from thorp.protocol.obs import Event
from thorp.village import speech
from thorp.village.knowledge import Tale
from thorp.village.quarrels import MILD, phrase, temper
from thorp.village.regard import FRIENDLY, GRUDGE, reason, regard
from thorp.village.thoughts import deed, neighbour
from thorp.village.villager import Action, Villager
from thorp.village.wishes import article, sentence
from thorp.village.words import item_name

DAY_TICKS: Final = 6_000
MOST_TALES: Final = 8
REPLY_TICKS: Final = 18
"""How long somebody thinks about a tale."""
LATEST_TICKS: Final = 90
LONGEST: Final = 160
QUARREL: Final = "quarrel"
PEACE: Final = "peace"
SETTLED: Final = ("apology", "payment", "peace")
WEIGHTS: Final = {
    QUARREL: 5,
    PEACE: 3,
    "office": 5,
    "find": 4,
    "house": 3,
    "feast": 3,
    "building": 2,
    "wish": 2,
    "gift": 1,
}
"""How much a tale is worth telling, by its kind."""
STEPS: Final = {
    "complaint": "{plaintiff} and {defendant} are at odds, since {defendant} {wrong}",
    "denial": "{plaintiff} says that {defendant} {wrong}, and {defendant} will not hear of it",
    "appeal": "{plaintiff} called for {judge} to judge, since {defendant} {wrong}",
    "guilty": "{judge} judged for {plaintiff}: {defendant} {wrong}",
    "dismissed": "{judge} sent {plaintiff} home, who had complained of {defendant}",
    "apology": "{defendant} asked {plaintiff} to forgive that {defendant} {wrong}",
    "payment": "{defendant} paid {plaintiff} what {judge} had asked for",
    "refusal": "{defendant} will not pay {plaintiff}, whatever {judge} says",
    "peace": "{plaintiff} made peace with {defendant}, who {wrong}",
    "feud": "{plaintiff} does not speak to {defendant} any more, who {wrong}",
}
"""A quarrel as bystanders tell it, by its last step."""
STANDS: Final = " stands."
"""How a builder ends who says that its work is done."""
_STANDS: Final = re.compile(r"The (.+) stands\.")
_FOUND: Final = re.compile(r"I have found (.+)!")


def hear(me: Villager, event: Event) -> None:
    """Keep what would make a tale, and forget what somebody else tells."""
    if event["type"] != "CHAT" or event["channel"] == "WHISPER":
        return
    text = str(event["text"])
    data = event.get("data")
    marks: Mapping[str, Any] = data if isinstance(data, Mapping) else {}
    if not marks and not text.endswith(STANDS):
        return
    if "tale" in marks:
        _take_telling(me, event)
    speaker = me.knowledge.name_of(event["from"])
    if speaker is None or speaker == me.name:
        return
    key, tale = _tale(me, speaker, text, marks)
    if tale is None or me.name in tale.about or len(tale.text) > LONGEST:
        return
    tales = {name: old for name, old in me.knowledge.tales.items() if _is_of_today(me, old)}
    tales.pop(key, None)
    tales[key] = tale
    while len(tales) > MOST_TALES:
        del tales[min(tales, key=lambda name: (WEIGHTS[tales[name].kind], tales[name].tick))]
    me.knowledge.tales = tales


def _is_of_today(me: Villager, tale: Tale) -> bool:
    return me.tick < tale.tick + DAY_TICKS * 3 // 4


def _tale(
    me: Villager, speaker: str, text: str, data: Mapping[str, Any]
) -> tuple[str, Tale | None]:
    """What somebody said as a tale, and the key under which only the newest of it is kept."""
    for mark, make in _MAKERS.items():
        if isinstance(data.get(mark), Mapping):
            return make(me, speaker, text, data[mark])
    built = _STANDS.fullmatch(text)
    if built is not None:
        return f"built {text}", _new(me, "building", f"{speaker} finished the {built[1]}", speaker)
    return "", None


def _new(me: Villager, kind: str, text: str, *about: str) -> Tale:
    return Tale(kind=kind, text=text, about=list(about), tick=me.tick)


def _of_quarrel(me: Villager, _: str, __: str, mark: Mapping[str, Any]) -> tuple[str, Tale | None]:
    plaintiff = speech.name_in(me, mark, "by")
    defendant = speech.name_in(me, mark, "against")
    form = STEPS.get(str(mark.get("step")))
    judge = speech.name_in(me, mark, "judge")
    if plaintiff is None or defendant is None or form is None:
        return "", None
    kind = PEACE if mark["step"] in SETTLED else QUARREL
    wrong = as_told_of(str(mark.get("cause", "")), plaintiff)
    text = form.format(
        plaintiff=plaintiff, defendant=defendant, wrong=wrong, judge=judge or "the judge"
    )
    sides = [name for name in (defendant, plaintiff, judge) if name is not None]
    return f"{plaintiff} {defendant}", _new(me, kind, text, *sides)


def as_told_of(cause: str, plaintiff: str) -> str:
    """What somebody did to the plaintiff, as others say it: `broke the contract with Nan`."""
    told = cause.replace("our contract", f"a contract with {plaintiff}")
    told = told.replace("me out", f"{plaintiff} out").replace("I had", f"{plaintiff} had")
    told = told.replace("that I wanted", f"that {plaintiff} wanted")
    return re.sub(r"\bme\b", plaintiff, told)


def _of_election(me: Villager, _: str, __: str, mark: Mapping[str, Any]) -> tuple[str, Tale | None]:
    winner = speech.name_in(me, mark, "winner")
    votes = mark.get("votes")
    if winner is None or not isinstance(votes, Mapping):
        return "", None
    count = votes.get(mark["winner"], 0)
    return "office", _new(me, "office", f"{winner} is mayor, with {count} votes", winner)


def _of_feast(me: Villager, host: str, _: str, __: object) -> tuple[str, Tale | None]:
    return "feast", _new(me, "feast", f"{host} fed all of us at the feast", host)


def _of_event(me: Villager, speaker: str, text: str, _: object) -> tuple[str, Tale | None]:
    found = _FOUND.fullmatch(text)
    if found is None:
        return "", None
    return f"found {speaker}", _new(me, "find", f"{speaker} came back with {found[1]}", speaker)


def _of_home(me: Villager, _: str, __: str, mark: Mapping[str, Any]) -> tuple[str, Tale | None]:
    owner = speech.name_in(me, mark, "of")
    at = mark.get("at")
    if owner is None or not isinstance(at, list | tuple) or len(at) != 3:
        return "", None
    way = me.knowledge.whereabouts((int(at[0]), int(at[1]), int(at[2])))
    return f"house {owner}", _new(me, "house", f"{owner} got the house {way}", owner)


def _of_wish(
    me: Villager, speaker: str, _: str, mark: Mapping[str, Any]
) -> tuple[str, Tale | None]:
    kind = mark.get("kind")
    thing = str(mark.get("thing", ""))
    if mark.get("state") != "fulfilled" or kind not in ("tool", "friend"):
        return "", None
    if kind == "friend":
        return f"wish {speaker}", _new(me, "wish", f"{speaker} and {thing} are friends", speaker)
    got = f"{speaker} has {article(item_name(thing))} at last"
    return f"wish {speaker}", _new(me, "wish", got, speaker)


def _of_gift(
    me: Villager, speaker: str, _: str, mark: Mapping[str, Any]
) -> tuple[str, Tale | None]:
    to = speech.name_in(me, mark, "to")
    gift = article(item_name(str(mark.get("item", ""))))
    if to is None:
        return "", None
    return f"gift {speaker}", _new(me, "gift", f"{speaker} gave {to} {gift}", speaker, to)


_MAKERS: Final = {
    "quarrel": _of_quarrel,
    "election": _of_election,
    "feast": _of_feast,
    "event": _of_event,
    "home": _of_home,
    "wish": _of_wish,
    "gift": _of_gift,
}


# Telling


def tell(me: Villager) -> tuple[str, dict[str, Any]] | None:
    """The best tale that it knows, for whoever stands nearest; None if there is none."""
    tales = me.knowledge.tales
    known = [key for key, tale in tales.items() if _is_of_today(me, tale)]
    if not known:
        return None
    key = max(known, key=lambda name: (WEIGHTS[tales[name].kind], tales[name].tick, name))
    tale = tales.pop(key)
    other = neighbour(me)
    begin = "" if other is None or other in tale.about else f"{other}, "
    forms = (
        f"{begin}have you heard: {tale.text}.",
        f"{begin}{'they say ' if begin else 'They say '}that {tale.text}.",
        f"{begin}{'the talk is ' if begin else 'The talk is '}that {tale.text}.",
        f"{begin}{tale.text}; so I heard today.",
    )
    mark = {
        "of": key,
        "kind": tale.kind,
        "about": [speech.id_of(me, name) for name in tale.about],
        "to": "" if other is None else speech.id_of(me, other),
    }
    return sentence(forms[(me.number + me.tick // 100) % len(forms)]), {"tale": mark}


def _take_telling(me: Villager, event: Event) -> None:
    """What was told is no tale any more. Whom it was told to thinks about it."""
    heard = speech.marked(me, event, "tale")
    if heard is None or heard[0] == me.name:
        return
    mark = heard[1]
    me.knowledge.tales.pop(str(mark.get("of")), None)
    about = mark.get("about")
    if mark.get("to") != me.obs.agent_id or not isinstance(about, list):
        return
    names = [name for name in map(me.knowledge.name_of, map(str, about)) if name]
    if names:
        me.told = (heard[0], str(mark.get("kind")), names[0], me.tick)
        me.wake_tick = min(me.wake_tick, me.tick + REPLY_TICKS)


def reply(me: Villager) -> list[Action]:
    """Say what it thinks of a tale that it was told a moment ago."""
    if me.told is None:
        return []
    teller, kind, who, tick = me.told
    if me.tick < tick + REPLY_TICKS or not speech.can_speak(me):
        me.wake_tick = min(me.wake_tick, me.tick + REPLY_TICKS)
        return []
    me.told = None
    if me.tick > tick + LATEST_TICKS:
        return []
    return speech.saying(me, view_of(me, teller, kind, who), None, "LOCAL")


def view_of(me: Villager, teller: str, kind: str, who: str) -> str:
    """What somebody thinks of a tale, by its regard for the one whom it is about."""
    if who == me.name:
        return (
            f"So it was, {teller}." if kind != QUARREL else f"There are two sides to it, {teller}."
        )
    value = regard(me, who)
    if value < GRUDGE:
        return f"I am not surprised, {teller}: {who} {reason(me, who)}."
    if kind == QUARREL:
        if value >= FRIENDLY:
            return f"I stand by {who}, {teller}, who {reason(me, who)}."
        hope = "They should shake hands" if temper(me) == MILD else "Let them settle it"
        return phrase(
            me,
            f"{hope}, {teller}. I {deed(me)} and heard none of it.",
            f"I was not there, {teller}: I {deed(me)}. {hope}.",
            f"{hope}, {teller}; tomorrow nobody will talk of it.",
        )
    if kind == PEACE:
        return f"Good that it is over, {teller}. I {deed(me)} meanwhile."
    if value >= FRIENDLY:
        return f"That is good for {who}, {teller}, who {reason(me, who)}."
    return phrase(
        me,
        f"Well done, {who}. I {deed(me)} today, {teller}.",
        f"So much for {who}, {teller}. As for me, I {deed(me)}.",
        f"I saw nothing of {who} today, {teller}; I {deed(me)}.",
    )
