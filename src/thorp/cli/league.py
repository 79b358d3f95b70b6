"""`thorp league …`: gather verified results, show the table, challenge it."""

import re
import sys
from pathlib import Path
from typing import Annotated, NamedTuple

from thorp.arena.external import parse_seats
from thorp.arena.league import (
    League,
    Suite,
    add_to_league,
    default_suite,
    make_table,
    merge_leagues,
    read_evidence,
    read_suite,
)
from thorp.arena.league.batch import Batch
from thorp.arena.league.challenge import MAX_STEPS, Challenge, Step
from thorp.arena.league.console import print_agent, print_table
from thorp.arena.league.directory import Endorsement, endorse
from thorp.cli.commands import Commands, argument, option, print_json, read_input
from thorp.cli.options import AsJson, Quiet
from thorp.cli.proofs import read_bounded, read_keys
from thorp.kernel.errors import IllegalError, InvalidError, LimitError, UnknownError
from thorp.kernel.text import make_label
from thorp.log.note import ED25519, Note, read_note, verify_note
from thorp.log.signer import find_keys
from thorp.store import RealDisk
from thorp.workers import make_worker_pool
from thorp.workers.console import make_console

app = Commands(help="A league of agents: gather verified results, show and challenge the table.")

SUITE_BYTES_LIMIT = 1 << 20  # A suite is a page of text.

LeagueOption = Annotated[Path, option("The league's directory.", "DIR", name="--league")]
SuiteOption = Annotated[
    Path | None, option("The suite of a new league; else the one that comes with Thorp.", "FILE")
]
GameOption = Annotated[str | None, option("Only this game of the suite.", "G")]
NotedTip = Annotated[
    str | None, option("A tip noted earlier; the league must still have it.", "HASH")
]
DEFAULT = Path("league")
RERUN = "thorp league rerun"
"""The first line of a signed note; the second is the tip of the batch that was run again."""
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")


class ChallengeOptions(NamedTuple):
    """How long a challenge is, where it is played, and whether it is added."""

    steps: Annotated[int, option("How many small tournaments.", min=1, max=MAX_STEPS)] = 4
    out: Annotated[Path | None, option("Where they are played; else ./challenge-ID.", "DIR")] = None
    workers: Annotated[int | None, option("Worker processes; by default one a core.", min=1)] = None
    add: Annotated[bool, option("Add them to the league.", name="--add/--no-add")] = True


@app.command()
def add(
    results: Annotated[list[Path], argument("Tournaments, and logs of matches.", "DIR|FILE…")],
    league: LeagueOption = DEFAULT,
    suite: SuiteOption = None,
    reproduce: Annotated[
        bool, option("Also run the agents again, where their code is here; they must do the same.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Prove tournaments and matches again, and add them to the league, all or none.

    What is there already is left as it is. Refused are results that do not verify, of another
    suite or version, and other results of a plan that is there.

    Example: thorp league add tournament --league league
    """
    added = add_to_league(RealDisk(), league, results, _suite(suite), reproduce=reproduce)
    _tell(league, added, as_json=as_json)


@app.command()
def merge(
    leagues: Annotated[list[Path], argument("Other leagues of the same suite.", "DIR…")],
    league: LeagueOption = DEFAULT,
    as_json: AsJson = False,
) -> None:
    """Add everything of other leagues, each batch proved again; all or none.

    Two leagues with the same batches have the same table, to the byte, in whatever order they came.

    Example: thorp league merge ../theirs --league league
    """
    added = merge_leagues(RealDisk(), league, leagues, default_suite())
    _tell(league, added, as_json=as_json)


@app.command()
def table(
    league: LeagueOption = DEFAULT,
    game: GameOption = None,
    tip: NotedTip = None,
    as_json: AsJson = False,
) -> None:
    """Show the table, of all games or of one, the best agent first.

    Example: thorp league table --game connect-four --json
    """
    opened = League(RealDisk(), league)
    opened.check_tip(tip)
    made = make_table(RealDisk(), opened, game)
    if as_json:
        sys.stdout.buffer.write(made.to_bytes())
        return
    print_table(make_console(), made)
    print(f"tip {opened.tip}")


@app.command()
def show(
    agent: Annotated[str, argument("An agent: its id, or the beginning of its identity.", "AGENT")],
    league: LeagueOption = DEFAULT,
    game: GameOption = None,
    as_json: AsJson = False,
) -> None:
    """Show everything that the league knows of one agent.

    Example: thorp league show minimax
    """
    made = make_table(RealDisk(), League(RealDisk(), league), game)
    rows = [row for row in made.agents if row.id == agent or row.identity == agent]
    if not rows:
        rows = [row for row in made.agents if agent in row.names]
    if len(rows) != 1:
        ids = ", ".join(row.id for row in made.agents[:10])
        raise UnknownError(
            f"{'no agent' if not rows else 'several agents'} here called {agent!r}; the first "
            f"ones of the table: {ids or 'none'}",
            code="agent",
        )
    if as_json:
        print_json(rows[0])
    else:
        print_agent(make_console(), rows[0])


@app.command()
def sign(
    results: Annotated[Path, argument("A tournament, or the log of a match.", "DIR|FILE")],
    key_file: Annotated[Path, option("Your private key, as `thorp log init` makes one.", "FILE")],
    suite: SuiteOption = None,
) -> None:
    """Run somebody's agents again, and if they do the same, print a signed note that says so.

    Example: thorp league sign tournament --key-file thorp-data/log/key > rerun.note
    """
    batch = read_evidence(RealDisk(), results, _suite(suite), reproduce=True).batch
    missing = [seat.seat for seat in batch.seats if seat.status != "reproduced"]
    if missing:
        raise IllegalError(
            f"{missing[0]} cannot be run again here: its code is not here, or it is a model",
            code="not_reproduced",
        )
    text = f"{RERUN}\n{batch.tip}\n"
    signer = find_keys(key_file, key_file)[0]
    sys.stdout.write(str(Note(text, (signer.sign(text),))))


@app.command(name="endorse")
def endorse_command(
    notes: Annotated[list[Path], argument("Notes that `sign` printed for others.", "NOTE…")],
    key: Annotated[list[str], option("A key that is trusted, or a file with it.", "VKEY")],
    league: LeagueOption = DEFAULT,
) -> None:
    """Record that others have run batches again: their rows are "re-run by another".

    Example: thorp league endorse rerun.note --key theirs.vkey
    """
    keys = [each for text in key for each in read_keys(text, ED25519)]
    words = []
    for path in notes:
        data = read_bounded(path)
        note = read_note(data)
        signed = verify_note(note, keys)
        head, _, tip = note.text.rstrip("\n").partition("\n")
        if head != RERUN:
            raise InvalidError(f"{path}: the note says something else", code="note")
        by = signed[0].key.name
        words.append(Endorsement(tip=tip, by=by, note=data.decode()))
    new = endorse(RealDisk(), league, words)
    print(f"{new} new of {len(words)}")


@app.command()
def challenge(
    options: ChallengeOptions,
    agent: Annotated[str, option("Who challenges.", "[ID=]SPEC")],
    league: LeagueOption = DEFAULT,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Let an agent play what tells most about its place in the table, and add that to the league.

    Each step is a small mirrored tournament against the bot whose rating is nearest for what the
    two have played already, or the deals that others have played of a game by score. Nothing is
    added before the last step; the same command goes on after Ctrl-C.

    Example: thorp league challenge --agent me=bot.py:Bot --steps 6
    """
    (seat,) = parse_seats([agent])
    disk = RealDisk()
    out = options.out or Path(f"challenge-{_NOT_IN_NAMES.sub('_', seat.id)}")
    match = Challenge(disk, League(disk, league), seat, out)

    def tell(number: int, step: Step) -> None:
        if not quiet:
            whom = f" against {make_label(step.opponent)}" if step.opponent else ""
            line = f"step {number} of {options.steps}: {step.game.name}{whom}, {step.deals} deals"
            print(line, file=sys.stderr, flush=True)

    match.play(options.steps, lambda: make_worker_pool(workers=options.workers), tell)
    added = (
        add_to_league(disk, league, match.folders, default_suite())
        if options.add and match.folders
        else []
    )
    if as_json:
        sys.stdout.buffer.write(match.table().to_bytes())
        return
    print_table(make_console(), match.table())
    print(f"{len(added)} tournaments added to {league}; they are in {out}")


def _suite(file: Path | None) -> Suite:
    if file is None:
        return default_suite()
    if not file.is_file():
        raise UnknownError(f"{file}: no such file; check the path", code="no_file")
    data = read_input(file, SUITE_BYTES_LIMIT)
    if len(data) > SUITE_BYTES_LIMIT:
        raise LimitError(f"{file}: a suite has at most {SUITE_BYTES_LIMIT} bytes", code="suite")
    return read_suite(data, file)


def _tell(league: Path, added: list[Batch], *, as_json: bool) -> None:
    tip = League(RealDisk(), league).tip
    if as_json:
        print_json({"added": [batch.tip for batch in added], "tip": tip})
        return
    for batch in added:
        print(f"{batch.game}: {batch.matches} matches, batch {batch.tip[:16]}")
        for seat in batch.seats:
            if seat.gate is not None:
                print(f"  {seat.seat} does not count: {seat.gate}")
    if not added:
        print("nothing new: all of it is there already")
    print(f"tip {tip}")
