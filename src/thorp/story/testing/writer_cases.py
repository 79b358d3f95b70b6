"""WRT, CFG, GRF and POS: writers, configuration, which engine calls which, and rules for the code itself."""

import ast
import json
import re
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final, NamedTuple

import msgspec

import thorp.story
from thorp.kernel.errors import ConflictError, InvalidError
from thorp.story.config import Identities, Person, StoryConfig
from thorp.story.testing.suite import Suite, configured, refused
from thorp.story.testing.world import SEQUENTIAL, WatchedWriter, World, bundle, entry, question, voice
from thorp.story.writer.model import read_payloads
from thorp.story.writer.moment import WriterFailure
from thorp.story.writer.scripted import ScriptedWriter

HOME = Path(thorp.story.__file__).parent
ALEX = configured(SEQUENTIAL, identity={"operator_id": "ALEX"})
PROPOSED = json.dumps(bundle(entry()))


class WriterCases(Suite):
    def test_WRT_01(self) -> None:
        bad = [
            f"Here it is: {PROPOSED}",
            f"{PROPOSED} I hope this helps.",
            json.dumps({**bundle(entry()), "no_write": {}}),
            '{"write": {}}',
            f"[{PROPOSED}]",
            "",
            '{"no_write": 1}',
            '{"no_write": {}, "no_write": {}}',
            "[" * 100_000,
            f"```json\n{PROPOSED}\n```\n```json\n{PROPOSED}\n```",
        ]
        assert self.verdicts(*bad) == ["FAILED"] * len(bad)

    def test_WRT_02(self) -> None:
        fenced = [f"```json\n{PROPOSED}\n```", f" \n```\n{PROPOSED}```\n", f"\n{PROPOSED}\n"]
        assert self.verdicts(*fenced) == ["ACCEPTED"] * 3

    def test_WRT_03(self) -> None:
        silent = {
            "no_write": {
                "proposed_by": {"engine": "ENGINE_9", "actor": "REBECCA"},
                "entries": [],
                "wrote": False,
            }
        }
        with self.world([silent, {"no_write": {}}]) as world:
            for _ in range(2):
                assert [each["text"] for each in world.stream()] == ["Hello."]
                assert world.outcome() == "NO_WRITE"

    def test_WRT_04(self) -> None:
        down = WriterFailure("nobody answers", code="connection")
        with self.world([down, down]) as world:
            assert [each["text"] for each in world.stream()] == ["Hello."]
            assert world.outcome() == "FAILED"
        with self.world([down, down], configured(SEQUENTIAL, writing={"on_failure": "abort"})) as world:
            assert world.send()[0] == 503
            assert not any(world.counts().values())

    def test_WRT_05(self) -> None:
        writer = WatchedWriter([bundle(entry())])
        with self.world(writer=writer) as world:
            for number in range(2):
                world.send(
                    "Open the door.", request_id=f"very-own-id-{number}", intent="be quick", notes="a note"
                )
            for prompt in writer.prompts:
                text = "\n".join(message.content for message in prompt)
                for kept_out in (
                    "very-own-id",
                    "be quick",
                    "a note",
                    "client_intent",
                    "stream_cursor",
                    "e:0000",
                ):
                    assert kept_out not in text
                assert [message.role for message in prompt] == ["system", "user"]
                user = prompt[1].content
                assert user.startswith("SYSTEM_INVOKER ")
                assert '"Open the door."' in user
                assert "\nOpen the door." not in user

    def test_WRT_06(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            root = Path(name)
            (root / "rebecca").mkdir()
            (root / "rebecca" / "b.md").write_text("She speaks softly.", "utf-8")
            (root / "rebecca" / "a.md").write_text("She keeps bees.", "utf-8")
            (root / "rebecca" / "c.txt").write_text("Not this.", "utf-8")
            (root / "outside.md").write_text("Nor this.", "utf-8")
            payloads = read_payloads(SEQUENTIAL.people, root)
            assert payloads == {"REBECCA": "## a\nShe keeps bees.\n\n## b\nShe speaks softly."}
            for traversal in ("../rebecca", "/etc", "a/b", "", "."):
                wrong = [Person("REBECCA", payload=traversal)]
                assert refused(read_payloads, wrong, root, kind=InvalidError) == "payload"
            assert read_payloads([Person("NOBODY")], root) == {}
        prompts = []
        for given in (payloads, {}):
            writer = WatchedWriter([bundle(entry())], payloads=given)
            with self.world(writer=writer) as world:
                assert len(world.stream()) == 2
            prompts.append(writer.texts[0])
        assert "She keeps bees." in prompts[0]
        assert len(prompts[1]) < len(prompts[0])

    def test_WRT_07(self) -> None:
        with self.world([bundle(entry())]) as world:
            world.send(request_id="mine")
            rows = sorted(world.rows("story_entry"))
            assert [row[1] for row in rows] == ["e:00000001", "e:00000002"]
            assert rows[1][3] == rows[0][3]
            assert world.rows("story_request")[0][0] == "mine"


class ConfigurationCases(Suite):
    def test_CFG_01(self) -> None:
        with self.world(config=StoryConfig(), writer=ScriptedWriter()) as world:
            assert [each["text"] for each in world.stream()] == ["Hello."]
            assert world.ledger.config == StoryConfig()
            assert world.ledger.config.identity == Identities()

    def test_CFG_02(self) -> None:
        with self.world(config=ALEX) as world:
            envelope = world.envelope()
            assert world.ledger.invoke(envelope)[0] == 200
            envelope = {**world.envelope(), "operator": {"operator_id": "GEORGE", "input_text": "Hello."}}
            assert world.ledger.invoke(envelope)[1]["error"] == "Invalid operator_id"
            assert world.send(invoker="alex")[1]["error"] == "Invalid invoker_id"
            assert world.send(invoker="GEORGE")[0] == 200
            assert world.rows("story_entry")[0][4] == "ALEX"

    def test_CFG_03(self) -> None:
        for wrong in ("REBECCA", "SYSTEM_INVOKER", "WORLD", "PUBLIC", "", "X_VIEW"):
            identity = msgspec.structs.replace(Identities(), operator_id=wrong)
            assert refused(StoryConfig, identity, kind=InvalidError) == "config"

    def test_CFG_04(self) -> None:
        url = self.fresh_url()
        with self.world(url=url) as world:
            world.send()
        assert refused(partial(self.world, config=ALEX, url=url), kind=ConflictError) == "config"
        with self.world(url=url) as world:
            assert len(world.texts()) == 1


# The call graph, as observed: an engine's caller is the nearest other engine further out on the stack.

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
    """Add every call between engines to a set, in all threads that start meanwhile and in this one."""

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


class GraphCases(Suite):
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
            SEQUENTIAL, context={"unit": "chars", "budget": 1000, "ratio_percent": 100, "summarise": True}
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
PASSED_OVER: Final = ("banned_phrases.py",)
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


class PostureCases(Suite):
    def test_POS_01(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            planted = Path(name) / "beat.py"
            planted.write_text("x = 1\nif boredom_level > 3:  # pacing\n    stir()\n", "utf-8")
            [first, second] = scan([Path(name)])
            assert (first.file, first.line, first.word) == (planted, 2, "boredom")
            assert str(second) == f"{planted}:2: pacing"
        assert scan([HOME]) == []

    def test_POS_02(self) -> None:
        """Every rule of the posture has at least one test here, by its id."""
        tests = {
            name.removeprefix("test_").replace("_", "-") for suite in _all_suites() for name in dir(suite)
        }
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


def _all_suites() -> list[type[Suite]]:
    found: list[type[Suite]] = []
    waiting: list[type[Suite]] = [Suite]
    while waiting:
        suite = waiting.pop()
        found.append(suite)
        waiting += suite.__subclasses__()
    return found
