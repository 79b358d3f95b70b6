"""Questions of a stranger who only looks and clicks: whose land, why, what was here, who is rich and
why, what was decided, how did this house come to be, who won and how."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.server.browser import Page, browsing
from tests.server.raising import BUILDERS_KIT, Raised, raise_house
from tests.server.serving import RawAgent, Served, run, serving
from tests.server.test_page import LIVE, LOOKED_AT, PATIENCE_SECONDS, TICK_RATE_HZ, chromium
from tests.server.test_page_stranger import SEEN, TEXT
from tests.server.test_page_time import AT, STATE
from tests.server.test_page_views import middle
from tests.server.test_society_metrics import do
from thorp.voxel.lookups.goods import worth
from thorp.voxel.state.records import Structure

SEE = "new URLSearchParams(location.search).get('see')"
# Whether the camera looks at a place, as near as a few cells.
LOOKS_AT = (
    "((at) => Math.abs(at[0] - {}) <= 3 && Math.abs(at[1] - {}) <= 3)"
    "((document.querySelector('#scene')?.dataset.at ?? '').split(','))"
).format


class Hamlet:
    """A page that has just been opened, of a city with a hut that the mole asked for, the vole
    built, and the vole lives in."""

    def __init__(self, served: Served, page: Page, people: list[RawAgent], hut: Raised) -> None:
        self.served = served
        self.page = page
        self.mole, self.vole = people
        self.hut = hut

    @property
    def structure(self) -> Structure:
        return self.served.live.service.world.structures[self.hut.id]

    @property
    def middle(self) -> tuple[float, float]:
        low, high = self.structure.low, self.structure.high
        return (low[0] + high[0] + 1) / 2, (low[2] + high[2] + 1) / 2


def hamlet(play: Any, **options: Any) -> Any:
    """A test before the page of a hamlet."""

    def test(tmp_path: Path) -> None:
        async def whole() -> None:
            async with (
                serving(
                    tmp_path / "data",
                    tape=True,
                    open_book=True,
                    tick_rate_hz=TICK_RATE_HZ,
                    **BUILDERS_KIT,
                ) as served,
                browsing(tmp_path / "profile", 1200, 760) as page,
                served.agent("mole") as mole,
                served.agent("vole") as vole,
            ):
                hut = await raise_house(served.live.service.world, mole, vole)
                await page.open(served.url("/"))
                await page.until(LIVE)
                await play(Hamlet(served, page, [mole, vole], hut))
                assert page.complaints == []

        run(whole(), 2 * PATIENCE_SECONDS)

    test.__name__ = play.__name__
    test.__doc__ = play.__doc__
    return test


@chromium
@hamlet
async def test_whose_land_is_this(hamlet: Hamlet) -> None:
    """A click on the ground says it, where somebody owns it and where nobody does."""
    page = hamlet.page
    (claim,) = hamlet.served.live.service.world.claims
    x, _, z = claim.anchor
    await page.open(hamlet.served.url(f"/?cam={x - 4},{z - 4},20,0,80"))
    await page.until(LIVE)
    await page.until(LOOKS_AT(x - 4, z - 4))
    await page.until("document.querySelector('#scene')?.dataset.behind === '0'")
    await page.click_at(*await middle(page))
    await page.until(f"{SEE}?.startsWith('@')")
    await page.until(f"{TEXT('#land-here')}.includes('the land of mole')")
    await page.click("#land-here a")
    await page.until(f"{SEE} === '{claim.id}' && {TEXT('#thing')}.includes('a stranger')")
    far = x + claim.radius + 6
    await page.open(hamlet.served.url(f"/?see=@{far},27,{z}"))
    await page.until(LOOKS_AT(far, z))  # as from the link that a program prints
    await page.until(
        f"{TEXT('#land-here')}.includes('nobody owns') || {TEXT('#thing')}.includes('nobody is near')"
    )


@chromium
@hamlet
async def test_how_did_this_building_come_to_be(hamlet: Hamlet) -> None:
    """Clicked in the scene, found by search, seen on the map, and by its address also in the past;
    the lane plays how it rose."""
    page = hamlet.page
    x, z = hamlet.middle
    await page.open(hamlet.served.url(f"/?cam={round(x)},{round(z)},20,0,85"))
    await page.until(LIVE)
    await page.until(LOOKS_AT(round(x), round(z)))
    await page.until("document.querySelector('#scene')?.dataset.behind === '0'")
    await _clicks_it(page, hamlet)
    await tells_all(page, hamlet)
    await page.key("Escape")
    await page.until("!document.querySelector('#building')")
    await page.key("/")
    for letter in "small hut":
        await page.key(letter)
    await page.until(f"{TEXT('#hits')}.includes('Small hut, by vole; vole lives there')")
    await page.key("Enter")
    await tells_all(page, hamlet)
    await page.key("m")
    await page.until("document.querySelector('#layers')?.textContent.includes('Buildings 1')")
    await page.key("m")
    completed = hamlet.structure.completed_tick
    await page.get(
        f"(window.earliest = 1e9, setInterval(() => earliest = Math.min(earliest, {AT}), 10))"
    )
    await page.click("#rise")
    await page.until(f"{STATE} === 'paused' && earliest < {completed} && {AT} >= {completed}")
    address = await page.get("location.href")
    assert "at=" in address
    await page.open(address)
    await page.until(f"{STATE} === 'paused'")
    await page.until(f"{TEXT('#building')}.includes('Small hut, by vole')")


async def _clicks_it(page: Page, hamlet: Hamlet) -> None:
    """Click in the middle of the scene, where the hut is."""
    await page.click_at(*await middle(page))
    await page.until(f"{SEE} === '{hamlet.hut.id}'")


async def tells_all(page: Page, hamlet: Hamlet) -> None:
    """What the card of the hut says."""
    await page.until(f"{TEXT('#building h3')} === 'Small hut, by vole' && {SEEN('#building')}")
    for part in ("asked by", "mole", "40 planks", "vole since day 1"):
        await page.until(f"{TEXT('#building')}.includes({part!r})")
    assert await page.get(f"{SEE} === '{hamlet.hut.id}'")


@chromium
@hamlet
async def test_who_is_richest_and_why(hamlet: Hamlet) -> None:
    """The field answers, and the list of people sorts itself by worth; each has a reason."""
    page = hamlet.page
    served = hamlet.served
    people = {mole.id: mole for mole in (hamlet.mole, hamlet.vole)}
    worths = {
        name: worth(agent.inventory)
        for name in people
        if (agent := served.live.service.world.agent_by_id(name)) is not None
    }
    richest = max(worths, key=lambda name: worths[name])
    await page.key("/")
    for letter in "richest":
        await page.key(letter)
    await page.until(f"{TEXT('#hits')}.includes('Richest:')")
    answer = await page.get(TEXT("#hits"))
    assert f"{worths[richest]}, who" in answer
    await page.key("Enter")
    await page.until(f"{LOOKED_AT} === '{richest}'")
    await page.key("Escape")
    await page.until("document.querySelector('#order')")
    await page.get(
        "((list) => { list.value = 'worth'; list.dispatchEvent(new Event('change', "
        "{ bubbles: true })); })(document.querySelector('#order'))"
    )
    first = "document.querySelector('#agents .row .figure')?.textContent"
    await page.until(f"{first} === '{worths[richest]}'")
    await page.until(f"{TEXT('#agents')}.includes('carries') || {TEXT('#agents')}.includes('kept')")


@chromium
@hamlet
async def test_what_comes_next(hamlet: Hamlet) -> None:
    """A vote and the end of an event are counted down, and an election is told with its
    candidates."""
    page, mole = hamlet.page, hamlet.mole
    world = hamlet.served.live.service.world
    candidate = {"id": mole.id, "name": "mole", "promise": "Lamps on every road."}
    election = {"state": "called", "office": "mayor", "tick": world.tick + 5_000}
    said = {"channel": "LOCAL", "data": {"election": {**election, "candidates": [candidate]}}}
    await do(mole, "instants", type="SAY", text="An election!", **said)
    await do(mole, "instants", type="POST_BOARD", board_id="news", title="a", body="b")
    await page.until(f"/Market week ends\\s*in \\d+/.test({TEXT('#next')})")
    await page.until(f"/election of the mayor opens\\s*in \\d+/.test({TEXT('#next')})")
    await page.click("#next a[href*='ELECTION']")
    await page.until(f"{TEXT('#election')}.includes('Lamps on every road.') && {SEEN('#election')}")


@chromium
@hamlet
async def test_what_was_here_yesterday(hamlet: Hamlet) -> None:
    """Two moments from one place of the camera; an hour or a day apart."""
    page = hamlet.page
    await page.until(f"{STATE} === 'live'")
    await page.key("c")
    await page.until("document.querySelector('#compare')")
    await page.click("#hour-before")
    await page.until(f"{STATE} === 'paused' && document.querySelector('#day-before')")
    assert await page.get("document.querySelector('#day-before').disabled")
    await page.key("Escape")
    await page.until(f"{STATE} === 'live'")
