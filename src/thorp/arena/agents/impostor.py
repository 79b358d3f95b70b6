"""Bots for impostor. All know words only by the clues of `thorp.arena.scenarios.topics`."""

from collections.abc import Sequence
from typing import TypeVar

from thorp.arena.contract import AgentContext, SimpleAgent
from thorp.arena.scenarios.topics import TOPICS, Topic
from thorp.kernel.canonical import Json
from thorp.kernel.rng import bounded

T = TypeVar("T")

_TOPICS = {topic.name: topic for topic in TOPICS}


class _WordBot(SimpleAgent):
    """The base of these bots: one method for each phase."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        topic = _TOPICS[observation["topic"]]
        phase = observation["phase"]
        if phase == "clue":
            given = {clue for clues in observation["clues"] for clue in clues if clue}
            free = [clue for clue in topic.clues if clue not in given]
            return {"clue": self.clue(observation, topic, free, ctx)}
        if phase == "vote":
            return {"vote": self.vote(observation, topic, ctx)}
        return {"guess": self.guess(observation, topic, ctx)}

    def clue(self, observation: Json, topic: Topic, free: list[str], ctx: AgentContext) -> str:
        """The clue to give, one of those that nobody has given."""
        return _any(free, ctx)

    def vote(self, observation: Json, topic: Topic, ctx: AgentContext) -> int:
        """Whom to vote for."""
        return _any(_others(observation), ctx)

    def guess(self, observation: Json, topic: Topic, ctx: AgentContext) -> str:
        """The word that is most likely secret."""
        words: list[str] = observation["words"]
        return _any(words, ctx)


class RandomWords(_WordBot):
    """Gives any clue of the topic, votes for anybody, and names any word."""


class BluntWords(_WordBot):
    """Gives the clue that fits the word best, and votes for a seat whose clues fit it least. As the
    impostor it gives any clue, and names the word that most clues fit."""

    def clue(self, observation: Json, topic: Topic, free: list[str], ctx: AgentContext) -> str:
        word = observation["word"]
        fitting = [] if word is None else [each for each in topic.clues_of[word] if each in free]
        return fitting[0] if fitting else _any(free, ctx)

    def vote(self, observation: Json, topic: Topic, ctx: AgentContext) -> int:
        word = observation["word"]
        others = _others(observation)
        if word is None:
            return _any(others, ctx)
        doubts = {seat: _misfits(observation, topic, seat, word) for seat in others}
        most = max(doubts.values())
        return _any([seat for seat in others if doubts[seat] == most], ctx)

    def guess(self, observation: Json, topic: Topic, ctx: AgentContext) -> str:
        return _likeliest(observation, topic, ctx)


class CarefulWords(BluntWords):
    """Gives clues that fit several words, so that an impostor learns little. As the impostor it
    gives a clue that fits what the others seem to mean, and votes with the crowd: for whoever fits
    that least."""

    def clue(self, observation: Json, topic: Topic, free: list[str], ctx: AgentContext) -> str:
        word = observation["word"]
        if word is None:
            if observation["clues"]:
                word = _likeliest(observation, topic, ctx)
            else:  # Nothing is known yet: a clue that fits as many words as any.
                widest = max(len(topic.clues[clue]) for clue in free)
                return _any([clue for clue in free if len(topic.clues[clue]) == widest], ctx)
        fitting = [each for each in topic.clues_of[word] if each in free]
        if not fitting:
            return _any(free, ctx)
        vague = [clue for clue in fitting if len(topic.clues[clue]) >= 3]
        return _any(vague or fitting, ctx)

    def vote(self, observation: Json, topic: Topic, ctx: AgentContext) -> int:
        if observation["word"] is None:
            word = _likeliest(observation, topic, ctx)
            return super().vote({**observation, "word": word}, topic, ctx)
        return super().vote(observation, topic, ctx)


def _any(choices: Sequence[T], ctx: AgentContext) -> T:
    return choices[int(bounded(ctx.rng(), 0, len(choices) - 1))]


def _others(observation: Json) -> list[int]:
    return [seat for seat in range(observation["seats"]) if seat != observation["seat"]]


def _misfits(observation: Json, topic: Topic, seat: int, word: str) -> int:
    """How many of a seat's clues do not fit a word; silence counts as one that does not."""
    given = [clues[seat] for clues in observation["clues"]]
    return sum(1 for clue in given if word not in topic.clues.get(clue or "", ()))


def _likeliest(observation: Json, topic: Topic, ctx: AgentContext) -> str:
    """The word that most of the others' clues fit, one that fits few words counting more."""
    weights: dict[str, float] = dict.fromkeys(observation["words"], 0.0)
    for clues in observation["clues"]:
        for seat in _others(observation):
            for word in topic.clues.get(clues[seat] or "", ()):
                weights[word] += 1 / len(topic.clues[clues[seat]])
    most = max(weights.values())
    return _any([word for word in weights if weights[word] == most], ctx)
