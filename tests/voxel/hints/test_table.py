"""What goes out with a refusal: bounded, outside of what is hashed, and made for every refusal that
needs it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scripts import action_table

from tests.voxel.flat import events, flat_world, put_agent
from tests.voxel.hints.asking import answer, hint, send
from thorp.protocol import actions
from thorp.protocol.act import Act
from thorp.protocol.outcome import MAX_HINT_BYTES
from thorp.voxel.catalog import Catalogs
from thorp.voxel.hints import table
from thorp.voxel.hints.case import Case
from thorp.voxel.hints.table import BEGINNINGS, HINTS, MAX_HINTS_IN_TICK, MAX_HINTS_OF_AGENT
from thorp.voxel.inputs import Acted
from thorp.voxel.refusal import Refusal
from thorp.voxel.society.contracts import ALREADY_KEPT
from thorp.voxel.state.world import World
from thorp.voxel.tick import step

# Sentences that name the thing, the bound or the way out themselves.
COMPLETE = {
    "choice must be YES, NO or ABSTAIN",
    "cannot trade with oneself",
    "already built",
    "is a member already",
    "make another member LEADER, or leave",
    "too many open offers in this world; try again later",
    "the world keeps no more changed ground; work where others have",
}


def _is_complete(sentence: str) -> bool:
    """Whether a sentence says all, because it is filled in with what it is about."""
    return sentence in COMPLETE or "…" in sentence


def test_every_refusal_has_a_hint_or_says_all_by_itself() -> None:
    beginnings = tuple(words for words, _ in BEGINNINGS)
    for kind in action_table.KINDS:
        for sentences in action_table.refusals_of(kind).values():
            for sentence in sentences:
                hinted = sentence in HINTS or sentence.startswith((*beginnings, "missing "))
                assert hinted or _is_complete(sentence), f"{kind.__name__}: {sentence}"


def test_every_sentence_in_the_table_is_one_that_a_rule_says() -> None:
    said = {
        sentence
        for kind in action_table.KINDS
        for sentences in action_table.refusals_of(kind).values()
        for sentence in sentences
    }
    assert set(HINTS) - said == {"task not found"}, "which a cancel is told"


def test_hints_are_no_part_of_what_is_hashed(catalogs: Catalogs) -> None:
    hinting = flat_world(catalogs)
    silent = flat_world(catalogs)
    silent.listeners = replace(silent.listeners, explain=lambda *_: "")
    texts = []
    for world in (hinting, silent):
        agent = put_agent(world)
        send(
            world,
            agent,
            instants=[{"type": "MOVE"}, {"type": "SAY"}, {"type": "SAY", "text": "x" * 3_000}],
            tasks=[{"type": "CRAFT"}, {"type": "MINE", "block_pos": [9, 9, 9]}],
            cancel=["T000009"],
        )
        texts.append(events(agent))
    assert hinting.digest() == silent.digest()
    hinted, plain = texts
    assert [event.pop("hint", None) is not None for event in hinted].count(True) == 6
    # What succeeded is remarked on by no listener.
    assert [event.pop("hint") for event in plain if "hint" in event] == ["cut to 2,000 bytes"]
    assert hinted == plain


def test_a_rule_that_has_a_hint_of_its_own_keeps_it(world: World) -> None:
    agent = put_agent(world)
    asked = actions.SubmitContract(terminal_id="x", contract_id="C000001")
    refusal = Refusal("E_NO_PERMISSION", "not acceptor", **ALREADY_KEPT)
    world.refuse(agent, "r", asked, refusal)
    assert events(agent)[-1]["hint"] == "already kept"


def test_an_agent_gets_a_few_hints_in_a_tick(world: World) -> None:
    agent = put_agent(world)
    refusals = send(world, agent, instants=[{"type": "FLY"}] * 16)
    assert ["hint" in each for each in refusals] == [True] * MAX_HINTS_OF_AGENT + [False] * (
        16 - MAX_HINTS_OF_AGENT
    )
    assert "hint" in answer(world, agent, type="FLY")


def test_a_world_makes_a_bounded_number_of_hints_in_a_tick(world: World) -> None:
    crowd = [put_agent(world, x, z) for x in range(20) for z in range(20)]
    bad = actions.BadInstant(problem="unknown instant type", name="FLY")
    step(world, [Acted(agent.number, Act(tick=0, instants=[bad])) for agent in crowd])
    hinted = [agent for agent in crowd if "hint" in events(agent)[-1]]
    assert hinted == crowd[:MAX_HINTS_IN_TICK]


def test_a_hint_that_fails_leaves_the_refusal_as_it_is(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(case: Case) -> str:
        raise ZeroDivisionError

    monkeypatch.setitem(table.HINTS, "unknown recipe", fail)
    told = answer(world, put_agent(world), type="CRAFT", recipe_id="planks")
    assert (told["code"], told["message"]) == ("E_INVALID_TARGET", "unknown recipe")
    assert "hint" not in told


HOSTILE = ("\n\r\t\x00\x1b[31m\u202e", '"quoted"', "é" * 400, "x" * 128, "𝕏" * 60, "%s{0}\\")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_become_one_short_line(world: World, name: str) -> None:
    agent = put_agent(world)
    for action in (
        {"type": name},
        {"type": "CRAFT", "recipe_id": name[:128]},
        {"type": "BUILD_BLUEPRINT", "blueprint_id": name[:128], "anchor": [0, 23, 0]},
        {"type": "WHISPER", "to": name[:128], "text": "hi"},
        {"type": "JOIN_ORG", "org_id": name[:128]},
        {"type": "OPEN", "target_id": name[:128]},
        {"type": "TRANSFER", "src_container": name[:128], "dst_container": "SELF",
         "item_id": "COAL", "count": 1},
        {"type": "SEARCH_BOARD", "board_id": name[:128], "text": "x"},
    ):  # fmt: skip
        words = hint(world, agent, **action)
        assert words.isprintable()
        assert len(words.encode()) <= MAX_HINT_BYTES
        world.tick += 60  # past the windows of rate limits


def test_no_hint_is_longer_than_a_sentence(world: World) -> None:
    agent = put_agent(world)
    for name in ("sign", "chest", "x" * 128):
        words = hint(world, agent, type="SUBMIT_CONTRACT", terminal_id=name, contract_id="C" * 128)
        assert 0 < len(words.encode()) <= MAX_HINT_BYTES
