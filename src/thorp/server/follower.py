"""Runs `thorp follow`: copies the world of another server, executes it, and shows it as that server
does.

copy → recover → follow → the leader begins an epoch: copy again
                        → the leader cannot be reached: the last tick stays on view
                        → a digest differs, or the history does: nothing is shown any more
"""

import asyncio
import logging
from contextlib import suppress
from typing import Final

from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.errors import UnavailableError
from thorp.observer.annals import Annals
from thorp.server import host
from thorp.server.access.principals import Principals
from thorp.server.access.tokens import Tokens, ensure_admin_token
from thorp.server.http.server import Server
from thorp.server.http.stage import Stage
from thorp.server.live.followed_agents import Connect, FollowedAgents
from thorp.server.live.tape_keeper import TapeKeeper
from thorp.server.processes.threads import in_thread, wait_for_either
from thorp.server.settings import WORLD, Say, Settings
from thorp.store import RealDisk
from thorp.voxel.persistence.directory import WorldDirectory
from thorp.voxel.replica import EpochBegan, Replica, confirm_opened, copy
from thorp.voxel.service import reserve

COPYING: Final = "the world is being copied"

_log = logging.getLogger(__name__)


async def follow(
    settings: Settings,
    leader: str,
    connect: Connect,
    say: Say,
    stop: asyncio.Event | None = None,
) -> Exception | None:
    """Follow a leader until SIGINT or SIGTERM. Returns why it could not be followed any more, if
    that happened."""
    failure: Exception | None = None
    # Before all else, refuse a directory that another process uses.
    reserve(RealDisk(), settings.data / WORLD, None).close()
    stop = stop or host.stop_on_signals(lambda: int(failure is not None))
    token = ensure_admin_token(settings.data)
    principals = Principals(Tokens(settings.data), loopback=settings.loopback)
    stage = Stage(COPYING, leader=leader)
    server = Server(settings.data, principals, stage=stage, open_book=settings.open_book)
    async with (
        host.listening(server, settings.host, settings.port) as port,
        host.announced(settings, port),
    ):
        host.describe_server(settings, port, token, say)
        while failure is None and not stop.is_set():
            opening = in_thread(lambda: _open(settings, connect))
            await wait_for_either(opening, stop)
            if not opening.done():
                break
            failure = await _show(server, await opening, connect, settings, stop=stop, say=say)
            if isinstance(failure, EpochBegan):
                say(f"copies again: {failure}")
                failure = None
        if failure is not None:
            reason = f"this follows {leader} no longer: {failure}"
            stage.end(reason)
            _log.error("%s", reason)
            await stop.wait()
    return failure


def _open(settings: Settings, connect: Connect) -> Replica:
    """The copy of the world, brought up to the leader; as it is if that cannot be reached."""
    disk = RealDisk()
    path = settings.data / WORLD
    replica: Replica | None = None
    try:
        with connect() as leader:
            copy(disk, path, leader, new_city_world)
            replica = Replica.open(disk, path, make_world=new_city_world, copied=True)
            with suppress(EpochBegan):  # which is noticed again
                confirm_opened(replica, leader)
    except UnavailableError as problem:
        if not WorldDirectory(disk, path).journals():
            raise
        _log.warning("the copy is shown as it is: %s", problem)
    except BaseException:
        if replica is not None:
            replica.close(snapshot=False)
        raise
    return replica or Replica.open(disk, path, make_world=new_city_world, copied=True)


async def _show(
    server: Server,
    replica: Replica,
    connect: Connect,
    settings: Settings,
    *,
    stop: asyncio.Event,
    say: Say,
) -> Exception | None:
    """Show the replica as it is followed, until told to stop or until following fails."""
    say(f"follows {server.stage.leader} after tick {replica.world.tick}")
    world = replica.world
    path = settings.data / WORLD
    most = settings.max_viewers
    annals = Annals(world, path)
    tape = await in_thread(lambda: TapeKeeper(settings.data, path, world))
    followed = FollowedAgents(replica, connect)
    try:
        async with host.living(
            server, replica, "real", tape=tape, annals=annals, max_viewers=most, followed=followed
        ) as live:
            live.helpers.append(followed)
            stopped = asyncio.create_task(live.loop.stopped.wait())
            await wait_for_either(stopped, stop)
            stopped.cancel()
            server.stage.end(COPYING)
    finally:
        followed.end()
    return live.loop.failure
