// Everything that has a name is a link to it.

import type { ComponentChildren } from "preact";
import type { Sentence } from "../digest.ts";
import { amount, type Items } from "../society.ts";
import type { Viewer } from "../viewer.ts";
import { pathFor } from "../address.ts";

interface Props {
  viewer: Viewer;
  id: string;
  children?: ComponentChildren;
}

/** A link to a thing, by its name unless something else is written. */
export function See({ viewer, id, children }: Props) {
  if (!id) return <>nobody</>;
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    viewer.choose(id);
  };
  return <a class="see" href={pathFor(viewer.place, id, location.search, viewer.part)} onClick={open}>{children || <bdi>{viewer.nameOf(id)}</bdi>}</a>;
}

export function Told({ viewer, sentence }: { viewer: Viewer; sentence: Sentence }) {
  return (
    <p>
      {sentence.map((span) => {
        if (typeof span === "string") return span;
        return "told" in span ? <q class="says"><bdi>{span.told}</bdi></q> : <See viewer={viewer} id={span.see}>{span.text}</See>;
      })}
    </p>
  );
}

/** Things with their counts, as chips. */
export function Goods({ items }: { items: Items }) {
  const all = Object.entries(items);
  return all.length
    ? <span class="goods">{all.map(([item, count]) => <span class="chip" data-item={item}>{amount(item, count)}</span>)}</span>
    : <>nothing</>;
}
