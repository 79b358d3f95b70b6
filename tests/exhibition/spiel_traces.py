"""Random playouts of the real OpenSpiel, as traces in our words: see `tests/arena/scenarios/oracle.py`.

`python -m tests.exhibition.spiel_traces` records those that `make test` checks.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pyspiel

from tests.arena.scenarios.oracle import FILE, Trace

RECORDED = 40  # Playouts of each variant; a tenth of it of Hanabi's, which are long.


def digest(known: str) -> str:
    return hashlib.sha256(known.encode()).hexdigest()[:12]


def draw(state: Any, chance: random.Random) -> int:
    outcomes, weights = zip(*state.chance_outcomes(), strict=True)
    return int(chance.choices(outcomes, weights)[0])


def playout(
    game: str,
    spiel: str,
    chance: random.Random,
    words: Callable[[Any, int], Any],
    setup: Callable[[Any, list[int]], dict[str, Any]],
    knowledge: Callable[[Any, int], str],
) -> Trace:
    """One random playout. `words` translates an action, `setup` what chance has dealt."""
    state = pyspiel.load_game(spiel).new_initial_state()
    dealt: list[int] = []
    steps = []
    while not state.is_terminal():
        if state.is_chance_node():
            dealt.append(draw(state, chance))
            state.apply_action(dealt[-1])
            continue
        mover = state.current_player()
        legal = state.legal_actions()
        action = chance.choice(legal)
        steps.append(
            {
                "mover": mover,
                "legal": [words(state, each) for each in legal],
                "known": [digest(spiel + knowledge(state, p)) for p in range(state.num_players())],
                "action": words(state, action),
            }
        )
        state.apply_action(action)
    returns = [int(gain) if gain == int(gain) else gain for gain in state.returns()]
    return {
        "game": game,
        "variant": spiel,
        "setup": setup(state, dealt),
        "steps": steps,
        "returns": returns,
    }


def information(state: Any, player: int) -> str:
    return str(state.information_state_string(player))


# Each game's words


def kuhn(chance: random.Random) -> Trace:
    moves = ({"move": "pass"}, {"move": "bet"})
    return playout(
        "kuhn-poker",
        "kuhn_poker",
        chance,
        lambda _state, action: moves[action],
        lambda _state, dealt: {"cards": dealt},
        information,
    )


def leduc(chance: random.Random) -> Trace:
    moves = ({"move": "fold"}, {"move": "call"}, {"move": "raise"})

    def setup(_state: Any, dealt: list[int]) -> dict[str, Any]:
        unseen = [rank for rank in range(3) if dealt[:2].count(rank) < 2]
        return {"cards": dealt[:2], "board": dealt[2] if len(dealt) > 2 else unseen[0]}

    return playout(
        "leduc-poker",
        "leduc_poker(suit_isomorphism=true)",
        chance,
        lambda _state, action: moves[action],
        setup,
        information,
    )


def dice(number: int) -> Callable[[random.Random], Trace]:
    def words(state: Any, action: int) -> Any:
        name = state.action_to_string(state.current_player(), action)
        return {"call": True} if name == "Liar" else {"bid": [int(n) for n in name.split("-")]}

    def setup(_state: Any, dealt: list[int]) -> dict[str, Any]:
        rolled = [die + 1 for die in dealt]
        return {"dice": [sorted(rolled[:number]), sorted(rolled[number:])]}

    return lambda chance: playout(
        "liars-dice", f"liars_dice(numdice={number})", chance, words, setup, information
    )


def bargaining(chance: random.Random) -> Trace:
    def words(state: Any, action: int) -> Any:
        name = state.action_to_string(state.current_player(), action)
        return {"accept": True} if name == "Agree" else {"keep": numbers(name)}

    def setup(state: Any, _dealt: list[int]) -> dict[str, Any]:
        pool, first, second = (numbers(line) for line in str(state).splitlines()[:3])
        return {"pool": pool, "values": [first, second]}

    return playout("negotiation", "bargaining", chance, words, setup, information)


def numbers(line: str) -> list[int]:
    return [int(n) for n in re.findall(r": (\d+)", line)]


def nim(misere: bool) -> Callable[[random.Random], Trace]:
    def one(chance: random.Random) -> Trace:
        heaps = [chance.randint(1, 6) for _ in range(chance.randint(2, 4))]
        sizes = ";".join(map(str, heaps))

        def words(state: Any, action: int) -> Any:
            heap, take = map(int, re.findall(r"\d+", state.action_to_string(0, action)))
            return {"heap": heap - 1, "take": take}

        def knowledge(state: Any, player: int) -> str:
            # Its information state is the whole history, ours are the heaps and the last move.
            last = state.history()[-1:]
            taken = [words(state, action) for action in last]
            return f"{state.observation_string(player)} {taken}"

        return playout(
            "nim",
            f"nim(pile_sizes={sizes},is_misere={str(misere).lower()})",
            chance,
            words,
            lambda _state, _dealt: {"heaps": heaps, "misere": misere},
            knowledge,
        )

    return one


def hanabi(seats: int, colours: int, ranks: int) -> Callable[[random.Random], Trace]:
    parameters = {"colours": colours, "ranks": ranks, "hints": 8, "lives": 3}
    hand = 5 if seats <= 3 else 4
    copies = [3, *[2] * (ranks - 2), 1]

    def words(state: Any, action: int) -> Any:
        name = state.action_to_string(state.current_player(), action).strip("()").split()
        if name[0] in ("Play", "Discard"):
            return {"move": name[0].lower(), "card": int(name[1])}
        seat = (state.current_player() + int(name[2])) % seats
        hint = {"colour": name[4]} if name[3] == "color" else {"rank": int(name[4])}
        return {"move": "hint", "seat": seat, **hint}

    def setup(_state: Any, dealt: list[int]) -> dict[str, Any]:
        deck = [[card // ranks, card % ranks] for card in dealt]
        every = [[c, r] for c in range(colours) for r in range(ranks) for _ in range(copies[r])]
        for card in deck:
            every.remove(card)
        return {"seats": seats, "parameters": parameters, "deck": deck + every}

    spiel = f"hanabi(players={seats},colors={colours},ranks={ranks},hand_size={hand})"
    return lambda chance: playout(
        "fireworks",
        spiel,
        chance,
        words,
        setup,
        lambda state, player: str(state.observation_string(player)),
    )


VARIANTS: tuple[Callable[[random.Random], Trace], ...] = (
    kuhn,
    leduc,
    dice(1),
    dice(2),
    dice(5),
    bargaining,
    nim(False),
    nim(True),
)
HANABI: tuple[Callable[[random.Random], Trace], ...] = (
    hanabi(2, 5, 5),
    hanabi(3, 5, 5),
    hanabi(4, 4, 5),
    hanabi(5, 5, 4),
    hanabi(2, 2, 3),
)


def traces(each: int, of_hanabi: int, seed: int = 0) -> Iterator[Trace]:
    """So many playouts of each variant."""
    chance = random.Random(seed)
    for variant in VARIANTS:
        yield from (variant(chance) for _ in range(each))
    for variant in HANABI:
        yield from (variant(chance) for _ in range(of_hanabi))


def main() -> None:
    lines = (
        json.dumps(trace, separators=(",", ":")) + "\n"
        for trace in traces(RECORDED, RECORDED // 10)
    )
    FILE.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))
    print(f"{FILE}: {FILE.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
