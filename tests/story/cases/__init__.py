"""Every case of the contracts that a ledger can be tried with, each named by its id."""

from tests.story.cases.bundle_cases import BundleCases, EntryCases, RetrievalCases, ToolCases
from tests.story.cases.invocation_cases import (
    IdempotencyCases,
    InvocationCases,
    NoOpCases,
    TimeCases,
)
from tests.story.cases.projection_cases import PocketCases, ProjectionCases, VisibilityCases
from tests.story.cases.scene_cases import CapsuleCases, RehydrationCases, SceneCases
from tests.story.cases.writer_cases import ConfigurationCases, WriterCases


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
