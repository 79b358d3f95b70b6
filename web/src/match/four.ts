// Four in a row on a board of discs: the line that has won.

const LENGTH = 4;
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
] as const;

/** The cells of a line of four or more equal discs, as "x,y"; empty if there is none. */
export function winningLine(board: readonly string[], isDisc: (glyph: string) => boolean): Set<string> {
  for (let y = 0; y < board.length; y++) {
    for (let x = 0; x < board[y].length; x++) {
      if (!isDisc(board[y][x])) continue;
      for (const [dx, dy] of DIRECTIONS) {
        const cells: string[] = [];
        for (let i = 0; board[y + i * dy]?.[x + i * dx] === board[y][x]; i++) cells.push(`${x + i * dx},${y + i * dy}`);
        if (cells.length >= LENGTH) return new Set(cells);
      }
    }
  }
  return new Set();
}
