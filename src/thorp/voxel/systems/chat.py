"""Chat: SAY to agents near by, to one's own organisation or to everybody on the market; WHISPER to
one agent."""

from collections.abc import Iterable
from typing import Any, Final

from thorp.protocol import actions, codes
from thorp.protocol.frame import clip
from thorp.voxel.lookups import permissions
from thorp.voxel.refusal import Refusal, given, known, refuse_if
from thorp.voxel.state.agent import Agent
from thorp.voxel.state.world import World, WorldState, manhattan
from thorp.voxel.systems import rate_limits

LOCAL_REACH: Final = 32
# A long paragraph. Every hearer keeps a copy in its event log.
MAX_TEXT_BYTES: Final = 2_000

CHANNELS: Final = ("LOCAL", "CITY", "MARKET")
# The channels that spectators may hear.
PUBLIC: Final = ("LOCAL", "MARKET")

Speech = dict[str, Any]
"""The fields of a CHAT event."""


def channel_of(wish: actions.Say) -> str:
    """The channel of a SAY; case and surrounding blanks do not matter."""
    return (wish.channel or "").strip().upper() or "LOCAL"


def rate_limit_of(wish: actions.Say) -> str:
    """The name of the rate limit that counts a SAY."""
    return "market_say" if channel_of(wish) == "MARKET" else "say"


def say(world: World, agent: Agent, wish: actions.Say) -> dict[str, object]:
    """Speak to those near by, to one's own organisation or to the whole market."""
    with rate_limits.rate_limited(
        world, agent, rate_limits.tuned_limit(world, rate_limit_of(wish))
    ):
        _say(world, agent, wish)
    return {}


def _say(world: World, agent: Agent, wish: actions.Say) -> None:
    channel = channel_of(wish)
    text = given(wish.text, "text")
    refuse_if(
        channel not in CHANNELS, codes.BAD_REQUEST, f"unknown channel; one of {', '.join(CHANNELS)}"
    )
    if channel == "CITY" and agent.org not in world.orgs:
        raise Refusal(codes.NO_PERMISSION, "not in an organisation")
    if channel == "MARKET" and not permissions.may_trade(world, agent, agent.position):
        raise Refusal(codes.NO_PERMISSION, "trade not allowed here")
    _tell(world, _hearers(world, agent, channel), _speech(agent, channel, text, wish.data))


def whisper(world: World, agent: Agent, wish: actions.Whisper) -> dict[str, object]:
    """Speak to one agent alone."""
    with rate_limits.rate_limited(world, agent, rate_limits.tuned_limit(world, "whisper")):
        if not wish.to or not wish.text:
            raise Refusal(codes.BAD_REQUEST, "missing to/text")
        hearer = known(world.agent_by_id(wish.to), "target not found")
        _tell(world, [hearer], _speech(agent, "WHISPER", wish.text, wish.data))
    return {}


def _hearers(world: WorldState, agent: Agent, channel: str) -> Iterable[Agent]:
    if channel == "CITY":
        return world.agents_by_id(world.orgs[agent.org].members)
    if channel == "MARKET":
        return world.agents
    here = agent.position
    near = world.agents.near(agent.x, agent.z, LOCAL_REACH)
    return [other for other in near if manhattan(other.position, here) <= LOCAL_REACH]


def _speech(speaker: Agent, channel: str, text: str, data: dict[str, Any] | None) -> Speech:
    speech: Speech = {"from": speaker.id, "channel": channel, "text": clip(text, MAX_TEXT_BYTES)}
    if data is not None:
        speech["data"] = data
    return speech


def _tell(world: World, hearers: Iterable[Agent], speech: Speech) -> None:
    world.emit_to(hearers, "CHAT", **speech)
    if speech["channel"] in PUBLIC:
        world.publish("CHAT", **speech)
