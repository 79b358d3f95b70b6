"""A self-contained deterministic town: its state, its rules, and how it judges a handoff. No I/O.

    town         what a town is: integers and names
    tuning       every number of the rules, each with its meaning
    catalogue    the deck of events, the kinds of quest and project, the names of townsfolk
    meters       how a meter gives way to a push
    chance       the draws of one town on one day
    stocks, missions, projects, townsfolk, deck      the parts of a town, each with its rules
    actions      what each of the four proposals does
    dawn         what a new day does
    keeping      what a town keeper may do
    projection   the town as `snapshot.v1`
    guards       the preconditions of a handoff
    judging      from a handoff and a town to a result and the next town
    answers      the results of this engine
    soundness, text                the fast ways of the engine: valid handoffs, canonical text
    records      the journal's records
    replay       a world in memory that does what a journal says
    lines        one JSON document from bytes that nobody vouches for
    council      governors of all roles, for any `TownWorld`

`docs/town-engine.md` tells the rules with their numbers. `thorp.town.service` keeps such towns in a database.
"""

__all__ = ["council"]
