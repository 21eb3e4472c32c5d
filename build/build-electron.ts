// Bundles the desktop app: dist/electron/main.js (ESM, the hub in it), preload.cjs, and the built-in page with its icons.
// The window's own screens are built apart (`npm run build:renderer`).
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { build, type InlineConfig } from "vite";
import { drawIcons } from "./draw-icons.ts";

const root = path.resolve(import.meta.dirname, "..");
const out = path.join(root, "dist", "electron");

/** Comes with Electron, is a native module, or reads its own files at run time: left as packages beside the bundle. */
const external = ["electron", "better-sqlite3", "electron-updater"];

const common = {
  root,
  configFile: false,
  envDir: false,
  publicDir: false,
  logLevel: "warn",
  build: { target: "es2024", minify: false, sourcemap: false, emptyOutDir: false, reportCompressedSize: false },
} satisfies InlineConfig;

rmSync(out, { recursive: true, force: true });
await bundle("electron/main.ts", { format: "es", entryFileNames: "main.js" });
await bundle("electron/preload.ts", { format: "cjs", entryFileNames: "preload.cjs" });
await bundlePage();
drawIcons(path.join(out, "icons"));
// What the bundled hub reads of itself beside its file.
const { version } = JSON.parse(readFileSync(path.join(root, "hub/package.json"), "utf8")) as { version: string };
writeFileSync(path.join(out, "package.json"), JSON.stringify({ type: "module", version }));

/** For Node as Electron has it: everything in one file but the packages named above. */
async function bundle(entry: string, output: { format: "es" | "cjs"; entryFileNames: string }): Promise<void> {
  await build({
    ...common,
    ssr: { noExternal: true, external },
    build: {
      ...common.build,
      ssr: path.join(root, entry),
      outDir: out,
      // A package deep below Koa names functions by `eval`; it never runs in the page.
      rolldownOptions: { external, output: { ...output, codeSplitting: false }, checks: { eval: false } },
    },
  });
}

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
