// Over the scene, in plain words, when there is nothing new to see.

import type { Viewer } from "../viewer.ts";
import { Founding } from "./founding.tsx";

export function Notice({ viewer, retry, join }: { viewer: Viewer; retry: () => void; join: () => void }) {
  const { current, known } = viewer;
  if (current.state === "founding") return <Founding founding={current.founding} />;
  if (current.state === "away") {
    return (
      <div class="notice" role="alert">
        <strong>{current.why}</strong>
        <span>{known ? "You see the last state it sent. " : ""}The page reconnects by itself.</span>
        <button type="button" onClick={retry}>Try now</button>
      </div>
    );
  }
  if (!known?.tick) return <div class="notice"><span>Waiting for the first tick…</span></div>;
  if (known.crowd.list.length === 0) return <div class="notice"><span>Nobody is here yet.</span><button type="button" onClick={join}>Join with an agent</button></div>;
  return null;
}
