"""Plays matches that are given as data, saves them to files, and verifies saved ones.

Beside a log `final.jsonl` lie `final.manifest.json` and, if needed, `final.observations.txt` (the
observations of which the log has only digests) and `final.replies.jsonl` (the answers of models, to
play the match again without them). These are the log's *sidecar files*.
"""

import os
import stat
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from hashlib import file_digest
from itertools import count
from pathlib import Path
from typing import BinaryIO

import msgspec

from thorp.arena import registry
from thorp.arena.contract import USUAL_MAX_TURNS, Agent, MatchConfig, MatchResult, MatchTask
from thorp.arena.events import INTERRUPTED, LogReader, parse_event, parse_start
from thorp.arena.external import Replies, open_agent
from thorp.arena.external.agents import UnopenedAgent
from thorp.arena.external.model_agents import Loading, load_silently, model_agent
from thorp.arena.external.spec import ModelSpec, parse_spec
from thorp.arena.manifest import Manifest, first_changed_block, make_manifest, read_manifest
from thorp.arena.runner import MatchInterrupted, run_match
from thorp.arena.scenarios.validation import take_seats
from thorp.arena.sealed import SECRET_BYTES, parse_secret
from thorp.arena.verify import (
    Difference,
    config_from_log,
    find_difference,
    is_sealed,
    revealed_secret,
)
from thorp.kernel.canonical import Json
from thorp.kernel.errors import ConflictError, DamagedError, IllegalError, InvalidError
from thorp.kernel.identity import digest
from thorp.models.recorded_choices import RecordedGames
from thorp.store import Disk, write_together

LOG = "jsonl"
MANIFEST = "manifest.json"
OBSERVATIONS = "observations.txt"
REPLIES = "replies.jsonl"
"""The kinds of files of a match, by the ends of their names."""
# Given instead of a secret: the sealed scenario is played without one, from the seed alone.
NO_SECRET = "none"

WHOLE_GAME_TURNS = 100_000
"""More turns than any recorded game has that came to its end."""
MANIFEST_BYTES_LIMIT = 16 << 20
"""A manifest is a page of text; its largest part, the command lines of the seats, cannot be this
long."""
# A reply is a page of text; many turns of several models stay far below this.
REPLIES_BYTES_LIMIT = 256 << 20

_DEPENDS_ON_PARAMETERS = ("changed", "sealed")
"""Differences that wrong parameters could cause. All others show in the log's sequence numbers."""


class Verification(msgspec.Struct, frozen=True):
    """The result of a verification. `basis` says where the parameters came from: the manifest, the
    log's observations, or defaults. `tip` is the digest of the manifest's file, and so covers
    everything whose digests it has. `block_bits` is the strength of the digests of the log's
    blocks; that of the whole log always has 256. `interrupted` is set for the log of a match that
    was cut off, which proves nothing about how it might have ended."""

    difference: Difference | None
    basis: str
    scenario: str
    lines: int
    replayed_bots: tuple[str, ...]
    tip: str | None = None
    block_bits: int | None = None
    interrupted: bool = False


def play(
    task: MatchTask,
    replies: Replies | None = None,
    *,
    tolerant: bool = False,
    watch: Callable[[bytes], object] | None = None,
    loading: Loading = load_silently,
) -> MatchResult:
    """Play the match that a task describes. With recorded `replies`, model seats answer from them.
    `watch` is called with each line of the log as it is written, `loading` for each model that is
    loaded on this machine.

    An agent that cannot be opened is refused; if `tolerant`, its seat fails in `init` instead.
    Raises MatchInterrupted, which holds the result so far, if it is interrupted.
    """
    scenario = registry.make_scenario(task.scenario, task.parameters)
    take_seats(
        task.scenario, [seat.id for seat in task.seats], getattr(scenario, "seats", (1, None))
    )
    with ExitStack() as stack:
        agents: list[Agent] = []
        for seat in task.seats:
            try:
                agents.append(stack.enter_context(open_agent(seat, task, replies, loading)))
            except InvalidError:
                if not tolerant:
                    raise
                agents.append(UnopenedAgent(seat.id))
        try:
            result = run_match(scenario, agents, match_config(task), watch)
        except MatchInterrupted as stopped:
            stopped.result.diagnostics = _diagnostics(agents)
            raise
        result.diagnostics = _diagnostics(agents)
        return result


def _diagnostics(agents: Sequence[Agent]) -> dict[str, str]:
    return {agent.id: getattr(agent, "diagnostics", "") for agent in agents}


def sidecar_path(log: Path, kind: str) -> Path:
    """The path of a file that belongs to a log: `NAME.jsonl` has `NAME.KIND` beside it."""
    return log.with_name(f"{log.name.removesuffix('.jsonl')}.{kind}")


def free_path(folder: Path, name: str) -> Path:
    """The path of a log in a folder, with this name or the first numbered one that is free. The
    folder is made if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = (folder / f"{name}{'' if number == 1 else f'-{number}'}.{LOG}" for number in count(1))
    return next(path for path in paths if not path.exists() and not live_path(path).exists())


def live_path(log: Path) -> Path:
    """The path of the file that has the lines of a match while it is played."""
    return log.with_name(f".{log.name.removesuffix(f'.{LOG}')}.live")


@contextmanager
def live_log(disk: Disk, log: Path) -> Iterator[Callable[[bytes], object]]:
    """Yields a function that writes the lines of a match to a file while it is played. The file is
    locked meanwhile, and removed afterwards."""
    path = live_path(log)
    at = 0
    with closing(disk.create(path)) as file:
        file.lock()

        def write(line: bytes) -> None:
            nonlocal at
            file.write(at, line)
            at += len(line)

        try:
            yield write
        finally:
            disk.remove(path)


def refuse_existing(log: Path, *, replace: bool) -> None:
    """Refuse, before a match is played, a path to which it cannot be saved."""
    if not log.name or not os.access(log.parent, os.W_OK | os.X_OK):
        raise IllegalError(
            f"{log}: its folder cannot be written to; give another path", code="path"
        )
    for path in (log, *(sidecar_path(log, kind) for kind in (MANIFEST, OBSERVATIONS, REPLIES))):
        if path.exists() and not path.is_file():
            raise IllegalError(
                f"{path}: exists and is not a regular file; give another path", code="path"
            )
        if path.exists() and not replace:
            raise ConflictError(
                f"{path}: exists already; give another path, or --force", code="exists"
            )


def save_match(
    disk: Disk,
    log: Path,
    task: MatchTask,
    result: MatchResult,
    replies: bytes | None,
    *,
    replace: bool,
) -> str:
    """Write a match with its sidecar files, all or none, and return its tip."""
    observations = observations_file(result) if result.contents else None
    manifest = make_manifest(task, result, observations, replies).to_bytes()
    files = {
        log: result.jsonl,
        sidecar_path(log, MANIFEST): manifest,
        sidecar_path(log, OBSERVATIONS): observations,
        sidecar_path(log, REPLIES): replies,
    }
    write_together(
        disk, {path: data for path, data in files.items() if data is not None}, replace=replace
    )
    for path, data in files.items():
        if data is None and disk.exists(path):
            disk.remove(path)  # a sidecar of the match that this one replaces
    return digest(manifest)


def read_task(log: Path) -> MatchTask:
    """The task of a match, from its manifest."""
    path = sidecar_path(log, MANIFEST)
    return read_manifest(_read_bounded(path, MANIFEST_BYTES_LIMIT, "a manifest"), path.name).task


def verify_file(log: Path, tip: str | None = None) -> Verification:
    """Verify a saved match by its manifest. Without one, use the parameters that its first
    observation shows, and defaults for the others; refuse a log for which that is not enough.

    With a `tip`, the match must also have that tip.
    """
    with open_log(log) as file:
        reader = LogReader(file)
        manifest_path = sidecar_path(log, MANIFEST)
        if manifest_path.exists():
            data = _read_bounded(manifest_path, MANIFEST_BYTES_LIMIT, "a manifest")
            return _verify_by_manifest(log, reader, data, tip)
        if tip is not None:
            raise InvalidError(
                f"{log}: a log has a tip only with its manifest, and {manifest_path.name} is not "
                "here",
                code="no_tip",
            )
        damaged = _damaged_start(reader)
        if damaged is not None:
            return Verification(
                difference=damaged, basis="defaults", scenario="", lines=0, replayed_bots=()
            )
        return _verify_bare(log, reader)


def _verify_bare(log: Path, reader: LogReader) -> Verification:
    """Verify a log without a manifest, with the parameters that it shows and defaults for the
    others."""
    start = parse_start(reader.peek())
    scenario = registry.scenario_with_name(start["scenarioName"])
    defaults = registry.scenario_parameters(scenario, {})
    logged = _shown_parameters(log, scenario, len(start["agentIds"]))
    parameters = {**defaults, **logged}
    config = config_from_log(start, reader.peek(1))
    if is_sealed(reader):
        with open_log(log) as again:
            secret = revealed_secret(LogReader(again))
        config = msgspec.structs.replace(config, secret=secret, parameters=parameters)
    played = registry.make_scenario(scenario, parameters)
    difference = find_difference(reader, played, start["agentIds"], config)
    missing = [name for name in defaults if name not in logged]
    if difference is not None and missing and difference.code in _DEPENDS_ON_PARAMETERS:
        tried = ", ".join(f"{name}={defaults[name]}" for name in missing)
        raise InvalidError(
            f"{log}: cannot tell: not in this log: {', '.join(missing)} of {scenario}. With "
            f"{tried} line {difference.line} would be another; put the manifest of the match "
            "beside its log",
            code="parameters",
        )
    return Verification(
        difference=difference,
        basis="defaults" if parameters == defaults else "observations",
        scenario=scenario,
        lines=reader.line,
        replayed_bots=(),
        interrupted=reader.last.startswith(INTERRUPTED),
    )


def _shown_parameters(log: Path, scenario: str, seats: int) -> dict[str, Json]:
    """The parameters that the first observation of a log shows; none if the scenario would refuse
    them."""
    read = getattr(registry.make_scenario(scenario, {}), "parameters_from", None)
    if read is None:
        return {}
    with open_log(log) as file:
        reader = LogReader(file)
        # Before it come MatchStarted, MatchSealed, the failures of init, and TurnStarted.
        for _ in range(seats + 4):
            event = parse_event(reader.take() or b"")
            if event is not None and event["type"] == "ObservationEmitted":
                break
        else:
            return {}
    # The log is a stranger's: the observation may be any value, while a scenario expects only its
    # own.
    with suppress(Exception):
        read_values = read(event.get("observation"))
        parameters = {name: value for name, value in read_values.items() if value is not None}
        registry.make_scenario(scenario, parameters)
        return parameters
    return {}


def _verify_by_manifest(log: Path, reader: LogReader, data: bytes, tip: str | None) -> Verification:
    """Verify a log by its manifest, whose file is `data`: its own digest, the tip, the sidecar
    files, the replay, and last the digests of the log."""
    actual_tip = digest(data)
    name = sidecar_path(log, MANIFEST).name
    try:
        manifest = read_manifest(data, name)
    except DamagedError:
        damage = Difference("damaged", 1, f"{name} is not as it was written, by its own digest")
        return Verification(
            difference=damage,
            basis="manifest",
            scenario="",
            lines=0,
            replayed_bots=(),
            tip=actual_tip,
        )
    task = manifest.task
    if tip is not None and tip != actual_tip:
        other = Difference("tip", 1, f"the tip is {actual_tip}, not {tip}")
        return Verification(
            difference=other,
            basis="manifest",
            scenario=task.scenario,
            lines=0,
            replayed_bots=(),
            tip=actual_tip,
        )
    # Checked before they are used, so that a changed sidecar is reported as such.
    difference = _changed_sidecar(log, manifest)
    if difference is not None:
        return Verification(
            difference=difference,
            basis="manifest",
            scenario=task.scenario,
            lines=0,
            replayed_bots=(),
            tip=actual_tip,
        )
    replies = b""
    if manifest.replies is not None:
        replies = _read_bounded(sidecar_path(log, REPLIES), REPLIES_BYTES_LIMIT, "recorded replies")
    agents = replayed_agents(task, replies)
    difference = _unnoticed_change(log, manifest, find_task_difference(reader, task, agents))
    return Verification(
        difference=difference,
        basis="manifest",
        scenario=task.scenario,
        lines=reader.line,
        replayed_bots=tuple(agents),
        tip=actual_tip,
        block_bits=4 * (manifest.block_digits or 64),
        interrupted=reader.last.startswith(INTERRUPTED),
    )


def find_task_difference(
    reader: LogReader, task: MatchTask, bots: Mapping[str, Agent]
) -> Difference | None:
    """Play the match of a task again and compare it with its log; see `find_difference`."""
    scenario = registry.make_scenario(task.scenario, task.parameters)
    return find_difference(
        reader, scenario, [seat.id for seat in task.seats], match_config(task), bots
    )


def match_config(task: MatchTask) -> MatchConfig:
    """The runner's configuration for a task; for a sealed one, with its secret and parameters."""
    if isinstance(task.secret, msgspec.UnsetType):
        return MatchConfig(seed=task.seed, max_turns=task.max_turns, match_id=task.match_id)
    parameters = registry.scenario_parameters(task.scenario, task.parameters)
    return MatchConfig(
        seed=task.seed,
        max_turns=task.max_turns,
        match_id=task.match_id,
        secret=parse_secret(task.secret),
        parameters=parameters,
    )


def choose_secret(
    scenario: str, parameters: Mapping[str, Json], given: str | None
) -> str | msgspec.UnsetType:
    """Return the secret of a match: the given one, or none; if nothing is given, a new one for a
    sealed scenario."""
    sealed = getattr(registry.make_scenario(scenario, parameters), "sealed", False)
    if given == NO_SECRET or (given is None and not sealed):
        return msgspec.UNSET
    if not sealed:
        raise InvalidError(
            f"{scenario} is not a sealed scenario and takes no secret", code="secret"
        )
    return os.urandom(SECRET_BYTES).hex() if given is None else parse_secret(given).hex()


def replayed_agents(task: MatchTask, replies: bytes) -> dict[str, Agent]:
    """Make the agents that can be played again: Thorp's own bots, and models from their recorded
    replies."""
    agents: dict[str, Agent] = {}
    recorded = None
    for seat in task.seats:
        if registry.is_built_in(task.scenario, seat.spec):
            agents[seat.id] = registry.make_agent(task.scenario, seat.spec, seat.id)
        elif isinstance(spec := parse_spec(seat.spec), ModelSpec):
            recorded = recorded or Replies.from_jsonl(replies)
            agents[seat.id] = model_agent(seat, spec, task, recorded, None)
    return agents


def _unnoticed_change(
    log: Path, manifest: Manifest, difference: Difference | None
) -> Difference | None:
    """Return an earlier change that only the manifest's digests show, or else the difference that
    the replay has shown."""
    with open_log(log) as file:
        line = first_changed_block(manifest, iter(LogReader(file).take, None))
    if line is None and difference is None and _digest_of(log) != manifest.log.sha256:
        return Difference("digest", 1, "the manifest was made for other bytes, by its own digest")
    if line is None:
        return difference
    last = line + manifest.log.block_lines - 1
    if difference is not None and difference.line <= last:
        return difference
    where = "the line is" if last == line else f"lines {line} to {last} are"
    return Difference("changed", line, f"{where} not what the manifest was made for")


def _damaged_start(reader: LogReader) -> Difference | None:
    """Find damage in a log's first line; None if it is sound, or if the file does not look like a
    log, which the parser will refuse."""
    first = reader.peek() or b""
    try:
        parse_start(first)
    except InvalidError as problem:
        second = reader.peek(1)
        if first.startswith(b'{"type":"MatchStarted"') and not first.endswith(b"\n"):
            return Difference("truncated", 1, f"the line breaks off after {len(first)} bytes")
        if first.startswith(b'{"type":"MatchStarted"') or (second and parse_event(second)):
            return Difference("changed", 1, problem.message)
    return None


def _changed_sidecar(log: Path, manifest: Manifest) -> Difference | None:
    """Find the first sidecar file that is not the one the manifest was made with."""
    for name, digests in ((OBSERVATIONS, manifest.observations), (REPLIES, manifest.replies)):
        path = sidecar_path(log, name)
        if digests is not None and not path.exists():
            return Difference("missing", 1, f"{path.name} belongs to this log and is not here")
        if digests is not None and _digest_of(path) != digests.sha256:
            line = _first_wrong_content(path) if name == OBSERVATIONS else None
            return Difference(
                "changed", line or 1, f"{path.name} is not what the manifest was made with"
            )
    return None


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _first_wrong_content(path: Path) -> int | None:
    """Return the number of the first line whose content does not match its digest."""
    with path.open("rb") as file:
        reader = LogReader(file)
        while (line := reader.take()) is not None:
            name, _, content = line.removesuffix(b"\n").partition(b" ")
            if name.decode("ascii", "replace") != digest(content):
                return reader.line
    return None


def observations_file(result: MatchResult) -> bytes:
    """Make the observations file: a digest and its content on each line."""
    return b"".join(
        b"%b %b\n" % (name.encode(), content) for name, content in result.contents.items()
    )


def open_log(path: Path) -> BinaryIO:
    """Open a file of a match. Refuses anything but a regular file: reading a pipe or a device could
    block."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise IllegalError(f"{path}: not a regular file; check the path", code="unreadable")
        return path.open("rb")
    except OSError as problem:
        raise IllegalError(
            f"{path}: {problem.strerror}; check the path", code="unreadable"
        ) from None


def read_replies(path: Path) -> Replies:
    """Read the recorded replies of a match's models from a file."""
    return Replies.from_jsonl(_read_bounded(path, REPLIES_BYTES_LIMIT, "recorded replies"))


def replayed_match(task: MatchTask, path: Path) -> tuple[MatchTask, Replies]:
    """A match that plays from recorded replies, and those. In a file of many games it is that of
    the match's seed, in the world of this seed; it ends as that game did. A lower limit of turns
    that the match has holds."""
    data = _read_bounded(path, REPLIES_BYTES_LIMIT, "recorded replies")
    if not RecordedGames.is_in(data):
        return task, Replies.from_jsonl(data)
    games = RecordedGames.from_bytes(data)
    parameters = registry.scenario_parameters(task.scenario, task.parameters)
    replies = games.game(task.scenario, parameters, task.seed)
    turns = replies.game.turns or WHOLE_GAME_TURNS
    if task.max_turns != USUAL_MAX_TURNS:
        turns = min(turns, task.max_turns)
    in_world = {**task.parameters, "world": task.seed}
    return msgspec.structs.replace(task, max_turns=turns, parameters=in_world), replies


def _read_bounded(path: Path, limit: int, expected: str) -> bytes:
    """Read a file of at most `limit` bytes; a longer one is not what was `expected`."""
    with open_log(path) as file:
        data = file.read(limit + 1)
    if len(data) > limit:
        raise InvalidError(f"{path}: larger than {limit} bytes; not {expected}", code="size")
    return data
