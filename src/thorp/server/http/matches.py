"""Shows the matches and tournaments of a data directory to viewers: lists, logs, events of running
matches, verification.

    DATA/matches/NAME.jsonl             the match NAME; while it is played, its lines are in
                                        .NAME.live
    DATA/tournaments/NAME/logs/KEY.jsonl    the match NAME:KEY of the tournament NAME

Logs are read in threads, and never changed. The list shows only how a long one began and ended.
"""

import asyncio
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from aiohttp import web

from thorp.arena.service import LOG, OBSERVATIONS, REPLIES, live_path, sidecar_path
from thorp.arena.tournament.report import MAX_CROSS_ENTRANTS
from thorp.arena.tournament.run import LOGS, STANDINGS, read_results
from thorp.arena.tournament.standings import Tally
from thorp.kernel.canonical import Json
from thorp.kernel.errors import ThorpError
from thorp.server.access.requests import Refused, json_response, query_number
from thorp.server.http.event_streams import HEARTBEAT, HEARTBEAT_SECONDS, EventStream, event
from thorp.server.http.match_files import (
    _DISK,
    _NAME,
    SEARCHED_BYTES,
    TOURNAMENTS,
    find_content,
    id_of,
    is_broken_off,
    newest,
    read_lines,
    read_standings,
    summarise,
    tournament_summary,
    when_changed,
)
from thorp.server.http.match_worlds import MatchWorlds
from thorp.server.http.verification import VERIFIER
from thorp.server.live.listeners import Listeners

MATCHES: Final = "matches"
# How many matches, or outcomes of a tournament, a page of a list has.
LISTED: Final = 50
OUTCOMES_LISTED: Final = 2000
# How often a running match is looked at for new lines.
POLL_SECONDS: Final = 0.3
MAX_SEQ: Final = 10**12


class Matches:
    """The handlers of the routes of matches."""

    def __init__(self, data: Path) -> None:
        self._data = data
        # By log: its time of change when it was verified, and the outcome.
        self._verified: dict[Path, tuple[int, Json]] = {}
        self.listeners = Listeners()
        self.worlds = MatchWorlds(data)

    async def listing(self, request: web.Request) -> web.Response:
        """List matches, running ones first, and tournaments; or one tournament, with its table and
        its matches."""
        first = query_number(request, "from", least=0) or 0
        tournament = request.query.get("tournament")
        if tournament is None:
            return json_response(await asyncio.to_thread(self._all, first))
        return json_response(await asyncio.to_thread(self._of_tournament, tournament, first))

    async def about(self, request: web.Request) -> web.Response:
        """One match: who played, how it ended, and whether it was replayed here."""
        path = self._path(request)
        try:
            summary = await asyncio.to_thread(self._summary, request.match_info["match"], path)
            return json_response({**summary, "verified": self._stored(path)})
        except FileNotFoundError:
            raise Refused(503, "changing", "the match has just ended; ask again") from None

    async def log(self, request: web.Request) -> web.Response:
        """The lines of a match's log from an event on, as many as fit one answer."""
        seq = query_number(request, "from_seq", least=0, most=MAX_SEQ) or 0
        lines = await asyncio.to_thread(read_lines, self._path(request), seq)
        response = web.Response(body=lines, content_type="application/jsonl", charset="utf-8")
        response.enable_compression()
        return response

    async def events(self, request: web.Request) -> web.StreamResponse:
        """The lines of a match's log from an event on, and then new ones as they are written, as
        server-sent events."""
        seq = query_number(request, "from_seq", least=0, most=MAX_SEQ) or 0
        last = request.headers.get("Last-Event-ID", "")
        if re.fullmatch(r"[0-9]{1,12}", last, re.ASCII):
            seq = int(last)
        self._path(request)
        stream = EventStream(request)
        quiet_since = time.monotonic()
        with self.listeners.seat():
            await stream.response.prepare(request)
            going = request.method == "GET"
            while going and not self.listeners.closed:
                try:
                    path = self._path(request)
                    lines = (await asyncio.to_thread(read_lines, path, seq)).split(b"\n")[:-1]
                except (Refused, ThorpError):
                    break
                if lines:
                    seq = seq + len(lines)
                    quiet_since = time.monotonic()
                    going = await stream.send(event("lines", b"\ndata: ".join(lines), str(seq)))
                elif path.suffix != ".live" or is_broken_off(path):
                    await stream.send(event("end", b"{}"))
                    break
                elif time.monotonic() - quiet_since > HEARTBEAT_SECONDS:
                    quiet_since = time.monotonic()
                    going = await stream.send(HEARTBEAT)
                if not lines:
                    await asyncio.sleep(POLL_SECONDS)
        return stream.response

    async def seen(self, request: web.Request) -> web.Response:
        """An observation of which the log has only the SHA-256, from the file that is kept beside
        the log."""
        name = request.match_info["sha256"]
        if not re.fullmatch(r"[0-9a-f]{64}", name):
            raise Refused(400, "invalid_sha256", "give the 64 hexadecimal digits that the log has")
        path = sidecar_path(self._path(request), OBSERVATIONS)
        observation = await asyncio.to_thread(find_content, path, name.encode())
        if observation is None:
            raise Refused(404, "not_kept", "this observation is not kept beside the log")
        return web.Response(body=observation, content_type="text/plain", charset="utf-8")

    async def replies(self, request: web.Request) -> web.Response:
        """The replies of a match's models, word for word, from the file beside its log; empty if
        they are not kept."""
        path = sidecar_path(self._path(request), REPLIES)
        kept = path.is_file() and path.stat().st_size <= SEARCHED_BYTES
        text = await asyncio.to_thread(path.read_bytes) if kept else b""
        return web.Response(body=text, content_type="application/jsonl", charset="utf-8")

    async def verify(self, request: web.Request) -> web.Response:
        """Judge every action of a match again, once, in a process of its own."""
        path = self._path(request)
        if path.suffix == ".live":
            raise Refused(409, "running", "the match is being played; ask when it has ended")
        if self._stored(path) is None:
            changed = path.stat().st_mtime_ns
            self._verified[path] = (changed, await request.app[VERIFIER].verify("match", of=path))
        return json_response(self._stored(path))

    # The world of a match

    async def world(self, request: web.Request) -> web.Response:
        """Whether the world of a match can be watched. The first who asks has it made, from the
        log."""
        return json_response(self.worlds.state(self._ended(request)))

    async def world_bootstrap(self, request: web.Request) -> web.Response:
        """What a page has to know before it shows the world of a match."""
        return json_response(await self.worlds.bootstrap(self._ended(request)))

    async def world_society(self, request: web.Request) -> web.Response:
        """What the people of a match's world owned and had agreed on when it ended."""
        return json_response(await self.worlds.society(self._ended(request)), compress=True)

    async def world_tape(self, request: web.Request) -> web.Response:
        """Which ticks of a match's world can be looked at."""
        return await (await self.worlds.view(self._ended(request))).state(request)

    async def world_segment(self, request: web.Request) -> web.StreamResponse:
        """One segment of a match's world: 250 ticks, as gzip of JSON."""
        return await (await self.worlds.view(self._ended(request))).segment(request)

    async def world_private(self, request: web.Request) -> web.StreamResponse:
        """What people carried in a segment of a match's world: who may watch a match sees all of
        it."""
        view = await self.worlds.view(self._ended(request))
        return await view.segment(request, private=True)

    async def world_marks(self, request: web.Request) -> web.Response:
        """What happened in a range of ticks of a match's world."""
        return await (await self.worlds.view(self._ended(request))).marks(request)

    async def world_activity(self, request: web.Request) -> web.Response:
        """Where blocks of a match's world were changed."""
        return await (await self.worlds.view(self._ended(request))).activity(request)

    async def world_ground(self, request: web.Request) -> web.Response:
        """The ground of a match's world after a tick."""
        return await (await self.worlds.view(self._ended(request))).ground(request)

    def _ended(self, request: web.Request) -> Path:
        """The log of a match that is over."""
        return self.ended_log(request.match_info["match"])

    def ended_log(self, match: str) -> Path:
        """The log of a match that is over, by the id of the match."""
        path = self._path_of(match)
        if path.suffix == ".live":
            raise Refused(409, "running", "the match is being played; ask when it has ended")
        return path

    def _stored(self, path: Path) -> Json:
        """The outcome of a verification of this log as it is now; None if there was none."""
        changed, outcome = self._verified.get(path, (0, None))
        return outcome if path.stat().st_mtime_ns == changed else None

    def _path(self, request: web.Request) -> Path:
        """The log of the match that a request is about."""
        return self._path_of(request.match_info["match"])

    def _path_of(self, match: str) -> Path:
        """The log that an id names. Ids are names, never paths."""
        tournament, _, name = match.rpartition(":")
        if _NAME.match(name) and (not tournament or _NAME.match(tournament)):
            folder = (
                self._data / TOURNAMENTS / tournament / LOGS if tournament else self._data / MATCHES
            )
            log = folder / f"{name}.{LOG}"
            for path in (log, live_path(log)):
                if path.is_file():
                    return path
        raise Refused(404, "no_match", "there is no such match; GET /v1/matches lists them")

    def _all(self, first: int) -> dict[str, Json]:
        folders = newest(self._data / TOURNAMENTS)[:LISTED] if first == 0 else []
        tournaments = [about for path in folders if (about := tournament_summary(path)) is not None]
        return {**self._listed(newest(self._data / MATCHES), first), "tournaments": tournaments}

    def _listed(self, logs: Sequence[Path], first: int, tournament: str = "") -> dict[str, Json]:
        end = first + LISTED
        summaries = [self._try_summary(f"{tournament}{id_of(log)}", log) for log in logs[first:end]]
        return {
            "matches": list(filter(None, summaries)),
            "next": end if end < len(logs) else None,
        }

    def _of_tournament(self, name: str, first: int) -> dict[str, Json]:
        path = self._data / TOURNAMENTS / name
        about = tournament_summary(path) if _NAME.match(name) else None
        if about is None:
            raise Refused(
                404, "no_tournament", "there is no such tournament; GET /v1/matches lists them"
            )
        if not about["finished"]:
            return {**about, **self._listed(newest(path / LOGS), first, f"{name}:")}
        outcomes = read_results(_DISK, path, about["entrants"])
        cross: Json = {}
        if len(about["entrants"]) <= MAX_CROSS_ENTRANTS:
            totals = Tally(about["entrants"], outcomes).totals
            cross = {id: msgspec.to_builtins(total.against) for id, total in totals.items()}
        end = first + OUTCOMES_LISTED
        return {
            **about,
            "standings": read_standings(path / STANDINGS),
            "cross": cross,
            "outcomes": outcomes[first:end],
            "next": end if end < len(outcomes) else None,
        }

    def _try_summary(self, match: str, path: Path) -> dict[str, Json] | None:
        try:
            return self._summary(match, path)
        except (ThorpError, OSError):
            return None  # the file is not a log, or was removed a moment ago

    def _summary(self, match: str, path: Path) -> dict[str, Json]:
        state = path.stat()
        summary = summarise(path, state.st_mtime_ns, state.st_size)
        running = path.suffix == ".live" and not is_broken_off(path)
        return {"id": match, **summary, "running": running, "when": when_changed(path)}
