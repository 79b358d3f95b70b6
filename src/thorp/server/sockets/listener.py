"""A listening socket that stops accepting before the process runs out of file descriptors.

A connection is a descriptor, and so is every file that the server opens: a segment of the journal,
a database, a pipe to a child. Some descriptors are therefore kept in reserve. The system always
gives the lowest number that is free, so a connection whose number lies in the reserve says that
everything below it is in use. Then no more connections are accepted until a lower number is free
again. Open connections are served meanwhile; others wait in the system's queue.

asyncio's own server, when it runs out, logs a traceback for every connection that might be waiting.
"""

import asyncio
import errno
import logging
import os
import resource
import socket
from collections.abc import Callable
from time import monotonic
from typing import Any, Final

from thorp.kernel.errors import IllegalError
from thorp.server.sockets.connection_limiter import MAX_CONNECTIONS

# Connections that may wait to be accepted: a thousand agents come back at once after a restart.
BACKLOG: Final = 4_096
# Accepted in one turn of the loop, so that a crowd at the door does not delay a tick.
ACCEPTED_AT_ONCE: Final = 256
# Descriptors that are kept for files opened later; as many again are counted for what is open from
# the start. A server by itself has some 20 open, and starting a child takes ten for a moment. Under
# a low limit each of the two gets a quarter of it.
MAX_RESERVE: Final = 128
# With fewer a server could not even open its world and a database beside a handful of connections.
LEAST_DESCRIPTORS: Final = 64
# How often to look whether a descriptor is free again: closing one tells nobody.
LOOK_SECONDS: Final = 0.25
# How often the log may say that no connections are accepted.
WARN_SECONDS: Final = 60.0

_log = logging.getLogger("thorp.server.listener")


def descriptor_limit() -> int:
    """How many descriptors this process may have."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return finite_limit(soft)


def finite_limit(limit: int) -> int:
    """A limit as a number, also where there is none: 2³¹ is more than any process has open."""
    return 2**31 if limit == resource.RLIM_INFINITY else limit


def connections_allowed(limit: int) -> int:
    """How many connections a server takes when its process may have `limit` descriptors."""
    return max(0, min(MAX_CONNECTIONS, limit - 2 * _reserve(limit)))


def check_descriptors() -> None:
    """Refuse to start with so few descriptors that opening the world itself could fail."""
    limit = descriptor_limit()
    if limit < LEAST_DESCRIPTORS:
        problem = (
            f"this process may have {limit} open files, and a server needs {LEAST_DESCRIPTORS}"
        )
        raise IllegalError(f"{problem}; raise `ulimit -n`", code="descriptors")


def is_in_reserve(descriptor: int, limit: int | None = None) -> bool:
    """Whether a descriptor that was just opened is one of those that are kept for the server's own
    files."""
    allowed = descriptor_limit() if limit is None else limit
    return descriptor >= allowed - _reserve(allowed)


def _reserve(limit: int) -> int:
    return min(MAX_RESERVE, limit // 4)


class Listener:
    """Accepts connections on one port, while there are descriptors, and makes a protocol for
    each."""

    def __init__(
        self,
        sockets: list[socket.socket],
        make_protocol: Callable[[], asyncio.BaseProtocol],
        limit: int | None = None,
    ) -> None:
        """`limit` is how many descriptors the process may have; by default, what the system
        says."""
        self._sockets = sockets
        self._make_protocol = make_protocol
        self._limit = descriptor_limit() if limit is None else limit
        self._loop = asyncio.get_running_loop()
        self._beginning: dict[asyncio.Task[None], socket.socket] = {}
        """Accepted sockets that have no protocol yet, by the task that gives them one."""
        self._looking: asyncio.TimerHandle | None = None
        """The next look for a free descriptor, while no connections are accepted."""
        self._warned_at = float("-inf")
        self._begin_accepting()

    @property
    def port(self) -> int:
        """The port, which all of its sockets share."""
        port: int = self._sockets[0].getsockname()[1]
        return port

    def close(self) -> None:
        """Accept nobody any more. Connections that are open stay so."""
        if self._looking is not None:
            self._looking.cancel()
        for each in self._sockets:
            self._loop.remove_reader(each)
            each.close()
        for task in self._beginning:
            task.cancel()

    def _begin_accepting(self) -> None:
        self._looking = None
        for each in self._sockets:
            self._loop.add_reader(each, self._accept, each)

    def _accept(self, listening: socket.socket) -> None:
        """Accept what waits in the system's queue. The loop calls this again in its next turn if
        some are left, so a long queue cannot keep the tick from running."""
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                connection, _ = listening.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as problem:
                self._stop_accepting(problem.strerror or str(problem))
                return
            task = self._loop.create_task(self._begin(connection))
            self._beginning[task] = connection
            task.add_done_callback(self._end_beginning)
            # The connection that shows that the reserve is reached is served like the others: it is
            # open already, and it is the only one of its kind.
            if is_in_reserve(connection.fileno(), self._limit):
                self._stop_accepting(
                    "the rest of the file descriptors is kept for the server's own files"
                )
                return

    async def _begin(self, connection: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._make_protocol, connection)
        except OSError:
            connection.close()  # it was gone before it began

    def _end_beginning(self, task: asyncio.Task[None]) -> None:
        connection = self._beginning.pop(task)
        if task.cancelled():  # perhaps before it ever ran, and then nobody else closes it
            connection.close()

    def _stop_accepting(self, why: str) -> None:
        for each in self._sockets:
            self._loop.remove_reader(each)
        self._looking = self._loop.call_later(LOOK_SECONDS, self._look)
        if monotonic() - self._warned_at >= WARN_SECONDS:
            self._warned_at = monotonic()
            allowed = connections_allowed(self._limit)
            _log.warning(
                "no more connections are accepted until some end: %s; `ulimit -n` is %d, which "
                "allows about %d connections: raise it if these are your users",
                why,
                self._limit,
                allowed,
            )

    def _look(self) -> None:
        """Accept again if there are descriptors."""
        try:
            # A copy of any descriptor gets the lowest free number, as the next connection would.
            lowest = os.dup(self._sockets[0].fileno())
        except OSError:
            lowest = self._limit
        else:
            os.close(lowest)
        if is_in_reserve(lowest, self._limit):
            self._looking = self._loop.call_later(LOOK_SECONDS, self._look)
        else:
            self._begin_accepting()


async def listen(
    make_protocol: Callable[[], asyncio.BaseProtocol], host: str, port: int
) -> Listener:
    """Listen on a port of every address that a host has; 0 takes a free one."""
    sockets: list[socket.socket] = []
    try:
        for family, address in await _addresses(host, port):
            if sockets and port == 0:  # the system chose a port for the first; all take that one
                address = (address[0], sockets[0].getsockname()[1], *address[2:])
            sockets.append(socket.create_server(address, family=family, backlog=BACKLOG))
            sockets[-1].setblocking(False)
        return Listener(sockets, make_protocol)
    except OSError as problem:
        for each in sockets:
            each.close()
        if problem.errno == errno.EADDRINUSE:
            advice = "is in use; stop what listens there, or give another --port"
            raise IllegalError(f"{host}:{port} {advice}", code="port_in_use") from None
        reason = _reason(problem)
        raise IllegalError(
            f"cannot listen on {host}:{port}: {reason}; check --host and --port"
        ) from None


async def _addresses(host: str, port: int) -> list[tuple[int, Any]]:
    """The addresses of a host, each once, in the system's order."""
    loop = asyncio.get_running_loop()
    listed = await loop.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    return list(dict.fromkeys((int(family), address) for family, _, _, _, address in listed))


def _reason(problem: OSError) -> str:
    """The system's own words for a problem, without what Python adds to them."""
    if isinstance(problem, socket.gaierror) or problem.errno is None:
        return problem.strerror or str(problem)
    return os.strerror(problem.errno)
