// Keeps requests for the same thing some time apart.

export class RequestPace<Key> {
  private readonly lastRequests = new Map<Key, number>();

  constructor(private readonly intervalMs: number) {}

  /** Whether enough time has passed since the last request for this. */
  isDue(key: Key, now = performance.now()): boolean {
    return now - (this.lastRequests.get(key) ?? -Infinity) >= this.intervalMs;
  }

  /** The time until the next request counts from now. */
  note(key: Key, now = performance.now()): void {
    this.lastRequests.set(key, now);
  }

  /** Whether a request may be made now; if so, it is noted. */
  admits(key: Key, now = performance.now()): boolean {
    if (!this.isDue(key, now)) return false;
    this.note(key, now);
    return true;
  }

  /** Let everything be requested at once. */
  reset(): void {
    this.lastRequests.clear();
  }
}
