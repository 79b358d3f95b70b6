"""Solve Kuhn and Leduc poker by CFR+, and write what `thorp.arena.equilibrium` ships.

`python scripts/solve_poker.py [--steps N] [--write]`. CFR+ (Tammelin, 2014): regrets are never
negative, the places are updated in turns, and step t weighs t in the average. Chances are rounded
to millionths, and printed is the exploitability of what is written, after rounding.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from thorp.arena.equilibrium import UNIT, Tree, exploitability, normalised, tree, value

FILE = Path(__file__).parent.parent / "src" / "thorp" / "arena" / "equilibria.json"
GAMES = ("kuhn-poker", "leduc-poker")


def solve(deals: Tree, steps: int, shown_every: int) -> dict[str, list[float]]:
    regrets = {spot: [0.0] * len(moves) for spot, moves in deals.moves.items()}
    totals = {spot: [0.0] * len(moves) for spot, moves in deals.moves.items()}
    strategy = {spot: [1 / len(moves)] * len(moves) for spot, moves in deals.moves.items()}
    nodes = [(node.place, node.spot, node.children, node.gain) for node in deals.nodes]
    size = len(nodes)
    for step in range(1, steps + 1):
        for place in (0, 1):
            reach = [0.0] * size  # of chance and the other
            own = [0.0] * size
            counted: set[str] = set()
            for root, chance in deals.roots:
                reach[root] = chance
                own[root] = 1.0
            for index, (mover, spot, children, _) in enumerate(nodes):
                if mover is None:
                    continue
                chances = strategy[spot]
                if mover == place:
                    total = totals[spot]
                    weight = step * own[index]
                    for move, child in enumerate(children):
                        reach[child] = reach[index]
                        own[child] = own[index] * chances[move]
                    if weight and spot not in counted:  # all nodes of a spot have one own reach
                        counted.add(spot)
                        for move in range(len(children)):
                            total[move] += weight * chances[move]
                else:
                    for move, child in enumerate(children):
                        reach[child] = reach[index] * chances[move]
                        own[child] = own[index]
            worth = [0.0] * size
            gained: dict[str, list[float]] = {}
            for index in range(size - 1, -1, -1):
                mover, spot, children, gain = nodes[index]
                if mover is None:
                    worth[index] = gain if place == 0 else -gain
                    continue
                chances = strategy[spot]
                values = [worth[child] for child in children]
                mean = sum(map(float.__mul__, chances, values))
                worth[index] = mean
                if mover == place:
                    sums = gained.setdefault(spot, [0.0] * len(values))
                    for move, each in enumerate(values):
                        sums[move] += reach[index] * (each - mean)
            for spot, sums in gained.items():
                kept = [max(0.0, old + new) for old, new in zip(regrets[spot], sums, strict=True)]
                regrets[spot] = kept
                whole = sum(kept)
                strategy[spot] = (
                    [each / whole for each in kept] if whole else [1 / len(kept)] * len(kept)
                )
        if step % shown_every == 0:
            print(f"  step {step:,}", flush=True)
    return totals


def rounded(weights: list[float]) -> list[int]:
    """Whole numbers out of UNIT; what rounding leaves over goes to the likeliest."""
    whole = sum(weights)
    if not whole:
        weights, whole = [1.0] * len(weights), float(len(weights))
    shares = [round(UNIT * weight / whole) for weight in weights]
    shares[shares.index(max(shares))] += UNIT - sum(shares)
    return shares


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--steps", type=int, default=20_000, help="steps of CFR+ for each game")
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    options = parser.parse_args()
    tables = {}
    for game in GAMES:
        print(game)
        totals = solve(tree(game), options.steps, max(1, options.steps // 10))
        tables[game] = {spot: rounded(weights) for spot, weights in sorted(totals.items())}
        strategy = normalised(tables[game])
        print(f"  value {value(game, strategy, strategy):+.6f} to place 0")
        print(f"  exploitability {exploitability(game, strategy):.6f}, {len(strategy)} spots")
    if options.write:
        FILE.write_text(json.dumps(tables, separators=(",", ":")).replace('],"', '],\n"') + "\n")


if __name__ == "__main__":
    main()
