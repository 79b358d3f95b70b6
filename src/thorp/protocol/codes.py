"""The ten codes with which a world refuses an action."""

from typing import Final

NO_PERMISSION: Final = "E_NO_PERMISSION"
NO_RESOURCE: Final = "E_NO_RESOURCE"
INVALID_TARGET: Final = "E_INVALID_TARGET"
BLOCKED: Final = "E_BLOCKED"
RATE_LIMIT: Final = "E_RATE_LIMIT"
CONFLICT: Final = "E_CONFLICT"
UNSAFE: Final = "E_UNSAFE"
STALE: Final = "E_STALE"
BAD_REQUEST: Final = "E_BAD_REQUEST"
INTERNAL: Final = "E_INTERNAL"

CODES: Final = (
    NO_PERMISSION,
    NO_RESOURCE,
    INVALID_TARGET,
    BLOCKED,
    RATE_LIMIT,
    CONFLICT,
    UNSAFE,
    STALE,
    BAD_REQUEST,
    INTERNAL,
)
