import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// The server this page talks to while it is being worked on (`npm run dev`).
const SERVER = process.env["TURNTILE_SERVER"] ?? "http://127.0.0.1:8000";
const proxied = { target: SERVER, changeOrigin: false, ws: true };

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../src/turntile/server/page",
    emptyOutDir: true,
    target: "es2022",
    // The page's policy allows no data: fonts or scripts; pictures stay files of their own.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { host: "127.0.0.1", proxy: { "/api": proxied, "/openapi.json": proxied } },
  resolve: process.env["VITEST"] ? { conditions: ["browser"] } : {},
  test: { environment: "happy-dom", include: ["src/**/*.test.ts"] },
});
