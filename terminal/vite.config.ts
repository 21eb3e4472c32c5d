import { compressAssets } from "@comanda/ui/build/compress-assets.ts";
import { oldestBrowser } from "@comanda/ui/build/oldest-browser.ts";
import { textModules } from "@comanda/ui/build/text-modules.ts";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { textParts } from "./app/texts.ts";

const inLib = (file: string): string => `${import.meta.dirname}/lib/${file}`;

const smallShared =
  /\/(Icon(Check|ChevronLeft|ChevronRight)\.m?js|ui\/(use-now|refusal-words)\.ts|checks\/modifiers-of\.ts|lib\/[a-z]+\/(show-refusal|table-names|undo-act)\.ts)$/;

/** Start screens are loaded together with their imports. Other parts are prefetched, so their imports can load later. */
const startScreen = /\/(floor-place|kitchen-screen|expo-screen|host-screen)-/;

/** The hub serves the built folder at `/terminal/`. URLs are relative, because the desktop app serves it elsewhere. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  publicDir: "../ui/public",
  plugins: [react(), oldestBrowser(), textModules(textParts), compressAssets()],
  resolve: {
    // Replacements for libraries that are a large part of the first load and little used.
    alias: [
      { find: /^\.\/use-browser-location\.js$/, replacement: inLib("page/browser-location.ts") },
      // The router's fallback for older versions of React.
      { find: /^use-sync-external-store\/shim\/index\.js$/, replacement: "react" },
    ],
  },
  build: {
    outDir: "../dist/terminal",
    emptyOutDir: true,
    // The page's content security policy forbids inline scripts and data: scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: (file, imports) => (startScreen.test(file) ? imports : []) },
    rolldownOptions: {
      optimization: { inlineConst: { mode: "all" } },
      output: {
        codeSplitting: {
          groups: [
            // One part for the modules of every screen: several would be larger, because each is compressed separately.
            { name: "first", test: /./, tags: ["$initial"] },
            // Likewise for small modules of the kitchen and other screens: the first part would list each part's name.
            { name: "small", test: smallShared, minShareCount: 2 },
            // Likewise for the modules about checks that the floor shares with other screens.
            { name: "tables", test: /\/checks\/(checks-by-table|ready-dishes)\.ts$/ },
          ],
        },
      },
    },
  },
});
