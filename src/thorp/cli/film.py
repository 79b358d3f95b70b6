"""`thorp world film` and `thorp world verify --film`: a stretch of a world as one HTML file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from thorp.cli.commands import option, print_answer
from thorp.cli.location import Where
from thorp.cli.options import AsJson, DataOption, Quiet, data_directory, world_directory
from thorp.cli.proofs import ProofOptions
from thorp.cli.tick_progress import show_ticks
from thorp.kernel.canonical import Json
from thorp.kernel.errors import DamagedError, IllegalError, InvalidError, ThorpError, UnknownError
from thorp.log.announcement import members_of
from thorp.log.directory import CHECKPOINT, PUBLIC, TileReader, prove
from thorp.log.note import read_note
from thorp.log.tlog import TILE_WIDTH, read_checkpoint, read_proof, write_proof
from thorp.log.verify import verify_proof
from thorp.server.http.public_log import LOG
from thorp.store import RealDisk, read_whole, write_atomic

if TYPE_CHECKING:  # these take a while to import, and most commands need none
    from thorp.observer.film import Film
    from thorp.observer.film_check import Verdict

VERDICT_EXITS = {"sound": 0, "partly": 3, "not_sound": 1}
# Bundles of the log's leaves that are searched for a digest of the world, the newest first.
MAX_BUNDLES = 100


class FilmStretch(NamedTuple):
    """The options that say which ticks a film shows."""

    first: Annotated[
        int | None, option("Its first tick; else a day before the last.", "T", min=1, name="--from")
    ] = None
    last: Annotated[
        int | None, option("Its last tick; else that of the world.", "T", min=1, name="--to")
    ] = None
    day: Annotated[int | None, option("A whole day instead, counted from 1.", min=1)] = None


def film(
    *,
    stretch: FilmStretch,
    out: Annotated[Path, option("The file to write, such as village.html.", "FILE")],
    data: DataOption = None,
    open_book: Annotated[
        bool, option("Also show pockets, chests and what was refused to whom.")
    ] = False,
    replace: Annotated[bool, option("Write over an existing file.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Make one HTML file of a stretch of a world, which plays in any browser without a network.

    It is read-only, and has nothing private in it. A server that keeps the world may go on.

    Example: thorp world film --day 3 --out village.html
    """
    from thorp.observer.film import Scope, check_length, make_film

    path = world_directory(data)
    if not replace and out.exists():
        raise IllegalError(f"{out}: there is a file already; give --replace", code="exists")
    first, last = _ticks(path, stretch)
    scope = Scope(first=first, last=last, open_book=open_book)
    check_length(scope)
    story = _story(data, first, last)
    with show_ticks(last, quiet=quiet) as watch:
        made = make_film(
            RealDisk(),
            path,
            scope,
            story=story,
            proof=_published(data_directory(data), first, last),
            watch=watch,
        )
    write_atomic(RealDisk(), out, made.html, replace=replace)
    about = made.about
    answer = {
        "file": str(out),
        "bytes": len(made.html),
        "world": about.world,
        "first": first,
        "last": last,
        "digest": about.digests[-1][1],
        "proof": about.proof is not None,
    }
    print_answer(as_json, answer, *_made_lines(answer, story))


def _made_lines(answer: dict[str, Any], story: dict[str, Any] | None) -> Iterator[str]:
    yield f"{answer['file']}: {answer['bytes']:,} bytes, opens from disk in any browser"
    yield f"ticks {answer['first']} to {answer['last']} of the world {answer['world']}"
    passages = 0 if story is None else len(story["stream"]["entries"])
    with_proof = "with" if answer["proof"] else "without"
    yield f"{passages} passages of the story, {with_proof} a log's proof"
    yield f"digest {answer['digest']}"


def _ticks(path: Path, stretch: FilmStretch) -> tuple[int, int]:
    """The first and the last tick that the options ask for."""
    from thorp.voxel.persistence.directory import WorldDirectory

    directory = WorldDirectory(RealDisk(), path)
    directory.require()
    newest = directory.segments()[-1]
    day_ticks = newest.header.epoch.tuning.day_ticks
    end = newest.end().tick
    if stretch.day is not None:
        if stretch.first is not None or stretch.last is not None:
            raise InvalidError("give --day, or --from and --to, not both", code="usage")
        first = max(1, (stretch.day - 1) * day_ticks)
        if first > end:
            raise IllegalError(
                f"{path}: day {stretch.day} has not come; the last tick is {end}, on day "
                f"{end // day_ticks + 1}",
                code="range",
            )
        return first, min(end, stretch.day * day_ticks - 1)
    last = end if stretch.last is None else stretch.last
    first = max(1, last - day_ticks + 1) if stretch.first is None else stretch.first
    return first, last


def _story(data: Path | None, first: int, last: int) -> dict[str, Any] | None:
    """What the public may read of the story about these ticks; None if there is no story."""
    from thorp.bridges.chronicle.passages import passages
    from thorp.cli.own_story import open_story

    try:
        with open_story(Where(data)) as story:
            return passages(story, "PUBLIC", first, last)
    except ThorpError as problem:
        if problem.code != "no_story":
            raise
        return None


def _published(data: Path, first: int, last: int) -> tuple[int, str] | None:
    """The newest digest of the world from before the first tick on that the log of the directory
    has published: its tick, and the text of its proof."""
    disk = RealDisk()
    public = data / LOG / PUBLIC
    if not disk.exists(public / CHECKPOINT):
        return None
    size = read_checkpoint(read_note(read_whole(disk, public / CHECKPOINT)).text).size
    tiles = TileReader(disk, public, size)
    bundles = range(-(-size // TILE_WIDTH))
    for bundle in bundles[: -MAX_BUNDLES - 1 : -1]:
        for number, entry in reversed(list(enumerate(tiles.entries(bundle)))):
            tick = _published_tick(entry)
            if tick is not None and first - 1 <= tick <= last:
                proof = prove(disk, public, bundle * TILE_WIDTH + number)
                return tick, write_proof(proof).decode()
    return None


def _published_tick(entry: bytes) -> int | None:
    """The tick of a leaf with a digest of a world; None if it is another leaf."""
    members = members_of(entry)
    tick = members.get("tick")
    is_state = members.get("kind") == "world" and isinstance(members.get("digest"), str)
    return tick if is_state and isinstance(tick, int) else None


def verify_film(
    file: Path, data: Path | None, proof: ProofOptions, *, as_json: bool, quiet: bool
) -> None:
    """Check a film, against the journal of a data directory if one was given."""
    from thorp.observer.film import MAX_BYTES, read_film
    from thorp.observer.film_check import check_film, compare

    if not file.is_file():
        raise UnknownError(f"{file}: no such file; check the path", code="no_file")
    try:
        made = read_film(read_whole(RealDisk(), file, most=MAX_BYTES))
    except DamagedError as problem:
        raise DamagedError(f"{file}: {problem.message}", code=problem.code) from None
    verdict = check_film(made)
    _check_proof(made, proof, verdict)
    if data is None:
        verdict.notes.append("it was compared with no journal; give --data")
    elif not verdict.problems:
        with show_ticks(made.about.last, quiet=quiet) as watch:
            compare(
                made,
                RealDisk(),
                world_directory(data),
                verdict,
                story=_story(data, made.about.first, made.about.last),
                watch=watch,
            )
    print_answer(as_json, _document(verdict), *_verdict_lines(verdict))
    raise typer.Exit(VERDICT_EXITS[verdict.verdict])


def _check_proof(made: Film, proof: ProofOptions, verdict: Verdict) -> None:
    """Check the proof that a film carries, if it was said whom to trust."""
    text = made.about.proof
    trusts = proof.key or proof.witness_key or proof.policy
    if text is None:
        if trusts:
            verdict.problems.append("it carries no proof of a log")
        return
    leaf = read_proof(text.encode()).extra or b""
    members = members_of(leaf)
    tick = _published_tick(leaf)
    if tick is None or (tick, members["digest"]) not in made.about.digests:
        verdict.problems.append("the proof it carries is of something else")
    elif not trusts:
        verdict.notes.append("the proof it carries was not checked; give --key, or a --policy")
    else:
        try:
            verify_proof(text.encode(), leaf, proof.trust())
        except ThorpError as problem:
            verdict.problems.append(f"the proof it carries does not hold: {problem.message}")


def _document(verdict: Verdict) -> dict[str, Json]:
    import msgspec

    document: dict[str, Json] = msgspec.to_builtins(verdict)
    return {"verdict": verdict.verdict, **document}


def _verdict_lines(verdict: Verdict) -> Iterator[str]:
    yield from (f"wrong: {json.dumps(problem)[1:-1]}" for problem in verdict.problems)
    yield from (f"note: {note}" for note in verdict.notes)
    yield f"ticks {verdict.first} to {verdict.last} of the world {verdict.world}"
    release = verdict.script_release
    origin = "not known here" if release is None else f"of Thorp {release}"
    yield f"script {origin}: {verdict.script}"
    words = {
        "sound": "sound: the journal gives the same",
        "partly": "sound as far as it was checked",
        "not_sound": "not sound",
    }
    yield words[verdict.verdict]
    yield f"digest {verdict.digest}"
