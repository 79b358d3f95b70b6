"""Ways in which a server fails its client, each a handler."""

from __future__ import annotations

import asyncio

from aiohttp import web

HUGE = 2 << 20


async def stall(request: web.Request) -> web.StreamResponse:
    await asyncio.sleep(60)
    raise AssertionError("the client waited for a minute")


async def drip(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    for _ in range(1000):
        await response.write(b" ")
        await asyncio.sleep(0.02)
    return response


async def stall_in_error(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(status=500, headers={"Content-Length": "1000"})
    await response.prepare(request)
    await asyncio.sleep(60)
    return response


async def cut_off(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"turn":1')
    assert request.transport is not None
    request.transport.close()
    return response


async def cut_off_chunked(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    response.enable_chunked_encoding()
    await response.prepare(request)
    await response.write(b'{"turn":1')
    assert request.transport is not None
    request.transport.close()
    return response


async def close(request: web.Request) -> web.StreamResponse:
    assert request.transport is not None
    request.transport.close()
    return web.Response()


async def huge(request: web.Request) -> web.StreamResponse:
    return web.Response(body=b" " * HUGE)


async def endless(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(b" " * 65536)


async def redirect(request: web.Request) -> web.StreamResponse:
    raise web.HTTPTemporaryRedirect("/elsewhere")


async def server_error(request: web.Request) -> web.StreamResponse:
    return web.Response(status=500, text="the disk is on fire")


async def not_json(request: web.Request) -> web.StreamResponse:
    return web.Response(text="<html>hello</html>")


async def not_utf8(request: web.Request) -> web.StreamResponse:
    return web.Response(body=b'{"turn":"\xff"}')


async def compressed(request: web.Request) -> web.StreamResponse:
    response = web.Response(body=b" " * HUGE)
    response.enable_compression(web.ContentCoding.gzip)
    return response
