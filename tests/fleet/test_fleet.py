"""Fleets: the same rows whoever runs them and however often they were stopped, and every mistake
told."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.arena.tournament.processes import is_gone, until
from tests.arena.tournament.small import tree
from thorp.arena.external import parse_seats
from thorp.arena.tournament import InlinePool, ProcessPool, make_plan, run_tournament
from thorp.bridges.voxel_town import new_city_world
from thorp.cli.main import main
from thorp.env import World
from thorp.fleet import Job, read_fleet, run_fleet
from thorp.fleet import run as jobs
from thorp.fleet.plan import MAX_DAYS, MAX_JOBS, MAX_PLAN_BYTES, VillageJobs
from thorp.kernel.errors import ConflictError, ContractError
from thorp.kernel.identity import digest
from thorp.store import RealDisk
from thorp.village import founding, measure
from thorp.voxel.tuning import read_tuning

DISK = RealDisk()
THORP = [sys.executable, "-c", "from thorp.cli.main import main; main()"]
ALL_KINDS = """
[[job]]
kind = "match"
scenario = "number-guess"
agents = ["random", "baseline"]
seeds = {from = 1, to = 30}

[[job]]
kind = "tournament"
scenario = "number-guess"
agents = ["random", "baseline"]
seeds = [7, 8]

[[job]]
kind = "world"
seeds = [3]
agents = 2
ticks = 20

[[job]]
kind = "env"
seeds = {from = 1, to = 3}
pool = 2
steps = 3
"""


def test_rows_are_the_same_in_this_process_and_in_others(tmp_path: Path) -> None:
    fleet = read_fleet(ALL_KINDS.encode())
    done = run_fleet(fleet, tmp_path / "one", InlinePool(), DISK)
    assert [(table.kind, table.jobs) for table in done.tables] == [
        *(("match", 30), ("tournament", 2), ("world", 1), ("env", 2))
    ]
    assert done.failed == 0
    run_fleet(fleet, tmp_path / "two", ProcessPool(2), DISK)
    files = tree(tmp_path / "one")
    assert tree(tmp_path / "two") == files
    assert files.keys() == {"manifest.json", "results.jsonl"}
    rows = [json.loads(line) for line in files["results.jsonl"].splitlines()]
    assert [row["job"] for row in rows] == list(range(1, 36))
    assert [row["seeds"] for row in rows[-2:]] == [[1, 2], [3]]


def test_rows_hold_what_one_would_get_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_fleet(read_fleet(ALL_KINDS.encode()), tmp_path / "f", InlinePool(), DISK)
    rows = [
        json.loads(line) for line in (tmp_path / "f" / "results.jsonl").read_bytes().splitlines()
    ]
    log = tmp_path / "log.jsonl"
    arguments = [
        "match",
        "run",
        "number-guess",
        "--agent",
        "random",
        "--agent",
        "baseline",
        "--seed",
        "5",
    ]
    assert _thorp(monkeypatch, *arguments, "--out", str(log)) == 0
    assert digest(log.read_bytes()) == rows[4]["result"]["log"]
    seats = parse_seats(["random", "baseline"])
    finished = run_tournament(
        make_plan("number-guess", seats, seed=8), tmp_path / "t", InlinePool(), DISK
    )
    assert json.loads(finished.to_bytes()) == rows[31]["result"]
    idle = World(1, busy_ticks=5, least_ticks=5)
    idle.reset()
    idle.step({})
    plan = read_fleet(
        b'[[job]]\nkind = "world"\nseeds = [1]\nagents = 1\npolicy = "idle"\nticks = 5'
    )
    ((job,),) = plan.jobs()
    assert json.loads(jobs.run_job(job).line)["result"]["digest"] == idle.digest()


def test_a_village_has_the_lines_of_village_live(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(founding, "RULES", {**founding.RULES, "day_ticks": 200})
    lines: list[object] = []
    measure.live(new_city_world(7, tuning=read_tuning(founding.RULES)), 1, show=lines.append)
    row = json.loads(jobs.run_job(Job(1, VillageJobs(seeds=[7], days=1), (7,))).line)
    assert row["result"]["lines"] == json.loads(json.dumps(lines))


def _thorp(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["thorp", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert isinstance(ended.value.code, int)
    return ended.value.code


# A program that is slow, and tells of each match that it is in.
PLODDER = """
while read -r line; do
  case $line in
    *'"type":"init"'*) echo x >> {begun}; echo '{{"type":"ready","protocol":1}}' ;;
    *'"type":"end"'*) exit ;;
    *) turn=${{line#*'"turn":'}}
       sleep 0.05
       echo '{{"type":"action","turn":'"${{turn%%,*}}"',"action":{{"guess":50}}}}' ;;
  esac
done
"""
JOBS = 20


class Command:
    """`thorp fleet run` on a plan of matches that take their time."""

    def __init__(self, directory: Path) -> None:
        self.begun = directory / "begun"
        script = directory / "plodder.sh"
        script.write_text(PLODDER.format(begun=self.begun))
        self.plan = directory / "plan.toml"
        self.plan.write_text(
            '[[job]]\nkind = "match"\nscenario = "number-guess"\nmax_turns = 2\n'
            f'agents = ["a=baseline", "b=cmd:sh {script}"]\nseeds = {{from = 1, to = {JOBS}}}\n'
        )
        self.out = self.plan.with_suffix(".fleet")

    def start(self, *more: str) -> subprocess.Popen[str]:
        command = [*THORP, "fleet", "run", str(self.plan), "--workers", "2", *more]
        return subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def finish(self, *more: str) -> tuple[str, str]:
        with self.start(*more) as process:
            out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        return out, err

    @property
    def records(self) -> int:
        journal = self.out / "results.journal"
        return journal.read_bytes().count(b'"job":') if journal.exists() else 0

    @property
    def matches_begun(self) -> int:
        return len(self.begun.read_text().split())


def workers(pid: int) -> list[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [
        int(one) for one in children if b"spawn_main" in Path(f"/proc/{one}/cmdline").read_bytes()
    ]


def test_a_killed_run_goes_on_where_it_stopped_and_a_killed_worker_is_replaced(
    tmp_path: Path,
) -> None:
    command = Command(tmp_path)
    command.finish("--out", str(tmp_path / "reference"))
    reference = tree(tmp_path / "reference")
    before = command.matches_begun
    assert before == JOBS

    with command.start() as process:
        until(lambda: command.records >= 2)
        of_it = workers(process.pid)
        process.kill()
    until(lambda: all(is_gone(pid) for pid in of_it))
    done = command.records
    assert 2 <= done < JOBS

    with command.start() as process:  # SIGINT, as Ctrl-C
        until(lambda: command.records >= done + 2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert f"resuming: {done} of {JOBS} jobs are done\n" in err
    done = command.records
    assert (
        f"thorp: stopped after {done} of {JOBS} jobs; they are kept: run the same command again"
        in err
    )

    with command.start() as process:
        until(lambda: workers(process.pid))
        os.kill(workers(process.pid)[0], signal.SIGKILL)
        _, err = process.communicate(timeout=120)
    assert process.returncode == 0
    assert "a worker process ended (exit code -9)" in err
    assert err.endswith("s left\n")
    assert tree(command.out) == reference
    # Only what was under way is begun a second time: two of each run that was stopped, one of the
    # worker.
    assert command.matches_begun - before <= JOBS + 2 * 2 + 1

    out, err = command.finish("--json")  # nothing is left to do
    assert command.matches_begun - before <= JOBS + 2 * 2 + 1
    assert json.loads(out)["jobs"] == JOBS
    assert err == f"resuming: {JOBS} of {JOBS} jobs are done\n"


def test_a_job_that_fails_is_a_row_and_is_run_again_by_the_next_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, out = tmp_path / "plan.toml", tmp_path / "plan.fleet"
    plan.write_text(ALL_KINDS)
    reference = run_fleet(read_fleet(plan.read_bytes()), tmp_path / "reference", InlinePool(), DISK)
    run_steps = jobs._run_steps

    def broken(world: World, steps: int, policy: str) -> object:
        raise LookupError(f"at {id(world):#x}")

    monkeypatch.setattr(jobs, "_run_steps", broken)
    arguments = ("fleet", "run", str(plan), "--workers", "1", "--json")
    assert _thorp(monkeypatch, *arguments) == 1
    printed = capsys.readouterr()
    assert json.loads(printed.out)["failed"] == 3
    assert "job 33 (world, seed 3) failed: LookupError: at 0x" in printed.err
    failed = json.loads((out / "results.jsonl").read_bytes().splitlines()[32])
    assert failed["error"] == {"code": "failed", "message": "LookupError"}

    monkeypatch.setattr(jobs, "_run_steps", run_steps)
    assert _thorp(monkeypatch, *arguments) == 0
    printed = capsys.readouterr()
    assert "resuming: 32 of 35 jobs are done" in printed.err
    assert json.loads(printed.out)["tables"] == [
        {name: getattr(table, name) for name in ("kind", "jobs", "failed", "means")}
        for table in reference.tables
    ]
    assert tree(out) == tree(tmp_path / "reference")


def test_another_plan_in_the_same_directory_is_refused_and_stays(tmp_path: Path) -> None:
    run_fleet(read_fleet(ALL_KINDS.encode()), tmp_path / "f", InlinePool(), DISK)
    before = tree(tmp_path / "f")
    other = read_fleet(ALL_KINDS.replace("ticks = 20", "ticks = 25").encode())
    with pytest.raises(
        ConflictError,
        match=r"holds another fleet \(job\[2\].ticks is 20 there and 25 here\).*--force",
    ):
        run_fleet(other, tmp_path / "f", InlinePool(), DISK)
    tournament = make_plan("number-guess", parse_seats(["random", "baseline"]))
    with pytest.raises(
        ConflictError, match=r'format is "thorp.fleet" there and "thorp.tournament" here'
    ):
        run_tournament(tournament, tmp_path / "f", InlinePool(), DISK)
    assert tree(tmp_path / "f") == before


def job(text: str) -> str:
    return f"[[job]]\n{text}\n"


MATCH = 'kind = "match"\nscenario = "connect-four"\nseeds = [1]\n'


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        ("", [("required", "$.job")]),
        ("x = 1\ny = 2", [("unknown_key", "$.x"), ("unknown_key", "$.y"), ("required", "$.job")]),
        ("[job]", [("required", "$.job")]),
        ("job = [1, [2]]", [("kind", "$.job[0].kind"), ("kind", "$.job[1].kind")]),
        (job('kind = "castle"') + job(""), [("kind", "$.job[0].kind"), ("kind", "$.job[1].kind")]),
        (job('kind = "env"\npol = 1'), [("unknown_key", "$.job[0].pol"), ("required", "$.job[0].seeds")]),
        (
            job('kind = "world"\nseeds = [1, "x"]\nagents = true\npolicy = "clever"\nticks = 0'),
            [("value", f"$.job[0].{name}") for name in ("agents", "ticks", "policy", "seeds[1]")],
        ),
        (
            job('kind = "env"\nsteps = 0\nseeds = [1, 1]\ntuning = {rain = 1, day_ticks = "x", '
                'snow = 2}'),
            [
                *[("value", "$.job[0].steps"), ("unknown_key", "$.job[0].tuning.rain")],
                *[("unknown_key", "$.job[0].tuning.snow"), ("value", "$.job[0].tuning.day_ticks")],
                ("seeds", "$.job[0].seeds"),
            ],
        ),
        (job('kind = "world"\nseeds = [1]\ntuning = {day_ticks = 1001}'), [("tuning", "$.job[0].tuning")]),
        (
            job('kind = "world"\nseeds = [1]\ntuning = {day_ticks = nan}'),
            [("value", "$.job[0].tuning.day_ticks")],
        ),
        (
            job(MATCH + 'agents = ["random", "random"]\nparameters = {rows = nan}'),
            [("non_finite", "$.job[0].parameters")],
        ),
        (
            job('kind = "world"\nseeds = [1, 1]') + job('kind = "x"'),
            [("seeds", "$.job[0].seeds"), ("kind", "$.job[1].kind")],
        ),
        (job('kind = "village"\nseeds = {from = 2, to = 1}'), [("seeds", "$.job[0].seeds")]),
        (job(f'kind = "village"\nseeds = [1]\ndays = {MAX_DAYS + 1}'), [("value", "$.job[0].days")]),
        (job(f'kind = "village"\nseeds = {{from = 0, to = {MAX_JOBS}}}'), [("limit", "$.job")]),
        (
            job(
                'kind = "match"\nscenario = "connect-four"\nseeds = {from = 2, to = 1}\nsecret = '
                '"00"\n'
                'agents = ["genius", "=x", "cmd:no-such-program", "a=random", '
                '"a=random"]\nmax_turns = 0'
            ),
            [
                *[("value", "$.job[0].max_turns"), ("seeds", "$.job[0].seeds")],
                *[(one, "$.job[0].agents") for one in ("agent_id", "duplicate_agent")],
                *[("secret", "$.job[0].secret"), ("seats", "$.job[0].agents")],
                *[(one, "$.job[0].agents") for one in ("unknown_agent", "agent_command")],
            ],
        ),
        (
            job(
                'kind = "tournament"\nscenario = "number-guess"\nseeds = [1]\n'
                f'agents = ["random", "{"x" * 101}=random"]\nparameters = {{maximum = "x", colour '
                f'= 1}}'
            ),
            [("id", "$.job[0].agents"), *[("parameter", "$.job[0].parameters")] * 2],
        ),
        (
            job(MATCH.replace("match", "tournament") + 'agents = ["genius"]\ntable = 9'),
            [("table", "$.job[0].table"), ("unknown_agent", "$.job[0].agents")],
        ),
        (
            job('kind = "match"\nscenario = "chess"\nseeds = [1]\nagents = '
                '3') + job('kind = "match"'),
            [
                *[("value", "$.job[0].agents"), ("unknown_scenario", "$.job[0].scenario")],
                *[("required", f"$.job[1].{name}") for name in ("scenario", "agents", "seeds")],
            ],
        ),
        ("x = " + "[" * 60_000, [("toml", "$")]),
        ("x = " + "9" * 5_000, [("toml", "$")]),
        (".".join("a" * 32_000) + " = 1", [("limit", "$")]),
        ("\x00", [("toml", "$")]),
    ],
)  # fmt: skip
def test_every_mistake_of_a_plan_is_told_with_its_path(
    plan: str, told: list[tuple[str, str]]
) -> None:
    with pytest.raises(ContractError) as refused:
        read_fleet(plan.encode())
    assert [(one.code, one.path) for one in refused.value.violations] == told


def test_a_bad_plan_is_a_line_for_each_mistake_and_starts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text('[[job]]\nkind = "village"\nseeds = [1]\ndays = 0\n"\\u001b[2J" = 1\n')
    assert _thorp(monkeypatch, "fleet", "run", str(plan)) == 2
    out, err = capsys.readouterr()
    unknown, days = err.splitlines()
    assert (out, list(tmp_path.iterdir())) == ("", [plan])
    assert days == f"thorp: {plan}: $.job[0].days: Expected int >= 1 (value)"
    assert unknown.startswith(
        f'thorp: {plan}: $.job[0]["\\u001b[2J"]: there is no such key; known are kind, '
    )
    plan.write_text("\n".join(f"k{number} = 1" for number in range(30)))
    assert _thorp(monkeypatch, "fleet", "run", str(plan)) == 2
    assert capsys.readouterr().err.splitlines()[20:] == [f"thorp: {plan}: and 11 more"]
    plan.write_bytes(b"#" * (MAX_PLAN_BYTES + 1))
    assert _thorp(monkeypatch, "fleet", "run", str(plan)) == 2
    assert f"where {MAX_PLAN_BYTES} are the most" in capsys.readouterr().err
