// The world-core contract in JavaScript: a peer for bench/propose.py, and the fairest one, since the contract was
// written for this language. It follows the contract's original in what it does: the snapshot is checked when it
// is read and again when it is hashed, lists are sorted by the platform's collator, the text that is hashed is
// written by one recursive function, every quest and project is weighed, and the proposal is checked at the end.
// Only the policy `ranked` is here, and no memory.
//
// Reads one order a line from standard input and answers each with one line of JSON:
//   {"propose": [SNAPSHOT, PROFILE]}     the proposal
//   {"work": [[SNAPSHOT, PROFILE], …]}   the CPU seconds of all threads for proposing from each, and with "digest"
//                                        true the SHA-256 of all proposals in a row, as canonical text

import { createHash } from "node:crypto";
import { createInterface } from "node:readline";

const ROLES = ["mayor", "captain", "warden"];
const STATUSES = ["planning", "active", "blocked", "complete"];
const TRAITS = ["authority", "pragmatism", "courage", "prudence"];
const PRESSURES = ["threat", "scarcity", "hope", "dread"];
const SNAPSHOT_KEYS = [
  "schemaVersion", "day", "townId", "mission", "sideQuests", "pressure", "projects", "latestNetherEvent",
];
const MISSION_KEYS = ["id", "title", "description", "reward"];
const QUEST_KEYS = ["id", "title", "complexity"];
const PROJECT_KEYS = ["id", "name", "progress", "status"];
const LIST_LIMIT = 100;
const HASH = /^[0-9a-f]{64}$/;
const PROPOSAL_ID = /^proposal_[0-9a-f]{64}$/;

const THREAT_WORDS = ["raid", "ghast", "piglin", "blaze", "breach", "attack", "wither"];
const SCARCITY_WORDS = ["resource", "supply", "crop", "food", "famine", "scarcity"];
const DREAD_WORDS = ["raid", "ghast", "piglin", "panic", "fear", "breach", "wither", "blaze"];

const TYPE_ORDER = { MAYOR_ACCEPT_MISSION: 0, PROJECT_ADVANCE: 1, SALVAGE_PLAN: 2, TOWNSFOLK_TALK: 3 };
const ARGUMENTS = {
  MAYOR_ACCEPT_MISSION: "missionId",
  PROJECT_ADVANCE: "projectId",
  SALVAGE_PLAN: "focus",
  TOWNSFOLK_TALK: "talkType",
};

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value) => typeof value === "string" && value.length > 0;
const isUnit = (value) => Number.isFinite(value) && value >= 0 && value <= 1;
const hasOnly = (value, keys) => Object.keys(value).every((key) => keys.includes(key));
const clamp = (score) => (score <= 0 ? 0 : score >= 1 ? 1 : score);
const percent = (share) => Math.round(share * 100);

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.keys(value).filter((key) => value[key] !== undefined).sort();
    return `{${members.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  return JSON.stringify(value);
}

const sha256 = (text) => createHash("sha256").update(text, "utf8").digest("hex");

function isSnapshot(value) {
  return (
    isObject(value) &&
    hasOnly(value, SNAPSHOT_KEYS) &&
    value.schemaVersion === "snapshot.v1" &&
    Number.isInteger(value.day) &&
    value.day >= 0 &&
    isText(value.townId) &&
    isMission(value.mission) &&
    isList(value.sideQuests, isQuest) &&
    isObject(value.pressure) &&
    hasOnly(value.pressure, PRESSURES) &&
    PRESSURES.every((name) => isUnit(value.pressure[name])) &&
    isList(value.projects, isProject) &&
    (value.latestNetherEvent === null || typeof value.latestNetherEvent === "string")
  );
}

function isMission(value) {
  if (value === null) return true;
  if (!isObject(value) || !hasOnly(value, MISSION_KEYS) || !isText(value.id) || !isText(value.title)) return false;
  if ("description" in value && typeof value.description !== "string") return false;
  return !("reward" in value) || (Number.isFinite(value.reward) && value.reward >= 0);
}

function isList(value, isItem) {
  if (!Array.isArray(value) || value.length > LIST_LIMIT) return false;
  if (new Set(value.map((item) => item.id)).size !== value.length) return false;
  return value.every(isItem);
}

function isQuest(value) {
  if (!isObject(value) || !hasOnly(value, QUEST_KEYS) || !isText(value.id) || !isText(value.title)) return false;
  if (!("complexity" in value)) return true;
  return Number.isFinite(value.complexity) && value.complexity >= 0 && value.complexity <= 10;
}

function isProject(value) {
  return (
    isObject(value) &&
    hasOnly(value, PROJECT_KEYS) &&
    isText(value.id) &&
    isText(value.name) &&
    isUnit(value.progress) &&
    STATUSES.includes(value.status)
  );
}

function isProfile(value) {
  return (
    isObject(value) &&
    value.schemaVersion === "profile.v1" &&
    isText(value.id) &&
    ROLES.includes(value.role) &&
    isText(value.townId) &&
    isObject(value.traits) &&
    TRAITS.every((name) => isUnit(value.traits[name])) &&
    isObject(value.goals) &&
    Object.keys(value.goals).length > 0 &&
    Object.values(value.goals).every((goal) => typeof goal === "boolean")
  );
}

const last = (complexity) => (complexity === undefined ? Infinity : complexity);

function byId(left, right) {
  return left.id.localeCompare(right.id);
}

const questOrder = (left, right) =>
  byId(left, right) ||
  left.title.localeCompare(right.title) ||
  last(left.complexity) - last(right.complexity);

const projectOrder = (left, right) =>
  byId(left, right) ||
  left.name.localeCompare(right.name) ||
  left.progress - right.progress ||
  left.status.localeCompare(right.status);

function canonicalSnapshot(snapshot) {
  if (!isSnapshot(snapshot)) throw new Error("invalid snapshot");
  const { mission, pressure } = snapshot;
  return {
    schemaVersion: snapshot.schemaVersion,
    day: snapshot.day,
    townId: snapshot.townId,
    mission: mission && {
      id: mission.id, title: mission.title, description: mission.description, reward: mission.reward,
    },
    sideQuests: snapshot.sideQuests
      .map((quest) => ({ id: quest.id, title: quest.title, complexity: quest.complexity }))
      .sort(questOrder),
    pressure: {
      threat: pressure.threat, scarcity: pressure.scarcity, hope: pressure.hope, dread: pressure.dread,
    },
    projects: snapshot.projects
      .map(({ id, name, progress, status }) => ({ id, name, progress, status }))
      .sort(projectOrder),
    latestNetherEvent: snapshot.latestNetherEvent,
  };
}

function signal(event, anyEvent, added, words) {
  if (!event) return 0;
  const text = event.toLowerCase();
  return words.some((word) => text.includes(word)) ? anyEvent + added : anyEvent;
}

const threatSignal = (event) => signal(event, 0.04, 0.12, THREAT_WORDS);
const scarcitySignal = (event) => signal(event, 0, 0.12, SCARCITY_WORDS);
const dreadSignal = (event) => signal(event, 0.04, 0.14, DREAD_WORDS);

const best = (options) =>
  options.sort((left, right) => right.score - left.score || left.target.localeCompare(right.target))[0];

function mayor(town, { traits, goals }) {
  if (town.mission !== null || town.sideQuests.length === 0) return null;
  const event = threatSignal(town.latestNetherEvent);
  const wanted =
    (goals.acceptMissions ? 0.1 : -0.1) +
    (goals.growTown ? 0.05 : 0) +
    (goals.maintainMorale && town.pressure.hope < 0.6 ? 0.05 : 0);
  const base = traits.authority * 0.3 + traits.pragmatism * 0.2 + wanted;
  const preferred = clamp(
    0.05 + traits.authority * 0.1 + traits.pragmatism * 0.15 + (1 - traits.prudence) * 0.45 - event * 0.4,
  );
  const { target, score } = best(
    town.sideQuests.map((quest) => {
      const share = quest.complexity === undefined ? 0.3 : clamp(quest.complexity / 10);
      const fit = 1 - Math.abs(share - preferred);
      const ready = event * traits.prudence * (1 - share);
      return { target: quest.id, score: clamp(base + fit * 0.3 + ready * 0.15) };
    }),
  );
  const tags = ["no_active_mission", "mission_ranked"];
  if (event > 0) tags.push("nether_event_pressure");
  return { type: "MAYOR_ACCEPT_MISSION", target, priority: score, tags };
}

function captain(town, { traits, goals }) {
  const actionable = town.projects.filter(({ status }) => status === "active" || status === "planning");
  if (!(town.pressure.threat > 0.3) || actionable.length === 0) return null;
  const event = threatSignal(town.latestNetherEvent);
  const wanted =
    (goals.defendAgainstThreats ? 0.08 : 0) +
    (goals.advanceProjects ? 0.05 : -0.05) +
    (goals.protectTownspeople ? 0.07 : 0);
  const threat = clamp(town.pressure.threat + event);
  const base = threat * (0.45 + traits.courage * 0.35 + traits.prudence * 0.1) + wanted;
  const { target, score } = best(
    actionable.map(({ id, status, progress }) => {
      const state = status === "active" ? 0.12 : 0.05;
      const rush = event > 0 && status === "active" ? 0.03 : 0;
      return { target: id, score: clamp(base + state + progress * (0.08 + traits.prudence * 0.08) + rush) };
    }),
  );
  const tags = ["high_threat", "project_available"];
  if (event > 0) tags.push("nether_event_pressure");
  if (town.projects.some(({ status }) => status === "blocked")) tags.push("blocked_projects_skipped");
  return { type: "PROJECT_ADVANCE", target, priority: score, tags };
}

function warden(town, { traits, goals }) {
  const { scarcity, dread, hope } = town.pressure;
  const scarcityAdded = scarcitySignal(town.latestNetherEvent);
  const dreadAdded = dreadSignal(town.latestNetherEvent);
  const reward = town.mission?.reward ?? 0;
  const relief = reward > 0 ? clamp(reward / 200) * 0.2 : 0;
  const feltScarcity = clamp(
    scarcity + scarcityAdded + (goals.salvageResources ? 0.08 : 0) + (goals.maintainSurplus ? 0.07 : 0) - relief,
  );
  const feltDread = clamp(dread + dreadAdded + (1 - hope) * 0.1 + (goals.reducePressure ? 0.08 : 0));
  const strain = Math.max((scarcity + dread) / 2, feltScarcity, feltDread);
  if (!(strain > 0.4)) return null;
  const scarcityFirst = feltScarcity === feltDread ? scarcity >= dread : feltScarcity > feltDread;
  const wanted = scarcityFirst
    ? (goals.salvageResources ? 0.05 : 0) + (goals.maintainSurplus ? 0.04 : 0)
    : goals.reducePressure ? 0.06 : 0;
  const pressed = strain * (0.45 + traits.pragmatism * 0.3 + traits.prudence * 0.15);
  const tags = ["high_strain"];
  if (dreadAdded > 0 || scarcityAdded > 0) tags.push("nether_event_pressure");
  if (relief > 0) tags.push("mission_relief_expected");
  const priority = clamp(pressed + wanted + (scarcityFirst ? scarcityAdded * 0.08 : dreadAdded * 0.1));
  return { type: "SALVAGE_PLAN", target: scarcityFirst ? "scarcity" : "dread", priority, tags };
}

const OWN_ACTIONS = { mayor, captain, warden };

function talk({ pressure }) {
  return pressure.hope < 0.6
    ? { type: "TOWNSFOLK_TALK", target: "morale-boost", priority: 0.5, tags: ["low_hope"] }
    : { type: "TOWNSFOLK_TALK", target: "casual", priority: 0.2, tags: [] };
}

function reasonFor(type, { traits }, { threat, scarcity, dread, hope }) {
  switch (type) {
    case "MAYOR_ACCEPT_MISSION":
      return `No active mission. Authority level ${percent(traits.authority)}% ready to accept.`;
    case "PROJECT_ADVANCE":
      return `Threat level ${percent(threat)}% demands project advancement for defense.`;
    case "SALVAGE_PLAN":
      return `Scarcity ${percent(scarcity)}% and dread ${percent(dread)}% require salvage response.`;
    default:
      return `Hope level ${percent(hope)}%. Time to speak with townspeople.`;
  }
}

function preconditionsFor(type, target) {
  switch (type) {
    case "MAYOR_ACCEPT_MISSION":
      return [{ kind: "mission_absent" }, { kind: "side_quest_exists", targetId: target }];
    case "PROJECT_ADVANCE":
      return [{ kind: "project_exists", targetId: target }];
    case "SALVAGE_PLAN":
      return [{ kind: "salvage_focus_supported", expected: target }];
    default:
      return [{ kind: "talk_type_supported", expected: target }];
  }
}

function isProposal(value) {
  return (
    isObject(value) &&
    value.schemaVersion === "proposal.v2" &&
    PROPOSAL_ID.test(value.proposalId) &&
    HASH.test(value.snapshotHash) &&
    Number.isInteger(value.decisionEpoch) &&
    value.decisionEpoch >= 0 &&
    Array.isArray(value.preconditions) &&
    value.preconditions.every((each) => isObject(each) && isText(each.kind)) &&
    value.type in TYPE_ORDER &&
    isText(value.actorId) &&
    isText(value.townId) &&
    isText(value.reason) &&
    isUnit(value.priority) &&
    value.reasonTags.every((tag) => typeof tag === "string") &&
    hasOnly(value.args, [ARGUMENTS[value.type]]) &&
    isText(value.args[ARGUMENTS[value.type]])
  );
}

function propose(snapshot, profile) {
  if (!isSnapshot(snapshot)) throw new Error("invalid snapshot");
  if (!isProfile(profile)) throw new Error("invalid profile");
  if (profile.townId !== snapshot.townId) throw new Error("another town");
  const town = canonicalSnapshot(snapshot);
  const snapshotHash = sha256(canonical(town));
  const own = OWN_ACTIONS[profile.role](town, profile);
  const candidates = own !== null && own.priority > 0 ? [own, talk(town)] : [talk(town)];
  candidates.sort(
    (left, right) =>
      right.priority - left.priority ||
      TYPE_ORDER[left.type] - TYPE_ORDER[right.type] ||
      left.target.localeCompare(right.target),
  );
  const { type, target, priority, tags } = candidates[0];
  const args = { [ARGUMENTS[type]]: target };
  const hashed = {
    actorId: profile.id, townId: town.townId, type, args, priority, decisionEpoch: town.day, snapshotHash,
  };
  const proposal = {
    schemaVersion: "proposal.v2",
    proposalId: `proposal_${sha256(canonical(hashed))}`,
    snapshotHash,
    decisionEpoch: town.day,
    type,
    actorId: profile.id,
    townId: town.townId,
    priority,
    reason: reasonFor(type, profile, town.pressure),
    reasonTags: tags,
    args,
    preconditions: preconditionsFor(type, target),
  };
  if (!isProposal(proposal)) throw new Error("invalid proposal");
  return proposal;
}

function answer({ work, digest }) {
  const started = process.cpuUsage();
  const proposals = work.map(([snapshot, profile]) => propose(snapshot, profile));
  const { user, system } = process.cpuUsage(started);
  const told = { seconds: (user + system) / 1e6 };
  if (!digest) return told;
  const hash = createHash("sha256");
  for (const proposal of proposals) hash.update(canonical(proposal), "utf8");
  return { ...told, sha256: hash.digest("hex") };
}

for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line);
  console.log(JSON.stringify(order.propose ? propose(...order.propose) : answer(order)));
}
