"""Serves a witness, which cosigns the logs of others: two routes, and one request at a time."""

import asyncio
from collections.abc import Callable
from contextlib import closing

from aiohttp import web

from thorp.log.witness import MAX_REQUEST_BYTES, TEXT_TYPE, Witness
from thorp.server.sockets.listener import listen


def witness_app(witness: Witness) -> web.Application:
    """The application of a witness, which cosigns checkpoints and shows the last one of a log."""
    turn = asyncio.Lock()

    async def add_checkpoint(request: web.Request) -> web.Response:
        try:
            body = await request.read()
        except web.HTTPRequestEntityTooLarge:
            return web.Response(
                status=400, text=f"a request has at most {MAX_REQUEST_BYTES} bytes\n"
            )
        async with turn:
            # Shielded: comparing with the last checkpoint and storing the new one is one step, even
            # if the client hangs up. The lock keeps other requests out of it.
            answer = await asyncio.shield(asyncio.to_thread(witness.add, body))
        headers = {"Content-Type": answer.content_type}
        return web.Response(status=answer.status, body=answer.body.encode(), headers=headers)

    async def last_checkpoint(request: web.Request) -> web.Response:
        checkpoint = await asyncio.to_thread(witness.last, request.match_info["origin"])
        if checkpoint is None:
            return web.Response(
                status=404, text="no checkpoint of this log has been cosigned here\n"
            )
        return web.Response(body=checkpoint, headers={"Content-Type": TEXT_TYPE})

    app = web.Application(client_max_size=MAX_REQUEST_BYTES)
    app.router.add_post("/add-checkpoint", add_checkpoint)
    app.router.add_get("/{origin:[0-9a-f]{64}}/checkpoint", last_checkpoint)
    return app


async def serve_witness(witness: Witness, port: int, say: Callable[[str], None]) -> None:
    """Serve on loopback until cancelled; `say` is told where. A proxy with TLS belongs in front."""
    runner = web.AppRunner(witness_app(witness), access_log=None, auto_decompress=False)
    await runner.setup()
    assert runner.server is not None
    try:
        with closing(await listen(runner.server, "127.0.0.1", port)) as listener:
            say(f"http://127.0.0.1:{listener.port}")
            await asyncio.Event().wait()
    finally:
        await runner.cleanup()
