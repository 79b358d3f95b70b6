"""Oracles of the family `build`."""

from footwork import Body, Place

from thorp.tasks.episode import Episode
from thorp.tasks.goal import EMPTY, Leaf, Plan, leaves, read_goal
from thorp.tasks.world_engine import WorldEngine

PLACE_REACH = 6


def build_post(episode: Episode) -> None:
    """Go there, and put the three stones down."""
    body = Body(episode)
    x, y, z = site(episode)
    body.go((x - 2, y, z), 1)
    for up in range(3):
        body.do("place", x=x, y=y + up, z=z, item_id="STONE")


def build_hut(episode: Episode) -> None:
    """Build the blueprint, and wait."""
    raise_blueprint(episode, "hut_small", site(episode))


def build_road(episode: Episode) -> None:
    """Go along it: dig a block, lay a stone, take a step."""
    body = Body(episode)
    x, y, z = site(episode)
    for east in range(8):
        place = (x + east, y - 1, z)
        body.go((x + east, y, z + 1), 0)
        body.do("mine", x=place[0], y=place[1], z=place[2])
        body.settle()
        body.do("place", x=place[0], y=place[1], z=place[2], item_id="STONE")
        body.settle()


def build_bridge(episode: Episode) -> None:
    """Lay the planks from the edge, and walk over."""
    body = Body(episode)
    anchors = episode.engine.anchors
    x, y, z = anchors["trench"]
    body.go((x - 1, y + 1, z), 0)
    for east in range(4):
        body.do("place", x=x + east, y=y, z=z, item_id="PLANK")
        body.settle()
    body.go(anchors["far_side"], 1)


def build_square(episode: Episode) -> None:
    """Build the three blueprints at their places."""
    x, y, z = site(episode)
    raise_blueprint(episode, "hut_small", (x, y, z))
    raise_blueprint(episode, "well", (x + 6, y, z))
    raise_blueprint(episode, "lamp_post", (x + 4, y, z + 1))


def build_house(episode: Episode) -> None:
    """Go round the house, and place what is in reach."""
    body = Body(episode)
    (plan,) = [leaf.argument for leaf in goal_leaves(episode) if isinstance(leaf.argument, Plan)]
    left = [(place, block) for place, block in plan.cells() if block != EMPTY]
    x, y, z = site(episode)
    # From the middle of each side, two steps away, everything of that half is in reach; the middle
    # of the roof is laid last, from on top of nothing: from the doorway.
    stands = [(x - 1, y, z + 2), (x + 2, y, z - 1), (x + 5, y, z + 2), (x + 2, y, z + 5)]
    stands += [(x - 1, y, z - 1), (x + 5, y, z - 1), (x + 5, y, z + 5), (x - 1, y, z + 5)]
    for stand in stands:
        body.go(stand, 0)
        for place, block in list(left):
            if body.distance(place) <= PLACE_REACH and place != body.place:
                x, y, z = place
                body.do("place", x=x, y=y, z=z, item_id=block)
                if body.block(place) == block:
                    left.remove((place, block))


def site(episode: Episode) -> Place:
    """Where a building begins."""
    return episode.engine.anchors["site"]


def raise_blueprint(episode: Episode, name: str, at: Place) -> None:
    """Build a blueprint until it stands."""
    body = Body(episode)
    x, y, z = at
    body.do("build_blueprint", blueprint_id=name, x=x, y=y, z=z)
    body.settle()


def goal_leaves(episode: Episode) -> list[Leaf]:
    """The leaves of an episode's goal."""
    return list(leaves(read_goal(episode.row("test").goal)))


def place_elsewhere(episode: Episode) -> None:
    """Place one stone at home, far from where it belongs, again and again."""
    body = Body(episode)
    assert isinstance(episode.engine, WorldEngine)
    x, y, z = episode.engine.anchors["home"]
    while not episode.is_over:
        body.do("place", x=x, y=y + 2, z=z - 1, item_id="STONE")


CANARIES = {"elsewhere": place_elsewhere}
