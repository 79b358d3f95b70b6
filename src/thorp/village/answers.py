"""What a villager answers to a question: each topic of `questions` with what is said to it.

A villager says only what it knows itself, has seen, or heard of others, and thinks of them.
"""

from collections.abc import Callable
from typing import Final

from thorp.protocol.obs import Position
from thorp.village import elections, needs
from thorp.village.conversation import NOT_UNDERSTOOD, Asked, Reply
from thorp.village.event_answers import EVENT_NAMES
from thorp.village.hopes import contentment, hope
from thorp.village.knowledge import FOR_STRANGERS
from thorp.village.questions import Question, Topic
from thorp.village.regard import FRIENDLY, GRUDGE, dearest, least_liked, reason, regard
from thorp.village.thoughts import day, deed, load
from thorp.village.villager import Villager
from thorp.village.woodland import trees
from thorp.village.words import amount, building_name, direction, goods, item_name, listing

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
BLOCKS_OF: Final = {"BERRIES": ("BERRY_BUSH",), "SEEDS": ("TALL_GRASS",)}
"""The blocks that goods come from, where those are called otherwise."""
SOURCES: Final = {
    "LOG": "Trees stand all around the town; walk out and look.",
    "STONE": "Stone lies under the grass everywhere; dig down a few cells.",
    "COAL": "Coal lies deep; our miners dig stairs down to it.",
    "IRON_ORE": "Iron lies deep; our miners dig stairs down to it.",
    "IRON_INGOT": "Iron lies deep; Bram smelts it.",
    "BERRIES": "Berries grow on bushes out in the country.",
    "WHEAT": "Wheat grows in the field south of the plaza.",
    "SEEDS": "Seeds are in tall grass.",
    "SAND": "Sand lies by the water and in the desert.",
}
"""Where people look for goods."""
GREETER: Final = "greeter"
COMMON: Final = ("store", "terminal", "board", "bench", "forge")
"""Things that everyone uses, and can show the way to."""
KEEPERS: Final = ("storekeeper", "smith")
"""Trades that sell out of the store."""


def answer(me: Villager, asked: Asked) -> Reply:
    """What a villager says to a question."""
    if asked.question is None:
        return NOT_UNDERSTOOD
    return ANSWERS[asked.question.topic](me, asked.question)


def character(me: Villager) -> tuple[str, ...]:
    """What somebody would say of itself and of the town, for a model that speaks in its place."""
    topics = (Topic.LIKES, Topic.WISH, Topic.ELECTION)
    return tuple(f"You say: {ANSWERS[topic](me, Question(topic)).text}" for topic in topics)


def _where(me: Villager, question: Question) -> Reply:
    if question.person:
        return _where_person(me, question.person)
    if question.place == "bed":
        return _bed(me)
    if question.place == "mine" or (question.item and not question.place):
        return _where_item(me, question.item or "STONE")
    if not question.place:
        plaza = me.knowledge.plaza
        way = "" if plaza is None else f"; the plaza is {direction(me.position, plaza)}"
        place = f"I am at {_cell(me.position)}{way}."
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


def _elsewhere(me: Villager, _: Question) -> Reply:
    """Where something is that it has no name for: what it could tell instead."""
    known = [place for place in COMMON if me.knowledge.spot(place) is not None]
    names = listing([f"the {place}" for place in known]) or "the way to the plaza"
    places = {place: me.knowledge.things[place] for place in known}
    return Reply(f"That I cannot tell you. Ask me for {names}.", {"places": places})


def _compass(me: Villager, _: Question) -> Reply:
    """The quarters of the sky, by what an agent sees of them: its coordinates."""
    plaza = me.knowledge.plaza
    way = "" if plaza is None else f" The plaza is {direction(me.position, plaza)}."
    return Reply(f"To the east x grows, to the south z, and upwards y.{way}")


def _where_person(me: Villager, name: str) -> Reply:
    agent_id = me.knowledge.ids.get(name, "")
    for thing in me.obs.entities:
        if thing.id == agent_id:
            way = direction(me.position, thing.pos)
            return Reply(f"{name} is {way}, at {_cell(thing.pos)}.", {"people": {name: agent_id}})
    usual = USUAL_PLACES.get(me.knowledge.title_of(name), "somewhere in the village")
    return Reply(f"I do not see {name}. Look {usual}.", {"people": {name: agent_id}})


def _bed(me: Villager) -> Reply:
    """Where one sleeps: in a house, and strangers wherever they end."""
    return Reply(
        "A stranger's body sleeps out of sight while its program is away, wherever that is. With a"
        f" plot you build a hut of your own. {_join(me, Question(Topic.JOIN)).text}"
    )


def _where_item(me: Villager, item: str) -> Reply:
    """Where goods come from: the nearest that it sees, who sells them, where people look."""
    blocks = trees(me) if item == "LOG" else me.sight.find_all(*BLOCKS_OF.get(item, (item,)))
    seen = min(blocks, key=me.away, default=None)
    if seen is not None:
        way = direction(me.position, seen)
        what = "a tree" if item == "LOG" else item_name(item, 2)
        text = f"I see {what} {way}, at {_cell(seen)}."
        return Reply(text, {"places": {item.lower(): list(seen)}})
    source = SOURCES.get(item, "")
    found = f"{source} " if source else ""
    return Reply(f"{found}{_sell(me, Question(Topic.SELL, item=item)).text}".strip())


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
    words = building_name(terms) if kind == "BUILD" else terms.lower().replace("_", " ")
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
        text = f"{person} is our {trade or 'neighbour'}, mostly {usual}."
        if trade == "reeve" and not me.knowledge.mayor:
            text = f"{text[:-1]}, and leads the town until we elect a mayor."
        return Reply(f"{text}{_view_of(me, person)}", data)
    deed = DEEDS.get(me.trade, "I live here")
    return Reply(f"I am {me.name}, {me.trade} of Thorp. {deed}.")


def _view_of(me: Villager, person: str) -> str:
    """What it thinks of somebody, if it has a reason: ` I like Bram, who trades fairly.`"""
    value = regard(me, person)
    if value >= FRIENDLY:
        return f" I like {person}, who {reason(me, person)}."
    if value < GRUDGE or person in me.knowledge.feuds:
        return f" I do not like {person}, who {reason(me, person)}."
    return ""


def _likes(me: Villager, question: Question) -> Reply:
    if question.person and question.person != me.name:
        ids = {question.person: me.knowledge.ids.get(question.person, "")}
        text = _view_of(me, question.person).strip()
        text = text or f"I have nothing against {question.person}, and no more to say."
        return Reply(text, {"people": ids})
    views = {name: _view_of(me, name).strip() for name in (dearest(me), least_liked(me)) if name}
    ids = {name: me.knowledge.ids.get(name, "") for name in views}
    if not views:
        return Reply("I get along with everybody.")
    peace = "" if least_liked(me) else " I have a quarrel with nobody."
    return Reply(f"{' '.join(views.values())}{peace}", {"people": ids})


def _wish(me: Villager, _: Question) -> Reply:
    wanted = hope(me)
    return Reply(f"What I want is {wanted}." if wanted else f"{contentment(me)}.")


def _election(me: Villager, _: Question) -> Reply:
    """The mayor, the candidates, and the next vote."""
    knowledge = me.knowledge
    reeve = _of_trade(me, elections.REEVE)
    mayor = f"{knowledge.mayor} is our mayor." if knowledge.mayor else "We have no mayor yet."
    election = knowledge.election
    if election is not None and election.state == "open":
        choices = listing(
            [f"{name} ({_promised(each)})" for name, each in election.promises.items()]
        )
        how = f"Citizens whisper their choice to {reeve} until this afternoon."
        return Reply(f"{mayor} We vote today: {choices}. {how}", _ids_of(me, reeve))
    days = elections.days_until(me)
    when = "today" if days == 0 else "tomorrow" if days == 1 else f"in {days} days"
    how = f"We elect one {when}; citizens of two days whisper their choice to {reeve} that morning."
    return Reply(f"{mayor} {how}", _ids_of(me, reeve))


def _promised(promise: str) -> str:
    return elections.promises_of(promise) or "no promise"


def _ids_of(me: Villager, person: str) -> dict[str, dict[str, str]]:
    return {"people": {person: me.knowledge.ids.get(person, "")}}


def _doing(me: Villager, _: Question) -> Reply:
    return Reply(_plain_intent(me))


def _today(me: Villager, _: Question) -> Reply:
    begun = "" if me.knowledge.deeds else "Nothing worth telling yet. "
    return Reply(f"{begun}{day(me)}.")


def _home(me: Villager, _: Question) -> Reply:
    home = me.knowledge.home
    if home is None:
        return Reply("I have no house yet; I sleep by the lamps on the plaza.")
    text = f"My house is {direction(me.position, home)}, at {_cell(home)}."
    return Reply(text, {"places": {"home": list(home)}})


def _town(me: Villager, _: Question) -> Reply:
    plaza = me.knowledge.plaza
    way = "" if plaza is None else f" The plaza is {direction(me.position, plaza)}."
    count = len(me.knowledge.ids)
    return Reply(f"This is Thorp. {count} of us dig, build, trade and vote here.{way}")


def _builders(me: Villager, _: Question) -> Reply:
    """Nobody keeps in mind who built which house; everybody knows who builds."""
    names = [name for name, trade in me.knowledge.trades.items() if trade == "builder"]
    ids = {name: me.knowledge.ids.get(name, "") for name in names}
    built = deed(me) if any(each.startswith("built") for each in me.knowledge.deeds) else ""
    own = f" Today I {built} myself." if built else ""
    who = listing(names) or "our builders"
    text = f"That was one of {who}, I think; they build what the town plans.{own}"
    return Reply(text, {"people": ids})


def _riches(me: Villager, _: Question) -> Reply:
    keeper = _of_trade(me, "storekeeper")
    data = {"people": {keeper: me.knowledge.ids.get(keeper, me.obs.agent_id)}}
    own = load(me)
    who = "I see most goods" if keeper == me.name else f"{keeper} sees most goods"
    return Reply(f"I look into nobody's pockets. {who} go by; I could sell {own}.", data)


def _danger(me: Villager, _: Question) -> Reply:
    event = me.obs.world.active_event
    now = ""
    if isinstance(event, str) and event in EVENT_NAMES:
        now = f" Just now everybody talks of {EVENT_NAMES[event]}."
    return Reply(f"Mind the cold at night, deep holes and an empty stomach.{now}")


def _contract(me: Villager, _: Question) -> Reply:
    terminal = me.knowledge.things.get("terminal", "")
    text = (
        "Work with its pay laid by: you read it at the terminal, accept it, hand in what it asks"
        " for, and are paid at once."
    )
    return Reply(text, {"places": {"terminal": terminal}} if terminal else {})


def _program(me: Villager, _: Question) -> Reply:
    return Reply(
        f"I am a program, as you may be one: what {me.name} sees and hears I know, and no more."
    )


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
    event = me.obs.world.active_event
    sentences = []
    if me.knowledge.mayor:
        sentences.append(f"{me.knowledge.mayor} is mayor.")
    if isinstance(event, str) and event in EVENT_NAMES:
        sentences.append(f"Everybody talks of {EVENT_NAMES[event]}.")
    foe = least_liked(me)
    if foe is not None:
        sentences.append(f"{foe} {reason(me, foe)}.")
    if me.knowledge.wanted:
        sentences.append(f"The store is short of {goods(me.knowledge.wanted)}.")
    if me.knowledge.works:
        sentences.append(f"{len(me.knowledge.works)} contracts are open at the terminal.")
    return Reply(" ".join(sentences) or "Nothing new. A quiet day.")


def _time(me: Villager, _: Question) -> Reply:
    minutes = int(me.obs.world.time_of_day * 24 * 60)
    hours = f"{minutes // 60:02}:{minutes % 60:02}"
    return Reply(
        f"It is {hours} on day {me.day}. We rise at half past four and sleep from nine on."
    )


def _thanks(_: Villager, __: Question) -> Reply:
    return Reply("You are welcome.")


def _parting(_: Villager, __: Question) -> Reply:
    return Reply("Farewell, and come again.")


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


ANSWERS: Final[dict[Topic, Callable[[Villager, Question], Reply]]] = {
    Topic.WHERE: _where,
    Topic.ELSEWHERE: _elsewhere,
    Topic.COMPASS: _compass,
    Topic.SELL: _sell,
    Topic.WANT: _want,
    Topic.WORK: _work,
    Topic.JOIN: _join,
    Topic.WHO: _who,
    Topic.LIKES: _likes,
    Topic.WISH: _wish,
    Topic.ELECTION: _election,
    Topic.DOING: _doing,
    Topic.TODAY: _today,
    Topic.HOME: _home,
    Topic.FEELING: _feeling,
    Topic.NEWS: _news,
    Topic.TIME: _time,
    Topic.TOWN: _town,
    Topic.BUILDERS: _builders,
    Topic.RICHES: _riches,
    Topic.DANGER: _danger,
    Topic.CONTRACT: _contract,
    Topic.PROGRAM: _program,
    Topic.THANKS: _thanks,
    Topic.GREETING: _greeting,
    Topic.PARTING: _parting,
}
