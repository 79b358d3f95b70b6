// A notice over the scene while there is nothing new to see: why that is so, and what helps.

import { giveToken } from "../token.ts";
import type { Viewer } from "../viewer.ts";
import { Founding } from "./founding.tsx";

// After this long without a tick, a notice says that time waits.
const QUIET_MS = 6000;
// The notice that the picture was made coarser stays this long.
const COARSE_MS = 8000;

const sentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

interface Props {
  viewer: Viewer;
  now: number;
  retry: () => void;
  join: () => void;
}

/** A field for a token, which is sent to this server only and never put into the address. */
function Locked({ why, retry }: { why: string; retry: () => void }) {
  const give = (event: SubmitEvent) => {
    event.preventDefault();
    const typed = (event.currentTarget as HTMLFormElement).querySelector("input")!.value.trim();
    if (!typed) return;
    giveToken(typed);
    retry();
  };
  return (
    <div class="notice" role="alert">
      <strong>This world asks for a token.</strong>
      <span>The server says: {why}.</span>
      <form id="token-form" onSubmit={give}>
        <input type="password" aria-label="Token" placeholder="thorp_…" autocomplete="off" maxLength={200} />
        <button type="submit">Watch</button>
      </form>
    </div>
  );
}

export function Notice({ viewer, now, retry, join }: Props) {
  const { current, world, time } = viewer;
  if (current.state === "founding") return <Founding founding={current.founding} />;
  if (current.state === "locked") return <Locked why={current.why} retry={retry} />;
  if (current.state === "away") {
    return (
      <div class="notice" role="alert">
        <strong>{current.why}</strong>
        <span>
          Away since {current.since}. {world ? "You see the last state it sent. " : ""}The page reconnects by itself.
        </span>
        <button type="button" onClick={retry}>
          Try now
        </button>
      </div>
    );
  }
  if (current.state === "opening") {
    return (
      <div class="notice" role="status">
        <strong>{sentence(current.why)}</strong> <span>The page goes on by itself.</span>
      </div>
    );
  }
  if (current.state === "connecting")
    return (
      <div class="notice late" role="status">
        <span>Looking for the world…</span>
      </div>
    );
  if (viewer.awaitsPast)
    return time.isPast ? null : (
      <div class="notice late" role="status">
        <span>Looking for that moment…</span>
      </div>
    );
  const quiet = world ? now - world.heardAt : 0;
  if (!world?.tick && quiet <= QUIET_MS)
    return (
      <div class="notice late" role="status">
        <span>Waiting for the first tick…</span>
      </div>
    );
  if (world?.tick && world.crowd.list.length === 0 && !time.isPast)
    return (
      <div class="notice">
        <span>Nobody is here yet.</span>
        <button type="button" onClick={join}>
          Join with an agent
        </button>
      </div>
    );
  if (!time.isPast && quiet > QUIET_MS) {
    return (
      <div class="notice waits" id="waits" role="status">
        <strong>Time waits: no tick for {Math.floor(quiet / 1000)} s.</strong>{" "}
        <span>A world in lockstep goes on when its agents move.</span>
      </div>
    );
  }
  return null;
}

/** Shown for a while when the resolution is reduced, once for each browser. */
export function Coarser({ viewer, now }: { viewer: Viewer; now: number }) {
  if (!viewer.tellsCoarse || now - viewer.coarseAt >= COARSE_MS) return null;
  return (
    <p class="toast" id="coarse" role="status">
      Picture made coarser, so that it stays smooth here.
    </p>
  );
}
