"""What agents see of bulletin boards: in every OBS, and when they open one.

The texts are derived from the state and cached in the index; `forget_texts` drops those of a board
that has changed.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from thorp.protocol.frame import clip
from thorp.voxel.lookups.indexes import index_of
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.ground import ChunkKey, Position, chunks_around
from thorp.voxel.state.records import Notices, Post
from thorp.voxel.state.unsaved import Index
from thorp.voxel.state.world import World, manhattan, parse_block_id

# How many posts OPEN shows.
POSTS_SHOWN: Final = 20
# Every OBS has the newest posts of each board within this distance, shortened.
TOP_POSTS: Final = 5
SUMMARY_BYTES: Final = 120
OBS_REACH: Final = 32
# An OBS has some 6 kB. Boards may double that: those with the newest posts come first.
OBS_BYTES: Final = 3_000
# Texts are cached for this many different sets of boards near an agent.
TEXTS_KEPT: Final = 1_000


def open_view(world: World, board_id: str) -> dict[str, object]:
    """What OPEN shows of a board: the newest posts, the oldest of them first."""
    notices = world.notices.get(board_id)
    posts = notices.posts if notices is not None else []
    return {
        "board_id": board_id,
        "total_posts": len(posts),
        "posts": [post_fields(post) for post in posts[-POSTS_SHOWN:]],
    }


def public_boards(world: World, agent: Agent) -> bytes:
    """The boards in an agent's OBS, as text that follows another field; empty if there are none."""
    index = index_of(world)
    near: tuple[str, ...] = ()
    around = _boards_near(world, index).get((agent.x >> 4, agent.z >> 4))
    if around is not None:  # most agents have no board near
        here = agent.position
        near = tuple([name for place, name in around if manhattan(place, here) <= OBS_REACH])
    text = index.boards_shown.get(near)
    return _write_text(world, index, near) if text is None else text


def _write_text(world: World, index: Index, near: tuple[str, ...]) -> bytes:
    """Write what the OBS of agents near these boards says about all boards."""
    texts = index.boards_shown
    if len(texts) >= TEXTS_KEPT:
        texts.clear()
    if index.boards_everywhere is None:
        index.boards_everywhere = _listed(
            world, [notices.board_id for notices in global_boards(world)]
        )
    listed = {**index.boards_everywhere, **_listed(world, near)}
    text = b",".join([listed[name] for name in sorted(listed)])
    text = texts[near] = b',"public_boards":[%b]' % text if text else b""
    return text


def global_boards(world: World) -> list[Notices]:
    """The boards that agents can use from everywhere: they are no blocks."""
    return [notices for notices in world.notices if parse_block_id(notices.board_id) is None]


def _boards_near(world: World, index: Index) -> dict[ChunkKey, list[tuple[Position, str]]]:
    if index.boards_near is None:
        index.boards_near = {}
        for notices in world.notices:
            if named := parse_block_id(notices.board_id):
                for chunk in chunks_around(named[1], OBS_REACH):
                    index.boards_near.setdefault(chunk, []).append((named[1], notices.board_id))
    return index.boards_near


def _listed(world: World, names: Iterable[str]) -> dict[str, bytes]:
    """Boards as an OBS shows them; if that is too long, only those with the newest posts."""
    left = OBS_BYTES
    listed: dict[str, bytes] = {}
    for name in sorted(names, key=lambda name: last_number(world.notices[name]), reverse=True):
        text = _board_text(world, name)
        left -= len(text)
        if left < 0 and listed:
            break
        listed[name] = text
    return listed


def _board_text(world: World, name: str) -> bytes:
    texts = index_of(world).board_texts
    if name not in texts:
        top = [
            {
                "post_id": post.id,
                "author": post.author,
                "title": post.title,
                "summary": clip(post.body, SUMMARY_BYTES),
            }
            for post in reversed(world.notices[name].posts[-TOP_POSTS:])
        ]
        texts[name] = msgspec.json.encode({"board_id": name, "top_posts": top})
    return texts[name]


def forget_texts(world: World, board_id: str) -> None:
    """Drop the cached texts that a changed board is part of."""
    index = index_of(world)
    index.board_texts.pop(board_id, None)
    index.boards_shown.clear()
    if parse_block_id(board_id) is None:
        index.boards_everywhere = None


def last_number(notices: Notices) -> int:
    """The number of a board's newest post, which says how recently it was used."""
    return int(notices.posts[-1].id[1:])


def post_fields(post: Post) -> dict[str, object]:
    """A post as events show it."""
    return {
        "post_id": post.id,
        "author": post.author,
        "title": post.title,
        "body": post.body,
        "tick": post.tick,
    }
