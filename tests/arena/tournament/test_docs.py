"""The page on tournaments: its Python example runs as it stands, and its commands exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PAGE = (Path(__file__).parents[3] / "docs" / "tournaments.md").read_text()


def test_the_python_example_runs(tmp_path: Path) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    script = tmp_path / "example.py"
    script.write_text(example)
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert re.fullmatch(
        r"\[\('(ada|bo)', \d+, [0-9.]+\), \('(ada|bo)', \d+, [0-9.]+\)\]\n", done.stdout
    )
    assert (tmp_path / "tournament" / "report.html").exists()
