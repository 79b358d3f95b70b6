"""The demo village, told."""

from __future__ import annotations

from collections.abc import Sequence

from thorp import village
from thorp.bridges.chronicle import PageBuilder, chronicle_config
from thorp.bridges.chronicle.digest import Paragraph, digest
from thorp.bridges.chronicle.publisher import Page, stands
from thorp.bridges.voxel_town import new_city_world
from thorp.voxel.inputs import AnyInput
from thorp.voxel.tick import step
from thorp.voxel.tuning import Tuning

TOKENS = {name: f"token of {name}" for name in village.ROSTER}


def pages_of_the_village(ticks: int, day_ticks: int = 6_000) -> list[Page]:
    world = new_city_world(1337, tuning=Tuning(day_ticks=day_ticks))
    reading = PageBuilder(world)
    pages: list[Page] = []

    def tick(inputs: Sequence[AnyInput]) -> None:
        step(world, inputs)
        page = reading.look(world)
        if page is not None:
            pages.append(page)

    village.run(world, tick, TOKENS, to_tick=ticks)
    return pages


def chronicle_of_the_village(ticks: int, day_ticks: int) -> list[list[Paragraph]]:
    config = chronicle_config()
    return [
        digest(
            *page[:1],
            page.notices,
            page.day_ticks,
            "GEORGE",
            stands=lambda t: stands(t, config),
            most=64,
        )
        for page in pages_of_the_village(ticks, day_ticks)
    ]
