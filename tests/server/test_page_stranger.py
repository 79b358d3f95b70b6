"""A stranger before the page: each question has its answer by looking and clicking, or by keys
alone.

Whoever means harm, follows a link to what is not there or gets a damaged tape is told a sentence.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.server.browser import Page, browsing
from tests.server.serving import RawAgent, Served, run, serving
from tests.server.test_page import LIVE, LOOKED_AT, PATIENCE_SECONDS, TICK_RATE_HZ, chromium
from tests.server.test_page_time import AT, STATE
from tests.server.test_society_metrics import QUICK, do, settle

TEXT = "(document.querySelector('{}')?.textContent ?? '')".format
# Whether something can be seen: it has a size, and nothing lies over its top.
SEEN = """((one) => {{
  const box = one?.getBoundingClientRect();
  return box && box.height > 20 && one.contains(document.elementFromPoint(box.x + box.width / 2, box.y + 10));
}})(document.querySelector('{}'))""".format
INTENT = "The land is mine now, & I mean to keep it."
PAST = "On the first day mole claimed land."


class Town(NamedTuple):
    served: Served
    page: Page
    mole: RawAgent


Question = Callable[[Town], Awaitable[None]]


def newcomer(play: Question) -> Callable[[Path], None]:
    """A test before a page that has just been opened, of a land, a city, a law and a contract of
    the mole."""

    def test(tmp_path: Path) -> None:
        async def whole() -> None:
            async with (
                serving(tmp_path / "data", tape=True, tick_rate_hz=TICK_RATE_HZ, **QUICK) as served,
                browsing(tmp_path / "profile", 1200, 760) as page,
                served.agent("mole", title="<b>digger</b>") as mole,
            ):
                await settle(mole)
                await mole.obs()
                await mole.act(intent=INTENT)
                await page.open(served.url("/"))
                await page.until(LIVE)
                await play(Town(served, page, mole))
                assert page.complaints == []

        run(whole(), 2 * PATIENCE_SECONDS)

    test.__name__ = play.__name__
    test.__doc__ = play.__doc__
    return test


@chromium
@newcomer
async def test_what_is_this(town: Town) -> None:
    await town.page.until(f"{TEXT('#going-on')}.includes('a small world in which AI agents live')")
    await town.page.until(SEEN("#going-on"))


@chromium
@newcomer
async def test_what_is_going_on(town: Town) -> None:
    """An event, a vote, what is asked for: each is a sentence with links that open what it tells
    of."""
    served, page, _ = town
    await page.until(f"{TEXT('#going-on')}.includes('mole wants 1 stone for 3 coal')")
    await page.until(f"/A (law is proposed|vote is open)/.test({TEXT('#going-on')})")
    event = served.live.service.world.director.event
    assert event is not None
    await page.click(f"#going-on a[href*='{event.id}']")
    await page.until(f"{TEXT('#world-event')}.includes('took part') && {SEEN('#world-event')}")
    await page.get("history.back()")
    await page.until("!document.querySelector('#world-event')")


@chromium
@newcomer
async def test_who_is_that(town: Town) -> None:
    page = town.page
    await page.click("#going-on a[href*='A1']")
    await page.until(f"{TEXT('#card')}.includes('leader of Thorpe') && {SEEN('#card')}")
    await page.until(f"{TEXT('#carries')}.includes('6 coal')")
    await page.until(f"{TEXT('#title')} === '<b>digger</b>'")
    done = (
        "[...document.querySelectorAll('[data-group=social] .done')].map((one) => one.textContent)"
    )
    await page.until(f"{done}.includes('claim land') && !{done}.includes('get a law passed')")


@chromium
@newcomer
async def test_why_do_they_do_it(town: Town) -> None:
    """What the world knows is seen, what somebody says of themselves is told, and each is
    marked."""
    page = town.page
    await page.click("#agent-A1")
    await page.until(
        f"{TEXT('#intent')}.includes({INTENT!r}) && {TEXT('#intent .told')} === 'told'"
    )
    await page.until(f"{TEXT('#card')}.includes('contract 1')")
    async with town.served.agent("vole") as vole:
        [contract] = town.served.live.service.world.contracts
        await do(vole, "tasks", type="MOVE_TO", target=list(contract.terminal), tolerance=2)
        await vole.event("TASK_DONE")
        terminal = "CONTRACT_TERMINAL@" + ",".join(map(str, contract.terminal))
        wish = {"terminal_id": terminal, "contract_id": contract.id}
        await do(vole, "instants", type="ACCEPT_CONTRACT", **wish)
        await page.key("Escape")
        await page.click(f"#agent-{vole.id}")
        await page.until(f"{TEXT('#because')}.includes('contract 1, 1 stone for mole')")
        await page.until(f"{TEXT('#because .seen')} === 'seen'")


@chromium
@newcomer
async def test_who_rules_here(town: Town) -> None:
    """The society with its laws and its treasury; what is chosen there is seen beside it."""
    page = town.page
    await page.click("#society-link")
    await page.until(f"location.pathname === '/society' && {TEXT('#society')}.includes('Thorpe')")
    await page.until(f"{TEXT('#society')}.includes('10 % of whatever is traded here')")
    await page.until(f"{TEXT('#treasury')}.includes('4 planks')")
    await page.click("#society td a")  # what is asked for?
    await page.until(f"{TEXT('#thing')}.includes('1 stone') && {SEEN('#thing')}")
    await page.until("location.search === '?see=C000001'")
    await page.open(await page.get("location.href"))  # an address says it all
    await page.until(f"{TEXT('#thing')}.includes('1 stone') && {SEEN('#thing')}")
    await page.click("#LAW000001 h3 a")
    await page.until(f"{TEXT('#thing')}.includes('proposed by mole') && {SEEN('#thing')}")


@chromium
@newcomer
async def test_what_was_before(town: Town) -> None:
    """The story tells it, the field finds it, and the lane below the world shows it."""
    served, page, mole = town
    ledger = await served.server.stories.create()
    await asyncio.to_thread(ledger.seed, {"request_id": "s", "author_id": "WORLD", "text": PAST})
    await page.click("#story")
    await page.until(f"location.pathname === '/story' && {TEXT('#stream')}.includes({PAST!r})")
    await page.key("1")
    await page.until("location.pathname === '/'")
    await page.get("document.querySelector('#search').focus()")
    for letter in "mole":
        await page.key(letter)
    await page.until(f"{TEXT('#hits')}.includes('person') && {TEXT('#hits')}.includes({PAST!r})")
    await page.key("Enter")
    await page.until(f"{LOOKED_AT} === '{mole.id}'")
    await page.click(".transport button")  # the founding
    await page.until(f"{STATE} === 'paused' && {AT} <= 2 && {SEEN('#past')}")
    await page.click("#back-to-live")
    await page.until(f"{STATE} === 'live'")


@chromium
@newcomer
async def test_how_do_i_join(town: Town) -> None:
    """The programs that the page offers are run as they are, and it says when the newcomer is
    there."""
    served, page, _ = town
    join = TEXT("#join")
    await page.click("#join-button")
    await page.until(f"{join}.includes('ws://127.0.0.1:{served.port}/v1/ws') && {SEEN('#join')}")
    await page.until(f"{join}.includes('Waiting for you, Wren')")
    async with program(sys.executable, "-c", await page.get(TEXT("#join pre"))):
        await page.until(f"{join}.includes('Wren has come')")
        await page.until(f"{TEXT('#card')}.includes('Wren')")
    await page.key("Escape")
    await page.until("!document.querySelector('#join')")
    await page.click("#join-button")
    await page.click("#join .sorts button:last-child")
    await page.until(f"{join}.includes('Waiting for you, Alder')")
    await page.do("Runtime.evaluate", expression=await page.get(TEXT("#join pre")))
    await page.until(f"{join}.includes('Alder has come')")


@asynccontextmanager
async def program(*command: str) -> AsyncIterator[None]:
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        await process.wait()


FOCUS = "document.activeElement"
MOST_TABS = 120


async def tab_to(page: Page, selector: str) -> None:
    """Press Tab until something has the focus, which must be seen on it."""
    for _ in range(MOST_TABS):
        if await page.get(f"{FOCUS}.matches({json.dumps(selector)})"):
            assert await page.get(f"getComputedStyle({FOCUS}).outlineStyle") != "none", selector
            return
        await page.key("Tab")
    pytest.fail(f"Tab does not lead to {selector}")


@chromium
@newcomer
async def test_the_page_is_used_by_keys_alone(town: Town) -> None:
    page, mole = town.page, town.mole
    await page.until("document.querySelector('#agents .row')")
    await page.until(f"{STATE} === 'live'")
    await page.key("/")
    for letter in "mole":
        await page.key(letter)
    await page.until(f"{TEXT('#hits')}.includes('person')")
    await page.key("Enter")
    await page.until(f"{LOOKED_AT} === '{mole.id}'")
    await page.key("Escape")
    await page.until(f"!{LOOKED_AT}")
    await tab_to(page, "#agents")
    await page.key("Enter")
    await page.until(f"{LOOKED_AT} === '{mole.id}'")
    await page.key("Escape")
    await page.until(f"!{LOOKED_AT}")
    await tab_to(page, "#track")
    await page.key("ArrowLeft")
    await page.until(f"{STATE} === 'paused'")
    await page.key("End")
    await page.until(f"{STATE} === 'live'")
    await page.key("2")
    await page.until("document.querySelector('#society td a')")
    await tab_to(page, "#society td a")
    await page.key("Enter")
    await page.until(f"{TEXT('#thing')}.includes('1 stone')")
    await page.key("Escape")
    await page.until("!document.querySelector('#thing')")
    await page.key("1")
    await page.key("?")
    await page.until(SEEN(".help"))
    await page.key("Escape")
    await page.until("!document.querySelector('.help')")
    await tab_to(page, "#join-button")
    await page.key("Enter")
    await page.until(f"{FOCUS}.id === 'join'")
    await page.key("Escape")
    await page.until("!document.querySelector('#join')")


# Every text that is seen and has less contrast to its ground than WCAG AA wants, as it is drawn.
PALE = """(() => {
  const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 })
    .getContext('2d', { willReadFrequently: true });
  const rgba = (colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((c, i) => c * a + under[i] * (1 - a));
  const ground = (one) => {
    const above = one.parentElement ? ground(one.parentElement) : [255, 255, 255];
    return over(rgba(getComputedStyle(one).backgroundColor), above);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((c) => c / 255 <= .04045 ? c / 255 / 12.92 : ((c / 255 + .055) / 1.055) ** 2.4);
    return .2126 * r + .7152 * g + .0722 * b + .05;
  };
  const found = [];
  const all = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (all.nextNode()) {
    const one = all.currentNode.parentElement;
    const said = all.currentNode.textContent.trim();
    if (!said || one.closest(':disabled, option, style')) continue;
    if (!one.checkVisibility({ visibilityProperty: true })) continue;
    const style = getComputedStyle(one);
    const [a, b] = [light(over(rgba(style.color), ground(one))), light(ground(one))];
    const ratio = Math.max(a, b) / Math.min(a, b);
    const large = parseFloat(style.fontSize) >= (style.fontWeight >= 700 ? 18.66 : 24);
    if (ratio >= (large ? 3 : 4.5)) continue;
    found.push(`${ratio.toFixed(2)} ${one.tagName}.${one.className}: ${said.slice(0, 40)}`);
  }
  return found;
})()"""


@chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_contrast(scheme: str, tmp_path: Path) -> None:
    """In all places, of what is chosen, live and in the past."""

    async def play(town: Town) -> None:
        served, page, mole = town
        await page.prefer(prefers_color_scheme=scheme)
        then = served.live.service.world.tick
        shown = {
            f"/?see={mole.id}": SEEN("#card"),
            "/?see=C000001": SEEN("#thing"),
            "/?view=map": SEEN("#layers"),
            "/society": TEXT("#society") + ".includes('Thorpe')",
            "/society?see=LAW000001": SEEN("#thing"),
            "/story": "document.querySelector('#stream')",
            "/matches": SEEN("#matches"),
            f"/?at={then}&see={mole.id}": f"{STATE} === 'paused' && {SEEN('#card')}",
            f"/?at={then}&see=E{then}": f"{STATE} === 'paused' && {SEEN('#thing')}",
        }
        for path, ready in shown.items():
            await page.open(served.url(path))
            await page.until(ready)
            assert await page.get(PALE) == [], path
        for key, ready in (("1", SEEN("#going-on")), ("?", SEEN(".help"))):
            await page.key(key)
            await page.until(ready)
            assert await page.get(PALE) == [], key
        await page.key("Escape")
        await page.click("#join-button")
        await page.until(SEEN("#join"))
        assert await page.get(PALE) == []

    newcomer(play)(tmp_path)


# In whatever field it stands, it would call this page names.
HARM = "<img src=x onerror=hurt()>"
FIENDISH = {"SIGN": 1, "BULLETIN_BOARD": 1}


@chromium
def test_hostile_text_is_text_in_every_field(tmp_path: Path) -> None:
    """Names, titles, what is said and meant, an organisation, a law, posts, signs and the story."""
    kit: dict[str, Any] = {**QUICK, "starter_items": {**QUICK["starter_items"], **FIENDISH}}

    async def play() -> None:
        async with (
            serving(tmp_path / "data", tape=True, tick_rate_hz=TICK_RATE_HZ, **kit) as served,
            browsing(tmp_path / "profile", 1000, 700) as page,
            served.agent(f"{HARM}\u202e{{A1}}", title=HARM[:22]) as fiend,
            served.agent(HARM) as other,
            served.agent(HARM) as third,
        ):
            cells, then = await do_harm(fiend)
            await post(other, "__proto__")  # a board that stands nowhere may be called anything
            await post(third, HARM)
            ledger = await served.server.stories.create()
            await asyncio.to_thread(
                ledger.seed, {"request_id": "s", "author_id": "WORLD", "text": HARM}
            )
            await page.before_scripts("window.hurt = () => { window.hurts = true; }")
            shown = {"/": "#agents", "/society": "#society", "/story": "#stream"}
            things = (fiend.id, "ORG000001", "LAW000001", "LAND_A1_001", "C000001", *cells)
            shown |= {f"/?see={one}": "#card, #thing" for one in things}
            shown |= {f"/?see={fiend.id}&at={then}": "#card", f"/?see=E{then}": "#thing"}
            shown |= {"/?view=map": "#events", f"/society?at={then}": "#society"}
            for path, where in shown.items():
                await page.open(served.url(path))
                await page.until(f"{TEXT(where)}.includes({HARM!r})")
                await unhurt(page, path)
            await page.key("1")
            await page.get("document.querySelector('#search').focus()")
            await page.do("Input.insertText", text="onerror")
            for kind in ("person", "city", "law", "notice", "story"):
                await page.until(f"{TEXT('#hits')}.includes({kind!r})")
            await unhurt(page, "search")
            assert page.complaints == []

    run(play(), 2 * PATIENCE_SECONDS)


async def do_harm(fiend: RawAgent) -> tuple[list[str], int]:
    """Write it wherever an agent can; the cells of the sign and the board, and when it was last
    said."""
    x, y, z = (await fiend.obs())["self"]["pos"]
    land = await do(fiend, "tasks", type="CLAIM_LAND", anchor=[x + 1, y, z], radius=8)
    await do(fiend, "instants", type="CREATE_ORG", org_kind="CITY", org_name=HARM)
    law = {"land_id": land["land_id"], "template_id": "MARKET_TAX", "params": {"market_tax": 0.1}}
    await do(fiend, "instants", type="PROPOSE_LAW", title=HARM, **law)
    found = []
    for item, dx in (("CONTRACT_TERMINAL", 0), ("SIGN", 1), ("BULLETIN_BOARD", -1)):
        await do(fiend, "tasks", type="PLACE", block_pos=[x + dx, y, z + 2], item_id=item)
        found.append(f"{x + dx},{y},{z + 2}")
    terms = {
        "requirements": [{"item": "STONE", "count": 1}],
        "reward": [{"item": "COAL", "count": 3}],
    }
    kind = {"contract_kind": "GATHER", "terminal_id": f"CONTRACT_TERMINAL@{found[0]}"}
    await do(fiend, "instants", type="POST_CONTRACT", **kind, **terms)
    await do(fiend, "instants", type="SET_SIGN", target_id=f"SIGN@{found[1]}", text=HARM)
    await post(fiend, f"BULLETIN_BOARD@{found[2]}")
    await fiend.obs()
    await fiend.act(intent=HARM)
    await do(fiend, "instants", type="SAY", channel="LOCAL", text=HARM)
    return [f"@{cell}" for cell in found[1:]], fiend.last["tick"]


async def post(fiend: RawAgent, board: str) -> None:
    await do(fiend, "instants", type="POST_BOARD", board_id=board, title=HARM, body=HARM)


async def unhurt(page: Page, path: str) -> None:
    assert not await page.get("document.querySelector('img, [onerror]') || window.hurts"), path
    assert await page.get("document.documentElement.scrollWidth <= innerWidth"), path


@chromium
@newcomer
async def test_an_address_of_nothing_is_told_in_a_sentence(town: Town) -> None:
    served, page, _ = town
    thing, live = TEXT("#thing"), f"{STATE} === 'live'"
    told = {
        "/?see=A999": f"{thing}.includes('There is no A999 here')",
        "/?see=LAW999999": f"{thing}.includes('There is no LAW999999 here')",
        "/society?see=ORG999999": f"{thing}.includes('There is no ORG999999 here')",
        "/?see=%3Cimg%20src=x%3E": f"{thing}.includes('There is no <img src=x> here')",
        "/?see=@9999,3,9999": f"{thing}.includes('Nothing is known of 9999,3,9999')",
        "/?see=E999999999": f"{thing}.includes('has not come yet')",
        "/?at=999999999": f"{TEXT('#past')}.includes('has not come yet')",
        f"/?see={'A' * 500}": live,
        "/?at=yesterday&speed=1e999&cam=,,,&view=globe&layers=,,": live,
        "/?at=-5": live,
        "/story/day/999": "document.querySelector('#stream')",
        "/matches/none": f"{TEXT('#trouble')}.length > 10",
        "/matches/%2e%2e%2f": f"{TEXT('.matches')}.length > 10",
        "/nowhere": "document.body.textContent.includes('nowhere') || "
        "document.body.textContent.length > 10",
    }
    for path, sentence in told.items():
        await page.open(served.url(path))
        await page.until(sentence)
        assert not await page.get("document.querySelector('img')"), path
    await page.open(served.url("/"))
    await page.until(live)


# What comes of the tape is cut in half as long as `window.whole` is not set.
CUT_TAPE = """
const real = window.fetch;
window.fetch = async (...given) => {
  const answer = await real(...given);
  if (window.whole || !/observer\\/tape\\/\\d/.test(String(given[0]))) return answer;
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return new Response(bytes.slice(0, bytes.length / 2));
};
"""


@chromium
@newcomer
async def test_a_tape_that_comes_cut_short_is_told_and_asked_for_again(town: Town) -> None:
    served, page, _ = town
    await page.before_scripts(CUT_TAPE)
    await page.open(served.url("/?at=3"))
    await page.until(f"{TEXT('#past')}.includes('damaged or cut short') && {STATE} === 'gone'")
    await page.get("(window.whole = true)")
    await page.until(f"{STATE} === 'paused' && {AT} === 3")


@chromium
def test_a_server_that_has_no_room_says_so(tmp_path: Path) -> None:
    async def play() -> None:
        async with (
            serving(tmp_path / "data", max_viewers=0, tick_rate_hz=TICK_RATE_HZ) as served,
            browsing(tmp_path / "profile", 600, 500) as page,
        ):
            await page.open(served.url("/"))
            await page.until(
                f"{TEXT('[role=alert]')}.includes('As many watch as this server has room for')"
            )
            assert page.complaints == []

    run(play(), PATIENCE_SECONDS)
