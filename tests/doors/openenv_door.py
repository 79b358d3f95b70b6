"""Validates the package by OpenEnv's own validator: `python -m tests.doors.openenv_door`.

It would build and start a container; here a provider on loopback starts the same command without
one, so every check that 0.10.0 grades is graded, except the one that measures a container's network.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from openenv.validation.providers import ExecResult
from openenv.validation.runner import run_validation
from openenv.validation.types import CheckStatus, Level, ProviderCapability

from thorp.tasks import default_suite

ROOT = Path(__file__).parents[2]
PACKAGE = ("openenv.yaml", "suites/tasks-1/package")
PASSES = {
    "static.manifest",
    "runtime.startup",
    "runtime.reward_well_formed",
    "runtime.observation_schema",
    "runtime.state_contract",
}
NEEDS_A_CONTAINER = "runtime.network_policy"


class Running:
    """The server, started."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "thorp", "openenv", "--tasks", "--port", "0"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.base_url = self._process.stdout.readline().split()[-1]

    def inspect(self) -> dict[str, Any]:
        return {}

    def logs(self, max_bytes: int = 65536) -> str:
        return ""

    def exec(self, argv: list[str], timeout_s: float) -> ExecResult:
        raise NotImplementedError("no check of 0.10.0 asks for it")

    def stop(self) -> None:
        self._process.terminate()
        assert self._process.wait(20) == 0


class Loopback:
    """Starts the package's command on this machine."""

    name = "loopback"
    capabilities = frozenset({ProviderCapability.IMAGE_BUILD})
    supported_network_modes = frozenset({"no-network", "public"})

    def build(self, root: Path, execution: Any) -> str:
        assert (root / execution.dockerfile).is_file()
        return "sha256:" + default_suite().digest

    def start(self, spec: Any) -> Running:
        return Running()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "thorp"
        package.mkdir()
        shutil.copy(ROOT / PACKAGE[0], package)
        shutil.copytree(ROOT / PACKAGE[1], package / PACKAGE[1])
        report = run_validation(package, max_level=Level.RUNTIME, provider=Loopback())
    results = {result.check_id: result for result in report.results}
    passed = {name for name, result in results.items() if result.status is CheckStatus.PASS}
    for name in sorted(PASSES | {NEEDS_A_CONTAINER}):
        print(f"openenv: {results[name].status.value} {name}: {'; '.join(results[name].evidence)}")
    assert passed == PASSES, results
    assert not [name for name, each in results.items() if each.status.value in ("fail", "error")]
    print(f"openenv: verdict {report.verdict.value}")


if __name__ == "__main__":
    main()
