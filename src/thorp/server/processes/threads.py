"""Slow work of a server in threads of its own, and waiting for it."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import TypeVar

T = TypeVar("T")


def in_thread(work: Callable[[], T]) -> asyncio.Future[T]:
    """Do something slow in a daemon thread, which does not keep the process from ending."""
    loop = asyncio.get_running_loop()
    done = Future[T]()
    done.set_running_or_notify_cancel()

    def run() -> None:
        try:
            finish = partial(done.set_result, work())
        except BaseException as error:
            finish = partial(done.set_exception, error)
        if not loop.is_closed():
            finish()

    threading.Thread(target=run, name="thorp world", daemon=True).start()
    return asyncio.wrap_future(done)


async def wait_for_either(work: asyncio.Future[T], stop: asyncio.Event) -> None:
    """Wait until the work is done or the server is to stop."""
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait((work, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
