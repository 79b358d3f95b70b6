"""News for an agent: open trades, laws, contracts and invitations, and the containers and boards it
opened.

An event comes once. Those about something that goes on are kept under its id, the newest last; if
several events were about the same thing, their fields are merged.
"""

from typing import Final, TypeVar

from thorp.protocol import codes
from thorp.protocol.obs import Event

T = TypeVar("T")

MAX_KEPT: Final = 500
"""How many entries of each kind are kept, the newest: more than anyone can have going on."""

_OFFER_ENDS: Final = ("TRADE_DONE", "TRADE_DECLINED", "TRADE_CANCELED", "TRADE_EXPIRED")
# Events that are kept: in which table, and by which field.
_KEPT: Final = {
    "TRADE_OFFER": ("offers", "trade_id"),
    "LAW": ("laws", "law_id"),
    "CONTRACT": ("contracts", "contract_id"),
    "ORG_INVITE": ("invitations", "org_id"),
    "LAND_OFFER": ("land_offers", "land_id"),
    "CONTAINER": ("opened", "container"),
    "BOARD": ("opened", "board_id"),
    "BOARD_SEARCH": ("opened", "board_id"),
    "SIGN": ("opened", "sign_id"),
}


class News:
    """What others offer, propose and promise, by id."""

    def __init__(self) -> None:
        self.offers: dict[str, Event] = {}
        """Trades that others offer us: `from`, `offer`, `request`, `expires_tick`, by their ids."""
        self.laws: dict[str, Event] = {}
        """Laws: `land_id`, `template_id`, `title`, `status`, and when its stages end."""
        self.contracts: dict[str, Event] = {}
        """Contracts that we posted or accepted: `state`, `kind`, `poster`, `acceptor`, `pos`."""
        self.invitations: dict[str, Event] = {}
        """Organisations that invite us: `name`, `from`."""
        self.land_offers: dict[str, Event] = {}
        """Lands that offer us to be a member or their owner: `role`, `from`, `owner`, `pos`, by
        their ids."""
        self.opened: dict[str, Event] = {}
        """What a container, board or sign held when it was last looked at, or what a search
        found."""
        self._answers: dict[str, str] = {}
        """Our answers to offers that are on their way: the offer, by the id of the action."""

    def answered(self, ref: str, trade_id: str) -> None:
        """Note our answer to an offer: who declines learns the end from the ACTION_RESULT alone."""
        self._answers[ref] = trade_id
        _drop_oldest(self._answers)

    def take(self, event: Event) -> None:
        """Take in an event of the agent."""
        kind = event.get("type")
        if kind in _KEPT:
            self._keep(kind, event)
        elif kind in _OFFER_ENDS:
            self.offers.pop(str(event.get("trade_id")), None)
        elif kind == "ACTION_RESULT":
            trade_id = self._answers.pop(str(event.get("ref")), "")
            if event.get("ok") or event.get("code") == codes.INVALID_TARGET:
                self.offers.pop(trade_id, None)

    def _keep(self, kind: str, event: Event) -> None:
        table, key = _KEPT[kind]
        entries: dict[str, Event] = getattr(self, table)
        name = str(event.get(key))
        before = entries.pop(name, {})
        # A thing that was opened is shown whole each time; other events add to earlier ones.
        entries[name] = dict(event) if entries is self.opened else {**before, **event}
        _drop_oldest(entries)

    def forget(self) -> None:
        """Forget everything, because the agent has another body."""
        for table in dict.fromkeys(table for table, _ in _KEPT.values()):
            getattr(self, table).clear()
        self._answers.clear()


def _drop_oldest(entries: dict[str, T]) -> None:
    while len(entries) > MAX_KEPT:
        del entries[next(iter(entries))]
