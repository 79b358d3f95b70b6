"""A village that has lived for a while in a data directory, with its annals and its chronicle: what
films are made of."""

from pathlib import Path

from tests.village.lives import TOKENS
from thorp import village
from thorp.bridges.chronicle import (
    ChronicleWriter,
    Publisher,
    catch_up,
    open_chronicle,
    world_name,
)
from thorp.bridges.voxel_town import new_city_world
from thorp.observer.annals import Annals
from thorp.store import RealDisk
from thorp.village.founding import RULES
from thorp.voxel import WorldService, read_tuning

DAY_TICKS = 400
LAST = 700


def make_village(data: Path, *, seed: int = 42, last: int = LAST) -> Path:
    """Found a village in a data directory, with short days, and tell its story."""
    disk = RealDisk()
    path = data / "world"
    service = WorldService.open(
        disk,
        path,
        seed=seed,
        draw_seed=seed,
        tuning=read_tuning({**RULES, "day_ticks": DAY_TICKS}),
        make_world=new_city_world,
    )
    annals = Annals(service.world, path)

    def tick(inputs: object) -> None:
        durable = service.tick(inputs)  # type: ignore[arg-type]
        annals.look(service.world, [], durable)

    village.run(service.world, tick, TOKENS, to_tick=last)
    service.close()
    writer = ChronicleWriter()
    with open_chronicle(data, writer) as ledger:
        publisher = Publisher(ledger, writer, world_name(disk, path), open_book=True)
        catch_up(publisher, disk, path, new_city_world)
    return data
