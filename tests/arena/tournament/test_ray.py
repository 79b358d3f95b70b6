"""A real Ray cluster of two CPUs on this machine. One test, because every start of it takes
seconds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import pytest

from tests.arena.tournament.processes import until
from tests.arena.tournament.small import small_plan, tree
from thorp.arena.tournament import InlinePool, make_worker_pool, run_tournament
from thorp.arena.tournament.run import play_match
from thorp.fleet import read_fleet, run_fleet
from thorp.kernel.text import make_label
from thorp.store import RealDisk
from thorp.workers.batches import Batch
from thorp.workers.console import MAX_NOTE
from thorp.workers.worker_pool import WorkerError

pytestmark = [
    pytest.mark.real("ray"),
    # Ray announces a change of its own defaults, and leaves sockets and log files to the garbage
    # collector. Neither is ours to mend.
    pytest.mark.filterwarnings("ignore::FutureWarning:ray"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def test_a_ray_cluster_gives_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_worker_niceness", "0")  # else other tests come first
    for name, value in (("period_ms", "500"), ("timeout_ms", "5000"), ("failure_threshold", "3")):
        monkeypatch.setenv(f"RAY_health_check_{name}", value)  # that a node is gone is noticed soon
    import ray

    plan, disk = small_plan(rounds=20), RealDisk()
    run_tournament(plan, tmp_path / "here", InlinePool(), disk)
    progress: list[int] = []
    handlers = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with make_worker_pool("ray", 2) as outer:  # finds no cluster, so it starts one
        assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == handlers
        assert ray.cluster_resources()["CPU"] == 2
        inner = make_worker_pool("ray")  # finds that one, and leaves it running
        run_tournament(
            plan, tmp_path / "there", inner, disk, on_progress=lambda now: progress.append(now.done)
        )
        assert inner.capacity == 4
        assert ray.is_initialized()
        _check_fleet(tmp_path)
        _check_lost_node(tmp_path)
        outer.submit(Batch(partial(play_match, logs=True), [None]))  # type: ignore[list-item]
        with pytest.raises(
            WorkerError, match=r"failed on the Ray cluster \(AttributeError.*what is done is kept"
        ):
            outer.collect()
    assert not ray.is_initialized()
    assert progress[-1] == 60
    assert tree(tmp_path / "there") == tree(tmp_path / "here")


# An agent that kills the worker that plays with it, once.
KILLER = """
import os, pathlib, signal

class Killer:
    def init(self, config): pass

    def act(self, observation, ctx):
        marker = pathlib.Path({marker!r})
        if not marker.exists():
            marker.touch()
            os.kill(os.getppid(), signal.SIGKILL)
        return {{"guess": 50}}
"""


def _check_fleet(tmp_path: Path) -> None:
    """A fleet gives the same bytes, too, though one of its workers dies."""
    marker, bot = tmp_path / "marker", tmp_path / "killer.py"
    bot.write_text(KILLER.format(marker=str(marker)))
    agents = f'"baseline", "k={bot}:Killer"'
    fleet = read_fleet(
        f'[[job]]\nkind = "match"\nscenario = "number-guess"\nagents = [{agents}]\nseeds = [1]\n'
        '[[job]]\nkind = "match"\nscenario = "number-guess"\nagents = ["random"]\nseeds = [1, 2]\n'
        '[[job]]\nkind = "world"\nseeds = [1]\nagents = 1\nticks = 5\n'.encode()
    )
    notes: list[str] = []
    run_fleet(
        fleet,
        tmp_path / "fleet",
        make_worker_pool("ray"),
        RealDisk(),
        on_progress=lambda progress: notes.extend(progress.notes),
    )
    assert "a worker of the Ray cluster is lost (" in notes[0]
    assert marker.exists()  # so that nobody is killed here
    run_fleet(fleet, tmp_path / "alone", InlinePool(), RealDisk())
    assert tree(tmp_path / "fleet") == tree(tmp_path / "alone")


# An agent that says which worker plays with it, and thinks until it is let go.
HELD = """
import os, pathlib, time

class Held:
    def init(self, config): pass

    def act(self, observation, ctx):
        pathlib.Path({held!r}, str(os.getppid())).touch()
        while not pathlib.Path({held!r}, "go").exists():
            time.sleep(0.02)
        return {{"guess": 50}}
"""
NODE = ("start", "--block", "--num-cpus=1", "--object-store-memory=80000000")
PATIENCE = 300


def below(pid: int) -> list[int]:
    """A process and all that it has started."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return []
    return [pid, *(one for child in children for one in below(int(child)))]


def _check_lost_node(tmp_path: Path) -> None:
    """A second machine joins, and is lost with everything on it: nothing else is, and one line says
    so."""
    import ray

    held, bot = tmp_path / "held", tmp_path / "held.py"
    held.mkdir()
    bot.write_text(HELD.format(held=str(held)))
    fleet = read_fleet(
        f'[[job]]\nkind = "match"\nscenario = "number-guess"\nagents = ["h={bot}:Held"]\n'
        "max_turns = 10\nseeds = {from = 1, to = 4}\n".encode()
    )
    command = Path(sys.executable).with_name("ray"), *NODE
    address = f"--address={ray.get_runtime_context().gcs_address}"
    node = subprocess.Popen(
        [*command, address], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    killed: list[int] = []

    def lose_node() -> None:
        """Kill it as soon as it plays; the others hold their places until then."""
        try:
            until(lambda: any(int(one.name) in below(node.pid) for one in held.iterdir()), PATIENCE)
            killed.extend(below(node.pid))
        finally:
            for pid in killed or [node.pid]:
                os.kill(pid, signal.SIGKILL)
            (held / "go").touch()

    until(lambda: ray.cluster_resources().get("CPU") == 3, PATIENCE)
    losing = threading.Thread(target=lose_node)
    losing.start()
    notes: list[list[str]] = []
    pool = make_worker_pool("ray")
    done = run_fleet(
        fleet,
        tmp_path / "held-fleet",
        pool,
        RealDisk(),
        on_progress=lambda now: notes.append([*now.notes]),
    )
    losing.join()
    node.wait()
    assert len(killed) > 2  # the node, and a worker on it
    assert done.failed == 0
    assert notes[-1], "nobody said that a node is lost"
    for note in notes[-1]:
        assert note.startswith("a worker of the Ray cluster is lost (")
        assert make_label(note, MAX_NOTE) == note  # a line that is shown as it is
    run_fleet(fleet, tmp_path / "held-alone", InlinePool(), RealDisk())
    assert tree(tmp_path / "held-fleet") == tree(tmp_path / "held-alone")
