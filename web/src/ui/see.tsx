// Links: every name on the page leads to the thing that it names.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { here, pathFor } from "../address.ts";
import { swatch } from "../blocks.ts";
import type { Sentence } from "../digest.ts";
import { pieces } from "../says.ts";
import { amount, type Items } from "../society.ts";
import type { Viewer } from "../viewer.ts";

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
    viewer.open(id);
  };
  return (
    <a class="see" href={pathFor(viewer.place, id, here().query, viewer.part)} onClick={open}>
      {children || <bdi>{viewer.nameOf(id)}</bdi>}
    </a>
  );
}

/** What somebody said, with links to what it names. The title has the exact words. */
export function Says({ viewer, text }: { viewer: Viewer; text: string }) {
  const all = pieces(text, (id) => viewer.nameOf(id));
  const changed = all.length > 1 || all[0]?.text !== text;
  return (
    <q class="says" title={changed ? text : undefined}>
      <bdi>
        {changed
          ? all.map((one) =>
              one.see ? (
                <See viewer={viewer} id={one.see}>
                  {one.text}
                </See>
              ) : (
                one.text
              ),
            )
          : text}
      </bdi>
    </q>
  );
}

/** A button that copies the address of what is shown, with the place of the camera. */
export function CopyLink({ viewer }: { viewer: Viewer }) {
  const [copied, setCopied] = useState(false);
  const copy = () =>
    void navigator.clipboard?.writeText(viewer.linkHere()).then(
      () => setCopied(true),
      () => {},
    );
  return (
    <button type="button" class="copy-link" onClick={copy}>
      {copied ? "Copied" : "Copy link"}
    </button>
  );
}

/** A sentence of what is going on, with its links. */
export function SentenceLine({ viewer, sentence }: { viewer: Viewer; sentence: Sentence }) {
  return (
    <p>
      {sentence.map((span) => {
        if (typeof span === "string") return span;
        return "intent" in span ? (
          <Says viewer={viewer} text={span.intent} />
        ) : (
          <See viewer={viewer} id={span.see}>
            {span.text}
          </See>
        );
      })}
    </p>
  );
}

/** Things with their counts, as chips. */
export function Goods({ items }: { items: Items }) {
  const all = Object.entries(items);
  return all.length ? (
    <span class="goods">
      {all.map(([item, count]) => (
        <span class="chip" data-item={item}>
          <i style={{ background: swatch(item) }} />
          {amount(item, count)}
        </span>
      ))}
    </span>
  ) : (
    <>nothing</>
  );
}
