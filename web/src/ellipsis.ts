// Cuts texts that are too long for their place, between two words.

// Marks that are removed in front of an ellipsis.
const LOOSE = /[\s,;:–-]+$/u;

/** The text if it fits, else as many of its words as fit with an ellipsis; letters only where one word is too long. */
export function ellipsis(text: string, fits: (text: string) => boolean): string {
  if (fits(text)) return text;
  const cut = (end: number) => `${text.slice(0, end).replace(LOOSE, "")}…`;
  for (let end = text.lastIndexOf(" "); end > 0; end = text.lastIndexOf(" ", end - 1))
    if (fits(cut(end))) return cut(end);
  const letters = [...text.split(" ", 1)[0]];
  while (letters.length > 1 && !fits(`${letters.join("")}…`)) letters.pop();
  return `${letters.join("")}…`;
}
