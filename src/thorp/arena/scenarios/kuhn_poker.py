"""Kuhn poker: three cards, one each, one bet; the smallest poker with bluffs.

`docs/scenarios.md` has the rules. Moves are `pass` and `bet`. A deal's moves as letters, `p` and
`b`, are one of the five ends `pp`, `pbp`, `pbb`, `bp`, `bb`, or a beginning of one. The game is
solved: its value for place 0 is -1/18 a deal.
"""

from typing import Final

import msgspec

from thorp.arena.scenarios.deals import DealtGame
from thorp.arena.scenarios.validation import choice_field
from thorp.arena.sealed import SealedDraws, shuffled
from thorp.kernel.canonical import Json

CARDS: Final = "JQK"  # From the lowest.
MOVES: Final = {"pass": "p", "bet": "b"}
_WORDS: Final = {letter: word for word, letter in MOVES.items()}
_ENDS: Final = ("pp", "pbp", "pbb", "bp", "bb")


class KuhnPosition(msgspec.Struct, frozen=True):
    """Each place's card, as an index of CARDS, and the moves as letters."""

    cards: tuple[int, int]
    history: str = ""

    @property
    def mover(self) -> int | None:
        return None if self.history in _ENDS else len(self.history) % 2

    def after(self, letter: str) -> "KuhnPosition":
        """The position after this move."""
        return KuhnPosition(self.cards, self.history + letter)

    def view(self, place: int) -> dict[str, Json]:
        legal = [] if self.mover is None else list(MOVES)
        return {"card": CARDS[self.cards[place]], "moves": self._moves(), "legal": legal}

    def closed_view(self, place: int) -> dict[str, Json]:
        their_card = self.cards[1 - place] if self._is_showdown() else None
        return {
            "card": CARDS[self.cards[place]],
            "moves": self._moves(),
            "theirCard": None if their_card is None else CARDS[their_card],
            "gain": self.returns()[place],
        }

    def table(self) -> dict[str, Json]:
        return {"cards": [CARDS[card] for card in self.cards], "moves": self._moves()}

    def returns(self) -> tuple[int, int]:
        if self._is_showdown():
            stake = 2 if "b" in self.history else 1
            gain = stake if self.cards[0] > self.cards[1] else -stake
        else:  # Somebody bet, and the other passed: `bp` or `pbp`.
            gain = 1 if self.history == "bp" else -1
        return (gain, -gain)

    def after_default(self) -> "KuhnPosition":
        return self.after("p")

    def _is_showdown(self) -> bool:
        return self.history in ("pp", "pbb", "bb")

    def _moves(self) -> list[Json]:
        return [_WORDS[letter] for letter in self.history]


class KuhnPoker(DealtGame):
    """The scenario: `deals` deals of Kuhn poker, the seats leading in turns."""

    name = "kuhn-poker"
    briefing = (
        "Kuhn poker: the cards J, Q and K, one for each of two players, one stays hidden. Both "
        "pay 1 chip. Place 0 moves first. A bet costs 1 chip more. If you pass after a bet you "
        "lose the deal; after two bets or two passes the higher card wins. Answer "
        '{"move": "pass"} or {"move": "bet"}.'
    )

    def __init__(self, deals: int = 20) -> None:
        super().__init__(deals)

    def draw(self, draws: SealedDraws, deal: int) -> KuhnPosition:
        first, second, _ = shuffled(range(len(CARDS)), draws, "card", deal * len(CARDS))
        return KuhnPosition((first, second))

    def read(self, position: KuhnPosition, action: Json) -> KuhnPosition | str:
        letter = choice_field(action, "move", MOVES)
        return 'move must be "pass" or "bet"' if letter is None else position.after(letter)

    def is_plain(self, state: object) -> bool:
        """All that is shown is numbers and fixed words."""
        return True
