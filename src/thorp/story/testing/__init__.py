"""Conformance suites for a database or a writer of stories: cases to inherit, each named by its id.

    class TestMyStore(LedgerSuite):
        def fresh_url(self):
            return make_an_empty_database()

`LedgerSuite` has every case of a ledger. `fresh_url` gives the address of a database in which there
is no ledger yet. `WriterSuite` tests a writer: whatever it says, the ledger stays sound. Nothing here imports
pytest, which collects any class whose name starts with `Test`.
"""

from thorp.story.testing.bundle_cases import BundleCases, EntryCases, RetrievalCases, ToolCases
from thorp.story.testing.invocation_cases import IdempotencyCases, InvocationCases, NoOpCases, TimeCases
from thorp.story.testing.projection_cases import PocketCases, ProjectionCases, VisibilityCases
from thorp.story.testing.scene_cases import CapsuleCases, RehydrationCases, SceneCases
from thorp.story.testing.suite import Suite, WriterSuite, configured, refused
from thorp.story.testing.world import WatchedWriter, World
from thorp.story.testing.writer_cases import ConfigurationCases, WriterCases


class LedgerSuite(
    InvocationCases,
    IdempotencyCases,
    NoOpCases,
    BundleCases,
    EntryCases,
    TimeCases,
    VisibilityCases,
    ProjectionCases,
    PocketCases,
    ToolCases,
    RetrievalCases,
    SceneCases,
    RehydrationCases,
    CapsuleCases,
    WriterCases,
    ConfigurationCases,
):
    """Every case of the contracts that a ledger can be tried with."""


__all__ = ["LedgerSuite", "Suite", "WatchedWriter", "World", "WriterSuite", "configured", "refused"]
