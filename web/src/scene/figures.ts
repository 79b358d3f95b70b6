// Agents as little figures: a few instanced meshes for all of them. Legs swing as fast as they walk.

import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, Group, InstancedMesh, Matrix4 } from "three";
import type { Body } from "../crowd.ts";
import type { Pose } from "../motion.ts";
import { type Box, boxes } from "./boxes.ts";
import { figureMaterial, spotMaterial } from "./shaders.ts";

const MOST_FIGURES = 4096;
const SKIN = 0xe3bd95;
const HAIR = 0x5b4330;
const TROUSERS = 0x4f4a45;
const CLOTH = 0xffffff;
const EYE = 0x33291f;

const UPPER: readonly Box[] = [
  { from: [-0.3, 0.62, -0.17], to: [0.3, 1.24, 0.17], colour: CLOTH, dye: 1 },
  { from: [-0.44, 0.68, -0.12], to: [-0.3, 1.22, 0.12], colour: 0xdddddd, dye: 1 },
  { from: [0.3, 0.68, -0.12], to: [0.44, 1.22, 0.12], colour: 0xdddddd, dye: 1 },
  { from: [-0.27, 1.26, -0.26], to: [0.27, 1.72, 0.26], colour: SKIN },
  { from: [-0.28, 1.56, -0.27], to: [0.28, 1.8, 0.2], colour: HAIR },
  { from: [-0.28, 1.34, -0.28], to: [0.28, 1.62, -0.2], colour: HAIR },
  { from: [-0.17, 1.44, 0.26], to: [-0.08, 1.54, 0.28], colour: EYE },
  { from: [0.08, 1.44, 0.26], to: [0.17, 1.54, 0.28], colour: EYE },
  { from: [-0.05, 1.36, 0.26], to: [0.05, 1.45, 0.33], colour: SKIN },
];
const LEG: readonly Box[] = [{ from: [-0.13, -0.62, -0.13], to: [0.13, 0.02, 0.13], colour: TROUSERS }];
// From so far away a figure has its own size.
const NATURAL_DISTANCE = 70;
const HIP = { side: 0.15, height: 0.62 };
const AWAY = new Color(0.55, 0.55, 0.55);

function spot(): BufferGeometry {
  const geometry = new BufferGeometry();
  const corners = [[-1, -1], [-1, 1], [1, 1], [1, -1]];
  const position = corners.flatMap(([x, z]) => [x * 0.5, 0.04, z * 0.5]);
  const paint = corners.flatMap(([x, z]) => [(x + 1) / 2, (z + 1) / 2, 0, 0]);
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(position), 3));
  geometry.setAttribute("paint", new BufferAttribute(new Float32Array(paint), 4));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  return geometry;
}

function instanced(geometry: BufferGeometry, material: typeof figureMaterial): InstancedMesh {
  const mesh = new InstancedMesh(geometry, material, MOST_FIGURES);
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.frustumCulled = false;
  mesh.count = 0;
  return mesh;
}

export class Figures {
  readonly group = new Group();
  private readonly upper = instanced(boxes(UPPER), figureMaterial);
  private readonly left = instanced(boxes(LEG), figureMaterial);
  private readonly right = instanced(boxes(LEG), figureMaterial);
  private readonly spots = instanced(spot(), spotMaterial);
  private readonly matrix = new Matrix4();
  private readonly dye = new Color();

  constructor() {
    for (const mesh of [this.upper, this.left, this.right]) mesh.setColorAt(0, AWAY);
    this.group.add(this.spots, this.upper, this.left, this.right);
  }

  /** Seen from far away they are drawn larger, so that they can be seen at all. */
  update(bodies: readonly Body[], poses: readonly Pose[], now: number, distance: number): void {
    const count = Math.min(bodies.length, MOST_FIGURES);
    const scale = Math.max(1, distance / NATURAL_DISTANCE);
    for (let i = 0; i < count; i++) this.put(i, bodies[i], poses[i], now, scale);
    for (const mesh of [this.spots, this.upper, this.left, this.right]) {
      mesh.count = count;
      for (const attribute of [mesh.instanceMatrix, mesh.instanceColor]) {
        attribute?.clearUpdateRanges();
        attribute?.addUpdateRange(0, count * attribute.itemSize);
        if (attribute) attribute.needsUpdate = true;
      }
    }
  }

  private put(i: number, body: Body, pose: Pose, now: number, scale: number): void {
    const { matrix, dye } = this;
    const busy = body.agent.work_task !== undefined && pose.speed === 0;
    const step = Math.min(1, pose.speed / 4);
    const swing = Math.sin((now / 1000) * 9) * 0.7 * step;
    const bob = busy ? Math.abs(Math.sin(now / 180)) * 0.06 : Math.abs(swing) * 0.06;
    const sin = Math.sin(pose.yaw) * scale;
    const cos = Math.cos(pose.yaw) * scale;
    matrix.set(
      cos, 0, sin, pose.x,
      0, scale, 0, pose.y + bob,
      -sin, 0, cos, pose.z,
      0, 0, 0, 1,
    );
    this.upper.setMatrixAt(i, matrix);
    for (const [mesh, sign] of [[this.left, 1], [this.right, -1]] as const) {
      const s = Math.sin(swing * sign);
      const c = Math.cos(swing * sign);
      matrix.set(
        cos, sin * s, sin * c, pose.x + cos * HIP.side * sign,
        0, c * scale, -s * scale, pose.y + HIP.height * scale,
        -sin, cos * s, cos * c, pose.z - sin * HIP.side * sign,
        0, 0, 0, 1,
      );
      mesh.setMatrixAt(i, matrix);
      mesh.setColorAt(i, AWAY);
    }
    matrix.makeScale(scale, 1, scale).setPosition(pose.x, pose.y, pose.z);
    this.spots.setMatrixAt(i, matrix);
    if (body.agent.connected) dye.setHSL(body.hue, 0.5, 0.58);
    else dye.copy(AWAY);
    this.upper.setColorAt(i, dye);
  }
}
