"""`thorp up --village --minds`: refused in one line, never waited for, and gone with its server."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import msgspec
import pytest

from tests.cli.command import run as run_command
from tests.server.browser import browsing
from tests.server.serving import run
from tests.server.test_child import children_of, is_running, wait_until_gone
from tests.server.test_page import chromium
from tests.server.test_page_stranger import TEXT
from tests.server.test_up import SHORT_DAYS, Running, fails, up
from thorp.mind import RULES
from thorp.server.access.tokens import ADMIN_TOKEN, read_admin_token
from thorp.server.live.mind_log import DECISIONS_KEPT, MOST_REPORT_BYTES, MindLog
from thorp.village.minds import MOST_MINDS, NAMES, TITLE, MindDecision, MindReport, Weighed

PATIENCE_SECONDS = 240
UNKNOWN = 404
FIRST_MIND = "A25"
"""The first body after those of the villagers."""

# Refused before anything is begun


def refused(data: Path, *options: str) -> str:
    done = run_command("thorp", "up", "--data", str(data), "--port", "0", *options)
    assert (done.returncode, done.stdout) == (2, b""), done
    (line,) = done.stderr.decode().strip().splitlines()
    assert not (data / ADMIN_TOKEN).exists()
    return line


def test_minds_without_a_village_or_too_many_are_refused(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert "give --village, too" in refused(data, "--minds", "1")
    assert "--mind-model is for --minds" in refused(data, "--village", "--mind-model", "smollm2")
    assert "--minds" in fails("up", "--village", "--minds", str(MOST_MINDS + 1))


def test_without_the_model_they_are_refused_with_the_command_that_fetches_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THORP_MODELS", str(tmp_path / "nowhere"))
    told = refused(tmp_path / "data", "--village", "--minds", "1")
    assert "`thorp model get smollm2`" in told
    own = str(tmp_path / "own.gguf")
    assert "no such file" in refused(
        tmp_path / "data", "--village", "--minds", "1", "--mind-model", own
    )


def test_without_what_runs_it_they_are_refused_with_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The runtime is not imported for that, so a name that is in the way hides it."""
    from thorp.kernel.errors import IllegalError
    from thorp.village import mind_model

    (tmp_path / "own.gguf").write_bytes(b"GGUF")
    monkeypatch.setattr(mind_model, "RUNTIME", "no_such_runtime")
    with pytest.raises(IllegalError, match=r"thorp\[mind\]"):
        mind_model.check_mind_model(str(tmp_path / "own.gguf"))
    assert "xllamacpp" not in sys.modules


# What is kept of their decisions


def report(agent: str, number: int, came: str = "", read: str = "food 20") -> bytes:
    decision = MindDecision(
        number=number,
        tick=100 + number,
        read=read,
        chose="wait",
        by="model",
        weighed=[Weighed("a", "wait", 0.9), Weighed("b", "move_south")],
        came=came,
    )
    return msgspec.json.encode(MindReport(agent=agent, decision=decision)) + b"\n"


def test_the_newest_decisions_of_few_minds_are_kept_and_an_outcome_joins_its_decision() -> None:
    log = MindLog()
    for number in range(1, 3 * DECISIONS_KEPT):
        log.take(report("A25", number))
    log.take(report("A25", 3 * DECISIONS_KEPT - 1, came="done"))
    shown = log.shown("A25", open_book=True)
    assert shown is not None
    assert shown.rules == RULES
    assert shown.decisions is not None
    assert len(shown.decisions) == DECISIONS_KEPT
    assert shown.decisions[0].came == "done"
    assert shown.decisions[0].number == 3 * DECISIONS_KEPT - 1
    for body in range(30, 40):
        log.take(report(f"A{body}", 1))
    kept = [body for body in range(100) if log.shown(f"A{body}", open_book=True)]
    assert kept == [38, 39]


def test_a_closed_book_tells_no_decision_and_nobody_else_has_any() -> None:
    log = MindLog()
    log.take(report("A25", 1))
    closed = log.shown("A25", open_book=False)
    assert closed is not None
    assert closed.decisions is None
    assert log.shown("A1", open_book=True) is None


def test_what_is_no_decision_is_passed_over_however_long_it_is() -> None:
    """What another program would write, or a broken one: bytes, other JSON, a line without end."""

    async def read() -> MindLog:
        import asyncio

        log = MindLog()
        lines = asyncio.StreamReader(limit=MOST_REPORT_BYTES)
        lines.feed_data(b"\xff\xfe\n{}\n[1]\n" + b'{"agent":"A25","decision":{}}\n')
        lines.feed_data(b"x" * (3 * MOST_REPORT_BYTES) + b"\n")
        lines.feed_data(report("A25", 7))
        lines.feed_eof()
        await log.follow(lines)
        return log

    shown = run(read()).shown("A25", open_book=True)
    assert shown is not None
    assert shown.decisions is not None
    assert [decision.number for decision in shown.decisions] == [7]


# A village with minds


class WithMinds:
    """A served village, and what is asked of it."""

    def __init__(self, running: Running) -> None:
        self.running = running

    def mind(self, agent: str = FIRST_MIND) -> dict[str, Any] | None:
        """What the operator is told of a mind."""
        try:
            answer: dict[str, Any] = json.loads(
                self.running.get(f"/admin/v1/observer/minds/{agent}")
            )
        except HTTPError as refusal:
            if refusal.code == UNKNOWN:
                return None
            raise
        return answer

    def tick(self) -> int:
        return int(json.loads(self.running.get("/admin/v1/state"))["tick"])

    def process(self) -> int:
        """The process of the minds."""
        return until(lambda: pid_of(self.running.process.pid, "--minds"))

    def model(self) -> int:
        """The process of their model."""
        return until(lambda: pid_of(self.process(), "embedded.llama"))

    def goes_on(self) -> None:
        """It ticks, and says that it is ready."""
        before = self.tick()
        until(lambda: self.tick() > before + 20)
        assert self.running.get("/readyz").startswith("ready")


def pid_of(parent: int, word: str) -> int | None:
    return next((pid for pid, command in children_of(parent).items() if word in command), None)


def until(look: Callable[[], Any]) -> Any:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (seen := look()):
        assert time.monotonic() < deadline, "it does not come"
        time.sleep(0.05)
    return seen


@pytest.fixture
def village(tiny: Path, tmp_path: Path) -> Iterator[WithMinds]:
    options = ("--village", "--minds", "2", "--mind-model", str(tiny), "--no-open-book")
    with up(tmp_path / "data", *options, values=SHORT_DAYS) as running:
        running.until_ready(PATIENCE_SECONDS)
        yield WithMinds(running)


@pytest.mark.real("mind")
def test_two_more_people_come_and_what_they_decide_can_be_read(village: WithMinds) -> None:
    told = until(lambda: (village.mind() or {}).get("decisions"))
    assert told[0]["read"].startswith("hour ")
    assert {"letter", "name", "probability"} == set(told[0]["weighed"][0])
    assert told[0]["chose"] in [each["name"] for each in told[0]["weighed"]]
    people = json.loads(village.running.get("/admin/v1/observer/people"))
    assert [one["name"] for one in people[-2:]] == list(NAMES)
    assert len(people) == 26
    assert village.mind("A1") is None
    assert village.mind("nobody") is None
    # Who only watches is told that there is a mind, and nothing of what is in its pocket.
    url = f"http://127.0.0.1:{village.running.port}/admin/v1/observer/minds/{FIRST_MIND}"
    with urlopen(url, timeout=10) as answer:
        assert json.loads(answer.read())["decisions"] is None
    nice = [os.getpriority(os.PRIO_PROCESS, pid) for pid in (village.process(), village.model())]
    assert min(nice) >= 10


@pytest.mark.real("mind")
def test_a_model_that_is_killed_comes_back_and_the_village_goes_on_meanwhile(
    village: WithMinds,
) -> None:
    first = village.process()
    until(lambda: (village.mind() or {}).get("decisions"))
    os.kill(village.model(), signal.SIGKILL)
    village.goes_on()
    until(lambda: pid_of(village.running.process.pid, "--minds") not in (None, first))
    until(lambda: (village.mind() or {}).get("decisions"))
    people = json.loads(village.running.get("/admin/v1/observer/people"))
    assert len(people) == 26, "they came back into their bodies"
    code, _ = village.running.end(signal.SIGTERM)
    assert code == 0
    _, errors = village.running.process.communicate()
    assert errors.count("is gone: its process was ended by SIGKILL") == 1


@pytest.mark.real("mind")
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_running_when_the_server_ends(
    village: WithMinds, end: signal.Signals
) -> None:
    pids = [village.process(), village.model()]
    village.running.process.send_signal(end)
    village.running.process.wait(timeout=PATIENCE_SECONDS)
    wait_until_gone(pids)
    assert not any(is_running(pid) for pid in pids)


@pytest.mark.real("mind")
def test_nobody_waits_for_a_model_that_is_loading_or_never_answers(village: WithMinds) -> None:
    """The process of the minds is held while it loads, then its model while it is asked."""
    process = village.process()
    os.kill(process, signal.SIGSTOP)
    village.goes_on()
    os.kill(process, signal.SIGCONT)
    model = village.model()
    os.kill(model, signal.SIGSTOP)
    village.goes_on()
    os.kill(model, signal.SIGCONT)
    until(lambda: (village.mind() or {}).get("decisions"))


@pytest.mark.real("mind")
def test_a_model_that_cannot_be_served_is_given_up_and_the_village_lives(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF but not really")
    options = ("--village", "--minds", "1", "--mind-model", str(broken))
    with up(tmp_path / "data", *options, values=SHORT_DAYS) as running:
        running.until_ready(PATIENCE_SECONDS)
        village = WithMinds(running)
        metric = 'process="minds"} 3'
        until(lambda: any(metric in line for line in running.get("/metrics").splitlines()))
        until(lambda: pid_of(running.process.pid, "--minds") is None)
        village.goes_on()
        assert village.mind() is None
        running.end(signal.SIGTERM)
        _, errors = running.process.communicate()
    until_given_up = "the process of the minds has ended (exit code 2); it is not started again"
    assert errors.count(until_given_up) == 1
    assert errors.count("broken.gguf") == 4


# The page


@chromium
@pytest.mark.real("mind")
def test_the_page_marks_a_mind_and_shows_what_it_read_chose_and_weighed(
    village: WithMinds, tmp_path: Path
) -> None:
    until(lambda: (village.mind() or {}).get("decisions"))
    token = read_admin_token(village.running.data)
    url = f"http://127.0.0.1:{village.running.port}"

    async def look() -> None:
        async with browsing(tmp_path) as page:
            await page.resize(1400, 900)
            await page.open(f"{url}/?token={token}")
            await page.until("document.querySelectorAll('.roster .row').length > 0")
            await page.get(
                "((field) => { field.value = 'Teal'; field.dispatchEvent(new InputEvent('input', "
                "{ bubbles: true })); })(document.querySelector('.roster input'))"
            )
            await page.until(f"{TEXT('.roster .row')}.includes('Teal {TITLE}')")
            await page.open(f"{url}/?see={FIRST_MIND}")
            await page.until(f"{TEXT('#card')}.includes('{NAMES[0]}')")
            await page.until(f"{TEXT('#title')} === '{TITLE}'")
            await page.until("document.querySelectorAll('#mind .mind-decision').length > 0")
            read = await page.get(f"{TEXT('#mind .mind-decision .read')}")
            assert read.startswith("hour ")
            assert await page.get("document.querySelectorAll('#mind .weighed li').length") > 1
            assert "%" in await page.get(TEXT("#mind .weighed"))
            assert "You live in a world of blocks" in await page.get(
                "document.querySelector('#mind .mind-rules').textContent"
            )
            await page.open(f"{url}/?see=A1")
            await page.until(f"{TEXT('#card')}.includes('Odile')")
            assert await page.get("document.querySelector('#mind')") is None
            assert page.complaints == []

    run(look())
