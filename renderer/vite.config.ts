import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { textsOf } from "./app/texts.ts";
import { compressAssets } from "@comanda/ui/build/compress-assets.ts";
import { oldestBrowser } from "@comanda/ui/build/oldest-browser.ts";
import { textModules } from "@comanda/ui/build/text-modules.ts";

/** The hub serves the built folder at `/`. URLs are relative, so that it also works behind a path. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  publicDir: "../ui/public",
  plugins: [react(), oldestBrowser(), textModules({ es: textsOf("es"), en: textsOf("en") }), compressAssets()],
  build: {
    outDir: "../dist/renderer",
    emptyOutDir: true,
    // The page's content security policy forbids inline scripts and data: scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
