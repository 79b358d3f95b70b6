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
  plugins: [marked],
  build: {
    outDir: BUILT,
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    license: { fileName: "assets/licences.md" },
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      output: { entryFileNames: "assets/page.js", assetFileNames: "assets/page[extname]", codeSplitting: false },
    },
  },
  // While working: npm run dev, beside thorp up on its usual port.
  server: { proxy: { "/admin": { target: "http://127.0.0.1:8080", ws: true }, "/metrics": "http://127.0.0.1:8080" } },
});
