"""A conformance suite for writers of stories: cases to inherit, and what their tests are made of.

    class TestMyWriter(WriterSuite):
        def make_writer(self, config):
            return MyWriter()

        def fresh_url(self):
            return make_an_empty_database()

Whatever a writer says, the ledger stays sound. `fresh_url` gives the address of a database in which there is
no ledger yet. Nothing here imports pytest, which collects any class whose name starts with `Test`.
"""

from thorp.story.testing.suite import Suite, WriterSuite, configured, refused
from thorp.story.testing.world import WatchedWriter, World

__all__ = ["Suite", "WatchedWriter", "World", "WriterSuite", "configured", "refused"]
