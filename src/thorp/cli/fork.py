"""`thorp world fork`: a world that goes on from an earlier tick, and its story with it."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec

from thorp.bridges.voxel_town import new_city_world
from thorp.cli.commands import option, print_answer
from thorp.cli.options import (
    SEEDS,
    AsJson,
    DataOption,
    Quiet,
    data_directory,
    database_option,
    world_directory,
)
from thorp.cli.tick_progress import TickProgress, show_ticks
from thorp.kernel.errors import IllegalError
from thorp.store import RealDisk, staged_directory
from thorp.voxel import fork
from thorp.voxel.persistence.copies import Forked
from thorp.voxel.persistence.directory import WorldDirectory

if TYPE_CHECKING:  # it takes a while to import, and most commands need none
    from thorp.bridges.chronicle.branching import BranchedStory

Into = Annotated[
    Path, option("A new data directory; it must be empty or missing.", "DIR", name="--into")
]


class StoryOptions(NamedTuple):
    """Whether the story goes along, and where it is."""

    url: Annotated[
        str | None, database_option("The story's database; else it is in the directory.")
    ] = None
    without_story: Annotated[bool, option("Leave the story behind.")] = False
    open_book: Annotated[bool, option("Let everybody read what is told of the last hours.")] = False


class ForkedWithStory(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer: the fork of the world, and the branch of its story if there is one."""

    tick: int
    digest: str
    story: BranchedStory | None = None


def fork_command(
    at: Annotated[int, option("The tick the new world goes on from.", "TICK", min=0)],
    into: Into,
    story: StoryOptions,
    *,
    data: DataOption = None,
    draw_seed: Annotated[
        int | None, option("Draw from another seed from there on, on the same land.", **SEEDS)
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Make a separate world that goes on from an earlier tick, with the same seeds; its story
    branches with it.

    Example: thorp world fork --at 3000 --into what-if && thorp up --data what-if
    """
    path = world_directory(data)
    disk = RealDisk()
    WorldDirectory(disk, path).require()
    with staged_directory(into) as stage, show_ticks(at, quiet=quiet) as watch:
        forked = fork(
            disk,
            path,
            at,
            world_directory(stage),
            draw_seed=draw_seed,
            make_world=new_city_world,
            watch=watch,
            now_s=round(time.time()),
        )
        branched = _branch(data_directory(data), story, forked, stage, watch)
    if branched is not None and branched.untold is not None:
        first, last = branched.untold
        print(
            f"ticks {first} to {last} cannot be executed again, and are not told", file=sys.stderr
        )
    answer = ForkedWithStory(forked.tick, forked.digest, branched)
    print_answer(as_json, answer, *_lines(into, answer))


def _branch(
    data: Path, options: StoryOptions, forked: Forked, stage: Path, watch: TickProgress
) -> BranchedStory | None:
    """Branch the story of a world into the directory of its fork; None if there is none."""
    from thorp.bridges.chronicle.branching import WorldFork, branch_story

    if options.without_story:
        return None
    fork_of_world = WorldFork(world_directory(data), world_directory(stage), forked)
    try:
        return branch_story(
            RealDisk(),
            options.url or data,
            fork_of_world,
            stage,
            new_city_world,
            open_book=options.open_book,
            watch=watch,
        )
    except IllegalError as problem:
        if problem.code != "no_story":
            raise
        return None


def _lines(into: Path, answer: ForkedWithStory) -> list[str]:
    lines = [f"{into}: a world that goes on from tick {answer.tick}, digest {answer.digest}"]
    if answer.story is not None:
        shared = f"{answer.story.beats} beats and {answer.story.entries} entries"
        lines.append(f"its story shares {shared} with the original, up to tip {answer.story.tip}")
        if answer.story.told is not None:
            first, last = answer.story.told
            lines.append(f"ticks {first} to {last}, which no page of both could have, are told")
    return lines
