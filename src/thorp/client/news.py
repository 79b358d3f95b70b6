"""What an agent was told about trades, laws, contracts and invitations that still go on, and what it opened.

Events pass by once. Those about something that goes on are kept here under its id, the newest last; a thing
that several events told of has all their fields.
"""

from typing import Final, TypeVar

from thorp.protocol import codes
from thorp.protocol.obs import Event

T = TypeVar("T")

# Of each kind; the oldest make room. More than anyone can have going on.
MAX_KEPT: Final = 500

# What ends an offer.
_OFFER_ENDS: Final = ("TRADE_DONE", "TRADE_DECLINED", "TRADE_CANCELED", "TRADE_EXPIRED")
# What was looked at, and the field that names it.
_OPENED: Final = {
    "CONTAINER": "container",
    "BOARD": "board_id",
    "BOARD_SEARCH": "board_id",
    "SIGN": "sign_id",
}


class News:
    def __init__(self) -> None:
        self.offers: dict[str, Event] = {}
        """Trades that others offer us: `from`, `offer`, `request`, `expires_tick`, by their ids."""
        self.laws: dict[str, Event] = {}
        """Laws: `land_id`, `template_id`, `title`, `status`, and when its stages end."""
        self.contracts: dict[str, Event] = {}
        """Contracts that we posted or accepted: `state`, `kind`, `poster`, `acceptor`, `pos`."""
        self.invitations: dict[str, Event] = {}
        """Organisations that invite us: `name`, `from`."""
        self.opened: dict[str, Event] = {}
        """What a container, board or sign held when it was last looked at, or what a search found."""
        self._answers: dict[str, str] = {}
        """Our answers to offers that are on their way: the offer, by the id of the action."""

    def answered(self, ref: str, trade_id: str) -> None:
        """Note our answer to an offer: one who declines is told of it in the ACTION_RESULT alone."""
        self._answers[ref] = trade_id
        _bound(self._answers)

    def take(self, event: Event) -> None:
        """Learn from an event."""
        kind = event.get("type")
        if kind == "TRADE_OFFER":
            _note(self.offers, event, "trade_id")
        elif kind in _OFFER_ENDS:
            self.offers.pop(str(event.get("trade_id")), None)
        elif kind == "ACTION_RESULT":
            trade_id = self._answers.pop(str(event.get("ref")), "")
            if event.get("ok") or event.get("code") == codes.INVALID_TARGET:
                self.offers.pop(trade_id, None)
        elif kind == "LAW":
            _note(self.laws, event, "law_id")
        elif kind == "CONTRACT":
            _note(self.contracts, event, "contract_id")
        elif kind == "ORG_INVITE":
            _note(self.invitations, event, "org_id")
        elif kind in _OPENED:
            self.opened.pop(str(event.get(_OPENED[kind])), None)
            _note(self.opened, event, _OPENED[kind])

    def forget(self) -> None:
        """Nothing of it is about this body any more."""
        for known in (self.offers, self.laws, self.contracts, self.invitations, self.opened):
            known.clear()
        self._answers.clear()


def _note(known: dict[str, Event], event: Event, key: str) -> None:
    name = str(event.get(key))
    known[name] = {**known.pop(name, {}), **event}
    _bound(known)


def _bound(known: dict[str, T]) -> None:
    """Forget the oldest."""
    while len(known) > MAX_KEPT:
        del known[next(iter(known))]
