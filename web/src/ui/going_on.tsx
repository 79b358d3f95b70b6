// What is going on, over the scene. It changes seldom, and never under the pointer.

import { useRef, useState } from "preact/hooks";
import { pathFor } from "../address.ts";
import { digest, type Sentence } from "../digest.ts";
import type { Viewer } from "../viewer.ts";
import { Told } from "./see.tsx";

const EVERY_MS = 20_000;

export function GoingOn({ viewer, now }: { viewer: Viewer; now: number }) {
  const [folded, fold] = useState(false);
  const kept = useRef<{ at: number; complete: boolean; sentences: Sentence[] } | null>(null);
  const over = useRef(false);
  const { known, papers } = viewer;
  if (!known?.tick) return null;
  const complete = papers.society !== null;
  const stale = !kept.current || now - kept.current.at > EVERY_MS || complete !== kept.current.complete;
  if (stale && !over.current) kept.current = { at: now, complete, sentences: digest(papers.society, known.crowd.list) };
  return (
    <section
      class="going-on" id="going-on" role="status" aria-label="What is going on"
      onPointerEnter={() => { over.current = true; }} onPointerLeave={() => { over.current = false; }}
    >
      <button type="button" class="label" aria-expanded={!folded} onClick={() => fold(!folded)}>What is going on</button>
      <a class="see" href={pathFor("story", null)} onClick={(event) => { event.preventDefault(); viewer.go("story"); }}>the story so far</a>
      {!folded && <small class="what">Thorp is a small world in which AI agents live, work, trade and make laws. You watch; anybody's agent may join.</small>}
      {!folded && kept.current?.sentences.map((sentence) => <Told viewer={viewer} sentence={sentence} />)}
    </section>
  );
}
