"""The rules by which a sentence contradicts its world, as a table.

Each rule has a name, a sentence that says what must be so, and a function that yields what the
world says instead. `judge` asks them in order. Of a sentence with several readings the most
charitable one counts: it contradicts the world only if every reading does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from thorp.bridges.chronicle.check.deeds import Deed, building_words
from thorp.bridges.chronicle.check.facts import WorldFacts
from thorp.bridges.chronicle.check.fit import (
    AMOUNTS,
    THINGS,
    fits,
    fits_amounts,
    fits_names,
    fits_patron,
    fits_place,
    fits_things,
)
from thorp.bridges.chronicle.check.reading import Claim, Hour, Named, Reader, fold, number_of
from thorp.bridges.chronicle.wording import WORDS
from thorp.kernel.text import printable

SHOWN: Final = 4  # Alternatives that a finding lists.

_LAND: Final = ("claim", "claim grown", "deed", "land ended", "upkeep missed")
"""Kinds of deeds that are about who owns land."""
_LISTS: Final = {"crowd": "who", "others": "other", "candidates": "candidates"}
"""Parts that list people, each with the part that one of them has in a deed."""
_COUNTED_WHOLE: Final = (
    *("arrival", "built", "death", "goal", "harvest", "joined", "trade"),
    *("quarrel judged", "quarrel feud"),
)
"""Kinds for which one sentence reports everything that happened. Others may have a sentence for
each land or kind of work, so a smaller count does not contradict."""


class Contradiction(NamedTuple):
    """A contradiction between a sentence and its world."""

    rule: str
    instead: str
    """What the world says instead."""


class Case(NamedTuple):
    """A reading of a sentence before the facts of its page."""

    claim: Claim
    facts: WorldFacts
    day_ticks: int
    is_whole: bool
    """Whether its reader may know everything that happened, so that counts must be exact."""

    @property
    def deeds(self) -> list[Deed]:
        """The deeds of its kind in the page's ticks."""
        return self.facts.of_kind(self.claim.kind)

    @property
    def ticks(self) -> str:
        """The page's ticks, for a finding."""
        return f"in ticks {self.facts.first} to {self.facts.last}"

    def fitting_deeds(self) -> list[Deed]:
        """The deeds that the sentence can be about: those that fit whatever it says of each."""
        return [deed for deed in self.deeds if fits(self.claim, deed)]


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


def _depth(contradiction: Contradiction) -> int:
    """How likely this reading is the one that was meant: a wrong reading mostly fails because no
    such deed was done at all."""
    return {"deed": 0, "absent": 1}.get(contradiction.rule, 2)


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
        plan_of = {building_words(plan)[form]: plan for plan in WORDS.buildings for form in (0, 1)}
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
    if claim.kind in _LAND and not [deed for deed in case.deeds if fits_names(claim, deed)]:
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
        if fits_names(claim, deed) and not fits_place(claim, deed):
            if not any(fits_names(claim, each) and fits_place(claim, each) for each in case.deeds):
                place = deed.place
                yield f"it was {place.words if place else 'elsewhere'}, in tick {deed.tick}"
            return


def deed(case: Case) -> Iterator[str]:
    """A deed that never happened, or that others did."""
    claim = case.claim
    if not claim.kind:
        return
    named = [each for each in case.deeds if fits_names(claim, each)]
    if not case.deeds:
        yield f"nothing of the kind {claim.kind!r} happened {case.ticks}"
    elif not named:
        who = fold(_called(case.facts, _doer(each)) for each in case.deeds[:SHOWN])
        yield f"of the kind {claim.kind!r} it was the doing of others {case.ticks}: {who}"
    elif not [each for each in named if fits_things(claim, each)]:
        yield f"it was about something else: {fold(map(_thing, named[:SHOWN]))}"
    elif not [each for each in named if fits_patron(claim, each)]:
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
    fitting = [each for each in case.deeds if fits_names(claim, each) and fits_things(claim, each)]
    if not fitting:
        return
    if not [each for each in fitting if fits_amounts(claim, each)]:
        true = fold(
            " ".join(each.words[part] for part in (*AMOUNTS, "votes") if part in each.words)
            for each in fitting[:SHOWN]
        )
        yield f"the numbers were {true}"
        return
    if claim.kind in ("town executed", "town failed", "town refused", "contract kept"):
        return
    placed = [each for each in fitting if fits_place(claim, each)]
    if claim.names.get("judge") == []:
        # "The judge" has no name here. Quarrels whose judge has one have sentences of their own.
        placed = [each for each in placed if not each.parties["judge"]] or placed
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
    deeds = case.fitting_deeds() if claim.kind else []
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
    return next((each.words[part] for part in THINGS.values() if each.words.get(part)), "")


def _called(facts: WorldFacts, identity: str) -> str:
    body = facts.bodies.get(identity)
    name = facts.orgs.get(identity) if body is None else body.name
    return f"{name} ({identity})" if name else identity or "nobody"


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
