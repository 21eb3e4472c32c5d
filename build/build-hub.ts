// Bundles the headless hub that `npm run hub` runs: dist/hub/main.js. Without a bundle it starts half as fast: the engine
// strips the types of each file, and packages are read file by file.
import { renameSync, rmSync } from "node:fs";
import path from "node:path";
import { bundleForNode, describeHub } from "./bundle.ts";

const out = path.resolve(import.meta.dirname, "../dist/hub");
const fresh = `${out}.${process.pid}`;

// A native module stays a package. The command line and discovery are files of their own: many a run needs neither.
await bundleForNode({
  entries: { main: "hub/main.ts", "job-thread": "hub/job-thread.ts" },
  outDir: fresh,
  external: ["better-sqlite3"],
  codeSplitting: true,
});
describeHub(fresh);
// A hub that runs from the old bundle has read it by now, and nobody finds half a new one.
rmSync(out, { recursive: true, force: true });
renameSync(fresh, out);
