// Rain in a storm, snow in the cold.

import { BufferAttribute, BufferGeometry, Points, type Vector3 } from "three";
import { fallMaterial } from "./shaders.ts";

const POINTS = 1200;

export class Precipitation {
  readonly points: Points;

  constructor(private readonly still: boolean) {
    const places = Float32Array.from({ length: POINTS * 3 }, Math.random);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(places, 3));
    this.points = new Points(geometry, fallMaterial);
    this.points.frustumCulled = false;
  }

  update(weather: string, target: Vector3, pixels: number): void {
    this.points.visible = !this.still && (weather === "STORM" || weather === "COLD");
    fallMaterial.uniforms.uMiddle.value.copy(target);
    fallMaterial.uniforms.uSnow.value = weather === "COLD" ? 1 : 0;
    fallMaterial.uniforms.uSize.value = pixels / 700;
  }
}
