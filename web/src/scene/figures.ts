// Agents as little figures, in a few instanced meshes for all of them. Legs swing in time with the walking speed.

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
  { from: [-0.31, 0.6, -0.18], to: [0.31, 0.68, 0.18], colour: 0x5a4630 },
  { from: [-0.27, 1.26, -0.26], to: [0.27, 1.72, 0.26], colour: SKIN },
  { from: [-0.28, 1.56, -0.27], to: [0.28, 1.8, 0.2], colour: HAIR },
  { from: [-0.28, 1.34, -0.28], to: [0.28, 1.62, -0.2], colour: HAIR },
  { from: [-0.17, 1.44, 0.26], to: [-0.08, 1.54, 0.28], colour: EYE },
  { from: [0.08, 1.44, 0.26], to: [0.17, 1.54, 0.28], colour: EYE },
  { from: [-0.05, 1.36, 0.26], to: [0.05, 1.45, 0.33], colour: SKIN },
];
const LEG: readonly Box[] = [
  { from: [-0.13, -0.62, -0.13], to: [0.13, 0.02, 0.13], colour: TROUSERS },
  { from: [-0.14, -0.62, -0.14], to: [0.14, -0.5, 0.19], colour: 0x3a2f26 },
];
const ARM: readonly Box[] = [
  { from: [-0.08, -0.42, -0.1], to: [0.08, 0.04, 0.1], colour: 0xdddddd, dye: 1 },
  { from: [-0.075, -0.56, -0.09], to: [0.075, -0.42, 0.09], colour: SKIN },
];
// In the hand: the handle points forward, the head is across.
const TOOL: readonly Box[] = [
  { from: [-0.04, -0.54, -0.1], to: [0.04, -0.46, 0.62], colour: 0x8a6a42 },
  { from: [-0.05, -0.8, 0.5], to: [0.05, -0.2, 0.64], colour: 0xa7aaad },
];
const CRATE: readonly Box[] = [
  { from: [-0.26, 0.72, 0.24], to: [0.26, 1.16, 0.7], colour: 0xb88e58 },
  { from: [-0.28, 0.9, 0.22], to: [0.28, 0.97, 0.72], colour: 0x7d5c34 },
];
// Up to this distance of the camera a figure has its natural size; further away it is drawn larger.
const NATURAL_DISTANCE = 70;
const HIP = { side: 0.15, height: 0.62 };
const SHOULDER = { side: 0.38, height: 1.18 };
/** What the hands do during a task: strike with a tool, put something down, or carry. */
const WORK: Record<string, "strike" | "put" | "carry"> = {
  MINE: "strike",
  GATHER: "put",
  PLACE: "put",
  BUILD_BLUEPRINT: "strike",
  CRAFT: "put",
  SMELT: "put",
  TRANSFER: "carry",
  OPEN: "put",
  CLAIM_LAND: "put",
};
const AWAY = new Color(0.55, 0.55, 0.55);

function spot(): BufferGeometry {
  const geometry = new BufferGeometry();
  const corners = [
    [-1, -1],
    [-1, 1],
    [1, 1],
    [1, -1],
  ];
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
  private readonly leftArm = instanced(boxes(ARM), figureMaterial);
  private readonly rightArm = instanced(boxes(ARM), figureMaterial);
  private readonly tool = instanced(boxes(TOOL), figureMaterial);
  private readonly crate = instanced(boxes(CRATE), figureMaterial);
  private readonly spots = instanced(spot(), spotMaterial);
  private readonly matrix = new Matrix4();
  private readonly dye = new Color();

  private readonly all = [
    this.spots,
    this.upper,
    this.left,
    this.right,
    this.leftArm,
    this.rightArm,
    this.tool,
    this.crate,
  ];

  constructor() {
    for (const mesh of this.all) if (mesh !== this.spots) mesh.setColorAt(0, AWAY);
    this.group.add(...this.all);
  }

  /** Put everybody in place. From far away they are drawn larger, or they could not be seen. */
  update(bodies: readonly Body[], poses: readonly Pose[], now: number, distance: number): void {
    const count = Math.min(bodies.length, MOST_FIGURES);
    const scale = Math.max(1, distance / NATURAL_DISTANCE);
    this.tool.count = this.crate.count = 0;
    for (let i = 0; i < count; i++) this.put(i, bodies[i], poses[i], now, scale);
    for (const mesh of this.all) {
      if (mesh !== this.tool && mesh !== this.crate) mesh.count = count;
      for (const attribute of [mesh.instanceMatrix, mesh.instanceColor]) {
        attribute?.clearUpdateRanges();
        attribute?.addUpdateRange(0, count * attribute.itemSize);
        if (attribute) attribute.needsUpdate = true;
      }
    }
  }

  private put(i: number, body: Body, pose: Pose, now: number, scale: number): void {
    const { matrix, dye } = this;
    const { work_task, connected } = body.agent;
    const work = work_task && pose.speed === 0 ? (WORK[work_task.kind] ?? "put") : null;
    const carries = work_task !== undefined && WORK[work_task.kind] === "carry";
    const step = Math.min(1, pose.speed / 4);
    const beat = now / 1000 + body.hue * 7;
    const swing = Math.sin(beat * 9) * 0.7 * step;
    const stroke = Math.sin(beat * 6.5);
    const breath = connected && !step ? Math.sin(beat * 1.8) * 0.012 : 0;
    const bob = (work === "strike" ? Math.max(0, stroke) * 0.05 : Math.abs(swing) * 0.06) + breath;
    const sin = Math.sin(pose.yaw) * scale;
    const cos = Math.cos(pose.yaw) * scale;
    matrix.set(cos, 0, sin, pose.x, 0, scale, 0, pose.y + bob, -sin, 0, cos, pose.z, 0, 0, 0, 1);
    this.upper.setMatrixAt(i, matrix);
    if (carries) this.crate.setMatrixAt(this.crate.count++, matrix);
    const limb = (mesh: InstancedMesh, { side, height }: typeof HIP, sign: number, angle: number, lift = 0) => {
      const s = Math.sin(angle);
      const c = Math.cos(angle);
      matrix.set(
        cos,
        sin * s,
        sin * c,
        pose.x + cos * side * sign,
        0,
        c * scale,
        -s * scale,
        pose.y + (height + lift) * scale,
        -sin,
        cos * s,
        cos * c,
        pose.z - sin * side * sign,
        0,
        0,
        0,
        1,
      );
      mesh.setMatrixAt(i, matrix);
    };
    for (const [mesh, sign] of [
      [this.left, 1],
      [this.right, -1],
    ] as const) {
      limb(mesh, HIP, sign, swing * sign);
      mesh.setColorAt(i, AWAY);
    }
    // Negative angles reach forward.
    const speaks = body.saying !== null && !work;
    const reach = carries ? -1.15 : work === "put" ? -0.9 - 0.3 * stroke : null;
    const right =
      work === "strike" ? -1.7 + 1.1 * Math.max(-0.6, stroke) : (reach ?? (speaks ? -1.9 + 0.35 * stroke : -swing));
    limb(
      this.leftArm,
      SHOULDER,
      1,
      work === "strike" ? -0.7 + 0.5 * Math.max(-0.6, stroke) : (reach ?? swing * -1),
      bob,
    );
    limb(this.rightArm, SHOULDER, -1, reach ?? (work === "strike" || speaks ? right : swing), bob);
    if (work === "strike") this.tool.setMatrixAt(this.tool.count++, matrix);
    matrix.makeScale(scale, 1, scale).setPosition(pose.x, pose.y, pose.z);
    this.spots.setMatrixAt(i, matrix);
    if (connected) dye.setHSL(body.hue, 0.5, 0.58);
    else dye.copy(AWAY);
    for (const mesh of [this.upper, this.leftArm, this.rightArm]) mesh.setColorAt(i, dye);
  }
}
