"""A private PostgreSQL server for tests: its own cluster, in a temporary directory, on a socket
only.

The server refuses to run as root, so as root it is given to an unprivileged user.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

START_TIMEOUT_S = 60
STOP_TIMEOUT_S = 30
USER = "thorp"
UNPRIVILEGED_USERS = ("postgres", "nobody")


class Unavailable(Exception):
    """Why there can be no server here."""


class Cluster:
    """A server that this process started and will stop."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._programs = _find_programs()
        self._prefix = _become_unprivileged(home)
        self._server: subprocess.Popen[bytes] | None = None
        self._numbers = itertools.count(1)
        where = ["-D", str(home / "data"), "--no-sync"]
        self._call("initdb", *where, "-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale")

    def start(self) -> None:
        command = ["-D", str(self._home / "data"), "-k", str(self._home), "-c", "listen_addresses="]
        # Else it looks after every database of every test, again and again.
        command += ["-c", "autovacuum=off"]
        with (self._home / "log").open("ab") as log:
            self._server = subprocess.Popen(
                [*self._prefix, str(self._programs / "postgres"), *command],
                cwd=self._home,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self._wait_until_ready()

    def crash(self) -> None:
        """Stop at once, without writing anything more; the next start recovers from the log."""
        if self._server is not None:
            self._server.send_signal(signal.SIGQUIT)
            self._server.wait(STOP_TIMEOUT_S)
            self._server = None

    def make_database(self) -> str:
        """Make an empty database and return its URL."""
        name = f"test_{next(self._numbers)}"
        self._call("createdb", "-h", str(self._home), "-U", USER, "-T", "template0", name)
        return self.url(name)

    def make_schema(self) -> str:
        """Make an empty schema in a database that all of them share, and return its URL.

        That takes a fiftieth of the time of making a database.
        """
        name = f"test_{next(self._numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}".encode())
        return f"{self.url('postgres')}&options=-csearch_path%3D{name}"

    def url(self, name: str) -> str:
        return f"postgresql://{USER}@/{name}?host={self._home}"

    def _call(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [*self._prefix, str(self._programs / program), *arguments],
            cwd=self._home,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=START_TIMEOUT_S,
        )
        if done.returncode != 0:
            raise Unavailable(f"{program} failed: {done.stderr.strip()}")

    def _wait_until_ready(self) -> None:
        assert self._server is not None
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline and self._server.poll() is None:
            with contextlib.suppress(Unavailable):
                return self._call(
                    "pg_isready", "-q", "-h", str(self._home), "-U", USER, "-d", "postgres"
                )
            time.sleep(0.05)
        raise Unavailable(f"the server did not start: {(self._home / 'log').read_text()[-2000:]}")


def _find_programs() -> Path:
    """The directory that has initdb and postgres: in PATH, or where Debian keeps them."""
    on_path = shutil.which("initdb")
    if on_path:
        return Path(on_path).resolve().parent
    installed = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if not installed:
        raise Unavailable("initdb is not installed; install the PostgreSQL server")
    return max(installed, key=lambda path: float(path.parent.name))


def _become_unprivileged(home: Path) -> list[str]:
    """How to run the server's programs: as we are, or as root through setpriv."""
    if os.geteuid() != 0:
        return []
    for name in UNPRIVILEGED_USERS:
        with contextlib.suppress(KeyError):
            user = pwd.getpwnam(name)
            os.chown(home, user.pw_uid, user.pw_gid)
            setpriv = shutil.which("setpriv")
            if setpriv is None:
                raise Unavailable("running as root, and setpriv is not installed")
            return [setpriv, f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
    raise Unavailable(
        f"running as root, and there is none of the users {', '.join(UNPRIVILEGED_USERS)}"
    )


@contextlib.contextmanager
def running_cluster() -> Iterator[Cluster]:
    """A started server; it is stopped and its files are deleted at the end."""
    # Not pytest's own temporary directory: other users cannot enter that, and its name is too long
    # for a socket.
    home = Path(tempfile.mkdtemp(prefix="thorp-pg-"))
    try:
        cluster = Cluster(home)
        cluster.start()
        try:
            yield cluster
        finally:
            # In order it would take seconds, to keep files that are deleted next.
            cluster.crash()
    finally:
        shutil.rmtree(home)


@contextlib.contextmanager
def cluster_or_skip() -> Iterator[Cluster]:
    """A started server; without one a test fails in CI and is skipped elsewhere."""
    with contextlib.ExitStack() as stack:
        try:
            cluster = stack.enter_context(running_cluster())
        except Unavailable as reason:
            if os.environ.get("CI"):
                pytest.fail(f"PostgreSQL is needed in CI: {reason}")
            pytest.skip(f"PostgreSQL: {reason}")
        yield cluster
