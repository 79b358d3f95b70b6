"""Oracles of the family `live`."""

from footwork import Body

from thorp.tasks.episode import Episode


def live_logs(episode: Episode) -> None:
    """Mine three logs."""
    Body(episode).collect("LOG", "LOG", 3)


def live_bench(episode: Episode) -> None:
    """Make planks, make a bench, put it down."""
    body = Body(episode)
    body.make("plank_from_log", "PLANK", 8)
    body.make("crafting_bench", "CRAFTING_BENCH", 1)
    body.choose("place_crafting_bench")


def live_pickaxe(episode: Episode) -> None:
    """Gather wood, and make everything beside one bench."""
    body = Body(episode)
    body.collect("LOG", "LOG", 3)
    body.make("plank_from_log", "PLANK", 9)
    body.make("stick_from_plank", "STICK", 2)
    body.make("crafting_bench", "CRAFTING_BENCH", 1)
    body.choose("place_crafting_bench")
    body.make("wood_pickaxe", "WOOD_PICKAXE", 1)


def live_farm(episode: Episode) -> None:
    """Gather seeds, sow them, and come back when the wheat is ripe."""
    body = Body(episode)
    body.collect("TALL_GRASS", "SEEDS", 3)
    while body.has("SEEDS") and not episode.is_over:
        if not body.choose("place_seeds"):
            body.go((body.place[0] + 2, body.place[1], body.place[2]), 0)
    while not episode.is_over:
        ripe = next(body.blocks("WHEAT_RIPE", 12), None)
        if ripe is None:
            body.wait(600)
            continue
        before = body.has("WHEAT")
        if body.go(ripe, 2):
            body.do("mine", x=ripe[0], y=ripe[1], z=ripe[2])
            body.pick_up()
        if body.has("WHEAT") == before:
            body.wait(50)


def live_iron(episode: Episode) -> None:
    """Dig to the nearest coal and iron, and make everything down there."""
    body = Body(episode)
    body.make("plank_from_log", "PLANK", 12)
    body.make("stick_from_plank", "STICK", 4)
    body.make("crafting_bench", "CRAFTING_BENCH", 1)
    for ore, item, count in (("COAL_ORE", "COAL", 3), ("IRON_ORE", "IRON_ORE", 3)):
        while body.has(item) < count and not episode.is_over:
            target = min(body.blocks(ore, 24), key=body.trouble, default=None)
            if target is None or not body.dig_to(target):
                return
            body.do("mine", x=target[0], y=target[1], z=target[2])
            body.pick_up()
    body.put_down("CRAFTING_BENCH")
    body.make("furnace", "FURNACE", 1)
    body.put_down("FURNACE")
    for _ in range(12):
        if body.has("IRON_INGOT") >= 3:
            break
        body.do("smelt", item_id="IRON_ORE")
    body.make("iron_pickaxe", "IRON_PICKAXE", 1)


def live_winter(episode: Episode) -> None:
    """Stay beside a torch, and eat in time."""
    body = Body(episode)
    body.make("plank_from_log", "PLANK", 4)
    body.make("stick_from_plank", "STICK", 4)
    body.make("torch", "TORCH", 4)
    body.choose("place_torch")
    while not episode.is_over:
        if body.agent.hunger < 14 and body.has("BERRIES"):
            body.do("eat", item_id="BERRIES")
        body.wait(50)
