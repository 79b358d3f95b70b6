"""Bulletin boards: posting, removing, searching, and the boards in an OBS. See
`docs/society-trade.md`.

A board that stands in the world is named by its block, and agents read and write it within reach.
Any other name is a global board, which can be used from everywhere; its first post begins it.
"""

from collections import Counter
from typing import Final

from thorp.protocol import codes
from thorp.protocol.actions import PostBoard, RemovePost, SearchBoard
from thorp.protocol.frame import clip
from thorp.voxel.achievements import note_deed
from thorp.voxel.lookups import board_views, land, permissions
from thorp.voxel.lookups.indexes import index_of
from thorp.voxel.refusal import Refusal, refuse_if
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import Position
from thorp.voxel.state.records import Notices, Post
from thorp.voxel.state.world import World, block_id, parse_block_id
from thorp.voxel.systems import rate_limits
from thorp.voxel.systems.containers import within_reach

BLOCK: Final = "BULLETIN_BOARD"
# How the ids of agents begin; other authors are organisations and the world.
AGENT_PREFIX: Final = "A"

MAX_TITLE_BYTES: Final = 80
MAX_BODY_BYTES: Final = 2_000
MAX_QUERY_BYTES: Final = 120
# With the longest posts a board has 200 kB, and all global boards together 13 MB.
POSTS_KEPT: Final = 100
# How many posts on a board may be by one author; its oldest makes room for the next.
MAX_OF_AUTHOR: Final = 25
MAX_GLOBAL_BOARDS: Final = 64
# How many global boards one agent may have begun: one, and one more for each day of presence, up to
# this number.
MAX_BEGUN: Final = 4
# How many global boards may be begun by bodies that were present for less than a day, all together:
# bodies cost nothing, and a crowd of new ones must leave room for those who stay.
MAX_BEGUN_BY_NEWCOMERS: Final = 16

DEFAULT_RESULTS: Final = 20
MAX_RESULTS: Final = 50
RESULT_BODY_BYTES: Final = 400
# A search of a full board costs up to a millisecond.
SEARCH_LIMIT: Final = rate_limits.RateLimit("search_board", length=50, allowed=5)


def post(world: World, agent: Agent, wish: PostBoard) -> dict[str, object]:
    """Post on a board for an agent, within its rate limit."""
    with rate_limits.rate_limited(world, agent, rate_limits.tuned_limit(world, "post_board")):
        return {"post_id": _post(world, agent, wish).id}


def _post(world: World, agent: Agent, wish: PostBoard) -> Post:
    board_id = wish.target_id or wish.board_id
    if not board_id or not wish.title or not wish.body:
        raise Refusal(codes.BAD_REQUEST, "missing board_id/title/body")
    if _size(wish.title) > MAX_TITLE_BYTES or _size(wish.body) > MAX_BODY_BYTES:
        raise Refusal(codes.BAD_REQUEST, "post too large")
    position = _require_board(world, agent, board_id)
    if position is not None and not permissions.may_trade(world, agent, position):
        raise Refusal(codes.NO_PERMISSION, "posting not allowed here")
    if position is None and board_id not in world.notices:
        _make_room(world, agent)
    note_deed(world, agent, "post")
    return publish(world, board_id, agent.id, wish.title, wish.body)


def remove_post(world: World, agent: Agent, wish: RemovePost) -> dict[str, object]:
    """Take down a post. Its author may do so, and admins of the land that the board stands on."""
    board_id = wish.target_id or wish.board_id
    if not board_id or not wish.post_id:
        raise Refusal(codes.BAD_REQUEST, "missing board_id/post_id")
    position = _require_board(world, agent, board_id)
    notices = world.notices.get(board_id)
    posts = notices.posts if notices is not None else []
    removed = next((post for post in posts if post.id == wish.post_id), None)
    if notices is None or removed is None:
        raise Refusal(codes.INVALID_TARGET, "post not found")
    claim = None if position is None else land.at(world, position[0], position[2])
    if removed.author != agent.id and (claim is None or not land.is_admin(world, claim, agent)):
        raise Refusal(codes.NO_PERMISSION, "neither your post nor your land")
    notices.posts.remove(removed)
    if notices.posts:
        world.notices.touch(board_id)
        board_views.forget_texts(world, board_id)
    else:
        _remove(world, board_id)
    return {"message": "removed"}


def publish(world: World, board_id: str, author: str, title: str, body: str) -> Post:
    """Put a post on a board for an agent, an organisation or the world."""
    notices = world.notices.get(board_id)
    if notices is None:
        everywhere = board_views.global_boards(world) if parse_block_id(board_id) is None else []
        if len(everywhere) >= MAX_GLOBAL_BOARDS:
            # The board that was quiet for the longest time makes room.
            _remove(world, min(everywhere, key=board_views.last_number).board_id)
        notices = world.notices.put(Notices(board_id, begun_by=author))
        index_of(world).boards_near = None
    world.counters.post += 1
    new = Post(
        id=f"P{world.counters.post:06d}", author=author, title=title, body=body, tick=world.tick
    )
    notices.posts.append(new)
    _shorten(notices.posts, author)
    world.notices.touch(board_id)
    board_views.forget_texts(world, board_id)
    named = parse_block_id(board_id)
    place: dict[str, object] = {"pos": named[1]} if named is not None else {}
    world.publish("POST", actor=author, board_id=board_id, post_id=new.id, title=title, **place)
    return new


def _shorten(posts: list[Post], author: str) -> None:
    """Take down a post if there are too many: the oldest of the author, or of the authors with the
    most posts."""
    count = Counter(post.author for post in posts)
    if count[author] > MAX_OF_AUTHOR:
        posts.remove(next(post for post in posts if post.author == author))
    elif len(posts) > POSTS_KEPT:
        largest = max(count.values())
        posts.remove(next(post for post in posts if count[post.author] == largest))


def search(world: World, agent: Agent, wish: SearchBoard) -> None:
    """Search a board for a text, within a rate limit. Posts whose title matches come before those
    whose body does, and the newest come first."""
    with rate_limits.rate_limited(world, agent, SEARCH_LIMIT):
        _search(world, agent, wish)


def _search(world: World, agent: Agent, wish: SearchBoard) -> None:
    board_id = wish.target_id or wish.board_id
    if not board_id or not wish.text:
        raise Refusal(codes.BAD_REQUEST, "missing board_id/text")
    if _size(wish.text) > MAX_QUERY_BYTES:
        raise Refusal(codes.BAD_REQUEST, f"text has more than {MAX_QUERY_BYTES} bytes")
    position = _require_board(world, agent, board_id)
    notices = world.notices.get(board_id)
    refuse_if(notices is None and position is None, codes.INVALID_TARGET, "board not found")
    posts = notices.posts if notices is not None else []
    query = wish.text.casefold()
    in_title = [post for post in reversed(posts) if query in post.title.casefold()]
    in_body = [post for post in reversed(posts) if query in post.body.casefold()]
    matches = list({post.id: post for post in (*in_title, *in_body)}.values())
    limit = min(wish.limit, MAX_RESULTS) if wish.limit and wish.limit > 0 else DEFAULT_RESULTS
    results = [
        {**board_views.post_fields(post), "body": clip(post.body, RESULT_BODY_BYTES)}
        for post in matches[:limit]
    ]
    fields = {
        "board_id": board_id,
        "query": wish.text,
        "total_posts": len(posts),
        "results": results,
    }
    world.emit(agent, "BOARD_SEARCH", own=True, **fields)


def remove_board(world: World, position: Position) -> None:
    """Take down the posts of a board whose block is gone."""
    board_id = block_id(BLOCK, position)
    if board_id in world.notices:
        _remove(world, board_id)


def _remove(world: World, board_id: str) -> None:
    world.notices.remove(board_id)
    index_of(world).boards_near = None
    board_views.forget_texts(world, board_id)


def _make_room(world: World, agent: Agent) -> None:
    """Refuse a new global board if the agent has begun enough, or if all are in use. Newcomers
    share a part of the boards, and their quietest one makes room for their next."""
    everywhere = board_views.global_boards(world)
    most = min(MAX_BEGUN, 1 + agent.presence(world.tick) // world.tuning.day_ticks)
    if sum(notices.begun_by == agent.id for notices in everywhere) >= most:
        advice = "" if most == MAX_BEGUN else ", or begin one more after another day of presence"
        raise Refusal(
            codes.CONFLICT, f"you have begun {most} boards already; write on one of them{advice}"
        )
    if _is_newcomer(world, agent.id):
        of_newcomers = [notices for notices in everywhere if _is_newcomer(world, notices.begun_by)]
        if len(of_newcomers) >= MAX_BEGUN_BY_NEWCOMERS:
            _remove(world, min(of_newcomers, key=board_views.last_number).board_id)
            return
    quiet_since = world.tick - world.tuning.day_ticks
    if len(everywhere) >= MAX_GLOBAL_BOARDS and all(
        notices.posts[-1].tick > quiet_since for notices in everywhere
    ):
        raise Refusal(
            codes.CONFLICT, f"all {MAX_GLOBAL_BOARDS} boards are in use; write on one of them"
        )


def _is_newcomer(world: World, author: str) -> bool:
    """Whether an author is a body that was present for less than a day, or that is gone."""
    if not author.startswith(AGENT_PREFIX):
        return False
    agent = world.agent_by_id(author)
    return agent is None or agent.presence(world.tick) < world.tuning.day_ticks


def _require_board(world: World, agent: Agent, board_id: str) -> Position | None:
    """The position of a board, which must be within reach; None for a global board."""
    named = parse_block_id(board_id)
    if named is None:
        refuse_if(board_id.startswith(f"{BLOCK}@"), codes.INVALID_TARGET, "board not found")
        return None
    kind, position = named
    refuse_if(kind != BLOCK, codes.BAD_REQUEST, "not a board")
    refuse_if(position not in world.boards, codes.INVALID_TARGET, "board not found")
    within_reach(agent, position)
    return position


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
