// Ways to take something along: a clip of the scene, and a film of a stretch of the world.

import { useState } from "preact/hooks";
import { IS_FILM } from "../address.ts";
import { Clip, clipKind } from "../clip.ts";
import type { Viewer } from "../viewer.ts";
import type { Hands } from "./app.tsx";

const KIND = clipKind();

export function ShareTools({ viewer, hands }: { viewer: Viewer; hands: Hands }) {
  const [clip, setClip] = useState<Clip | null>(null);
  const record = () => {
    if (clip) return clip.end();
    const scene = document.querySelector<HTMLCanvasElement>("#scene");
    if (scene && KIND) setClip(new Clip(scene, KIND, `thorp-${viewer.time.tick}.webm`, () => setClip(null)));
  };
  const clipTitle = clip ? "End the clip and keep it" : "Record a clip";
  return (
    <>
      {KIND && (
        <button
          type="button"
          id="clip"
          aria-pressed={clip !== null}
          disabled={viewer.isMap && !clip}
          title={clipTitle}
          aria-label={clipTitle}
          onClick={record}
        >
          <svg viewBox="0 0 20 20">
            {clip ? <path d="M6 6h8v8H6z" /> : <path d="M10 5a5 5 0 1 0 .01 0M10 8a2 2 0 1 0 .01 0" />}
          </svg>
        </button>
      )}
      {!IS_FILM && viewer.time.tape.state && (
        <button
          type="button"
          id="send"
          aria-expanded={hands.send}
          title="Send this…"
          aria-label="Send this…"
          onClick={hands.toggleSend}
        >
          <svg viewBox="0 0 20 20">
            <path d="M10 13V3M6 7l4-4 4 4M4 11v6h12v-6" />
          </svg>
        </button>
      )}
    </>
  );
}
