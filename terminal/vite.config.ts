import { compressAssets } from "@comanda/ui/build/compress-assets.ts";
import { oldestBrowser } from "@comanda/ui/build/oldest-browser.ts";
import { textModules } from "@comanda/ui/build/text-modules.ts";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { textParts } from "./app/texts.ts";

const inLib = (file: string): string => `${import.meta.dirname}/lib/${file}`;

const smallShared =
  /\/(Icon(Check|ChevronLeft|ChevronRight)\.m?js|ui\/(use-now|refusal-texts|join-with-dots|act-button)\.tsx?|checks\/modifiers-of\.ts|lib\/[a-z]+\/(show-refusal|table-names|undo-act)\.ts|learned\/age-limits\.ts|kitchen\/(tickets\/[a-z-]+\.tsx?|device\/kitchen-device\.ts))$/;

/** The start screens' imports are preloaded. Other screens load ahead, when nothing waits for them. */
const startScreen = /\/(floor-place|kitchen-screen|expo-screen|host-screen)-/;

/** The hub serves the built folder at `/terminal/`. Paths are relative, as the desktop app serves it elsewhere. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  publicDir: "../ui/public",
  plugins: [react(), oldestBrowser(), textModules(textParts), compressAssets()],
  resolve: {
    // Replaces large libraries of which the first load uses little.
    alias: [
      { find: /^\.\/use-browser-location\.js$/, replacement: inLib("page/browser-location.ts") },
      // The router's fallback for older versions of React.
      { find: /^use-sync-external-store\/shim\/index\.js$/, replacement: "react" },
    ],
  },
  build: {
    outDir: "../dist/terminal",
    emptyOutDir: true,
    // The page's content security policy forbids inline and data: scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false, resolveDependencies: (file, imports) => (startScreen.test(file) ? imports : []) },
    rolldownOptions: {
      optimization: { inlineConst: { mode: "all" } },
      output: {
        // The first chunk lists the names of all files: shorter ones shorten it.
        chunkFileNames: "assets/[name]-[hash:6].js",
        assetFileNames: "assets/[name]-[hash:6][extname]",
        codeSplitting: {
          groups: [
            // One chunk for what every screen needs: several compress worse.
            { name: "first", test: /./, tags: ["$initial"] },
            // Small modules that the kitchen shares with other screens, and with the pass: the first chunk lists the names of all
            // chunks, and several compress worse.
            { name: "small", test: smallShared, minShareCount: 2 },
            // Sheets about who uses the device, under one name instead of three.
            {
              name: "staff",
              test: /\/features\/staff\/(approval-sheet|person-sheet|ended-screen|staff-sheets)\.tsx?$/,
            },
            // Modules that the floor and the host share with other screens.
            { name: "tables", test: /\/(checks\/(checks-by-table|ready-dishes|awaited)|page\/form-draft)\.tsx?$/ },
          ],
        },
      },
    },
  },
});
