// Decides when to draw: not before the last frame is done, and after a slow frame only after a pause as long as the
// frame took. So a machine without a graphics card still has time for everything else.

const SLOW_MS = 40;
const LONGEST_REST_MS = 400;

export class Pace {
  /** The recent cost of a frame, in milliseconds. */
  cost = 0;
  private fence: WebGLSync | null = null;
  private began = 0;
  private restUntil = 0;

  constructor(private readonly gl: WebGL2RenderingContext) {}

  ready(now: number): boolean {
    if (this.fence) {
      const { gl } = this;
      const done = gl.getSyncParameter(this.fence, gl.SYNC_STATUS) === gl.SIGNALED;
      if (!done && !gl.isContextLost()) return false;
      gl.deleteSync(this.fence);
      this.fence = null;
      const took = now - this.began;
      this.cost += (took - this.cost) * 0.1;
      this.restUntil = took > SLOW_MS ? now + Math.min(took, LONGEST_REST_MS) : now;
    }
    return now >= this.restUntil;
  }

  drawn(now: number): void {
    this.began = now;
    this.fence = this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    this.gl.flush();
  }

  get slow(): boolean {
    return this.cost > SLOW_MS;
  }

  /** Measure again from the beginning, since frames were made cheaper. */
  forget(): void {
    this.cost = 0;
  }
}
