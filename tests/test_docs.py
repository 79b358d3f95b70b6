"""Every Python example in the documents runs as it stands, links lead somewhere, the reference is
whole."""

from __future__ import annotations

import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from contextlib import ExitStack, suppress
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from scripts import reference

import thorp.client
import thorp.town
from tests.cli.serving import served
from tests.server.serving import table_of_routes
from thorp.kernel.errors import KINDS

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
PAGES += sorted((ROOT / "docs" / "actions").glob("*.md"))
# Where the examples expect the server of `make run`.
SERVER = "ws://127.0.0.1:8080"


def blocks(page: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", page.read_text("utf-8"), re.S | re.M)


# The programs of the tutorial need a village and each other: test_tutorial.py runs them, and
# tests/village/test_first_agent.py the first, which stands in the README, too.
EXAMPLES = [
    pytest.param(block, id=f"{page.name}-{number}")
    for page in PAGES
    for number, block in enumerate(blocks(page))
    if page.name != "tutorial.md" and block not in blocks(ROOT / "docs" / "tutorial.md")
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


def _installed_by(group: str) -> set[str]:
    """The distributions that a dependency group brings, with all that they need themselves."""
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    to_do = [*groups["run"], *(each for each in groups[group] if isinstance(each, str))]
    names = {"thorp"}
    while to_do:
        requirement = Requirement(to_do.pop())
        name = canonicalize_name(requirement.name)
        wanted = requirement.marker is None or requirement.marker.evaluate({"extra": ""})
        if name in names or not wanted:
            continue
        names.add(name)
        with suppress(
            PackageNotFoundError
        ):  # what builds the site is not needed to write its pages
            to_do += requires(name) or ()
    return names


# Python as it is where only some modules are installed.
WITHOUT = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name in {absent!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
sys.path.insert(0, {root!r})
from scripts import reference
assert reference.pages()
"""


def test_the_reference_is_written_with_what_the_group_for_the_docs_installs() -> None:
    """`make docs` in a fresh clone installs that group, and nothing else."""
    present = _installed_by("docs")
    absent = {
        module
        for module, distributions in packages_distributions().items()
        if not {canonicalize_name(name) for name in distributions} & present
    }
    assert {"pytest", "ray"} <= absent, "it is not there just because tests need it"
    program = WITHOUT.format(absent=absent, root=str(ROOT))
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


def _entries() -> list[str]:
    """Every page of the navigation, in its order."""
    return re.findall(r'= "([\w/-]+\.md)"', (ROOT / "zensical.toml").read_text("utf-8"))


def test_every_page_is_in_the_navigation_once(site: Path) -> None:
    assert Counter(_entries()) == Counter(
        str(page.relative_to(site)) for page in site.rglob("*.md")
    )


@pytest.mark.parametrize(
    ("page", "names"),
    [
        ("commands", ["## thorp up", "--tuning", "## god town create", "## thorp match verify"]),
        ("configuration", ["THORP_DATA", "tick_rate_hz: 5", "beat_step_seconds"]),
        ("http", [f"`{route.method} {route.path}`" for route in table_of_routes()]),
        ("python", [*thorp.client.__all__, *thorp.town.__all__, "## thorp.env"]),
        ("schemas", [f"## {name}" for name in reference.every_schema()]),
        ("metrics", ["voxelcraft_world_tick", "thorp_tick_ms", "thorp_laws", "`phase`"]),
        ("errors", [*(f"`{kind.name}`" for kind in KINDS), "| `port_in_use` | illegal "
                                                           "|", "E_STALE"]),
    ],
)  # fmt: skip
def test_the_reference_names_everything(page: str, names: list[str], site: Path) -> None:
    text = (site / "reference" / f"{page}.md").read_text("utf-8")
    assert [name for name in names if name not in text] == []
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (site / "reference" / target).exists(), target


def test_language_models_get_a_list_of_the_pages_and_all_of_them(
    site: Path, tmp_path: Path
) -> None:
    reference.write_llms(site, tmp_path)
    listed = re.findall(
        r"^- \[[^]]+\]\(([^)]+)\): (.+)$", (tmp_path / "llms.txt").read_text("utf-8"), re.M
    )
    assert [page for page, _ in listed] == [page for page in _entries() if page != "index.md"]
    whole = (tmp_path / "llms-full.txt").read_text("utf-8")
    for page, told in listed:
        assert told.endswith((".", "…"))
        assert (tmp_path / page).read_text("utf-8") in whole
