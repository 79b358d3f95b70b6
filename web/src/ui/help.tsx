const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["W A S D, arrows", "move over the ground"],
  ["Q, E", "turn"],
  ["+, −, wheel, pinch", "zoom in, zoom out"],
  ["drag", "turn and tilt; with Shift or two fingers, move"],
  ["M", "view from above, and back"],
  ["N, P", "watch the next or the previous agent"],
  ["click", "watch the agent that stands there"],
  ["F", "follow the watched agent"],
  ["Esc", "stop watching"],
  ["Tab", "go to the lists; arrows select an agent"],
];

export function Help({ close }: { close: () => void }) {
  return (
    <section class="help" aria-label="Keys">
      <dl>{KEYS.map(([keys, does]) => <div><dt>{keys}</dt><dd>{does}</dd></div>)}</dl>
      <button type="button" onClick={close}>Close</button>
    </section>
  );
}
