// What this browser has been shown already.

/**
 * Whether something is shown in this browser for the first time, which is noted. Where a browser keeps nothing, the
 * answer is always no.
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
