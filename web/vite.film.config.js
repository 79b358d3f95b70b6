// The third script: a stretch of a world as a page of its own, in one piece with the whole page.

import { defineConfig } from "vite";
import { BUILT } from "./digest.mjs";

export default defineConfig({
  base: "",
  // A file on a disk has no address that others could be found by.
  define: { __FILM__: "true", "import.meta": "{}" },
  publicDir: false,
  build: {
    outDir: BUILT,
    emptyOutDir: false,
    target: "es2022",
    modulePreload: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      input: "src/film_page.ts",
      output: {
        format: "iife",
        codeSplitting: false,
        entryFileNames: "assets/film.js",
        assetFileNames: "assets/film[extname]",
      },
    },
  },
});
