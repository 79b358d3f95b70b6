"""`thorp task`: the commands of graded tasks, through the installed program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli import command
from tests.cli.command import run
from thorp.tasks import default_suite
from thorp.tasks.record import Row


def thorp(*arguments: str | Path) -> str:
    """What a command that succeeds prints."""
    done = run("thorp", *arguments)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def refused(*arguments: str | Path) -> str:
    """The line by which a command is refused."""
    return command.refused(run("thorp", *arguments))


def cheapest(split: str = "dev") -> Row:
    """A row that is over soonest, in a world."""
    suite = default_suite()
    rows = [row for row in suite.rows.values() if row.split == split]
    return min(
        (row for row in rows if suite.tasks[row.task].engine == "world"),
        key=lambda row: (row.max_turns, row.id),
    )


def test_list_show_and_export_tell_the_same_rows() -> None:
    suite = default_suite()
    row = cheapest()
    listed = json.loads(thorp("task", "list", "--json"))
    assert listed["digest"] == suite.digest
    assert [task["id"] for task in listed["tasks"]] == list(suite.tasks)
    rows = json.loads(thorp("task", "list", row.task, "--rows", "--split", "dev", "--json"))["rows"]
    assert rows[0]["id"] == row.id
    assert json.loads(thorp("task", "show", row.id, "--json")) == json.loads(row.line)
    assert row.prompt in thorp("task", "show", row.id)
    lines = thorp("task", "export", row.task, "--split", "dev", "--to", "jsonl").splitlines()
    assert [json.loads(line)["id"] for line in lines] == [each["id"] for each in rows]
    assert "goal" not in json.loads(lines[0])


def test_a_run_is_proven_resumed_and_compared(tmp_path: Path) -> None:
    row = cheapest()
    where = ("--workers", "1", "--quiet")
    said = {}
    for kind in ("idle", "random"):
        out = tmp_path / kind
        said[kind] = thorp(
            "task", "run", row.id, "--agent", f"{kind}={kind}", "--out", out, "--json", *where
        )
        report = json.loads(said[kind])
        assert [each["id"] for each in report["rows"]] == [row.id]
        assert report["agent"] == kind
        assert 0 <= report["total"]["score"]["low"] <= report["total"]["score"]["value"] <= 1
        log = out / "logs" / f"{row.id}.jsonl"
        assert "events reproduced to the byte" in thorp("match", "verify", log)
        end = json.loads(log.read_text().splitlines()[-1])
        assert end["scores"] == {kind: report["rows"][0]["score"]}
    again = thorp(
        "task", "run", row.id, "--agent", "idle=idle", "--out", tmp_path / "idle", "--json", *where
    )
    assert again == said["idle"]
    page = tmp_path / "table.html"
    table = json.loads(
        thorp("task", "report", tmp_path / "idle", tmp_path / "random", "--html", page, "--json")
    )
    assert {agent["agent"] for agent in table["agents"]} == {"idle", "random"}
    assert list(table["agents"][0]["families"]) == [row.family]
    assert "<script" not in page.read_text()
    changed = tmp_path / "idle" / "logs" / f"{row.id}.jsonl"
    changed.write_text(changed.read_text().replace('"scores":{"idle":0', '"scores":{"idle":1'))
    assert run("thorp", "match", "verify", changed).returncode == 1


def test_runs_that_cannot_be_compared_are_refused(tmp_path: Path) -> None:
    where = ("--workers", "1", "--quiet", "--agent", "idle")
    for split in ("dev", "train"):
        thorp("task", "run", cheapest(split).id, *where, "--out", tmp_path / split)
    said = refused("task", "report", tmp_path / "dev", tmp_path / "train")
    assert "idle-1 played train, and idle-1 dev" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "live-nothing"], "has no task 'live-nothing'"),
        (["show", "../x"], "no id of a task or row"),
        (["run", "live", "--agent", "nobody"], "unknown agent 'nobody' for task"),
        (["run", "live"], "give --agent [ID=]SPEC"),
        (["run", "live", "--agent", "idle", "--secret", "0" * 64], "--secret belongs to --fresh"),
        (["run", "live", "--agent", "idle", "--fresh", "--split", "dev"], "leave out --split"),
        (["run", "live", "--agent", "idle", "--fresh", "--secret", "abc"], "64 hexadecimal"),
        (["run", "live", "--agent", "idle", "--rows", "0"], "too small"),
        (["run", "live", "--agent", "idle", "--replies", "."], "is no model, and has no replies"),
        (["run", "live", "--agent", "local", "--replies", "."], "no such recording"),
        (["run", "govern", "--agent", "local", "--level", "choices"], "offers no choices"),
        (["report", "."], "holds no run"),
        (["play", "live-nothing"], "has no task"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], said: str, tmp_path: Path) -> None:
    done = run("thorp", "task", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    line = done.stderr.decode()
    assert said in line
    assert line.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_another_version_and_another_split_are_refused() -> None:
    row = cheapest()
    said = refused("task", "show", f"{row.task}@{row.version + 1}")
    assert f"has {row.task_name}, not version {row.version + 1}" in said
    said = refused("task", "run", row.id, "--agent", "idle", "--split", "train")
    assert f"has no rows of {row.id} in train" in said


def test_a_person_plays_and_the_log_is_proven(tmp_path: Path) -> None:
    row = cheapest()
    out = tmp_path / "mine.jsonl"
    lines = ["wait ticks=5", "fly", '{"action": "wait"}', "say Good morning", *[""] * row.max_turns]
    done = run("thorp", "task", "play", row.id, "--out", out, stdin="\n".join(lines).encode())
    assert done.returncode == 0, done.stderr
    shown = done.stdout.decode()
    assert f"Your task: {row.prompt[:20]}" in shown
    assert all(f"{tool}(" in shown for tool in default_suite().tasks[row.task].tools)
    assert 'there is no tool "fly"' in shown
    assert f"{row.id}: 0." in shown
    assert "reproduced to the byte" in thorp("match", "verify", out)
    assert "exists already" in refused("task", "play", row.id, "--out", out)
    stopped = run("thorp", "task", "play", row.id, stdin=b"quit\n")
    assert stopped.returncode == 130


def test_a_person_plays_rows_as_a_run_that_is_reported(tmp_path: Path) -> None:
    """And goes on where it was left: at the end of the input, or by typing quit."""
    row = cheapest()
    out = tmp_path / "ann"
    play = ("thorp", "task", "play", row.task, "--name", "ann", "--rows", "2", "--out", out)
    lines = b"\n" * row.max_turns
    first = run(*play, stdin=lines + b"quit\n")
    assert first.returncode == 130
    assert b"stopped after 1 of 2 rows; the same command goes on" in first.stderr
    second = run(*play, stdin=lines)
    assert second.returncode == 0, second.stderr
    assert b"ann: Thorp Tasks 1, dev, 2 rows" in second.stdout
    table = json.loads(thorp("task", "report", out, "--prove", "--json"))
    (person,) = table["agents"]
    assert (person["agent"], person["kind"], person["total"]["rows"]) == ("ann", "person", 2)
    idle = ("--agent", "idle", "--out", tmp_path / "idle", "--workers", "1", "--quiet")
    thorp("task", "run", row.task, "--rows", "1", *idle)
    assert "different rows" in refused("task", "report", out, tmp_path / "idle")
    shared = thorp("task", "report", out, tmp_path / "idle", "--shared", "--json")
    assert json.loads(shared)["rows"] == 1
    results = out / "results.jsonl"
    results.write_text(results.read_text().replace('"scores":[0]', '"scores":[1]'))
    assert "is not what its log says" in refused("task", "report", out)


def test_fresh_rows_are_committed_to_revealed_and_judged(tmp_path: Path) -> None:
    row = cheapest()
    secret = "ab" * 32
    done = run(
        *("thorp", "task", "run", row.task, "--agent", "idle", "--fresh", "--rows", "1"),
        *("--secret", secret, "--out", tmp_path / "run", "--workers", "1", "--quiet", "--json"),
        *("--sources", str(Path(__file__).parents[2] / "suites" / "tasks-1")),
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    committed, revealed = done.stderr.decode().splitlines()
    assert committed.endswith(report["commitment"])
    assert revealed.endswith(secret)
    assert report["rows"][0]["id"] not in default_suite().rows
    kept = json.loads((tmp_path / "run" / "revealed.json").read_text())
    assert kept == {"secret": secret, "failed": {}, "is_judged": True}
    log = tmp_path / "run" / "logs" / f"{report['rows'][0]['id']}.jsonl"
    assert "reproduced to the byte" in thorp("match", "verify", log)
    assert json.loads((tmp_path / "run" / "report.json").read_text()) == report
