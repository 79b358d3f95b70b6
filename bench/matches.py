"""Matches per CPU second, one process, complete log text.

`python bench/matches.py`. The second scenario exists only here: nested observations with text, fractions
and lists, so that nothing is tuned to one game; its cost per event byte should stay within twice the first's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from calibration import report

from thorp.arena import Adjudication, Agent, AgentConfig, AgentContext, MatchConfig, MatchResult, run_match
from thorp.arena.agents import BaselineAgent, RandomAgent
from thorp.arena.scenarios import NumberGuess

BATCH = 400


class Market:
    """A stall-keeper's day: nested stock, prices with fractions, messages. Every action is an order."""

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
            "market": [{"good": good, "price": 1.25 + 0.5 * (day % 5), "left": 10} for good in self.goods],
            "stock": state["stock"][agent_id],
            "messages": state["messages"][-3:],
        }

    def adjudicate(self, state: dict[str, Any], agent_id: str, action: Any) -> Adjudication:
        state["stock"][agent_id][action["orders"][0]["good"]] += 1
        state["messages"].append(
            {"from": agent_id, "text": f"Bought some on day {state['day']}, “dear” as ever."}
        )
        state["day"] += 1
        return Adjudication(True, {"accepted": [order["good"] for order in action["orders"]]}, state)

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


def number_guess(seed: int) -> MatchResult:
    seats: list[Agent] = [RandomAgent("random-1"), BaselineAgent("baseline-1")]
    return run_match(NumberGuess(), seats, MatchConfig(seed=seed, max_turns=20))


def market(seed: int) -> MatchResult:
    return run_match(Market(), [Buyer("ada"), Buyer("bo")], MatchConfig(seed=seed, max_turns=10))


def batch(play: Callable[[int], MatchResult], size: Callable[[MatchResult], float]) -> Callable[[], float]:
    return lambda: sum(size(play(seed)) for seed in range(BATCH))


def main() -> None:
    report("number-guess, random + baseline, limit 20", "matches", batch(number_guess, lambda _: 1))
    plain = report("  the same, by log size", "bytes", batch(number_guess, lambda match: len(match.jsonl)))
    nested = report(
        "market (nested), two buyers, 10 turns", "bytes", batch(market, lambda match: len(match.jsonl))
    )
    print(f"nested costs {plain / nested:.2f} times as much per event byte (bar: at most 2)")


if __name__ == "__main__":
    main()
