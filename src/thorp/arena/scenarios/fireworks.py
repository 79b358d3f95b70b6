"""Fireworks: a cooperative game with hints, in which all see the cards of the others and nobody its
own. Its rules are those of Hanabi.

`docs/scenarios.md` has them. A card is a colour and a rank, both counted from 0 inside and written
as a letter and a number from 1 outside. Each colour has three ones, one of its highest rank and two
of all others. A hint also tells of the cards that it does not name, so what a seat knows of a card
is the set of colours and the set of ranks that no hint has ruled out, here as bits.
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

import msgspec

from thorp.arena.contract import Adjudication
from thorp.arena.scenarios.validation import (
    Seats,
    choice_field,
    integer_field,
    integer_parameter,
    refused,
    take_seats,
)
from thorp.arena.sealed import SealedDraws, open_draws, shuffled
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError

COLOURS: Final = "RYGWB"
_SMALL_TABLE: Final = 3  # Up to so many seats have five cards each, more have four.
_MOVES: Final = {"play": "play", "discard": "discard", "hint": "hint"}
HISTORY_SHOWN: Final = 10
"""How many of the latest moves an observation carries: two rounds of the largest table."""

Card: TypeAlias = tuple[int, int]


class HeldCard(msgspec.Struct, frozen=True):
    """A card in a hand, and the colours and ranks, as bits, that its holder cannot rule out by
    hints."""

    card: Card
    colours: int
    ranks: int

    def is_known(self) -> bool:
        """Whether hints have left one colour and one rank."""
        return self.colours.bit_count() == 1 and self.ranks.bit_count() == 1


class _FireworksState(msgspec.Struct, frozen=True):
    """The deck is drawn from its front. `stacks` is the height of each colour; `final` counts the
    moves left since the deck ran out, and is None before. `moved` is as in `deals`."""

    ids: tuple[str, ...]
    deck: tuple[Card, ...]
    hands: tuple[tuple[HeldCard, ...], ...]
    stacks: tuple[int, ...]
    hints: int
    lives: int
    mover: int = 0
    discards: tuple[Card, ...] = ()
    final: int | None = None
    history: tuple[dict[str, Json], ...] = ()
    moves: int = 0
    missed: tuple[int, ...] = ()
    moved: int | None = None


class Fireworks:
    """The scenario: `colours` stacks of `ranks` cards to build, with `hints` and `lives` to
    spend."""

    name = "fireworks"
    briefing = (
        "Fireworks, a cooperative game for which Hanabi gave the rules: build a stack of each "
        "colour from 1 upwards. You see the others' cards, not your own. A hint tells a seat all "
        "its cards of one colour or one rank and costs a token; a discard brings one back; a "
        "played card that fits no stack costs a life, and without lives all score 0. Answer "
        '{"move": "play", "card": I}, {"move": "discard", "card": I} with I from 0, the oldest, '
        'or {"move": "hint", "seat": S, "colour": "R"} or {"move": "hint", "seat": S, "rank": N}.'
    )
    seats: Seats = (2, 5)
    sealed = True
    ranking = "score"
    rules = 1

    def __init__(self, colours: int = 5, ranks: int = 5, hints: int = 8, lives: int = 3) -> None:
        self.colours = integer_parameter("colours", colours, 2, len(COLOURS))
        self.ranks = integer_parameter("ranks", ranks, 3, 5)
        self.hints = integer_parameter("hints", hints, 1, 8)
        self.lives = integer_parameter("lives", lives, 1, 3)

    def init(self, seed: int, agent_ids: Sequence[str]) -> _FireworksState:
        return self.init_sealed(seed, agent_ids, open_draws(seed))

    def init_sealed(
        self, seed: int, agent_ids: Sequence[str], draws: SealedDraws
    ) -> _FireworksState:
        ids = take_seats(self.name, agent_ids, self.seats)
        pack = self.pack()
        if len(pack) <= len(ids) * _hand_size(len(ids)):
            raise InvalidError(
                f"{len(pack)} cards are too few for {len(ids)} seats; take more colours or ranks",
                code="parameter",
            )
        return self.begin(ids, shuffled(pack, draws, "card"))

    def pack(self) -> list[Card]:
        """All cards, in order."""
        copies = [3, *[2] * (self.ranks - 2), 1]
        return [
            (colour, rank)
            for colour in range(self.colours)
            for rank in range(self.ranks)
            for _ in range(copies[rank])
        ]

    def begin(self, ids: Sequence[str], deck: Sequence[Card]) -> _FireworksState:
        """A match with this deck: the first seat gets its whole hand first."""
        size = _hand_size(len(ids))
        hands = tuple(
            tuple(self._fresh(card) for card in deck[seat * size : (seat + 1) * size])
            for seat in range(len(ids))
        )
        return _FireworksState(
            ids=tuple(ids),
            deck=tuple(deck[len(ids) * size :]),
            hands=hands,
            stacks=(0,) * self.colours,
            hints=self.hints,
            lives=self.lives,
            missed=(0,) * len(ids),
        )

    def to_act(self, state: _FireworksState) -> tuple[str, ...]:
        return () if self.is_terminal(state) else (state.ids[state.mover],)

    def observe(self, state: _FireworksState, agent_id: str) -> Json:
        seat = state.ids.index(agent_id)
        return {
            "seat": seat,
            "colours": COLOURS[: self.colours],
            "ranks": self.ranks,
            "mover": state.mover,
            "stacks": {COLOURS[c]: height for c, height in enumerate(state.stacks)},
            "hints": state.hints,
            "maxHints": self.hints,
            "lives": state.lives,
            "maxLives": self.lives,
            "deck": len(state.deck),
            "movesLeft": state.final,
            "discards": [card_text(card) for card in state.discards],
            "hands": [
                [self._held_view(held, is_own=other == seat) for held in hand]
                for other, hand in enumerate(state.hands)
            ],
            "history": list(state.history),
        }

    def parameters_from(self, observation: Json) -> dict[str, Json]:
        return {
            "colours": len(observation["colours"]),
            "ranks": observation["ranks"],
            "hints": observation["maxHints"],
            "lives": observation["maxLives"],
        }

    def adjudicate(self, state: _FireworksState, agent_id: str, action: Json) -> Adjudication:
        seat = state.ids.index(agent_id)
        if self.is_terminal(state) or seat != state.mover:
            return refused(state, "it is not your move, or the match is over")
        after = self._read(state, action)
        if isinstance(after, str):
            return refused(state, after)
        return Adjudication(True, after.history[-1], after)

    def end_turn(self, state: _FireworksState) -> _FireworksState:
        """Move for a seat that was asked in this turn and did not move: it discards its oldest
        card, or if no hint has been spent hints the next seat its oldest card's colour."""
        asked = state.moved is None or state.mover > state.moved
        if not self.is_terminal(state) and asked:
            missed = list(state.missed)
            missed[state.mover] += 1
            if state.hints < self.hints:
                state = self._discarded(state, 0)
            else:
                other = (state.mover + 1) % len(state.ids)
                state = self._hinted(state, other, colour=state.hands[other][0].card[0])
            state = msgspec.structs.replace(state, missed=tuple(missed))
        return msgspec.structs.replace(state, moved=None)

    def is_terminal(self, state: _FireworksState) -> bool:
        complete = sum(state.stacks) == self.colours * self.ranks
        return state.lives == 0 or complete or state.final == 0

    def score(self, state: _FireworksState) -> dict[str, float]:
        return dict.fromkeys(state.ids, sum(state.stacks) if state.lives else 0)

    def summarize(self, state: _FireworksState) -> Json:
        return {
            "moves": state.moves,
            "stacks": list(state.stacks),
            "hints": state.hints,
            "lives": state.lives,
            "deck": len(state.deck),
            "hands": [[card_text(held.card) for held in hand] for hand in state.hands],
            "last": state.history[-1] if state.history else None,
            "missed": list(state.missed),
        }

    def is_plain(self, state: _FireworksState) -> bool:
        """All that is shown is numbers and texts that begin with a letter."""
        return True

    def legal_actions(self, state: _FireworksState) -> list[dict[str, Json]]:
        """Every action that would be judged valid, in a fixed order."""
        cards = range(len(state.hands[state.mover]))
        actions: list[dict[str, Json]] = [{"move": "play", "card": card} for card in cards]
        if state.hints < self.hints:
            actions += [{"move": "discard", "card": card} for card in cards]
        if not state.hints:
            return actions
        for other, hand in enumerate(state.hands):
            if other == state.mover:
                continue
            held = {card.card for card in hand}
            for colour in sorted({card[0] for card in held}):
                actions.append({"move": "hint", "seat": other, "colour": COLOURS[colour]})
            for rank in sorted({card[1] for card in held}):
                actions.append({"move": "hint", "seat": other, "rank": rank + 1})
        return actions

    # Moves

    def _read(self, state: _FireworksState, action: Json) -> _FireworksState | str:
        """The state after an action, or why it is not a legal move."""
        move = choice_field(action, "move", _MOVES)
        if move is None:
            return 'move must be "play", "discard" or "hint"'
        if move == "hint":
            return self._read_hint(state, action)
        card = integer_field(action, "card")
        size = len(state.hands[state.mover])
        if card is None or not 0 <= card < size:
            return f"card must be a whole number from 0 to {size - 1}"
        if move == "play":
            return self._played(state, card)
        if state.hints == self.hints:
            return "no hint has been spent, so nothing may be discarded"
        return self._discarded(state, card)

    def _read_hint(self, state: _FireworksState, action: Json) -> _FireworksState | str:
        if not state.hints:
            return "no hint is left; discard or play"
        other = integer_field(action, "seat")
        if other is None or not 0 <= other < len(state.ids) or other == state.mover:
            return "seat must be the number of another seat"
        if ("colour" in action) == ("rank" in action):
            return "a hint names a colour or a rank, not both"
        names = {letter: place for place, letter in enumerate(COLOURS[: self.colours])}
        colour = choice_field(action, "colour", names)
        rank = integer_field(action, "rank")
        if colour is None and (rank is None or not 1 <= rank <= self.ranks):
            return f"name a colour of {COLOURS[: self.colours]} or a rank from 1 to {self.ranks}"
        held = [card.card for card in state.hands[other]]
        if colour is not None and colour in (card[0] for card in held):
            return self._hinted(state, other, colour=colour)
        if rank is not None and rank - 1 in (card[1] for card in held):
            return self._hinted(state, other, rank=rank - 1)
        return "a hint must name at least one card of that hand"

    def _played(self, state: _FireworksState, index: int) -> _FireworksState:
        colour, rank = card = state.hands[state.mover][index].card
        fits = state.stacks[colour] == rank
        stacks = (*state.stacks[:colour], rank + 1, *state.stacks[colour + 1 :])
        completed = fits and rank + 1 == self.ranks
        after = msgspec.structs.replace(
            state,
            stacks=stacks if fits else state.stacks,
            lives=state.lives - (not fits),
            hints=min(self.hints, state.hints + completed),
            discards=state.discards if fits else (*state.discards, card),
        )
        event = {"move": "play", "card": index, "shown": card_text(card), "fits": fits}
        return self._next(self._drawn(after, index), event)

    def _discarded(self, state: _FireworksState, index: int) -> _FireworksState:
        card = state.hands[state.mover][index].card
        after = msgspec.structs.replace(
            state, hints=state.hints + 1, discards=(*state.discards, card)
        )
        event = {"move": "discard", "card": index, "shown": card_text(card)}
        return self._next(self._drawn(after, index), event)

    def _hinted(
        self,
        state: _FireworksState,
        other: int,
        *,
        colour: int | None = None,
        rank: int | None = None,
    ) -> _FireworksState:
        hand = []
        touched = []
        for index, held in enumerate(state.hands[other]):
            fits = held.card[0] == colour if rank is None else held.card[1] == rank
            colours = held.colours
            ranks = held.ranks
            if colour is not None:
                colours &= 1 << colour if fits else ~(1 << colour)
            if rank is not None:
                ranks &= 1 << rank if fits else ~(1 << rank)
            hand.append(HeldCard(held.card, colours, ranks))
            if fits:
                touched.append(index)
        hands = (*state.hands[:other], tuple(hand), *state.hands[other + 1 :])
        after = msgspec.structs.replace(state, hands=hands, hints=state.hints - 1)
        named: dict[str, Json] = (
            {"rank": rank + 1} if rank is not None else {"colour": COLOURS[colour or 0]}
        )
        return self._next(after, {"move": "hint", "to": other, **named, "cards": touched})

    def _drawn(self, state: _FireworksState, index: int) -> _FireworksState:
        """The state after the mover has laid down a card and drawn another, if there is one."""
        hand = state.hands[state.mover]
        rest = (*hand[:index], *hand[index + 1 :])
        if state.deck:
            rest = (*rest, self._fresh(state.deck[0]))
        hands = (*state.hands[: state.mover], rest, *state.hands[state.mover + 1 :])
        return msgspec.structs.replace(state, hands=hands, deck=state.deck[1:])

    def _next(self, state: _FireworksState, event: dict[str, Json]) -> _FireworksState:
        """The state with the move written down and the next seat to move. When the deck has run
        out every seat has one more move."""
        final = state.final
        if final is not None:
            final -= 1
        elif not state.deck:
            final = len(state.ids)
        return msgspec.structs.replace(
            state,
            mover=(state.mover + 1) % len(state.ids),
            moved=state.mover,
            final=final,
            history=(*state.history, {"seat": state.mover, **event})[-HISTORY_SHOWN:],
            moves=state.moves + 1,
        )

    def _fresh(self, card: Card) -> HeldCard:
        return HeldCard(card, (1 << self.colours) - 1, (1 << self.ranks) - 1)

    def _held_view(self, held: HeldCard, *, is_own: bool) -> dict[str, Json]:
        """A card as a seat sees it: of its own only what hints have told."""
        possible: dict[str, Json] = {
            "colours": "".join(COLOURS[c] for c in range(self.colours) if held.colours >> c & 1),
            "ranks": [rank + 1 for rank in range(self.ranks) if held.ranks >> rank & 1],
        }
        return possible if is_own else {"card": card_text(held.card), **possible}


def _hand_size(seats: int) -> int:
    return 5 if seats <= _SMALL_TABLE else 4


def card_text(card: Card) -> str:
    """A card as it is written: a letter and a number from 1, such as `R1`."""
    return f"{COLOURS[card[0]]}{card[1] + 1}"
