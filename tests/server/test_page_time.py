"""The time lane of the page in a real browser: pause, go to an event, see the past, live again."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.server.browser import Page, browsing
from tests.server.serving import Served, run, serving
from tests.server.test_page import PATIENCE_SECONDS, TICK_RATE_HZ, act
from tests.server.test_society_metrics import QUICK, settle
from thorp.observer.tape_rebuild import NOT_PLAYABLE
from thorp.observer.tape_recorder import SEGMENT_TICKS
from thorp.server.access.tokens import Role
from thorp.server.processes.replay import Replay
from thorp.server.settings import WORLD
from thorp.store import RealDisk
from thorp.voxel import WorldService
from thorp.voxel.persistence import record, recovery
from thorp.voxel.tuning import Tuning

NAMES = "[...document.querySelectorAll('#agents bdi')].map((one) => one.textContent).join()"
STATE = "document.querySelector('#time')?.dataset.state"
AT = "Number(document.querySelector('#at').textContent.replaceAll(',', ''))"
TRACK = "document.querySelector('#track')"
TICK_OF = "document.querySelector('{}')?.textContent.match(/tick ([0-9]+)/)"
STATE_OF_PAST = "document.querySelector('#past')?.textContent.includes('Loading') === false"
SAID = """[...document.querySelectorAll('#events a.moment')]
    .find((one) => one.parentElement.textContent.includes('good morning'))"""


# Everything that the dock has shown.
SHOWN = """window.shown = []; new MutationObserver(() => {
    const text = document.querySelector('.panel')?.textContent ?? '';
    if (text !== shown.at(-1)) shown.push(text);
}).observe(document, { childList: true, subtree: true, characterData: true })"""


@pytest.mark.real("chromium")
def test_the_past_is_one_click_away_and_live_one_key(tmp_path: Path) -> None:
    async def whole() -> None:
        async with (
            serving(tmp_path / "data", tape=True, tick_rate_hz=TICK_RATE_HZ) as served,
            browsing(tmp_path / "profile", 1000, 700) as page,
        ):
            await play(served, page)
            assert page.complaints == []

    run(whole(), PATIENCE_SECONDS)


async def play(served: Served, page: Page) -> None:
    async with served.agent("mole") as mole:
        await page.open(served.url("/"))
        await page.until(f"{STATE} === 'live'")
        await act(served, mole, {"type": "SAY", "channel": "LOCAL", "text": "good morning"})
        await page.until(SAID)
        async with served.agent("owl"):
            await page.until(f"{NAMES} === 'mole,owl'")
            # Pause: the picture stands, the world goes on.
            await page.key(" ")
            await page.until(f"{STATE} === 'paused'")
            paused = await page.get(AT)
            await page.until(f"document.querySelector('#past') && {AT} === {paused}")
            before = served.live.service.world.tick
            # From event to event by keys: the last one was that the owl came.
            await page.key("[")
            await page.until(f"{AT} < {paused} && {STATE} === 'paused'")
            await page.until("document.querySelector('.marks-list')?.textContent.includes('owl')")
            # From an event to its moment: then there was nobody but the mole.
            await page.until(f"((one) => (one?.click(), Boolean(one)))({SAID})")
            await page.until(f"{STATE} === 'paused' && {NAMES} === 'mole'")
            said = await page.get(AT)
            assert 0 < said < paused
            await page.until(f"location.search.includes('at={said}')")
            await page.until("document.querySelector('#state').dataset.state === 'past'")
            await page.until(
                "document.querySelector('#events').textContent.includes('good morning')"
            )
            # By keys: one tick, and it plays.
            await page.key(".")
            await page.until(f"{AT} === {said + 1}")
            await page.key(" ")
            await page.until(f"{AT} > {said + 3}")
            # The lane is a slider that says where it is.
            await page.until(f"{TRACK}.getAttribute('aria-valuetext').startsWith('Day 1, ')")
            # Live again with one key, at a tick that has come meanwhile.
            await page.key("End")
            await page.until(f"{STATE} === 'live' && {NAMES} === 'mole,owl' && {AT} > {before}")
            await page.until("!location.search.includes('at=')")
        # A link leads to its moment; one to a tick that has not come says so.
        await page.open(served.url(f"/?at={said}"))
        await page.until(f"{STATE} === 'paused' && {NAMES} === 'mole' && {AT} === {said}")
        await page.open(served.url("/?at=999999999"))
        await page.until(
            "document.querySelector('#past')?.textContent.includes('has not come yet')"
        )


@pytest.mark.real("chromium")
def test_the_past_has_its_own_society_and_its_own_pockets(tmp_path: Path) -> None:
    async def whole() -> None:
        async with (
            serving(
                tmp_path / "data", tape=True, open_book=True, **QUICK, tick_rate_hz=5
            ) as served,
            browsing(tmp_path / "profile", 1000, 700) as page,
        ):
            await look_back(served, page)
            assert [one for one in page.complaints if "403" not in one] == []

    run(whole(), PATIENCE_SECONDS)


async def look_back(served: Served, page: Page) -> None:
    text = "document.querySelector('{}')?.textContent"
    society, carries, lately = (
        text.format("#society"),
        text.format("#carries"),
        text.format(".lately"),
    )
    async with served.agent("mole") as mole:
        before = (await mole.obs())["tick"]
        await settle(mole)
        # A link to the past shows nothing of the present, however long its moment takes to come.
        await page.before_scripts(SHOWN)
        await page.hold("*/observer/tape*")
        await page.open(served.url(f"/?see={mole.id}&at={before}"))
        heard = len(page.frames)
        await page.until("document.querySelector('#state')?.dataset.state === 'past'")
        while len(page.frames) < heard + 20:
            await asyncio.sleep(0.1)
        await page.let_go()
        await page.until(f"{STATE} === 'paused' && {carries}?.includes('9 planks')")
        shown = await page.get("shown")
        assert not [one for one in shown if "5 planks" in one or "Now" in one], shown
        # Before: nobody had founded anything, and the mole had all it came with.
        await page.open(served.url(f"/society?at={before}"))
        await page.until(
            f"{STATE_OF_PAST} && {society}?.includes('Nobody has founded anything yet')"
        )
        await page.open(served.url(f"/?see={mole.id}&at={before}"))
        await page.until(f"{STATE} === 'paused' && {carries}?.includes('9 planks')")
        done = (
            "[...document.querySelectorAll('#achieved .done')].map((one) => one.textContent).join()"
        )
        await page.until(f"document.querySelector('#achieved') && {done} === ''")
        # Now: a city with a law, a contract and a treasury, which took four planks.
        await page.key("End")
        await page.until(f"{STATE} === 'live' && {carries}?.includes('5 planks')")
        await page.until(
            f"{lately}?.includes('founded Thorpe')"
        )  # although the page was opened afterwards
        await page.until(f"{done}.includes('claim land')")
        now = served.live.service.world.tick
        await page.open(served.url(f"/?see={mole.id}&at={now}"))
        await page.until(f"{STATE} === 'paused' && {done}.includes('claim land')")
        # A place tells who changed it, of now and of then.
        x, y, z = (await mole.obs())["self"]["pos"]
        changes = text.format("#changes")
        await page.open(served.url(f"/?see=@{x},{y},{z + 2}"))
        await page.until(f"{changes}?.includes('mole placed contract terminal')")
        await page.open(served.url(f"/?see=@{x},{y},{z + 2}&at={before}"))
        await page.until(f"{STATE} === 'paused' && {text.format('#thing')}?.includes('Air at')")
        assert not await page.get(changes)
        await page.open(served.url("/society"))
        await page.until(f"{society}?.includes('Thorpe') && {society}.includes('4 planks')")
        # The same society is that of a tick of its own, and a closed book keeps pockets of the past
        # private.
        now = served.live.service.world.tick
        async with served.beside(loopback=Role.NEIGHBOUR) as closed:
            await page.open(closed.url(f"/society?at={now}"))
            await page.until(f"{STATE_OF_PAST} && {society}?.includes('Thorpe')")
            await page.open(closed.url(f"/?see={mole.id}&at={before}"))
            await page.until(f"{STATE} === 'paused' && {carries} === 'kept private here'")


@pytest.mark.real("chromium")
def test_two_events_of_one_tick_have_an_address_each(tmp_path: Path) -> None:
    async def whole() -> None:
        async with (
            serving(tmp_path / "data", tape=True, tick_rate_hz=TICK_RATE_HZ) as served,
            browsing(tmp_path / "profile", 1000, 700) as page,
        ):
            await tell_apart(served, page)
            assert page.complaints == []

    run(whole(), PATIENCE_SECONDS)


async def tell_apart(served: Served, page: Page) -> None:
    heading = "document.querySelector('#event h3')?.textContent"
    words = ("good morning", "good evening")
    async with served.agent("mole") as mole:
        await page.open(served.url("/"))
        await page.until(f"{STATE} === 'live'")
        await mole.obs()
        await mole.act(instants=[{"id": text, "type": "SAY", "text": text} for text in words])
        assert (await mole.result(words[1]))["ok"]
        addresses = []
        for text in words:
            link = f"{SAID.replace('good morning', text)}?.parentElement.querySelector('.did').closest('a')"
            href = await page.until(f"{link}?.href")
            addresses.append(parse_qs(urlsplit(href).query)["see"][0])
        assert len({address.partition(".")[0] for address in addresses}) == 1, "it is one tick"
        assert len(set(addresses)) == 2
        for address, text in zip(addresses, words, strict=True):
            await page.open(served.url(f"/?see={address}"))
            await page.until(f"{heading}?.includes('{text}')")


@pytest.mark.real("chromium")
def test_time_is_dragged_zoomed_typed_and_toured(tmp_path: Path) -> None:
    async def whole() -> None:
        async with (
            serving(tmp_path / "data", tape=True, tick_rate_hz=TICK_RATE_HZ) as served,
            browsing(tmp_path / "profile", 1000, 700) as page,
        ):
            await handle_time(served, page)
            assert page.complaints == []

    run(whole(), PATIENCE_SECONDS)


async def handle_time(served: Served, page: Page) -> None:
    text = "document.querySelector('{}')?.textContent"
    event, tour = text.format("#event"), text.format("#tour")
    span = f"(({{ariaValueMin: a, ariaValueMax: b}}) => b - a)({TRACK})"
    async with served.agent("mole") as mole:
        await page.open(served.url("/"))
        await page.until(f"{STATE} === 'live'")
        await act(served, mole, {"type": "SAY", "channel": "LOCAL", "text": "good morning"})
        # An event has a panel: who, when, where, and the way to watch it.
        await page.until(
            f"((one) => (one?.querySelector('.did').click(), Boolean(one)))({SAID}?.parentElement)"
        )
        told = await page.until(f"{event}?.includes('good morning') && {event}")
        assert "mole" in told
        address = await page.until("new URLSearchParams(location.search).get('see')")
        said = int(address.removeprefix("E").partition(".")[0])
        assert f"tick {said}" in told
        await page.until(f"{AT} > {said + 60}")
        await page.click("#watch")
        await page.until(f"{STATE} === 'the past'")
        assert await page.get(AT) < served.live.service.world.tick - 30, (
            "it plays as fast as the world lives"
        )
        await page.until(f"{AT} > {said}")
        # A tour begins and any other key ends it.
        await page.key("End")
        await page.key("t")
        assert "mole" in await page.until(f"{tour}?.includes('mole') && {tour}")
        await page.key("Escape")
        await page.until("!document.querySelector('#tour')")
        # The wheel zooms the lane, a drag goes along it, with Shift the lane itself moves.
        box = "(({x, y, width, height}) => [x, y, width, height])({}.getBoundingClientRect())"
        x, y, width, height = await page.get(box.replace("{}", TRACK))
        middle = {"x": x + width / 2, "y": y + height / 2}
        whole = await page.until(
            f"{span} > 150 && {span}"
        )  # a hundred ticks are as near as it gets
        await page.do(
            "Input.dispatchMouseEvent", type="mouseWheel", deltaX=0, deltaY=-120, **middle
        )
        await page.until(f"{span} < {whole}")
        for kind, at in (("mousePressed", 0.5), ("mouseMoved", 0.3), ("mouseReleased", 0.3)):
            await page.do(
                "Input.dispatchMouseEvent",
                type=kind,
                x=x + at * width,
                y=middle["y"],
                button="left",
                buttons=1,
                clickCount=1,
            )
        share = "(({ariaValueMin: a, ariaValueMax: b, ariaValueNow: t}) => (t - a) / (b - a))"
        near = f"((share) => 0.25 < share && share < 0.35)({share}({TRACK}))"
        await page.until(
            f"{STATE} === 'paused' && {near}"
        )  # the drag is drawn later than it is made
        # What is typed is a tick or a sentence of advice; the address says how fast the past plays.
        typed = (
            "((one) => (one.value = {!r}, "
            "one.form.requestSubmit()))(document.querySelector('#typed'))"
        )
        await page.get(typed.format("yesterday"))
        await page.until(text.format("#complaint") + "?.includes('Write a tick')")
        await page.get(typed.format(f"tick {said}") if said >= 100 else typed.format("tick 100"))
        await page.until(f"{AT} === {max(said, 100)} && !document.querySelector('#complaint')")
        await page.open(served.url(f"/?at={said}&speed=4"))
        await page.until(
            f"{STATE} === 'the past' && document.querySelector('#speed').value === '4' && {AT} > "
            f"{said}"
        )
        await page.open(served.url(f"/?at={said}&speed=9999&see=E99999999"))
        await page.until(f"{STATE} === 'paused'")
        await page.until(text.format("#thing") + "?.includes('has not come yet')")


def pass_time(data: Path, ticks: int) -> None:
    """Let a world without anybody in it live for some ticks."""
    tuning = Tuning(tick_rate_hz=TICK_RATE_HZ)
    with WorldService.open(RealDisk(), data / WORLD, draw_seed=5, tuning=tuning) as service:
        for _ in range(ticks):
            durable = service.tick(())
        durable.result()


@pytest.mark.real("chromium")
def test_a_past_that_is_being_made_says_so_and_then_is_shown(tmp_path: Path) -> None:
    """While a process makes the tape the page waits in words, and then shows what was asked for by
    itself."""
    may_go_on = threading.Event()
    with (
        pytest.MonkeyPatch.context() as patch
    ):  # the beginning is what a release with older rules left
        for module in (record, recovery):
            patch.setattr(module, "RULES", record.RULES - 1)
        pass_time(tmp_path / "data", SEGMENT_TICKS + 10)
    pass_time(tmp_path / "data", 2 * SEGMENT_TICKS)

    async def whole() -> None:
        async with (
            serving(tmp_path / "data", tape=True, tick_rate_hz=TICK_RATE_HZ) as served,
            browsing(tmp_path / "profile", 700, 500) as page,
        ):
            past, making = (
                f"document.querySelector('{one}')?.textContent" for one in ("#past", "#making")
            )
            await page.open(served.url("/?at=600"))
            try:
                await page.until(f"{past}?.includes('being made from the journal')")
                await page.until(f"{STATE} === 'gone' && {making}?.includes('0 % of the past')")
                assert not await page.get("document.querySelector('#tick')"), (
                    "nothing of now is shown"
                )
            finally:
                may_go_on.set()
            await page.until(f"{STATE} === 'paused' && {AT} === 600")
            # What this release cannot execute is told, and nobody waits for it; what came later is
            # there.
            await page.until(f"!{making}")
            await page.open(served.url("/?at=100"))
            await page.until(f"{STATE} === 'gone' && {past}?.includes({NOT_PLAYABLE!r})")
            assert not await page.get("document.querySelector('#tick')"), "nothing of now is shown"
            assert not await page.get(making)
            # Loading: where the segment takes its time the playhead waits, and the picture stays.
            await page.key("End")
            await page.until(f"{STATE} === 'live'")
            await page.hold("*/observer/tape/*", "*/observer/ground*")
            await page.open(served.url("/?at=700"))
            await page.until(f"{STATE} === 'loading' && {past}.includes('Loading')")
            await page.let_go()
            await page.until(f"{STATE} === 'paused' && {AT} === 700")
            assert page.complaints == []

    replay = Replay.__call__

    def waiting(self: Replay, tick: int) -> None:
        may_go_on.wait(PATIENCE_SECONDS)
        replay(self, tick)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Replay, "__call__", waiting)
        run(whole(), PATIENCE_SECONDS)


@pytest.mark.real("chromium")
def test_two_moments_are_compared_from_one_place(tmp_path: Path) -> None:
    """C keeps the picture beside an hour before, or any other moment; Esc goes back to where one
    was."""

    async def whole() -> None:
        async with (
            serving(
                tmp_path / "data", tape=True, day_ticks=600, tick_rate_hz=TICK_RATE_HZ
            ) as served,
            browsing(tmp_path / "profile", 1000, 700) as page,
            served.agent("mole"),
        ):
            await page.open(served.url("/"))
            await page.until(f"{STATE} === 'live' && {AT} > 30")
            await page.key("c")
            shown, kept = (
                f"Number({TICK_OF.format(one)}?.[1])" for one in (".moment-shown", ".moment-kept")
            )
            await page.until(f"{STATE} === 'paused' && {shown} === {kept} - 25")
            await page.until("document.querySelector('#compare .kept canvas')?.width > 100")
            # The border between the two is moved by keys; another moment is compared with the same
            # picture.
            border = "document.querySelector('#compare').style.getPropertyValue('--share')"
            await page.get("document.querySelector('#compare input').focus()")
            await page.key("ArrowRight")
            await page.until(f"{border} === '51%'")
            first = await page.get(kept)
            await page.get("document.querySelector('#scene').focus()")
            await page.key(",")
            await page.until(f"{shown} === {kept} - 26 && {kept} === {first}")
            await page.key("Escape")
            await page.until(f"!document.querySelector('#compare') && {STATE} === 'live'")
            # Whoever moves the camera sees something else: the comparison ends.
            await page.click("#compare-button")
            await page.until("document.querySelector('#compare')")
            await page.key("e", "KeyE")
            await page.until("!document.querySelector('#compare')")
            assert page.complaints == []

    run(whole(), PATIENCE_SECONDS)
