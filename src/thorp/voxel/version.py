"""The versions that journals and snapshots carry, so that old ones can be told from damaged ones.

`RULES` grows with every release under which the same inputs could lead to another state. A world that was
made under older rules goes on in a new epoch; its older epochs are replayed by the release named below.
"""

from __future__ import annotations

from typing import Final

FORMAT: Final = 2
"""Of the records in a journal and of the parts of a snapshot."""
RULES: Final = 1
RELEASES: Final = {1: "0.1.0"}
"""The first release with each version of the rules."""
