"""Whatever ends, breaks or falls behind: in the end the story has every range, once, as it should
be."""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable
from concurrent.futures import Future
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from tests.bridges.chronicle.test_publisher import Chronicled
from thorp.bridges.chronicle import Chronicler, PublishedPage, Publisher, catch_up, world_name
from thorp.bridges.chronicle import chronicler as chronicler_module
from thorp.bridges.chronicle.chronicler import FILE
from thorp.bridges.chronicle.publisher import NotPublished
from thorp.kernel.errors import DamagedError, IllegalError
from thorp.protocol import actions
from thorp.protocol.act import Act
from thorp.store import RealDisk
from thorp.voxel import WorldService
from thorp.voxel.inputs import Acted, AnyInput, Join
from thorp.voxel.new_world import create_world
from thorp.voxel.state.world import World
from thorp.voxel.tuning import Tuning

DISK = RealDisk()
TUNING = Tuning(day_ticks=96, season_length_ticks=960, snapshot_every_ticks=70)
RANGE = 24
LAST = 7 * RANGE


def life(world: World) -> list[AnyInput]:
    """Two people who come in, found a city and trade now and then; what they do follows from the
    world."""
    if not len(world.agents):
        return [Join(name, sha256(name.encode()).hexdigest()) for name in ("Mara", "Bram")]
    wishes: list[tuple[int, Any]] = []
    giver, taker = (1, 2) if world.tick % 14 else (2, 1)
    if world.tick == 3:
        wishes.append((1, actions.CreateOrg(org_kind="CITY", org_name="Millbrook")))
    if world.tick % 7 == 0:
        wishes.append(
            (giver, actions.OfferTrade(to=f"A{taker}", offer=[("COAL", 1)], request=[("PLANK", 2)]))
        )
    for trade in world.trades:
        wishes.append((int(trade.addressee[1:]), actions.AcceptTrade(trade_id=trade.id)))
    return [Acted(number, Act(tick=world.tick, instants=[wish])) for number, wish in wishes]


class Kept:
    """A world in a directory, and its story beside it."""

    def __init__(self, path: Path) -> None:
        self.world_path = path / "world"
        self.story_path = path / "story"
        self.replays: list[int] = []

    def replay(self, telling: Publisher, until: int | None = None) -> list[PublishedPage]:
        told: list[PublishedPage] = []
        catch_up(telling, DISK, self.world_path, create_world, until=until, show=told.append)
        return told

    def open(self) -> WorldService:
        return WorldService.open(DISK, self.world_path, seed=1337, draw_seed=1, tuning=TUNING)

    def live(self, to_tick: int, look: Callable[[World, Future[None]], None] | None = None) -> None:
        """Let them live until a tick, watched or not."""
        with self.open() as service:
            self.go_on(service, to_tick, look)

    def go_on(
        self,
        service: WorldService,
        to_tick: int,
        look: Callable[[World, Future[None]], None] | None,
    ) -> None:
        while service.world.tick < to_tick:
            durable = service.tick(life(service.world))
            if look is not None:
                look(service.world, durable)

    def live_and_tell(self, to_tick: int) -> None:
        """The same with a chronicler."""
        with self.open() as service, self.story() as story:
            chronicler = self.chronicler(story, service.world)
            self.go_on(service, to_tick, chronicler.look)
            chronicler.close()

    def chronicler(self, story: Chronicled, world: World) -> Chronicler:
        def again(until: int) -> None:
            self.replays.append(until)
            self.replay(story.telling, until)

        return Chronicler(story.telling, world, again)

    def story(self) -> Chronicled:
        return Chronicled(self.story_path, world_name(DISK, self.world_path))

    def texts(self) -> list[str]:
        with self.story() as story:
            return story.texts()

    def as_it_should_be(self, tmp_path: Path) -> list[str]:
        """What a reader of the whole journal tells, in one go."""
        with Chronicled(tmp_path / "other", "x") as other:
            catch_up(other.telling, DISK, self.world_path, create_world)
            return other.texts()


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


def test_a_chronicler_that_was_never_disturbed(kept: Kept, tmp_path: Path) -> None:
    kept.live_and_tell(LAST)
    assert kept.replays == [], "it has seen all there was"
    assert kept.texts() == kept.as_it_should_be(tmp_path)
    assert any("the city of Millbrook" in text for text in kept.texts())


def test_restarts_in_the_middle_of_ranges_lose_and_double_nothing(
    kept: Kept, tmp_path: Path
) -> None:
    for tick in (RANGE // 2, RANGE - 1, 3 * RANGE + 5, 3 * RANGE + 6, 4 * RANGE - 1, 7 * RANGE):
        kept.live_and_tell(tick)
    assert kept.replays, "ranges that were not seen whole were found again"
    assert kept.texts() == kept.as_it_should_be(tmp_path)


def test_a_world_that_was_not_told_is_caught_up(kept: Kept, tmp_path: Path) -> None:
    kept.live(5 * RANGE + 3)
    kept.live_and_tell(5 * RANGE + 4)
    assert kept.replays == [5 * RANGE - 1], "at once, and not only when the next range is over"
    with kept.story() as story:
        assert story.telling.last_tick() == 5 * RANGE - 1
        assert kept.replay(story.telling) == []
    assert kept.texts() == kept.as_it_should_be(tmp_path)


def test_telling_from_the_journal_twice_tells_nothing_twice(kept: Kept) -> None:
    kept.live(4 * RANGE)
    with kept.story() as story:
        told = kept.replay(story.telling, until=2 * RANGE)
        assert [one.ticks.last for one in told] == [RANGE - 1, 2 * RANGE - 1]
        assert [one.ticks.last for one in kept.replay(story.telling)] == [
            3 * RANGE - 1,
            4 * RANGE - 1,
        ]
        assert kept.replay(story.telling) == []
        assert len(story.texts()) == len({*story.texts()})


def test_two_who_tell_the_same_world_tell_it_once(kept: Kept, tmp_path: Path) -> None:
    kept.live(6 * RANGE)
    with kept.story() as one, kept.story() as other:
        threads = [
            threading.Thread(target=kept.replay, args=[each.telling]) for each in (one, other)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert kept.texts() == kept.as_it_should_be(tmp_path)


def test_a_story_that_fails_for_a_while(
    kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with kept.open() as service, kept.story() as story:
        chronicler = kept.chronicler(story, service.world)
        tell, broken = story.telling.tell, threading.Event()
        broken.set()

        def sometimes(page: Any) -> Any:
            if broken.is_set():
                raise NotPublished("no space left")
            return tell(page)

        monkeypatch.setattr(story.telling, "tell", sometimes)
        kept.go_on(service, 3 * RANGE, chronicler.look)
        while not caplog.records:
            pass
        broken.clear()
        kept.go_on(service, 6 * RANGE, chronicler.look)
        chronicler.close()
    assert "could not be published yet" in caplog.text
    assert kept.texts() == kept.as_it_should_be(tmp_path)


def test_a_story_that_is_slow_holds_up_no_tick_and_misses_nothing(
    kept: Kept, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    monkeypatch.setattr(chronicler_module, "MAX_PAGES", 2)
    with kept.open() as service, kept.story() as story:
        chronicler = kept.chronicler(story, service.world)
        tell, free = story.telling.tell, threading.Event()

        def slowly(page: Any) -> Any:
            assert free.wait(60)
            return tell(page)

        monkeypatch.setattr(story.telling, "tell", slowly)
        kept.go_on(service, 6 * RANGE, chronicler.look)
        free.set()
        kept.go_on(service, 8 * RANGE, chronicler.look)
        chronicler.close()
    assert "is behind" in caplog.text
    with kept.story() as story:
        kept.replay(story.telling)
    assert kept.texts() == kept.as_it_should_be(tmp_path)


def test_a_failing_observer_does_not_stop_the_world(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with kept.open() as service, kept.story() as story:
        chronicler = kept.chronicler(story, service.world)
        monkeypatch.setattr(chronicler._builder, "look", lambda world: 1 / 0)
        kept.go_on(service, RANGE, chronicler.look)
        chronicler.close()
        assert service.world.tick == RANGE
    assert "the chronicle has stopped at tick 1; the world goes on" in caplog.text


def test_nothing_is_told_before_it_is_durable(kept: Kept) -> None:
    with kept.open() as service, kept.story() as story:
        chronicler = kept.chronicler(story, service.world)
        never: Future[None] = Future()
        kept.go_on(service, RANGE, lambda world, durable: chronicler.look(world, never))
        assert story.telling.last_tick() == 0
        never.set_exception(OSError("the disk failed"))
        chronicler.close()
        assert story.telling.last_tick() == 0


def test_what_cannot_be_executed_any_more_is_a_gap_and_said_to_be_one(kept: Kept) -> None:
    kept.live(5 * RANGE)
    with kept.story():
        pass  # its name is kept from now on
    oldest = min(kept.world_path.glob("journal-*"))
    oldest.unlink()
    gaps: list[tuple[int, int]] = []
    told: list[PublishedPage] = []
    with kept.story() as story:
        catch_up(
            story.telling,
            DISK,
            kept.world_path,
            create_world,
            show=told.append,
            gap=lambda *ticks: gaps.append(ticks),
        )
        assert gaps == [(1, 70)]
        assert [one.ticks for one in told] == [(71, 71), (72, 95), (96, 119)]
        assert kept.replay(story.telling) == []


def test_a_world_that_is_gone_back_in_is_not_told_twice(kept: Kept, tmp_path: Path) -> None:
    """A backup came back: its story knows more than the world does."""
    kept.live(3 * RANGE)
    shutil.copytree(kept.world_path, tmp_path / "backup")
    kept.live_and_tell(6 * RANGE)
    before = kept.texts()
    shutil.rmtree(kept.world_path)
    shutil.copytree(tmp_path / "backup", kept.world_path)
    kept.live_and_tell(5 * RANGE)
    assert kept.texts() == before, "it is the same world, and these ticks were told"


# Which world it is


def test_a_world_has_one_name_and_the_next_one_has_another(kept: Kept, tmp_path: Path) -> None:
    kept.live(10)
    name = world_name(DISK, kept.world_path)
    assert name == world_name(DISK, kept.world_path)
    shutil.copytree(kept.world_path, tmp_path / "copy")
    (tmp_path / "copy" / FILE).unlink()
    assert world_name(DISK, tmp_path / "copy") == name, "it follows from how the world began"
    other = Kept(tmp_path / "next")
    with WorldService.open(
        DISK, other.world_path, seed=1337, draw_seed=1, tuning=TUNING, clock=lambda: 5
    ) as s:
        s.tick([]).result()
    assert world_name(DISK, other.world_path) != name


def test_a_directory_without_a_world_or_with_a_foreign_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(IllegalError) as refused:
        world_name(DISK, tmp_path)
    assert refused.value.code == "no_world"
    (tmp_path / FILE).write_text("../../etc\n")
    with pytest.raises(DamagedError):
        world_name(DISK, tmp_path)
