// What the built page was made from, and whether the one that is kept still is that.
//
// The build writes two digests into the page's head: of its sources and of its files. `node digest.mjs`
// computes both anew and complains if they differ, so that nobody forgets to build or edits what was built.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const WEB = dirname(fileURLToPath(import.meta.url));
export const BUILT = join(WEB, "..", "src", "thorp", "server", "static");
const SOURCES = [
  "digest.mjs",
  "index.html",
  "package.json",
  "package-lock.json",
  "public",
  "src",
  "test",
  "tsconfig.json",
  "tsconfig.test.json",
  "vite.config.js",
  "vite.film.config.js",
  "vite.replay.config.js",
];

/** The digest of named contents, whatever their order. */
function digestOf(contents) {
  const hash = createHash("sha256");
  for (const [name, content] of [...contents].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${name}\0${createHash("sha256").update(content).digest("hex")}\n`);
  }
  return hash.digest("hex").slice(0, 32);
}

function* filesUnder(root, name) {
  const path = join(root, name);
  let entries;
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch (problem) {
    if (problem.code !== "ENOTDIR") throw problem;
    yield [name, readFileSync(path)];
    return;
  }
  for (const entry of entries) yield* filesUnder(root, `${name}/${entry.name}`);
}

export const sourcesDigest = () => digestOf(SOURCES.flatMap((name) => [...filesUnder(WEB, name)]));
export const filesDigest = () => digestOf(filesUnder(BUILT, "assets"));

const MARK = /<meta name="build" content="([0-9a-f]+) ([0-9a-f]+)">/;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, sources, files] = MARK.exec(readFileSync(join(BUILT, "index.html"), "utf8")) ?? [];
  const problems = [];
  if (sources !== sourcesDigest()) problems.push("web/ has changed since the page was built");
  if (files !== filesDigest()) problems.push("a built file was changed by hand");
  for (const problem of problems) console.error(`${problem}; run make web`);
  process.exitCode = problems.length ? 1 : 0;
}
