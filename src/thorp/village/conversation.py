"""What a villager answers when somebody speaks to it.

Whoever whispers to a villager, or names it, is answered; a question to nobody is answered by the
villager that stands nearest. The answer comes the way the question came, in words, and with the
ids in its `data` for machines. `questions` says which question a text is, and the table `ANSWERS`
what is said to it; a villager says only what it knows itself.

Villagers do not answer each other: they have their own ways of telling (`knowledge`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from thorp.protocol.obs import Event, Position
from thorp.village import needs
from thorp.village.knowledge import FOR_STRANGERS
from thorp.village.questions import Question, Topic, is_question, names_first, read_question
from thorp.village.words import amount, direction, goods, item_name

if TYPE_CHECKING:
    from thorp.village.villager import Villager

MOST_WAITING: Final = 8
"""Questions that wait for an answer; more than that is noise."""
PATIENCE_TICKS: Final = 150
"""A question that waited longer is not answered any more: who asked has gone on."""
BREATH_TICKS: Final = 15
"""Between two answers of one villager. The world allows five texts in 50 ticks, and the greeter
needs some of them."""
SAME_TICKS: Final = 100
"""Within this time somebody who asks the same again gets no second answer."""
MOST_REMEMBERED: Final = 64
"""People whose last question is remembered."""
TEXT_LIMIT: Final = 600
"""Characters of an answer: what a listener reads at a glance."""
HUNGRY_BELOW: Final = 8
HURT_BELOW: Final = 10

USUAL_PLACES: Final = {
    "reeve": "on the plaza",
    "mayor": "in the town",
    "storekeeper": "at the store",
    "smith": "at the forge",
    "greeter": "on the way between the plaza and the gate",
    "farmer": "in the field south of the plaza",
    "miner": "down in the mine",
    "builder": "where the town is building",
    "forager": "out picking berries",
    "forester": "in the woods",
    "guildmaster": "at the guild's quarry",
    "guildsman": "at the guild's quarry",
}
"""Where to look for somebody, by trade."""
DEEDS: Final = {
    "reeve": "I call the council, plan what we build and pay our upkeep",
    "mayor": "I was elected, and say what we build first",
    "storekeeper": "I keep the common store, and trade for everybody",
    "smith": "I make the tools and bricks",
    "greeter": "I welcome strangers, and have small jobs for them",
    "farmer": "I sow, reap and bake",
    "miner": "I dig for stone, coal and ore",
    "builder": "I build what the town plans",
    "forager": "I pick berries for the store",
    "forester": "I fell trees, plant new ones and saw planks",
    "guildmaster": "I lead the guild, which quarries stone",
    "guildsman": "I quarry stone for the guild",
}
"""What somebody does, by trade."""
FIELD_SOUTH: Final = 20
"""How far south of the plaza the field lies."""
MINDED_BY: Final = {"store": "storekeeper", "forge": "smith", "field": "farmer"}
"""Whose place it is: "who minds the shop?" """
GREETER: Final = "greeter"
KEEPERS: Final = ("storekeeper", "smith")
"""Trades that sell out of the store."""


class Reply(NamedTuple):
    """An answer in words, and its ids for machines."""

    text: str
    data: Mapping[str, Any] = {}


class Asked(NamedTuple):
    """A question as it was put to a villager."""

    speaker: str
    text: str
    is_whispered: bool
    tick: int
    question: Question | None
    """None if it was not understood."""


class Conversation:
    """The questions put to one villager, until they are answered."""

    def __init__(self) -> None:
        self.puzzles: deque[Asked] | None = None
        """Questions that no rule understands, for a language model to answer; None where there is
        no model, and the villager says itself that it does not understand."""
        self.answered = 0
        """How many questions it has answered."""
        self._waiting: deque[Asked] = deque(maxlen=MOST_WAITING)
        self._replies: deque[tuple[Asked, Reply]] = deque(maxlen=MOST_WAITING)
        """What a model has said to puzzles."""
        self._last: dict[str, tuple[str, int]] = {}
        """The last question of each speaker, and its tick."""
        self._spoke_tick = -BREATH_TICKS

    def hear(self, me: Villager, event: Event) -> None:
        """Note a question, if it is for this villager and somebody else than a villager asks."""
        speaker = str(event["from"])
        text = str(event["text"])
        if speaker == me.obs.agent_id or speaker in me.knowledge.ids.values():
            return
        is_whispered = event["channel"] == "WHISPER"
        is_named = names_first(text, me.knowledge.ids) == me.name
        question = read_question(text, me.knowledge.roles, _items(me), me=me.name)
        if not (is_whispered or is_named or _is_nearest(me, event, question)):
            return
        if question is None and not is_question(text):
            return
        last = self._last.get(speaker)
        if last is not None and last[0] == text and me.tick < last[1] + SAME_TICKS:
            return
        self._last.pop(speaker, None)
        self._last[speaker] = (text, me.tick)
        while len(self._last) > MOST_REMEMBERED:
            del self._last[next(iter(self._last))]
        asked = Asked(
            speaker=speaker,
            text=text,
            is_whispered=is_whispered,
            tick=me.tick,
            question=question,
        )
        if question is None and self.puzzles is not None:
            self.puzzles.append(asked)
        else:
            self._waiting.append(asked)

    def solve(self, me: Villager, asked: Asked, text: str) -> None:
        """Take a model's answer to a puzzle; it is said with the next observation."""
        self._replies.append((asked, Reply(text)))
        me.wake_tick = 0

    def answers(self, me: Villager) -> list[dict[str, Any]]:
        """The next answer as an action, if one is due."""
        if me.tick < self._spoke_tick + BREATH_TICKS:
            return []
        while self._waiting or self._replies:
            if self._replies:
                asked, reply = self._replies.popleft()
            else:
                asked = self._waiting.popleft()
                reply = answer(me, asked)
            if me.tick <= asked.tick + PATIENCE_TICKS:
                self._spoke_tick = me.tick
                self.answered += 1
                return [_spoken(asked, reply)]
        return []

    @property
    def is_pending(self) -> bool:
        """Whether something is still to be said."""
        return bool(self._waiting or self._replies)


def _spoken(asked: Asked, reply: Reply) -> dict[str, Any]:
    action: dict[str, Any] = {"type": "SAY", "channel": "LOCAL", "text": reply.text[:TEXT_LIMIT]}
    if asked.is_whispered:
        action = {"type": "WHISPER", "to": asked.speaker, "text": reply.text[:TEXT_LIMIT]}
    return action | {"data": dict(reply.data)} if reply.data else action


def _is_nearest(me: Villager, event: Event, question: Question | None) -> bool:
    """Whether a question to nobody by name is this villager's to answer.

    Nobody answers a greeting or thanks that may be meant for somebody else.
    """
    if event["channel"] != "LOCAL" or question is None or question.topic in _TO_ANYBODY:
        return False
    if names_first(str(event["text"]), me.knowledge.ids):
        return False
    people = {thing.id: thing.pos for thing in me.obs.entities if thing.type == "AGENT"}
    there = people.get(event["from"])
    if there is None:
        return False
    villagers = {
        villager: people[villager] for villager in me.knowledge.ids.values() if villager in people
    }
    villagers[me.obs.agent_id] = me.position
    nearest = min(villagers, key=lambda villager: (_steps(villagers[villager], there), villager))
    return nearest == me.obs.agent_id


def _steps(one: Position, other: Position) -> int:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def _items(me: Villager) -> list[str]:
    return [*needs.TARGETS, *me.knowledge.spare, *me.knowledge.wanted, *me.recipes]


def answer(me: Villager, asked: Asked) -> Reply:
    """What a villager says to a question."""
    if asked.question is None:
        return Reply(
            "I do not understand. Ask me where something is, what there is to do, what we sell or"
            " buy, or who somebody is."
        )
    return ANSWERS[asked.question.topic](me, asked.question)


def _where(me: Villager, question: Question) -> Reply:
    if question.person:
        return _where_person(me, question.person)
    if not question.place:
        place = f"I am at {_cell(me.position)}."
        return Reply(f"{place} {_plain_intent(me)}", {"places": {"me": list(me.position)}})
    spot = me.knowledge.spot(question.place)
    if question.place == "field":
        spot = me.knowledge.place(0, FIELD_SOUTH)
    elif spot is None:
        spot = me.knowledge.plaza
    if spot is None:
        return Reply(f"I do not know where the {question.place} is yet.")
    way = direction(me.position, spot)
    sentence = f"The {question.place} is {way}, at {_cell(spot)}."
    named = me.knowledge.things.get(question.place) or list(spot)
    return Reply(sentence, {"places": {question.place: named}})


def _where_person(me: Villager, name: str) -> Reply:
    agent_id = me.knowledge.ids.get(name, "")
    for thing in me.obs.entities:
        if thing.id == agent_id:
            way = direction(me.position, thing.pos)
            return Reply(f"{name} is {way}, at {_cell(thing.pos)}.", {"people": {name: agent_id}})
    usual = USUAL_PLACES.get(me.knowledge.title_of(name), "somewhere in the village")
    return Reply(f"I do not see {name}. Look {usual}.", {"people": {name: agent_id}})


def _sell(me: Villager, question: Question) -> Reply:
    spare = me.knowledge.spare
    seller = me.name if me.trade in KEEPERS else _of_trade(me, "storekeeper")
    keeper = "I have" if seller == me.name else f"{seller} at the store has"
    data = {"people": {seller: me.knowledge.ids.get(seller, me.obs.agent_id)}}
    if question.item:
        count = spare.get(question.item, 0)
        if not count:
            return Reply(f"No {item_name(question.item, 2)} to spare today, sorry.", data)
        price = needs.WORTH.get(question.item, 1)
        worth = f"worth {amount('BERRIES', price)} each"
        return Reply(f"{keeper} {amount(question.item, count)} to spare, {worth}.", data)
    if not spare:
        return Reply(f"{keeper} nothing to spare just now. Ask again after the next market.", data)
    how = "Offer goods of the same worth" if seller == me.name else f"Make {seller} an offer"
    return Reply(f"{keeper} {goods(spare)} to spare. {how}; prices are on the board.", data)


def _want(me: Villager, question: Question) -> Reply:
    wanted = me.knowledge.wanted
    keeper = _of_trade(me, "storekeeper")
    data = {"people": {keeper: me.knowledge.ids.get(keeper, me.obs.agent_id)}}
    if question.item:
        count = wanted.get(question.item, 0)
        if not count:
            return Reply(f"We have enough {item_name(question.item, 2)} for now.", data)
        return Reply(f"Yes, the store takes {amount(question.item, count)}.", data)
    if not wanted:
        return Reply("The store has what it needs today.", data)
    return Reply(f"The store wants {goods(wanted)}. {keeper} trades for it.", data)


def _work(me: Villager, _: Question) -> Reply:
    terminal = me.knowledge.things.get("terminal")
    offers = {name: work for name, work in me.knowledge.works.items() if not _is_mine(me, name)}
    for name, work in offers.items():
        if terminal is None or (work.kind == FOR_STRANGERS) != (me.trade == GREETER):
            continue
        job = {"contract": name, "terminal": terminal, "kind": work.kind}
        task = _task_in_words(work.kind, work.what)
        return Reply(f"{task} It is contract {name} at the terminal.", {"job": job})
    greeter = _of_trade(me, GREETER)
    wanted = me.knowledge.wanted
    hint = f" The store wants {goods(wanted)}, too." if wanted else ""
    if me.trade == GREETER:
        return Reply(f"All my small jobs are taken just now; new ones come soon.{hint}")
    data = {"people": {greeter: me.knowledge.ids.get(greeter, "")}}
    return Reply(f"Ask {greeter}: she has small jobs for newcomers.{hint}", data)


def _is_mine(me: Villager, contract: str) -> bool:
    """Whether this villager does a contract itself."""
    return contract in me.knowledge.notes


def _task_in_words(kind: str, terms: str) -> str:
    """What a contract asks for: `Build a cottage.`, `Gather 6 coal.`"""
    words = terms.lower().replace("_", " ")
    verb = {"BUILD": "Build a", "GATHER": "Gather", "DELIVER": "Bring"}.get(kind, "Bring")
    return f"{verb} {words}."


def _join(me: Villager, _: Question) -> Reply:
    greeter = _of_trade(me, GREETER)
    who = "Do one of my small jobs" if me.trade == GREETER else f"Do one of {greeter}'s small jobs"
    text = f"{who}. Then you are invited, and when you join you get a plot with your name on it."
    return Reply(text, {"people": {greeter: me.knowledge.ids.get(greeter, me.obs.agent_id)}})


def _who(me: Villager, question: Question) -> Reply:
    person = question.person
    if not person and question.place in MINDED_BY:
        person = _of_trade(me, MINDED_BY[question.place])
    if person and person != me.name:
        trade = me.knowledge.title_of(person)
        usual = USUAL_PLACES.get(trade, "in the village")
        data = {"people": {person: me.knowledge.ids.get(person, "")}}
        return Reply(f"{person} is our {trade or 'neighbour'}, mostly {usual}.", data)
    deed = DEEDS.get(me.trade, "I live here")
    return Reply(f"I am {me.name}, {me.trade} of Thorp. {deed}.")


def _doing(me: Villager, _: Question) -> Reply:
    return Reply(_plain_intent(me))


def _feeling(me: Villager, _: Question) -> Reply:
    body = me.obs.body
    if me.is_freezing:
        return Reply("Cold to the bone. I want to get to a fire.")
    if body.hp < HURT_BELOW:
        return Reply("I am hurt, and must rest.")
    if body.hunger < HUNGRY_BELOW:
        return Reply("Hungry! I am off to eat soon.")
    return Reply(f"Well, thank you. {_plain_intent(me)}")


def _news(me: Villager, _: Question) -> Reply:
    surroundings = me.obs.world
    sentences = []
    if isinstance(surroundings.active_event, str) and surroundings.active_event:
        sentences.append(f"There is word of {surroundings.active_event.lower().replace('_', ' ')}.")
    if me.knowledge.wanted:
        sentences.append(f"The store is short of {goods(me.knowledge.wanted)}.")
    if me.knowledge.works:
        sentences.append(f"{len(me.knowledge.works)} contracts are open at the terminal.")
    return Reply(" ".join(sentences) or "Nothing new. A quiet day.")


def _time(me: Villager, _: Question) -> Reply:
    minutes = int(me.obs.world.time_of_day * 24 * 60)
    hours = f"{minutes // 60:02}:{minutes % 60:02}"
    return Reply(f"It is {hours} on day {me.day}.")


def _thanks(_: Villager, __: Question) -> Reply:
    return Reply("You are welcome.")


def _greeting(me: Villager, _: Question) -> Reply:
    return Reply(f"Hello! I am {me.name}, the {me.trade}. Ask me what there is to do.")


def _plain_intent(me: Villager) -> str:
    return me.intent or "I am looking around."


def _of_trade(me: Villager, trade: str) -> str:
    """Who has a trade, as far as this villager has heard."""
    if me.trade == trade:
        return me.name
    return next((name for name, own in me.knowledge.trades.items() if own == trade), "somebody")


def _cell(position: Position) -> str:
    return " ".join(map(str, position))


_TO_ANYBODY: Final = (Topic.GREETING, Topic.THANKS, Topic.FEELING)
ANSWERS: Final[dict[Topic, Callable[[Villager, Question], Reply]]] = {
    Topic.WHERE: _where,
    Topic.SELL: _sell,
    Topic.WANT: _want,
    Topic.WORK: _work,
    Topic.JOIN: _join,
    Topic.WHO: _who,
    Topic.DOING: _doing,
    Topic.FEELING: _feeling,
    Topic.NEWS: _news,
    Topic.TIME: _time,
    Topic.THANKS: _thanks,
    Topic.GREETING: _greeting,
}
