// Buildings: what each is called, who lives there, and which one stands where.

import type { Position } from "./protocol.ts";
import type { Items } from "./society.ts";
import { blueprintWord, capitalised } from "./words.ts";

export interface Building {
  id: string;
  blueprint_id: string;
  builder: string;
  anchor: Position;
  low: Position;
  high: Position;
  completed_tick: number;
  cost: Items;
  contract: string;
  asked_by: string;
  asked_tick: number;
  /** Everybody who was ever announced as living there, in order. */
  residents: { id: string; since_tick: number; said_by: string }[];
  /** Whether it stands today. */
  stands: boolean;
}

/** The id of a building is made of its plan, its place and its rotation. */
const ID = /^[a-z][a-z0-9_]{0,40}@(-?\d{1,6}),(-?\d{1,6}),(-?\d{1,6})\/\d{1,3}$/;
export const isBuilding = (see: string): boolean => ID.test(see);

/** Roads and walls, which a map names only on request. */
export const isPlain = ({ blueprint_id }: Pick<Building, "blueprint_id">): boolean =>
  /road|wall|lamp/.test(blueprint_id);

/** "Brick house, by Elspeth" */
export const titleOf = (building: Building, nameOf: (id: string) => string): string =>
  `${capitalised(blueprintWord(building.blueprint_id))}, by ${nameOf(building.builder)}`;

export const middleOf = ({ low, high }: Pick<Building, "low" | "high">): { x: number; z: number } => ({
  x: (low[0] + high[0] + 1) / 2,
  z: (low[2] + high[2] + 1) / 2,
});

const spans = (low: number, high: number, value: number): boolean => low <= value && value <= high;

/** The building whose box contains a cell; among several the smallest, as with a lamp in a hall. */
export function buildingAt(
  buildings: readonly Building[],
  x: number,
  y: number | null,
  z: number,
): Building | undefined {
  const size = ({ low, high }: Building) => (high[0] - low[0] + 1) * (high[1] - low[1] + 1) * (high[2] - low[2] + 1);
  return buildings
    .filter(
      ({ low, high }) =>
        spans(low[0], high[0], x) && spans(low[2], high[2], z) && (y === null || spans(low[1], high[1], y)),
    )
    .sort((a, b) => size(a) - size(b))[0];
}

/** Who lives in a building at a tick: those who were given it and have not been given another one since. */
export function residentsOf(
  building: Building,
  all: readonly Building[],
  tick: number,
): { id: string; since_tick: number }[] {
  const movedOut = (id: string, since: number) =>
    all.some(
      (other) =>
        other !== building &&
        other.residents.some((one) => one.id === id && one.since_tick > since && one.since_tick <= tick),
    );
  const newest = new Map(building.residents.filter((one) => one.since_tick <= tick).map((one) => [one.id, one]));
  return [...newest.values()].filter(({ id, since_tick }) => !movedOut(id, since_tick));
}
