"""Founds a branch: the beat with which a copy of a story begins to go its own way."""

from thorp.store import Connection
from thorp.story.config import StoryConfig
from thorp.story.ledger import beat_row
from thorp.story.storage import Head, Insert
from thorp.story.tables import Tables


def found_branch(
    connection: Connection, config: StoryConfig, secret: int, fork_point: str | None
) -> int:
    """Add the beat that founds a branch, and return its number. The clock stands.

    The branch begins without windows, because the story kept only the last of each view: the next
    beat of a view opens a new one.
    """
    tables = Tables(connection, config)
    head = tables.head()
    founded = Head(
        beat=head.beat + 1, seq=head.seq, public=head.public, clock=head.clock, link=head.link
    )
    branch: Insert = ("story_branch", (founded.beat, str(secret), fork_point))
    beat = beat_row(founded, None, outcome="", rows=[branch])
    tables.insert([branch, ("story_beat", beat)])
    connection.execute("DELETE FROM story_window")
    return founded.beat
