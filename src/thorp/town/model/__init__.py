"""The policy *model*: a language model chooses among the candidates that the rules allow.

    question     what the model is asked, and which answers count
    chooser      asks, within a budget, and leaves to `ranked` whatever goes wrong

`MODEL` is what the entry point names: the model that `$THORP_MODEL` names, behind the endpoint that the
environment names, with the default limits for the whole process. Make a `ModelChooser` for anything else.
"""

import os
from collections.abc import Sequence
from functools import cache

from thorp.kernel.errors import InvalidError
from thorp.town.cognition import Candidate, Choice, Policy, Situation
from thorp.town.cognition.ranked import offer_every_option
from thorp.town.model.chooser import POLICY_NAME, ModelChooser, ModelLimits

__all__ = ["MODEL", "MODEL_VARIABLE", "ModelChooser", "ModelLimits", "model_name"]

MODEL_VARIABLE = "THORP_MODEL"


def model_name(given: str | None = None) -> str:
    """The model that was given, or else the environment's. Refuses if there is none."""
    name = given or os.environ.get(MODEL_VARIABLE)
    if not name:
        raise InvalidError(
            f"no model is named; give --model NAME, or set {MODEL_VARIABLE}", code="model_name"
        )
    return name


@cache
def _chooser() -> ModelChooser:
    return ModelChooser(model_name())


def _choose(situation: Situation, candidates: Sequence[Candidate]) -> Choice:
    return _chooser()(situation, candidates)


MODEL = Policy(POLICY_NAME, offer_every_option, _choose)
