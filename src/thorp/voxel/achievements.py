"""Achievements: what an agent can do in the world, what each is worth, and the score of many
episodes.

Rules report a deed where it is done (`note_deed`, mostly from `society.deeds`), and the agent's
count grows. The counts are hashed state, kept through death, sleep and seasons for as long as the
agent exists. The first deed unlocks the achievement. The first group is the tech tree; the second
needs other agents, and is reported separately, so that the first stays comparable with Crafter's
22.
"""

from collections.abc import Collection, Iterable, Sequence
from math import exp, log
from typing import Final, Literal, NamedTuple

from thorp.voxel.state.agent import Agent
from thorp.voxel.state.world import World

Group = Literal["tech", "social"]

# Columns: id, points, deed, things that count, needs.
_TABLE: Final[dict[Group, tuple[tuple[str, int, str, str, str], ...]]] = {
    "tech": (
        ("collect_wood", 1, "mine", "LOG", ""),
        ("collect_sapling", 1, "mine", "SAPLING", ""),
        ("collect_seeds", 1, "mine", "SEEDS", ""),
        ("collect_berries", 1, "mine", "BERRIES", ""),
        ("collect_meat", 1, "mine", "RAW_MEAT", ""),
        ("collect_stone", 1, "mine", "STONE", ""),
        ("collect_coal", 1, "mine", "COAL", ""),
        ("eat_berries", 1, "eat", "BERRIES", "collect_berries"),
        ("place_plant", 1, "place", "SEEDS SAPLING", "collect_seeds"),
        ("place_stone", 1, "place", "STONE", "collect_stone"),
        ("place_bench", 1, "place", "CRAFTING_BENCH", "collect_wood"),
        ("make_torch", 3, "craft", "torch", "collect_wood collect_coal"),
        ("make_wood_pickaxe", 3, "craft", "wood_pickaxe", "place_bench"),
        ("make_stone_pickaxe", 3, "craft", "stone_pickaxe", "place_bench collect_stone"),
        ("place_furnace", 3, "place", "FURNACE", "place_bench collect_stone"),
        ("collect_iron", 3, "mine", "IRON_ORE", ""),
        ("collect_copper", 3, "mine", "COPPER_ORE", ""),
        ("make_bread", 5, "craft", "bread", "place_plant place_bench"),
        ("make_iron_pickaxe", 5, "craft", "iron_pickaxe", "place_furnace collect_coal "
                                                          "collect_iron"),
        ("make_wire", 5, "craft", "wire", "place_furnace collect_coal collect_copper"),
        ("collect_crystal", 8, "mine", "CRYSTAL_SHARD", ""),
        ("make_contract_terminal", 8, "craft", "contract_terminal", "make_wire collect_crystal"),
    ),
    "social": (
        ("post_notice", 1, "post", "", ""),
        ("trade_goods", 3, "trade", "", ""),
        ("join_org", 3, "join_org", "", ""),
        ("finish_house", 3, "build",
         "hut_small cottage log_cabin brick_house glass_house longhouse hall", ""),
        ("reach_event_goal", 3, "event_goal", "", ""),
        ("have_contract_kept", 3, "contract_kept_for", "", ""),
        ("keep_contract", 5, "contract_kept", "", ""),
        ("cast_vote", 3, "vote", "", ""),
        ("claim_land", 5, "claim", "", "place_furnace collect_coal collect_copper collect_crystal"),
        ("propose_law", 5, "propose", "", "claim_land"),
        ("pass_law", 8, "pass", "", "propose_law"),
    ),
}  # fmt: skip


class Achievement(NamedTuple):
    """Something an agent can do for the first time, and what that is worth."""

    id: str
    group: Group
    points: int  # The reward for unlocking it: 1, 3, 5 or 8, as Craftax grades them.
    deed: str  # What rules call the deed.
    things: tuple[str, ...]
    """Items, recipes or blueprints that count; one empty text if the deed is enough."""
    needs: tuple[str, ...]
    """The achievements that an agent with nothing must have first; they are earlier in the
    table."""


ACHIEVEMENTS: Final = tuple(
    Achievement(
        id=name,
        group=group,
        points=points,
        deed=deed,
        things=tuple(things.split()) or ("",),
        needs=tuple(needs.split()),
    )
    for group, rows in _TABLE.items()
    for name, points, deed, things, needs in rows
)
"""Every achievement. Ids, order and points are fixed, so that scores of releases can be
compared."""

IDS: Final = tuple(each.id for each in ACHIEVEMENTS)
TECH: Final = tuple(each.id for each in ACHIEVEMENTS if each.group == "tech")
SOCIAL: Final = tuple(each.id for each in ACHIEVEMENTS if each.group == "social")
POINTS: Final = {each.id: each.points for each in ACHIEVEMENTS}

_BY_DEED: Final = {(each.deed, thing): each.id for each in ACHIEVEMENTS for thing in each.things}


def note_deed(world: World, agent: Agent, deed: str, thing: str = "") -> None:
    """Count a deed if it is an achievement. That it was unlocked, by the first deed, is public."""
    name = _BY_DEED.get((deed, thing))
    if name is None:
        return
    agent.achievements[name] = count = agent.achievements.get(name, 0) + 1
    agent.changed()
    if count == 1:
        world.publish("UNLOCKED", agent=agent.id, achievement=name, points=POINTS[name])


def points(unlocked: Iterable[str]) -> int:
    """The points of these achievements together."""
    return sum(POINTS[name] for name in unlocked)


def success_rates(
    episodes: Sequence[Collection[str]], ids: Sequence[str] = TECH
) -> dict[str, float]:
    """The percentage of episodes in which each achievement was unlocked."""
    return {
        name: 100 * sum(name in episode for episode in episodes) / len(episodes) for name in ids
    }


def score(episodes: Sequence[Collection[str]], ids: Sequence[str] = TECH) -> float:
    """Crafter's score S of at least one episode, from 0 to 100: exp(mean of ln(1 + success rate)) −
    1. By the geometric mean, unlocking a rare achievement for the first time counts for more than
    unlocking a common one once more."""
    rates = success_rates(episodes, ids)
    return exp(sum(log(1 + rate) for rate in rates.values()) / len(rates)) - 1
