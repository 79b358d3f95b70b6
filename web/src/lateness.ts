// How many ticks began late or were skipped, polled from the server's metrics.

import { request } from "./answers.ts";

export const ASK_EVERY_MS = 5000;

export interface Lateness {
  late: number;
  skipped: number;
}

export function readLateness(metrics: string): Lateness | null {
  const value = (name: string) => {
    const match = new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)`, "m").exec(metrics);
    return match ? Number(match[1]) : null;
  };
  const late = value("thorp_late_ticks_total");
  const skipped = value("thorp_skipped_ticks_total");
  return late === null || skipped === null ? null : { late, skipped };
}

export async function askLateness(): Promise<Lateness | null> {
  try {
    const answer = await request("metrics", { signal: AbortSignal.timeout(ASK_EVERY_MS) });
    return answer.ok ? readLateness(await answer.text()) : null;
  } catch {
    return null;
  }
}
