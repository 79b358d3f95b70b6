"""What an agent knows: the cube of blocks around it, and what it was told.

A cube is decoded when somebody looks, so that agents that do not look pay nothing. Changes that come
before that wait.
"""

from collections.abc import Container, Iterator
from functools import cache
from typing import Final, TypeVar

from thorp.protocol import codes
from thorp.protocol.obs import Event, Position, VoxelOp, Voxels, apply_delta, cell_index, decode_rle

MAX_WAITING_OPS: Final = 5_000  # Changes that may wait for somebody to look; few do, as whole cubes come too.


class BlockView:
    def __init__(self) -> None:
        self.palette: list[str] = []
        self._center: Position = (0, 0, 0)
        self._radius = 0
        self._text: str | None = None
        self._cells: bytes | None = None
        self._ops: list[VoxelOp] = []

    def take(self, voxels: Voxels) -> None:
        """See what an observation shows."""
        self._center = voxels.center
        if isinstance(voxels.data, str):
            self.forget()
            self._radius, self._text = voxels.radius, voxels.data
        elif self._text is not None and isinstance(voxels.ops, list) and voxels.radius == self._radius:
            self._ops += voxels.ops
            if len(self._ops) > MAX_WAITING_OPS:
                self._decoded()
        else:
            self.forget()

    def forget(self) -> None:
        """Changes that come next lead nowhere, until a whole cube comes."""
        self._text = self._cells = None
        self._ops.clear()

    def block(self, position: Position) -> str | None:
        """The block in a cell, or None if it is out of sight."""
        cells = self._decoded()
        x, y, z = self._center
        offset = position[0] - x, position[1] - y, position[2] - z
        if cells is None or max(map(abs, offset)) > self._radius:
            return None
        return self._name(cells[cell_index(offset, self._radius)])

    def find_all(self, *names: str) -> Iterator[Position]:
        """Where such blocks are, the nearest first (counted along the axes)."""
        cells = self._decoded()
        wanted = bytes(number for number, name in enumerate(self.palette) if name in names)
        if cells is None or not any(number in cells for number in wanted):
            return
        x, y, z = self._center
        for index, (dx, dy, dz) in _nearest_first(self._radius):
            if cells[index] in wanted:
                yield x + dx, y + dy, z + dz

    def find(self, *names: str, avoid: Container[Position] = ()) -> Position | None:
        return next((position for position in self.find_all(*names) if position not in avoid), None)

    def nearest(self) -> dict[str, Position]:
        """Where the nearest block of each kind in sight is, the nearest kind first."""
        cells = self._decoded() or b""
        x, y, z = self._center
        found: dict[int, Position] = {}
        for index, (dx, dy, dz) in _nearest_first(self._radius) if cells else ():
            found.setdefault(cells[index], (x + dx, y + dy, z + dz))
        return {self._name(number): place for number, place in found.items()}

    def _name(self, number: int) -> str:
        return self.palette[number] if number < len(self.palette) else f"#{number}"

    def _decoded(self) -> bytes | None:
        if self._cells is None and self._text is not None:
            self._cells = decode_rle(self._text, self._radius)
        if self._cells is not None and self._ops:
            self._cells = apply_delta(self._cells, self._radius, self._ops)
            self._ops.clear()
        return self._cells


@cache
def _nearest_first(radius: int) -> list[tuple[int, Position]]:
    """The cells of a cube by their distance from the centre: index and offset."""
    span = range(-radius, radius + 1)
    offsets = [(dx, dy, dz) for dy in span for dz in span for dx in span]
    return sorted(enumerate(offsets), key=lambda cell: sum(map(abs, cell[1])))


# What it was told about trades, laws, contracts and invitations that still go on, and what it opened. Events
# pass by once; those about something that goes on are kept under its id, the newest last. A thing that
# several events told of has all their fields.

T = TypeVar("T")

MAX_KEPT: Final = 500  # Of each kind; the oldest make room. More than anyone can have going on.
_OFFER_ENDS: Final = ("TRADE_DONE", "TRADE_DECLINED", "TRADE_CANCELED", "TRADE_EXPIRED")
# Events about what goes on: where they are kept, and the field that names it.
_KEPT: Final = {
    "TRADE_OFFER": ("offers", "trade_id"),
    "LAW": ("laws", "law_id"),
    "CONTRACT": ("contracts", "contract_id"),
    "ORG_INVITE": ("invitations", "org_id"),
    "CONTAINER": ("opened", "container"),
    "BOARD": ("opened", "board_id"),
    "BOARD_SEARCH": ("opened", "board_id"),
    "SIGN": ("opened", "sign_id"),
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
        if kind in _KEPT:
            where, key = _KEPT[kind]
            known, name = getattr(self, where), str(event.get(key))
            before = known.pop(name, {})
            known[name] = dict(event) if known is self.opened else {**before, **event}
            _bound(known)
        elif kind in _OFFER_ENDS:
            self.offers.pop(str(event.get("trade_id")), None)
        elif kind == "ACTION_RESULT":
            trade_id = self._answers.pop(str(event.get("ref")), "")
            if event.get("ok") or event.get("code") == codes.INVALID_TARGET:
                self.offers.pop(trade_id, None)

    def forget(self) -> None:
        """Nothing of it is about this body any more."""
        for known in (self.offers, self.laws, self.contracts, self.invitations, self.opened):
            known.clear()
        self._answers.clear()


def _bound(known: dict[str, T]) -> None:
    while len(known) > MAX_KEPT:
        del known[next(iter(known))]
