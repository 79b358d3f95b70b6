"""The words in which two runs are told apart: what somebody did in one of them, and what that is in
the other.

`did` follows the name of whoever did it; `instead` is said of the other run. In braces stand words
of the event. If it happened in both, and more often in one, `did` is followed by how often. A test
holds the table to the rules: every kind of public event is in it, or is left out for a reason.
"""

from typing import Final, NamedTuple


class Telling(NamedTuple):
    """How a kind of event is told where only one of two runs has it."""

    weight: int
    """The heaviest differences are told first."""
    did: str
    instead: str
    who: str = "agent"
    """The member of the event that names whoever did it; empty if nobody did."""
    what: tuple[str, ...] = ()
    """What makes two events of a person the same: words of the event that are told."""


TELLINGS: Final[dict[str, Telling]] = {
    "SEASON_ROLLOVER": Telling(100, "a new season began", "the old one went on", who=""),
    "CREATE_ORG": Telling(98, "founded {name}", "that was never founded", what=("name",)),
    "LAW.ACTIVE": Telling(95, "got the law {title} passed", "it is not in force", what=("title",)),
    "CLAIM_LAND": Telling(90, "claimed land", "{who} claimed none"),
    "LAND_ENDED": Telling(90, "lost their land", "{who} kept it", who="owner"),
    "INHERITED_LAND": Telling(88, "inherited land", "{who} inherited none"),
    "DOWNED": Telling(86, "collapsed", "{who} did not"),
    "MISSED_UPKEEP": Telling(
        82, "could not pay for the upkeep of their land", "it was paid", who="actor"
    ),
    "ORG_ENDED": Telling(80, "was the last to leave {name}", "it goes on", what=("name",)),
    "TOWN_RESULT": Telling(
        78, "ordered: {order}", "that was not ordered", who="office", what=("order",)
    ),
    "LAW.REJECTED": Telling(
        74, "lost the vote on the law {title}", "it was not rejected", what=("title",)
    ),
    "DEED_LAND": Telling(70, "gave land to {new_owner}", "{who} kept it", what=("new_owner",)),
    "PASSED_LEADERSHIP": Telling(
        69, "handed the lead over to {member_id}", "{who} kept it", what=("member_id",)
    ),
    "UPGRADE_CLAIM": Telling(68, "enlarged their land", "it stayed as it was"),
    "WEATHER": Telling(66, "{weather} came up", "it stayed away", who="", what=("weather",)),
    "WORLD_EVENT": Telling(64, "{event} began", "there was none", who="", what=("event",)),
    "PAID_FINE": Telling(54, "paid a fine", "{who} paid none"),
    "BUILT": Telling(52, "built {building}", "{who} built none", what=("building",)),
    "JOIN": Telling(50, "arrived", "{who} never came"),
    "LEAVE.retired": Telling(49, "left for good", "{who} stayed"),
    "HARVEST": Telling(48, "brought in a harvest", "{who} brought in none"),
    "CONTRACT.FAILED": Telling(46, "did not keep a contract", "{who} broke none", who="acceptor"),
    "CONTRACT.COMPLETED": Telling(44, "kept a contract", "{who} kept none", who="acceptor"),
    "REACHED_GOAL": Telling(40, "took part in an event", "{who} did not"),
    "JOIN_ORG": Telling(32, "joined {org_id}", "{who} did not", what=("org_id",)),
    "LEAVE_ORG": Telling(32, "left {org_id}", "{who} stayed", what=("org_id",)),
    "TRADE": Telling(30, "sold {ware}", "{who} kept {it}", who="with", what=("ware",)),
    "PAID_TICKET": Telling(28, "paid to come in", "{who} paid nothing"),
    "POST": Telling(26, "put up the notice {title}", "nobody read that", "actor", ("title",)),
    "SET_ORG_OPEN": Telling(24, "changed who may join {org_id}", "{who} did not", what=("org_id",)),
    "ADD_MEMBER": Telling(
        22, "took {member_id} in on their land", "{who} did not", what=("member_id",)
    ),
    "REMOVE_MEMBER": Telling(
        22, "let {member_id} share their land no longer", "{who} did not", what=("member_id",)
    ),
    "SET_PERMISSIONS": Telling(20, "changed what strangers may do", "{who} did not"),
    "UNLOCKED": Telling(
        20, "{achieved} for the first time", "{who} has not yet", what=("achieved",)
    ),
    "INVITE_ORG": Telling(
        19, "invited {member_id} to join {org_id}", "{who} did not", what=("member_id", "org_id")
    ),
    "SET_ORG_ROLE": Telling(
        18, "gave {member_id} another rank", "{who} did not", what=("member_id",)
    ),
    "OFFER_LAND": Telling(18, "offered their land", "{who} did not"),
    "LEAVE_LAND": Telling(18, "gave up their part in a land", "{who} kept it"),
    "CONTRACT.OPEN": Telling(14, "offered a contract", "{who} offered none", who="poster"),
    "CONTRACT.ACCEPTED": Telling(13, "took a contract", "{who} took none", who="acceptor"),
    "ORG_DEPOSIT": Telling(12, "gave {item} to {org_id}", "{who} did not", what=("item", "org_id")),
    "ORG_WITHDRAW": Telling(
        12, "took {item} from {org_id}", "{who} did not", what=("item", "org_id")
    ),
}

LEFT_OUT: Final[dict[str, str]] = {
    "CHAT": "everything said differs at once, and says nothing",
    "LAW": "a proposal is told by how it ends",
    "LAW.NOTICE": "a proposal is told by how it ends",
    "LAW.VOTING": "a proposal is told by how it ends",
    "VOTE": "votes are told by what they decided",
    "CONTRACT": "a contract is told by its state",
    "BACKED": "who backs a contract is told by the contract",
    "LEAVE": "a body stays where it is, whoever moves it",
    "LET_OUT": "a matter of where somebody stood",
    "PAID_UPKEEP": "it is paid every day; a day without is told",
    "TOWN_RESULT.refused": "what was refused has changed nothing",
    "ROLLBACK": "the keeper's work, and none of the people's",
    "WORLD_EVENT.off": "an event is told by its beginning",
}
