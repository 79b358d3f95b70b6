// The page around the scene: a masthead, the scene with what lies over it, and a panel.

import { useEffect, useRef, useState } from "preact/hooks";
import { SORTS, type Sort } from "../chronicle.ts";
import type { Viewer } from "../viewer.ts";
import { Card } from "./card.tsx";
import { Events } from "./events.tsx";
import { Help } from "./help.tsx";
import { Masthead } from "./masthead.tsx";
import { Notice } from "./notice.tsx";
import { Roster } from "./roster.tsx";
import { Tools } from "./tools.tsx";

export interface Hands {
  retry(): void;
  zoom(factor: number): void;
  toggleAbove(): void;
  toggleHelp(): void;
  fromAbove: boolean;
  help: boolean;
  /** The scene is drawn into these, outside of all this. */
  attach(canvas: HTMLCanvasElement, overlay: HTMLCanvasElement): void;
}

interface Props {
  viewer: Viewer;
  hands: Hands;
  now: number;
}

export function App({ viewer, hands, now }: Props) {
  const [tab, setTab] = useState<"agents" | "events">("agents");
  const [sorts, setSorts] = useState<readonly Sort[]>(SORTS);
  const canvas = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  useEffect(() => hands.attach(canvas.current!, overlay.current!), []);
  const bodies = viewer.known?.crowd.list ?? [];
  const toggle = (sort: Sort) =>
    setSorts(SORTS.filter((one) => (one === sort ? !sorts.includes(one) : sorts.includes(one))));
  return (
    <>
      <Masthead viewer={viewer} now={now} />
      <main class="scene" data-state={viewer.current.state}>
        <canvas
          id="scene"
          tabIndex={0}
          aria-label="The world. Arrows move, Q and E turn, plus and minus zoom, N and P watch the next and the previous agent."
          ref={canvas}
        />
        <canvas class="overlay" aria-hidden="true" ref={overlay} />
        <Notice viewer={viewer} retry={hands.retry} />
        <Card viewer={viewer} />
        <Tools hands={hands} />
        {hands.help && <Help close={hands.toggleHelp} />}
      </main>
      <aside class="panel" data-tab={tab}>
        <nav class="tabs" aria-label="Panel">
          {(["agents", "events"] as const).map((one) => (
            <button type="button" aria-pressed={tab === one} onClick={() => setTab(one)}>{one}</button>
          ))}
        </nav>
        <Roster bodies={bodies} watched={viewer.watched} watch={(id) => viewer.watch(id)} />
        <Events chronicle={viewer.chronicle} sorts={sorts} toggle={toggle} />
      </aside>
    </>
  );
}
