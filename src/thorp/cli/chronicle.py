"""`thorp story chronicle`: tell a kept world to a story, from its journal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from thorp.cli.god import print_json
from thorp.cli.options import AsJson
from thorp.cli.up import DataOption, data_directory
from thorp.cli.world import WORLD

if TYPE_CHECKING:  # the voxel world takes a while to import, and other commands need not wait for it
    from thorp.bridges.chronicle import PublishedPage


def chronicle(
    data: DataOption = None,
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="The story's database; else it is in the directory too.")
    ] = None,
    until: Annotated[
        int | None, typer.Option(min=1, metavar="TICK", help="Tell no more than up to here.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Tell every part of a day that is over and was not told yet. A server that keeps the world may go on.

    Example: thorp story chronicle --data thorp-data
    """
    from thorp.bridges.chronicle import ChronicleWriter, Publisher, catch_up, open_chronicle, world_name
    from thorp.bridges.voxel_town import found
    from thorp.store import RealDisk

    directory, disk, writer = data_directory(data), RealDisk(), ChronicleWriter()
    name = world_name(disk, directory / WORLD)
    told: list[PublishedPage] = []

    def show(one: PublishedPage) -> None:
        told.append(one)
        if as_json:
            first, last = one.ticks
            print_json({"first": first, "last": last, "paragraphs": one.paragraphs, "again": one.again})
        else:
            print(f"ticks {one.ticks.first} to {one.ticks.last}: {_count(one.paragraphs, 'paragraph')}")

    with open_chronicle(url or directory, writer) as ledger:
        telling = Publisher(ledger, writer, name)
        catch_up(telling, disk, directory / WORLD, found, until=until, show=show, gap=_say_gap)
    if not as_json:
        written = _count(sum(one.paragraphs for one in told), "paragraph")
        print(
            f"told {_count(len(told), 'part')} of days, {written}" if told else "everything was told already"
        )


def _say_gap(first: int, last: int) -> None:
    print(f"ticks {first} to {last} cannot be executed again, and are not told", file=sys.stderr)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
