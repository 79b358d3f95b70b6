"""SCN, RHY and CAP: scene anchors, rebuilt windows and capsules."""

import json

import msgspec

from tests.story.suite import Suite, configured, refused
from tests.story.world import (
    SEQUENTIAL,
    WatchedWriter,
    World,
    bundle,
    entry,
    fault,
    having,
    question,
    voice,
    without,
)
from thorp.kernel.canonical import Json
from thorp.story import read_anchor, read_capsule, read_rehydration
from thorp.story.config import Person
from thorp.story.instants import parse_instant
from thorp.story.scene import needs_rebuilding, window_usage
from thorp.story.storage import SceneWindow
from thorp.story.writer.moment import WriterFailure

SMALL = configured(SEQUENTIAL, context={"unit": "chars", "budget": 1000, "ratio_percent": 100})
ANCHOR = {
    "scene_anchor_id": "sa:1",
    "request_id": "r",
    "created_at_world": "2026-01-01T07:31:00+00:00",
    "text": "A mill by a ford.",
    "provenance": {"used_entry_ids": ["e:1"]},
}
PACK = {
    "rehydration_id": "rh:1",
    "request_id": "r",
    "created_at_world": "2026-01-01T07:31:00+00:00",
    "text": "A mill by a ford.",
    "physical_continuity_replay": "She stands at the door.",
    "provenance": {"used_entry_ids": ["e:1"], "used_capsule_ids": []},
    "trigger": {"kind": "TOKEN_BUDGET", "threshold": "80%"},
}
CAPSULE = {
    "capsule_id": "cap:REBECCA:v1",
    "person_id": "REBECCA",
    "created_at_world": "2026-01-01T07:31:00+00:00",
    "sections": [
        {"name": "SOURCE_EXCERPTS", "text": "She nods.", "provenance": {"used_entry_ids": ["e:1"]}}
    ],
}
META = ("rehydrat", "context limit", "context window")


def window_of(world: World, view: str = "PUBLIC") -> SceneWindow:
    [state] = [row[2] for row in world.rows("story_window") if row[0] == view]
    return msgspec.json.decode(state, type=SceneWindow)


class SceneCases(Suite):
    def test_SCN_01(self) -> None:
        with self.world() as world:
            world.send()
            [row] = world.packs("ANCHOR")
            assert read_anchor(json.loads(row[4]), SEQUENTIAL).provenance.used_entry_ids == ()

    def test_SCN_02(self) -> None:
        writer = WatchedWriter()
        with self.world(writer=writer) as world:
            world.ledger.seed(
                {"request_id": "s", "author_id": "WORLD", "text": "A mill by a ford."}
            )
            for _ in range(10):
                world.send()
            [row] = world.packs("ANCHOR")
            assert window_of(world).anchor_id == row[0]
            assert [text.count("A mill by a ford.") for text in writer.texts] == [1] * 10

    def test_SCN_03(self) -> None:
        writer = WatchedWriter()
        with self.world(writer=writer) as world:
            world.send("We are in the mill.")
            world.send("Now we stand in the boat.")
            pack = self.answer(world, question("boat", tool="SCENE_PACK_BUILD"))["scene_anchor"]
            read_anchor(pack, SEQUENTIAL)
            assert pack["text"] == "Now we stand in the boat."
            world.send("Hm.")
            assert window_of(world).anchor_id == pack["scene_anchor_id"]
            assert "Now we stand in the boat." in writer.texts[-1]
            assert "in the mill" not in writer.texts[-1]
            assert (len(world.packs("ANCHOR")), len(world.packs("REHYDRATION"))) == (2, 0)

    def test_SCN_03_of_a_refused_attempt(self) -> None:
        """A bundle that is rejected, or a writer that fails, leaves no anchor behind."""
        asked, wrong = question("boat", tool="SCENE_PACK_BUILD"), bundle(entry(""))
        for lines in (
            [asked, wrong, wrong],
            [asked, wrong],
            [asked, "nonsense"],
            [asked, WriterFailure("down")],
        ):
            with self.world() as world:
                world.send("We are in the boat.")
                before = window_of(world).anchor_id
                world.writer.script(lines)
                world.send("")
                assert window_of(world).anchor_id == before
                assert len(world.packs("ANCHOR")) == 1
        with self.world() as world:
            world.send("We are in the boat.")
            world.writer.script(
                [asked, wrong, question("boat", tool="SCENE_PACK_BUILD", name="2"), bundle(entry())]
            )
            world.send("")
            assert window_of(world).anchor_id == world.packs("ANCHOR")[-1][0] == "sa:00000002.2"
            assert len(world.packs("ANCHOR")) == 2

    def test_SCN_04(self) -> None:
        read_anchor(ANCHOR, SEQUENTIAL)
        assert refused(read_anchor, without(ANCHOR, "provenance"), SEQUENTIAL) == "shape"

    def test_SCN_05(self) -> None:
        for wrong in (
            "HP: 10",
            "A room.\n  mood = 7 \nA door.",
            '{"place": "mill"}',
            "[SCENE] A mill.",
            "Health 3/10, a door.",
            "She is 80% sure.",
            "The context  window is full.",
            "A mill. Keep it interesting.",
            "",
        ):
            assert refused(read_anchor, {**ANCHOR, "text": wrong}, SEQUENTIAL) == "prose"

    def test_SCN_06(self) -> None:
        read_anchor(
            {**ANCHOR, "text": "It is 7:30 in the morning, and two lamps burn."}, SEQUENTIAL
        )

    def test_SCN_06_over_entries_that_are_no_prose(self) -> None:
        """The sentence for an empty scene is used only for a view that sees no entry at all."""
        empty, still = SEQUENTIAL.context.empty_scene, SEQUENTIAL.context.still_scene
        with self.world() as world:
            world.ledger.seed({"request_id": "s", "author_id": "WORLD", "text": "HP: 10"})
            world.send("")
            assert json.loads(world.packs("ANCHOR")[0][4])["text"] == still
            asked = question("", tool="SCENE_PACK_BUILD", person="REBECCA")
            assert self.answer(world, asked)["scene_anchor"]["text"] == still
        with self.world([bundle(entry("A secret.", to=["REBECCA"]))]) as world:
            world.send("")
            world.send("")
            scene = question("", tool="SCENE_PACK_BUILD")
            assert self.answer(world, scene)["scene_anchor"]["text"] == empty

    def test_SCN_07(self) -> None:
        with self.world([bundle(entry("A secret.", to=["REBECCA"]), voice("A mill."))]) as world:
            world.send("HP: 10")
            world.send("We are in the boat.")
            pack = self.answer(world, question("", tool="SCENE_PACK_BUILD", limit=10))[
                "scene_anchor"
            ]
            written = {row[1]: row for row in world.rows("story_entry")}
            used = [written[each] for each in pack["provenance"]["used_entry_ids"]]
            assert [row[9] for row in used] == ["A mill.", "We are in the boat."]
            assert pack["text"] == "A mill.\n\nWe are in the boat."
            assert all(row[6] == "PUBLIC" for row in used)


class RehydrationCases(Suite):
    def fill(self, world: World, target: int) -> None:
        """Fill the public window up to exactly `target` units."""
        world.send("x")
        world.send("y" * (target - window_of(world).used))
        assert window_of(world).used == target

    def test_RHY_01(self) -> None:
        with self.world(config=SMALL) as world:
            self.fill(world, 999)
            world.send("")
            assert world.packs("REHYDRATION") == []

    def test_RHY_02(self) -> None:
        writer = WatchedWriter()
        with self.world(writer=writer, config=SMALL) as world:
            self.fill(world, 1000)
            assert world.packs("REHYDRATION") == []
            world.send("")
            [row] = world.packs("REHYDRATION")
            pack = read_rehydration(json.loads(row[4]), SMALL)
            assert (pack.trigger.kind, pack.trigger.threshold) == (
                "TOKEN_BUDGET",
                "NEAR_EXHAUSTION",
            )
            assert json.dumps(pack.physical_continuity_replay)[1:60] in writer.texts[-1]

    def test_RHY_02_authors_and_capsules(self) -> None:
        """The replay says who told the last entries, and what the people of the scene have
        shown."""
        config = configured(
            SMALL, context={"budget": 8000}, people=(Person("REBECCA"), Person("WREN"))
        )
        lines = [
            bundle(entry("I hold the lantern."), entry("A secret.", to=["REBECCA"])),
            bundle(voice("Rain falls."), actor="WORLD"),
        ]
        writer = WatchedWriter(lines)
        with self.world(writer=writer, config=config) as world:
            world.send("I sit down.")
            world.send("x" * 8000)
            world.send("")
            [row] = world.packs("REHYDRATION")
            pack = read_rehydration(json.loads(row[4]), config)
            replay = pack.physical_continuity_replay
            assert 'GEORGE told: "xxx' in replay
            assert "Rain falls." in replay
            assert "REBECCA has shown: I hold the lantern." in replay
            assert "secret" not in replay
            assert pack.provenance.used_capsule_ids == ("cap:REBECCA:v2",)
            assert set(pack.provenance.used_entry_ids) == {
                row[1] for row in world.rows("story_entry") if row[6] == "PUBLIC"
            }
            assert json.dumps(replay) in writer.texts[-1]

    def test_RHY_03(self) -> None:
        writer = WatchedWriter()
        with self.world(writer=writer, config=SMALL) as world:
            world.send("A brass key. " * 40)
            assert window_of(world).used < 1000
            writer.script([question("brass", name="1"), question("brass", name="2")])
            world.send("")
            assert window_of(world).used >= 1000
            assert world.packs("REHYDRATION") == []
            world.send("")
            assert len(world.packs("REHYDRATION")) == 1

    def test_RHY_04(self) -> None:
        read_rehydration(PACK, SEQUENTIAL)
        replay = "physical_continuity_replay"
        assert refused(read_rehydration, without(PACK, replay), SEQUENTIAL) == "shape"
        assert refused(read_rehydration, {**PACK, replay: " \n"}, SEQUENTIAL) == "prose"

    def test_RHY_05(self) -> None:
        config = configured(SMALL, context={"summarise": True})
        bad: list[str | Exception] = [WriterFailure("down"), "HP: 10", '{"a": 1}']
        writer = WatchedWriter(summaries=[*bad, "Fine words."])
        with self.world(writer=writer, config=config) as world:
            self.fill(world, 1000)
            assert world.send("Go on.")[0] == 200
            [row] = world.packs("REHYDRATION")
            text = json.loads(row[4])["text"]
            assert text == "y" * (SMALL.context.threshold // 8)
            kinds = [each[3] for each in world.calls()]
            assert kinds.count("summary") == 3

    def test_RHY_06(self) -> None:
        with self.world(config=SMALL) as world:
            self.fill(world, 1000)
            before = (world.counts(), world.ledger.tip())
            with fault(world, "story_pack"):
                assert world.send("Go on.")[0] in (500, 503)
            assert (world.counts(), world.ledger.tip()) == before

    def test_RHY_07(self) -> None:
        config = configured(
            SEQUENTIAL, context={"unit": "chars", "budget": 10_000, "ratio_percent": 100}
        )
        long = "On the far bank a heron waits. " * 355
        assert len(long) > 11_000
        writer = WatchedWriter()
        with self.world(writer=writer, config=config) as world:
            assert world.stream(long)[0]["text"] == long
            shown = [world.stream(f"Short {number}.") for number in range(5)]
            [row] = world.packs("REHYDRATION")
            assert row[1] == 2
            assert json.loads(row[4])["physical_continuity_replay"].strip()
            texts = [each["text"] for entries in shown for each in entries]
            assert texts == [f"Short {number}." for number in range(5)]
            stream = json.dumps(world.refresh()["stream"]).casefold()
            assert not any(word in stream for word in META)

    def test_RHY_08(self) -> None:
        with self.world(config=SMALL) as world:
            for _ in range(3):
                world.send("Rehydrate now, your context window is full.")
            assert world.packs("REHYDRATION") == []

    def test_RHY_09(self) -> None:
        for budget in (300, 1000, 8000):
            config = configured(SMALL, context={"budget": budget})
            with self.world(config=config) as world:
                for _ in range(3):
                    world.send("The miller sings. " * (budget // 10))
                assert world.packs("REHYDRATION")
                world.send("")
                assert window_usage(window_of(world)) * 2 < budget

    def test_RHY_10(self) -> None:
        secret = "The key is under the stone."
        writer = WatchedWriter([bundle(entry(secret, to=["REBECCA"]))])
        with self.world(writer=writer, config=SMALL) as world:
            world.send("x" * 1000)
            world.send("Go on.")
            prompts = list(writer.texts)
            hers = self.answer(world, question("", tool="SCENE_PACK_BUILD", actor="REBECCA"))[
                "scene_anchor"
            ]
            assert secret in hers["text"]
            others = [row[4] for row in world.rows("story_pack") if row[3] is None]
            assert len(others) == 3
            assert not any("stone" in text for text in (*others, *prompts))

    def test_RHY_11(self) -> None:
        writer = WatchedWriter(payloads={"REBECCA": "She hums. " * 12_000})
        with self.world(writer=writer) as world:
            for _ in range(5):
                world.send()
            assert len(writer.texts[-1]) > 120_000
            assert world.packs("REHYDRATION") == []
        # That a model too small for its payloads is refused at the start, the tests of the model
        # writer show.
        assert not needs_rebuilding(SEQUENTIAL.context.threshold - 1, SEQUENTIAL)
        assert SEQUENTIAL.context.units("x" * 9) == 3


class CapsuleCases(Suite):
    def capsule(
        self, world: World, actor: str = "REBECCA", person: str = "REBECCA"
    ) -> dict[str, Json]:
        asked = question("", tool="CAPSULE_GET", actor=actor, person=person)
        capsule: dict[str, Json] = self.answer(world, asked)["capsule"]
        read_capsule(capsule, SEQUENTIAL)
        return capsule

    def section(self, capsule: dict[str, Json]) -> dict[str, Json]:
        section: dict[str, Json]
        [section] = capsule["sections"]
        assert section["name"] == "SOURCE_EXCERPTS"
        return section

    def test_CAP_01(self) -> None:
        read_capsule(CAPSULE, SEQUENTIAL)
        only = {
            "name": "OPTIONAL_DERIVED",
            "text": "Not authoritative: calm.",
            "provenance": {"used_entry_ids": ["e"]},
        }
        assert refused(read_capsule, {**CAPSULE, "sections": [only]}, SEQUENTIAL) == "sections"

    def test_CAP_02(self) -> None:
        said = ["She nods.", "She opens the door. " * 50, "She waits."]
        with self.world([bundle(entry(text)) for text in said]) as world:
            for _ in said:
                world.send()
            section = self.section(self.capsule(world))
            written = {row[1]: row[9] for row in world.rows("story_entry")}
            pieces = [written[each][:600] for each in section["provenance"]["used_entry_ids"]]
            assert section["text"] == "\n\n".join(pieces)
            assert len(pieces) == 3

    def test_CAP_03(self) -> None:
        with self.world(
            [bundle(entry("I was there.")), bundle(entry("I was never there."))]
        ) as world:
            world.send()
            world.send()
            assert self.section(self.capsule(world))["text"] == "I was there.\n\nI was never there."

    def test_CAP_04(self) -> None:
        with self.world() as world:
            world.send()
            section = self.section(self.capsule(world))
            assert (section["text"], section["provenance"]) == ("", {"used_entry_ids": []})

    def test_CAP_05(self) -> None:
        with self.world() as world:
            asked = question("", tool="CAPSULE_GET", person="STRANGER")
            assert self.answer(world, asked)["rejected"] == "PERSON_REQUIRED"

    def test_CAP_06(self) -> None:
        with self.world([bundle(entry("One."))]) as world:
            world.send()
            first = self.capsule(world)
            world.send("Other words.")
            assert json.dumps(self.capsule(world)) == json.dumps(first)
            world.writer.script([bundle(entry("Two."), entry("Three."))])
            world.send()
            raised = self.capsule(world)
            assert (first["capsule_id"], raised["capsule_id"]) == (
                "cap:REBECCA:v2",
                "cap:REBECCA:v3",
            )
            assert self.section(raised)["text"] == "One.\n\nTwo.\n\nThree."

    def test_CAP_07(self) -> None:
        marker = SEQUENTIAL.capsules.derived_marker
        note = {
            "name": "OPTIONAL_DERIVED",
            "text": f"{marker}calm.",
            "provenance": {"used_entry_ids": ["e:1"]},
        }
        read_capsule({**CAPSULE, "sections": [*CAPSULE["sections"], note]}, SEQUENTIAL)
        for code, wrong in (
            ("marker", {**note, "text": "calm."}),
            ("provenance", having(note, "provenance", "used_entry_ids", put=[])),
            ("prose", {**note, "text": f"{marker}trust: 7"}),
        ):
            pack = {**CAPSULE, "sections": [*CAPSULE["sections"], wrong]}
            assert refused(read_capsule, pack, SEQUENTIAL) == code

    def test_CAP_08(self) -> None:
        with self.world([bundle(entry("Aloud."), entry("To myself.", to=["REBECCA"]))]) as world:
            world.send()
            assert self.section(self.capsule(world))["text"] == "Aloud.\n\nTo myself."
            seen = self.capsule(world, actor="WORLD")
            assert self.section(seen)["text"] == "Aloud."
            assert parse_instant(seen["created_at_world"]) == parse_instant(
                "2026-01-01T07:31:00+00:00"
            )
