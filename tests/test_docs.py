"""Every Python example in the documents runs as it stands, links lead somewhere, the reference is whole."""

from __future__ import annotations

import asyncio
import re
import runpy
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest
from scripts import reference

import thorp.client
import thorp.town
from tests.cli.serving import served
from thorp.bridges import village
from thorp.bridges.village.founding import RULES
from thorp.bridges.voxel_town import found
from thorp.cli.villagers import run_village
from thorp.kernel.errors import KINDS
from thorp.server.agents import new_token
from thorp.server.app import ROUTES
from thorp.server.host import WORLD
from thorp.store import RealDisk
from thorp.voxel.service import WorldService
from thorp.voxel.tuning import read_tuning

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
# Where the examples expect the server of `make run`.
SERVER = "ws://127.0.0.1:8080"


def _blocks(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.S | re.M)


# The shop of the tutorial and its customer run together, in a village of their own.
SHOP = [block for block in _blocks(ROOT / "docs" / "tutorial.md") if '"market"' in block]
EXAMPLES = [
    pytest.param(block, id=f"{page.name}-{number}")
    for page in PAGES
    for number, block in enumerate(_blocks(page))
    if block not in SHOP
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
    told = r"say hello: done: ok\ngo to \(.+\) done\nmine it done\nnow I have \{.*'LOG': \d+.*\}\n"
    assert re.fullmatch(told, done.stdout)


BEFORE_THE_CALL = 130
"""A tick of the village's first evening, some 100 before the storekeeper calls for the first time."""
PACE_SECONDS = 0.2


class Program:
    """A program of the tutorial in a process of its own."""

    def __init__(self, process: asyncio.subprocess.Process, out: bytes) -> None:
        self.process = process
        self.out = out

    @classmethod
    async def start(cls, script: str, until: str) -> Program:
        """Return when it has written that."""
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-uc", script, stdout=pipe, stderr=pipe
        )
        assert process.stdout is not None
        return cls(process, await asyncio.wait_for(process.stdout.readuntil(until.encode()), 60))

    async def end(self) -> str:
        """All that it wrote, when it has ended well."""
        out, err = await asyncio.wait_for(self.process.communicate(), 120)
        assert (self.process.returncode, err) == (0, b"")
        return (self.out + out).decode()


async def _in_the_village(url: str, tokens: dict[str, str]) -> tuple[str, str]:
    """What shop and customer write. The ticks wait for a bystander until both are there."""
    shop, customer = (block.replace(SERVER, url).replace("1_500", "220") for block in SHOP)
    there = asyncio.Event()

    async def stand_by() -> None:
        async with thorp.client.connect(url, "Bystander") as agent:
            people = asyncio.create_task(run_village(f"{url}/v1/ws", tokens, access_token=None, say=print))
            try:
                async for _ in agent:
                    if not there.is_set():
                        await asyncio.sleep(PACE_SECONDS)
            finally:
                people.cancel()
                await asyncio.wait([people])

    standing = asyncio.create_task(stand_by())
    opened = await Program.start(shop, until="calling: done: ok\n")
    bought = await Program.start(customer, until="searching: done: ok\n")
    there.set()
    told = await bought.end(), await opened.end()
    standing.cancel()
    await asyncio.wait([standing])
    return told


def test_the_shop_of_the_tutorial_deals_with_the_storekeeper_and_a_customer(tmp_path: Path) -> None:
    """Both programs as they stand, but for address and hours, in a village with all its people."""
    tokens = {name: new_token() for name in village.ROSTER}
    service = WorldService.open(RealDisk(), tmp_path / "data" / WORLD, found=found, tuning=read_tuning(RULES))
    village.run(service.world, lambda inputs: service.tick(inputs).result(), tokens, to_tick=BEFORE_THE_CALL)
    service.close()
    with served(tmp_path / "data", clock="lockstep") as url:
        bought, sold = asyncio.run(_in_the_village(url.replace("http", "ws"), tokens))
    assert re.search(r"1 PLANK for 2 COAL of A\d+: done\nanswer: TRADE_DECLINED\n", bought)
    assert re.search(r"4 PLANK for 2 COAL of A\d+: done\nanswer: TRADE_DONE\n", bought)
    assert "gives {'PLANK': 1} for {'COAL': 2}: declined, done: declined\n" in sold
    assert "gives {'PLANK': 4} for {'COAL': 2}: taken, done: ok\n" in sold
    storekeeper = re.search(r"(A\d+) has berries: done\n", sold)
    assert storekeeper is not None
    assert f"traded with {storekeeper[1]}\n" in sold
    assert sold.endswith("closed, with {'BERRIES': 12, 'COAL': 8, 'PLANK': 24, 'STONE': 18}\n")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the site is built from: the pages, and the reference made from the code."""
    pages = Path(shutil.copytree(ROOT / "docs", tmp_path_factory.mktemp("site") / "docs"))
    reference.write_pages(pages / "reference")
    return pages


def _entries() -> list[str]:
    """Every page of the navigation, in its order."""
    return re.findall(r'= "([\w/-]+\.md)"', (ROOT / "zensical.toml").read_text("utf-8"))


def test_every_page_is_in_the_navigation_once(site: Path) -> None:
    assert Counter(_entries()) == Counter(str(page.relative_to(site)) for page in site.rglob("*.md"))


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("commands", ["## thorp up", "--tuning", "## god town create", "## thorp match verify"]),
        ("configuration", ["THORP_DATA", "tick_rate_hz: 5", "beat_step_seconds"]),
        ("http", [f"`{route.method} {route.path}`" for route in ROUTES]),
        ("python", [*thorp.client.__all__, *thorp.town.__all__, "## thorp.env"]),
        ("schemas", [f"## {name}" for name in reference.every_schema()]),
        ("metrics", ["voxelcraft_world_tick", "thorp_tick_ms", "thorp_laws", "`phase`"]),
        ("errors", [*(f"`{kind.name}`" for kind in KINDS), "| `port_in_use` | illegal |", "E_STALE"]),
    ],
)  # fmt: skip
def test_the_reference_names_everything(page: str, names: list[str], site: Path) -> None:
    text = (site / "reference" / f"{page}.md").read_text("utf-8")
    assert [name for name in names if name not in text] == []
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (site / "reference" / target).exists(), target


def test_language_models_get_a_list_of_the_pages_and_all_of_them(site: Path, tmp_path: Path) -> None:
    reference.write_llms(site, tmp_path)
    listed = re.findall(r"^- \[[^]]+\]\(([^)]+)\): (.+)$", (tmp_path / "llms.txt").read_text("utf-8"), re.M)
    assert [page for page, _ in listed] == [page for page in _entries() if page != "index.md"]
    whole = (tmp_path / "llms-full.txt").read_text("utf-8")
    for page, told in listed:
        assert told.endswith((".", "…"))
        assert (tmp_path / page).read_text("utf-8") in whole
