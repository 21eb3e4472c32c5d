import { compressAssets } from "@comanda/ui/build/compress-assets.ts";
import { oldestBrowser } from "@comanda/ui/build/oldest-browser.ts";
import { textModules } from "@comanda/ui/build/text-modules.ts";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { textParts } from "./app/texts.ts";

const inLib = (file: string): string => `${import.meta.dirname}/lib/${file}`;

const smallShared =
  /\/(Icon(Check|ChevronLeft|ChevronRight)\.m?js|ui\/(use-now|refusal-words)\.ts|checks\/modifiers-of\.ts|lib\/[a-z]+\/(show-refusal|table-names|undo-act)\.ts)$/;

/** What a device starts on is fetched with its imports at once. For the rest, which is fetched ahead, nobody waits. */
const startScreen = /\/(floor-place|kitchen-screen|expo-screen|host-screen)-/;

/** The hub serves the built folder at `/terminal/`; addresses are relative, because the desktop app serves it elsewhere. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  publicDir: "../ui/public",
  plugins: [react(), oldestBrowser(), textModules(textParts), compressAssets()],
  resolve: {
    // Where a library is a large part of the first load and little of it is used, that little stands in its place.
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
            // What every screen needs in one part: several weigh more, each compressed by itself.
            { name: "first", test: /./, tags: ["$initial"] },
            // So do the small ones that the kitchen shares with other screens, whose names the first part lists.
            { name: "small", test: smallShared, minShareCount: 2 },
            // And what the floor has of checks in common with the other screens.
            { name: "tables", test: /\/checks\/(checks-by-table|ready-dishes)\.ts$/ },
          ],
        },
      },
    },
  },
});
