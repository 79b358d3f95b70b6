"""What became of a beat's writer is told everywhere an operator looks, and nowhere in the
projection."""

from __future__ import annotations

import itertools
import json
import logging
import re
import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from tests.story.suite import configured
from tests.story.world import SEQUENTIAL, WatchedWriter, World, bundle, entry, question
from thorp.cli.story import app
from thorp.kernel.errors import IllegalError, InvalidError, StaleError
from thorp.server.http.prometheus import metric
from thorp.server.http.writer_meter import WriterMeter
from thorp.story import acceptance, open_ledger, read_projection, rebuild
from thorp.story.audit_trail import BEATS_LIMIT, describe_beat, list_beats
from thorp.story.outcomes import REASONS, WORDS, BeatReport, read_report, report_of
from thorp.story.writer import ScriptedWriter, WriterFailure

DOCS = (Path(__file__).parents[2] / "docs" / "story.md").read_text("utf-8")
AS_GEORGE = bundle(entry("I confess.", author="GEORGE"))
ASKING = [question("mill", name=f"tr_{number}") for number in range(20)]
DOWN = WriterFailure("nobody \u2013 answers", code="connection")
LINES: dict[str, tuple[list[Any], BeatReport]] = {
    "written": ([bundle(entry())], BeatReport("written", beat=1)),
    "silent": ([{"no_write": {}}], BeatReport("silent", beat=1)),
    "rejected": (
        [AS_GEORGE] * 2,
        BeatReport("rejected", "OPERATOR_IMPERSONATION", "nobody writes for the operator", 1),
    ),
    "failed": ([DOWN] * 2, BeatReport("failed", "connection", "nobody \u2013 answers", 1)),
    "looped": (
        ASKING,
        BeatReport(
            "looped",
            None,
            "it asked on after its questions for this beat were used up, and wrote nothing",
            1,
        ),
    ),
}


@pytest.mark.parametrize("outcome", LINES)
def test_the_answer_says_what_became_of_the_writer(
    tmp_path: Path, outcome: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    lines, report = LINES[outcome]
    writer = WatchedWriter(lines)
    with World(open_ledger(tmp_path, SEQUENTIAL, writer), writer) as world:
        first = world.respond(request_id="r")
        assert first.report == report
        again = world.respond(request_id="r")
        assert (again.replayed, again.report, again.body) == (True, report, first.body)
        assert list(json.loads(first.body)["debug"]) == ["wrote", "bundle_id"]
        read_projection(json.loads(first.body))
        assert world.respond("", kind="NO_OP").report is None
        meter = WriterMeter()
        for answer in (first, again):
            meter.take(answer)
        text = "\n".join(line for row in meter.rows() for line in metric(*row))
        [name] = [name for name, word in WORDS.items() if word == outcome]
        assert f'thorp_story_beats_total{{outcome="{name}"}} 1' in text
        is_rejected = 'thorp_story_rejections_total{rule="OPERATOR_IMPERSONATION"} 1' in text
        assert is_rejected == (outcome == "rejected")
        assert bool(caplog.records) == report.is_trouble
    assert read_report(report.headers()) == report
    assert all(value.isascii() and value.isprintable() for value in report.headers().values())


def test_a_beat_that_is_given_up_says_so(tmp_path: Path) -> None:
    writer = WatchedWriter([DOWN] * 2)
    config = configured(SEQUENTIAL, writing={"on_failure": "abort"})
    with World(open_ledger(tmp_path, config, writer), writer) as world:
        answer = world.respond()
        assert (answer.status, answer.report) == (
            503,
            BeatReport("failed", "connection", DOWN.message),
        )
        meter = WriterMeter()
        meter.take(answer)
        assert (dict(meter.outcomes), dict(meter.failures)) == ({}, {"connection": 1})


def test_a_frozen_beat_is_asleep(tmp_path: Path) -> None:
    config = configured(SEQUENTIAL, time={"pause_policy": "FREEZE_REALITY"})
    writer = WatchedWriter([bundle(entry())])
    with World(open_ledger(tmp_path, config, writer), writer) as world:
        assert world.respond(pause=True).report == BeatReport("asleep", beat=1)


def test_every_rule_has_a_reason_for_people() -> None:
    rules = {code for code, *_ in (*acceptance._BUNDLE_RULES, *acceptance._WRITER_RULES)}
    assert {*REASONS} == rules | {"NO_ACTIVE_BEAT", "USER_NOT_VERBATIM"}
    for word in WORDS.values():
        assert re.search(rf"^\| `{word}` \|", DOCS, re.MULTILINE), word


def test_headers_of_others_are_no_report() -> None:
    assert read_report({}) is None
    assert read_report({"Story-Outcome": "splendid"}) is None
    assert read_report({"Story-Outcome": "silent", "Story-Beat": "\u0661"}) == BeatReport("silent")
    odd = report_of("FAILED", 3, ("a\r\nb: c", "\u2028\r\nSet-Cookie: x"))
    assert read_report(odd.headers()) == odd
    assert not any(character in value for value in odd.headers().values() for character in "\r\n")


# The audit.


def troubled(home: Path) -> World:
    """A story of five beats, one of each outcome, and a seed in it."""
    lines = [*LINES["written"][0], *LINES["silent"][0], *LINES["rejected"][0], *LINES["failed"][0]]
    writer = WatchedWriter(lines)
    world = World(open_ledger(home, SEQUENTIAL, writer), writer)
    for _ in range(4):
        world.send()
    world.ledger.seed({"request_id": "s", "author_id": "WORLD", "text": "A mill."})
    world.writer.script(ASKING)
    world.send()
    return world


def test_the_audit_lists_beats_and_what_became_of_them(tmp_path: Path) -> None:
    with troubled(tmp_path) as world:
        found = list_beats(world.ledger)
        assert [(each["beat"], each["outcome"]) for each in found] == [
            *zip(itertools.count(1), ("written", "silent", "rejected", "failed"), strict=False),
            (6, "looped"),
        ]
        assert [each["beat"] for each in list_beats(world.ledger, 2)] == [4, 6]
        bad = list_beats(world.ledger, troubled=True)
        assert [each["code"] for each in bad] == ["OPERATOR_IMPERSONATION", "connection", None]
        for wrong in (0, BEATS_LIMIT + 1):
            with pytest.raises(InvalidError):
                list_beats(world.ledger, wrong)


def test_the_audit_of_a_beat_shows_what_was_proposed_and_why_it_was_refused(tmp_path: Path) -> None:
    with troubled(tmp_path) as world:
        beat = describe_beat(world.ledger, 3)
        assert (beat["outcome"], beat["writer"], beat["request_id"]) == (
            "rejected",
            "scripted",
            "request-3",
        )
        assert len(beat["calls"]) == 2
        for call in beat["calls"]:
            assert json.loads(call.pop("said")) == AS_GEORGE
            assert call == {
                "kind": "write",
                "verdict": "REJECTED",
                "code": "OPERATOR_IMPERSONATION",
                "path": "$.entries[0].author",
                "reason": REASONS["OPERATOR_IMPERSONATION"],
            }
        assert [(each["text"], each["proposed_by"]) for each in beat["entries"]] == [
            ("Hello.", "invocation")
        ]
        both = [
            (each["author_id"], each["proposed_by"])
            for each in describe_beat(world.ledger, 1)["entries"]
        ]
        assert both == [("GEORGE", "invocation"), ("REBECCA", "writer")]
        looped = describe_beat(world.ledger, 6)
        assert [each["verdict"] for each in looped["questions"]] == ["SERVED"] * 4 + ["LOOP_LIMIT"]
        assert looped["calls"][-1]["verdict"] == "LOOPED"
        assert looped["questions"][0]["request"]["tool"]["query_text"] == "mill"
        failed = describe_beat(world.ledger, 4)["calls"][-1]
        assert (failed["code"], failed["reason"], failed["said"]) == (
            "connection",
            DOWN.message,
            None,
        )
        for number in (0, 5, 7):
            with pytest.raises(IllegalError, match="no beat"):
                describe_beat(world.ledger, number)
        tip = world.ledger.tip()
        with rebuild(world.ledger, tmp_path / "again") as again:
            assert again.tip() == tip


def command(home: Path, *arguments: str) -> Any:
    return CliRunner().invoke(app, [*arguments, "--data", str(home)])


def test_the_command_line_tells_an_operator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "data"
    assert command(home, "beat", "Hello.").stderr.strip().endswith(", written")
    assert command(home, "beat").stderr.strip().endswith(", silent")
    for line, told in (
        (
            AS_GEORGE,
            "what its writer proposed was rejected: OPERATOR_IMPERSONATION: nobody writes for",
        ),
        (DOWN, "its writer failed: connection: nobody"),
        (ASKING[0], "its writer looped: it asked on"),
    ):
        lines = ASKING if line == ASKING[0] else [line] * 2
        monkeypatch.setattr(
            "thorp.story.service.make_writer", lambda *_, lines=lines: ScriptedWriter(lines)
        )
        done = command(home, "beat", "Go on.")
        assert done.exit_code == 1, done.output
        assert told in done.stderr
        number = re.search(r"`thorp story audit --beat (\d+)`", done.stderr)
        assert number is not None
        shown = command(home, "audit", "--beat", number[1])
        assert shown.exit_code == 0
        assert "Go on." in shown.stdout
    listed = command(home, "audit", "--troubled").stdout.splitlines()
    assert [re.findall("[a-z]+", line)[0] for line in listed] == ["rejected", "failed", "looped"]
    beat = json.loads(command(home, "audit", "--beat", "3", "--json").stdout)
    assert beat["calls"][0]["path"] == "$.entries[0].author"
    assert "I confess." in command(home, "audit", "--beat", "3").stdout
    assert len(json.loads(command(home, "audit", "--json").stdout)["beats"]) == 5
    assert command(home, "audit", "--beat", "99").exception.code == "no_beat"


# Stories of earlier rules.

GOLDEN = Path(__file__).parents[1] / "golden" / "story-rules-1"
GOLDEN_TIP = "0188beac39c7201d02f47f1d6d13037ac69b1514d46e58c3ecc1a0acca936b29"
"""A story as a release of rules 1 left it: eight beats with one of each outcome, and a seed before
them."""


def test_a_story_of_earlier_rules_goes_on_and_is_not_played_again(tmp_path: Path) -> None:
    shutil.copy(GOLDEN / "story.db", tmp_path)
    writer = ScriptedWriter([bundle(entry("She looks up."))])
    with World(open_ledger(tmp_path, writer=writer), writer) as world:
        assert world.ledger.verify().tip == GOLDEN_TIP
        kept = [
            world.respond("Other words.", request_id=f"request-{number}") for number in range(1, 9)
        ]
        assert all(answer.replayed for answer in kept)
        assert [answer.report.outcome for answer in kept if answer.report] == [
            *("written", "written", "rejected", "failed", "silent", "written", "written", "silent")
        ]
        assert kept[3].report == BeatReport("failed", "connection", "nobody answers", 5)
        assert '"writer":{"code":"connection"' in kept[3].body, "what was answered stays as it was"
        assert describe_beat(world.ledger, 4)["calls"][0]["code"] == "OPERATOR_IMPERSONATION"
        assert [each["text"] for each in world.stream("More.", request_id="more")] == [
            "More.",
            "She looks up.",
        ]
        assert world.ledger.verify(GOLDEN_TIP).difference is None
        with pytest.raises(StaleError, match="begun under rules 1"):
            rebuild(world.ledger, tmp_path / "again")
    found = command(tmp_path, "verify", "--rebuild")
    assert isinstance(found.exception, StaleError)


def test_a_strict_client_can_read_every_answer(tmp_path: Path) -> None:
    """The schema of the projection, with no member that is not the contract's."""

    class Debug(msgspec.Struct, forbid_unknown_fields=True):
        wrote: bool
        bundle_id: str | None

    with troubled(tmp_path) as world:
        for number in range(1, 6):
            body = world.respond(request_id=f"request-{number}").body
            msgspec.convert(json.loads(body)["debug"], Debug)
            assert {*json.loads(body)} == {"request_id", "stream", "pocket", "debug"}
