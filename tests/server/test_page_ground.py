"""The page shows every block around its camera, not only around a watched person: now, and in the
past."""

from __future__ import annotations

from pathlib import Path

from tests.server.browser import Page, browsing
from tests.server.serving import Served, run, serving
from tests.server.test_page import LIVE, LOOKED_AT, PATIENCE_SECONDS, TICK_RATE_HZ, chromium
from thorp.observer.spectator_frames import LAYERS
from thorp.server.sockets.spectators import PLAN_EVERY

WHOLE = "document.querySelector('#scene')?.dataset.whole"
AT = "document.querySelector('#scene')?.dataset.at"
TICK = "Number(document.querySelector('#tick').textContent.replaceAll(',', ''))"
PAST = "document.querySelector('#time')?.dataset.state === 'paused'"
# Seven by seven chunks.
ALL = "'49'"
# In ticks: when chunks that are no longer wanted are gone for sure.
FORGOTTEN = max(layer.kept_ticks for layer in LAYERS) + 2 * PLAN_EVERY


async def chunk_of_camera(page: Page) -> tuple[int, int]:
    x, z = map(int, (await page.until(AT)).split(","))
    return x >> 4, z >> 4


async def go_to_next_chunk(page: Page) -> None:
    """Move the camera a little, and again, until it looks at another chunk."""
    before = await chunk_of_camera(page)
    while await chunk_of_camera(page) == before:
        was = await page.get(AT)
        await page.key("ArrowLeft", held_seconds=0.1)
        await page.until(f"{AT} !== {was!r}")


async def look_around(served: Served, page: Page) -> None:
    async with served.agent("mole") as mole:
        x, _, z = (await mole.obs())["self"]["pos"]
        await page.open(served.url(f"/?see={mole.id}"))
        await page.until(f"{LIVE} && {LOOKED_AT} === '{mole.id}' && {WHOLE} === {ALL}")
        await page.key("Escape")
        await page.until(f"!{LOOKED_AT}")
        ticks = await page.get(TICK)
        await page.until(f"{TICK} > {ticks + FORGOTTEN}")
        assert await page.get(f"{WHOLE} === {ALL}"), (
            "nobody is watched, and every block is still known"
        )
        await go_to_next_chunk(page)
        await page.until(f"{WHOLE} === {ALL}")
        # A link that says where the camera is, two chunks from anybody.
        await page.open(served.url(f"/?cam={x + 32},{z},44,35,41"))
        await page.until(f"{LIVE} && {AT} === '{x + 32},{z}' && {WHOLE} === {ALL}")
        # The past has all cells of more chunks, and shows those around the camera.
        await page.open(served.url(f"/?at={ticks}&cam={x + 32},{z},44,35,41"))
        await page.until(f"{PAST} && {WHOLE} === {ALL}")
        await go_to_next_chunk(page)
        await page.until(f"{WHOLE} === {ALL}")


@chromium
def test_every_block_around_the_camera_is_known_whoever_is_watched(tmp_path: Path) -> None:
    async def whole() -> None:
        async with (
            serving(tmp_path / "data", tape=True, tick_rate_hz=TICK_RATE_HZ) as served,
            browsing(tmp_path / "profile", 700, 500) as page,
        ):
            await look_around(served, page)
            assert page.complaints == []

    run(whole(), PATIENCE_SECONDS)
