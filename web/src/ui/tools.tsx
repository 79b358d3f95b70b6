// Buttons for those without a keyboard or a wheel.

import { IS_FILM, ownName } from "../address.ts";
import type { Viewer } from "../viewer.ts";
import type { Hands } from "./app.tsx";
import { ShareTools } from "./share.tsx";

export function Tools({ viewer, hands }: { viewer: Viewer; hands: Hands }) {
  return (
    <div class="tools" role="toolbar" aria-label="View">
      <button
        type="button"
        id="map"
        aria-pressed={viewer.isMap}
        title="Map (M)"
        aria-label="Map"
        onClick={hands.toggleMap}
      >
        <svg viewBox="0 0 20 20">
          <path d="M3 5l5-2 4 2 5-2v12l-5 2-4-2-5 2zM8 3v12M12 5v12" />
        </svg>
      </button>
      <button type="button" title="Zoom in (+)" aria-label="Zoom in" onClick={() => hands.zoom(0.7)}>
        <svg viewBox="0 0 20 20">
          <path d="M10 4v12M4 10h12" />
        </svg>
      </button>
      <button type="button" title="Zoom out (−)" aria-label="Zoom out" onClick={() => hands.zoom(1.4)}>
        <svg viewBox="0 0 20 20">
          <path d="M4 10h12" />
        </svg>
      </button>
      <button
        type="button"
        id="compare-button"
        aria-pressed={hands.kept !== null || hands.second !== null}
        disabled={viewer.isMap || !viewer.time.tape.state}
        title="Compare (C)"
        aria-label="Compare"
        onClick={hands.toggleCompare}
      >
        <svg viewBox="0 0 20 20">
          <path d="M10 3v14M8 5H3v10h5M12 5h5v10h-5" />
        </svg>
      </button>
      {!IS_FILM && ownName() === "own" && (
        <button
          type="button"
          id="what-if"
          aria-expanded={hands.whatIf}
          disabled={!viewer.time.tape.state}
          title="What if… (for operators)"
          aria-label="What if"
          onClick={hands.toggleWhatIf}
        >
          <svg viewBox="0 0 20 20">
            <path d="M5 17V11c0-3 10-3 10-7M5 11c0-3-0-5 0-8M12 6l3-3 3 3" />
          </svg>
        </button>
      )}
      <ShareTools viewer={viewer} hands={hands} />
      <button type="button" aria-pressed={hands.help} title="Keys (?)" aria-label="Keys" onClick={hands.toggleHelp}>
        <svg viewBox="0 0 20 20">
          <path d="M7 7.5a3 3 0 1 1 4.3 2.7c-.9.5-1.3 1-1.3 2M10 15.2v.6" />
        </svg>
      </button>
    </div>
  );
}
