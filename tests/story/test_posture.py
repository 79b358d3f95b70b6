"""GRF and POS: which engine of a story calls which, and rules for the code of stories itself."""

import ast
import re
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple

import thorp.story
from tests.story.cases import LedgerSuite
from tests.story.suite import Suite, configured
from tests.story.test_conformance import OnSqlite
from tests.story.world import SEQUENTIAL, WatchedWriter, World, bundle, entry, question, voice

HOME = Path(thorp.story.__file__).parent


# The call graph, as observed: an engine's caller is the nearest other engine further out on the
# stack.

ENGINES: Final = {
    "thorp.story.ledger": 0,
    "thorp.story.invocation": 1,
    "thorp.story.beat": 2,
    "thorp.story.clock": 3,
    "thorp.story.knowledge": 4,
    "thorp.story.scene": 5,
    "thorp.story.capsules": 6,
    "thorp.story.tools": 7,
    "thorp.story.retrieval": 8,
    "thorp.story.writer": 9,
    "thorp.story.acceptance": 10,
    "thorp.story.tables": 11,
    "thorp.story.projection": 12,
}
ALLOWED: Final = {
    0: {11},
    1: {0, 2},
    2: {0, 3, 5, 9, 10, 12},
    3: {11},
    4: set(),
    5: {6, 8, 9},
    6: {8, 9},
    7: {5, 6, 8},
    8: {4, 11},
    9: {7},
    10: {0},
    11: set(),
    12: {0, 3, 4},
}
"""Whom each engine may call. Retrieval may ask knowledge, which is a pure function."""


def engine_of(frame: FrameType) -> int | None:
    name = frame.f_globals.get("__name__", "")
    while name:
        if name in ENGINES:
            return ENGINES[name]
        name = name.rpartition(".")[0]
    return None


@contextmanager
def observed(edges: set[tuple[int, int]]) -> Iterator[None]:
    """Add every call between engines to a set, in all threads that start meanwhile and in this
    one."""

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call":
            return
        called = engine_of(frame)
        if called is None:
            return
        outer = frame.f_back
        while outer is not None:
            caller = engine_of(outer)
            if caller is not None:
                if caller != called:
                    edges.add((caller, called))
                return
            outer = outer.f_back

    before, before_here = threading.getprofile(), sys.getprofile()
    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield
    finally:
        threading.setprofile(before)
        sys.setprofile(before_here)


class TestGraph(OnSqlite, Suite):
    def everything(self, world: World) -> None:
        """One of each: tools, packs, silence, refusals, refreshes and pages."""
        world.writer.script(
            [
                question("hello", name="1"),
                question("e:00000001", tool="LEDGER_GET", name="2"),
                question("", tool="CAPSULE_GET", person="REBECCA", actor="REBECCA", name="3"),
                question("hello", tool="SCENE_PACK_BUILD", name="4"),
                bundle(entry()),
                bundle(voice(), wrote="no"),
                bundle(voice(), entry("Hidden.", to=["REBECCA"])),
            ]
        )
        for text in ("Hello.", "x" * 1200, "Hello again.", ""):
            assert world.send(text, pause=None, declared=None)[0] == 200
        world.send(declared="2030-01-01T00:00:00Z")
        world.refresh("c:00000001")
        world.ledger.page("REBECCA")

    def test_GRF_01(self) -> None:
        config = configured(
            SEQUENTIAL,
            context={"unit": "chars", "budget": 1000, "ratio_percent": 100, "summarise": True},
        )
        edges: set[tuple[int, int]] = set()
        writer = WatchedWriter(summaries=["A quiet mill."] * 3)
        with observed(edges), self.world(writer=writer, config=config) as world:
            self.everything(world)
            assert world.packs("REHYDRATION")
        unlawful = {(caller, called) for caller, called in edges if called not in ALLOWED[caller]}
        assert not unlawful
        # The observation works: these calls must be there.
        assert {
            (1, 0),
            (1, 2),
            (2, 5),
            (2, 9),
            (5, 9),
            (9, 7),
            (7, 8),
            (8, 4),
            (8, 11),
            (10, 0),
            (12, 4),
        } <= edges

    def test_GRF_02(self) -> None:
        forbidden = {"thorp.story.ledger", "thorp.story.retrieval", "thorp.story.projection"}
        seen = 0
        for file in (HOME / "writer").rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.ImportFrom):
                    seen += 1
                    assert node.module not in forbidden, file
                elif isinstance(node, ast.Import):
                    assert not forbidden & {alias.name for alias in node.names}, file
        assert seen > 20


# The posture scan: no code of a story may use words of pacing or engagement.

WORDS: Final = (
    "engagement",
    "pacing",
    "dramatic",
    "drama",
    "boredom",
    "bored",
    "tension",
    "excitement",
    "interestingness",
    "cliffhanger",
    "retention",
)
PASSED_OVER: Final = ("words.toml",)
SUFFIXES: Final = (".py", ".md", ".json", ".toml", ".txt")
_WORD = re.compile(rf"(?<![a-z])({'|'.join(WORDS)})(?![a-z])", re.IGNORECASE)


class Finding(NamedTuple):
    file: Path
    line: int
    word: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.word}"


def scan(roots: Iterable[Path]) -> list[Finding]:
    """Every place under these directories where something speaks of steering a story."""
    return [finding for root in roots for file in _files(root) for finding in _scan_file(file)]


def _files(root: Path) -> list[Path]:
    return [
        file
        for file in sorted(root.rglob("*"))
        if file.suffix in SUFFIXES and file.name not in PASSED_OVER and "testing" not in file.parts
    ]


def _scan_file(file: Path) -> list[Finding]:
    return [
        Finding(file, number, found[1].lower())
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1)
        for found in _WORD.finditer(line)
    ]


class TestPosture:
    def test_POS_01(self, tmp_path: Path) -> None:
        planted = tmp_path / "beat.py"
        planted.write_text("x = 1\nif boredom_level > 3:  # pacing\n    stir()\n", "utf-8")
        [first, second] = scan([tmp_path])
        assert (first.file, first.line, first.word) == (planted, 2, "boredom")
        assert str(second) == f"{planted}:2: pacing"
        assert scan([HOME]) == []

    def test_POS_02(self) -> None:
        """Every rule of the posture has at least one test here, by its id."""
        names = [*dir(LedgerSuite), *dir(TestPosture)]
        tests = {name.removeprefix("test_").replace("_", "-") for name in names}
        for rule, cases in POSTURE.items():
            assert cases, rule
            assert tests.issuperset(cases), rule


POSTURE = {
    "no background process changes reality": ["NOP-04"],
    "no director logic": ["POS-01"],
    "no meters or hidden state": ["ENT-09", "SCN-05", "CAP-07"],
    "the operator is not the model's user": ["WRT-05", "INV-06"],
    "intent and notes are inert": ["INV-23", "INV-24"],
    "append-only": ["ENT-21"],
    "no repair": ["ENT-20", "CAP-03"],
    "no connective text": ["PRJ-04"],
    "no implicit time": ["TIM-02", "ENT-19"],
    "nothing exposes mechanics": ["BND-14", "RHY-07", "PRJ-11"],
    "silence is neither error nor default": ["INV-16", "WRT-03", "WRT-04"],
    "nobody speaks for the operator": ["ENT-13", "ENT-14"],
    "no omniscience": ["VIS-05", "VIS-06"],
    "no magic words": ["RHY-08", "TIM-02", "ENT-18"],
    "failure over fabrication": ["RET-02", "CAP-04", "IDP-09"],
    "removability": ["WRT-06"],
    "no refusals as narrative": ["BND-14", "WRT-04"],
}
"""Each rule of the posture, and the cases that hold it."""
