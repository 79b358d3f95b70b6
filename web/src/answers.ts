// Where answers come from: the server, or the documents in a film. It is chosen once, before anything is asked.

import { address } from "./token.ts";

/** Answers a request for a path of the server, such as `admin/v1/observer/tape`. */
export type Source = (path: string, how?: RequestInit) => Promise<Response>;

/** The media type of an answer that is not compressed where a server compresses it. */
export const PLAIN = "application/octet-stream";

let source: Source = (path, how) => fetch(address(path), how);

/** Take all answers from elsewhere. */
export function answerFrom(other: Source): void {
  source = other;
}

export const request: Source = (path, how) => source(path, how);
