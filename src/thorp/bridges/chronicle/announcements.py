"""Drafts of what citizens announce, elections and quarrels, read from the `data` of what they say.

Anybody may say anything, so an announcement counts only if its speaker is a member of a city, every
id in it is that of an agent in the world, and its shape is the one in `docs/village.md`. Free text
that comes with it, such as a promise, is quoted as the speaker's own words.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from thorp.bridges.chronicle.draft import Draft, PublicEvent, WorldDescriber
from thorp.bridges.chronicle.names import Phrase, title, trusted
from thorp.bridges.chronicle.wording import WORDS, number_in_words

CITY: Final = "CITY"
MOST_VOTES: Final = 100_000
"""A count above this cannot be true, so the tally is left out."""
STEPS: Final = {"guilty": "quarrel judged", "feud": "quarrel feud"}
"""The steps of a quarrel that the chronicle reports, and the kind of notice for each. A quarrel
that is settled by talking is not reported."""


def draft_announcement(on: WorldDescriber, event: PublicEvent) -> Draft | None:
    """The draft of a spoken announcement; None if the speech is not one, or does not count."""
    data = event.get("data")
    speaker = on.world.agent_by_id(str(event.get("from")))
    if not isinstance(data, Mapping) or speaker is None:
        return None
    org = on.world.orgs.get(speaker.org)
    if org is None or org.kind != CITY:
        return None
    for key, draft in _DRAFTERS.items():
        if isinstance(data.get(key), Mapping):
            return draft(on, data[key], on.names.org(org.id))
    return None


def _election(on: WorldDescriber, mark: Mapping[str, Any], org: Phrase) -> Draft | None:
    """An election that has opened, with its candidates, or one that was decided."""
    state = mark.get("state")
    candidates = [each for each in _list(mark.get("candidates")) if isinstance(each, Mapping)]
    ids = [str(each.get("id")) for each in candidates]
    if state == "open" and ids and all(map(on.world.agent_by_id, ids)):
        names = [on.names.agent(agent_id) for agent_id in ids]
        about = {"org": org, "candidates": _listed(names)}
        return Draft(kind="election", who=tuple(ids), where=None, about=about, everywhere=True)
    winner = str(mark.get("winner"))
    if state != "decided" or on.world.agent_by_id(winner) is None:
        return None
    promise = next(
        (str(each.get("promise", "")) for each in candidates if each.get("id") == winner), ""
    )
    about = {
        "who": on.names.agent(winner),
        "org": org,
        "tally": trusted(_tally(mark.get("votes"), winner)),
        "promise": Phrase(f", with the promise {title(promise)}", "") if promise else trusted(""),
    }
    return Draft(kind="elected", who=(winner,), where=None, about=about, everywhere=True)


def _tally(votes: object, winner: str) -> str:
    """The winner's share of the votes, like ` with nine of twenty votes`; empty if they do not add
    up."""
    if not isinstance(votes, Mapping):
        return ""
    counts = [count for count in votes.values() if type(count) is int and 0 <= count <= MOST_VOTES]
    own = votes.get(winner)
    if type(own) is not int or own not in counts or len(counts) != len(votes):
        return ""
    return f" with {number_in_words(own)} of {number_in_words(sum(counts))} votes"


def _quarrel(on: WorldDescriber, mark: Mapping[str, Any], org: Phrase) -> Draft | None:
    """A step of a quarrel between two people."""
    kind = STEPS.get(str(mark.get("step")))
    plaintiff = str(mark.get("by"))
    defendant = str(mark.get("against"))
    agent = on.world.agent_by_id(plaintiff)
    if kind is None or agent is None or on.world.agent_by_id(defendant) is None:
        return None
    judge = str(mark.get("judge", ""))
    is_judged = on.world.agent_by_id(judge) is not None
    cause = str(mark.get("cause", ""))
    about = {
        "who": on.names.agent(plaintiff),
        "other": on.names.agent(defendant),
        "judge": on.names.agent(judge) if is_judged else trusted("the judge"),
        "because": _wrong(cause, on.names.agent(plaintiff)),
    }
    # Sentences about several name the judge, so each judge has one.
    alike = judge if is_judged and kind == "quarrel judged" else ""
    return Draft(
        kind=kind, who=(plaintiff, defendant), where=agent.position, about=about, alike=alike
    )


def _wrong(cause: str, plaintiff: Phrase) -> Phrase:
    """What the defendant did, to follow its name. Causes that no villager has are quoted."""
    deed = WORDS.quarrels.get(cause)
    if deed is not None:
        text = deed.replace("{who}", plaintiff.text)
        return Phrase(f", {text}", f", {deed.replace('{who}', plaintiff.bare)}")
    return Phrase(f": {title(cause)}", "") if cause else trusted("")


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _listed(names: list[Phrase]) -> Phrase:
    """Names joined into one phrase: `Ada, Bo and Cy`."""
    first = names[0]
    for name in names[1:-1]:
        first = Phrase(f"{first.text}, {name.text}", f"{first.bare}, {name.bare}")
    if len(names) == 1:
        return first
    return Phrase(f"{first.text} and {names[-1].text}", f"{first.bare} and {names[-1].bare}")


_DRAFTERS: Final[dict[str, Callable[[WorldDescriber, Mapping[str, Any], Phrase], Draft | None]]] = {
    "election": _election,
    "quarrel": _quarrel,
}
