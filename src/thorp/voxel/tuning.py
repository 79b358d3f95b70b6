"""Tuning: the numbers that an operator may choose. A world keeps its own: on a restart those of its
journal hold, and others begin an epoch.

The catalog `tuning` shows them to agents: first those of the protocol's first servers, whose digest
clients may compare, then ours, both in the order of the fields below.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from thorp.kernel.errors import InvalidError

Count = Annotated[int, Meta(ge=1, le=10**9)]
CountOrNone = Annotated[int, Meta(ge=0, le=10**9)]

# WELCOME has these, so the catalog does not repeat them.
_IN_WELCOME = ("tick_rate_hz", "day_ticks", "obs_radius")


class RateLimits(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How often each action may be done in a window, and how many ticks its window has."""

    say_window_ticks: Count = 50
    say_max: Count = 5
    market_say_window_ticks: Count = 50
    market_say_max: Count = 2
    whisper_window_ticks: Count = 50
    whisper_max: Count = 5
    offer_trade_window_ticks: Count = 50
    offer_trade_max: Count = 3
    post_board_window_ticks: Count = 600
    post_board_max: Count = 1


class Tuning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The values of a tuning file; those that it leaves out are as here. `data/tuning.yaml`
    explains each."""

    tick_rate_hz: Annotated[int, Meta(ge=1, le=1000)] = 5
    day_ticks: Annotated[int, Meta(ge=24, le=10**9)] = 6000
    obs_radius: Annotated[int, Meta(ge=1, le=32)] = 7
    world_boundary_r: Annotated[int, Meta(ge=64, le=1_000_000)] = 4000
    snapshot_every_ticks: Count = 3000
    director_every_ticks: Count = 3000
    season_length_ticks: Count = 42000
    rate_limits: RateLimits = RateLimits()
    law_notice_ticks: Count = 3000
    law_vote_ticks: Count = 3000
    blueprint_auto_pull_range: Count = 32
    blueprint_blocks_per_tick: Count = 2
    access_pass_core_radius: Count = 16
    claim_maintenance_cost: dict[str, Count] = msgspec.field(
        default_factory=lambda: {"IRON_INGOT": 1, "COAL": 1}
    )
    fun_decay_window_ticks: Count = 3000
    fun_decay_base: Annotated[float, Meta(gt=0, le=1)] = 0.7
    structure_survival_ticks: Count = 3000
    reputation_decay_base: Annotated[float, Meta(gt=0, le=1)] = 0.7
    reputation_full_worth: Count = 10
    starter_items: dict[str, Count] = msgspec.field(
        default_factory=lambda: {"PLANK": 20, "COAL": 10, "STONE": 20, "BERRIES": 10}
    )
    population_cap: Annotated[int, Meta(ge=1, le=100_000)] = 2500
    changed_chunks_cap: Count = 50_000
    guest_ticks: Count = 1500
    place_reach: Count = 6
    build_reach: Count = 32
    path_expansions_per_tick: Count = 4000
    path_expansions_per_search: Count = 1200
    item_lifetime_ticks: Count = 6000
    law_quorum: Annotated[float, Meta(ge=0, le=1)] = 0.25
    trade_expiry_ticks: Count = 600
    world_events: bool = True
    seasons: bool = False
    shelter: bool = False
    blueprint_ticks_per_block: CountOrNone = 0
    starving_recovery: CountOrNone = 0
    newcomers: Literal["lattice", "gate"] = "lattice"
    starter_goods_per_day: CountOrNone = 0
    reputation_full_days: CountOrNone = 3

    def __post_init__(self) -> None:
        if 1000 % self.tick_rate_hz:
            raise ValueError("tick_rate_hz must divide 1000")
        if self.season_length_ticks % self.day_ticks:
            raise ValueError("season_length_ticks must be a multiple of day_ticks")


# The protocol's first servers have these, in this order, and agents see them before ours. They are
# a slice of the fields, so a new field must come after the last of them: anywhere else it would
# change the bytes that agents compare.
_FIELDS = Tuning.__struct_fields__
SHOWN_FIRST = _FIELDS[
    _FIELDS.index("snapshot_every_ticks") : _FIELDS.index("structure_survival_ticks") + 1
]


def read_tuning(values: object) -> Tuning:
    """The tuning that values from a file describe. An unknown name or a value out of range is
    refused, with its path."""
    try:
        return msgspec.convert({} if values is None else values, Tuning)
    except msgspec.ValidationError as error:
        raise InvalidError(f"tuning: {error}", code="tuning") from None


def tuning_catalog(tuning: Tuning) -> dict[str, Any]:
    """The `data` of the catalog `tuning`, which agents get when they join."""
    data = {}
    later = [field for field in _FIELDS if field not in (*SHOWN_FIRST, *_IN_WELCOME)]
    for field in (*SHOWN_FIRST, *later):
        value = getattr(tuning, field)
        if isinstance(value, dict):
            value = [{"item": item, "count": value[item]} for item in sorted(value)]
        data[field] = value
    return data
