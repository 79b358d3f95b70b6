"""Prompts of recorded games, drawn for asking another runtime: `examples/train/agree.py`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from thorp.models.recorded_choices import RecordedGames, prompt_digits

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "suites/minds-1/voxel-survival-improved.jsonl.gz"
SEED = 50_001
DECISIONS = 20
DRAWN = 4


def test_prompts_are_drawn_evenly_and_are_those_that_were_answered(tmp_path: Path) -> None:
    header, *rows = RecordedGames.from_bytes(GAMES.read_bytes()).to_jsonl().splitlines()
    game = next(row for row in map(json.loads, rows) if row["seed"] == SEED)
    game["letters"] = game["letters"][:DECISIONS]
    game["prompts"] = game["prompts"][: 8 * DECISIONS]
    short = tmp_path / "short.jsonl"
    short.write_bytes(header + b"\n" + json.dumps(game).encode() + b"\n")
    drawn = tmp_path / "drawn.jsonl"
    command = [sys.executable, "agree.py", "draw", str(short), str(drawn), "--count", str(DRAWN)]
    subprocess.run(command, cwd=ROOT / "examples/train", check=True)
    prompts = [json.loads(line) for line in drawn.read_text().splitlines()]
    assert [row["place"] for row in prompts] == [2, 7, 12, 17]
    for row in prompts:
        place = row["place"]
        assert row["taken"] == game["letters"][place]
        assert row["taken"] in row["letters"]
        assert prompt_digits(row["prompt"]) == game["prompts"][8 * place : 8 * place + 8]
