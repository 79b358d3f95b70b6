"""The files of matches and tournaments in a data directory, as the page lists and reads them."""

import re
from contextlib import closing, suppress
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from thorp.arena.events import parse_event, parse_start
from thorp.arena.service import LOG, REPLIES, open_log
from thorp.arena.tournament.plan import read_plan
from thorp.arena.tournament.run import LOGS, TOURNAMENT
from thorp.kernel.canonical import Json
from thorp.kernel.errors import ThorpError
from thorp.server.access.requests import Refused
from thorp.store import RealDisk
from thorp.workers.directory import RESULTS

TOURNAMENTS: Final = "tournaments"
# Names that are looked at in one directory; a list is made of the newest of them.
MAX_NAMES: Final = 20_000
# Refusals are counted in logs up to this size. Of a longer log only both ends are read.
COUNTED_BYTES: Final = 8 << 20
END_BYTES: Final = 1 << 20
# The longest part of a log in one answer or event; a reader asks again from where it ended.
PIECE_BYTES: Final = 4 << 20
# How much of the file of observations is searched for one.
SEARCHED_BYTES: Final = 256 << 20
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,254}\Z")
# A line of a log that says that an agent failed, or that its action was refused. Events have their
# fields in this order, so no line needs to be parsed to be counted.
_FAULT: Final = re.compile(
    rb'^\{"type":"(?:(AgentError)"'
    rb'|ActionAdjudicated","agentId":"(?:[^"\\]|\\.)*","turn":\d+,"valid":false)',
    re.MULTILINE,
)
_DISK: Final = RealDisk()


def tournament_summary(path: Path) -> dict[str, Json] | None:
    """What a list says about a tournament; None if the directory does not hold one."""
    try:
        plan = read_plan(TOURNAMENT.read_manifest(_DISK, path))
    except (ThorpError, OSError):
        return None
    finished = (path / RESULTS).is_file()
    total = plan.matches
    return {
        "id": path.name,
        **{name: getattr(plan, name) for name in ("scenario", "seed", "rounds", "ranking", "logs")},
        "entrants": list(plan.ids),
        "total": total,
        "played": total if finished else len(newest(path / LOGS)),
        "finished": finished,
        "when": when_changed(path),
    }


def read_standings(path: Path) -> Json:
    """The table of a finished tournament."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Json])["standings"]
    except (OSError, KeyError, msgspec.MsgspecError):
        raise Refused(
            503, "damaged", "its table cannot be read; thorp tournament verify says why"
        ) from None


def id_of(path: Path) -> str:
    """The name of a match, from the file of its log or of its running log."""
    return path.name.removeprefix(".").removesuffix(".live").removesuffix(f".{LOG}")


def newest(folder: Path) -> list[Path]:
    """Logs or directories of a folder: running matches first, then the newest."""
    if not folder.is_dir():
        return []
    entries: list[tuple[bool, float, Path]] = []
    for path in folder.iterdir():
        is_live = path.name.startswith(".") and path.suffix == ".live"
        is_log = path.suffix == f".{LOG}" and not path.name.endswith(f".{REPLIES}")
        is_listed = is_live or (path.is_dir() if folder.name == TOURNAMENTS else is_log)
        if is_listed and _NAME.match(id_of(path)):
            with suppress(FileNotFoundError):  # a match that has just ended
                entries.append((not is_live, -path.stat().st_mtime, path))
        if len(entries) >= MAX_NAMES:
            break
    return [path for *_, path in sorted(entries)]


def when_changed(path: Path) -> str:
    """When a file changed last, as ISO 8601."""
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds")


def is_broken_off(live: Path) -> bool:
    """Whether nobody plays this match any more: its runner would hold a lock on the file."""
    with suppress(ThorpError), closing(_DISK.open(live)) as file:
        try:
            file.lock()
        except ThorpError:
            return False
    return True


@lru_cache(MAX_NAMES)
def summarise(path: Path, _changed_ns: int, size: int) -> dict[str, Json]:
    """What a list says about a log. The time of its last change is a key of the cache."""
    with open_log(path) as file:
        whole = size <= COUNTED_BYTES
        start = parse_start(file.readline(END_BYTES))
        if not whole:
            file.seek(-END_BYTES, 2)
        rest = file.read()
    faults = _FAULT.findall(rest)
    last = parse_event(rest.rstrip(b"\n").rpartition(b"\n")[2]) or {}
    ended = last if last.get("type") == "MatchEnded" else {}
    return {
        "scenario": start["scenarioName"],
        "seats": start["agentIds"],
        "seed": start["seed"],
        "scores": ended.get("scores"),
        "turns": ended.get("turns"),
        "reason": ended.get("reason"),
        "refused": len(faults) - faults.count(b"AgentError") if whole else None,
        "errors": faults.count(b"AgentError") if whole else None,
    }


def find_content(path: Path, name: bytes) -> bytes | None:
    """The observation with this digest in a file of observations; None if it is not in it."""
    if path.is_file():
        with path.open("rb") as file:
            while file.tell() < SEARCHED_BYTES and (line := file.readline(PIECE_BYTES)):
                if line.startswith(name + b" "):
                    return line[len(name) + 1 :].rstrip(b"\n")
    return None


def read_lines(path: Path, seq: int) -> bytes:
    """Whole lines of a log from this number on, as many as make up a piece."""
    piece = []
    size = 0
    with open_log(path) as file:
        for line in islice(file, seq, None):
            if size >= PIECE_BYTES or not line.endswith(b"\n"):
                break
            piece.append(line)
            size += len(line)
    return b"".join(piece)
