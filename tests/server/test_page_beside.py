"""Two runs on one lane, in a real browser: the split, both played together, what differs."""

from __future__ import annotations

import asyncio
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.server.browser import Page, browsing, pixels
from tests.server.serving import Served, run, serving
from tests.server.test_beside import AT, live, make_fork, storm
from tests.server.test_followed_run import tick_on
from tests.server.test_page import PATIENCE_SECONDS, chromium
from tests.server.test_page_stranger import TEXT
from tests.server.test_page_time import AT as TICK
from tests.server.test_page_time import SHOWN
from thorp.bridges.voxel_town import new_city_world
from thorp.observer.society_curves import TITLES
from thorp.server.access.tokens import Role
from thorp.server.http import kept_run
from thorp.village.change_offers import OFFERS
from thorp.voxel.society.laws import TEMPLATES

READY = "document.querySelector('#beside')?.dataset.ready === 'true'"
DIFFERENCES = "document.querySelectorAll('.differences li').length"
PAUSED = "document.querySelector('#time')?.dataset.state === 'paused'"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A village and a fork of it with a storm."""
    from tests.observer.filmed import make_village

    place = tmp_path_factory.mktemp("runs")
    original = make_village(place / "original")
    changed = make_fork(original, place / "changed", change=storm)
    live(changed)
    return {"original": original, "changed": changed}


def serve(data: Path, **options: Any) -> Any:
    return serving(data, tape=True, make_world=new_city_world, **options)


def watch(play: Any) -> None:
    run(play(), 3 * PATIENCE_SECONDS)


async def open_beside(served: Served, page: Page) -> None:
    await page.open(served.url(f"/?at={AT + 60}"))
    await page.until("Number(document.querySelector('#scene')?.dataset.draws) > 4")
    await page.until("document.querySelector('#compare-button:enabled')")
    await page.until(
        "window.performance.getEntriesByType('resource')"
        ".some(({ name }) => name.includes('/v1/runs'))"
    )
    await page.key("c")
    await page.until(READY)
    await page.until(f"{DIFFERENCES} > 3")


@chromium
def test_another_run_is_the_second_side(runs: dict[str, Path], tmp_path: Path) -> None:
    """C shows it; labels say what is what; a sentence leads to where it begins."""
    data = shutil.copytree(runs["original"], tmp_path / "data")

    async def play() -> None:
        async with (
            serve(data, beside=runs["changed"]) as served,
            browsing(tmp_path / "profile", 1200, 760) as page,
        ):
            await open_beside(served, page)
            assert await page.get(
                "document.querySelector('.side-name.here strong').textContent"
            ) == ("original")
            there = f"{TEXT('.side-name.there')}"
            await page.until(f"{there}.includes('changed') && {there}.includes('a storm for 900')")
            split = await page.get("Number(document.querySelector('#differences').dataset.split)")
            assert split == AT
            await page.until("location.search.includes('beside=beside')")
            # Both are played together, from the split on.
            await page.click("#to-split")
            await page.until(f"{TICK} === {AT + 1}")
            await page.click("#play")
            await page.until(f"{TICK} > {AT + 12}")
            await page.click("#play")
            await page.until(PAUSED)
            # What differs leads to its moment.
            told = await page.get("document.querySelector('.differences li').textContent")
            assert told.split()[0] in ("Here", "There")
            await page.click(".differences li button")
            await page.until(f"{PAUSED} && {TICK} > {AT}")
            # The society's curves of both runs lie over each other, with the split, and a click on
            # one leads to its moment.
            assert await page.get("document.querySelectorAll('.curves figure').length") == len(
                TITLES
            )
            key = TEXT("#differences h3")
            assert (
                await page.get(f"{key}.split(/\\s+/).join(' ')") == "The society original changed"
            )
            wealth = "document.querySelector('[data-curve=wealth] svg')"
            for side in ("here", "there"):
                points = f"{wealth}.querySelector('polyline.{side}').points.numberOfItems"
                assert await page.get(points) > 1
            assert await page.get(f"{wealth}.querySelector('.split title').textContent")
            assert "original" in await page.get(f"{wealth}.getAttribute('aria-label')")
            before = await page.get(TICK)
            await page.get(f"{wealth}.scrollIntoView()")
            await page.click("[data-curve=wealth] svg")
            await page.until(f"{TICK} !== {before} && {TICK} > 1")
            assert len(Counter(pixels(await page.screenshot()))) > 2_000
            # Before the split both are one, and the other has no picture of its own.
            await page.open(served.url(f"/?at={AT - 30}&beside=beside"))
            await page.until("document.querySelector('#beside')?.dataset.shared === 'true'")
            await page.until("document.querySelector('.kept')?.dataset.hidden === 'true'")
            await page.key("c")
            await page.until("!document.querySelector('#beside')")
            await page.until("!location.search.includes('beside')")
            assert page.complaints == []

    watch(play)


@chromium
def test_two_moments_are_still_compared(runs: dict[str, Path], tmp_path: Path) -> None:
    data = shutil.copytree(runs["original"], tmp_path / "data")

    async def play() -> None:
        async with (
            serve(data, beside=runs["changed"]) as served,
            browsing(tmp_path / "profile", 1200, 760) as page,
        ):
            await open_beside(served, page)
            await page.click("#two-moments")
            await page.until("document.querySelector('#hour-before')")
            assert not await page.get("document.querySelector('#beside')")
            assert page.complaints == []

    watch(play)


@chromium
def test_hostile_words_of_the_other_run_are_shown_as_text(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    """Whatever a journal says was changed in it."""
    hostile = "<img src=x onerror=\"document.title='taken'\"> {who}"
    data = shutil.copytree(runs["original"], tmp_path / "data")
    changed = make_fork(runs["original"], tmp_path / "changed", change=lambda world: hostile)
    live(changed)

    async def play() -> None:
        async with (
            serve(data, beside=changed) as served,
            browsing(tmp_path / "profile", 1200, 760) as page,
        ):
            await page.before_scripts(SHOWN)
            await page.open(served.url(f"/?at={AT + 60}&beside=beside"))
            await page.until(READY)
            await page.until(f"{TEXT('.side-name.there')}.includes('onerror')")
            await page.until(f"{TEXT('#differences')}.includes('onerror')")
            assert await page.get("document.title !== 'taken' && !document.querySelector('img')")
            assert page.complaints == []

    watch(play)


@chromium
def test_a_run_that_is_not_there_is_said_in_one_line(runs: dict[str, Path], tmp_path: Path) -> None:
    data = shutil.copytree(runs["original"], tmp_path / "data")

    async def play() -> None:
        async with (
            serve(data) as served,
            browsing(tmp_path / "profile", 1200, 760) as page,
        ):
            await page.open(served.url("/?at=60&beside=nobody"))
            await page.until(f"{TEXT('.side-name.there')}.includes('there is no such run here')")
            assert page.complaints == []

    watch(play)


@chromium
def test_an_operator_asks_what_if_and_looks(runs: dict[str, Path], tmp_path: Path) -> None:
    data = shutil.copytree(runs["original"], tmp_path / "data")

    async def play() -> None:
        async with (
            serve(data, loopback=Role.OPERATOR) as served,
            browsing(tmp_path / "profile", 1200, 760) as page,
        ):
            await page.open(served.url(f"/?at={AT}"))
            await page.click("#what-if")
            await page.until("document.querySelector('#what-if-card [type=submit]:enabled')")
            await page.click("#what-if-card [type=submit]")
            await page.until("document.querySelector('#what-if-answers a')")
            await page.click("#what-if-answers a")
            await page.until("location.search.includes('run=what-if-')")
            await page.until(READY)
            labels = "[...document.querySelectorAll('.side-name strong')].map((e) => e.textContent)"
            await page.until(f"{labels}.join() === 'control,changed'")
            await page.until(f"{DIFFERENCES} > 0")
            assert page.complaints == []

    watch(play)


@chromium
def test_the_form_of_what_if_offers_what_its_route_takes(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    """Each kind of change, with the fields of the server's table; what it sends is what was chosen."""
    data = shutil.copytree(runs["original"], tmp_path / "data")
    options = "[...document.querySelector('{}').options].map(({{ value }}) => value)"

    async def choose(page: Page, selector: str, value: str) -> None:
        await page.get(
            f"(() => {{ const one = document.querySelector('{selector}'); one.value = '{value}';"
            " one.dispatchEvent(new Event('change', {bubbles: true}));"
            " one.dispatchEvent(new Event('input', {bubbles: true})); return true; })()"
        )

    async def play() -> None:
        async with (
            serve(data, loopback=Role.OPERATOR) as served,
            browsing(tmp_path / "profile", 1200, 760) as page,
        ):
            await page.open(served.url(f"/?at={AT}"))
            await page.until(f"{TICK} === {AT}")
            await page.click("#what-if")
            await page.until("document.querySelector('#what-if-card [type=submit]:enabled')")
            kinds = await page.get(options.format("#what-if-kind"))
            assert kinds == [offer.change for offer in OFFERS]
            # No law is in force yet, so none can be repealed.
            disabled = "[...document.querySelectorAll('#what-if-kind :disabled')]"
            assert await page.get(f"{disabled}.map(({{ value }}) => value)") == ["repeal_law"]
            await choose(page, "#what-if-kind", "pass_law")
            await page.until("document.querySelector('#what-if-law')")
            assert await page.get(options.format("#what-if-law")) == list(TEMPLATES)
            await choose(page, "#what-if-law", "FINE_BREAK_PER_BLOCK")
            await page.until("document.querySelector('#what-if-fine_item')")
            assert "BREAD" in await page.get(options.format("#what-if-fine_item"))
            await choose(page, "#what-if-kind", "goal")
            await page.until("document.querySelector('#what-if-person')")
            people = await page.get(options.format("#what-if-person"))
            await choose(page, "#what-if-goal", "friend")
            await page.until("document.querySelector('#what-if-thing')")
            friends = await page.get(options.format("#what-if-thing"))
            assert set(people) - set(friends) == {people[0]}, "nobody is their own friend"
            await choose(page, "#what-if-goal", "office")
            await page.until("!document.querySelector('#what-if-thing')")
            await choose(page, "#what-if-kind", "weather")
            await page.until("document.querySelector('#what-if-weather')")
            await choose(page, "#what-if-weather", "COLD")
            await choose(page, "#what-if-ticks", "700")
            await page.click("#what-if-card [type=submit]")
            await page.until(f"{TEXT('#what-if-card')}.includes('a cold spell for 700 ticks')")
            await page.click("#what-if-cancel")
            assert page.complaints == []

    watch(play)


@chromium
def test_who_is_no_operator_is_told_so(runs: dict[str, Path], tmp_path: Path) -> None:
    data = shutil.copytree(runs["original"], tmp_path / "data")

    async def play() -> None:
        async with (
            serve(data, loopback=Role.NEIGHBOUR) as served,
            browsing(tmp_path / "profile", 1200, 760) as page,
        ):
            await page.open(served.url(f"/?at={AT}"))
            await page.click("#what-if")
            await page.until(f"{TEXT('#what-if-why')}.includes('operator')")
            assert await page.get("document.querySelector('#what-if-card [type=submit]').disabled")

            assert page.complaints == []

    watch(play)


OF_RUN = TEXT("#of-run")
SHOW_THERE = (
    "(() => { const handle = document.querySelector('#beside input');"
    " handle.value = 5; handle.dispatchEvent(new Event('input', {bubbles: true})); return true; })()"
)
SCENE = "document.querySelector('#scene').getBoundingClientRect()"


async def click_the_middle(page: Page, until: str) -> None:
    """Click at and around what the camera looks at, until something is so: the picture may still be
    coming, and something small may stand before it."""
    for aside, below in 8 * [(0, 0), (0, 16), (16, 0), (-16, 0), (0, -16)]:
        if await page.get(until):
            return
        await click_once(page, aside, below)
        await asyncio.sleep(0.5)
    raise AssertionError(f"never: {until}; {await page.get(OF_RUN)}")


async def click_once(page: Page, aside: int = 0, below: int = 0) -> None:
    box = await page.get(
        f"(() => {{ const box = {SCENE};"
        " return [box.left + box.width / 2, box.top + box.height / 2]; })()"
    )
    await page.click_at(box[0] + aside, box[1] + below)


@chromium
def test_a_click_on_the_other_side_shows_the_facts_of_that_run(
    runs: dict[str, Path], tmp_path: Path
) -> None:
    """A building and a person, by the same cards, with the label of their run."""
    data = shutil.copytree(runs["original"], tmp_path / "data")
    hostile = "<img src=x onerror=\"document.title='taken'\">"
    changed = make_fork(runs["original"], tmp_path / "changed", change=lambda world: hostile)
    live(changed)
    asked = (
        "window.performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)"
    )

    async def play() -> None:
        async with (
            serve(data, beside=changed) as served,
            browsing(tmp_path / "profile", 1200, 760) as page,
        ):
            await page.before_scripts(SHOWN)
            see = "@4,28,1"  # At the foot of the first workshop, which stands in both.
            await page.open(served.url(f"/?at={AT + 60}&beside=beside&see={see}&cam=4,1,24,35,50"))
            await page.until(READY)
            await page.until(f"{OF_RUN}.startsWith('here')")
            await page.get(SHOW_THERE)
            await page.until(f"{asked}.includes('/v1/runs/beside/buildings')")
            # A click on the other side: the same card, from that run.
            until_there = f"{OF_RUN}.startsWith('there') && {OF_RUN}.includes('onerror')"
            building = f"{until_there} && document.querySelector('#building #residents')"
            await click_the_middle(page, f"Boolean({building})")
            assert "workshop" in (await page.get(TEXT("#building h3"))).lower()
            assert await page.get("!document.querySelector('.copy-link')")
            # Its link to a moment takes both sides along.
            await page.click("#building .moment")
            await page.until(f"{TICK} < {AT}")
            # A person: who is followed here stands in the middle there.
            await page.open(served.url(f"/?at={AT + 1}&beside=beside&see=A1"))
            await page.until(READY)
            await page.until("document.querySelector('#card')?.dataset.agent === 'A1'")
            await page.get(SHOW_THERE)
            shown = f"{until_there} && document.querySelector('#card')?.dataset.agent"
            await click_the_middle(page, f"Boolean({shown})")
            assert await page.get("!document.querySelector('#why')")
            assert await page.get("document.title !== 'taken' && !document.querySelector('img')")
            # Escape closes that, and not the comparison.
            await page.key("Escape")
            await page.until(f"!document.querySelector('#of-run') || {OF_RUN}.startsWith('here')")
            assert await page.get("document.querySelector('#beside') !== null")
            private = await page.get(f"{asked}.filter((path) => path.endsWith('/why'))")
            assert private == [], "nothing of the own world is asked for a thing of the other"
            assert page.complaints == []

    watch(play)


@chromium
def test_the_page_follows_a_run_that_goes_on_and_says_what_became_of_it(
    runs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_run, "FOLLOW_SECONDS", 0.2)
    monkeypatch.setattr(kept_run, "REST", 0)
    data = shutil.copytree(runs["original"], tmp_path / "data")
    other = make_fork(runs["original"], tmp_path / "other", change=storm)
    tick_on(other, 30)
    there = TEXT(".side-name.there")

    async def play() -> None:
        async with (
            serve(data, beside=other) as served,
            browsing(tmp_path / "profile", 1200, 760) as page,
        ):
            await page.open(served.url(f"/?at={AT + 60}&beside=beside"))
            await page.until(READY)
            await page.until(f"{there}.includes('ended with tick {AT + 30}')")
            # The playhead is past its end, so it is asked for soon; then it has come that far.
            await asyncio.to_thread(tick_on, other, 60)
            await page.until(f"!{there}.includes('tick {AT + 30}')")
            assert await page.get(f"{there}.includes('a storm for 900')")
            # Another world comes into its place.
            shutil.rmtree(other / "world")
            make_fork(runs["original"], other, at=AT + 200)
            await page.until(f"{TEXT('#beside-notice')}.includes('this run was replaced: another')")
            await page.until(f"!{there}.includes('a storm')")
            await page.until(f"!{TEXT('#differences')}.includes('a storm')")
            assert page.complaints == []

    watch(play)
