"""What is refused unread is not kept: the same results, and a journal that stays small."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.voxel.flat import flat_world, put_agent
from thorp.protocol.act import Act
from thorp.protocol.actions import (
    CreateOrg,
    LoadMemory,
    PostBoard,
    ProposeLaw,
    SaveMemory,
    Say,
    SearchBoard,
    SetSign,
    Unread,
    Whisper,
)
from thorp.simulator.flat_world import create_flat_world
from thorp.simulator.inline import open_flat
from thorp.store import RealDisk
from thorp.voxel import verify
from thorp.voxel.inputs import Acted, AnyInput, Join
from thorp.voxel.load import default_catalogs
from thorp.voxel.persistence.record import encode_tick
from thorp.voxel.society import boards, laws, orgs
from thorp.voxel.state.world import World
from thorp.voxel.systems import block_actions, chat
from thorp.voxel.tick import step
from thorp.voxel.unread_input import LONGEST, without_unread

DISK = RealDisk()
LENGTHS = [0, 3, 300, 1_999, 2_001, 9_000, 40_000, 65_536]


def instant(draw: Random) -> Any:
    """Something that an agent might ask for, or that a hostile one would."""

    def text() -> str:
        return draw.choice("aé ") * draw.choice(LENGTHS) + draw.choice(["", "z"])

    def data() -> dict[str, str] | None:
        return draw.choice([None, None, {"a": "b" * draw.choice([0, 300, 1_000])}])

    return draw.choice(
        [
            lambda: Say(
                id="s",
                channel=draw.choice([None, "market", "CITY"]),
                text=text(),
                data=data(),
            ),
            lambda: Whisper(id="w", to=draw.choice(["A2", "nobody"]), text=text(), data=data()),
            lambda: SaveMemory(id="m", key=draw.choice(["", "a", "b", text()]), value=text()),
            lambda: LoadMemory(id="l", prefix=text()),
            lambda: SetSign(id="g", target_id="SIGN@1,22,1", text=text()),
            lambda: PostBoard(
                id="p", board_id="town", title=draw.choice(["hey", text()]), body=text()
            ),
            lambda: SearchBoard(id="q", board_id="town", text=text()),
            lambda: CreateOrg(id="o", org_kind="guild", org_name=text()),
            lambda: ProposeLaw(
                id="v",
                land_id="L",
                template_id="MARKET_TAX",
                params={"market_tax": text()},
                title=text(),
            ),
        ]
    )()


def told(world: World) -> list[list[bytes]]:
    return [[event.text for event in agent.event_log.events] for agent in world.agents]


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_results_and_state_are_those_of_the_whole_texts(seed: int) -> None:
    draw = Random(seed)
    whole, kept = flat_world(default_catalogs()), flat_world(default_catalogs())
    for world in (whole, kept):
        for x in (0, 2):
            put_agent(world, x, 0)
    for _ in range(5):
        inputs: list[AnyInput] = [
            Acted(
                draw.randint(1, 2),
                Act(
                    tick=whole.tick - draw.choice([0, 0, 0, 9]) if whole.tick > 9 else whole.tick,
                    instants=[instant(draw) for _ in range(16)],
                ),
            )
            for _ in range(draw.randint(1, 3))
        ]
        shorter = without_unread(kept, inputs)
        step(whole, inputs)
        step(kept, shorter)
        assert told(kept) == told(whole)
        assert kept.digest() == whole.digest()
        assert sum(map(len, encode_tick(1, "", shorter))) <= sum(
            map(len, encode_tick(1, "", inputs))
        )


def test_no_rule_takes_a_longer_text() -> None:
    limits = (
        *(
            chat.MAX_TEXT_BYTES,
            block_actions.MAX_TEXT_BYTES,
            boards.MAX_TITLE_BYTES,
            boards.MAX_BODY_BYTES,
        ),
        *(boards.MAX_QUERY_BYTES, laws.MAX_TITLE_BYTES, orgs.MAX_NAME_BYTES),
    )
    assert max(limits) <= LONGEST


def test_refused_megabytes_do_not_fill_the_journal(tmp_path: Path) -> None:
    long = "x" * 65_536
    floods: list[list[Any]] = [
        [Say(id=str(at), text=long) for at in range(16)],
        [SaveMemory(id=str(at), key=f"k{at}", value=long) for at in range(16)],
        [PostBoard(id=str(at), board_id="b", title="t", body=long) for at in range(16)],
        [SetSign(id=str(at), target_id="SIGN@0,0,0", text=long) for at in range(16)],
        [
            ProposeLaw(id=str(at), land_id="L", template_id="T", params={"p": long})
            for at in range(16)
        ],
        [LoadMemory(id=str(at), prefix=long) for at in range(16)],
    ]
    with open_flat(DISK, tmp_path) as service:
        service.tick([Join("mole", "00")]).result()
        for _ in range(3):
            for flood in floods:
                service.tick([Acted(1, Act(tick=service.world.tick, instants=flood))]).result()
        service.tick(
            [Acted(1, Act(tick=1, instants=floods[0]))]
        ).result()  # too late, and so unread
        ticks = service.world.tick
        journal = tmp_path / "journal-000000000001.jsonl"
        assert journal.stat().st_size < ticks * 40_000, "where a megabyte a tick came"
        service.close(snapshot=False)
    assert verify(DISK, tmp_path, make_world=create_flat_world).ok
    assert b'"limit":"say"' in journal.read_bytes()


def test_what_is_kept_says_how_long_it_was_and_what_it_was() -> None:
    world = flat_world(default_catalogs())
    put_agent(world)
    wish = SaveMemory(id="m", key="k", value="x" * 65_537)
    (entry,) = without_unread(world, [Acted(1, Act(tick=0, instants=[wish]))])
    assert isinstance(entry, Acted)
    (kept,) = entry.act.instants
    assert isinstance(kept, Unread)
    text = msgspec.json.encode(wish)
    assert (kept.id, kept.limit, kept.bytes) == ("m", "memory", len(text))
    assert len(kept.sha256) == 64
    inputs = [Acted(1, Act(tick=0, instants=[Say(id="s", text="hey")]))]
    assert without_unread(world, inputs) is inputs, "the usual tick is left alone"
