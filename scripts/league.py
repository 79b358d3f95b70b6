"""Makes the reference table: every built-in agent plays the suite's games, and the table is published.

`python scripts/league.py DIR` plays a tournament for each game, announced in a signed log before its
first move; adds them to a league; writes `DIR/leaderboard.json`; publishes that, too; and audits
the log. It goes on where it was interrupted. The models' replies in `DIR/recorded`, if there are
any, are added as they are: their tournaments replay without a model.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter
from itertools import cycle, islice
from pathlib import Path

from thorp.arena.league import Game, League, default_suite, make_table
from thorp.arena.registry import agent_kinds, make_scenario
from thorp.store import RealDisk, write_atomic

ORIGIN = "thorp.example/league-1"
ROUNDS = 10  # Deals of each pair, from both seats.
ROUNDS_BY_SCORE = {"voxel-survival": 3}
"""A match of this game takes seconds; of others ten deals are played."""


def thorp(*arguments: str) -> None:
    """Run a command of Thorp, and stop if it is refused."""
    done = subprocess.run([sys.executable, "-m", "thorp", *arguments], check=False)
    if done.returncode:
        sys.exit(done.returncode)


def play(game: Game, directory: Path, data: Path) -> None:
    """Play the tournament of one game, announced in the log."""
    kinds = agent_kinds(game.scenario)
    fewest, _ = getattr(make_scenario(game.scenario, game.parameters), "seats", (1, None))
    by_score = game.kind == "scores"
    # Copies fill a large table; where all share a score, one more agent than seats is entered.
    needed = fewest + (1 if by_score and fewest > 1 else 0)
    seats = list(islice(cycle(kinds), max(needed, len(kinds))))
    agents = [f"{kind}-{n}={kind}" if n else kind for kind, n in _numbered(seats)]
    options = ["--rounds", str(ROUNDS_BY_SCORE.get(game.name, ROUNDS)), "--seed", str(game.seed)]
    for agent in agents:
        name = agent if "=" in agent else f"{agent}={agent}"
        options += ["--agent", name]
    options += settings(game)
    options += ["--max-turns", str(game.max_turns), "--out", str(directory)]
    options += ["--log", "--data", str(data)]
    thorp("tournament", "run", game.scenario, *options, *([] if by_score else ["--mirrored"]))


def settings(game: Game) -> list[str]:
    """The parameters of a game as options of a command."""
    return [
        word
        for name, value in game.parameters.items()
        for word in ("--set", f"{name}={json.dumps(value)}")
    ]


def _numbered(kinds: list[str]) -> list[tuple[str, int]]:
    """Each kind with how often it came before, counted from 1; the first of a kind has 0."""
    seen: Counter[str] = Counter()
    numbered = []
    for kind in kinds:
        numbered.append((kind, seen[kind] + 1 if seen[kind] else 0))
        seen[kind] += 1
    return numbered


def main() -> None:
    started = time.monotonic()
    place = Path(sys.argv[1] if len(sys.argv) > 1 else "league")
    data = place / "data"
    place.mkdir(parents=True, exist_ok=True)
    if not (data / "log" / "public" / "log.vkey").exists():
        thorp("log", "init", "--origin", ORIGIN, "--data", str(data))
    games = default_suite().games
    for game in games:
        play(game, place / "played" / game.name, data)
    sources = [str(place / "played" / game.name) for game in games]
    sources += sorted(str(path) for path in (place / "recorded").glob("*") if path.is_dir())
    table_of = place / "table"
    thorp("league", "add", *sources, "--reproduce", "--league", str(table_of))
    board = place / "leaderboard.json"
    league = League(RealDisk(), table_of)
    write_atomic(RealDisk(), board, make_table(RealDisk(), league).to_bytes(), replace=True)
    thorp("log", "add", str(board), "--data", str(data))
    thorp("log", "checkpoint", "--data", str(data))
    public = data / "log" / "public"
    thorp("log", "audit", str(public), "--key", str(public / "log.vkey"))
    thorp("league", "table", "--league", str(table_of))
    print(f"{board}, in {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
