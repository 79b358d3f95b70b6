// What things are called.

import { eventOf, sentenceOf } from "./address.ts";
import { type Building, isBuilding, titleOf } from "./buildings.ts";
import type { Society } from "./society.ts";
import { blueprintWord, speakerWord } from "./words.ts";
import type { World } from "./world.ts";

/** The name of a person, an organisation, a law, a land, a contract or an event; the id of anything else. */
export function nameOf(
  id: string,
  world: World | null,
  society: Society | null,
  buildings: readonly Building[] = [],
): string {
  const speaker = speakerWord(id);
  if (speaker !== undefined) return speaker;
  if (isBuilding(id)) {
    const building = buildings.find((each) => each.id === id);
    return building ? titleOf(building, (other) => nameOf(other, world, society)) : blueprintWord(id.split("@")[0]);
  }
  if (society?.event?.id === id) return society.event.title;
  const name =
    world?.crowd.get(id)?.agent.name ??
    society?.organisations.find((organisation) => organisation.id === id)?.name ??
    society?.laws.find((law) => law.id === id)?.title;
  if (name !== undefined) return name;
  if (eventOf(id)) return "event";
  if (sentenceOf(id)) return "why the story says it";
  const land = society?.lands.find((each) => each.id === id);
  if (land) return `the land of ${nameOf(land.owner, world, society)}`;
  return /^C0*\d+$/.test(id) ? `contract ${Number(id.slice(1))}` : id;
}
