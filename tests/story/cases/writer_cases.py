"""WRT and CFG: writers and configuration."""

import json
import tempfile
from functools import partial
from pathlib import Path

import msgspec

from tests.story.suite import Suite, configured, refused
from tests.story.world import SEQUENTIAL, WatchedWriter, bundle, entry
from thorp.kernel.errors import ConflictError, InvalidError
from thorp.story.config import Identities, Person, StoryConfig
from thorp.story.writer.model import read_payloads
from thorp.story.writer.moment import WriterFailure
from thorp.story.writer.offline import ScriptedWriter

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

    def test_WRT_03_with_entries(self) -> None:
        """What calls itself silence writes nothing."""
        spoken = [
            {"no_write": bundle(entry())["proposed_write_bundle"]},
            {"no_write": {"entries": [entry()], "wrote": True}},
            {"no_write": {"entries": [entry()]}},
        ]
        assert self.verdicts(*spoken) == ["SILENT_WITH_ENTRIES"] * 3
        assert self.verdicts({"no_write": {"wrote": True}}) == ["WROTE_EMPTY"]

    def test_WRT_04(self) -> None:
        down = WriterFailure("nobody answers", code="connection")
        with self.world([down, down]) as world:
            assert [each["text"] for each in world.stream()] == ["Hello."]
            assert world.outcome() == "FAILED"
        with self.world(
            [down, down], configured(SEQUENTIAL, writing={"on_failure": "abort"})
        ) as world:
            assert world.send()[0] == 503
            assert not any(world.counts().values())

    def test_WRT_05(self) -> None:
        writer = WatchedWriter([bundle(entry())])
        with self.world(writer=writer) as world:
            for number in range(2):
                world.send(
                    "Open the door.",
                    request_id=f"very-own-id-{number}",
                    intent="be quick",
                    notes="a note",
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
            assert max(world.rows("story_beat"))[1] == "mine"


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
            envelope = {
                **world.envelope(),
                "operator": {"operator_id": "GEORGE", "input_text": "Hello."},
            }
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
