"""Matches of a data directory over HTTP, on the page in a real browser, and as a page of their
own."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.arena.tournament.small import outcome, small_plan
from tests.cli.command import run as run_command
from tests.server.browser import Page, browsing
from tests.server.serving import Served, run
from tests.server.test_stories import Events, story_server
from thorp.arena.contract import AgentContext, MatchConfig, Seat, SimpleAgent
from thorp.arena.runner import run_match
from thorp.arena.scenarios.connect_four import ConnectFour
from thorp.arena.service import live_log, live_path
from thorp.arena.tournament.report import FinishedTournament
from thorp.kernel.canonical import Json, canonical_bytes
from thorp.kernel.identity import digest
from thorp.models.chat import Reply
from thorp.models.recording import Recording
from thorp.server.access.tokens import Role
from thorp.server.http import match_files, matches
from thorp.store import RealDisk

PATIENCE_SECONDS = 300
HOSTILE = "</script><img src=x onerror=alert(1)>"
TEXT = "(document.querySelector('{}')?.textContent ?? '')".format
TOP = "document.querySelector('{}').getBoundingClientRect().top".format
BOTTOM = "document.querySelector('{}').getBoundingClientRect().bottom".format

chromium = pytest.mark.real("chromium")


class Stubborn(SimpleAgent):
    """Plays one column for ever; says something hostile first, and fails once."""

    def act(self, observation: Json, ctx: AgentContext) -> Json:
        if ctx.turn == 1 and self.id == HOSTILE:
            return HOSTILE
        if ctx.turn == 2 and self.id == HOSTILE:
            raise RuntimeError(HOSTILE)
        return {"column": 0 if self.id == HOSTILE else 1}


def hostile_log() -> bytes:
    return run_match(ConnectFour(), [Stubborn(HOSTILE), Stubborn("bo")], MatchConfig(7)).jsonl


def thorp(*arguments: object) -> str:
    done = run_command("thorp", *map(str, arguments))
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a match, a hostile one, a file that is no match, and a tournament."""
    data = tmp_path_factory.mktemp("data")
    bots = ("--agent", "greedy", "--agent", "random", "--data", data)
    told = thorp("match", "run", "connect-four", *bots)
    assert told.startswith(str(data / "matches" / "connect-four-42.jsonl"))
    thorp("tournament", "run", "connect-four", *bots, "--rounds", 1, "--quiet")
    (data / "matches" / "hostile.jsonl").write_bytes(hostile_log())
    (data / "matches" / "nonsense.jsonl").write_text("hello\n")
    return data


async def asked(served: Served, path: str) -> Any:
    status, text = await served.get(path)
    return json.loads(text) if status == 200 else (status, json.loads(text)["error"])


def test_matches_are_listed_read_followed_and_proved(
    played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with story_server(played) as served:
            listing = await asked(served, "/v1/matches")
            rows = {row["id"]: row for row in listing["matches"]}
            assert set(rows) == {"connect-four-42", "hostile"}, "what is no log is left out"
            assert rows["hostile"]["seats"] == [HOSTILE, "bo"]
            assert (rows["hostile"]["refused"], rows["hostile"]["errors"]) == (1, 1)
            assert [one["id"] for one in listing["tournaments"]] == ["connect-four-42"]
            monkeypatch.setattr(matches, "LISTED", 1)
            pages = [await asked(served, f"/v1/matches?from={first}") for first in (0, 1, 2)]
            assert [page["next"] for page in pages] == [1, 2, None]
            assert sum(len(page["matches"]) for page in pages) == 2

            cup = await asked(served, "/v1/matches?tournament=connect-four-42")
            assert cup["standings"][0]["rank"] == 1
            [match] = cup["outcomes"]
            assert sum(cup["cross"]["greedy-1"]["random-1"].values()) == 1

            # An observation of which the log has the digest is told, if it is kept beside the log.
            seen = {"v": HOSTILE}
            sha256 = digest(json.dumps(seen).encode())
            beside = played / "matches" / "hostile.observations.txt"
            assert (await asked(served, f"/v1/matches/hostile/seen/{sha256}")) == (404, "not_kept")
            beside.write_text(f"{'0' * 64} 1\n{sha256} {json.dumps(seen)}\n")
            assert await asked(served, f"/v1/matches/hostile/seen/{sha256}") == seen
            assert (await asked(served, "/v1/matches/hostile/seen/..%2f")) == (
                400,
                "invalid_sha256",
            )
            beside.unlink()

            log = (played / "matches" / "hostile.jsonl").read_bytes()
            assert (await served.get("/v1/matches/hostile/log"))[1].encode() == log
            tail = (await served.get("/v1/matches/hostile/log?from_seq=5"))[1].encode()
            assert tail == b"".join(log.splitlines(keepends=True)[5:])
            assert await served.get(f"/v1/matches/hostile/log?from_seq={matches.MAX_SEQ}") == (
                200,
                "",
            )
            for path in ("log", "events"):
                huge = f"/v1/matches/hostile/{path}?from_seq={'9' * 30}"
                assert await asked(served, huge) == (400, "invalid_from_seq")
            (played / "tournaments" / "connect-four-42").rename(played / "tournaments" / "cup")
            table = played / "tournaments" / "cup" / "standings.json"
            kept = table.read_bytes()
            table.write_text("[]")
            assert (await asked(served, "/v1/matches?tournament=cup"))[0] == 503
            table.write_bytes(kept)
            (played / "tournaments" / "cup").rename(played / "tournaments" / "connect-four-42")
            monkeypatch.setattr(match_files, "PIECE_BYTES", 1)
            assert (await served.get("/v1/matches/hostile/log"))[1].count("\n") == 1

            for path in ("connect-four-42", f"connect-four-42:{match['key']}"):
                assert (await asked(served, f"/v1/matches/{path}"))["verified"] is None
                assert (await asked(served, f"/v1/matches/{path}/verify"))["difference"] is None
                assert (await asked(served, f"/v1/matches/{path}"))["verified"][
                    "difference"
                ] is None
            changed = played / "matches" / "changed.jsonl"
            changed.write_bytes(log.replace(b'"column":1', b'"column":2', 1))
            assert (await asked(served, "/v1/matches/changed/verify"))["difference"]["code"]
            changed.unlink()

            tricks = ("..%2f..%2ftokens.json", ".hidden", "a%00b", "cup:", ":x", "..%2fmatches:x")
            for path in ("none", "nonsense", *tricks):
                status, _ = await asked(served, f"/v1/matches/{path}")
                assert status in (400, 404), path
            assert await asked(served, "/v1/matches?tournament=..%2f..") == (404, "no_tournament")
            assert (await asked(served, "/v1/matches?from=-1"))[0] == 400

    run(play())


def test_whoever_may_not_watch_sees_no_matches(played: Path) -> None:
    async def play() -> None:
        async with story_server(played, loopback=Role.ANYONE) as served:
            for path in ("", "/hostile", "/hostile/log", "/hostile/events", "/hostile/verify"):
                assert (await served.get(f"/v1/matches{path}"))[0] == 401

    run(play())


@chromium
def test_a_running_match_is_followed_live(tmp_path: Path) -> None:
    """Over HTTP and on the page; who went back stays there; one that was killed is not called
    running."""
    lines = hostile_log().splitlines(keepends=True)
    log = tmp_path / "matches" / "now.jsonl"
    log.parent.mkdir()

    async def play() -> None:
        async with story_server(tmp_path) as served, browsing(tmp_path / "profile") as page:
            with live_log(RealDisk(), log) as write:
                for line in lines[:12]:
                    write(line)
                write(lines[12][:20])  # a line that is just being written
                [row] = (await asked(served, "/v1/matches"))["matches"]
                assert (row["id"], row["running"], row["reason"]) == ("now", True, None)
                assert await asked(served, "/v1/matches/now/verify") == (409, "running")
                await page.open(served.url("/matches/now"))
                await page.until(f"{TEXT('#badge')} === 'live'")
                before = await page.get(TEXT("#where"))
                async with served.http.get(
                    served.url("/v1/matches/now/events?from_seq=11")
                ) as answer:
                    events = Events(answer)
                    assert (await events.next("lines"))[1:] == ("12", json.loads(lines[11]))
                    write(lines[12][20:])
                    assert (await events.next("lines"))[1:] == ("13", json.loads(lines[12]))
                for line in lines[13:-5]:
                    write(line)
                await page.until(
                    f"{TEXT('#where')} !== {before!r} && {TEXT('#where')}.endsWith('live')"
                )
                await page.key(",")
                stays = await page.until(f"!{TEXT('#where')}.endsWith('live') && {TEXT('#where')}")
                for line in lines[-5:]:
                    write(line)
                log.write_bytes(b"".join(lines))
            await page.until("document.querySelector('#prove')")
            assert (await page.get(TEXT("#where"))).split(" of ")[0] == stays.split(" of ")[0]
            log.rename(live_path(log))
            [row] = (await asked(served, "/v1/matches"))["matches"]
            assert not row["running"]
            live_path(log).write_bytes(b"".join(lines[:9]))
            [row] = (await asked(served, "/v1/matches"))["matches"]
            assert (row["running"], row["reason"]) == (False, None), "it was broken off"
            assert page.complaints == []

    run(play(), PATIENCE_SECONDS)


@chromium
def test_matches_are_replayed_on_the_page(played: Path, tmp_path: Path) -> None:
    """The list, a replay, a proof, a tournament, a dropped file, and one page that needs no
    server."""

    data = shutil.copytree(played, tmp_path / "data")

    async def play() -> None:
        async with story_server(data) as served, browsing(tmp_path / "profile") as page:
            await page.open(served.url("/matches"))
            await page.until(f"{TEXT('#match-list')}.includes('1 refused, 1 errors')")
            await page.click("a[href$='matches/connect-four-42']")
            await page.until("document.querySelectorAll('.board .cell').length === 42")
            await page.click("#prove")
            await page.until(f"{TEXT('#badge')} === 'replayed, every byte the same'")
            await page.key("Home")
            await page.until(f"{TEXT('#where')}.startsWith('move 1 of')")
            await page.until("document.querySelectorAll('.board .disc').length === 1")
            await page.click("#next")
            await page.until("location.search === '?move=2'")
            await page.open(await page.get("location.href"))
            await page.until(f"{TEXT('#where')}.startsWith('move 2 of')")
            # On a phone the whole board is above the buttons, which do not cover it.
            await page.resize(390, 844, phone=True)
            await page.until(
                f"{BOTTOM('.board')} > 0 && {BOTTOM('.board')} <= {TOP('.match footer')}"
            )
            await page.resize(1280, 800)

            await page.click(".match nav a")
            await page.click("#tournaments a")
            await page.until(f"{TEXT('#standings')}.includes('greedy-1')")
            await page.click("#cross button")
            await page.until("location.pathname.includes('connect-four-42:r01')")
            await page.until("document.querySelector('.board')")

            kept = keep_beside(data / "matches")
            await page.open(served.url("/matches/told?move=2"))
            await page.until(
                f"{TEXT('#wrote')} === {THOUGHT!r} && {TEXT('#detail')}.includes('told')"
            )
            await page.until(f"{TEXT('#saw')}.includes('board')")  # the log has its digest only
            await page.key(",")
            await page.until(f"{TEXT('#where')}.startsWith('move 1 of') && {TEXT('#wrote')} === ''")
            offline = tmp_path / "told.html"
            await asyncio.to_thread(thorp, "match", "show", kept, "--html", offline)
            await page.open(f"{offline.as_uri()}#move=2")
            await page.until(f"{TEXT('#wrote')} === {THOUGHT!r}")
            await page.until(f"{TEXT('#saw')}.startsWith('Only a digest is kept here')")
            assert not await page.get("document.querySelector('img')")

            await page.open(served.url("/matches"))
            sent = len(page.requests)
            await drop(page, played / "matches" / "nonsense.jsonl")
            await page.until(f"{TEXT('#trouble')}.includes('Line 1 is no event')")
            await drop(page, played / "matches" / "hostile.jsonl")
            await look_at_hostile(page)
            assert not [url for url in page.requests[sent:] if "hostile" in url], "nothing was sent"

            offline = tmp_path / "match.html"
            file = played / "matches" / "hostile.jsonl"
            await asyncio.to_thread(thorp, "match", "show", file, "--html", offline)
            sent = len(page.requests)
            await page.open(offline.as_uri())
            await page.until(f"{TEXT('.masthead')}.includes('from its log alone')")
            await look_at_hostile(page)
            assert page.requests[sent:] == [offline.as_uri()]

            report = tmp_path / "report.html"
            report.write_bytes(hostile_report())
            sent = len(page.requests)
            await page.open(report.as_uri())
            await look_at_report(page)
            assert page.requests[sent:] == [report.as_uri()]
            assert page.complaints == []

    run(play(), PATIENCE_SECONDS)


THOUGHT = "The left is his; I take mine. <img src=x onerror=alert(1)>"


def keep_beside(folder: Path) -> Path:
    """The hostile match as one of a model: what it wrote, and what it saw, lie beside the log."""
    lines = hostile_log().splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if b'"ObservationEmitted","agentId":"bo"' in line)
    begin, end = lines[at].index(b'"observation":') + 14, lines[at].rindex(b',"seq"')
    seen = lines[at][begin:end]
    short = canonical_bytes({"bytes": len(seen), "sha256": digest(seen)})
    lines[at] = lines[at][:begin] + short + lines[at][end:]
    (folder / "told.jsonl").write_bytes(b"".join(lines))
    (folder / "told.observations.txt").write_bytes(digest(seen).encode() + b" " + seen + b"\n")
    replies = Recording()
    replies.ask("bo", "0" * 64, lambda: Reply(THOUGHT, 1, 1))
    (folder / "told.replies.jsonl").write_bytes(replies.to_jsonl())
    return folder / "told.jsonl"


def hostile_report(**changes: Any) -> bytes:
    ids = (HOSTILE, "constructor", "10")
    games = [
        outcome(
            "r01-m0001-x", (ids[0], 5), (ids[1], 2), valid=(6, 6), invalid=(0, 3), errors=(0, 2)
        ),
        outcome("r01-m0002-x", (ids[0], 1), (ids[2], 1)),
        outcome("r01-m0003-x", (ids[1], None), (ids[2], None)),
    ]
    plan = small_plan(
        entrants=tuple(Seat(id, "random") for id in ids), parameters={"maximum": 50}, **changes
    )
    return FinishedTournament(plan, games).report()


async def look_at_report(page: Page) -> None:
    """A finished tournament tells who won, how certain that is, and what was played; ids are
    text."""
    await page.until(
        f"{TEXT('.matches header')} === 'number-guess tournament3 agents · 2 rounds · 3 matches · "
        "seed 42'"
    )
    rows = await page.get(
        "[...document.querySelectorAll('#standings tbody tr')].map((row) => row.textContent)"
    )
    assert [HOSTILE in row for row in rows] == [True, False, False]
    assert any("33.3 %18.2 %" in row for row in rows), (
        rows
    )  # of what it did was invalid, and failed
    dots = await page.get(
        "[...document.querySelectorAll('.reach circle')].map((dot) => +dot.getAttribute('cx'))"
    )
    assert dots[0] == max(dots)
    assert all(0 <= dot <= 150 for dot in dots)
    cross = await page.get(
        "[...document.querySelectorAll('#cross td')].map((cell) => cell.textContent)"
    )
    assert cross.count("") == 5
    assert cross.count("3 1 0 0") == 1
    assert "Aborted matches: 1" in await page.get(TEXT("#aborted"))
    assert "with maximum50" in await page.get(TEXT("#given"))
    assert "error: ValueError" in await page.get(TEXT("#match-list"))
    links = await page.get(
        "[...document.querySelectorAll('#match-list a')].map((link) => link.getAttribute('href'))"
    )
    assert links == [f"logs/r01-m000{n}-x.jsonl" for n in (1, 2, 3)]
    assert not await page.get("document.querySelector('img, script[src=x]')")


async def drop(page: Page, path: Path) -> None:
    await page.until("document.querySelector('#file')")
    document = await page.do("DOM.getDocument")
    selector: dict[str, Any] = {"nodeId": document["root"]["nodeId"], "selector": "#file"}
    node = await page.do("DOM.querySelector", **selector)
    await page.do("DOM.setFileInputFiles", files=[str(path)], nodeId=node["nodeId"])


async def look_at_hostile(page: Page) -> None:
    """Refusals are red and can be jumped to; what was said is text."""
    await page.until(f"{TEXT('.match h2')} === 'bo beats {HOSTILE}'")
    await page.click("#jumps button")
    await page.until(f"{TEXT('#where')}.startsWith('move 1 of')")
    assert await page.get(TEXT("#answered")) == HOSTILE
    assert "refused" in await page.get(TEXT("#judged"))
    colour = "getComputedStyle(document.querySelector('{}')).color".format
    red = await page.get(colour("#judged"))
    assert red != await page.get(colour("#detail"))
    assert red == await page.get(colour(".moves [data-fault=true]"))
    await page.key("]")
    await page.until(f"{TEXT('#judged')} === 'no answer: {HOSTILE}'")
    assert "board" in await page.get(TEXT("#saw"))
    assert not await page.get("document.querySelector('img, script[src=x]')")


def test_an_offline_page_is_made_of_a_log_only(played: Path, tmp_path: Path) -> None:
    out = tmp_path / "match.html"
    nonsense = str(played / "matches" / "nonsense.jsonl")
    refused = run_command("thorp", "match", "show", nonsense, "--html", str(out))
    assert refused.returncode == 2
    assert not out.exists()
    out.write_text("mine")
    file = played / "matches" / "hostile.jsonl"
    assert run_command("thorp", "match", "show", str(file), "--html", str(out)).returncode != 0
    assert out.read_text() == "mine"
