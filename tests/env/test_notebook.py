"""Worlds and results show themselves in a notebook, and hostile text in them stays text."""

import zlib
from base64 import b64decode

import msgspec

from thorp.arena import MatchConfig, make_agent, make_scenario, run_match
from thorp.env import World
from thorp.env.rendering import LOOKS

HOSTILE = "<img src=x onerror=alert(1)>"


def test_a_world_shows_the_land_and_its_agents() -> None:
    world = World(seed=7, agents=2)
    assert "reset()" in world._repr_html_()
    world.reset()
    shown = world._repr_html_()
    assert "<td>A1</td>" in shown
    assert "<td>A2</td>" in shown
    assert "<script" not in shown
    png = b64decode(shown.partition("base64,")[2].partition('"')[0])
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    at = png.index(b"IDAT")
    length = int.from_bytes(png[at - 4 : at])
    lines = zlib.decompress(png[at + 4 : at + 4 + length])
    width = int.from_bytes(png[16:20])
    assert len(lines) == width * (1 + 3 * width)
    grass = LOOKS["GRASS"].colour.to_bytes(3)
    assert lines.count(grass) + lines.count(LOOKS["SAND"].colour.to_bytes(3)) > 100
    assert b"\xff\xff\xff" in lines  # somebody is there
    world.step({})
    assert world._repr_html_() != shown


def test_a_result_shows_who_played_and_hostile_names_as_text() -> None:
    agents = [make_agent("connect-four", "greedy", name) for name in ("one", "two")]
    result = run_match(make_scenario("connect-four", {}), agents, MatchConfig(seed=1, max_turns=60))
    assert "<td>one</td>" in result._repr_html_()
    hostile = msgspec.structs.replace(
        result, match_id=HOSTILE, scores={HOSTILE: 1.0}, error=HOSTILE
    )
    assert "<img" not in hostile._repr_html_()
    assert hostile._repr_html_().count("&lt;img") == 3
