"""`thorp match`: the commands, their files and their refusals, through the installed program."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import pty
import signal
import stat
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from aiohttp import web

from tests.cli.command import THORP, refused, thorp
from tests.models.loopback import serving
from thorp.cli.interruption import Interruption

DEMO = (
    "number-guess",
    "--agent",
    "random",
    "--agent",
    "baseline",
    "--seed",
    "42",
    "--max-turns",
    "20",
)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "final.jsonl"
    done = thorp("match", "run", *DEMO, "--out", path)
    assert done.returncode == 0, done.stderr
    return path


def test_run_writes_the_known_log_to_standard_output() -> None:
    done = thorp("match", "run", *DEMO)
    assert done.returncode == 0
    assert done.stderr == b""
    assert hashlib.sha256(done.stdout).hexdigest() == (
        "f4c3804ca6faed1807359ab6151de9c38c8ef515fa8452487eed99c4ea57cfe8"
    )


@pytest.mark.parametrize("hash_seed", ["0", "1", "random"])
def test_bytes_do_not_depend_on_the_process(hash_seed: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "LC_ALL": "C", "TZ": "Asia/Tokyo"}
    command = [str(THORP), "match", "run", *DEMO, "--out", str(tmp_path / "a.jsonl")]
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=60)
    manifest = json.loads((tmp_path / "a.manifest.json").read_bytes())
    assert (
        manifest["log"]["sha256"] == hashlib.sha256((tmp_path / "a.jsonl").read_bytes()).hexdigest()
    )
    assert hashlib.sha256((tmp_path / "a.manifest.json").read_bytes()).hexdigest() == (
        hashlib.sha256(
            json.dumps(manifest, separators=(",", ":"), sort_keys=True).encode() + b"\n"
        ).hexdigest()
    )


def test_run_to_a_file_tells_the_result(tmp_path: Path) -> None:
    done = thorp("match", "run", *DEMO, "--out", "final.jsonl", cwd=tmp_path)
    told, tip = done.stdout.splitlines()
    assert told == b"final.jsonl: completed after 5 turns; random-1 0, baseline-1 100"
    manifest = (tmp_path / "final.manifest.json").read_bytes()
    assert tip == b"tip " + hashlib.sha256(manifest).hexdigest().encode()
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "final.jsonl",
        "final.manifest.json",
    ]


def test_ids_and_parameters(tmp_path: Path) -> None:
    done = thorp(
        "match", "run", "number-guess", "--agent", "ada=random", "--agent", "random", "--agent", "random",
        "--set", "minimum=5", "--set", "maximum=6", "--match-id", "cup-1",
    )  # fmt: skip
    start = json.loads(done.stdout.split(b"\n")[0])
    assert start["agentIds"] == ["ada", "random-1", "random-2"]
    assert start["matchId"] == "cup-1"
    assert b'"rangeMin":5,"rangeMax":6' in done.stdout


def test_verify_says_what_it_did(log: Path) -> None:
    done = thorp("match", "verify", log)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"42 events reproduced to the byte (judged by its manifest" in done.stdout
    log.with_name("final.manifest.json").unlink()
    assert b"a bare log, judged with default parameters" in thorp("match", "verify", log).stdout


def test_verify_names_the_line_and_exits_with_1(log: Path) -> None:
    log.write_bytes(log.read_bytes().replace(b'"guess":63', b'"guess":64', 1))
    done = thorp("match", "verify", log)
    assert done.returncode == 1
    assert done.stdout.startswith(f"{log}:4: changed: ".encode())
    answer = json.loads(thorp("match", "verify", log, "--json").stdout)
    assert (answer["difference"]["code"], answer["difference"]["line"]) == ("changed", 4)


def test_show(log: Path) -> None:
    lines = thorp("match", "show", log).stdout.decode().splitlines()
    assert lines[0].startswith("NumberGuess m_vq4ygsjw5ri5")
    assert lines[-1] == "  random-1    0"
    assert (
        "random-1    guess"
        not in thorp("match", "show", log, "--agent", "baseline-1").stdout.decode()
    )


def test_list_names_scenarios_with_bots_and_parameters() -> None:
    rows = json.loads(thorp("match", "list", "--json").stdout)
    assert set(rows) >= {"number-guess", "auction", "dilemma", "connect-four"}
    assert rows["number-guess"]["parameters"] == {"minimum": 1, "maximum": 100}
    assert "baseline" in rows["number-guess"]["agents"]
    assert b"number-guess" in thorp("match", "list").stdout


REFUSALS: dict[str, tuple[str, ...]] = {
    "unknown scenario": ("match", "run", "nothing", "--agent", "random"),
    "unknown agent": ("match", "run", "number-guess", "--agent", "nobody"),
    "no agents": ("match", "run", "number-guess"),
    "too many seats": ("match", "run", "connect-four", *["--agent", "random"] * 3),
    "the same id twice": (
        "match",
        "run",
        "number-guess",
        "--agent",
        "a=random",
        "--agent",
        "a=random",
    ),
    "an empty spec": ("match", "run", "number-guess", "--agent", "a="),
    "a parameter without a value": (
        "match",
        "run",
        "number-guess",
        "--agent",
        "random",
        "--set",
        "minimum",
    ),
    "an unknown parameter": (
        "match",
        "run",
        "number-guess",
        "--agent",
        "random",
        "--set",
        "colour=1",
    ),
    "a parameter of another type": (
        "match",
        "run",
        "number-guess",
        "--agent",
        "random",
        "--set",
        "minimum=x",
    ),
    "a seed that is no number": ("match", "run", *DEMO, "--seed", "x"),
    "a seed that no log can hold": ("match", "run", *DEMO, "--seed", "99999999999999999999999"),
    "endless patience": ("match", "run", *DEMO, "--turn-seconds", "inf"),
    "a value that nests too deeply": ("match", "run", *DEMO, "--set", "minimum=" + "[" * 5000),
    "no turns": ("match", "run", *DEMO, "--max-turns", "0"),
    "a folder that is not there": ("match", "run", *DEMO, "--out", "nowhere/final.jsonl"),
    "replies that are not there": ("match", "run", *DEMO, "--replies", "nowhere.jsonl"),
    "a log that is not there": ("match", "verify", "nowhere.jsonl"),
    "a log that is a folder": ("match", "verify", "."),
    "showing what is not there": ("match", "show", "nowhere.jsonl"),
    "an unknown command": ("match", "frobnicate"),
    "an unknown option": ("match", "verify", "x", "--frobnicate"),
}


@pytest.mark.parametrize("case", REFUSALS)
def test_refusals_are_one_line_and_write_nothing(case: str, tmp_path: Path) -> None:
    refused(thorp(*REFUSALS[case], cwd=tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "data",
    [b"", bytes(range(256)) * 100, b"{}\n", b"hello\n"],
    ids=["empty", "binary", "json", "text"],
)
@pytest.mark.parametrize("command", ["verify", "show"])
def test_a_file_that_is_no_log(command: str, data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    assert "not a match log" in refused(thorp("match", command, path))


def test_an_existing_file_is_kept_unless_forced(log: Path) -> None:
    before = log.read_bytes()
    assert "exists" in refused(thorp("match", "run", *DEMO, "--seed", "7", "--out", log))
    assert log.read_bytes() == before
    assert thorp("match", "run", *DEMO, "--seed", "7", "--out", log, "--force").returncode == 0
    assert log.read_bytes() != before
    assert thorp("match", "verify", log).returncode == 0


def test_a_full_disk_leaves_nothing() -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [str(THORP), "match", "run", *DEMO], stdout=full, stderr=subprocess.PIPE, timeout=60
        )
    assert done.returncode == 2
    assert done.stderr.decode().count("\n") == 1


def test_a_reader_that_goes_away_is_no_error() -> None:
    done = subprocess.run(
        f"{THORP} match run number-guess --agent random --set maximum=1000000 --max-turns 3000 | "
        "head -n 1",
        shell=True, capture_output=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1


def test_show_to_a_reader_that_goes_away(log: Path) -> None:
    long = (
        "--agent",
        "random",
        "--set",
        "maximum=1000000",
        "--max-turns",
        "3000",
        "--out",
        log,
        "--force",
    )
    assert thorp("match", "run", "number-guess", *long).returncode == 0
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {THORP} match show {log} | head -n 1"],
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr, done.stdout.count(b"\n")) == (0, b"", 1)


SLOW = """
import time
class Slow:
    def init(self, config): pass
    def act(self, observation, ctx):
        open("asked", "w").close()
        time.sleep(60)
"""


def interrupt(
    tmp_path: Path, number: int, *arguments: str, until: str = "asked"
) -> tuple[int, bytes, bytes]:
    """Run a match, send a signal as soon as the agent has left a file, and wait for the end."""
    command = [str(THORP), "match", "run", *arguments]
    running = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    try:
        for _ in range(600):
            if (tmp_path / until).exists():
                break
            time.sleep(0.05)
        running.send_signal(number)
        out, errors = running.communicate(timeout=30)
    finally:
        running.kill()
    return running.returncode, out, errors


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP], ids=lambda n: n.name
)
def test_an_interrupted_run_keeps_the_log_so_far(number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    seats = ("number-guess", "--agent", "random", "--agent", "slow.py:Slow", "--out", "t.jsonl")
    code, out, errors = interrupt(tmp_path, number, *seats)
    assert code == 128 + number
    assert out.startswith(b"t.jsonl: interrupted after 1 turns; no scores\ntip ")
    assert errors == b"thorp: interrupted in turn 1; this is the log so far\n"
    *_, observed, ended = map(json.loads, (tmp_path / "t.jsonl").read_bytes().splitlines())
    assert (observed["type"], observed["agentId"]) == ("ObservationEmitted", "Slow-1")
    assert (ended["type"], ended["reason"], ended["scores"]) == ("MatchEnded", "interrupted", {})
    judged = thorp("match", "verify", "t.jsonl", cwd=tmp_path)
    assert judged.returncode == 0
    assert b"the match was interrupted: its log ends there, without scores" in judged.stdout


def test_a_terminated_run_to_standard_output_prints_the_log_so_far(tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(SLOW)
    code, out, _ = interrupt(tmp_path, signal.SIGTERM, "number-guess", "--agent", "slow.py:Slow")
    assert code == 128 + signal.SIGTERM
    assert json.loads(out.splitlines()[-1])["reason"] == "interrupted"
    assert not list(tmp_path.glob("*.json*"))


def test_a_terminated_run_with_a_model_keeps_its_replies_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0

    async def handler(_request: web.Request) -> web.StreamResponse:
        nonlocal asked
        asked += 1
        if asked == 3:
            (tmp_path / "asked").touch()
            await asyncio.sleep(60)
        return web.json_response({"choices": [{"message": {"content": f'{{"guess": {asked}}}'}}]})

    with serving(handler) as url:
        monkeypatch.setenv("THORP_MODEL_URL", url)
        seats = ("number-guess", "--agent", "model:small", "--seed", "7", "--out", "t.jsonl")
        code, _, _ = interrupt(tmp_path, signal.SIGTERM, *seats, "--turn-seconds", "60")
    monkeypatch.delenv("THORP_MODEL_URL")
    assert code == 128 + signal.SIGTERM
    _header, *replies = (tmp_path / "t.replies.jsonl").read_bytes().splitlines()
    assert [json.loads(line)["reply"]["text"] for line in replies] == [
        '{"guess": 1}',
        '{"guess": 2}',
    ]
    judged = thorp("match", "verify", "t.jsonl", cwd=tmp_path)
    assert judged.returncode == 0, judged.stdout
    assert b"played again: model-1" in judged.stdout


def test_a_signal_while_the_scenario_works_waits_for_the_next_line() -> None:
    """The scenario's work is never cut in half, and a signal behind the last line changes
    nothing."""
    lines: list[bytes] = []
    interruption = Interruption(lines.append)
    turn = b'{"type":"TurnStarted","turn":1}'
    with interruption.holding_signals():
        interruption.watch(b'{"type":"MatchStarted"}')
        interruption.watch(turn)
        os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            interruption.watch(b'{"type":"StateUpdated"}')
    assert len(lines) == 3
    interruption = Interruption()
    with interruption.holding_signals():
        interruption.watch(turn)
        os.kill(os.getpid(), signal.SIGINT)
        interruption.watch(b'{"type":"MatchEnded"}')
        os.kill(os.getpid(), signal.SIGINT)
    interruption = Interruption()
    with interruption.holding_signals():
        interruption.watch(turn)
        interruption.watch(b'{"type":"ObservationEmitted"}')
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("command", ["verify", "show"])
def test_a_pipe_is_refused_instead_of_waited_for(command: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert "not a regular file" in refused(thorp("match", command, tmp_path / "pipe.jsonl"))


def test_force_never_replaces_what_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert "not a regular file" in refused(
        thorp("match", "run", *DEMO, "--out", tmp_path / "pipe", "--force")
    )
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_a_file_of_an_earlier_match_is_noticed_before_play(tmp_path: Path) -> None:
    (tmp_path / "a.replies.jsonl").write_text("precious")
    assert "a.replies.jsonl" in refused(thorp("match", "run", *DEMO, "--out", tmp_path / "a.jsonl"))


def test_arguments_that_are_no_text_are_refused() -> None:
    words: list[str | bytes] = [
        str(THORP),
        "match",
        "run",
        "number-guess",
        "--agent",
        "random",
        "--match-id",
    ]
    assert "not valid UTF-8" in refused(
        subprocess.run([*words, b"\xff"], capture_output=True, timeout=60)
    )


def test_a_closed_standard_output_is_no_traceback(log: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", f"{THORP} match verify {log} >&-"], capture_output=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_terminal_that_knows_no_arrows(log: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(
        [THORP, "match", "show", log], env=environment, capture_output=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u2192" in done.stdout


def test_escape_codes_do_not_reach_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text('raise RuntimeError("\\x1b]0;PWNED\\x07\\x1b[2J")')
    done = thorp("match", "run", "number-guess", "--agent", "evil.py:Evil", cwd=tmp_path)
    assert "PWNED" in refused(done)
    assert b"\x1b" not in done.stderr


def test_failing_agents_are_told_of(tmp_path: Path) -> None:
    seats = ("--agent", "a=cmd:true", "--agent", "baseline")
    done = thorp("match", "run", "number-guess", *seats, "--out", tmp_path / "x.jsonl")
    assert done.returncode == 0
    assert b"thorp: a failed 1 times: " in done.stderr


def on_a_terminal(*arguments: str) -> bytes:
    """What a command shows on a terminal."""
    shown, ours = pty.openpty()
    with open(shown, "rb", buffering=0) as screen:
        done = subprocess.Popen([str(THORP), *arguments], stdout=ours, stdin=subprocess.DEVNULL)
        os.close(ours)
        text = b""
        with suppress(OSError):  # how a terminal ends
            while piece := screen.read(65536):
                text += piece
        assert done.wait(60) == 0
    return text.replace(b"\r\n", b"\n")


def test_a_terminal_is_told_where_a_match_is_kept(tmp_path: Path) -> None:
    said = on_a_terminal("match", "run", *DEMO, "--data", str(tmp_path))
    assert f"{tmp_path}/matches/number-guess-".encode() in said
    assert b"\ntip " in said


def test_a_terminal_is_not_flooded_unless_one_asks_for_it() -> None:
    summary = on_a_terminal("match", "run", *DEMO)
    assert summary.startswith(b"completed after 5 turns; random-1 0, baseline-1 100\n")
    assert summary.count(b"\n") == 2
    assert b"{" not in summary
    assert on_a_terminal("match", "run", *DEMO, "--out", "-") == thorp("match", "run", *DEMO).stdout


@pytest.mark.parametrize("program", ["thorp", "god"])
def test_a_program_without_arguments_shows_its_help(program: str) -> None:
    done = subprocess.run([THORP.with_name(program)], capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Usage" in done.stdout


def test_shells_can_complete_commands() -> None:
    asked = {
        **os.environ,
        "_THORP_COMPLETE": "complete_bash",
        "COMP_WORDS": "thorp tour",
        "COMP_CWORD": "1",
    }
    done = subprocess.run([THORP], env=asked, capture_output=True, timeout=60)
    assert done.stdout.split() == [b"tournament"]


def test_a_command_without_arguments_shows_its_help() -> None:
    done = thorp("match")
    assert done.returncode == 2
    assert done.stderr.count(b"\n") > 5


def test_it_runs_as_a_module() -> None:
    command = [sys.executable, "-m", "thorp", "--version"]
    assert subprocess.run(command, capture_output=True, timeout=60).stdout.startswith(b"thorp ")


@pytest.mark.parametrize("arguments", ["--help", "-h", "match -h", "match run --help", "up -h"])
def test_help(arguments: str) -> None:
    done = thorp(*arguments.split())
    assert done.returncode == 0
    assert b"Usage" in done.stdout


def test_version() -> None:
    assert thorp("--version").stdout.startswith(b"thorp ")


def test_a_sealed_match_is_repeated_by_its_secret(tmp_path: Path) -> None:
    auction = (
        "match",
        "run",
        "auction",
        "--agent",
        "pacing",
        "--agent",
        "random",
        "--set",
        "lots=2",
    )
    first = thorp(*auction, "--out", "a.jsonl", cwd=tmp_path)
    assert first.returncode == 0
    log = (tmp_path / "a.jsonl").read_bytes()
    secret = json.loads(log.splitlines()[-2])["secret"]
    thorp(*auction, "--out", "b.jsonl", "--secret", secret, cwd=tmp_path)
    assert (tmp_path / "b.jsonl").read_bytes() == log
    thorp(*auction, "--out", "c.jsonl", "--secret", "none", cwd=tmp_path)
    assert b"MatchSealed" not in (tmp_path / "c.jsonl").read_bytes()
    assert thorp(*auction, "--secret", "abc").returncode == 2


def test_a_damaged_manifest_is_told_with_exit_code_1(log: Path) -> None:
    manifest = log.with_name("final.manifest.json")
    manifest.write_bytes(manifest.read_bytes().replace(b'"spec":"baseline"', b'"spec":"cmd:true"'))
    done = thorp("match", "verify", log)
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.startswith(
        f"{log}:1: damaged: final.manifest.json is not as it was written".encode()
    )
