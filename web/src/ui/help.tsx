const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ["W A S D, arrows", "move over the ground"],
  ["Q, E", "turn"],
  ["+, −, wheel, pinch", "nearer, further"],
  ["drag", "turn and tilt; with Shift or two fingers, move"],
  ["M", "from above, and back"],
  ["N, P", "watch the next or the previous agent"],
  ["click", "watch whoever stands there"],
  ["F", "go along with whoever is watched"],
  ["Esc", "watch nobody"],
  ["Tab", "to the lists; arrows choose there"],
];

export function Help({ close }: { close: () => void }) {
  return (
    <section class="help" aria-label="Keys">
      <dl>{KEYS.map(([keys, does]) => <div><dt>{keys}</dt><dd>{does}</dd></div>)}</dl>
      <button type="button" onClick={close}>Close</button>
    </section>
  );
}
