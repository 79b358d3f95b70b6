// Over the map: the choice of its layers. Over the world: a small version of the map.

import { useEffect, useRef } from "preact/hooks";
import { LAYERS, type Layer } from "../map/layers.ts";
import type { Deed } from "../traces.ts";
import type { Viewer } from "../viewer.ts";
import type { Hands } from "./app.tsx";

const NAMES: Record<Layer, string> = {
  land: "Land and borders",
  buildings: "Buildings",
  people: "People",
  paths: "Paths",
  activity: "Activity",
  events: "Events",
  works: "Works, contracts",
  things: "Chests, boards, signs",
  heights: "Heights",
};
const DEEDS: readonly Deed[] = ["all", "mined", "placed", "refused"];

export function MapTools({ viewer, hands }: { viewer: Viewer; hands: Hands }) {
  return (
    <>
      <div class="views" role="group" aria-label="View">
        <button type="button" aria-pressed={!viewer.isMap} onClick={() => viewer.isMap && hands.toggleMap()}>
          3D
        </button>
        <button type="button" aria-pressed={viewer.isMap} onClick={() => viewer.isMap || hands.toggleMap()}>
          Map <kbd class="seldom">M</kbd>
        </button>
      </div>
      {viewer.isMap ? <Layers viewer={viewer} hands={hands} /> : <Small hands={hands} />}
    </>
  );
}

function Layers({ viewer, hands }: { viewer: Viewer; hands: Hands }) {
  const counts = hands.counts();
  return (
    <section class="layers" id="layers" aria-label="Layers of the map">
      <button type="button" class="label" aria-expanded={hands.layers} onClick={hands.toggleLayers}>
        Layers <kbd class="seldom">L</kbd>
      </button>
      {hands.layers && (
        <>
          {LAYERS.map((layer) => (
            <label key={layer}>
              <input type="checkbox" checked={viewer.layers.has(layer)} onChange={() => viewer.toggleLayer(layer)} />
              <span>{NAMES[layer]}</span> <small>{counts?.[layer]}</small>
            </label>
          ))}
          {viewer.layers.has("activity") && (
            <div class="heat">
              <i />
              <small>1</small> <small>{hands.hottest()}</small>
            </div>
          )}
          {viewer.layers.has("activity") && (
            <div class="deeds" role="group" aria-label="Which activity">
              {DEEDS.filter((deed) => deed !== "refused" || viewer.society?.open_book).map((deed) => (
                <button type="button" aria-pressed={viewer.deed === deed} onClick={() => viewer.countDeeds(deed)}>
                  {deed}
                </button>
              ))}
            </div>
          )}
        </>
      )}
    </section>
  );
}

function Small({ hands }: { hands: Hands }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    hands.drawSmallInto(canvas.current);
    return () => hands.drawSmallInto(null);
  }, []);
  return (
    <button type="button" class="small-map seldom" aria-label="The map" title="Map (M)" onClick={hands.toggleMap}>
      <canvas id="small-map" ref={canvas} />
      <span>
        map <kbd>M</kbd>
      </span>
    </button>
  );
}
