// Rectangles on the screen that must not lie over each other.

export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

// In pixels: how far a text is lifted at most to be free of others. Further up nobody would know whose it is.
const MOST_LIFT = 72;
const GAP = 2;

export const meet = (a: Rect, b: Rect): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const moved = ({ left, top, right, bottom }: Rect, x: number, y: number): Rect => ({
  left: left + x,
  right: right + x,
  top: top + y,
  bottom: bottom + y,
});

/**
 * Where a text over somebody's head has room: as near to where it is wished as can be, lifted over what lies there, or
 * moved aside as far as it still is over the head. Null if there is no such place.
 */
export function freePlace(wish: Rect, head: number, taken: readonly Rect[]): Rect | null {
  for (const aside of [0, head - wish.left - GAP, head - wish.right + GAP]) {
    let place = moved(wish, aside, 0);
    for (
      let below = taken.filter((one) => meet(place, one));
      below.length;
      below = taken.filter((one) => meet(place, one))
    ) {
      place = moved(place, 0, Math.min(...below.map(({ top }) => top)) - GAP - place.bottom);
    }
    if (wish.bottom - place.bottom <= MOST_LIFT) return place;
  }
  return null;
}
