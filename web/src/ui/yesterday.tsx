// The head of the story: yesterday in five sentences, each of which leads to its moment.

import { momentPath } from "../address.ts";
import { clockText } from "../daylight.ts";
import type { Viewer } from "../viewer.ts";
import { yesterday } from "../yesterday.ts";

export function Yesterday({ viewer, perDay, tick }: { viewer: Viewer; perDay: number; tick: number }) {
  const recalled = yesterday(viewer.story, perDay, tick);
  if (!recalled) return null;
  return (
    <details class="yesterday" id="yesterday" open>
      <summary>Yesterday, day {recalled.day}, in five sentences</summary>
      <ul>
        {recalled.sentences.map(({ text, tick: at }) => (
          <li key={`${at} ${text}`}>
            <a class="hour" href={momentPath(at)} title="watch it">
              {clockText((at % perDay) / perDay)}
            </a>
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
