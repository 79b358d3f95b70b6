"""Every game of TextArena that plays offline, as the scenario `textarena:ID`.

    seats     as many agents as there are; the game refuses a number that it is not for
    view      the messages that a seat has got so far; only the seat that is to speak is asked
    action    {"text": "…"}; the game judges it, and mostly forgives one that it cannot read, once
    missed    an empty text is said for a seat that was asked and gave none
    score     the game's rewards, mostly -1, 0 or 1

Its games draw from Python's global generator, and seed it. So each state here holds the state of
that generator, which is put in place around a call and taken out again: play one match at a time in
a process. A call works on a deep copy of the game, because a state must not change.

Refused games (`REFUSED`) are never imported: some load data from the network when they are
imported, some need a paid model as judge, some draw from a generator that nobody seeds.
"""

import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from copy import deepcopy
from io import StringIO
from typing import Any, Final

import msgspec

from thorp.arena.contract import Adjudication, Scenario
from thorp.arena.scenarios.validation import Seats, refused, take_seats
from thorp.arena.sealed import SealedDraws, open_draws
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError

TEXT_LIMIT: Final = 8_000
"""The longest text of one action, in characters: two pages, which no game asks for."""
_SEATS_LIMIT: Final = 15
_SEED_RANGE: Final = 2**32
_RAW: Final = "-raw"
_OTHER_FORMS: Final = ("-raw", "-train")
_HALF_CHARACTER: Final = re.compile("[\ud800-\udfff]")

_DATA: Final = "it loads word lists of nltk from the network when it is imported"
_JUDGE: Final = "it needs a paid model as judge"
_UNSEEDED: Final = "it draws from a generator that no seed reaches"
_FILES: Final = "its package lacks its data files"
_NEWER: Final = "its code needs Python 3.12"
_BROKEN: Final = "its code does not run"

REFUSED: Final = {
    **dict.fromkeys(
        (
            *("Codenames", "DontSayIt", "Hangman", "LetterAuction"),
            *("WordChains", "WordLadder", "WordSearch", "Wordle"),
        ),
        _DATA,
    ),
    **dict.fromkeys(("Debate", "GuessWho", "ScenarioPlanning", "TwentyQuestions"), _JUDGE),
    **dict.fromkeys(("IteratedStagHunt", "SpellingBee", "Sokoban"), _UNSEEDED),
    **dict.fromkeys(("ScorableGames", "UsedCarNegotiation"), _FILES),
    "CharacterConclave": _BROKEN,
    "UsedCar": _BROKEN,
}
"""Why a game is not played here, by the name of its module in TextArena."""
NEEDS_3_12: Final = (
    *("Checkers", "Chess", "Klondike", "ReverseTicTacToe"),
    "UltimateTexasHoldem",
)


class _TextState(msgspec.Struct, frozen=True):
    """`env` is the game and `generator` the global generator as the game left it; neither changes
    once it is here. `messages` are by seat. `rewards` are there when the game is over."""

    ids: tuple[str, ...]
    env: Any
    generator: Any
    mover: int
    messages: tuple[tuple[Json, ...], ...]
    rewards: tuple[float, ...] | None = None
    turn: int = 0
    missed: tuple[int, ...] = ()
    moved: int | None = None


class TextGame:
    """The scenario of one game of TextArena."""

    seats: Seats = (1, _SEATS_LIMIT)
    sealed = True

    def __init__(self, game: str) -> None:
        self.name = f"textarena:{game}"
        self._id = f"{game}{_RAW}"
        self.briefing = (
            f"{game}, as TextArena plays it. `messages` are the rules and all that you have heard. "
            'Answer {"text": "…"}, in the form that the rules ask for.'
        )

    def init(self, seed: int, agent_ids: Sequence[str]) -> _TextState:
        return self.init_sealed(seed, agent_ids, open_draws(seed))

    def init_sealed(self, seed: int, agent_ids: Sequence[str], draws: SealedDraws) -> _TextState:
        ids = take_seats(self.name, agent_ids, self.seats)
        inner = draws.below(_SEED_RANGE, "seed", 0)
        start = random.Random(inner).getstate()
        with _generator(start):
            try:
                env = _textarena().make(self._id)
                env.reset(num_players=len(ids), seed=inner)
                mover, heard = env.get_observation()
            except Exception as failure:
                raise InvalidError(
                    f"{self.name} refuses {len(ids)} seats: {failure}", code="seats"
                ) from failure
            generator = random.getstate()
        messages: list[tuple[Json, ...]] = [()] * len(ids)
        messages[mover] = _messages(heard)
        return _TextState(
            ids=ids,
            env=env,
            generator=generator,
            mover=mover,
            messages=tuple(messages),
            missed=(0,) * len(ids),
        )

    def to_act(self, state: _TextState) -> tuple[str, ...]:
        return () if self.is_terminal(state) else (state.ids[state.mover],)

    def observe(self, state: _TextState, agent_id: str) -> Json:
        seat = state.ids.index(agent_id)
        return {
            "seat": seat,
            "toMove": not self.is_terminal(state) and seat == state.mover,
            "messages": list(state.messages[seat]),
        }

    def adjudicate(self, state: _TextState, agent_id: str, action: Json) -> Adjudication:
        seat = state.ids.index(agent_id)
        if self.is_terminal(state) or seat != state.mover:
            return refused(state, "it is not your move, or the game is over")
        text = action.get("text") if type(action) is dict else None
        if type(text) is not str or len(text) > TEXT_LIMIT or _HALF_CHARACTER.search(text):
            return refused(state, f"text must be a text of at most {TEXT_LIMIT} characters")
        after = self._said(state, text)
        if after is None:
            return refused(state, "the game could not read this")
        return Adjudication(True, {"said": True}, msgspec.structs.replace(after, moved=seat))

    def end_turn(self, state: _TextState) -> _TextState:
        """Say nothing for a seat that was asked and gave no text. If the game fails even at that,
        the seat has lost."""
        asked = state.moved is None or state.mover > state.moved
        if not self.is_terminal(state) and asked:
            seat = state.mover
            missed = (*state.missed[:seat], state.missed[seat] + 1, *state.missed[seat + 1 :])
            state = msgspec.structs.replace(state, missed=missed)
            lost = tuple(-1.0 if other == seat else 0.0 for other in range(len(state.ids)))
            state = self._said(state, "") or msgspec.structs.replace(state, rewards=lost)
        return msgspec.structs.replace(state, moved=None)

    def is_terminal(self, state: _TextState) -> bool:
        return state.rewards is not None

    def score(self, state: _TextState) -> dict[str, float]:
        return dict(zip(state.ids, state.rewards or (0.0,) * len(state.ids), strict=True))

    def summarize(self, state: _TextState) -> Json:
        heard = state.messages[state.mover]
        return {
            "env": self._id,
            "turn": state.turn,
            "mover": state.mover,
            "text": heard[-1]["text"] if heard else "",
            "missed": list(state.missed),
        }

    def _said(self, state: _TextState, text: str) -> _TextState | None:
        """The state after the mover has said something; None if the game's code fails at it."""
        env = deepcopy(state.env)
        with _generator(state.generator):
            try:
                done, _ = env.step(action=text)
                mover, heard = (state.mover, []) if done else env.get_observation()
                rewards = env.close()[0] or {} if done else None
            except Exception:
                return None
            generator = random.getstate()
        messages = list(state.messages)
        messages[mover] = (*messages[mover], *_messages(heard))
        seats = range(len(state.ids))
        return msgspec.structs.replace(
            state,
            env=env,
            generator=generator,
            mover=mover,
            messages=tuple(messages),
            rewards=None if rewards is None else tuple(_number(rewards.get(s)) for s in seats),
            turn=state.turn + 1,
        )


def scenario_factory(game: str) -> Callable[..., Scenario]:
    """The class of one game. Refuses what is not played here before its module is imported."""
    specs = _specs()
    if f"{game}{_RAW}" not in specs or game.endswith(_OTHER_FORMS):
        names = ", ".join(games())
        raise InvalidError(
            f"TextArena has no game {game!r:.80}; it has: {names}", code="unknown_scenario"
        )
    reason = _reason_to_refuse(game)
    if reason is not None:
        raise InvalidError(f"textarena:{game} is not played here: {reason}", code="refused_game")
    return lambda: TextGame(game)


def games() -> list[str]:
    """The ids of all games that are played here, in the form without wrappers."""
    specs = _specs()
    names = (name.removesuffix(_RAW) for name in specs if name.endswith(_RAW))
    return sorted(name for name in names if _reason_to_refuse(name) is None)


def module_of(game: str) -> str:
    """The name of a game's module in TextArena, which is not imported for this."""
    entry: str = _specs()[f"{game}{_RAW}"].entry_point
    return entry.partition(":")[0].split(".")[2]


def _textarena() -> Any:
    """TextArena's module, imported when a game is asked for."""
    import textarena

    return textarena


def _specs() -> Any:
    """TextArena's own list of its games by id, made without importing any of them."""
    return _textarena().envs.registration.ENV_REGISTRY


def _reason_to_refuse(game: str) -> str | None:
    module = module_of(game)
    if module in NEEDS_3_12 and sys.version_info < (3, 12):
        return _NEWER
    return REFUSED.get(module)


def _number(reward: object) -> float:
    """A reward as a number; three games put the reason for one in its place, which counts as 0."""
    return float(reward) if isinstance(reward, (int, float)) else 0.0


def _messages(heard: Sequence[tuple[Any, ...]]) -> tuple[Json, ...]:
    """Messages as a seat is shown them; `from` is a seat, or -1 for the game. Three games mix up
    the fields of a message, and are shown as from the game."""
    textarena = _textarena()
    messages: list[Json] = []
    for message in heard:
        texts = [part for part in message if type(part) is str]
        numbers = [part for part in message if type(part) is int]
        kinds = [part.name for part in message if isinstance(part, textarena.ObservationType)]
        messages.append(
            {
                "from": numbers[0] if numbers else textarena.GAME_ID,
                "text": "\n".join(texts),
                "kind": kinds[0] if kinds else "",
            }
        )
    return tuple(messages)


@contextmanager
def _generator(state: Any) -> Iterator[None]:
    """Put the game's generator in the place of the global one, and what it prints nowhere."""
    before = random.getstate()
    random.setstate(state)
    try:
        with redirect_stdout(StringIO()):
            yield
    finally:
        random.setstate(before)
