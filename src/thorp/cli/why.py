"""Prints why a story has an entry, for `thorp story why`, and checks a proof of it with keys that
the reader brought."""

from collections.abc import Iterator
from typing import Any, Final

from thorp.bridges.chronicle.why import NOTHING, TICK_AND_PEOPLE
from thorp.cli.proofs import TrustOptions
from thorp.kernel.text import printable
from thorp.log import make_leaf, verify_proof
from thorp.server.http.why import STORY

EXCERPT_CHARS: Final = 70
NAMES_SHOWN: Final = 8

_BASES: Final = {
    TICK_AND_PEOPLE: "made before pages noted their events: known by tick and people only",
    NOTHING: "no event of a world is noted for it",
}
_SOURCES: Final = {
    "operator": "the operator's own words, byte for byte",
    "clock": "a time that the operator declared",
    "seed": "a seed that was committed; no writer proposed it",
}


def check_with_keys(why: dict[str, Any], trust: TrustOptions) -> None:
    """Check a proof with the keys that were given; the log's own key has checked it already. Raises
    an InvalidError if it does not hold."""
    proof = why["proof"]
    leaf = make_leaf(STORY, {"beats": proof["beats"], "tip": proof["tip"]})
    verify_proof(proof["file"].encode(), leaf, trust.read())


def why_lines(why: dict[str, Any]) -> list[str]:
    """Why a story has an entry, as lines for people."""
    return [printable(line) for line in (*_entry(why), *_known(why), *_proposal(why), *_proof(why))]


def _entry(why: dict[str, Any]) -> Iterator[str]:
    yield f"{why['entry_id']}, as {why['view']} sees it"
    for sentence in why["sentences"]:
        if sentence["asked"]:
            yield f"{sentence['number']:>3}. {sentence['text']}"
            yield from _evidence(sentence)


def _evidence(sentence: dict[str, Any]) -> Iterator[str]:
    """What a sentence was made from."""
    if sentence["tick"] is not None:
        about = f", about {_names(sentence['people'])}" if sentence["people"] else ""
        yield f"     since tick {sentence['tick']}{about}  {sentence['moment']}"
    if sentence["basis"] in _BASES:
        yield f"     {_BASES[sentence['basis']]}"
    for event in sentence["events"]:
        place = " at " + ", ".join(map(str, event["place"])) if event["place"] else ""
        people = f" by {_names(event['people'])}" if event["people"] else ""
        yield f"     {event['id']:<10} {event['kind']}{place}{people}  {event['moment']}"
        yield f"                sha256 {event['digest']}"
    more = sentence["events_total"] - len(sentence["events"])
    if more > 0:
        yield f"     and {more} more events of the kind"


def _known(why: dict[str, Any]) -> Iterator[str]:
    """Who may know it, and since when."""
    audience = why["known"]
    since = f"tick {why['last']}" if why["last"] is not None else audience["since"][:16]
    if audience["scope"] == "PUBLIC":
        yield f"everybody may read it, since {since}"
    else:
        total = audience["readers_total"]
        hidden = "" if total is None else f" ({total} in all)"
        yield f"{_names(audience['readers'])}{hidden} may read it, since {since}"
    for sentence in why["sentences"]:
        if sentence["asked"] and sentence["witnesses"]:
            names = _names(sentence["witnesses"])
            yield f"     {sentence['number']}: {names} knew since tick {sentence['tick']}"


def _proposal(why: dict[str, Any]) -> Iterator[str]:
    """Who proposed it, what the writer was given, and what it quotes."""
    proposal = why["proposal"]
    beat = "" if proposal["beat"] is None else f", in beat {proposal['beat']}"
    if proposal["kind"] in _SOURCES:
        yield f"{_SOURCES[proposal['kind']]}{beat}"
        return
    yield f"proposed by the writer {proposal['writer'] or 'of the story'}{beat}; acceptance took it"
    if proposal["refused"]:
        yield f"     after it was refused: {', '.join(proposal['refused'])}"
    if why["handed"]:
        cited = {
            event["id"] for each in why["sentences"] if each["asked"] for event in each["events"]
        }
        yield f"     it was handed {len(why['handed'])} events, and this cites {len(cited)} of them"
    if not proposal["is_known"]:
        yield "     what it was given cannot be found out: the rules of questions have changed"
    elif proposal["given"]:
        yield f"     entries it was given, as far as this view sees them: {proposal['given_total']}"
    for given in proposal["given"]:
        mark = "quoted" if given["cited"] else "      "
        words = " ".join(given["excerpt"].split())[:EXCERPT_CHARS]
        yield f"     {mark} {given['entry_id']} ({given['by']})  {words}"


def _proof(why: dict[str, Any]) -> Iterator[str]:
    """The steps from the entry to the signed checkpoint."""
    proof = why["proof"]
    if proof is None:
        return
    if proof["beat"] is not None:
        yield f"proof: row {proof['entry_digest']} is in the record of beat {proof['beat']};"
    yield f"proof: its chain reaches tip {proof['tip'][:16]}… with beat {proof['beats']},"
    yield f"       which is leaf {proof['leaf']} of {proof['origin']},"
    yield f"       under the checkpoint of {proof['size']} leaves, root {proof['root']},"
    yield f"       signed by {', '.join(proof['signed_by'])}"


def _names(ids: list[str]) -> str:
    """The first of some ids, and how many others there are."""
    if not ids:
        return "nobody else"
    more = f" and {len(ids) - NAMES_SHOWN} others" if len(ids) > NAMES_SHOWN else ""
    return f"{', '.join(ids[:NAMES_SHOWN])}{more}"
