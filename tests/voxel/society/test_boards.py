"""Boards: posting, finding, opening, and what every OBS shows of them."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.voxel.flat import STAND, events, put_agent
from tests.voxel.society.civic import a_land, a_society, an_org, ask, outcome, said, wait
from tests.voxel.working import check_books, put
from thorp.protocol.actions import (
    LeaveOrg,
    Mine,
    Open,
    PostBoard,
    RemovePost,
    Say,
    SearchBoard,
    SetPermissions,
)
from thorp.protocol.obs import Obs
from thorp.voxel.lookups import board_views
from thorp.voxel.observation.compose import compose
from thorp.voxel.observation.session import Session
from thorp.voxel.society import boards
from thorp.voxel.society.boards import MAX_BODY_BYTES, MAX_TITLE_BYTES, publish
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.world import World, block_id
from thorp.voxel.tick import step
from thorp.voxel.tuning import RateLimits

HERE = (20, STAND, 1)
BOARD = f"BULLETIN_BOARD@20,{STAND},1"


def a_square(**tuning: Any) -> tuple[World, Agent]:
    """A board and somebody before it. How often one may post is no matter here."""
    world = a_society(rate_limits=RateLimits(post_board_max=1000), **tuning)
    put(world, HERE, "BULLETIN_BOARD")
    return world, put_agent(world, 20, 0)


def note(
    board: str | None = BOARD, title: str | None = "Planks", body: str | None = "ten for a coal"
) -> PostBoard:
    return PostBoard(board_id=board, title=title, body=body)


def shown(world: World, agent: Agent) -> Any:
    """The boards in an agent's next OBS, read as strictly as a typed client does."""
    session = Session(agent.number)
    step(world, [])
    compose(world, [session])
    text = session.take() or b""
    msgspec.json.decode(text, type=Obs)
    return msgspec.json.decode(text).get("public_boards")


def found(
    world: World, agent: Agent, text: str, board: str = BOARD, limit: int | None = None
) -> list[str]:
    assert said(world, agent, SearchBoard(board_id=board, text=text, limit=limit)) == "ok"
    event: Any = events(agent, "BOARD_SEARCH")[-1]
    return [one["post_id"] for one in event["results"]]


def refused(world: World, agent: Agent, wish: Any) -> tuple[str, str]:
    before = world.notices.digest(), world.counters.post
    (result,) = ask(world, agent, wish)
    assert not result["ok"], result
    assert before == (world.notices.digest(), world.counters.post)
    return result["code"], result["message"]


# Posting


def test_a_post_is_answered_with_its_id() -> None:
    world, agent = a_square()
    (result,) = ask(
        world, agent, PostBoard(id="b", target_id=BOARD, board_id="news", title="Hi", body="there")
    )
    assert result == {"t": 1, "type": "ACTION_RESULT", "ref": "b", "ok": True, "post_id": "P000001"}
    assert [notices.board_id for notices in world.notices] == [BOARD], "target_id wins"
    check_books(world)


@pytest.mark.parametrize(
    ("wish", "code", "message"),
    [
        (note(board=None), "E_BAD_REQUEST", "missing board_id/title/body"),
        (note(title=""), "E_BAD_REQUEST", "missing board_id/title/body"),
        (note(body=None), "E_BAD_REQUEST", "missing board_id/title/body"),
        (note(title="x" * (MAX_TITLE_BYTES + 1)), "E_BAD_REQUEST", "post too large"),
        (note(title="語" * (MAX_TITLE_BYTES // 3 + 1)), "E_BAD_REQUEST", "post too large"),
        (note(body="x" * (MAX_BODY_BYTES + 1)), "E_BAD_REQUEST", "post too large"),
        (note(board=f"CHEST@20,{STAND},1"), "E_BAD_REQUEST", "not a board"),
        (note(board="BULLETIN_BOARD@1,2,3"), "E_INVALID_TARGET", "board not found"),
        (note(board=f"BULLETIN_BOARD@020,{STAND},1"), "E_INVALID_TARGET", "board not found"),
        (note(board="BULLETIN_BOARD@here"), "E_INVALID_TARGET", "board not found"),
        (note(board=f"BULLETIN_BOARD@30,{STAND},0"), "E_BLOCKED", "too far"),
    ],
)
def test_posts_that_are_refused(wish: PostBoard, code: str, message: str) -> None:
    world, agent = a_square()
    put(world, (30, STAND, 0), "BULLETIN_BOARD")
    assert refused(world, agent, wish) == (code, message)


def test_the_longest_post_fits() -> None:
    world, agent = a_square()
    assert said(world, agent, note(title="x" * MAX_TITLE_BYTES, body="y" * MAX_BODY_BYTES)) == "ok"


def test_one_may_post_so_often() -> None:
    world = a_society()
    agent = put_agent(world)
    first, second = ask(world, agent, note("news"), note("news"))
    assert (first["ok"], second["code"], second["cooldown_ticks"]) == (True, "E_RATE_LIMIT", 600)
    wait(world, 599)
    assert said(world, agent, note("news")) == "ok"


@pytest.mark.parametrize("wish", [note(title=""), note(body="y" * (MAX_BODY_BYTES + 1)), note()])
def test_a_post_that_is_refused_does_not_use_up_the_one_that_is_allowed(wish: PostBoard) -> None:
    world = a_society()
    agent = put_agent(world)
    refused, posted = ask(world, agent, wish, note("news"))
    assert (refused["ok"], posted["ok"]) == (False, True)


def test_the_land_decides_who_posts_but_anyone_may_read() -> None:
    world, visitor = a_square()
    owner = put_agent(world, 21, 0)
    claim = a_land(world, owner, 20, 3)
    assert refused(world, visitor, note()) == ("E_NO_PERMISSION", "posting not allowed here")
    assert said(world, owner, note()) == "ok"
    assert outcome(world, visitor, Open(target_id=BOARD)) == "ok"
    assert found(world, visitor, "planks") == ["P000001"]
    assert said(world, visitor, note("news")) == "ok", "what is everywhere is on nobody's land"
    assert (
        said(world, owner, SetPermissions(land_id=claim.id, policy={"allow_trade": True})) == "ok"
    )
    assert said(world, visitor, note()) == "ok"


# Reading


def test_opening_shows_the_newest_with_the_oldest_of_them_first() -> None:
    world, agent = a_square()
    for number in range(25):
        publish(world, BOARD, "A9", f"title {number}", f"body {number}")
    assert outcome(world, agent, Open(target_id=BOARD)) == "ok"
    (event,) = events(agent, "BOARD")
    posts: Any = event.pop("posts")
    assert event == {
        "t": 1,
        "type": "BOARD",
        "board_id": BOARD,
        "pos": list(HERE),
        "total_posts": 25,
    }
    assert [one["post_id"] for one in posts] == [f"P{number:06d}" for number in range(6, 26)]
    assert posts[0] == {
        "post_id": "P000006",
        "author": "A9",
        "title": "title 5",
        "body": "body 5",
        "tick": 0,
    }


def test_opening_an_empty_board_and_one_too_far() -> None:
    world, agent = a_square()
    assert outcome(world, agent, Open(target_id=BOARD)) == "ok"
    assert events(agent, "BOARD")[0]["posts"] == []
    put(world, (30, STAND, 0), "BULLETIN_BOARD")
    assert outcome(world, agent, Open(target_id=f"BULLETIN_BOARD@30,{STAND},0")) == "E_BLOCKED"


def test_titles_that_match_come_first_then_the_newest() -> None:
    world, agent = a_square()
    for title, body in (
        ("Iron wanted", "pays well"),
        ("Market", "no iron today"),
        ("IRON IRON", "iron"),
        ("Planks", "cheap"),
        ("Notice", "the Ironmonger is closed"),
    ):
        publish(world, BOARD, "A9", title, body)
    assert found(world, agent, "iRoN") == ["P000003", "P000001", "P000005", "P000002"]
    assert found(world, agent, "iron", limit=2) == ["P000003", "P000001"]
    assert found(world, agent, "gold") == []
    event: Any = events(agent, "BOARD_SEARCH")[-1]
    assert (event["board_id"], event["query"], event["total_posts"]) == (BOARD, "gold", 5)


def test_search_cuts_bodies_between_characters() -> None:
    world, agent = a_square()
    publish(world, BOARD, "A9", "long", "語" * 600)
    assert found(world, agent, "long") == ["P000001"]
    event: Any = events(agent, "BOARD_SEARCH")[-1]
    assert event["results"][0]["body"] == "語" * 133


@pytest.mark.parametrize(
    ("limit", "count"), [(None, 20), (0, 20), (-3, 20), (7, 7), (50, 50), (51, 50), (2**31 - 1, 50)]
)
def test_limits_of_a_search(limit: int | None, count: int) -> None:
    world, agent = a_square()
    for number in range(60):
        publish(world, "news", f"A{number % 3}", "again", "and again")
    assert len(found(world, agent, "again", "news", limit)) == count


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        (SearchBoard(text="x"), "E_BAD_REQUEST"),
        (SearchBoard(board_id=BOARD), "E_BAD_REQUEST"),
        (SearchBoard(board_id=BOARD, text=""), "E_BAD_REQUEST"),
        (SearchBoard(board_id=BOARD, text="x" * 121), "E_BAD_REQUEST"),
        (SearchBoard(board_id="nowhere", text="x"), "E_INVALID_TARGET"),
        (SearchBoard(board_id="BULLETIN_BOARD@1,2,3", text="x"), "E_INVALID_TARGET"),
        (SearchBoard(board_id="SIGN@1,2,3", text="x"), "E_BAD_REQUEST"),
        (SearchBoard(board_id=f"BULLETIN_BOARD@30,{STAND},0", text="x"), "E_BLOCKED"),
    ],
)
def test_searches_that_are_refused(wish: SearchBoard, code: str) -> None:
    world, agent = a_square()
    put(world, (30, STAND, 0), "BULLETIN_BOARD")
    assert refused(world, agent, wish)[0] == code
    assert not events(agent, "BOARD_SEARCH")


def test_searching_is_limited_too() -> None:
    world, agent = a_square()
    wish = SearchBoard(board_id=BOARD, text="x")
    *allowed, last = ask(world, agent, *[wish] * 6)
    assert all(one["ok"] for one in allowed)
    assert (last["code"], last["cooldown_ticks"]) == ("E_RATE_LIMIT", 50)


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(
            st.text("abAB ß", min_size=1, max_size=4), st.text("abAB ß", min_size=1, max_size=4)
        ),
        max_size=9,
    ),
    st.text("abß", min_size=1, max_size=2),
)
def test_everything_that_matches_is_found_once(posts: list[tuple[str, str]], query: str) -> None:
    world, agent = a_square()
    for title, body in posts:
        publish(world, BOARD, "A9", title, body)
    ranked = sorted(
        (query.casefold() not in title.casefold(), -number)
        for number, (title, body) in enumerate(posts, 1)
        if query.casefold() in title.casefold() or query.casefold() in body.casefold()
    )
    assert found(world, agent, query) == [f"P{-number:06d}" for _, number in ranked]


# What there is room for


def test_old_posts_make_room(monkeypatch: pytest.MonkeyPatch) -> None:
    world, agent = a_square()
    monkeypatch.setattr(boards, "POSTS_KEPT", 3)
    for number in range(5):
        publish(world, BOARD, "A9", f"title {number}", "body")
    assert found(world, agent, "title") == ["P000005", "P000004", "P000003"]


def test_an_author_has_a_quarter_of_a_board_and_its_oldest_post_makes_room() -> None:
    world, agent = a_square()
    for number in range(boards.MAX_OF_AUTHOR + 1):
        publish(world, "news", "A9", f"title {number}", "body")
    assert [one.title for one in world.notices["news"].posts][:2] == ["title 1", "title 2"]
    assert 4 * len(world.notices["news"].posts) == boards.POSTS_KEPT
    assert found(world, agent, "title 0", "news") == []


def test_a_few_loud_authors_do_not_take_down_what_others_wrote() -> None:
    world, _ = a_square()
    publish(world, "news", "A1", "quiet", "the oldest post of all")
    for number in range(3 * boards.POSTS_KEPT):
        publish(world, "news", f"A{2 + number % 6}", "loud", "body")
    posts = world.notices["news"].posts
    assert len(posts) == boards.POSTS_KEPT
    assert posts[0].title == "quiet"
    for number in range(boards.POSTS_KEPT - 7):
        publish(world, "news", f"B{number}", "one each", "body")
    assert posts[0].title == "quiet"
    assert [one.title for one in posts].count("loud") == 6, "who has the most makes room first"
    publish(world, "news", "C1", "one more", "body")
    assert posts[0].title == "loud", "of equals the oldest"


def test_the_quietest_board_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    world, agent = a_square()
    monkeypatch.setattr(boards, "MAX_GLOBAL_BOARDS", 2)
    for board in (BOARD, "first", "second", "first", "third"):
        publish(world, board, "A9", "title", "body")
    assert [notices.board_id for notices in world.notices] == [BOARD, "first", "third"]
    assert [one["board_id"] for one in shown(world, agent)] == [BOARD, "first", "third"]


def test_a_board_that_is_mined_takes_its_posts_along() -> None:
    world, agent = a_square()
    publish(world, BOARD, "A9", "title", "body")
    assert shown(world, agent)
    assert outcome(world, agent, Mine(block_pos=HERE)) == "ok"
    assert not world.notices
    assert shown(world, agent) is None
    put(world, HERE, "BULLETIN_BOARD")
    assert shown(world, agent) is None
    assert found(world, agent, "title") == []


# In every OBS


def test_an_obs_shows_the_newest_posts_of_boards_near_and_everywhere() -> None:
    world, agent = a_square()
    assert shown(world, agent) is None
    far = put_agent(world, 20, 33)
    farther = put_agent(world, 20, 34)
    for number in range(7):
        publish(world, "news", "A9", f"title {number}", "語" * 50)
    publish(world, BOARD, "A3", "here", "short")
    near = {
        "board_id": BOARD,
        "top_posts": [{"post_id": "P000008", "author": "A3", "title": "here", "summary": "short"}],
    }
    for somebody in (agent, far):
        first, news = shown(world, somebody)
        assert first == near
        assert [one["post_id"] for one in news["top_posts"]] == [
            f"P{number:06d}" for number in (7, 6, 5, 4, 3)
        ]
        assert news["top_posts"][0]["summary"] == "語" * 40
    (news,) = shown(world, farther)
    assert news["board_id"] == "news"
    world.relocate(farther, (20, STAND, 33))
    assert len(shown(world, farther)) == 2


def test_many_boards_do_not_fill_an_obs() -> None:
    world, agent = a_square()
    for number in range(60):
        publish(world, f"board {number:02d}", "A9", "\x01" * MAX_TITLE_BYTES, "\x02" * 500)
    names = [one["board_id"] for one in shown(world, agent)]
    assert names == sorted(names)
    assert names[-1] == "board 59"
    assert len(board_views.public_boards(world, agent)) < 2 * board_views.OBS_BYTES


def test_what_is_shown_follows_every_post() -> None:
    world, agent = a_square()
    for board in ("news", BOARD, "news", "other", BOARD):
        publish(world, board, "A9", "title", "body")
        fresh = check_books(world)
        here = board_views.public_boards(world, agent)
        assert here == board_views.public_boards(fresh, fresh.agents[agent.number])


# Channels


def test_a_city_hears_its_own() -> None:
    world = a_society()
    speaker, member, outsider = (put_agent(world, 300 * number, 0) for number in range(3))
    an_org(world, speaker, member)
    assert said(world, speaker, Say(channel="CITY", text="to the wall!")) == "ok"
    heard = {"type": "CHAT", "from": "A1", "channel": "CITY", "text": "to the wall!"}
    for one in (speaker, member):
        assert heard.items() <= events(one, "CHAT")[-1].items()
    assert events(outsider, "CHAT") == []
    assert [one for one in world.scratch.public_events if one["kind"] == "CHAT"] == [], (
        "spectators do not hear it"
    )
    assert said(world, outsider, Say(channel="CITY", text="me too")) == "E_NO_PERMISSION"
    assert said(world, member, LeaveOrg()) == "ok"
    assert said(world, member, Say(channel="CITY", text="bye")) == "E_NO_PERMISSION"
    assert said(world, speaker, Say(channel="CITY", text="alone")) == "ok"
    assert len(events(member, "CHAT")) == 1


def test_the_market_needs_the_right_to_trade() -> None:
    world = a_society()
    owner, visitor = put_agent(world, 2, 0), put_agent(world, 5, 0)
    claim = a_land(world, owner)
    cry = Say(channel="MARKET", text="planks!")
    assert said(world, visitor, cry) == "E_NO_PERMISSION"
    assert said(world, owner, cry) == "ok"
    assert (
        said(world, owner, SetPermissions(land_id=claim.id, policy={"allow_trade": True})) == "ok"
    )
    assert said(world, visitor, cry) == "ok"
    assert len(events(owner, "CHAT")) == 2


# Quotas


def test_nobody_begins_more_than_a_few_boards_and_none_goes_that_is_in_use(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(boards, "MAX_GLOBAL_BOARDS", 6)
    world = a_society()
    one, other = put_agent(world), put_agent(world, 1)
    for agent in (one, other):
        agent.earlier_presence = boards.MAX_BEGUN * world.tuning.day_ticks
    for number in range(boards.MAX_BEGUN):
        boards.publish(world, f"board {number}", one.id, "title", "body")
    (no,) = ask(world, one, note("one more"))
    assert (no["ok"], no["code"]) == (False, "E_CONFLICT")
    for number in range(2):
        boards.publish(world, f"other {number}", other.id, "title", "body")
    (no,) = ask(world, other, note("new"))
    assert (no["ok"], no["code"]) == (False, "E_CONFLICT")
    assert len(world.notices) == 6
    world.tick += world.tuning.day_ticks
    other.windows.clear()
    assert said(world, other, note("new")) == "ok"
    assert "board 0" not in world.notices


def test_how_many_boards_one_begins_grows_with_its_days_of_presence() -> None:
    world, agent = a_square()
    for days in range(boards.MAX_BEGUN + 2):
        agent.earlier_presence = days * world.tuning.day_ticks
        results = [ask(world, agent, note(f"day {days}, {number}"))[0] for number in range(2)]
        assert [one["ok"] for one in results] == [days < boards.MAX_BEGUN, False]
        assert results[1]["code"] == "E_CONFLICT"
        assert ("another day of presence" in results[1]["message"]) == (days < boards.MAX_BEGUN - 1)


def test_a_crowd_of_new_bodies_leaves_room_for_those_who_stay() -> None:
    world, resident = a_square()
    resident.earlier_presence = 10 * world.tuning.day_ticks
    assert said(world, resident, note("parish")) == "ok"
    crowd = [put_agent(world, number, 5) for number in range(boards.MAX_GLOBAL_BOARDS)]
    for number, agent in enumerate(crowd):
        assert said(world, agent, note(f"spam {number}")) == "ok"
    assert len(world.notices) == 1 + boards.MAX_BEGUN_BY_NEWCOMERS
    assert "spam 0" not in world.notices, "the quietest of theirs made room"
    for agent in crowd:
        world.agents.remove(agent.number)
    late = put_agent(world, 3, 3)
    assert said(world, late, note("hello")) == "ok"
    assert len(world.notices) == 1 + boards.MAX_BEGUN_BY_NEWCOMERS, (
        "who is gone counts like a newcomer"
    )
    assert said(world, resident, note("market")) == "ok"
    assert {"parish", "market", "hello"} <= {notices.board_id for notices in world.notices}
    check_books(world)


def test_an_author_and_the_owner_of_the_ground_take_posts_down() -> None:
    world = a_society()
    owner, visitor, stranger = put_agent(world, 0, 1), put_agent(world, 1), put_agent(world, 2)
    claim = a_land(world, owner)
    claim.flags["allow_trade"] = True
    put(world, (1, STAND, 1), "BULLETIN_BOARD")
    board_id = block_id("BULLETIN_BOARD", (1, STAND, 1))
    first, second = (boards.publish(world, board_id, visitor.id, "title", "body") for _ in range(2))

    def remove(post_id: str) -> RemovePost:
        return RemovePost(board_id=board_id, post_id=post_id)

    assert ask(world, stranger, remove(first.id))[0]["code"] == "E_NO_PERMISSION"
    assert ask(world, owner, remove("P999999"))[0]["code"] == "E_INVALID_TARGET"
    assert said(world, owner, remove(first.id)) == "ok"
    assert [one.id for one in world.notices[board_id].posts] == [second.id]
    assert said(world, visitor, remove(second.id)) == "ok"
    assert board_id not in world.notices
