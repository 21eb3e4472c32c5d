// `npm run generate`: writes everything that is derived from the schemas; --check fails when any of it is stale.
import { spawnSync } from "node:child_process";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const generators = ["protocol/build/generate.ts", "hub/build/generate.ts"];

let failed = false;
for (const generator of generators) {
  const { status } = spawnSync(process.execPath, [generator, ...process.argv.slice(2)], {
    cwd: root,
    stdio: "inherit",
  });
  if (status !== 0) failed = true;
}
process.exit(failed ? 1 : 0);
