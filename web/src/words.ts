// From codes to words: the one table of what everything is called that a server names by a code. A test compares it
// with the rules of the world. Codes are foreign, so a code that the table lacks is written as it is, in small letters.

import table from "./words.json" with { type: "json" };

const plain = (code: string): string => code.toLowerCase().replaceAll("_", " ");

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The entry of a code; undefined for a code that is not in the table, whatever it is called. */
function entry<T>(entries: Record<string, T>, code: string): T | undefined {
  return Object.hasOwn(entries, code) ? entries[code] : undefined;
}

/** The words of a code in a table of single words. */
const named =
  (entries: Record<string, string>) =>
  (code: string): string =>
    entry(entries, code) ?? plain(code);

export const blockWord = named(table.blocks);
export const blueprintWord = named(table.blueprints);
export const eventTitle = named(table.events);
export const rankWord = named(table.ranks);
export const organisationWord = named(table.organisations);
export const orderWords = named(table.orders);
export const targetWords = named(table.targets);
export const meterWord = named(table.meters);
export const outcomeWords = named(table.outcomes);
export const terminationWords = named(table.terminations);
export const weatherWord = named(table.weather);
export const taskWord = named(table.tasks);
export const actionWords = named(table.actions);

/** Whether an action of the protocol is called so. */
export const isAction = (code: string): boolean => Object.hasOwn(table.actions, code);

/** What a town's work is called: towns number their works after the plan, as in "Hut small 4". */
export function workName(name: string): string {
  const [, plan, number] = /^(.{1,60}) (\d{1,6})$/.exec(name) ?? [];
  if (plan === undefined) return name;
  return `${capitalised(blueprintWord(plan.toLowerCase().replaceAll(" ", "_")))}, work ${number}`;
}

/** What a council's command asks for; undefined for a command that nobody knows. */
export const commandWords = (command: string): string | undefined => entry(table.commands, command.split(" ")[0]);

/** Why a governor ordered something: the town engine's own sentences in plain words, and others as they were said. */
export function reasonInWords(reason: string): string {
  for (const [pattern, words] of Object.entries(table.reasons)) {
    const known = new RegExp(pattern);
    if (known.test(reason)) return reason.replace(known, words);
  }
  return reason;
}

/** Who speaks where it is none of the people. */
export const speakerWord = (id: string): string | undefined => entry(table.speakers, id);

/** What somebody can achieve, as a wish and as a deed. */
export const achievementWish = (id: string): string => entry(table.achievements, id)?.[0] ?? plain(id);
export const achievementDeed = (id: string): string => entry(table.achievements, id)?.[1] ?? `did “${plain(id)}”`;

/** What somebody did who took away a block, or put one. */
export const takenWords = (block: string): string => entry(table.taken, block) ?? `mined ${blockWord(block)}`;
export const putWords = (block: string): string => entry(table.put, block) ?? `placed ${blockWord(block)}`;

/** What a law says; its places in braces are filled in. */
export const lawSentence = (template: string): string => entry(table.laws, template) ?? plain(template);

/** What a state of a law or a contract is called, and whether that is good, bad or still open. */
export function stateWord(state: string): { word: string; mood: string } {
  const [word, mood] = entry(table.states, state) ?? [plain(state), "wait"];
  return { word, mood };
}

/** How a public event is told: its sort, what was done, and who did it where that is not the agent. */
export interface Telling {
  sort: string;
  did: string;
  who?: string;
}

/** How an event of a kind is told, in this variant of it if that has words of its own. */
export function telling(kind: string, variant: string): Telling {
  const happenings: Record<string, string[]> = table.happenings;
  const [sort, did, who] = entry(happenings, `${kind}.${variant}`) ??
    entry(happenings, kind) ?? ["society", plain(kind)];
  return who === undefined ? { sort, did } : { sort, did, who };
}

/** A sentence with its places in braces filled in. */
export const filled = (sentence: string, values: Record<string, () => string>): string =>
  sentence.replace(/\{([a-z ]+)\}/g, (whole, name: string) => (Object.hasOwn(values, name) ? values[name]() : whole));
