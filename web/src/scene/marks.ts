// Marks for what the reader looks at: a ring at the feet of the person they watch, a frame around the cell of that
// person's task, and one around the chosen building.

import { BufferAttribute, BufferGeometry, Group, Mesh } from "three";
import type { Building } from "../buildings.ts";
import type { Body } from "../crowd.ts";
import type { Pose } from "../motion.ts";
import { markMaterial } from "./shaders.ts";

const PARTS = 40;
const EDGE = 0.035;

function ring(): BufferGeometry {
  const position: number[] = [];
  const index: number[] = [];
  for (let i = 0; i < PARTS; i++) {
    const angle = (i / PARTS) * 2 * Math.PI;
    for (const radius of [0.62, 0.72]) position.push(Math.sin(angle) * radius, 0.06, Math.cos(angle) * radius);
    const next = (i + 1) % PARTS;
    index.push(2 * i, 2 * i + 1, 2 * next + 1, 2 * i, 2 * next + 1, 2 * next);
  }
  return shape(position, index);
}

/** The twelve edges of a box as thin square bars; a box of one cell if no size is given. */
function frame(size: readonly [number, number, number] = [1, 1, 1]): BufferGeometry {
  const position: number[] = [];
  const index: number[] = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const [u, v] of [
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ]) {
      const first = position.length / 3;
      for (let corner = 0; corner < 8; corner++) {
        const place = [0, 0, 0];
        const [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
        place[axis] = (corner & 1) * size[axis];
        place[next] = u * size[next] + (corner & 2 ? EDGE : -EDGE);
        place[last] = v * size[last] + (corner & 4 ? EDGE : -EDGE);
        position.push(...place);
      }
      for (const face of [
        [0, 1, 3, 2],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 3, 7, 6],
      ]) {
        const [a, b, c, d] = face.map((corner) => first + corner);
        index.push(a, b, c, a, c, d, a, c, b, a, d, c);
      }
    }
  }
  return shape(position, index);
}

function shape(position: number[], index: number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  geometry.setIndex(index);
  return geometry;
}

export class Marks {
  readonly group = new Group();
  private readonly ring = new Mesh(ring(), markMaterial);
  private readonly frame = new Mesh(frame(), markMaterial);
  private readonly box = new Mesh(frame(), markMaterial);
  private enclosed: Pick<Building, "low" | "high"> | undefined;

  constructor() {
    for (const mesh of [this.ring, this.frame, this.box]) {
      mesh.frustumCulled = false;
      mesh.visible = false;
      this.group.add(mesh);
    }
  }

  update(body: Body | undefined, pose: Pose | undefined): void {
    this.ring.visible = pose !== undefined;
    if (pose) this.ring.position.set(pose.x, pose.y, pose.z);
    const aim = body?.aim ?? null;
    this.frame.visible = aim !== null;
    if (aim) this.frame.position.set(aim[0], aim[1], aim[2]);
  }

  /** Put a frame around a building, or remove it. */
  enclose(building: Pick<Building, "low" | "high"> | undefined): void {
    this.box.visible = building !== undefined;
    if (!building || building === this.enclosed) return;
    const { low, high } = building;
    this.enclosed = building;
    this.box.position.set(low[0], low[1], low[2]);
    this.box.geometry.dispose();
    this.box.geometry = frame([high[0] - low[0] + 1, high[1] - low[1] + 1, high[2] - low[2] + 1]);
  }
}
