// Small things made of painted boxes.

import { BufferAttribute, BufferGeometry } from "three";
import { SIDES } from "../mesher.ts";

export interface Box {
  from: readonly [number, number, number];
  to: readonly [number, number, number];
  colour: number;
  /** How much of an instance's own colour it takes. */
  dye?: number;
}

export function boxes(list: readonly Box[]): BufferGeometry {
  const position: number[] = [];
  const normal: number[] = [];
  const paint: number[] = [];
  const index: number[] = [];
  for (const { from, to, colour, dye = 0 } of list) {
    for (const side of SIDES) {
      const first = position.length / 3;
      const axis = side.findIndex((part) => part !== 0);
      const around = [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ];
      if (side[axis] < 0) around.reverse();
      for (const [u, v] of around) {
        const ends = [0, 0, 0];
        ends[axis] = side[axis] > 0 ? 1 : 0;
        ends[(axis + 1) % 3] = u;
        ends[(axis + 2) % 3] = v;
        position.push(...ends.map((end, i) => (end ? to[i] : from[i])));
        normal.push(...side);
        paint.push((colour >> 16) / 255, ((colour >> 8) & 255) / 255, (colour & 255) / 255, dye);
      }
      index.push(...[0, 1, 2, 0, 2, 3].map((corner) => first + corner));
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normal), 3));
  geometry.setAttribute("paint", new BufferAttribute(new Float32Array(paint), 4));
  geometry.setIndex(index);
  return geometry;
}
