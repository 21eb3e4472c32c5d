// Bundles the desktop app: dist/electron/main.js (ESM, the hub in it), preload.cjs, and the built-in page with its icons.
// The window's own screens are built apart (`npm run build:renderer`).
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "vite";
import { bundleForNode, common, describeHub } from "./bundle.ts";
import { drawIcons } from "./draw-icons.ts";

const root = path.resolve(import.meta.dirname, "..");
const out = path.join(root, "dist", "electron");

/** Comes with Electron, is a native module, or reads its own files at run time: left as packages beside the bundle. */
const external = ["electron", "better-sqlite3", "electron-updater"];

rmSync(out, { recursive: true, force: true });
await bundleForNode({ entries: { main: "electron/main.ts" }, outDir: out, external });
await bundleForNode({ entries: { "job-thread": "hub/job-thread.ts" }, outDir: out, external });
const preload = { preload: "electron/bridge/preload.ts" };
await bundleForNode({ entries: preload, outDir: out, external, format: "cjs", extension: "cjs" });
await bundlePage();
drawIcons(path.join(out, "icons"));
describeHub(out);

async function bundlePage(): Promise<void> {
  const folder = path.join(out, "failure-page");
  await build({
    ...common,
    build: {
      ...common.build,
      outDir: folder,
      modulePreload: false,
      rolldownOptions: {
        input: path.join(root, "electron/failure-page/page.ts"),
        output: { format: "es", entryFileNames: "page.js" },
      },
    },
  });
  mkdirSync(folder, { recursive: true });
  for (const name of ["index.html", "page.css"]) {
    copyFileSync(path.join(root, "electron/failure-page", name), path.join(folder, name));
  }
}
