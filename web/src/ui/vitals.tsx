// Life, food and strength as short bars.

import type { ShownAgent } from "../protocol.ts";

const MOST = 20;

const parts = (agent: ShownAgent) =>
  [
    { name: "hp", word: "health", value: agent.hp, share: agent.hp / MOST },
    { name: "hunger", word: "food", value: agent.hunger, share: agent.hunger / MOST },
    {
      name: "stamina",
      word: "stamina",
      value: Math.round(agent.stamina_milli / 10),
      share: agent.stamina_milli / 1000,
    },
  ] as const;

const width = (share: number) => ({ width: `${Math.round(100 * Math.min(1, Math.max(0, share)))}%` });

/** Strength is spent as fast as it comes back, so it is not shown in lists. */
const inList = (agent: ShownAgent) => parts(agent).filter(({ name }) => name !== "stamina");

/** Bars without text for a line of a list; screen readers get words. */
export function Vitals({ agent }: { agent: ShownAgent }) {
  const words = inList(agent)
    .map(({ word, value }) => `${word} ${value}`)
    .join(", ");
  return (
    <span class="vitals" role="img" aria-label={words} title={words}>
      {inList(agent).map(({ name, share }) => (
        <span class="bar" data-vital={name}>
          <i style={width(share)} />
        </span>
      ))}
    </span>
  );
}

/** Bars with names and figures. */
export function VitalsTable({ agent }: { agent: ShownAgent }) {
  return (
    <dl class="vitals-table">
      {parts(agent).map(({ name, word, value, share }) => (
        <div>
          <dt>{word}</dt>
          <dd class="bar" data-vital={name}>
            <i style={width(share)} />
          </dd>
          <dd class="figure">
            {value}
            {name === "stamina" ? " %" : ` of ${MOST}`}
          </dd>
        </div>
      ))}
    </dl>
  );
}
