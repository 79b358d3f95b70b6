// A map that keeps only the entries that were set last.

export class BoundedMap<Key, Value> {
  private readonly entries = new Map<Key, Value>();

  constructor(private readonly limit: number) {}

  get(key: Key): Value | undefined {
    return this.entries.get(key);
  }

  has(key: Key): boolean {
    return this.entries.has(key);
  }

  /** Set an entry, which makes it the newest; beyond the limit the oldest one goes. */
  set(key: Key, value: Value): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size > this.limit) this.entries.delete(this.entries.keys().next().value!);
  }

  values(): MapIterator<Value> {
    return this.entries.values();
  }

  clear(): void {
    this.entries.clear();
  }
}
