"""A self-contained deterministic town: its state, its rules, and how it judges a handoff. No I/O.

    town            the state of a town: integers and names; how it changes; its random draws
    tuning          every number of the rules, each with its meaning
    catalogue       the deck of events, the kinds of quest and project, the names of townsfolk
    quests, projects   the parts of a town, each with its rules and the proposal that is about it
    new_day         what a new day does; who comes and goes, and the deck of events
    execution       the town as `snapshot.v1`; from a handoff and a town to a result and the next
                    town
    journal         the records of a world's inputs, and their replay
    council         governors of all roles, for any `TownWorld`

`docs/town-engine.md` tells the rules with their numbers. `thorp.town.service` keeps such towns in a
database.
"""

__all__ = ["council"]
