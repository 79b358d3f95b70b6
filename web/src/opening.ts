// What a reader sees first: the plaza of the city, or else whoever has most people around.

import type { Body } from "./crowd.ts";
import type { Society } from "./society.ts";

// Others within this distance count as company.
const NEAR_CELLS = 16;

export interface Opening {
  /** Who is watched at first. */
  watched: string | null;
  /** The middle of the city, where the camera stands still; null if it follows whoever is watched. */
  plaza: { x: number; z: number } | null;
}

const away = (x: number, z: number, { agent }: Body): number =>
  Math.max(Math.abs(agent.pos[0] - x), Math.abs(agent.pos[2] - z));

/** The middle of the city with most members: of its own land, or else of a member's. */
export function plazaOf(society: Society | null): { x: number; z: number; radius: number } | null {
  const cities = (society?.organisations ?? []).filter(({ kind }) => kind === "CITY");
  cities.sort((a, b) => Object.keys(b.members).length - Object.keys(a.members).length);
  const land = cities.flatMap(({ id, members }) => {
    const own = society!.lands.filter(({ owner }) => owner === id);
    return own.length ? own : society!.lands.filter(({ owner }) => owner in members);
  })[0];
  return land ? { x: land.anchor[0], z: land.anchor[2], radius: land.radius } : null;
}

export function opening(society: Society | null, bodies: readonly Body[]): Opening {
  const here = bodies.filter(({ agent }) => agent.connected);
  const plaza = plazaOf(society);
  const inside = plaza ? here.filter((body) => away(plaza.x, plaza.z, body) <= plaza.radius) : here;
  const company = (body: Body) =>
    inside.filter((one) => away(body.agent.pos[0], body.agent.pos[2], one) <= NEAR_CELLS).length;
  const best = inside.map((body) => ({ body, company: company(body) })).sort((a, b) => b.company - a.company)[0]?.body;
  const nearest = () => [...here].sort((a, b) => away(plaza!.x, plaza!.z, a) - away(plaza!.x, plaza!.z, b))[0];
  return { watched: (best ?? (plaza ? nearest() : undefined))?.id ?? null, plaza: plaza && { x: plaza.x, z: plaza.z } };
}

/** Whether somebody is on the city's land; true if there is no city. */
export const isInside = (society: Society | null, body: Body): boolean => {
  const plaza = plazaOf(society);
  return plaza === null || away(plaza.x, plaza.z, body) <= plaza.radius;
};
