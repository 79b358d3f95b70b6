"""Hints about goods: which are lacking, and how many there are."""

from collections.abc import Mapping

from thorp.protocol import actions
from thorp.protocol.near_names import did_you_mean, quote_name
from thorp.voxel.hints.case import Case, goods
from thorp.voxel.systems import memory
from thorp.voxel.systems.containers import available, find_container


def inputs(case: Case) -> str:
    """The inputs of a recipe, and those that the agent lacks."""
    catalogs = case.world.catalogs
    if isinstance(case.asked, actions.Smelt):
        recipe = catalogs.smelting[case.text("item_id")]
    else:
        recipe = catalogs.recipes[case.text("recipe_id")]
    needs = {stack.item: stack.count for stack in recipe.inputs}
    return f"{recipe.recipe_id} takes {goods(needs)}; you lack {goods(_lacking(case, needs))}"


def materials(case: Case) -> str:
    """All that is lacking for a blueprint, and what the whole of it costs."""
    lacking = case.refusal.facts.get("lacking")
    if not lacking:
        return ""
    name = case.text("blueprint_id")
    plan = case.world.catalogs.blueprints.get(name)
    whole = "" if plan is None else goods({stack.item: stack.count for stack in plan.cost})
    return f"{name} takes {whole}; you lack {goods(lacking)} (some of it may stand already)"


def carried(case: Case) -> str:
    """How many of an item there are in the place that it is taken from."""
    name = case.text("item_id")
    if name not in case.world.catalogs.items:
        guess = did_you_mean(name, tuple(case.world.catalogs.items))
        return f"No item {quote_name(name)}{guess}"
    count = case.field("count") or 1
    source = find_container(case.world, case.text("src_container"))
    if source is None:
        return f"you carry {case.agent.have(name)} {name}, and need {count}"
    reserved = source.reserved.get(name, 0)
    locked = f", {reserved} of them reserved" if reserved else ""
    stock = available(source, name) + reserved
    return f"{source.id} holds {stock} {name}{locked}; you asked for {count}"


def treasury(case: Case) -> str:
    """How many of an item a treasury has."""
    org = case.world.orgs.get(case.text("org_id"))
    name = case.text("item_id")
    have = 0 if org is None else org.treasury.get(name, 0)
    return f"the treasury has {have} {name}" if name in case.world.catalogs.items else carried(case)


def notes(case: Case) -> str:
    """How full the memory is."""
    used = sum(memory.size(key, memo.value) for key, memo in case.agent.memory.items())
    kept = f"{len(case.agent.memory)} notes have {used:,} of {memory.MEMORY_BYTES:,} bytes"
    return f"your {kept}; save a shorter one, or an old key with an empty value"


def _lacking(case: Case, needs: Mapping[str, int]) -> dict[str, int]:
    counts = {item: count - case.agent.have(item) for item, count in needs.items()}
    return {item: count for item, count in counts.items() if count > 0}
