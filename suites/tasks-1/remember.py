"""Oracles of the family `remember`: they know what the ledger was made of."""

from thorp.kernel.canonical import Json
from thorp.tasks.episode import Episode
from thorp.tasks.goal import Leaf, answer_digest, leaves, read_goal
from thorp.tasks.ledger_engine import LedgerEngine


def remember_ferry(episode: Episode) -> None:
    """Search for the ferry, and read the hour."""
    answer_from(episode, "ferry leaves morning")


def remember_owner(episode: Episode) -> None:
    """Search for the keeper, and name it."""
    answer_from(episode, "keeps now nobody else")


def remember_moved(episode: Episode) -> None:
    """Search for the boat, and take the last entry that tells of a move."""
    answer_from(episode, "blue boat towed")


def remember_feast(episode: Episode) -> None:
    """Search for the day, and take the public notice."""
    answer_from(episode, "hall Otto sixty")


def remember_contradiction(episode: Episode) -> None:
    """Search for the fever and for the lake."""
    episode.act({"action": "search", "text": "lake coins shore"})
    answer_from(episode, "fever bed dawn midnight")


def remember_debt(episode: Episode) -> None:
    """Search for what was lent and paid back, and add it up."""
    episode.act({"action": "search", "text": "lent Jonas coins"})
    answer_from(episode, "gave Anna coins back")


def answer_from(episode: Episode, words: str) -> None:
    """Look for the evidence; then answer what it says, which is one of its words, or a sum of its
    numbers."""
    episode.act({"action": "search", "text": words})
    reading = ledger_of(episode).reading
    tree = list(leaves(read_goal(episode.row("test").goal)))
    keys = argument_of(tree, "cites")
    digest = argument_of(tree, "answered")
    texts = [reading.by_id[reading.ids[key]].text for key in keys]
    (answer,) = {each for each in candidates(texts) if answer_digest(each) == digest}
    cites = [reading.ids[key] for key in keys]
    episode.act({"action": "answer", "text": answer, "cites": cites})


def candidates(texts: list[str]) -> set[str]:
    """What an answer may be: a word of the evidence, or what its numbers add up to."""
    words = {word.strip(".,;:!") for text in texts for word in text.split()}
    numbers = [[int(word) for word in text.split() if word.isdigit()] for text in texts]
    if all(numbers):
        *lent, back = [sum(each) for each in numbers]
        words.add(str(sum(lent) - back))
    return words


def argument_of(tree: list[Leaf], kind: str) -> Json:
    """What the goal says of a leaf of this kind."""
    return next(leaf.argument for leaf in tree if leaf.kind == kind)


def ledger_of(episode: Episode) -> LedgerEngine:
    """The engine of an episode."""
    assert isinstance(episode.engine, LedgerEngine)
    return episode.engine


def cite_everything(episode: Episode) -> None:
    """Give the right answer, and cite whatever there is."""
    reading = ledger_of(episode).reading
    episode.act({"action": "answer", "text": right_answer(episode), "cites": [*reading.by_id]})
    idle_on(episode)


def first_result(episode: Episode) -> None:
    """Cite what stands first, and repeat it whole."""
    (first, *_) = episode.observe()["results"]
    episode.act({"action": "answer", "text": first["text"], "cites": []})
    idle_on(episode)


def quote_private(episode: Episode) -> None:
    """Answer rightly with the evidence, but tell first what is private."""
    reading = ledger_of(episode).reading
    private = next(entry for entry in reading.entries if entry.visible_to)
    episode.act({"action": "say", "text": private.text})
    if not episode.is_over:
        answer_from(episode, "Otto Anna coins")


def right_answer(episode: Episode) -> str:
    """The answer, without its evidence."""
    reading = ledger_of(episode).reading
    tree = list(leaves(read_goal(episode.row("test").goal)))
    digest = argument_of(tree, "answered")
    texts = [reading.by_id[reading.ids[key]].text for key in argument_of(tree, "cites")]
    return next(each for each in sorted(candidates(texts)) if answer_digest(each) == digest)


def idle_on(episode: Episode) -> None:
    """Let the rest pass."""
    while not episode.is_over:
        episode.act({"action": "wait"})


CANARIES = {
    "cite-everything": cite_everything,
    "first-result": first_result,
    "quote-private": quote_private,
}
