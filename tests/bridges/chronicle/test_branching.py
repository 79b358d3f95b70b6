"""A story branches with its world: the past is shared, every tick is told once, and what happens in
one is never evidence in the other."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.bridges.chronicle.test_publisher import Chronicled
from tests.bridges.chronicle.test_recovery import DISK, LAST, RANGE, TUNING, Kept
from tests.postgres import Cluster
from thorp.bridges.chronicle import (
    ChronicleWriter,
    Publisher,
    catch_up,
    open_chronicle,
    ticks_of,
    world_name,
)
from thorp.bridges.chronicle.branching import BranchedStory, WorldFork, branch_story
from thorp.bridges.chronicle.chronicler import FILE
from thorp.bridges.chronicle.publisher import NotPublished, notes_of, pages_backwards
from thorp.kernel.errors import ConflictError, IllegalError
from thorp.story import Ledger, StoryConfig, describe_branches, open_ledger, rebuild
from thorp.voxel import WorldService, fork
from thorp.voxel.new_world import create_world

DAY = 4 * RANGE
AT = DAY + 2 * RANGE + 6
"""A tick within a page, in an afternoon, when people have traded before and trade again."""
PAGES = [(1, 23), *((RANGE * n, RANGE * (n + 1) - 1) for n in range(1, 7))]
"""The pages of the original, whose last tick ends none."""


def fork_of(
    kept: Kept, at: int, into: Path, *, source: str | Path | None = None, now_s: int = 7
) -> tuple[Kept, BranchedStory]:
    """A fork of a world at a tick, with its story."""
    copy = Kept(into)
    forked = fork(DISK, kept.world_path, at, copy.world_path, make_world=create_world, now_s=now_s)
    branched = branch_story(
        DISK,
        source or kept.story_path,
        WorldFork(kept.world_path, copy.world_path, forked),
        copy.story_path,
        create_world,
    )
    return copy, branched


def pages_of(story: Ledger) -> list[tuple[int, int]]:
    """The ticks of every page that was published in a story, in its order, whatever its world."""
    entries = story.sealed_backwards("chronicle:")
    names = [name.rpartition(":")[2].split("-") for _, name in entries]
    return [(int(first), int(last)) for first, last in reversed(names)]


def spans(story: Chronicled) -> list[tuple[str, int, int]]:
    """The world and ticks of each entry that a reader takes for one of a chronicle."""
    page = story.ledger.page("GEORGE")["stream"]["entries"]
    origins = story.ledger.origins([entry["entry_id"] for entry in page])
    noted = [notes_of(origins[entry["entry_id"]]) for entry in page]
    return [(each.world, *each.ticks) for each in noted if each is not None]


def check(kept: Kept, tmp_path: Path) -> None:
    """It is sound, plays again to the same end, and tells of every tick once."""
    with kept.story() as story:
        assert story.ledger.verify().difference is None
        shutil.rmtree(tmp_path / "played", ignore_errors=True)
        with rebuild(story.ledger, tmp_path / "played") as again:
            assert again.tip() == story.ledger.tip()
        told = pages_of(story.ledger)
        assert [first for first, _ in told] == [1, *(last + 1 for _, last in told[:-1])]


@pytest.mark.parametrize(
    ("at", "shared"),
    [
        (0, []),
        (10, []),  # before the first page
        (RANGE - 1, PAGES[:1]),
        (RANGE, PAGES[:1]),
        (AT, PAGES[:6]),  # within a page
        (4 * RANGE - 1, PAGES[:4]),  # where one ends
        (LAST, PAGES),  # after the last
    ],
)
def test_a_story_branches_at_any_tick_and_both_go_on(
    tmp_path: Path, at: int, shared: list[tuple[int, int]]
) -> None:
    kept = Kept(tmp_path / "a")
    kept.live_and_tell(LAST)
    with kept.story() as story:
        before = story.texts()
        tip = story.ledger.tip()
    copy, branched = fork_of(kept, at, tmp_path / "b")
    told = shared[-1][1] if shared else 0
    assert branched.beats == len(shared)
    assert branched.untold is None
    assert branched.told == (None if at == told else (told + 1, at))
    with kept.story() as story, copy.story() as other:
        assert (story.texts(), story.ledger.tip()) == (before, tip)
        assert pages_of(other.ledger) == shared + ([(told + 1, at)] if at > told else [])
        assert other.telling.last_tick() == at
        assert other.texts()[: branched.entries] == before[: branched.entries]
        [split] = describe_branches(other.ledger)
        names = [world_name(DISK, each.world_path) for each in (kept, copy)]
        assert split["at"] == {"tick": at, "digest": split["at"]["digest"]} | dict(
            zip(("world", "fork"), names, strict=True)
        )
        assert len({*names}) == 2
    for one in (kept, copy):
        one.live_and_tell(LAST + 2 * RANGE)
        check(one, tmp_path)
    assert copy.replays == [], "it has seen all there was"
    assert kept.texts()[: len(before)] == before
    with copy.story() as other:
        worlds = [(world, last) for world, _, last in spans(other)]
        assert all((world == names[0]) == (last <= told) for world, last in worlds)
        assert other.ledger.verify(split["tip"]).difference is None
    with kept.story() as story:
        assert {world for world, _, _ in spans(story)} == {names[0]}
        assert story.ledger.verify(split["tip"]).difference is None


def test_what_is_told_at_once_is_what_happened_by_then(tmp_path: Path) -> None:
    """Its words are those of a reader who watched the original up to the fork."""
    kept = Kept(tmp_path / "a")
    kept.live_and_tell(LAST)
    copy, branched = fork_of(kept, AT, tmp_path / "b")
    with kept.story() as story, copy.story() as other:
        own = other.texts()[branched.entries :]
        assert own
        assert not {*own} & {*story.texts()}, "the page of the original tells of later ticks, too"
        for world, first, last in spans(other):
            assert last <= AT
            assert world == world_name(DISK, copy.world_path) or last < DAY + 2 * RANGE
            assert first <= last


def test_a_story_that_is_behind_is_told_up_to_the_fork(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "a")
    kept.live_and_tell(RANGE + 3)
    kept.live(LAST)
    copy, branched = fork_of(kept, AT, tmp_path / "b")
    assert branched.told == (RANGE, AT)
    with copy.story() as other:
        assert pages_of(other.ledger) == [*PAGES[:6], (144, AT)]
    with kept.story() as story:
        assert story.telling.last_tick() == RANGE - 1, "the original was only read"
    check(copy, tmp_path)


def test_a_fork_of_a_fork_knows_both(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "a")
    kept.live_and_tell(LAST)
    first, _ = fork_of(kept, AT, tmp_path / "b")
    at = AT + DAY
    first.live_and_tell(at - 20)
    first.live(at + 4)
    second, branched = fork_of(first, at, tmp_path / "c")
    third, _ = fork_of(first, AT, tmp_path / "d")  # before any tick of its own
    second.live_and_tell(at + DAY)
    third.live_and_tell(at + DAY)
    with second.story() as story:
        splits = describe_branches(story.ledger)
        assert [split["at"]["tick"] for split in splits] == [AT, at]
        assert splits[0]["at"]["fork"] == splits[1]["at"]["world"]
        assert splits[1]["beats"] == branched.beats
        assert pages_of(story.ledger)[:12] == [
            *PAGES[:6],
            *((144, AT), (AT + 1, 167), (168, 191), (192, 215), (216, 239), (240, at)),
        ]
        assert len({world for world, _, _ in spans(story)}) == 3
    with third.story() as story:
        assert [split["at"]["tick"] for split in describe_branches(story.ledger)] == [AT, AT]
    for one in (second, third):
        check(one, tmp_path)


def test_two_forks_of_one_moment_are_two(tmp_path: Path) -> None:
    """They may have one name, but no secret, id or seal in common."""
    kept = Kept(tmp_path / "a")
    kept.live_and_tell(LAST)
    copies = [fork_of(kept, AT, tmp_path / name)[0] for name in "bc"]
    for copy in copies:
        copy.live_and_tell(LAST + DAY)
        check(copy, tmp_path)
    with copies[0].story() as one, copies[1].story() as other:
        assert one.texts() == other.texts(), "the same happened in both"
        beats = describe_branches(one.ledger)[0]["beats"]
        ids = [
            {
                *story.ledger.read(
                    lambda connection: connection.execute(
                        "SELECT request_id FROM story_beat WHERE n > ? UNION ALL "
                        "SELECT entry_id FROM story_entry WHERE beat > ? UNION ALL "
                        "SELECT secret FROM story_branch",
                        [beats + 1, beats],
                    )
                )
            }
            for story in (one, other)
        ]
        assert len(ids[0]) > 5
        assert not ids[0] & ids[1]


def test_a_page_of_one_is_no_page_in_the_other(tmp_path: Path) -> None:
    """Whoever sends its request there has sent an ordinary beat, about no ticks."""
    kept = Kept(tmp_path / "a")
    kept.live_and_tell(LAST)
    copy, _ = fork_of(kept, AT, tmp_path / "b")
    copy.live_and_tell(LAST)
    with kept.story() as story, copy.story() as other:
        pages = [last_page(each.ledger) for each in (story, other)]
        for (request_id, text), two in zip(pages, (other, story), strict=True):
            before = pages_of(two.ledger)
            last = two.telling.last_tick()
            forged = text.replace('"input_text":""', '"input_text":"It was so."')
            assert forged != text
            status, body = two.ledger.invoke(forged)
            assert (status, body["request_id"]) == (200, request_id)
            assert pages_of(two.ledger) == before
            assert two.telling.last_tick() == last
            origins = two.ledger.origins([entry["entry_id"] for entry in body["stream"]["entries"]])
            assert origins
            assert [ticks_of(origin) for origin in origins.values()] == [None]


def last_page(story: Ledger) -> tuple[str, str]:
    """The request of the last page that wrote something, and its envelope."""
    [(request_id, text)] = story.read(
        lambda connection: connection.execute(
            "SELECT request_id, envelope FROM story_beat WHERE bundle_id IS NOT NULL "
            "ORDER BY n DESC LIMIT 1"
        )
    )
    return request_id, text


def test_what_was_said_before_the_next_page_is_in_both(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "a")
    kept.live_and_tell(DAY + 2 * RANGE)
    say(kept, "We wait.")
    kept.live_and_tell(LAST)
    say(kept, "We know.")
    copy, _ = fork_of(kept, AT, tmp_path / "b")
    assert "We wait." in copy.texts()
    assert "We know." not in copy.texts()
    data = b"".join(path.read_bytes() for path in copy.story_path.iterdir())
    assert b"We wait." in data
    assert b"We know." not in data


def say(kept: Kept, text: str) -> None:
    with kept.story() as story:
        envelope: dict[str, Any] = {
            "request_id": f"say-{text}",
            "invoker": {"invoker_id": "SYSTEM_INVOKER", "invoker_role": "INVOKER"},
            "operator": {"operator_id": "GEORGE", "input_text": text},
            "mode": {"kind": "BEAT"},
        }
        assert story.ledger.invoke(envelope)[0] == 200


def test_a_story_that_has_no_chronicle_goes_along_whole(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "a")
    kept.live(LAST)
    kept.story_path.mkdir()
    with open_ledger(kept.story_path, StoryConfig()) as story:
        assert (
            story.invoke(
                {
                    "request_id": "r-1",
                    "invoker": {"invoker_id": "SYSTEM_INVOKER", "invoker_role": "INVOKER"},
                    "operator": {"operator_id": "GEORGE", "input_text": "The ferry leaves."},
                    "mode": {"kind": "BEAT"},
                }
            )[0]
            == 200
        )
    copy, branched = fork_of(kept, AT, tmp_path / "b")
    assert (branched.beats, branched.told, branched.untold) == (1, None, None)
    with open_ledger(copy.story_path) as other:
        assert other.page()["stream"]["entries"][0]["text"] == "The ferry leaves."
        assert other.verify().difference is None


def test_a_chronicle_that_has_told_nothing_yet_is_told_from_the_beginning(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "a")
    kept.live(LAST)
    kept.story().ledger.close()
    copy, branched = fork_of(kept, AT, tmp_path / "b")
    assert (branched.beats, branched.told) == (0, (1, AT))
    check(copy, tmp_path)


def test_a_world_that_began_anew_takes_the_story_of_both(tmp_path: Path) -> None:
    """After `--fresh` a story goes on with the next world: its earlier one is the past of the
    fork."""
    kept = Kept(tmp_path / "a")
    kept.live_and_tell(LAST)
    old = kept.texts()
    shutil.rmtree(kept.world_path)
    with WorldService.open(
        DISK, kept.world_path, seed=1337, draw_seed=1, tuning=TUNING, clock=lambda: 5
    ):
        pass
    kept.live_and_tell(2 * RANGE)
    copy, _ = fork_of(kept, RANGE + 2, tmp_path / "b")
    with copy.story() as other:
        assert other.texts()[: len(old)] == old
        assert pages_of(other.ledger)[-3:] == [(6 * RANGE, LAST - 1), (1, 23), (24, 26)]
        assert other.ledger.verify().difference is None


def test_ticks_that_cannot_be_executed_any_more_are_named(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "a")
    kept.live(5 * RANGE)
    kept.story().ledger.close()
    min(kept.world_path.glob("journal-*")).unlink()
    copy, branched = fork_of(kept, 3 * RANGE, tmp_path / "b")
    assert (branched.untold, branched.told) == ((1, 70), (71, 72))
    with copy.story() as other:
        assert other.telling.last_tick() == 3 * RANGE


def test_a_fork_at_a_snapshot_that_stands_alone_has_nothing_to_tell(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "a")
    kept.live(5 * RANGE)
    kept.story().ledger.close()
    min(kept.world_path.glob("journal-*")).unlink()
    copy, branched = fork_of(kept, 70, tmp_path / "b")
    assert (branched.untold, branched.told) == ((1, 70), None)
    copy.live_and_tell(LAST)
    assert copy.replays == []


def test_the_original_gets_no_file(tmp_path: Path) -> None:
    """Not even the one in which a world keeps its name."""
    kept = Kept(tmp_path / "a")
    kept.live_and_tell(LAST)
    (kept.world_path / FILE).unlink()
    before = {path: path.read_bytes() for path in kept.world_path.iterdir()}
    copy, _ = fork_of(kept, AT, tmp_path / "b")
    assert {path: path.read_bytes() for path in kept.world_path.iterdir()} == before
    assert (copy.world_path / FILE).exists()


def test_where_there_is_no_story_none_is_made(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "a")
    kept.live(LAST)
    with pytest.raises(IllegalError) as refused:
        fork_of(kept, AT, tmp_path / "b")
    assert refused.value.code == "no_story"
    assert not (tmp_path / "b" / "story").exists()
    assert not kept.story_path.exists()


def test_a_story_is_not_written_over(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "a")
    kept.live_and_tell(LAST)
    copy = Kept(tmp_path / "b")
    say(kept, "Here.")
    shutil.copytree(kept.story_path, copy.story_path)
    with pytest.raises(ConflictError):
        fork_of(kept, AT, tmp_path / "b")


def test_a_page_that_the_story_refuses_is_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fork has no journal of those ticks: what is not told now never is."""
    kept = Kept(tmp_path / "a")
    kept.live_and_tell(LAST)

    def refuse(*_: object) -> Any:
        raise NotPublished("no space left")

    monkeypatch.setattr(Publisher, "tell", refuse)
    with pytest.raises(NotPublished):
        fork_of(kept, AT, tmp_path / "b")


@pytest.mark.real("postgresql")
def test_a_story_in_postgresql_branches_into_the_directory(
    tmp_path: Path, postgres: Cluster
) -> None:
    kept = Kept(tmp_path / "a")
    kept.live(LAST)
    url = postgres.make_schema()
    writer = ChronicleWriter()
    with open_chronicle(url, writer) as story:
        publisher = Publisher(story, writer, world_name(DISK, kept.world_path))
        catch_up(publisher, DISK, kept.world_path, create_world)
        told = len([*pages_backwards(story, world_name(DISK, kept.world_path))])
        assert told == 7
        before = story.tip()
        copy, branched = fork_of(kept, AT, tmp_path / "b", source=url)
        assert story.tip() == before
    assert branched.beats == 6
    copy.live_and_tell(LAST)
    check(copy, tmp_path)
