"""How a villager's days are put together: chapters, one after the other, then every day the same.

A chapter that is over is noted in the villager's memory in the world, so that whoever comes back after the
process ended goes on with the next one. A chapter may be begun twice: it looks for what is done already.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from thorp.bridges.village import notebook
from thorp.bridges.village.villager import CHAPTER, NOTEBOOK, Script, Villager
from thorp.protocol.obs import Position

Chapter = Callable[[Villager], Script[None]]

STROLL: Final = 12
# Numbers without a common divisor, so that no two villagers stroll alike.
_STRIDES: Final = (7_919, 104_729)


def life(chapters: Sequence[Chapter], everyday: Chapter) -> Chapter:
    """The life of a villager."""

    def live(me: Villager) -> Script[None]:
        begun = yield from _recall(me)
        for number, chapter in enumerate(chapters, start=1):
            if number > begun:
                yield from chapter(me)
                yield from me.do("SAVE_MEMORY", key=CHAPTER, value=str(number))
        while True:
            yield from everyday(me)
            yield None

    return live


def _recall(me: Villager) -> Script[int]:
    """How many chapters are over. Whoever kept the notebook opens it."""
    yield from me.do("LOAD_MEMORY", prefix="village/")
    notes = me.obs.memory
    kept = {note.key: note.value for note in notes} if isinstance(notes, list) else {}
    if CHAPTER not in kept:
        yield from me.do("SAVE_MEMORY", key=CHAPTER, value="0")
    if NOTEBOOK in kept:
        me.keeps_notebook = True
        take_over(notebook.read(kept[NOTEBOOK]), me.notebook)
    return int(kept.get(CHAPTER, "0"))


def take_over(kept: notebook.Notebook, ours: notebook.Notebook) -> None:
    """Take over what was kept. Others may have written something already: what is new in `things` and `done`
    counts, but nobody's home is where it woke up today."""
    ours.ids, ours.homes = ours.ids | kept.ids, ours.homes | kept.homes
    ours.things, ours.done = kept.things | ours.things, kept.done | ours.done
    ours.plaza, ours.taken = ours.plaza or kept.plaza, ours.taken or kept.taken


def keep_notebook(me: Villager) -> Script[None]:
    me.keeps_notebook = True
    yield from me.do("SAVE_MEMORY", key=NOTEBOOK, value=notebook.write(me.notebook))


def home(me: Villager) -> Position:
    return me.notebook.homes[me.name]


def to_plaza(me: Villager, dx: int = 0, dz: int = 0, near: int = 2) -> Script[bool]:
    """Go into the village, when there is one."""
    yield from me.wait_for(lambda: me.notebook.plaza is not None, ticks=3_000)
    return (yield from me.walk(me.notebook.place(dx, dz), near))


def stroll(me: Villager, middle: Position, reach: int = STROLL) -> Script[None]:
    """Go somewhere not far from a place."""
    number = int(me.obs.agent_id[1:])
    dx, dz = (
        (me.tick // 10 * stride + number * other) % (2 * reach + 1) - reach
        for stride, other in (_STRIDES, _STRIDES[::-1])
    )
    yield from me.do("MOVE_TO", target=[middle[0] + dx, middle[1], middle[2] + dz], tolerance=2, ticks=300)


def forage(me: Villager, *names: str, taboo: dict[Position, None]) -> Script[bool]:
    """Take the nearest block of these names. False if there is none in sight, or it is out of reach."""
    for target in me.sight.find_all(*names):
        if target in taboo or abs(target[1] - me.position[1]) > 2:
            continue
        taboo[target] = None
        yield from me.walk(target, 1, tries=1)
        if sum(abs(a - b) for a, b in zip(target, me.position, strict=True)) <= 2:
            return bool((yield from me.mine(target)))
        return False
    return False
