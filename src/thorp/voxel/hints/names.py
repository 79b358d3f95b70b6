"""Hints about names: that something does not exist, which name was probably meant, and what there
is."""

from collections.abc import Iterable, Sized
from typing import Final, Protocol, TypeVar

from thorp.protocol import actions
from thorp.protocol.near_names import did_you_mean, nearest, quote_name
from thorp.voxel.hints.case import Case, listed, place
from thorp.voxel.lookups import board_views, land, terminals
from thorp.voxel.society.laws import TEMPLATES
from thorp.voxel.state.world import manhattan, parse_block_id
from thorp.voxel.systems import chat
from thorp.voxel.systems.containers import find_container

# Agents, lands, laws and organisations are searched for a hint only if there are at most this many.
MAX_SEARCHED: Final = 512


T = TypeVar("T", covariant=True)


class _Countable(Iterable[T], Sized, Protocol[T]):
    """A table whose rows can be counted before they are looked at."""


def _few(rows: _Countable[T]) -> Iterable[T]:
    """The rows of a table that is short enough to be searched for a hint."""
    return rows if len(rows) <= MAX_SEARCHED else ()


# Names of the catalogs


def recipe(case: Case) -> str:
    """The recipe that was meant: by its name, or by what it makes."""
    name = case.text("recipe_id")
    recipes = case.world.catalogs.recipes
    near = nearest(name, tuple(recipes))
    if not near:
        makers = {
            stack.item.lower(): each.recipe_id
            for each in recipes.values()
            for stack in each.outputs
        }
        item = nearest(name, tuple(makers))
        near = makers.get(item, "")
    guess = f"; did you mean {near}?" if near else "."
    return f"No recipe {quote_name(name)}{guess} The catalog recipes lists all"


def smeltable(case: Case) -> str:
    """The items that can be smelted."""
    names = tuple(case.world.catalogs.smelting)
    name = case.text("item_id")
    return f"No furnace takes {quote_name(name)}; it takes {listed(names)}"


def blueprint(case: Case) -> str:
    """The blueprint that was meant."""
    name = case.text("blueprint_id")
    guess = did_you_mean(name, tuple(case.world.catalogs.blueprints))
    return f"No blueprint {quote_name(name)}{guess} The catalog blueprints lists all"


def item(case: Case) -> str:
    """The item that was meant."""
    return _item(case, case.text("item_id"))


def _item(case: Case, name: str) -> str:
    guess = did_you_mean(name, tuple(case.world.catalogs.items))
    return f"No item {quote_name(name)}{guess} The catalog item_palette lists all"


def listed_item(case: Case) -> str:
    """The item in a list of goods that does not exist; if all do, what else is wrong with it."""
    for field in ("offer", "request", "requirements", "reward", "deposit"):
        for each in case.field(field) or ():
            name = each.item if isinstance(each, actions.Stack) else each[0]
            if name not in case.world.catalogs.items:
                return _item(case, name)
    return str(case.refusal.extra.get("problem", ""))


def placeable(case: Case) -> str:
    """That an item cannot be placed, and which items can."""
    name = case.text("item_id")
    catalogs = case.world.catalogs
    if name not in catalogs.items:
        return _item(case, name)
    carried = [each for each in sorted(case.agent.inventory) if each in catalogs.places]
    return f"{name} is no block; you carry {listed(carried) or 'none'}"


def edible(case: Case) -> str:
    """The food that the agent carries, or that there is."""
    name = case.text("item_id")
    catalogs = case.world.catalogs
    if name not in catalogs.items:
        return _item(case, name)
    food = [each.id for each in catalogs.items.values() if each.kind == "FOOD"]
    carried = [each for each in food if case.agent.have(each)]
    if carried:
        return f"{name} is no food; you carry {listed(carried)}"
    return f"{name} is no food; food is {listed(food)}"


def channel(case: Case) -> str:
    """The channel that was meant."""
    name = case.text("channel")
    return f"No channel {quote_name(name)}{did_you_mean(name, chat.CHANNELS)}"


def law_template(case: Case) -> str:
    """The kind of law that was meant."""
    name = case.text("template_id")
    return f"No law template {quote_name(name)}; there are {listed(TEMPLATES)}"


def smelts_instead(case: Case) -> str:
    """The SMELT that makes what a CRAFT asked for."""
    made = case.world.catalogs.recipes[case.text("recipe_id")]
    return f"send SMELT with item_id {made.inputs[0].item}"


# Agents


def agent(case: Case) -> str:
    """The id of the agent that was meant: actions take ids, not names."""
    name = case.text("to", "target_id", "member_id", "new_owner")
    wanted = name.casefold()
    for each in _few(case.world.agents):
        if wanted in (each.id.casefold(), each.name.casefold()) and not each.hidden:
            return f"{quote_name(name)} is {each.id}; send the id"
    return f"No agent {quote_name(name)} is in this world; an id looks like A3"


def gone_offerer(case: Case) -> str:
    """That the offerer of a trade has left."""
    return "that agent has left the world; the offer will expire"


# Things in the world


def thing(case: Case) -> str:
    """That a container, a board, a sign or an agent is not where the action says."""
    name = case.text("target_id", "terminal_id")
    is_block = parse_block_id(name) is not None
    if case.kind in ("WHISPER", "OFFER_TRADE") or (case.kind == "FOLLOW" and not is_block):
        return agent(case)
    return _thing(case, name)


def transfer_side(case: Case) -> str:
    """Which side of a TRANSFER does not exist."""
    for field in ("src_container", "dst_container"):
        name = case.text(field)
        if name != "SELF" and find_container(case.world, name) is None:
            near = " Your own inventory is SELF" if name.upper() in ("SELF", "ME", "") else ""
            return f"{field}: {_thing(case, name)}{near}"
    return ""


def _thing(case: Case, name: str) -> str:
    block = parse_block_id(name)
    if block is None:
        return f"{quote_name(name)} is no id of a block; one looks like CHEST@4,20,-9"
    kind, cell = block
    there = f"{case.block(cell)} is at {place(cell)}" if case.sees(cell) else "it is not there"
    return there + _nearest_container(case, kind)


def _nearest_container(case: Case, kind: str) -> str:
    here = case.agent.position
    radius = case.world.tuning.obs_radius
    near = [
        each
        for each in case.world.containers.near(here[0], here[2], radius)
        if each.kind == kind and case.sees(each.position)
    ]
    if not near:
        return ""
    return f"; in sight is {min(near, key=lambda each: manhattan(here, each.position)).id}"


def lying_item(case: Case) -> str:
    """That an item was taken, and which items lie near by."""
    here = case.agent.position
    near = [
        each
        for each in case.world.items.near(here[0], here[2], case.world.tuning.obs_radius)
        if case.sees(each.position)
    ]
    near.sort(key=lambda each: manhattan(here, each.position))
    others = f"; in sight: {listed(f'{each.id} ({each.item})' for each in near)}" if near else ""
    return f"{quote_name(case.text('target_id'))} does not lie anywhere; it was taken{others}"


def board(case: Case) -> str:
    """The board that was meant: a global one, or a block."""
    name = case.text("target_id", "board_id")
    if parse_block_id(name) is not None:
        return _thing(case, name)
    names = tuple(each.board_id for each in board_views.global_boards(case.world))
    if not names:
        return f"No board {quote_name(name)}; POST_BOARD begins one"
    return f"No board {quote_name(name)}{did_you_mean(name, names)} There are {listed(names)}"


def no_board(case: Case) -> str:
    """The form that the name of a board has."""
    name = case.text("target_id", "board_id")
    return f"{quote_name(name)} is no board; send BULLETIN_BOARD@x,y,z, or a name such as market"


def block_id(case: Case) -> str:
    """Where to find the id of a sign or a switch."""
    return f"you sent {quote_name(case.text('target_id'))}; the entities of an OBS have the id"


# Names of society


def claimed_land(case: Case) -> str:
    """The land that may have been meant: the agent's own, or the one that it stands on."""
    name = case.text("land_id")
    world = case.world
    owners = (case.agent.id, case.agent.org) if case.agent.org else (case.agent.id,)
    own = [each.id for each in _few(world.claims) if each.owner in owners]
    here = land.at(world, case.agent.x, case.agent.z)
    if own:
        return f"No land {quote_name(name)}; yours: {listed(own)}"
    if here is not None:
        return f"No land {quote_name(name)}; you stand on {here.id}"
    return f"No land {quote_name(name)}; an id looks like LAND_A1_001"


def organisation(case: Case) -> str:
    """The organisation that may have been meant: the agent's own, or one that has invited it."""
    name = case.text("org_id")
    world = case.world
    if case.agent.org:
        return f"No organisation {quote_name(name)}; yours is {case.agent.org}"
    inviting = [each.id for each in _few(world.orgs) if case.agent.id in each.invited]
    if inviting:
        return f"No organisation {quote_name(name)}; you are invited by {listed(inviting)}"
    return f"No organisation {quote_name(name)}; an id looks like ORG000001"


def law(case: Case) -> str:
    """The laws that can be voted on."""
    voting = [each.id for each in _few(case.world.laws) if each.status == "VOTING"]
    ballot = f"; open to vote: {listed(voting)}" if voting else ""
    return f"No law {quote_name(case.text('law_id'))}{ballot}"


def contract(case: Case) -> str:
    """The contracts that are open at the terminal."""
    name = quote_name(case.text("contract_id"))
    terminal = find_container(case.world, case.text("terminal_id"))
    if terminal is None:
        return f"No contract {name}; OPEN a terminal to see those there"
    here = terminals.contracts_at(case.world, terminal)
    ids = [each.id for each in here if each.state == "OPEN"]
    return f"No contract {name}; open there: {listed(ids) or 'none'}"


def trade(case: Case) -> str:
    """Why an offer is not there."""
    ticks = case.world.tuning.trade_expiry_ticks
    name = quote_name(case.text("trade_id"))
    return f"No offer {name}; it was answered or withdrawn, or its {ticks} ticks are over"


def post(case: Case) -> str:
    """Which post is not on which board."""
    board_id = case.text("target_id", "board_id")
    return f"No post {quote_name(case.text('post_id'))} on {quote_name(board_id)}"


def task(case: Case) -> str:
    """The tasks that could be canceled."""
    tasks = [each for each in (case.agent.move, case.agent.work) if each is not None]
    running = listed(f"{each.id} ({each.kind})" for each in tasks)
    return f"No task {quote_name(str(case.asked))}; running: {running or 'none'}"
