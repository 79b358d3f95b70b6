"""Projects: planning → active → complete, and blocked whenever the next step cannot be made.

The status is never stored. It follows from the steps made, the town's stocks and the day, so it
cannot disagree with them: a project unblocks by itself when the town can pay for it again.
"""

from typing import Literal

from thorp.town.embedded import tuning
from thorp.town.embedded.catalogue import KINDS
from thorp.town.embedded.town import FULL, LIST_LIMIT, DayDraws, Happening, Project, Town, free_id
from thorp.town.handoff_judge import RuleRefused

Status = Literal["planning", "active", "blocked", "complete"]


def status_of(project: Project, town: Town) -> Status:
    """The status of a project as `snapshot.v1` names it."""
    if project.step >= project.steps:
        return "complete"
    if blocked_by(project, town):
        return "blocked"
    return "active" if project.step else "planning"


def blocked_by(project: Project, town: Town) -> str | None:
    """Why an unfinished project cannot go on now, or None."""
    if project.closed_until > town.day:
        return f"the site is closed until day {project.closed_until}"
    if town.stocks.timber < tuning.STEP_TIMBER or town.stocks.iron < tuning.STEP_IRON:
        return f"a step costs {tuning.STEP_TIMBER} timber and {tuning.STEP_IRON} iron"
    return None


def progress_of(project: Project) -> int:
    """How much of a project is built, in per mille."""
    return project.step * FULL // project.steps


def level_of(town: Town, kind: str) -> int:
    """How many works of a kind help: those that stand, up to a limit."""
    return min(town.works.get(kind, 0), tuning.WORK_LEVELS)


def new_project(project_id: str, name: str, kind: str) -> Project:
    """A project of which nothing is built yet."""
    return Project(
        id=project_id,
        name=name,
        kind=kind,
        step=0,
        steps=KINDS[kind].steps,
        closed_until=0,
        finished=None,
    )


def advance_project(town: Town, project_id: str) -> list[Happening]:
    """The proposal `PROJECT_ADVANCE`: make the next step."""
    project = next((each for each in town.projects if each.id == project_id), None)
    if project is None:
        raise RuleRefused(f"there is no project {project_id!r} here", code="project_unknown")
    if project.step >= project.steps:
        raise RuleRefused(f"{project.name!r} is complete", code="project_complete")
    reason = blocked_by(project, town)
    if reason is not None:
        raise RuleRefused(f"{project.name!r} is blocked: {reason}", code="project_blocked")
    town.store("timber", -tuning.STEP_TIMBER)
    town.store("iron", -tuning.STEP_IRON)
    project.step += 1
    town.meters.push("threat", -tuning.STEP_THREAT)
    town.meters.push("hope", tuning.STEP_HOPE)
    if project.step < project.steps:
        stage = f"stage {project.step} of {project.steps}"
        return [Happening("project_advanced", f"{project.name}: {stage} stands.")]
    project.finished = town.day
    town.works[project.kind] = town.works.get(project.kind, 0) + 1
    town.meters.relieve(KINDS[project.kind].meter, tuning.DONE_PUSH)
    town.meters.push("hope", tuning.DONE_HOPE)
    return [Happening("project_completed", f"{project.name} is complete.")]


def plan_projects(town: Town, chance: DayDraws) -> list[Happening]:
    """If few projects are unfinished, perhaps plan one of the kind that the town has least of."""
    unfinished = [project.kind for project in town.projects if project.finished is None]
    if len(unfinished) >= tuning.OPEN_PROJECTS or len(town.projects) >= LIST_LIMIT:
        return []
    if not chance.happens(tuning.PLAN_CHANCE, "plan"):
        return []
    counts = {
        kind: (
            town.works.get(kind, 0) + unfinished.count(kind),
            chance.below(FULL, "plan kind", index),
        )
        for index, kind in enumerate(KINDS)
    }
    kind = min(KINDS, key=lambda each: counts[each])
    name = plan_project(town, kind, chance.below(len(KINDS[kind].names), "plan name"))
    return [Happening("project_planned", f"A plan is drawn: {name}.")]


def plan_project(town: Town, kind: str, name: int) -> str:
    """Put a project of a kind on the board, under the kind's name of this number; return the
    name."""
    project_id = free_id(kind, town.next_project, [each.id for each in town.projects])
    project = new_project(project_id, KINDS[kind].names[name], kind)
    town.next_project += 1
    town.projects.append(project)
    return project.name


def weather(town: Town, chance: DayDraws) -> list[Happening]:
    """Let works fall to ruin in time, sites have accidents, and old successes leave the board."""
    happenings = []
    for index, kind in enumerate(KINDS):
        if chance.below(tuning.WORK_LIFE_DAYS, "ruin", index) < town.works.get(kind, 0):
            town.works[kind] -= 1
            happenings.append(Happening("ruin", f"A {kind} falls to ruin."))
    for index, project in enumerate(town.projects):
        if (
            project.finished is None
            and chance.below(FULL, "accident", index) < tuning.ACCIDENT_CHANCE
        ):
            project.closed_until = town.day + tuning.ACCIDENT_DAYS
            happenings.append(Happening("accident", f"{project.name}: the scaffold falls."))
    town.projects = [
        project
        for project in town.projects
        if project.finished is None or town.day - project.finished < tuning.PROJECT_SHOWN_DAYS
    ]
    return happenings
