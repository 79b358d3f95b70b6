"""What a choosing model is told: rules that never change, then a few lines about this moment.

The rules come first and are the same for everybody, so an endpoint keeps them in its cache, and
only the moment has to be read anew. Its parts are bounded by how many things they list, and words
are short ones that tokenizers have whole: `tests/mind` counts the tokens of the embedded model.
"""

import re
from collections.abc import Iterator
from typing import Final

from thorp.env.choices import COMPASS
from thorp.mind.notes import Notes
from thorp.mind.options import FIXED, LETTERS, SOUGHT, Menu
from thorp.mind.sight import Sight
from thorp.protocol.obs import Position

MAX_ITEMS: Final = 12  # Of the pocket; tools and rare goods come first.
MAX_NEAR: Final = 5
MAX_MARKS: Final = 135
"""How many words, digits and signs a moment has at most; pocket and what is near are cut for it.
So it has at most 180 tokens of the embedded model, which reads about 120 a second on one core."""
MOST_TOLD: Final = 99  # No count is told beyond it: enough is enough.
ALWAYS: Final = ("wait", *(f"walk_{side}" for side in COMPASS))
"""What is possible whenever there is a choice, so that it need not be said."""
MAX_TRIED: Final = 6
FULL_HEALTH: Final = 20
# What the nearest of is told first: what the end of the tech tree needs.
_ORDER: Final = (
    "CRYSTAL_ORE",
    "IRON_ORE",
    "COPPER_ORE",
    "COAL_ORE",
    "WHEAT_RIPE",
    "BERRY_BUSH",
    "WARREN",
    "TALL_GRASS",
    "LOG",
    "CRAFTING_BENCH",
    "FURNACE",
    "WHEAT_SPROUT",
    "LEAVES",
    "STONE",
)
_WORDS: Final = {
    "CRYSTAL_ORE": "crystal",
    "IRON_ORE": "iron",
    "COPPER_ORE": "copper",
    "COAL_ORE": "coal",
    "WHEAT_RIPE": "wheat",
    "BERRY_BUSH": "berries",
    "WARREN": "warren",
    "TALL_GRASS": "grass",
    "LOG": "log",
    "CRAFTING_BENCH": "bench",
    "FURNACE": "furnace",
    "WHEAT_SPROUT": "sprout",
    "LEAVES": "leaves",
    "STONE": "stone",
}
# Items in the order in which they are told.
_POCKET_ORDER: Final = (
    "CONTRACT_TERMINAL", "CLAIM_TOTEM", "BATTERY", "BRICK", "WIRE", "CRYSTAL_SHARD",
    "IRON_PICKAXE", "STONE_PICKAXE", "WOOD_PICKAXE", "IRON_INGOT", "COPPER_INGOT", "IRON_ORE",
    "COPPER_ORE", "COAL", "FURNACE", "CRAFTING_BENCH", "STICK", "PLANK", "LOG", "STONE", "WHEAT",
    "SEEDS", "SAPLING", "BERRIES", "BREAD", "RAW_MEAT", "TORCH",
)  # fmt: skip
_RANK: Final = {item: rank for rank, item in enumerate(_POCKET_ORDER)}
_TODO: Final = {
    "collect_wood": "wood",
    "collect_sapling": "sapling",
    "collect_seeds": "seeds",
    "collect_berries": "berries",
    "collect_meat": "meat",
    "collect_stone": "stone",
    "collect_coal": "coal",
    "eat_berries": "eat",
    "place_plant": "plant",
    "place_stone": "block",
    "place_bench": "bench",
    "make_torch": "torch",
    "make_wood_pickaxe": "wood pick",
    "make_stone_pickaxe": "stone pick",
    "place_furnace": "furnace",
    "collect_iron": "iron",
    "collect_copper": "copper",
    "make_bread": "bread",
    "make_iron_pickaxe": "iron pick",
    "make_wire": "wire",
    "collect_crystal": "crystal",
    "make_contract_terminal": "terminal",
}


_USES: Final = {
    "CRYSTAL_ORE": {"collect_crystal", "make_contract_terminal"},
    "IRON_ORE": {"collect_iron", "make_iron_pickaxe"},
    "COPPER_ORE": {"collect_copper", "make_wire", "make_contract_terminal"},
    "COAL_ORE": {
        "collect_coal",
        "make_torch",
        "make_iron_pickaxe",
        "make_wire",
        "make_contract_terminal",
    },
    "WHEAT_RIPE": {"make_bread"},
    "WHEAT_SPROUT": {"make_bread"},
    "BERRY_BUSH": {"collect_berries", "eat_berries"},
    "WARREN": {"collect_meat"},
    "TALL_GRASS": {"collect_seeds"},
    "LEAVES": {"collect_sapling"},
    "STONE": {"collect_stone", "make_stone_pickaxe", "place_furnace"},
}
"""For which achievements a kind of block is of use; others always are."""
_SHORT: Final = {
    "bulletin_board": "board",
    "claim_totem": "totem",
    "contract_terminal": "terminal",
    "copper_ore": "copper",
    "crafting_bench": "bench",
    "crystal_shard": "crystal",
    "iron_ore": "iron",
    "raw_meat": "meat",
}
_CUT: Final = ("near", "pocket")
_BETWEEN: Final = {"near": ", "}
_MARK: Final = re.compile(r"[^\W\d]+|\d|[^\w\s]")
_SIDES: Final = (("e", "w"), ("u", "d"), ("s", "n"))
"""How an offset along x, y and z is told: by the side that it is greater on, and the other."""


def _letters(*names: str) -> str:
    """Fixed options, each as its letter and the last word of its name."""
    return " ".join(f"{LETTERS[FIXED.index(name)]} {name.split('_')[-1]}" for name in names)


def _rules() -> str:
    """What never changes: the task, and the options that have a letter of their own."""
    searched = " ".join(
        f"{LETTERS[FIXED.index(f'mine_nearest_{block.lower()}')]} {_WORDS[block]}"
        for block in SOUGHT
    )
    beside = "; ".join(
        f"{side} "
        + " ".join(
            LETTERS[FIXED.index(f"mine_{level}_{side}")] for level in ("low", "feet", "head")
        )
        for side in COMPASS
    )
    letter = dict(zip(FIXED, LETTERS, strict=True))
    return "\n".join(
        [
            "You live in a world of blocks. Do what is still to do. Answer with the letter of one "
            "option.",
            _letters("wait", "gather"),
            "step: " + _letters(*(f"move_{side}" for side in COMPASS)),
            "walk far: " + _letters(*(f"walk_{side}" for side in COMPASS)),
            f"find: {searched}",
            "mine: " + _letters("mine_up", "mine_down"),
            f"mine low, feet, head: {beside}",
            "craft: "
            + _letters("craft_plank_from_log", "craft_stick_from_plank").replace("log", "plank", 1)
            + f" {letter['craft_crafting_bench']} bench {letter['craft_wood_pickaxe']} wood pick"
            + f" {letter['craft_stone_pickaxe']} stone pick {letter['craft_iron_pickaxe']} iron"
            + f" pick {letter['craft_furnace']} furnace {letter['craft_torch']} torch",
            f"smelt: {letter['smelt_iron_ore']} iron {letter['smelt_copper_ore']} copper",
            f"place: {letter['place_crafting_bench']} bench {letter['place_furnace']} furnace"
            f" {letter['place_seeds']} seeds",
            "put a block: " + _letters(*(f"block_{side}" for side in COMPASS)),
            f"You can always {' '.join(letter[name] for name in ALWAYS)}.",
        ]
    )


RULES: Final = _rules()
"""What a mind is told first. It is the same for every mind in every moment."""


def describe(sight: Sight, notes: Notes, menu: Menu) -> str:
    """This moment, and the options that there are."""
    fixed = [option for option in menu.options if option.is_fixed]
    parts = {
        "pocket": list(_pocket(sight.pocket)),
        "todo": [_TODO[each.id] for each in notes.todo],
        "near": list(_near(sight.position, notes)),
        "tried": list(_tried(notes, menu)),
        **_spelled_out(menu),
        "can": [option.letter for option in fixed if option.name not in ALWAYS],
    }
    lines = [_state(sight, notes)]
    room = MAX_MARKS - sum(
        _marks(f"{name}: {' '.join(words)}") for name, words in parts.items() if name not in _CUT
    )
    for name, words in parts.items():
        if name in _CUT:
            room -= _cut(words, room)
        if words:
            lines.append(f"{name}: {_BETWEEN.get(name, ' ').join(words)}")
    return "\n".join(lines)


def _cut(words: list[str], room: int) -> int:
    """Drop words from the end until they fit, and return how much room they take."""
    while words and _marks(" ".join(words)) > room:
        words.pop()
    return _marks(" ".join(words))


def _marks(text: str) -> int:
    """How many words, digits and signs there are: somewhat fewer than tokens."""
    return len(_MARK.findall(text))


def _state(sight: Sight, notes: Notes) -> str:
    """The hour, and how its body is."""
    body = sight.obs.body
    hour = int(sight.obs.world.time_of_day * 24)
    hurt = f" health {body.hp}" if body.hp < FULL_HEALTH else ""
    heading = f" heading {notes.heading}" if notes.heading else ""
    return f"hour {hour} height {body.pos[1]} food {body.hunger}{hurt}{heading}"


def _spelled_out(menu: Menu) -> dict[str, list[str]]:
    """The options without a letter of their own, by what is done."""
    lines: dict[str, list[str]] = {}
    for option in menu.options:
        if not option.is_fixed:
            deed, _, thing = option.name.partition("_")
            lines.setdefault(deed, []).append(f"{option.letter} {_short(thing)}")
    return lines


def _short(name: str) -> str:
    word = name.lower()
    return _SHORT.get(word) or word.replace("pickaxe", "pick").replace("_", " ")


def _pocket(pocket: dict[str, int]) -> Iterator[str]:
    """The items and their counts, the most telling first."""
    ranked = sorted(pocket.items(), key=lambda stack: (_RANK.get(stack[0], len(_RANK)), stack[0]))
    for item, count in ranked[:MAX_ITEMS]:
        yield _short(item) if count == 1 else f"{_short(item)} {min(count, MOST_TOLD)}"


def _is_wanted(kind: str, todo: set[str]) -> bool:
    """Whether a kind of block is of use for what is still to do."""
    uses = _USES.get(kind)
    return uses is None or not todo.isdisjoint(uses)


def _near(position: Position, notes: Notes) -> Iterator[str]:
    """Where the nearest of each kind is, as steps along the axes."""
    todo = {each.id for each in notes.todo}
    nearest = [
        (kind, place)
        for kind in _ORDER
        if _is_wanted(kind, todo) and (place := notes.nearest(kind, position)) is not None
    ]
    for kind, place in nearest[:MAX_NEAR]:
        steps = [
            f"{sides[there < here]}{abs(there - here)}"
            for sides, there, here in zip(_SIDES, place, position, strict=True)
            if there != here
        ]
        yield f"{_WORDS[kind]} {' '.join(steps)}"


def _tried(notes: Notes, menu: Menu) -> Iterator[str]:
    """The letters of options that led in a circle, or nowhere."""
    for name in notes.tried[-MAX_TRIED:]:
        option = menu.named(name)
        if option is not None:
            yield option.letter
