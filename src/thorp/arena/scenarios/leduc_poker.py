"""Leduc poker: six cards, two rounds of bets, and a card on the board between them.

`docs/scenarios.md` has the rules. A round's moves are letters, `f`, `c` and `r`; `c` is a check
where nothing has to be called. Suits never matter, so cards are shown as ranks. The game is solved:
its value for place 0 is about -0.0856 a deal.
"""

from typing import Final

import msgspec

from thorp.arena.scenarios.deals import DealtGame
from thorp.arena.scenarios.validation import choice_field
from thorp.arena.sealed import SealedDraws, shuffled
from thorp.kernel.canonical import Json

RANKS: Final = "JQK"  # From the lowest; there are two cards of each.
MOVES: Final = {"fold": "f", "call": "c", "raise": "r"}
_WORDS: Final = {letter: word for word, letter in MOVES.items()}
RAISE: Final = (2, 4)  # The size of a raise in each round.
RAISES_LIMIT: Final = 2  # In each round.
ANTE: Final = 1


class LeducPosition(msgspec.Struct, frozen=True):
    """Each place's card and the board's, as indexes of RANKS, and the moves of both rounds.

    `board` is drawn with the deal and belongs to nobody's view before the second round.
    """

    cards: tuple[int, int]
    board: int
    rounds: tuple[str, ...] = ("",)

    @property
    def mover(self) -> int | None:
        return None if self._is_over() else len(self.rounds[-1]) % 2

    def legal(self) -> str:
        """The letters of the legal moves."""
        moves = self.rounds[-1]
        folding = "f" if moves.endswith("r") else ""
        raising = "r" if moves.count("r") < RAISES_LIMIT else ""
        return f"{folding}c{raising}"

    def after(self, letter: str) -> "LeducPosition":
        """The position after this legal move; the second round begins when the first is over."""
        rounds = (*self.rounds[:-1], self.rounds[-1] + letter)
        if len(rounds) == 1 and _is_closed(rounds[0]) and letter != "f":
            rounds = (*rounds, "")
        return LeducPosition(self.cards, self.board, rounds)

    def view(self, place: int) -> dict[str, Json]:
        paid = self.paid()
        return {
            "card": RANKS[self.cards[place]],
            "board": RANKS[self.board] if len(self.rounds) == 2 else None,
            "moves": self._moves(),
            "paid": [paid[place], paid[1 - place]],
            "legal": [] if self._is_over() else [_WORDS[letter] for letter in self.legal()],
        }

    def closed_view(self, place: int) -> dict[str, Json]:
        their_card = None if self._is_folded() else RANKS[self.cards[1 - place]]
        return {
            "card": RANKS[self.cards[place]],
            "board": RANKS[self.board] if len(self.rounds) == 2 else None,
            "moves": self._moves(),
            "theirCard": their_card,
            "gain": self.returns()[place],
        }

    def table(self) -> dict[str, Json]:
        return {
            "cards": [RANKS[card] for card in self.cards],
            "board": RANKS[self.board],
            "moves": self._moves(),
            "paid": list(self.paid()),
        }

    def paid(self) -> tuple[int, int]:
        """What each place has in the pot."""
        paid = [ANTE, ANTE]
        for moves, size in zip(self.rounds, RAISE, strict=False):
            for turn, letter in enumerate(moves):
                place = turn % 2
                if letter == "c":
                    paid[place] = max(paid)
                elif letter == "r":
                    paid[place] = max(paid) + size
        return (paid[0], paid[1])

    def returns(self) -> tuple[int, int]:
        paid = self.paid()
        if self._is_folded():
            folder = (len(self.rounds[-1]) - 1) % 2
            gain = -paid[0] if folder == 0 else paid[1]
            return (gain, -gain)
        strength = [self._strength(place) for place in (0, 1)]
        if strength[0] == strength[1]:
            return (0, 0)
        gain = paid[1] if strength[0] > strength[1] else -paid[0]
        return (gain, -gain)

    def after_default(self) -> "LeducPosition":
        """A missed move is a check where that is free, and else a fold."""
        return self.after("f" if "f" in self.legal() else "c")

    def _strength(self, place: int) -> int:
        card = self.cards[place]
        return card + (len(RANKS) if card == self.board else 0)

    def _is_folded(self) -> bool:
        return self.rounds[-1].endswith("f")

    def _is_over(self) -> bool:
        return self._is_folded() or (len(self.rounds) == 2 and _is_closed(self.rounds[1]))

    def _moves(self) -> list[Json]:
        return [[_WORDS[letter] for letter in moves] for moves in self.rounds]


def _is_closed(moves: str) -> bool:
    """Whether a round is over: by a fold, or by a call of a raise or of a check."""
    return moves.endswith("f") or (len(moves) > 1 and moves.endswith("c"))


class LeducPoker(DealtGame):
    """The scenario: `deals` deals of Leduc poker, the seats leading in turns."""

    name = "leduc-poker"
    briefing = (
        "Leduc poker: two cards each of J, Q and K. Both pay 1 chip and get a card; after a round "
        "of bets a card is laid on the board, and a second round follows. Raises are 2 chips in "
        "the first round and 4 in the second, at most two a round. A pair with the board beats "
        "any other card, else the higher card wins. `paid` is what you and the other have in the "
        'pot. Answer {"move": M}, with M one of `legal`; "call" is a check if nothing is to be '
        "called."
    )

    def __init__(self, deals: int = 20) -> None:
        super().__init__(deals)

    def draw(self, draws: SealedDraws, deal: int) -> LeducPosition:
        pack = [rank for rank in range(len(RANKS)) for _ in range(2)]
        first, second, board, *_ = shuffled(pack, draws, "card", deal * len(pack))
        return LeducPosition((first, second), board)

    def read(self, position: LeducPosition, action: Json) -> LeducPosition | str:
        letter = choice_field(action, "move", MOVES)
        legal = position.legal()
        if letter is None or letter not in legal:
            words = " or ".join(f'"{_WORDS[each]}"' for each in legal)
            return f"move must be {words}"
        return position.after(letter)

    def is_plain(self, state: object) -> bool:
        """All that is shown is numbers and fixed words."""
        return True
