"""Every game of OpenSpiel that is played in moves, as the scenario `open-spiel:GAME`.

    seats       the game's players; only those that are to move are asked
    view        all that a seat has learned (its information state) if anything is hidden, else the
                position; never the text of the whole state
    chance      drawn by us, from the secret of a sealed match or else the seed: an index where all
                outcomes are equally likely, else by adding up their chances in OpenSpiel's order
    missed      the lowest legal action is played for a seat that was asked and did not move
    score       `returns()`, also when the turn limit cuts the game off

An OpenSpiel state changes as it is played, so it is cloned for each move. Games that draw inside
themselves own a generator; they are loaded anew with a seed of ours, and their moves are played
again from the beginning for each new one.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from inspect import Parameter, Signature
from typing import Any, Final

import msgspec

from thorp.arena.contract import Adjudication, Scenario
from thorp.arena.scenarios.validation import Seats, integer_field, refused, take_seats
from thorp.arena.sealed import SealedDraws, open_draws
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError

_REFUSED: Final = {
    "chat_game": "it needs a language model of its own",
    "crossword": "its moves are not whole numbers",
    # Seen in OpenSpiel 2.0.2: "[893378848,22037]" in one process, another number in the next.
    "morpion_solitaire": "its moves' names show memory that was never set, so no log repeats",
}
# Parameters that seed a generator inside the game, and are set by us unless they are given.
_SEEDS: Final = ("rng_seed",)
_SEED_RANGE: Final = 2**31 - 1
_FRACTIONS: Final = 2**53
# Shows its seats nothing; but all its moves are public.
_SHOWN_BY_HISTORY: Final = "python_iterated_prisoners_dilemma"
_RESERVED: Final = "tensor"  # Our own parameter, beside those of the game.


class _SpielState(msgspec.Struct, frozen=True):
    """`spiel` is OpenSpiel's state, which is never changed once it is here. `steps` is what was
    applied to it, a tuple for moves of all seats at once; `choices` are such moves not yet
    applied. `moved` is the seat that moved last in this turn."""

    ids: tuple[str, ...]
    spiel: Any
    draws: SealedDraws
    seed: int
    steps: tuple[Any, ...] = ()
    choices: tuple[int | None, ...] = ()
    missed: tuple[int, ...] = ()
    moved: int | None = None
    shown_steps: int = 0


class SpielGame:
    """The scenario of one game of OpenSpiel, with the game's own parameters. `tensor` adds the
    observation as numbers."""

    def __init__(self, game: str, tensor: bool = False, **parameters: Json) -> None:
        self.name = f"open-spiel:{game}"
        self._game = game
        self._tensor = tensor
        # The defaults that a game names stand for "not given"; some of them are no values.
        defaults = _type_of(game).parameter_specification
        self._parameters = {
            name: value for name, value in parameters.items() if value != defaults[name]
        }
        loaded = self._load(0)
        kind = loaded.get_type()
        players = loaded.num_players()
        self.seats: Seats = (players, players)
        modes = _pyspiel().GameType.ChanceMode
        self.sealed = kind.chance_mode != modes.DETERMINISTIC
        self._samples = kind.chance_mode == modes.SAMPLED_STOCHASTIC
        self._view = _view_of(kind)
        self._has_tensor = kind.provides_observation_tensor
        self.briefing = (
            f"{kind.long_name}, as OpenSpiel plays it (`{game}`). `view` is all that you may see. "
            'Answer {"action": N}, with the number or the name of one of the `legal` moves.'
        )

    def _load(self, seed: int) -> Any:
        """The game. One that draws inside itself gets a seed, unless a parameter has one."""
        parameters = dict(self._parameters)
        for name in _SEEDS:
            if name in _type_of(self._game).parameter_specification:
                parameters.setdefault(name, seed)
        pyspiel = _pyspiel()
        try:
            return pyspiel.load_game(self._game, parameters)
        except pyspiel.SpielError as failure:
            raise InvalidError(
                f"OpenSpiel refuses these parameters of {self._game}: {failure}", code="parameter"
            ) from failure

    def init(self, seed: int, agent_ids: Sequence[str]) -> _SpielState:
        return self.init_sealed(seed, agent_ids, open_draws(seed))

    def init_sealed(self, seed: int, agent_ids: Sequence[str], draws: SealedDraws) -> _SpielState:
        ids = take_seats(self.name, agent_ids, self.seats)
        inner = draws.below(_SEED_RANGE, "seed", 0)
        state = _SpielState(
            ids=ids,
            spiel=self._load(inner).new_initial_state(),
            draws=draws,
            seed=inner,
            choices=(None,) * len(ids),
            missed=(0,) * len(ids),
        )
        return self._after_chance(state)

    def to_act(self, state: _SpielState) -> tuple[str, ...]:
        return tuple(state.ids[seat] for seat in self._movers(state))

    def observe(self, state: _SpielState, agent_id: str) -> Json:
        seat = state.ids.index(agent_id)
        moves = seat in self._movers(state)
        view: dict[str, Json] = {
            "seat": seat,
            "toMove": moves,
            "view": self._view(state.spiel, seat),
            "legal": self._legal(state, seat) if moves else [],
        }
        if self._tensor and self._has_tensor:
            view["tensor"] = list(state.spiel.observation_tensor(seat))
        return view

    def adjudicate(self, state: _SpielState, agent_id: str, action: Json) -> Adjudication:
        seat = state.ids.index(agent_id)
        if seat not in self._movers(state) or state.choices[seat] is not None:
            return refused(state, "it is not your move, or the game is over")
        legal = state.spiel.legal_actions(seat)
        number = integer_field(action, "action")
        name = action.get("action") if type(action) is dict else None
        if type(name) is str:
            names = {state.spiel.action_to_string(seat, each): each for each in legal}
            number = names.get(name)
        if number is None or number not in legal:
            return refused(state, "action must be the number or the name of a legal move")
        if state.spiel.is_simultaneous_node():
            choices = (*state.choices[:seat], number, *state.choices[seat + 1 :])
            noted = msgspec.structs.replace(state, choices=choices)
            return Adjudication(True, {"noted": True}, noted)
        after = self._applied(state, number)
        return Adjudication(True, {"moved": True}, msgspec.structs.replace(after, moved=seat))

    def end_turn(self, state: _SpielState) -> _SpielState:
        """Apply the moves of a simultaneous node, and move for seats that missed theirs."""
        movers = self._movers(state)
        shown_steps = len(state.steps)
        if movers and state.spiel.is_simultaneous_node() and state.moved is None:
            state = self._resolved(state, movers)
        elif movers and not state.spiel.is_simultaneous_node():
            (mover,) = movers
            # Seats are asked in order: one that comes before the last that moved was not asked.
            if state.moved is None or mover > state.moved:
                lowest = min(state.spiel.legal_actions(mover))
                state = self._applied(_with_miss(state, mover), lowest)
        return msgspec.structs.replace(state, moved=None, shown_steps=shown_steps)

    def is_terminal(self, state: _SpielState) -> bool:
        return bool(state.spiel.is_terminal())

    def score(self, state: _SpielState) -> dict[str, float]:
        return dict(zip(state.ids, map(float, state.spiel.returns()), strict=True))

    def summarize(self, state: _SpielState) -> Json:
        return {
            "game": str(state.spiel.get_game()),
            "moves": len(state.steps),
            "returns": [float(gain) for gain in state.spiel.returns()],
            "text": str(state.spiel),
            "missed": list(state.missed),
        }

    # Moves

    def _movers(self, state: _SpielState) -> tuple[int, ...]:
        if state.spiel.is_terminal():
            return ()
        if not state.spiel.is_simultaneous_node():
            return (state.spiel.current_player(),)
        seats = range(len(state.ids))
        return tuple(seat for seat in seats if state.spiel.legal_actions(seat)) or tuple(seats)

    def _legal(self, state: _SpielState, seat: int) -> list[Json]:
        return [
            {"action": action, "name": state.spiel.action_to_string(seat, action)}
            for action in state.spiel.legal_actions(seat)
        ]

    def _resolved(self, state: _SpielState, movers: tuple[int, ...]) -> _SpielState:
        """Apply what all seats have chosen at once; one without any legal move gives 0."""
        joint = []
        for seat, choice in enumerate(state.choices):
            legal = state.spiel.legal_actions(seat)
            if choice is None and seat in movers and legal:
                state = _with_miss(state, seat)
            joint.append(min(legal, default=0) if choice is None else choice)
        return self._applied(state, tuple(joint))

    def _applied(self, state: _SpielState, step: int | tuple[int, ...]) -> _SpielState:
        """The state after a move, and after what chance adds to it."""
        spiel = self._replayed(state) if self._samples else state.spiel.clone()
        _apply(spiel, step)
        unchosen: tuple[int | None, ...] = (None,) * len(state.ids)
        return self._after_chance(
            msgspec.structs.replace(
                state, spiel=spiel, steps=(*state.steps, step), choices=unchosen
            )
        )

    def _after_chance(self, state: _SpielState) -> _SpielState:
        """Draw at chance nodes, until a seat is to move. The state's `spiel` must be new."""
        spiel = state.spiel
        steps = list(state.steps)
        while spiel.is_chance_node():
            steps.append(_drawn(spiel.chance_outcomes(), state.draws, len(steps)))
            spiel.apply_action(steps[-1])
        return msgspec.structs.replace(state, steps=tuple(steps))

    def _replayed(self, state: _SpielState) -> Any:
        """The same position, played again in a game whose generator is as at the beginning."""
        spiel = self._load(state.seed).new_initial_state()
        for step in state.steps:
            _apply(spiel, step)
        return spiel


def scenario_factory(game: str) -> Callable[..., Scenario]:
    """The class of one game, with the game's parameters in its signature."""
    kind = _type_of(game)
    reason = _reason_to_refuse(kind)
    if reason is not None:
        raise InvalidError(f"open-spiel:{game} is not played here: {reason}", code="refused_game")

    def build(**parameters: Json) -> SpielGame:
        return SpielGame(game, **parameters)

    keyword = Parameter.KEYWORD_ONLY
    specified = {_RESERVED: False, **kind.parameter_specification}
    # A parameter such as `50_move_rule` can have no keyword, and keeps its default.
    specified = {name: default for name, default in specified.items() if name.isidentifier()}
    build.__signature__ = Signature(  # type: ignore[attr-defined]
        [Parameter(name, keyword, default=default) for name, default in specified.items()]
    )
    return build


def games() -> list[str]:
    """The names of all games that are played here."""
    _import_python_games()
    kinds = _pyspiel().registered_games()
    return sorted(kind.short_name for kind in kinds if _reason_to_refuse(kind) is None)


def _reason_to_refuse(kind: Any) -> str | None:
    """Why a game is not played here."""
    if kind.short_name in _REFUSED:
        return _REFUSED[kind.short_name]
    if kind.dynamics == _pyspiel().GameType.Dynamics.MEAN_FIELD:
        return "a mean-field game has a population, not seats"
    if not kind.default_loadable:
        return "it wraps another game or a file, which it must be given"
    shows = kind.provides_information_state_string or kind.provides_observation_string
    if not shows and kind.short_name != _SHOWN_BY_HISTORY:
        return "it has no text of what a seat sees"
    return None


def _type_of(game: str) -> Any:
    """OpenSpiel's description of a game. Those written in Python are registered by an import."""
    if game not in _pyspiel().registered_names():
        _import_python_games()
    for kind in _pyspiel().registered_games():
        if kind.short_name == game:
            return kind
    names = ", ".join(games())
    raise InvalidError(
        f"OpenSpiel has no game {game!r:.80}; it has: {names}", code="unknown_scenario"
    )


def _pyspiel() -> Any:
    """OpenSpiel's module, imported when a game is asked for."""
    import pyspiel

    return pyspiel


def _import_python_games() -> None:
    """Register the games that are written in Python: their import does it."""
    import_module("open_spiel.python.games")


def _view_of(kind: Any) -> Callable[[Any, int], str]:
    """What shows a seat its view: where nothing is hidden the position, else all that the seat has
    learned, as far as the game provides it."""
    information = kind.provides_information_state_string
    position = kind.provides_observation_string
    hides = kind.information != _pyspiel().GameType.Information.PERFECT_INFORMATION
    if information and (hides or not position):
        return lambda spiel, seat: str(spiel.information_state_string(seat))
    if position:
        return lambda spiel, seat: str(spiel.observation_string(seat))
    return lambda spiel, _seat: f"all moves so far: {spiel.history()}"


def _apply(spiel: Any, step: int | tuple[int, ...]) -> None:
    if isinstance(step, tuple):
        spiel.apply_actions(list(step))
    else:
        spiel.apply_action(step)


def _drawn(outcomes: Sequence[tuple[int, float]], draws: SealedDraws, index: int) -> int:
    """One outcome, by its chance."""
    if len({chance for _, chance in outcomes}) == 1:
        return outcomes[draws.below(len(outcomes), "chance", index)][0]
    fraction = draws.below(_FRACTIONS, "chance", index) / _FRACTIONS
    for outcome, chance in outcomes:
        fraction -= chance
        if fraction < 0:
            return outcome
    return outcomes[-1][0]  # what rounding leaves over


def _with_miss(state: _SpielState, seat: int) -> _SpielState:
    missed = (*state.missed[:seat], state.missed[seat] + 1, *state.missed[seat + 1 :])
    return msgspec.structs.replace(state, missed=missed)
