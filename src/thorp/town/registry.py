"""Policies by name: those that come with Thorp, and those that installed packages bring.

A package adds its own by an entry point in group `thorp.policies`, `cautious = "pkg.mod:CAUTIOUS"`,
where `CAUTIOUS` is a `thorp.town.cognition.Policy`. No core imports this module: hand `propose`
what it finds.
"""

from importlib.metadata import entry_points

from thorp.kernel.errors import InvalidError
from thorp.town.cognition import BUILT_IN_POLICIES, Policy

POLICY_GROUP = "thorp.policies"


def policy_names() -> list[str]:
    """Every policy that can be named, sorted."""
    return sorted({*BUILT_IN_POLICIES, *(point.name for point in entry_points(group=POLICY_GROUP))})


def find_policy(name: str) -> Policy:
    """The policy of that name; one that comes with Thorp cannot be replaced. Refuses an unknown
    one."""
    built_in = BUILT_IN_POLICIES.get(name)
    if built_in is not None:
        return built_in
    for point in entry_points(group=POLICY_GROUP, name=name):
        policy = point.load()
        if not isinstance(policy, Policy):
            raise InvalidError(
                f"entry point {name!r} of {POLICY_GROUP} is not a Policy", code="policy"
            )
        return policy
    names = ", ".join(policy_names())
    raise InvalidError(f"unknown policy {name!r}; known: {names}", code="unknown_policy")
