"""Words that say nothing about what a text is about, as shipped data: a search passes over them.

The posting tables leave them out too, so a change here needs a new version of the ledger's rules.
"""

from __future__ import annotations

from typing import Final

_WORDS: Final = """
a about above after again against all also am an and any are as at be because been before being
below between both but by can could d did do does doing don down during each even ever every few for
from further get go got had has have having he her here hers herself him himself his how i if in
into is it its itself just let like ll m may me might more most much must my myself no nor not now
of off on once one only or other our ours ourselves out over own re s said same say says shall she
should so some still such t than that the their theirs them themselves then there these they this
those though through to too under until up upon us ve very was we well went were what when where
which while who whom whose why will with within without would yes yet you your yours yourself
yourselves
"""

STOP_WORDS: Final = frozenset(_WORDS.split())
