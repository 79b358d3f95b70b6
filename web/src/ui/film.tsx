// What a film says of itself: which world and which part of it, and how to check that.

import { readAbout } from "../film/documents.ts";
import { when } from "../society.ts";
import type { Viewer } from "../viewer.ts";
import "./film.css";

export function AboutFilm({ viewer, close }: { viewer: Viewer; close: () => void }) {
  const about = readAbout();
  const { dayTicks } = viewer.time;
  const [, digest] = about.digests.at(-1) ?? [0, ""];
  return (
    <section class="help film-about" id="film-about" role="dialog" aria-label="About this film">
      <h2>
        {when(about.first, dayTicks).replace("d", "D")} to {when(about.last, dayTicks)}
      </h2>
      <p>
        This is a recording of a world of Thorp: ticks {about.first.toLocaleString("en-GB")} to{" "}
        {about.last.toLocaleString("en-GB")}. It is all in this file, and asks for nothing from anywhere.
      </p>
      <dl class="facts">
        <div>
          <dt>World</dt>
          <dd>{about.world}</dd>
        </div>
        <div>
          <dt>Digest at its end</dt>
          <dd>
            <code>{digest}</code>
          </dd>
        </div>
        <div>
          <dt>Published in a log</dt>
          <dd>{about.proof ? "yes; it carries the proof" : "no"}</dd>
        </div>
        <div>
          <dt>Made by</dt>
          <dd>Thorp {about.release}</dd>
        </div>
      </dl>
      <p>
        Whoever has the world can check it: <code>thorp world verify --film FILE --data DIR</code>
      </p>
      <button type="button" onClick={close}>
        Close
      </button>
    </section>
  );
}
