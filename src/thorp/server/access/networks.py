"""Networks: whether an address is of this machine, and which addresses count as one."""

import ipaddress
from typing import Final

LOOPBACK: Final = "loopback"


def is_loopback(address: str | None) -> bool:
    """Whether an address is of this machine itself."""
    try:
        ip = ipaddress.ip_address(address or "")
    except ValueError:
        return False
    mapped = getattr(ip, "ipv4_mapped", None)
    return (mapped or ip).is_loopback


def network_of(address: str) -> str:
    """What counts as one origin: an IPv4 address, or the /64 of an IPv6 address, since one
    household has all of those. All addresses of this machine itself are one."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    mapped = getattr(ip, "ipv4_mapped", None) or ip
    if mapped.is_loopback:
        return LOOPBACK
    return (
        str(ipaddress.ip_network((mapped, 64), strict=False))
        if mapped.version == 6
        else str(mapped)
    )
