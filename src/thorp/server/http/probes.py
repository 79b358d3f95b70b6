"""Answers the probes of those who run a server: does it answer, is its world played, what are its
metrics."""

from aiohttp import web

from thorp.server.access.requests import UNAVAILABLE, json_response, refusal
from thorp.server.http import metrics
from thorp.server.http.stage import Stage
from thorp.server.http.writer_meter import WriterMeter


class Probes:
    """The handlers of the routes that need no world."""

    def __init__(self, stage: Stage, writer_meter: WriterMeter) -> None:
        self._stage = stage
        self._writer_meter = writer_meter

    async def healthz(self, request: web.Request) -> web.Response:
        """Whether the process answers."""
        return web.Response(text="ok")

    async def readyz(self, request: web.Request) -> web.Response:
        """Whether the world is being played, or why it is not, and how far the founding of a
        village has come."""
        reason = self._stage.not_ready_because()
        founding = self._stage.founding
        if reason is not None and founding is None:
            return refusal(503, "not_ready", reason)
        if reason is not None:
            answer = {
                "error": "not_ready",
                "details": reason,
                "kind": UNAVAILABLE,
                "founding": founding,
            }
            return json_response(answer, 503)
        live = self._stage.require_live()
        about = f": {metrics.villagers_text(live.service.world)}" if live.has_village else ""
        return web.Response(text=f"ready{about}")

    async def status(self, request: web.Request) -> web.Response:
        """What the server is doing: opening its world, founding a village, playing it, or stopped,
        and why. It always answers 200, so that a page that waits for a world logs no errors; probes
        should ask `/readyz`."""
        return json_response(self._stage.status())

    async def metrics_text(self, request: web.Request) -> web.Response:
        """Metrics of the server, the world and its society, as text for Prometheus."""
        text = metrics.render(self._stage.live, self._writer_meter)
        headers = {"Content-Type": "text/plain; version=0.0.4; charset=utf-8"}
        return web.Response(body=text.encode(), headers=headers)
