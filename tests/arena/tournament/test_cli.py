"""`thorp tournament …` as it is typed: what it prints, its exit codes, and one line for every
mistake."""

from __future__ import annotations

import json
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.arena.tournament.small import tree
from thorp.cli.main import main

Result = tuple[int, str, str]
Thorp = Callable[..., Result]
AGENTS = ("--agent", "alice=random", "--agent", "bob=baseline", "--agent", "carol=random")


@pytest.fixture
def thorp(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> Thorp:
    """Runs the command in an empty directory; returns exit code, output and errors."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Result:
        monkeypatch.setattr(sys, "argv", ["thorp", "tournament", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        out, err = capsys.readouterr()
        code = ended.value.code
        assert isinstance(code, int)
        return code, out, err

    return run


def test_run_then_show_then_verify(thorp: Thorp, tmp_path: Path) -> None:
    code, out, err = thorp("run", "number-guess", *AGENTS, "--workers", "1")
    assert code == 0
    assert out.startswith("number-guess: 3 agents, 6 matches, seed 42\n")
    *_, report, tip = out.splitlines()
    assert report == "tournament/report.html"
    assert "6 of 6 matches" in err
    code, shown, err = thorp("show", "tournament")
    assert (code, err) == (0, "")
    assert out.startswith(shown)
    code, out, err = thorp("verify", "tournament")
    assert (code, err) == (0, "")
    proved = "tournament: 6 matches, 6 logs reproduced to the byte; the table follows from them"
    assert out == f"{proved}\n{tip}\n"
    assert thorp("verify", "tournament", "--tip", tip.removeprefix("tip "))[0] == 0
    assert thorp("verify", "tournament", "--tip", "0" * 64)[0] == 1


def test_json_is_what_standings_json_holds(thorp: Thorp, tmp_path: Path) -> None:
    code, out, err = thorp("run", "number-guess", *AGENTS, "--workers", "1", "--json", "--quiet")
    assert (code, err) == (0, "")
    assert out.encode() == (tmp_path / "tournament" / "standings.json").read_bytes()
    assert thorp("show", "tournament", "--json") == (0, out, "")
    assert {row["id"] for row in json.loads(out)["standings"]} == {"alice", "bob", "carol"}


def test_every_option_reaches_the_manifest(thorp: Thorp, tmp_path: Path) -> None:
    options = {
        "--seed": "7",
        "--rounds": "3",
        "--max-turns": "9",
        "--set": "maximum=30",
        "--table": "3",
        "--turn-seconds": "2.5",
        "--match-seconds": "60",
        "--memory-mib": "64",
        "--model-calls": "5",
        "--model-tokens": "500",
        "--workers": "1",
        "--out": "deep/er",
    }
    words = [word for option in options.items() for word in option]
    code, _, _ = thorp("run", "number-guess", *AGENTS, *words, "--no-logs", "--quiet")
    assert code == 0
    manifest = json.loads((tmp_path / "deep" / "er" / "manifest.json").read_bytes())
    assert manifest["parameters"] == {"minimum": 1, "maximum": 30}
    assert (manifest["seed"], manifest["rounds"], manifest["max_turns"], manifest["table"]) == (
        7,
        3,
        9,
        3,
    )
    assert manifest["logs"] is False
    assert manifest["limits"] == {
        "turn_seconds": 2.5,
        "match_seconds": 60,
        "memory_mib": 64,
        "model_calls": 5,
        "model_tokens": 500,
    }


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("chess", *AGENTS), "unknown scenario 'chess'; known: "),
        (("number-guess", "--agent", "genius", "--agent", "random"), "unknown agent 'genius'"),
        (("number-guess", "--agent", "bot.py:Bot", "--agent", "random"), "no file 'bot.py'"),
        (("number-guess", "--agent", "random"), "enter at least 2"),
        (("number-guess",), "--agent"),
        (("number-guess", "--agent", "a=random", "--agent", "a=random"), "'a'"),
        (("number-guess", *AGENTS, "--set", "maximum"), "NAME=VALUE"),
        (("number-guess", *AGENTS, "--set", "maximum=ten"), "maximum"),
        (("number-guess", *AGENTS, "--set", "colour=1"), "colour"),
        (("number-guess", *AGENTS, "--rounds", "0"), "rounds"),
        (("number-guess", *AGENTS, "--rounds", "many"), "rounds"),
        (("number-guess", *AGENTS, "--rounds", "500000"), "1500000 matches"),
        (("number-guess", *AGENTS, "--table", "4"), "table of 4"),
        (("connect-four", *AGENTS[:2], "--agent", "random", "--table", "3"), "table of 3"),
        (("number-guess", *AGENTS, "--workers", "0"), "workers"),
        (("number-guess", *AGENTS, "--workers", "5000"), "--workers must be"),
        (("number-guess", *AGENTS, "--on", "mars"), "mars"),
        (("number-guess", *AGENTS, "--turn-seconds", "-1"), "turn-seconds"),
        (("number-guess", *AGENTS, "--seed", "99999999999999999999"), "seed"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(
    thorp: Thorp, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    code, out, err = thorp("run", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith("thorp: ")
    assert err.count("\n") == 1
    assert words in err
    assert list(tmp_path.iterdir()) == []


def test_an_existing_path_is_refused_without_force(thorp: Thorp, tmp_path: Path) -> None:
    (tmp_path / "tournament").mkdir()
    (tmp_path / "tournament" / "thesis.txt").write_text("precious")
    code, out, err = thorp("run", "number-guess", *AGENTS, "--workers", "1")
    assert (code, out) == (2, "")
    assert "tournament exists and holds no tournament; give another --out" in err
    code, _, err = thorp("run", "number-guess", *AGENTS, "--workers", "1", "--force")
    assert code == 2
    assert "holds no tournament and stays" in err
    assert tree(tmp_path) == {"tournament/thesis.txt": b"precious"}


def test_another_command_is_refused_saying_what_differs(thorp: Thorp) -> None:
    thorp("run", "number-guess", *AGENTS, "--workers", "1")
    code, out, err = thorp("run", "number-guess", *AGENTS, "--workers", "1", "--seed", "1")
    assert (code, out) == (2, "")
    assert "seed is 42 there and 1 here" in err


def test_show_and_verify_refuse_what_is_no_tournament(thorp: Thorp, tmp_path: Path) -> None:
    for command in ("show", "verify"):
        code, out, err = thorp(command, str(tmp_path))
        assert (code, out) == (2, "")
        assert "holds no tournament" in err
        code, out, err = thorp(command, "nowhere")
        assert (code, out, err.count("\n")) == (2, "", 1)


def test_verify_tells_what_is_wrong_with_exit_code_1(thorp: Thorp, tmp_path: Path) -> None:
    thorp("run", "number-guess", *AGENTS, "--workers", "1")
    (tmp_path / "tournament" / "report.html").write_text("we won")
    assert thorp("verify", "tournament") == (
        1,
        "report.html: does not follow from the results\n",
        "",
    )
    code, out, _ = thorp("verify", "tournament", "--json")
    assert code == 1
    assert json.loads(out)["differences"] == ["report.html: does not follow from the results"]


def test_a_missing_ray_is_one_line(
    thorp: Thorp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    code, out, err = thorp("run", "number-guess", *AGENTS, "--on", "ray")
    assert (code, out) == (2, "")
    assert (
        err == "thorp: Ray is not installed; run pip install 'thorp[ray]', or leave out --on ray\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.real("ray")
@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_a_ray_cluster_that_does_not_answer_is_one_line(
    thorp: Thorp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    with socket.socket() as nobody:  # holds the port, and listens not
        nobody.bind(("127.0.0.1", 0))
        monkeypatch.setenv("RAY_ADDRESS", f"{scheme}127.0.0.1:{nobody.getsockname()[1]}")
        code, out, err = thorp("run", "number-guess", *AGENTS, "--on", "ray")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "no Ray cluster answers at" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["run", "show", "verify"])
def test_help_has_an_example(thorp: Thorp, command: str) -> None:
    code, out, _ = thorp(command, "--help")
    assert code == 0
    assert f"Example: thorp tournament {command} " in " ".join(out.split())
