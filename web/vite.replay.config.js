// The second script: a match as a page of its own. Built last, so it also marks what both builds have made.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vite";
import { BUILT, filesDigest, sourcesDigest } from "./digest.mjs";

/** Marks the page with the digests of what it was made from and of what was made. */
const marked = {
  name: "marked",
  apply: "build",
  enforce: "post",
  closeBundle() {
    const page = join(BUILT, "index.html");
    const mark = `<meta name="build" content="${sourcesDigest()} ${filesDigest()}">`;
    writeFileSync(page, readFileSync(page, "utf8").replace("</title>", `</title>\n    ${mark}`));
  },
};

export default defineConfig({
  base: "",
  define: { __FILM__: "false" },
  plugins: [marked],
  publicDir: false,
  build: {
    outDir: BUILT,
    emptyOutDir: false,
    target: "es2022",
    modulePreload: false,
    rolldownOptions: {
      input: "src/replay_page.tsx",
      output: { format: "iife", entryFileNames: "assets/replay.js", assetFileNames: "assets/replay[extname]" },
    },
  },
});
