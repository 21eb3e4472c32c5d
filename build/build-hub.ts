// Bundles the headless hub of `npm run hub`: dist/hub/main.js. Without a bundle it starts half as fast, because types are
// stripped file by file, and packages are read file by file.
import path from "node:path";
import { bundleForNode, describeHub, freshFolder, putInPlace } from "./bundle.ts";

const out = path.resolve(import.meta.dirname, "../dist/hub");
const fresh = freshFolder(out);

// A native module stays a package. The command line and discovery are separate files: many runs need neither.
await bundleForNode({
  entries: { main: "hub/main.ts", "job-thread": "hub/job-thread.ts", "practice-thread": "hub/practice-thread.ts" },
  outDir: fresh,
  external: ["better-sqlite3"],
  codeSplitting: true,
});
await describeHub(fresh);
putInPlace(out);
