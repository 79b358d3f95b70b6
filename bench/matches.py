"""Matches per CPU second, one process, complete log text.

`python bench/matches.py`. The second scenario exists only here: nested observations with text,
fractions and lists, so that nothing is tuned to one game; its cost per event byte should stay
within twice the first's.

`python bench/matches.py --beside node` plays the same matches in turns with a runner in JavaScript
(bench/matches.mjs), warm, the CPU time of all its threads counted. Before any timing, both must
have written the same bytes.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

from calibration import cpu_seconds, report
from node_peer import node_peer

from thorp.arena import (
    Adjudication,
    Agent,
    AgentConfig,
    AgentContext,
    MatchConfig,
    MatchResult,
    run_match,
)
from thorp.arena.agents import BaselineAgent, RandomAgent
from thorp.arena.scenarios import NumberGuess

BATCH = 400
WARM_MATCHES, TURN_MATCHES, TURNS = 8_000, 2_000, 9


class Market:
    """A stall-keeper's day: nested stock, prices with fractions, messages. Every action is an
    order."""

    name = "Market"
    goods = ("bread", "candles", "rope", "salt", "wool")

    def init(self, seed: int, agent_ids: Sequence[str]) -> dict[str, Any]:
        stock = {agent: dict.fromkeys(self.goods, 10) for agent in agent_ids}
        return {"day": 0, "stock": stock, "messages": []}

    def observe(self, state: dict[str, Any], agent_id: str) -> Any:
        day = state["day"]
        return {
            "day": day,
            "weather": {"wind": {"from": "north-west", "strength": day % 7}, "rain": day % 3 == 0},
            "market": [
                {"good": good, "price": 1.25 + 0.5 * (day % 5), "left": 10} for good in self.goods
            ],
            "stock": state["stock"][agent_id],
            "messages": state["messages"][-3:],
        }

    def adjudicate(self, state: dict[str, Any], agent_id: str, action: Any) -> Adjudication:
        state["stock"][agent_id][action["orders"][0]["good"]] += 1
        state["messages"].append(
            {"from": agent_id, "text": f"Bought some on day {state['day']}, “dear” as ever."}
        )
        state["day"] += 1
        return Adjudication(
            True, {"accepted": [order["good"] for order in action["orders"]]}, state
        )

    def is_terminal(self, state: dict[str, Any]) -> bool:
        return False

    def score(self, state: dict[str, Any]) -> dict[str, float]:
        return {agent: sum(stock.values()) for agent, stock in state["stock"].items()}

    def summarize(self, state: dict[str, Any]) -> Any:
        return {"day": state["day"], "stock": state["stock"]}


class Buyer:
    def __init__(self, id: str) -> None:
        self.id = id

    def init(self, config: AgentConfig) -> None: ...

    def act(self, observation: Any, ctx: AgentContext) -> Any:
        return {"orders": [{"good": good, "amount": 1} for good in ("rope", "salt")], "note": None}


class CheckedNumberGuess(NumberGuess):
    """Promises nothing about its values, as most scenarios of others do."""

    def is_plain(self, state: Any) -> bool:
        return False


def number_guess(seed: int, scenario: type[NumberGuess] = NumberGuess) -> MatchResult:
    seats: list[Agent] = [RandomAgent("random-1"), BaselineAgent("baseline-1")]
    return run_match(scenario(), seats, MatchConfig(seed=seed, max_turns=20))


def market(seed: int) -> MatchResult:
    return run_match(Market(), [Buyer("ada"), Buyer("bo")], MatchConfig(seed=seed, max_turns=10))


def batch(
    play: Callable[[int], MatchResult], size: Callable[[MatchResult], float]
) -> Callable[[], float]:
    return lambda: sum(size(play(seed)) for seed in range(BATCH))


def beside_node() -> None:
    """Compare with Node twice: with copies for agents and scenario, as we make them, and
    without."""
    spent: dict[str, list[float]] = {"thorp": [], "node, copies": [], "node, shared": []}
    with node_peer("matches.mjs") as ask:
        ours = play(0, WARM_MATCHES, digest=True)
        for copies in (True, False):
            warm = {"first": 0, "count": WARM_MATCHES, "digest": True, "copies": copies}
            if ask(warm)["sha256"] != ours:
                raise SystemExit("Node's logs differ from ours; a comparison would mean nothing")
        for turn in range(TURNS):
            order = {"first": WARM_MATCHES + turn * TURN_MATCHES, "count": TURN_MATCHES}
            spent["thorp"].append(cpu_seconds(partial(play, order["first"], order["count"])))
            spent["node, copies"].append(ask(order | {"copies": True})["seconds"])
            spent["node, shared"].append(ask(order)["seconds"])
    print(
        f"the same {WARM_MATCHES:,} logs to the byte; then {TURNS} turns of {TURN_MATCHES:,} "
        "matches each"
    )
    for name, seconds in spent.items():
        rate = TURN_MATCHES / statistics.median(seconds)
        ratio = statistics.median(
            node / own for own, node in zip(spent["thorp"], seconds, strict=True)
        )
        print(f"{name:14s} {rate:8,.0f} matches per CPU s   thorp plays {ratio:.2f} times as many")


def play(first: int, count: int, *, digest: bool = False) -> str:
    """Play so many matches, and return the SHA-256 of their logs in a row if it is asked for."""
    hashed = sha256()
    for seed in range(first, first + count):
        log = number_guess(seed).jsonl
        if digest:
            hashed.update(log)
    return hashed.hexdigest()


def alone() -> None:
    report("number-guess, random + baseline, limit 20", "matches", batch(number_guess, lambda _: 1))
    checked = partial(number_guess, scenario=CheckedNumberGuess)
    report("  the same, every value checked", "matches", batch(checked, lambda _: 1))
    plain = report("  and by log size", "bytes", batch(checked, lambda match: len(match.jsonl)))
    nested = report(
        "market (nested), two buyers, 10 turns",
        "bytes",
        batch(market, lambda match: len(match.jsonl)),
    )
    print(f"nested costs {plain / nested:.2f} times as much per event byte (bar: at most 2)")


def main() -> None:
    parser = argparse.ArgumentParser(description="Matches per CPU second.")
    parser.add_argument("--beside", choices=["node"], help="compare with a runner in this language")
    beside_node() if parser.parse_args().beside else alone()


if __name__ == "__main__":
    main()
