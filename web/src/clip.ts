// Records the scene as a clip: WebM, by the browser's own recorder. Nothing leaves the browser.

const FRAMES_A_SECOND = 30;
const BITS_A_SECOND = 6_000_000;
// A clip ends by itself then, so that a forgotten one does not fill the memory.
const LONGEST_MS = 120_000;
const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

/** Give the reader a file to keep. */
export function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** The kind of clip that this browser records; null if it records none. */
export const clipKind = (): string | null =>
  typeof MediaRecorder === "undefined" ? null : (KINDS.find((kind) => MediaRecorder.isTypeSupported(kind)) ?? null);

/** A clip that is being recorded. */
export class Clip {
  readonly beganAt = performance.now();
  private readonly recorder: MediaRecorder;
  private readonly parts: Blob[] = [];

  constructor(scene: HTMLCanvasElement, kind: string, name: string, ended: () => void) {
    const picture = scene.captureStream(FRAMES_A_SECOND);
    this.recorder = new MediaRecorder(picture, { mimeType: kind, videoBitsPerSecond: BITS_A_SECOND });
    this.recorder.ondataavailable = ({ data }) => this.parts.push(data);
    const timer = setTimeout(() => this.end(), LONGEST_MS);
    this.recorder.onstop = () => {
      clearTimeout(timer);
      for (const track of picture.getTracks()) track.stop();
      save(new Blob(this.parts, { type: "video/webm" }), name);
      ended();
    };
    this.recorder.start(1000);
  }

  end(): void {
    if (this.recorder.state !== "inactive") this.recorder.stop();
  }
}
