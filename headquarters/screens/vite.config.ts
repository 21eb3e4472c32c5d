import { compressAssets } from "@comanda/ui/build/compress-assets.ts";
import { oldestBrowser } from "@comanda/ui/build/oldest-browser.ts";
import { textModules } from "@comanda/ui/build/text-modules.ts";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { headquartersApi, type HqRoute } from "@comanda/protocol/headquarters-routes.ts";
import { textsOf } from "./app/texts.ts";

const routes = Object.entries<HqRoute>(headquartersApi.routes).map(([name, { method, path }]) => [
  name,
  { method, path },
]);

/** Headquarters serve the built folder at `/`. Addresses are relative, so that it also works below another path. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  publicDir: "../../ui/public",
  define: { HQ_ROUTES: JSON.stringify(Object.fromEntries(routes)) },
  plugins: [react(), oldestBrowser(), textModules({ es: textsOf("es"), en: textsOf("en") }), compressAssets()],
  build: {
    outDir: "../../dist/headquarters-screens",
    emptyOutDir: true,
    // The page's content security policy forbids inline scripts and data: scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
