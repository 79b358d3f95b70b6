"""The one table of listeners: which rule of society is called for each report of the rules of
bodies."""

from typing import Final

from thorp.voxel.hints.table import explain
from thorp.voxel.society import boards, deeds, escrow, tenure, worksites
from thorp.voxel.state.listeners import Listeners

LISTENERS: Final = Listeners(
    on_arrival=deeds.arrived,
    on_step=deeds.stepped,
    on_mine=deeds.mined,
    on_craft=deeds.crafted,
    on_open=deeds.opened,
    on_build=deeds.built,
    on_delivery=escrow.deliver,
    on_refused_work=worksites.note_refused_work,
    on_denial=deeds.denied,
    on_closed_core=deeds.turned_away,
    on_totem_removed=tenure.end_claim_at,
    on_terminal_removed=escrow.close_terminal,
    on_board_removed=boards.remove_board,
    on_departure=tenure.remove_member_everywhere,
    explain=explain,
)
