"""Runs a module, or any other program, as a child of this process:
`python -m thorp.children.lifetime PARENT MODULE [ARGUMENT …]`, or `PARENT -- PROGRAM [ARGUMENT …]`.

A child must not outlive its parent, however that ends. A child that watches a pipe, or looks at its
parent now and then, may notice late: while it imports its modules, or computes at the lowest
priority on a busy machine. So before anything else is imported, the kernel is asked to kill the
child with its parent, where it can (Linux). A thread looks at the parent besides, for systems that
cannot.

Children of a server are bots, villagers, senders, verifications, and what replays a journal for the
tape or for the chronicle; a command's is the model that it asks, or what fetches one. Killing any
of them loses nothing: what they keep is committed, or is made again.
"""

import os
import runpy
import signal
import sys
from threading import Thread
from time import sleep
from typing import Final

# Twice a second would do; most children are killed by the kernel at once.
LOOK_SECONDS: Final = 0.25
# Of <sys/prctl.h>.
_SET_PARENT_DEATH_SIGNAL: Final = 1
_PROGRAM: Final = "--"
_NO_PROGRAM: Final = 127  # What a shell answers when there is no such command.


def child_command(module: str, *arguments: str) -> tuple[str, ...]:
    """The command that runs a module as a child of this process. The thread that starts it must
    live as long as the child: to Linux that thread is the parent whose death kills."""
    return (
        sys.executable,
        "-m",
        "thorp.children.lifetime",
        str(os.getpid()),
        module,
        *arguments,
    )


def program_command(program: str, *arguments: str) -> tuple[str, ...]:
    """The command that runs a program as a child of this process, in the same way. Only the kernel
    looks after it: it is not Python's, so no thread can."""
    return child_command(_PROGRAM, program, *arguments)


def die_with(parent: int) -> None:
    """Let this process be killed when its parent has ended. Returns at once."""
    _ask_kernel()
    if os.getppid() != parent:
        _die()  # the parent had ended before the kernel was asked
    Thread(target=_watch, args=(parent,), name="parent watch", daemon=True).start()


def _ask_kernel() -> None:
    """Ask for SIGKILL when the parent ends; systems without prctl are left to the thread."""
    if sys.platform != "linux":
        return
    import ctypes  # which other systems need not load

    try:
        prctl = ctypes.CDLL(None).prctl
    except (OSError, AttributeError):
        return
    prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        sleep(LOOK_SECONDS)
    _die()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Run the module or program that the arguments name, bound to the life of its parent."""
    _, parent, module, *arguments = sys.argv
    die_with(int(parent))
    if module == _PROGRAM:
        try:
            os.execvp(arguments[0], arguments)  # what the kernel was asked for outlasts this
        except OSError as problem:
            print(f"{arguments[0]}: {problem.strerror}", file=sys.stderr)
            sys.exit(_NO_PROGRAM)
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
