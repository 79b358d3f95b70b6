"""The world from above, as the page's map asks for it, over real sockets."""

import gzip
import json
import struct
from typing import Any

from tests.server.serving import Served, with_server
from thorp.server.http.surfaces import MAX_CHUNKS
from thorp.voxel.observation.surface import surface_bytes

RECORD = 8 + 256 * 3
EVERYWHERE = "x0=-128&z0=-128&x1=127&z1=127"


async def ask(served: Served, query: str, **headers: str) -> tuple[int, bytes, Any]:
    path = f"/admin/v1/observer/surfaces?{query}"
    async with served.http.get(served.url(path), headers=headers, auto_decompress=False) as answer:
        return answer.status, await answer.read(), answer.headers


def chunks(body: bytes) -> dict[tuple[int, int], bytes]:
    records = [body[at : at + RECORD] for at in range(0, len(body), RECORD)]
    assert len(body) % RECORD == 0
    return {struct.unpack("<ii", record[:8]): record[8:] for record in records}  # type: ignore[misc]


@with_server(tick_rate_hz=20)
async def test_the_generated_ground_is_told_and_nothing_is_generated_by_asking(
    served: Served,
) -> None:
    ground = served.live.service.world.ground
    async with served.agent("mole") as mole:
        x, _, z = (await mole.obs())["self"]["pos"]
        status, body, headers = await ask(served, EVERYWHERE, **{"Accept-Encoding": "gzip"})
        assert (status, headers["Content-Encoding"]) == (200, "gzip")
        told = chunks(gzip.decompress(body))
        assert told[x >> 4, z >> 4] == surface_bytes(ground.look(x >> 4, z >> 4))
        assert all(ground.in_use(*key) for key in told)
        assert (
            chunks((await ask(served, EVERYWHERE, **{"Accept-Encoding": "identity"}))[1]).keys()
            >= told.keys()
        )
        far = await ask(
            served, "x0=3000&z0=3000&x1=3100&z1=3100", **{"Accept-Encoding": "identity"}
        )
        assert far[:2] == (200, b"")
        assert not ground.in_use(3000 >> 4, 3000 >> 4)


@with_server(tick_rate_hz=20)
async def test_whoever_has_it_already_is_told_so_until_it_changes(served: Served) -> None:
    ground = served.live.service.world.ground
    async with served.agent("mole") as mole:
        x, _, z = (await mole.obs())["self"]["pos"]
        query = f"x0={x}&z0={z}&x1={x}&z1={z}"
        status, body, headers = await ask(served, query, **{"Accept-Encoding": "identity"})
        assert status == 200
        known = {"If-None-Match": headers["ETag"]}
        assert (await ask(served, query, **known))[:2] == (304, b"")
        ground.put(x, 60, z, 1)
        status, again, _ = await ask(served, query, **known, **{"Accept-Encoding": "identity"})
        assert status == 200
        ((key, now),) = chunks(again).items()
        at = 3 * ((z & 15) * 16 + (x & 15))
        assert now[at : at + 3] == bytes((1, 0, 60))
        assert chunks(body)[key] != now


@with_server()
async def test_a_rectangle_that_is_none_or_too_large_is_refused(served: Served) -> None:
    side = 16 * 33
    for query in ("", "x0=0&z0=0&x1=0", "x0=1&z0=0&x1=-20&z1=0", f"x0=0&z0=0&x1={side}&z1={side}",
                  "x0=99999999999&z0=0&x1=99999999999&z1=0"):  # fmt: skip
        status, body, _ = await ask(served, query)
        assert (status, json.loads(body)["error"]) == (400, "rectangle"), query
    assert str(MAX_CHUNKS) in json.loads(body)["details"]
    status, body, _ = await ask(served, "x0=1.5&z0=0&x1=2&z1=0")
    assert (status, json.loads(body)["error"]) == (400, "invalid_x0")
