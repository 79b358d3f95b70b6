"""`thorp story pocket …`: add to the calendar and the messages of a story, and show them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NamedTuple

from thorp.cli.commands import (
    NO_TEXTS,
    Commands,
    argument,
    option,
    print_answer,
    print_json,
    read_input,
)
from thorp.cli.location import Where
from thorp.cli.options import AsJson
from thorp.cli.own_story import (
    FILE_BYTES_LIMIT,
    STORY_JSON,
    AsOption,
    ConfigOption,
    Story,
    new_request_id,
    open_story,
    read_story_config,
)
from thorp.cli.story_lines import print_pocket
from thorp.kernel.canonical import Json
from thorp.kernel.errors import InvalidError, LimitError

pocket_app = Commands(help="The calendar and the messages of the pocket.")


class SeedOptions(NamedTuple):
    """What is put into the pocket, who may read it, and how the answer is printed."""

    title: Annotated[str | None, option("A note in the calendar.")] = None
    message: Annotated[str | None, option("A message, from its author.")] = None
    time: Annotated[str | None, option("When, like 2026-01-02T19:00:00+00:00.")] = None
    location: Annotated[str | None, option("Where.")] = None
    notes: Annotated[str | None, option("Anything else.")] = None
    text: Annotated[
        str | None, option("The text of the entry; by default made of the other parts.")
    ] = None
    author: Annotated[str | None, option("Who writes it: a person; the world by default.")] = None
    to: Annotated[list[str], option("Private to these.", "ID")] = NO_TEXTS
    request_id: Annotated[str | None, option("The same id again adds nothing.")] = None
    config: ConfigOption = None
    as_json: AsJson = False

    def to_seed(self, world_actor: str) -> dict[str, Json]:
        """The seed that is committed; the world writes it if no author was named."""
        pieces = [self.title, self.location, self.notes, self.message]
        seed: dict[str, Json] = {
            "request_id": self.request_id or new_request_id(),
            "author_id": self.author or world_actor,
            "text": self.text if self.text is not None else ". ".join(filter(None, pieces)),
            "visible_to": self.to,
        }
        if self.title is None:
            seed["message"] = {"text": self.message, "time": self.time}
        else:
            seed["calendar"] = {
                "title": self.title,
                "time": self.time,
                "location": self.location,
                "notes": self.notes,
            }
        return seed


@pocket_app.command(name="add")
def pocket_add(options: SeedOptions, where: Where) -> None:
    """Commit an entry and its calendar item or message together."""
    if (options.title is None) == (options.message is None):
        raise InvalidError("give --title for the calendar or --message for a message", code="usage")
    with open_story(where, read_story_config(options.config), create=True) as story:
        seed = options.to_seed(story.config.identity.world_actor)
        _commit(story, seed, as_json=options.as_json)


@pocket_app.command(name="load")
def pocket_load(
    file: Annotated[Path, argument("JSON lines, one seed each; - is standard input.")],
    where: Where,
    config: ConfigOption = None,
    as_json: AsJson = False,
) -> None:
    """Commit every seed of a file: {"request_id", "author_id", "text", "visible_to", "calendar",
    "message"}.

    Seeds that are there already are skipped; an invalid one stops the rest.
    """
    data = read_input(file, FILE_BYTES_LIMIT)
    if len(data) > FILE_BYTES_LIMIT:
        raise LimitError(
            f"{file}: larger than {FILE_BYTES_LIMIT} bytes; cut it in pieces", code="too_long"
        )
    lines = data.splitlines()
    with open_story(where, read_story_config(config), create=True) as story:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                _commit(story, _read_line(line, number), as_json=as_json)


@pocket_app.command(name="show")
def pocket_show(where: Where, reader: AsOption = None, as_json: AsJson = False) -> None:
    """Show the pocket as a reader sees it."""
    with open_story(where) as story:
        pocket = story.page(reader, None, 1)["pocket"]
    if as_json:
        print_json(pocket)
    else:
        print_pocket(pocket)


def _commit(story: Story, seed: dict[str, Json], *, as_json: bool) -> None:
    body = story.commit_seed(seed)
    print_answer(as_json, body, f"kept as {body['debug']['bundle_id']}")


def _read_line(line: bytes, number: int) -> Json:
    try:
        return STORY_JSON.read(line)
    except (InvalidError, LimitError) as error:
        raise InvalidError(f"line {number}: {error}", code="not_json") from None
