"""`thorp society what-if`: control, changed and noise arms of one world, in a table and on a page."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.arena.tournament.processes import until
from tests.cli.command import THORP, refused, thorp
from tests.server.browser import browsing
from tests.server.serving import run
from tests.server.test_page import PATIENCE_SECONDS, chromium
from thorp.kernel.errors import InvalidError
from thorp.society import Goal, PassLaw, RepealLaw, Weather
from thorp.society.figures import FIGURES
from thorp.village.changes import MAX_TEXT, read_change_text

AT = "17550"
STORM = "weather weather=STORM ticks=400"
LIMIT_SECONDS = 600
"""Of what a process of its own does; it only keeps a failure from hanging."""


def ask(data: Path, out: Path, *more: str | Path, change: str = STORM, at: str = AT) -> list[Any]:
    asked = ["--data", data, "--at", at, "--change", change, "--days", "1", "--out", out]
    return ["society", "what-if", *asked, *more]


@pytest.fixture(scope="module")
def answered(kept_village: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    out = tmp_path_factory.mktemp("what-if") / "storm"
    done = thorp(*ask(kept_village, out, "--noise", "1"))
    assert done.returncode == 0, done.stderr
    return out, done


def test_the_table_says_what_was_asked_and_what_chance_does(answered: Any) -> None:
    out, done = answered
    said = done.stdout.decode()
    assert "One thing was changed: a storm for 400 ticks. The control is the same fork" in said
    assert "changed, compared with the control" in said
    assert "the same in every pair: people" in said
    assert str(out / "report.html") in said
    arms = sorted(path.name for path in out.iterdir() if (path / "world").exists())
    assert arms == ["changed", "changed-1", "control", "control-1"]


def test_asking_again_gives_the_same_answer_at_once(answered: Any, kept_village: Path) -> None:
    out, done = answered
    page = (out / "report.html").read_bytes()
    again = thorp(*ask(kept_village, out, "--noise", "1"))
    assert again.stdout == done.stdout
    assert (out / "report.html").read_bytes() == page
    found = json.loads(thorp(*ask(kept_village, out, "--noise", "1", "--json")).stdout)
    assert [(arm["is_changed"], arm["is_noise"]) for arm in found["arms"]] == [
        (False, False),
        (True, False),
        (False, True),
        (True, True),
    ]
    assert set(found["noise"]) == {each.key for each in FIGURES}


def test_another_question_needs_another_directory(answered: Any, kept_village: Path) -> None:
    out, _ = answered
    said = refused(thorp(*ask(kept_village, out, "--noise", "0")))
    assert "holds another counterfactual" in said
    assert "--force" in said


@chromium
def test_the_page_opens_without_a_network_and_asks_for_nothing(
    answered: Any, tmp_path: Path
) -> None:
    out, _ = answered
    opens_alone(out / "report.html", tmp_path, "What if a storm for 400 ticks?", len(FIGURES))


def opens_alone(path: Path, tmp_path: Path, title: str, plots: int) -> None:
    """Open a page from disk without a network: it shows its drawings and makes no request."""

    async def watch() -> None:
        async with browsing(tmp_path / "profile", 1200, 900) as page:
            nothing = {"latency": 0, "downloadThroughput": 0, "uploadThroughput": 0}
            await page.do("Network.emulateNetworkConditions", offline=True, **nothing)
            await page.open(path.as_uri())
            await page.until(f"document.title === {json.dumps(title)}")
            await page.until(f"document.querySelectorAll('figure svg').length === {plots}")
            await page.until(
                "[...document.querySelectorAll('figure svg')].every(e => e.clientHeight > 80)"
            )
            assert page.complaints == []
            assert page.failed_requests == []
            assert [url for url in page.requests if url != path.as_uri()] == []

    run(watch(), 2 * PATIENCE_SECONDS)


def test_a_run_that_was_killed_goes_on(kept_village: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [THORP, *ask(kept_village, out, "--noise", "0")]
    first = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    until(lambda: (out / "changed" / "world").exists(), LIMIT_SECONDS)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    done = thorp(*ask(kept_village, out, "--noise", "0"))
    assert done.returncode == 0, done.stderr
    assert b"It is a single pair" in done.stdout
    assert b"no difference is shown" in done.stdout


@pytest.mark.parametrize(
    ("change", "at", "why"),
    [
        ("flood", AT, "change: Invalid value 'flood'"),
        ("weather weather", AT, "NAME=VALUE"),
        ("weather weather=HAIL", AT, "Invalid enum value 'HAIL'"),
        ("goal person=Zed goal=office", AT, "no villager 'Zed'; known are Odile"),
        ("pass_law law=TITHE", AT, "no law 'TITHE'; known are"),
        ("pass_law law=MARKET_TAX market_tax=0.9", AT, "from 0 to 0.25"),
        (STORM, "99999", "99999"),
    ],
)
def test_a_question_that_does_not_fit_is_one_line_and_makes_nothing(
    kept_village: Path, tmp_path: Path, change: str, at: str, why: str
) -> None:
    out = tmp_path / "out"
    assert why in refused(thorp(*ask(kept_village, out, change=change, at=at)))
    assert not out.exists()


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("weather weather=COLD ticks=70", Weather(weather="COLD", ticks=70)),
        ("goal person=Bram goal='bigger house'", Goal(person="Bram", goal="bigger house")),
        ("repeal_law law=MARKET_TAX", RepealLaw(law="MARKET_TAX")),
        (
            "pass_law law=MARKET_TAX market_tax=0.2 title='A fifth'",
            PassLaw(law="MARKET_TAX", params={"market_tax": 0.2}, title="A fifth"),
        ),
        (
            "pass_law law=FINE_BREAK_PER_BLOCK fine_item=COAL fine_per_block=2",
            PassLaw(law="FINE_BREAK_PER_BLOCK", params={"fine_item": "COAL", "fine_per_block": 2}),
        ),
    ],
)
def test_a_change_is_read_from_words(text: str, change: object) -> None:
    assert read_change_text(text) == change


@pytest.mark.parametrize(
    "text",
    ["", " ", "'", "weather =STORM", "weather weather=COLD weather=COLD", "x" * MAX_TEXT * 2],
)
def test_words_that_are_no_change_are_refused(text: str) -> None:
    with pytest.raises(InvalidError) as refusal:
        read_change_text(text)
    assert refusal.value.code == "change"
    assert "\n" not in refusal.value.message
