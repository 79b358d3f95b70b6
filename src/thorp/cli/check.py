"""Prints what a chronicle says against its world, for `thorp story check`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from thorp.cli.location import Where
from thorp.cli.options import world_directory
from thorp.cli.own_story import open_story
from thorp.cli.tick_progress import show_ticks
from thorp.kernel.errors import UnknownError
from thorp.kernel.text import printable
from thorp.store import RealDisk

if TYPE_CHECKING:
    from thorp.bridges.chronicle.check import Checked


def check_story(data: Path | None, url: str | None, reader: str | None, *, quiet: bool) -> Checked:
    """Check the chronicle of the world in a directory, as a reader sees it."""
    from thorp.bridges.chronicle.check import check_chronicle
    from thorp.bridges.voxel_town import new_city_world
    from thorp.voxel.persistence.directory import summarize

    path = world_directory(data)
    disk = RealDisk()
    last = summarize(disk, path).last_tick
    with open_story(Where(data) if url is None else Where(url=url)) as story:
        operator = story.config.identity.operator_id
        view = reader or operator
        with show_ticks(last, quiet=quiet) as watch:
            checked = check_chronicle(
                story, view, disk, path, new_city_world, is_whole=view == operator, watch=watch
            )
    if not checked.pages and not checked.skipped:
        raise UnknownError(
            f"{view} sees no page of a chronicle in this story; `thorp story chronicle` writes one "
            "of a kept world",
            code="no_chronicle",
        )
    return checked


def check_lines(checked: Checked) -> Iterator[str]:
    """What was found, as lines for people."""
    for finding in checked.findings:
        yield f"tick {finding.tick}, {finding.rule}: {printable(finding.sentence)}"
        yield f"     {finding.must} But {printable(finding.instead)}."
        yield f"     thorp story why {finding.entry_id} --sentence {finding.number}"
    more = checked.findings_total - len(checked.findings)
    if more:
        yield f"and {more} more"
    ticks = "" if checked.first is None else f", ticks {checked.first} to {checked.last}"
    yield (
        f"{checked.pages} pages{ticks}: {checked.sentences} sentences, {checked.read} of them "
        f"understood in full; {checked.findings_total or 'none'} against the world"
    )
    if checked.skipped:
        yield f"{checked.skipped} pages are about ticks that cannot be executed here; not judged"
