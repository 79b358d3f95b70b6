// When to draw: not before the last frame is done, and where frames are slow, with a rest as long as the work.
// A machine without a graphics card then still has time for everything else.

const SLOW_MS = 40;
const LONGEST_REST_MS = 400;

export class Pace {
  /** What frames cost lately, in milliseconds. */
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

  /** Something was changed to make frames cheaper: judge anew. */
  forget(): void {
    this.cost = 0;
  }
}
