"""`thorp world …`: verify a kept world, show its past, copy it. Reading never writes."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from thorp.bridges.voxel_town import new_city_world
from thorp.cli.agent import list_bodies, order_body
from thorp.cli.commands import Commands, option, print_answer
from thorp.cli.film import film, verify_film
from thorp.cli.fork import Into, fork_command
from thorp.cli.location import Where
from thorp.cli.options import AsJson, DataOption, Quiet, TipOption, world_directory
from thorp.cli.proofs import ProofOptions, exit_1
from thorp.cli.tick_progress import show_ticks
from thorp.kernel.errors import DamagedError, InvalidError, LimitError
from thorp.kernel.text import one_line
from thorp.log.announcement import members_of
from thorp.store import RealDisk
from thorp.voxel import Verdict, World, backup, replay, verify
from thorp.voxel.persistence.audit import Change, audit
from thorp.voxel.persistence.directory import Summary, summarize
from thorp.voxel.persistence.head import check_published
from thorp.voxel.persistence.replay import Watch
from thorp.voxel.rollback import Box, Rolled, rollback

app = Commands(help="Verify a world, go back in it, fork it, back it up.")

NEAR = 8  # How far `--near` reaches along each axis by default.
WHOLE_LINK_BITS = 256
VERDICT_EXITS = {"sound": 0, "partly_executed": 3, "not_sound": 1}
VERDICT_LABELS = {
    "sound": "sound",
    "partly_executed": "sound as far as executed",
    "not_sound": "last good tick",
}
FAR = 10_000_000  # Ten times as far as the largest world; a number beyond it is a mistake.


@app.command()
def show(data: DataOption = None, as_json: AsJson = False) -> None:
    """Show what is kept in a data directory: the last tick, seed, epochs, files.

    Example: thorp world show --data thorp-data
    """
    summary = summarize(RealDisk(), world_directory(data))
    print_answer(as_json, summary, *_summary_lines(summary))


@app.command(name="verify")
def verify_command(
    proof: ProofOptions,
    data: DataOption = None,
    tip: TipOption = None,
    film: Annotated[
        Path | None, option("Check a film instead, with --data against its journal.", "FILE")
    ] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Execute the whole journal again and compare every digest.

    Exit code 0: everything was executed and is sound. 3: sound as far as it was executed; the rest
    is named. 1: not sound.

    Example: thorp world verify --data thorp-data
    """
    if film is not None:
        verify_film(film, data, proof, as_json=as_json, quiet=quiet)
    path = world_directory(data)
    with exit_1((InvalidError, LimitError, DamagedError), as_json=as_json):
        tip = proof.tip("world", tip)
        if proof.proof is not None:
            check_published(RealDisk(), path, members_of(proof.leaf("world")))
    with _progress(path, quiet) as watch:
        verdict = verify(RealDisk(), path, tip=tip, make_world=new_city_world, watch=watch)
    print_answer(as_json, verdict, *_verdict_lines(verdict))
    raise typer.Exit(VERDICT_EXITS[verdict.verdict])


app.command(name="film")(film)


@app.command(name="replay")
def replay_command(
    to: Annotated[int, option("The tick to go back to.", "TICK", min=0)],
    data: DataOption = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Show the world as it was after a tick: its digest, and who was where. Changes nothing.

    Example: thorp world replay --to 3000
    """
    path = world_directory(data)
    with _progress(path, quiet, to) as watch:
        world = replay(RealDisk(), path, to, make_world=new_city_world, watch=watch)
    print_answer(as_json, _state(world), *_state_lines(world))


@app.command()
def tape(
    data: DataOption = None,
    until: Annotated[int | None, option("Make no later tick than this.", "TICK", min=1)] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Complete the tape of the page's time lane from the journal, the newest part first.

    A server does this by itself, and may go on meanwhile. The tape is a cache: DATA/tape may be
    deleted.

    Example: thorp world tape --data thorp-data
    """
    from thorp.bridges.chronicle import world_name
    from thorp.observer.tape import Tape
    from thorp.observer.tape_rebuild import rebuild

    path = world_directory(data)
    with (
        closing(Tape(path.parent, world_name(RealDisk(), path))) as recording,
        _progress(path, quiet, until) as watch,
    ):
        missing = rebuild(recording, RealDisk(), path, new_city_world, until=until, watch=watch)
        numbers = recording.numbers()
    lines = [f"ticks {stretch.first} to {stretch.last}: {stretch.why}" for stretch in missing]
    print_answer(
        as_json, {"segments": len(numbers), "missing": missing}, f"{len(numbers)} segments", *lines
    )


app.command(name="fork")(fork_command)


@app.command(name="backup")
def backup_command(into: Into, data: DataOption = None, as_json: AsJson = False) -> None:
    """Copy a world, also while a server is running. To restore it, use DIR as the data directory.

    Example: thorp world backup --into backups/monday
    """
    done = backup(RealDisk(), world_directory(data), world_directory(into))
    size = f"{len(done.files)} files, {sum(done.files.values()):,} bytes"
    print_answer(as_json, done, f"{into}: {size}, up to tick {done.tick}; tip {done.tip}")


@app.command(name="audit")
def audit_command(
    *,
    data: DataOption = None,
    actor: Annotated[
        str | None, option("Only what this agent did or was party to.", "AGENT")
    ] = None,
    near: Annotated[
        str | None, option(f"Only within R cells; {NEAR} without R.", "X,Y,Z[,R]")
    ] = None,
    since: Annotated[int, option("From this tick on.", "TICK", min=1)] = 1,
    until: Annotated[int | None, option("Up to this tick.", "TICK", min=1)] = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """List who changed what: blocks, containers, signs, land, laws, trades and contracts. Changes
    nothing.

    Example: thorp world audit --actor A3 --near 10,22,-4 --since 3000
    """
    middle = None if near is None else _numbers(near, "--near", (3, 4))

    def show(change: Change) -> None:
        if actor is not None and not change.concerns(actor):
            return
        if middle is not None and not change.is_near(_corner(middle), (*middle, NEAR)[3]):
            return
        print_answer(as_json, change, _change_line(change))

    path = world_directory(data)
    with _progress(path, quiet, until) as watch:
        audit(
            RealDisk(), path, show, since=since, until=until, make_world=new_city_world, watch=watch
        )


@app.command(name="rollback")
def rollback_command(
    box: Annotated[str, option("Two corners of the region, both inside.", "X,Y,Z:X,Y,Z")],
    since: Annotated[int, option("Undo what happened in this tick and after.", "TICK", min=1)],
    *,
    data: DataOption = None,
    dry_run: Annotated[bool, option("Only say what would happen.")] = False,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Restore a region, with containers and signs, in the next tick. No server may be running.

    No goods are created: what is missing is taken from those who changed the region, or stays
    missing.

    Example: thorp world rollback --box 0,20,0:15,40,15 --since 3000 --dry-run
    """
    corners = [_corner(_numbers(corner, "--box", (3,))) for corner in box.split(":")]
    if len(corners) != 2:
        raise InvalidError("--box has two corners, as in 0,20,0:15,40,15", code="box")
    path = world_directory(data)
    region = Box.between(*corners)
    with _progress(path, quiet) as watch:
        rolled = rollback(
            RealDisk(), path, region, since, dry_run=dry_run, make_world=new_city_world, watch=watch
        )
    print_answer(as_json, rolled, *_rolled_lines(rolled, dry_run))


@app.command(name="agents")
def agents_command(
    where: Where,
    absent: Annotated[bool, option("Only bodies whose owners are away.")] = False,
    retire: Annotated[
        list[str] | None, option("Remove a body, by name or id. Repeatable.", "NAME")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List all bodies, who is connected and how long the others have been away; or retire some.

    A body that is connected, owns land, or has an organisation, a trade, a contract or goods to
    collect is not retired. What a retired body carries is left where it stood.

    Example: thorp world agents --absent --json
    """
    if retire:
        for who in retire:
            answer = order_body(where, "retire", who)
            print_answer(as_json, answer, one_line(f"{answer['id']} {answer['name']}: retired"))
        return
    bodies = [body for body in list_bodies(where) if not (absent and body["connected"])]
    print_answer(as_json, bodies, *map(_body_line, bodies))


def _numbers(text: str, option: str, lengths: tuple[int, ...]) -> list[int]:
    """The numbers of an option such as `10,22,-4`; refuses another count of them than `lengths`
    has."""
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in lengths or any(abs(number) > FAR for number in numbers):
        raise InvalidError(
            f"{option} has whole numbers with commas between them, not {text!r}", code="range"
        )
    return numbers


def _corner(numbers: list[int]) -> tuple[int, int, int]:
    return numbers[0], numbers[1], numbers[2]


def _body_line(body: dict[str, Any]) -> str:
    state = "connected" if body["connected"] else f"away for {body['away_ticks']} ticks"
    acted = "" if body["acted"] else ", never acted"
    return one_line(f"{body['id']:<6} {body['name']:<20} {state}{acted}")


def _state(world: World) -> dict[str, object]:
    agents = [
        {
            "id": agent.id,
            "name": agent.name,
            "pos": agent.position,
            "hp": agent.hp,
            "inventory": agent.inventory,
        }
        for agent in world.agents
    ]
    return {
        "tick": world.tick,
        "digest": world.digest(),
        "weather": world.weather,
        "agents": agents,
    }


def _state_lines(world: World) -> Iterator[str]:
    yield f"tick {world.tick}, {world.weather.lower()}, {len(world.agents)} agents"
    yield f"digest {world.digest()}"
    for agent in world.agents:
        position = ", ".join(map(str, agent.position))
        yield one_line(f"  {agent.id:<6} at {position:<18} hp {agent.hp:<3} {agent.name}")


def _draw_seed_text(draw_seed: int | msgspec.UnsetType) -> str:
    return "" if draw_seed is msgspec.UNSET else f", {draw_seed}"


def _summary_lines(summary: Summary) -> Iterator[str]:
    yield f"tick {summary.last_tick}, seed {summary.seed}, rules {summary.rules}"
    for epoch in summary.epochs:
        reason = one_line(epoch.reason)
        more = _draw_seed_text(epoch.draw_seed)
        yield (
            f"  epoch {epoch.epoch} from tick {epoch.first_tick}: {reason}{more} "
            f"(rules {epoch.rules})"
        )
    size = f"{summary.journal_bytes:,} bytes"
    yield f"  journal   {summary.segments} segments from tick {summary.first_tick}, {size}"
    ticks = ", ".join(map(str, summary.snapshots)) or "none"
    yield f"  snapshots {ticks} ({summary.snapshot_bytes:,} bytes)"


def _verdict_lines(verdict: Verdict) -> Iterator[str]:
    for problem in verdict.problems:
        yield f"wrong: {one_line(problem)}"
    if verdict.torn is not None:
        yield f"torn, never acknowledged: {one_line(verdict.torn)}"
    for epoch in verdict.epochs:
        how = "replayed" if epoch.replayed else "chain checked"
        ticks = f"ticks {epoch.first_tick} to {epoch.last_tick}"
        more = _draw_seed_text(epoch.draw_seed)
        yield f"epoch {epoch.epoch}, {ticks}: {one_line(epoch.reason)}{more}; {how}"
    if verdict.first_tick > 1:
        yield f"history is kept from tick {verdict.first_tick} on"
    for stretch in verdict.unexecuted:
        yield f"not executed: {one_line(stretch)}"
    if verdict.tip_tick is not None:
        yield f"the tip that was noted is that of tick {verdict.tip_tick}"
    yield f"{VERDICT_LABELS[verdict.verdict]}: {verdict.last_good_tick}"
    yield f"digest {verdict.digest or '-'}"
    yield f"tip    {verdict.tip or '-'}"
    if verdict.link_bits < WHOLE_LINK_BITS:
        yield (
            f"its chain has links of {verdict.link_bits} bits: enough against all but whoever "
            "wrote it"
        )


def _change_line(change: Change) -> str:
    place = ",".join(map(str, change.pos)) if change.pos is not None else "-"
    moved = change.more.get("moved")
    if moved is not None:
        change_text = ", ".join(f"{item} {count:+d}" for item, count in moved.items())
    elif change.before is not None or change.after is not None:
        change_text = f"{change.before} -> {change.after}"
    else:
        change_text = ", ".join(f"{name} {value}" for name, value in change.more.items())
    who = f"{change.tick:>8}  {change.actor:<9}"
    return one_line(f"{who} {change.what:<9} {change.reason:<16} {place:<14} {change_text}")


def _rolled_lines(rolled: Rolled, dry_run: bool) -> Iterator[str]:
    done = "would be" if dry_run else "are"
    yield f"{rolled.cells} cells {done} as they were before tick {rolled.since}"
    for verb, book in (("taken from", rolled.taken), ("given to", rolled.given)):
        for name, goods in book.items():
            listed = ", ".join(f"{item} x{count}" for item, count in goods.items())
            yield f"  {verb} {name or 'nobody: it lies there'}: {listed}"
    for leftover in rolled.left:
        place = ",".join(map(str, leftover["pos"]))
        thing = leftover.get("block") or f"{leftover['item']} x{leftover['count']}"
        yield f"  stays as it is: {place} {thing}: {leftover['why']}"
    yield f"tick {rolled.tick}, digest {rolled.digest}"


@contextmanager
def _progress(path: Path, quiet: bool, to: int | None = None) -> Iterator[Watch]:
    """Show how far a journal was executed up to a tick; without one, to its end."""
    if to is None and not quiet and sys.stderr.isatty():
        to = summarize(RealDisk(), path).last_tick
    with show_ticks(to or 0, quiet=quiet) as watch:
        yield watch
