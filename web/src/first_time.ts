// Remembers what this browser has already shown.

/**
 * Whether something is shown in this browser for the first time, and note that it was. Always false in a browser that
 * stores nothing.
 */
export function isFirstTime(key: string): boolean {
  try {
    const first = localStorage.getItem(key) === null;
    localStorage.setItem(key, "1");
    return first;
  } catch {
    return false;
  }
}
