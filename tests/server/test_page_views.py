"""The map, the founding of a village and its council, in a real browser with a real server."""

from __future__ import annotations

from pathlib import Path

from tests.bridges.voxel_town.settled import FIRST, open_settled
from tests.bridges.voxel_town.test_http import listening_only, post, snapshot
from tests.server.browser import Page, browsing
from tests.server.serving import run, serving
from tests.server.test_page import LIVE, LOOKED_AT, PATIENCE_SECONDS, TICK_RATE_HZ, chromium
from tests.server.test_society_metrics import QUICK, settle
from thorp.observer.annals import Annals, Sample
from thorp.server.host import living
from thorp.server.settings import WORLD
from thorp.store import RealDisk
from thorp.town.embedded.council import Council
from thorp.town.testing import handoff_for
from thorp.village.founding import Founding, Milestone
from thorp.voxel.service import own_thread

# How many colours the map shows, in steps of eight.
COLOURS = """(() => {
  const { width, height } = document.querySelector('.overlay');
  const pen = document.querySelector('.overlay').getContext('2d');
  const { data } = pen.getImageData(0, 0, width, height);
  const found = new Set();
  for (let i = 0; i < data.length; i += 64) {
    found.add(data[i] >> 3 << 10 | data[i + 1] >> 3 << 5 | data[i + 2] >> 3);
  }
  return found.size;
})()"""
# Every TICK tells of as many people as `window.crowd` says.
CROWDED = """
const Real = WebSocket;
window.WebSocket = class extends Real {
  set onmessage(hear) {
    super.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === 'TICK' && window.crowd) {
        const [one] = message.agents;
        const [x, y, z] = one.pos;
        for (let i = message.agents.length; i < crowd; i++) {
          const pos = [x + i % 32 - 16, y, z + Math.floor(i / 32) - 16];
          message.agents.push({ ...one, id: `A${i + 100}`, pos });
        }
        data = JSON.stringify(message);
      }
      hear({ data });
    };
  }
};
"""
MOST_DRAWS, MOST_DRAWS_OF_FEW = 350, 150
MAP = "document.querySelector('#map')?.ariaPressed === 'true'"


async def middle(page: Page, dx: float = 0, dy: float = 0) -> tuple[float, float]:
    box = await page.get(
        "(() => { const box = document.querySelector('#scene').getBoundingClientRect();"
        " return [box.x + box.width / 2, box.y + box.height / 2]; })()"
    )
    return box[0] + dx, box[1] + dy


@chromium
def test_the_map_shows_the_known_world_and_leads_into_it(tmp_path: Path) -> None:
    """By keys alone; land, people and the ground are on it, and what is clicked is chosen."""

    async def play() -> None:
        async with (
            serving(tmp_path / "data", tick_rate_hz=TICK_RATE_HZ, **QUICK) as served,
            browsing(tmp_path / "profile", 900, 600) as page,
            served.agent("mole") as mole,
        ):
            await settle(mole)
            await page.do("Page.addScriptToEvaluateOnNewDocument", source=CROWDED)
            await page.open(
                served.url("/?cam=9,-7,60,0,45")
            )  # a link has the place of the camera, for once
            await page.until(
                "document.querySelector('#scene')?.dataset.at === '9,-7' && !location.search"
            )
            await page.until("document.querySelector('#agents .row')")
            await page.key("n")  # the camera goes to the mole, and stays there
            await page.until(f"{LOOKED_AT} === '{mole.id}'")
            x, _, z = (await mole.obs())["self"]["pos"]
            at = "document.querySelector('#scene').dataset.at.split(',')"
            await page.until(f"Math.abs({at}[0] - {x}) <= 1 && Math.abs({at}[1] - {z}) <= 1")
            await page.key("Escape")
            await page.until(f"!{LOOKED_AT}")
            await page.key("m")
            await page.until(MAP)
            await page.until("location.search === '?view=map'")
            await page.until(f"{COLOURS} > 60")
            await page.until(
                "document.querySelector('#layers')?.textContent.includes('Land and borders 1')"
            )
            assert any("/observer/surfaces?" in url for url in page.requests)

            await page.key("l")
            await page.until("!document.querySelector('#layers input')")
            await page.key("l")
            await page.click("#layers input")  # without its land, the map has a colour less
            await page.until("!document.querySelector('#layers input').checked")
            await page.click("#layers input")

            await page.click_at(*await middle(page))
            await page.until(f"{LOOKED_AT} === '{mole.id}'")
            await page.key("Escape")  # closes what is on top: the layers, then the mole
            await page.until("!document.querySelector('#layers input')")
            assert await page.get(f"{LOOKED_AT} === '{mole.id}'")
            await page.key("Escape")
            await page.until(f"!{LOOKED_AT}")
            await page.key("l")
            await page.until("document.querySelector('#layers input')")
            await page.click_at(*await middle(page, -24, -20))  # beside is the land
            await page.until("new URLSearchParams(location.search).get('see').startsWith('LAND')")
            await page.until(
                "document.querySelector('#thing')?.textContent.includes('land of mole')"
            )
            await page.until("new URLSearchParams(location.search).get('view') === 'map'")

            await page.open(await page.get("location.href"))  # an address says it all
            await page.until(f"{MAP} && document.querySelector('.scene').dataset.empty === 'false'")
            x, y = await middle(page, 30, 30)
            for count in (1, 2):
                for kind in ("mousePressed", "mouseReleased"):
                    await page.do(
                        "Input.dispatchMouseEvent",
                        type=kind,
                        x=x,
                        y=y,
                        button="left",
                        clickCount=count,
                    )
            await page.until(f"!({MAP})")
            await page.until("document.querySelector('#small-map')?.getContext('2d')"
                             ".getImageData(84, 84, 1, 1).data[3] === 255")  # fmt: skip
            await keeps_within_its_budgets(page)
            assert page.complaints == []

    run(play(), 2 * PATIENCE_SECONDS)


# A graphics card that takes a tenth of a second for each frame.
SLOW_CARD = """const real = WebGL2RenderingContext.prototype.getSyncParameter, made = new WeakMap();
WebGL2RenderingContext.prototype.getSyncParameter = function (sync, what) {
    if (!made.has(sync)) made.set(sync, performance.now());
    return performance.now() - made.get(sync) < 100 ? this.UNSIGNALED : real.call(this, sync, what);
}"""
# A clock by which the page has been open for a long time as soon as it has been open for a while.
HURRY = "const now = performance.now.bind(performance); performance.now = () => 20 * now()"


def below(upper: str, lower: str) -> str:
    """Whether one thing on the page ends before another begins."""
    box = "document.querySelector('{}')?.getBoundingClientRect()".format
    return f"{box(upper)}?.bottom <= {box(lower)}?.top"


@chromium
def test_a_slow_machine_is_told_of_and_a_first_visitor_is_shown_around(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            serving(tmp_path / "data", tape=True, tick_rate_hz=TICK_RATE_HZ) as served,
            browsing(tmp_path / "profile", 500, 400, first_visit=True) as page,
            served.agent("mole"),
        ):
            await page.before_scripts(SLOW_CARD)
            await page.open(served.url("/?see=A1"))
            await page.until("document.querySelector('#scene')?.dataset.draws")
            await page.key("t")
            told = "document.querySelector('{}')?.textContent.includes('{}')".format
            finer = await page.until("document.querySelector('#scene')?.width")
            # What is said of it stands above the tour's caption, not behind it.
            await page.until(f"{told('#coarse', 'coarser')} && {below('#coarse', '#tour')}")
            await page.until(f"document.querySelector('#scene').width < {finer}")
            await page.key("?")
            slow = told(".help", "coarser, for this machine is slow")
            await page.until(slow)
            # It is said once, not at each visit.
            await page.open(served.url("/?see=A1"))
            await page.until("document.querySelector('#scene')?.dataset.draws")
            await page.key("?")
            await page.until(slow)
            assert not await page.get("document.querySelector('#coarse')")
            # Whoever comes for the first time and does nothing is shown around, but only then.
            await page.before_scripts(HURRY)
            await page.get("localStorage.clear()")
            await page.open(served.url("/"))
            await page.until(told("#tour", "mole"))
            await page.key("Escape")
            await page.until("!document.querySelector('#tour')")
            assert page.complaints == []

    run(play(), PATIENCE_SECONDS)


async def keeps_within_its_budgets(page: Page) -> None:
    """Few draws also for a thousand people, no node made by a tick, nothing beside the screen of a
    phone."""
    draws = "Number(document.querySelector('#scene').dataset.draws)"
    assert await page.until(f"{draws} > 4 && {draws}") <= MOST_DRAWS_OF_FEW
    await page.resize(390, 600, phone=True)
    await page.prefer(prefers_color_scheme="dark")
    for key in ("2", "1", "m"):
        await page.key(key)
        await page.until("document.documentElement.scrollWidth === 390")
    await page.until(MAP)
    await page.get("(window.crowd = 1000, 1)")
    await page.until("document.querySelector('#here')?.textContent === '1,000'")
    await page.get(
        "(window.made = 0, new MutationObserver((all) => all.forEach((one) => made += "
        "one.addedNodes.length))"
        ".observe(document.body, { childList: true, subtree: true }), 1)"
    )
    tick = "Number(document.querySelector('#tick').textContent.replaceAll(',', ''))"
    ticks = 16
    await page.until(f"{tick} >= {await page.get(tick) + ticks}")
    assert await page.get("made") < ticks / 2, "a tick makes no nodes; what happens may make a few"
    await page.get("delete document.querySelector('#scene').dataset.draws")
    await page.key("m")
    assert await page.until(draws) <= MOST_DRAWS


@chromium
def test_a_village_is_founded_and_its_council_decides(tmp_path: Path) -> None:
    """The page shows how far the founding is, then the world; and why the council ordered what it
    did."""
    council = "(document.querySelector('#council')?.textContent ?? '')"
    told = "(document.querySelector('#founding')?.textContent ?? '')"

    async def play() -> None:
        async with (
            listening_only(tmp_path) as served,
            browsing(tmp_path / "profile", 900, 600) as page,
        ):
            milestones = [Milestone("everyone has woken", 1), Milestone("a city is founded")]
            served.server.stage.show_founding(Founding(3_000, 12_000, 6_000, milestones))
            await page.open(served.url("/"))
            await page.until(
                f"{told}.includes('Day 1, 12:00') && {told}.includes('tick 3,000 of 12,000')"
            )
            done = "[...document.querySelectorAll('#founding [data-state=done]')].length"
            await page.until(f"{done} === 1")
            milestones[1].tick = 3_100
            served.server.stage.show_founding(Founding(3_200, 12_000, 6_000, milestones))
            await page.until(f"{done} === 2")

            service = open_settled(RealDisk(), tmp_path / WORLD, threads=own_thread)
            annals = Annals(service.world)
            annals._take([Sample(1, {FIRST: 4}), Sample(2, {FIRST: 40})])
            async with living(served.server, service, "real", annals=annals):
                _, seen = await snapshot(served)
                await post(served, Council(FIRST).governors[1].handoff(seen))
                _, seen = await snapshot(served)
                await post(
                    served, handoff_for(seen, "SALVAGE_PLAN", "dread", actor="<i>stranger</i>")
                )
                await page.until(f"{LIVE} && !document.querySelector('#founding')")
                await page.key("2")
                await page.until(f"{council}.includes('Captain: go on with a work')")
                for part in ("danger", "go on with what protects us", "told", "because people are afraid",
                             "all is in store or on order; use it, or wait"):  # fmt: skip
                    await page.until(f"{council}.includes({part!r})")
                for raw in ("ORG000001", "RULE_REFUSED", "SALVAGE", "demands project advancement"):
                    assert not await page.get(f"{council}.includes({raw!r})")
                assert not await page.get("document.querySelector('#council summary i')")
                await page.until("document.querySelector('#treasury-line polyline')")
                await page.get(
                    "document.querySelector('#council a.see').click()"
                )  # what came of it
                await page.until(
                    "document.querySelector('#thing')?.textContent.includes('asked by')"
                )
                assert page.complaints == []

    run(play(), PATIENCE_SECONDS)
