"""Commands as agents: real processes that answer, fail, stall, flood and refuse to go."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.arena.external.matches import PATIENT, is_gone, outcomes, play_match, player, task_of
from thorp.arena import AgentConfig, AgentContext
from thorp.arena.contract import Limits, Seat
from thorp.arena.external import AgentFailure, open_agent, protocol
from thorp.arena.external.agent_process import STDERR_BYTES_LIMIT, AgentProcess, agent_environment
from thorp.arena.external.agents import ProcessAgent
from thorp.arena.scenarios.number_guess import INVALID_GUESS
from thorp.kernel.errors import InvalidError

ONE = {"guess": 1}
HASTY = Limits(turn_seconds=0.3, match_seconds=60)


@pytest.fixture(autouse=True)
def _never_hangs() -> Iterator[None]:
    started = time.monotonic()
    yield
    assert time.monotonic() - started < 30


def twice(*specs: str, **options: Any) -> list[Any]:
    """The first seat's outcomes, after seeing that a second match gives the same bytes."""
    first = play_match(*specs, **options)
    assert play_match(*specs, **options).jsonl == first.jsonl
    return outcomes(first)


@pytest.mark.parametrize(
    ("behaviour", "expected"),
    [
        ("ok", [ONE] * 3),
        ("fragments", [ONE] * 3),
        ("late", [ONE] * 3),
        ("ahead", [1, 2, 3]),
        ("crash", [ONE] + ["agent process ended (exit code 3)"] * 2),
        ("segfault", ["agent process ended (signal 11)"] * 3),
        ("close-output", ["agent process closed its output"] * 3),
        ("garbage", ["the reply is not JSON"] * 3),
        ("not-utf8", ["the reply is not JSON"] * 3),
        ("deep", ["nested deeper than 300 levels, or a cycle"] * 3),
        ("list", ["the reply is not a JSON object"] * 3),
        ("other-type", ["the reply is neither an action nor an error"] * 3),
        ("no-type", ["the reply is neither an action nor an error"] * 3),
        ("no-turn", [f"the reply does not answer turn {turn}" for turn in (1, 2, 3)]),
        ("bool-turn", [f"the reply does not answer turn {turn}" for turn in (1, 2, 3)]),
        ("later-turn", [f"the reply does not answer turn {turn}" for turn in (1, 2, 3)]),
        ("no-action", ["the reply holds no action"] * 3),
        ("error", [f"no idea in turn {turn}" for turn in (1, 2, 3)]),
        ("bare-error", ["the agent reports an error without a message"] * 3),
        ("huge", ["the line is larger than 1049600 bytes", ONE, ONE]),
        ("big-number", [[None, 0, 1e21]] * 3),
        ("exit-at-once", ["agent process ended (exit code 5)"]),
        ("greeting", ["the reply is not JSON"]),
        ("other-protocol", ["the agent does not speak protocol 1"]),
        ("no-ready", ["the agent did not answer init with ready"]),
        ("init-error", ["no licence"]),
    ],
)
def test_what_comes_of_each_turn(behaviour: str, expected: list[object]) -> None:
    assert twice(player(behaviour)) == expected


@pytest.mark.parametrize("behaviour", ["loop", "sleep", "orphan"])
def test_a_turn_that_takes_too_long(behaviour: str) -> None:
    assert twice(player(behaviour), max_turns=2, limits=HASTY) == ["no action within 0.3 s"] * 2


@pytest.mark.parametrize(
    ("behaviour", "first"),
    [("close-input", ONE), ("endless", "the line is larger than 1049600 bytes")],
)
def test_a_first_turn_in_time_and_a_second_one_that_is_not(behaviour: str, first: object) -> None:
    hurried = Limits(turn_seconds=0.6)
    assert twice(player(behaviour), max_turns=2, limits=hurried) == [
        first,
        "no action within 0.6 s",
    ]


def test_a_late_reply_is_dropped_and_the_agent_goes_on() -> None:
    assert twice(player("slow"), limits=Limits(turn_seconds=1.0)) == [
        "no action within 1 s",
        ONE,
        ONE,
    ]


def test_the_others_play_on() -> None:
    result = play_match(player("crash"), "baseline", max_turns=30, maximum=100)
    assert result.reason == "completed"
    assert result.scores == {"seat-1": 0, "seat-2": 100}


def test_never_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "START_SECONDS", 0.5)
    assert twice(player("mute")) == ["not ready within 0.5 s"]


def test_the_match_limit_ends_every_further_turn_at_once() -> None:
    tight = Limits(turn_seconds=0.3, match_seconds=0.8)
    used_up = "the match limit of 0.8 s is used up"
    late = "no action within 0.3 s"
    assert twice(player("sleep"), max_turns=200, limits=tight) == [late, late] + [used_up] * 198


def test_a_process_that_used_up_its_match_is_gone_before_the_match_ends() -> None:
    tight = Limits(turn_seconds=0.2, match_seconds=0.2)
    task = task_of(player("sleep"), limits=tight)
    with open_agent(task.seats[0], task, None) as agent:
        assert isinstance(agent, ProcessAgent)
        agent.init(AgentConfig("seat-1", 1))
        for turn in (1, 2):
            with pytest.raises(AgentFailure, match="used up"):
                agent.act({}, AgentContext(lambda: 0.5, turn, "seat-1"))
        assert is_gone(agent.pid)


def test_memory() -> None:
    limit = Limits(turn_seconds=30, match_seconds=60, memory_mib=128)
    assert (
        twice(player("bomb"), max_turns=2, limits=limit)
        == ["agent process ended (exit code 1)"] * 2
    )


def test_what_an_agent_is_told() -> None:
    [told, *_] = outcomes(play_match(player("mirror")))
    assert told == {
        "type": "init",
        "protocol": 1,
        "agentId": "seat-1",
        "seed": told["seed"],
        "scenario": "number-guess",
        "parameters": {"minimum": 1, "maximum": 10**6},
        "maxTurns": 3,
        "limits": {"turnSeconds": 30, "matchSeconds": 60, "memoryMib": 1024},
    }
    assert type(told["seed"]) is int


def test_an_agent_hears_why_its_last_action_was_refused() -> None:
    refused = {"turn": 1, "valid": False, "feedback": {"error": INVALID_GUESS}}
    assert outcomes(play_match(player("verdict"), max_turns=3)) == [
        {"heard": "nothing"},
        {"heard": refused},
        {"heard": {**refused, "turn": 2}},
    ]


def test_an_agents_environment_holds_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("THORP_MODEL_KEY", "My_Api_Token", "DB_PASSWORD", "SECRET_SAUCE", "INVENTED_NAME"):
        monkeypatch.setenv(name, "value")
    [seen, *_] = outcomes(play_match(player("environment")))
    assert "PATH" in seen
    assert {"INVENTED_NAME", "PYTHONHASHSEED"} <= seen.keys()
    assert not {"THORP_MODEL_KEY", "My_Api_Token", "DB_PASSWORD", "SECRET_SAUCE"} & seen.keys()


def test_environment_rule() -> None:
    given = {
        "PATH": "/bin",
        "openai_api_key": "x",
        "HOME": "/",
        "GITHUB_TOKEN": "y",
        "PYTHONHASHSEED": "random",
    }
    assert agent_environment(given) == {"PATH": "/bin", "HOME": "/", "PYTHONHASHSEED": "0"}


@pytest.mark.parametrize("behaviour", ["ok", "stubborn", "grandchild", "orphan", "crash", "loop"])
def test_nothing_is_left_running(behaviour: str) -> None:
    task = task_of(player(behaviour), limits=HASTY if behaviour in ("loop", "orphan") else PATIENT)
    pids = []
    with open_agent(task.seats[0], task, None) as agent:
        assert isinstance(agent, ProcessAgent)
        pids.append(agent.pid)
        agent.init(AgentConfig("seat-1", 1))
        for turn in (1, 2):
            try:
                agent.act({}, AgentContext(lambda: 0.5, turn, "seat-1"))
            except AgentFailure:
                continue
    if behaviour in ("grandchild", "orphan"):
        pids.append(int(agent.diagnostics.split()[0]))
    assert len(pids) == (2 if behaviour in ("grandchild", "orphan") else 1)
    for pid in pids:
        assert is_gone(pid)


def test_standard_error_is_kept_to_a_bound_and_stays_out_of_the_log() -> None:
    task = task_of(player("flood-stderr"), limits=PATIENT)
    with open_agent(task.seats[0], task, None) as agent:
        agent.init(AgentConfig("seat-1", 1))
        for turn in (1, 2, 3):
            assert agent.act({}, AgentContext(lambda: 0.5, turn, "seat-1")) == ONE
    assert isinstance(agent, ProcessAgent)
    assert len(agent.diagnostics) == STDERR_BYTES_LIMIT
    assert agent.diagnostics.endswith("x" * 1000 + "the end of turn 3\n")
    assert b"the end of turn" not in play_match(player("flood-stderr")).jsonl


def test_an_agent_that_never_reads_cannot_block_the_runner() -> None:
    child = AgentProcess(["sleep", "300"], 1024)
    try:
        for _ in range(3):
            child.send(b"x" * (4 << 20))
            with pytest.raises(TimeoutError):
                child.receive(time.monotonic() + 0.1)
        assert len(child._sending) + len(child._next) < 9 << 20
    finally:
        child.stop()
    assert is_gone(child.pid)


def test_a_large_observation_reaches_an_agent_that_reads() -> None:
    child = AgentProcess(["sh", "-c", "while read -r line; do echo ${#line}; done"], 1024)
    try:
        for size in (3, 1 << 20):
            child.send(b"x" * size)
            assert child.receive(time.monotonic() + 30) == b"%d" % size
    finally:
        child.stop()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            "cmd:no-such-command-anywhere --flag",
            "no command 'no-such-command-anywhere' can be run here",
        ),
        ("cmd:/dev/null", "no command '/dev/null' can be run here"),
        ("no-such-bot", "unknown agent 'no-such-bot' for number-guess"),
    ],
)
def test_what_is_not_there_is_refused_before_the_match(spec: str, message: str) -> None:
    with pytest.raises(InvalidError, match=message):
        play_match(spec)


def test_a_file_that_is_no_program(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_text("not a program\n")
    program.chmod(0o755)
    assert twice(f"cmd:{program}") == ["agent process ended (exit code 126)"]


@pytest.mark.parametrize(
    "bad",
    [
        Limits(turn_seconds=0),
        Limits(turn_seconds=float("inf")),
        Limits(match_seconds=float("nan")),
        Limits(match_seconds=1e9),
        Limits(memory_mib=0),
        Limits(model_calls=-1),
        Limits(model_tokens=-1),
    ],
)
def test_limits_that_limit_nothing_or_everything_are_refused(bad: Limits) -> None:
    task = task_of(player("ok"), limits=bad)
    with pytest.raises(InvalidError), open_agent(Seat("a", player("ok")), task, None):
        pass


AWK = """{ if ($0 ~ /"type":"init"/) print "{\\"type\\":\\"ready\\",\\"protocol\\":1}"
else if (match($0, /"turn":[0-9]+/))
  print "{\\"type\\":\\"action\\"," substr($0, RSTART, RLENGTH) ",\\"action\\":7}" }"""
NODE = """
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "init") console.log(JSON.stringify({ type: "ready", protocol: 1 }));
  if (message.type === "act") console.log(JSON.stringify({ type: "action", turn: message.turn, action: 7 }));
  if (message.type === "end") process.exit();
});
"""


def test_an_agent_in_awk(tmp_path: Path) -> None:
    (tmp_path / "agent.awk").write_text(AWK)
    # One awk a line, for some of them read their input in blocks.
    (tmp_path / "agent.sh").write_text(
        'while IFS= read -r line; do printf "%s\\n" "$line" | awk -f "$1"; done\n'
    )
    assert twice(f"cmd:sh {tmp_path}/agent.sh {tmp_path}/agent.awk") == [7, 7, 7]


@pytest.mark.real("node")
def test_an_agent_in_javascript(tmp_path: Path) -> None:
    (tmp_path / "agent.cjs").write_text(NODE)
    assert twice(f"cmd:node {tmp_path}/agent.cjs") == [7, 7, 7]


def test_ctrl_c_ends_the_agent_and_the_runner() -> None:
    program = (
        "import sys\nfrom tests.arena.external.matches import player, task_of\n"
        "from thorp.arena import AgentConfig, AgentContext\nfrom thorp.arena.external import "
        "open_agent\n"
        "task = task_of(player('sleep'))\n"
        "with open_agent(task.seats[0], task, None) as agent:\n"
        "    agent.init(AgentConfig('seat-1', 1))\n"
        "    print(agent.pid, flush=True)\n"
        "    agent.act({}, AgentContext(float, 1, 'seat-1'))\n"
    )
    runner = subprocess.Popen(
        [sys.executable, "-X", "dev", "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert runner.stdout is not None
    pid = int(runner.stdout.readline())
    runner.send_signal(signal.SIGINT)
    _, said = runner.communicate(timeout=20)
    assert said.splitlines()[-1] == "KeyboardInterrupt"
    assert "ResourceWarning" not in said
    assert is_gone(pid)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux promises this")
def test_an_agent_does_not_outlive_a_runner_that_is_killed() -> None:
    program = (
        "import sys, time\nfrom thorp.arena.external.agent_process import AgentProcess\n"
        "print(AgentProcess([sys.executable, '-c', 'while True: pass'], 1024).pid, flush=True)\n"
        "time.sleep(60)\n"
    )
    runner = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, env=os.environ
    )
    assert runner.stdout is not None
    with runner.stdout:
        pid = int(runner.stdout.readline())
        runner.kill()
        runner.wait()
    assert is_gone(pid)
