"""Opens the world that a server plays, or makes it; a new village lives through its first days."""

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Final

from thorp import village
from thorp.bridges.chronicle import demand_chronicle
from thorp.bridges.voxel_town import new_city_world
from thorp.kernel.errors import IllegalError, InvalidError
from thorp.server.live.tick_loop import Watch
from thorp.server.settings import WORLD, Say, Settings
from thorp.server.sockets.resume_token import new_token
from thorp.store import DiskFile, RealDisk, hold, open_database
from thorp.store.url import POSTGRESQL, check_not_relocated
from thorp.story import creation as story
from thorp.town import service as town
from thorp.village.founding import VILLAGE_DAYS, Founding, Progress
from thorp.voxel import AnyInput, WorldService, derived_draw_seed
from thorp.voxel.persistence.directory import LOCK, WorldDirectory
from thorp.voxel.persistence.recovery import DEFAULT_SEED, Asked
from thorp.voxel.service import reserve

# Ticks of a village's first days that may wait for the disk at once.
MAX_TICKS_AHEAD: Final = 100


def check_database(data: Path, url: str | None) -> None:
    """Try the database of towns and story. Refused if the directory has towns or a story too."""
    if url is None:
        check_not_relocated(data)
        return
    if files := [
        name for name in (town.DATABASE_FILE, story.DATABASE_FILE) if (data / name).exists()
    ]:
        raise IllegalError(
            f"{data} has {' and '.join(files)} of its own; to copy them into that database and "
            "set them aside, put its URL into $THORP_DATABASE and run: thorp config "
            f"copy-database --data {data}",
            code="not_relocated",
        )
    if not url.startswith(POSTGRESQL):
        raise InvalidError("--database takes postgresql://user@host/database", code="bad_url")
    open_database(url).close()


def check_chronicle(settings: Settings) -> None:
    """Refuse a chronicle that was asked for, if there is a story that allows none."""
    if settings.chronicle:
        config = story.recorded_config(settings.database or settings.data)
        if config is not None:
            demand_chronicle(config)


def reserve_world(settings: Settings) -> DiskFile:
    """Hold the directory of the world, if that fits the settings. A fresh start does not look into
    it: even a damaged world can be moved aside."""
    path = settings.data / WORLD
    return reserve(RealDisk(), path, None if settings.fresh else _asked(settings))


def begin_anew(settings: Settings, lock: DiskFile, say: Say) -> DiskFile:
    """Move the world aside, if there is one, and hold the directory of the next."""
    lock.close()  # since `set_aside` takes it itself, and refuses if another process was quicker
    moved = set_aside(settings.data)
    if moved is not None:
        say(f"the world that was there is now {moved}")
    return reserve(RealDisk(), settings.data / WORLD, _asked(settings))


def _asked(settings: Settings) -> Asked:
    """What the settings ask of the existing world, or of a new one."""
    draw_seed = settings.draw_seed
    tuning = settings.tuning
    kept = WorldDirectory(RealDisk(), settings.data / WORLD)
    if settings.village and not kept.journals():
        tuning = settings.founding or tuning
        if draw_seed is None:
            draw_seed = derived_draw_seed(DEFAULT_SEED if settings.seed is None else settings.seed)
    elif (
        settings.founding
        and tuning
        and settings.founding == kept.segments()[-1].header.epoch.tuning
    ):
        # The same file as at the founding was given again, which changes nothing.
        tuning = settings.founding
    return Asked(
        seed=settings.seed,
        draw_seed=draw_seed,
        tuning=tuning,
        retune=settings.retune,
        seasons=settings.seasons,
        accept_loss=settings.accept_loss,
    )


def open_world(settings: Settings, lock: DiskFile) -> WorldService:
    """Open the world as the settings ask, or make it. Recovery may take minutes."""
    asked = _asked(settings)
    return WorldService.open(
        RealDisk(),
        settings.data / WORLD,
        seed=asked.seed,
        draw_seed=asked.draw_seed,
        tuning=asked.tuning,
        retune=asked.retune,
        seasons=asked.seasons,
        retain_days=settings.retain_days,
        accept_loss=asked.accept_loss,
        lock=lock,
        make_world=new_city_world,
    )


def describe_world(settings: Settings, service: WorldService) -> str:
    """The line that says which world is served, and what its recovery has found."""
    world = service.world
    recovery = service.recovery
    if recovery.new:
        text = f"a new world in {settings.data}, seed {world.seed}"
    else:
        text = f"the world in {settings.data}, seed {world.seed}, goes on after tick {world.tick}"
    if recovery.torn is not None:
        text += f"; {recovery.torn}"
    if recovery.loss:
        text += f"; without what is lost: {'; '.join(recovery.loss)}"
    return text


def live_through_first_days(
    service: WorldService,
    stopped: Callable[[], bool],
    watches: Sequence[Watch] = (),
    say: Say = lambda _: None,
    show: Callable[[Founding], None] = lambda _: None,
) -> None:
    """Let the village come in, and live through its first days before anyone may join; one that has
    lived through them already only comes in. Ticks run ahead of the disk, which would otherwise set
    the pace."""
    days = round(VILLAGE_DAYS * service.world.tuning.day_ticks)
    progress = Progress(days, say, show) if service.world.tick < days else None
    tokens = {name: new_token() for name in village.ROSTER}
    waiting: deque[Future[None]] = deque()

    def tick(inputs: Sequence[AnyInput]) -> None:
        waiting.append(service.tick(inputs))
        for watch in watches:
            watch(service.world, inputs, waiting[-1])
        if len(waiting) > MAX_TICKS_AHEAD:
            waiting.popleft().result()
        if progress is not None:
            progress.look(service.world)

    village.run(service.world, tick, tokens, to_tick=days, stopped=stopped)
    waiting[-1].result()


def set_aside(data: Path) -> Path | None:
    """Rename the world of a data directory to make room for a new one. Nothing is removed. Returns
    its new name, or None if there is no world; raises `locked` if a process has it open."""
    disk = RealDisk()
    world = data / WORLD
    if not disk.exists(world) or disk.list(world) in ([], [LOCK]):
        return None
    with closing(hold(disk, world / LOCK)):
        number = 1
        while disk.exists(aside := data / f"{WORLD}.before-{number}"):
            number += 1
        disk.replace(world, aside)
        disk.sync_directory(data)
    return aside
