"""What watchers are told when they look closer, and what they never are, over real sockets."""

import gzip
import json
from pathlib import Path
from typing import Any

from tests.server.serving import Served, run, serving, with_server
from tests.server.test_society_metrics import QUICK, do, settle
from thorp.server.access.tokens import Role, Tokens

VIEWS = "/admin/v1/observer"


async def look(served: Served, path: str, status: int = 200, **options: Any) -> Any:
    answered, body = await served.get(f"{VIEWS}/{path}", **options)
    assert answered == status, body
    return json.loads(body)


@with_server(**QUICK)
async def test_the_society_is_told_with_its_laws_contracts_and_treasuries(served: Served) -> None:
    async with served.agent("mole") as mole:
        await settle(mole)
        told = await look(served, "society")
    (land,), (org,), (law,), (contract,) = (
        told[name] for name in ("lands", "organisations", "laws", "contracts")
    )
    assert (land["owner"], land["radius"], land["visitors_may"]) == (mole.id, 8, [])
    assert (org["name"], org["members"], org["treasury"]) == (
        "Thorpe",
        {mole.id: "LEADER"},
        {"PLANK": 4},
    )
    assert (law["template_id"], law["params"], law["members"], law["quorum"]) == (
        "MARKET_TAX", {"market_tax": 100_000}, 1, 1,
    )  # fmt: skip
    assert (contract["asked"], contract["reward"], contract["state"]) == (
        {"STONE": 1},
        {"COAL": 3},
        "OPEN",
    )
    assert told["event"]["id"] == "MARKET_WEEK"


@with_server(tape=True, **{**QUICK, "law_vote_ticks": 40})
async def test_a_vote_is_a_turnout_while_it_runs_and_a_tally_afterwards(served: Served) -> None:
    """Who voted how is never told."""
    async with served.agent("mole") as mole:
        await settle(mole)
        (law,) = (await look(served, "society"))["laws"]
        while law["status"] == "NOTICE":
            await mole.obs()
            (law,) = (await look(served, "society"))["laws"]
        await do(mole, "instants", type="VOTE", law_id=law["id"], choice="YES")
        (law,) = (await look(served, "society"))["laws"]
        assert (law["status"], law["voted"], law["tally"]) == ("VOTING", 1, None)
        while law["status"] == "VOTING":
            await mole.obs()
            (law,) = (await look(served, "society"))["laws"]
        assert (law["status"], law["tally"]) == ("ACTIVE", {"yes": 1, "no": 0, "abstain": 0})
        assert "votes" not in law
        assert (await look(served, f"laws/{law['id']}/effects?tick=99999"))["times"] == 0


@with_server(**QUICK)
async def test_an_agent_is_told_with_its_standing_and_what_binds_it(served: Served) -> None:
    async with served.agent("mole") as mole:
        await settle(mole)
        await mole.obs()
        await mole.act(
            instants=[{"id": "v", "type": "VOTE", "law_id": "LAW999999", "choice": "YES"}]
        )
        await mole.result("v")
        told = await look(served, f"agents/{mole.id}")
        society = await look(served, "society")
        assert (await look(served, "agents/A99", 409))["error"] == "unknown_agent"
    assert (told["name"], told["rank"]) == ("mole", "LEADER")
    assert told["contracts"] == [society["contracts"][0]["id"]]
    assert told["land"] == society["lands"][0]["id"]
    assert told["reputation"]["trade"] == 500
    assert told["carries"]["COAL"] == 6, "an operator reads the open book"
    assert told["refused"][0]["code"] == "E_INVALID_TARGET"
    assert told["refused"][0]["hint"].startswith('No law "LAW999999"')
    groups = told["achievements"]
    assert (len(groups["tech"]), len(groups["social"])) == (22, 11)
    assert (groups["social"]["claim_land"], groups["social"]["pass_law"]) == (1, 0)


@with_server(**QUICK)
async def test_a_place_is_told_with_what_stands_there(served: Served) -> None:
    async with served.agent("mole") as mole:
        await settle(mole)
        (contract,) = (await look(served, "society"))["contracts"]
        terminal = await look(served, "places/" + ",".join(map(str, contract["terminal"])))
    assert (terminal["block"], terminal["contracts"]) == ("CONTRACT_TERMINAL", [contract["id"]])
    assert terminal["holds"] is not None
    for wrong in ("1,2", "a,b,c", "1,2,3,4", "1,2,٣", "9999999,1,1"):
        assert (await look(served, f"places/{wrong}", 400))["error"] == "place"
    for nowhere in ("1,99,1", "4000,20,4000"):
        assert (await look(served, f"places/{nowhere}", 409))["error"] == "unknown_place"


async def tape(served: Served, headers: dict[str, str]) -> tuple[int, bytes]:
    """What the open segment of the tape tells these eyes, of what all may know and of what is
    private."""
    n, texts = served.live.service.world.tick // 250, []
    for path in (f"tape/{n}", f"tape/{n}/private"):
        async with served.http.get(served.url(f"{VIEWS}/{path}"), headers=headers) as answer:
            body = await answer.read()
            texts.append(gzip.decompress(body) if answer.status == 200 else b"")
    return answer.status, b"".join(texts)


def test_pockets_chests_and_refusals_are_told_with_an_open_book_or_to_an_operator(
    tmp_path: Path,
) -> None:
    """And whispers, memory and tokens to nobody."""
    tokens = Tokens(tmp_path)
    holders = {
        role: {"Authorization": f"Bearer {tokens.create(role, created='2030-01-01T00:00:00Z')[1]}"}
        for role in (Role.AGENT, Role.VIEWER, Role.OPERATOR)
    }

    async def play() -> None:
        async with (
            serving(tmp_path, loopback=Role.NEIGHBOUR, tape=True, **QUICK) as served,
            served.agent("mole") as mole,
        ):
            await settle(mole)
            await do(
                mole, "instants", type="SAVE_MEMORY", key="cellar", value="turnips", ttl_ticks=900
            )
            (contract,) = (await look(served, "society", headers=holders[Role.VIEWER]))["contracts"]
            terminal = ",".join(map(str, contract["terminal"]))
            for open_book in (False, True):
                beside = served.beside(loopback=Role.NEIGHBOUR, open_book=open_book)
                async with beside as other:
                    for role in (Role.VIEWER, Role.OPERATOR):
                        seen = [
                            await look(other, path, headers=holders[role])
                            for path in (f"agents/{mole.id}", f"places/{terminal}", "society")
                        ]
                        shown = open_book or role is Role.OPERATOR
                        hidden = (seen[0]["carries"], seen[0]["refused"], seen[1]["holds"])
                        assert all((one is not None) is shown for one in hidden), (role, open_book)
                        assert seen[2]["open_book"] is shown
                    status, past = await tape(served, holders[role])
                    assert status == (200 if shown else 403), "the past tells no more than today"
                    assert (b"pockets" in past) is shown
                    seen.append(past.decode())
                    assert not any(
                        secret in json.dumps(seen) for secret in ("turnips", "cellar", mole.token)
                    )
            await look(served, "society", 403, headers=holders[Role.AGENT])

    run(play())
