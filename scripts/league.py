"""Makes the reference table: every built-in agent plays the suite's games, and the table is published.

python scripts/league.py DIR             # plays, adds, publishes in a signed log, audits
python scripts/league.py DIR --publish   # and keeps table and log with the sources

It plays a tournament for each game, announced in a signed log before its first move; adds them to a
league; writes `DIR/leaderboard.json`; publishes that, too; and audits the log. It goes on where it
was interrupted. The embedded model plays the games of which its replies are in
`suites/league-1/replies`, and is not asked: its matches are played again from what it said.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from collections import Counter
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from thorp.arena.league import Game, League, default_suite, make_table
from thorp.arena.registry import agent_kinds, make_scenario
from thorp.store import RealDisk, write_atomic

ORIGIN = "thorp.example/league-1"
ROUNDS = 10  # Deals of each pair, from both seats.
ROOT = Path(__file__).parents[1]
KEPT = ROOT / "suites/league-1"
REPLIES = KEPT / "replies"
PAGE = ROOT / "docs/league.md"
BEGIN = "<!-- The reference table: python scripts/league.py DIR --publish -->"
END = "<!-- The reference table ends here. -->"
MODEL = "local=local"
MODEL_SECONDS = 120
"""As long as the model had for a turn when its replies were recorded, on a busy machine."""
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
    if (REPLIES / game.name).is_dir():
        options += ["--agent", MODEL, "--replies", str(REPLIES / game.name)]
        options += ["--turn-seconds", str(MODEL_SECONDS)]
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


def publish(board: Path, public: Path) -> None:
    """Keep the table and the public part of its log with the sources, and show it on the page."""
    shutil.copyfile(board, KEPT / board.name)
    shutil.rmtree(KEPT / "log", ignore_errors=True)
    shutil.copytree(public, KEPT / "log", ignore=_outgrown)
    before, _, rest = PAGE.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    table = reference_table(json.loads(board.read_bytes()))
    PAGE.write_text(f"{before}{BEGIN}\n\n{table}\n{END}{after}")


def _outgrown(folder: str, names: list[str]) -> list[str]:
    """Beginnings of tiles of a log that are whole by now, or that went on."""
    if folder.endswith(".p"):
        return sorted(names, key=int)[:-1]
    return [name for name in names if name.removesuffix(".p") in names and name.endswith(".p")]


def reference_table(board: dict[str, Any]) -> str:
    """The table in Markdown, with what it is cited by."""
    suite = board["suite"]
    lines = [
        f"{suite['name']}, version {suite['version']}, digest `{suite['digest']}`,",
        f"{board['results']} results, set `{board['set']}`.",
        "",
        "| # | agent | rating, 95 % | tier | games | copies ± | tokens | status |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for row in board["agents"]:
        rating = f"{row['rating']:.0f} ({row['low']:.0f} to {row['high']:.0f})"
        status = row["status"] + (", provisional" if row["provisional"] else "")
        shift = "" if row["copy_shift"] is None else f"{row['copy_shift']:.0f}"
        tokens = row["tokens_in"] + row["tokens_out"]
        cells = [row["rank"], row["id"], rating, row["tier"], row["games"], shift]
        lines.append(f"| {' | '.join(map(str, [*cells, f'{tokens:,}', status]))} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Play the reference table.")
    parser.add_argument("place", nargs="?", type=Path, default=Path("league"))
    parser.add_argument("--publish", action="store_true", help="keep it with the sources")
    chosen = parser.parse_args()
    started = time.monotonic()
    place: Path = chosen.place
    data = place / "data"
    place.mkdir(parents=True, exist_ok=True)
    if not (data / "log" / "public" / "log.vkey").exists():
        thorp("log", "init", "--origin", ORIGIN, "--data", str(data))
    games = default_suite().games
    for game in games:
        play(game, place / "played" / game.name, data)
    sources = [str(place / "played" / game.name) for game in games]
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
    if chosen.publish:
        publish(board, public)
    print(f"{board}, in {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
