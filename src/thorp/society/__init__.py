"""A society measured, compared, and asked what would have happened.

    report           how the people of one world fare, by day
    comparison       many lives under several conditions, by a plan, and what differs
    counterfactual   two forks of a world at one tick, of which one has one thing changed
    what_if          what such forks say, against chance

Below them are `figures` with their definitions, `statistics`, the lives themselves (`village_run`,
`agent_run`), and the pages, which run no script. `docs/society.md` shows two studies.
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
