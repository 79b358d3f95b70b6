"""Whether a deed of the world fits what a sentence says of it, part by part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from thorp.bridges.chronicle.check.deeds import Deed, DeedPlace
from thorp.bridges.chronicle.check.reading import Claim, Named

_ONE: Final = ("who", "giver", "taker", "org", "owner", "town", "poster", "other", "judge")
"""Parts of a sentence that name one person or organisation."""
THINGS: Final = {"whats": "what", "what": "what", "thing": "thing", "law": "law", "many": "many"}
AMOUNTS: Final = ("paces", "offer", "request", "food", "price", "season")
"""Parts that say how many."""
_FIXED: Final = ("event", "goal")


def _is(named: Sequence[Named], identity: str | None) -> bool:
    return any(identity in each.ids for each in named)


def fits_names(claim: Claim, deed: Deed) -> bool:
    """Whether it was done by and to those whom the sentence names."""
    for part in _ONE:
        named = claim.names.get(part)
        if not named or (part not in deed.parties and part != "who"):
            continue
        if part == "who" and "offices" in deed.words:
            office = named[0].text.removeprefix("the ")
            if office not in deed.words["offices"].split() and office != "council":
                return False
        elif part in deed.parties and not _is(named, deed.parties[part]):
            if part == "org" and claim.kind == "org ended":
                continue  # it is gone, and was called by its name
            return False
    return all(claim.words[part] == deed.words.get(part) for part in _FIXED if part in claim.words)


def fits_place(claim: Claim, deed: Deed) -> bool:
    """Whether it was done where the sentence says."""
    said = claim.words.get("place")
    return said is None or deed.place is None or _lies(said, deed.place, claim, deed)


def fits_amounts(claim: Claim, deed: Deed) -> bool:
    """Whether it has the numbers, amounts and votes of the sentence."""
    for part in AMOUNTS:
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


def fits_things(claim: Claim, deed: Deed) -> bool:
    """Whether it was about the things that the sentence names."""
    for said, part in THINGS.items():
        text = claim.words.get(said)
        actual = deed.words.get(part)
        if text is None or not actual or said == "whats":
            continue
        if text != actual and (said, text[:5]) != ("law", "a law"):
            return False
    return True


def fits_patron(claim: Claim, deed: Deed) -> bool:
    """Whether there was a patron, if the sentence gives one as the reason."""
    reason = claim.words.get("because", "")
    patrons = deed.parties.get("patron")
    if patrons is None or not reason.startswith((", as ", "after a job for")):
        return True
    return bool(patrons.split())


def fits(claim: Claim, deed: Deed) -> bool:
    """Whether a deed fits everything that a sentence says of it."""
    parts = (fits_names, fits_things, fits_patron, fits_amounts, fits_place)
    return all(part(claim, deed) for part in parts)


def _lies(said: str, place: DeedPlace, claim: Claim, deed: Deed) -> bool:
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
