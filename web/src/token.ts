// The token this page was opened with. It is taken out of the address at once and kept for this tab, so that
// neither a bookmark nor a shared screen shows it. A cookie would go to every server of the same machine.

import { besidePath, ownName, ROOT } from "./address.ts";

const KEY = "thorp-token";
let token: string | null = null;

/** Take the token out of the address; a page that was opened without one goes on with its tab's. */
export function takeToken(): void {
  const url = new URL(location.href);
  const given = url.searchParams.get("token");
  if (given !== null) {
    url.searchParams.delete("token");
    history.replaceState(history.state, "", url);
  }
  token = given;
  try {
    if (given) sessionStorage.setItem(KEY, given);
    token = sessionStorage.getItem(KEY);
  } catch {
    // a browser that keeps nothing: good until the page is left
  }
}

/** Go on with a token that the reader has typed. */
export function giveToken(given: string): void {
  token = given;
  try {
    sessionStorage.setItem(KEY, given);
  } catch {
    // good until the page is left
  }
}

const OBSERVER = "admin/v1/observer/";

/** A path of the server, with the token. Another run, or the world of a match, is asked for as the own one is. */
export function address(path: string): URL {
  const name = ownName();
  const isOther = name !== "own" && path.startsWith(OBSERVER);
  const url = new URL(isOther ? `${besidePath(name)}/${path.slice(OBSERVER.length)}` : path, ROOT);
  if (token) url.searchParams.set("token", token);
  return url;
}

/** The server does not know this token (any more): go on as one who has none. */
export function forgetToken(): void {
  token = null;
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // nothing was kept
  }
}
