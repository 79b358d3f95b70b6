"""Runs a command with limited memory: `python memory_limit.py MIB RUNNER COMMAND ARGUMENT…`.

This is a separate program between fork and exec for two reasons: code in a forked child of a
threaded process may deadlock (`preexec_fn`), and a limit set from outside after the start
(`prlimit`) comes too late. It imports nothing of Thorp, so it starts in about ten milliseconds. On
Linux the agent dies with the runner, which a busy agent would never notice. `docs/agents.md` says
which limit it is, and why.
"""

import os
import resource
import signal
import sys

CANNOT_RUN = 126  # The exit code of shells for a command that was found and could not be run.

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Lower this process's limits, and become the command."""
    limit = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    _lower(limit, int(sys.argv[1]) << 20)
    _lower(resource.RLIMIT_CORE, 0)
    if sys.platform == "linux":
        _die_with(int(sys.argv[2]))
    command = sys.argv[3:]
    try:
        os.execvp(command[0], command)
    except OSError as failure:
        print(f"cannot run {command[0]}: {failure.strerror}", file=sys.stderr)
        sys.exit(CANNOT_RUN)


def _lower(kind: int, value: int) -> None:
    """Lower a limit of this process, or say why the system does not allow it."""
    _, ceiling = resource.getrlimit(kind)
    if ceiling != resource.RLIM_INFINITY:
        value = min(value, ceiling)
    try:
        resource.setrlimit(kind, (value, value))
    except (ValueError, OSError) as failure:
        print(f"a limit cannot be set here: {failure}", file=sys.stderr)


def _die_with(runner: int) -> None:
    """Have this process killed when the runner ends; exit now if it already has."""
    import ctypes

    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != runner:
        sys.exit(CANNOT_RUN)


if __name__ == "__main__":
    main()
