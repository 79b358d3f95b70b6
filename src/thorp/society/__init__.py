"""A society measured, compared, and asked what would have happened.

    counterfactual   two forks of a world at one tick, of which one has one thing changed

`docs/society.md` shows a study.
"""

from thorp.society.counterfactual import (
    Arm,
    Counterfactual,
    Difference,
    Pair,
    PairProgress,
    Question,
    read_question,
    run_counterfactual,
    run_pair,
)
from thorp.village.changes import (
    Change,
    Goal,
    PassLaw,
    RepealLaw,
    Weather,
    change_text,
    read_change,
)

__all__ = [
    "Arm",
    "Change",
    "Counterfactual",
    "Difference",
    "Goal",
    "Pair",
    "PairProgress",
    "PassLaw",
    "Question",
    "RepealLaw",
    "Weather",
    "change_text",
    "read_change",
    "read_question",
    "run_counterfactual",
    "run_pair",
]
