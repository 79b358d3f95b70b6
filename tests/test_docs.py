"""Every Python example in the documents runs as it stands."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.cli.serving import served

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
# Where the examples expect the server of `make run`.
SERVER = "ws://127.0.0.1:8080"


def _blocks(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.S | re.M)


EXAMPLES = [
    pytest.param(block, id=f"{page.name}-{number}")
    for page in PAGES
    for number, block in enumerate(_blocks(page))
]


@pytest.mark.parametrize("example", EXAMPLES)
def test_example_runs(example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "example.py"
    with ExitStack() as stack:
        if SERVER in example and "asyncio.run(" in example:
            url = stack.enter_context(served(tmp_path / "data", clock="real"))
            example = example.replace(SERVER, url.replace("http", "ws"))
        script.write_text(example, "utf-8")
        runpy.run_path(str(script), run_name="__main__")


def test_the_agent_of_the_readme_says_what_it_did(tmp_path: Path) -> None:
    (block,) = (each for each in _blocks(ROOT / "README.md") if "thorp.client" in each)
    with served(tmp_path / "data", clock="real") as url:
        script = block.replace(SERVER, url.replace("http", "ws"))
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"go to \(.+\) done\nmine it done\nnow I have \{.*'LOG': \d+.*\}\n", done.stdout)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
