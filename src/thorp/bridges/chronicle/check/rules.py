"""The rules by which a sentence contradicts its world, as a table.

Each rule has a name, a sentence that says what must be so, and a function that yields what the
world says instead. `judge` asks them in order. Of a sentence with several readings the most
charitable one counts: it contradicts the world only if every reading does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from thorp.bridges.chronicle.check.facts import Deed, Place, WorldFacts, building_words
from thorp.bridges.chronicle.check.reading import Claim, Hour, Named, Reader, fold, number_of
from thorp.bridges.chronicle.wording import WORDS
from thorp.kernel.text import printable

SHOWN: Final = 4  # Alternatives that a finding lists.

_LAND: Final = ("claim", "claim grown", "deed", "land ended", "upkeep missed")
"""Kinds of deeds that are about who owns land."""
_ONE: Final = ("who", "giver", "taker", "org", "owner", "town", "poster", "other", "judge")
"""Parts of a sentence that name one person or organisation."""
_LISTS: Final = {"crowd": "who", "others": "other", "candidates": "candidates"}
"""Parts that list people, each with the part that one of them has in a deed."""
_THINGS: Final = {"whats": "what", "what": "what", "thing": "thing", "law": "law", "many": "many"}
_AMOUNTS: Final = ("paces", "offer", "request", "food", "price", "season")
"""Parts that say how many."""
_FIXED: Final = ("event", "goal")
_COUNTED_WHOLE: Final = (
    *("arrival", "built", "death", "goal", "harvest", "joined", "trade"),
    *("quarrel judged", "quarrel feud"),
)
"""Kinds of which one sentence tells of all that happened. Of others there may be a sentence for
each land or kind of work, so a smaller count is no contradiction."""


class Contradiction(NamedTuple):
    """What a sentence says against its world."""

    rule: str
    instead: str
    """What the world says instead."""


class Case(NamedTuple):
    """A reading of a sentence before the facts of its page."""

    claim: Claim
    facts: WorldFacts
    day_ticks: int
    is_whole: bool
    """Whether its reader is told of everything that happened, so that counts must be exact."""

    @property
    def deeds(self) -> list[Deed]:
        """The deeds of its kind in the page's ticks."""
        return self.facts.of_kind(self.claim.kind)

    @property
    def ticks(self) -> str:
        """The page's ticks, for a finding."""
        return f"in ticks {self.facts.first} to {self.facts.last}"

    def told(self) -> list[Deed]:
        """The deeds that the sentence can be about: those that fit whatever it says of each."""
        deeds = self.deeds
        for fits in _FITS:
            deeds = [deed for deed in deeds if fits(self.claim, deed)]
        return deeds


class Rule(NamedTuple):
    """Something that must be so for a sentence to be true."""

    name: str
    sentence: str
    contradictions: Callable[[Case], Iterator[str]]


def judge(
    facts: WorldFacts,
    text: str,
    *,
    day_ticks: int,
    opening: tuple[Hour, ...] = (),
    is_whole: bool = True,
    reader: Reader | None = None,
) -> Contradiction | None:
    """The first contradiction in a sentence about the stretch of the facts; None if there is
    none."""
    worst: Contradiction | None = None
    for claim in (reader or Reader(facts)).read(text, opening):
        contradiction = _first(Case(claim, facts, day_ticks, is_whole))
        if contradiction is None:
            return None
        if worst is None or _depth(contradiction) > _depth(worst):
            worst = contradiction
    return worst


def _first(case: Case) -> Contradiction | None:
    for rule in RULES:
        for instead in rule.contradictions(case):
            return Contradiction(rule.name, printable(instead))
    return None


def _depth(found: Contradiction) -> int:
    """How likely the reading is the one that was meant: one of another kind of deed mostly finds
    that no such deed was done."""
    return {"deed": 0, "absent": 1}.get(found.rule, 2)


# Whether a deed fits what a sentence says of it, part by part.


def _is(named: Sequence[Named], identity: str | None) -> bool:
    return any(identity in each.ids for each in named)


def _fits_names(claim: Claim, deed: Deed) -> bool:
    for part in _ONE:
        named = claim.names.get(part)
        if not named or (part not in deed.parties and part != "who"):
            continue
        if part == "who" and "offices" in deed.words:
            office = named[0].text.removeprefix("the ")
            if office not in deed.words["offices"].split() and office != "council":
                return False
        elif part in deed.parties and not _is(named, deed.parties[part]):
            if part == "judge" and named[0].text == "the judge":
                continue
            if part == "org" and claim.kind == "org ended":
                continue  # it is gone, and was called by its name
            return False
    return all(claim.words[part] == deed.words.get(part) for part in _FIXED if part in claim.words)


def _fits_place(claim: Claim, deed: Deed) -> bool:
    said = claim.words.get("place")
    return said is None or deed.place is None or lies(said, deed.place, claim, deed)


def _fits_amounts(claim: Claim, deed: Deed) -> bool:
    for part in _AMOUNTS:
        if part in claim.words and part in deed.words and claim.words[part] != deed.words[part]:
            return False
    return _votes_fit(claim, deed)


def _votes_fit(claim: Claim, deed: Deed) -> bool:
    tally = claim.words.get("tally", "")
    votes = deed.words.get("votes")
    if votes is None or not tally or "because" in tally:
        return True
    said = tally.replace(" votes", "").replace(" vote", "").strip()
    return said.removeprefix("by ").removeprefix("with ") == votes


def _fits_things(claim: Claim, deed: Deed) -> bool:
    for said, part in _THINGS.items():
        text = claim.words.get(said)
        true = deed.words.get(part)
        if text is None or not true or said == "whats":
            continue
        if text != true and (said, text[:5]) != ("law", "a law"):
            return False
    return True


def _fits_patron(claim: Claim, deed: Deed) -> bool:
    """Whether somebody who had ordered it, or for whom somebody worked before, is one of those."""
    reason = claim.words.get("because", "")
    patrons = deed.parties.get("patron")
    if patrons is None or not reason.startswith((", as ", "after a job for")):
        return True
    return bool(patrons.split())


_FITS: Final = (_fits_names, _fits_things, _fits_patron, _fits_amounts, _fits_place)


def lies(said: str, place: Place, claim: Claim, deed: Deed) -> bool:
    """Whether a deed was done where a sentence says."""
    words = said[0].lower() + said[1:]
    if words.startswith("in the ") and words == place.biome:
        return place.owner is None
    if words in ("on claimed land",):
        return place.owner is not None
    side = words.partition(" of ")[0]
    named = _placed(said, claim)
    if words.startswith(("in ", "on ")):
        return place.owner is not None and (named is None or place.owner in named)
    x, _, z = place.at
    return place.owner is None and any(
        (named is None or who in named) and _side(x - at[0], z - at[2]) == side
        for who, at in place.claims
    )


def _placed(said: str, claim: Claim) -> frozenset[str] | None:
    """The ids of whoever a place is named after; None if it names nobody."""
    places = claim.names.get("place", [])
    return places[0].ids if places else None


def _side(dx: int, dz: int) -> str:
    """The compass direction of an offset; z grows to the south."""
    north_south = "south" if dz > 0 else "north"
    east_west = "east" if dx > 0 else "west"
    if abs(dx) > 2 * abs(dz):
        return east_west
    return north_south if abs(dz) > 2 * abs(dx) else f"{north_south}-{east_west}"


# The rules


def _actors(claim: Claim) -> Iterator[Named]:
    """Everybody whom a sentence says did something."""
    for part in ("who", "crowd", "other", "others", "giver", "taker", "candidates"):
        if not (part in ("who", "crowd") and claim.kind.startswith("town")):
            yield from claim.names.get(part, [])


def _is_person(facts: WorldFacts, named: Named) -> bool:
    return not named.ids or any(each in facts.bodies for each in named.ids)


def _presence(case: Case, rule: str) -> Iterator[str]:
    for named in _actors(case.claim):
        people = [each for each in named.ids if each in case.facts.bodies]
        if not _is_person(case.facts, named):
            continue
        if not people:
            if rule == "absent":
                yield f"nobody of the name {named.text} has ever been in the world"
            continue
        why = [case.facts.why_absent(each) for each in people]
        if None not in why:
            yield from (each[1] for each in why if each is not None and each[0] == rule)


def dead(case: Case) -> Iterator[str]:
    """Whoever acts after its body was gone for good."""
    return _presence(case, "dead")


def absent(case: Case) -> Iterator[str]:
    """Whoever acts before it came, while it was away, or without ever having been there."""
    return _presence(case, "absent")


def unbuilt(case: Case) -> Iterator[str]:
    """A building that is finished or stood in before the world has one."""
    claim = case.claim
    if claim.kind == "built" or "stands" in claim.words:
        plan_of = {building_words(plan)[form]: plan for plan in _plans() for form in (0, 1)}
        said = [claim.words.get(part, "") for part in ("what", "many")]
        said += claim.words.get("whats", "").replace(" and ", ", ").split(", ")
        plans = [plan_of[each] for each in said if each in plan_of]
        plans += [claim.words["stands"]] if "stands" in claim.words else []
        for plan in plans:
            tick = case.facts.built.get(plan)
            if tick is None or tick > case.facts.last:
                building = building_words(plan)[0]
                yield f"the world has never had {building} by tick {case.facts.last}"


def owner(case: Case) -> Iterator[str]:
    """Land of somebody who owned none, or that never changed hands so."""
    claim = case.claim
    owned = case.facts.owners | {deed.parties.get("owner", "") for deed in case.facts.deeds}
    if claim.kind in ("", "claim grown", "law proposed", "law active", "law rejected", "law vote"):
        for named in claim.names.get("owner", []):
            if not named.ids & owned:
                yield f"{named.text} owned no land {case.ticks}"
    if claim.kind in _LAND and not [deed for deed in case.deeds if _fits_names(claim, deed)]:
        actual = fold(
            " to ".join(
                _called(case.facts, deed.parties[part])
                for part in ("who", "owner")
                if part in deed.parties
            )
            for deed in case.deeds[:SHOWN]
        )
        truth = f"it was {actual}" if actual else "there was none"
        yield f"nothing of the kind {claim.kind!r} happened with these people {case.ticks}: {truth}"
    for deed in case.deeds if claim.kind and claim.words.get("place") else ():
        if _fits_names(claim, deed) and not _fits_place(claim, deed):
            if not any(
                _fits_names(claim, each) and _fits_place(claim, each) for each in case.deeds
            ):
                place = deed.place
                yield f"it was {place.words if place else 'elsewhere'}, in tick {deed.tick}"
            return


def deed(case: Case) -> Iterator[str]:
    """A deed that never happened, or that others did."""
    claim = case.claim
    if not claim.kind:
        return
    named = [each for each in case.deeds if _fits_names(claim, each)]
    if not case.deeds:
        yield f"nothing of the kind {claim.kind!r} happened {case.ticks}"
    elif not named:
        who = fold(_called(case.facts, _doer(each)) for each in case.deeds[:SHOWN])
        yield f"of the kind {claim.kind!r} it was the doing of others {case.ticks}: {who}"
    elif not [each for each in named if _fits_things(claim, each)]:
        yield f"it was about something else: {fold(map(_thing, named[:SHOWN]))}"
    elif not [each for each in named if _fits_patron(claim, each)]:
        yield "nobody had ordered it, or had work done by them before"
    else:
        yield from _others(case, named)


def _others(case: Case, deeds: Sequence[Deed]) -> Iterator[str]:
    """People or things in a list that had no part in it."""
    claim = case.claim
    for said, part in _LISTS.items():
        if said == "crowd" and claim.kind.startswith("town"):
            continue
        true = {each.parties.get(part, "") for each in deeds}
        for named in claim.names.get(said, []):
            if named.ids and not named.ids & (
                true | {each.parties.get("who", "") for each in deeds} if said == "others" else true
            ):
                who = fold(_called(case.facts, each) for each in [*sorted(true)][:SHOWN])
                yield f"{named.text} had no part in it {case.ticks}: it was {who}"
    for piece in claim.words.get("whats", "").replace(" and ", ", ").split(", "):
        if piece and piece != "more" and piece not in {each.words.get("what") for each in deeds}:
            yield f"nobody finished {piece} {case.ticks}"


def count(case: Case) -> Iterator[str]:
    """A number, an amount or a count of votes that was another one."""
    claim = case.claim
    fitting = [
        each for each in case.deeds if _fits_names(claim, each) and _fits_things(claim, each)
    ]
    if not fitting:
        return
    if not [each for each in fitting if _fits_amounts(claim, each)]:
        true = fold(
            " ".join(each.words[part] for part in (*_AMOUNTS, "votes") if part in each.words)
            for each in fitting[:SHOWN]
        )
        yield f"the numbers were {true}"
        return
    if claim.kind in ("town executed", "town failed", "town refused", "contract kept"):
        return
    placed = [each for each in fitting if _fits_place(claim, each)]
    number = number_of(claim.words["count"]) if "count" in claim.words else None
    people = len({each.parties.get("who", "") for each in placed})
    real_count = people if claim.kind in ("arrival", "joined") else len(placed)
    if claim.kind == "law vote":
        real_count = len({each.words["law"] for each in placed})
    is_whole = case.is_whole and claim.kind in _COUNTED_WHOLE
    for said, real in ((number, real_count), (claim.counted, people)):
        if said is None or (said == real if is_whole else said <= real):
            continue
        if claim.many or said > real:
            yield f"it was {real}, not {said}, {case.ticks}"


def hour(case: Case) -> Iterator[str]:
    """An hour in which it did not happen."""
    claim = case.claim
    spans = [each.ticks(case.day_ticks) for each in claim.hours]
    if not spans:
        return
    deeds = case.told() if claim.kind else []
    ticks = [each.tick for each in deeds]
    if not claim.kind:
        ticks = [*range(case.facts.first, case.facts.last + 1, max(1, case.day_ticks // 96))]
    if ticks and not any(first <= tick <= last for first, last in spans for tick in ticks):
        first = min(ticks)
        last = max(ticks)
        when = f"tick {first}" if first == last else f"ticks {first} to {last}"
        is_far = f"{spans[0].first} to {spans[0].last}"
        yield f"it happened in {when}, and {claim.hours[0].text!r} is ticks {is_far}"


def _doer(each: Deed) -> str:
    return each.parties.get("who") or each.parties.get("giver") or each.parties.get("owner", "")


def _thing(each: Deed) -> str:
    return next((each.words[part] for part in _THINGS.values() if each.words.get(part)), "")


def _called(facts: WorldFacts, identity: str) -> str:
    body = facts.bodies.get(identity)
    name = facts.orgs.get(identity) if body is None else body.name
    return f"{name} ({identity})" if name else identity or "nobody"


def _plans() -> list[str]:
    return [*WORDS.buildings]


RULES: Final[tuple[Rule, ...]] = (
    Rule("dead", "Nobody acts whose body is gone from the world for good.", dead),
    Rule("absent", "Whoever acts is in the world then, and not away.", absent),
    Rule("unbuilt", "A building that is finished or stood in stands by then.", unbuilt),
    Rule("owner", "Land belongs to whom the sentence says, and lies where it says.", owner),
    Rule("deed", "What was done was done, and by those who are said to have done it.", deed),
    Rule("count", "Numbers, amounts and votes are those that there were.", count),
    Rule("hour", "What happened happened in the hour that is named.", hour),
)
"""In the order in which they are asked."""
