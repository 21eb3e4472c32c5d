// Bundles the headless hub that `npm run hub` runs: dist/hub/main.js. Without a bundle it starts half as fast: the engine
// strips the types of each file, and packages are read file by file.
import path from "node:path";
import { bundleForNode, describeHub, freshFolder, putInPlace } from "./bundle.ts";

const out = path.resolve(import.meta.dirname, "../dist/hub");
const fresh = freshFolder(out);

// A native module stays a package. The command line and discovery are files of their own: many a run needs neither.
await bundleForNode({
  entries: { main: "hub/main.ts", "job-thread": "hub/job-thread.ts", "practice-thread": "hub/practice-thread.ts" },
  outDir: fresh,
  external: ["better-sqlite3"],
  codeSplitting: true,
});
await describeHub(fresh);
putInPlace(out);
