import { defineConfig } from "vite";
import { BUILT } from "./digest.mjs";

export default defineConfig({
  base: "",
  define: { __FILM__: "false" },
  build: {
    outDir: BUILT,
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    license: { fileName: "assets/licences.md" },
    chunkSizeWarningLimit: 800,
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        entryFileNames: "assets/page.js",
        chunkFileNames: "assets/[name].js",
        assetFileNames: "assets/page[extname]",
      },
    },
  },
  // While working: npm run dev, beside thorp up on its usual port.
  server: { proxy: { "/admin": { target: "http://127.0.0.1:8080", ws: true }, "/metrics": "http://127.0.0.1:8080" } },
});
