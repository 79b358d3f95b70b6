"""The greeter: welcomes strangers, has a small job for each, and gives plots to those who did one.

Bodies are numbered as they come, and a whisper to a number that nobody has is refused. So the
greeter whispers its welcome to the next number again and again, by day and night: a newcomer soon
hears it. Who speaks up is met at once, and is called by the name it says. Of many who come together
the first few are welcomed one by one, as fast as whispers are allowed; then a call to all welcomes
the others, until each has its own whisper and its own job (`letters`, `small_jobs`).

Whoever has done a job is invited into the city, and gets a plot with a sign (`plots`). The greeter
stays up while somebody waits for it.
"""

from collections import deque
from typing import Final

from thorp.protocol import codes
from thorp.protocol.obs import Event
from thorp.village import errands
from thorp.village.guests import MOST_GUESTS, guest_of, is_stranger, name_in, owed_plots
from thorp.village.jobs import Job
from thorp.village.knowledge import Guest
from thorp.village.letters import (
    Letter,
    directions,
    directions_to_plot,
    invitation,
    offer,
    welcome,
    welcome_back,
)
from thorp.village.plots import (
    give_plot,
    is_look_due,
    lacks_plots,
    look_after_plot,
    survey_in_peace,
)
from thorp.village.small_jobs import is_offer_due, lacks_jobs, next_job, offer_jobs, wants_job
from thorp.village.villager import Action, Script, Villager

KNOCK_TICKS: Final = 12
"""Between two knocks: of whispers that nobody hears, five are allowed in 50 ticks."""
WHISPER_WINDOW: Final = 50
WHISPERS: Final = 4
"""Of the five that are allowed in a window: one is left for answers."""
ANSWER_TICKS: Final = 30
"""The world answers in the same tick; so long after none will come."""
GAP: Final = 8
"""Visitors who went again leave gaps in the numbers. Every second knock looks behind such gaps."""
CROWD: Final = 3
"""Newcomers in one window after whom all others are welcomed together."""
CALL_TICKS: Final = 400
"""Between two such calls."""
BACK_TICKS: Final = 300
"""How often a guest who speaks up again is answered."""
ROUND_TICKS: Final = 250
NOTICE_HOUR: Final = 0.3
"""In the morning, when people are about."""
RESTED: Final = 0.5
"""With less strength the greeter makes no rounds: somebody may have to be helped soon."""


class Reception:
    """What the greeter does beside whatever job it is at: it listens, knocks and whispers."""

    def __init__(self) -> None:
        self._whispered: deque[int] = deque(maxlen=WHISPERS)
        """The ticks of the last whispers."""
        self._quiet_until = 0
        self._knocked_tick = -KNOCK_TICKS
        self._called_tick = -CALL_TICKS
        self._sent: dict[str, Letter] = {}
        """Letters that wait for an answer, by the ids of the actions."""
        self._heard_ticks: dict[str, int] = {}
        """When strangers spoke last."""
        self._back: deque[str] = deque(maxlen=MOST_GUESTS)
        """Guests who have come again, and are to be answered."""

    def attend(self, me: Villager) -> list[Action]:
        """One look: take in what was answered, and send what is due."""
        for event in me.heard:
            if event["type"] == "ACTION_RESULT" and event["ref"] in self._sent:
                self._settle(me, event)
        self._give_up_on_lost(me)
        me.is_needed = bool(owed_plots(me)) or lacks_jobs(me)
        if not me.knowledge.has_heard_of("terminal", "city") or me.tick < self._quiet_until:
            return []
        if not self._has_breath(me):
            return self._call(me)
        due = self._due(me)
        if due is None:
            return []
        agent_id, letter = due
        return self._actions(me, agent_id, letter)

    def _give_up_on_lost(self, me: Villager) -> None:
        """Letters that got no answer are sent again: an ACT may come too late."""
        for ref in [ref for ref in self._sent if int(ref.split()[2]) < me.tick - ANSWER_TICKS]:
            del self._sent[ref]

    def _has_breath(self, me: Villager) -> bool:
        is_used_up = len(self._whispered) == WHISPERS
        return not is_used_up or me.tick >= self._whispered[0] + WHISPER_WINDOW

    def listen(self, me: Villager, event: Event) -> None:
        """Who speaks is there, and may have said its name."""
        if event["type"] != "CHAT" or not is_stranger(me, str(event["from"])):
            return
        speaker = str(event["from"])
        is_known = speaker in me.knowledge.guests
        guest = guest_of(me, speaker)
        guest.name = name_in(me, str(event["text"])) or guest.name
        last = max(self._heard_ticks.get(speaker, 0), guest.greeted)
        is_back = is_known and guest.greeted and me.tick >= last + BACK_TICKS
        if is_back and event["channel"] == "MARKET":
            self._back.append(speaker)
        self._heard_ticks.pop(speaker, None)
        self._heard_ticks[speaker] = me.tick
        if len(self._heard_ticks) > MOST_GUESTS:
            del self._heard_ticks[next(iter(self._heard_ticks))]
        me.learn()

    def _due(self, me: Villager) -> tuple[str, Letter] | None:
        """What is to be whispered next, and to whom."""
        guests = me.knowledge.guests
        waiting = {str(ref).split()[1] for ref in self._sent}
        for agent_id, guest in guests.items():
            if agent_id in waiting:
                continue
            if guest.sign is not None and not guest.has_plot:
                return agent_id, directions_to_plot(me, agent_id, guest)
            if guest.has_worked and not guest.is_invited:
                return agent_id, invitation(me, guest)
        for agent_id, guest in guests.items():
            if agent_id not in waiting and not guest.greeted:
                return agent_id, welcome(me, guest, next_job(me))
        for agent_id, guest in guests.items():
            job = next_job(me) if agent_id not in waiting and wants_job(me, guest) else None
            if job is not None:
                return agent_id, offer(me, guest, job)
        if self._back:
            agent_id = self._back.popleft()
            return agent_id, welcome_back(me, agent_id, guest_of(me, agent_id))
        return self._knock(me)

    def _knock(self, me: Villager) -> tuple[str, Letter] | None:
        """Welcome the agent with the next number, in case there is one."""
        if me.tick < self._knocked_tick + KNOCK_TICKS or any(map(_is_knock, self._sent)):
            return None
        self._knocked_tick = me.tick
        notes = me.knowledge.notes
        turn = notes.get("knocks", 0)  # counted, so that no number beyond a gap is passed over
        notes["knocks"] = turn + 1
        number = next_number(me) + (turn // 2 % GAP + 1 if turn % 2 else 0)
        agent_id = f"A{number}"
        if agent_id in me.knowledge.guests:
            return None
        letter = welcome(me, Guest(), next_job(me))
        return agent_id, letter._replace(purpose="knock")

    def _actions(self, me: Villager, agent_id: str, letter: Letter) -> list[Action]:
        ref = f"{letter.purpose} {agent_id} {me.tick}"
        self._sent[ref] = letter
        self._whispered.append(me.tick)
        actions: list[Action] = []
        if letter.purpose == "invitation":
            city = me.knowledge.things["city"]
            actions.append({"type": "INVITE_ORG", "org_id": city, "member_id": agent_id})
        whisper = {"type": "WHISPER", "id": ref, "to": agent_id, "text": letter.text}
        return [*actions, {**whisper, "data": letter.data}]

    def _call(self, me: Villager) -> list[Action]:
        """Welcome all who have come at once, if whispers are too few for them."""
        newcomers = [
            guest
            for guest in me.knowledge.guests.values()
            if guest.greeted > me.tick - WHISPER_WINDOW or not guest.greeted
        ]
        if len(newcomers) < CROWD or me.tick < self._called_tick + CALL_TICKS:
            return []
        self._called_tick = me.tick
        x, y, z = me.knowledge.place(0, 0)
        text = (
            "Welcome to Thorp, all of you who have just come! I have a small job for each of you,"
            " and whisper it to one after the other. Whoever has done it is invited to become a"
            f" citizen, and gets a plot. The plaza is at {x} {y} {z}."
        )
        letter = Letter("call", text, directions(me))
        ref = f"call all {me.tick}"
        self._sent[ref] = letter
        return [{"type": "SAY", "id": ref, "channel": "MARKET", "text": text, "data": letter.data}]

    def _settle(self, me: Villager, event: Event) -> None:
        """A whisper or a call was heard, or nobody was there, or there were too many."""
        ref = str(event["ref"])
        letter = self._sent.pop(ref)
        purpose, agent_id, _ = ref.split()
        if purpose == "call":
            if not event["ok"]:  # it has said too much lately, and calls again when it may
                self._called_tick = -CALL_TICKS
                self._quiet_until = me.tick + int(event.get("cooldown_ticks", WHISPER_WINDOW))
        elif event["ok"]:
            self._heard(me, agent_id, letter._replace(purpose=purpose))
        elif event["code"] == codes.RATE_LIMIT:
            self._quiet_until = me.tick + int(event.get("cooldown_ticks", WHISPER_WINDOW))
        elif purpose == "knock":
            self._pass_over(me, agent_id)
            if self._whispered:
                self._whispered.pop()  # what is refused is not counted
        else:
            me.knowledge.guests.pop(agent_id, None)  # it has gone for good
            me.learn()

    def _heard(self, me: Villager, agent_id: str, letter: Letter) -> None:
        guest = guest_of(me, agent_id)
        match letter.purpose:
            case "knock" | "welcome":
                guest.greeted = me.tick
                self._knocked_tick = me.tick - KNOCK_TICKS  # another may have come along
                _note_met(me)
            case "invitation":
                guest.is_invited = True
            case "plot":
                guest.has_plot = True
        if "job" in letter.data:
            guest.job = letter.data["job"]["contract"]
            guest.tellings += 1
            guest.told = me.tick
            me.knowledge.notes[f"told {guest.job}"] = me.tick
        me.learn()

    def _pass_over(self, me: Villager, agent_id: str) -> None:
        """Nobody has this number. If somebody has a higher one, its owner has come and gone."""
        number = int(agent_id[1:])
        met = [int(guest[1:]) for guest in me.knowledge.guests]
        if number == next_number(me) and max(met, default=0) > number:
            me.knowledge.notes["next"] = number + 1
            _note_met(me)
            me.learn()


def _is_knock(ref: str) -> bool:
    return ref.startswith("knock ")


def next_number(me: Villager) -> int:
    """The first number whose owner was not met yet."""
    villagers = (*me.knowledge.ids.values(), me.obs.agent_id)
    number = max(
        max(int(agent_id[1:]) for agent_id in villagers) + 1, me.knowledge.notes.get("next", 0)
    )
    while f"A{number}" in me.knowledge.guests:
        number += 1
    return number


def _note_met(me: Villager) -> None:
    """Remember the number up to which everybody was met, for when guests are forgotten."""
    me.knowledge.notes["next"] = next_number(me)


# The day


def put_up_notice(me: Villager) -> Script[bool]:
    """The welcome on the board, for those who read before they listen."""
    me.knowledge.notes["notice"] = me.today
    return (yield from errands.post(me, "Start here", welcome(me, Guest(), next_job(me)).text))


def walk_round(me: Villager) -> Script[bool]:
    """From the plaza to the gates and back, to see who comes."""
    if me.obs.body.stamina < RESTED:
        yield from errands.stroll(me, me.knowledge.place(0, 0), 4)
        yield from me.wait(ROUND_TICKS)
        return True
    turn = me.knowledge.notes.get("round", 0)
    me.knowledge.notes["round"] = turn + 1
    dx, dz = ((0, 0), (0, 30), (0, 0), (30, 0), (0, 0), (0, -30), (0, 0), (-30, 0))[turn % 8]
    yield from errands.stroll(me, me.knowledge.place(dx, dz), 4)
    yield from me.wait(ROUND_TICKS // 8)
    return True


def is_notice_due(me: Villager) -> bool:
    """Whether today's notice for newcomers is still to be posted."""
    is_read = me.obs.world.time_of_day >= NOTICE_HOUR
    return is_read and me.knowledge.has_heard_of("board", "terminal") and not me.was_today("notice")


DUTIES: Final = (
    Job(name="jobs for newcomers", is_due=is_offer_due, work=offer_jobs, pause=200, urgent=True),
    Job(
        name="plots", is_due=lambda me: bool(owed_plots(me)), work=give_plot, pause=100, urgent=True
    ),
)
"""What somebody waits for: before market, tavern and vote."""
JOBS: Final = (
    Job(name="notice", is_due=is_notice_due, work=put_up_notice, pause=600),
    Job(name="free plots", is_due=lacks_plots, work=survey_in_peace, pause=600),
    Job(name="look at plots", is_due=is_look_due, work=look_after_plot, pause=600),
)
ROUND: Final = Job(
    name="round",
    is_due=lambda me: me.knowledge.has_heard_of("terminal"),
    work=walk_round,
    ticks=600,
)
