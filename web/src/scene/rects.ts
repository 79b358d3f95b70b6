// Rectangles on the screen that must not lie over each other.

export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

// The most pixels that a text is lifted to avoid others. Further up nobody would know whose text it is.
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
 * The free place nearest to the wished one for a text over somebody's head: lifted above what is there, or moved
 * aside as long as it stays over the head. Null if there is none.
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
