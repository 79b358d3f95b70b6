"""Writes constraints.txt: every version that the project's own runs use, with the hashes of its
files.

`make lock` runs this. Versions that are written down already stay, unless `--upgrade` is given. No
address of where a file came from is kept: pip finds it by name, and checks its hash.
"""

import subprocess
import sys
from pathlib import Path
from typing import Final

UV: Final = Path(sys.executable).parent / "uv"
CONSTRAINTS: Final = Path("constraints.txt")
GROUPS: Final = ("run", "test", "lint", "docs", "release", "installers")
HEAD: Final = """\
# The versions that the runs of this project use, for every Python and system that it runs on, and
# the hashes of their files. An installation as a package is free to use others. `make lock` writes
# this file.
"""


def compiled(*options: str) -> str:
    """The pins that uv finds for some groups of pyproject.toml."""
    command = [str(UV), "pip", "compile"]
    return subprocess.run(
        [*command, *options], check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def main() -> None:
    """Compile the groups together, and OpenEnv's alone: it fits no other."""
    common = [
        "--universal",
        "--generate-hashes",
        "--no-header",
        "--no-annotate",
        "--no-python-downloads",
        "--python-version=3.11.0",  # Debian 12 has 3.11.2
        "--fork-strategy=fewest",  # one version of each package, for every Python
        *sys.argv[1:],
    ]
    if CONSTRAINTS.exists() and "--upgrade" not in sys.argv:
        common += ["--constraints", str(CONSTRAINTS)]
    together = [f"--group={group}" for group in GROUPS]
    pins = compiled(*common, *together)
    pins += compiled(*common, "--group=openenv", "--no-deps")
    CONSTRAINTS.write_text(HEAD + pins)


main()
