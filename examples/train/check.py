"""Try the whole chain on a tiny random model, in a few minutes: `make test-train`.

Every step runs as a user runs it. What it learns is nothing; what is checked is that each step
leaves its file, that a step which is done is not done again, and that a crowd replays to the same
digests.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import tiny

HERE: Final = Path(__file__).parent
SMALL: Final = ("--processes", "2", "--ticks", "120", "--device", "cpu", "--tries", "0")


def run(*words: str) -> None:
    """Run one command of the chain."""
    print("$ python", *words, flush=True)
    subprocess.run([sys.executable, *words], cwd=HERE, check=True)


def replayed(replies: Path, seed: int) -> float:
    """The points of a game that is played again from its letters, without the model."""
    words = ["match", "run", "voxel-survival", "--agent", "local", "--set", "ticks=120"]
    words += ["--seed", str(seed), "--replies", str(replies), "--out", "-"]
    print("$ thorp", *words, flush=True)
    done = subprocess.run([sys.executable, "-m", "thorp", *words], check=True, capture_output=True)
    assert not done.stderr, done.stderr
    ended = json.loads(done.stdout.splitlines()[-1])
    assert ended["type"] == "MatchEnded", ended
    return float(ended["scores"]["local-1"])


def main() -> None:
    """Try every step."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder) / "tiny.gguf"
        files = Path(folder) / "run"
        tiny.write(base)
        model = ("--base", str(base))
        run("train.py", "collect", str(files), "--games", "2", *SMALL)
        run("train.py", "tune", str(files), *model, "--decisions", "40", *SMALL)
        rounds = ("--rounds", "1", "--round-games", "2", "--decisions", "40")
        run("train.py", "improve", str(files), *model, *rounds, *SMALL)
        forks = ("--steps", "1", "--groups", "4", "--ways", "3", "--horizon", "40")
        run("train.py", "reinforce", str(files), *model, "--rounds", "1", *forks, *SMALL)
        for state in ("scripted", "random", "improved-1.pt"):
            run(
                "train.py", "evaluate", str(files), *model, "--state", state, "--seeds", "2", *SMALL
            )
        adapter = files / "adapter.gguf"
        out = ("--state", "improved-1.pt", "--out", str(adapter))
        run("train.py", "export", str(files), *model, *out, *SMALL)
        assert adapter.read_bytes()[:4] == b"GGUF"
        same = ("--state", str(adapter), "--seeds", "1")
        run("train.py", "evaluate", str(files), *model, *same, *SMALL)
        report = [json.loads(line) for line in (files / "report-improved-1.jsonl").open()]
        assert len(report) == 2, report
        again = replayed(files / "replies-improved-1.jsonl.gz", report[0]["seed"])
        assert again == report[0]["points"], (again, report[0])
        before = (files / "tuned.pt").stat().st_mtime_ns
        run("train.py", "tune", str(files), *model, "--decisions", "40", *SMALL)
        assert (files / "tuned.pt").stat().st_mtime_ns == before, "a step was done twice"
        village = files / "village.gguf"
        lives = ("--adapter", str(adapter), "--days", "0", "--processes", "2", "--device", "cpu")
        once = ("--rounds", "1", "--villages", "2", "--tries", "1", "--out", str(village))
        run("dwell.py", "dwell", str(files), *model, *lives, *once)
        assert village.read_bytes()[:4] == b"GGUF"
        recording = str(files / "crowd.json.gz")
        few = ("--worlds", "2", "--ticks", "30", "--processes", "2")
        state = str(files / "improved-1.pt")
        run("crowd.py", "play", recording, *model, "--state", state, "--device", "cpu", *few)
        run("crowd.py", "replay", recording, *few)
    print("the whole chain works")


if __name__ == "__main__":
    main()
