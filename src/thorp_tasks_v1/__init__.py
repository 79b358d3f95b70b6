"""Thorp Tasks under the name by which verifiers finds them: `vf-eval thorp-tasks-v1`."""

from thorp.integrations.verifiers_tasks import ThorpEnv, ThorpTaskset

__all__ = ["ThorpEnv", "ThorpTaskset"]
