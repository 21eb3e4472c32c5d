// Bundles the desktop app: dist/electron/main.js (ESM, with the hub), the preload script, and the built-in page with its icons.
// The window's own screens are built separately (`npm run build:renderer`, `build:terminal`).
import { copyFileSync } from "node:fs";
import path from "node:path";
import { build } from "vite";
import { bundleForNode, common, describeHub, freshFolder, putInPlace } from "./bundle.ts";
import { drawIcons } from "./draw-icons.ts";

const root = path.resolve(import.meta.dirname, "..");
const place = path.join(root, "dist", "electron");
const out = freshFolder(place);

/** Provided by Electron, native, or reading its own files at run time: kept as packages beside the bundle. */
const external = ["electron", "better-sqlite3", "electron-updater"];

await bundleForNode({ entries: { main: "electron/main.ts" }, outDir: out, external });
await bundleForNode({ entries: { "job-thread": "hub/job-thread.ts" }, outDir: out, external });
await bundleForNode({ entries: { "practice-thread": "hub/practice-thread.ts" }, outDir: out, external });
// The script of a sandboxed page must be a single file.
const preload = { preload: "electron/bridge/preload.ts" };
await bundleForNode({ entries: preload, outDir: out, external, format: "cjs", extension: "cjs" });
await bundlePage();
drawIcons(path.join(out, "icons"));
await describeHub(out);
putInPlace(place);

async function bundlePage(): Promise<void> {
  const folder = path.join(out, "failure-page");
  await build({
    ...common,
    build: {
      ...common.build,
      outDir: folder,
      modulePreload: false,
      minify: true,
      rolldownOptions: {
        input: path.join(root, "electron/failure-page/main.tsx"),
        output: { format: "es", entryFileNames: "page.js", assetFileNames: "page.[ext]" },
      },
    },
  });
  copyFileSync(path.join(root, "electron/failure-page/index.html"), path.join(folder, "index.html"));
}
