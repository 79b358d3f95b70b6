"""The suite as a package of OpenEnv: `python scripts/openenv.py write`, and `check`.

`write` makes `openenv.yaml` at the root, and beside the suite its probe, oracles and canaries, from
the suite and its proofs. `check` serves the package on loopback and runs the checks of RFC 008 that
OpenEnv 0.10.0 has no grader for, each with a result in the shape of its report; a check that needs
what is not here, such as a container, is skipped with the reason. Exit code 1 if one fails.
"""

import argparse
import asyncio
import json
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import aiohttp
import msgspec
import yaml

from thorp import __version__
from thorp.kernel.canonical import canonical_bytes
from thorp.tasks import Row, Suite, default_suite, start_of
from thorp.tasks.policies import BOAST, WAIT
from thorp.tasks.record import SPLITS

ROOT: Final = Path(__file__).parent.parent
FOLDER: Final = Path("suites/tasks-1/package")
PROOFS: Final = Path("suites/tasks-1/proofs.jsonl")
MANIFEST: Final = Path("openenv.yaml")
DOCKERFILE: Final = FOLDER / "Dockerfile"
PROBE: Final = FOLDER / "runtime.json"
ORACLES: Final = FOLDER / "oracle.jsonl"
CANARIES: Final = FOLDER / "canaries.jsonl"

FLOOR_MARGIN: Final = 0.5
MAX_EPISODE_SECONDS: Final = 3_600
ORACLE_ROWS: Final = 2
"""Rows of each family that the package proves; `thorp task check` proves all."""
CANARY_TURNS: Final = 20
ACTIONS: Final[list[dict[str, Any]]] = [
    {"action": "wait", "ticks": 5},
    {"action": "wait", "ticks": 20},
    {"action": "wait"},
]
SHORTCUTS: Final[dict[str, dict[str, Any]]] = {
    "idle": WAIT,
    "unknown": {"action": "win", "score": 1.0},
    "boast": {"action": "say", "text": BOAST},
    "forged-score": {"action": "wait", "reward": 1.0, "done": True},
}


# The package


def sample_rows(suite: Suite) -> list[Row]:
    """Some rows of each family: from `dev`, or from `test` for a family that has no other."""
    rows: dict[str, list[Row]] = {}
    for row in sorted(suite.rows.values(), key=lambda row: (row.split != "dev", row.id)):
        if row.split != "train" and len(rows.setdefault(row.family, [])) < ORACLE_ROWS:
            rows[row.family].append(row)
    return [row for family in rows.values() for row in family]


def plan(row: Row, name: str, actions: list[dict[str, Any]]) -> dict[str, Any]:
    """A trajectory in the form of OpenEnv's probe."""
    return {
        "plan_schema_version": "1",
        "reset": {"episode_id": name, "seed": row.seed, "options": {"task": row.task_name}},
        "actions": actions,
    }


def manifest(suite: Suite) -> dict[str, Any]:
    """The content of `openenv.yaml`."""
    counts = Counter(row.split for row in suite.rows.values())
    capabilities = {
        "oracle": {"form": "injected_state", "location": ORACLES.as_posix()},
        "set_state": True,
        "verifier": {"kind": "reward_channel"},
        "task_api": True,
        "canaries": CANARIES.as_posix(),
        "declared_task_count": {split: counts[split] for split in SPLITS},
    }
    return {
        "spec_version": 1,
        "name": "thorp",
        "version": __version__,
        "type": "space",
        "runtime": "fastapi",
        "app": "thorp.integrations.openenv:OpenEnv",
        "port": 8000,
        "validation": {
            "reward": {
                "range": [0.0, 1.0],
                "oracle_tolerance": 0.0,
                "floor_margin": FLOOR_MARGIN,
            },
            "network": {"mode": "no-network"},
            "types": {"tags": ["game"]},
            "resources": {
                "cpu": 1.0,
                "memory_mb": 1024,
                "disk_mb": 256,
                "episode_timeout_s": 600,
            },
            "task_distribution": {"dataset_version": f"tasks-1 {suite.digest}"},
            "capabilities": capabilities,
            "execution": {
                "kind": "openenv_ws",
                "probe_path": PROBE.as_posix(),
                "dockerfile": DOCKERFILE.as_posix(),
                "context": ".",
                "agent_boundary": "api",
            },
        },
    }


def package_files(suite: Suite) -> dict[Path, bytes]:
    """The files of the package, by their paths in the repository."""
    rows = sample_rows(suite)
    solutions = read_solutions()
    oracles = [solutions[row.id] for row in rows if row.id in solutions]
    canaries = [
        {**plan(row, name, [action] * CANARY_TURNS), "name": f"{name}: {row.id}"}
        for row in rows
        for name, action in SHORTCUTS.items()
    ]
    head = b"# The suite as a package of OpenEnv; scripts/openenv.py writes it.\n"
    text = yaml.safe_dump(manifest(suite), sort_keys=False, default_flow_style=None, width=100)
    probe = plan(rows[0], "validation-probe", ACTIONS)
    return {
        MANIFEST: head + text.encode(),
        PROBE: canonical_bytes(probe) + b"\n",
        ORACLES: b"".join(canonical_bytes(each) + b"\n" for each in oracles),
        CANARIES: b"".join(canonical_bytes(each) + b"\n" for each in canaries),
    }


def read_solutions() -> dict[str, dict[str, Any]]:
    """The solutions of the suite's proofs, by row: each is a Start."""
    lines = (ROOT / PROOFS).read_bytes().splitlines() if (ROOT / PROOFS).exists() else []
    proofs = [msgspec.json.decode(line) for line in lines]
    return {proof["id"]: proof["solution"] for proof in proofs}


def write(root: Path) -> None:
    """Write the files of the package."""
    for path, data in package_files(default_suite()).items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)
        print(path)


# The checks


class Skip(Exception):
    """A check cannot be made here; the text says why."""


class Finding(NamedTuple):
    """What a check has measured, and in words."""

    evidence: str
    measured: dict[str, Any]


def expect(condition: bool, otherwise: str) -> None:
    """Fail a check unless it is so."""
    if not condition:
        raise AssertionError(otherwise)


class Subject:
    """A served package, as its checks see it."""

    def __init__(self, root: Path, http: aiohttp.ClientSession, url: str, pid: int) -> None:
        self.root = root
        self.suite = default_suite()
        self.http = http
        self.url = url
        self.pid = pid
        self.manifest: dict[str, Any] = yaml.safe_load((root / MANIFEST).read_text("utf-8"))
        self.said: list[str] = []
        """Every text that the server has sent."""

    @property
    def declared(self) -> dict[str, Any]:
        """The `validation` block of the manifest."""
        block: dict[str, Any] = self.manifest["validation"]
        return block

    def lines(self, path: Path) -> list[dict[str, Any]]:
        """The lines of a file of JSON Lines."""
        return [json.loads(line) for line in (self.root / path).read_bytes().splitlines()]

    @asynccontextmanager
    async def session(self) -> AsyncIterator["Session"]:
        """A session of its own."""
        async with self.http.ws_connect(f"{self.url}/ws", max_msg_size=0) as socket:
            yield Session(self, socket)

    async def get(self, path: str) -> Any:
        """The answer to a GET."""
        async with self.http.get(self.url + path) as answer:
            self.said.append(await answer.text())
            return json.loads(self.said[-1])

    async def post(self, path: str, body: Any) -> Any:
        """The answer to a POST."""
        async with self.http.post(self.url + path, json=body) as answer:
            self.said.append(await answer.text())
            return json.loads(self.said[-1])

    async def played(self, trajectory: dict[str, Any]) -> list[Any]:
        """The replies to a trajectory, played in a new session."""
        async with self.session() as session:
            return await session.play(trajectory)


class Session:
    """One WebSocket, and its environment."""

    def __init__(self, subject: Subject, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._subject = subject
        self._socket = socket

    async def ask(self, kind: str, data: Any = None) -> Any:
        """The reply to a message; an error is one, too."""
        await self._socket.send_json({"type": kind} | ({} if data is None else {"data": data}))
        text = await self._socket.receive_str(timeout=300)
        self._subject.said.append(text)
        return json.loads(text)["data"]

    async def play(self, trajectory: dict[str, Any]) -> list[Any]:
        """The replies to a reset and its steps, until the episode is done."""
        begin = trajectory["reset"]
        options = begin["options"]
        fields = {"episode_id": begin["episode_id"], "seed": begin["seed"], **options}
        replies = [await self.ask("reset", fields)]
        for action in trajectory["actions"]:
            if replies[-1].get("done"):
                break
            replies.append(await self.ask("step", action))
        return replies


def wheel_names(folder: Path) -> list[str]:
    """Build a wheel into a folder; return the names in it."""
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run(
        [*command, "--no-cache-dir", "--wheel-dir", str(folder), str(ROOT)],
        check=True,
        capture_output=True,
    )
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path).namelist()


async def reproducible_build(subject: Subject) -> Finding:
    """Two builds of the wheel, which is all of ours that reaches the image."""
    built = []
    for _ in range(2):
        with tempfile.TemporaryDirectory() as folder:
            wheel_names(Path(folder))
            (path,) = Path(folder).glob("*.whl")
            built.append(path.read_bytes())
    expect(built[0] == built[1], "two builds of the wheel differ")
    return Finding("two builds of the wheel are equal; the rest is pinned by hashes", {"builds": 2})


async def image_hygiene(subject: Subject) -> Finding:
    text = (subject.root / DOCKERFILE).read_text("utf-8")
    stages = len(re.findall(r"^FROM ", text, re.M))
    expect(stages == 2 and "\nUSER thorp\n" in text, "not two stages and a user of its own")
    expect(not re.search(r"apt|gcc|build-essential", text), "build tools are installed")
    return Finding("two stages, a user of its own, no build tools", {"stages": stages})


async def layout(subject: Subject) -> Finding:
    with tempfile.TemporaryDirectory() as folder:
        names = wheel_names(Path(folder))
    archives = [name for name in names if re.search(r"\.(zip|tar|t?gz|xz|7z|whl)$", name)]
    expect(not archives, f"archives in the image: {archives}")
    return Finding("the wheel holds no archive", {"files": len(names)})


async def sbom(subject: Subject) -> Finding:
    source = (ROOT / "scripts" / "release.py").read_text("utf-8")
    expect("cyclonedx" in source.lower(), "no list of what is in a release")
    return Finding("a release has a CycloneDX list (scripts/release.py)", {})


async def oci_labels(subject: Subject) -> Finding:
    text = (subject.root / DOCKERFILE).read_text("utf-8")
    labels = re.findall(r"org\.opencontainers\.image\.(\w+)=", text)
    needed = {"title", "description", "version", "licenses", "revision", "created"}
    expect(needed <= set(labels), f"missing: {sorted(needed - set(labels))}")
    return Finding("the image has its labels", {"labels": sorted(labels)})


async def resource_declaration(subject: Subject) -> Finding:
    declared = subject.declared["resources"]
    expect({"cpu", "memory_mb", "disk_mb", "episode_timeout_s"} <= set(declared), "incomplete")
    return Finding("all four are declared", declared)


async def timeout_ceiling(subject: Subject) -> Finding:
    seconds = subject.declared["resources"]["episode_timeout_s"]
    expect(seconds <= MAX_EPISODE_SECONDS, f"{seconds} s is too long")
    return Finding(f"at most {MAX_EPISODE_SECONDS} s", {"episode_timeout_s": seconds})


async def dependency_pinning(subject: Subject) -> Finding:
    pins = re.findall(
        r"^[\w.-]+==\S+(?: ; [^\\\n]*)? \\\n((?:    --hash=\S+(?: \\)?\n?)+)",
        (ROOT / "constraints.txt").read_text("utf-8"),
        re.M,
    )
    text = (subject.root / DOCKERFILE).read_text("utf-8")
    expect(len(pins) > 20 and "--constraint /constraints.txt" in text, "not pinned by hashes")
    return Finding("exact versions with hashes", {"pins": len(pins)})


async def task_distribution_pinning(subject: Subject) -> Finding:
    pinned = subject.declared["task_distribution"]["dataset_version"]
    expect(pinned == f"tasks-1 {subject.suite.digest}", "the pin is that of another table")
    return Finding("the table is pinned by its digest", {"dataset_version": pinned})


async def episode_isolation(subject: Subject) -> Finding:
    probe = json.loads((subject.root / PROBE).read_text("utf-8"))
    async with subject.session() as session:
        first = await session.play(probe)
        again = await session.play(probe)
    expect(first == again, "the second episode differs from the first")
    return Finding("an episode on the same session leaves nothing", {"replies": len(first)})


async def episode_determinism(subject: Subject) -> Finding:
    probe = json.loads((subject.root / PROBE).read_text("utf-8"))
    here = await subject.played(probe)
    expect(here == await subject.played(probe), "another session differs")
    async with serving(subject.root) as other:
        expect(here == await other.played(probe), "another server differs")
    return Finding("the same over two sessions and two servers, every field", {"fields": "all"})


async def seed_control(subject: Subject) -> Finding:
    probe = json.loads((subject.root / PROBE).read_text("utf-8"))
    other = {**probe, "reset": {**probe["reset"], "seed": probe["reset"]["seed"] + 1}}
    async with subject.session() as session:
        first = await session.play(probe)
        state = await session.ask("state")
        second = await session.play(other)
    expect(state["seed"] == probe["reset"]["seed"], "the seed is not that of the state")
    expect(second[0]["reward"] is None and first != second, "another seed changes nothing")
    return Finding("the state tells the seed; another one is another episode", {})


async def resource_bounds(subject: Subject) -> Finding:
    row = sample_rows(subject.suite)[0]
    wait = [{"action": "wait", "ticks": 600}] * (row.max_turns + 1)
    replies = await subject.played(plan(row, "bounds", wait))
    expect(replies[-1]["done"], "the episode does not end")
    async with subject.session() as session:
        await session.ask("reset", {"task": row.id})
        refused = await session.ask("step", {"action": "say", "text": "x" * 200_000})
    expect(not refused["observation"]["ok"], "a text of 200,000 letters is taken")
    return Finding(
        "an episode ends by itself, and what is said has a limit", {"steps": len(replies)}
    )


async def oracle_containment(subject: Subject) -> Finding:
    with tempfile.TemporaryDirectory() as folder:
        names = wheel_names(Path(folder))
    private = r"^suites/|/(oracle|proofs|canaries|dropped)\.jsonl$|/footwork\.py$|/openenv/"
    inside = [name for name in names if re.search(private, name)]
    expect(not inside, f"in the wheel: {inside}")
    return Finding("neither oracle nor proof is in the wheel", {"files": len(names)})


async def task_declaration_accuracy(subject: Subject) -> Finding:
    declared = subject.declared["capabilities"]["declared_task_count"]
    splits = [each["name"] for each in await subject.get("/thorp/splits")]
    expect(splits == list(declared), "the splits differ")
    for split, count in declared.items():
        told = await subject.post("/thorp/num_tasks", {"split": split})
        expect(told["num_tasks"] == count, f"{split} has {told['num_tasks']} tasks, not {count}")
        preview = await subject.post("/thorp/task_range", {"split": split, "start": 0, "stop": 1})
        expect(not count or len(preview["tasks"]) == 1, f"{split} has no preview")
    return Finding("splits and counts are those declared", declared)


async def tool_declaration_accuracy(subject: Subject) -> Finding:
    declared = subject.declared["capabilities"].get("declared_tools", [])
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    told = (await subject.post("/mcp", call)).get("result", {"tools": []})
    expect([tool["name"] for tool in told["tools"]] == declared, "the tools differ")
    return Finding("no tool is declared and none is listed: actions are steps", {"tools": declared})


async def oracle_max(subject: Subject) -> Finding:
    rewards = []
    for start in subject.lines(ORACLES):
        async with subject.session() as session:
            begun = await session.ask("reset", {"injected_state": start})
            step = await session.ask("step", {"action": "wait"})
        rewards += [begun.get("reward"), step.get("reward")]
    expect(bool(rewards), "there is no oracle; run scripts/openenv.py write")
    expect(set(rewards) == {1.0}, f"the rewards are {sorted(map(str, set(rewards)))}")
    return Finding("every oracle reaches the maximum", {"oracles": len(rewards) // 2})


async def floor_gap(subject: Subject) -> Finding:
    floors = []
    for row in sample_rows(subject.suite):
        async with subject.session() as session:
            await session.ask("reset", {"task": row.id})
            floors.append((await session.ask("step", {"action": "wait"}))["reward"])
    margin = subject.declared["reward"]["floor_margin"]
    expect(1 - max(floors) >= margin, f"the floor is {max(floors)}")
    return Finding("the floor is far below the maximum", {"floor": max(floors), "margin": margin})


async def canary_floor(subject: Subject) -> Finding:
    sums = {}
    for canary in subject.lines(CANARIES):
        replies = await subject.played(canary)
        sums[canary["name"]] = sum(reply["reward"] or 0 for reply in replies)
    worst = max(sums, key=lambda name: sums[name])
    expect(sums[worst] <= 0.1, f"{worst} earns {sums[worst]}")
    return Finding(
        "every shortcut stays at the floor", {"canaries": len(sums), "most": sums[worst]}
    )


async def no_solution_leakage(subject: Subject) -> Finding:
    solutions = [canonical_bytes(start["acts"]).decode() for start in subject.lines(ORACLES)]
    digests = [start["digest"] for start in subject.lines(ORACLES)]
    shown = [text for text in subject.said if "injected_state" not in text]
    for text in shown:
        expect(not any(each in text for each in solutions), "a reply holds a solution")
    goals = [text for text in shown if '"goal"' in text]
    expect(not goals, "a reply holds a goal as data")
    return Finding(
        "no reply holds a solution or a goal", {"replies": len(shown), "of": len(digests)}
    )


async def verifier_determinism(subject: Subject) -> Finding:
    starts = subject.lines(ORACLES)[:2]
    expect(bool(starts), "there is no oracle")
    for start in starts:
        replies = []
        for _ in range(2):
            async with subject.session() as session:
                replies.append(await session.ask("reset", {"injected_state": start}))
        expect(replies[0] == replies[1], "one state has two scores")
    return Finding("one state has one score", {"states": len(starts)})


OFFLINE: Final = """
import sys
def hook(event, args):
    if event.startswith("socket."):
        raise RuntimeError("the network is denied")
sys.addaudithook(hook)
from thorp.tasks import Starts, read_start
import msgspec
start = msgspec.json.decode(sys.argv[1])
print(Starts().open(read_start(start)).score)
"""


async def verifier_portability(subject: Subject) -> Finding:
    starts = subject.lines(ORACLES)[:1]
    expect(bool(starts), "there is no oracle")
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE, json.dumps(starts[0])], capture_output=True, text=True
    )
    expect(done.stdout.strip() == "1.0", done.stderr[-300:])
    return Finding("the score is measured with the network denied", {})


async def replayability(subject: Subject) -> Finding:
    row = sample_rows(subject.suite)[0]
    actions: list[dict[str, Any]] = [*ACTIONS[:1], {"action": "fly"}, *ACTIONS[2:]]
    replies = await subject.played(plan(row, "recorded", actions))
    episode = subject.suite.open(row.id)
    for action in actions:
        episode.act(action)
    start = start_of(episode)
    expect(replies[-1]["observation"]["state"] == start.digest, "the replay ends elsewhere")
    async with subject.session() as session:
        again = await session.ask("reset", msgspec.to_builtins(start))
    expect(again["observation"]["state"] == start.digest, "the Start opens elsewhere")
    return Finding("a recorded episode replays to its digest", {"acts": len(actions)})


async def resource_envelope(subject: Subject) -> Finding:
    for start in subject.lines(ORACLES):
        async with subject.session() as session:
            await session.ask("reset", {"injected_state": start})
    status = Path(f"/proc/{subject.pid}/status")
    if not status.exists():
        raise Skip("no /proc here to measure memory by")
    peak = int(re.findall(r"VmHWM:\s+(\d+) kB", status.read_text())[0]) // 1024
    most = subject.declared["resources"]["memory_mb"]
    expect(peak <= most, f"{peak} MB of {most}")
    return Finding("memory stays inside what is declared", {"memory_mb": peak, "declared": most})


def needs(reason: str) -> Callable[[Subject], Awaitable[Finding]]:
    """A check that cannot be made here."""

    async def skip(subject: Subject) -> Finding:
        raise Skip(reason)

    return skip


CHECKS: Final[dict[str, Callable[[Subject], Awaitable[Finding]]]] = {
    "static.reproducible_build": reproducible_build,
    "static.image_hygiene": image_hygiene,
    "static.layout": layout,
    "static.sbom": sbom,
    "static.oci_labels": oci_labels,
    "static.resource_declaration": resource_declaration,
    "static.timeout_ceiling": timeout_ceiling,
    "static.dependency_pinning": dependency_pinning,
    "static.task_distribution_pinning": task_distribution_pinning,
    "runtime.network_policy": needs("the subject's network namespace belongs to a container"),
    "runtime.host_containment": needs("the host is contained by a container"),
    "runtime.resource_bounds": resource_bounds,
    "runtime.episode_isolation": episode_isolation,
    "runtime.oracle_containment": oracle_containment,
    "runtime.rubric_introspectable": needs("no rubric tree is declared"),
    "runtime.reward_attribution": needs("no rubric tree is declared"),
    "runtime.trajectory_record": needs("0.10.0 names no message that asks for telemetry"),
    "runtime.tool_declaration_accuracy": tool_declaration_accuracy,
    "runtime.task_declaration_accuracy": task_declaration_accuracy,
    "runtime.seed_control": seed_control,
    "runtime.episode_determinism": episode_determinism,
    "semantic.resource_envelope": resource_envelope,
    "semantic.oracle_max": oracle_max,
    "semantic.floor_gap": floor_gap,
    "semantic.canary_floor": canary_floor,
    "semantic.verifier_determinism": verifier_determinism,
    "semantic.verifier_portability": verifier_portability,
    "semantic.replayability": replayability,
    # Last: it looks at everything that was sent until now.
    "semantic.no_solution_leakage": no_solution_leakage,
}
"""The checks of one's own machine, without those that OpenEnv 0.10.0 grades itself."""


@contextmanager
def served() -> Iterator[tuple[str, int]]:
    """A server of the package on loopback: its address and process."""
    command = [sys.executable, "-m", "thorp", "openenv", "--tasks", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[-1], process.pid
        finally:
            process.terminate()


@asynccontextmanager
async def serving(root: Path) -> AsyncIterator[Subject]:
    """A subject of its own."""
    with served() as (url, pid):
        async with aiohttp.ClientSession() as http:
            yield Subject(root, http, url, pid)


async def run_checks(root: Path, names: list[str]) -> list[dict[str, Any]]:
    """The result of each check, in the shape of OpenEnv's report."""
    results = []
    async with serving(root) as subject:
        for name in names or CHECKS:
            began = time.monotonic()
            measured: dict[str, Any] = {}
            remediation = None
            try:
                finding = await CHECKS[name](subject)
                status = "pass"
                evidence = finding.evidence
                measured = finding.measured
            except Skip as reason:
                status = "skip"
                evidence = str(reason)
            except AssertionError as problem:
                status = "fail"
                evidence = str(problem)
                remediation = f"see {CHECKS[name].__name__} in scripts/openenv.py"
            except (
                aiohttp.ClientError,
                OSError,
                TimeoutError,
                subprocess.SubprocessError,
            ) as problem:
                status = "error"
                evidence = f"{type(problem).__name__}: {problem}"
            results.append(
                {
                    "check_id": name,
                    "status": status,
                    "measured": measured,
                    "evidence": [evidence],
                    "remediation": remediation,
                    "duration_s": round(time.monotonic() - began, 3),
                }
            )
            print(f"{status}  {name}: {evidence}", file=sys.stderr, flush=True)
    return results


def main() -> None:
    """Do what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("write", help="write the files of the package")
    check = commands.add_parser("check", help="run the checks that OpenEnv has no grader for")
    check.add_argument("--only", action="append", default=[], choices=list(CHECKS))
    check.add_argument("--output", type=Path, help="where the report goes, as JSON")
    given = parser.parse_args()
    if given.command == "write":
        write(ROOT)
        return
    results = asyncio.run(run_checks(ROOT, given.only))
    report = {"target": "thorp", "lane": "local", "results": results}
    text = json.dumps(report, indent=2) + "\n"
    if given.output is None:
        print(text, end="")
    else:
        given.output.write_text(text)
    sys.exit(any(result["status"] in ("fail", "error") for result in results))


if __name__ == "__main__":
    main()
