import { spawnSync } from "node:child_process";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");

/** Playwright's global setup: builds the page that the hub serves. */
export default function buildRenderer(): void {
  const vite = path.join(root, "node_modules/vite/bin/vite.js");
  const built = spawnSync(process.execPath, [vite, "build", "renderer"], { cwd: root, encoding: "utf8" });
  if (built.status !== 0) throw new Error(`the page could not be built:\n${built.stderr}`);
}
