"""Playouts that OpenSpiel played, and what they say about our rules of the same games.

A *trace* is one random playout in our words: `setup` is what chance dealt, and for each decision
`legal` are all legal actions by OpenSpiel, `known` is for each place a digest of all it knows by
OpenSpiel, and `action` is what was played. `tests/exhibition/spiel_traces.py` makes traces from the
real package; `openspiel.jsonl.gz` beside this file holds some that `make test` can check without it.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from thorp.arena.scenarios import Fireworks, KuhnPoker, LeducPoker, LiarsDice, Negotiation, Nim
from thorp.arena.scenarios.fireworks import COLOURS
from thorp.arena.scenarios.kuhn_poker import KuhnPosition
from thorp.arena.scenarios.leduc_poker import LeducPosition
from thorp.arena.scenarios.liars_dice import LiarsDicePosition
from thorp.arena.scenarios.negotiation import Instance, NegotiationPosition
from thorp.arena.scenarios.nim import NimPosition

FILE = Path(__file__).with_name("openspiel.jsonl.gz")
Trace = dict[str, Any]


def recorded() -> list[Trace]:
    with gzip.open(FILE, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def begin(trace: Trace) -> tuple[Any, Any]:
    """The scenario of a trace and its first state, with the cards that were dealt in it."""
    setup = trace["setup"]
    ids = [f"s{seat}" for seat in range(setup.get("seats", 2))]
    position: Any
    match trace["game"]:
        case "kuhn-poker":
            scenario: Any = KuhnPoker(deals=1)
            position = KuhnPosition(tuple(setup["cards"]))
        case "leduc-poker":
            scenario = LeducPoker(deals=1)
            position = LeducPosition(tuple(setup["cards"]), setup["board"])
        case "liars-dice":
            scenario = LiarsDice(deals=1, dice=len(setup["dice"][0]))
            first, second = setup["dice"]
            position = LiarsDicePosition((tuple(first), tuple(second)))
        case "negotiation":
            scenario = Negotiation(deals=1)
            values = tuple(tuple(each) for each in setup["values"])
            position = NegotiationPosition(Instance(tuple(setup["pool"]), values))  # type: ignore[arg-type]
        case "nim":
            scenario = Nim(deals=1, heaps=setup["heaps"], misere=setup["misere"])
            position = NimPosition(tuple(setup["heaps"]), setup["misere"])
        case "fireworks":
            scenario = Fireworks(**setup["parameters"])
            return scenario, scenario.begin(ids, [tuple(card) for card in setup["deck"]])
    return scenario, scenario.begin(ids, (position,))


def universe(trace: Trace) -> list[Any]:
    """Every action that has the form of a move, legal or not."""
    setup = trace["setup"]
    match trace["game"]:
        case "kuhn-poker":
            return [{"move": move} for move in ("pass", "bet", "fold")]
        case "leduc-poker":
            return [{"move": move} for move in ("fold", "call", "raise", "check")]
        case "liars-dice":
            dice = 2 * len(setup["dice"][0])
            bids = product(range(dice + 2), range(8))
            return [{"call": True}, *({"bid": list(bid)} for bid in bids)]
        case "negotiation":
            shares = product(*(range(count + 2) for count in setup["pool"]))
            return [{"accept": True}, *({"keep": list(share)} for share in shares)]
        case "nim":
            takes = product(range(len(setup["heaps"]) + 1), range(max(setup["heaps"]) + 2))
            return [{"heap": heap, "take": take} for heap, take in takes]
    seats = setup["seats"]
    cards: list[Any] = [
        {"move": move, "card": card} for move in ("play", "discard") for card in range(6)
    ]
    for seat in range(seats + 1):
        cards += [{"move": "hint", "seat": seat, "colour": colour} for colour in COLOURS]
        cards += [{"move": "hint", "seat": seat, "rank": rank} for rank in range(7)]
    return cards


def known(trace: Trace, scenario: Any, state: Any, agent_id: str) -> str:
    """All that our view shows of what OpenSpiel shows, too. Of `fireworks` the latest moves and the
    countdown are left out, because its observations have neither; of a negotiation the words."""
    view = dict(scenario.observe(state, agent_id))
    for name in ("history", "movesLeft", "last", "points", "results"):
        view.pop(name, None)
    if trace["game"] == "negotiation":
        view["offers"] = [offer["keep"] for offer in view["offers"]]
    return text(view)


class Partition:
    """Pairs of what two games say that somebody knows. They are the same partition if each is a
    function of the other."""

    def __init__(self) -> None:
        self.ours: dict[str, str] = {}
        self.theirs: dict[str, str] = {}

    def add(self, ours: str, theirs: str) -> None:
        assert self.ours.setdefault(ours, theirs) == theirs, f"we show less: {ours}"
        assert self.theirs.setdefault(theirs, ours) == ours, f"we show more: {ours}"


def check(traces: Iterable[Trace]) -> dict[str, dict[str, int]]:
    """Play traces by our rules, and assert that all is as OpenSpiel says. Returns what was
    compared, by game."""
    counts: dict[str, dict[str, int]] = {}
    partitions: dict[tuple[str, int], Partition] = {}
    for trace in traces:
        count = counts.setdefault(trace["game"], {"playouts": 0, "decisions": 0, "known": 0})
        count["playouts"] += 1
        for compared in _check_trace(trace, partitions):
            count["decisions"] += 1
            count["known"] += compared
    for (game, _), partition in partitions.items():
        counts[game]["classes"] = counts[game].get("classes", 0) + len(partition.ours)
    return counts


def _check_trace(trace: Trace, partitions: dict[tuple[str, int], Partition]) -> Iterator[int]:
    scenario, state = begin(trace)
    everything = universe(trace)
    for step in trace["steps"]:
        assert not scenario.is_terminal(state), trace
        (mover,) = scenario.to_act(state)
        assert state.ids.index(mover) == step["mover"], trace
        legal = {text(a) for a in everything if scenario.adjudicate(state, mover, a).valid}
        assert legal == {text(a) for a in step["legal"]}, (trace, step)
        for seat, theirs in enumerate(step["known"]):
            key = (
                trace["game"],
                seat if trace["game"] != "fireworks" else 10 * len(state.ids) + seat,
            )
            ours = known(trace, scenario, state, state.ids[seat])
            partitions.setdefault(key, Partition()).add(f"{trace['variant']}{ours}", theirs)
        yield len(step["known"])
        state = scenario.adjudicate(state, mover, step["action"]).state
        following = [state.ids.index(each) for each in scenario.to_act(state)]
        if following and following[0] <= step["mover"]:  # else it is asked in the same turn
            state = scenario.end_turn(state)
    assert scenario.is_terminal(state), trace
    assert list(scenario.score(state).values()) == trace["returns"], trace
