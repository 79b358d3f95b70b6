"""Letters: what the greeter whispers to a guest, in words for people and with `data` for programs.

welcome      a job, what comes of it, and where everything is
job          another job, when somebody else has taken the first
invitation   as soon as a job is done; who joins is a citizen
plot         where the guest may build, once a sign bears its name
back         to a guest who has come again
"""

from typing import Any, NamedTuple

from thorp.village import errands
from thorp.village.knowledge import Guest
from thorp.village.plots import PLOT_DEPTH, PLOT_HEIGHT, PLOT_REACH, sign_text
from thorp.village.small_jobs import counted
from thorp.village.villager import Villager


class Letter(NamedTuple):
    """A whisper to a guest, and what it is about."""

    purpose: str
    text: str
    data: dict[str, Any]


def welcome(me: Villager, guest: Guest, job: str | None) -> Letter:
    """The greeting for a newcomer: a job, what comes of it, and where everything is."""
    x, y, z = me.knowledge.place(0, 0)
    to_whom = f", {guest.name}" if guest.name else ""
    sentences = [f"Welcome to Thorp{to_whom}."]
    if job is None:
        sentences.append("All my small jobs are taken just now; I shall tell you of the next.")
    else:
        sentences.append(_job_sentence(me, job))
    sentences += [
        "Whoever has done a job is invited to become a citizen, and gets a plot.",
        f"The plaza is at {x} {y} {z}.",
        "Jory and Bram take offers near list price.",
    ]
    if not guest.name:
        sentences.append("Tell me your name, and it will stand on your sign.")
    data = {**directions(me), **_job_data(me, job)}
    return Letter("welcome", " ".join(sentences), data)


def offer(me: Villager, guest: Guest, job: str) -> Letter:
    """A job for a guest who has none, or whose job somebody else has taken."""
    to_whom = f"{guest.name}, there" if guest.name else "There"
    text = f"{to_whom} is a job for you. {_job_sentence(me, job)}"
    return Letter("job", text, _job_data(me, job))


def invitation(me: Villager, guest: Guest) -> Letter:
    """What is said to a guest who has done a job."""
    to_whom = f", {guest.name}" if guest.name else ""
    text = (
        f"Well done{to_whom}! You are invited: join Thorp, and you are a citizen. I am marking out"
        " a plot for you."
    )
    return Letter("invitation", text, {"invitation": {"org": me.knowledge.things.get("city", "")}})


def directions_to_plot(me: Villager, agent_id: str, guest: Guest) -> Letter:
    """Where a guest may build."""
    sign = guest.sign or (0, 0, 0)
    x, y, z = sign
    to_whom = f", {guest.name}" if guest.name else ""
    text = (
        f"Your plot is ready{to_whom}: it lies behind the sign at {x} {y} {z}, which says"
        f" “{sign_text(agent_id, guest)}” Build your house there."
    )
    middle = z + PLOT_REACH
    plot = {
        "sign": f"SIGN@{x},{y},{z}",
        "pos": [x, y, z],
        "low": [x - PLOT_REACH, y - PLOT_DEPTH, middle - PLOT_REACH],
        "high": [x + PLOT_REACH, y + PLOT_HEIGHT, middle + PLOT_REACH],
    }
    return Letter("plot", text, {"plot": plot})


def welcome_back(me: Villager, agent_id: str, guest: Guest) -> Letter:
    """What is said to a guest who has come again."""
    if guest.sign is not None:
        letter = directions_to_plot(me, agent_id, guest)
        x, y, z = guest.sign
        text = f"Welcome back, {guest.name or 'friend'}. Your plot is at the sign at {x} {y} {z}."
        return Letter("back", text, letter.data)
    return Letter("back", f"Welcome back, {guest.name or 'friend'}.", directions(me))


def _job_sentence(me: Villager, job: str) -> str:
    work = me.knowledge.works[job]
    return (
        f"Bring {counted(dict(work.give))} to the terminal on the plaza, and you get"
        f" {counted(dict(work.get))}."
    )


def _job_data(me: Villager, job: str | None) -> dict[str, Any]:
    if job is None:
        return {}
    work = me.knowledge.works[job]
    terms: dict[str, Any] = {
        "contract": job,
        "terminal": me.knowledge.things["terminal"],
        "kind": "DELIVER",
        "give": [[item, count] for item, count in work.give],
        "get": [[item, count] for item, count in work.get],
    }
    return {"job": terms | ({"deadline_tick": work.deadline} if work.deadline else {})}


def directions(me: Villager) -> dict[str, Any]:
    """Where everything is, and who is who, for programs."""
    known = [
        name for name in ("store", "board", "bench", "terminal") if me.knowledge.things.get(name)
    ]
    places = {name: me.knowledge.things[name] for name in known}
    keepers = {name: me.knowledge.ids[name] for name in errands.KEEPERS if name in me.knowledge.ids}
    return {
        "places": {"plaza": list(me.knowledge.place(0, 0)), **places},
        "people": {me.name: me.obs.agent_id, **keepers},
    }
