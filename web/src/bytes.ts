// Reads chunks as they are sent: cells in base64. Anything that does not have exactly the right length is ignored.

export const CHUNK = 16;
export const COLUMNS = CHUNK * CHUNK;
const SURFACE_CELL_BYTES = 3;

export interface Surface {
  /** By column, z rows of x: the palette number of the topmost block, and its height. */
  block: Uint16Array;
  top: Uint8Array;
}

function bytesOf(base64: string): Uint8Array | null {
  let text: string;
  try {
    text = atob(base64);
  } catch {
    return null;
  }
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** `PAL16_Y8`: two bytes of block, the low one first, and one of height. */
export function readSurface(base64: string): Surface | null {
  const bytes = bytesOf(base64);
  if (bytes?.length !== COLUMNS * SURFACE_CELL_BYTES) return null;
  const surface = { block: new Uint16Array(COLUMNS), top: new Uint8Array(COLUMNS) };
  for (let i = 0, at = 0; i < COLUMNS; i++, at += SURFACE_CELL_BYTES) {
    surface.block[i] = bytes[at] | (bytes[at + 1] << 8);
    surface.top[i] = bytes[at + 2];
  }
  return surface;
}

/** `PAL16_U16LE_YZX`: two bytes a cell, y outermost and x fastest. */
export function readVoxels(base64: string, height: number): Uint16Array | null {
  const bytes = bytesOf(base64);
  if (bytes?.length !== COLUMNS * height * 2) return null;
  const cells = new Uint16Array(COLUMNS * height);
  for (let i = 0; i < cells.length; i++) cells[i] = bytes[2 * i] | (bytes[2 * i + 1] << 8);
  return cells;
}
