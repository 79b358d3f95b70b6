"""Impostor: a hidden-role game in words. All but one know the secret word; who is it?

`docs/scenarios.md` has the rules. A match has `games` games. Everybody sees the same topic with its
words; one of them is secret, and everybody but the impostor learns which. In each of `rounds`
rounds all give one word as a clue, at the same time; then all vote. If the impostor alone has most
votes it is caught, and may still name the secret word.

A turn is a round of clues, a vote, or a guess. A seat that is silent gives no clue or no vote, or
names no word. Seats are numbers, so that no name tells who plays.
"""

import re
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from thorp.arena.contract import Adjudication
from thorp.arena.scenarios.topics import TOPICS
from thorp.arena.scenarios.validation import (
    Seats,
    integer_field,
    integer_parameter,
    refused,
    take_seats,
)
from thorp.arena.sealed import SealedDraws, open_draws
from thorp.kernel.canonical import Json

ESCAPED: Final = 2  # What the impostor scores if it is not caught.
NAMED: Final = 1  # What it scores if it is caught and names the word.
CAUGHT: Final = 1  # What everybody else scores if it is caught.

CLUE: Final = re.compile(r"[a-z]{2,20}")
"""One word of small letters: a sentence would make the game one of eloquence, and any other script
one of look-alikes."""
_CLUE_RULE: Final = "a clue is one word of 2 to 20 letters a to z"

Phase: TypeAlias = Literal["clue", "vote", "guess", "over"]


class Deal(msgspec.Struct, frozen=True):
    """What is drawn for a game: the topic, which of its words is secret, and who is the
    impostor."""

    topic: int
    word: int
    impostor: int

    def words(self) -> tuple[str, ...]:
        """All words of the topic, which everybody sees."""
        return tuple(TOPICS[self.topic].words)

    def secret(self) -> str:
        """The word that the impostor does not know."""
        return self.words()[self.word]


class Ended(msgspec.Struct, frozen=True):
    """A finished game: who was the impostor, the word, all votes, and what each seat scored."""

    deal: Deal
    clues: tuple[tuple[str | None, ...], ...]
    votes: tuple[int | None, ...]
    caught: bool
    named: str | None
    gains: tuple[int, ...]


class _ImpostorState(msgspec.Struct, frozen=True):
    """`choices` are those of the present turn, by seat; None for a seat that has not chosen."""

    ids: tuple[str, ...]
    deals: tuple[Deal, ...]
    phase: Phase
    clues: tuple[tuple[str | None, ...], ...] = ()
    votes: tuple[int | None, ...] = ()
    choices: tuple[str | int | None, ...] = ()
    ended: tuple[Ended, ...] = ()
    points: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()

    def deal(self) -> Deal:
        """The game that is played, or the last one."""
        return self.deals[min(len(self.ended), len(self.deals) - 1)]


class Impostor:
    """The scenario: `games` games with `rounds` rounds of clues each."""

    name = "impostor"
    briefing = (
        "A game of hidden roles. One word of the list `words` is secret; all seats know it but "
        "one, the impostor. In each round all give one word as a clue at the same time; then all "
        f"vote for who is the impostor. If it alone has most votes it is caught: each other seat "
        f"scores {CAUGHT}, and the impostor {NAMED} if it then names the word. If not it scores "
        f'{ESCAPED}. In phase "clue" answer {{"clue": "WORD"}}, one word of letters a to z that '
        'is none of the list; in phase "vote" {"vote": SEAT}; in phase "guess" {"guess": "WORD"} '
        "from the list."
    )
    seats: Seats = (3, 8)
    sealed = True
    rules = 1

    def __init__(self, games: int = 3, rounds: int = 2) -> None:
        self.games = integer_parameter("games", games, 1, 100)
        self.rounds = integer_parameter("rounds", rounds, 1, 5)

    def init(self, seed: int, agent_ids: Sequence[str]) -> _ImpostorState:
        return self.init_sealed(seed, agent_ids, open_draws(seed))

    def init_sealed(
        self, seed: int, agent_ids: Sequence[str], draws: SealedDraws
    ) -> _ImpostorState:
        ids = take_seats(self.name, agent_ids, self.seats)
        deals = []
        for game in range(self.games):
            topic = draws.below(len(TOPICS), "topic", game)
            word = draws.below(len(TOPICS[topic].words), "word", game)
            deals.append(Deal(topic, word, draws.below(len(ids), "impostor", game)))
        return self.begin(ids, tuple(deals))

    def begin(self, ids: Sequence[str], deals: tuple[Deal, ...]) -> _ImpostorState:
        """A match of these games."""
        nothing = (0,) * len(ids)
        return _ImpostorState(
            ids=tuple(ids),
            deals=deals,
            phase="clue",
            choices=(None,) * len(ids),
            points=nothing,
            missed=nothing,
        )

    def to_act(self, state: _ImpostorState) -> tuple[str, ...]:
        return tuple(state.ids[seat] for seat in _choosers(state))

    def observe(self, state: _ImpostorState, agent_id: str) -> Json:
        seat = state.ids.index(agent_id)
        deal = state.deal()
        is_impostor = deal.impostor == seat
        last = state.ended[-1] if state.ended else None
        return {
            "seat": seat,
            "seats": len(state.ids),
            "game": min(len(state.ended) + 1, self.games),
            "games": self.games,
            "rounds": self.rounds,
            "phase": state.phase,
            "role": "impostor" if is_impostor else "honest",
            "topic": TOPICS[deal.topic].name,
            "words": list(deal.words()),
            "word": None if is_impostor else deal.secret(),
            "clues": [list(clues) for clues in state.clues],
            "votes": list(state.votes),
            "points": list(state.points),
            "last": None if last is None else _ended_view(last),
        }

    def parameters_from(self, observation: Json) -> dict[str, Json]:
        return {"games": observation["games"], "rounds": observation["rounds"]}

    def adjudicate(self, state: _ImpostorState, agent_id: str, action: Json) -> Adjudication:
        seat = state.ids.index(agent_id)
        if seat not in _choosers(state) or state.choices[seat] is not None:
            return refused(state, "you have chosen in this turn, or are not to choose")
        choice: str | int | None
        if state.phase == "clue":
            choice, reason = _read_clue(state, action)
        elif state.phase == "vote":
            choice, reason = _read_vote(state, seat, action)
        else:
            choice, reason = _read_guess(state, action)
        if choice is None:
            return refused(state, reason)
        choices = (*state.choices[:seat], choice, *state.choices[seat + 1 :])
        return Adjudication(True, {"noted": True}, msgspec.structs.replace(state, choices=choices))

    def end_turn(self, state: _ImpostorState) -> _ImpostorState:
        """Show what was chosen, and go on to the next phase or the next game."""
        if state.phase == "over":
            return state
        choosers = _choosers(state)
        chosen = state.choices
        missed = tuple(
            count + (seat in choosers and chosen[seat] is None)
            for seat, count in enumerate(state.missed)
        )
        state = msgspec.structs.replace(state, missed=missed, choices=(None,) * len(state.ids))
        if state.phase == "clue":
            clues = (*state.clues, chosen)
            phase: Phase = "vote" if len(clues) == self.rounds else "clue"
            return msgspec.structs.replace(state, clues=clues, phase=phase)
        if state.phase == "vote":
            voted = msgspec.structs.replace(state, votes=chosen)
            if _most_voted(chosen) == state.deal().impostor:
                return msgspec.structs.replace(voted, phase="guess")
            return _closed(voted, caught=False, named=None)
        named = chosen[state.deal().impostor]
        return _closed(state, caught=True, named=named if isinstance(named, str) else None)

    def is_terminal(self, state: _ImpostorState) -> bool:
        return state.phase == "over"

    def score(self, state: _ImpostorState) -> dict[str, float]:
        return dict(zip(state.ids, state.points, strict=True))

    def summarize(self, state: _ImpostorState) -> Json:
        deal = state.deal()
        return {
            "game": min(len(state.ended) + 1, self.games),
            "phase": state.phase,
            "topic": TOPICS[deal.topic].name,
            "word": deal.secret(),
            "impostor": deal.impostor,
            "clues": [list(clues) for clues in state.clues],
            "votes": list(state.votes),
            "points": list(state.points),
            "missed": list(state.missed),
            "last": _ended_view(state.ended[-1]) if state.ended else None,
        }


def _choosers(state: _ImpostorState) -> tuple[int, ...]:
    """The seats that choose in this turn, whether they have or not."""
    if state.phase == "over":
        return ()
    return (state.deal().impostor,) if state.phase == "guess" else tuple(range(len(state.ids)))


def _read_clue(state: _ImpostorState, action: Json) -> tuple[str | None, str]:
    clue = action.get("clue") if type(action) is dict else None
    clue = clue.lower() if type(clue) is str else ""
    if CLUE.fullmatch(clue) is None:
        return None, _CLUE_RULE
    if any(word in clue or clue in word for word in state.deal().words()):
        return None, "a clue may not contain a word of the list, nor be part of one"
    if any(clue in clues for clues in state.clues):
        return None, "this clue has been given already"
    return clue, ""


def _read_vote(state: _ImpostorState, seat: int, action: Json) -> tuple[int | None, str]:
    vote = integer_field(action, "vote")
    if vote is None or not 0 <= vote < len(state.ids) or vote == seat:
        return None, f"vote must be the number of another seat, 0 to {len(state.ids) - 1}"
    return vote, ""


def _read_guess(state: _ImpostorState, action: Json) -> tuple[str | None, str]:
    guess = action.get("guess") if type(action) is dict else None
    guess = guess.lower() if type(guess) is str else None
    if guess not in state.deal().words():
        return None, "guess must be a word of the list"
    return guess, ""


def _most_voted(votes: Sequence[str | int | None]) -> int | None:
    """The seat that alone has most votes."""
    counts = [votes.count(seat) for seat in range(len(votes))]
    most = max(counts)
    return counts.index(most) if most and counts.count(most) == 1 else None


def _closed(state: _ImpostorState, *, caught: bool, named: str | None) -> _ImpostorState:
    """The state after a game is scored; the next begins, or the match is over."""
    deal = state.deal()
    escape = NAMED if named == deal.secret() else 0
    gains = tuple(
        (escape if caught else ESCAPED) if seat == deal.impostor else CAUGHT * caught
        for seat in range(len(state.ids))
    )
    ended = (
        *state.ended,
        Ended(
            deal=deal, clues=state.clues, votes=state.votes, caught=caught, named=named, gains=gains
        ),
    )
    return msgspec.structs.replace(
        state,
        phase="over" if len(ended) == len(state.deals) else "clue",
        clues=(),
        votes=(),
        ended=ended,
        points=tuple(p + gain for p, gain in zip(state.points, gains, strict=True)),
    )


def _ended_view(ended: Ended) -> dict[str, Json]:
    return {
        "word": ended.deal.secret(),
        "impostor": ended.deal.impostor,
        "clues": [list(clues) for clues in ended.clues],
        "votes": list(ended.votes),
        "caught": ended.caught,
        "named": ended.named,
        "gains": list(ended.gains),
    }
