"""Number guess: find the secret number; after each guess you learn whether it is higher or lower.

`docs/scenarios.md` has the rules. The secret is in every summary, so players must not see the
log.
"""

from collections.abc import Sequence
from typing import Final

from thorp.arena.contract import Adjudication
from thorp.arena.scenarios.validation import Seats
from thorp.kernel.canonical import Json, is_plain
from thorp.kernel.numbers import as_number
from thorp.kernel.rng import Mulberry32

INVALID_GUESS: Final = "Invalid guess: out of range or non-integer"
_NO_GUESS: Final = object()


class _NumberGuessState:
    """The secret, and by id each player's part of the summary. `plain` says whether everything that
    is shown of the state is plain; one invalid guess, which may be any value, ends that."""

    __slots__ = ("guess_count", "plain", "players", "secret", "winner")

    def __init__(self, secret: float, agent_ids: Sequence[str]) -> None:
        self.secret = secret
        self.players: dict[str, dict[str, Json]] = {
            agent_id: {"lastGuess": None, "feedback": None, "guessCount": 0}
            for agent_id in agent_ids
        }
        self.winner: str | None = None
        self.guess_count = 0
        self.plain = False


class NumberGuess:
    """The scenario: `minimum` and `maximum` are both included, and may be any numbers."""

    name = "NumberGuess"
    seats: Seats = (1, None)
    briefing = (
        "Find the secret whole number from rangeMin to rangeMax. After a guess, feedback says "
        'whether the secret is higher or lower than lastGuess. Answer {"guess": N}.'
    )

    def __init__(self, minimum: float = 1, maximum: float = 100) -> None:
        self.minimum = as_number(minimum)
        self.maximum = as_number(maximum)

    def init(self, seed: int, agent_ids: Sequence[str]) -> _NumberGuessState:
        state = _NumberGuessState(Mulberry32(seed).integer(self.minimum, self.maximum), agent_ids)
        state.plain = is_plain([self.minimum, self.maximum, state.secret, *agent_ids])
        return state

    def observe(self, state: _NumberGuessState, agent_id: str) -> Json:
        player = state.players[agent_id]
        return {
            "rangeMin": self.minimum,
            "rangeMax": self.maximum,
            "lastGuess": player.get("lastGuess"),
            "feedback": player["feedback"],
            "turn": state.guess_count,
        }

    def parameters_from(self, observation: Json) -> dict[str, Json]:
        return {"minimum": observation["rangeMin"], "maximum": observation["rangeMax"]}

    def adjudicate(self, state: _NumberGuessState, agent_id: str, action: Json) -> Adjudication:
        guess: Json = action.get("guess", _NO_GUESS) if type(action) is dict else _NO_GUESS
        is_whole = type(guess) is int or (type(guess) is float and guess.is_integer())
        if not (is_whole and self.minimum <= guess <= self.maximum):
            return _refuse(state, agent_id, guess)
        secret = state.secret
        if guess < secret:
            feedback = "higher"
        elif guess > secret:
            feedback = "lower"
        else:
            feedback = "correct"
            state.winner = agent_id
        players = state.players
        guess_count = players[agent_id]["guessCount"] + 1
        players[agent_id] = {"lastGuess": guess, "feedback": feedback, "guessCount": guess_count}
        state.guess_count += 1
        return Adjudication(True, {"feedback": feedback}, state)

    def is_terminal(self, state: _NumberGuessState) -> bool:
        return state.winner is not None

    def is_plain(self, state: _NumberGuessState) -> bool:
        return state.plain

    def score(self, state: _NumberGuessState) -> dict[str, float]:
        return {agent_id: 100 if agent_id == state.winner else 0 for agent_id in state.players}

    def summarize(self, state: _NumberGuessState) -> Json:
        return {
            "winner": state.winner,
            "secretNumber": state.secret,
            "agentFeedback": state.players,
        }


def _refuse(state: _NumberGuessState, agent_id: str, guess: Json) -> Adjudication:
    """The verdict on a guess that is not a whole number of the range, or on an action without
    one."""
    state.plain = False
    player = {"feedback": "invalid", "guessCount": state.players[agent_id]["guessCount"]}
    if guess is _NO_GUESS:
        state.players[agent_id] = player
        return Adjudication(False, {"error": INVALID_GUESS}, state)
    state.players[agent_id] = {"lastGuess": guess, **player}
    return Adjudication(False, {"error": INVALID_GUESS, "guess": guess}, state)
