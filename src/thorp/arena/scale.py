"""An absolute scale beside ratings: 0 is random play, 1 is the best that is known.

A rating says who is stronger among those who met. The scale says how far play is from the best, and
means the same in every league. It is computed from logs, in one of two ways.

**Exact**, in `nim`, `kuhn-poker` and `leduc-poker`: each decision of the agent is compared with the
best one. What it lost is a number known for every move: the game, where a won position of nim is
given away; chips against the shipped equilibrium (`thorp.arena.equilibrium`), where another move
is worth more. The scale is 1 − (what was lost) / (what random moves would have lost in the same
places), so it does not depend on whom the agent met, and may be negative. A missed move counts as
the default move that was made for it. What this cannot see in poker: it measures mistakes against
an equilibrium, not the profit from another's; any mixture of moves that are equally good against
the equilibrium loses nothing, however predictable (the bot `honest` of Kuhn poker never bluffs and
has 1); and of a spot that the equilibrium hardly ever brings about nothing is said.

**By reference**, in all other games: the mean score of the agent beside the reference bot, between
those of the blind bot and of the reference itself (`REFERENCES`). The logs for this must be of
League 1 and of all seatings, with so many seats; all other seats must be the reference bot's, or if
the game is played `together` the agent's own. Who does better than the reference is above 1.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

import msgspec

from thorp.arena.equilibrium import spot_of, spots
from thorp.arena.events import parse_event
from thorp.arena.scenarios.nim import NimPosition, is_won
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError

EXACT: Final = ("nim", "kuhn-poker", "leduc-poker")

Play: TypeAlias = tuple[bytes, str]
"""A log, and the id of the agent in it."""


class Reference(msgspec.Struct, frozen=True, kw_only=True):
    """What a game's scale is measured by: the built-in bots `blind` and `best`, and their mean
    scores beside `best` at a table of so many `seats`."""

    blind: str
    best: str
    seats: int
    blind_score: float
    best_score: float
    together: bool = False


REFERENCES: Final = {
    "connect-four": Reference(
        blind="random", best="minimax", seats=2, blind_score=0, best_score=50
    ),
    "liars-dice": Reference(blind="random", best="odds", seats=2, blind_score=-7.48, best_score=0),
    "negotiation": Reference(
        blind="random", best="trading", seats=2, blind_score=22.7, best_score=43.54
    ),
    "impostor": Reference(
        blind="random", best="careful", seats=4, blind_score=0.5775, best_score=2.592
    ),
    "fireworks": Reference(
        blind="random", best="signalling", seats=2, blind_score=0, best_score=20.54, together=True
    ),
    "voxel-survival": Reference(
        blind="random", best="scripted", seats=1, blind_score=1.9, best_score=25.6, together=True
    ),
    "town-council": Reference(
        blind="random", best="ranked", seats=1, blind_score=50.38, best_score=52.48, together=True
    ),
}
"""Measured by `scripts/measure_references.py` with the parameters of League 1. Connect four is thus
measured against our minimax at its fixed budget of 20,000 positions a move."""


class Decision(msgspec.Struct, frozen=True):
    """One decision: what it lost against the best move, and what a random one loses on average."""

    lost: float
    lost_at_random: float


def scale(game: str, plays: Iterable[Play]) -> float | None:
    """Where an agent's play in a game of League 1 stands between random (0) and best (1).

    `plays` are finished matches as (log, the agent's id); the module says which may be given. None
    if they decide nothing: no log at all, or none in which a move could have lost anything. Refuses
    a game without a scale, and a log of another game.
    """
    if game in EXACT:
        return _scale_exactly(game, plays)
    if game not in REFERENCES:
        names = ", ".join(sorted({*EXACT, *REFERENCES}))
        raise InvalidError(f"{game} has no scale; games with one: {names}", code="unknown_game")
    reference = REFERENCES[game]
    scores = [_score(game, log, agent_id) for log, agent_id in plays]
    if not scores:
        return None
    mean = sum(scores) / len(scores)
    return (mean - reference.blind_score) / (reference.best_score - reference.blind_score)


def value_lost(game: str, plays: Iterable[Play]) -> float | None:
    """What an agent's decisions lost a deal, on average: in poker chips against the equilibrium, in
    nim won positions given away. None without a deal. Refuses a game that is not exact."""
    if game not in EXACT:
        exact = ", ".join(EXACT)
        raise InvalidError(f"{game} is not solved; solved are {exact}", code="unknown_game")
    lost = 0.0
    deals = 0
    for log, agent_id in plays:
        lost += sum(decision.lost for decision in decisions(game, log, agent_id))
        deals += max((len(event["summary"]["results"]) for event in _updates(log)), default=0)
    return lost / deals if deals else None


def decisions(game: str, log: bytes, agent_id: str) -> Iterator[Decision]:
    """The decisions of an agent in a log of an exact game, in order."""
    events = _events(game, log)
    seen: dict[str, Json] | None = None
    for event in events:
        if event.get("agentId") != agent_id:
            continue
        kind = event["type"]
        if kind == "ObservationEmitted":
            seen = event["observation"]
            action: Json = None
        elif kind == "ActionSubmitted":
            action = event["action"]
        elif seen is not None and kind in ("ActionAdjudicated", "AgentError"):
            judged = _DECISIONS[game](seen, action if event.get("valid") is True else None)
            seen = None
            if judged is not None:
                yield judged


# The exact games


def _scale_exactly(game: str, plays: Iterable[Play]) -> float | None:
    lost = 0.0
    at_random = 0.0
    for log, agent_id in plays:
        for decision in decisions(game, log, agent_id):
            lost += decision.lost
            at_random += decision.lost_at_random
    return 1 - lost / at_random if at_random else None


def _nim_decision(seen: Mapping[str, Json], action: Json) -> Decision | None:
    """A lost position has nothing to lose. In a won one every move keeps or gives away the win."""
    position = NimPosition(heaps=tuple(seen["heaps"]), misere=seen["misere"])
    if not is_won(position.heaps, position.misere):
        return None
    given_away = {
        move: is_won(position.after(*move).heaps, position.misere) for move in position.moves()
    }
    if action is None:
        after = position.after_default()
        assert after.taken is not None
        move = after.taken
    else:
        move = (int(action["heap"]), int(action["take"]))
    return Decision(float(given_away[move]), sum(given_away.values()) / len(given_away))


def _kuhn_decision(seen: Mapping[str, Json], action: Json) -> Decision | None:
    return _poker_decision("kuhn-poker", seen, "pass" if action is None else action["move"])


def _leduc_decision(seen: Mapping[str, Json], action: Json) -> Decision | None:
    default = "fold" if "fold" in seen["legal"] else "call"
    return _poker_decision("leduc-poker", seen, default if action is None else action["move"])


def _poker_decision(game: str, seen: Mapping[str, Json], move: str) -> Decision | None:
    spot = spots(game)[spot_of(seen)]
    return Decision(spot.lost(move), spot.lost_at_random()) if spot.reached else None


_DECISIONS: Final = {
    "nim": _nim_decision,
    "kuhn-poker": _kuhn_decision,
    "leduc-poker": _leduc_decision,
}


# Logs


def _events(game: str, log: bytes) -> Iterator[dict[str, Json]]:
    """The events of a log. Refuses one of another game, and one that was not written to its end."""
    lines = log.splitlines(keepends=True)
    start = parse_event(lines[0]) if lines else None
    if start is None or start.get("scenarioName") != game:
        raise InvalidError(f"not a log of {game}", code="log")
    for line in lines:
        event = parse_event(line)
        if event is None:
            raise InvalidError(f"not a log of {game}: a line is no event", code="log")
        yield event


def _updates(log: bytes) -> Iterator[dict[str, Json]]:
    for line in log.splitlines(keepends=True):
        if line.startswith(b'{"type":"StateUpdated"'):
            event = parse_event(line)
            if event is not None:
                yield event


def _score(game: str, log: bytes, agent_id: str) -> float:
    *_, last = _events(game, log)
    scores = last.get("scores")
    if last["type"] != "MatchEnded" or not isinstance(scores, dict) or agent_id not in scores:
        raise InvalidError(f"the log has no score of {agent_id!r:.80}", code="log")
    return float(scores[agent_id])
