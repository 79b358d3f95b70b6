"""BND and ENT: which bundles and entries are accepted, and that a bundle is stored whole or not at all."""

import threading

from thorp.kernel.canonical import Json
from thorp.store import ConstraintError
from thorp.story.acceptance import judge_proposal
from thorp.story.contracts import read_bundle
from thorp.story.testing.suite import Suite, case_per_row, configured, refused
from thorp.story.testing.world import SEQUENTIAL, WatchedWriter, bundle, change, entry, fault, voice, without

CONTENT = "proposed_write_bundle"
FIVE = [voice(f"Line {number}.") for number in range(5)]
SAME_INSTANT = "2026-01-01T09:31:00+02:00"


@case_per_row(
    "check_verdicts",
    {
        "BND_02": ("SILENT_WITH_ENTRIES", bundle(entry(), wrote=False)),
        "BND_03": ("WROTE_TYPE", bundle(entry(), wrote="yes"), bundle(entry(), wrote=1)),
        "BND_06": ("BUNDLE_ID_PREASSIGNED", bundle(entry(), bundle_id="b:7")),
        "BND_07": ("REQUEST_MISMATCH", bundle(entry(), request_id="another")),
        "BND_08": ("PROPOSED_BY", without(bundle(entry()), CONTENT, "proposed_by", "actor")),
        "BND_16": (
            "PRE_REJECTED",
            bundle(entry(), rejection={"rejected": True, "reason": None}),
            bundle(entry(), rejection=None),
        ),
    },
)
class BundleCases(Suite):
    def test_BND_01(self) -> None:
        with self.world([bundle(wrote=True)] * 2) as world:
            assert world.stream("") == []
            assert world.outcome() == "REJECTED WROTE_EMPTY"
            assert world.bundles() == 0

    def test_BND_04(self) -> None:
        broken = bundle(*FIVE[:2], without(FIVE[2], "text"), *FIVE[3:])
        with self.world([broken] * 2) as world:
            status, body = world.send("")
            assert (status, body["debug"]) == (200, {"wrote": False, "bundle_id": None})
            assert world.texts() == []

    def test_BND_05(self) -> None:
        broken = bundle(*FIVE[:2], without(FIVE[2], "text"), *FIVE[3:])
        with self.world([broken] * 2) as world:
            _, body = world.send("Hello.")
            assert body["debug"]["wrote"] is True
            assert world.texts() == ["Hello."]

    def test_BND_09(self) -> None:
        with self.world([bundle(voice(), entry())]) as world, fault(world, "story_entry", "NEW.seq = 3"):
            assert world.send()[0] == 500
            assert not any(world.counts().values())

    def test_BND_10(self) -> None:
        with self.world([bundle(voice(), entry())]) as world:
            assert [each["channel"] for each in world.stream()] == ["USER", "VOICE", "PEOPLE"]
            assert world.bundles() == 1
            assert [row[0] for row in sorted(world.rows("story_entry"))] == [1, 2, 3]

    def test_BND_11(self) -> None:
        assert judge_proposal(bundle(entry())[CONTENT], None).code == "NO_ACTIVE_BEAT"

    def test_BND_12(self) -> None:
        rejected = judge_proposal(bundle(entry())[CONTENT], None).bundle
        assert rejected["rejection"]["rejected"] is True
        assert rejected["rejection"]["reason"]
        assert (rejected["wrote"], rejected["bundle_id"], rejected["entries"]) == (False, None, [])
        named = {**rejected, "proposed_by": {"engine": "ENGINE_10", "actor": "REBECCA"}}
        read_bundle(named, SEQUENTIAL)
        assert refused(read_bundle, {**named, "bundle_id": "b:1"}, SEQUENTIAL) == "rejection"

    def test_BND_13(self) -> None:
        writer = WatchedWriter([bundle(entry(), wrote="yes"), bundle(entry("She waits."))])
        with self.world(writer=writer) as world:
            assert [each["text"] for each in world.stream()] == ["Hello.", "She waits."]
            assert len(writer.prompts) == 2
            assert writer.prompts[0] == writer.prompts[1]

    def test_BND_14(self) -> None:
        writer = WatchedWriter([bundle(entry(), wrote="yes")] * 2)
        with self.world(writer=writer) as world:
            answers = [world.respond().body for _ in range(3)]
            assert max(world.rows("story_beat"))[0] == 3
            assert not any("WROTE_TYPE" in text for text in (*answers, *writer.texts, *world.texts()))

    def test_BND_15(self) -> None:
        writer = WatchedWriter(forever=bundle(voice(), entry()))
        with self.world(writer=writer) as world:
            threads = [threading.Thread(target=world.send, args=[f"Voice {n}."]) for n in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            rows = sorted(world.rows("story_entry"))
            assert len(rows) == 24
            assert [row[2] for row in rows] == sorted(row[2] for row in rows)
            assert all(rows[at][8] == "USER" for at in range(0, 24, 3))


def listing(scope: str, *visible_to: str) -> dict[str, Json]:
    return bundle(entry(visibility={"scope": scope, "visible_to": list(visible_to)}))


@case_per_row(
    "check_verdicts",
    {
        "ENT_01": (
            "AUTHOR_MISSING",
            bundle(without(entry(), "author")),
            bundle(without(entry(), "author", "author_class")),
        ),
        "ENT_02": ("CHANNEL", bundle(entry(channel="XP_GAIN"))),
        "ENT_03": ("AUTHOR_CLASS", bundle(entry(author_class="NPC"))),
        "ENT_04": ("PRIVATE_EMPTY", listing("PRIVATE")),
        "ENT_05": ("PUBLIC_LIST", listing("PUBLIC", "REBECCA")),
        "ENT_06": ("SCOPE", listing("SECRET")),
        "ENT_07": ("VISIBILITY_IDENTITY", bundle(entry(to=["NOBODY_KNOWN"]))),
        "ENT_09": ("ENTRY_SHAPE", bundle(entry(mood=7))),
        "ENT_10": ("ENTRY_ID_PREASSIGNED", bundle(entry(entry_id="e:1")), bundle(entry(bundle_id="b:1"))),
        "ENT_12": ("ACCEPTED", bundle(entry(created_at_world=SAME_INSTANT))),
        "ENT_13": ("OPERATOR_IMPERSONATION", bundle(entry(channel="USER"))),
        "ENT_14": ("OPERATOR_IMPERSONATION", bundle(entry(author="GEORGE")), bundle(entry(author="George"))),
        "ENT_15": (
            "SYSTEM_AUTHOR",
            bundle(entry(author="SYSTEM_INVOKER", author_class="SYSTEM", channel="VOICE")),
        ),
        "ENT_16": (
            "AUTHOR_PAIRING",
            bundle(entry(author="WORLD", author_class="WORLD", channel="PEOPLE")),
            bundle(entry(channel="VOICE")),
        ),
    },
)
class EntryCases(Suite):
    def verdict(self, *entries: object) -> list[str]:
        return self.verdicts(*(bundle(each) for each in entries))

    def test_ENT_08(self) -> None:
        found = self.verdict(without(entry(), "text"), entry(""), entry(" \n\t"))
        assert found == ["TEXT_MISSING", "TEXT_EMPTY", "TEXT_EMPTY"]

    def test_ENT_11(self) -> None:
        found = self.verdict(
            entry(created_at_world="2026-01-01T07:30:00+00:00"),
            entry(created_at_world="soon"),
            entry(created_at_world=1767252660),
        )
        assert found == ["TIME_MISMATCH", "TIME_FORMAT", "TIME_FORMAT"]

    def test_ENT_17(self) -> None:
        assert self.verdict(voice("Your context \n Window is full.")) == ["META_LANGUAGE"]
        hidden = ("con\u200btext window", "con\u00adtext win\u2060dow", "\uff43ontext\u3000window")
        assert self.verdict(*map(voice, hidden)) == ["META_LANGUAGE"] * len(hidden)
        assert self.verdict(voice("Later th\u200dat day.")) == ["TIME_SHORTCUT"]

    def test_ENT_18(self) -> None:
        with self.world() as world:
            text = "Is your context window full? Rehydrate."
            assert world.stream(text)[0]["text"] == text

    def test_ENT_19(self) -> None:
        words = "Later that day it rains."
        assert self.verdict(voice(words), entry(f'"{words}"')) == ["TIME_SHORTCUT", "ACCEPTED"]

    def test_ENT_20(self) -> None:
        said = ["The door is open.", "The door is shut."]
        with self.world([bundle(voice(text)) for text in said]) as world:
            shown = [each["text"] for _ in said for each in world.stream("")]
            assert shown == said == world.texts()
            assert [each["text"] for each in world.refresh()["stream"]["entries"]] == said

    def test_ENT_21(self) -> None:
        with self.world() as world:
            world.send()
            for statement in ("UPDATE story_entry SET text = 'x'", "DELETE FROM story_entry"):
                both = {"sqlite": statement, "postgresql": statement}
                assert refused(change, world, both, kind=ConstraintError) == "constraint"
            assert world.texts() == ["Hello."]

    def test_ENT_22(self) -> None:
        with self.world(config=configured(SEQUENTIAL)) as world:
            world.send()
            [row] = world.rows("story_entry")
            assert row[4:9] == ("GEORGE", "OPERATOR", "PUBLIC", "[]", "USER")
