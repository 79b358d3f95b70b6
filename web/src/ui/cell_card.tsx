// A cell: what stands in it, whose land it is, and who changed it last.

import { useEffect, useState } from "preact/hooks";
import { isAgent } from "../address.ts";
import { changed } from "../chronicle.ts";
import type { Position } from "../protocol.ts";
import { ask, building, type Items, landAt, type Post, when } from "../society.ts";
import type { Viewer } from "../viewer.ts";
import { blockWord, capitalised } from "../words.ts";
import { dayOf, type Of, Posts } from "./card.tsx";
import { Moment } from "./lane.tsx";
import { Goods, Says, See } from "./see.tsx";

interface Cell {
  position: Position;
  block: string;
  land: string;
  sign: string;
  posts: Post[];
  contracts: string[];
  building: string;
  builder: string;
  structure?: string;
  holds: Items | null;
}

/** A cell as it was at the tick of the past that is shown. */
function cellThen({ time, society, world }: Viewer, at: string): Cell | null {
  const position = at.split(",").map(Number) as unknown as Position;
  const [x, , z] = position;
  const place = time.past.placeAt(position);
  if (!place || place.block === undefined || !society || !world) return null;
  const block = world.looks.name(place.block);
  const land = landAt(society, x, z);
  return {
    ...place,
    position,
    block,
    land: land?.id ?? "",
    posts: Object.hasOwn(society.boards, `${block}@${at}`) ? society.boards[`${block}@${at}`] : [],
    contracts: society.contracts
      .filter(({ terminal, state }) => terminal.join() === at && (state === "OPEN" || state === "ACCEPTED"))
      .map(({ id }) => id),
    holds: society.open_book ? (time.book.chestAt(at) ?? null) : null,
  };
}

interface Change {
  tick: number;
  before: number;
  after: number;
  actor: string;
  reason: string;
}

/** Who changed a cell last, and how. Requested once for each cell, since the server must read some segments. */
function Changes({ viewer, at }: Of & { at: string }) {
  const { time, world } = viewer;
  const upTo = time.past.world ? `?tick=${time.askedTick}` : "";
  const path = time.tape.state && `${time.tape.of}places/${at}/changes${upTo}`;
  const [changes, setChanges] = useState<Change[] | null>(null);
  useEffect(() => {
    let left = false;
    if (path) void ask<Change[]>(path).then((answer) => left || setChanges(answer));
    return () => {
      left = true;
    };
  }, [path]);
  if (!changes?.length || !world) return null;
  return (
    <section class="effects" id="changes" aria-label="What changed here">
      <h4>What changed here</h4>
      <ol class="lately">
        {changes.map(({ tick, before, after, actor, reason }) => (
          <li>
            <Moment viewer={viewer} tick={tick}>
              {when(tick, dayOf(viewer)).replace("day ", "")}
            </Moment>{" "}
            <span>
              {isAgent(actor) ? <See viewer={viewer} id={actor} /> : "the world"}{" "}
              {changed({ actor, pos: [0, 0, 0], from: before, to: after, reason }, world.looks)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

export function CellCard({ viewer, at }: Of & { at: string }) {
  const [now, setCell] = useState<Cell | null | undefined>(undefined);
  const isPast = viewer.time.isPast || viewer.awaitsPast;
  useEffect(() => {
    setCell(undefined);
    if (!isPast) void ask<Cell>(`admin/v1/observer/places/${at}`).then(setCell);
  }, [at, isPast]);
  const cell = !isPast ? now : viewer.time.past.world ? cellThen(viewer, at) : undefined;
  if (!cell)
    return <p class="none">{cell === undefined ? "Looking…" : `Nothing is known of ${at}: nobody is near it.`}</p>;
  const openBook = viewer.society?.open_book;
  return (
    <article class="paper">
      <h3>
        {capitalised(blockWord(cell.block))} <small>at {cell.position.join(", ")}</small>
      </h3>
      <dl class="facts">
        {cell.building && (
          <div>
            <dt>part of</dt>
            <dd>
              {cell.structure ? (
                <See viewer={viewer} id={cell.structure}>
                  {building(cell.building)}
                </See>
              ) : (
                building(cell.building)
              )}
              , built by <See viewer={viewer} id={cell.builder} />
            </dd>
          </div>
        )}
        <div>
          <dt>on</dt>
          <dd id="land-here">{cell.land ? <See viewer={viewer} id={cell.land} /> : "land that nobody owns"}</dd>
        </div>
        {cell.sign && (
          <div>
            <dt>says</dt>
            <dd>
              <Says viewer={viewer} text={cell.sign} />
            </dd>
          </div>
        )}
        {cell.holds && (
          <div>
            <dt>holds</dt>
            <dd>
              <Goods items={cell.holds} />
            </dd>
          </div>
        )}
        {!cell.holds && !openBook && /CHEST|FURNACE|TERMINAL/.test(cell.block) && (
          <div>
            <dt>holds</dt>
            <dd>kept private here</dd>
          </div>
        )}
        {cell.contracts.length > 0 && (
          <div>
            <dt>contracts</dt>
            <dd>
              {cell.contracts.map((id) => (
                <>
                  <See viewer={viewer} id={id} />{" "}
                </>
              ))}
            </dd>
          </div>
        )}
      </dl>
      <Posts viewer={viewer} posts={cell.posts} />
      <Changes key={at} viewer={viewer} at={at} />
    </article>
  );
}
