"""Bots for fireworks: blind, cautious, and one that signals."""

from collections.abc import Iterator

from thorp.arena.contract import AgentContext, SimpleAgent
from thorp.kernel.canonical import Json
from thorp.kernel.rng import bounded


class RandomFireworks(SimpleAgent):
    """Plays, discards or hints with equal chance, anything that is legal."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        kinds = [_plays(observation), _discards(observation), list(_hints(observation))]
        kinds = [moves for moves in kinds if moves]
        moves = kinds[int(bounded(ctx.rng(), 0, len(kinds) - 1))]
        return moves[int(bounded(ctx.rng(), 0, len(moves) - 1))]


class CautiousFireworks(SimpleAgent):
    """Plays only cards that surely fit, hints what completes the knowledge of a card that fits,
    and else discards its oldest card."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        sure = _sure_play(observation)
        if sure is not None:
            return {"move": "play", "card": sure}
        for hint in _hints(observation):
            if _completes(observation, hint):
                return hint
        if observation["hints"] < observation["maxHints"]:
            return {"move": "discard", "card": _useless(observation) or 0}
        return next(_hints(observation))


class SignallingFireworks(SimpleAgent):
    """Agrees with its like on what a hint means: play the newest card that it names.

    It plays what surely fits, then what was signalled, unless that can no longer fit. It signals
    where the newest card named fits, discards what surely is of no use, and else its oldest card
    that no hint has named, sparing fives and last copies as far as it knows them.
    """

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        sure = _sure_play(observation)
        if sure is not None:
            return {"move": "play", "card": sure}
        signalled = _signalled(observation, observation["seat"])
        if signalled is not None and _may_fit(observation, _own(observation)[signalled]):
            return {"move": "play", "card": signalled}
        hint = _best_signal(observation)
        if hint is not None:
            return hint
        if observation["hints"] == observation["maxHints"]:
            return _idle_hint(observation)
        useless = _useless(observation)
        if useless is not None:
            return {"move": "discard", "card": useless}
        return {"move": "discard", "card": _unnamed(observation)}


# What can be done


def _own(observation: Json) -> list[Json]:
    hand: list[Json] = observation["hands"][observation["seat"]]
    return hand


def _plays(observation: Json) -> list[Json]:
    return [{"move": "play", "card": card} for card in range(len(_own(observation)))]


def _discards(observation: Json) -> list[Json]:
    if observation["hints"] == observation["maxHints"]:
        return []
    return [{"move": "discard", "card": card} for card in range(len(_own(observation)))]


def _hints(observation: Json) -> Iterator[Json]:
    """Every legal hint, to the next seat first."""
    if not observation["hints"]:
        return
    seats = len(observation["hands"])
    for step in range(1, seats):
        seat = (observation["seat"] + step) % seats
        cards = [held["card"] for held in observation["hands"][seat]]
        for colour in sorted({card[0] for card in cards}):
            yield {"move": "hint", "seat": seat, "colour": colour}
        for rank in sorted({int(card[1]) for card in cards}):
            yield {"move": "hint", "seat": seat, "rank": rank}


def _named(observation: Json, hint: Json) -> list[int]:
    """The cards that a hint would name."""
    mark = hint.get("colour") or str(hint["rank"])
    hand = observation["hands"][hint["seat"]]
    return [index for index, held in enumerate(hand) if mark in held["card"]]


# What is known


def _fits(observation: Json, card: str) -> bool:
    return bool(observation["stacks"][card[0]] == int(card[1]) - 1)


def _possible(held: Json) -> list[str]:
    """The cards that a held one may be, by hints alone."""
    return [f"{colour}{rank}" for colour in held["colours"] for rank in held["ranks"]]


def _may_fit(observation: Json, held: Json) -> bool:
    return any(_fits(observation, card) for card in _possible(held))


def _sure_play(observation: Json) -> int | None:
    for index, held in enumerate(_own(observation)):
        if all(_fits(observation, card) for card in _possible(held)):
            return index
    return None


def _useless(observation: Json) -> int | None:
    """An own card that surely will never fit: whatever it may be, its stack is past it."""
    stacks = observation["stacks"]
    for index, held in enumerate(_own(observation)):
        if all(stacks[card[0]] >= int(card[1]) for card in _possible(held)):
            return index
    return None


def _completes(observation: Json, hint: Json) -> bool:
    """Whether a hint tells somebody the last thing about a card that fits."""
    for index in _named(observation, hint):
        held = observation["hands"][hint["seat"]][index]
        one_colour = len(held["colours"]) == 1
        one_rank = len(held["ranks"]) == 1
        news = not one_colour if "colour" in hint else not one_rank
        knows_rest = one_rank if "colour" in hint else one_colour
        # A rank alone is enough for a one while no stack has begun, and so on.
        if _fits(observation, held["card"]) and news and (knows_rest or "rank" in hint):
            return True
    return False


# Signals


def _signalled(observation: Json, seat: int) -> int | None:
    """The card that the latest hint to a seat tells it to play, if it has not moved since."""
    for event in reversed(observation["history"]):
        if event["seat"] == seat:
            return None
        if event["move"] == "hint" and event["to"] == seat:
            newest: int = event["cards"][-1]
            return newest
    return None


def _best_signal(observation: Json) -> Json | None:
    """The hint whose newest named card fits now, to a seat that is not signalled yet; among those
    the one that names most cards."""
    best = None
    for hint in _hints(observation):
        if _signalled(observation, hint["seat"]) is not None:
            continue
        named = _named(observation, hint)
        held = observation["hands"][hint["seat"]][named[-1]]
        if _fits(observation, held["card"]) and not _claimed(observation, held["card"]):
            best = max(best or (0, hint), (len(named), hint), key=lambda pair: pair[0])
    return None if best is None else best[1]


def _claimed(observation: Json, card: str) -> bool:
    """Whether somebody else was just told to play the same card."""
    for seat, hand in enumerate(observation["hands"]):
        if seat == observation["seat"]:
            continue
        index = _signalled(observation, seat)
        if index is not None and index < len(hand) and hand[index]["card"] == card:
            return True
    return False


def _idle_hint(observation: Json) -> Json:
    """A hint that signals a card which cannot fit, so that nobody is misled: one whose newest named
    card is surely seen to be useless once the hint is given, else any."""
    hints = list(_hints(observation))
    for hint in hints:
        held = observation["hands"][hint["seat"]][_named(observation, hint)[-1]]
        ranks = [hint["rank"]] if "rank" in hint else held["ranks"]
        colours = [hint["colour"]] if "colour" in hint else list(held["colours"])
        knowledge = {"colours": colours, "ranks": ranks}
        if not _may_fit(observation, knowledge):
            return hint
    return hints[-1]


def _unnamed(observation: Json) -> int:
    """The oldest own card of which no hint has told anything; else the oldest that is no five."""
    ranks = observation["ranks"]
    own = _own(observation)
    for index, held in enumerate(own):
        if len(held["ranks"]) > 1 and ranks in held["ranks"] and len(held["colours"]) > 1:
            return index
    for index, held in enumerate(own):
        if held["ranks"] != [ranks]:
            return index
    return 0
