// Reads a moment or a range of time that somebody has typed: "13500", "day 2 5:30", "2 05:30", "12000-13000",
// "day 1 6:00 to day 2".

function tickOf(text: string, dayTicks: number): number | null {
  const typed = text
    .trim()
    .toLowerCase()
    .replace(/^tick\s*/, "")
    .replaceAll(",", "");
  if (/^\d{3,12}$/.test(typed)) return Number(typed);
  const match = /^(?:day|d)?\s*(\d{1,6})(?:\s+(\d{1,2})(?::(\d{2}))?)?$/.exec(typed);
  if (!match) return null;
  const [day, hour, minute] = [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)];
  if (day < 1 || hour > 24 || minute > 59) return null;
  return Math.floor((day - 1) * dayTicks + ((hour * 60 + minute) / 1440) * dayTicks);
}

/** One tick, or the first and the last of a range; null for what is neither. */
export function typedTime(text: string, dayTicks: number): [number] | [number, number] | null {
  const parts = text.split(/\s*(?:-|–|\bto\b|…)\s*/).map((part) => tickOf(part, dayTicks));
  if (parts.some((part) => part === null) || parts.length > 2) return null;
  if (parts.length === 2 && parts[0]! >= parts[1]!) return null;
  return parts as [number] | [number, number];
}
