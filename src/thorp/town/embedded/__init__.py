"""A self-contained deterministic town: its state, its rules, and how it judges a handoff. No I/O.

    town            the state of a town: integers and names; how it changes; its random draws
    tuning          every number of the rules, each with its meaning
    catalogue       the deck of events, the kinds of quest and project, the names of townsfolk
    quests, projects   the parts of a town, each with its rules and the proposal that is about it
    effects         what each kind of proposal does to a town
    new_day         what a new day does; who comes and goes, and the deck of events
    projection      the town as `snapshot.v1`, and its hash
    judgement       a handoff and a stored town in, a result and the next stored town out
    journal         the records of a world's inputs, and their replay
    council         governors of all roles, for any `TownWorld`

`docs/town-engine.md` has the rules with their numbers. `thorp.town.service` keeps such towns in a
database.
"""

__all__ = ["council"]
