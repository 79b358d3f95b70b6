// What this browser has been shown already.

/** Whether something is shown in this browser for the first time; noted, so that the next time is not. Where nothing can be kept, it is not. */
export function isFirstTime(key: string): boolean {
  try {
    const first = localStorage.getItem(key) === null;
    localStorage.setItem(key, "1");
    return first;
  } catch {
    return false;
  }
}
