// Chips that fly where somebody digs, in one draw call for all of them.

import { BoxGeometry, BufferAttribute, Color, DynamicDrawUsage, InstancedMesh, Matrix4 } from "three";
import type { Body } from "../crowd.ts";
import type { Pose } from "../motion.ts";
import type { Terrain } from "../terrain.ts";
import { figureMaterial } from "./shaders.ts";

const MOST = 240;
const EACH = 5;
const FLIES = 0.7;
const SIZE = 0.13;

export class Chips {
  readonly mesh: InstancedMesh;
  private readonly matrix = new Matrix4();
  private readonly colour = new Color();

  constructor() {
    const box = new BoxGeometry(1, 1, 1);
    const paint = new Float32Array(box.attributes.position.count * 4).fill(1);
    box.setAttribute("paint", new BufferAttribute(paint, 4));
    this.mesh = new InstancedMesh(box, figureMaterial, MOST);
    this.mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    this.mesh.setColorAt(0, this.colour);
    this.mesh.frustumCulled = false;
    this.mesh.count = 0;
  }

  update(bodies: readonly Body[], poses: readonly Pose[], terrain: Terrain, now: number): void {
    let count = 0;
    for (let i = 0; i < bodies.length && count + EACH <= MOST; i++) {
      const task = bodies[i].agent.work_task;
      if (task?.kind !== "MINE" || poses[i].speed > 0) continue;
      const [x, y, z] = task.target;
      const block = terrain.blockAt(x, y, z);
      const [r, g, b] = terrain.looks.side[block ?? 0] ?? [120, 110, 95];
      for (let n = 0; n < EACH; n++, count++) {
        const at = (now / 1000 / FLIES + n / EACH + bodies[i].hue) % 1;
        const turn = n * 2.4 + Math.floor(now / 1000 / FLIES + n / EACH) * 1.7;
        const rise = 1.9 * at - 2.6 * at * at;
        this.matrix
          .makeScale(SIZE, SIZE, SIZE)
          .setPosition(
            x + 0.5 + Math.sin(turn) * (0.35 + 0.7 * at),
            y + 0.8 + rise,
            z + 0.5 + Math.cos(turn) * (0.35 + 0.7 * at),
          );
        this.mesh.setMatrixAt(count, this.matrix);
        this.mesh.setColorAt(count, this.colour.setRGB(r / 255, g / 255, b / 255));
      }
    }
    this.mesh.count = count;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}
